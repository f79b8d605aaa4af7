"""Odds in columns: what has to be beaten, the chances to work and to drop the target, side effects."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.cells import cell_len

from systems.frozen import frozen
from systems.text import plain_number
from tui.display.meters import figures_text
from tui.display.text import Piece, Row, fitted, printable, shortened, tinted
from tui.terminal.symbols import symbols

if TYPE_CHECKING:
    from systems.commands.preview import Preview
    from systems.contract.ruleset import Action
    from systems.encounter.model import Combatant, Encounter


def percent(chance: Fraction | None) -> str:
    """Return a chance as `98 %`; what can happen is never 0 %, what can fail never 100 %."""
    if chance is None:
        return ""
    if chance in (0, 1):
        return f"{int(chance * 100)} %"
    shown = round(chance * 100)
    return "<1 %" if shown == 0 else ">99 %" if shown == 100 else f"{shown} %"


def mean(amount: Fraction) -> str:
    """Return an expected amount: whole from ten on, with one decimal below."""
    rounded = round(float(amount), 1)
    return plain_number(round(amount)) if abs(rounded) >= 10 or rounded == int(rounded) else f"{rounded}"


LEAST_EFFECTS = 9
# What a total is held against, by how it has to stand to it.
NEEDED = {"more": "to beat", "at_least": "at least", "at_most": "at most"}
NEEDS, _SIGNS = "needs", {"more": ">", "at_least": ">=", "at_most": "<="}
_NEEDED_HEADS = frozenset((NEEDS, *NEEDED.values()))

TOO_MANY = "too many dice for the odds of the amount"


# Each heading with the cells of its column.
Heads = tuple[tuple[str, int], ...]


@frozen
class OddsWords:
    """The odds against one target in words: a cell below each heading, then what else may come of it.

    `warns`: what else is said is a warning of the game. `refused`: why there are no odds.
    """

    cells: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    warns: bool = False
    refused: str = ""


@frozen
class Person:
    """Who stands in a row: the tag, the name, and the figures of the first meter."""

    tag: str = "–"
    name: str = "nobody"
    figures: str = ""


def person_of(combatant: "Combatant | None", encounter: "Encounter") -> Person:
    """Return what stands in the row of a combatant; None is nobody."""
    if combatant is None:
        return Person()
    # A seat's own program paints odds and knows no combatant.
    from systems.visibility.rows import level_of

    meter = next(iter(encounter.game.meters), None)
    level = level_of(combatant, meter) if meter else None
    return Person(combatant.tag, combatant.name, figures_text(level) if level else "")


def heads_of(action: "Action", drops: bool | None = None) -> Heads:
    """Return the headings for one action.

    `drops`: whether the chance to drop stands there, where the action's group does not say so.
    """
    heads: list[tuple[str, int]] = []
    if action.against:
        heads.append((_needed_head(action), 9))
    if action.success:
        heads.append((action.success_label if len(action.success_label) < 8 else "works", 8))
    if drops if drops is not None else action.group not in ("check", "health"):
        heads.append(("drops", 7))
    if action.amount:
        heads.append(("expected", 9))
    return tuple(heads)


def _needed_head(action: "Action") -> str:
    # Where it is not the same for every target, the sign stands beside the number.
    return NEEDS if callable(action.needs) else NEEDED[action.needs]


def odds_words(heads: Heads, odds: "Preview | str") -> OddsWords:
    """Return odds, or why there are none, in the words that stand in a row."""
    if isinstance(odds, str):
        return OddsWords(refused=odds)
    if odds.refused:
        return OddsWords(refused=odds.refused)
    cells = tuple(_cell(head, odds) for head, _ in heads)
    return OddsWords(cells, _effects(odds), bool(odds.notes.get("")))


def _cell(head: str, odds: "Preview") -> str:
    if head in _NEEDED_HEADS:
        sign = f"{_SIGNS[odds.needs]} " if head == NEEDS else ""
        return "" if odds.against is None else sign + plain_number(odds.against)
    if head == "drops":
        return percent(odds.drops)
    if head == "expected":
        return "too many" if odds.too_many else mean(odds.expected)
    return percent(odds.works)


def _effects(odds: "Preview") -> tuple[str, ...]:
    """What the game says beforehand, else what may come of it."""
    if note := odds.notes.get(""):
        return (printable(note),)
    return tuple(f"{printable(text)} {percent(chance)}" for text, chance in odds.effects)


def odds_sentence(action: "Action", odds: "Preview | str") -> str:
    """Return the odds of an action without target, in words."""
    if isinstance(odds, str):
        return odds
    if odds.refused:
        return odds.refused
    label = action.success_label or "works"
    parts = [f"{label} {percent(odds.works)}"] if odds.works is not None else []
    if odds.needed:
        parts.append(f"needs {odds.needed}")
    if odds.amounts:
        parts.append(f"expected {mean(odds.expected)}")
    if odds.too_many:
        parts.append(TOO_MANY)
    if odds.drops:
        parts.append(f"drops {percent(odds.drops)}")
    if effects := ", ".join(_effects(odds)):
        parts.append(effects)
    return " · ".join(parts)


class OddsColumns:
    """The columns below some headings at one width.

    `marks`: the words that a row may be marked with. `figures`: how wide what stands behind the names is.
    """

    def __init__(self, heads: Heads, width: int, marks: Sequence[str] = (), figures: int = 0) -> None:
        self.width, self.heads_wide = width, heads
        self.mark = max((cell_len(mark) + 1 for mark in marks), default=0)
        self.figures = 9 if width >= 100 else 7 if width >= 78 else 0
        if figures > self.figures and (self.figures or not heads):
            self.figures = figures
        self.name = min(26, max(14, width // 4 - (5 if self.figures else 2)))
        used = 6 + self.name + self.figures + self.mark + sum(cells for _, cells in heads) + 3
        self.effects = max(0, width - used)
        if self.effects < LEAST_EFFECTS:
            # A few letters of them tell nothing; the names have more use for the room.
            self.name, self.effects = self.name + self.effects, 0

    def heads(self) -> str:
        """Return the headings, right above their columns."""
        if not self.heads_wide:
            return ""
        cells = "".join(fitted(head, wide, right=True) for head, wide in self.heads_wide)
        return f"{cells}  {fitted('side effects', self.effects)}" if self.effects else f"{cells}  "

    def row(
        self,
        person: Person,
        odds: OddsWords | None,
        marked: bool,
        possible: bool = True,
        under_cursor: bool | None = None,
        mark: str = "",
    ) -> Row:
        """Return a target with its odds; None while these are not known.

        `marked`: Enter would aim at it. Where it is not `possible`, the odds say why, and the row is dimmed.
        `mark`: the word for what the command says of this one.
        `under_cursor`: whether the cursor is there, where that is not the same as `marked`.
        """
        name = fitted(shortened(printable(person.name), self.name), self.name)
        left: list[Piece] = [
            (symbols().edge if (marked if under_cursor is None else under_cursor) else " ", "edge"),
            (" ", ""),
            (f"{person.tag:>3} ", "muted"),
            (name, "" if possible else "muted"),
            (fitted(person.figures, self.figures, right=True), "muted"),
            (fitted(mark, self.mark, right=True), "accent"),
        ]
        row = [*left, *self._odds(odds)]
        return tinted(row, self.width, "cursor") if marked else row

    def _odds(self, odds: OddsWords | None) -> list[Piece]:
        wide = sum(cells for _, cells in self.heads_wide) + 2 + self.effects
        if odds is None:
            return [(fitted("…", next((cells for _, cells in self.heads_wide), 1), right=True), "muted")]
        if odds.refused or not (odds.cells or odds.effects):
            return [(fitted(f"  {printable(odds.refused)}", wide), "muted")]
        pieces: list[Piece] = [
            (fitted(cell, cells, right=True), "muted" if head in _NEEDED_HEADS else "strong")
            for cell, (head, cells) in zip(odds.cells, self.heads_wide, strict=True)
        ]
        tone = "warning" if odds.warns else "muted"
        return [*pieces, ("  ", ""), (fitted(self._effects_that_fit(odds.effects), self.effects), tone)]

    def _effects_that_fit(self, effects: Sequence[str]) -> str:
        """What may come of it, whole as far as there is room: the likeliest first, then how many more."""
        for left in range(len(effects) - 1):
            kept = ", ".join(effects[: len(effects) - left])
            text = f"{kept} +{left}" if left else kept
            if cell_len(text) <= self.effects:
                return printable(text)
        if len(effects) < 2:
            return printable("".join(effects))
        rest = f" +{len(effects) - 1}"
        return printable(shortened(effects[0], self.effects - cell_len(rest)) + rest)
