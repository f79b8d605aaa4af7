"""Paint the full odds of an action: its chances, and the distribution of the amount as bars."""

from collections.abc import Mapping
from fractions import Fraction

from rich.cells import cell_len

from systems.commands.preview import Preview
from systems.contract.action import Action
from systems.encounter.model import Combatant, Encounter
from systems.text import listed, plain_number
from tui.display.odds import TOO_MANY, amount_words, may_drop, percent
from tui.display.text import Row, cut_row, fitted, printable, wrapped

MOST_BARS = 60
LONGEST_RESULT = 30


def odds_title(actor: Combatant, action: Action, target: Combatant | None) -> str:
    """Return the title of the page: `Okado, attack against Guard 1`."""
    return f"{actor.name}, {action.title}" + (f" against {target.name}" if target else "")


def odds_rows(
    encounter: Encounter, action: Action, target: Combatant | None, odds: Preview | str, cells: int
) -> list[Row]:
    """Return the distribution of the amount as bars, with the amount that drops the target."""
    if isinstance(odds, str):
        return [[(odds, "warning")]]
    if odds.refused:
        return [[(odds.refused, "warning")]]
    rows: list[Row] = [[(line, "strong")] for line in wrapped(_summary(action, odds), cells)]
    if odds.amounts:
        rows += [[], *_bars(odds, None if odds.heals else _life(encounter, target), cells)]
    if odds.effects:
        told = ", ".join(f"{printable(text)} {percent(chance)}" for text, chance in odds.effects)
        rows += [[], *([(line, "")] for line in wrapped(f"Possible effects: {told}", cells))]
    return rows


def _summary(action: Action, odds: Preview) -> str:
    parts = []
    if odds.works is not None:
        parts.append(f"{action.success_label or 'works'} {_exact(odds.works)}")
    if odds.drops is not None and (odds.drops or may_drop(action)):
        parts.append(f"drops {_exact(odds.drops)}")
    if odds.amounts:
        parts.append(amount_words(odds) if odds.heals else f"{amount_words(odds)} {action.amount}")
    if odds.too_many:
        parts.append(TOO_MANY)
    if odds.needed:
        parts.append(f"needs {odds.needed}")
    return " · ".join(parts)


def _exact(chance: Fraction) -> str:
    """Return a chance as `45.9%`; a possible result is never 0.0%, an uncertain one never 100.0%."""
    shown = f"{float(chance) * 100:.1f}%"
    if shown == "0.0%" and chance:
        return "<0.1%"
    return ">99.9%" if shown == "100.0%" and chance < 1 else shown


def _life(encounter: Encounter, target: Combatant | None) -> int | None:
    """Return what the target has left of its first meter."""
    meter = next(iter(encounter.game.meters), None)
    value = getattr(target.sheet, meter.now, None) if meter and target else None
    return value if isinstance(value, int) else None


def _bars(odds: Preview, life: int | None, cells: int) -> list[Row]:
    amounts = _grouped(odds.amounts)
    most = max(chance for _, chance in amounts)
    label = max(cell_len(text) for text in [str(life or ""), *(text for text, _ in amounts)])
    results = _results(odds)
    told_in = min(LONGEST_RESULT, max(cell_len(result) for result in results))
    room = max(10, min(60, cells - label - 12 - told_in))
    rows: list[Row] = []
    drops_at = _drops_at(odds, life)
    marked = drops_at is None
    above = ""
    for (text, chance), low, result in zip(amounts, _lows(odds.amounts), _results(odds), strict=True):
        if life is not None and drops_at is not None and not marked and low >= drops_at:
            rows.append(_mark(life, label, room))
            marked = True
        drops = drops_at is not None and drops_at <= low
        # Lower than a full line, so that stacked bars make no slab.
        bar = "▇" * max(1, round(float(chance / most) * room))
        # The chance is right after its bar, close to the eye.
        # Shown once for all bars with the same results.
        told = f"  {printable(result)}" if result != above else ""
        above = result
        row: Row = [
            (fitted(text, label, right=True), "strong"),
            (" ", ""),
            (bar, "danger" if drops else "accent"),
            (f" {_exact(chance)}", ""),
            (told, "muted"),
        ]
        rows.append(cut_row(row, cells))
    if life is not None and not marked:
        rows.append(_mark(life, label, room))
    return rows


def _drops_at(odds: Preview, life: int | None) -> int | None:
    """Return the lowest amount that drops a target with this much left; None if the amount alone can't say.

    In one game nothing left is enough, in another it has to be less than nothing. In a third the amount is
    that of a wound, which is not counted in what the target has left.
    """
    if life is None or life <= 0:
        return None
    for least in (life, life + 1):
        reached = sum((chance for amount, chance in odds.amounts.items() if amount >= least), Fraction(0))
        if odds.drops is None or reached <= odds.drops:
            return least
    return None


def _mark(life: int, label: int, room: int) -> Row:
    """Return the line at what the target has left: amounts below it drop the target."""
    return [
        (fitted(str(life), label, right=True), "danger strong"),
        (f" {'┄' * room} drops", "danger"),
    ]


def _span(amounts: Mapping[int, Fraction]) -> int:
    """Return how many amounts share a bar."""
    return -(-len(amounts) // MOST_BARS)


def _lows(amounts: Mapping[int, Fraction]) -> list[int]:
    return list(amounts)[:: _span(amounts)]


def _results(odds: Preview) -> list[str]:
    """Return how the amounts of each bar come about, such as `miss` or `hit or critical`."""
    values, span = list(odds.amounts), _span(odds.amounts)
    return [
        listed(
            dict.fromkeys(way for value in values[at : at + span] for way in odds.results.get(value, ())),
            "or",
        )
        for at in range(0, len(values), span)
    ]


def _grouped(amounts: Mapping[int, Fraction]) -> list[tuple[str, Fraction]]:
    values, span = list(amounts.items()), _span(amounts)
    found = []
    for at in range(0, len(values), span):
        part = values[at : at + span]
        low, high = plain_number(part[0][0]), plain_number(part[-1][0])
        found.append(
            (low if len(part) == 1 else f"{low}–{high}", sum((chance for _, chance in part), Fraction(0)))
        )
    return found
