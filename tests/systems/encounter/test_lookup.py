"""A word names combatants or a roster entry, or is refused with the names that it could mean."""

import pytest

from systems.encounter.lookup import party_meant, roster_entry, several_names
from systems.encounter.roster import Roster, Shipped
from systems.encounter.tags import own_slug
from systems.errors import Refused
from tests.systems.fight import Entry, Fight

ROSTER = {"guard": Entry("Guard", "foes", object()), "mira": Entry("Mira", "players", object(), "Red Band")}


def refusal(fight: Fight, line: str) -> str:
    with pytest.raises(Refused) as refused:
        fight.do(line)
    return str(refused.value)


def test_a_word_for_more_than_five_combatants_is_refused_with_five_names_and_an_ellipsis():
    five = '"guard" could be Guard 1, Guard 2, Guard 3, Guard 4 or Guard 5'
    assert refusal(Fight("atlantis", "add guard x5"), "damage guard 1") == five
    assert refusal(Fight("atlantis", "add guard x6"), "damage guard 1") == f"{five} …"


def test_more_than_four_names_in_a_row_end_with_an_ellipsis():
    fight = Fight("atlantis", "add guard x5")
    ids = list(fight.encounter.combatants)
    assert several_names(fight.encounter, ids[:4]) == "Guard 1, Guard 2, Guard 3 and Guard 4"
    assert several_names(fight.encounter, ids).endswith("Guard 4 …")


def test_roster_entries_of_the_same_name_are_told_apart_by_their_keys():
    sheet = object()
    roster = {key: Entry("Guard", "foes", sheet) for key in ("north-guard", "south-guard")}
    with pytest.raises(Refused, match=r"Guard \(north-guard\) or Guard \(south-guard\)"):
        roster_entry(roster, "guard")
    others = {key: Entry(key.title(), "foes", sheet) for key in ("guard-a", "guard-b")}
    with pytest.raises(Refused, match=r"could be Guard-A or Guard-B$"):
        roster_entry(others, "guard")


@pytest.mark.parametrize(
    ("name", "slug"), [("7", "the-7"), ("h2", "the-h2"), ("1-3", "the-1-3"), ("R2", "r2")]
)
def test_a_name_that_would_mean_a_tag_gets_another_id(name, slug):
    assert own_slug(name, ("players", "foes")) == slug


@pytest.mark.parametrize(("number", "ending"), [(12, "Ghoul 10 and Ghoul 11."), (13, "Ghoul 11 and 1 more.")])
def test_of_many_shipped_creatures_that_match_twelve_are_named(number, ending):
    ghouls = {f"ghoul-{at}": Shipped(f"ghoul-{at}", f"Ghoul {at}", tags=("undead",)) for at in range(number)}
    with pytest.raises(Refused) as refused:
        roster_entry(Roster({}, {}, lambda: ghouls), "undead")
    assert f"{refused.value}.".endswith(ending)


def test_a_campaigns_own_entry_comes_before_a_shipped_one_that_matches_as_well() -> None:
    own = {"worn-guard": Entry("Worn guard", "foes", object())}
    shipped = {"worg": Shipped("worg", "Worg"), "worm": Shipped("worm", "Worm")}
    roster = Roster(own, {}, lambda: shipped)
    assert roster_entry(roster, "wor") == "worn-guard"
    with pytest.raises(Refused):
        roster_entry(Roster({}, {}, lambda: shipped), "wor")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("gurd", 'the roster has no "gurd"; did you mean Guard?'),
        ("zzz", 'the roster has no "zzz"; entries: Guard, Mira; create it on the roster screen'),
    ],
)
def test_an_unknown_roster_entry_is_refused_with_what_to_do(word, says):
    with pytest.raises(Refused) as refused:
        roster_entry(ROSTER, word)
    assert str(refused.value) == says


@pytest.mark.parametrize(("word", "meant"), [("drke", "Cave drake"), ("ghol", "Ghoul"), ("litch", "Lich")])
def test_a_near_miss_is_a_name_or_a_word_of_one_and_of_several_the_word_alone(word, meant):
    names = ("Cave drake", "Lurker", "Black Ghoul", "Grey Ghoul", "Lich")
    with pytest.raises(Refused, match=f"did you mean {meant}[?]"):
        roster_entry({name.lower(): Entry(name, "foes", object()) for name in names}, word)


def test_a_party_is_meant_by_its_first_letters_if_no_entry_is():
    assert [party_meant(ROSTER, word, "players") for word in ("red", "guard")] == ["Red Band", ""]
