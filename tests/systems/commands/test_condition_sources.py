"""Conditions that know whom they came from, that sustain others, count, fade, and stand for a number."""

import pytest

from systems.contract.action import Action
from systems.contract.condition import VALUE, Condition, Effect
from systems.contract.outcome import EndedCondition, Explanation, GivenCondition, Outcome
from systems.encounter.durations import left
from systems.encounter.lookup import single
from systems.errors import Refused
from systems.frozen import evolve
from systems.schema.fields import choice, declare, flag, whole
from tests.systems.fight import Entry, Fight
from tests.systems.toy import TOY, Sheet

CONDITIONS = (
    Condition("holding", "keeps a spell up", "accent", acting=True),
    Condition("blessed", "+1", effects=(Effect("strike", "bonus", amount=1),)),
    Condition(
        "tired", "its value off", counted=True, most=6, effects=(Effect("strike", "bonus", amount=-1),)
    ),
    Condition("scared", "fades", fades="turn_end", effects=(Effect("strike", "bonus", against="source"),)),
    Condition(
        "marked", "a penalty on all others", effects=(Effect("strike", "bonus", amount=-4, against="others"),)
    ),
    Condition("numbed", "bonus is 0", effects=(Effect("strike", "bonus", amount=0, sets=True),)),
    Condition("burning", "fire", field="fire", on=VALUE, off=0),
)


@declare
class Burnt(Sheet):
    fire: int = whole(0, 9, 0, "burns")


@declare
class Word:
    spell: str = choice(("bless", "ward", "scare", "mark", "tire", "free", "end", "quench"), "bless")
    all: bool = flag(False)


def _cast(scene, table):
    told = Explanation(f"{scene.actor_name} casts {scene.options.spell}.")
    gives, ends, changes = (), (), {}
    match scene.options.spell:
        case "bless":
            gives = (
                GivenCondition("actor", "holding"),
                GivenCondition("target", "blessed", sustained_by="holding"),
            )
        case "ward":
            gives = (
                GivenCondition("target", "blessed", sustained_by="holding"),
                GivenCondition("actor", "holding"),
            )
        case "scare":
            gives = (GivenCondition("foes", "scared", 2),)
        case "mark":
            gives = (GivenCondition("target", "marked", rounds=9),)
        case "tire":
            gives = (GivenCondition("target", "tired"),)
        case "free":
            ends = (EndedCondition("target", "tired", 1),)
        case "end":
            ends = (EndedCondition("everybody", given_by="actor"),)
        case "quench":
            changes = {"target": {"fire": max(0, scene.target.fire - 1)}}
    return Outcome({}, changes, lambda: told, gives=gives, ends=ends)


CAST = Action("cast", "a word of power", _cast, Word, targets="many", itself=True, friends=True)
GAME = evolve(TOY, sheet=Burnt, actions=(*TOY.actions, CAST), conditions=(*TOY.conditions, *CONDITIONS))


@pytest.fixture
def fight():
    fight = Fight(GAME, style="manual")
    fight.roster = {name: Entry(name.title(), side, Burnt()) for name, side in PEOPLE.items()}
    for line in (*(f"add {name}" for name in PEOPLE), "start"):
        fight.do(line)
    return fight


PEOPLE = {"ada": "players", "bo": "players", "orc": "foes", "imp": "foes"}


def borne(fight, who):
    return [held.label_in(fight.encounter.game) for held in single(fight.encounter, who).conditions]


def bonus(fight, actor, target):
    from systems.commands.scenes import scene_of

    strike = GAME.action("strike")
    return scene_of(fight.encounter, strike, actor, target, strike.options(bonus=3)).options.bonus


def test_the_effects_of_a_spell_end_with_its_casters_concentration(fight):
    fight.do("cast bo,ada by ada")
    assert (borne(fight, "bo"), borne(fight, "ada")) == (["blessed"], ["holding", "blessed"])
    done = fight.do("clear ada holding")
    assert "Bo is no longer blessed." in done.text
    assert (borne(fight, "bo"), borne(fight, "ada")) == ([], [])
    fight.do("undo")
    assert (borne(fight, "bo"), borne(fight, "ada")) == (["blessed"], ["holding", "blessed"])


def test_a_new_spell_ends_the_one_before_and_keeps_its_own(fight):
    fight.do("cast bo by ada")
    done = fight.do("cast ada,imp by ada")
    assert done.text.count("Bo is no longer blessed.") == 1
    assert [borne(fight, who) for who in ("bo", "ada", "imp")] == [[], ["blessed", "holding"], ["blessed"]]


@pytest.mark.parametrize("spell", ["bless", "ward"])
def test_the_same_spell_cast_again_on_the_same_target_keeps_it(fight, spell):
    fight.do(f"cast bo spell={spell} by ada")
    fight.do(f"cast bo spell={spell} by ada")
    assert (borne(fight, "bo"), borne(fight, "ada")) == (["blessed"], ["holding"])


def test_a_combatant_that_cannot_act_sustains_nothing_and_its_fall_comes_first(fight):
    fight.do("cast bo by ada")
    done = fight.do("damage ada 99")
    assert done.text.endswith("Ada is no longer holding. Bo is no longer blessed.")
    assert borne(fight, "bo") == []


def test_sustained_conditions_end_when_their_source_leaves(fight):
    fight.do("cast bo by ada")
    assert "Bo is no longer blessed." in fight.do("remove ada").text


def test_an_outcome_ends_what_came_from_its_actor_on_anybody(fight):
    fight.do("cast imp spell=mark by ada")
    fight.do("cast orc spell=mark by bo")
    done = fight.do("cast ada spell=end by ada")
    assert done.text == "Ada casts end. Imp is no longer marked."
    assert borne(fight, "orc") == ["marked"]


def test_a_condition_stores_its_source_and_its_cause(fight):
    fight.do("cast imp spell=mark by ada")
    [held] = single(fight.encounter, "imp").conditions
    assert (held.source, held.through) == ("ada", "cast")


def test_a_condition_given_by_hand_has_the_source_that_is_named_and_counts_by_it(fight):
    done = fight.do("condition orc scared 2 for 3 rounds by ada")
    assert done.text == "Orc is scared 2 for 3 rounds, from Ada."
    assert done.actor == "ada"
    [held] = single(fight.encounter, "orc").conditions
    assert (held.source, held.through) == ("ada", None)
    assert (bonus(fight, "orc", "ada"), bonus(fight, "orc", "bo")) == (5, 3)
    assert "from Orc" not in fight.do("condition bo scared").text


def test_an_absent_combatant_cannot_be_a_source(fight):
    with pytest.raises(Refused, match="nobody here is called"):
        fight.do("condition orc scared by zoe")


def test_foes_are_the_others_of_every_other_side(fight):
    fight.do("cast ada spell=scare by ada")
    assert [borne(fight, who) for who in PEOPLE] == [[], [], ["scared 2"], ["scared 2"]]


def test_an_effect_counts_against_its_source_alone_or_all_others(fight):
    fight.do("cast ada spell=scare by ada")
    fight.do("cast imp spell=mark by ada")
    assert (bonus(fight, "orc", "ada"), bonus(fight, "orc", "bo")) == (5, 3)
    assert (bonus(fight, "imp", "ada"), bonus(fight, "imp", "bo")) == (5, -1)


def test_an_effect_may_set_a_number_instead_of_adding(fight):
    fight.do("condition orc numbed")
    assert bonus(fight, "orc", "ada") == 0


def test_a_counted_condition_grows_up_to_its_most_and_is_taken_off_again(fight):
    for label in ("tired 1", "tired 2"):
        fight.do("cast imp spell=tire by ada")
        assert borne(fight, "imp") == [label]
    fight.do("condition imp tired 9")
    assert borne(fight, "imp") == ["tired 6"]
    assert bonus(fight, "imp", "ada") == 3 - 6
    assert fight.do("cast imp spell=free by ada").text == "Ada casts free. Imp is now tired 5."
    for _ in range(4):
        fight.do("cast imp spell=free by ada")
    assert fight.do("cast imp spell=free by ada").text.endswith("Imp is no longer tired 1.")


def test_giving_a_counted_condition_again_tells_what_it_has_come_to(fight):
    assert fight.do("condition imp tired").text == "Imp is tired."
    assert fight.do("condition imp tired").text == "Imp is now tired 2."
    assert fight.do("condition imp tired 2").text == "Imp is now tired 4."
    told = fight.do("condition imp,orc tired 3 for 2 rounds by ada").text
    assert told == "Imp is now tired 6 for 2 rounds, from Ada. Orc is tired 3 for 2 rounds, from Ada."


def test_a_condition_that_fades_goes_down_at_the_end_of_its_bearers_turns(fight):
    fight.do("condition ada scared 2")
    assert "Ada is now scared 1." in fight.do("next").text
    for _ in range(3):
        fight.do("next")
    assert "Ada is no longer scared 1." in fight.do("next").text


def test_a_condition_follows_the_number_it_represents(fight):
    fight.do("condition orc burning 3")
    assert single(fight.encounter, "orc").sheet.fire == 3
    fight.do("cast orc spell=quench by ada")
    assert borne(fight, "orc") == ["burning 2"]
    fight.do("set orc fire 0")
    assert borne(fight, "orc") == []
    fight.do("condition orc burning")
    fight.do("clear orc burning")
    assert single(fight.encounter, "orc").sheet.fire == 0


def test_a_condition_that_an_outcome_gives_for_some_rounds_ends_after_them(fight):
    fight.do("cast imp spell=mark by ada")
    [held] = single(fight.encounter, "imp").conditions
    assert left(fight.encounter, held) == "9 rounds"
