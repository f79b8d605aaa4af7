"""Conditions of SRD 5.2 that come together and end together: a grapple, a swallowed hero, a song."""

import pytest

from tests.systems.srd5.facing import facing

SWORD = {"name": "sword", "to_hit": 15, "damage": ["30 slashing"]}


# How a creature grapples Mira, and the dice of her saves against being swallowed.
HOLDS = {
    "giant-toad": ("attack mira by giant-toad dice=15,3,3,2", ""),
    "behir": ("power mira power=Constrict by behir dice=1,5,5,5,5,5", " dice=1,1"),
    "purple-worm": ("attack mira weapon=Bite by purple-worm dice=15,3,3,3", " dice=1"),
}


def swallowed(creature):
    """Return a fight in which a creature has grappled Mira and then swallowed her."""
    fight = facing(creature, ac=5, max_hp=500, size="small", attacks=[SWORD])
    hold, dice = HOLDS[creature]
    fight.do(hold)
    fight.do(f"power mira power=Swallow by {creature}{dice}")
    return fight


def test_who_is_swallowed_is_no_longer_grappled_and_stays_restrained():
    fight = swallowed("behir")
    assert set(fight.sheet("mira").conditions) == {"blinded", "restrained"}
    assert fight.sheet("mira").escape_dc == 0
    assert set(fight.conditions("mira")) == {"swallowed", "blinded", "restrained"}


@pytest.mark.parametrize("creature", list(HOLDS))
def test_the_death_of_a_swallower_frees_those_inside_who_lie_prone(creature):
    fight = swallowed(creature)
    said = fight.text(f"damage {creature} 999")
    assert "Mira is no longer swallowed and is prone." in said
    assert fight.sheet("mira").conditions == ("prone",)
    assert fight.conditions("mira") == ["prone"]
    fight.do("undo")
    assert "swallowed" in fight.conditions("mira")
    assert {"blinded", "restrained"} <= set(fight.sheet("mira").conditions)


def test_a_swallower_that_is_only_stunned_keeps_those_inside():
    fight = swallowed("behir")
    fight.do("condition behir stunned")
    assert "swallowed" in fight.conditions("mira")
    fight.do("remove behir")
    assert fight.conditions("mira") == ["prone"]


def test_damage_from_inside_makes_a_swallower_spit_out_at_the_end_of_the_turn():
    fight = swallowed("behir")
    while fight.turn != "mira":
        fight.do("next")
    fight.do("attack behir by mira dice=15,15")
    assert "swallowed" in fight.conditions("mira")
    fight.do("next dice=1")
    assert fight.conditions("mira") == ["prone"]
    fight.do("undo")
    assert "behir succeeds" in fight.text("next dice=20,1,1,1,1,1,1").casefold()
    assert "swallowed" in fight.conditions("mira")


def test_damage_from_outside_or_too_little_of_it_lets_nobody_out():
    fight = swallowed("behir")
    while fight.turn != "mira":
        fight.do("next")
    fight.do("damage behir 29 by mira")
    fight.do("damage behir 99")
    fight.do("next")
    assert "swallowed" in fight.conditions("mira")


def test_a_giant_frog_hurts_and_disgorges_at_the_end_of_its_next_turn():
    fight = facing("giant-frog", ac=5, max_hp=100, size="small")
    while fight.turn != "giant-frog":
        fight.do("next")
    fight.do("attack mira by giant-frog dice=15,3")
    before = fight.sheet("mira").hp
    fight.do("power mira power=Swallow by giant-frog")
    fight.do("next")
    assert fight.sheet("mira").hp == before
    fight.do("next")
    fight.do("next dice=2,3")
    assert fight.sheet("mira").hp == before - 5
    assert fight.conditions("mira") == ["prone"]


def test_a_grapple_ends_when_the_grappler_cannot_act_and_ends_alone():
    fight = facing("giant-crocodile", "wolf", ac=5, max_hp=300)
    fight.do("attack mira weapon=Bite by giant-crocodile dice=15,3,3,3")
    assert fight.sheet("mira").conditions == ("grappled", "restrained")
    fight.do("condition mira frightened by wolf")
    fight.do("condition giant-crocodile stunned")
    assert fight.sheet("mira").conditions == ("frightened",)
    assert fight.conditions("mira") == ["frightened"]
    fight.do("undo")
    fight.do("damage giant-crocodile 999")
    assert fight.conditions("mira") == ["frightened"]


def test_a_grapple_of_the_rules_ends_when_the_grappler_falls():
    fight = facing("wolf")
    fight.do("grapple wolf by mira dice=1")
    assert fight.conditions("wolf") == ["grappled"]
    fight.do("damage mira 60")
    assert "grappled" not in fight.conditions("wolf")
    assert fight.sheet("wolf").escape_dc == 0


@pytest.mark.parametrize(("creature", "power"), [("harpy", "Luring Song"), ("chuul", "Paralyzing Tentacles")])
def test_one_save_ends_both_of_two_linked_conditions(creature, power):
    fight = facing(creature, max_hp=200, ac=5)
    if creature == "chuul":
        fight.do("attack mira by chuul dice=15,3")
    fight.do(f'power mira power="{power}" by {creature} dice=2')
    assert fight.turn == "mira"
    assert fight.text("next dice=1").count(" still ") == 1
    assert len(fight.sheet("mira").conditions) >= 2
    assert fight.turn == creature
    fight.do("next dice=20")  # a turn without actions passes by itself
    assert set(fight.sheet("mira").conditions) <= {"grappled"}
    assert set(fight.conditions("mira")) <= {"grappled"}


@pytest.mark.parametrize(
    ("creature", "hold", "held"),
    [
        ("animated-rug-of-smothering", "attack mira by {} dice=15", {"grappled", "blinded", "restrained"}),
        ("roper", "attack mira weapon=Tentacle by {} dice=15", {"grappled", "poisoned"}),
        ("shambling-mound", "power mira by {} dice=1", {"grappled", "blinded", "restrained"}),
        ("water-elemental", "power mira by {} dice=1,3,3,3,3", {"grappled", "restrained"}),
    ],
)
def test_what_comes_with_a_hold_ends_with_it(creature, hold, held):
    fight = facing(creature, ac=5, max_hp=300, hp=300)
    fight.do(hold.format(creature))
    assert set(fight.sheet("mira").conditions) == held == set(fight.conditions("mira"))
    assert fight.sheet("mira").escape_dc
    fight.do("escape by mira dice=20,20" if "poisoned" in held else "escape by mira dice=20")
    assert fight.sheet("mira").conditions == ()
    assert fight.conditions("mira") == []
    fight.do("undo")
    fight.do(f"damage {creature} 999")
    assert fight.sheet("mira").conditions == ()


def test_a_hold_of_a_rug_hurts_each_turn_and_no_condition_is_named_twice():
    fight = facing("animated-rug-of-smothering", ac=5, max_hp=300, hp=300)
    fight.do("attack mira by animated-rug-of-smothering dice=15")
    assert fight.sheet("mira").hp == 300
    while fight.turn != "animated-rug-of-smothering":
        fight.do("next")
    fight.do("next dice=3,4")
    assert fight.sheet("mira").hp == 300 - 10


def test_a_second_failed_save_paralyzes_for_a_minute_with_a_save_each_turn():
    fight = facing("adult-silver-dragon", max_hp=500)
    fight.do('power mira power="Paralyzing Breath" by adult-silver-dragon dice=1')
    assert fight.sheet("mira").conditions == ("incapacitated",)
    fight.do("next dice=1")
    [held] = fight.encounter.combatants["mira"].conditions
    assert (held.name, held.again, held.save, held.difficulty, held.last_round) == (
        "paralyzed",
        ("end",),
        "constitution",
        20,
        10,
    )
    fight.do("next dice=20")
    assert fight.conditions("mira") == []


def test_damage_wakes_a_creature_that_a_breath_has_put_to_sleep():
    fight = facing("adult-brass-dragon", max_hp=500)
    fight.do('power mira power="Sleep Breath" by adult-brass-dragon dice=1')
    fight.do("next dice=1")
    assert "unconscious" in fight.sheet("mira").conditions
    fight.do("damage mira 1")
    assert "unconscious" not in fight.sheet("mira").conditions


def test_a_grapple_given_by_hand_ends_with_the_grappler_it_names():
    fight = facing("wolf")
    assert fight.text("condition mira grappled by wolf") == "Mira is grappled until wolf falls."
    assert "Mira is no longer grappled" in fight.text("damage wolf 99")
    assert fight.sheet("mira").conditions == ()
    fight.do("condition mira grappled")
    assert fight.conditions("mira") == ["grappled"]
