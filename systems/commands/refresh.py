"""Bring players' characters up to date with the roster, before a fight that was prepared earlier begins."""

from collections.abc import Mapping

import attrs

from systems.commands.effects import settled
from systems.commands.membership import RosterEntry
from systems.commands.transaction import Transaction
from systems.encounter.prepared import clauses, differences, kept_as_text
from systems.errors import Refused
from systems.sheets import changed


def refresh(play: Transaction, roster: Mapping[str, RosterEntry]) -> None:
    """Carry out `refresh`. Raises Refused when the fight has begun or nothing differs."""
    if play.encounter.progress.round:
        raise Refused("the fight has begun; what the roster says counts for the next one")
    if not bring_up_to_date(play, roster):
        raise Refused("the players' characters are as in the roster, but for what was prepared otherwise")


def bring_up_to_date(play: Transaction, roster: Mapping[str, RosterEntry]) -> bool:
    """Take what differs from the roster, and say what. Returns whether anything did."""
    found = differences(play.encounter, roster)
    for clause in clauses(play.encounter, found):
        play.say(f"As in the roster: {clause}.", seen="gm")
    for who in dict.fromkeys(difference.who for difference in found):
        combatant = play.encounter.combatants[who]
        changes = {difference.field: difference.after for difference in found if difference.who == who}
        entry = roster[combatant.state.kind or ""]
        new = combatant.with_state(prepared=kept_as_text(entry.sheet))
        play.put(settled(play.encounter, attrs.evolve(new, sheet=changed(new.sheet, changes))))
    if found:
        play.encounter = play.encounter.without_offers()
    return bool(found)
