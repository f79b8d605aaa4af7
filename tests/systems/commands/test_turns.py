"""The turns of a fight: each combatant has one in a round, in every style; passing them, and extra turns."""

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.commands.beginning import comes_to, with_turn_begun
from systems.commands.table import title_of
from systems.contract.action import Action
from systems.contract.outcome import Outcome
from systems.encounter.schedule import (
    can_have_turn,
    may_act,
    upcoming,
)
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from tests.laws import examples
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import HOOKS, TOY, counts, toy
from tests.systems.turns import FOUR, turns

FALLS = {"atlantis": "life -40", "waygate": "hp -90", "atomic_d20": "status dead"}
RISES = {"atlantis": "life 30", "waygate": "hp 8", "atomic_d20": "status active"}


def _moves(fight: Fight, random: Random) -> str:
    one, other = (random.choice(fight.encounter.progress.ids or ("okado",)) for _ in range(2))
    lines = ["next"] * 10
    lines += [f"delay {one}", "delay", f"return {one}", f"return {other}", f"remove {one}"]
    lines += [
        f"order {one} after {other}",
        f"order {one} before {other}",
        f"order {one} {random.randint(1, 20)}",
    ]
    later = f"in round {fight.round + random.randint(1, 2)}"
    lines += ["add guard", "add guard x2 group", f"add guard {later}", f"add guard x3 {later}"]
    lines += [f"add guard x2 group {later}", f"add guard hidden {later}", f"hide {one}", f"reveal {other}"]
    lines += [f"group {one},{other}", f"group {random.choice(['foes', 'all'])}", f"ungroup {one}"]
    if fight.game.name in FALLS:
        lines += [f"set {one} {FALLS[fight.game.name]}", f"set {other} {RISES[fight.game.name]}"] * 2
    if fight.game.name == "atomic_d20":
        lines += [f"set {one} status dying", f"death_choice choice=adrenaline by {one}"]
    if fight.encounter.style == "sides":
        lines += [f"next by {one}", f"next by {other}", f"next by {one}"]
    return random.choice(lines)


@pytest.mark.parametrize("game", GAMES)
@examples(9)
@given(
    random=st.integers(0, 2**32).map(Random),
    style=st.sampled_from([None, "initiative", "sides", "manual"]),
)
def test_every_combatant_that_can_act_has_exactly_one_turn_in_a_round(game, style, random):
    fight = Fight(game, "add okado", "add tamsin", "add guard x3", "start", style=style, seed=random.random())
    over: set[str] = set()
    new: set[str] = set()
    for _ in range(60):
        line, before = _moves(fight, random), fight.encounter
        try:
            event = fight.do(line)
        except Refused:
            continue
        progress, now = before.progress, fight.encounter.progress
        new |= {*now.ids} - {*progress.ids}
        over -= {*progress.ids} - {*now.ids}
        ended = _ended(before, event, line)
        assert not over & ended
        over |= ended | _passed(before, event, progress.round)
        if now.round != progress.round:
            able = {one for one in progress.order if one in now.ids and can_have_turn(before, one)}
            waiting = {one.id for one in fight.encounter if one.state.waits}
            assert able - new - waiting <= over
            over, new = _passed(before, event, now.round), {*now.ids} - {*progress.ids}


def _passed(before, event, number: int) -> set[str]:
    """Whose turn of that round an event began and ended at once, since they cannot act."""
    done = {change.who for change in event.changes if (change.field, change.after) == ("done", number)}
    return {who for who in done & {*before.combatants} if not before.status(before.combatants[who]).acts}


def _ended(before, event, line) -> set[str]:
    """Whose turns of the order a command ended: a group's together unless whole sides take turns.

    An extra turn is none of them.
    """
    progress = before.progress
    if event.command != "next" or not progress.turn:
        return set()
    if progress.interrupted:
        fallen = progress.interrupted != progress.turn and not can_have_turn(before, progress.interrupted)
        return {progress.interrupted} if fallen else set()
    turn = line.split()[-1] if " by " in line else progress.turn
    group = before.combatants[turn].state.group if before.style != "sides" else None
    together = (
        one.id
        for one in before
        if group and one.state.group == group and not one.state.waits
        if one.state.begun == progress.round > one.state.done
    )
    return {turn, *together}


def test_next_is_refused_before_the_fight_after_it_and_for_others():
    fight = toy("add ada", "add orc")
    with pytest.raises(Refused, match="has not begun"):
        fight.do("next")
    fight.do("start")
    with pytest.raises(Refused, match="it is not Orc's turn; it is Ada's"):
        fight.do("next by orc")
    fight.do("next by ada")
    assert fight.turn == "orc"
    fight.do("end")
    with pytest.raises(Refused, match="over"):
        fight.do("next")


def test_the_hooks_are_called_at_their_moments():
    fight = toy(*FOUR)
    everybody = ["ada", "bo", "orc-1", "orc-2"]
    assert counts(fight, "round_start") == dict.fromkeys(everybody, 1)
    assert counts(fight, "turn_start") == dict.fromkeys(everybody, 0) | {"ada": 1}
    assert turns(fight, 5) == [*everybody, "ada"]
    assert counts(fight, "round_start") == dict.fromkeys(everybody, 2)
    assert counts(fight, "turn_start") == dict.fromkeys(everybody, 1) | {"ada": 2}
    assert counts(fight, "turn_end") == dict.fromkeys(everybody, 1)
    fight.do("end")
    assert counts(fight, "encounter_end") == dict.fromkeys(everybody, 1)


def test_a_side_begins_its_turn_as_one_and_its_members_end_theirs_in_any_order():
    fight = toy(*FOUR, style="sides")
    assert counts(fight, "turn_start") == {"ada": 1, "bo": 1, "orc-1": 0, "orc-2": 0}
    with pytest.raises(Refused, match="the players have it"):
        fight.do("next by orc-1")
    assert fight.do("next by bo").text == "Bo is done."
    with pytest.raises(Refused, match="no turn to end in this round"):
        fight.do("next by bo")
    fight.do("next by ada")
    assert counts(fight, "turn_start") == {"ada": 1, "bo": 1, "orc-1": 1, "orc-2": 1}
    fight.do("next by orc-2")
    fight.do("next")
    assert (fight.turn, fight.round) == ("ada", 2)


def test_any_member_of_the_side_that_acts_has_the_turn():
    fight = toy(*FOUR, "strike orc-1 by bo", style="sides")
    assert fight.turn == "bo"
    fight.do("strike ada by orc-1")
    assert fight.turn == "bo"


def test_a_late_arrival_to_a_side_starts_a_turn_of_its_own():
    fight = toy(*FOUR, "next", "next", "add ada as Ida", style="sides")
    assert turns(fight, 3) == ["orc-1", "orc-2", "ida"]
    assert fight.round == 1
    assert counts(fight, "turn_start")["ida"] == 1


def test_an_extra_turn_comes_at_once_and_the_interrupted_one_goes_on():
    fight = toy(*FOUR)
    assert fight.text("again by orc-2") == "Orc 2 goes again. Orc 2 takes an extra turn now."
    assert (fight.turn, upcoming(fight.encounter, comes_to)[0].id) == ("orc-2", "ada")
    assert fight.text("next") == "Ada's turn goes on."
    assert turns(fight, 5) == ["ada", "bo", "orc-1", "orc-2", "ada"]
    assert counts(fight, "turn_end")["orc-2"] == 2


def test_an_extra_turn_stays_one_when_the_interrupted_one_leaves():
    fight = toy(*FOUR, "again by orc-2", "remove ada")
    assert fight.turn == "orc-2"
    assert turns(fight, 4)[1:] == ["bo", "orc-1", "orc-2"]


def test_a_step_back_into_an_extra_turn_whose_interrupted_one_has_left_goes_on_with_the_others():
    fight = toy(*FOUR, "again by orc-2", "next", "remove ada", "back")
    assert fight.turn == "orc-2"
    assert turns(fight, 4)[1:] == ["bo", "orc-1", "orc-2"]


def test_adrenaline_is_an_extra_turn_and_death_at_its_end():
    fight = Fight("atomic_d20", "add okado", "add guard", "start", "set guard status dying")
    fight.do("death_choice choice=adrenaline by guard")
    assert fight.turn == "guard"
    assert "dead" in fight.text("next")
    assert fight.turn == "okado"


def test_one_next_runs_the_whole_turn_of_a_combatant_that_cannot_act():
    fight = Fight("atlantis", "add okado", "add guard x2", style="manual")
    fight.do("start")
    fight.do("set guard-1 life -3")
    assert fight.encounter.status(fight.encounter.combatants["guard-1"]).name == "unconscious"
    told = fight.text("next")
    assert "Guard 1 is unconscious and cannot act. Guard 2's turn" in told
    assert fight.turn == "guard-2"
    place = fight.encounter.combatants["guard-1"].state
    assert (place.begun, place.done) == (1, 1)
    assert fight.folded() == fight.plain


def test_the_turn_stays_if_no_combatant_can_act():
    fight = Fight("atlantis", "add okado", "add guard", "start", style="manual")
    for who in ("okado", "guard"):
        fight.do(f"set {who} life -3")
    fight.do("next")
    assert fight.turn == "guard"


def test_whose_turn_runs_is_asked_in_one_place():
    fight = toy(*FOUR, style="sides")
    assert [may_act(fight.encounter, who) for who in ("ada", "bo", "orc-1")] == [True, True, False]
    fight.do("next by bo")
    assert [may_act(fight.encounter, who) for who in ("ada", "bo", "orc-1")] == [True, False, False]
    with pytest.raises(Refused, match="no turn to end"):
        fight.do("next by bo")


def test_the_end_of_rounds_without_a_turn_is_called_the_next_turn():
    fight = toy("add ada", "add orc in round 4", "start", "damage ada 20", "next")
    assert title_of(fight.do("next"), {}) == "the next turn"


def test_the_combatant_whose_turn_was_interrupted_comes_next():
    fight = toy(*FOUR, "again by bo")
    assert fight.turn == "bo"
    assert upcoming(fight.encounter, comes_to) == (fight.encounter.combatants["ada"], 1)


def test_an_error_of_the_game_at_the_start_of_a_turn_is_told_with_the_name_and_the_turn_goes_on():
    def fails(scene, table):
        raise Wrong("hp", "is odd")

    actions = (*(each for each in TOY.actions if each.name != "turn_start"), Action("turn_start", "", fails))
    fight = Fight(evolve(TOY, actions=actions), style="manual")
    fight.roster = toy().roster
    for line in ("add ada", "add bo", "start"):
        fight.do(line)
    assert fight.text("next").startswith("Bo: hp: is odd. Bo's turn.")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("style", ["manual", "initiative", "sides"])
def test_a_planned_turn_finds_its_combatant_as_the_real_one_does(game, style):
    play = Fight(game, "add okado", "add tamsin", "add guard x2", "start", style=style)
    while play.turn != "okado":
        play.do("next")
    for _ in range(2):
        with suppress(Refused):
            play.do("attack guard-1 by okado")
    play.do("next")
    compared = 0
    for _ in range(5):
        if may_act(play.encounter, "okado"):
            break
        before = play.encounter
        planned = with_turn_begun(before, "okado")
        assert may_act(planned, "okado")
        assert play.encounter is before
        compared += 1
        play.do("next")
    assert compared
    assert planned.combatants["okado"].sheet == play.encounter.combatants["okado"].sheet


@pytest.mark.parametrize(
    ("reads", "runs"),
    [
        (lambda scene, table: None, 1),
        (lambda scene, table: table.d(6, "luck"), 3),
        (lambda scene, table: scene.fight.person("bo"), 3),
    ],
    ids=["nothing", "a die", "another combatant"],
)
def test_a_hook_that_does_nothing_runs_again_only_if_it_depends_on_more_than_the_sheet(reads, runs):
    ran = []

    def idle(scene, table):
        ran.append(scene.actor_name)
        reads(scene, table)
        return Outcome({})

    others = tuple(action for action in TOY.actions if action.name not in HOOKS)
    game = evolve(TOY, actions=(*others, Action("turn_start", "-", idle, group="hook")))
    fight = toy("add ada", "add bo", "add orc", "start", game=game)
    turns(fight, 9)
    assert {name: ran.count(name) for name in ran} == dict.fromkeys(("Ada", "Bo", "Orc"), runs)
    fight.do("damage orc 1")
    turns(fight, 4)
    assert ran.count("Orc") == runs + 1
