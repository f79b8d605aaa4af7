"""The share of a branch of odds in which a roll of `Table.beside` had a certain result."""

from collections.abc import Iterable

from systems.frozen import frozen


@frozen
class Share:
    """In odds, the share of a branch in which a roll of `Table.beside` had this result: `many` in `of`.

    `roll` tells the rolls of one branch apart: two shares of one roll exclude or repeat each other, shares of
    different rolls are independent.
    """

    roll: int
    result: bool
    many: int
    of: int


def never_of(shares: Iterable[Share]) -> tuple[int, int]:
    """Return the part of a branch in which none of these results happens, as many out of a number.

    Results of one roll exclude each other, and rolls are independent.
    """
    rolls: dict[int, dict[bool, Share]] = {}
    for share in shares:
        rolls.setdefault(share.roll, {})[share.result] = share
    never = of = 1
    for results in rolls.values():
        whole = next(iter(results.values())).of
        never *= whole - sum(share.many for share in results.values())
        of *= whole
    return never, of
