"""The danger of the players' characters."""

import random

from systems.dice.sources import RandomDice
from systems.forecast.danger import danger_of
from systems.forecast.found import Danger
from tui.session.live_fight import LiveFight


def dangers(fight: LiveFight) -> list[Danger]:
    """Return the danger of each player's character that can act; none before the fight and after it."""
    encounter = fight.encounter
    if encounter.is_prepared or encounter.progress.over:
        return []
    found = [
        danger_of(encounter, combatant.id, RandomDice(random.Random(0)), fight.acted)
        for combatant in encounter.in_line()
        if encounter.is_player(combatant)
    ]
    return [danger for danger in found if danger is not None]
