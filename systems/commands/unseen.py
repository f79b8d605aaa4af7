"""What players read of an outcome in which a hidden combatant takes part: what changed about the others."""

from collections.abc import Iterator

from systems.contract.action import Action
from systems.contract.marked_text import SOMETHING_UNSEEN, as_status
from systems.encounter.losses import losses
from systems.encounter.model import Combatant, Encounter
from systems.text import listed


def unseen_effect(
    before: Encounter, after: Encounter, action: Action, actor: str, target: str | None
) -> tuple[str, tuple[str, ...]] | None:
    """Return `Something unseen: 5 damage to Mira.` and the ids of the combatants in it.

    None if nothing in sight has changed, and for a hidden combatant's attack on a visible one: its sentence
    is made of its result.
    """
    strikes = action.group == "combat" and target is not None
    if strikes and not after.combatants[actor].in_sight and after.combatants[str(target)].in_sight:
        return None
    told: dict[str, str] = {}
    # The figures of the players' side are better known, so that a foe, if there is one, decides.
    for now in sorted(after, key=lambda each: not after.is_player(each)):
        then = before.combatants.get(now.id)
        if then is None or then is now or not (then.in_sight and now.in_sight):
            continue
        if words := _changed(before, after, then, now):
            told[now.id] = words
    return (f"{SOMETHING_UNSEEN.capitalize()}: {'; '.join(told.values())}.", tuple(told)) if told else None


def _changed(before: Encounter, after: Encounter, then: Combatant, now: Combatant) -> str:
    """Return what changed about one combatant: `5 damage to Mira, now frightened`, or ""."""
    states = list(_new_states(before, after, then, now))
    lost = sum(loss.lost for loss in losses(before, after, [now.id]))
    if not lost:
        return f"{now.name} is now {listed(states)}" if states else ""
    points = f"{lost} damage to {now.name}" if lost > 0 else f"{now.name} regains {-lost}"
    return f"{points}, now {listed(states)}" if states else points


def _new_states(before: Encounter, after: Encounter, then: Combatant, now: Combatant) -> Iterator[str]:
    """Yield the new status of a combatant and the conditions that it was given."""
    was, status = before.status(then).name, after.status(now).name
    if was != status:
        yield as_status(status)
    held = {(each.name, each.value) for each in then.conditions}
    for each in now.conditions:
        if (each.name, each.value) not in held and not each.secret:
            yield each.label_in(after.game)
