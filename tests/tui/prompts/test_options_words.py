"""What options can be stands in words on the screen, and is written as the game has it."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.frozen import evolve
from tests.tui.opened import opened, playing_sample
from tests.tui.pilot import running
from tests.tui.table import Play, playing
from tui.display.text import width
from tui.lists.target_list import OptionShown
from tui.prompts.options import OptionEditor


async def test_a_choice_is_read_without_underscores_and_written_with_them(tmp_path: Path) -> None:
    here = opened(tmp_path, None, "rooftop-watch")
    session = here.table.session
    assert session is not None
    session.do("start")
    async with running(here, (110, 30)) as pilot:
        play = Play(here, pilot)
        await play.press("f")
        assert "full  free  move action" in play.text
        assert "_" not in play.text
        await play.press("mov")
        assert "kind move action" in play.text.replace("(needed)", "").replace("  ", " ")
        await play.press("<Enter>")
        assert play.last.options == {"kind": "move_action"}
        assert "_" not in play.text


async def test_the_footer_of_a_form_has_choices_in_words(tmp_path: Path) -> None:
    here = opened(tmp_path, None, "the-toll-road")
    async with running(here, (140, 40)) as pilot:
        play = Play(here, pilot)
        await play.press("R<Enter>" + "<Down>" * 40)
        for _ in range(40):
            if "one of aware" in play.text:
                break
            await play.press("<Up>")
        assert "one of aware, alert, flat footed, unconscious" in play.text


def test_an_ellipsis_next_to_the_edited_option_replaces_those_without_room() -> None:
    editor = OptionEditor()
    editor.field = "cover"
    cover = OptionShown("cover", "cover", choices=("none", "half", "three quarters", "full"))
    distance = OptionShown("distance", "distance", value="40", help="in metres")
    narrow, wide = editor.pieces([cover, distance], 44), editor.pieces([cover, distance], 120)
    assert "".join(text for text, _ in narrow).startswith("… · cover ")
    assert width(narrow[:5]) <= 44
    assert "distance 40" in "".join(text for text, _ in wide)


def usual(*names: str) -> list[OptionShown]:
    """Options at their usual values, which say nothing."""
    return [OptionShown(name, name, now="none", default="none", choices=("none", "half")) for name in names]


def test_unusual_options_come_first_and_bright_and_usual_ones_are_only_named() -> None:
    weapon = OptionShown("weapon", "weapon", now="sword", default="the first", choices=("sword", "bow"))
    distance = OptionShown("distance", "distance", value="40", now="40", default="0")
    stamina = OptionShown("stamina", "stamina", now="yes", default="no", choices=("yes", "no"))
    row = OptionEditor().pieces([*usual("cover"), weapon, distance, stamina, *usual("size")], 100)
    assert row[0] == (" distance 40 ", "chip")
    assert row[2] == (" stamina yes ", "chip")
    assert row[3:] == [("  weapon sword  + cover, size", "muted")]


def test_an_option_given_at_its_usual_value_is_not_bright() -> None:
    [cover] = usual("cover")
    row = OptionEditor().pieces([evolve(cover, value="none", is_remembered=True)], 100)
    assert row == [("+ cover", "muted")]


@given(st.integers(1, 120), st.integers(0, 12), st.integers(0, 3), st.integers(-1, 14))
def test_a_row_of_options_never_lists_usual_values_and_marks_what_is_missing(
    cells: int, count: int, unusual: int, edited: int
) -> None:
    editor = OptionEditor()
    options = usual(*(f"option{at}" for at in range(count)))
    chosen = [OptionShown(f"chosen{at}", f"chosen{at}", value="7", default="0") for at in range(unusual)]
    if 0 <= edited < count:
        editor.field = options[edited].name
    row = editor.pieces([*options, *chosen], cells)
    text = "".join(part for part, _ in row)
    assert "none ·" not in text.replace("… · ", "")
    plain = "".join(part for part, tone in row if tone == "muted")
    if not editor.field and width(row) <= cells and count:
        assert all(f"chosen{at} 7" in text for at in range(unusual))
        assert all(option.label in plain for option in options) or "…" in plain or cells - width(row) < 4


@pytest.mark.parametrize("sample", ["the-bone-court", "the-toll-road", "rooftop-watch", "okado-at-the-gate"])
async def test_no_game_lists_options_at_none(sample: str, tmp_path: Path) -> None:
    here = opened(tmp_path, None, sample)
    assert here.table.session is not None
    here.table.session.do("start")
    async with running(here) as pilot:
        play = Play(here, pilot)
        await play.press("a")
        for size in ((60, 20), (80, 24), (140, 40)):
            await pilot.resize(*size)
            [line] = [line for line in play.text.split("\n") if line.strip("│ ").startswith("target ")]
            assert " none" not in line, size


async def test_a_changed_option_is_a_chip_and_is_left_out_again_at_its_usual_value() -> None:
    async with playing() as play:
        await play.press("a3 mod=2 ")
        assert "  modifier 2   weapon sword · defence passive" in play.text
        await play.press("<backspace>" * 7)
        assert "modifier 2" not in play.text
        assert "target 3 " in play.text


@pytest.mark.parametrize("typed", ["tmel 13<Enter>", "t13 mel<Enter>", "tmelee thr=13<Enter>"])
async def test_each_word_typed_for_a_check_goes_to_the_option_that_it_fits(typed: str) -> None:
    async with playing() as play:
        await play.press(typed)
        assert play.last.typed == "check ability=melee threshold=13 by okado"


@pytest.mark.parametrize("typed", ["a3 half kat<Enter>", "a3 katana half<Enter>", "akatana half<Enter>"])
async def test_options_follow_the_target_as_words_in_any_order(typed: str) -> None:
    async with playing() as play:
        await play.press(typed)
        assert play.last.typed == "attack guard-1 weapon=katana coverage=half by okado"


async def test_a_number_is_a_distance_in_squares(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "rooftop-watch", "start") as play:
        await play.press("m7<Enter><Enter>")
        assert "moves 7 squares" in play.last.text


@pytest.mark.parametrize("sample", ["the-sunken-vault", "the-toll-road", "okado-at-the-gate"])
async def test_each_option_of_an_attack_is_named_on_a_small_screen(sample: str, tmp_path: Path) -> None:
    async with playing_sample(tmp_path, sample, "start", size=(80, 24)) as play:
        await play.press("a")
        text = " ".join(play.text.split())
        options = play.app.services.prompts.current.shown.options.shown
        assert [option.label for option in options if f" {option.label}" not in text] == []


async def edited(play: Play, label: str) -> str:
    """Press Tab until the option is edited; return the text of the screen."""
    prompt = play.app.services.prompts.current
    for _ in range(20):
        if prompt.editor.field == label:
            break
        await play.press("<Tab>")
    assert prompt.editor.field == label
    return " ".join(play.text.split())


async def test_what_does_not_fit_next_to_an_edited_option_is_above_the_line(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-toll-road", "start", size=(80, 24)) as play:
        await play.press("a")
        meaning = "grappling: holds, no damage; piercing: at least 10 for the effectiveness of a hit"
        assert meaning in await edited(play, "style")
        choices = "left, right: attack, defense, agility, endurance, precision, perception, speed"
        assert choices in await edited(play, "ability")


async def test_the_meaning_of_a_typed_option_takes_rows_of_a_full_list_and_counts_them(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, "the-toll-road", "add bandit x12", "start", size=(80, 24)) as play:
        await play.press("a")
        [more] = map(int, re.findall(r"… ([0-9]+) more", play.text))
        text = await edited(play, "dc")
        assert "a DC given by the game master; then neither defence nor awareness matters" in text
        assert f"… {more + 2} more" in text
        await play.press("<Esc>")
        assert f"… {more} more" in play.text
