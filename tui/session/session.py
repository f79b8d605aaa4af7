"""A fight at the table: the current encounter, its log on disk, and which dice are real.

`Session.begin` turns a typed line into an `Attempt`, which may need faces or answers before it is done. Then
`Session.keep` saves its event. Nothing is called saved before it is on the disk.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Any, Literal, Protocol

from msgspec import Struct, field

from systems.contract.ruleset import Ruleset
from systems.dice.sources import Streams
from systems.encounter.changes import apply
from systems.encounter.history import Event, History, extended
from systems.encounter.model import Encounter
from systems.encounter.roster import roster_changes
from systems.encounter.timeline import Timeline
from systems.frozen import evolve

if TYPE_CHECKING:
    # The code that carries out commands is imported with the first command, or in the first quiet moment.
    from systems.commands.amounts import AmountCommand, DamageOrHeal
    from systems.commands.preview import Preview
    from systems.contract.action import Action
    from systems.encounter.roster import JoiningEntry, RosterChange
    from systems.language.intents import Command
    from tui.session.attempt import Attempt

DiceMode = Literal["program", "real", "players"]
DICE_MODES: tuple[DiceMode, ...] = ("program", "real", "players")
# If chances to win were calculated, this line gets them.
_SHARE = "share recap"


def chance(seed: int | None = None) -> Streams:
    """Return the random streams of one evening. With a seed they repeat."""
    return Streams(seed, Random(seed), Random)


class EventWriter(Protocol):
    """Saves events. `append` raises NotSaved if it fails, and then has saved none of them.

    The writer of a log returns once they are on the disk. A write queue returns at once, and reports itself
    how far the disk is.
    """

    def append(self, *events: Event) -> None: ...


# A struct, because a dataclass takes a hundred times as long to create at the start.
class Session(Struct, eq=False, dict=True, weakref=True):
    """An open fight. `read_only`: another program has it, so that nothing can be changed here.

    `plays_foes`: a plan runs by itself at the beginning of every creature's turn. `write_roster`: writes an
    event's changes to the roster, and returns a sentence about unchanged fields, which becomes
    `roster_words`. Raises NotSaved. `kept`: called after each event that was saved. `drawn`: the command that
    shows players the recap with the chances calculated last, and the end of the fight to which they belong.
    """

    game: Ruleset
    house: Any
    roster: "Mapping[str, JoiningEntry]"
    encounter: Encounter
    log: History
    writer: EventWriter | None
    streams: Streams = field(default_factory=chance)
    dice: DiceMode = "program"
    plays_foes: bool = False
    who: str = "gm"
    curves: Timeline = field(default_factory=Timeline)
    write_roster: "Callable[[Sequence[RosterChange]], str]" = lambda changes: ""
    roster_words: str = ""
    kept: Callable[[], None] = lambda: None
    drawn: tuple[object, str] | None = None
    now: Callable[[], str] = lambda: datetime.now(UTC).astimezone().isoformat(timespec="seconds")

    @property
    def read_only(self) -> bool:
        return self.writer is None

    @property
    def end(self) -> object:
        """Return a value that stays equal as long as the finished fight has the same end and history."""
        ends = (event.n for event in self.log.newest() if event.command == "end")
        return next(ends, 0), self.log.amends

    def is_real(self, of: str) -> bool:
        """Return whether that combatant's dice are real at this table."""
        if self.dice != "players":
            return self.dice == "real"
        combatant = self.encounter.combatants.get(of)
        return combatant is not None and self.encounter.is_player(combatant)

    def begin(self, line: str, *, asks: bool = False, read: "Command | None" = None) -> "Attempt":
        """Read a line. `asks`: prompt for real dice and choices; otherwise roll them and take suggestions.

        `read`: the command of the line, if it is known already. Raises Misread with the place in the line.
        """
        from tui.session.attempt import Attempt, read_command

        if self.drawn is not None and line.strip().casefold() == _SHARE and self.drawn[0] == self.end:
            line, read = self.drawn[1], None
        return Attempt(self, read or read_command(self.encounter, line), asks)

    def preview(
        self,
        action: "Action",
        actor: str,
        target: str | None,
        options: Any,
        earlier: "Sequence[str]" = (),
        aims: "Sequence[str]" = (),
    ) -> "Preview":
        """Return the exact odds of an action. Raises TooManyDice, WrongChoice, Refused or Wrong.

        `earlier`: the targets that the same command reaches before this one. `aims`: all its targets.
        """
        from systems.commands.preview import preview

        return preview(self.encounter, action, actor, target, options, earlier, aims=aims)

    def read_amount(self, intent: "DamageOrHeal") -> "AmountCommand":
        """Return the meaning of `damage` or `heal` here. Raises Refused or Wrong."""
        from systems.commands.amounts import read_amount

        return read_amount(self.encounter, intent)

    def preview_amount(self, doing: "AmountCommand", who: str) -> "Preview":
        """Return the effect of the amount on one of its targets. Raises TooManyDice or Wrong."""
        from systems.commands.amounts import preview_amount

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

    def keep(self, done: Event, who: str = "", batch: int = 0) -> Event:
        """Save a finished command, then apply it. `who`: the seat that asked for it; "" for the table.

        `batch`: the number of the first event of its batch, if it belongs to one; see Event.batch.

        Raises NotSaved, and then nothing has changed.
        """
        if self.writer is None:
            from tui.session.attempt import ReadOnly

            raise ReadOnly
        event = evolve(done, time=self.now(), who=who or self.who)
        event = evolve(event, batch=batch) if batch else event
        present, log = apply(self.encounter, event), extended(self.log, event)
        # An undo or redo may change the roster back.
        is_written = event.roster or event.kind in ("undo", "redo")
        changes = roster_changes(event, self.log) if is_written else ()
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

    def follow(self, events: Sequence[Event]) -> None:
        """Apply events that another program has saved. Raises Wrong if they do not fit."""
        present, log = self.encounter, self.log
        for event in events:
            present, log = apply(present, event), extended(log, event)
        self.encounter, self.log = present, log

    def do(self, line: str) -> Event:
        """Read, carry out and keep one line without prompts. Raises what `begin`, `run` and `keep` raise."""
        done = self.begin(line).run()
        assert isinstance(done, Event)
        return self.keep(done)
