"""The log as one viewer reads it: for the log screen, the newest lines of the table, seats and exports.

The game master reads an event as one line, with a line below it for each of several targets. Undos in a row
are one line. Other viewers read a line for each sentence that they may read. The outputs only lay this out.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from systems.contract.marked_text import MarkedText, joined
from systems.contract.ruleset import Ruleset
from systems.encounter.events import (
    NOTHING_CHANGED,
    Event,
    continues,
    lines_about,
    lines_of,
    round_of,
)
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.frozen import evolve
from systems.text import clean
from systems.visibility.parts import LONGEST_LINE, LogLine, LogText, highlights
from systems.visibility.viewer import GAME_MASTER, USUALLY_SHOWN, Shown, Viewer

if TYPE_CHECKING:
    from systems.visibility.moment import Moment
    from systems.visibility.sentences import SeenLines

# The sentence at a change of turn is dimmed, so that actions are prominent.
_TURNS = frozenset({"next", "back", "start", "end"})
# They are never undone themselves: they were no commands of their own.
_ABOUT_OTHERS = ("undo", "redo")


def whole_text(event: Event) -> str:
    """Return the whole text of an event, on one line and without control characters."""
    return clean(event.text, LONGEST_LINE)


def log_text(text: MarkedText, game: Ruleset | None, arithmetic: str = "") -> LogText:
    """Return words of the log with their highlights. `game`: None leaves these out."""
    text = text.changed(lambda words: clean(words, LONGEST_LINE))
    return LogText(str(text), highlights(text, game) if game else (), clean(arithmetic, LONGEST_LINE))


def lines_of_story(event: Event, who: str, game: Ruleset) -> Iterator[LogLine]:
    """Yield the lines about one combatant, each with its round in front."""
    number = round_of(event)
    for line in lines_about(event, who):
        told = log_text(joined([f"R{number}", line.text]), game, line.arithmetic)
        yield LogLine(number, told.text, marks=told.marks, arithmetic=told.arithmetic)


class LogReader:
    """Reads one log repeatedly for one viewer, and caches the lines of each event.

    `before`: how many events there are before those of the lines returned last.
    """

    def __init__(self, viewer: Viewer = GAME_MASTER) -> None:
        self._viewer = viewer
        self._known: dict[int, tuple[Event, Ruleset, LogLine]] = {}
        self._seen: SeenLines | None = None
        self.before = 0

    def lines(
        self,
        encounter: Encounter,
        log: History,
        most: int | None = None,
        shown: Shown = USUALLY_SHOWN,
        moment: "Moment | None" = None,
        counted: Callable[[Iterable[int]], Iterable[int]] = iter,
    ) -> list[LogLine]:
        """Return the newest lines, at most `most`, oldest first.

        `moment`: the moment that the viewer sees, by default the end of the log. `counted`: wraps the numbers
        of the events that are read.
        """
        return [line for _, line in self.numbered_lines(encounter, log, most, shown, moment, counted)]

    def numbered_lines(
        self,
        encounter: Encounter,
        log: History,
        most: int | None,
        shown: Shown,
        moment: "Moment | None",
        counted: Callable[[Iterable[int]], Iterable[int]] = iter,
    ) -> list[tuple[int, LogLine]]:
        """Return the same as `lines`, each line with the number of its event."""
        count = moment.count if moment else len(log.events)
        numbers = counted(range(count, 0, -1))
        if self._viewer.is_game_master:
            found = self._whole_events(log, encounter.game, most, numbers)
        else:
            held = moment.held if moment else ()
            found = self._seen_lines().newest(encounter, log, most, shown, numbers, held)
        # A line that was held back comes after lines of later events.
        first = min((event.n for event, _ in found), default=1)
        self.before = first - 1
        standing = log.standing_since(first, count if moment else None)
        gone = moment.gone if moment else ()
        return [
            (
                event.n,
                evolve(line, undone=True, marks=())
                if is_undone(event, standing) or event.n in gone
                else line,
            )
            for event, line in found
        ]

    def _whole_events(
        self, log: History, game: Ruleset, most: int | None, numbers: Iterable[int]
    ) -> list[tuple[Event, LogLine]]:
        """Return the newest events, each with its line, oldest first. A run of undos is one line."""
        known, self._known = self._known, {}
        found: list[tuple[Event, LogLine]] = []
        events, after = log.as_amended, None
        for number in numbers:
            if most is not None and len(found) >= most:
                break
            event = events[number - 1]
            if after is None or not continues(after, event):
                read = known.get(number)
                if read is None or read[0] is not event or read[1] is not game:
                    is_run = event.kind in _ABOUT_OTHERS
                    whole = next(_in_one_line(events, number - 1)) if is_run else event
                    read = (event, game, line_of(whole, game))
                self._known[number] = read
                found.append((event, read[2]))
            after = event
        return found[::-1]

    def _seen_lines(self) -> "SeenLines":
        if self._seen is None:
            # Only players' lines need it, and it takes much of the code of seats.
            from systems.visibility.sentences import SeenLines

            self._seen = SeenLines(self._viewer)
        return self._seen


def _in_one_line(events: Sequence[Event], first: int) -> Iterator[Event]:
    # Undos are rarely among the newest lines of the first picture.
    from systems.encounter.step_runs import in_one_line

    return in_one_line(events, first)


def is_undone(event: Event, standing: Container[int]) -> bool:
    return event.kind not in _ABOUT_OTHERS and event.n not in standing


def line_of(event: Event, game: Ruleset | None, undone: bool = False) -> LogLine:
    """Return a whole event as one line."""
    first, *below = (log_text(line.text, game, line.arithmetic) for line in lines_of(event))
    text = first.text or NOTHING_CHANGED
    quiet = is_quiet(event)
    return LogLine(round_of(event), text, undone, tuple(below), first.marks, quiet, first.arithmetic)


def is_quiet(event: Event) -> bool:
    """Return whether an event is the change of a turn, which is dimmed."""
    return event.command in _TURNS
