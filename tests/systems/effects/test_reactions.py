"""Reactions of others that lower a roll or stop an action, and dice that effects add to rolls."""

from fractions import Fraction
from itertools import product

import pytest

from systems import load
from systems.commands.actions import typed_options
from systems.commands.preview import preview
from systems.encounter.campaign_rules import with_campaign_rules
from systems.errors import Refused, Wrong
from systems.schema.conversion import read
from tests.systems.effects.creatures import GAME, MIRA, effect_fight
from tests.systems.fight import Entry, Fight

FOE = {
    "max_hp": 40,
    "defence": 12,
    "attack": 5,
    "saves": {"wisdom": 2},
    "weapons": [{"name": "claw", "damage": "1d6"}, {"name": "fireball", "damage": "2d6", "resist": "dodge"}],
    "effects": [{"name": "Gaze", "when": "asked", "save": "wisdom", "dc": 12, "damage": ["2d4"]}],
}
LOWERS = {"when": "attacked", "whose": "any"}
CUTTING = {"name": "Cutting Words", **LOWERS, "change": {"attacks": "-1d6"}, "uses": 2}
JINX = {"name": "Jinx", "when": "saving", "whose": "foes", "change": {"saves": -4}}
RALLY = {"name": "Rally", "when": "saving", "whose": "allies", "change": {"saves": "1d4"}}
COUNTER = {"name": "Counterspell", "when": "used", "whose": "foes", "of": ["fireball", "gaze"], "stops": True}
HEX = {"name": "Hex", "when": "asked", "save": "wisdom", "dc": 12, "condition": "frightened"}


def fight_with(*effects, game=GAME, house=None, **sheets):
    bo = {**MIRA, "initiative": 1, "effects": list(effects)}
    lines = ("add mira", "add bo", "add foe", "start dice=20,1,1")
    return effect_fight(*lines, game=game, house=house, foe=FOE, bo=bo, **sheets)


def odds(fight, action, actor, target, **options):
    declared = GAME.action(action)
    return preview(fight.encounter, declared, actor, target, typed_options(declared, options))


def test_a_third_party_lowers_an_attack_roll_before_it_counts():
    fight = fight_with(CUTTING)
    said = fight.text("attack mira by foe dice=11,4")
    assert "Bo uses Cutting Words (−4)." in said
    assert "Foe misses Mira with claw. 12 against 14." in said
    assert fight.sheet("bo").effects[0].spent == 1
    assert "Foe hits Mira" in fight.text("attack mira by foe dice=11,3")


def test_a_lowered_attack_of_srd_5_2_is_told_with_what_is_left_of_it():
    game = load("srd5")
    bard = {"max_hp": 20, "ac": 12, "effects": [{name: CUTTING[name] for name in CUTTING if name != "uses"}]}
    fight = Fight("srd5")
    fight.roster["bard"] = Entry("Bard", "players", read(game.sheet, bard))
    for line in ("add okado", "add bard", "add guard", "start"):
        fight.do(line)
    said = fight.text("attack okado by guard dice=13,4")
    assert said == "Bard uses Cutting Words (−4). Guard misses Okado with the spear. 12 against 16."


def test_the_odds_count_a_lowered_roll_exactly():
    works = odds(fight_with(CUTTING), "attack", "foe", "mira").works
    hits = 0
    for face, die in product(range(1, 21), range(1, 7)):
        margin = face + 5 - 14
        hit = face == 20 or (face != 1 and margin >= 0)
        # It is used if what it usually takes (3) is enough.
        hits += hit and not (face != 20 and margin + 1 <= 3 and die >= margin + 1)
    assert works == Fraction(hits, 120)


def test_a_reaction_lowers_the_save_of_a_foe_or_raises_that_of_an_ally():
    fight = fight_with(JINX, HEX)
    said = fight.text("effect foe effect=hex by bo dice=12")
    assert "Bo uses Jinx (−4)." in said
    assert fight.conditions("foe") == ["frightened"]
    other = fight_with(RALLY)
    said = other.text("effect mira effect=gaze by foe dice=10,2")
    assert "Bo uses Rally (+2)." in said
    assert other.sheet("mira").hp == 40


def test_a_reaction_lowers_the_save_against_an_area_attack():
    jinx = {**JINX, "whose": "allies", "change": {"saves": 4}}
    fight = fight_with(jinx)
    said = fight.text("area mira weapon=fireball by foe dice=9,3,4")
    assert "Bo uses Jinx (+4)." in said
    assert "Mira resists" in said


def test_a_counterspell_stops_an_area_or_an_effect_before_it_counts_and_undo_restores_both():
    fight = fight_with(COUNTER)
    before = fight.plain
    said = fight.text("area mira,bo weapon=fireball by foe")
    assert "Bo uses Counterspell." in said
    assert "Foe's fireball is stopped." in said
    assert fight.sheet("mira").hp == 40
    fight.do("undo")
    assert fight.plain == before
    assert "Foe's Gaze is stopped." in fight.text("effect mira effect=gaze by foe")
    assert "Foe hits Mira" in fight.text("attack mira by foe dice=15,3")


def test_an_attack_that_is_stopped_does_not_roll():
    fight = fight_with({**COUNTER, "of": ["claw"]})
    event = fight.do("attack mira by foe")
    assert event.rolls == ()
    assert "Foe's claw is stopped." in str(event.text)


def test_the_odds_count_a_lowered_save_and_a_stopped_attack_exactly():
    # The save of the foe, d20 + 2, needs a 10. A 10 to 13 is lowered to a failure.
    found = odds(fight_with(JINX, HEX), "effect", "bo", "foe", effect="Hex")
    assert dict(found.effects)["frightened"] == Fraction(9 + 4, 20)
    # Rally adds a die of the bard. It is used if what it usually gives, 2, is enough.
    other = odds(fight_with(RALLY), "effect", "foe", "mira", effect="Gaze")
    needs = 12 - MIRA["saves"]["wisdom"]
    fails = sum(
        face + (die if needs - face <= 2 else 0) < needs for face in range(1, 21) for die in range(1, 5)
    )
    assert other.amounts[0] == 1 - Fraction(fails, 80)
    stopped = odds(fight_with({**COUNTER, "of": ["claw"]}), "attack", "foe", "mira")
    assert (stopped.works, dict(stopped.effects)["Counterspell"]) == (0, 1)


BLESS = {"name": "Bless", "when": "always", "change": {"attacks": "1d4", "saves": "1d4"}}


def test_a_condition_or_an_aura_adds_a_die_to_attack_rolls_and_saves():
    game = with_campaign_rules(GAME, {"condition": [{"name": "blessed", "lines": [BLESS]}]})
    fight = fight_with(game=game)
    fight.do("condition mira blessed")
    said = fight.text("attack foe by mira dice=4,3,5")
    assert "Mira hits Foe with sword for 8" in said
    assert "13 against 12" in said
    assert "Mira succeeds" in fight.text("effect mira effect=gaze by foe dice=9,3")
    aura = fight_with({**BLESS, "who": "allies"})
    assert "13 against 12" in aura.text("attack foe by mira dice=4,3,5")


@pytest.mark.parametrize(
    ("house", "value", "works"),
    [
        ({"roll": "over"}, 4, Fraction(sum(f + d + 4 >= 12 for f in range(1, 21) for d in range(1, 5)), 80)),
        ({"roll": "under"}, 40, Fraction(sum(f - d <= 40 for f in range(1, 101) for d in range(1, 5)), 400)),
    ],
)
def test_the_odds_of_a_check_with_an_extra_die_are_an_exact_enumeration(house, value, works):
    guidance = {"name": "Guidance", "when": "always", "change": {"checks": "1d4"}}
    fight = fight_with(guidance, house={**house, "naturals": False})
    needed = {"difficulty": "12"} if house["roll"] == "over" else {"difficulty": "0"}
    declared = GAME.action("check")
    options = typed_options(declared, {"value": str(value), **needed})
    assert preview(fight.encounter, declared, "bo", None, options).works == works


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({**LOWERS, "change": {"attacks": "1d6"}}, "when: attacked needs change"),
        ({"when": "saving", "whose": "foes", "change": {"saves": 2}}, "when: saving needs change"),
        ({"when": "used", "whose": "foes", "stops": True}, "stops: needs when = used, whose = foes"),
        ({"when": "always", "change": {"ac": "1d4"}}, 'change: "ac" needs a number; a die is for attacks'),
        ({"when": "always", "change": {"attacks": "d4+1"}}, "change.attacks: expected advantage"),
    ],
)
def test_a_mistake_in_a_reaction_names_its_field(line, says):
    with pytest.raises(Wrong) as wrong:
        read(GAME.sheet, {"effects": [{"name": "A", **line}]})
    assert f"effects[0].{says}" in str(wrong.value)


def test_an_amendment_changes_the_answer_to_a_question_and_keeps_the_dice():
    fight = fight_with(CUTTING)
    fight.do("attack mira by foe dice=11,4")
    assert fight.sheet("mira").hp == 40
    fight.do("amend 5 answer=no dice=11,3")
    assert fight.sheet("mira").hp == 37
    assert fight.sheet("bo").effects[0].spent == 0
    fight.do("amend 5 answer=yes dice=11,4")
    assert fight.sheet("bo").effects[0].spent == 1
    fight.do("undo")
    assert fight.sheet("mira").hp == 37
    with pytest.raises(Refused, match="answer=perhaps does not fit the question Bo: use Cutting Words"):
        fight.do("amend 5 answer=perhaps")
    with pytest.raises(Refused, match="too many answers: 2 given, 1 asked for"):
        fight.do("amend 5 answer=yes,no")


def test_an_amendment_chooses_another_effect():
    choice = {"name": "Fit", "when": "start", "choose": ["Rage", "Roar"]}
    rage, roar = ({"name": name, "when": "asked", "remind": f"it {name}s"} for name in ("Rage", "Roar"))
    fight = fight_with(rage, roar, choice)
    fight.do("next")
    assert "It Rages" in str(fight.log.events[-1].text)
    fight.do("amend 5 answer=roar")
    assert "It Roars" in str(fight.log.as_amended[4].text)
