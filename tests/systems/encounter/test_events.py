"""Events as data: the combatants involved, the viewers of each sentence, and the titles of events."""

import pytest

from systems.commands.table import title_of
from systems.contract.marked_text import MarkedText
from systems.encounter.events import Event, Sentence, combatants_in, lines_about, lines_of, logged_result
from systems.errors import Refused
from systems.frozen import evolve
from tests.systems.fight import Fight
from tests.systems.toy import toy


def named(fight, event):
    return title_of(event, {who.id: who.name for who in fight.encounter})


def test_an_event_about_guard_10_is_not_about_guard_1():
    fight = toy("add ada", "add orc x12", "start")
    event = fight.do("damage orc-10 3")
    assert combatants_in(event) == {"orc-10"}
    assert lines_about(event, "orc-1") == []
    [line] = lines_about(event, "orc-10")
    assert "Orc 10" in line.text


def test_a_combatant_only_announced_as_next_is_not_part_of_the_event():
    fight = toy("add ada", "add bo", "add orc", "start")
    event = fight.do("next")
    announced = [held for held in event.sentences if held.upcoming]
    assert announced
    assert not {*announced[0].about} & combatants_in(event)


def test_an_event_title_names_its_combatants():
    fight = toy("add ada", "add bo", "add orc x2", "start")
    for line, title in (
        ("damage orc-1,orc-2 3", "3 damage to Orc 1 and Orc 2"),
        ("heal orc-1 1", "healing of Orc 1"),
        ("damage orc-1 2 by ada", "2 damage to Orc 1 by Ada"),
        ("heal orc-1 1 by bo", "healing of Orc 1 by Bo"),
        ("condition orc-1 marked", "marked on Orc 1"),
        ("clear orc-1 marked", "the end of marked on Orc 1"),
        ("hide orc-1", "the hiding of Orc 1"),
        ("reveal orc-1", "the revealing of Orc 1"),
        ("roll 2d6", "a roll of 2d6"),
        ("remove orc-2", "Orc 2's departure"),
        ("end", "the end of the fight"),
    ):
        assert named(fight, fight.do(line)) == title


def test_an_event_keeps_the_source_of_damage_and_healing():
    fight = toy("add ada", "add bo", "add orc", "start")
    for line in ("damage orc 3 by bo", "heal orc 1 by bo"):
        event = fight.do(line)
        assert (event.actor, event.targets) == ("bo", ("orc",))
        assert combatants_in(event) == {"bo", "orc"}
    with pytest.raises(Refused):
        fight.do("damage orc 3 by nobody")


def test_a_hidden_combatant_is_shown_only_to_its_owner_until_revealed():
    fight = toy("add ada", "add orc as Shade hidden", "start")
    said = {
        line: [held.seen for held in fight.do(line).sentences] for line in ("damage shade 1", "reveal shade")
    }
    assert said == {"damage shade 1": [("shade_h1",)], "reveal shade": ["all"]}
    (hides,) = fight.do("hide shade").sentences
    assert hides.seen == ("shade_h1",)


def test_a_note_is_for_the_game_master_unless_it_is_for_all():
    fight = toy("add ada")
    assert [held.seen for held in fight.do("note the door is a mimic").sentences] == ["gm"]
    assert [held.seen for held in fight.do("note it rains for all").sentences] == ["all"]


def test_the_undo_of_a_changed_value_uses_the_games_label():
    fight = Fight("atlantis", "add okado", "start")
    for line, called in (
        ("set okado max_life 60", "max life"),
        ("set okado abilities.melee 60", "melee"),
        ("set okado weapons.sword 18", "sword"),
        ("set okado weapons.sword.max_range 3", "sword range"),
    ):
        fight.do(line)
        assert fight.do("undo").text == f"Undone: the change of Okado's {called}."


def test_an_event_and_its_undo_use_the_games_title_of_an_action():
    fight = Fight("arden", "add okado", "add guard", "start")
    event = fight.do("perception dc=5 by okado dice=10")
    game = fight.encounter.game
    assert title_of(event, {"okado": "Okado"}, game) == "Okado's perception check"
    assert fight.do("undo").text == "Undone: Okado's perception check."
    assert title_of(evolve(event, action="long_gone"), {"okado": "Okado"}, game) == "Okado's long gone"


def test_the_undo_of_a_condition_uses_the_games_label():
    fight = Fight("arden", "add okado", "add guard", "condition guard flat_footed")
    assert fight.do("undo").text == "Undone: flat-footed on Guard."
    assert title_of(Event(command="condition", targets=("bo",), options={"name": "flat_footed"}), {}) == (
        "flat footed on bo"
    )


def test_the_log_keeps_the_arithmetic_of_a_result_without_its_sentences():
    fight = Fight("atlantis", "add okado", "add guard", "start")
    kept = logged_result(fight.do("attack guard by okado").results[0]).explanation
    assert (kept.text, kept.arithmetic) == ("", "")
    assert kept.terms


def test_a_sentence_about_one_target_stays_in_the_line_with_its_result():
    event = Event(
        n=1,
        command="action",
        targets=("ada", "bo"),
        sentences=(
            Sentence(MarkedText("Ada is far away."), ("ada",)),
            Sentence(MarkedText("Ada is hit."), ("ada",), result=0),
            Sentence(MarkedText("1 against 2"), ("ada",), result=0, arithmetic=True),
            Sentence(MarkedText("Bo is hit."), ("bo",), result=1),
        ),
    )
    assert [line.text for line in lines_of(event)] == ["Ada is far away. Ada is hit.", "Bo is hit."]


def test_a_sentence_without_a_result_stays_in_the_line_before_it_also_after_its_arithmetic():
    event = Event(
        n=1,
        command="action",
        targets=("ada", "bo"),
        sentences=(
            Sentence(MarkedText("Ada is hit."), ("ada",), result=0),
            Sentence(MarkedText("1 against 2"), ("ada",), result=0, arithmetic=True),
            Sentence(MarkedText("Ada is no longer hidden."), ("ada",)),
            Sentence(MarkedText("Bo is hit."), ("bo",), result=1),
        ),
    )
    assert [line.text for line in lines_of(event)] == ["Ada is hit. Ada is no longer hidden.", "Bo is hit."]
