"""What an explanation is made of: the summands of a total, and the rules that came into it."""

from collections.abc import Mapping

from systems.contract.outcome import Term
from systems.waygate.sheet import ATTRIBUTE_WORDS, Sheet, attribute_of


def attribute_term(sheet: Sheet, attribute: str | None) -> Term:
    """The attribute as a summand; without one 0, with the reason."""
    if attribute is None:
        return Term("no attribute", 0, "none was named")
    return Term(ATTRIBUTE_WORDS[attribute], attribute_of(sheet, attribute))


def counted(rules: Mapping[str, bool]) -> tuple[str, ...]:
    """The ids of the rules that came into it."""
    return tuple(rule for rule, counts in rules.items() if counts)
