"""A fight at the table: the current encounter, its log on disk, and which dice are real.

`Session.begin` turns a typed line into an `Attempt`, which may need faces or answers before it is done. Then
`Session.keep` saves its event. Nothing is called saved before it is on the disk.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol

import attrs

from systems.contract.ruleset import Ruleset
from systems.contract.table import Choices, NeedsChoice, Suggested, WrongChoice
from systems.dice.scripted import WrongDie
from systems.dice.sources import Dice, Given, NeedsFace, Streams
from systems.encounter.changes import apply
from systems.encounter.history import Event, History, extended
from systems.encounter.model import Encounter
from systems.encounter.timeline import Timeline
from systems.sheets import version_mark

if TYPE_CHECKING:
    # The code that carries out commands is imported with the first command, or in the first quiet moment.
    from systems.commands.amend import ReplayProgress
    from systems.commands.amounts import AmountCommand
    from systems.commands.membership import RosterEntry
    from systems.commands.perform import Done
    from systems.commands.preview import Preview
    from systems.contract.ruleset import Action
    from systems.encounter.roster import RosterChange
    from systems.language.intents import Command, DamageOrHeal
    from tui.session.mixed_dice import MixedDice

DiceMode = Literal["program", "real", "players"]
DICE_MODES: tuple[DiceMode, ...] = ("program", "real", "players")
Needs = NeedsFace | NeedsChoice


def chance(seed: int | None = None) -> Streams:
    """Return the random streams of one evening. With a seed they repeat."""
    return Streams(seed, Random(seed), Random)


class EventWriter(Protocol):
    """Saves events. `append` raises NotSaved if it fails, and then has saved none of them.

    The writer of a log returns once they are on the disk. A write queue returns at once, and reports itself
    how far the disk is.
    """

    def append(self, *events: Mapping[str, Any]) -> None: ...


class Attempt:
    """A command that is being carried out: the dice and answers so far, and what it still needs.

    `run` returns the die or choice that is needed, or the finished Done. Nothing changes until
    `Session.keep`. Raises what `systems.commands.perform` raises for a command that is refused.
    """

    def __init__(self, session: "Session", command: "Command", asks: bool) -> None:
        self.session, self.command, self._asks = session, command, asks
        self._begun_in = session.encounter
        self.faces: list[Given] = []
        self._dice: MixedDice | None = None
        self.answers: list[Any] = []
        # The dice and choices that the last run asked for, in order.
        self._asked: list[object] = []
        # Whether the last run dropped what was given, because the fight has changed.
        self.has_begun_again = False

    def run(self) -> "Done | Needs":
        """Run the command as far as its dice and choices are known.

        After a change of the fight, given dice and answers stay valid if the command needs the same ones in
        the same order. Otherwise it begins again without them.
        """
        asked, has_moved = self._asked, not self.is_of_now
        self._begun_in, self.has_begun_again = self.session.encounter, False
        if not has_moved or not (self.faces or self.answers):
            return self._perform()
        with suppress(WrongDie, WrongChoice):
            found = self._perform()
            if self._asked[: len(asked)] == asked:
                return found
        self.has_begun_again = True
        self.faces.clear()
        self.answers.clear()
        return self._perform()

    def _perform(self) -> "Done | Needs":
        from systems.commands.perform import perform

        session = self.session
        try:
            return perform(session.encounter, session.log, session.roster, self.command, *self._chance())
        except (NeedsFace, NeedsChoice) as needs:
            return needs

    def steps(self) -> "Iterator[ReplayProgress | Done | Needs]":
        """Run a command that may take long in steps; the last step is the value that `run` returns."""
        from systems.commands.perform import performing

        session = self.session
        try:
            yield from performing(
                session.encounter, session.log, session.roster, self.command, *self._chance()
            )
        except (NeedsFace, NeedsChoice) as needs:
            yield needs

    @property
    def is_of_now(self) -> bool:
        """Return whether the fight is unchanged since the last run."""
        return self.session.encounter is self._begun_in

    def _chance(self) -> "tuple[Dice, Choices]":
        """Return the dice and answers, from the first one on."""
        from tui.session.mixed_dice import GivenChoices, MixedDice

        session = self.session
        if not self.is_of_now:
            # The fight went on meanwhile: these dice and answers were for another state of it.
            self.faces.clear()
            self.answers.clear()
            self._begun_in = session.encounter
        self._asked = asked = list[object]()
        is_real = session.is_real if self._asks else _never
        self._dice = dice = MixedDice(self.faces, session.streams, is_real, asked)
        return dice, GivenChoices(self.answers, asked) if self._asks else Suggested()

    def give(self, needs: NeedsFace, given: Given) -> None:
        """Add the face of a real die, or the total of its sum. Raises WrongDie if it is impossible."""
        from tui.session.mixed_dice import check_given

        check_given(needs, given)
        self.faces.append(given)

    def roll(self, needs: NeedsFace) -> int:
        """Let the program roll this real die."""
        stream = self._dice.stream if self._dice else ""
        face = self.session.streams.named(stream).randint(1, needs.sides)
        self.faces.append(face)
        return face

    def answer(self, value: Any) -> None:
        """Add the answer to the choice that `run` returned."""
        self.answers.append(value)


def _never(of: str) -> bool:
    return False


@attrs.define(eq=False, slots=False)
class Session:
    """An open fight. `read_only`: another program has it, so that nothing can be changed here.

    `write_roster`: writes an event's changes to the roster, and returns a sentence about unchanged fields,
    which becomes `roster_words`. Raises NotSaved. `kept`: called after each event that was saved.
    """

    game: Ruleset
    house: Any
    roster: "Mapping[str, RosterEntry]"
    encounter: Encounter
    log: History
    writer: EventWriter | None
    streams: Streams = attrs.field(factory=chance)
    dice: DiceMode = "program"
    who: str = "gm"
    curves: Timeline = attrs.field(factory=Timeline)
    write_roster: "Callable[[Sequence[RosterChange]], str]" = lambda changes: ""
    roster_words: str = ""
    kept: Callable[[], None] = lambda: None
    now: Callable[[], str] = lambda: datetime.now(UTC).astimezone().isoformat(timespec="seconds")

    @property
    def read_only(self) -> bool:
        return self.writer is None

    def is_real(self, of: str) -> bool:
        """Return whether that combatant's dice are real at this table."""
        if self.dice != "players":
            return self.dice == "real"
        combatant = self.encounter.combatants.get(of)
        return combatant is not None and self.encounter.is_player(combatant)

    def begin(self, line: str, *, asks: bool = False) -> Attempt:
        """Read a line. `asks`: prompt for real dice and choices; otherwise roll them and take suggestions.

        Raises Misread with the place in the line.
        """
        from systems.encounter.reading import read_command

        return Attempt(self, read_command(self.encounter, line), asks)

    def preview(
        self, action: "Action", actor: str, target: str | None, options: Any, earlier: "Sequence[str]" = ()
    ) -> "Preview":
        """Return the exact odds of an action. Raises TooManyDice, WrongChoice, Refused or Wrong.

        `earlier`: the targets that the same command reaches before this one.
        """
        from systems.commands.preview import preview

        return preview(self.encounter, action, actor, target, options, earlier)

    def read_amount(self, intent: "DamageOrHeal") -> "AmountCommand":
        """Return the meaning of `damage` or `heal` here. Raises Refused or Wrong."""
        from systems.commands.amounts import read_amount

        return read_amount(self.encounter, intent)

    def preview_amount(self, doing: "AmountCommand", who: str) -> "Preview":
        """Return the effect of the amount on one of its targets. Raises TooManyDice or Wrong."""
        from systems.commands.amount_preview import preview_amount

        return preview_amount(self.encounter, doing, who)

    def refusal(self, action: "Action", actor: str, target: str | None, options: Any) -> str:
        """Return why the rules refuse an action before any die is rolled, or ""."""
        from systems.commands.relevance import refusal_of

        return refusal_of(self.encounter, action, actor, target, options)

    def relevant(self, action: "Action", actor: str, target: str | None, options: Any) -> Mapping[str, str]:
        """Return the options that can matter, each with a word for its current value, or ""."""
        from systems.commands.relevance import relevant_options

        return relevant_options(self.encounter, action, actor, target, options)

    def remembered(self, action: "Action", actor: str) -> Mapping[str, Mapping[str, str]]:
        """Return the last options of an action by target, to fill them in again."""
        from systems.encounter.remembered import remembered_options

        return remembered_options(self.log.newest(), self.encounter, action, actor)

    def last_target(self, actor: str) -> str:
        """Return the id of the actor's last target, or ""."""
        from systems.encounter.remembered import last_target

        return last_target(self.log.newest(), actor)

    def last_check(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Return the ids that passed and failed, if the newest command was a check by several; else None."""
        from systems.encounter.remembered import last_check

        return last_check(self.log.newest(), self.game)

    def keep(self, done: "Done", who: str = "") -> Event:
        """Save a finished command, then apply it. `who`: the seat that asked for it; "" for the table.

        Raises NotSaved, and then nothing has changed.
        """
        if self.writer is None:
            from tui.session.errors import ReadOnly

            raise ReadOnly
        event = {"n": done.event["n"], "time": self.now(), "who": who or self.who, **done.event}
        event |= version_mark(self.game)
        present, log = apply(self.encounter, event), extended(self.log, event)
        changes = self._roster_changes(event)
        self.roster_words = self.write_roster(changes) if changes else ""
        try:
            self.writer.append(event)
        except Exception:
            if changes:
                self.write_roster([change.reversed for change in reversed(changes)])
            raise
        self.encounter, self.log = present, log
        self.kept()
        return event

    def _roster_changes(self, event: Event) -> "Sequence[RosterChange]":
        """Return an event's changes to the roster, including those of an undo or redo."""
        if "roster" not in event and event.get("kind") not in ("undo", "redo"):
            return ()
        from systems.encounter.roster import roster_changes

        return roster_changes(event, self.log)

    def follow(self, events: Sequence[Event]) -> None:
        """Apply events that another program has saved. Raises Wrong if they do not fit."""
        present, log = self.encounter, self.log
        for event in events:
            present, log = apply(present, event), extended(log, event)
        self.encounter, self.log = present, log

    def do(self, line: str) -> Event:
        """Read, carry out and keep one line without prompts. Raises what `begin`, `run` and `keep` raise."""
        from systems.commands.perform import Done

        done = self.begin(line).run()
        assert isinstance(done, Done)
        return self.keep(done)
