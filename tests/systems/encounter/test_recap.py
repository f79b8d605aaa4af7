"""The recap of a fight: counted from the events' data, and the same if counted another way."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.contract.action import Action
from systems.contract.outcome import Outcome
from systems.encounter.history import encounter_after
from systems.encounter.recap import recap_of
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from systems.schema.fields import NoOptions
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import TOY, toy
from tests.systems.walks import line_for
from tests.tui.table import at_the_gate
from tui.display.recap import recap_lines

RANDOM = st.integers(0, 2**32).map(Random)


def night(game: str, random: Random, steps: int = 30) -> Fight:
    """Return a fight on a random walk."""
    fight = Fight(game, "add okado", "add tamsin", "add guard x2", "start")
    for _ in range(steps):
        try:
            fight.do(line_for(fight, random))
        except (Refused, Wrong, Misread):
            continue
    return fight


def test_a_small_fight_has_its_actions_losses_and_dice() -> None:
    here = at_the_gate("attack guard-1 dice=15", "attack guard-1 dice=2", "undo", "damage guard-2 5", "next")
    recap = recap_of(here.encounter, here.log)
    [total] = recap.actions
    assert (total.actor, total.action, total.target) == ("okado", "attack", "guard-1")
    assert (total.times, total.lost) == (1, 41)
    assert total.degrees == (("hit", 1),)
    assert [(blow.by, blow.target, blow.lost) for blow in recap.blows] == [
        ("okado", "guard-1", 41),
        ("", "guard-2", 5),
    ]
    assert recap.dealt == {"okado": 41}
    assert recap.taken == {"guard-1": 41, "guard-2": 5}
    [luck] = recap.luck
    assert (luck.of, luck.sides, luck.faces, luck.average) == ("okado", 20, {15: 1}, 15)
    assert [turn.who for turn in recap.turns] == ["okado"]


def test_a_combatant_that_can_no_longer_act_was_felled() -> None:
    here = at_the_gate("attack guard-1 dice=15", "attack guard-1 dice=20,15")
    recap = recap_of(here.encounter, here.log)
    assert [blow.felled for blow in recap.blows] == [False, True]
    assert recap.actions[0].felled == 1
    assert [(edge.of, edge.face) for edge in recap.edges] == [("okado", 20)]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=6)
@given(random=RANDOM)
def test_the_recap_agrees_with_the_log(game: str, random: Random) -> None:
    fight = night(game, random)
    recap = recap_of(fight.encounter, fight.log)
    stands = list(fight.log.newest())
    fallen = Counter((die.of, die.sides, die.face) for event in stands for die in event.rolls)
    told = {(luck.of, luck.sides, face): often for luck in recap.luck for face, often in luck.faces.items()}
    assert told == fallen
    fields = {f"sheet.{name}" for name in fight.encounter.game.harm_fields}
    lost = Counter[str]()
    for event in stands:
        own = Counter[str]()
        for change in event.changes:
            if change.field in fields:
                own[change.who] += change.before - change.after
        # What turns took as they passed is counted separately from the action in the same event.
        for passed in event.passing:
            own[passed["who"]] -= passed["lost"]
            lost[passed["who"]] += max(0, passed["lost"])
        for who, number in own.items():
            lost[who] += max(0, number)
    assert recap.taken == +lost


def test_every_kind_of_harm_is_in_the_recap() -> None:
    fight = Fight("atomic_d20", "add okado", "add guard", "start")
    fight.do("damage guard 900 track=mental by okado")
    recap = recap_of(fight.encounter, fight.log)
    assert fight.sheet("guard").brains < fight.sheet("guard").max_brains
    assert recap.taken["guard"] >= fight.sheet("guard").max_brains - fight.sheet("guard").brains
    lines = recap_lines(recap, fight.game, 90)
    assert "Hearts, brains and stamina taken from others and lost" in lines


def test_harm_to_itself_is_not_counted_as_taken_from_others() -> None:
    here = at_the_gate("attack guard-1 dice=15", "damage okado 9 by okado", "damage tamsin 3 by okado")
    recap = recap_of(here.encounter, here.log)
    assert recap.dealt == {"okado": 44}
    assert recap.taken == {"guard-1": 41, "okado": 9, "tamsin": 3}
    lines = recap_lines(recap, here.game, 90)
    assert any(line.startswith("  round 1  Okado, self-inflicted  9") for line in lines)


def test_losses_without_an_actor_come_after_the_heaviest_blows() -> None:
    here = at_the_gate("damage tamsin 30", "attack guard-1 dice=15", "damage guard-2 5 by tamsin")
    lines = recap_lines(recap_of(here.encounter, here.log), here.game, 90)
    first = lines.index("The heaviest blows") + 1
    assert [" ".join(line.split()[2:]) for line in lines[first : first + 3]] == [
        "Okado on Guard 1 41",
        "Tamsin on Guard 2 5",
        "Tamsin 30",
    ]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=6)
@given(random=RANDOM, data=st.data())
def test_an_earlier_table_equals_the_table_at_that_time(
    game: str, random: Random, data: st.DataObject
) -> None:
    fight = Fight(game, "add okado", "add tamsin", "add guard x2", "start")
    kept = [fight.encounter]
    for _ in range(15):
        try:
            if (line := line_for(fight, random)).startswith("amend"):
                continue  # the table at that time, so it should not have changed
            fight.do(line)
        except (Refused, Wrong, Misread):
            continue
        kept.append(fight.encounter)
    back = data.draw(st.integers(0, len(kept) - 1))
    number = len(fight.log.events) - len(kept) + 1 + back
    assert encounter_after(fight.encounter, fight.log, number) == kept[back]


def test_a_single_point_of_healing_counts() -> None:
    fight = toy("add ada", "add orc", "start", "damage ada 3", "heal ada 1 by orc")
    assert recap_of(fight.encounter, fight.log).healed == {"ada": 1}


def test_a_combatant_that_falls_without_losing_points_took_no_blow() -> None:
    def shift(scene: Any, table: Any) -> Outcome:
        return Outcome({}, {"target": {"hp": 0, "turn_start": scene.target.turn_start + scene.target.hp}})

    game = evolve(
        TOY, harm=("hp", "turn_start"), actions=(*TOY.actions, Action("shift", "", shift, NoOptions, "many"))
    )
    fight = Fight(game, style="manual")
    fight.roster = toy().roster
    for line in ("add ada", "add orc", "start", "shift orc by ada"):
        fight.do(line)
    recap = recap_of(fight.encounter, fight.log)
    assert recap.blows == ()
    assert [(action.actor, action.felled) for action in recap.actions] == [("ada", 1)]


def test_an_action_without_a_target_has_no_target_in_the_recap() -> None:
    here = at_the_gate("status")
    assert [(total.action, total.target) for total in recap_of(here.encounter, here.log).actions] == [
        ("status", "")
    ]
