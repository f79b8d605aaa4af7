"""Parts of an explanation: terms of a total, and the rules that applied."""

from collections.abc import Mapping

from systems.contract.outcome import Term
from systems.waygate.sheet import ATTRIBUTE_WORDS, Sheet, attribute_of


def attribute_term(sheet: Sheet, attribute: str | None) -> Term:
    """Return the attribute as a term; without an attribute the term is 0, with a note."""
    if attribute is None:
        return Term("no attribute", 0, "none was named")
    return Term(ATTRIBUTE_WORDS[attribute], attribute_of(sheet, attribute))


def counted(rules: Mapping[str, bool]) -> tuple[str, ...]:
    """Return the ids of the rules that applied."""
    return tuple(rule for rule, counts in rules.items() if counts)
