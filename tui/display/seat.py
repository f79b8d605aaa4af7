"""What a seat shows around its order, in words: header, whose turn it is, the keys, what Enter does."""

from collections.abc import Sequence

from rich.cells import cell_len

from systems.visibility.view import Ahead, Offered, View
from tui.display.frame import footer_row
from tui.display.order import turn_words
from tui.display.text import Piece, Row, cut, fitted, printable, width, wrapped

GONE = "The line to the table is gone."
NO_TABLE = "The game master's program is not running: you can only watch."
TURN_OVER = "Turn over. The game master goes on."
_PLACES = ("", "next", "next but one", "third")


def header_row(view: View, cells: int) -> Row:
    """Title left, round and turn right of it; the title gives way first."""
    turn = round_words(view)
    follows = f"   next {view.next}" if view.next and not view.over else ""
    if cell_len(turn) + cell_len(follows) + 18 > cells:
        follows = ""
    right = cut(printable(turn), max(0, cells - 2))
    room = cells - 3 - cell_len(right) - cell_len(follows)
    left = cut(printable(view.title or "Affray"), max(0, room))
    gap = max(1, room - cell_len(left) + 1)
    return [(" ", ""), (left, "strong"), (" " * gap, ""), (right, "turn"), (printable(follows), "")]


def round_words(view: View) -> str:
    """Return the round and turn, such as `Round 2  ▸ Okado`, or why there is none; "" without a fight."""
    if view.over:
        return f"over after round {view.round}"
    if not view.round:
        return "not begun" if view.rows else ""
    return turn_words(view.round, view.turn or "nobody", view.side)


def is_own_turn(view: View) -> bool:
    """Return whether one of the viewer's characters may act now."""
    return any(ahead.turns == 0 for ahead in view.ahead)


def call(view: View) -> str:
    """Return whose turn it is as it concerns the viewer: `Your turn, Okado`, `Tamsin is next but one`."""
    if not view.own:
        return ""
    if view.over:
        return "The fight is over"
    if not view.round:
        return "The fight has not begun"
    if not view.ahead:
        return "No turn is coming"
    soonest = min(view.ahead, key=lambda ahead: ahead.turns)
    return _call_of(soonest)


def _call_of(ahead: Ahead) -> str:
    if ahead.turns == 0:
        return f"Your turn, {ahead.name}"
    if ahead.turns < len(_PLACES):
        return f"{ahead.name} is {_PLACES[ahead.turns]}"
    return f"{ahead.turns} turns before {ahead.name}"


def call_row(
    view: View, keys: Sequence[tuple[str, str]], cells: int, always: int = 1, *, is_over: bool = False
) -> Row:
    """Return whose turn it is, and what can be done; the last `always` keys stay.

    The viewer's own turn is highlighted. `is_over`: the viewer has asked to end it.
    """
    words = TURN_OVER if is_over else printable(call(view))
    row: list[Piece] = [(" ", ""), (words, "turn" if is_own_turn(view) and not is_over else "muted")]
    row += [("   ", "")] if words else []
    return [*row, *footer_row(keys, cells - width(row) + 1, always)[1:]]


def gives_way(before: View, now: View) -> bool:
    """Return whether what was said of one's own command is over: the turn has passed, or more is on offer."""
    return (before.round, before.turn) != (now.round, now.turn) or now.offers not in (before.offers, ())


def offer_words(offer: Offered, cells: int, odds: str = "", key: str = "Enter") -> str:
    """Return what is on offer, its odds and what Enter does; that Enter takes it is never cut away."""
    says = printable(offer.says)
    # As many of the odds as there is room for, the chance first.
    parts = [printable(part) for part in odds.split(" · ")] if odds else []
    while parts and cell_len(f"{says} · {' · '.join(parts)} ({key})") > cells:
        parts.pop()
    says = " · ".join([says, *parts])
    does = [f" ({key}: {printable(offer.does)})", f" ({key})"] if offer.line else [""]
    told = next((words for words in does if cell_len(says + words) <= cells), does[-1])
    return cut(says, cells - cell_len(told)) + told


HELP = (
    ("a", "the main action: type the tag of the target, Enter"),
    ("x", "all actions"),
    ("r", "roll dice, such as 2d6+3"),
    (".", "the same again as your character did last"),
    ("n", "your turn is done"),
    ("o", "odds of the main action in full, as far as the table shows them"),
    ("Enter", "take what lies before you, such as a counterattack"),
    (":", "any command"),
    ("S", "your characters in full"),
    ("PgUp PgDn", "back and forth in the log; End: the newest line"),
    ("Tab", "completes what is typed"),
    ("b", "a bell when your turn comes, on or off"),
    ("?", "this page"),
    ("Ctrl+Q", "leave the table"),
)
# The keys for a player without characters.
_WATCHING = frozenset({"PgUp PgDn", "?", "Ctrl+Q"})


def help_rows(view: View, cells: int) -> list[Row]:
    """Return the keys of a seat, the letters of the game's own actions on one line after the others' list."""
    lettered = [action for action in view.actions if action.letter]
    own = (
        " ".join(action.letter for action in lettered),
        ", ".join(printable(action.title) for action in lettered),
    )
    found = [*HELP[:2], *([own] if lettered else []), *HELP[2:]]
    if not view.own:
        found = [(key, words) for key, words in found if key in _WATCHING]
    wide = max(cell_len(key) for key, _ in found) + 2
    rows: list[Row] = []
    for key, words in found:
        first, *more = wrapped(words, max(10, cells - wide - 1), "")
        rows.append([(fitted(f" {key}", wide), "strong"), (first, "")])
        rows += [[(" " * wide, ""), (line, "")] for line in more]
    return rows
