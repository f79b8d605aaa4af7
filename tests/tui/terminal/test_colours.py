"""On a terminal with sixteen colours the steps of health, errors and offers can still be told apart."""

import pytest
from rich.color import Color, ColorSystem
from rich.console import Console

from tests.tui.pilot import running
from tests.tui.table import app

TONES = ("good", "warning", "danger", "accent")


@pytest.mark.parametrize(
    "theme",
    ["affray-dark", "affray-light", "affray-contrast", "textual-dark", "nord", "gruvbox", "solarized-light"],
)
async def test_the_tones_differ_on_a_terminal_with_sixteen_colours(theme: str) -> None:
    program = app()
    program.console = Console(color_system="standard", force_terminal=True)
    async with running(program) as pilot:
        program.theme = theme
        await pilot.idle()
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
