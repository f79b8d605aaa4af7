"""Add combatants to the fight, remove, hide, reveal and refresh them."""

from collections.abc import Iterable, Mapping, Sequence

from systems.commands.effects import sync_conditions
from systems.commands.initiative import join_order
from systems.commands.reorder import leave_order
from systems.commands.transaction import Transaction
from systems.encounter import tags
from systems.encounter.events import Sentence
from systems.encounter.lookup import meant_addition, party_meant, roster_entries, side_meant
from systems.encounter.model import FOREVER, Combatant, CombatantState, Encounter
from systems.encounter.prepared import clauses, differences, kept_as_text
from systems.encounter.roster import JoiningEntry
from systems.errors import Refused
from systems.frozen import evolve
from systems.language.intents import Add
from systems.sheets import changed, status_on_joining, with_fresh_turn
from systems.text import LONGEST_NAME, clean, listed, same_word, several, spoken

MOST = 500


def add(transaction: Transaction, roster: Mapping[str, JoiningEntry], intent: Add) -> None:
    """Add combatants from a roster entry, or the members of a party that have not joined yet.

    Dead members of a party stay out unless the command says otherwise.
    Raises Refused for an unknown entry or a number out of range.
    """
    players = transaction.encounter.players
    intent = meant_addition(roster, intent, players)
    is_party = bool(party_meant(roster, intent.kind, players))
    kinds = roster_entries(roster, intent.kind, players)
    left_out: Mapping[str, str] = {}
    if intent.number is not None and not 1 <= intent.number <= MOST:
        raise Refused(f"{intent.number} cannot be added at once; choose 1 to {MOST}")
    _check_arrival(transaction.encounter, intent)
    if is_party:
        kinds, left_out = _still_to_come(transaction.encounter, roster, kinds, intent)
    elif intent.fallen:
        raise Refused("fallen=yes is for a party; a single character joins dead or alive")
    ids: list[str] = []
    joining: dict[str, list[Combatant]] = {}
    for kind in kinds:
        entry, encounter = roster[kind], transaction.encounter
        base = clean(intent.name or entry.name, LONGEST_NAME) or "nameless"
        side = side_meant(encounter, intent.side or entry.side, quoted=intent.quoted_side or not intent.side)
        _check_there(encounter, kind, base, intent)
        transaction.encounter = _with_newcomers(encounter, entry, kind, base, side, intent)
        found = transaction.encounter.progress.ids[len(encounter.progress.ids) :]
        joining.setdefault(side, []).extend(map(transaction.combatant, found))
        ids += found
    if not intent.arrives:
        join_order(transaction, *ids)
    transaction.sentences[:0] = [_joins(those, side, intent) for side, those in joining.items()]
    if left_out:
        words = words_left_out({roster[kind].name: word for kind, word in left_out.items()})
        transaction.say(f"{words}.", seen="gm")
    transaction.targets = tuple(ids)


def _joins(new: Sequence[Combatant], side: str, intent: Add) -> Sentence:
    """Return the sentence about the newcomers of one side."""
    called = [combatant.name for combatant in new]
    is_numbered = intent.number is not None and len(called) > 2
    many = f"{called[0]} to {called[-1]}" if is_numbered else listed(called)
    when = f" in round {intent.arrives}" if intent.arrives else ""
    says = f"{many} {'join' if len(called) > 1 else 'joins'} the {side}{when}."
    return Sentence(says, tuple(combatant.id for combatant in new))


def _still_to_come(
    encounter: Encounter, roster: Mapping[str, JoiningEntry], kinds: Sequence[str], intent: Add
) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Return the members of a party that join, and those left out because they have fallen.

    Raises Refused if no member would join.
    """
    if intent.number is not None or intent.name:
        raise Refused("a party joins as a whole; leave out the number and the name")
    absent = absent_members(encounter, kinds)
    if not absent:
        raise Refused("the whole party is in the fight already")
    fallen = {} if intent.fallen else fallen_members(encounter, roster, absent)
    if found := tuple(kind for kind in absent if kind not in fallen):
        return found, fallen
    words = fallen_words({roster[kind].name: word for kind, word in fallen.items()})
    raise Refused(f"{words}; fallen=yes adds the party anyway")


def absent_members(encounter: Encounter, kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the roster entries of a party that have not joined the fight."""
    there = {combatant.state.kind for combatant in encounter}
    return tuple(kind for kind in kinds if kind not in there)


def members_left_out(
    encounter: Encounter, roster: Mapping[str, JoiningEntry], addition: Add
) -> dict[str, str]:
    """Return the members of a party that an addition leaves out because they have fallen, with their status.

    Raises Refused if the roster has no such entry.
    """
    kind = meant_addition(roster, addition, encounter.players).kind
    if addition.fallen or not party_meant(roster, kind, encounter.players):
        return {}
    kinds = roster_entries(roster, kind, encounter.players)
    return fallen_members(encounter, roster, absent_members(encounter, kinds))


def fallen_members(
    encounter: Encounter, roster: Mapping[str, JoiningEntry], kinds: Sequence[str]
) -> dict[str, str]:
    """Return the entries whose sheets no longer get turns, such as the dead, each with its status."""
    found = {}
    for kind in kinds:
        entry = roster[kind]
        is_player = entry.side == encounter.players
        status = status_on_joining(encounter.game, entry.sheet, encounter.house, is_player=is_player)
        if not status.in_order:
            found[kind] = status.name
    return found


def fallen_words(called: Mapping[str, str]) -> str:
    """Return the fallen by name, grouped by status: `Tamsin is dead`, `Mara and Idris are down`."""
    by_word: dict[str, list[str]] = {}
    for name, word in called.items():
        by_word.setdefault(spoken(word), []).append(name)
    return listed(
        f"{listed(names)} {'is' if len(names) == 1 else 'are'} {word}" for word, names in by_word.items()
    )


def words_left_out(called: Mapping[str, str]) -> str:
    """Return that the fallen do not join: `Tamsin is dead and stays out`, or "" if there are none."""
    return f"{fallen_words(called)} and {'stays' if len(called) == 1 else 'stay'} out" if called else ""


def _with_newcomers(
    encounter: Encounter, entry: JoiningEntry, kind: str, base: str, side: str, intent: Add
) -> Encounter:
    """Return the encounter with the combatants of one roster entry that join."""
    afresh = with_fresh_turn(entry.sheet)
    sheet = changed(afresh, encounter.game.join(afresh, side == encounter.players))
    is_character = side == encounter.players and intent.number is None
    # Newcomers share a turn with one another: not with an earlier group, and hidden ones with none in sight.
    group = tags.group_name(encounter, base, hidden=intent.hidden) if intent.group else None
    state = CombatantState(
        name=base,
        kind=kind,
        side=side,
        hidden=intent.hidden,
        arrives=intent.arrives,
        group=group,
        # A fight may be prepared long before it begins. These values show what changed in the roster since.
        prepared=kept_as_text(entry.sheet) if is_character and not encounter.progress.round else {},
    )
    return tags.join(encounter, state, sheet, intent.number)


def _check_there(encounter: Encounter, kind: str, base: str, intent: Add) -> None:
    """Raise Refused if a player's character is in the fight already, or its name is taken by one."""
    for combatant in encounter:
        if encounter.is_player(combatant) and combatant.state.kind == kind and not intent.name:
            says = f"{combatant.name} is in the fight already; give a second one another name"
            raise Refused(f"{says}, such as: {kind} as {base} the younger")
    check_name(encounter, base)


def check_name(encounter: Encounter, name: str, excluding: str = "") -> None:
    """Raise Refused if a player's character other than the one with the id `excluding` has that name."""
    for combatant in encounter:
        if encounter.is_player(combatant) and combatant.id != excluding and same_word(combatant.name, name):
            raise Refused(f"{combatant.name} is in the fight already; choose another name")


def _check_arrival(encounter: Encounter, intent: Add) -> None:
    """Raise Refused unless the round of arrival is a later round."""
    now = encounter.progress.round
    if intent.arrives and not now < intent.arrives < FOREVER:
        raise Refused(f"it is round {now}; choose a later round of arrival")


def remove(transaction: Transaction, ids: Sequence[str]) -> None:
    """Remove combatants from the fight, without skipping or repeating the turn of another."""
    names = {who: transaction.combatant(who).name for who in ids}
    leave_order(transaction, ids)
    gone = set(ids)
    left = tags.leave(transaction.encounter, ids)
    offers = tuple(offer for offer in left.offers if offer.by not in gone and offer.target not in gone)
    transaction.encounter = evolve(left, offers=offers)
    transaction.sentences[:0] = [
        Sentence(
            f"{_named(names, group)} {'leaves' if len(group) == 1 else 'leave'} the fight.", tuple(group)
        )
        for group in transaction.in_sight(ids)
    ]


def hide(transaction: Transaction, ids: Sequence[str], hidden: bool) -> None:
    """Hide combatants from the players, or reveal them. Raises Refused if nothing would change."""
    found = [transaction.combatant(who) for who in ids if transaction.combatant(who).state.hidden != hidden]
    word = "hidden" if hidden else "in sight"
    if not found:
        called = several([transaction.combatant(who).name for who in ids])
        raise Refused(f"{called} {'is' if len(ids) == 1 else 'are'} {word} already")
    if hidden:
        transaction.encounter = tags.hide(transaction.encounter, found)
    else:
        revealed = [combatant.with_state(hidden=False) for combatant in found]
        transaction.encounter = tags.come_in_sight(transaction.encounter, revealed)
    names = {combatant.id: transaction.combatant(combatant.id).name for combatant in found}
    # A revealed combatant is visible from now on, unless it is still to arrive. So is this sentence.
    for group in transaction.in_sight(who for who in names if hidden or transaction.combatant(who).in_sight):
        is_now = "is" if len(group) == 1 else "are"
        transaction.say(f"{_named(names, group)} {is_now} {word} now.", group, seen=None if hidden else "all")
    for who in () if hidden else names:
        if not transaction.combatant(who).in_sight:
            transaction.say(f"{names[who]} will be {word} on arrival.", [who])


def _named(names: Mapping[str, str], ids: Iterable[str]) -> str:
    return several([names[who] for who in ids])


# As in the roster


def refresh(transaction: Transaction, roster: Mapping[str, JoiningEntry]) -> None:
    """Carry out `refresh`. Raises Refused when the fight has begun or nothing differs."""
    if transaction.encounter.progress.round:
        raise Refused("the fight has begun; changes in the roster count for the next one")
    if not bring_up_to_date(transaction, roster):
        raise Refused("the players' characters match the roster, except for changes made while preparing")


def bring_up_to_date(transaction: Transaction, roster: Mapping[str, JoiningEntry]) -> bool:
    """Apply and report all differences from the roster; return whether there were any."""
    found = differences(transaction.encounter, roster)
    for clause in clauses(transaction.encounter, found):
        transaction.say(f"Updated from the roster: {clause}.", seen="gm")
    for who in dict.fromkeys(difference.who for difference in found):
        combatant = transaction.encounter.combatants[who]
        changes = {difference.field: difference.after for difference in found if difference.who == who}
        entry = roster[combatant.state.kind or ""]
        new = combatant.with_state(prepared=kept_as_text(entry.sheet))
        transaction.put(
            sync_conditions(transaction.encounter, evolve(new, sheet=changed(new.sheet, changes)))
        )
    if found:
        transaction.encounter = transaction.encounter.without_offers()
    return bool(found)
