"""The result of a roll on which nothing later in the same action depends, such as a save after a hit."""

from typing import Any, NoReturn

from systems.contract.outcome import Fact, GivenCondition
from systems.contract.share import Share
from systems.frozen import evolve


class Aside:
    """The result of `Table.beside`: a roll that passed or failed and that nothing after it reads.

    In odds it is a share of its branch and makes no branches of its own. So it can't be tested or compared,
    at the table neither: give what it decides to `if_passed` and `if_failed`, put `fact` among the facts, and
    read `passed` and `sums` only in words (`Outcome.tell`).
    """

    __slots__ = ("_fact", "_shares", "_sums")

    def __init__(self, fact: Fact, sums: tuple[Any, ...], shares: tuple[Share, Share] | None = None) -> None:
        """Make the result. In odds, `shares` are those of passing and of failing."""
        self._fact, self._sums, self._shares = fact, sums, shares

    @property
    def fact(self) -> Fact:
        """Return whether it passed, as a fact; in odds both results with their shares."""
        return self._fact

    @property
    def passed(self) -> bool:
        """Return whether it passed, for words. Raises TypeError in odds."""
        if self._shares is not None:
            raise _misuse()
        return bool(self._fact)

    @property
    def sums(self) -> tuple[int, ...]:
        """Return the sums of its dice, for words. Raises TypeError in odds."""
        if self._shares is not None:
            raise _misuse()
        return self._sums

    def if_passed(self, *gives: GivenCondition) -> tuple[GivenCondition, ...]:
        """Return these conditions if it passed, or nothing; in odds, the conditions with their share."""
        return self._when(True, gives)

    def if_failed(self, *gives: GivenCondition) -> tuple[GivenCondition, ...]:
        """Return these conditions if it failed, or nothing; in odds, the conditions with their share."""
        return self._when(False, gives)

    def _when(self, result: bool, gives: tuple[GivenCondition, ...]) -> tuple[GivenCondition, ...]:
        if self._shares is None:
            return gives if bool(self._fact) is result else ()
        share = self._shares[0] if result else self._shares[1]
        return tuple(evolve(given, share=share) for given in gives) if share.many else ()

    def __bool__(self) -> bool:
        raise _misuse()

    def __eq__(self, other: object) -> NoReturn:
        raise _misuse()

    def __hash__(self) -> int:
        raise _misuse()


def _misuse() -> TypeError:
    return TypeError(
        "nothing may depend on a roll of table.beside; use table.chance for a result that is read"
    )
