"""Numbers, names and ids of combatants: every decision about them is made here.

A combatant has one number for the whole fight, its tag. If several combatants share a name, the number is
part of the name and of the id: `Guard 3`, `guard-3`. A creature gets the next number when it comes in sight.
Players' characters have the numbers after the creatures, which become final when the fight begins. No number,
name or id is given twice, except to a player's character that comes back.

A combatant out of sight, hidden or still to arrive, has a number of another series, `h1`, `h2` and so on, and
an id of that form: `guard_h1`. So the numbers in sight have no gap that reveals it. Once visible, it gets the
next number. At the table, both tags mean it.

A fight that an older version began keeps the rules of that version; see the end of this module.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from systems.encounter.events import Change
from systems.encounter.model import Combatant, CombatantState, Departed, Encounter
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.text import LONGEST_NAME, without_accents

_TAGS = r"(h?)([0-9]{1,5})(?:-h?([0-9]{1,5}))?"  # compiled when a tag is typed
OLDER = 1  # the value of `Progress.numbering` in a fight that an older version began
_LASTING = {"tag", "name", "plain_name"}  # fields of a combatant that a step back leaves unchanged
_LASTING_COUNTS = {"numbered", "unseen", "departed"}  # such fields of the progress

Named = list[tuple[str, str]]


def slug_of(name: str) -> str:
    """Return an id made from a name: lower case, no accents, words joined by hyphens."""
    return re.sub(r"[\W_]+", "-", without_accents(name).casefold()).strip("-")[:LONGEST_NAME] or "nameless"


def own_slug(name: str, sides: Iterable[str]) -> str:
    """Return an id made from a name.

    An id that already means a tag, a side or `all` gets the prefix `the-`.
    """
    return _unambiguous(slug_of(name), sides)


def _unambiguous(slug: str, sides: Iterable[str]) -> str:
    means_more = slug == "all" or re.fullmatch(r"h?[0-9]+(-h?[0-9]+)?", slug) or slug in map(slug_of, sides)
    return f"the-{slug}" if means_more else slug


def group_name(encounter: Encounter, base: str, *, hidden: bool) -> str:
    """Return an unused name for a group: `guard`, `guard-2` and so on, ending in `_h` for a hidden group."""
    taken = {combatant.state.group for combatant in encounter}
    ending = "_h" if hidden else ""
    slug = slug_of(base)
    numbered = (slug, *(f"{slug}-{at}" for at in range(2, len(taken) + 3)))
    return next(name for number in numbered if (name := f"{number}{ending}") not in taken)


def with_tags(encounter: Encounter, word: str) -> list[Combatant] | None:
    """Return the combatants with the tags of a word such as `3`, `1-3` or `h2`, or None if it is not a tag.

    A plain number matches combatants that are or were visible. A range that runs backwards matches none.
    """
    read = re.fullmatch(_TAGS, word.casefold())
    if read is None:
        return None
    first, last = int(read[2]), int(read[3] or read[2])
    name = "hidden_tag" if read[1] else "tag"
    numbers = {combatant.id: getattr(combatant.state, name) for combatant in encounter}
    found = [
        combatant
        for combatant in encounter
        if numbers[combatant.id] and first <= numbers[combatant.id] <= last
    ]
    return sorted(found, key=lambda combatant: numbers[combatant.id])


# Joining, coming in sight, leaving


def join(encounter: Encounter, state: CombatantState, sheet: Any, number: int | None = None) -> Encounter:
    """Return the encounter with newcomers, last in `progress.ids`, with their numbers, names and ids.

    `state`: their state; its name is that of the roster entry. `number`: how many; None for a single one.
    """
    if encounter.progress.numbering == OLDER:
        new = _older_newcomers(encounter, state, sheet, number)
        return _with_more(encounter, new)
    if state.hidden or state.arrives:
        return _join_unseen(encounter, state, sheet, number)
    if _joins_as_character(encounter, state, number):
        return _distinct(_renumbered(_join_character(encounter, state, sheet)))
    first, count = _last_number(encounter) + 1, number or 1
    alone = count == 1 and not _is_taken(encounter, state.name)
    new = [
        Combatant(
            _numbered_id(encounter, state, at, alone=alone),
            replace(state, name=_numbered_name(state.name, at, alone=alone), tag=at),
            sheet,
        )
        for at in range(first, first + count)
    ]
    return _distinct(_renumbered(_with_more(encounter, new).with_progress(numbered=first + count - 1)))


def come_in_sight(encounter: Encounter, combatants: Sequence[Combatant]) -> Encounter:
    """Return the encounter with these combatants changed; those now visible for the first time get numbers.

    They also get the names that go with the numbers.
    """
    if encounter.progress.numbering == OLDER:
        return encounter.with_combatants(*_older_in_sight(encounter, combatants))
    coming = [each for each in combatants if each.in_sight and not each.state.tag]
    plain_names = [each.state.plain_name for each in coming]
    known = encounter
    encounter = encounter.with_combatants(*combatants)
    for each in coming:
        base = each.state.plain_name or each.state.name
        is_character = each.state.name == base and encounter.is_player(each)
        back = _departed_character(encounter, each.state.kind, base) if is_character else None
        if is_character and not encounter.progress.round:
            encounter = encounter.with_combatants(each.with_state(plain_name=base))
            continue
        alone = plain_names.count(base) < 2 and (back is not None or not _is_taken(known, base))
        number = back.tag if back and back.tag else _last_number(encounter) + 1
        name = each.state.name if each.state.plain_name is None else _numbered_name(base, number, alone=alone)
        named = each.with_state(name=name, plain_name=None, tag=number)
        last = max(number, encounter.progress.numbered)
        encounter = _without_departed(encounter, back).with_combatants(named).with_progress(numbered=last)
    return _distinct(_renumbered(encounter))


def hide(encounter: Encounter, combatants: Iterable[Combatant]) -> Encounter:
    """Return the encounter with these combatants hidden, each with a tag such as `h1`.

    A combatant keeps its ordinary number, too, if that number is final.
    """
    for each in combatants:
        number = each.state.hidden_tag or _last_unseen(encounter) + 1
        hidden = each.with_state(hidden=True, hidden_tag=number)
        if encounter.progress.numbering != OLDER:
            if _is_provisional(encounter, each):
                hidden = hidden.with_state(tag=0, name=each.state.plain_name)
            encounter = encounter.with_progress(unseen=max(number, encounter.progress.unseen))
        encounter = encounter.with_combatants(hidden)
    return _renumbered(encounter)


def renamed(combatant: Combatant, name: str) -> Combatant:
    """Return the combatant with another name, which it keeps when its number becomes final."""
    plain_name = None if combatant.state.plain_name is None else name
    return combatant.with_state(name=name, plain_name=plain_name)


def begin(encounter: Encounter) -> Encounter:
    """Return the encounter with the numbers of its players' characters final, as the fight begins."""
    if encounter.progress.numbering == OLDER:
        return encounter.with_combatants(*_older_in_order(encounter))
    encounter = _complete(encounter)
    last = max((each.state.tag for each in encounter), default=0)
    final = [each.with_state(plain_name=None) for each in encounter if _is_provisional(encounter, each)]
    return encounter.with_combatants(*final).with_progress(numbered=max(last, encounter.progress.numbered))


def leave(encounter: Encounter, ids: Collection[str]) -> Encounter:
    """Return the encounter without these combatants. Nobody else gets their numbers, names and ids."""
    progress = encounter.progress
    gone = evolve(
        encounter,
        combatants={who: each for who, each in encounter.combatants.items() if who not in ids},
        progress=replace(progress, ids=tuple(who for who in progress.ids if who not in ids)),
    )
    gone = _parted(gone, ids)
    if progress.numbering == OLDER:
        return gone
    departed = [
        found for who in ids if (found := _departure(encounter, encounter.combatants[who])) is not None
    ]
    if departed:
        gone = gone.with_progress(departed=(*progress.departed, *departed))
    return _renumbered(gone)


def _parted(encounter: Encounter, gone: Collection[str]) -> Encounter:
    """Return the encounter in which no combatant is near one that has left."""
    changed = [
        combatant.with_state(near=tuple(who for who in combatant.state.near if who not in gone))
        for combatant in encounter
        if not set(gone).isdisjoint(combatant.state.near)
    ]
    return encounter.with_combatants(*changed) if changed else encounter


def plain_name(combatant: Combatant) -> str:
    """Return the name of a combatant without its number."""
    state = combatant.state
    if state.plain_name:
        return state.plain_name
    return re.sub(r" (\(\d+\)|h?\d+)$", "", state.name) or state.name


def read_numbers(encounter: Encounter) -> Encounter:
    """Return an encounter just read, with numbers for the combatants that have none in its file."""
    if encounter.progress.numbering != OLDER:
        return _renumbered(_complete(encounter))
    found: list[Combatant] = []
    for each in encounter:
        found.append(_older_tagged(each, found))
    return encounter.with_combatants(*found)


def lasts(encounter: Encounter, change: Change) -> bool:
    """Return whether a step back leaves a change unchanged, because a number once given is final."""
    if encounter.progress.numbering == OLDER:
        return False
    return change.field in (_LASTING if change.who else _LASTING_COUNTS)


def _with_more(encounter: Encounter, new: Sequence[Combatant]) -> Encounter:
    """Return the encounter with newcomers."""
    ids = (*encounter.progress.ids, *(each.id for each in new))
    return encounter.with_combatants(*new).with_progress(ids=ids)


def _join_unseen(encounter: Encounter, state: CombatantState, sheet: Any, number: int | None) -> Encounter:
    """Return the encounter with newcomers out of sight: `Wolf` alone, else `Wolf h1`; the id is `wolf_h1`."""
    base, first, count = state.name, _last_unseen(encounter) + 1, number or 1
    is_back = number is None and _departed_character(encounter, state.kind, base) is not None
    alone = count == 1 and (is_back or not _is_alike(base, _names(encounter, encounter)))
    new = [
        Combatant(
            f"{slug_of(base)}_h{at}",
            replace(state, name=base if alone else f"{base} h{at}", hidden_tag=at, plain_name=base),
            sheet,
        )
        for at in range(first, first + count)
    ]
    return _with_more(encounter, new).with_progress(unseen=first + count - 1)


def _join_character(encounter: Encounter, state: CombatantState, sheet: Any) -> Encounter:
    """Add a player's character. A character that comes back keeps its number and its id."""
    base = state.name
    back = _departed_character(encounter, state.kind, base)
    who = back.name if back else _free_id(encounter, slug_of(base), state.side)
    encounter = _without_departed(encounter, back)
    if not encounter.progress.round:
        return _with_more(encounter, [Combatant(who, replace(state, plain_name=base), sheet)])
    number = back.tag if back and back.tag else _last_number(encounter) + 1
    name = _numbered_name(base, number, alone=True)
    last = max(number, encounter.progress.numbered)
    new = Combatant(who, replace(state, name=name, tag=number), sheet)
    return _with_more(encounter, [new]).with_progress(numbered=last)


def _joins_as_character(encounter: Encounter, state: CombatantState, number: int | None) -> bool:
    """Return whether a newcomer is a player's character with a name that no combatant in sight has had."""
    if number is not None or state.side != encounter.players:
        return False
    is_back = _departed_character(encounter, state.kind, state.name) is not None
    return is_back or not _is_taken(encounter, state.name)


def _is_provisional(encounter: Encounter, combatant: Combatant) -> bool:
    """Return whether a combatant's number may still change, as a player's character's before the start."""
    return not encounter.progress.round and combatant.in_sight and combatant.state.plain_name is not None


def _renumbered(encounter: Encounter) -> Encounter:
    """Return the encounter with the provisional numbers after all others."""
    if encounter.progress.round or encounter.progress.numbering == OLDER:
        return encounter
    changed, number = [], _last_number(encounter)
    for each in encounter:
        if _is_provisional(encounter, each):
            number += 1
            name = _numbered_name(str(each.state.plain_name), number, alone=True)
            if (each.state.tag, each.name) != (number, name):
                changed.append(each.with_state(tag=number, name=name))
    return encounter.with_combatants(*changed) if changed else encounter


def _complete(encounter: Encounter) -> Encounter:
    """Return the encounter with a number for each combatant that has none, as in a file written by hand."""
    for each in encounter:
        state = each.state
        if not each.in_sight:
            if not state.hidden_tag and not state.tag:
                number = _last_unseen(encounter) + 1
                encounter = encounter.with_combatants(each.with_state(hidden_tag=number))
        elif not state.tag and encounter.is_player(each) and not encounter.progress.round:
            encounter = encounter.with_combatants(each.with_state(plain_name=state.plain_name or each.name))
        elif not state.tag:
            encounter = encounter.with_combatants(each.with_state(tag=_last_number(encounter) + 1))
    return _renumbered(encounter)


def _last_number(encounter: Encounter) -> int:
    """Return the highest final number that was ever given, or 0."""
    final = (each.state.tag for each in encounter if not _is_provisional(encounter, each))
    return max(encounter.progress.numbered, max(final, default=0))


def _last_unseen(encounter: Encounter) -> int:
    """Return the highest number of the series `h1`, `h2` that was ever given, or 0."""
    return max(encounter.progress.unseen, max((each.state.hidden_tag for each in encounter), default=0))


def _numbered_name(base: str, number: int, *, alone: bool) -> str:
    """Return `Wolf 4`, or `Wolf` for a single one. A name that ends in a number becomes `Unit 7 (4)`."""
    if _ends_in_number(base):
        return f"{base} ({number})"
    return base if alone else f"{base} {number}"


def _ends_in_number(name: str) -> bool:
    return re.search(r"(^|-)h?[0-9]+$", slug_of(name)) is not None


def _numbered_id(encounter: Encounter, state: CombatantState, number: int, *, alone: bool) -> str:
    slug = slug_of(state.name)
    is_plain = alone and not _ends_in_number(state.name)
    return _free_id(encounter, slug if is_plain else f"{slug}-{number}", state.side)


def _free_id(encounter: Encounter, slug: str, side: str) -> str:
    """Return an id that nobody has had: the slug, or a variation of it."""
    wanted = _unambiguous(slug, {side, *(each.side for each in _known(encounter))})
    taken = {*encounter.combatants, *(each.name for each in encounter.progress.departed)}
    found, at = wanted, 1
    while found in taken:
        found, at = f"{wanted}-again-{at}", at + 1
    return found


def _is_taken(encounter: Encounter, base: str) -> bool:
    """Return whether a combatant that is or was in sight has this name, with or without a number."""
    return _is_alike(base, _names(encounter, _known(encounter), seen=True))


def _names(encounter: Encounter, combatants: Iterable[Combatant], *, seen: bool = False) -> set[str]:
    """Return names and ids of these combatants and of departed ones, with `seen` only if players saw them."""
    found = {name for each in combatants for name in (each.id, each.name)}
    departed = (each for each in encounter.progress.departed if each.seen or not seen)
    return found | {name for each in departed for name in (each.name, each.called)}


def _is_alike(base: str, names: Iterable[str]) -> bool:
    """Return whether one of the names is this name, with or without a number."""
    alike = re.compile(rf"{re.escape(slug_of(base))}(-h?[0-9]{{1,5}})?")
    return any(alike.fullmatch(slug_of(name)) for name in names)


def _distinct(encounter: Encounter) -> Encounter:
    """Return the encounter with `Wolf h1` for a hidden combatant whose name a visible one has taken.

    A visible combatant cannot have another name: it would reveal the hidden one.
    """
    unseen = [each for each in encounter if not each.in_sight and not each.state.tag]
    names = {slug_of(each.name) for each in _known(encounter)} if unseen else set()
    changed = [
        each.with_state(name=f"{each.state.plain_name or each.name} h{each.state.hidden_tag}")
        for each in unseen
        if slug_of(each.name) in names
    ]
    return encounter.with_combatants(*changed) if changed else encounter


def _known(combatants: Iterable[Combatant]) -> list[Combatant]:
    """Return the combatants that are or were in sight."""
    return [combatant for combatant in combatants if combatant.state.tag or combatant.in_sight]


def _departure(encounter: Encounter, combatant: Combatant) -> Departed | None:
    """Return what to remember of a combatant that leaves.

    A name with its own number needs no memory, because no number is given twice.
    """
    state = combatant.state
    own = (f" {state.tag}", f" ({state.tag})") if state.tag else (f" h{state.hidden_tag}",)
    if state.name.endswith(own):
        return None
    is_final = bool(encounter.progress.round) or state.plain_name is None
    given: dict[str, Any] = {"name": combatant.id, "called": state.name, "tag": state.tag if is_final else 0}
    if not state.tag:
        given["seen"] = False
    elif encounter.is_player(combatant) and state.kind:
        given["kind"] = state.kind
    return Departed(**given, given=frozenset(given))


def _departed_character(encounter: Encounter, kind: str | None, base: str) -> Departed | None:
    """Return the entry of a player's character that left the fight, or None."""
    return next(
        (
            each
            for each in encounter.progress.departed
            if kind is not None and each.kind == kind and slug_of(each.called) == slug_of(base)
        ),
        None,
    )


def _without_departed(encounter: Encounter, back: Departed | None) -> Encounter:
    """Return the encounter without the entry of a character that comes back."""
    if back is None:
        return encounter
    return encounter.with_progress(
        departed=tuple(each for each in encounter.progress.departed if each is not back)
    )


# The rules of fights that an older version began: combatants are numbered in the order of turns when the
# fight begins, and those of one name are counted apart.


def _older_newcomers(
    encounter: Encounter, state: CombatantState, sheet: Any, number: int | None
) -> list[Combatant]:
    base, side = state.name, state.side
    if state.hidden:
        first = _last_unseen(encounter) + 1
        names = _older_unseen_names(encounter, base, number)
        named = [(f"{slug_of(base)}_h{at}", name) for at, name in enumerate(names, first)]
    elif state.arrives:
        others = [combatant for combatant in encounter if not combatant.state.hidden]
        ids = [who for who, _ in _older_names(encounter, others, base, side, number)]
        named = list(zip(ids, _older_unseen_names(encounter, base, number), strict=True))
    else:
        named = _older_names(encounter, _known(encounter), base, side, number)
    plain_name = base if state.hidden or state.arrives else None
    new: list[Combatant] = []
    for who, name in named:
        combatant = Combatant(who, replace(state, name=name, plain_name=plain_name), sheet)
        new.append(_older_tagged(combatant, (*encounter, *new)))
    return new


def _older_names(
    encounter: Encounter, known: Collection[Combatant], base: str, side: str, number: int | None
) -> Named:
    """Return ids and names numbered after the highest number in use among the known combatants."""
    taken = {*(combatant.id for combatant in known), *(slug_of(combatant.name) for combatant in known)}
    slug = slug_of(base)
    numbered = re.compile(re.escape(slug) + r"-([0-9]{1,5})")
    used = [int(found[1]) for name in taken if (found := numbered.fullmatch(name))]
    sides = {side, *(combatant.side for combatant in known)}
    if number is None and not used and slug not in taken:
        return [(_older_free_id(encounter, own_slug(base, sides)), base)]
    first = max(used, default=0 if slug not in taken else 1) + 1
    numbers = range(first, first + (number or 1))
    return [(_older_free_id(encounter, f"{slug}-{at}"), f"{base} {at}") for at in numbers]


def _older_free_id(encounter: Encounter, wanted: str) -> str:
    found, at = wanted, 1
    while found in encounter.combatants:
        found, at = f"{wanted}-again-{at}", at + 1
    return found


def _older_unseen_names(encounter: Encounter, base: str, number: int | None) -> list[str]:
    first = _last_unseen(encounter) + 1
    alike = re.compile(rf"{re.escape(slug_of(base))}(-h?[0-9]{{1,5}})?")
    if number is None and not any(alike.fullmatch(slug_of(combatant.name)) for combatant in encounter):
        return [base]
    return [f"{base} h{at}" for at in range(first, first + (number or 1))]


def _older_in_sight(encounter: Encounter, combatants: Sequence[Combatant]) -> list[Combatant]:
    """Return the combatants; those visible for the first time get the next visible names and tags."""
    coming = {combatant.id for combatant in combatants}
    others = [other for other in encounter if other.id not in coming]
    named: dict[str, str] = {}
    for base in dict.fromkeys(each.state.plain_name for each in combatants if each.in_sight):
        alike = [each for each in combatants if each.in_sight and each.state.plain_name == base]
        if base:
            number = len(alike) if len(alike) > 1 else None
            new = _older_names(encounter, _known(others), base, alike[0].state.side, number)
            named |= {each.id: name for each, (_, name) in zip(alike, new, strict=True)}
    found: list[Combatant] = []
    for each in combatants:
        if not each.in_sight:
            found.append(each)
            continue
        known = each.with_state(name=named.get(each.id, each.state.name), plain_name=None)
        found.append(_older_tagged(known, (*others, *found)))
    return found


def _older_tagged(combatant: Combatant, others: Iterable[Combatant]) -> Combatant:
    """Return the combatant with the next tag of its series, if it has none."""
    state = combatant.state
    if combatant.in_sight:
        last = max((other.state.tag for other in others), default=0)
        return combatant if state.tag else combatant.with_state(tag=last + 1)
    if state.hidden_tag or state.tag:
        return combatant
    return combatant.with_state(hidden_tag=max((other.state.hidden_tag for other in others), default=0) + 1)


def _older_in_order(encounter: Encounter) -> list[Combatant]:
    """Return the combatants tagged for the start of the fight. Visible ones are numbered in turn order."""
    found: list[Combatant] = []
    for combatant in encounter.in_line():
        if combatant.in_sight:
            last = max((other.state.tag for other in found), default=0)
            found.append(combatant.with_state(tag=last + 1))
        else:
            hidden = max(each.state.hidden_tag for each in (*encounter, *found))
            number = combatant.state.hidden_tag or hidden + 1
            found.append(combatant.with_state(tag=0, hidden_tag=number))
    return found
