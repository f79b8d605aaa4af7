"""Find the lines of the log that a viewer may read."""

from collections.abc import Callable, Container, Iterable, Iterator

import attrs

from systems.encounter.events import Event
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.frozen import frozen
from systems.visibility.line_marks import line_marks
from systems.visibility.moment import standing_numbers
from systems.visibility.parts import LogLine
from systems.visibility.sentences import gives_turn_in_sight, seen_sentences
from systems.visibility.viewer import Shown, Viewer


class LineReader:
    """Reads one log repeatedly for one viewer, and caches the lines of each event.

    A sentence depends on the names, sides and players in the fight. When these change, every event is read
    again.
    """

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._cast: object = None
        self._known: dict[int, _Read] = {}

    def lines(
        self,
        encounter: Encounter,
        log: History,
        shown: Shown,
        count: int,
        most: int,
        counted: Callable[[Iterable[int]], Iterable[int]] = iter,
        held: Container[int] = (),
        gone: Container[int] = (),
    ) -> list[LogLine]:
        """Return the newest lines of the first `count` events, oldest first.

        An event that begins a hidden turn is read when the next visible turn begins. If the game master steps
        back to a hidden turn, the viewer still sees the turn after it, so that turn is not reported again.
        `counted` wraps the numbers of the events that are read. `held`, `gone`: numbers of events that are
        left out, or shown as undone; see Moment.
        """
        cast = (shown, encounter.game, encounter.players, tuple(_cast(encounter)))
        known = self._known if cast == self._cast else {}
        self._cast, self._known = cast, {}
        found: list[tuple[int, LogLine]] = []
        # The place, counted from the newest line, of events that were held back until a visible turn.
        released = 0
        newer: _VisibleTurn | None = None
        events = log.as_amended
        for at in counted(range(count, 0, -1)):
            if len(found) >= most:
                break
            event = events[at - 1]
            number = event.n
            if number in held:
                continue
            read = known.get(number)
            if read is None or read.event is not event:
                in_sight = gives_turn_in_sight(event, encounter, self._viewer)
                read = _Read(event, tuple(self._read(event, encounter, log, shown)), in_sight)
            self._known[number] = read
            if newer is not None and event.kind == "back" and read.turn_in_sight is not True:
                newer = attrs.evolve(newer, is_after_step_back=True)
            if read.turn_in_sight:
                if newer is not None and newer.repeats(read, log):
                    earlier = {line.text for line in read.lines}
                    lines = found[newer.first : newer.end]
                    found[newer.first : newer.end] = [each for each in lines if each[1].text not in earlier]
                newer = _VisibleTurn(number, read.turn, len(found), len(found) + len(read.lines))
            place = released if read.turn_in_sight is False else len(found)
            found[place:place] = [(number, line) for line in reversed(read.lines)]
            if read.turn_in_sight is not None:
                released = place + len(read.lines)
        found = found[most - 1 :: -1] if len(found) > most else found[::-1]
        standing = standing_numbers(log, found[0][0], count) if found else set()
        return [
            line
            if number in standing and number not in gone
            else LogLine(line.round, line.text, undone=True, arithmetic=line.arithmetic)
            for number, line in found
        ]

    def _read(self, event: Event, encounter: Encounter, log: History, shown: Shown) -> Iterator[LogLine]:
        line, result = None, None
        for sentence in seen_sentences(event, encounter, log, self._viewer, shown):
            text = sentence.text
            if line is not None and sentence.arithmetic:
                if sentence.result == result:
                    line = attrs.evolve(line, arithmetic=str(text))
                continue
            if line is not None:
                yield line
            number, result = event.round if sentence.round is None else sentence.round, sentence.result
            line = LogLine(number, str(text), marks=line_marks(text, encounter.game)) if text else None
        if line is not None:
            yield line


@frozen
class _Read:
    """The lines of an event. `turn_in_sight`: whether the turn that it began is visible, or None."""

    event: Event
    lines: tuple[LogLine, ...]
    turn_in_sight: bool | None

    @property
    def turn(self) -> tuple[object, int]:
        """Return the id of the combatant whose turn the event began, and the round."""
        turn = next((each.after for each in self.event.changes if not each.who and each.field == "turn"), "")
        return turn, max((line.round for line in self.lines), default=self.event.round)


@frozen
class _VisibleTurn:
    """The newest event read so far that began a visible turn. Its lines are those from `first` to `end`.

    `is_after_step_back`: a step back to a hidden turn came before it.
    """

    number: int
    turn: tuple[object, int]
    first: int
    end: int
    is_after_step_back: bool = False

    def repeats(self, earlier: _Read, log: History) -> bool:
        """Return whether the event only returned to the turn that an earlier event had begun."""
        if not self.is_after_step_back or earlier.event.kind == "back" or self.turn != earlier.turn:
            return False
        return earlier.event.n in standing_numbers(log, earlier.event.n, self.number)


def _cast(encounter: Encounter) -> Iterator[tuple[object, ...]]:
    for each in encounter:
        yield each.id, each.state.name, each.state.side, each.state.kind


def log_lines(
    encounter: Encounter,
    log: History,
    viewer: Viewer,
    shown: Shown,
    count: int,
    most: int,
    counted: Callable[[Iterable[int]], Iterable[int]] = iter,
    held: Container[int] = (),
    gone: Container[int] = (),
) -> list[LogLine]:
    """Return the newest lines that the viewer may read of the first `count` events, oldest first.

    `counted`, `held`, `gone`: see LineReader.
    """
    return LineReader(viewer).lines(encounter, log, shown, count, most, counted, held, gone)
