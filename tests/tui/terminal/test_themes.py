"""The program's own colours: all text can be read on all grounds, and the terminal's own ground decides."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from rich.color import Color
from rich.style import Style
from textual.color import Color as Colour
from textual.widget import Widget

from tests.tui.pilot import running
from tests.tui.table import Play, app, playing
from tui.app import AffrayApp
from tui.settings.remembered import remember_colours
from tui.terminal.driver import asks_for_ground, is_light
from tui.terminal.symbols import symbols, unknown_set
from tui.terminal.themed_app import GroundTold
from tui.terminal.themes import CONTRAST, DARK, LIGHT, OWN
from tui.widgets.text_rows import TONES, Toned

# Grounds are no texts, and what is left of a bar is told by its figures, too.
GROUNDS = ("chip", "cursor", "dimmed", "field")
TEXTS = ("", *(tone for tone in TONES if tone not in (*GROUNDS, "track")))
SEEN = 1.3  # the least contrast of a border: it parts, and says nothing
KEYS = ("", "a", "c", "y", "?", "S", "L", "R", "C")  # each screen, questions, and a page over one


def luminance(color: Color) -> float:
    """Relative luminance by WCAG 2.2."""
    parts = [part / 255 for part in color.get_truecolor()]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(style: Style) -> float:
    """Contrast of a text to its ground by WCAG 2.2, from 1 to 21."""
    assert style.color
    assert style.bgcolor
    low, high = sorted((luminance(style.color), luminance(style.bgcolor)))
    return (high + 0.05) / (low + 0.05)


def toned(program: AffrayApp) -> list[Toned]:
    """Every widget in sight that paints texts in tones."""
    return [widget for widget in program.screen.walk_children() if isinstance(widget, Toned)]


def titles(widget: Widget) -> Iterator[tuple[str, Colour, Colour]]:
    """The words in the border of a widget, with the ground they stand on and their colour."""
    outer, _ = widget.background_colors
    for name in ("border_title", "border_subtitle"):
        if getattr(widget, name) and widget.display:
            own = widget.styles.has_rule(f"{name}_color")
            text = getattr(widget.styles, f"{name}_color") if own else widget.styles.border_top[1]
            yield name, outer, outer + text


def test_contrast_is_measured_as_the_standard_does() -> None:
    assert contrast(Style(color="#000000", bgcolor="#ffffff")) == pytest.approx(21)
    assert contrast(Style(color="#767676", bgcolor="#ffffff")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize(("theme", "least"), [(DARK, 4.5), (LIGHT, 4.5), (CONTRAST, 7.0)])
async def test_every_text_can_be_read_on_its_ground_on_every_screen(
    theme: str, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    program = app()
    async with running(program, (140, 40)) as pilot:
        program.theme = theme
        play = Play(program, pilot)
        await play.press("n")
        measured = 0
        for key in KEYS:
            await play.press(key)
            for widget in toned(program):
                for text, ground in product(TEXTS, ("", *GROUNDS)):
                    style = widget.style_of(f"{text} {ground}")
                    found = contrast(style)
                    assert found >= least, (key, widget.id, text, ground, style, round(found, 2))
                    measured += 1
            for widget in program.screen.walk_children():
                for name, ground, text in titles(widget):
                    found = contrast(Style(color=text.rich_color, bgcolor=ground.rich_color))
                    assert found >= least, (key, widget.id, name, round(found, 2))
                    measured += 1
                kind, line = widget.styles.border_top
                if kind and widget.display:
                    outer, _ = widget.background_colors
                    seen = Style(color=(outer + line).rich_color, bgcolor=outer.rich_color)
                    assert contrast(seen) >= SEEN, (key, widget.id, round(contrast(seen), 2))
            await play.press("<Esc>")
        assert measured > 1_000


async def test_conditions_have_a_tone_in_every_theme() -> None:
    async with running(app()) as pilot:
        for theme in pilot.app.available_themes:
            pilot.app.theme = theme
            await pilot.idle()
            shade = pilot.app.screen.get_component_styles("tone--condition").color
            assert shade != pilot.app.screen.get_component_styles("tone--accent").color


def test_the_first_theme_is_the_programs_own_dark_one() -> None:
    program = app()
    assert program.theme == DARK
    assert list(program.available_themes)[: len(OWN)] == [DARK, LIGHT, CONTRAST]


async def test_a_light_background_selects_the_light_theme_unless_colours_were_chosen() -> None:
    async with playing() as play:
        play.app.post_message(GroundTold(is_light=True))
        await play.pilot.idle()
        assert play.app.theme == LIGHT
        play.app.choose_colours("nord")
        play.app.post_message(GroundTold(is_light=False))
        await play.pilot.idle()
        assert play.app.theme == "nord"


@pytest.mark.parametrize(
    ("colour", "light"),
    [
        (("ffff", "ffff", "ffff"), True),
        (("00", "00", "00"), False),
        (("f", "f", "d"), True),
        (("28", "2c", "34"), False),
    ],
)
def test_a_ground_is_light_or_dark_in_any_number_of_digits(colour: tuple[str, str, str], light: bool) -> None:
    assert is_light(*colour) == light


def test_the_terminal_is_asked_for_colours_only_if_none_were_chosen_and_it_can_answer() -> None:
    program = app()
    assert asks_for_ground(program, "xterm-256color")
    assert not asks_for_ground(program, "linux")
    assert not asks_for_ground(program, "vt100")
    program.has_chosen_theme = True
    assert not asks_for_ground(program, "xterm-256color")


async def test_marked_colours_are_previewed_and_escape_restores_the_old_ones() -> None:
    async with playing() as play:
        await play.press("<ctrl+p>colours: affray-li<Down>")
        assert play.app.theme == LIGHT
        await play.press("<Esc>")
        assert play.app.theme == DARK
        await play.press("<ctrl+p>colours: affray-co<Down><Enter>")
        assert play.app.theme == CONTRAST


def test_unknown_colours_are_reported_and_the_others_stay() -> None:
    program = app()
    assert program.use_colours("affray-ligth") == (
        'there are no colours "affray-ligth" (did you mean affray-light?); using affray-dark'
    )
    assert program.theme == DARK
    assert program.use_colours("nord") == ""
    assert program.theme == "nord"


def test_chosen_colours_that_no_longer_exist_are_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    program = app()
    assert program.use_own_colours() == ""
    remember_colours("norde")
    assert program.use_own_colours() == (
        'there are no colours "norde" (did you mean nord?); using affray-dark'
    )
    remember_colours("nord")
    assert program.use_own_colours() == ""
    assert program.theme == "nord"


def test_unknown_symbols_are_reported_and_the_locale_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_SYMBOLS", "runes")
    assert unknown_set() == 'there are no symbols "runes", only symbols and letters: these are symbols'
    monkeypatch.setenv("AFFRAY_SYMBOLS", "letters")
    assert unknown_set() == ""
    assert symbols().letters
