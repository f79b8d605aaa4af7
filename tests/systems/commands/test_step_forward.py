"""After a step back the turn comes again, and the effects of its start are not repeated."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems.commands.dispatcher import perform
from systems.commands.table import read_command
from systems.contract.action import Action
from systems.contract.condition import Condition
from systems.contract.outcome import Explanation, Outcome
from systems.contract.table import ScriptedChoices
from systems.encounter.changes import apply
from systems.encounter.history import extended
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from tests.laws import examples
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import TOY, counts, toy
from tests.systems.walks import line_for

SEEDS = st.integers(0, 2**32)
STYLES = st.sampled_from([None, "initiative", "sides", "manual"])
MOVES_TURNS = ("next", "back", "start", "end", "delay", "return", "undo", "redo", "remove", "add", "order")


def begun(game, style, random):
    return Fight(game, "add okado", "add tamsin", "add guard x2", "start", style=style, seed=random.random())


def played(fight, random, steps, excluding=()):
    """Play random commands that end no turn, change no status, and leave the combatants `excluding` alone.

    Amendments are left out after a turn has ended: they may amend its end.
    """
    for _ in range(steps):
        here, log = fight.encounter, fight.log
        try:
            event = fight.do(line_for(fight, random))
        except (Refused, Wrong, Misread):
            continue
        touches = any(change.who in excluding for change in event.changes) or waits_for(fight, excluding)
        amends = bool(excluding) and event.command == "amend"
        if event.command in MOVES_TURNS or touches or amends or course(here) != course(fight.encounter):
            fight.encounter, fight.log = here, log


def waits_for(fight, ended):
    """Return whether a condition lasts until a turn of these combatants."""
    return any(held.of in ended for each in fight.encounter for held in each.conditions)


def ended(event):
    """Return the combatants whose turn that `next` ended or left."""
    return {change.who for change in event.changes if change.field in ("done", "acted")}


def course(encounter):
    """Return the progress of the fight, and the status of each combatant."""
    able = [(each.id, encounter.status(each).acts, encounter.status(each).in_order) for each in encounter]
    return evolve(encounter.progress, title=None), able


def present(fight):
    """Return the fight without its offers, which end with each turn."""
    return evolve(fight.encounter, offers=())


@pytest.mark.parametrize("game", GAMES)
@examples(4)
@given(seed=SEEDS, style=STYLES)
@example(seed=249, style="initiative")  # a group of which two have not acted
def test_next_right_after_back_is_what_it_was_with_the_same_dice(game, style, seed):
    random = Random(seed)
    fight = begun(game, style, random)
    for _ in range(8):
        played(fight, random, 3)
        try:
            first = fight.do("next")
        except Refused:
            return
        there = fight.plain
        fight.do("back")
        again = fight.do("next")
        assert fight.plain == there == fight.folded()
        assert again.rolls == first.rolls
        assert again.text == first.text


@pytest.mark.parametrize("game", GAMES)
@examples(4)
@given(seed=SEEDS, style=STYLES)
@example(seed=3939374, style="initiative")  # a combatant that joins a group during its first turn
@example(seed=286, style="sides")  # a reaction used in a turn that had begun before, and its last action
def test_back_a_command_and_next_leave_a_played_turn_unchanged(game, style, seed):
    random = Random(seed)
    fight = begun(game, style, random)
    for _ in range(6):
        played(fight, random, 2)
        try:
            ends = ended(fight.do("next"))
        except Refused:
            return
        # The end of the turn is carried out again, so its combatants must be unchanged.
        played(fight, random, 3, excluding=ends)
        there = present(fight)
        if fight.encounter.turn is None:
            return
        fight.do("back")
        fight.do("note a player asks")
        fight.do("next")
        assert present(fight) == there


def test_next_after_back_names_the_same_members_of_the_group_that_have_not_acted():
    fight = Fight("atlantis", "add okado", "add guard x3 group", "start", "next", "attack okado by guard-1")
    said = "Guard 2 and Guard 3 have not acted. Round 2."
    first = fight.text("next")
    assert first.startswith(said)
    fight.do("back")
    assert fight.text("next") == first
    fight.do("attack guard-1 by okado")
    fight.do("back")
    # The attack by Okado belongs to the turn that was taken back.
    assert fight.text("next").startswith(said)
    fight.do("back")
    fight.do("attack okado by guard-3")
    assert fight.text("next").startswith("Guard 2 has not acted. Round 2.")


def test_a_group_that_acted_before_a_step_back_has_acted_when_its_turn_comes_again():
    fight = Fight("atlantis", "add okado", "add guard x2 group", "start", "next", "attack okado by guard-1")
    fight.do("back")
    fight.do("note a question about the rules")
    fight.do("next")
    assert fight.text("next").startswith("Guard 2 has not acted. Round 2.")


def test_a_combatant_that_joins_a_group_during_a_turn_still_has_its_own_turn_after_a_step_back():
    fight = Fight("atlantis", "add okado", "add guard x2", "start")
    while fight.turn != "guard-1":
        fight.do("next")
    fight.do("group guard-1,guard-2")
    fight.do("back")
    fight.do("note a question about the rules")
    fight.do("next")
    turns = [fight.turn]
    while fight.do("next") and fight.round == 1:
        turns.append(fight.turn)
    assert turns == ["guard-1", "guard-2"]


def test_hooks_of_the_turns_run_once_however_often_one_steps_back():
    fight = toy("add ada", "add bo", "start", "next")
    fight.do("strike ada by bo")
    there = counts(fight, "turn_start"), counts(fight, "turn_end")
    for _ in range(3):
        fight.do("back")
        fight.do("note hm")
        fight.do("next")
    assert (counts(fight, "turn_start"), counts(fight, "turn_end")) == there


@pytest.mark.parametrize("between", ["order orc after bo", "delay", "remove ada"])
def test_the_start_of_a_played_turn_is_not_run_again_by_another_way_to_it(between):
    fight = toy("add ada", "add bo", "add orc", "start", "next")
    fight.do("strike orc by bo")
    starts = counts(fight, "turn_start")["bo"]
    fight.do("back")
    fight.do(between)
    while fight.turn != "bo":
        fight.do("next")
    assert fight.round == 1
    assert counts(fight, "turn_start")["bo"] == starts


def test_foes_who_have_used_their_actions_have_no_new_ones_after_a_step_back():
    fight = Fight("xcom", "add okado", "add guard x2", "start", style="sides")
    fight.do("next")
    fight.do("attack okado by guard-1")
    fight.do("move by guard-2")
    spent = [fight.sheet(who) for who in ("guard-1", "guard-2")]
    fight.do("back")
    fight.do("condition okado marked")
    fight.do("next")
    assert [fight.sheet(who) for who in ("guard-1", "guard-2")] == spent
    assert fight.conditions("okado") == ["marked"]


def test_what_is_done_in_the_turn_that_came_back_counts_at_its_end():
    fight = toy("add ada", "add bo", "start", "next", "strike ada by bo", "back")
    fight.do("condition ada shaken until end of ada")
    fight.do("next")
    fight.do("next")
    fight.do("next")
    assert fight.conditions("ada") == []


def test_dice_that_are_given_again_count_and_not_those_that_fell_before():
    fight = toy("add ada", "add bo", "start", "condition bo bleeding")
    assert [roll.face for roll in fight.do("next dice=2").rolls] == [2]
    fight.do("back")
    assert [roll.face for roll in fight.do("next").rolls] == [2]
    fight.do("back")
    assert [roll.face for roll in fight.do("next dice=4").rolls] == [4]
    assert fight.sheet("bo").hp == 6


def test_a_combatant_bandaged_after_a_step_back_stops_bleeding():
    fight = toy("add ada", "add bo", "start", "condition bo bleeding", "next", "back", "clear bo bleeding")
    fight.do("next")
    assert fight.sheet("bo").hp == 10


def _hesitates(scene, table):
    stays = table.choose("Does it stay?", (False, True), suggest=False, id="stay")
    return Outcome({}, tell=lambda: Explanation(f"{scene.actor_name} {'stays' if stays else 'goes'}."))


def test_next_right_after_back_asks_no_question_again():
    hook = Action("hesitate", "", _hesitates, group="hook")
    unsure = Condition("unsure", "", each_turn="hesitate")
    game = evolve(TOY, actions=(*TOY.actions, hook), conditions=(*TOY.conditions, unsure))
    fight = Fight(game, style="manual")
    fight.roster = toy().roster
    for line in ("add ada", "add bo", "start", "condition bo unsure"):
        fight.do(line)
    command = read_command(fight.encounter, "next")
    answer = ScriptedChoices([True])
    done = perform(fight.encounter, fight.log, fight.roster, command, fight.dice, answer)
    fight.encounter, fight.log = apply(fight.encounter, done), extended(fight.log, done)
    assert "Bo stays." in done.text
    fight.do("back")
    assert "Bo stays." in fight.text("next")
    fight.do("back")
    fight.do("note hm")
    fight.do("condition ada sharp")
    assert "Bo goes." in fight.text("next")
