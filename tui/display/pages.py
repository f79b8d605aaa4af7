"""The pages that lie over a screen: why a number is what it is, the odds in full, the keys."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rich.cells import cell_len

from systems.commands.preview import Preview
from systems.contract.ruleset import Action
from systems.encounter.events import Event, results_of
from systems.encounter.model import Combatant, Encounter
from systems.text import plain_number
from tui.display.log import names_of, reckoning
from tui.display.log_tail import numbers_standing
from tui.display.odds import mean, percent
from tui.display.text import Row, fitted, printable, wrapped
from tui.session.session import Session
from tui.settings.keys import KEYS

SCREEN_NAMES = {
    "initiative": "the order",
    "status": "status",
    "roster": "roster",
    "log": "log",
    "campaigns": "campaigns",
}
MOST_BARS = 60


def newest_reckoning(session: Session) -> Event | None:
    """The newest event that has numbers behind it."""
    return next((event for event in reversed(session.log.events) if has_reckoning(event)), None)


def has_reckoning(event: Event) -> bool:
    """Whether an event has terms or steps behind what it says."""
    return any(result.get("terms") or result.get("steps") for result in results_of(event))


def why_rows(session: Session, event: Event, cells: int) -> list[Row]:
    """The sentence, and under it each number with its name and its reason."""
    rows: list[Row] = [[(line, "strong")] for line in wrapped(printable(str(event["text"])), cells)]
    if event["n"] not in numbers_standing(session, event["n"]):
        rows.append([("undone since", "warning")])
    names = names_of(session.encounter)
    # The steps tell what changed; the bare fields are for the log.
    lines = [
        one for one in reckoning(event, names) if one.head or one.value or one.label not in names.values()
    ]
    label = min(cells // 3, max((cell_len(one.label) for one in lines if not one.head), default=0))
    value = max((cell_len(one.value) for one in lines if cell_len(one.value) < 16), default=0)
    for one in lines:
        if one.head:
            rows.append([(one.label, "accent strong")])
        elif cell_len(one.value) > value:
            rows += [
                [("  ", ""), (line, "muted")] for line in wrapped(f"{one.label}: {one.value}", cells - 2)
            ]
        else:
            tone = "strong" if one.label == "total" else ""
            head = [("  ", ""), (fitted(one.label, label), tone), ("  ", "")]
            notes = wrapped(one.note, max(10, cells - label - value - 6), "")
            rows.append(
                [*head, (fitted(one.value, value, right=True), "strong"), ("  ", ""), (notes[0], "muted")]
            )
            rows += [[(" " * (label + value + 6), ""), (more, "muted")] for more in notes[1:]]
    return rows


def odds_rows(
    encounter: Encounter, action: Action, target: Combatant | None, odds: Preview | str, cells: int
) -> list[Row]:
    """The distribution of the amount as bars, and where the target drops."""
    if isinstance(odds, str):
        return [[(odds, "warning")]]
    if odds.refused:
        return [[(odds.refused, "warning")]]
    rows: list[Row] = [[(part, "strong" if not at else "")] for at, part in enumerate(_summary(action, odds))]
    if odds.amounts:
        rows += [[], *_bars(odds, _life(encounter, target), cells)]
    if odds.effects:
        told = ", ".join(f"{printable(text)} {percent(chance)}" for text, chance in odds.effects)
        rows += [[], *([(line, "")] for line in wrapped(f"May bring: {told}", cells))]
    return rows


def _summary(action: Action, odds: Preview) -> list[str]:
    parts = []
    if odds.works is not None:
        parts.append(f"{action.success}: {_exact(odds.works)}")
    if odds.drops is not None:
        parts.append(f"drops: {_exact(odds.drops)}")
    if odds.amounts:
        parts.append(f"expected {action.amount}: {mean(odds.expected)}")
    if odds.against is not None:
        parts.append(f"needs {action.needed(odds.against)}")
    return [" · ".join(parts)]


def _exact(chance: Fraction) -> str:
    return f"{float(chance) * 100:.1f} %"


def _life(encounter: Encounter, target: Combatant | None) -> int | None:
    """What the target has left of its first meter."""
    meter = next(iter(encounter.game.meters), None)
    value = getattr(target.sheet, meter.now, None) if meter and target else None
    return value if isinstance(value, int) else None


def _bars(odds: Preview, life: int | None, cells: int) -> list[Row]:
    amounts = _grouped(odds.amounts)
    most = max(chance for _, chance in amounts)
    label = max(cell_len(text) for text in [str(life or ""), *(text for text, _ in amounts)])
    room = max(10, min(60, cells - label - 14))
    rows: list[Row] = []
    marked = False
    for (text, chance), low in zip(amounts, _lows(odds.amounts), strict=True):
        if life is not None and life > 0 and not marked and low >= life:
            rows.append(_mark(life, label, room))
            marked = True
        filled = float(chance / most) * room
        full, part = int(filled), filled - int(filled)
        bar = "█" * full + ("▌" if part >= 0.5 or not full else "")
        rows.append(
            [
                (fitted(text, label, right=True), "strong"),
                (" ", ""),
                (fitted(bar, room), "accent"),
                (f" {_exact(chance):>8}", ""),
            ]
        )
    if life is not None and life > 0 and not marked:
        rows.append(_mark(life, label, room))
    return rows


def _mark(life: int, label: int, room: int) -> Row:
    """The line at what the target has left."""
    return [
        (fitted(str(life), label, right=True), "danger strong"),
        (f" {'┄' * room} all left", "danger"),
    ]


def _span(amounts: Mapping[int, Fraction]) -> int:
    """How many amounts share a bar."""
    return -(-len(amounts) // MOST_BARS)


def _lows(amounts: Mapping[int, Fraction]) -> list[int]:
    return list(amounts)[:: _span(amounts)]


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


def help_rows(names: Mapping[str, str], own_keys: str, screen: str, cells: int) -> Sequence[Row]:
    """Every key as this user has it, those of this screen first; `own_keys` is the file of their own."""
    here = [one for one in KEYS if screen in one.screens]
    elsewhere = [one for one in KEYS if screen not in one.screens]
    wide = max(cell_len(names[one.id]) for one in KEYS)
    rows: list[Row] = []
    for title, keys in ((f"On this screen: {SCREEN_NAMES[screen]}", here), ("On other screens", elsewhere)):
        rows += [[(title, "accent strong")]]
        for one in keys:
            where = "" if keys is here else f" ({', '.join(SCREEN_NAMES[name] for name in one.screens)})"
            head = [("  ", ""), (fitted(names[one.id], wide), "strong"), ("  ", "")]
            lines = wrapped(one.help + where, max(20, cells - wide - 4), "")
            rows += [[*head, (lines[0], "")], *([(" " * (wide + 4), ""), (more, "")] for more in lines[1:])]
        rows.append([])
    rows += [
        [("In a question", "accent strong")],
        [("  Enter does it · Esc leaves everything as it was · Tab completes or goes to the options", "")],
        [],
        [("Your own keys", "accent strong")],
        *([("  ", ""), (line, "")] for line in wrapped(_own_keys(own_keys), max(20, cells - 2), "")),
    ]
    return rows


def _own_keys(file: str) -> str:
    return f'In {printable(file)}, a line each, such as next = "f5". The names: ' + ", ".join(
        one.id for one in KEYS
    )
