"""Lines about danger: how likely a combatant falls before its next turn."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from systems.encounter.model import Encounter
from systems.frozen import evolve
from systems.text import spoken
from systems.visibility.parts import OrderRow, ShownWord
from tui.display.odds import percent
from tui.display.text import Row, printable, wrapped
from tui.terminal.symbols import Symbols

if TYPE_CHECKING:
    from systems.forecast.found import Danger, Threat

# A smaller danger is not in the order; from the second on it has the tone of what kills.
LEAST_IN_ORDER, MORE_LIKELY = Fraction(1, 4), Fraction(1, 2)
COLUMN = "danger"
NOT_COUNTED = "no movement, no healing, no reactions"
LEFT_OUT = f"Out of action before the next turn; suggested answers, {NOT_COUNTED}."


def danger_words(danger: "Danger") -> str:
    """Return the chance: `33%`, or `≈33%` if it was sampled."""
    return percent(danger.chance) if danger.is_exact else f"≈{percent(danger.chance)}"


def danger_lines(encounter: Encounter, dangers: "Sequence[Danger]") -> Iterator[str]:
    """Yield a line for each combatant, with the share of each foe that adds to it; else why there is none."""
    if why := why_no_danger(encounter, dangers):
        yield why
        return
    for danger in dangers:
        shares = [_share(encounter, threat) for threat in danger.threats if threat.chance]
        rest = f": {', '.join(shares)}" if shares else ""
        yield printable(f"{danger_title(encounter, danger)}{rest}")
    yield LEFT_OUT


def why_no_danger(encounter: Encounter, dangers: "Sequence[Danger]") -> str:
    """Return why nothing is known about danger, or ""."""
    if encounter.is_prepared:
        return "The fight has not begun: there is no danger yet."
    if encounter.progress.over:
        return "The fight is over: there is no danger any more."
    return "" if dangers else "None of the players' characters can act."


def danger_title(encounter: Encounter, danger: "Danger") -> str:
    """Return the danger in words: `33% if all go for Mira`."""
    return f"{danger_words(danger)} if all go for {encounter.combatants[danger.who].name}"


def _share(encounter: Encounter, threat: "Threat") -> str:
    """Return what a foe adds, by its weapon, spell or power, else by its action: `Guard 33% (maul)`."""
    foe = encounter.combatants.get(threat.who)
    used = threat.uses or spoken(threat.action)
    return f"{foe.name if foe else threat.who} {percent(threat.chance)} ({used})"


def danger_rows(encounter: Encounter, danger: "Danger", cells: int) -> list[Row]:
    """Return the rows about danger on a card: the chance, then the share of each foe."""
    title = wrapped(printable(danger_title(encounter, danger)), cells)
    shares = ", ".join(printable(_share(encounter, threat)) for threat in danger.threats if threat.chance)
    below = [*wrapped(shares, max(10, cells - 2), "")] if shares else []
    rows: list[Row] = [[(line, "strong")] for line in title]
    rows += [[(f"  {line}", "")] for line in below]
    rows += [[(f"  {line}", "muted")] for line in wrapped(NOT_COUNTED, max(10, cells - 2), "")]
    return rows


def danger_page(encounter: Encounter, dangers: "Sequence[Danger]", cells: int) -> list[Row]:
    """Return the rows of a page about danger."""
    return [
        [(f" {part}", "")]
        for line in danger_lines(encounter, dangers)
        for part in wrapped(line, max(10, cells - 2))
    ]


def with_danger(row: OrderRow, danger: "Danger | None", shapes: Symbols) -> OrderRow:
    """Return the row of the order with its combatant's danger, if it is high enough."""
    if danger is None or danger.chance < LEAST_IN_ORDER:
        return row
    tone = "danger" if danger.chance >= MORE_LIKELY else "warning"
    words = danger_words(danger)
    word = ShownWord(
        f"{shapes.danger}{words}", tone, short=words if len(shapes.danger) > 1 else "", column=COLUMN
    )
    return evolve(row, words=(word, *row.words))


def with_dangers(
    rows: Sequence[OrderRow], ids: Sequence[str], dangers: "Mapping[str, Danger]", shapes: Symbols
) -> Sequence[OrderRow]:
    """Return the rows of the order with the dangers of their combatants."""
    if not dangers:
        return rows
    return [with_danger(row, dangers.get(who), shapes) for row, who in zip(rows, ids, strict=True)]
