"""Paint odds in columns: the number to beat, the chances to succeed and to drop the target, side effects."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.cells import cell_len

from systems.frozen import frozen
from systems.text import plain_number
from systems.visibility.rows import level_of
from tui.display.meters import figures_text
from tui.display.text import Piece, Row, cut, edge_of, fitted, printable, shortened, tinted

if TYPE_CHECKING:
    from systems.commands.preview import Preview
    from systems.contract.action import Action
    from systems.encounter.model import Combatant, Encounter


def percent(chance: Fraction | None) -> str:
    """Return a chance as `98%`; a possible result is never 0%, an uncertain one never 100%."""
    if chance is None:
        return ""
    if chance in (0, 1):
        return f"{int(chance * 100)}%"
    shown = round(chance * 100)
    return "<1%" if shown == 0 else ">99%" if shown == 100 else f"{shown}%"


def mean(amount: Fraction) -> str:
    """Return an expected amount: whole from ten on, with one decimal below."""
    rounded = round(float(amount), 1)
    return plain_number(round(amount)) if abs(rounded) >= 10 or rounded == int(rounded) else f"{rounded}"


def amount_words(odds: "Preview") -> str:
    """Return the expected amount as `expected 2.1` or, if it is healing, as `heals 8.5`."""
    return f"{_HEALS if odds.heals else _EXPECTED} {mean(odds.expected)}"


SIDE_EFFECTS = "side effects"
# In less than its heading needs, the column of side effects shows chances without words.
LEAST_EFFECTS, LIKELY_EFFECT = len(SIDE_EFFECTS), 16
SHORTEST_NAME, LONGEST_NAME = 12, 30
_BEFORE_NAME = 6  # the edge, a space, the tag and the space after it
ROOMY = 78  # below this the columns of the odds are close together
# What a total is compared with, by how it must compare.
NEEDED = {"more": "to beat", "at_least": "at least", "at_most": "at most"}
NEEDS = "needs"
_NEEDED_HEADS = frozenset((NEEDS, *NEEDED.values()))
_WORKS = "works"
_EXPECTED, _HEALS = "expected", "heals"
_AMOUNTS = (_EXPECTED, _HEALS)

TOO_MANY = "too many dice for the odds of the amount"


# Each heading with the width of its column.
Headings = tuple[tuple[str, int], ...]


@frozen
class OddsWords:
    """The odds against one target in words: a cell for each heading, then other effects.

    `effects`: each in words with its chance. `warns`: the other text is a warning of the game. `refused`: why
    there are no odds.
    """

    cells: tuple[str, ...] = ()
    effects: tuple[tuple[str, str], ...] = ()
    warns: bool = False
    refused: str = ""


@frozen
class OddsSubject:
    """The combatant of a row: the tag, the name, and the numbers of the first meter."""

    tag: str = "–"
    name: str = "nobody"
    figures: str = ""


def person_of(combatant: "Combatant | None", encounter: "Encounter") -> OddsSubject:
    """Return the combatant of a row, which may be None."""
    if combatant is None:
        return OddsSubject()
    meter = next(iter(encounter.game.meters), None)
    level = level_of(combatant, meter) if meter else None
    return OddsSubject(combatant.tag, combatant.name, figures_text(level) if level else "")


def may_drop(action: "Action") -> bool:
    """Return whether an action can drop a combatant; a check or healing can't."""
    return action.group not in ("check", "health")


def headings_of(action: "Action", drops: bool | None = None) -> Headings:
    """Return the headings for one action.

    `drops`: whether to show the chance to drop, if the action's group does not decide it.
    """
    headings: list[tuple[str, int]] = []
    if action.against:
        needs = action.needs
        headings.append((NEEDS, 14) if callable(needs) else (NEEDED[needs], 9))
    if action.success:
        headings.append((action.success_label if len(action.success_label) < 8 else _WORKS, 8))
    elif action.names_use:
        headings.append((_WORKS, 8))  # an effect may carry out an attack
    if drops if drops is not None else may_drop(action):
        headings.append(("drops", 7))
    if action.amount:
        headings.append((_EXPECTED, 9))
    return tuple(headings)


def known_headings(headings: Headings, known: Sequence["Preview"]) -> Headings:
    """Return the headings for the odds that are known.

    A number to beat needs no column if it is unknown in advance, and is in the heading once if it is the same
    for all. An action that may carry out another one has a chance only if that one does. The amount is named
    as healing if no target gets another one.
    """
    if known and all(odds.works is None for odds in known):
        headings = tuple(each for each in headings if each[0] != _WORKS)
    if any(odds.heals for odds in known) and all(odds.heals or not odds.expected for odds in known):
        headings = tuple((_HEALS if head == _EXPECTED else head, cells) for head, cells in headings)
    needs = {odds.needs for odds in known if odds.against is not None}
    told: list[tuple[str, int]] = []
    for head, cells in headings:
        if head not in _NEEDED_HEADS or not known:
            told.append((head, cells))
        elif needs:
            told.append((NEEDED[needs.pop()], 9) if len(needs) == 1 else (NEEDS, 14))
    return tuple(told)


def odds_words(headings: Headings, odds: "Preview | str") -> OddsWords:
    """Return odds, or why there are none, in the words of a row."""
    if isinstance(odds, str):
        return OddsWords(refused=odds)
    if odds.refused:
        return OddsWords(refused=odds.refused)
    cells = tuple(_cell(head, odds) for head, _ in headings)
    return OddsWords(cells, _effects(odds), bool(odds.notes.get("")))


def _cell(head: str, odds: "Preview") -> str:
    if head in _NEEDED_HEADS:
        if odds.is_rolled:
            return "a roll"
        return odds.needed if head == NEEDS or odds.against is None else plain_number(odds.against)
    if head == "drops":
        return percent(odds.drops)
    if head in _AMOUNTS:
        return "too many" if odds.too_many else mean(odds.expected)
    return percent(odds.works)


def _effects(odds: "Preview") -> tuple[tuple[str, str], ...]:
    """Return the game's notes, or else the side effects."""
    if note := odds.notes.get(""):
        return ((printable(note), ""),)
    return tuple((printable(text), f" {percent(chance)}") for text, chance in odds.effects)


def _all_of(effects: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{words}{chance}" for words, chance in effects)


def odds_sentence(action: "Action", odds: "Preview | str") -> str:
    """Return the odds of an action without target, in words."""
    if isinstance(odds, str):
        return odds
    if odds.refused:
        return odds.refused
    label = action.success_label or _WORKS
    parts = [f"{label} {percent(odds.works)}"] if odds.works is not None else []
    if odds.needed:
        parts.append(f"needs {odds.needed}")
    if odds.amounts:
        parts.append(amount_words(odds))
    if odds.too_many:
        parts.append(TOO_MANY)
    if odds.drops:
        parts.append(f"drops {percent(odds.drops)}")
    if effects := _effects(odds):
        parts.append(_all_of(effects))
    return " · ".join(parts)


def _close(head: tuple[str, int]) -> tuple[str, int]:
    """Return a heading with the minimum width of its column: its own words, or a chance, after a space."""
    return head[0], min(head[1], max(cell_len(head[0]), len(">99%")) + 1) if head[0] != NEEDS else head[1]


def _aligned(head: str, cell: str) -> str:
    """Return a cell padded in place of a missing decimal, so that tens line up."""
    return f"{cell}  " if head in _AMOUNTS and cell.lstrip("−").isdecimal() else cell


class OddsColumns:
    """The columns under some headings at one width.

    `marks`: the words that a row may be marked with. `names`, `figures`: the width of the longest name, and
    of the text after it. `title`: the width of the text left of the headings.
    """

    def __init__(
        self,
        headings: Headings,
        width: int,
        marks: Sequence[str] = (),
        figures: int = 0,
        names: int = LONGEST_NAME,
        title: int = 0,
    ) -> None:
        self.width = width
        self.headings_wide = headings if width >= ROOMY else tuple(map(_close, headings))
        self.mark = max((cell_len(mark) + 1 for mark in marks), default=0)
        room = width - _BEFORE_NAME - self.mark - sum(cells for _, cells in self.headings_wide) - 1
        name, figures = min(names, LONGEST_NAME), figures + 2 if figures else 0
        self.figures = figures if min(name, SHORTEST_NAME) + figures <= room else 0
        name = min(room - self.figures, name)
        self.effects = max(0, room - self.figures - name - 2)
        # The title may use what the likeliest effect does not need.
        spare = max(0, self.effects - LIKELY_EFFECT)
        wider = max(0, min(spare, title - _BEFORE_NAME - self.figures - self.mark - name))
        self.name, self.effects = name + wider, self.effects - wider
        if self.effects < LEAST_EFFECTS:
            # A few letters of them are useless; give the room to the names, except for a sign.
            self.name, self.effects = room - self.figures - 1, 0

    def headings(self) -> str:
        """Return the headings, right above their columns."""
        if not self.headings_wide:
            return ""
        cells = "".join(fitted(head, wide, right=True) for head, wide in self.headings_wide)
        return f"{cells}  {fitted(SIDE_EFFECTS, self.effects)}" if self.effects else cells

    def row(
        self,
        person: OddsSubject,
        odds: OddsWords | None,
        marked: bool,
        possible: bool = True,
        under_cursor: bool | None = None,
        mark: str = "",
    ) -> Row:
        """Return a target with its odds, or None while these are unknown.

        `marked`: Enter would aim at it. If it is not `possible`, the odds say why, and the row is dimmed.
        `mark`: the command's word for this target. `under_cursor`: whether the cursor is there, if that
        differs from `marked`.
        """
        name = fitted(shortened(printable(person.name), self.name), self.name)
        left: list[Piece] = [
            edge_of("cursor" if (marked if under_cursor is None else under_cursor) else ""),
            (" ", ""),
            (f"{person.tag:>3} ", "muted"),
            (name, "" if possible else "muted"),
            (fitted(person.figures, self.figures, right=True), "muted"),
            (fitted(mark, self.mark, right=True), "accent"),
        ]
        row = [*left, *self._odds(odds)]
        return tinted(row, self.width, "cursor") if marked else row

    def _odds(self, odds: OddsWords | None) -> list[Piece]:
        wide = sum(cells for _, cells in self.headings_wide) + (2 + self.effects if self.effects else 0)
        if odds is None:
            return [(fitted("…", next((cells for _, cells in self.headings_wide), 1), right=True), "muted")]
        if odds.refused or not (odds.cells or odds.effects):
            return [(fitted(f"  {printable(odds.refused)}", wide), "muted")]
        pieces: list[Piece] = [
            (fitted(_aligned(head, cell), cells, right=True), "muted" if head in _NEEDED_HEADS else "strong")
            for cell, (head, cells) in zip(odds.cells, self.headings_wide, strict=True)
        ]
        tone = "warning" if odds.warns else "muted"
        if not self.effects:
            return [*pieces, (" …", tone)] if odds.effects else pieces
        return [*pieces, ("  ", ""), (fitted(self._effects_that_fit(odds.effects), self.effects), tone)]

    def _effects_that_fit(self, effects: Sequence[tuple[str, str]]) -> str:
        """Return the side effects that fit, the likeliest first, then how many more.

        Of the first one the words may be cut, never its chance.
        """
        for left in range(len(effects) - 1):
            kept = _all_of(effects[: len(effects) - left])
            text = f"{kept} +{left}" if left else kept
            if cell_len(text) <= self.effects:
                return text
        if not effects:
            return ""
        words, chance = effects[0]
        rest = f"{chance} +{len(effects) - 1}" if effects[1:] else chance
        return cut(words, self.effects - cell_len(rest)) + rest
