"""Find whose turn comes next. This module only reads an encounter.

One rule decides: the next turn goes to the first combatant after the current one whose turn in this round is
not over. So no combatant is skipped or comes twice, even if others are moved, removed, killed or revived.
"""

from collections.abc import Callable, Container, Iterator, Sequence

from systems.encounter.model import FOREVER, Combatant, Encounter
from systems.text import several

# Whether the group gets a turn though none of its members can act.
ComesTo = Callable[[Encounter, tuple[str, ...]], bool]


def can_have_turn(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant can have a turn: it has arrived, is not delaying and is in the fight."""
    combatant = encounter.combatants[who]
    return not combatant.state.waits and not combatant.state.arrives and encounter.status(combatant).in_order


def may_act(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant may act in the current turn and end it.

    In the sides style, all combatants of the active side whose turn of this round is not over may act.
    Otherwise those that share the current turn may act.
    """
    progress, combatant = encounter.progress, encounter.combatants[who]
    if not progress.round or progress.over:
        return False
    if encounter.style != "sides" or progress.interrupted:
        return progress.turn is not None and who in sharing_turn(encounter, progress.turn)
    return (
        combatant.side == progress.side
        and combatant.state.done < progress.round
        and can_have_turn(encounter, who)
    )


def is_spent(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant able to act has no action left in its side's turn.

    The sheet counts only once the combatant's turn has begun. Before that, it describes the turn before.
    """
    combatant, spent = encounter.combatants[who], encounter.game.spent
    return (
        spent is not None
        and encounter.style == "sides"
        and combatant.state.begun == encounter.progress.round
        and encounter.status(combatant).acts
        and spent(combatant.sheet, encounter.house)
    )


def can_still_act(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant may act in its side's turn, is able to, and has an action left."""
    acts = encounter.status(encounter.combatants[who]).acts
    return acts and may_act(encounter, who) and not is_spent(encounter, who)


def still_to_act(encounter: Encounter) -> tuple[str, ...]:
    """Return the members of the active side that can still act, in line order; () in other styles."""
    if encounter.style != "sides" or encounter.progress.interrupted or encounter.progress.turn is None:
        return ()
    return tuple(who for who in encounter.progress.order if can_still_act(encounter, who))


def losing_actions(encounter: Encounter, *, whole_side: bool) -> tuple[str, ...]:
    """Return the members of a side that could still act if `next` did not end the side's turn.

    `whole_side`: the side's turn is to end. Otherwise `next` ends it only if nobody else can act. A member
    that has not acted is passed over without a question.
    """
    able, turn = still_to_act(encounter), encounter.turn
    if whole_side or turn is None:
        return able
    return able if able == (turn.id,) and turn.state.acted == encounter.progress.round else ()


def taking_turns_with(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Return the ids of the combatants that repeat each other's actions in the current turn.

    They share the turn. In the sides style they are of one kind, and all but the first can still act.
    """
    progress, combatant = encounter.progress, encounter.combatants[who]
    if encounter.style != "sides" or progress.interrupted:
        return sharing_turn(encounter, who) if may_act(encounter, who) else (who,)
    alike = (each for each in encounter.in_line() if each.state.kind == combatant.state.kind)
    return tuple(each.id for each in alike if each is combatant or can_still_act(encounter, each.id))


def waiting(encounter: Encounter) -> tuple[str, ...]:
    """Return the ids of delaying combatants that could have a turn, by initiative."""
    found = [
        combatant
        for combatant in encounter
        if combatant.state.waits and not combatant.state.arrives and encounter.status(combatant).in_order
    ]
    if not found:
        return ()
    rank = encounter.initiative.rank
    return tuple(
        combatant.id for combatant in sorted(found, key=lambda each: -rank(each.state.initiative or 0))
    )


def next_delayed(encounter: Encounter, excluding: Container[str] = ()) -> str | None:
    """Return the first delaying combatant that has had no turn in this round, or None."""
    number, combatants = encounter.progress.round, encounter.combatants
    return next(
        (who for who in waiting(encounter) if combatants[who].state.done < number and who not in excluding),
        None,
    )


def anybody_left(encounter: Encounter) -> bool:
    """Return whether a turn can still come, in this round or with the arrivals of the next."""
    coming = encounter.progress.round + 1
    return any(can_have_turn(encounter, who) for who in encounter.progress.order) or any(
        0 < combatant.state.arrives <= coming for combatant in encounter
    )


def anybody_acts(encounter: Encounter) -> bool:
    """Return whether a combatant that is able to act can have a turn."""
    people = encounter.combatants
    acting = (who for who in encounter.progress.order if encounter.status(people[who]).acts)
    return any(can_have_turn(encounter, who) for who in acting) or any(
        encounter.status(people[who]).acts for who in waiting(encounter)
    )


def sides_down(encounter: Encounter) -> tuple[str, ...]:
    """Return the sides that have no combatant able to act, the players' side last."""
    progress = encounter.progress
    if not progress.round or progress.over:
        return ()
    down: dict[str, bool] = {}
    for combatant in encounter:
        if not combatant.state.arrives and down.setdefault(combatant.side, True):
            down[combatant.side] = not encounter.status(combatant).acts
    if len(down) < 2:
        return ()
    fallen = [side for side, is_down in down.items() if is_down]
    return tuple(sorted(fallen, key=lambda side: side == encounter.players))


def beaten_sides(encounter: Encounter) -> tuple[str, ...]:
    """Return the sides that are down if that ends the fight: the players' side, or all sides but one.

    A bystander that falls, or beasts that fight both sides, decide nothing while two sides can act.
    """
    down = sides_down(encounter)
    sides = {combatant.side for combatant in encounter if not combatant.state.arrives}
    return down if encounter.players in down or len(sides) - len(down) < 2 else ()


def arrives_next(encounter: Encounter) -> Combatant | None:
    """Return the combatant that arrives next, or None."""
    coming = [combatant for combatant in encounter if combatant.state.arrives]
    return min(coming, key=lambda combatant: combatant.state.arrives, default=None)


def who_is_to_arrive(encounter: Encounter) -> str:
    """Return `Wolf h1 and Wolf h2 are still to arrive`, or "". Combatants that have fled do not count."""
    coming = [combatant for combatant in encounter if 0 < combatant.state.arrives < FOREVER]
    coming.sort(key=lambda combatant: combatant.state.arrives)
    verb = "is" if len(coming) == 1 else "are"
    return f"{several([each.name for each in coming])} {verb} still to arrive" if coming else ""


def group_of(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Return the ids of the combatants whose turns begin together with this one's."""
    group = _group(encounter, who)
    if not group:
        return (who,)
    members = (who for who in encounter.progress.order if encounter.combatants[who].state.group == group)
    return tuple(who for who in members if can_have_turn(encounter, who)) or (who,)


def _group(encounter: Encounter, who: str) -> str | None:
    """Return the name of a combatant's group, or None if it has none or whole sides take turns."""
    return None if encounter.style == "sides" else encounter.combatants[who].state.group


def first_to_act(encounter: Encounter, who: str, excluding: Container[str] = ()) -> str:
    """Return the combatant that starts the turn: the first of its group that can act, else `who` itself.

    `excluding`: members of the group whose turn is over by then.
    """
    combatants = encounter.combatants
    members = group_of(encounter, who)
    number = encounter.progress.round
    due = (member for member in members if combatants[member].state.done < number and member not in excluding)
    return next((member for member in due if encounter.status(combatants[member]).acts), who)


def sharing_turn(encounter: Encounter, who: str) -> tuple[str, ...]:
    """Return the ids that share the current turn. An extra turn is not shared."""
    group, number = _group(encounter, who), encounter.progress.round
    if not group or encounter.progress.interrupted:
        return (who,)
    places = {combatant.id: combatant.state for combatant in encounter}
    return tuple(
        other
        for other, place in places.items()
        if other == who
        or (place.group == group and place.begun == number and place.done < number and not place.waits)
    )


def next_in_round(
    encounter: Encounter, excluding: Container[str] = (), *, again: str | None = None
) -> str | None:
    """Return the combatant whose turn comes first in this round, except `excluding`, or None.

    The search starts at the current turn. In the sides style, all of one side come before the next side,
    and members without an action left are passed over, except `again`, whose turn is repeated.
    """
    number, combatants = encounter.progress.round, encounter.combatants
    for who in _from_here(encounter):
        if combatants[who].state.done >= number or who in excluding or not can_have_turn(encounter, who):
            continue
        if who == again or not is_spent(encounter, who):
            return who
    return None


def _from_here(encounter: Encounter) -> Iterator[str]:
    """Yield the order, rotated to begin after the current turn."""
    progress = encounter.progress
    if encounter.style != "sides":
        after = progress.order.index(progress.turn) + 1 if progress.turn in progress.order else 0
        yield from progress.order[after:]
        yield from progress.order[:after]
        return
    by_side: dict[str, list[str]] = {}
    for who in progress.order:
        by_side.setdefault(encounter.combatants[who].side, []).append(who)
    sides = sides_in_turn(encounter)
    at = sides.index(progress.side) if progress.side in by_side and progress.turn is not None else 0
    for side in (*sides[at:], *sides[:at]):
        members = by_side[side]
        after = members.index(progress.turn) + 1 if progress.turn in members else 0
        yield from members[after:]
        yield from members[:after]


def sides_in_turn(encounter: Encounter) -> Sequence[str]:
    """Return the sides in turn order: each takes the place of its first visible member.

    Only a side without a visible member takes the place of its first member. Otherwise, moving a hidden
    combatant could make its side begin.
    """
    places: dict[str, tuple[bool, int]] = {}
    for at, who in enumerate(encounter.progress.order):
        combatant = encounter.combatants[who]
        is_hidden, _ = places.get(combatant.side, (True, at))
        if combatant.side not in places or (is_hidden and combatant.in_sight):
            places[combatant.side] = (not combatant.in_sight, at)
    return sorted(places, key=lambda side: places[side][1])


def upcoming(encounter: Encounter, comes_to: ComesTo) -> tuple[Combatant, int] | None:
    """Return the combatant that acts after the current turn, with its round, or None.

    `comes_to`: the function in beginning.py of the commands that `next` also uses, so that both agree.
    """
    number = encounter.progress.round
    if who := _following_in_round(encounter, comes_to):
        return who, number
    if not number or number >= FOREVER - 1:
        return None
    after = encounter.with_progress(round=number + 1, turn=None, side=None, interrupted=None)
    who = _following_in_round(after, comes_to)
    # If no other combatant can act, the same turn comes again, which needs no announcement.
    return None if who is None or who.id == encounter.progress.turn else (who, number + 1)


def _following_in_round(encounter: Encounter, comes_to: ComesTo) -> Combatant | None:
    """Return the combatant that acts next in this round, or None. Delaying combatants come at its end."""
    progress = encounter.progress
    if progress.interrupted not in (None, progress.turn):
        return encounter.combatants[str(progress.interrupted)]
    passed = set(sharing_turn(encounter, progress.turn)) if progress.turn else set()
    while who := next_in_round(encounter, passed) or next_delayed(encounter, passed):
        members = group_of(encounter, who)
        begins = any(encounter.status(encounter.combatants[member]).acts for member in members)
        if not begins:
            returned = encounter.combatants[who].with_state(waits=False)
            begins = comes_to(encounter.with_combatants(returned), members)
        if begins:
            return encounter.combatants[first_to_act(encounter, who, passed)]
        # The turn passes at once.
        passed |= {who, *members}
    return None
