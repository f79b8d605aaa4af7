"""Totals of real dice: `=9` in place of the faces of dice that are simply added up."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.codec.events import plain_event, read_event
from systems.contract.damage import Blow, DamagePart
from systems.contract.table import Table
from systems.dice.notation import describe, parse, roll
from systems.dice.scripted import ScriptedDice, WrongFace, WrongTotal
from systems.dice.sources import DiceCounts, NeedsFace, Roll, TakesTotals, Total, TotalRoll, given_of
from systems.encounter.events import Event, given_in
from systems.encounter.recap import recap_of
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from systems.requests import resolve
from tests.laws import examples
from tests.systems.fight import GAMES, Fight, through_toml
from tests.systems.walks import line_for

RANDOM = st.randoms(use_true_random=False)
FREE_TEXT = ("note", "ready", "schedule", "say")


class CalledDice(TakesTotals):
    """Dice that fall by a seed. Some sums of them are given as totals, unless `calls` is False."""

    def __init__(self, seed: int, calls: bool) -> None:
        self._random, self._which, self._calls = Random(seed), Random(seed), calls

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        if self._which.random() < 0.2 or not self._calls:
            return None
        return sum(self.face(sides) for number, sides in dice for _ in range(number))

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        return 1 + int(self._random.random() * sides)


def without_dice(event: Event) -> Event:
    """Return an event without the record of its dice, also in the words of a roll or a rolled amount."""
    if event.command not in ("roll", "damage", "heal"):
        return evolve(event, rolls=())
    text = re.sub(r" \((total )?[0-9, ]+\)", "", event.text)
    return evolve(event, rolls=(), sentences=(), text=text)


def with_guards() -> Fight:
    return Fight("waygate", "add okado", "add guard x2", "start dice=20,2,1")


@pytest.mark.parametrize("game", GAMES)
@examples(4)
@given(random=RANDOM, seed=st.integers(0, 10**6))
def test_faces_and_their_totals_give_the_same_fight_except_for_the_dice_record(game, random, seed):
    opening = ("add okado", "add tamsin", "add guard x3", "start")
    faces, totals = (Fight(game, *opening) for _ in range(2))
    for at in range(8):
        line = line_for(faces, random)
        if line.startswith(("amend", "back", "next")):
            line = "next"
        if line.startswith("note"):
            continue
        found = []
        for fight, calls in ((faces, False), (totals, True)):
            fight.dice = CalledDice(seed + at, calls)  # type: ignore[assignment]
            try:
                found.append(without_dice(fight.do(line)))
            except (Refused, Wrong, Misread) as error:
                found.append(str(error))
        assert found[0] == found[1]
    assert faces.plain == totals.plain == totals.folded()


@pytest.mark.parametrize("game", GAMES)
@examples(4)
@given(random=RANDOM, seed=st.integers(0, 10**6))
def test_the_totals_of_an_event_can_be_typed_with_its_line_and_survive_the_file(game, random, seed):
    fight = Fight(game, "add okado", "add guard x3", "start")
    for at in range(6):
        line = line_for(fight, random)
        fight.dice = CalledDice(seed + at, True)  # type: ignore[assignment]
        try:
            done = fight.done(line)
        except (Refused, Wrong, Misread):
            continue
        event = done
        written = plain_event(event)
        assert read_event(through_toml(written)).rolls == event.rolls
        takes_dice = event.rolls and event.command in ("action", "damage", "heal", "roll")
        if takes_dice and " by " not in line and event.command != "roll":
            again = fight.done(f"{line} dice={','.join(map(str, given_in(event)))}")
            assert evolve(again, typed="") == evolve(event, typed="")
        fight.do(line) if not event.rolls else None


def test_a_total_is_stored_in_the_event_without_invented_faces():
    fight = with_guards()
    event = fight.do("attack guard-1 weapon=rifle by okado dice=13,=9")
    assert event.rolls == (
        Roll(20, 13, "rifle", "okado"),
        TotalRoll("2d6", 9, "rifle damage", "okado"),
    )
    assert "9" in event.text


def test_statistics_of_faces_skip_totals():
    fight = with_guards()
    fight.do("attack guard-1 weapon=rifle by okado dice=13,=9")
    luck = recap_of(fight.encounter, fight.log).luck
    assert {(each.of, each.sides): dict(each.faces) for each in luck if each.of == "okado"} == {
        ("okado", 20): {20: 1, 13: 1}
    }


def test_a_total_of_one_die_is_its_face():
    fight = with_guards()
    called = fight.done("attack guard-1 weapon=blade by okado dice==13,=5")
    typed = fight.done("attack guard-1 weapon=blade by okado dice=13,5")
    assert (
        called.rolls == typed.rolls == (Roll(20, 13, "blade", "okado"), Roll(8, 5, "blade damage", "okado"))
    )


@pytest.mark.parametrize(
    ("dice", "sentence"),
    [
        ("13,=13", "die 2 (rifle damage): 2d6 cannot total 13"),
        ("13,=1", "die 2 (rifle damage): 2d6 cannot total 1"),
        ("=22", "die 1 (rifle): a d20 cannot show 22"),
        ("13,4,=9", "die 3 (rifle damage): =9 is a total, but each face counts here: give the faces"),
        ("13,=9,=9", "too many dice: 3 given, 2 used"),
    ],
)
def test_an_impossible_total_is_refused_in_one_sentence(dice, sentence):
    fight = with_guards()
    with pytest.raises(Refused, match="^" + sentence.replace("(", r"\(").replace(")", r"\)")):
        fight.done(f"attack guard-1 weapon=rifle by okado dice={dice}")


@pytest.mark.parametrize("text", ["4d6kh3", "6d6!", "2d6r1", "6d6c>=5", "2d20kl1", "4dF", "2d6mi2"])
def test_dice_that_are_not_simply_added_up_take_no_total(text):
    with pytest.raises(WrongTotal, match="each face counts here"):
        Table(ScriptedDice([Total(9)])).roll(text, "damage")
    with pytest.raises(NeedsFace) as needs:
        Table(ScriptedDice([])).roll(text, "damage")
    assert needs.value.request.sum_of == ()


def test_pools_whose_faces_count_take_no_total():
    with pytest.raises(WrongTotal, match=r"die 1 \(pool\): =9 is a total"):
        Table(ScriptedDice([Total(9)])).pool(3, 6, "pool")
    with pytest.raises(WrongTotal, match=r"die 1 \(pool\): =9 is a total"):
        Table(ScriptedDice([Total(9)])).count(3, 6, 5, "pool")


@pytest.mark.parametrize(
    ("text", "dice", "adds"),
    [
        ("2d6", ((2, 6),), 0),
        ("2d6 + 3", ((2, 6),), 3),
        ("3 - 1 + (2d6 + d4) + d6", ((3, 6), (1, 4)), 2),
        ("2d6 + 2*3", ((2, 6),), 6),
    ],
)
def test_a_die_of_a_plain_sum_names_its_dice_and_its_bonus(text, dice, adds):
    with pytest.raises(NeedsFace) as needs:
        Table(ScriptedDice([])).roll(text, "damage")
    die = needs.value.request
    assert (die.sum_of, die.adds, die.in_sum) == (
        dice,
        adds,
        False,
    )
    with pytest.raises(NeedsFace) as needs:
        Table(ScriptedDice([3])).roll(text, "damage")
    die = needs.value.request
    assert (die.sum_of, die.adds, die.in_sum) == (
        dice,
        adds,
        True,
    )


def test_one_total_is_enough_for_a_sum_and_for_each_label():
    table = Table(ScriptedDice([Total(11)]))
    assert table.roll("2d6 + d4 + 3", "damage") == 14
    assert table.rolls == [TotalRoll("2d6+1d4", 11, "damage", "actor")]
    table = Table(ScriptedDice([Total(7), 2]))
    assert table.roll("2d6[fire] + d4[cold]") == 9
    assert table.rolls == [TotalRoll("2d6", 7, "fire", "actor"), Roll(4, 2, "cold", "actor")]


def test_damage_of_several_types_takes_one_total_each():
    parts = [DamagePart("fire", Blow(((2, 6),))), DamagePart("cold", "3d4 + 1")]
    table = Table(ScriptedDice([Total(7), Total(9)]))
    assert table.damage(parts).rolled == (7, 10)
    assert table.rolls == [
        TotalRoll("2d6", 7, "fire damage", "actor"),
        TotalRoll("3d4", 9, "cold damage", "actor"),
    ]


def test_blows_that_are_changed_one_by_one_take_one_total_each():
    table = Table(ScriptedDice([Total(9)]))
    assert table.blows(3, Blow(((1, 6),), plus=1, least=0), "bullets") == 12
    table = Table(ScriptedDice([Total(4), Total(9)]))
    assert table.blows(2, Blow(((2, 6),), divided=2), "blasts") == 2 + 5


@examples(60)
@given(
    number=st.integers(1, 4),
    dice=st.lists(st.tuples(st.integers(1, 3), st.integers(2, 8)), min_size=1, max_size=3).map(tuple),
    plus=st.integers(-6, 6),
    factor=st.integers(1, 2),
    least=st.sampled_from([None, 0, 1]),
    divided=st.integers(1, 3),
    seed=st.integers(0, 10**6),
)
def test_blows_do_the_same_by_faces_and_by_totals(number, dice, plus, factor, least, divided, seed):
    blow = Blow(dice, plus, factor, least, divided)
    faces, totals = (Table(CalledDice(seed, calls)) for calls in (False, True))
    assert faces.blows(number, blow, "damage") == totals.blows(number, blow, "damage")
    given_again = Table(ScriptedDice([given_of(roll) for roll in totals.rolls]))
    given_again.blows(number, blow, "damage")
    assert given_again.rolls == totals.rolls


def test_a_roll_reports_its_total_without_faces():
    fight = Fight("waygate", "add okado")
    assert fight.done("roll 2d6+3 dice==9").text == "Rolled 2d6 (total 9) + 3 = 12."
    assert fight.done("roll 2d6+d4 dice==9").text == "Rolled 2d6 + d4 (total 9) = 9."
    assert fight.done("roll 2d6, 2d6 dice==9,4,5").text == "Rolled 2d6 (total 9) = 9; 2d6 (4, 5) = 9."
    assert describe(roll(parse("2d6 + 1"), ScriptedDice([Total(9)]))) == "2d6 (total 9) + 1 = 10"


def test_an_amendment_replaces_faces_by_totals_and_totals_by_faces():
    fight = with_guards()
    number = fight.do("attack guard-1 weapon=rifle by okado dice=13,4,3").n
    fight.do("note later")
    by_total = fight.done(f"amend {number} dice=13,=9")
    by_faces = fight.done(f"amend {number} dice=13,4,5")
    assert [len(event.replaced[0].rolls) for event in (by_total, by_faces)] == [2, 3]
    assert by_total.replaced[0].text == by_faces.replaced[0].text
    assert "Newly rolled: Okado's 2d6 for rifle damage, 9." in by_total.text
    fight.do(f"amend {number} dice=13,=9")
    back = fight.do(f"amend {number} dice=13,4,3").replaced[0]
    assert [roll.face for roll in back.rolls] == [13, 4, 3]


def test_an_amendment_keeps_the_totals_of_later_events():
    fight = with_guards()
    number = fight.do("attack guard-1 weapon=rifle by okado dice=13,=3").n
    later = fight.do("attack guard-2 weapon=rifle by okado dice=14,=9")
    fight.dice = CalledDice(1, False)  # type: ignore[assignment]
    changed = fight.do(f"amend {number} dice=13,=4")
    assert [event.n for event in changed.replaced] == [number]
    assert fight.log.event(later.n).rolls == later.rolls
    amended = fight.do(f"amend {later.n} attack guard-1 weapon=rifle by okado").replaced[0]
    assert amended.rolls == later.rolls


def test_undo_and_redo_bring_back_a_total():
    fight = with_guards()
    fight.do("attack guard-1 weapon=rifle by okado dice=13,=9")
    there = fight.plain
    fight.do("undo")
    fight.do("redo")
    assert fight.plain == there == fight.folded()


def test_resolve_takes_faces_only():
    from systems import load

    request = {"action": "attack", "actor": {}, "target": {}, "dice": ["=9"]}
    with pytest.raises(Wrong, match="expected"):
        resolve(load("waygate"), request, ScriptedDice([]))


@pytest.mark.parametrize("dice", ["=", "13,=", "==9", "=-3", "=9=", "13,=x"])
def test_dice_that_are_neither_faces_nor_totals_are_refused_with_an_example(dice):
    fight = with_guards()
    with pytest.raises(Misread, match="dice=13,=9"):
        fight.done(f"attack guard-1 by okado dice={dice}")


def test_the_lowest_total_of_initiative_names_its_bonus():
    fight = Fight("waygate", "add okado")
    with pytest.raises(Refused, match="too few dice: 0 given, the next is a d20"):
        fight.done("start dice=")
    assert fight.do("start dice==20").rolls[0].face == 20
    assert WrongFace(0, 22, 20).index == 0
