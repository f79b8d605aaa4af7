"""What the last event did to each combatant, for the rows of the order: from the changes that it stored.

A viewer sees only what the rows and the log show as well: the points of others if their values are shown,
their new conditions, and that an attack hit.
"""

from collections.abc import Iterator, Sequence

from systems.encounter.events import Change, Event, Result
from systems.encounter.history import AMEND, History
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.frozen import frozen
from systems.schema.fields import fields_of
from systems.text import clean, signed
from systems.visibility.parts import ShownWord
from systems.visibility.rows import NO_CHANGES, Detail, LastChanges, condition_tone, detail_for, open_meters
from systems.visibility.viewer import Shown, Viewer

_SHEET = "sheet."
HIT, HEALED = ShownWord("hit", "danger"), ShownWord("healed", "good")


def last_changes(encounter: Encounter, log: History) -> LastChanges:
    """Return what the newest event did to each combatant, by id. Undoing and amending are not shown."""
    event = log.events[-1] if log.events else None
    if event is None or not _is_shown(event):
        return NO_CHANGES
    effect = _Effect(encounter, event.changes, event.results)
    affected = dict.fromkeys((*(change.who for change in event.changes), *event.targets))
    combatants = [encounter.combatants[who] for who in affected if who in encounter.combatants]
    return {combatant.id: words for combatant in combatants if (words := effect.on(combatant))}


def seen_last_changes(
    seen: Encounter, event: Event, results: Sequence[Result], viewer: Viewer, shown: Shown
) -> LastChanges:
    """Return what a viewer sees of the effects of an event, by the ids of the combatants in sight.

    `event`: that of the newest line that the viewer may read. `results`: those in its sentences for the
    viewer. An event that passed a turn on shows nothing, because a hidden combatant may have been next.
    """
    if not _is_shown(event) or _passes_turn(event):
        return NO_CHANGES
    found = {}
    for each in seen:
        detail, owns = detail_for(seen, each, viewer, shown), viewer.owns(each)
        effect = _Effect(seen, event.seen_changes or event.changes, results, detail, owns)
        if words := effect.on(each):
            found[each.id] = words
    return found


def _is_shown(event: Event) -> bool:
    return event.kind == "command" and event.command != AMEND


def _passes_turn(event: Event) -> bool:
    """Return whether an event passed a turn on. A member of a side that acts only takes it."""
    if event.command in ("next", "start", "end") or event.passing:
        return True
    moved = {change.field: change.after for change in event.changes if not change.who}
    return "round" in moved or "side" in moved or moved.get("turn", event.actor) != event.actor


@frozen(eq=False)
class _Effect:
    """The stored changes and results of an event, as far as a viewer with this much detail may see them."""

    encounter: Encounter
    changes: Sequence[Change]
    results: Sequence[Result]
    detail: Detail = "full"
    owns: bool = True

    def on(self, combatant: Combatant) -> tuple[ShownWord, ...]:
        """Return the effect on one combatant: points and new conditions, else that it was hit."""
        found: list[ShownWord] = []
        for change in self.changes:
            if change.who != combatant.id:
                continue
            if change.field == "conditions":
                found += self._conditions(change)
            elif change.field.startswith(_SHEET):
                found += self._of_sheet(change, change.field.removeprefix(_SHEET))
        return tuple(dict.fromkeys(found)) or tuple(self._blow(combatant))

    def _of_sheet(self, change: Change, name: str) -> Iterator[ShownWord]:
        game, before, after = self.encounter.game, change.before, change.after
        if name in self._fields() and isinstance(before, int) and isinstance(after, int):
            label = f"{clean(fields_of(game.sheet)[name].label, 20)} " if len(game.harm_fields) > 1 else ""
            yield ShownWord(f"{label}{signed(after - before)}", "danger" if after < before else "good")
        if self.detail == "full":
            for each in game.conditions:
                if each.field == name and each.is_on(after) and not each.is_on(before):
                    yield ShownWord(clean(each.label), condition_tone(each))

    def _fields(self) -> Sequence[str]:
        """Return the fields whose loss is harm and whose values may be seen."""
        harm = self.encounter.game.harm_fields
        if self.detail == "full":
            return harm
        shown = open_meters(self.encounter) if self.detail == "figures" else ()
        return [meter.now for meter in shown if meter.now in harm]

    def _conditions(self, change: Change) -> Iterator[ShownWord]:
        """Yield the conditions that a combatant did not have before; a secret one only to its own player."""
        before = [(held["name"], held.get("value")) for held in change.before or ()]
        for held in change.after or ():
            name, value = held["name"], held.get("value")
            if (name, value) not in before and (self.owns or not held.get("secret")):
                game = self.encounter.game
                label = ActiveCondition(name=name, value=value).label_in(game)
                yield ShownWord(clean(label), condition_tone(game.condition(name)))

    def _blow(self, combatant: Combatant) -> Iterator[ShownWord]:
        """Yield that an attack hit, or, if values are not shown, that it was harmed or healed."""
        game = self.encounter.game
        for result in self.results:
            if result.subject != combatant.id:
                continue
            action = game.action(result.action) if result.target else None
            if self.detail == "band" and result.action in (game.damage.action, game.heal.action):
                yield HIT if result.action == game.damage.action else HEALED
                return
            is_attack = action is not None and action.group == "combat" and action.success
            if action and is_attack and action.succeeds(result.facts.get(action.success)):
                yield HIT
                return
