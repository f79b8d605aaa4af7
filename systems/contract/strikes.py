"""Carry out several strikes in one use of an action."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from systems.contract.series import Series, SeriesState, SeriesStrike
from systems.contract.table import Table


def several_strikes(
    table: Table,
    kinds: Sequence[Hashable],
    strike: Callable[[Table, Any, Any], SeriesStrike],
    seen: Callable[[SeriesState], Hashable],
) -> Series:
    """Carry out several strikes of one use, one after the other.

    `kinds`: what each strike is made with, such as weapons. `strike(table, kind, group)` carries out one.
    `seen(so_far)` returns all that a strike may know of the strikes before it, such as whether the target is
    prone, as one hashable value, or None if no further strike is made. The fewer such values there are, the
    faster are the odds. A strike must not depend on anything else.
    """
    return table.series(kinds, strike, seen, Series())
