"""A whole party joins a fight by one word."""

import pytest

from systems.encounter.completion import completions
from systems.errors import Refused
from tests.systems.fight import Entry, Fight


def fight(**parties: str) -> Fight:
    """A fight whose roster has those parties: `okado="The Lanterns"`."""
    found = Fight("atlantis")
    for key, party in parties.items():
        old = found.roster[key]
        found.roster[key] = Entry(old.name, old.side, old.sheet, party)
    return found


def who(fight: Fight) -> list[str]:
    return [f"{combatant.tag} {combatant.id}" for combatant in fight.encounter]


def test_add_party_brings_all_players_characters_in_one_event():
    here = fight()
    assert here.text("add party") == "Okado and Tamsin join the players."
    assert who(here) == ["1 okado", "2 tamsin"]
    here.do("undo")
    assert who(here) == []


def test_only_those_who_are_not_there_yet_join_and_nobody_twice():
    here = fight()
    here.do("add okado")
    assert here.text("add party") == "Tamsin joins the players."
    with pytest.raises(Refused, match="all of the party are in the fight already"):
        here.do("add party")
    with pytest.raises(Refused, match="a party joins whole"):
        here.do("add party x2")


def test_a_named_party_joins_by_its_name_or_its_beginning_and_may_arrive_hidden():
    here = fight(okado="The Lanterns", guard="Gate patrol")
    assert here.text("add the-lanterns") == "Okado joins the players."
    assert here.text('add "gate patrol" hidden in round 3') == "Guard joins the foes in round 3."
    assert here.encounter.combatants["guard_h1"].state.arrives == 3


def test_names_of_several_words_need_no_quotes_and_are_completed_word_by_word():
    here = fight(okado="Gate patrol")
    guard = here.roster["guard"]
    here.roster |= {
        key: Entry(name, guard.side, guard.sheet, "")
        for key, name in (("captain", "Raider captain"), ("unit-7", "Unit 7"), ("unit-8", "Unit 8"))
    }
    assert (
        here.text("add raider captain x2 hidden") == "Raider captain h1 and Raider captain h2 join the foes."
    )
    assert here.text("add raider cap as Old Bram in round 3") == "Old Bram joins the foes in round 3."
    assert here.text("add gate patrol") == "Okado joins the players."
    assert here.text("add unit 7") == "Unit 7 joins the foes."
    assert here.text("add unit 8 2") == "Unit 8 1 and Unit 8 2 join the foes."
    with pytest.raises(Refused, match='"hiden" is not understood behind Guard; such as: hidden'):
        here.do("add guard hiden")
    with pytest.raises(Refused, match='the roster has no "raider wolf"'):
        here.do("add raider wolf")

    def comes(line: str) -> list[str]:
        return [completion.text for completion in completions(here.encounter, here.roster, line)]

    assert comes("add raider cap") == ["captain"]
    assert comes("add gate ")[0] == "patrol"
    assert comes("add raider captain hid") == ["hidden"]


def test_an_entry_of_that_very_name_comes_before_a_party():
    here = fight(okado="Guard")
    assert here.text("add guard") == "Guard joins the foes."


def test_those_who_join_a_running_fight_as_a_party_get_their_initiative():
    here = fight()
    here.do("add guard")
    here.do("start")
    here.do("add party")
    assert sorted(here.encounter.progress.order) == ["guard", "okado", "tamsin"]


def test_parties_are_completed():
    here = fight(okado="The Lanterns")
    found = [completion.text for completion in completions(here.encounter, here.roster, "add ")]
    assert found[-2:] == ["party", '"The Lanterns"']
