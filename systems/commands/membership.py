"""Who is in the fight and what is said of them: add, remove, hide, and conditions."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from unicodedata import combining, normalize

import attrs

from systems.commands.durations import for_rounds, left, until_turn
from systems.commands.effects import borne_name, has_condition, with_condition, without_condition
from systems.commands.initiative import join_order
from systems.commands.reorder import leave_order
from systems.commands.transaction import Transaction
from systems.contract.ruleset import FOES, PLAYERS
from systems.encounter.lookup import single
from systems.encounter.model import FOREVER, ActiveCondition, Combatant, CombatantState, Encounter
from systems.errors import Refused
from systems.language.intents import Add, SetCondition
from systems.sheets import changed
from systems.text import clean, find_word, listed, plain_word, shown, suggestion

MOST = 500
LONGEST_NAME = 80


class RosterEntry(Protocol):
    """A roster entry: a character or a kind of creature."""

    @property
    def name(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def sheet(self) -> Any: ...


def add(play: Transaction, roster: Mapping[str, RosterEntry], intent: Add) -> None:
    """Bring somebody from the roster into the fight. Raises Refused for an unknown kind or a silly number."""
    kind = _kind(roster, intent.kind)
    entry = roster[kind]
    if intent.number is not None and not 1 <= intent.number <= MOST:
        raise Refused(f"at most {MOST} can be added at once, and at least 1")
    progress = play.encounter.progress
    _check_arrival(play.encounter, intent)
    base = clean(intent.name or entry.name, LONGEST_NAME) or "nameless"
    side = _side(play.encounter, clean(intent.side, 40) or entry.side)
    sheet = changed(entry.sheet, play.encounter.game.join(entry.sheet, side == PLAYERS))
    tag = max((one.state.tag for one in play.encounter), default=0)
    new = []
    for at, (who, name) in enumerate(_names(play.encounter, base, side, intent.number), 1):
        place = CombatantState(
            name=name,
            kind=kind,
            side=side,
            tag=tag + at,
            hidden=intent.hidden,
            arrives=intent.arrives,
            group=_slug(base) if intent.group else None,
        )
        new.append(Combatant(who, place, sheet))
    ids = [one.id for one in new]
    play.encounter = play.encounter.with_combatants(*new).with_progress(ids=(*progress.ids, *ids))
    if not intent.arrives:
        join_order(play, *ids)
    names = [one.name for one in new]
    many = f"{names[0]} to {names[-1]}" if len(names) > 2 else listed(names)
    when = f" in round {intent.arrives}" if intent.arrives else ""
    play.sentences.insert(0, f"{many} {'join' if len(names) > 1 else 'joins'} the {side}{when}.")


def _kind(roster: Mapping[str, RosterEntry], typed: str) -> str:
    """The roster entry of that id or name, or the only one that begins so. Raises Refused."""
    if found := find_word(typed, roster):
        return found
    plain = plain_word(typed)
    for same in (str.__eq__, str.startswith):
        fitting = [
            one
            for one, entry in roster.items()
            if any(same(plain_word(each), plain) for each in (one, entry.name))
        ]
        if len(fitting) > 1:
            raise Refused(f"{shown(typed)} could be {listed(fitting[:5], 'or')}")
        if fitting:
            return fitting[0]
    known = suggestion(typed, roster) or "; the roster is empty"
    raise Refused(f"the roster has no {shown(typed)}{known}")


def _side(encounter: Encounter, typed: str) -> str:
    """The side of that name that there is already, in either spelling; else a new one."""
    return find_word(typed, dict.fromkeys((PLAYERS, FOES, *(one.side for one in encounter)))) or typed


def _check_arrival(encounter: Encounter, intent: Add) -> None:
    now = encounter.progress.round
    if intent.arrives and not now < intent.arrives < FOREVER:
        raise Refused(f"it is round {now}; name a later round to arrive in")


def _names(encounter: Encounter, base: str, side: str, number: int | None) -> list[tuple[str, str]]:
    """Id and name: `guard` and `Guard` alone, or `guard-1` and on, past every number that is taken."""
    taken = {*encounter.combatants, *(_slug(one.name) for one in encounter)}
    slug = _slug(base)
    numbered = re.compile(re.escape(slug) + r"-([0-9]{1,5})")
    used = [int(found[1]) for one in taken if (found := numbered.fullmatch(one))]
    sides = {_slug(one) for one in (side, *(one.side for one in encounter))}
    if number is None and not used and slug not in taken:
        # What already stands for a tag, a side or everybody cannot stand for one.
        means_more = slug == "all" or slug in sides or re.fullmatch(r"[0-9]+(-[0-9]+)?", slug)
        return [(f"the-{slug}" if means_more else slug, base)]
    first = max(used, default=0 if slug not in taken else 1) + 1
    return [(f"{slug}-{at}", f"{base} {at}") for at in range(first, first + (number or 1))]


def _slug(name: str) -> str:
    """An id from a name: lower case without accents, words joined by hyphens."""
    bare = "".join(one for one in normalize("NFKD", name) if not combining(one))
    return re.sub(r"[\W_]+", "-", bare.casefold()).strip("-")[:LONGEST_NAME] or "nameless"


def remove(play: Transaction, ids: Sequence[str]) -> None:
    """Take some out of the fight. Nobody's turn is skipped or repeated by it."""
    names = [play.one(who).name for who in ids]
    leave_order(play, ids)
    gone = set(ids)
    people = {who: one for who, one in play.encounter.combatants.items() if who not in gone}
    offers = tuple(one for one in play.encounter.offers if one.by not in gone and one.target not in gone)
    play.encounter = attrs.evolve(play.encounter, combatants=people, offers=offers).with_progress(
        ids=tuple(one for one in play.encounter.progress.ids if one not in gone)
    )
    leaves = "leaves" if len(names) == 1 else "leave"
    play.sentences.insert(0, f"{_several(names)} {leaves} the fight.")


def hide(play: Transaction, ids: Sequence[str], hidden: bool) -> None:
    """Hide some from the players, or reveal them. Raises Refused when all are so already."""
    found = [play.one(who) for who in ids if play.one(who).state.hidden != hidden]
    word = "hidden" if hidden else "in sight"
    if not found:
        raise Refused(f"{_several([play.one(who).name for who in ids])}: {word} already")
    play.put(*(one.with_state(hidden=hidden) for one in found))
    names = [one.name for one in found]
    play.say(f"{_several(names)} {'is' if len(names) == 1 else 'are'} {word} now.")


def set_condition(play: Transaction, ids: Sequence[str], intent: SetCondition) -> None:
    """Give a condition, the game's own or a free one. Raises Refused for an unknown turn to wait for."""
    held = ActiveCondition(name=_condition_name(play.encounter, intent.name), value=intent.value)
    if intent.rounds is not None:
        held = for_rounds(play.encounter, held, intent.rounds)
    elif intent.until:
        held = until_turn(play.encounter, held, intent.until, single(play.encounter, intent.of).id)
    for who in ids:
        play.put(with_condition(play.encounter, play.one(who), held))
    lasting = left(play.encounter, held)
    names = [play.one(who).name for who in ids]
    is_now = "is" if len(names) == 1 else "are"
    play.say(f"{_several(names)} {is_now} {held.label}{_lasting(lasting)}.")


def _lasting(words: str) -> str:
    """` for 2 rounds`, ` until the end of Okado's turn`, or nothing."""
    return f" {words}" if words.startswith("until") else f" for {words}" if words else ""


def clear(play: Transaction, ids: Sequence[str], name: str) -> None:
    """End a condition, or all of them. Raises Refused when nobody has it."""
    ended: list[str] = []
    for who in ids:
        one = play.one(who)
        if plain_word(name) == "all":
            which = [held.name for held in one.conditions]
        else:
            which = [borne_name(one, _condition_name(play.encounter, name))]
        for each in which:
            if has_condition(play.encounter, play.one(who), each):
                play.put(without_condition(play.encounter, play.one(who), each))
                words = each.replace("_", " ")
                ended.append(f"{one.name} is no longer {words}")
    if not ended:
        raise Refused(f"{_several([play.one(who).name for who in ids])}: not {clean(name, 40)}")
    play.say(". ".join(ended) + ".")


def _condition_name(encounter: Encounter, typed: str) -> str:
    """The game's condition of that name in either spelling, else the free one as typed."""
    own = find_word(typed, [one.name for one in encounter.game.conditions])
    name = own or clean(typed, 40)
    if not name:
        raise Refused("a condition needs a name")
    return name


def _several(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= 6 else f"{listed(names[:5])} and {len(names) - 5} more"
