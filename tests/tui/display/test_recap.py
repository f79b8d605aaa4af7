"""The rows in which a fight is summed up."""

import pytest

from systems.encounter.recap import recap_of
from systems.frozen import evolve
from tests.tui.table import at_the_gate
from tui.display.recap import recap_rows


@pytest.mark.parametrize(("events", "told"), [(1, "1 event in force"), (2, "2 events in force")])
def test_one_event_is_counted_in_the_singular(events: int, told: str) -> None:
    here = at_the_gate()
    recap = evolve(recap_of(here.encounter, here.log), events=events)
    [[(heading, _)], *_] = recap_rows(recap, here.encounter.game, 80)
    assert heading == f"1 round, {told}"


def test_the_recap_begins_with_the_highlights_of_a_longer_fight() -> None:
    lines = ("attack 3 dice=19", "attack 4 dice=12", "next", "next", "attack tamsin dice=19")
    here = at_the_gate(*lines)
    recap = recap_of(here.encounter, here.log)
    rows = ["".join(text for text, _ in row).rstrip() for row in recap_rows(recap, here.encounter.game, 80)]
    dealt = recap.dealt
    most = max(dealt.values())
    assert rows[2] == "Highlights"
    assert rows[3].split() == ["most", "dealt", "Okado", str(most)]
    heaviest = max(blow.lost for blow in recap.blows)
    assert rows[4].startswith("  heaviest blow")
    assert f"  {heaviest}  round 1" in rows[4]


def test_a_short_fight_has_no_highlights() -> None:
    here = at_the_gate("attack 3 dice=19")
    rows = recap_rows(recap_of(here.encounter, here.log), here.encounter.game, 80)
    assert "Highlights" not in ["".join(text for text, _ in row) for row in rows]


def test_a_recap_without_a_blow_says_so_once_the_fight_has_begun() -> None:
    here = at_the_gate("next", "end")
    recap = evolve(recap_of(here.encounter, here.log), turns=(), luck=(), edges=())
    of_player = evolve(recap, events=0)
    before = evolve(of_player, rounds=0)
    told = [recap_rows(each, here.encounter.game, 80)[-1][0][0] for each in (recap, of_player, before)]
    assert told == ["No blow fell.", "You saw no blow fall.", "Nothing has happened yet."]
