"""The lines of the log that a viewer may read."""

from collections.abc import Callable, Iterable, Iterator

from systems.encounter.events import Event
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.visibility.line_marks import line_marks
from systems.visibility.moment import standing_numbers
from systems.visibility.parts import LogLine
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import Shown, Viewer


class LineReader:
    """Reads one log again and again for one viewer; of an event that it has read it knows the lines.

    Who is meant by a sentence hangs on the names, sides and players of those in the fight: once these are
    others, every event is read anew.
    """

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._people: object = None
        self._known: dict[int, tuple[Event, tuple[LogLine, ...]]] = {}

    def lines(
        self,
        encounter: Encounter,
        log: History,
        shown: Shown,
        count: int,
        most: int,
        told: Callable[[Iterable[int]], Iterable[int]] = iter,
    ) -> list[LogLine]:
        """Return the newest lines of the first `count` events, the oldest first.

        `told`: the numbers of the events that are read pass through it.
        """
        people = (shown, encounter.game, encounter.players, tuple(_people(encounter)))
        known = self._known if people == self._people else {}
        self._people, self._known = people, {}
        found: list[tuple[int, LogLine]] = []
        events = log.as_amended
        for at in told(range(count, 0, -1)):
            if len(found) >= most:
                break
            event = events[at - 1]
            number = int(event["n"])
            read = known.get(number)
            if read is None or read[0] is not event:
                read = (event, tuple(self._read(event, encounter, shown)))
            self._known[number] = read
            found += [(number, line) for line in reversed(read[1])]
        found = found[most - 1 :: -1] if len(found) > most else found[::-1]
        standing = standing_numbers(log, found[0][0], count) if found else set()
        return [
            line if number in standing else LogLine(line.round, line.text, undone=True)
            for number, line in found
        ]

    def _read(self, event: Event, encounter: Encounter, shown: Shown) -> Iterator[LogLine]:
        number_of_round = int(event.get("round", 0))
        for text, sentence in seen_sentences(event, encounter, self._viewer, shown):
            if text:
                number = int(sentence.get("round", number_of_round))
                yield LogLine(number, str(text), marks=line_marks(text, encounter.game))


def _people(encounter: Encounter) -> Iterator[tuple[object, ...]]:
    for each in encounter:
        yield each.id, each.state.name, each.state.side, each.state.kind


def log_lines(
    encounter: Encounter,
    log: History,
    viewer: Viewer,
    shown: Shown,
    count: int,
    most: int,
    told: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> list[LogLine]:
    """Return the newest lines that the viewer may read of the first `count` events, the oldest first.

    `told`: see LineReader.
    """
    return LineReader(viewer).lines(encounter, log, shown, count, most, told)
