"""Count the turns before a combatant's own: "you are next but one"."""

from systems.commands.beginning import comes_to
from systems.encounter.model import Encounter
from systems.encounter.schedule import can_have_turn, group_of, may_act, next_in_round, sharing_turn


def turns_before(encounter: Encounter, who: str) -> int | None:
    """Return the number of turns before that of a combatant: 0 during it, None if it never comes.

    Counts the rest of this round, then the next one. A group counts as one, and so does a side in the sides
    order. A turn does not count if it passes because no member can act.
    """
    progress = encounter.progress
    if not progress.round or progress.over or not can_have_turn(encounter, who):
        return None
    if who in _present(encounter):
        return 0
    now = set(_present(encounter)) | set(sharing_turn(encounter, progress.turn) if progress.turn else ())
    count = 1 if progress.turn else 0
    for round_begins in (False, True):
        if round_begins:
            number = progress.round + 1
            encounter = encounter.with_progress(round=number, turn=None, side=None, interrupted=None)
            now = set()
        while (next_due := next_in_round(encounter, now)) is not None:
            together = _together(encounter, next_due)
            if who in together:
                return count
            now |= together
            count += _comes(encounter, together)
    return None


def _present(encounter: Encounter) -> set[str]:
    """Return the ids of the combatants that may act in the current turn."""
    progress = encounter.progress
    if progress.turn is None:
        return set()
    return {each.id for each in encounter if may_act(encounter, each.id)}


def _comes(encounter: Encounter, together: set[str]) -> bool:
    """Return whether any of these gets a turn that does not pass immediately."""
    members = tuple(
        who for who in encounter.progress.order if who in together and can_have_turn(encounter, who)
    )
    acts = any(encounter.status(encounter.combatants[who]).acts for who in members)
    return acts or comes_to(encounter, members)


def _together(encounter: Encounter, who: str) -> set[str]:
    """Return the ids of the combatants whose turn comes at the same time."""
    if encounter.style == "sides":
        side = encounter.combatants[who].side
        return {each.id for each in encounter if each.side == side}
    return {who, *group_of(encounter, who)}
