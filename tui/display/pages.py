"""The pages that lie over a screen: why a number is what it is, the odds in full, the keys."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from systems.encounter.events import Event, results_of
from tui.display.log import names_of, reckoning
from tui.display.log_tail import numbers_standing
from tui.display.text import Row, fitted, printable, wrapped
from tui.session.session import Session
from tui.settings.keys import KEYS, SCREEN_TITLES


def newest_reckoning(session: Session) -> Event | None:
    """The newest event that has numbers behind it."""
    return next((event for event in reversed(session.log.events) if has_reckoning(event)), None)


def has_reckoning(event: Event) -> bool:
    """Whether an event has terms or steps behind what it says."""
    return any(result.get("terms") or result.get("steps") for result in results_of(event))


def why_rows(session: Session, event: Event, cells: int) -> list[Row]:
    """The sentence, and under it each number with its name and its reason."""
    rows: list[Row] = [[(line, "strong")] for line in wrapped(printable(str(event["text"])), cells)]
    if event["n"] not in numbers_standing(session.log, event["n"]):
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


def help_rows(names: Mapping[str, str], own_keys: str, screen: str, cells: int) -> Sequence[Row]:
    """Every key as this user has it, those of this screen first; `own_keys` is the file of their own."""
    here = [one for one in KEYS if screen in one.screens]
    elsewhere = [one for one in KEYS if screen not in one.screens]
    wide = max(cell_len(names[one.id]) for one in KEYS)
    rows: list[Row] = []
    for title, keys in ((f"On this screen: {SCREEN_TITLES[screen]}", here), ("On other screens", elsewhere)):
        rows += [[(title, "accent strong")]]
        for one in keys:
            where = "" if keys is here else f" ({', '.join(SCREEN_TITLES[name] for name in one.screens)})"
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
