"""Escape does what the footer says, and no message names a key that does nothing on its screen."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import cycle, product
from pathlib import Path

import pytest

from systems import load
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import Play
from tui.settings.key_names import shown_key
from tui.settings.keys import FIGHT, keys_of
from tui.widgets.cursor_list import CursorList

SAMPLES = {
    "atlantis": "okado-at-the-gate",
    "xcom": "rooftop-watch",
    "atomic_d20": "the-bone-court",
    "simple": "the-goblin-ford",
    "waygate": "the-thin-place",
    "arden": "the-toll-road",
}
SCREENS = {"initiative": "I", "status": "S", "log": "L", "roster": "R", "campaigns": "C"}
# Keys that write files to the working folder.
EXPORTS = ("export", "roster_export")
# Keys that leave the program, or go to another screen, which is walked by itself.
LEAVES = {"initiative", "status", "log", "roster", "campaigns", "quit", "home", "take_over"}


@asynccontextmanager
async def screen_of(folder: Path, sample: str, screen: str, *lines: str) -> AsyncIterator[Play]:
    here = opened(folder, None, sample)
    assert here.table.session is not None
    for line in lines:
        here.table.session.do(line)
    async with running(here, (80, 24)) as pilot:
        play = Play(here, pilot)
        await play.press(SCREENS[screen])
        assert here.table.fight is not None
        try:
            yield play
        finally:
            here.table.fight.close()


def footer(play: Play) -> str:
    return next(line for line in reversed(play.text.splitlines()) if line.strip())


def escape_in(footer: str) -> str:
    """What the footer says of Escape; "" if it does not name it."""
    found = re.search(r"Esc (.+?)(?:  |$)", footer)
    return found[1].strip() if found else ""


def state(play: Play) -> tuple[object, ...]:
    """All that a question could change, and where the program is."""
    assert play.app.table.session is not None
    return (play.session.encounter, len(play.session.log.events), play.app.current_mode)


async def check_escape(play: Play, typed: str) -> None:
    """Press Escape until no question is open; each press does what the footer says of it."""
    before = state(play)
    for _ in range(4):
        prompt = play.app.services.prompts.current
        says = escape_in(footer(play))
        if prompt is None:
            return
        assert says, f"the footer of {typed} names no Escape"
        await play.press("<Esc>")
        after = play.app.services.prompts.current
        assert state(play) == before, typed
        if says == "cancel":
            assert after is None, f"Escape says cancel in {typed}, and a question is open"
        else:
            assert after is not prompt or escape_in(footer(play)) != says, f"Escape does nothing in {typed}"
    raise AssertionError(f"four times Escape do not leave {typed}")


TYPED = ["3 ", "<Tab>", "zz<Enter>"]


@pytest.mark.parametrize("screen", SCREENS)
async def test_escape_does_what_the_footer_says_in_one_press(tmp_path: Path, screen: str) -> None:
    async with screen_of(tmp_path, "the-toll-road", screen, "start") as play:
        asked = 0
        names = [
            key.key.split(",")[0]
            for key in keys_of(screen)
            if "ask(" in key.action
            or (key.group == "change" and key.id not in ("undo", "redo", "change", *EXPORTS))
        ]
        letters = sorted(play.app.services.action_keys) if screen == "initiative" else []
        # The questions of all actions are alike, so each gets one of the texts.
        tried = [*product(names, TYPED), *zip(letters, cycle(TYPED), strict=False)]
        for name, typed in tried:
            events = len(play.session.log.events)
            await play.pilot.press(name)
            if play.app.services.prompts.current is None:
                continue
            asked += 1
            await play.press(typed)
            if len(play.session.log.events) > events:
                continue
            await check_escape(play, f"{name} {typed}")
            assert play.app.current_mode == screen
        assert asked > 5


async def test_escape_leaves_a_field_of_the_sheet_and_then_the_sheet(tmp_path: Path) -> None:
    async with screen_of(tmp_path, "the-goblin-ford", "roster") as play:
        await play.press("<Enter>")
        for _ in range(20):
            for typed in ("<Enter>", "7"):
                await play.press(typed)
                await check_escape(play, f"row {play.app.screen.form.current}")  # type: ignore[attr-defined]
            assert escape_in(footer(play)) == "list"
            await play.press("<Down>")
        await play.press("<Esc>")
        assert escape_in(footer(play)) == "order"
        await play.press("<Esc>")
        assert play.app.current_mode == "initiative"


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_escape_is_in_the_footer_of_every_question_however_narrow(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async with screen_of(tmp_path, "okado-at-the-gate", "initiative", "start") as play:
        await play.pilot.resize(*size)
        for name in ("a", "a<Tab>", "d", "c", "x", ":", "+", "-", "r", "e", "T", "t", "t<ctrl+t>", "P", "B"):
            await play.press(name)
            assert escape_in(footer(play)), name
            await check_escape(play, name)


async def test_escape_closes_the_page_of_keys_with_any_text_typed(tmp_path: Path) -> None:
    async with screen_of(tmp_path, "okado-at-the-gate", "initiative", "start") as play:
        await play.press("?dam")
        assert "Esc closes" in play.text
        await play.press("<Esc>")
        assert "Esc closes" not in play.text


def cursors(play: Play) -> tuple[object, ...]:
    """Return the cursor of every list on the screen."""
    found = play.app.screen.query(CursorList)
    order = play.app.services.cursor if play.app.current_mode in FIGHT else ""
    return order, *(each.cursor for each in found)


@pytest.mark.parametrize(
    ("screen", "typed"),
    [("initiative", "chief"), ("status", "n<backspace>"), ("roster", "ma"), ("campaigns", "okado")],
)
async def test_escape_in_find_moves_the_cursor_back(tmp_path: Path, screen: str, typed: str) -> None:
    async with screen_of(tmp_path, "the-goblin-ford", screen, "start") as play:
        await play.press("<Down><Down>")
        before = cursors(play)
        await play.press(f"/{typed}")
        await play.press("<Esc>")
        assert cursors(play) == before


# Keys that a message names


NAMED = re.compile(
    r"(?<![\w'/-])(?P<key>[A-Za-z+.:/?<>\-]|Ctrl\+\w|Backspace|Enter|Esc)"
    r" (?:then |alone )?(?:adds|begins|brings|cancels|chooses|closes|deletes|does|ends|goes|leaves|lists"
    r"|makes|marks|opens|prepares|quits|refuses|saves|shows|starts|takes|undoes|uses|writes)\b"
)


def keys_here(play: Play, screen: str) -> set[str]:
    """The keys that do something on a screen, as people read them."""
    table = {shown_key(part) for key in keys_of(screen) for part in key.key.split(",")}
    actions = {shown_key(key) for key in play.app.services.action_keys} if screen in FIGHT else set()
    return table | actions | {"Enter", "Esc"}


LINES: dict[str, tuple[str, ...]] = {
    "not begun": (),
    "empty": ("remove all",),
    "begun": ("start",),
    "over": ("start", "end"),
}


STATES = [
    *(("initiative", stands) for stands in LINES),
    *(("status", stands) for stands in ("empty", "over")),
    *((screen, "empty") for screen in ("log", "roster", "campaigns")),
]


async def leave_all(play: Play) -> None:
    """Press Escape until no question and no page is open, but at most three times."""
    for _ in range(3):
        if play.app.services.prompts.current is None and not play.app.screen.has_page:  # type: ignore[attr-defined]
            return
        await play.press("<Esc>")


@pytest.mark.parametrize(("screen", "stands"), STATES)
async def test_a_message_names_only_keys_that_work_on_its_screen(
    tmp_path: Path, screen: str, stands: str
) -> None:
    async with screen_of(tmp_path, "the-toll-road", screen, *LINES[stands]) as play:
        said: dict[str, str] = {"": play.text}
        names = [key.key.split(",")[0] for key in keys_of(screen) if key.id not in (*LEAVES, *EXPORTS)]
        for name in (*names, "ctrl+z", "ctrl+c"):
            await play.pilot.press(name)
            is_free = play.app.services.prompts.current is None
            if is_free and play.app.current_mode == screen and not play.app.screen.has_page:  # type: ignore[attr-defined]
                said[name] = play.app.sentence
            await leave_all(play)
            if play.app.current_mode != screen:
                await play.press(SCREENS[screen])
        known = keys_here(play, screen)
        wrong = [
            (name, found[0])
            for name, text in said.items()
            for found in NAMED.finditer(text)
            if found["key"] not in known
        ]
        assert not wrong


async def test_after_a_new_entry_the_sheet_shows_how_to_undo_it(tmp_path: Path) -> None:
    async with screen_of(tmp_path, "the-goblin-ford", "roster") as play:
        await play.press("cNobody<Enter>")
        assert "Esc, then z undoes it." in play.text
        await play.press("<Esc>z")
        assert "Nobody" not in footerless(play)


def footerless(play: Play) -> str:
    return "\n".join(play.text.splitlines()[:-3])


# Keys of other screens


async def test_screen_keys_work_on_a_row_that_adds_an_entry(tmp_path: Path) -> None:
    async with screen_of(tmp_path, "the-goblin-ford", "roster") as play:
        form = play.app.screen.form  # type: ignore[attr-defined]
        for key, mode in (("L", "log"), ("S", "status"), ("I", "initiative")):
            await play.press("R<Enter>")
            while form.current.path[0] != "counters" or form.current.role != "add":
                await play.press("<Down>")
            await play.press(key)
            assert (play.app.current_mode, play.app.services.prompts.current) == (mode, None)
            await play.press("R<Esc>R")
        await play.press("<Enter>")
        while form.current.path[0] != "counters" or form.current.role != "add":
            await play.press("<Down>")
        await play.press("q")
        assert "Ctrl+Q" in play.text
        await play.press("?")
        assert play.app.screen.has_page  # type: ignore[attr-defined]
        await play.press("<Esc>luck 3")
        assert play.app.services.prompts.current is not None


async def test_a_name_may_begin_with_the_letter_of_a_screen(tmp_path: Path) -> None:
    async with screen_of(tmp_path, "the-goblin-ford", "roster") as play:
        await play.press("<Enter>")
        assert play.app.screen.form.current.path == ("name",)  # type: ignore[attr-defined]
        await play.press("Rolf")
        assert play.app.current_mode == "roster"


@pytest.mark.parametrize("screen", SCREENS)
async def test_q_says_how_to_quit_and_f1_opens_the_help(tmp_path: Path, screen: str) -> None:
    async with screen_of(tmp_path, "the-goblin-ford", screen) as play:
        await play.press("q")
        assert "Ctrl+Q quits" in play.text
        await play.press("<f1>")
        assert "type to find" in play.text
        await play.press("<f1>")
        assert "type to find" not in play.text


async def test_f1_opens_the_help_over_a_question_that_stays_open(tmp_path: Path) -> None:
    async with screen_of(tmp_path, "the-goblin-ford", "initiative", "start") as play:
        await play.press("d4 7<f1>")
        assert "type to find" in play.text
        await play.press("<Esc><Enter>")
        assert play.last.typed == "damage 4 7"


@pytest.mark.parametrize("game", SAMPLES)
async def test_the_letter_of_a_rest_asks_for_confirmation_first(tmp_path: Path, game: str) -> None:
    camp = [
        letter for letter, action in load(game).letters.items() if letter == "z" and action.group == "camp"
    ]
    async with screen_of(tmp_path, SAMPLES[game], "initiative", "start") as play:
        for letter in camp:
            events = len(play.session.log.events)
            await play.press(letter)
            is_refused = "!" in play.text
            assert play.app.services.prompts.current is not None or is_refused
            assert len(play.session.log.events) == events
            await play.press("<Esc>")


async def test_ambiguous_names_are_not_reported_as_unknown(tmp_path: Path) -> None:
    async with screen_of(tmp_path, "the-goblin-ford", "initiative") as play:
        await play.press("+undead")
        assert "match: choose with the arrows or Tab" in play.text
        assert "no match" not in play.text
        assert "the roster has no" not in play.text
