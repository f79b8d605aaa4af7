"""The recap of a finished fight as one viewer may read it.

It counts what the viewer could read in the log: actions with their results, and the points of combatants
whose values the viewer sees. Dice are those of the viewer's own characters. There are no times, which would
tell of hidden turns.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from systems.commands.share import ShareRecap, shared_recap
from systems.dice.sources import Roll
from systems.encounter.events import Event, Result, Sentence, round_of
from systems.encounter.history import History
from systems.encounter.losses import PointsTaken
from systems.encounter.model import Combatant, Encounter
from systems.encounter.recap import LISTED_SIDES, ActionKey, ActionTotal, EdgeRoll, Luck, Recap
from systems.frozen import frozen
from systems.text import clean
from systems.visibility.log_view import LogReader
from systems.visibility.moment import shown_moment
from systems.visibility.rows import LONGEST_NAME, detail_for, open_meters
from systems.visibility.sentences import may_read, result_of, seen_sentences, with_departed
from systems.visibility.sight import sees
from systems.visibility.viewer import Shown, Viewer

# In place of the id of a combatant that the viewer could not see.
UNSEEN = "?"


@frozen
class SeenRecap:
    """A recap for one viewer. `shared`: the chances that the game master has added to it.

    `turned`: the event that moved them most, as the viewer reads it; "" if the viewer could not see it.
    """

    recap: Recap
    shared: ShareRecap
    turned: str = ""


def has_recap(encounter: Encounter, log: History) -> bool:
    """Return whether the game master shows the recap to the players."""
    return encounter.progress.over and shared_recap(log) is not None


def seen_recap(encounter: Encounter, log: History, viewer: Viewer, shown: Shown) -> SeenRecap | None:
    """Return the recap that the game master shows to a viewer, or None."""
    shared = shared_recap(log) if encounter.progress.over else None
    if shared is None:
        return None
    counted = _SeenTotals(encounter, log, viewer, shown)
    for event in [*log.newest()][::-1]:
        counted.add(event)
    return SeenRecap(counted.recap(), shared, _lines_of(encounter, log, viewer, shown, shared.moved[0]))


def _lines_of(encounter: Encounter, log: History, viewer: Viewer, shown: Shown, number: int) -> str:
    """Return the lines of an event as the viewer reads them, in one text; "" if there are none."""
    moment = shown_moment(encounter, log, viewer, shown)
    lines = LogReader(viewer).numbered_lines(encounter, log, None, shown, moment)
    return " ".join(line.text for n, line in lines if n == number and not line.undone)


class _SeenTotals:
    """Counts what a viewer can read of a fight, event by event.

    Blows and dice are numbered by themselves: numbers of events would tell of those out of sight.
    """

    def __init__(self, encounter: Encounter, log: History, viewer: Viewer, shown: Shown) -> None:
        self._encounter, self._log, self._viewer, self._shown = encounter, log, viewer, shown
        self._names: dict[str, str] = {}
        self._times: dict[ActionKey, Counter[str]] = {}
        self._lost: Counter[ActionKey] = Counter()
        self._healed: Counter[str] = Counter()
        self._back: Counter[ActionKey] = Counter()
        self._blows: list[PointsTaken] = []
        self._faces: dict[tuple[str, int], Counter[int]] = {}
        self._edges: list[EdgeRoll] = []

    def recap(self) -> Recap:
        """Return the recap of all events so far."""
        return Recap(
            rounds=self._encounter.progress.round,
            events=0,
            names=self._names,
            actions=tuple(
                ActionTotal.of(key, degrees, self._lost[key], self._back[key], 0)
                for key, degrees in self._times.items()
            ),
            blows=tuple(self._blows),
            healed=self._healed,
            luck=tuple(Luck(of, sides, faces) for (of, sides), faces in self._faces.items()),
            edges=tuple(self._edges),
            turns=(),
        )

    def add(self, event: Event) -> None:
        """Count one event in force."""
        here = with_departed(self._encounter, self._log, event)
        read = [*seen_sentences(event, self._encounter, self._log, self._viewer, self._shown)]
        causes: dict[str, ActionKey] = {}
        for sentence in read:
            result = result_of(event, sentence)
            if result is not None and not sentence.arithmetic:
                self._add_result(here, event, sentence, result, causes)
        self._add_losses(here, event, causes)
        if any(may_read(sentence, here, self._viewer) for sentence in read):
            self._add_dice(here, event)

    def _add_result(
        self,
        here: Encounter,
        event: Event,
        sentence: Sentence,
        result: Result,
        causes: dict[str, ActionKey],
    ) -> None:
        """Count an action that the viewer could see, or what something unseen did to a combatant."""
        is_action = (event.command == "action" and result.action == event.action) or bool(result.target)
        if not is_action:
            return
        if may_read(sentence, here, self._viewer):
            declared = here.game.action(result.action)
            used = str(result.facts.get(declared.names_use, "")) if declared is not None else ""
            key = (result.actor, result.action, result.target or "", used)
            self._times.setdefault(key, Counter())[result.degree] += 1
        else:
            key = (UNSEEN, "", result.target or "", "")
            self._times.setdefault(key, Counter())[""] += 1
        for who in (key[0], key[2]):
            self._name(here, who)
        causes.setdefault(result.subject, key)

    def _add_losses(self, here: Encounter, event: Event, causes: Mapping[str, ActionKey]) -> None:
        """Count the points of combatants whose values the viewer sees."""
        for who, lost in self._losses(here, event):
            key = causes.get(who)
            self._name(here, who)
            if lost < 0:
                self._healed[who] -= lost
            else:
                by = key[0] if key is not None else ""
                self._blows.append(PointsTaken(len(self._blows), round_of(event), by, who, lost))
            if key is not None:
                (self._lost if lost > 0 else self._back)[key] += abs(lost)

    def _losses(self, here: Encounter, event: Event) -> Iterator[tuple[str, int]]:
        """Yield what combatants lost in an event; negative if regained."""
        found: Counter[str] = Counter()
        for change in event.seen_changes or event.changes:
            combatant = here.combatants.get(change.who)
            before, after = change.before, change.after
            if combatant is None or change.field.removeprefix("sheet.") not in self._fields(here, combatant):
                continue
            if isinstance(before, int) and isinstance(after, int):
                found[combatant.id] += before - after
        yield from ((who, lost) for who, lost in found.items() if lost)

    def _fields(self, here: Encounter, combatant: Combatant) -> Sequence[str]:
        """Return the fields of a combatant whose loss is harm and whose values the viewer sees."""
        harm = here.game.harm_fields
        detail = detail_for(here, combatant, self._viewer, self._shown)
        if detail == "band" or not sees(self._viewer, combatant):
            return ()
        return harm if detail == "full" else [meter.now for meter in open_meters(here) if meter.now in harm]

    def _add_dice(self, here: Encounter, event: Event) -> None:
        """Count the dice of the viewer's own characters in an event that the viewer could read."""
        for die in event.rolls:
            owner = here.combatants.get(die.of)
            if not isinstance(die, Roll) or die.sides < 1 or owner is None or not self._viewer.owns(owner):
                continue
            self._name(here, owner.id)
            self._faces.setdefault((owner.id, die.sides), Counter())[die.face] += 1
            if die.sides >= LISTED_SIDES and die.face in (1, die.sides):
                self._edges.append(
                    EdgeRoll(len(self._edges), round_of(event), owner.id, die.sides, die.face, die.why)
                )

    def _name(self, here: Encounter, who: str) -> None:
        if who == UNSEEN:
            self._names[who] = "Something unseen"
        elif who in here.combatants:
            self._names[who] = clean(here.combatants[who].name, LONGEST_NAME)
