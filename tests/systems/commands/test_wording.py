"""Commands in the words of people."""

import pytest

from systems.commands.table import command_words, parse
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import Fight
from tests.systems.visibility.seat_lines import seat_command

ASK = Shown(acting="ask")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("attack 1 c=half modifier=-5", "attack on Guard 1, coverage half, modifier −5"),
        ("attack 1,2", "attack on Guard 1 and Guard 2"),
        ("next", "end the turn"),
        ("delay", "delay the turn"),
        ("ready okado strike who comes in", "get ready: strike who comes in"),
        ("roll 1d6", "roll 1d6"),
        ("set okado abilities.melee 55", "set melee to 55"),
        ("damage 3 7", "damage Okado by 7"),
        ("heal okado 1d6", "heal Okado by 1d6"),
        ("condition 3 shaken for 2 rounds by 1", "shaken on Okado for 2 rounds"),
        ("condition 3 shaken 2 until end of 1", "shaken 2 on Okado until the end of Guard 1's turn"),
        ("clear 3 shaken", "clear shaken from Okado"),
    ],
)
def test_a_request_is_described_with_names_instead_of_ids(line: str, words: str) -> None:
    play = Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start")
    assert seat_command(play.encounter, Viewer(frozenset({"okado"})), line, ASK).words == words


def test_combatants_in_options_are_described_by_name() -> None:
    play = Fight("simple", "add okado", "add guard x3", "start")
    found = seat_command(
        play.encounter, Viewer(frozenset({"okado"})), "area 2,3 fails=3", Shown(acting="ask")
    )
    assert found.words == "area attack on Guard 2 and Guard 3, fails Guard 3"


def test_combatants_given_by_tags_are_described_by_name() -> None:
    play = Fight("simple", "add okado", "add guard x3", "start")
    tag = play.encounter.combatants["guard-3"].tag
    line = parse(f"area guard-2,guard-3 resists={tag} by okado", play.encounter.game)
    words = command_words(play.encounter, line)
    assert words == "area attack on Guard 2 and Guard 3 by Okado, resists Guard 3"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("attack 1 c=half by 4", "attack on Guard 1 by Tamsin, coverage half"),
        ("attack guard-1", "attack on Guard 1 by Okado"),
        ("damage 1,2 2d6", "damage Guard 1 and Guard 2 by 2d6"),
        ("next", "end the turn"),
        ("attack nobody", ""),
        ("undo", ""),
    ],
)
def test_a_command_of_the_table_is_described_with_names_and_its_actor(line: str, words: str) -> None:
    play = Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start")
    assert command_words(play.encounter, parse(line, play.encounter.game)) == words
