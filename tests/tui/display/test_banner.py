"""The banner of the public screen."""

import pytest
from rich.cells import cell_len

from systems.visibility.parts import LogLine
from systems.visibility.view import View
from tui.display.banner import LEAST_ROWS, banner_rows, large_letters
from tui.display.text import Row
from tui.terminal.symbols import PLAIN, Symbols


def text_of(row: Row) -> str:
    return "".join(text for text, _ in row)


def test_a_name_is_drawn_in_three_rows_of_blocks() -> None:
    assert large_letters("Ox") == [
        "▄▀▄ █ █",
        "█ █ ▄▀▄",
        " ▀  ▀ ▀",
    ]


def test_accents_fall_away_and_a_name_without_large_letters_stays_small() -> None:
    assert large_letters("Çé") == large_letters("CE")
    assert large_letters("漢字") is None
    assert large_letters("") is None


@pytest.mark.parametrize("shapes", [Symbols(), PLAIN])
@pytest.mark.parametrize("cells", [44, 60, 120])
@pytest.mark.parametrize("name", ["Okado", "Sergeant Tamsin Vale", "漢字", "Guard 12"])
def test_the_banner_fits_every_width_and_names_the_turn_and_the_last_blow(
    name: str, cells: int, shapes: Symbols
) -> None:
    log = (LogLine(1, "Okado hits Guard 1 for 41.", result=True), LogLine(1, "Okado's turn."))
    rows = banner_rows(View(turn=name, log=log), cells, LEAST_ROWS, shapes)
    assert all(cell_len(text_of(row)) <= cells for row in rows)
    assert text_of(rows[-2]) == " Okado hits Guard 1 for 41."
    if shapes.letters:
        assert name.upper()[:10] in text_of(rows[1])


def test_a_small_screen_and_a_fight_without_a_turn_have_no_banner() -> None:
    assert banner_rows(View(turn="Okado"), 80, LEAST_ROWS - 1, Symbols()) == []
    assert banner_rows(View(), 80, 40, Symbols()) == []
