"""`affray show CAMPAIGN`: print the current state of a fight, even while another program has it."""

from argparse import Namespace
from typing import Any

from systems.encounter.durations import left
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.sheets import write_sheet
from tui.cli.fights import open_to_read
from tui.cli.output import printable, put
from tui.display.order_lines import fight_line, order_lines
from tui.session.session import Session


def run(arguments: Namespace) -> int:
    fight = open_to_read(arguments)
    if arguments.json:
        put(printable({"encounter": fight.encounter, **shown(fight.session)}))
    else:
        encounter = fight.session.encounter
        print(
            "\n".join(
                (fight_line(encounter, fight.campaign.title), *order_lines(encounter, fight.session.log))
            )
        )
    return 0


def shown(session: Session) -> dict[str, Any]:
    """Return the current state as plain data."""
    encounter = session.encounter
    return {
        "system": session.game.name,
        "title": encounter.progress.title,
        "round": encounter.progress.round,
        "turn": encounter.progress.turn,
        "side": encounter.progress.side,
        "over": encounter.progress.over,
        "order": list(encounter.progress.order),
        "events": len(session.log.events),
        "happenings": [
            {"round": each.round, "text": each.name, "hidden": each.hidden}
            for each in encounter.progress.happenings
        ],
        "offers": [
            {"text": offer.says, "command": offer.command, "by": offer.by} for offer in encounter.offers
        ],
        "combatants": [_combatant(encounter, combatant) for combatant in encounter],
    }


def _origin(held: ActiveCondition) -> dict[str, Any]:
    """Return the source of a condition and what ends it, as far as it has them."""
    found = {
        "source": held.source,
        "save": held.save,
        "difficulty": held.difficulty,
        "again": list(held.again),
        "escape": held.escape,
        "ends_when": list(held.ends_when),
        "brought_by": held.brought_by,
        "change": list(held.change),
        "tick": list(held.tick),
    }
    return {name: value for name, value in found.items() if value not in (None, [])}


def _combatant(encounter: Encounter, combatant: Combatant) -> dict[str, Any]:
    conditions = [
        {"name": held.name, "value": held.value, "left": left(encounter, held), **_origin(held)}
        for held in combatant.conditions
    ]
    place = combatant.state
    return {
        "id": combatant.id,
        "tag": place.tag if combatant.tag.isdecimal() else combatant.tag,
        "name": combatant.name,
        "kind": place.kind,
        "side": combatant.side,
        "hidden": place.hidden,
        "waits": place.waits,
        "ready": place.ready,
        "arrives": place.arrives,
        "initiative": place.initiative,
        "group": place.group,
        "sheet": write_sheet(encounter.game, combatant.sheet, encounter.house),
        "conditions": conditions,
        **({"near": list(place.near)} if place.near else {}),
        **({"form": place.form} if place.form else {}),
        **({"away": True} if place.away else {}),
    }
