"""A whole party joins a fight by one word."""

import pytest

from systems.commands.membership import members_left_out
from systems.commands.table import completions, read_command
from systems.errors import Misread, Refused
from systems.schema.conversion import replace
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


def test_only_absent_members_of_a_party_join_and_none_twice():
    here = fight()
    here.do("add okado")
    assert here.text("add party") == "Tamsin joins the players."
    with pytest.raises(Refused, match="the whole party is in the fight already"):
        here.do("add party")
    with pytest.raises(Refused, match="a party joins as a whole"):
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
    assert here.text("add unit 7") == "Unit 7 (1) joins the foes."
    assert here.text("add unit 8 2") == "Unit 8 (2) and Unit 8 (3) join the foes."
    with pytest.raises(Refused, match='"hiden" is not understood after Guard; such as: hidden'):
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


def test_a_party_that_joins_a_running_fight_rolls_initiative():
    here = fight()
    here.do("add guard")
    here.do("start")
    here.do("add party")
    assert sorted(here.encounter.progress.order) == ["guard", "okado", "tamsin"]


def test_parties_are_completed():
    here = fight(okado="The Lanterns")
    found = [completion.text for completion in completions(here.encounter, here.roster, "add ")]
    assert found[-2:] == ["party", '"The Lanterns"']


def with_dead_tamsin(**parties: str) -> Fight:
    """A fight whose roster has Tamsin dead."""
    found = fight(**parties)
    old = found.roster["tamsin"]
    found.roster["tamsin"] = Entry(old.name, old.side, replace(old.sheet, life=-40), old.party)
    return found


def test_a_party_leaves_its_dead_out_unless_the_command_names_them():
    here = with_dead_tamsin()
    assert here.text("add party") == "Okado joins the players. Tamsin is dead and stays out."
    assert who(here) == ["1 okado"]
    with pytest.raises(Refused, match="Tamsin is dead; fallen=yes adds the party anyway"):
        here.do("add party")
    assert here.text("add party fallen=yes") == "Tamsin joins the players."
    here.do("undo")
    assert here.text("add tamsin") == "Tamsin joins the players."
    with pytest.raises(Refused, match="fallen=yes is for a party"):
        here.do("add guard fallen=yes")
    with pytest.raises(Misread, match="fallen: expected yes or no"):
        here.do("add party fallen=maybe")


def test_a_party_of_one_dead_character_is_refused_too():
    here = with_dead_tamsin(tamsin="The Lanterns")
    with pytest.raises(Refused, match="Tamsin is dead; fallen=yes"):
        here.do("add the-lanterns")


@pytest.mark.parametrize(
    ("game", "field", "value", "word"),
    [
        ("simple", "hp", -3, ""),
        ("simple", "dead", True, "dead"),
        ("waygate", "hp", -30, "dead"),
        ("xcom", "health", 0, "down"),
        ("arden", "hp", 0, ""),
        ("atomic_d20", "status", "catatonic", "catatonic"),
    ],
)
def test_in_every_game_a_character_whose_turn_still_comes_joins_and_another_stays_out(
    game, field, value, word
):
    here = Fight(game)
    okado = here.roster["okado"]
    here.roster["tamsin"] = Entry("Tamsin", "players", replace(okado.sheet, **{field: value}))
    added = here.text("add party")
    assert ("Tamsin joins" in added or "Okado and Tamsin" in added) is not bool(word)
    assert (f"Tamsin is {word} and stays out." in added) is bool(word)


def test_the_dead_come_last_without_a_roll_for_initiative():
    here = Fight("waygate", "add okado", "add okado as Bram", "add guard", "set bram hp -40")
    event = here.do("start dice=3,9")
    assert len(event.rolls) == 2
    assert here.encounter.progress.order == ("guard", "okado", "bram")
    assert "Bram" not in event.text


def test_no_initiative_is_rolled_for_a_dead_character_that_arrives_later():
    here = Fight("waygate", "add okado", "add guard")
    dead = here.roster["okado"]
    here.roster["tamsin"] = Entry("Tamsin", "players", replace(dead.sheet, hp=-40))
    here.do("start dice=3,9")
    assert not here.do("add tamsin").rolls
    assert here.encounter.progress.order == ("guard", "okado", "tamsin")
    here.do("set okado hp 5")
    assert here.text("add okado as Late dice=20").endswith("Late has initiative 23.")
    assert here.encounter.progress.order == ("late", "guard", "okado", "tamsin")


def test_only_of_a_party_fallen_members_are_left_out():
    here = with_dead_tamsin()
    for line, left_out in (
        ("add party", {"tamsin": "dead"}),
        ("add tamsin", {}),
        ("add party fallen=yes", {}),
    ):
        intent = read_command(here.encounter, line).intent
        assert members_left_out(here.encounter, here.roster, intent) == left_out
