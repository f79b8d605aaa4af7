"""Make the encounter that a viewer may see: a new one, filled field by field.

Hidden data is not in it at all, so nothing made from it can reveal that data. It holds other combatants'
sheets because the rules need them. `rows.py` decides which of their values are shown.
"""

from collections.abc import Container

from systems.encounter.model import (
    ActiveCondition,
    Combatant,
    CombatantState,
    Encounter,
    Offer,
    Progress,
)
from systems.schema.conversion import replace
from systems.visibility.viewer import Viewer


def sees(viewer: Viewer, combatant: Combatant) -> bool:
    """Return whether the viewer sees the combatant. The viewer's own characters are always visible."""
    return viewer.is_game_master or combatant.in_sight or viewer.owns(combatant)


def seen_encounter(encounter: Encounter, viewer: Viewer) -> Encounter:
    """Return the encounter as the viewer may see it. The game master gets the encounter itself."""
    if viewer.is_game_master:
        return encounter
    seen = {each.id: each for each in encounter if sees(viewer, each)}
    combatants = {who: _combatant(encounter, each, viewer, seen) for who, each in seen.items()}
    return Encounter(
        game=encounter.game,
        house=encounter.house,
        style=encounter.style,
        progress=_progress(encounter, combatants),
        combatants=combatants,
        offers=tuple(
            replace(offer, reacts_to=None, several=None, about=None, lasts=False, actors=(), made_from=())
            for offer in encounter.offers
            if _may_see(offer, viewer, seen)
        ),
        players=encounter.players,
    )


def _progress(encounter: Encounter, combatants: dict[str, Combatant]) -> Progress:
    progress = encounter.progress
    sides = {each.side for each in combatants.values()}
    return Progress(
        title=progress.title,
        ids=tuple(who for who in progress.ids if who in combatants),
        order=tuple(who for who in progress.order if who in combatants),
        round=progress.round,
        turn=progress.turn if progress.turn in combatants else None,
        side=progress.side if progress.side in sides else None,
        interrupted=progress.interrupted if progress.interrupted in combatants else None,
        over=progress.over,
        numbering=progress.numbering,
    )


def _combatant(
    encounter: Encounter, combatant: Combatant, viewer: Viewer, seen: dict[str, Combatant]
) -> Combatant:
    own = viewer.owns(combatant)
    conditions = tuple(_condition(held, seen) for held in combatant.conditions if own or not _is_secret(held))
    sheet = combatant.sheet if own else _without_words(combatant.sheet)
    if not own and encounter.game.effects and not encounter.is_player(combatant):
        # The odds at a seat must not tell of a shield or an aura that a foe has not shown.
        sheet = encounter.game.effects.without_lines(sheet)
    return Combatant(combatant.id, _state(combatant, own, seen), sheet, conditions)


def _state(combatant: Combatant, own: bool, seen: Container[str]) -> CombatantState:
    """Return a combatant's state. A hidden one's tag would reveal how many others are hidden."""
    state = combatant.state
    in_sight = combatant.in_sight
    return CombatantState(
        name=state.name,
        kind=state.kind if own else None,
        side=state.side,
        tag=state.tag if in_sight else 0,
        initiative=state.initiative,
        group=state.group if in_sight else None,
        waits=state.waits,
        ready=state.ready if own else None,
        begun=state.begun,
        done=state.done,
        form=state.form,
        near=tuple(who for who in state.near if who in seen),
    )


def _is_secret(held: ActiveCondition) -> bool:
    return bool(getattr(held, "secret", False))


def _condition(held: ActiveCondition, seen: dict[str, Combatant]) -> ActiveCondition:
    """Return a condition with its source, and with the turn on which it ends, only if they are in sight.

    The difficulty of the save that ends it is the game master's, and so is the condition that it becomes.
    """
    known = held.of is None or held.of in seen
    from_known = held.source is not None and held.source in seen
    return ActiveCondition(
        name=held.name,
        value=held.value,
        last_round=held.last_round,
        until=held.until if known else None,
        of=held.of if known else None,
        skips=held.skips if known else 0,
        source=held.source if from_known else None,
        through=held.through if from_known else None,
        sustained=held.sustained if from_known else None,
        apart=held.apart,
        save=held.save,
        again=held.again,
        escape=held.escape,
        ends_when=held.ends_when,
        brought_by=held.brought_by,
        begin_words=held.begin_words,
        end_words=held.end_words,
        change=held.change,
        tick=held.tick,
        tick_at=held.tick_at,
    )


def _without_words(sheet: object) -> object:
    """Return a sheet without the game master's notes and without habits."""
    noted = {name: None for name in ("name", "notes", "habits") if getattr(sheet, name) is not None}
    return replace(sheet, **noted) if noted else sheet


def _may_see(offer: Offer, viewer: Viewer, seen: dict[str, Combatant]) -> bool:
    """Return whether an offer is for the viewer's own character and involves no hidden combatant."""
    by = seen.get(offer.by or "")
    return by is not None and viewer.owns(by) and (offer.target is None or offer.target in seen)
