"""The text around the order of a seat: header, whose turn it is, keys, the line of offers, and own cards."""

from collections.abc import Sequence

from rich.cells import cell_len

from systems.contract.marked_text import possessive
from systems.visibility.view import Ahead, Offered, View
from tui.display.card import card_rows
from tui.display.frame import footer_row
from tui.display.order import turn_words
from tui.display.text import Piece, Row, cut, fitted, printable, width, wrapped
from tui.terminal.symbols import Symbols

GONE = "The connection to the table is lost."
NO_TABLE = "The game master's program is not running: you can only watch."
TURN_OVER = "Turn over. The game master goes on."
_NUMBERS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine")
# The keys for a player without characters.
_WATCHING = frozenset({"PgUp PgDn", "v", "?", "Ctrl+Q"})
_WIDTHS = 4  # cached cards: one for the order's column, and one for the side column


def header_row(view: View, cells: int) -> Row:
    """Return the header: the title on the left, round and turn on the right. The title is cut first."""
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
    """Return whose turn it is from the viewer's side: `Your turn, Okado`, `two turns before yours`."""
    if not view.own:
        return ""
    if view.over:
        return "The fight is over"
    if not view.round:
        return "The fight has not begun"
    if not view.ahead:
        return "No more turns"
    soonest = min(view.ahead, key=lambda ahead: ahead.turns)
    return _call_of(soonest, is_only=len(view.own) == 1)


def _call_of(ahead: Ahead, *, is_only: bool) -> str:
    """Return the call of a character. `is_only`: its player has no other, so it needs no name."""
    if ahead.turns == 0:
        return f"Your turn, {ahead.name}"
    if ahead.turns == 1:
        return "Your turn is next" if is_only else f"{ahead.name} is next"
    count = _NUMBERS[ahead.turns] if ahead.turns < len(_NUMBERS) else str(ahead.turns)
    whose = "yours" if is_only else possessive(ahead.name)
    return f"{count} turns before {whose}"


def call_row(
    view: View, keys: Sequence[tuple[str, str]], cells: int, always: int = 1, *, is_over: bool = False
) -> Row:
    """Return whose turn it is, with the keys. The last `always` keys are never dropped.

    The viewer's own turn is highlighted. `is_over`: the viewer has asked to end it.
    """
    words = TURN_OVER if is_over else printable(call(view))
    row: list[Piece] = [(" ", ""), (words, "turn" if is_own_turn(view) and not is_over else "muted")]
    row += [("   ", "")] if words else []
    return [*row, *footer_row(keys, cells - width(row) + 1, always)[1:]]


def gives_way(before: View, now: View) -> bool:
    """Return whether a message about the viewer's own command is outdated: by a new turn or new offers."""
    return (before.round, before.turn) != (now.round, now.turn) or now.offers not in (before.offers, ())


def offer_words(offer: Offered, cells: int, odds: str = "", key: str = "Enter") -> str:
    """Return an offer with its odds and the effect of Enter. The key itself is never cut away."""
    says = printable(offer.menu or offer.says)
    parts = [printable(part) for part in odds.split(" · ")] if odds and not offer.menu else []
    says = " · ".join([says, *_as_many(parts, cells - cell_len(f"{says} ({key})") - 3)])
    what = "lists them" if offer.menu else printable(offer.does)
    does = [f" ({key}: {what})", f" ({key})"] if offer.line else [""]
    enter = next((words for words in does if cell_len(says + words) <= cells), does[-1])
    return cut(says, cells - cell_len(enter)) + enter


def plan_rows(words: str, odds: str, wrong: str, keys: Sequence[str], cells: int) -> list[Row]:
    """Return a plan with its keys, and its odds or why it is impossible. The first key is never cut away.

    The odds are in a row of their own if their first part does not fit.
    """
    says = f"Planned: {words}"
    ends = [f" ({', '.join(keys)})", f" ({keys[0]})"]
    parts = [] if wrong else [printable(part) for part in odds.split(" · ") if part]
    fitting = _as_many(parts, cells - cell_len(says + ends[-1]) - 3)
    says = " · ".join([says, *fitting])
    end = next((keys for keys in ends if cell_len(says + keys) <= cells), ends[-1])
    rows: list[Row] = [[(" ", ""), (cut(says, cells - cell_len(end)) + end, "accent")]]
    if wrong:
        rows += [[(" ", ""), (cut(wrong, cells), "warning")]]
    elif parts and not fitting:
        rows += [[(" ", ""), (cut(" · ".join(_as_many(parts, cells) or parts), cells), "accent")]]
    return rows


def _as_many(parts: Sequence[str], cells: int) -> list[str]:
    """Return the first parts that fit in one row."""
    found = list(parts)
    while found and cell_len(" · ".join(found)) > cells:
        found.pop()
    return found


HELP = (
    ("a", "use the main action: type the tag of the target, then Enter; before your turn, plan it"),
    ("x", "list all actions"),
    ("r", "roll dice, such as 2d6+3"),
    (".", "repeat your character's last action"),
    ("n", "end your turn"),
    ("o", "show the odds of the main action, as far as the table allows"),
    (
        "Enter",
        "accept the offer, such as a counterattack; else send your plan, or change it",
    ),
    ("Backspace", "drop your plan"),
    ("w", "list your requests that wait, and withdraw one"),
    (":", "type any command; say TEXT speaks to the table, note TEXT to the game master"),
    ("S", "show your characters in full"),
    ("PgUp PgDn", "scroll the log; End goes to the newest line"),
    ("Tab", "complete the typed text"),
    ("v", "view the recap, once the game master shows it"),
    ("b", "turn the bell for your turn on or off"),
    ("?", "open this page"),
    ("Ctrl+Q", "leave the table"),
)


def help_rows(view: View, cells: int) -> list[Row]:
    """Return the keys of a seat. The letters of the game's own actions share one entry."""
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


class OwnCards:
    """Makes the rows of the cards, and makes them again when a character has changed."""

    def __init__(self) -> None:
        self._of: tuple[object, object] = ((), ())
        self._made: dict[int, Sequence[Row]] = {}
        self._needed: tuple[object, int] = ((), 0)

    def height(self, view: View, cells: int, shapes: Symbols) -> int:
        """Return the greatest number of rows that the cards have needed at this width."""
        shown = (cells, tuple(card.name for card in view.own))
        before = self._needed[1] if self._needed[0] == shown else 0
        self._needed = (shown, max(before, len(self.rows(view, cells, shapes))))
        return self._needed[1]

    def rows(self, view: View, cells: int, shapes: Symbols) -> Sequence[Row]:
        """Return all rows of the cards for a width."""
        shown = (view.own, view.meters)
        if shown != self._of:
            self._of, self._made = shown, {}
        if cells not in self._made:
            if len(self._made) > _WIDTHS:
                self._made.clear()
            self._made[cells] = [
                row
                for card in view.own
                for row in ([(card.name, "strong accent")], *card_rows(card, view.meters, cells, shapes))
            ]
        return self._made[cells]
