"""The players' side: whatever a campaign calls it, the same everywhere."""

import pytest

from systems import load
from systems.encounter.model import new_encounter
from systems.encounter.serialize import plain, read_combatant, read_encounter
from systems.errors import Refused
from tests.systems.fight import Entry, Fight, roster_of


def heroes(*lines, style=None):
    """A fight at a table whose players' side is called heroes."""
    fight = Fight("atlantis", style=style)
    fight.encounter = new_encounter(fight.game, fight.house, style, players="heroes")
    roster = roster_of(fight.game)
    fight.roster = {**roster, "okado": Entry("Okado", "heroes", roster["okado"].sheet)}
    for line in lines:
        fight.do(line)
    return fight


def test_a_combatant_on_the_players_side_is_a_players_character():
    fight = heroes("add okado", "add tamsin", "add guard as Friend side=HEROES")
    assert [each.sheet.is_pc for each in fight.encounter] == [True, False, True]
    assert [fight.encounter.is_player(each) for each in fight.encounter] == [True, False, True]
    assert fight.encounter.combatants["friend"].side == "heroes"


def test_the_players_come_first_without_initiative_rolls():
    fight = heroes("add guard", "add tamsin", "add okado", "start", style="manual")
    assert fight.turn == "okado"


def test_an_opening_is_read_with_the_players_side_of_its_campaign():
    game = load("atlantis")
    given = {"id": "okado", "name": "Okado", "side": "heroes"}
    assert read_combatant(game, given, players="heroes").sheet.is_pc
    assert not read_combatant(game, given).sheet.is_pc
    fight = heroes("add okado")
    again = read_encounter(game, fight.house, None, plain(fight.encounter), "heroes")
    assert again.players == "heroes"
    assert again == fight.encounter


@pytest.mark.parametrize("line", ["add okado", "add okado x2", "add okado as OKADO", "add guard as Okado"])
def test_a_present_players_character_is_not_added_again_under_its_name(line):
    fight = heroes("add okado")
    with pytest.raises(Refused, match="Okado is in the fight already"):
        fight.do(line)
    assert fight.text("add okado as Twin") == "Twin joins the heroes."


def test_no_other_combatant_gets_the_name_of_a_present_players_character():
    fight = heroes("add okado", "add tamsin")
    with pytest.raises(Refused, match="Okado is in the fight already"):
        fight.do("set tamsin name Okado")
    fight.do("set okado name Okado")
