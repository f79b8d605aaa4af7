"""The details of an event in the log: rolls, faces, terms and changes."""

import pytest

from systems import load
from systems.codec.events import read_event
from systems.encounter.amendment import names_of
from tests.tui.table import at_the_gate
from tui.display.details import details_of
from tui.display.pages import why_rows
from tui.display.text import width

ATLANTIS = load("atlantis")


def test_the_details_of_an_event_sum_its_terms():
    log = at_the_gate("attack guard-1 dice=15").log
    lines = details_of(log.events[-1], {}, ATLANTIS)
    terms = [one for one in lines if one.label in ("melee", "hurt", "size")]
    total = next(one for one in lines if one.label == "total")
    assert terms
    assert total.value == "68"


def test_a_die_that_is_a_term_is_listed_once_with_its_purpose():
    lines = details_of(at_the_gate("attack guard-1 dice=15").log.events[-1], {"okado": "Okado"}, ATLANTIS)
    (die,) = [one for one in lines if one.label == "d20"]
    assert (die.value, die.note) == ("+15", "sword, Okado")
    assert lines.index(die) < lines.index(next(one for one in lines if one.label == "total"))
    assert lines[0].label == "melee"
    # Those that are no term stand on top, as one pool.
    lines = details_of(at_the_gate("damage guard-1 3d6 dice=2,6,4").log.events[-1], {}, ATLANTIS)
    assert (lines[0].label, lines[0].value, lines[0].note) == ("3d6", "12", "(2 6 4) 3d6")


def test_a_pool_that_is_a_term_is_listed_with_its_faces():
    roll = {"sides": 6, "why": "push", "of": "okado"}
    terms = [{"label": "push", "value": 2}, {"label": "2d6", "value": 9}]
    rolls = [roll | {"face": 4}, roll | {"face": 5}]
    event = read_event({"n": 1, "rolls": rolls, "results": [{"terms": terms}]})
    lines = details_of(event, {"okado": "Okado"}, ATLANTIS)
    assert [(line.label, line.value, line.note) for line in lines] == [
        ("push", "2", ""),
        ("2d6", "+9", "(4 5) push, Okado"),
        ("total", "11", ""),
    ]


def test_one_roll_against_several_targets_is_listed_once_above_its_effects():
    terms = [{"label": "aim", "value": 3}, {"label": "d20", "value": 9}]
    hits = [{"target": who, "terms": terms, "steps": [{"label": "hp", "value": "4 → 0"}]} for who in "ab"]
    lines = details_of(read_event({"n": 1, "results": hits}), {"a": "Ana", "b": "Bo"}, ATLANTIS)
    assert [line.label for line in lines] == ["aim", "d20", "total", "Ana", "hp", "Bo", "hp"]


def test_why_shows_a_sum_with_a_line_above_the_total_and_dims_ignored_terms():
    event = at_the_gate("attack guard-1 dice=15").log.events[-1]
    rows = why_rows(event, {}, ATLANTIS, False, 60)
    said = ["".join(text for text, _ in row).split() for row in rows]
    at = said.index(["total", "68"])
    assert said[at - 1] == ["────"]
    assert said[at - 2][:2] == ["d20", "+15"]
    assert said[at + 1] == []
    hurt = next(row for row in rows if len(row) > 1 and "hurt" in row[1][0])
    assert {tone for text, tone in hurt if text.strip()} == {"muted"}


@pytest.mark.parametrize("cells", range(24, 40))
def test_why_keeps_every_number_on_a_narrow_screen(cells):
    steps = [{"label": "effectiveness", "value": 18}, {"label": "result", "value": "critical hit"}]
    hit = {"target": "a", "terms": [{"label": "passive resistance", "value": 35}], "steps": steps}
    event = read_event({"n": 1, "text": "Ada hits.", "results": [hit]})
    rows = why_rows(event, {}, ATLANTIS, False, cells)
    said = ["".join(text for text, _ in row) for row in rows]
    assert all(width(row) <= cells for row in rows)
    assert all(part in " ".join(" ".join(said).split()) for part in ("35", "18", "critical hit"))


def test_why_shows_the_defenders_roll_as_a_separate_sum():
    event = at_the_gate("attack guard-1 defence=active dice=15,10").log.events[-1]
    rows = why_rows(event, {"okado": "Okado", "guard-1": "Guard 1"}, ATLANTIS, False, 60)
    said = [" ".join("".join(text for text, _ in row).split()) for row in rows]
    at = said.index("total 68")
    assert said[at + 1 : at + 6] == ["", "melee 36", "d20 +10 melee, Guard 1", "────", "active defence 46"]


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        (["condition 3 ablaze", "condition 3 ablaze 3"], "conditions ablaze → ablaze 3"),
        (["condition 3 ablaze 3 for 2 rounds"], "conditions none → ablaze 3 through round 2"),
        (["condition 3 marked until end of okado"], "conditions none → marked until the end of Okado's turn"),
        (["condition 3 held escape 14 by 1"], "conditions none → held from Okado, escape 14"),
        (["set 3 weapons.sword.damage 18"], "sword damage 15 → 18"),
        (["set 3 weapons.sword.name rapier"], "weapons sword → rapier"),
    ],
)
def test_a_changed_condition_or_entry_is_shown_with_all_its_values(commands: list[str], told: str) -> None:
    here = at_the_gate(*commands)
    lines = details_of(here.log.events[-1], names_of(here.encounter), here.game)
    assert told in [line.note for line in lines]
