"""The values of whole-number fields over the course of a fight."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from systems.encounter.events import Change
from systems.encounter.history import Event, History

# (id, field) -> the numbers of the events that changed the field, and its value after each.
Points = dict[tuple[str, str], tuple[list[int], list[int]]]
_SHEET = "sheet."


class Timeline:
    """The values of one log. Each event is read once. `points` holds the values up to the event `last`.

    `amends`: the amendments in force at that time. Their changes count at the events that they amend.
    """

    def __init__(
        self, points: Points | None = None, last: Event | None = None, amends: Sequence[int] = ()
    ) -> None:
        self._points: Points = {} if points is None else points
        self._last = last
        self._amends = tuple(amends)

    def points(self, log: History) -> Points:
        """Return every point of a log."""
        self._read(log)
        return self._points

    def sampled(self, log: History, who: str, field: str, now: int, width: int) -> list[int]:
        """Return at most `width` values, spread evenly over the fight, the current value last.

        `now`: the value to return if the field never changed.
        """
        numbers, values = self.points(log).get((who, field), ([0], [now]))
        first, last = numbers[0], len(log.events)
        count = max(1, min(width, last - first + 1))
        places = [first + round((last - first) * at / max(1, count - 1)) for at in range(count)]
        return [values[max(0, bisect_right(numbers, at) - 1)] for at in places]

    def _read(self, log: History) -> None:
        events, read = log.events, self._last.n if self._last else 0
        if read > len(events) or (read and events[read - 1] is not self._last):
            # This is another log.
            read, self._points = 0, {}
        if log.amends != self._amends:
            read, self._points, self._amends = 0, {}, log.amends
        unread: Iterable[Event] = events[read:]
        if log.amends and not read:
            unread = list(log.newest())[::-1]
        for event in unread:
            for change in event.changes:
                self._note(event.n, change)
        self._last = events[-1] if events else None

    def _note(self, number: int, change: Change) -> None:
        who, field, after = change.who, change.field, change.after
        if not field and isinstance(after, Mapping):
            for name, value in after.get("sheet", {}).items():
                if type(value) is int:
                    self._points[who, name] = ([number], [value])
        elif field.startswith(_SHEET) and type(after) is int:
            name = field.removeprefix(_SHEET)
            begun = ([0], [change.before if type(change.before) is int else after])
            numbers, values = self._points.setdefault((who, name), begun)
            numbers.append(number)
            values.append(after)
