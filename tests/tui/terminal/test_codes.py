"""What a terminal gets of every screen: no colour that it does not have, letters where it asks for them."""

import re
from collections.abc import AsyncIterator, Iterator

import pytest
from rich.console import Console
from textual.strip import Strip

from tests.tui.pilot import running
from tests.tui.table import app, keys, text_of
from tui.app import AffrayApp
from tui.terminal.symbols import LETTERS

_CODES = re.compile(r"\x1b\[([0-9;]*)m")
# Every screen, and a question or page of each kind: one after the other in a fight, each begun at the order.
SHOWN = (
    *(
        "",
        "nE<Enter>",
        "uuna4<Enter>y",
        "na4<Tab>",
        "nd3 5",
        "nc3 prone 2<Enter>",
        "nx",
        "n:att",
        "n<ctrl+p>",
        "ne",
    ),
    *("no", "n?", "nSjy", "nL<Enter>", "nLs", "nLv", "RcSera", "C", "n:attack 99<Enter>"),
)
ATTRIBUTES = {0, 1, 2, 3, 4, 7, 9, 39, 49}
SIXTEEN = {*range(30, 38), *range(40, 48), *range(90, 98), *range(100, 108)}


async def shown(system: str = "truecolor") -> AsyncIterator[tuple[str, AffrayApp]]:
    """Yield each place, with the program there, on a terminal with that colour system."""
    program = app()
    program.console = Console(color_system=system, force_terminal=True)
    async with running(program) as pilot:
        for place in SHOWN:
            await pilot.press(*keys(place))
            yield place, program
            while program.services.prompts.current is not None or program.screen.has_page:  # type: ignore[attr-defined]
                await pilot.press("escape")
            await pilot.press("I")


def codes_of(program: AffrayApp) -> str:
    """The codes that the terminal gets for the screen."""
    system = program.console._color_system
    strips = program.screen._compositor.render_strips(program.size)
    styles = {segment.style for strip in strips for segment in strip if segment.style}
    # Made anew: what a style looks like on the terminal of another test is remembered with it.
    return "".join(f"\x1b[{Strip.render_ansi(style, system)}m" for style in styles)


def colours(codes: str) -> Iterator[str]:
    """Return the kind of each colour that is asked for: "sixteen", "256", "truecolor", or an unknown code."""
    for said in _CODES.findall(codes):
        parts = [int(part or 0) for part in said.split(";")]
        while parts:
            code = parts.pop(0)
            if code in (38, 48):
                kind = parts.pop(0)
                del parts[: 1 if kind == 5 else 3]
                yield "256" if kind == 5 else "truecolor"
            elif code not in ATTRIBUTES:
                yield "sixteen" if code in SIXTEEN else str(code)


@pytest.mark.parametrize(
    ("system", "allowed"),
    [("standard", {"sixteen"}), ("256", {"sixteen", "256"})],
)
async def test_no_screen_asks_for_a_colour_that_the_terminal_does_not_have(
    system: str, allowed: set[str]
) -> None:
    async for place, program in shown(system):
        found = set(colours(codes_of(program)))
        assert found, place
        assert found <= allowed, place


async def test_without_colours_no_screen_uses_one_and_the_cursor_is_reversed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async for place, program in shown():
        assert set(colours(codes_of(program))) == set(), place
        assert program.screen.header.style_of("cursor").reverse, place


async def test_no_screen_shows_a_symbol_if_letters_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_SYMBOLS", "letters")
    async for place, program in shown():
        painted = text_of(program).translate(LETTERS)
        assert sorted({character for character in painted if ord(character) > 126}) == [], place
