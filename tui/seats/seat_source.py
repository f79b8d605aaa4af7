"""The rules as a seat may use them: the source of its lists, limited to the viewer's knowledge."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any

from systems.commands.preview import Preview, preview
from systems.commands.relevance import refusal_of, relevant_options
from systems.contract.action import Action
from systems.contract.ruleset import Ruleset
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.encounter.remembered import DoneBefore
from systems.frozen import evolve
from systems.schema.fields import combatant_options, fields_of
from systems.visibility.acting import has_turn
from systems.visibility.known import in_next_turn, known_fight
from systems.visibility.line_help import MOST_TARGETS
from systems.visibility.remembered import SeenEvents
from systems.visibility.rows import detail_for, row_maker
from systems.visibility.viewer import Shown, Viewer
from tui.display.meters import figures_text
from tui.display.odds import OddsSubject
from tui.lists.target_answers import TargetOdds


class SeatSource:
    """The fight as one viewer knows it, with names in place of ids.

    Refusals are calculated from the target's visible state. If the table shows exact odds, they are
    calculated from its true state.
    """

    def __init__(self, encounter: Encounter, log: History, viewer: Viewer, shown: Shown) -> None:
        self.fight = known_fight(encounter, log, viewer, shown)
        self.encounter: Encounter = self.fight.named
        self.game: Ruleset = encounter.game
        self.is_exact = shown.odds == "exact"
        self._judged = self.fight.seen if self.is_exact else self.fight.known
        self._viewer, self._shown = viewer, shown
        self._events = SeenEvents(encounter, log, viewer, shown)

    def in_next_turn(self, actor: str) -> "SeatSource":
        """Return the source for a plan: the fight after the next turn of the named actor has begun.

        Return this source if the actor has the turn already.
        """
        who = self.fight.ids[actor]
        if has_turn(self.fight.seen, self.seen_combatant(actor)):
            return self
        found = copy(self)
        found.fight = in_next_turn(self.fight, who)
        found.encounter = found.fight.named
        found._judged = found.fight.seen if found.is_exact else found.fight.known
        return found

    def preview(
        self,
        action: Action,
        actor: str,
        target: str | None,
        options: Any,
        earlier: Sequence[str] = (),
        aims: Sequence[str] = (),
    ) -> Preview:
        """Return the exact odds of an action. Raises TooManyDice, WrongChoice, Refused or Wrong."""
        ids = self.fight.ids
        before = tuple(ids[name] for name in earlier)
        whom = ids.get(target or "")
        aimed = tuple(ids[name] for name in aims)
        return preview(
            self.fight.seen, action, ids[actor], whom, options, before, aims=aimed, interrupts=False
        )

    def refusal(self, action: Action, actor: str, target: str | None, options: Any) -> str:
        """Return the sentence with which the rules refuse an action before any die is rolled, or ""."""
        ids = self.fight.ids
        return refusal_of(self._judged, action, ids[actor], ids.get(target or ""), options)

    def relevant(self, action: Action, actor: str, target: str | None, options: Any) -> Mapping[str, str]:
        """Return the options that can matter, each with its current value as text, or "".

        The default of an absent option may come from hidden stats of the target, so it is shown only at a
        table with exact odds.
        """
        ids, fields = self.fight.ids, fields_of(action.options)
        found = relevant_options(self._judged, action, ids[actor], ids.get(target or ""), options)
        return {
            name: word if self.is_exact or not fields[name].when_absent else ""
            for name, word in found.items()
        }

    def remembered(self, action: Action, actor: str) -> Mapping[str, Mapping[str, str]]:
        """Return, by target, the remembered options of an action."""
        found = self._events.remembered(self.fight.seen, action, self.fight.ids[actor])
        return {self.fight.name_of(target): options for target, options in found.items()}

    def last_target(self, actor: str) -> str:
        """Return the name of the actor's last target, or ""."""
        return self.fight.name_of(self._events.last_target(self.fight.seen, self.fight.ids[actor]))

    def done_before(self, actor: str) -> DoneBefore | None:
        """Return the last action of a character of the viewer with names in place of ids, or None."""
        found = self._events.done_before(self.fight.seen, self.seen_combatant(actor))
        if found is None:
            return None
        combatant_fields = combatant_options(found.action.options) if found.action is not None else ()
        named = {
            option: self.fight.name_of(word) if option in combatant_fields else word
            for option, word in found.options.items()
        }
        return evolve(
            found,
            options={option: word for option, word in named.items() if word},
            targets=tuple(self.fight.name_of(target) for target in found.targets),
        )

    def actor(self, named: str) -> Combatant | None:
        """Return the acting character: the named one, else the one with the turn, else the first."""
        own = [each for each in self.encounter.in_line() if self._viewer.owns(self.seen_combatant(each.id))]
        turn = self.encounter.turn
        chosen = [each for each in own if named and named in (each.name, each.id)]
        chosen += [each for each in own if turn is not None and each.id == turn.id]
        return next(iter([*chosen, *own]), None)

    def has_several_own(self) -> bool:
        """Return whether the viewer has several characters here, so that a line must name the actor."""
        return sum(self._viewer.owns(each) for each in self.fight.seen) > 1

    def seen_combatant(self, name: str) -> Combatant:
        """Return the combatant with its true id for a name."""
        return self.fight.seen.combatants[self.fight.ids[name]]

    def person(self, combatant: Combatant | None, encounter: Encounter) -> OddsSubject:
        """Return the tag, the name and the visible health of a combatant."""
        if combatant is None:
            return OddsSubject()
        seen = self.seen_combatant(combatant.id)
        detail = detail_for(self.fight.seen, seen, self._viewer, self._shown)
        row = row_maker(self.fight.seen, public=True).row(seen, detail)
        level = next((level for level in row.levels if level is not None), None)
        health = row.instead.text if row.instead else figures_text(level) if level else ""
        return OddsSubject(row.tag, row.name, health)


class NoOdds:
    """Shows no odds."""

    def aim(self, aimed: Sequence[str]) -> None:
        """Ignore the targets of the command."""

    def want(self, targets: Sequence[str]) -> None:
        """Calculate nothing."""

    def of(self, target: str) -> str:
        """Return "": there are no odds."""
        return ""


class ExactOdds(TargetOdds):
    """Works out exact odds by target, a few targets at a time, as long as `in_time` returns true."""

    def __init__(
        self, source: SeatSource, action: Action, actor: str, options_for: Callable[[str], Any]
    ) -> None:
        super().__init__(source, action, actor, options_for)
        self.in_time: Callable[[], bool] = lambda: True

    def want(self, targets: Sequence[str]) -> None:
        """Work out the odds against these targets, as far as there is time."""
        wanted = [target for target in dict.fromkeys((*self.aimed, *targets)) if self.of(target) is None]
        for target in wanted[:MOST_TARGETS]:
            if not self.in_time():
                return
            self.work_out(target)
