"""Words and odds for a line that a player types: worked out from what the player sees."""

import pytest

from systems.commands.table import COMMANDS
from systems.errors import Misread, Refused
from systems.visibility.acting import SEAT_COMMANDS
from systems.visibility.line_help import exact_odds, next_words, own_numbers
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.systems.fight import GAMES, Fight
from tests.systems.visibility.seat_lines import seat_command

OKADO = Viewer(frozenset({"okado"}))


def fight(*lines: str, game: str = "atlantis") -> Fight:
    return Fight(
        game, "add okado", "add tamsin", "add guard x2", "add guard as Ghost hidden", "start", *lines
    )


def words(play: Fight, line: str, viewer: Viewer = OKADO) -> list[str]:
    return [each.text for each in next_words(play.encounter, viewer, line)]


def test_targets_are_completed_by_tag_and_nobody_out_of_sight_is_among_them():
    assert words(fight(), "attack ") == ["4", "1", "2", "players", "foes", "all"]
    assert words(fight(), "attack gua") == ["1", "2"]
    assert words(fight(), "attack gho") == []
    assert words(fight("reveal ghost"), "attack gho") == ["5"]


def test_options_come_from_the_viewers_own_sheet_in_every_turn():
    assert words(fight("next", "next"), "attack 1 weapon=") == ["weapon=sword"]
    assert "weapons.sword.damage" in words(fight(), "set 3 ")
    assert "weapons.sword.damage" not in words(fight(), "set 1 ")


def test_only_what_a_seat_may_ask_for_is_offered_and_only_its_own_characters_there():
    first = words(fight(), "")
    assert {"attack", "next", "roll"} <= set(first)
    assert not {"undo", "add", "hide", "amend", "start"} & set(first)
    assert words(fight(), "damage ") == ["3"]
    assert words(fight(), "heal ") == words(fight(), "condition ") == ["3", "4"]
    assert words(fight(), "attack 1 by ") == ["3"]


def test_every_command_of_the_language_is_a_seats_or_is_refused():
    play = fight()
    forms = [form for each in COMMANDS.values() if each.name not in SEAT_COMMANDS for form in each.forms]
    for form in forms:
        line = form.replace("TARGETS", "1").replace("WHO", "1").replace("DICE", "1d6")
        with pytest.raises((Misread, Refused)):
            seat_command(play.encounter, OKADO, line, Shown(acting="free"))


@pytest.mark.parametrize("game", GAMES)
def test_own_figures_tell_the_bonus_and_the_damage_and_nothing_of_the_target(game):
    play = fight(game=game)
    line = f"{play.game.default_action} guard-1 by okado"
    found = own_numbers(play.encounter, OKADO, line)
    assert found.most >= found.least > 0
    for change in ("damage guard-1 2", "condition guard-1 prone", "hide guard-2", "damage guard-1 500"):
        play.do(change)
        assert own_numbers(play.encounter, OKADO, line) == found


def test_own_figures_count_what_ones_own_options_change():
    play = fight()
    plain = own_numbers(play.encounter, OKADO, "attack 1")
    assert [(term.label, term.value) for term in plain.terms] == [("melee", 53)]
    more = own_numbers(play.encounter, OKADO, "attack 1 modifier=-10")
    assert sum(term.value for term in more.terms) == 43
    assert own_numbers(play.encounter, OKADO, "attack 1 weapon=bow") is None
    assert own_numbers(play.encounter, OKADO, "attack 1 by guard-1") is None
    assert own_numbers(play.encounter, PUBLIC, "attack 1") is None


def test_exact_odds_are_those_of_everybody_in_sight_foes_first():
    play = fight()
    assert [tag for tag, _ in exact_odds(play.encounter, OKADO, "attack")] == ["1", "2", "4"]
    ((tag, odds),) = exact_odds(play.encounter, OKADO, "attack 2")
    assert tag == "2"
    assert odds.works > 0
    assert list(exact_odds(play.encounter, OKADO, "attack 5")) == []
    assert list(exact_odds(play.encounter, OKADO, "next")) == []


def test_options_that_can_matter_are_offered_first():
    assert words(fight(), "attack 1 d")[:1] != ["distance="]
    first = words(fight(), "attack 1 ")
    assert first.index("coverage=") < first.index("distance=")


def test_a_tag_that_completes_a_line_is_not_repeated_after_it() -> None:
    play = Fight("atlantis", "add okado", "add guard x2", "start")
    told = {each.text: each.help for each in next_words(play.encounter, OKADO, "attack ")}
    assert told["1"] == "Guard 1"


def test_exact_odds_depend_on_the_target():
    play = fight("set guard-1 abilities.dodge 95", "set guard-2 abilities.dodge 5")
    chances = [odds.works for _, odds in exact_odds(play.encounter, OKADO, "attack 1,2 defence=active")]
    assert chances[0] < chances[1]


def test_the_help_for_two_characters_is_about_the_one_whose_turn_it_is():
    play, both = fight("set tamsin weapons.sword.name axe", "next"), Viewer(frozenset({"okado", "tamsin"}))
    assert words(play, "attack 1 weapon=", both) == ["weapon=axe"]
