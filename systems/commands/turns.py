"""The commands `start` and `next`: rounds, turns, extra turns."""

from collections.abc import Container, Sequence

import attrs

from systems.commands.conditions import end_of_turn, start_of_round, start_of_turn
from systems.commands.effects import sync_conditions
from systems.commands.initiative import join_order, roll_initiative
from systems.commands.naming import come_in_sight
from systems.commands.reactions import end_offers, offer_at_turn_end, without_reactions
from systems.commands.transaction import Transaction
from systems.encounter import tags
from systems.encounter.model import FOREVER, Combatant, Encounter
from systems.encounter.schedule import (
    anybody_acts,
    anybody_left,
    arrives_next,
    can_have_turn,
    group_of,
    may_act,
    next_delayed,
    next_in_round,
    sharing_turn,
    waiting,
)
from systems.encounter.schedule import following as following
from systems.errors import Refused
from systems.sheets import with_fresh_turn
from systems.text import listed


def start(play: Transaction) -> None:
    """Begin round 1 with the first turn. Raises Refused if it has begun, or nobody can have a turn."""
    progress = play.encounter.progress
    if progress.over:
        raise Refused("the fight is over; undo brings it back")
    if progress.round:
        raise Refused(f"the fight has begun already, it is round {progress.round}")
    for combatant in play.encounter:
        if combatant.state.arrives == 1:
            _arrive(play, combatant.id)
    here = [
        combatant for combatant in play.encounter if not combatant.state.arrives and not combatant.state.waits
    ]
    if not any(play.encounter.status(combatant).in_order for combatant in here):
        raise Refused("nobody is there whose turn could come; add somebody first")
    order = _first_order(play, here)
    play.encounter = play.encounter.with_progress(order=tuple(order), round=1)
    _tag(play)
    play.say("The fight begins, round 1.")
    for combatant in play.encounter:
        afresh = attrs.evolve(combatant, sheet=with_fresh_turn(combatant.sheet))
        play.put(sync_conditions(play.encounter, afresh))
    begin_round(play)
    begin_next_turn(play)


def _first_order(play: Transaction, here: Sequence[Combatant]) -> list[str]:
    """Return the first order: as the game master set it, else by initiative, else the players first."""
    ids = [combatant.id for combatant in here]
    if play.encounter.progress.ordered:
        ordered = [who for who in play.encounter.progress.order if who in ids]
        return [*ordered, *(who for who in ids if who not in ordered)]
    if play.encounter.style == "initiative":
        return roll_initiative(play, ids)
    return [
        combatant.id
        for combatant in sorted(here, key=lambda combatant: not play.encounter.is_player(combatant))
    ]


def _tag(play: Transaction) -> None:
    """Number the combatants in turn order once, when the fight begins."""
    play.put(*tags.in_order(play.encounter))


def running(encounter: Encounter) -> bool:
    """Return whether the fight has begun and is not over."""
    return bool(encounter.progress.round) and not encounter.progress.over


def next_turn(play: Transaction, by: str | None = None) -> None:
    """End the turn and begin the next. Raises Refused if `by` may not end it."""
    progress = play.encounter.progress
    if progress.over:
        raise Refused("the fight is over; undo brings it back")
    if not progress.round:
        raise Refused("the fight has not begun; start it first")
    if progress.round == FOREVER:
        raise Refused("this was the last round there is")
    if by is not None:
        _check_own(play.encounter, by)
        play.encounter = play.encounter.with_progress(turn=by)
    left = anybody_left(play.encounter) or waiting(play.encounter) or arrives_next(play.encounter)
    if not left:
        raise Refused("nobody is left whose turn could come")
    _end_turn(play)
    begin_next_turn(play, passing=True)


def _check_own(encounter: Encounter, by: str) -> None:
    """Raise Refused unless the turn belongs to that combatant, or in the sides style to its side."""
    combatant, progress = encounter.combatants[by], encounter.progress
    if by == progress.turn or may_act(encounter, by):
        return
    if encounter.style != "sides" or progress.interrupted:
        whose = f"; it is {encounter.turn.name}'s" if encounter.turn else ""
        raise Refused(f"it is not {combatant.name}'s turn{whose}")
    if combatant.side != progress.side:
        raise Refused(f"it is not {combatant.name}'s turn; the {progress.side or 'others'} have it")
    raise Refused(f"{combatant.name} has no turn to end in this round")


def _end_turn(play: Transaction, *, passes: bool = False) -> None:
    """End the present turn: hooks, expiring conditions, offers, and what others may do as it ends.

    Reactions stay on offer when the turn `passes` at once, and nobody has had the time for them.
    """
    progress = play.encounter.progress
    end_offers(play, progress.turn, passes=passes)
    if progress.turn is None:
        return
    ended = sharing_turn(play.encounter, progress.turn)
    for who in ended:
        if play.encounter.status(play.combatant(who)).in_order:
            play.hook("turn_end", who)
        end_of_turn(play, who)
        if not progress.interrupted:
            play.put(play.combatant(who).with_state(done=progress.round))
    offer_at_turn_end(play, ended)


def begin_next_turn(play: Transaction, *, passing: bool = False, besides: Container[str] = ()) -> None:
    """Begin the next turn, through a new round if this one is done.

    At a round's end those who wait have their turn, except `besides`. The turn of one who cannot act
    begins and ends at once. `passing`: where nobody is left and somebody is still to arrive, one round
    passes.
    """
    back, extra = play.encounter.progress.interrupted, play.encounter.progress.turn
    play.encounter = play.encounter.with_progress(interrupted=None)
    if back is not None and back != extra:
        play.encounter = play.encounter.with_progress(turn=back)
        if can_have_turn(play.encounter, back):
            play.say(f"{play.combatant(back).name}'s turn goes on.", [back])
            return
        play.put(play.combatant(back).with_state(done=play.encounter.progress.round))
    while anybody_left(play.encounter) or passing or next_delayed(play.encounter, besides):
        if who := next_in_round(play.encounter) or _recall_delayed(play, besides):
            _begin(play, who)
            if not _passes(play, who):
                _brief(play, who)
                return
            status = play.encounter.status(play.combatant(who)).name
            play.say(f"{play.combatant(who).name} is {status} and cannot act.", [who])
            _end_turn(play, passes=True)
            continue
        _new_round(play)
        passing, besides = False, ()
    play.encounter = play.encounter.with_progress(turn=None)
    play.say("Nobody is left whose turn could come.")


def _recall_delayed(play: Transaction, besides: Container[str]) -> str | None:
    """Give a delaying combatant its turn at the round's end; return its id, or None."""
    who = next_delayed(play.encounter, besides)
    if who is not None:
        play.put(play.combatant(who).with_state(waits=False))
        others = (other for other in play.encounter.progress.order if other != who)
        play.encounter = play.encounter.with_progress(order=(*others, who))
        play.say(f"{play.combatant(who).name} has waited until the end of the round.", [who])
    return who


def _passes(play: Transaction, who: str) -> bool:
    """Return whether a turn ends at once: nobody in it can act, and somebody else can.

    Where the rules lay something before the game master for one of them, the turn stays.
    """
    encounter = play.encounter
    members = sharing_turn(encounter, who) if encounter.style != "sides" else (who,)
    if any(encounter.status(play.combatant(member)).acts for member in members):
        return False
    theirs = without_reactions(encounter.offers)
    if any(offer.by in members or offer.target in members for offer in theirs):
        return False
    return anybody_acts(encounter)


def give_turn(play: Transaction) -> None:
    """Begin a turn where nobody has one and somebody can have it again."""
    running_on = running(play.encounter) and play.encounter.progress.turn is None
    if running_on and any(can_have_turn(play.encounter, who) for who in play.encounter.progress.order):
        begin_next_turn(play)


def extra_turn(play: Transaction, who: str) -> None:
    """Begin an extra turn at once; the interrupted turn goes on afterwards.

    An extra turn in an extra turn ends that one.
    """
    progress = play.encounter.progress
    if not running(play.encounter) or progress.turn is None or who == progress.turn:
        return
    if progress.interrupted:
        _end_turn(play)
    play.encounter = play.encounter.with_progress(turn=who, interrupted=progress.interrupted or progress.turn)
    play.say(f"{play.combatant(who).name} takes an extra turn now.", [who])
    start_of_turn(play, who)
    play.hook("turn_start", who)


def _new_round(play: Transaction) -> None:
    number = play.encounter.progress.round + 1
    play.encounter = play.encounter.with_progress(round=number, turn=None, side=None)
    play.say(f"Round {number}.")
    for who in [combatant.id for combatant in play.encounter if 0 < combatant.state.arrives <= number]:
        _arrive(play, who)
        play.say(f"{play.combatant(who).name} arrives.", [who])
        join_order(play, who)
    start_of_round(play)
    begin_round(play)


def _arrive(play: Transaction, who: str) -> None:
    """Let a combatant that is still to come be there from now on."""
    play.put(come_in_sight(play.encounter, play.combatant(who).with_state(arrives=0)))


def begin_round(play: Transaction) -> None:
    """Run the game's `round_start` for everybody who is there."""
    for combatant in play.encounter:
        if not combatant.state.arrives:
            play.hook("round_start", combatant.id)


def _begin(play: Transaction, who: str) -> None:
    """Begin the turn of a combatant, or of its whole side where the side changes."""
    side = play.combatant(who).side
    sides = play.encounter.style == "sides"
    changes = sides and side != play.encounter.progress.side
    play.encounter = play.encounter.with_progress(turn=who, side=side)
    beginning = (who,) if sides else group_of(play.encounter, who)
    if changes:
        beginning = tuple(
            member for member in play.encounter.progress.order if play.combatant(member).side == side
        )
        # A side of which nobody is in sight is not told of.
        in_sight = [member for member in beginning if not play.combatant(member).state.hidden]
        play.say(f"The {side} have the turn.", in_sight or beginning)
    for member in beginning:
        _begin_one(play, member)


def _begin_one(play: Transaction, who: str) -> None:
    """Begin the turn of one member of a shared turn, once in a round."""
    combatant, number = play.combatant(who), play.encounter.progress.round
    if combatant.state.begun == number or not can_have_turn(play.encounter, who):
        return
    play.put(combatant.with_state(begun=number))
    start_of_turn(play, who)
    for held in play.combatant(who).conditions:
        condition = play.encounter.game.condition(held.name)
        if condition and condition.each_turn:
            play.hook(condition.each_turn, who)
    # Last, so that it sees what they have done: who bleeds to below 0 is dying in this very turn.
    play.hook("turn_start", who)


def _brief(play: Transaction, who: str) -> None:
    """Report the new turn: `Okado's turn. Hurt: −5 to everything. Next: Guard 1.`"""
    encounter = play.encounter
    combatant = encounter.combatants[who]
    lines = [f"{combatant.name}'s turn", *encounter.game.brief(combatant.sheet, encounter.house)]
    # What stands for a field of the sheet is the game's to tell.
    known = {held: encounter.game.condition(held.name) for held in combatant.conditions}
    told = [held for held, own in known.items() if not (own and own.field)]
    for line in lines:
        play.say(line.rstrip(".") + ".", [who])
    for secret in (False, True):
        if some := [held.label for held in told if held.secret == secret]:
            play.say(f"Bears {listed(some)}.", [who], seen="gm" if secret else None)
    if follows := following(encounter):
        play.say(f"Next: {follows.name}.", [follows.id], upcoming=True)
