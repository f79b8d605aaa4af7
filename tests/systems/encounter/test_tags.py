"""Tags, names and ids of hidden or arriving combatants leave no gap among the visible ones."""

import pytest

from systems.errors import Refused
from tests.systems.fight import Fight


def tags(fight: Fight) -> dict[str, str]:
    return {combatant.name: combatant.tag for combatant in fight.encounter}


def test_the_tag_and_name_of_a_hidden_combatant_leave_no_gap():
    fight = Fight("atlantis", "add okado", "add guard x2 hidden", "add guard x2", "start")
    assert tags(fight) == {"Okado": "1", "Guard h1": "h1", "Guard h2": "h2", "Guard 1": "2", "Guard 2": "3"}
    fight.do("add guard hidden")
    fight.do("add guard")
    assert tags(fight)["Guard 3"] == "4"
    assert tags(fight)["Guard h3"] == "h3"


def test_a_reveal_gives_the_next_name_and_tag_and_the_old_ones_stay_valid():
    fight = Fight("atlantis", "add okado", "add guard x2", "start", "add guard hidden")
    assert fight.text("reveal h1") == "Guard 3 is in sight now."
    assert tags(fight)["Guard 3"] == "4"
    for word in ("h1", "4", '"Guard h1"', '"Guard 3"'):
        assert fight.text(f"damage {word} 1").startswith("Guard 3 ")
    fight.do("undo")
    fight.do("undo 4")
    assert tags(fight)["Guard h1"] == "h1"


def test_a_visible_combatant_keeps_its_name_and_tag_while_hidden_and_after():
    fight = Fight("atlantis", "add okado", "add guard x3", "start", "hide guard-3")
    assert tags(fight)["Guard 3"] == "h1"
    assert fight.text("damage 4 1").startswith("Guard 3 ")
    fight.do("add guard")
    assert tags(fight)["Guard 4"] == "5"
    fight.do("reveal h1")
    assert tags(fight)["Guard 3"] == "4"


def test_a_single_creature_keeps_its_plain_name_unless_it_is_taken():
    fight = Fight("atlantis", "add okado", "add guard hidden")
    assert tags(fight)["Guard"] == "h1"
    fight.do("add guard")
    assert [each.tag for each in fight.encounter if each.name == "Guard"] == ["h1", "2"]
    fight.do("reveal h1")
    assert tags(fight) == {"Okado": "1", "Guard": "2", "Guard 2": "3"}


def test_a_visible_combatant_never_gets_the_id_of_a_hidden_one():
    fight = Fight("atlantis", "add guard hidden")
    fight.do('add guard as "Guard h1"')
    fight.do('add guard as "guard_h1"')
    assert len(fight.encounter.combatants) == 3


def test_an_arriving_combatant_gets_the_next_free_number():
    fight = Fight("atlantis", "add okado", "add guard x2", "add guard in round 2", "add guard", "start")
    assert tags(fight) == {"Okado": "1", "Guard 1": "2", "Guard 2": "3", "Guard h1": "h1", "Guard 3": "4"}
    for _ in range(4):
        fight.do("next")
    assert fight.round == 2
    assert tags(fight)["Guard 4"] == "5"
    assert fight.text("damage h1 1").startswith("Guard 4 ")
    while fight.round == 2:
        fight.do("back")
    assert tags(fight)["Guard h1"] == "h1"
    assert list(tags(fight).values()) == ["1", "2", "3", "h1", "4"]


def test_a_hidden_combatant_can_be_revealed_before_it_arrives():
    fight = Fight("atlantis", "add okado", "add guard hidden in round 2", "start")
    event = fight.do("reveal h1")
    assert event.text == "Guard will be in sight on arrival."
    assert event.sentences[0].seen == ("guard_h1",)
    fight.do("add guard")
    assert fight.text("next")
    assert "Guard 2 arrives." in fight.text("next")
    assert tags(fight) == {"Okado": "1", "Guard 2": "3", "Guard": "2"}


def test_a_range_of_hidden_tags_names_hidden_combatants():
    fight = Fight("atlantis", "add okado", "add guard x3 hidden", "start")
    fight.do("damage h1-2 3")
    assert [fight.sheet(f"guard_h{number}").life for number in (1, 2, 3)] == [42, 42, 45]
    with pytest.raises(Refused, match="nobody has the tag h7"):
        fight.do("damage h7 3")
    with pytest.raises(Refused, match="runs backwards"):
        fight.do("damage h3-1 3")


def test_combatants_revealed_together_are_numbered_together():
    fight = Fight("simple", "add okado", "add guard x3 as Wolf in round 2", "start", "add guard x2 hidden")
    assert "Wolf 1, Wolf 2 and Wolf 3 arrive." in fight.text("next")
    assert fight.text("reveal h4,h5") == "Guard 1 and Guard 2 are in sight now."
    assert fight.folded() == fight.plain
