"""Initiative: scores, ties, roll-offs, and the place of combatants who join later."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial

from systems.commands.transaction import DiceSight, Transaction
from systems.contract.ruleset import Initiative
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice, WrongDie
from systems.dice.sources import DieRequest, Given, NeedsFace, Total
from systems.encounter.model import Combatant, Encounter
from systems.frozen import evolve
from systems.text import plain_number, several

_MOST = 9_999


def roll_initiative(
    transaction: Transaction, ids: Sequence[str], surprised: Collection[str] = ()
) -> list[str]:
    """Return ids in the order of initiative: scores, then the tie rule, then roll-offs.

    A score set by the game master counts. A group shares the score of its first member. A combatant whose
    turn never comes, such as a dead one, rolls nothing and comes last.
    """
    rule = transaction.encounter.initiative
    people = transaction.encounter.combatants
    leaders = {who: _leader(transaction.encounter, who, ids) for who in ids}
    fallen = [who for who in ids if _rolls_nothing(transaction.encounter, leaders[who])]
    rolling = list(dict.fromkeys(leader for who, leader in leaders.items() if who not in fallen))
    unscored = {who: {"actor": who} for who in rolling if people[who].state.initiative is None}
    rolled = _rolled_at_once(
        transaction, unscored, lambda who, table: _score_of(rule, people[who], table, who in surprised)
    )
    scores = {who: rolled.get(who, people[who].state.initiative or 0) for who in rolling}
    # The higher goes first.
    keys: dict[str, tuple[int, ...]] = {
        who: (rule.rank(score), rule.tie(people[who].sheet)) for who, score in scores.items()
    }
    while (sides := rule.roll_off) and (tied := _tied(keys)):
        against = {who: _rival(transaction.encounter, who, tied, keys) for who in tied}
        pairs = {who: {"actor": who, "against": against[who]} for who in tied}
        for who, rank in _rolled_at_once(transaction, pairs, partial(_roll_off, rule, sides)).items():
            keys[who] = (*keys[who], rank)
    scored = [who for who in ids if who not in fallen]
    transaction.put(
        *(transaction.combatant(who).with_state(initiative=scores[leaders[who]]) for who in scored)
    )
    order = sorted(scored, key=lambda who: keys[leaders[who]], reverse=True)
    _tell_scores(transaction, order, leaders)
    return [*order, *fallen]


def _rolled_at_once(
    transaction: Transaction, pairs: Mapping[str, Mapping[str, str]], roll: Callable[[str, Table], int]
) -> dict[str, int]:
    """Roll for several combatants; return the results by id.

    A request for a real die includes those of the others, which may be rolled at the same time. `pairs`: the
    combatants that each roll concerns, as role -> id.
    """
    found = {}
    for at, who in enumerate(pairs):
        transaction.roll_for(pairs[who])
        try:
            found[who] = roll(who, transaction.table)
        except NeedsFace as needs:
            others = {other: pairs[other] for other in list(pairs)[at + 1 :]}
            raise needs.knowing(at_once=partial(_needed, transaction.encounter, others, roll)) from None
    return found


def _needed(
    encounter: Encounter,
    pairs: Mapping[str, Mapping[str, str]],
    roll: Callable[[str, Table], int],
    given: Mapping[str, Sequence[Given]],
) -> list[DieRequest]:
    """Return the next die that each combatant needs after the dice given for it."""
    found = []
    for who, people in pairs.items():
        table = Table(ScriptedDice(given.get(who, ())))
        table.turn_to(people, DiceSight(encounter, people, is_secret=False))
        try:
            roll(who, table)
        except NeedsFace as needs:
            found.append(evolve(needs.request, at_once=partial(_needed, encounter, pairs, roll)))
    return found


def _rolls_nothing(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant has no score and needs none, because its turn never comes."""
    combatant = encounter.combatants[who]
    return combatant.state.initiative is None and not encounter.status(combatant).in_order


def _score_of(rule: Initiative, combatant: Combatant, table: Table, is_surprised: bool) -> int:
    """Roll a score. A NeedsFace for dice that are simply added up says what is added to them."""
    score = rule.surprised if is_surprised and rule.surprised else rule.score
    try:
        return max(-_MOST, min(_MOST, score(combatant.sheet, table)))
    except NeedsFace as needs:
        lowest, adds = sum(number for number, _ in needs.request.sum_of), needs.request.adds
        with suppress(NeedsFace, WrongDie):
            adds = score(combatant.sheet, Table(ScriptedDice([Total(lowest)]))) - lowest
        raise needs.knowing(called=combatant.name, adds=adds) from None


def _roll_off(rule: Initiative, sides: int, who: str, table: Table) -> int:
    """Roll for a tied combatant; return the rank. A request for a die says which face goes first."""
    del who
    try:
        return rule.rank(table.d(sides, "initiative, tied"))
    except NeedsFace as needs:
        raise needs.knowing(lowest_first=rule.rank(1) > rule.rank(2)) from None


def _tell_scores(transaction: Transaction, order: Sequence[str], leaders: Mapping[str, str]) -> None:
    """Report the scores in the order of turns: visible combatants in one list, the others apart."""
    for seen in transaction.in_sight(order):
        together: dict[str, list[str]] = {}
        for who in seen:
            together.setdefault(leaders[who], []).append(who)
        scored = [
            (several([transaction.combatant(who).name for who in group]), _score(transaction, group[0]))
            for group in together.values()
        ]
        if len(scored) == 1:
            names, score = scored[0]
            transaction.say(f"{names} {_have(seen)} initiative {score}.", seen)
        else:
            listed = ", ".join(f"{score} {names}" for names, score in scored)
            transaction.say(f"Initiative: {listed}.", seen)


def _score(transaction: Transaction, who: str) -> str:
    return plain_number(transaction.combatant(who).state.initiative or 0)


def _have(group: Sequence[str]) -> str:
    return "has" if len(group) == 1 else "have"


def _rival(encounter: Encounter, who: str, tied: Sequence[str], keys: Mapping[str, tuple[int, ...]]) -> str:
    """Return a combatant tied with this one, visible if possible, so that hidden ones change no die."""
    rivals = [rival for rival in tied if rival != who and keys[rival] == keys[who]]
    return min(rivals, key=lambda rival: encounter.combatants[rival].state.hidden)


def _leader(encounter: Encounter, who: str, ids: Sequence[str]) -> str:
    """Return the combatant that rolls: the first of the group, alive and in sight if possible, or itself."""
    group = encounter.combatants[who].state.group
    if not group:
        return who
    members = [member for member in ids if encounter.combatants[member].state.group == group]
    people = encounter.combatants

    def rank(member: str) -> tuple[bool, bool]:
        return not encounter.status(people[member]).in_order, people[member].state.hidden

    return min(members, key=rank)


def _tied(keys: dict[str, tuple[int, ...]]) -> list[str]:
    """Return the ids that share their score with another, in the given order."""
    found = list(keys.values())
    return [who for who, key in keys.items() if found.count(key) > 1]


def join_order(transaction: Transaction, *ids: str) -> None:
    """Put newcomers into the order of a running fight.

    If the place of a newcomer has passed, it acts from the next round.
    """
    progress = transaction.encounter.progress
    if not progress.round:
        if progress.ordered:
            transaction.encounter = transaction.encounter.with_progress(order=(*progress.order, *ids))
        return
    if transaction.encounter.style == "initiative" and not _unscored(transaction.encounter, ids):
        # The best first, so that the tie rule and the roll-offs decide among newcomers with the same score.
        for who in roll_initiative(transaction, ids):
            if transaction.combatant(who).state.initiative is not None:
                place_by_initiative(transaction, who)
            else:
                _place_last(transaction, who)
    else:
        _place_last(transaction, *ids)
    transaction.put(
        *(
            transaction.combatant(who).with_state(done=progress.round)
            for who in ids
            if passed(transaction.encounter, who)
        )
    )


def _place_last(transaction: Transaction, *ids: str) -> None:
    order = transaction.encounter.progress.order
    transaction.encounter = transaction.encounter.with_progress(order=(*order, *ids))


def _unscored(encounter: Encounter, newcomers: Sequence[str]) -> bool:
    """Return whether the game master has ordered the combatants in sight without scores."""
    people = encounter.combatants
    others = [people[who] for who in encounter.progress.order if who not in newcomers]
    return encounter.progress.ordered and all(
        other.state.initiative is None for other in others if other.in_sight
    )


def place_by_initiative(transaction: Transaction, who: str) -> None:
    """Place a combatant in the order before the first one with a lower score, or at the end."""
    encounter = transaction.encounter
    order = [other for other in encounter.progress.order if other != who]
    order.insert(_place_in(encounter, order, encounter.combatants[who]), who)
    transaction.encounter = encounter.with_progress(order=tuple(order))


def _place_in(encounter: Encounter, order: Sequence[str], combatant: Combatant) -> int:
    """Return the index in `order` at which a combatant belongs by its score.

    The place of a combatant in sight depends only on the others in sight, because a hidden combatant that
    delayed or was moved would betray itself. Among hidden combatants next to that place, the score decides.
    But a newcomer never goes before a hidden combatant whose turn it is: it would lose its own turn.
    """
    people, rank = encounter.combatants, encounter.initiative.rank

    def is_lower(other: str) -> bool:
        return rank(people[other].state.initiative or 0) < rank(combatant.state.initiative or 0)

    end = len(order)
    if not combatant.in_sight:
        return next((at for at, other in enumerate(order) if is_lower(other)), end)
    last = next((at for at, other in enumerate(order) if people[other].in_sight and is_lower(other)), end)
    first = next((at + 1 for at in reversed(range(last)) if people[order[at]].in_sight), 0)
    present = encounter.progress.present
    if present in order[first:last]:
        first = order.index(present or "") + 1
    return next((at for at in range(first, last) if is_lower(order[at])), last)


def passed(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant's place in the order lies before the current turn."""
    order, turn = encounter.progress.order, encounter.progress.present
    return turn in order and who in order and order.index(who) < order.index(turn or "")
