"""What stands out in a line of the log: who acts, figures before and after, and what somebody has become."""

import re
from collections.abc import Iterator, Mapping, Sequence

from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, names_in, tables_in, word_in
from systems.frozen import frozen
from systems.text import plain_number
from tui.display.text import Piece, Row

# What is said at the change of a turn is dimmed, so that what was done stands out.
TURNS = frozenset({"next", "back", "start", "end"})


def is_quiet(event: Event) -> bool:
    """Return whether an event is the change of a turn, which is dimmed."""
    return word_in(event, "command") in TURNS


@frozen
class Marker:
    """What is marked in a fight's log.

    `names`: by id. `meters`: fields of health. `statuses`: word -> tone.
    """

    names: Mapping[str, str]
    meters: frozenset[str]
    statuses: Mapping[str, str]

    def spans(self, event: Event, text: str) -> list[tuple[int, int, str]]:
        """Return start, end and tones of each part of an event's text that stands out, in order."""
        found = [*self._figures(event, text)]
        if not is_quiet(event):
            found += [*self._actor(event, text), *self._statuses(event, text)]
        found.sort()
        return [span for at, span in enumerate(found) if not at or span[0] >= found[at - 1][1]]

    def _actor(self, event: Event, text: str) -> Iterator[tuple[int, int, str]]:
        name = {**self.names, **names_in(event)}.get(word_in(event, "actor"), "")
        if name and text.startswith(name):
            yield 0, len(name), "strong"

    def _figures(self, event: Event, text: str) -> Iterator[tuple[int, int, str]]:
        for change in tables_in(event, "changes"):
            before, after = change.get("before"), change.get("after")
            if word_in(change, "field").removeprefix("sheet.") not in self.meters:
                continue
            if type(before) is int and type(after) is int:
                tone = "good" if after > before else "warning"
                yield from _found(text, f"{plain_number(before)} → {plain_number(after)}", tone)

    def _statuses(self, event: Event, text: str) -> Iterator[tuple[int, int, str]]:
        if tables_in(event, "results"):
            for word, tone in self.statuses.items():
                yield from _found(text, word, f"{tone} strong")


def marker_of(game: Ruleset, names: Mapping[str, str]) -> Marker:
    """Return what is marked in the log of a fight of that game. `names`: of the combatants, by id."""
    # Elsewhere the dead are dimmed; in the log that somebody died is what counts.
    statuses = {
        word.name.replace("_", " "): "danger" if word.tone == "muted" else word.tone
        for word in game.statuses
        if word.tone != "plain"
    }
    return Marker(names, frozenset(meter.now for meter in game.meters[:1]), statuses)


def _found(text: str, part: str, tone: str) -> Iterator[tuple[int, int, str]]:
    """Every place where a part stands as whole words."""
    for match in re.finditer(rf"(?<![\w−]){re.escape(part)}(?!\w)", text):
        yield match.start(), match.end(), tone


def marked_lines(
    lines: Sequence[str], indent: int, spans: Sequence[tuple[int, int, str]], tone: str
) -> list[Row]:
    """Return the lines that a text was wrapped into with its spans in their tones, the rest in `tone`.

    `indent`: how many blanks stand before each line but the first. A blank was left out between two lines.
    """
    rows: list[Row] = []
    start = 0
    for at, line in enumerate(lines):
        skipped = indent if at else 0
        body = line[skipped:]
        row: list[Piece] = [(" " * skipped, "")] if skipped else []
        row += _pieces(body, start, spans, tone)
        rows.append(row)
        start += len(body) + 1
    return rows


def _pieces(body: str, start: int, spans: Sequence[tuple[int, int, str]], tone: str) -> Iterator[Piece]:
    """One line from the place `start` of the whole text on, in pieces."""
    done, end = 0, len(body)
    for first, last, tones in spans:
        low, high = max(first - start, done), min(last - start, end)
        if low >= high:
            continue
        if low > done:
            yield body[done:low], tone
        yield body[low:high], tones
        done = high
    if done < end:
        yield body[done:], tone
