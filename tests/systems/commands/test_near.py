"""`near` and `apart`: pairs of combatants near each other, kept until one of them moves or leaves."""

import pytest

from systems.commands.actions import typed_options
from systems.commands.preview import preview
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.visibility.build import view
from systems.visibility.rows import RowCache
from systems.visibility.viewer import GAME_MASTER, Shown, Viewer
from tests.systems.fight import Fight
from tests.systems.pack import pack

ADA = Viewer(frozenset({"ada"}))


def ford(*lines: str) -> Fight:
    """Ada and Bo against two wolves and a hidden third."""
    return pack("add ada", "add bo", "add wolf x2", "add wolf as Shade hidden", "start", *lines)


def near(fight: Fight, who: str) -> tuple[str, ...]:
    return fight.encounter.combatants[who].state.near


def words(encounter: Encounter, fight: Fight, name: str, viewer: Viewer = GAME_MASTER) -> list[str]:
    found = view(encounter, fight.log, viewer, Shown())
    row = next(row for row in found.rows if row.name == name)
    return [word.text for word in row.words]


def test_both_combatants_of_a_pair_are_near_each_other():
    fight = ford()
    assert fight.text("near ada wolf-1,wolf-2") == "Ada is near Wolf 1 and Wolf 2."
    assert (near(fight, "ada"), near(fight, "wolf-2")) == (("wolf-1", "wolf-2"), ("ada",))
    assert fight.text("apart wolf-1 ada") == "Wolf 1 is no longer near Ada."
    assert fight.text("apart ada") == "Ada is no longer near Wolf 2."
    assert not near(fight, "ada")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("near ada ada", "name a combatant other than Ada"),
        ("near ada wolf-1", "Ada is near Wolf 1 already"),
        ("apart ada wolf-2", "Ada is not near Wolf 2"),
        ("apart bo", "Bo is near no combatant"),
        ("near ada late", "Late has not arrived yet"),
    ],
)
def test_what_changes_nothing_is_refused_in_one_sentence(line: str, why: str):
    fight = ford("near ada wolf-1", "add wolf as Late in round 4")
    with pytest.raises(Refused, match=why):
        fight.do(line)


def test_a_pair_is_apart_once_one_of_them_moves_and_enter_keeps_them_near():
    fight = ford("near ada wolf-1,bo")
    assert fight.text("run by ada") == (
        "Ada runs. Ada is no longer near Wolf 1 and Bo. Ada has moved. Still near Wolf 1 and Bo?"
    )
    assert not near(fight, "wolf-1")
    [offer] = fight.encounter.offers
    fight.do(str(offer.command))
    assert near(fight, "ada") == ("bo", "wolf-1")


def test_an_area_reaches_a_combatant_and_all_near_it():
    fight = ford("near wolf-1 wolf-2,ada")
    assert fight.text("damage near:1 1").count("has 9 hp") == 3
    assert fight.sheet("bo").hp == 10
    with pytest.raises(Refused, match='nobody here is called "yeti"'):
        fight.do("damage near:yeti 1")


def test_a_move_away_from_nobody_asks_nothing():
    assert ford().text("run by ada") == "Ada runs."


def test_who_leaves_is_near_nobody():
    fight = ford("near ada wolf-1,wolf-2")
    fight.do("remove wolf-1")
    assert near(fight, "ada") == ("wolf-2",)
    fight.do("undo")
    assert near(fight, "ada") == ("wolf-1", "wolf-2")


def test_pack_tactics_count_the_pair_and_an_amended_pair_changes_what_followed():
    fight = ford("near wolf-2 ada", "bite ada by wolf-1 dice=9")
    number = len(fight.log.events)
    assert fight.sheet("ada").hp == 6
    fight.do(f"amend {number - 1} near wolf-2 bo")
    assert fight.sheet("ada").hp == 10
    assert near(fight, "bo") == ("wolf-2",)
    fight.do("undo")
    assert fight.sheet("ada").hp == 6
    assert near(fight, "ada") == ("wolf-2",)


def test_undo_redo_and_reopening_restore_the_pairs():
    fight = ford("near ada wolf-1,wolf-2")
    placed = fight.plain
    assert fight.folded() == placed
    fight.do("undo")
    assert not near(fight, "wolf-2")
    fight.do("redo")
    assert fight.plain == placed


def test_a_row_names_those_near_by_their_tags_and_follows_a_new_tag():
    fight = ford("near ada wolf-2")
    hidden = next(each.id for each in fight.encounter if each.name == "Shade")
    fight.do(f"near ada {hidden}")
    cache = RowCache()

    def row() -> list[str]:
        return [word.text for word in cache.rows(fight.encounter)[0].words]

    assert row() == ["near 2,h1"]
    fight.do("reveal shade")
    assert row() == ["near 2,5"]


def test_a_seat_sees_only_pairs_of_which_both_are_in_sight():
    fight = ford("near ada wolf-2", "near ada shade", "near shade wolf-1")
    assert words(fight.encounter, fight, "Ada", ADA) == ["near 2"]
    assert not any("near" in word for word in words(fight.encounter, fight, "Wolf 1", ADA))
    said = " ".join(line.whole for line in view(fight.encounter, fight.log, ADA, Shown()).log)
    assert "Ada is near Wolf 2." in said
    assert "Shade" not in said


def test_a_move_of_a_neighbour_does_not_tell_a_seat_of_hidden_ones():
    fight = ford("near ada wolf-2", "near ada shade", "run by ada")
    said = " ".join(line.whole for line in view(fight.encounter, fight.log, ADA, Shown()).log)
    assert "Ada is no longer near Wolf 2." in said
    assert "Shade" not in said
    assert "Still near" not in said


def test_a_blow_at_a_combatant_that_is_not_near_is_done_and_said():
    fight = Fight("waygate", "add okado", "add guard x2", "start")
    attack = fight.encounter.game.action("attack")
    blade = typed_options(attack, {"weapon": "blade"})
    assert preview(fight.encounter, attack, "okado", "guard-1", blade).notes.get("", "") == ""
    fight.do("near okado guard-2")
    found = preview(fight.encounter, attack, "okado", "guard-1", blade)
    assert found.notes[""] == "not near"
    assert "not near" not in preview(fight.encounter, attack, "okado", "guard-2", blade).notes.get("", "")
    assert "Okado is not near Guard 1." in fight.text("attack guard-1 weapon=blade by okado dice=2")
    assert "not near" not in fight.text("attack guard-1 weapon=rifle by okado dice=2")
    assert "not near" not in fight.text("attack guard-2 weapon=blade by okado dice=2")
    fight.do("undo")
    assert fight.folded() == fight.plain


@pytest.mark.parametrize("game", ["atlantis", "srd5"])
def test_games_with_melee_say_who_is_not_near(game):
    fight = Fight(game, "add okado", "add guard x2", "start", "near okado guard-2")
    attack = fight.encounter.game.action("attack")
    assert "not near" in preview(fight.encounter, attack, "okado", "guard-1", attack.options()).notes[""]
