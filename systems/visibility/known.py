"""Make the fight as a viewer knows it, to list targets and calculate actions from.

It holds nothing that is hidden from the viewer. Other combatants' sheets are empty except for the values
shown. If only a band of health is shown, they get values that fit the band. So the rules can reveal no more
about such a fight than the screen does.
"""

from collections.abc import Mapping

from systems.commands.beginning import with_turn_begun
from systems.contract.display import Meter
from systems.encounter.history import History
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.encounter.tags import own_slug
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.sheets import changed
from systems.visibility.moment import shown_moment
from systems.visibility.rows import band, detail_for, open_meters
from systems.visibility.viewer import Shown, Viewer

# The rest of a meter, in quarters, for each band of health.
_QUARTERS = {"fresh": 4, "hurt": 3, "badly hurt": 2, "down": 0}
_USUAL_FULL = 10  # if the sheet does not say


@frozen
class KnownFight:
    """A fight as one viewer knows it.

    `seen`: what the viewer may see, by ids, with the sheets that the rules need. `known`: the same with other
    combatants' sheets as they appear. `named`: like `known`, with names in place of ids. `ids`: these names
    -> ids.
    """

    seen: Encounter
    known: Encounter
    named: Encounter
    ids: Mapping[str, str]

    def name_of(self, who: str) -> str:
        """Return the name that replaces an id, or "" if the combatant is out of sight."""
        return next((name for name, known in self.ids.items() if known == who), "")


def known_fight(encounter: Encounter, log: History, viewer: Viewer, shown: Shown) -> KnownFight:
    """Return the fight as a viewer knows it, at the moment that the viewer sees."""
    seen = shown_moment(encounter, log, viewer, shown).encounter
    combatants = {each.id: _as_shown(seen, each, viewer, shown) for each in seen}
    known = evolve(seen, combatants=combatants, offers=())
    ids = names_of(seen)
    return KnownFight(seen, known, _renamed(known, {who: name for name, who in ids.items()}), ids)


def in_next_turn(fight: KnownFight, who: str) -> KnownFight:
    """Return the fight as the viewer expects it to be when the next turn of a combatant has begun."""
    seen, known = with_turn_begun(fight.seen, who), with_turn_begun(fight.known, who)
    names = {of: name for name, of in fight.ids.items()}
    return KnownFight(seen, known, _renamed(known, names), fight.ids)


def names_of(seen: Encounter) -> dict[str, str]:
    """Return the ids of combatants by the names that replace them at a seat.

    Ids belong to the table, and one may depend on hidden combatants. So each combatant goes by its name here.
    """
    sides = {each.side for each in seen}
    ids: dict[str, str] = {}
    for each in seen:
        name = own_slug(each.name, sides)
        ids[name if name not in ids else f"{name}-{each.tag}"] = each.id
    return ids


def _as_shown(seen: Encounter, each: Combatant, viewer: Viewer, shown: Shown) -> Combatant:
    """Return the viewer's own combatant unchanged, another with a blank sheet and the visible health."""
    detail = detail_for(seen, each, viewer, shown)
    if detail == "full":
        return each
    meters = open_meters(seen) if detail == "figures" else ()
    levels: dict[str, int] = {}
    for meter in seen.game.meters:
        levels |= _level(seen, each, meter, is_open=meter in meters)
    blank = seen.game.sheet()
    return Combatant(each.id, each.state, changed(blank, levels), each.conditions)


def _level(seen: Encounter, each: Combatant, meter: Meter, *, is_open: bool) -> dict[str, int]:
    """Return the values of one meter: the real ones, or some that fit the band shown."""
    if is_open:
        return {meter.now: getattr(each.sheet, meter.now), meter.full: getattr(each.sheet, meter.full)}
    full = getattr(seen.game.sheet(), meter.full) or _USUAL_FULL
    quarters = _QUARTERS[band(each, seen).text]
    return {meter.full: full, meter.now: full * quarters // 4}


def _renamed(known: Encounter, names: Mapping[str, str]) -> Encounter:
    """Return the encounter with these names in place of ids."""
    combatants = {
        names[each.id]: Combatant(
            names[each.id],
            replace(each.state, group=None, near=tuple(names[who] for who in each.state.near)),
            each.sheet,
            tuple(_condition(held, names) for held in each.conditions),
        )
        for each in known
    }
    progress = known.progress
    return evolve(
        known,
        combatants=combatants,
        progress=replace(
            progress,
            ids=tuple(names[who] for who in progress.ids),
            order=tuple(names[who] for who in progress.order),
            turn=names[progress.turn] if progress.turn else None,
            interrupted=names[progress.interrupted] if progress.interrupted else None,
        ),
    )


def _condition(held: ActiveCondition, names: Mapping[str, str]) -> ActiveCondition:
    """Return a condition with names in place of the ids of its source and of the turn it ends with."""
    return replace(held, of=names.get(held.of or ""), source=names.get(held.source or ""))
