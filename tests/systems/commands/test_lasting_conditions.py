"""Conditions with a save, an escape number, a source or an event that ends them."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.commands.preview import preview
from systems.contract.action import Action
from systems.contract.condition import Condition, Effect
from systems.contract.outcome import Explanation, GivenCondition, Hurt, Outcome
from systems.contract.ruleset import SaveAction
from systems.encounter.changes import taken_back
from systems.encounter.serialize import plain
from systems.errors import Misread, Refused
from systems.frozen import evolve
from systems.schema.fields import NoOptions, declare, text, whole
from systems.visibility.card import condition_lines
from systems.visibility.rows import row_maker
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Viewer
from tests.systems.fight import Fight
from tests.systems.toy import TOY, toy


@declare
class Save:
    save: str = text("")
    difficulty: int = whole(-99, 99, 10)


def _save(scene: Any, table: Any) -> Outcome:
    face = table.d(20, scene.options.save, "actor")
    passed = face >= scene.options.difficulty
    words = f"{scene.actor_name} {'resists' if passed else 'does not resist'}."
    return Outcome({"passed": passed}, tell=lambda: Explanation(words))


def _gives(name: str, *gives: GivenCondition, hurt: int = 0) -> Action:
    def run(scene: Any, table: Any) -> Outcome:
        changes = {"target": {"hp": scene.target.hp - hurt}}
        told = Explanation(f"{scene.actor_name} uses {name} on {scene.target_name}.")
        return Outcome({"worth": hurt}, changes, lambda: told, gives=gives)

    return Action(name, "gives a condition", run, NoOptions, targets="one", amount="worth")


def _soaked(scene: Any, table: Any) -> Outcome:
    """Damage that temporary points take."""
    return Outcome({}, tell=lambda: Explanation("Soaked."), hurt=(Hurt("target", 3),))


GRAB = _gives("grab", GivenCondition("target", "grappled", escape=14, ends_when=("source_falls",)))
ROAR = _gives("roar", GivenCondition("target", "frightened", save="will", difficulty=12))
GAZE = _gives(
    "gaze",
    GivenCondition("target", "slow", save="body", difficulty=12, until="end", of="target", worse="petrified"),
)
SLEEP = _gives("sleep", GivenCondition("target", "asleep", ends_when=("damaged", "healed")))
CHARM = _gives("charm", GivenCondition("target", "charmed", save="will", difficulty=12, again=("damaged",)))
FIRE = _gives(
    "fire", GivenCondition("target", "burnt", begin_words="cannot regenerate", end_words="regenerates again")
)
FOCUS = _gives("focus", GivenCondition("target", "focused"))
CONDITIONS = (
    Condition("grappled", "held", effects=(Effect("strike", "bonus", amount=-2),)),
    Condition("frightened", "afraid", effects=(Effect("strike", "bonus", amount=-1, against="source"),)),
    Condition("slow", "slow"),
    Condition("petrified", "stone"),
    Condition("asleep", "asleep"),
    Condition("charmed", "charmed"),
    Condition("burnt", "burnt"),
    Condition("focused", "concentrates", acting=True),
    Condition("marked", "marked", by_source=True),
)
GAME = evolve(
    TOY,
    actions=(
        *TOY.actions,
        Action("save", "a save", _save, Save, success="passed"),
        GRAB,
        ROAR,
        GAZE,
        SLEEP,
        CHARM,
        FIRE,
        FOCUS,
        Action("soak", "no harm", _soaked, NoOptions, targets="one"),
    ),
    conditions=(*TOY.conditions, *CONDITIONS),
    ending_save=SaveAction("save"),
    immune=lambda sheet, house: ("frightened", "stunned") if sheet.notes == "construct" else (),
)


def fight(*lines: str) -> Fight:
    """Ada, Bo and two orcs; Ada has the turn."""
    found = toy()
    found.game = GAME
    found.encounter = evolve(found.encounter, game=GAME)
    for line in ("add ada", "add bo", "add orc x2", "start", *lines):
        found.do(line)
    return found


def reopened(found: Fight) -> bool:
    return found.folded() == found.plain


# Several sources


def test_two_grapples_at_once_end_each_alone():
    here = fight("grab ada by orc-1", "grab ada by orc-2")
    assert here.conditions("ada") == ["grappled", "grappled"]
    assert here.text("clear ada grappled by orc-1") == "Ada is no longer grappled, from Orc 1."
    assert [held.source for held in here.encounter.combatants["ada"].conditions] == ["orc-2"]
    assert here.text("clear ada grappled") == "Ada is no longer grappled."
    assert reopened(here)


def test_the_same_source_renews_its_own_condition():
    here = fight("grab ada by orc-1", "grab ada by orc-2", "grab ada by orc-1")
    assert [held.source for held in here.encounter.combatants["ada"].conditions] == ["orc-2", "orc-1"]


def test_a_condition_declared_by_source_is_one_for_each_and_others_replace_each_other():
    here = fight("condition bo marked by orc-1", "condition bo marked by orc-2")
    assert here.conditions("bo") == ["marked", "marked"]
    here = fight("condition bo sharp by orc-1", "condition bo sharp by orc-2")
    assert here.conditions("bo") == ["sharp"]


def test_the_row_counts_the_sources_and_the_card_has_a_line_for_each():
    here = fight("grab ada by orc-1", "grab ada by orc-2")
    ada = here.encounter.combatants["ada"]
    row = row_maker(here.encounter).row(ada)
    assert "grappled ×2" in [word.text for word in row.words]
    lines = [line.ends for line in condition_lines(here.encounter, ada.conditions)]
    assert lines == [f"until Orc {number} falls, escape 14" for number in (1, 2)]


def test_the_start_of_a_turn_counts_the_sources():
    here = fight("grab bo by orc-1", "grab bo by orc-2")
    assert here.text("next") == "Bo's turn. Conditions: grappled ×2. Next: Orc 1."


def test_an_effect_of_several_counts_once():
    here = fight("grab ada by orc-1", "grab ada by orc-2")
    assert "strikes Orc 1: 4" in here.text("strike orc-1 by ada dice=6")


def test_an_effect_against_the_source_counts_against_each_of_them():
    here = fight("roar ada by orc-1", "roar ada by orc-2", "condition ada grappled")
    for target, worth in (("orc-1", 3), ("orc-2", 3), ("bo", 4)):
        assert f": {worth}." in here.text(f"strike {target} by ada dice=6")


def test_clear_by_names_a_source_that_gave_nothing():
    here = fight("grab ada by orc-1")
    with pytest.raises(Refused, match=r"^Ada has no condition grappled from Orc 2$"):
        here.do("clear ada grappled by orc-2")
    with pytest.raises(Refused, match=r"^Ada has no conditions from Orc 2$"):
        here.do("clear ada all by orc-2")


# Ends


def test_a_condition_ends_when_its_source_falls_or_leaves():
    here = fight("grab ada by orc-1", "grab bo by orc-2")
    assert "Ada is no longer grappled." in here.text("damage orc-1 10")
    assert here.conditions("bo") == ["grappled"]
    assert "Bo is no longer grappled." in here.text("remove orc-2")
    here.do("undo 2")
    assert (here.conditions("ada"), here.conditions("bo")) == (["grappled"], ["grappled"])
    assert reopened(here)


@pytest.mark.parametrize("line", ["damage ada 1", "heal ada 1", "strike ada by orc-2 dice=1"])
def test_a_condition_ends_when_its_bearer_is_damaged_or_healed(line):
    here = fight("sleep ada by orc-1")
    assert "Ada is no longer asleep." in here.text(line)
    assert here.conditions("ada") == []


def test_damage_that_costs_no_points_counts_if_the_game_says_who_is_hurt():
    here = fight("sleep ada by orc-1")
    assert "Ada is no longer asleep." in here.text("soak ada by orc-2")


def test_the_odds_foresee_an_end_by_damage_and_by_the_fall_of_a_source():
    here = fight("sleep ada by orc-1", "condition ada sharp", "grab bo by orc-1", "set orc-1 hp 1")
    strike = GAME.action("strike")
    told = dict(preview(here.encounter, strike, "orc-2", "ada", strike.options()).effects)
    assert told["no longer asleep"] == 1
    told = dict(preview(here.encounter, strike, "bo", "orc-1", strike.options()).effects)
    assert told["no longer grappled for Bo"] == Fraction(2, 3)


def test_a_source_that_cannot_act_gives_nothing_that_needs_it():
    here = fight("damage orc-1 10")
    with pytest.raises(Refused, match=r"^Orc 1 is dead, and afraid lasts only while it can act$"):
        here.do("condition ada afraid until orc-1 falls")


# Saves


def test_a_save_at_the_end_of_the_turn_ends_a_condition_or_not():
    here = fight("roar ada by orc-1")
    event = here.do("next dice=11")
    assert "Ada does not resist. Ada is still frightened." in event.text
    assert here.conditions("ada") == ["frightened"]
    assert [(roll.sides, roll.why, roll.of) for roll in event.rolls] == [(20, "will, frightened", "ada")]
    for _ in range(3):
        here.do("next")
    assert "Ada resists. Ada is no longer frightened." in here.text("next dice=12")
    assert here.conditions("ada") == []
    assert reopened(here)


def test_a_save_is_rolled_before_the_condition_ends_with_the_turn_and_may_make_it_worse():
    here = fight("gaze bo by ada", "next")
    told = here.text("next dice=3")
    assert "Bo does not resist. Bo is no longer slow. Bo is petrified." in told
    assert here.conditions("bo") == ["petrified"]
    here = fight("gaze bo by ada", "next")
    assert "Bo resists. Bo is no longer slow." in here.text("next dice=18")
    assert here.conditions("bo") == []


def test_a_save_when_damaged_follows_each_damage():
    here = fight("charm ada by orc-1")
    assert "resist" not in here.text("next")
    assert "Ada does not resist." in here.text("damage ada 1 dice=4")
    assert "Ada is no longer charmed." in here.text("damage ada 1 dice=12")


def test_an_amended_save_changes_what_follows_and_undo_restores_it():
    here = fight("roar ada by orc-1")
    start = here.plain
    here.do("next dice=12")
    here.do("next")
    n = len(here.log.events) - 1
    here.do(f"amend {n} dice=3")
    assert here.conditions("ada") == ["frightened"]
    here.do("undo")
    assert here.conditions("ada") == []
    here.do("undo 2")
    assert here.plain == start


def test_the_fallen_still_save_and_the_dead_do_not():
    here = fight("roar ada by orc-1", "damage ada 10")
    assert "resist" not in here.text("next")


# Words, immunity


def test_a_condition_says_its_begin_and_its_end_in_its_own_words():
    here = fight("fire orc-1 by ada")
    assert here.text("clear orc-1 burnt") == "Orc 1 regenerates again."
    words = evolve(CONDITIONS[0], begin_words="cannot move", end_words="moves again")
    here.encounter = evolve(here.encounter, game=evolve(GAME, conditions=(words,)))
    assert here.text("condition ada,bo grappled for 2 rounds") == (
        "Ada cannot move for 2 rounds. Bo cannot move for 2 rounds."
    )
    assert here.text("clear ada grappled") == "Ada moves again."


def test_an_immune_combatant_gets_no_condition_from_an_action_or_by_hand_unless_it_is_forced():
    here = fight("set orc-1 notes construct")
    roar = GAME.action("roar")
    assert preview(here.encounter, roar, "ada", "orc-1", NoOptions()).effects == ()
    assert "Orc 1 is immune to the condition frightened." in here.text("roar orc-1 by ada")
    with pytest.raises(Refused, match=r'immune to the condition frightened; .* in quotes: "frightened"'):
        here.do("condition orc-1 frightened")
    with pytest.raises(Refused, match="immune to the condition stunned"):
        here.do("condition orc-1 stunned")
    assert here.text("condition orc-1,orc-2 frightened") == (
        "Orc 1 is immune to the condition frightened. Orc 2 is frightened."
    )
    assert here.conditions("orc-1") == []
    here.do('condition orc-1 "frightened"')
    assert here.conditions("orc-1") == ["frightened"]


def test_a_combatant_that_cannot_act_gets_no_condition_that_needs_it():
    statuses = (TOY.statuses[0], evolve(TOY.statuses[1], in_order=True))
    here = fight("damage bo 10")
    here.encounter = evolve(here.encounter, game=evolve(GAME, statuses=statuses))
    with pytest.raises(Refused, match=r"^Bo is dead, and focused needs a combatant that can act$"):
        here.do("condition bo focused")
    assert "Bo is dead, and focused needs a combatant that can act." in here.text("focus bo by ada")
    assert here.conditions("bo") == []


# By hand


def test_the_command_gives_saves_escape_numbers_and_ends():
    here = fight()
    assert here.text("condition ada afraid save will 14 at start by orc-1") == (
        "Ada is afraid, from Orc 1, will save at the start of its turns."
    )
    assert here.text("condition ada held escape 13 until orc-2 falls") == (
        "Ada is held until Orc 2 falls, escape 13."
    )
    assert here.text("condition ada tired until damaged") == "Ada is tired until damaged."
    afraid, held, tired = here.encounter.combatants["ada"].conditions
    assert (afraid.save, afraid.difficulty, afraid.again) == ("will", 14, ("start",))
    assert (held.escape, held.ends_when, held.source) == (13, ("source_falls",), "orc-2")
    assert tired.ends_when == ("damaged",)
    assert reopened(here)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("condition ada afraid save will", "the difficulty of the save is missing"),
        ("condition ada afraid save will hard", "expected a whole number"),
        ("condition ada afraid save will 12 at noon", "at start, at end, or when damaged"),
        ("condition ada afraid escape", "the number to escape is missing"),
        ("condition ada afraid until orc-1 falls by orc-2", "the fall of its source"),
        ("condition ada afraid until noon", "until needs"),
    ],
)
def test_a_bad_line_is_refused_in_one_sentence(line, why):
    here = fight()
    before = here.plain
    with pytest.raises((Refused, Misread), match=why):
        here.do(line)
    assert here.plain == before


def test_a_game_without_saves_refuses_one_by_hand():
    here = Fight("arden", "add okado", "start")
    with pytest.raises(Refused, match="has no saves that end a condition"):
        here.do("condition okado afraid save will 12")


def test_a_typed_condition_is_amended_with_all_its_parts():
    here = fight("condition ada afraid save will 14 at start escape 9 by orc-1")
    n = len(here.log.events)
    here.do(f"amend {n} difficulty=16")
    (held,) = here.encounter.combatants["ada"].conditions
    assert (held.save, held.difficulty, held.escape, held.source) == ("will", 16, 9, "orc-1")


# Seats


def test_a_seat_sees_the_escape_number_and_not_the_difficulty():
    here = fight("condition ada afraid save will 14 escape 9 by orc-1")
    (held,) = seen_encounter(here.encounter, Viewer(frozenset({"ada"}))).combatants["ada"].conditions
    assert (held.save, held.difficulty, held.escape) == ("will", None, 9)


# Laws

LINES = st.sampled_from(
    [
        *(
            f"{what} {whom} by {who}"
            for what in ("grab", "roar", "gaze", "sleep", "charm", "fire")
            for whom, who in (("ada", "orc-1"), ("ada", "orc-2"), ("orc-1", "bo"))
        ),
        "damage ada 2",
        "damage orc-1 3",
        "heal ada 1",
        "next",
        "next",
        "clear ada grappled by orc-1",
        "clear ada all",
        "condition ada afraid save will 14 until orc-2 falls",
        "remove orc-2",
        "undo",
        "redo",
    ]
)


@given(st.lists(LINES, max_size=12))
def test_conditions_are_one_for_each_key_and_every_step_is_undone_and_reopened(lines):
    here = fight()
    for line in lines:
        before, count = here.plain, len(here.log.events)
        try:
            event = here.do(line)
        except Refused:
            assert here.plain == before
            continue
        assert len(here.log.events) == count + 1
        assert plain(taken_back(here.encounter, [event])) == before
        for combatant in here.encounter:
            keys = [held.key for held in combatant.conditions]
            assert len(keys) == len(set(keys))
            for held in combatant.conditions:
                source = here.encounter.combatants.get(held.source or "")
                if "source_falls" in held.ends_when:
                    assert source is not None
                    assert here.encounter.status(source).acts
    assert reopened(here)
