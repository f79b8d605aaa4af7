"""The card: names and numbers in columns, nothing said twice, nothing wider than the card."""

import pytest

from systems.visibility.card import card
from systems.visibility.parts import meter_columns
from tests.systems.fight import Fight
from tests.tui.table import at_the_gate
from tui.display.card import Number, NumberColumns, card_rows
from tui.display.meters import plot
from tui.display.text import width
from tui.terminal.symbols import PLAIN

SHEET = [Number("melee", "43"), Number("dodge", "5"), Number("passive resistance", "43"), Number("mind", "9")]


def texts(numbers: list[Number], cells: int) -> list[str]:
    return ["".join(text for text, _ in row) for row in NumberColumns(numbers, cells).rows(numbers)]


def test_names_begin_and_numbers_end_below_each_other():
    assert texts(SHEET, 52) == [
        "melee              43   dodge               5",
        "passive resistance 43   mind                9",
    ]


def test_a_long_name_has_its_own_row_if_the_others_then_fit_side_by_side():
    assert texts(SHEET, 30) == ["melee 43   dodge  5", "passive resistance 43", "mind   9"]


def test_the_note_on_a_number_follows_it_and_continues_below():
    told = [Number("life lost", "34", "−10 to everything")]
    assert texts(told, 40) == ["life lost 34  −10 to everything"]
    assert texts(told, 24) == ["life lost 34  −10 to", "  everything"]


def test_a_fact_of_the_sheet_is_not_repeated_as_a_mark():
    session = at_the_gate()
    session.do("damage okado 30")
    session.do("set okado armour_pool 14")
    encounter = session.encounter
    shown = card(encounter, encounter.combatants["okado"])
    text = "\n".join(
        "".join(text for text, _ in row)
        for row in card_rows(shown, meter_columns(encounter.game.meters), 52, PLAIN)
    )
    assert "armour pool" in text
    assert "armour 14" not in text
    assert "−10 to everything" in text
    assert "hurt −10" not in text


@pytest.mark.parametrize("cells", [26, 30, 52, 80])
def test_the_history_of_the_first_meter_is_next_to_its_bar_if_there_is_room(cells):
    encounter = at_the_gate().encounter
    shown = card(encounter, encounter.combatants["okado"])
    drawn = plot([52, 30, 10], 52, PLAIN)
    curve = "".join(text for text, _ in drawn)
    rows = card_rows(shown, meter_columns(encounter.game.meters), cells, PLAIN, drawn)
    with_curve = next(at for at, row in enumerate(rows) if curve in "".join(text for text, _ in row))
    assert with_curve == (1 if cells < 52 else 0)
    assert f"{curve}  since the start" in "".join(text for text, _ in rows[with_curve])
    assert all(width(row) <= cells for row in rows)


def test_the_end_of_a_condition_continues_below_without_room():
    session = at_the_gate()
    session.do("condition okado prone until end of tamsin by guard-1")
    encounter = session.encounter
    shown = card(encounter, encounter.combatants["okado"])
    rows = card_rows(shown, meter_columns(encounter.game.meters), 30, PLAIN)
    texts = ["".join(text for text, _ in row).strip() for row in rows]
    assert "from Guard 1" in " ".join(texts)
    assert not any(text.endswith("…") for text in texts)


def test_notes_have_their_name_and_precede_the_fields_of_the_turn():
    session = at_the_gate('set okado notes "owes the abbot"', "attack guard-1 dice=9")
    encounter = session.encounter
    shown = card(encounter, encounter.combatants["okado"])
    rows = card_rows(shown, meter_columns(encounter.game.meters), 56, PLAIN)
    texts = ["".join(text for text, _ in row).strip() for row in rows]
    assert texts.index("notes owes the abbot") < texts.index("This turn")


def test_a_choice_that_is_a_condition_is_called_as_the_condition_is():
    fight = Fight("arden", "add okado", "add guard", "start", "condition guard flat")
    shown = card(fight.encounter, fight.encounter.combatants["guard"])
    assert ("awareness", "flat-footed") in shown.fields
    assert not shown.marks


@pytest.mark.parametrize("cells", [24, 28, 34, 36])
def test_a_narrow_card_goes_on_below_and_cuts_nothing(cells):
    session = at_the_gate("damage guard-1 90", "hide wolf", "condition guard-1 prone for 3 rounds")
    encounter = session.encounter
    meters = meter_columns(encounter.game.meters)
    for combatant in encounter.in_line():
        rows = card_rows(card(encounter, combatant), meters, cells, PLAIN)
        assert all(width(row) <= cells for row in rows)
        assert "…" not in "".join(text for row in rows for text, _ in row)


def test_the_note_on_a_number_with_a_long_name_is_below_in_full():
    told = [Number("submachine gun to hit", "4", "2d6 damage")]
    assert texts(told, 30) == ["submachine gun to hit 4", "  2d6 damage"]


def test_a_long_name_and_a_long_value_share_a_row_if_each_fits():
    numbers = [Number("dexterity save", "2"), Number("type", "dragon"), Number("CR", "4")]
    assert texts(numbers, 40) == ["dexterity save 2   type      dragon", "CR             4"]


def test_the_card_says_each_save_and_each_plain_attack_once_and_conditions_before_numbers():
    fight = Fight("srd5", "add okado", "set okado saves.strength 7", "condition okado prone")
    shown = card(fight.encounter, fight.encounter.combatants["okado"])
    rows = card_rows(shown, meter_columns(fight.game.meters), 40, PLAIN)
    told = "\n".join("".join(text for text, _ in row) for row in rows)
    assert told.count("strength") == 2, "the ability and its save"
    assert told.count("sword") == 1
    assert told.count("bow") == 2, "its range is not in the number"
    assert told.index("prone") < told.index("sword")
