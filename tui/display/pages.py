"""Paint the page that explains the numbers of an event."""

from collections.abc import Iterator, Mapping

from rich.cells import cell_len

from systems.contract.marked_text import joined
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, lines_of
from systems.encounter.history import History
from tui.display.details import DetailLine, details_of, has_numbers
from tui.display.text import Row, fitted, printable, wrapped

# A value at least this wide is text and continues below itself.
LONG_VALUE = 16
# The column of values is as wide as a sum with its line.
LEAST_VALUE = 4
GAP = "  "
# A reason with less room next to its number goes below it.
LEAST_NOTE = 20


def newest_with_numbers(log: History) -> Event | None:
    """Return the newest event with terms or steps, or None."""
    events = reversed(log.as_amended)
    return next((event for event in events if any(map(has_numbers, event.results))), None)


def why_rows(event: Event, names: Mapping[str, str], game: Ruleset, undone: bool, cells: int) -> list[Row]:
    """Return an event's sentence, and below it each number with its name and its reason.

    `names`: of the combatants, by id. `game`: names conditions. `undone`: the event has been undone.
    """
    # The numbers below are the arithmetic, in full.
    said = joined(line.text for line in lines_of(event))
    rows: list[Row] = [[(line, "strong")] for line in wrapped(printable(said), cells)]
    if undone:
        rows.append([("undone since", "warning")])
    # The steps already say what changed; the bare fields are for the log.
    lines = [line for line in details_of(event, names, game) if line.kind != "change"]
    labels = [line for line in lines if line.kind not in ("head", "rules")]
    longest = min(max(20, cells // 3), cells - LEAST_VALUE - len(GAP) * 2)
    label = min(longest, max((cell_len(line.label) for line in labels), default=0))
    # A value too long for the room after its label is text as well.
    most = min(LONG_VALUE - 1, cells - label - len(GAP) * 2)
    value = max((cell_len(line.value) for line in lines if cell_len(line.value) <= most), default=0)
    value = max(value, LEAST_VALUE)
    widest = max((cell_len(line.value) for line in lines if line.kind == "term"), default=0)
    before: DetailLine | None = None
    for line in lines:
        if line.kind == "head" or (before and _ends_group(before, line)):
            rows.append([])
        if line.kind == "total":
            rule = "─" * (max(cell_len(line.value), widest) + 1)
            rows.append([(" " * (label + 4), ""), (fitted(rule, value, right=True), "muted")])
        rows += _why_line(line, label, value, cells)
        before = line
    return rows


def _ends_group(before: DetailLine, line: DetailLine) -> bool:
    """Return whether a blank line separates two lines: after dice, after a sum, before the rules."""
    after_dice = before.kind == "dice" and line.kind != "dice"
    return after_dice or before.kind == "total" or line.kind == "rules"


def _why_line(line: DetailLine, label: int, value: int, cells: int) -> Iterator[Row]:
    """Yield one line of the sum in columns; `label` and `value` are their widths."""
    if line.kind == "head":
        yield [(line.label, "strong")]
    elif line.kind == "rules":
        for part in wrapped(line.note, cells - 2, ""):
            yield [("  ", ""), (part, "muted")]
    elif cell_len(line.value) > value:
        for part in wrapped(f"{line.label}: {line.value}", cells - 2):
            yield [("  ", ""), (part, "muted")]
    else:
        tone = {"total": "strong", "unused": "muted"}.get(line.kind, "")
        number = "muted" if line.kind == "unused" else "strong"
        head = [(GAP, ""), (fitted(line.label, label), tone), (GAP, "")]
        room = cells - label - value - 6
        indent = label + value + 6 if room >= LEAST_NOTE or cell_len(line.note) <= room else 4
        notes = wrapped(line.note, cells - indent, "")
        beside = notes.pop(0) if indent > 4 else ""
        told = [(GAP, ""), (beside, "muted")] if beside else []
        yield [*head, (fitted(line.value, value, right=True), number), *told]
        for part in filter(None, notes):
            yield [(" " * indent, ""), (part, "muted")]


def was_undone(log: History, event: Event) -> bool:
    """Return whether an event of the log no longer counts."""
    return event.n not in log.standing_since(event.n)
