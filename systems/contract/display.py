"""What the order and the card show of a sheet: statuses, meters, marks and figures."""

from typing import Any, Literal

from systems.contract.outcome import Term
from systems.frozen import frozen

Tone = Literal["plain", "muted", "good", "notice", "warning", "danger", "accent"]


@frozen
class StatusWord:
    """A status. `acts`: can take actions. `in_order`: its turn still comes up."""

    name: str
    tone: Tone = "plain"
    acts: bool = True
    in_order: bool = True


@frozen
class Meter:
    """A number with a maximum, drawn as a bar, or as pips with a symbol for each point.

    `symbols`: full and empty; `letter` replaces them if symbols can't be shown.
    """

    label: str
    now: str
    full: str
    style: Literal["bar", "pips"] = "bar"
    symbols: tuple[str, str] = ("●", "○")
    letter: str = ""

    def of(self, sheet: Any) -> tuple[int, int] | None:
        """Return the number and its maximum on a sheet; None if the maximum is 0."""
        now, full = getattr(sheet, self.now), getattr(sheet, self.full)
        return (now, full) if now or full else None


@frozen
class Mark:
    """A few words next to a combatant's name.

    `of_turn`: only during its turn. `tells`: the field of the sheet, or the label of the figure, with the
    same information; the mark is hidden while that is shown. `column`: the name of the column that shows
    this figure in the order. Text that begins with this name, such as `armour 12`, is aligned at its value.
    Leave out a figure at its usual value.
    """

    text: str
    tone: Tone = "plain"
    of_turn: bool = False
    tells: str = ""
    column: str = ""


@frozen
class Figure:
    """A derived number of the status screen, with its terms."""

    label: str
    value: int
    terms: tuple[Term, ...] = ()
    note: str = ""
