"""Actions on several targets: one throw or one each, who resists, half or nothing, and a heading for all."""

from fractions import Fraction

import icepool
import pytest

from systems.commands.preview import preview
from systems.contract.area import Area, Resistance, area_action
from systems.contract.condition import Condition
from systems.contract.damage import DamagePart
from systems.contract.outcome import GivenCondition, Term, refuse
from systems.encounter.events import public_of
from systems.encounter.lookup import single
from systems.errors import Refused
from systems.frozen import evolve
from systems.schema.fields import declare, flag
from tests.systems.fight import Entry, Fight
from tests.systems.toy import TOY, Sheet

PARTS = (DamagePart("fire", "8d6"), DamagePart("cold", "2d8"))


def hurt(scene, damage):
    left = scene.target.hp - damage
    return {"hp": left}, f"hp {scene.target.hp} → {left}"


FIREBALL = Area(
    lambda scene: PARTS,
    hurt,
    resists=lambda scene: Resistance("dodge", 13, terms=(Term("quick", 2),)),
    gives=lambda scene: (GivenCondition("target", "aflame"),),
)


def fighting(area, **sheets):
    blast = area_action("blast", "fire for many", area)
    conditions = (*TOY.conditions, Condition("aflame", "burns"))
    game = evolve(TOY, actions=(*TOY.actions, blast), conditions=conditions)
    fight = Fight(game, style="manual")
    for name, side in {"ada": "players", "orc": "foes", "imp": "foes"}.items():
        fight.roster[name] = Entry(name.title(), side, Sheet(hp=99))
        fight.do(f"add {name}")
    fight.do("start")
    return fight


def test_one_roll_counts_for_all_targets_and_half_for_resisting_ones():
    fight = fighting(FIREBALL)
    dice = ["5", *["4"] * 8, *["3"] * 2, "15"]
    event = fight.do(f"blast orc,imp dice={','.join(dice)} by ada")
    assert event.text == (
        "Ada's blast: 1 of 2 resist, 32 fire and 6 cold damage. "
        "Orc does not resist and takes 38 (hp 99 → 61), aflame. 7 against 13. "
        "Imp resists and takes 19 (hp 99 → 80). 17 against 13."
    )
    held_names = {
        who: [held.name for held in single(fight.encounter, who).conditions] for who in ("orc", "imp")
    }
    assert held_names == {"orc": ["aflame"], "imp": []}
    assert [result.facts["failed"] for result in event.results] == [True, False]
    assert [sum(term.value for term in result.terms) for result in event.results] == [7, 17]


def test_an_area_may_have_a_roll_for_each_target():
    fight = fighting(evolve(FIREBALL, damage=lambda scene: (DamagePart("fire", "1d6"),), each=True))
    event = fight.do("blast orc,imp dice=1,6,1,2 by ada")
    assert [result.facts["damage"] for result in event.results] == [6, 2]
    assert event.text.startswith("Ada's blast: 0 of 2 resist. Orc does not")


def test_no_die_is_rolled_for_targets_that_take_nothing_and_the_first_that_takes_damage_rolls():
    area = evolve(FIREBALL, damage=lambda scene: (DamagePart("", "1d6"),), resisted="nothing")
    event = fighting(area).do("blast orc,imp,ada dice=20,1,6,2 by ada")
    assert [result.facts["damage"] for result in event.results] == [0, 6, 6]
    assert len(event.rolls) == 4


def test_one_target_is_reported_with_the_actor_and_without_a_count():
    event = fighting(FIREBALL).do(f"blast orc dice=5,{','.join(['4'] * 10)} by ada")
    assert event.text.startswith("Ada's blast: 32 fire and 8 cold damage. Orc does not resist and takes ")


def test_a_heading_reveals_no_hidden_combatant():
    heard = []
    for hidden in ("hide imp", "remove imp"):
        fight = fighting(FIREBALL)
        fight.do("add orc as Ork")
        fight.do(hidden)
        event = fight.do(
            f"blast foes dice=5,{','.join(['4'] * 10)}{',16' * (hidden == 'hide imp')},15 by ada"
        )
        told = [
            part.text if part.seen == "all" else public.text if (public := public_of(part)) else ""
            for part in event.sentences
        ]
        heard.append([text for text in told if text])
    assert heard[0] == heard[1]
    assert heard[0][0] == "Ada's blast: 1 of 2 resist, 32 fire and 8 cold damage."


def test_a_cost_is_paid_once_and_a_refusal_stops_the_action():
    paid = evolve(FIREBALL, pays=lambda scene: {"hp": scene.actor.hp - 1})
    fight = fighting(paid)
    fight.do("blast orc,imp by ada")
    assert single(fight.encounter, "ada").sheet.hp == 98
    with pytest.raises(Refused, match="has no fire"):
        fighting(evolve(FIREBALL, pays=lambda scene: refuse("none", "Ada has no fire."))).do(
            "blast orc by ada"
        )


def test_the_odds_of_a_target_are_those_of_the_resisted_and_the_full_damage():
    fight = fighting(FIREBALL)
    blast = fight.encounter.game.action("blast")
    found = preview(fight.encounter, blast, "ada", "orc", blast.options())
    fire, cold = 8 @ icepool.d(6), 2 @ icepool.d(8)
    full, half = fire + cold, fire // 2 + cold // 2
    expected = (icepool.d(20) + 2 >= 13).if_else(half, full)
    assert found.works == Fraction(1, 2)
    assert found.amounts == {
        value: Fraction(many, expected.denominator()) for value, many in sorted(expected.items())
    }


def test_the_damage_of_a_resisting_target_may_depend_on_the_scene():
    for left, damage in (("half", 19), ("nothing", 0), ("all", 38)):
        fight = fighting(evolve(FIREBALL, resisted=lambda scene, left=left: left))
        dice = ",".join(["11", *["4"] * 8, *["3"] * 2] if left != "nothing" else ["11"])
        [result] = fight.do(f"blast orc dice={dice} by ada").results
        assert (result.facts["failed"], result.facts["damage"]) == (False, damage)


def test_a_marked_target_resists_or_fails_without_a_roll():
    event = fighting(FIREBALL).do(f"blast orc,imp resists=imp fails=1 dice={','.join(['4'] * 10)} by ada")
    assert event.text == (
        "Ada's blast: 1 of 2 resist, 32 fire and 8 cold damage. "
        "Orc does not resist and takes 40 (hp 99 → 59), aflame. Imp resists and takes 20 (hp 99 → 79)."
    )
    assert event.options == {"resists": "imp", "fails": "orc"}


@pytest.mark.parametrize(
    ("marks", "why"),
    [
        ("resists=ada", "resists: Ada is not a target of blast"),
        ("resists=imp fails=orc,imp", "Imp is given for both resists and fails"),
        ("resists=bob", "nobody here is called"),
    ],
)
def test_an_invalid_mark_gets_one_sentence(marks, why):
    with pytest.raises(Refused, match=why):
        fighting(FIREBALL).do(f"blast orc,imp {marks} by ada")


def test_a_house_rule_may_roll_damage_for_each_target_instead_of_once():
    area = evolve(FIREBALL, damage=lambda scene: (DamagePart("fire", "1d6"),), resists=lambda scene: None)
    assert len(fighting(area).do("blast orc,imp by ada").rolls) == 1
    event = fighting(area).do("blast orc,imp throw=each dice=3,5 by ada")
    assert [result.facts["damage"] for result in event.results] == [3, 5]


def test_the_preview_counts_marked_targets_and_reaches_the_last_of_many_at_once():
    fight = fighting(FIREBALL)
    fight.do("add orc x18")
    blast = fight.encounter.game.action("blast")
    aims = [combatant.id for combatant in fight.encounter if combatant.side == "foes"]
    options = blast.options(resists=aims[-1])
    found = preview(fight.encounter, blast, "ada", aims[-1], options, aims[:-1])
    assert found.works == 0
    assert preview(fight.encounter, blast, "ada", aims[-2], options, aims[:-2]).works == Fraction(1, 2)


@pytest.mark.parametrize(
    ("own", "known"), [("resists", "resists"), ("resist", "resists"), ("throws", "throw")]
)
def test_an_option_that_could_be_mistaken_for_one_of_every_area_is_refused(own, known):
    options = declare(type("Options", (), {"__annotations__": {own: bool}, own: flag()}))
    with pytest.raises(ValueError, match=f"blast has an option {own}, and every area has {known}:"):
        area_action("blast", "fire for many", FIREBALL, options)
