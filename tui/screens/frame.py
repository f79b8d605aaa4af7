"""The lines around every screen: what is open and whose turn it is, what was said, which keys there are."""

from typing import TYPE_CHECKING

from rich.cells import cell_len

from systems.commands.turns import following
from tui.display.text import Piece, Row, cut, printable, width, wrapped
from tui.settings.keys import keys_of

if TYPE_CHECKING:
    from tui.app import AffrayApp

DICE_WORDS = {"program": "program rolls", "real": "real dice", "players": "players roll real dice"}
# Where there is little room it goes to who is next.
DICE_BRIEF = {**DICE_WORDS, "players": "players real"}
ROOMY = 100


def header_row(app: "AffrayApp", cells: int) -> Row:
    """Title left, turn in the middle, dice and what is unsaved right; the title gives way first."""
    right = _right(app, cells)
    room = cells - width(right) - 6
    turn, short = _turn(app)
    title = printable(_title(app))
    if cell_len(title) + cell_len(turn) > room:
        turn = short
    middle = cut(turn, max(0, room - min(cell_len(title), 16)))
    left = cut(title, max(0, room - cell_len(middle)))
    gap = room - cell_len(left) - cell_len(middle) + 4
    before = max(2, min(gap - 2, (cells - cell_len(middle)) // 2 - cell_len(left) - 1))
    return [
        (" ", ""),
        (left, "strong"),
        (" " * before, ""),
        (middle, "turn"),
        (" " * (gap - before), ""),
        *right,
        (" ", ""),
    ]


def _title(app: "AffrayApp") -> str:
    parts = [str(getattr(app.campaign, "title", "") or "")]
    if app.session and (title := app.session.encounter.progress.title):
        parts.append(title)
    return " · ".join(part for part in parts if part) or "Affray"


def _turn(app: "AffrayApp") -> tuple[str, str]:
    """Round, whose turn, who is next; and the same without who is next."""
    if not app.session:
        return "", ""
    encounter = app.session.encounter
    progress = encounter.progress
    if progress.over:
        words = f"over after round {progress.round}"
        return words, words
    if not progress.round:
        words = f"not begun: {app.key_names['next']} begins"
        return words, words
    parts = [f"Round {progress.round}"]
    if encounter.style == "sides" and progress.side:
        parts.append(printable(progress.side))
    if encounter.turn:
        parts.append(printable(encounter.turn.name))
    follows = following(encounter)
    more = [f"next {printable(follows.name)}"] if follows else []
    return " · ".join([*parts, *more]), " · ".join(parts)


def _right(app: "AffrayApp", cells: int) -> list[Piece]:
    if not app.session:
        return []
    words_of = DICE_WORDS if cells >= ROOMY else DICE_BRIEF
    pieces: list[Piece] = [
        (words_of[app.session.dice], "muted" if app.session.dice == "program" else "accent")
    ]
    if app.alongside.looks_on:
        pieces = [("read-only", "warning"), (" · ", "muted"), *pieces]
    if words := app.unsaved:
        # Whose turn it is must stay in sight; the reason is said below as well.
        saved = app.alongside.saved
        words = printable(words if cell_len(words) <= cells // 2 else saved.brief)
        has_room = cell_len(words) + 3 + width(pieces) <= cells // 2
        rest: list[Piece] = [(" · ", "muted"), *pieces] if has_room else []
        pieces = [(words, "danger" if saved.why else "muted"), *rest]
    return pieces


def message_rows(app: "AffrayApp", cells: int) -> list[Row]:
    """The last sentence, whole, an error with a mark too; else what is on offer."""
    if app.sentence:
        mark, text, tone = (" ! ", app.sentence, "danger") if app.is_error else (" ", app.sentence, "")
        mark_tone = "danger strong"
    elif app.prompt is None and (offer := app.offer) is not None:
        # A sentence may ask for one of several: what the key does has to stand there too.
        does = str(offer.command).rpartition(" by ")[0] or offer.command
        mark, text, tone = f" {app.key_names['offer']} ", f"{offer.says} ({does})", "accent"
        mark_tone = "accent strong"
    else:
        return []
    lines = wrapped(printable(text), max(10, cells - cell_len(mark) - 2), "")
    blank = " " * cell_len(mark)
    return [[(blank if at else mark, mark_tone), (line, tone)] for at, line in enumerate(lines)]


def footer_row(app: "AffrayApp", screen: str, asking: bool, cells: int) -> Row:
    """As many keys of the screen as there is room for; help is always there."""
    if asking:
        tab = app.prompt.TAB if app.prompt else ""
        row: list[Piece] = [(" Enter ", "strong"), ("does it  ", "muted")]
        row += [("Tab ", "strong"), (f"{tab}  ", "muted")] if tab else []
        row.append(("Esc ", "strong"))
        leaves = "leaves all as it was"
        return [*row, (leaves if width(row) + cell_len(leaves) <= cells else "leaves it", "muted")]
    shown = [(app.key_names[one.id], one.label) for one in keys_of(screen) if screen in one.footer]
    row = [(" ", "")]
    last = shown.pop() if shown else ("", "")
    room = cells - 2 - cell_len(last[0]) - cell_len(last[1]) - 1
    for key, label in shown:
        wide = cell_len(key) + cell_len(label) + 3
        if wide > room:
            break
        room -= wide
        row += [(key, "strong"), (f" {label}  ", "muted")]
    return [*row, (last[0], "strong"), (f" {last[1]}", "muted")]
