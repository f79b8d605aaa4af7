"""What is painted after a key: the parts that changed, from the widgets that show them, and nothing else."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tests.tui.pilot import Painting
from tests.tui.table import SIZES, Play, app, at_the_gate, playing
from tui.terminal import screen
from tui.terminal.screen import PartialCompositor, PartialUpdate
from tui.widgets.order_list import OrderList

Cell = tuple[str, Style | None]
# Commands, cursor, questions, pages laid over the screen, other screens, undo.
KEYS = ("n", "<Down>", "d", "3", "7", "<Enter>", "a", "<Esc>", "y", "<Esc>", "u", "?", "<Down>", "<Esc>",
        "c", "<Esc>", "L", "<Up>", "I", "S", "I", "n", "n", "v", ":", "n", "<Esc>")  # fmt: skip


@pytest.fixture(autouse=True)
def _painting() -> Iterator[None]:
    with Painting.on():
        yield


def cells(strip: Strip) -> list[Cell]:
    """The cells of a strip: the character and how it looks."""
    found: list[Cell] = []
    for segment in Segment.simplify(strip):
        found += [(character, segment.style) for character in segment.text]
    return found


def lines_of(play: Play) -> list[list[Cell]]:
    """The whole screen as Textual makes it."""
    return [cells(strip) for strip in play.app.screen._compositor.render_strips(play.app.size)]


class Frames:
    """Keeps the partial updates of an application, and counts the lines that each widget makes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.updates: list[PartialUpdate] = []
        self.lines: Counter[str] = Counter()
        render, make = PartialCompositor.render_partial_update, Widget.render_lines
        strips_of = screen._strips_of

        def found(widget: Widget, *arguments: Any) -> Iterator[tuple[int, int, Strip]]:
            made = self.lines.total()
            strips = list(strips_of(widget, *arguments))
            if self.lines.total() == made:  # its lines were ready
                self.lines[widget.id or type(widget).__name__] += len(strips)
            yield from strips

        def rendered(compositor: PartialCompositor) -> Any:
            def made(widget: Widget, crop: Region) -> list[Strip]:
                self.lines[widget.id or type(widget).__name__] += crop.height
                return make(widget, crop)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Widget, "render_lines", made)
                update = render(compositor)
            if isinstance(update, PartialUpdate):
                self.updates.append(update)
            return update

        monkeypatch.setattr(PartialCompositor, "render_partial_update", rendered)
        monkeypatch.setattr(screen, "_strips_of", found)

    def clear(self) -> None:
        self.updates.clear()
        self.lines.clear()


async def paint_alike(play: Play, frames: Frames, keys: Sequence[str]) -> None:
    """Press keys. After each, the output turns the old screen into the screen that Textual has."""
    for key in keys:
        before, compositor = lines_of(play), play.app.screen._compositor
        frames.clear()
        await play.press(key)
        if play.app.screen._compositor is not compositor:  # another screen, which is painted whole
            before = [[("", None)] * play.app.size.width for _ in range(play.app.size.height)]
        for update in frames.updates:
            for x, y, strip in update.strips:
                before[y][x : x + strip.cell_length] = cells(strip)
        assert before == lines_of(play), key


@pytest.mark.parametrize("size", SIZES)
async def test_painting_only_changes_gives_the_same_screen_as_painting_everything(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = Frames(monkeypatch)
    async with playing(at_the_gate(), size) as play:
        await paint_alike(play, frames, KEYS)


async def test_borders_and_rows_that_were_painted_before_take_other_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frames = Frames(monkeypatch)
    async with playing(at_the_gate(), (140, 40)) as play:
        await paint_alike(play, frames, ("n", "d", "<Esc>"))
        before = lines_of(play)
        play.app.theme = "textual-light"
        await play.pilot.idle()
        assert lines_of(play) != before
        await paint_alike(play, frames, ("d", "<Esc>", "n", "?", "<Esc>"))


async def test_a_widget_makes_no_line_beyond_those_between_which_it_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frames = Frames(monkeypatch)
    async with playing(at_the_gate(), (140, 40)) as play:
        await play.press("<Down>")
        frames.clear()
        await play.press("<Down>")
        order, card = (play.app.screen.query_one(name) for name in ("#order", "#card"))
        # Two rows of the order and those of the card; nothing of the header, the log, the keys or what is
        # behind them.
        assert set(frames.lines) == {"order", "card"}
        assert frames.lines["order"] == 2 < order.size.height
        assert frames.lines["card"] < card.size.height
        frames.clear()
        await play.press("n")
        assert set(frames.lines) <= {"header", "order", "card", "dock", "message"}


def styles_of(play: Play) -> list[tuple[Widget, object]]:
    """Every widget of the screen in sight, and the rules that it has."""
    return [(one, dict(one.styles.base.get_rules())) for one in play.app.screen.query("*").results(Widget)]


def passes_of_styles(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Counts how often all widgets below a node get their styles again."""
    found: list[object] = []
    update = Stylesheet.update_nodes

    def updated(sheet: Stylesheet, nodes: Any, animate: bool = False) -> None:
        found.append(nodes)
        update(sheet, nodes, animate)

    monkeypatch.setattr(Stylesheet, "update_nodes", updated)
    return found


@pytest.mark.parametrize("size", SIZES)
async def test_a_new_screen_styles_its_widgets_once_and_as_a_whole_pass_would(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = passes_of_styles(monkeypatch)
    async with playing(at_the_gate(), size) as play:
        for key in ("", "L", "S", "R", "I"):
            await play.press(key)
            before = styles_of(play)
            play.app.screen.update_node_styles(animate=False)
            assert styles_of(play) == before, key
            if not key:
                assert len(passes) == 1  # the one that was asked for here


async def test_a_reopened_screen_has_the_colours_chosen_meanwhile() -> None:
    async with playing(at_the_gate(), (140, 40)) as play:
        await play.press("L")
        play.app.theme = "textual-light"
        await play.press("I")
        before = styles_of(play)
        play.app.screen.update_node_styles(animate=False)
        assert styles_of(play) == before


async def test_messages_of_textual_appear_on_the_message_line() -> None:
    program = app(at_the_gate())
    async with program.run_test(notifications=True, tooltips=True) as pilot:
        program.notify("Press [b]ctrl+q[/b] to quit")
        await pilot.pause()
        assert program.sentence == "Press ctrl+q to quit"
        assert not program.screen.query("Toast, ToastRack, Tooltip")


async def test_a_widget_works_out_its_own_style_once_for_all_tones(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(at_the_gate(), (140, 40)) as play:
        order = play.app.screen.query_one(OrderList)
        asked: list[Widget] = []
        own = DOMNode.rich_style.fget

        def counted(node: DOMNode) -> Style:
            asked.extend([order] * (node is order))
            return own(node)  # type: ignore[misc]

        monkeypatch.setattr(DOMNode, "rich_style", property(counted))
        order.notify_style_update()
        styles = [order.style_of(tone) for tone in ("good", "danger", "muted strong")]
        assert len(set(styles)) == 3
        assert len(asked) == 1
