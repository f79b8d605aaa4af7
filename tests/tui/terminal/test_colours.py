"""On a terminal with sixteen colours the steps of health, errors and offers can still be distinguished."""

from itertools import product

import pytest
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.style import Style

from tests.tui.pilot import Pilot, running
from tests.tui.table import app
from tests.tui.terminal.test_themes import GROUNDS, TEXTS, contrast, toned
from tui.app import AffrayApp
from tui.terminal.themes import DARK, OWN

TONES = ("good", "warning", "danger", "accent")


@pytest.mark.parametrize(
    "theme",
    ["affray-dark", "affray-light", "affray-contrast", "textual-dark", "nord", "gruvbox", "solarized-light"],
)
@pytest.mark.parametrize("around", ["truecolor", ""])
async def test_the_tones_differ_on_a_terminal_with_sixteen_colours(
    theme: str, around: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An application takes its first colours from the terminal in which the tests are run.
    monkeypatch.setenv("COLORTERM", around)
    program = app()
    program.console = Console(color_system="standard", force_terminal=True)
    async with running(program) as pilot:
        await in_theme(program, pilot, theme)
        shades = [program.screen.get_component_styles(f"tone--{tone}").color.rich_color for tone in TONES]
        found = [shade.downgrade(ColorSystem.STANDARD).number for shade in shades]
        background = program.screen.styles.background.rich_color.downgrade(ColorSystem.STANDARD).number
        assert len({*found, background}) == len(TONES) + 1, found
        assert Color.parse("white").number not in found


async def test_a_terminal_with_more_colours_keeps_those_of_the_theme() -> None:
    program = app()
    program.console = Console(color_system="truecolor", force_terminal=True)
    async with running(program):
        assert program.get_css_variables()["text-success"] != "#55ff55"


async def in_theme(program: AffrayApp, pilot: Pilot, theme: str) -> None:
    """Use a theme. Its colours are calculated for the console, even if the program began with that theme."""
    for name in ("nord", theme):
        program.theme = name
        await pilot.idle()


def shown(color: Color | None, system: ColorSystem) -> Color:
    """The colour that a terminal shows that has so many."""
    assert color
    return color.downgrade(system)


@pytest.mark.parametrize("theme", OWN)
async def test_every_text_can_be_read_on_a_terminal_with_256_colours(theme: str) -> None:
    program = app()
    program.console = Console(color_system="256", force_terminal=True)
    async with running(program) as pilot:
        await in_theme(program, pilot, theme)
        await pilot.press("a")
        for widget in toned(program):
            for text, ground in product(TEXTS, ("", *GROUNDS)):
                style = widget.style_of(f"{text} {ground}")
                seen = [shown(color, ColorSystem.EIGHT_BIT) for color in (style.color, style.bgcolor)]
                found = contrast(Style(color=seen[0], bgcolor=seen[1]))
                assert found >= 4.5, (widget.id, text, ground, style, round(found, 2))


async def test_the_cursor_of_a_terminal_with_sixteen_colours_has_a_ground_on_which_all_tones_are_seen() -> (
    None
):
    program = app()
    program.console = Console(color_system="standard", force_terminal=True)
    async with running(program) as pilot:
        await in_theme(program, pilot, DARK)
        for tone in ("good", "warning", "accent", "condition"):
            style = program.screen.query_one("OrderList").style_of(f"{tone} cursor")
            text, ground = (
                shown(color, ColorSystem.STANDARD).number for color in (style.color, style.bgcolor)
            )
            assert (text, ground) == (text, 4)
            assert text is not None
            assert text > 8


@pytest.mark.parametrize("theme", OWN)
async def test_danger_under_the_cursor_is_white_on_red_on_a_terminal_with_sixteen_colours(theme: str) -> None:
    program = app()
    program.console = Console(color_system="standard", force_terminal=True)
    async with running(program) as pilot:
        await in_theme(program, pilot, theme)
        order = program.screen.query_one("OrderList")
        for tones in ("danger cursor", "danger strong cursor"):
            style = order.style_of(tones)
            seen = [shown(color, ColorSystem.STANDARD).number for color in (style.color, style.bgcolor)]
            assert seen == [15, 1]
        assert order.style_of("danger").bgcolor != order.style_of("danger cursor").bgcolor


@pytest.mark.parametrize("theme", [*OWN, "textual-dark", "solarized-light"])
@pytest.mark.parametrize("colours", ["standard", "256", "truecolor"])
async def test_the_names_of_the_two_sides_differ_in_every_number_of_colours(theme: str, colours: str) -> None:
    program = app()
    program.console = Console(color_system=colours, force_terminal=True)
    system = {"standard": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT}
    async with running(program) as pilot:
        await in_theme(program, pilot, theme)
        order = program.screen.query_one("OrderList")
        for ground in ("", " cursor"):
            styles = [order.style_of(side + ground) for side in ("ours", "others")]
            least = system.get(colours, ColorSystem.TRUECOLOR)
            shades = [shown(style.color, least) for style in styles]
            assert shades[0] != shades[1]
            grounds = [shown(style.bgcolor, least) for style in styles]
            for shade, behind in zip(shades, grounds, strict=True):
                if theme in OWN:
                    assert contrast(Style(color=shade, bgcolor=behind)) >= 4.5, (shade, behind)


async def test_without_colours_the_names_of_the_players_side_are_underlined(monkeypatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(app()) as pilot:
        order = pilot.app.screen.query_one("OrderList")
        assert order.style_of("ours cursor").underline
        assert not order.style_of("others cursor").underline


async def test_without_colours_only_the_letters_of_a_name_are_underlined(monkeypatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(app()) as pilot:
        row = pilot.app.screen.query_one("OrderList").painted([("Okado", "ours"), ("   ", ""), ("x", "")], 12)
        assert [segment.text for segment in row if segment.style and segment.style.underline] == ["Okado"]
