"""The application: screens, leaving, and what it says when no fight is open."""

import pytest
from textual.events import Key

from tests.tui.pilot import running
from tests.tui.table import SIZES, app, at_the_gate, playing


@pytest.mark.parametrize("how", ["ctrl+q"])
async def test_ctrl_q_leaves_with_status_0_even_from_a_question(how: str) -> None:
    for before in ("", "a3", ":damage", "y", "?"):
        program = app()
        async with running(program) as pilot:
            await pilot.press(*before)
            await pilot.press(how)
        assert program.return_value == 0
        assert program.return_code == 0


async def test_each_screen_is_one_key_away_from_each() -> None:
    async with playing() as play:
        for key, mode in (("R", "roster"), ("L", "log"), ("S", "status"), ("I", "initiative"), ("L", "log")):
            await play.press(key)
            assert play.app.current_mode == mode


async def test_changes_made_on_another_screen_are_shown_on_return() -> None:
    async with playing() as play:
        await play.press("Ln")
        await play.press("I")
        assert play.session.encounter.progress.turn == "tamsin"
        assert "▸  2 ● Tamsin" in play.text
        assert "Tamsin's turn" in play.text


async def test_the_palette_finds_keys_actions_and_colours_by_a_part_of_their_name() -> None:
    async with playing(at_the_gate(), (140, 40)) as play:
        for typed, shown in (
            ("next", "Next (n)"),
            ("grace", "Coup de grace"),
            ("light", "Colours: textual-light"),
            ("start the fight", "Next (n)"),
        ):
            await play.press(f"<ctrl+p>{typed}")
            assert shown in play.text
            assert "Guard 1" in play.text
            await play.press("<Esc>")


async def test_a_palette_command_runs_before_the_keys_typed_after_it() -> None:
    async with playing() as play:
        await play.press("<ctrl+p>next<Enter>a3<Enter>")
        assert play.last.typed == "attack guard-1 by tamsin"
        await play.press("<ctrl+p>log<Enter>n<ctrl+p>order<Enter>d47<Enter>")
        assert play.app.current_mode == "initiative"
        assert [event.typed for event in play.session.log.events[-2:]] == ["next", "damage 4 7"]


async def test_the_palette_does_nothing_that_it_does_not_show() -> None:
    async with playing() as play:
        before = len(play.session.log.events)
        await play.press("<ctrl+p>nexx<Enter>")
        assert "Nothing has that name" in play.text
        await play.press("<Esc><ctrl+p><Down><Down><Esc>")
        assert len(play.session.log.events) == before


async def test_the_palette_marks_the_row_below() -> None:
    async with playing() as play:
        await play.press("<ctrl+p>ne<Down><Enter>")
        assert play.session.encounter.progress.turn == "tamsin"


async def test_a_chosen_theme_is_used_at_the_next_start(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with playing() as play:
        await play.press("<ctrl+p>colours: textual-li<Enter>")
        assert play.app.theme == "textual-light"
    again = app()
    again.use_own_colours()
    assert again.theme == "textual-light"


@pytest.mark.parametrize("kept", [b"no-such-theme", b"\xff\xfe", b"x" * 1000])
def test_a_remembered_theme_that_does_not_exist_changes_nothing(kept, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "affray").mkdir()
    (tmp_path / "affray" / "colours").write_bytes(kept)
    here = app()
    before = here.theme
    here.use_own_colours()
    assert here.theme == before


LONG = " ".join(f"reason{number}" for number in range(24))


@pytest.mark.parametrize("size", SIZES)
async def test_a_long_sentence_is_shown_whole_and_its_rows_freed_again(size: tuple[int, int]) -> None:
    async with playing(size=size) as play:
        for screen in "IRLS":
            await play.press(screen)
            play.app.say("")
            await play.pilot.idle()
            before = play.text
            play.app.say(LONG, error=True)
            await play.pilot.idle()
            assert LONG in " ".join(play.text.split()), screen
            play.app.say("")
            await play.pilot.idle()
            assert play.text == before, screen


async def test_a_sentence_longer_than_a_quarter_of_the_screen_shows_that_it_continues() -> None:
    async with playing() as play:
        play.app.say(" ".join([LONG] * 4), error=True)
        await play.pilot.idle()
        assert "Guard 1" in play.text
        assert "…" in play.text


async def test_a_key_that_does_nothing_on_its_screen_does_nothing_on_the_next_one() -> None:
    async with playing() as play:
        # On the roster x is not a key; on the log it writes a file.
        for typed in "RxxxxL":
            play.app.post_message(Key(typed, typed))
        await play.pilot.idle()
        assert play.app.current_mode == "log"
        assert play.app.services.prompts.current is None


@pytest.mark.parametrize("screen", ["L", "R", "S", "C"])
async def test_escape_leads_home_from_every_screen_and_the_footer_says_so(screen: str) -> None:
    async with playing(at_the_gate()) as play:
        await play.press(screen)
        assert "Esc order" in play.text.rstrip().split("\n")[-1]
        await play.press("<Esc>")
        assert play.app.screen.screen_name == "initiative"


async def test_escape_closes_an_open_prompt_before_it_leads_home() -> None:
    async with playing(at_the_gate("note the gate")) as play:
        await play.press("L/gate<Enter>")
        assert "Esc show all" in play.text
        await play.press("<Esc>")
        assert play.app.screen.screen_name == "log"
        await play.press("<Esc>")
        assert play.app.screen.screen_name == "initiative"
