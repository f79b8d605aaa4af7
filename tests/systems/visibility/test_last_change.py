"""What the last event did to each combatant, as a row of the order shows it."""

import pytest

from systems.visibility.last_change import last_changes
from systems.visibility.rows import RowCache
from systems.visibility.viewer import Viewer
from tests.systems.fight import GAMES, Fight
from tests.systems.visibility.test_view import OKADO, row, seen

GATE = ("atlantis", "add okado", "add guard x2", "start")


def shown_last(fight: Fight) -> dict[str, list[str]]:
    """Return the words about each affected combatant."""
    found = last_changes(fight.encounter, fight.log)
    return {who: [word.text for word in words] for who, words in found.items()}


def at_seat(fight: Fight, name: str, viewer: Viewer = OKADO, **shown: str) -> list[str]:
    return [word.text for word in row(seen(fight, viewer, **shown), name).last]


def test_the_game_master_sees_the_points_and_conditions_of_the_newest_event_alone():
    fight = Fight(*GATE)
    fight.do("damage guard-1 20")
    assert shown_last(fight) == {"guard-1": ["−20"]}
    fight.do("heal guard-1 5")
    assert shown_last(fight) == {"guard-1": ["+5"]}
    fight.do("condition guard-1,guard-2 prone for 2 rounds")
    assert shown_last(fight) == {"guard-1": ["prone"], "guard-2": ["prone"]}
    fight.do("condition guard-1 prone for 3 rounds")
    assert shown_last(fight) == {}
    fight.do("damage guard-1 20")
    fight.do("note the gate gives way")
    assert shown_last(fight) == {}


def test_an_undone_command_leaves_no_mark():
    fight = Fight(*GATE)
    fight.do("damage guard-1 20")
    fight.do("undo")
    assert shown_last(fight) == {}
    assert at_seat(fight, "Guard 1", foes="figures") == []
    fight.do("redo")
    assert at_seat(fight, "Guard 1", foes="figures") == ["−20"]


def test_several_kinds_of_points_carry_their_names():
    fight = Fight("atomic_d20", "add okado", "add guard", "start")
    fight.do("set guard hearts 1")
    assert shown_last(fight) == {"guard": ["hearts −1"]} or "hearts" in shown_last(fight)["guard"][0]


def test_a_condition_that_is_a_field_of_the_sheet_is_shown_to_those_who_see_the_sheet():
    fight = Fight("xcom", "add okado", "add guard x2", "start")
    fight.do("condition guard-1 marked")
    assert shown_last(fight) == {"guard-1": ["marked"]}
    fight.do("set guard-1 marked no")
    fight.do("set guard-1 marked yes")
    assert shown_last(fight) == {"guard-1": ["marked"]}
    assert at_seat(fight, "Guard 1", foes="figures") == []


def test_a_seat_sees_points_only_where_it_sees_figures_and_else_that_an_attack_hit():
    fight = Fight(*GATE)
    fight.do("damage guard-1 20")
    assert at_seat(fight, "Guard 1") == ["hit"]
    assert at_seat(fight, "Guard 1", foes="figures") == ["−20"]
    fight.do("heal guard-1 5")
    assert at_seat(fight, "Guard 1") == ["healed"]
    fight.do("damage okado 3")
    assert at_seat(fight, "Okado") == ["−3"]
    assert at_seat(fight, "Okado", Viewer()) == ["−3"]
    assert at_seat(fight, "Okado", Viewer(), allies="band") == ["hit"]
    fight.do("attack guard-1 by okado dice=19")
    assert at_seat(fight, "Guard 1") == ["hit"]
    fight.do("attack okado by guard-2 dice=2")
    assert fight.log.events[-1].text.startswith("Guard 2 misses Okado")
    assert at_seat(fight, "Okado") == []


def test_a_seat_sees_no_secret_condition_and_keeps_the_mark_while_things_happen_out_of_its_sight():
    fight = Fight(*GATE)
    fight.do("damage guard-1 20")
    fight.do("condition guard-1 doomed secret")
    assert shown_last(fight) == {"guard-1": ["doomed"]}
    assert at_seat(fight, "Guard 1") == ["hit"]
    fight.do("add guard hidden")
    fight.do("note behind the wall")
    assert at_seat(fight, "Guard 1") == ["hit"]
    fight.do("next")
    assert at_seat(fight, "Guard 1") == []


@pytest.mark.parametrize("game", GAMES)
def test_no_number_about_a_foe_reaches_a_seat_that_sees_bands(game):
    fight = Fight(game, "add okado", "add guard x2", "start")
    for line in ("damage guard-1 2", "attack guard-2 by okado", "damage all 1", "heal all 1"):
        fight.do(line)
        for each in seen(fight).rows:
            told = " ".join(word.text for word in each.last)
            assert each.ours or not any(letter.isdigit() for letter in told), (line, told)


def test_rows_made_again_after_an_event_lose_the_marks_of_the_event_before():
    fight, cache = Fight(*GATE), RowCache()
    for line in ("damage guard-1 20", "damage guard-2 3", "note hm", "next"):
        fight.do(line)
        last = last_changes(fight.encounter, fight.log)
        found = cache.rows(fight.encounter, last)
        assert found == RowCache().rows(fight.encounter, last)
        assert sum(bool(row.last) for row in found) == len(last)


def test_the_fallen_come_last_and_rise_again_with_their_life():
    fight, cache = Fight(*GATE), RowCache()
    first = [row.name for row in cache.rows(fight.encounter)]
    assert first == ["Okado", "Guard 1", "Guard 2"]
    fight.do("damage guard-1 90")
    found = cache.rows(fight.encounter)
    assert [row.name for row in found] == ["Okado", "Guard 2", "Guard 1"]
    assert [row.fallen for row in found] == [False, False, True]
    assert cache.ids == ["okado", "guard-2", "guard-1"]
    assert [each.name for each in seen(fight, foes="figures").rows] == [row.name for row in found]
    fight.do("undo")
    assert [row.name for row in cache.rows(fight.encounter)] == first


def test_a_foe_that_is_down_has_fallen_but_one_of_the_party_keeps_its_row():
    fight, cache = Fight("arden", "add okado", "add guard", "start"), RowCache()
    fight.do("damage okado,guard 90")
    fight.do("next")
    fallen = {row.name: row.fallen for row in cache.rows(fight.encounter) if not row.turn}
    assert fallen.get("Okado") in (None, False)
    assert fallen.get("Guard") in (None, True)
    assert fallen


def test_a_new_condition_is_shown_once_and_strong_until_the_next_event():
    fight = Fight(*GATE)
    fight.do("condition guard-1 prone for 2 rounds")

    def guard():
        rows = RowCache().rows(fight.encounter, last_changes(fight.encounter, fight.log))
        return next(each for each in rows if each.name == "Guard 1")

    [prone] = [word for word in guard().words if word.text.startswith("prone")]
    assert prone.tone.endswith("strong")
    assert guard().last == ()
    fight.do("note the gate gives way")
    [prone] = [word for word in guard().words if word.text.startswith("prone")]
    assert not prone.tone.endswith("strong")
