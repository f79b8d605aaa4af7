"""What a seat is told of a real die, by the table's odds setting and by what its viewer sees."""

from systems.dice.sources import DieRequest, Roll
from systems.frozen import evolve
from systems.visibility.viewer import Shown, Viewer
from tests.tui.table import at_the_gate
from tui.controllers.seat_asks import die_for_seat

OKADO = Viewer(frozenset({"okado"}))


def told(
    odds: str, line: str = "attack guard-1 by okado", *before: str, faces: tuple[int, ...] = ()
) -> tuple[str, str]:
    here = at_the_gate(*before)
    here.dice = "real"
    attempt = here.begin(line, asks=True)
    attempt.faces += faces
    needs = attempt.run()
    assert isinstance(needs, DieRequest)
    does, added = die_for_seat(attempt, needs, OKADO, Shown(odds=odds))
    return does, added.words


def test_only_exact_odds_show_the_number_to_beat() -> None:
    does, adds = told("exact")
    assert "or more" in does or "every face" in does
    assert "melee" in adds
    assert told("none") == ("", "")
    does, adds = told("own")
    assert does == ""
    assert adds.startswith("melee")


def test_nothing_is_shown_about_another_players_die() -> None:
    for odds in ("own", "exact"):
        assert told(odds, "attack okado by guard-1") == ("", "")


def test_the_bonus_is_shown_for_the_first_die_of_its_owner_also_after_a_die_of_another() -> None:
    here = at_the_gate()
    here.dice = "real"
    attempt = here.begin("attack guard-1 by okado", asks=True)
    needs = attempt.run()
    assert isinstance(needs, DieRequest)
    attempt.faces.append(5)
    for owner, words in (("guard-1", "melee 53"), ("okado", "")):
        later = evolve(needs, before=(Roll(20, 5, "perception", owner),))
        assert die_for_seat(attempt, later, OKADO, Shown())[1].words == words


def test_a_defender_sees_only_its_own_part_of_the_sum() -> None:
    attack = "attack okado defence=active defence_ability=melee by guard-1"
    assert told("own", attack, faces=(10,)) == ("", "melee 53")
    assert told("none", attack, faces=(10,)) == ("", "")
    assert told("own", attack) == ("", "")
