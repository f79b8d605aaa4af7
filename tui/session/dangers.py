"""The danger of the players' characters."""

import random

from systems.dice.sources import RandomDice
from systems.encounter.lookup import single
from systems.errors import Refused
from systems.forecast.danger import danger_of
from systems.forecast.found import Danger
from systems.text import clean
from tui.session.live_fight import LiveFight


def dangers(fight: LiveFight) -> list[Danger]:
    """Return the danger of each player's character that can act; none before the fight and after it."""
    encounter = fight.encounter
    if encounter.is_prepared or encounter.progress.over:
        return []
    found = [
        danger_of(encounter, combatant.id, RandomDice(random.Random(0)), fight.done)
        for combatant in encounter.in_line()
        if encounter.is_player(combatant)
    ]
    return [danger for danger in found if danger is not None]


def dangers_for(fight: LiveFight, name: str) -> list[Danger]:
    """Return the danger of the named character; that of all of them for "". Raises Refused."""
    encounter, found = fight.encounter, dangers(fight)
    if not name:
        return found
    who = single(encounter, name)
    found = [each for each in found if each.who == who.id]
    if not found and not (encounter.is_prepared or encounter.progress.over):
        raise Refused(f"{clean(who.name, 40)} is no player's character that can act")
    return found
