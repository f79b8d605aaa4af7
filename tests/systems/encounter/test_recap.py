"""A fight summed up: counted from the events' data, and the same when it is counted by other means."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.encounter.history import encounter_after
from systems.encounter.recap import recap_of
from systems.errors import Misread, Refused, Wrong
from tests.systems.fight import GAMES, Fight
from tests.systems.walks import line_for
from tests.tui.table import at_the_gate

RANDOM = st.integers(0, 2**32).map(Random)


def night(game: str, random: Random, steps: int = 30) -> Fight:
    """A fight on a random walk."""
    fight = Fight(game, "add okado", "add tamsin", "add guard x2", "start")
    for _ in range(steps):
        try:
            fight.do(line_for(fight, random))
        except (Refused, Wrong, Misread):
            continue
    return fight


def test_deeds_blows_and_dice_of_a_small_fight() -> None:
    here = at_the_gate("attack guard-1 dice=15", "attack guard-1 dice=2", "undo", "damage guard-2 5", "next")
    recap = recap_of(here.encounter, here.log)
    [deed] = recap.deeds
    assert (deed.actor, deed.action, deed.target) == ("okado", "attack", "guard-1")
    assert (deed.times, deed.lost) == (1, 41)
    assert deed.degrees == (("hit", 1),)
    assert [(blow.by, blow.target, blow.lost) for blow in recap.blows] == [
        ("okado", "guard-1", 41),
        ("", "guard-2", 5),
    ]
    assert recap.dealt == {"okado": 41}
    assert recap.taken == {"guard-1": 41, "guard-2": 5}
    [luck] = recap.luck
    assert (luck.of, luck.sides, luck.faces, luck.average) == ("okado", 20, {15: 1}, 15)
    assert [turn.who for turn in recap.turns] == ["okado"]


def test_whoever_ends_the_acting_of_another_has_felled_it() -> None:
    here = at_the_gate("attack guard-1 dice=15", "attack guard-1 dice=20,15")
    recap = recap_of(here.encounter, here.log)
    assert [blow.felled for blow in recap.blows] == [False, True]
    assert recap.deeds[0].felled == 1
    assert [(edge.of, edge.face) for edge in recap.edges] == [("okado", 20)]


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=6)
@given(random=RANDOM)
def test_what_is_summed_up_is_what_the_log_holds(game: str, random: Random) -> None:
    fight = night(game, random)
    recap = recap_of(fight.encounter, fight.log)
    stands = list(fight.log.newest())
    fallen = Counter(
        (die["of"], die["sides"], die["face"]) for event in stands for die in event.get("rolls", ())
    )
    told = {(luck.of, luck.sides, face): often for luck in recap.luck for face, often in luck.faces.items()}
    assert told == fallen
    field = f"sheet.{fight.encounter.game.meters[0].now}"
    lost = Counter[str]()
    for event in stands:
        for change in event["changes"]:
            if change.get("field") == field and change.get("before", 0) > change.get("after", 0):
                lost[change["who"]] += change["before"] - change["after"]
    assert recap.taken == lost


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=6)
@given(random=RANDOM, data=st.data())
def test_the_table_as_it_was_is_what_it_was(game: str, random: Random, data: st.DataObject) -> None:
    fight = Fight(game, "add okado", "add tamsin", "add guard x2", "start")
    kept = [fight.encounter]
    for _ in range(15):
        try:
            if (line := line_for(fight, random)).startswith("amend"):
                continue  # the table as it was is then what it should have been
            fight.do(line)
        except (Refused, Wrong, Misread):
            continue
        kept.append(fight.encounter)
    back = data.draw(st.integers(0, len(kept) - 1))
    number = len(fight.log.events) - len(kept) + 1 + back
    assert encounter_after(fight.encounter, fight.log, number) == kept[back]
