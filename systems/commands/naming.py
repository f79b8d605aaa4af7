"""Ids and names of combatants.

Hidden combatants are numbered apart, so they leave no gap among visible names.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from systems.encounter.model import Combatant, Encounter
from systems.encounter.tags import next_hidden_tag, tagged
from systems.text import LONGEST_NAME, without_accents

Named = list[tuple[str, str]]


def slug_of(name: str) -> str:
    """Return an id made from a name: lower case, no accents, words joined by hyphens."""
    return re.sub(r"[\W_]+", "-", without_accents(name).casefold()).strip("-")[:LONGEST_NAME] or "nameless"


def names(encounter: Encounter, base: str, side: str, number: int | None) -> Named:
    """Return ids and names for visible newcomers: `guard` and `Guard` alone, else `guard-1` and so on.

    Only combatants that are or were in sight use up a number: a missing number would reveal the others.
    """
    return _numbered(encounter, _known(encounter), base, side, number)


def names_to_arrive(encounter: Encounter, base: str, side: str, number: int | None) -> Named:
    """Return ids, and names like those of hidden combatants, for newcomers that arrive in a later round."""
    others = [combatant for combatant in encounter if not combatant.state.hidden]
    ids = [who for who, _ in _numbered(encounter, others, base, side, number)]
    return list(zip(ids, _unseen(encounter, base, number), strict=True))


def names_hidden(encounter: Encounter, base: str, side: str, number: int | None) -> Named:
    """Return ids that no visible combatant can get, and names: `Wolf` alone, or `Wolf h1` with the tag."""
    first = next_hidden_tag(encounter)
    slug = slug_of(base)
    return [(f"{slug}_h{at}", name) for at, name in enumerate(_unseen(encounter, base, number), first)]


def come_in_sight(encounter: Encounter, combatants: Sequence[Combatant]) -> list[Combatant]:
    """Return the combatants; those visible for the first time get the next visible names and tags.

    Combatants that share a name are numbered together: `Wolf 1` and so on, but `Wolf` if there is only one.
    """
    coming = {combatant.id for combatant in combatants}
    others = [other for other in encounter if other.id not in coming]
    named: dict[str, str] = {}
    for base in dict.fromkeys(each.state.plain_name for each in combatants if each.in_sight):
        alike = [each for each in combatants if each.in_sight and each.state.plain_name == base]
        if base:
            number = len(alike) if len(alike) > 1 else None
            new = _numbered(encounter, _known(others), base, alike[0].state.side, number)
            named |= {each.id: name for each, (_, name) in zip(alike, new, strict=True)}
    found: list[Combatant] = []
    for each in combatants:
        if not each.in_sight:
            found.append(each)
            continue
        known = each.with_state(name=named.get(each.id, each.state.name), plain_name=None)
        found.append(tagged(known, (*others, *found)))
    return found


def _known(combatants: Iterable[Combatant]) -> list[Combatant]:
    """Return the combatants that are or were in sight."""
    return [combatant for combatant in combatants if combatant.state.tag or combatant.in_sight]


def _numbered(
    encounter: Encounter, known: Collection[Combatant], base: str, side: str, number: int | None
) -> Named:
    """Return ids and names numbered after the highest number in use among the known combatants."""
    taken = {*(combatant.id for combatant in known), *(slug_of(combatant.name) for combatant in known)}
    slug = slug_of(base)
    numbered = re.compile(re.escape(slug) + r"-([0-9]{1,5})")
    used = [int(found[1]) for name in taken if (found := numbered.fullmatch(name))]
    sides = {side, *(combatant.side for combatant in known)}
    if number is None and not used and slug not in taken:
        return [(_free_id(encounter, own_slug(base, sides)), base)]
    first = max(used, default=0 if slug not in taken else 1) + 1
    numbers = range(first, first + (number or 1))
    return [(_free_id(encounter, f"{slug}-{at}"), f"{base} {at}") for at in numbers]


def group_name(encounter: Encounter, base: str, *, hidden: bool) -> str:
    """Return an unused name for a group: `guard`, `guard-2` and so on, ending in `_h` for a hidden group."""
    taken = {combatant.state.group for combatant in encounter}
    ending = "_h" if hidden else ""
    slug = slug_of(base)
    numbered = (slug, *(f"{slug}-{at}" for at in range(2, len(taken) + 3)))
    return next(name for number in numbered if (name := f"{number}{ending}") not in taken)


def own_slug(name: str, sides: Iterable[str]) -> str:
    """Return an id made from a name.

    An id that already means a tag, a side or `all` gets the prefix `the-`.
    """
    slug = slug_of(name)
    means_more = slug == "all" or re.fullmatch(r"h?[0-9]+(-h?[0-9]+)?", slug) or slug in map(slug_of, sides)
    return f"the-{slug}" if means_more else slug


def _free_id(encounter: Encounter, wanted: str) -> str:
    """Return the wanted id, or a variation of it if a combatant already has it."""
    found, at = wanted, 1
    while found in encounter.combatants:
        found, at = f"{wanted}-again-{at}", at + 1
    return found


def _unseen(encounter: Encounter, base: str, number: int | None) -> list[str]:
    """Return names that reveal no number: `Wolf` alone, or `Wolf h1` with the tag."""
    first = next_hidden_tag(encounter)
    alike = re.compile(rf"{re.escape(slug_of(base))}(-h?[0-9]{{1,5}})?")
    if number is None and not any(alike.fullmatch(slug_of(combatant.name)) for combatant in encounter):
        return [base]
    return [f"{base} h{at}" for at in range(first, first + (number or 1))]
