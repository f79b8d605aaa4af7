"""Look up typed words: combatants, conditions and roster entries.

`systems.text.matches` defines the levels of a match, for prompts, the command line, `run` and requests alike.
If two names match on the same level, the word is refused and both are named.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from systems.contract.condition import is_set
from systems.contract.ruleset import FOES
from systems.encounter.model import Combatant, Encounter
from systems.encounter.roster import JoiningEntry, Roster, names_of, parties
from systems.encounter.tags import with_tags
from systems.errors import Refused
from systems.frozen import evolve
from systems.language.intents import Add
from systems.schema.fields import fields_of
from systems.text import (
    clean,
    listed,
    matches,
    nearest,
    plain_word,
    shown,
    singulars,
    spelled,
    starting_with,
    what_there_is,
)

# Returns the ids that words name.
Meant = Callable[[Encounter, str], tuple[str, ...]]
CONDITION_LETTERS = 3
NEAR = "near:"  # begins a word for a combatant and those near it
_MOST_FITTING = 12  # matches that an error names
NEAR_NAME = 0.7  # a new name at least this similar to a known one counts as a misspelling of it


def names_in_lines(encounter: Encounter) -> tuple[str, ...]:
    """Return the names of several words, which a command line accepts without quotes."""
    return tuple(name for combatant in encounter if " " in (name := combatant.name))


def targets(encounter: Encounter, text: str) -> tuple[str, ...]:
    """Return the ids that TARGETS names, each once. Raises Refused for a word that matches no combatant."""
    found: dict[str, None] = {}
    for word in text.split(","):
        if word.strip():
            found |= dict.fromkeys(_named(encounter, word.strip()))
    if not found:
        raise Refused(f"{shown(text)} names nobody")
    return tuple(found)


def targets_once(encounter: Encounter, text: str) -> tuple[str, ...]:
    """Return the ids that TARGETS names. Raises Refused also if a combatant is named twice."""
    found = targets(encounter, text)
    named = [tuple(_named(encounter, word.strip())) for word in text.split(",") if word.strip()]
    for who in found:
        if named.count((who,)) > 1:
            raise Refused(f"{encounter.combatants[who].name} is named twice; once is enough")
    return found


def single(encounter: Encounter, text: str, meant: Meant = targets) -> Combatant:
    """Return the one combatant that a word names. Raises Refused for none or several.

    `meant`: returns the ids that the word names.
    """
    found = meant(encounter, text)
    if len(found) > 1:
        raise Refused(f"{shown(text)} names several: {several_names(encounter, found)}")
    return encounter.combatants[found[0]]


def several_names(encounter: Encounter, ids: Sequence[str]) -> str:
    """Return the first few names as a list in words."""
    return listed(encounter.combatants[who].name for who in ids[:4]) + (" …" if len(ids) > 4 else "")


def _named(encounter: Encounter, word: str) -> Iterable[str]:
    """Return ids by id, tag or range, name, `all`, side, or the beginning of an id or of a word in a name.

    `near:3` is a combatant and all near it.
    """
    if word in encounter.combatants:
        return (word,)
    if word.casefold().startswith(NEAR):
        middle = single(encounter, word[len(NEAR) :])
        return (middle.id, *(other.id for other in encounter.neighbours(middle)))
    if (found_by_tag := _tagged(encounter, word)) is not None:
        return found_by_tag
    names = {combatant.id: combatant.name for combatant in encounter}
    if exact := spelled(word, names, names):
        return only(word, exact, labels(encounter, exact))
    if plain_word(word) == "all":
        return _here(list(encounter), word)
    if side := spelled(word, dict.fromkeys(combatant.side for combatant in encounter)):
        return _here([combatant for combatant in encounter if combatant.side in side], word)
    if found := starting_with(word, names, names):
        return only(word, found, labels(encounter, found))
    near = _nearest(word, names)
    says = f"nobody here is called {shown(word)}{_suggested(word, names, near, 'combatants')}"
    raise Refused(says, code="unknown_name", suggestion=near, word=word)


def _nearest(word: str, names: Mapping[str, str]) -> str:
    """Return the key whose name, or a word of it, is probably meant; "" when none is near.

    Return the word itself if several names have it.
    """
    whole = {form: key for key, name in names.items() for form in (name, key)}
    parts = Counter(part for name in names.values() for part in set(name.split()))
    owners = {part: key for key, name in names.items() for part in name.split() if parts[part] == 1}
    near = nearest(word, dict.fromkeys([*whole, *parts]))
    return whole.get(near) or owners.get(near) or near


def _suggested(word: str, names: Mapping[str, str], near: str, kind: str) -> str:
    """Return `; did you mean Mira?` for the nearest key or word, else a list of the most similar names."""
    return (
        f"; did you mean {clean(names.get(near, near), 60)}?"
        if near
        else what_there_is(word, names.values(), kind)
    )


def labels(encounter: Encounter, ids: Sequence[str]) -> tuple[str, ...]:
    """Return the names of combatants, each with its tag if two have the same name."""
    named = [encounter.combatants[who] for who in ids]
    names = [combatant.name for combatant in named]
    return tuple(
        combatant.name if names.count(combatant.name) == 1 else f"{combatant.name} ({combatant.tag})"
        for combatant in named
    )


def only(word: str, found: Sequence[str], names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the ids if there is at most one. Raises Refused with the names if there are several."""
    if len(found) > 1:
        some = [clean(name, 60) for name in names or found]
        more = " …" if len(some) > 5 else ""
        raise Refused(f"{shown(word)} could be {listed(some[:5], 'or')}{more}", code="ambiguous")
    return tuple(found)


def _here(those: Iterable[Combatant], word: str) -> Iterable[str]:
    """Return the ids of the combatants that have arrived. Raises Refused if there are none."""
    found = [combatant.id for combatant in those if not combatant.state.arrives]
    if not found:
        raise Refused(f"{shown(word)} matches no combatant that has arrived")
    return found


def _tagged(encounter: Encounter, word: str) -> Iterable[str] | None:
    """Return the ids with the tags of a word, or None for other words. Raises Refused for an empty range."""
    found = with_tags(encounter, word)
    if found is None:
        return None
    first, _, last = word.partition("-")
    if last and int(last.lstrip("hH")) < int(first.lstrip("hH")):
        raise Refused(f"the range {word} runs backwards")
    if not found:
        tags = sorted(combatant.state.tag for combatant in encounter if combatant.state.tag)
        there = f"; tags go from {tags[0]} to {tags[-1]}" if tags else ""
        raise Refused(f"nobody has the tag {first}{there or '; nobody is in the fight'}")
    return [combatant.id for combatant in found]


def arrived(combatant: Combatant) -> None:
    """Raise Refused if a combatant is still to arrive."""
    if combatant.state.arrives:
        raise Refused(f"{combatant.name} {combatant.arrival}")


def present(encounter: Encounter, combatant: Combatant) -> None:
    """Raise Refused if a combatant has not arrived or is out of the fight."""
    arrived(combatant)
    word = encounter.status(combatant)
    if not word.in_order:
        raise Refused(f"{combatant.name} is {word.name}; choose another target")


def standing(encounter: Encounter, ids: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of combatants that have arrived and are in the fight.

    Raises Refused if there are none.
    """
    combatants = encounter.combatants
    found = [
        who for who in ids if not combatants[who].state.arrives and encounter.status(combatants[who]).in_order
    ]
    if not found:
        present(encounter, combatants[ids[0]])
    return tuple(found)


# Conditions


def known_conditions(encounter: Encounter) -> tuple[str, ...]:
    """Return the game's conditions, then the custom ones in use."""
    own = [condition.name for condition in encounter.game.conditions]
    held_names = (held.name for combatant in encounter for held in combatant.conditions)
    return tuple(dict.fromkeys((*own, *held_names)))


def side_meant(encounter: Encounter, typed: str, *, quoted: bool = False) -> str:
    """Return the side that `typed` means.

    A side of the fight, the players' side and the foes match in either spelling. Any other name is a new
    side. Raises Refused for a near miss of a known side, unless it is `quoted`.
    """
    known = dict.fromkeys((encounter.players, FOES, *(combatant.side for combatant in encounter)))
    name = clean(typed, 40)
    if found := spelled(name, known):
        return found[0]
    if not quoted and (near := nearest(name, known, NEAR_NAME)):
        says = f"there is no side {shown(name)}; did you mean {near}? Use quotes for a new side"
        raise Refused(says, code="unknown_name", suggestion=near, word=typed)
    return name


def condition_named(encounter: Encounter, typed: str, *, quoted: bool = False) -> str:
    """Return the name of the condition that `typed` means.

    The game's conditions match by name or, unless `quoted`, by a unique beginning of three letters or more.
    Any other text is the name of a custom condition. Raises Refused if two conditions match, and for an
    unquoted name that looks like a misspelling of a game's condition.
    """
    own = [condition.name for condition in encounter.game.conditions]
    found = spelled(typed, own) if quoted else matches(typed, own, least=CONDITION_LETTERS)
    if found:
        return only(typed, found)[0]
    name = clean(typed, 40)
    if not name:
        raise Refused("a condition needs a name")
    if not quoted and (near := nearest(name, own, NEAR_NAME)):
        says = f"unknown condition {shown(name)}; did you mean {near}? Use quotes for your own"
        raise Refused(says, code="unknown_name", suggestion=near, word=typed)
    return name


def held_conditions(encounter: Encounter, ids: Sequence[str]) -> tuple[str, ...]:
    """Return the conditions that any of these combatants has, including those stored on its sheet."""
    names: dict[str, None] = {}
    for who in ids:
        combatant = encounter.combatants[who]
        for condition in encounter.game.conditions:
            if condition.field and is_set(condition, combatant.sheet):
                names[condition.name] = None
        names |= dict.fromkeys(held.name for held in combatant.conditions)
    return tuple(names)


def held_condition(encounter: Encounter, ids: Sequence[str], typed: str, *, quoted: bool = False) -> str:
    """Return the condition to clear: one that these combatants have, else the result of `condition_named`."""
    names = held_conditions(encounter, ids)
    found = spelled(typed, names) if quoted else matches(typed, names, least=CONDITION_LETTERS)
    return only(typed, found)[0] if found else condition_named(encounter, typed, quoted=quoted)


def valued_condition(encounter: Encounter, who: str, typed: str) -> str:
    """Return the condition of a combatant that has a value and matches a word, or "".

    A sheet field of that name takes precedence.
    """
    combatant = encounter.combatants[who]
    names = [held.name for held in combatant.conditions if held.value is not None]
    found = matches(typed.replace('"', ""), names, least=CONDITION_LETTERS)
    if not found:
        return ""
    return "" if spelled(typed, fields_of(type(combatant.sheet))) else only(typed, found)[0]


# The roster


def meant_addition(roster: Mapping[str, JoiningEntry], intent: Add, players: str) -> Add:
    """Return what to add, with the number next to a kind read as part of a name or as a count.

    With a count the kind may be plural: `4 ghouls`.
    """
    names = names_of(roster)
    number = intent.number
    if intent.numbered_kind:
        if spelled(intent.numbered_kind, names, names):
            return evolve(intent, kind=intent.numbered_kind, numbered_kind="")
        before, _, after = intent.numbered_kind.partition(intent.kind)
        number = number or int(f"{before}{after}".casefold().strip(" x"))
    kind = _singular(roster, intent.kind, players) if number is not None else intent.kind
    return evolve(intent, kind=kind, number=number, numbered_kind="")


def _singular(roster: Mapping[str, JoiningEntry], kind: str, players: str) -> str:
    """Return the singular of a kind if the roster knows only the singular, else the kind unchanged."""
    for word in (kind, *singulars(kind)):
        try:
            roster_entries(roster, word, players)
        except Refused as error:
            if error.code == "unknown_name":
                continue
        return word
    return kind


def roster_entries(roster: Mapping[str, JoiningEntry], typed: str, players: str) -> tuple[str, ...]:
    """Return the keys of the roster entries that a word names: one entry, or the entries of a party.

    Raises Refused as `roster_entry` does.
    """
    if name := party_meant(roster, typed, players):
        return parties(roster, players)[name]
    return (roster_entry(roster, typed),)


def party_meant(roster: Mapping[str, JoiningEntry], typed: str, players: str) -> str:
    """Return the name of the party that a word means, or "" if it means a single entry.

    An entry of exactly that name takes precedence over a party, and a party over an entry that begins with
    the word. Raises Refused as `roster_entry` does.
    """
    bands = parties(roster, players)
    if spelled(typed, roster, names_of(roster)):
        return ""
    if found := spelled(typed, bands):
        return found[0]
    try:
        roster_entry(roster, typed)
    except Refused as error:
        found = starting_with(typed, bands)
        if error.code != "unknown_name" or not found:
            raise
        return only(typed, found)[0]
    return ""


def roster_entry(roster: Mapping[str, JoiningEntry], typed: str) -> str:
    """Return the key of the roster entry that a word means. Raises Refused for none or several.

    An unreadable entry of exactly that name is reported, so that no similar name is taken instead. If several
    entries match on one level, the campaign's own take precedence over those that the game ships.
    """
    names = names_of(roster)
    unreadable = roster.unreadable if isinstance(roster, Roster) else {}
    if not spelled(typed, names, names) and (bad := spelled(typed, unreadable)):
        raise Refused(f"{bad[0]} cannot be read: {unreadable[bad[0]]}")
    if isinstance(roster, Roster):
        found = roster.meant(typed)
        found = tuple(key for key in found if len(found) > 1 and key in roster.own) or found
    else:
        found = matches(typed, names, names)
    if not found:
        _check_words_behind(typed, names)
        if fitting := _shipped_that_fit(roster, typed):
            some, rest = fitting[:_MOST_FITTING], len(fitting) - _MOST_FITTING
            more = [f"{rest} more"] if rest > 0 else []
            says = f"no entry is called {shown(typed)}, but these match: {listed([*some, *more])}"
            raise Refused(says, code="unknown_name")
        near = _nearest(typed, names)
        known = _suggested(typed, names, near, "entries") or "; the roster is empty"
        how = "" if near else "; create it on the roster screen"
        says = f"the roster has no {shown(typed)}{known}{how}"
        raise Refused(says, code="unknown_name", suggestion=near, word=typed)
    same = len({names[key] for key in found}) < len(found)
    return only(typed, found, [f"{names[key]} ({key})" if same else names[key] for key in found])[0]


def _shipped_that_fit(roster: Mapping[str, JoiningEntry], typed: str) -> list[str]:
    """Return the names of the shipped creatures that a tag, a word of the name, or a level selects."""
    fitting = roster.fitting(typed) if isinstance(roster, Roster) else ()
    return [clean(creature.name, 60) for creature in fitting]


def _check_words_behind(typed: str, names: Mapping[str, str]) -> None:
    """Raise Refused for unknown words after a whole name, such as the misspelling in `guard hiden`."""
    words = typed.split()
    for length in range(len(words) - 1, 0, -1):
        if found := spelled(" ".join(words[:length]), names, names):
            rest = shown(" ".join(words[length:]))
            says = f"{rest} is not understood after {clean(names[found[0]], 60)}; such as: hidden, x4"
            raise Refused(says)
