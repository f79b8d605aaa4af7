"""What a seat's screen lists below a line that is typed: actions, targets, words, and what it comes to."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len

from systems.visibility.view import LineHelp, SeatAction, View
from tui.display.seat import targets_of
from tui.display.text import Row, fitted, printable, wrapped

_FEW = 6  # words that have a line each


def actions_begun(actions: Iterable[SeatAction], text: str) -> list[SeatAction]:
    """Return the actions whose title or name begins so."""
    word, name = text.casefold(), text.casefold().replace(" ", "_")
    return [each for each in actions if each.title.casefold().startswith(word) or each.name.startswith(name)]


def action_rows(actions: Iterable[SeatAction], text: str) -> list[Row]:
    """Return the actions that begin so, each with what it is for."""
    found = actions_begun(actions, text)
    wide = max((cell_len(each.title) for each in found), default=0) + 2
    return [[(f"   {fitted(each.title, wide)}", "strong"), (each.help, "muted")] for each in found]


def target_rows(
    view: View, action: SeatAction, text: str, known: LineHelp, filled: str, width: int, edge: str
) -> list[Row]:
    """Return what an action would come to, its targets, the typed ones marked, and what may follow.

    `filled`: the options that are filled in; `edge`: the mark of a typed target.
    """
    typed = {part.strip() for part in text.split(" ", maxsplit=1)[0].split(",")}
    odds = dict(known.targets)
    rows = _odds_row(known)
    if filled:
        rows.append([("   as last time: ", "muted"), (printable(filled), "accent strong")])
    for row in targets_of(view, action):
        state = row.instead.text if row.instead else ""
        rows.append(
            [
                (edge if row.tag in typed else " ", "edge"),
                (f" {row.tag:>3} ", "muted"),
                (row.name, ""),
                (f"  {state}", "muted"),
                (f"  {printable(odds.get(row.tag, ''))}", "accent"),
            ]
        )
    if text:
        rows += _word_rows(view, known, width)
    elif action.options:
        rows += _listed((f"{name}=" for name, _ in action.options), width)
    return rows


def command_rows(view: View, text: str, known: LineHelp, width: int) -> Sequence[Row]:
    """Return what stands below a command: what it would come to, and what may come next."""
    if not text:
        return action_rows(view.actions, text)
    return [*_odds_row(known), *_word_rows(view, known, width)]


def _odds_row(known: LineHelp) -> list[Row]:
    return [[("   ", ""), (printable(known.odds), "accent")]] if known.odds else []


def _word_rows(view: View, known: LineHelp, width: int) -> list[Row]:
    """Return the words that may come next, apart from tags, which the order shows."""
    tags = {row.tag for row in view.rows}
    words = [(word, does) for word, does in known.words if word not in tags]
    if len(words) <= _FEW:
        return [
            [(f"   {printable(word):<16} ", "strong"), (printable(does), "muted")] for word, does in words
        ]
    return _listed((word for word, _ in words), width)


def _listed(words: Iterable[str], width: int) -> list[Row]:
    """Return words one behind the other."""
    text = printable("  ".join(words))
    return [[("   ", ""), (line, "muted")] for line in wrapped(text, max(20, width - 6), "")]
