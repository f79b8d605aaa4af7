"""How a figure of a sheet went through the fight, as one line of blocks."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from systems.history import Event, History

BLOCKS = "▁▂▃▄▅▆▇"
_SHEET = "sheet."


class Curves:
    """The whole numbers of every sheet over the events of one log; only new events are walked."""

    def __init__(self) -> None:
        self._at = 0
        self._last: Event | None = None
        self._points: dict[tuple[str, str], list[tuple[int, int]]] = {}

    def values(self, log: History, who: str, field: str, now: int) -> list[int]:
        """The figure at the opening and after each event. `now` stands where nothing ever changed."""
        self._read(log)
        points = self._points.get((who, field), [(0, now)])
        numbers = [number for number, _ in points]
        first = points[0][0]
        return [points[max(0, bisect_right(numbers, at) - 1)][1] for at in range(first, len(log.events) + 1)]

    def sampled(self, log: History, who: str, field: str, now: int, width: int) -> list[int]:
        """At most `width` of those values, evenly spread, the present one last."""
        self._read(log)
        points = self._points.get((who, field), [(0, now)])
        numbers = [number for number, _ in points]
        first, last = points[0][0], len(log.events)
        count = max(1, min(width, last - first + 1))
        places = [first + round((last - first) * at / max(1, count - 1)) for at in range(count)]
        return [points[max(0, bisect_right(numbers, at) - 1)][1] for at in places]

    def _read(self, log: History) -> None:
        events = log.events
        grown = self._at <= len(events) and (self._at == 0 or events[self._at - 1] is self._last)
        if not grown:
            self._at, self._points = 0, {}
        for event in events[self._at :]:
            for change in event.get("changes", ()):
                self._note(int(event["n"]), change)
        self._at = len(events)
        self._last = events[-1] if events else None

    def _note(self, number: int, change: Mapping[str, Any]) -> None:
        who, field = change.get("who", ""), change.get("field", "")
        after = change.get("after")
        if not field and isinstance(after, Mapping):
            for name, value in after.get("sheet", {}).items():
                if type(value) is int:
                    self._points[who, name] = [(number, value)]
        elif field.startswith(_SHEET) and type(after) is int:
            name = field.removeprefix(_SHEET)
            before = change.get("before")
            begun = [(0, before if type(before) is int else after)]
            self._points.setdefault((who, name), begun).append((number, after))


CURVES = Curves()


def plot(values: Sequence[int], full: int) -> str:
    """One block for each value, from nothing to `full`."""
    high = max(full, 1)
    top = len(BLOCKS) - 1
    return "".join(BLOCKS[round(top * min(max(one, 0), high) / high)] for one in values)
