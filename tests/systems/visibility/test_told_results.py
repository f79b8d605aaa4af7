"""Seats that see no figures of a target read the same result of every action as the table does."""

import random
from copy import copy
from functools import cache

import pytest

from systems.dice.sources import RandomDice
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import PUBLIC, Shown
from tests.systems.fight import GAMES, Fight

BANDS = Shown(foes="band", allies="band")
SEEDS = range(16)
# For each action that can succeed: lines that do it, with a good and a bad chance between them.
LINES = {
    "arden": {
        "attack": ("attack guard-1", "attack guard-1 modifier=-9"),
        "counter": ("counter guard-1", "counter guard-1 modifier=-9"),
        "check": ("check ability=speed dc=9",),
        "perception": ("perception dc=12",),
    },
    "atlantis": {
        "attack": ("attack guard-1,guard-2", "attack guard-1,guard-2 modifier=-40"),
        "check": ("check ability=melee threshold=60",),
        "contest": ("contest guard-1 ability=melee", "contest guard-1 ability=melee modifier=-20"),
    },
    "atomic_d20": {
        "attack": ("attack guard-1,guard-2",),
        "cast": ("cast difficulty=12",),
        "maneuver": ("maneuver difficulty=12",),
    },
    "simple": {
        "attack": ("attack guard-1,guard-2", "attack guard-1,guard-2 modifier=-9"),
        "area": (
            "area guard-1,guard-2 damage_modifier=4",
            "area guard-1,guard-2 damage_modifier=4 difficulty=12",
            "area guard-1,guard-2 damage_modifier=4 fails=guard-1 resists=guard-2",
        ),
        "check": ("check difficulty=12",),
        "save": ("save save=wisdom difficulty=12",),
    },
    "srd5": {
        "attack": ("attack guard-1", "attack guard-1 modifier=-9"),
        "power": ("power guard-1 power=blast", "power guard-1 power=blast fail=yes"),
        "save": ("save ability=wisdom dc=12",),
        "check": ("check skill=stealth dc=15",),
        "grapple": ("grapple guard-1",),
        "shove": ("shove guard-1",),
        "escape": ("escape",),
        "conceal": ("conceal",),
        "stabilize": ("stabilize guard-2",),
        "concentration": ("concentration damage=10",),
    },
    "waygate": {
        "attack": ("attack guard-1,guard-2", "attack guard-1,guard-2 modifier=-9"),
        "test": ("test threshold=12",),
        "opposed": ("opposed guard-1", "opposed guard-1 modifier=-9"),
        "mystic": ("mystic mystic=12",),
        "healing_spell": ("healing_spell guard-1 modifier=9", "healing_spell guard-1 modifier=-9"),
    },
    "xcom": {
        "attack": ("attack guard-1", "attack guard-1 modifier=-60"),
        "explosion": (
            "explosion guard-1,guard-2 damage=4",
            "explosion guard-1,guard-2 damage=4 fails=guard-1 resists=guard-2",
        ),
        "gas": ("gas guard-1,guard-2 damage=4",),
        "psi": ("psi difficulty=40",),
        "check": ("check attribute=aim",),
        "social": ("social", "social modifier=-60"),
    },
}


# What a seat reads of an action that has not succeeded.
FAILED = {"miss", "match", "critical miss", "failed", "lost", "tied", "jam", "fumble", "resisted"}


def fight_of_all_actions(game: str) -> Fight:
    """Return a copy of a fight in its first round, for which the caller brings the dice.

    In Waygate Okado knows a spell that heals.
    """
    return copy(_played(game))


@cache
def _played(game: str) -> Fight:
    fight = Fight(game, "add okado", "add guard x2")
    if game == "waygate":
        fight.do('set okado spells.mend "1d4"')
        fight.do("set okado spells.mend.healing 1d6")
        fight.do("set okado spells.mend.mystic 11")
    if game == "srd5":
        fight.do("set okado concentrating web")
        fight.do("condition okado grappled")
        fight.do("set okado escape_dc 12")
        fight.do("set guard-2 dies_at_zero no")
        fight.do("damage guard-2 10")
    fight.do("start")
    return fight


@pytest.mark.parametrize("game", GAMES)
def test_every_action_reads_the_same_at_the_seats_as_at_the_table(game):
    actions = [action for action in Fight(game).game.actions if action.success and action.group != "hook"]
    assert {action.name for action in actions} == set(LINES[game])
    for action in actions:
        seen = set()
        for line in LINES[game][action.name]:
            for seed in SEEDS:
                fight = fight_of_all_actions(game)
                fight.dice = RandomDice(random.Random(seed))
                event = fight.do(f"{line} by okado")
                told = {
                    sentence.result: sentence.text.rstrip(".").rpartition(": ")[2].split(", ")[0]
                    for sentence in seen_sentences(event, fight.encounter, fight.log, PUBLIC, BANDS)
                    if sentence.result is not None
                }
                for at, result in enumerate(event.results):
                    if result.action == action.name:
                        seen.add((action.succeeds(result.facts.get(action.success)), told[at]))
        assert {succeeded for succeeded, _ in seen} == {True, False}, action.name
        wrong = [word for succeeded, word in seen if (word in FAILED) is succeeded]
        assert not wrong, action.name


def test_a_creature_that_recharges_tells_nothing_to_players_who_see_bands():
    lines = ("add okado as Drake side=foes", "add tamsin", "set drake powers.blast.recharge 5")
    fight = Fight("srd5", *lines, "start dice=20,1")
    fight.do("power tamsin power=blast by drake dice=1,3,4")
    fight.do("next")
    event = fight.do("next dice=4")
    assert "Drake does not recharge blast." in event.text
    told = seen_sentences(event, fight.encounter, fight.log, PUBLIC, BANDS)
    read = " ".join(str(each.text) for each in told)
    assert "Drake's turn" in read
    assert "recharge" not in read
