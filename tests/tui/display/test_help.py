"""The page of all keys."""

import pytest

from tui.display.help import HelpKeys, help_rows
from tui.display.text import width
from tui.settings.keymap import shown_keys
from tui.settings.keys import KEYS


def page(screen: str, cells: int, sought: str = "") -> list[str]:
    actions = [("g", "Coup de grace. An announced killing blow.")]
    rows = help_rows(HelpKeys(shown_keys({}), "keys.toml", screen, actions), cells, sought)
    assert all(width(row) <= cells for row in rows)
    return ["".join(text for text, _ in row) for row in rows]


@pytest.mark.parametrize("cells", [56, 76, 96, 136, 196])
@pytest.mark.parametrize("screen", ["initiative", "log", "roster", "campaigns"])
def test_every_key_is_in_a_column_and_those_of_the_screen_come_first(screen: str, cells: int) -> None:
    said = page(screen, cells)
    first = next(at for at, line in enumerate(said) if "On " in line)
    for key in KEYS:
        at = next(at for at, line in enumerate(said) if key.label[:12] in line)
        assert at < first or screen not in key.screens


def test_typed_text_finds_a_key_by_its_name_its_word_and_its_sentence() -> None:
    assert page("initiative", 76, "U")[0].startswith("  u")
    assert "undo" in " ".join(page("initiative", 76, "undo"))
    assert any("killing blow" in line for line in page("initiative", 76, "coup"))
    assert "(log)" in " ".join(page("initiative", 136, "unfold the dice"[:6]))
    assert page("initiative", 76, "zzz") == ["no key matches"]


@pytest.mark.parametrize("cells", [56, 76, 96, 136, 196])
@pytest.mark.parametrize("screen", ["initiative", "status", "log", "roster", "campaigns"])
def test_no_label_of_a_key_is_cut(screen: str, cells: int) -> None:
    assert "…" not in "".join(page(screen, cells))


def test_a_key_is_right_next_to_its_effect() -> None:
    lines = page("initiative", 76)
    assert any("  a  action" in line for line in lines)
    assert any("Backspace  refuse request" in line for line in lines)
