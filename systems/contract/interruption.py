"""An interruption that counted in an outcome, such as a raised shield."""

from collections.abc import Mapping
from typing import Any

from systems.frozen import field, frozen


@frozen
class UsedInterruption:
    """An interruption that counted in an outcome; `interrupt.py` makes it.

    `of`: the role of its owner, or the id of a third party. `interrupt`: its kind, used up for this turn.
    `worth`: how much it added, None if it needs no number. `changes`: of its owner's sheet. `gives`:
    each GivenCondition, with the owner as `actor`. `unseen`: its owner is a third party that players don't
    see. `lowers`: it lowers the roll instead of raising the number against it. `met`: the roll of the actor
    against it in words, such as `constitution save 12 against 17`, and `withstood` whether that was enough.
    """

    name: str
    of: str
    interrupt: str
    worth: int | None = None
    changes: Mapping[str, object] = field(default={}, eq=False)
    gives: tuple[Any, ...] = ()
    unseen: bool = False
    lowers: bool = False
    met: str = ""
    withstood: bool = False

    @property
    def change(self) -> int:
        """Return what it changes, below 0 if it lowers a roll; 0 if it needs no number."""
        return -(self.worth or 0) if self.lowers else self.worth or 0
