"""Newcomers in a running fight: their place in the order, now and in every later round."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.errors import Refused
from systems.frozen import evolve
from tests.laws import examples
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import toy


def turns(fight: Fight, number: int) -> list[str]:
    """The ids of the combatants that have the next turns, the current one first."""
    found = [fight.turn]
    for _ in range(number - 1):
        fight.do("next")
        found.append(fight.turn)
    return found


def scored(*lines: str) -> Fight:
    """Ada with initiative 18, Bo with 12 and an orc with 3, then these lines."""
    return toy("add ada", "add bo", "add orc as Low", "start dice=18,12,3", *lines, style="initiative")


def test_several_late_arrivals_act_before_the_first_lower_score_in_every_round():
    fight = scored(
        "add orc as Sixteen in round 2", "add orc as Fourteen in round 2", "add orc as Ten in round 2"
    )
    fight.do("next")
    fight.do("next")
    fight.do("next dice=16,14,10")
    together = ["ada", "sixteen_h1", "fourteen_h2", "bo", "ten_h3", "low"]
    assert turns(fight, 12) == together * 2


def test_newcomers_with_the_same_score_act_in_the_order_of_their_roll_off():
    fight = scored("add orc x2 dice=12,12,2,6")
    assert fight.encounter.progress.order == ("ada", "bo", "orc-5", "orc-4", "low")


@pytest.mark.parametrize("delays", ["ada", "bo"])
def test_a_newcomer_acts_before_the_first_lower_score_after_a_delay(delays):
    fight = scored("next", "next") if delays == "bo" else scored()
    if delays == "bo":
        fight.do("delay bo")
        fight.do("return bo")
        assert fight.encounter.progress.order == ("ada", "low", "bo")
    else:
        fight.do("delay")
        fight.do("next")
        fight.do("return ada")
        assert fight.encounter.progress.order == ("bo", "low", "ada")
    fight.do("add orc as Ten dice=10")
    order = fight.encounter.progress.order
    assert order.index("ten") < order.index("low")


def test_a_hidden_combatant_out_of_place_does_not_move_a_newcomer_in_sight():
    fight = scored("add orc as Shade hidden dice=5", "order shade_h1 before bo")
    fight.do("add orc as Nine dice=9")
    assert fight.encounter.progress.order == ("ada", "shade_h1", "bo", "nine", "low")
    fight.do("add orc as Fifteen dice=15")
    assert fight.encounter.progress.order == ("ada", "fifteen", "shade_h1", "bo", "nine", "low")
    fight.do("add orc as Eight hidden dice=8")
    assert fight.encounter.progress.order.index("eight_h2") == 2


def test_a_newcomer_does_not_lose_its_turn_to_the_turn_of_a_hidden_combatant():
    fight = scored("add orc as Shade hidden dice=13", "next")
    assert fight.turn == "shade_h1"
    fight.do("add orc as Fifteen dice=15")
    assert turns(fight, 4) == ["shade_h1", "fifteen", "bo", "low"]


def test_a_group_that_joins_by_name_has_a_turn_apart_from_an_earlier_group():
    fight = scored("add orc x2 group dice=10", "add orc x2 group dice=15")
    groups = [fight.encounter.combatants[f"orc-{at}"].state.group for at in range(4, 8)]
    assert groups == ["orc", "orc", "orc-2", "orc-2"]
    assert turns(fight, 5) == ["ada", "orc-6", "bo", "orc-4", "low"]


def test_a_group_that_joins_after_the_first_one_has_died_keeps_its_own_place():
    fight = scored("add orc x2 group dice=10", "next", "damage orc-4,orc-5 50", "add orc x2 group dice=5")
    assert turns(fight, 4) == ["bo", "orc-6", "low", "ada"]


def test_a_hidden_group_and_an_arriving_one_share_no_turn_with_a_group_of_that_name():
    fight = scored(
        "add orc x2 group dice=10", "add orc x2 hidden group dice=9", "add orc x2 hidden group dice=8"
    )
    groups = dict.fromkeys(each.state.group for each in fight.encounter if each.state.group)
    assert list(groups) == ["orc", "orc_h", "orc-2_h"]


@pytest.mark.parametrize("style", ["initiative", "manual"])
def test_a_dead_group_has_no_turn_as_a_dead_combatant_has_none(style):
    alone = Fight("simple", "add okado", "add tamsin", "add guard", "start", style=style)
    group = Fight("simple", "add okado", "add tamsin", "add guard x3 group", "start", style=style)
    for fight in (alone, group):
        fight.do("damage foes 90")
        assert "guard" not in " ".join(turns(fight, 5))


def test_an_unconscious_group_is_named_whole_when_its_turn_passes():
    fight = Fight("arden", "add okado", "add guard x3 group", "start", "damage foes 90", style="manual")
    assert "Guard 1, Guard 2 and Guard 3 are unconscious and cannot act." in fight.text("next")


def test_each_member_of_a_group_has_its_own_turn_if_whole_sides_take_turns():
    fight = Fight("xcom", "add okado", "add guard x3 group", "start", style="sides")
    assert turns(fight, 5) == ["okado", "guard-1", "guard-2", "guard-3", "okado"]


def test_a_hidden_combatant_that_is_moved_does_not_let_its_side_begin():
    fight = Fight("xcom", "add okado", "add guard", "add guard as Shade hidden", "start", style="sides")
    fight.do("order shade_h1 before okado")
    assert turns(fight, 4) == ["okado", "shade_h1", "guard", "okado"]


# Laws


@pytest.mark.parametrize("game", GAMES)
@examples(6)
@given(random=st.integers(0, 2**32).map(Random))
def test_scores_fall_along_the_order_as_long_as_only_newcomers_change_it(game, random):
    fight = Fight(
        game, "add okado", "add tamsin", "add guard x2", "start", style="initiative", seed=random.random()
    )
    rank = fight.encounter.initiative.rank
    for _ in range(30):
        later = fight.round + 1
        lines = ["next"] * 4 + [
            "add guard",
            "add guard x2 group",
            f"add guard x3 in round {later}",
            "add okado as Zed",
        ]
        lines += [
            f"add guard x2 group in round {later}",
            "add guard hidden",
            f"add guard hidden in round {later}",
        ]
        try:
            fight.do(random.choice(lines))
        except Refused:
            continue
        people = [fight.encounter.combatants[who] for who in fight.encounter.progress.order]
        ranks = [rank(each.state.initiative) for each in people if each.in_sight]
        assert ranks == sorted(ranks, reverse=True)


@pytest.mark.parametrize("game", GAMES)
@examples(6)
@given(random=st.integers(0, 2**32).map(Random), score=st.integers(-5, 30))
def test_hidden_combatants_do_not_change_where_those_in_sight_are_placed(game, random, score):
    """A newcomer with the same score comes to the same place in a fight without the hidden combatants."""
    fight = Fight(
        game, "add okado", "add tamsin", "add guard x3", "start", style="initiative", seed=random.random()
    )
    for _ in range(4):
        fight.do("add guard as Shade hidden")
    ids = list(fight.encounter.progress.ids)
    for _ in range(8):
        who, other = random.sample(ids, 2)
        try:
            fight.do(random.choice([f"order {who} before {other}", f"delay {who}", f"return {who}", "next"]))
        except Refused:
            continue
    unseen = [each.id for each in fight.encounter if not each.in_sight]
    plain = _without(fight, unseen)
    fight.encounter = _with_newcomer(fight, score)
    plain.encounter = _with_newcomer(plain, score)
    order = [who for who in fight.encounter.progress.order if who not in unseen]
    assert order == list(plain.encounter.progress.order)


def _without(fight: Fight, ids: list[str]) -> Fight:
    """The same fight without some combatants, which have never been there."""
    plain = Fight(fight.game, style=fight.style)
    progress = fight.encounter.progress
    people = {who: each for who, each in fight.encounter.combatants.items() if who not in ids}
    seen = [who for who in progress.order if who not in ids]
    at = progress.order.index(progress.turn) if progress.turn in progress.order else 0
    before = [who for who in progress.order[: at + 1] if who not in ids]
    turn = before[-1] if before else None
    plain.encounter = evolve(fight.encounter, combatants=people).with_progress(
        ids=tuple(who for who in progress.ids if who not in ids), order=tuple(seen), turn=turn
    )
    return plain


def _with_newcomer(fight: Fight, score: int):
    """The encounter with a guard called Late, whose score is set before it joins the order."""
    here = fight.encounter
    fight.do("add guard as Late")
    fight.do(f"order late {score}")
    added, fight.encounter = fight.encounter, here
    return added
