"""Rows of text: what the cursor does to one."""

import pytest

from tests.tui.table import at_the_gate
from tui.display.status import names_row
from tui.display.text import cut_row, under_cursor, width, wrapped


def test_the_cursor_leaves_every_word_and_colour_of_its_row():
    row = [(" ", ""), ("Okado", "strong"), (" 18/52", "danger")]
    marked = under_cursor(row, 20)
    assert "".join(text for text, _ in marked) == "▌Okado 18/52        "
    assert ("Okado", "strong cursor") in marked
    assert (" 18/52", "danger cursor") in marked


def test_a_row_under_the_cursor_is_as_wide_as_its_list_even_if_shortened():
    row = [(" a long name", ""), (" and more", "muted")]
    assert width(under_cursor(row, 8)) == 8
    assert "".join(text for text, _ in under_cursor(row, 8))[1:] == "".join(t for t, _ in cut_row(row, 8))[1:]


@pytest.mark.parametrize("cells", [30, 45, 60, 80, 120])
def test_the_names_above_a_sheet_drop_nobody_without_a_sign(cells: int) -> None:
    encounter = at_the_gate("add guard x9").encounter
    everybody = encounter.in_line()
    for combatant in everybody:
        row = names_row(encounter, combatant, cells)
        said = "".join(text for text, _ in row)
        assert width(row) <= cells
        assert f"{combatant.tag} {combatant.name}" in said
        shown = sum(f"{other.tag} {other.name} " in f"{said} " for other in everybody)
        assert shown == len(everybody) or "…" in said


@pytest.mark.parametrize("cells", range(12, 60))
def test_related_words_stay_on_one_line(cells: int) -> None:
    lines = wrapped("Okado hits Guard 1: 45 damage, life 45 → −4, hurt −10.", cells)
    assert any("45 → −4," in line for line in lines)
    assert any("hurt −10." in line for line in lines)
    assert all(len(line) <= cells for line in lines)
