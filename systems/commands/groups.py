"""The commands `group` and `ungroup`: combatants that share a turn."""

from collections.abc import Iterable, Sequence

from systems.commands.declaration import CommandKind, titled, with_targets
from systems.commands.reorder import check_ordered, whole_order
from systems.commands.transaction import Transaction
from systems.encounter.model import Encounter
from systems.encounter.tags import group_name
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.text import several


@frozen
class Group(Intent):
    """Let combatants share a turn, or separate them again if `together` is False."""

    targets: str
    together: bool = True


def group(transaction: Transaction, ids: Sequence[str]) -> None:
    """Let combatants share the turn of the first of them in the order. Raises Refused.

    Hidden ones share a turn of their own, so that no turn reveals them.
    """
    here = transaction.encounter
    if here.progress.over:
        raise Refused("the fight is over; undo brings it back")
    if here.style == "sides":
        raise Refused("whole sides take turns in this fight, so combatants cannot share one")
    if len(ids) < 2:
        raise Refused(f"{_names(here, ids)} alone is not a group; name two or more, such as: group 3-5")
    alike = _alike(here, ids)
    together = [some for some in alike if len(some) > 1]
    if not together:
        seen, unseen = (_names(here, some) for some in alike[:2])
        raise Refused(f"{unseen} is hidden and cannot share a turn with {seen}; reveal it first")
    new = [some for some in together if not _are_grouped(here, some)]
    if not new:
        raise Refused(f"{_names(here, together[0])} share a turn already")
    for members in new:
        _share(transaction, members)
    for some in alike:
        if len(some) == 1:
            transaction.say(f"{_names(here, some)} keeps a separate turn while out of sight.", some)


def ungroup(transaction: Transaction, ids: Sequence[str]) -> None:
    """Give combatants turns of their own again. Raises Refused if none of them shares a turn."""
    here = transaction.encounter
    grouped = [who for who in ids if here.combatants[who].state.group]
    if not grouped:
        verb = "has a turn of its" if len(ids) == 1 else "have turns of their"
        raise Refused(f"{_names(here, ids)} {verb} own already")
    transaction.put(*(transaction.combatant(who).with_state(group=None) for who in grouped))
    _tell_parted(transaction, [*grouped, *_part_single(transaction)])


def _alike(encounter: Encounter, ids: Iterable[str]) -> list[list[str]]:
    """Return those that can share a turn: visible or hidden, present or late; the visible ones first."""
    found: dict[tuple[bool, int], list[str]] = {}
    for who in ids:
        state = encounter.combatants[who].state
        found.setdefault((state.hidden, state.arrives), []).append(who)
    return [found[sight] for sight in sorted(found)]


def _are_grouped(encounter: Encounter, ids: Sequence[str]) -> bool:
    """Return whether exactly these combatants share a turn."""
    name = encounter.combatants[ids[0]].state.group
    return name is not None and set(_members(encounter, name)) == set(ids)


def _share(transaction: Transaction, ids: Sequence[str]) -> None:
    """Let these combatants share a turn. Raises Refused for one that is waiting."""
    here = transaction.encounter
    for who in ids:
        if not here.combatants[who].state.arrives:
            check_ordered(here.combatants[who])
    order = whole_order(here)
    members = [who for who in order if who in ids] or list(ids)
    name, score = _name(here, members), here.combatants[members[0]].state.initiative
    # A late arrival is placed by the scores of all.
    scored = {"initiative": score} if here.progress.round and score is not None else {}
    transaction.put(*(transaction.combatant(who).with_state(group=name, **scored) for who in members))
    transaction.say(f"{_names(here, members)} share a turn.", members)
    begun = {here.combatants[who].state.begun for who in members}
    if (number := here.progress.round) in begun and len(begun) > 1:
        transaction.say(f"They act together from round {number + 1}.", members)
    if left := _part_single(transaction):
        _tell_parted(transaction, left)
    _stand_together(transaction, order, members)


def _name(encounter: Encounter, members: Sequence[str]) -> str:
    """Return the name of a new group, or of the group that gets more members."""
    people = [encounter.combatants[who] for who in members]
    for name in dict.fromkeys(combatant.state.group for combatant in people):
        if name and set(_members(encounter, name)) <= set(members):
            return name
    first = people[0]
    of_one_kind = first.state.kind and len({combatant.state.kind for combatant in people}) == 1
    base = str(first.state.kind) if of_one_kind else first.name
    return group_name(encounter, base, hidden=first.state.hidden)


def _members(encounter: Encounter, name: str) -> list[str]:
    return [combatant.id for combatant in encounter if combatant.state.group == name]


def _part_single(transaction: Transaction) -> list[str]:
    """Give the last member of a group a turn of its own; return the ids of those changed."""
    now = transaction.encounter.combatants
    left = {
        combatant.state.group
        for combatant in transaction.before
        if combatant.state.group and now[combatant.id].state.group != combatant.state.group
    }
    alone = [who for name in left for who in _members(transaction.encounter, name)]
    alone = [who for who in alone if len(_members(transaction.encounter, str(now[who].state.group))) == 1]
    transaction.put(*(now[who].with_state(group=None) for who in alone))
    return sorted(alone)


def _tell_parted(transaction: Transaction, ids: Sequence[str]) -> None:
    for some in transaction.in_sight(ids):
        turns = "has a turn of its own" if len(some) == 1 else "have turns of their own"
        transaction.say(f"{_names(transaction.encounter, some)} {turns} again.", some)


def _stand_together(transaction: Transaction, order: Sequence[str], members: Sequence[str]) -> None:
    """Place the members next to each other in the order, if there is an order yet."""
    here = transaction.encounter
    is_rolled = here.style == "initiative" and not here.progress.ordered
    if not set(members) <= set(order) or (not here.progress.round and is_rolled):
        return
    others = [who for who in order if who not in members]
    at = sum(1 for who in order[: order.index(members[0])] if who not in members)
    found = (*others[:at], *members, *others[at:])
    if found != tuple(order):
        transaction.encounter = here.with_progress(order=found, ordered=True)


def _names(encounter: Encounter, ids: Iterable[str]) -> str:
    return several([encounter.combatants[who].name for who in ids])


GROUP = CommandKind(
    "group",
    ("group TARGETS",),
    "let combatants share the turn of the first of them",
    lambda taken: Group(taken.take_targets()),
    carry_out=with_targets(group),
    blank=Group("", True),
    title=titled("the shared turn of {targets}"),
)
UNGROUP = CommandKind(
    "ungroup",
    ("ungroup TARGETS",),
    "give combatants that share a turn separate turns again",
    lambda taken: Group(taken.take_targets(), False),
    carry_out=with_targets(ungroup),
    blank=Group("", False),
    title=titled("the separate turns of {targets}"),
)
