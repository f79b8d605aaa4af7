"""The page of all keys: columns by purpose, the screen's own keys first; typing searches."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from rich.cells import cell_len

from systems.frozen import frozen
from tui.display.text import Piece, Row, cut, fitted, printable, width, wrapped
from tui.settings.keys import KEY_GROUPS, KEYS, SCREEN_TITLES, Key

GAP = 2
IN_A_QUESTION = "Enter does what the footer says, Esc cancels, Tab completes or goes to the options."


# A heading and its keys.
_Group = tuple[str, Sequence[Key]]


@frozen
class HelpKeys:
    """The contents of the page. `names`: each key as typed, by its id; `own_keys`: the user's file of keys.

    `actions`: the keys of the game's own actions, each with what it does.
    """

    names: Mapping[str, str]
    own_keys: str
    screen: str
    actions: Sequence[tuple[str, str]] = ()


def help_rows(keys: HelpKeys, cells: int, sought: str = "") -> list[Row]:
    """Return the page for a width. With `sought`, only the matching keys, in whole sentences."""
    if sought:
        return _found(keys, cells, sought.casefold().strip())
    here = [key for key in KEYS if keys.screen in key.screens]
    elsewhere = [key for key in KEYS if keys.screen not in key.screens]
    by_group = [(title, [key for key in here if key.group == name]) for name, title in KEY_GROUPS.items()]
    by_screen = [
        (f"On {title}", [key for key in elsewhere if key.screens[0] == name])
        for name, title in SCREEN_TITLES.items()
    ]
    rows = [*_columns(by_group, keys.names, cells), []]
    if keys.actions:
        rows += [[("Actions of this game", "strong")], *_sentences(keys.actions, cells), []]
    rows += [*_columns(by_screen, keys.names, cells), []]
    rows += [[("In a prompt", "strong")]]
    rows += [[("  ", ""), (line, "")] for line in wrapped(IN_A_QUESTION, max(20, cells - 2), "")]
    rows += [[], [("Your own keys", "strong")]]
    rows += [[("  ", ""), (line, "")] for line in wrapped(_own_keys(keys.own_keys), max(20, cells - 2), "")]
    return rows


def _columns(
    groups: Sequence[tuple[str, Sequence[Key]]], names: Mapping[str, str], cells: int
) -> Iterator[Row]:
    """Return groups of keys next to each other, as many as fit; each goes to the shortest column."""
    groups = [(title, group) for title, group in groups if group]
    columns, widths = _arranged(groups, names, cells)
    shown = [list(_column_rows(column, names, wide)) for column, wide in zip(columns, widths, strict=True)]
    for beside in zip_longest(*shown, fillvalue=()):
        filled = [
            [*cell, (" " * (wide + GAP - width(cell)), "")] for cell, wide in zip(beside, widths, strict=True)
        ]
        yield [piece for cell in [*filled[:-1], beside[-1]] for piece in cell]


def _arranged(
    groups: Sequence[_Group], names: Mapping[str, str], cells: int
) -> tuple[Sequence[Sequence[_Group]], Sequence[int]]:
    """Return the largest number of columns in which no label is cut, and the width of each."""
    count = len(groups)
    while True:
        columns: list[list[_Group]] = [[] for _ in range(count)]
        for group in groups:
            shortest = min(columns, key=lambda column: sum(len(keys) + 2 for _, keys in column))
            shortest.append(group)
        widths = [_needed(column, names) for column in columns]
        left = cells - sum(widths) - GAP * (count - 1)
        if left >= 0 or count == 1:
            return columns, [max(1, wide + left // count) for wide in widths]
        count -= 1


def _needed(column: Sequence[_Group], names: Mapping[str, str]) -> int:
    """Return the width that a column needs for its keys and labels."""
    return max(
        _wide(keys, names) + 2 + max(cell_len(title), *(cell_len(key.label) for key in keys))
        for title, keys in column
    )


def _wide(keys: Sequence[Key], names: Mapping[str, str]) -> int:
    return max(cell_len(names[key.id]) for key in keys)


def _column_rows(column: Sequence[_Group], names: Mapping[str, str], room: int) -> Iterator[Row]:
    for at, (title, keys) in enumerate(column):
        if at:
            yield []
        wide = _wide(keys, names)
        yield [(" " * (wide + 2) + title, "strong")]
        yield from (_cell(key, names, wide, room) for key in keys)


def _cell(key: Key, names: Mapping[str, str], wide: int, room: int) -> Row:
    """Return a key right next to its label, with its dimmed id if there is room."""
    label = cut(key.label, room - wide - 2)
    row: list[Piece] = [(fitted(names[key.id], wide, right=True), "strong"), ("  ", ""), (label, "")]
    id = f"  {key.id}" if key.id != key.label else ""
    return [*row, (id, "muted")] if width(row) + cell_len(id) <= room else row


def _found(keys: HelpKeys, cells: int, sought: str) -> list[Row]:
    """Return the keys that match the search, those with that very name first."""
    ranked: list[tuple[int, int, tuple[str, str]]] = []
    for at, key in enumerate(KEYS):
        name = keys.names[key.id]
        where = "" if keys.screen in key.screens else f" ({', '.join(SCREEN_TITLES[s] for s in key.screens)})"
        ranked.append((_rank(sought, name, key.label, key.help, key.id), at, (name, f"{key.help}{where}")))
    for at, (name, says) in enumerate(keys.actions, len(KEYS)):
        ranked.append((_rank(sought, name, says, says, ""), at, (name, says)))
    found = [told for rank, _, told in sorted(ranked) if rank < _NO]
    return list(_sentences(found, cells)) if found else [[("no key matches", "warning")]]


_NO = 9


def _rank(sought: str, name: str, label: str, help: str, id: str) -> int:
    """Return how well a key matches, 0 for best."""
    label, help = label.casefold(), help.casefold()
    if name.casefold() == sought:
        return 0
    if label.startswith(sought):
        return 1
    words = f"{label} {help} {id}".split()
    is_there = all(any(word.startswith(part) for word in words) for part in sought.split())
    return 2 if is_there else _NO


def _sentences(keys: Sequence[tuple[str, str]], cells: int) -> Iterator[Row]:
    """Yield keys below each other, each with a whole sentence."""
    wide = max(cell_len(name) for name, _ in keys)
    for name, says in keys:
        first, *more = wrapped(printable(says), max(20, cells - wide - 4), "")
        yield [("  ", ""), (fitted(name, wide), "strong"), ("  ", ""), (first, "")]
        for line in more:
            yield [(" " * (wide + 4), ""), (line, "")]


def _own_keys(file: str) -> str:
    return (
        f'Set them in {printable(file)}, one per line, such as next = "f5". Keys for actions of a game go '
        'below the line [actions], such as move = "m". Names: ' + ", ".join(key.id for key in KEYS)
    )
