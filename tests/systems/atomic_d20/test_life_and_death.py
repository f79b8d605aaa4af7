"""Last breaths, turns, healing, and the values that screens show."""

import pytest

from systems.commands.offers import alike
from systems.contract.outcome import GivenCondition
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.schema.fields import fields_of
from tests.systems.fight import Fight

from .play import ATOMIC, facts, outcome, play, request, sheet

DYING = {"status": "dying", "hearts": 0}
HOUSE = ATOMIC.house()


@pytest.mark.parametrize("status", ["active", "adrenaline", "unconscious", "catatonic", "conscious", "dead"])
def test_only_the_dying_choose(status):
    actor = {"status": status, "death_choice": "miraculous"}
    assert facts("death_choice", actor=actor, choice="adrenaline") == {"refused": "status"}


def test_the_last_breaths_are_chosen_once():
    actor = DYING | {"death_choice": "miraculous"}
    assert facts("death_choice", actor=actor, choice="adrenaline") == {"refused": "chosen"}


def test_last_words_give_the_allies_a_boon():
    spoken = outcome(request("death_choice", actor=DYING, choice="last_words"))
    assert spoken.facts == {"ally_boon": 1, "boon_minutes": 10}
    assert spoken.gives == (GivenCondition("allies", "boon", 1),)
    assert play("death_choice", actor=DYING, choice="last_words")["actor"]["death_choice"] == "last_words"


def test_adrenaline_is_a_boon_an_extra_turn_and_death_at_its_end():
    rush = outcome(request("death_choice", actor=DYING, choice="adrenaline"))
    assert rush.facts == {"own_boon": 1, "extra_turn": True}
    assert (rush.extra_turn, rush.gives) == ("actor", (GivenCondition("actor", "boon", 1),))
    after = play("death_choice", actor=DYING, choice="adrenaline")["actor"]
    assert facts("status", actor=after)["can_act"] is True
    ended = play("turn_end", actor=after)
    assert ended["facts"] == {"died": True}
    assert (ended["actor"]["status"], ended["actor"]["death_choice"]) == ("dead", "adrenaline")


def test_adrenaline_in_ones_own_turn_makes_the_rest_of_it_the_extra_turn():
    fight = Fight("atomic_d20", "add okado", "add guard", "start", "set okado status dying")
    fight.do("death_choice choice=adrenaline by okado")
    assert fight.turn == "okado"
    assert "dead" in fight.text("next")
    assert fight.turn == "guard"


def test_several_dying_combatants_are_one_question():
    fight = Fight("atomic_d20", "add okado", "add guard x3", "start")
    for guard in (1, 2, 3):
        fight.do(f"set guard-{guard} hearts 1")
    told = fight.text("damage guard-1,guard-2 900")
    says = "Guard 1 and Guard 2 are dying: last words, adrenaline or a miraculous recovery?"
    assert told.endswith(says)
    assert told.count("last words") == 1
    offers = fight.encounter.offers
    assert [offer.command for offer in offers] == [
        "death_choice choice=miraculous by guard-1",
        "death_choice choice=miraculous by guard-2",
    ]
    fight.do("death_choice choice=last_words by guard-1")
    assert alike(fight.encounter, fight.encounter.offers[-1]) == offers[1:]


@pytest.mark.parametrize(
    ("face", "status", "kept"),
    [(1, "dead", "miraculous"), (9, "dead", "miraculous"), (10, "dying", "miraculous"),
     (18, "dying", "miraculous"), (19, "conscious", "none"), (20, "conscious", "none")],
)  # fmt: skip
def test_a_miraculous_recovery_rolls_the_same_at_once_and_at_each_turn(face, status, kept):
    first = play("death_choice", face, actor=DYING, choice="miraculous")
    later = play("turn_start", face, actor=DYING | {"death_choice": "miraculous"})
    for answer in (first, later):
        assert (answer["actor"]["status"], answer["actor"]["death_choice"]) == (status, kept)
        assert answer["facts"]["face"] == face
        assert answer["facts"]["can_act"] is (status == "conscious")


def test_a_house_may_grant_a_heart_and_takes_none_away():
    house = {"recovery_hearts": 1}
    asked = {"status": "dying", "death_choice": "miraculous"}
    assert play("turn_start", 19, actor=asked | {"hearts": 0}, house=house)["actor"]["hearts"] == 1
    assert play("turn_start", 19, actor=asked | {"hearts": 2}, house=house)["actor"]["hearts"] == 2


def test_a_turn_rolls_only_for_a_chosen_recovery():
    assert facts("turn_start", actor=DYING) == {"rolled": False, "can_act": False}
    assert facts("turn_start") == {"rolled": False, "can_act": True}
    stale = {"status": "active", "death_choice": "miraculous"}
    assert facts("turn_start", actor=stale) == {"rolled": False, "can_act": True}
    assert [ask.action for ask in outcome(request("turn_start", actor=DYING)).asks] == ["death_choice"]
    assert facts("turn_end", actor=DYING) == {"died": False}


def test_healing_never_lowers_a_value_above_its_maximum():
    rich = {"hearts": 9, "brains": 8, "stamina": 7, "minor_physical": 1}
    for track in ("physical", "mental", "stamina"):
        answer = play("heal", actor=rich, amount=5, track=track)
        assert answer["facts"] == {"healed": 0}
        assert {name: answer["actor"][name] for name in rich} == rich
    assert play("rest_half_hour", actor=rich)["actor"]["stamina"] == 7
    assert play("major_heal", actor=rich, days=7)["actor"]["hearts"] == 9
    rested = play("day_heal", actor=rich)
    assert (rested["facts"]["healed"], rested["actor"]["hearts"], rested["actor"]["minor_physical"]) == (
        0,
        9,
        0,
    )


@pytest.mark.parametrize(
    ("track", "amount", "after", "words"),
    [
        ("physical", 1, (1, 1, 2), ", 1 minor wound closed."),
        ("physical", 9, (0, 1, 2), ", 2 minor wounds closed."),
        ("mental", 2, (2, 0, 2), ", 1 minor wound closed."),
        ("stamina", 5, (2, 1, 2), "(stamina 0 → 1)."),
    ],
)
def test_healing_closes_minor_wounds_of_its_track_and_leaves_banes(track, amount, after, words):
    wounded = {
        "hearts": 1,
        "minor_physical": 2,
        "brains": 1,
        "minor_mental": 1,
        "stamina": 0,
        "wound_banes": 2,
    }
    answer = play("heal", actor=wounded, amount=amount, track=track)
    healed = answer["actor"]
    assert (healed["minor_physical"], healed["minor_mental"], healed["wound_banes"]) == after
    assert answer["text"].endswith(words)


@pytest.mark.parametrize(
    ("status", "hearts", "brains", "after"),
    [
        ("dying", 1, 1, "active"),
        ("dying", 0, 3, "dying"),
        ("unconscious", 3, 0, "unconscious"),
        ("unconscious", 1, 1, "active"),
        ("catatonic", 3, 3, "catatonic"),
        ("adrenaline", 3, 3, "adrenaline"),
        ("conscious", 3, 3, "conscious"),
    ],
)
def test_healing_wakes_only_the_dying_and_the_unconscious(status, hearts, brains, after):
    actor = {"status": status, "hearts": hearts, "brains": brains, "death_choice": "miraculous"}
    got = play("heal", actor=actor, amount=0)["actor"]
    assert got["status"] == after
    woken = status != after
    assert got["death_choice"] == ("none" if woken else "miraculous")


def test_a_rest_restores_all_stamina_unless_it_did_not_count():
    assert facts("rest_half_hour", actor={"max_stamina": 4, "stamina": 1}) == {"recovered": 3}
    assert facts("rest_half_hour", actor={"stamina": 0}, strenuous=True) == {"recovered": 0}


def test_one_minor_wound_heals_a_day_of_either_kind():
    actor = {"hearts": 2, "brains": 2, "minor_physical": 1, "minor_mental": 1}
    after = play("day_heal", actor=actor, track="mental")["actor"]
    assert (after["hearts"], after["brains"], after["minor_mental"], after["healed_today"]) == (2, 3, 0, True)
    assert facts("day_heal", actor=after) == {"refused": "once_per_day"}
    assert facts("day_heal", track="mental") == {"refused": "no_minor_wound"}


@pytest.mark.parametrize("options", [{"days": 6}, {"days": 9999, "permanent": True}])
def test_a_major_wound_may_not_heal(options):
    answer = play("major_heal", actor={"hearts": 1, "wound_banes": 1}, **options)
    assert answer["facts"] == {"healed": False}
    assert (answer["actor"]["hearts"], answer["actor"]["wound_banes"]) == (1, 1)


def test_a_healed_major_wound_loses_its_bane():
    after = play("major_heal", actor={"brains": 2, "wound_banes": 2}, days=7, track="mental")["actor"]
    assert (after["brains"], after["wound_banes"]) == (3, 1)
    assert play("major_heal", actor={"hearts": 0}, days=8)["actor"]["wound_banes"] == 0


def test_units_left_default_to_their_maximum():
    after = play("status", actor={"max_stamina": 3, "max_hearts": 5, "max_brains": 1})["actor"]
    assert (after["stamina"], after["hearts"], after["brains"]) == (3, 5, 1)


def test_a_house_rule_decides_whether_initiative_is_rolled():
    assert ATOMIC.order(HOUSE) == "manual"
    assert ATOMIC.order(type(HOUSE)(initiative="reflex")) == "initiative"
    quick = sheet(reflex=3, wound_banes=1)
    assert ATOMIC.initiative.score(quick, Table(ScriptedDice([11]))) == 13
    assert ATOMIC.initiative.tie(quick) == 3


def test_a_glance_shows_lost_stamina_armour_banes_and_the_last_breath():
    def marks(**fields):
        return [mark.text for mark in ATOMIC.glance(sheet(**fields), HOUSE)]

    assert marks() == []
    assert marks(armor=3, wound_banes=2, stamina=0) == ["stamina 0", "armour 3", "bane −2"]
    assert marks(max_stamina=0, **DYING) == ["last breath to choose"]
    assert marks(max_stamina=0, death_choice="miraculous", **DYING) == ["holding on"]


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        ({}, ()),
        (DYING, ()),
        (DYING | {"death_choice": "miraculous"}, ("Dying and holding on, cannot act",)),
        ({"status": "adrenaline", "boon": 1},
         ("On adrenaline, death at the end of this turn", "A boon of 1 to spend")),
        ({"boon": 2}, ("2 boons of 1 to spend",)),
        ({"status": "unconscious"}, ("Unconscious, cannot act",)),
        ({"wound_banes": 1}, ("Wounded: −1 to every roll",)),
        ({"status": "dead", "wound_banes": 1}, ("Dead, cannot act",)),
        ({"status": "conscious", "hearts": 0},
         ("Conscious with no heart left: the next physical wound means dying",)),
    ],
)  # fmt: skip
def test_a_briefing_names_boons_wounds_and_dying(fields, lines):
    assert ATOMIC.brief(sheet(**fields), HOUSE) == lines


def test_calculated_values_are_the_sums_of_their_terms():
    knight = sheet(fortitude=3, stealth=-3, armor=3, wound_banes=1)
    shown = {one.label: one.value for one in ATOMIC.figures(knight, HOUSE)}
    assert (shown["dodge"], shown["endure"], shown["stealth"]) == (2, 5, -4)
    bare = ATOMIC.figures(knight, type(HOUSE)(armor_mode="subtraction"))
    assert {one.label: one.value for one in bare}["endure"] == 2
    for one in bare:
        assert one.value == sum(term.value for term in one.terms)


def test_conditions_name_existing_options():
    for condition in ATOMIC.conditions:
        for effect in condition.effects:
            assert effect.option in fields_of(ATOMIC.action(effect.action).options)
    for word in fields_of(ATOMIC.sheet)["status"].type.values:
        assert ATOMIC.status_word(word) in ATOMIC.statuses


def test_every_action_names_its_facts():
    for action in ATOMIC.actions:
        assert action.help
        for name in (action.success, action.amount, action.against):
            assert not name or name in action.facts
