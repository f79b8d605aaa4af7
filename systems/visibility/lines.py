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

        An event that begins a hidden turn is read when the next visible turn begins. `counted` wraps the
        numbers of the events that are read. `held`, `gone`: numbers of events that are left out, or shown as
        undone; see Moment.
        """
        cast = (shown, encounter.game, encounter.players, tuple(_cast(encounter)))
        known = self._known if cast == self._cast else {}
        self._cast, self._known = cast, {}
        found: list[tuple[int, LogLine]] = []
        # The place, counted from the newest line, of events that were held back until a visible turn.
        released = 0
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
