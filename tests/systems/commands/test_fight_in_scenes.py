"""An action reads the others in the fight: pack tactics, in odds, in play, amended, undone and at a seat."""

from fractions import Fraction

import pytest

from systems.commands.fights import fight_of, reads_alike
from systems.commands.preview import preview
from systems.encounter.model import ActiveCondition
from systems.frozen import evolve
from systems.requests import odds
from systems.visibility.build import view
from systems.visibility.known import known_fight
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import Fight
from tests.systems.pack import PACK, pack, place

ADA = Viewer(frozenset({"ada"}))
ALONE, TOGETHER = Fraction(9, 20), Fraction(14, 20)


def hunt(*lines: str) -> Fight:
    """Two wolves against Ada and Bo; the second wolf is near Ada."""
    fight = pack("add ada", "add bo", "add wolf x2")
    place(fight, "wolf-2", "ada")
    for line in ("start", *lines):
        fight.do(line)
    return fight


def chance(fight: Fight, target: str, actor: str = "wolf-1") -> Fraction | None:
    return preview(fight.encounter, PACK.actions[0], actor, target, PACK.actions[0].options()).works


def test_the_odds_count_an_ally_that_is_near_the_target():
    fight = hunt()
    assert (chance(fight, "ada"), chance(fight, "bo")) == (TOGETHER, ALONE)


def test_an_ally_that_cannot_act_does_not_count():
    assert chance(hunt("damage wolf-2 10"), "ada") == ALONE


def test_without_a_fight_every_condition_on_others_is_false():
    found = odds(PACK, {"action": "bite", "actor": {}, "target": {"name": "Ada"}})
    assert found["facts"]["hit"]["true"] == float(ALONE)


def test_a_fallen_ally_is_missed_in_an_amended_history_and_after_undo_it_helps_again():
    fight = hunt("damage wolf-2 3", "bite ada by wolf-1 dice=7")
    assert fight.sheet("ada").hp == 6
    number = len(fight.log.events)
    fight.do(f"amend {number - 1} damage wolf-2 10")
    assert fight.sheet("ada").hp == 10
    fight.do("undo")
    assert fight.sheet("ada").hp == 6
    assert fight.log.events[number - 1].results[0].terms[1].label == "pack tactics, Wolf 2"


def test_a_result_is_used_again_only_for_a_target_with_the_same_neighbours():
    fight = hunt()
    found = preview(fight.encounter, PACK.actions[0], "wolf-1", "ada", PACK.actions[0].options())
    assert not reads_alike(fight.encounter, found.reads, "ada", "bo")
    place(fight, "wolf-2", "bo")
    assert reads_alike(fight.encounter, found.reads, "ada", "bo")


def test_what_differs_between_two_combatants_is_seen_when_they_are_exchanged():
    fight = hunt()
    wolf = fight.encounter.combatants["wolf-2"]
    marked = evolve(wolf, conditions=(ActiveCondition(name="marked", source="ada"),))
    here = fight.encounter.with_combatants(marked)
    read = fight_of(here)
    assert read.person("wolf-2").has("marked", source="ada")
    assert not reads_alike(here, tuple(read.reads.items()), "ada", "bo")


def test_a_hidden_ally_reads_something_unseen_at_a_seat():
    fight = pack("add ada", "add wolf", "add wolf as Shade hidden")
    place(fight, fight.encounter.progress.ids[-1], "ada")
    event = [fight.do(line) for line in ("start", "bite ada by wolf dice=9")][-1]
    assert "with Shade: hit" in event.text
    assert "against 12 with Shade." in event.text
    seen = view(fight.encounter, fight.log, ADA, Shown(foes="figures", allies="figures"))
    lines = " ".join(line.whole for line in seen.log)
    assert "Wolf bites Ada with something unseen: hit (hp 10 → 6)." in lines
    assert "14 against 12 with something unseen." in lines
    assert "Shade" not in lines


def test_the_fight_that_a_seat_knows_has_no_hidden_neighbour_and_no_id_of_the_table():
    fight = pack("add ada", "add bo", "add wolf", "add wolf as Shade hidden")
    hidden = fight.encounter.progress.ids[-1]
    place(fight, "ada", hidden, "wolf", "bo")
    known = known_fight(fight.encounter, fight.log, ADA, Shown())
    assert known.named.combatants["ada"].state.near == ("bo", "wolf")
    assert set(known.named.combatants) == {"ada", "bo", "wolf"}


def test_a_reaction_that_reads_the_fight_is_offered_anew_as_neighbours_change():
    fight = hunt("next")
    offers = [offer.says for offer in fight.encounter.offers]
    assert offers == ["Wolf 1 may bite next to Wolf 2."]
    fight.do("damage wolf-2 10")
    assert not fight.encounter.offers


@pytest.mark.parametrize("line", ["bite ada by wolf-1", "bite ada,bo by wolf-1"])
def test_undo_restores_and_a_reopened_fight_is_the_same(line: str):
    fight = hunt()
    before = fight.plain
    fight.do(line)
    fight.do("undo")
    assert fight.plain == before
