"""`affray danger CAMPAIGN`: how likely each player's character falls before its next turn."""

import random
from argparse import Namespace
from typing import Any

from systems.dice.sources import RandomDice
from systems.encounter.remembered import acted_in_turn
from systems.forecast.danger import Danger, danger_of
from tui.cli.fights import open_to_read
from tui.cli.output import printable, put
from tui.display.danger import danger_lines
from tui.display.order_lines import fight_line
from tui.session.session import Session


def run(arguments: Namespace) -> int:
    fight = open_to_read(arguments)
    found = dangers(fight.session)
    if arguments.json:
        put(printable({"combatants": {danger.who: _plain(danger) for danger in found}}))
        return 0
    print(fight_line(fight.session.encounter, fight.campaign.title))
    for line in danger_lines(fight.session.encounter, found):
        print(line)
    return 0


def dangers(session: Session) -> list[Danger]:
    """Return the danger of each combatant of the players' side that can act."""
    encounter = session.encounter
    acted = acted_in_turn(session.log.newest(), encounter)
    found = [
        danger_of(encounter, combatant.id, RandomDice(random.Random(0)), acted)
        for combatant in encounter.in_line()
        if encounter.is_player(combatant)
    ]
    return [danger for danger in found if danger is not None]


def _plain(danger: Danger) -> dict[str, Any]:
    shares = [
        {"who": threat.who, "action": threat.action, "chance": round(float(threat.chance), 4)}
        for threat in danger.threats
        if threat.chance
    ]
    return {"chance": round(float(danger.chance), 4), "exact": danger.is_exact, "by": shares}
