"""The arithmetic of a result: a sentence of its own, for the viewers who may see the numbers."""

from contextlib import suppress
from operator import attrgetter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.contract.outcome import Account, Explanation
from systems.encounter.events import Sentence, lines_about, lines_of
from systems.errors import InputError
from systems.frozen import evolve
from systems.visibility.build import view
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import GAME_MASTER, PUBLIC, Shown, Viewer
from tests.systems.fight import GAMES, Fight
from tests.systems.walks import line_for

HIT = "attack guard-1 dice=15"
HAPPENED = "Okado hits Guard 1 for 41 (life 45 → 4), hurt −10."
ARITHMETIC = "68 against 36, success 32, 45 damage, armour 4."
BANDS, FIGURES = Shown(foes="band", allies="band"), Shown(foes="figures", allies="figures")


def fighting() -> Fight:
    return Fight("atlantis", "add okado", "add guard x2", "start")


def test_an_event_says_first_what_happened_and_then_the_arithmetic():
    event = fighting().do(HIT)
    assert event.text == f"{HAPPENED} {ARITHMETIC}"
    first, second = event.sentences
    assert (first.arithmetic, second.arithmetic) == (False, True)
    assert [(line.text, line.arithmetic) for line in lines_of(event)] == [(HAPPENED, ARITHMETIC)]
    assert lines_about(event, "guard-1") == lines_of(event)


def test_an_event_without_the_key_keeps_its_text():
    event = fighting().do(HIT)
    old = evolve(event, sentences=(Sentence(event.text, seen="all"),))
    [line] = lines_of(old)
    assert (line.text, line.arithmetic) == (event.text, "")


def test_each_target_has_its_own_arithmetic():
    fight = Fight("atlantis", "add okado", "add guard x2", "start", "set okado attacks_per_round 2")
    lines = lines_of(fight.do("attack guard-1,guard-2 dice=15,3"))
    assert [line.text.split(" for ")[0] for line in lines[-2:]] == [
        "Okado hits Guard 1",
        "Okado hits Guard 2",
    ]
    assert [line.arithmetic.split(",")[0] for line in lines[-2:]] == ["68 against 36", "51 against 36"]


@pytest.mark.parametrize("shown", [BANDS, FIGURES])
def test_a_seat_reads_the_arithmetic_only_with_the_numbers(shown):
    fight = fighting()
    fight.do(HIT)
    line = view(fight.encounter, fight.log, PUBLIC, shown).log[-1]
    if shown is FIGURES:
        assert (line.text, line.arithmetic) == (HAPPENED, ARITHMETIC)
    else:
        assert (line.text, line.arithmetic) == ("Okado's attack on Guard 1: hit, badly hurt.", "")


def test_a_line_that_was_undone_keeps_its_arithmetic():
    fight = fighting()
    fight.do(HIT)
    fight.do("undo")
    [line] = [line for line in view(fight.encounter, fight.log, GAME_MASTER, FIGURES).log if line.undone]
    assert line.whole == f"{HAPPENED} {ARITHMETIC}"


def test_an_explanation_has_one_line_and_its_old_name():
    assert Account is Explanation
    assert Explanation("Ada hits Bo.", arithmetic="17 against 12.").line == "Ada hits Bo. 17 against 12."
    assert Explanation("Ada hits Bo.").line == "Ada hits Bo."
    assert Explanation("", arithmetic="17 against 12.").line == ""


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(random=st.integers(0, 2**32).map(Random), okado=st.booleans())
def test_arithmetic_follows_its_result_and_no_seat_reads_one_without_the_other(game, random, okado):
    fight = Fight(game, "add okado", "add tamsin", "add guard x2", "start")
    viewer = Viewer(frozenset({"okado"})) if okado else PUBLIC
    for _ in range(12):
        with suppress(InputError):
            event = fight.do(line_for(fight, random))
            told = event.sentences
            results = [at for at, held in enumerate(told) if held.arithmetic]
            for at in results:
                assert at > 0
                happened, held = told[at - 1 : at + 1]
                same = attrgetter("result", "about", "seen", "exact")
                assert same(happened) == same(held)
                assert not happened.arithmetic
                assert held.text.endswith(".")
            for shown in (BANDS, FIGURES):
                sentences = seen_sentences(event, fight.encounter, fight.log, viewer, shown)
                seen = [(held.result, held.text) for held in sentences]
                for at in results:
                    happened, held = told[at - 1 : at + 1]
                    assert ((held.result, held.text) in seen) is ((happened.result, happened.text) in seen)


@pytest.mark.parametrize("viewer", [PUBLIC, Viewer(frozenset({"okado"}))])
@pytest.mark.parametrize("is_hidden", [True, False])
def test_the_difficulty_that_a_hidden_combatant_sets_is_the_game_masters_alone(viewer, is_hidden):
    read = set()
    for difficulty in (5, 7):
        fight = Fight("simple", "add okado", "add guard", style="manual")
        fight.do("start")
        if is_hidden:
            fight.do("hide guard")
        guard = next(each.id for each in fight.encounter if each.side == "foes")
        fight.do(f"condition okado dazed save wisdom {difficulty} by {guard}")
        fight.do("next dice=15")
        assert f"against {difficulty}" in fight.log.events[-1].text
        fight.do("next")
        lines = view(fight.encounter, fight.log, viewer, Shown(odds="exact")).log
        read.add(tuple((line.text, line.arithmetic) for line in lines))
        assert any("wisdom save" in line.text for line in lines)
    assert len(read) == (1 if is_hidden else 2)
