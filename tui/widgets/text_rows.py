"""Rows of toned text in a fixed place. A change repaints the rows that differ, in the same frame."""

from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widget import Widget

from tui.display.text import Piece, Row, cut_row, width
from tui.terminal.error_handling import ErrorHandling
from tui.terminal.screen import ReadyLines

NOT_SHOWN = " ! this part cannot be shown now"
TONES = (
    "muted",
    "good",
    "warning",
    "danger",
    "accent",
    "condition",
    "strong",
    "struck",
    "turn",
    "marked",
    "track",
    "edge",
    "cursor",
    "dimmed",
    "field",
)


# A screen with toned widgets has these among its component classes: once for all of them.
TONE_CLASSES = {f"tone--{tone}" for tone in TONES}


class Toned(ErrorHandling, Widget):
    """A widget that paints rows: tones are CSS classes of its screen, so the theme decides how they look."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._styles_of_tones: dict[str, Style] = {}
        self._own_style: tuple[Style, Color] | None = None

    def notify_style_update(self) -> None:
        self._styles_of_tones, self._own_style = {}, None
        super().notify_style_update()

    def style_of(self, tones: str) -> Style:
        """Return the style of tones such as `danger strong`; `reverse` swaps the two colours."""
        style = self._styles_of_tones.get(tones)
        if style is None:
            if self._own_style is None:
                # Textual works them out anew each time.
                self._own_style = self.rich_style, self.background_colors[1]
            style, ground = self._own_style
            for tone in tones.split():
                if tone in TONES:
                    style += self._style_of_tone(tone)
                elif tone == "reverse":
                    style += Style(reverse=True)
            style += self._danger_under_cursor(tones.split())
            # As Textual would have it on this terminal: what is painted by itself meets no filter any more.
            for line_filter in self.get_line_filters():
                [(_, filtered, _)] = line_filter.apply([Segment("", style)], ground)
                style = filtered or style
            self._styles_of_tones[tones] = style
        return style

    def _danger_under_cursor(self, tones: Sequence[str]) -> Style:
        """Danger under the cursor of a terminal with sixteen colours, where red on blue is lost."""
        if not {"danger", "cursor"} <= {*tones} or self.app.console.color_system != "standard":
            return Style()
        from tui.terminal.colours import DANGER_UNDER_CURSOR

        color, ground = DANGER_UNDER_CURSOR
        return Style(color=color, bgcolor=ground)

    def _style_of_tone(self, tone: str) -> Style:
        """What the tone's own rules say, its colour blended with what is behind it."""
        found = self.screen.get_component_styles(f"tone--{tone}")
        whole = found.rich_style
        if tone == "cursor" and (self.app.no_color or self.app.console.color_system is None):
            # Without colours there is no tint to see.
            return Style(reverse=True) + found.text_style
        return (
            Style(
                color=whole.color if found.has_rule("color") else None,
                bgcolor=whole.bgcolor if found.has_rule("background") else None,
            )
            + found.text_style
        )

    def painted(self, row: Row, cells: int) -> Strip:
        """Return a row as a strip of exactly `cells` cells."""
        blank = cells - width(row)
        if blank < 0:
            row = cut_row(row, cells)
            blank = cells - width(row)
        segments = [Segment(text, self.style_of(tone)) for text, tone in _joined(row, blank)]
        return Strip(segments, cells)


# No size at all: one that is out of sight is 0 by 0.
_NOT_MADE = (-1, -1)


class TextRows(ReadyLines, Toned):
    """As many rows as there is room for, made by `rows(width, height)` whenever `show` is called."""

    # It scrolls by itself: another size of it is no reason to lay the screen out a second time.
    virtual_size = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(
        self,
        rows: Callable[[int, int], Sequence[Row]],
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._rows = rows
        self._shown: list[Row] = []
        self._strips: list[Strip] = []
        self._cells = _NOT_MADE

    def show(self) -> None:
        """Have the rows made again before the next frame, which repaints those that changed."""
        if not self.is_attached or not self.display:
            # Made when it comes into sight.
            self._cells = _NOT_MADE
            self.refresh()
            return
        self.make_before_frame()

    def make_lines(self, size: Size) -> Sequence[Region]:
        """Make the rows again; return what changed of each, from the first cell to the last."""
        before = self._strips if self._cells == size else []
        self._make(size)
        found = []
        for y, strip in enumerate(self._strips):
            old = before[y] if y < len(before) else None
            if old is strip:
                continue
            start, end = _changed(old, strip)
            if start < end:
                found.append(Region(start, y, end - start, 1))
        return found

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._cells = _NOT_MADE

    def _make(self, size: Size) -> None:
        # One that lost its place has no size, as one whose rows are out of date.
        is_same = self._cells == size and len(self._shown) == size.height
        shown, strips = (self._shown, self._strips) if is_same else ([], [])
        cells, height = self._cells = size
        rows = self._safe_rows(cells, height)[:height] if cells and height else []
        rows += [()] * (height - len(rows))
        if not shown or any(row is not old and row != old for row, old in zip(rows, shown, strict=True)):
            # A row that says the same as one before is not painted again, wherever it stood: a log moves up.
            known = dict(zip(map(tuple, shown), strips, strict=True))
            strips = [known.get(tuple(row)) or self.painted(row, cells) for row in rows]
        self._shown, self._strips = rows, strips

    def _safe_rows(self, cells: int, height: int) -> list[Row]:
        """The rows, or one sentence where they cannot be made."""
        try:
            return list(self._rows(cells, height))
        except Exception as error:  # noqa: BLE001 - the other parts of the screen are painted all the same
            self.report_painting_error(error)
            return [[(NOT_SHOWN, "danger")]]

    def ready_strips(self, size: Size) -> Sequence[Strip]:
        """Return its rows as strips, made again where they are for another size."""
        if self._cells != size:
            self._make(size)
        return self._strips

    def render_line(self, y: int) -> Strip:
        size = self.content_size
        strips = self.ready_strips(size)
        return strips[y] if y < len(strips) else Strip.blank(size.width)


def _changed(old: Strip | None, new: Strip) -> tuple[int, int]:
    """Return the first cell in which a strip differs from the one before, and the end, by whole segments."""
    if old is None:
        return 0, new.cell_length
    before, after = list(old), list(new)
    start = end = 0
    while before and after and before[0] == after[0]:
        start += after.pop(0).cell_length
        del before[0]
    while before and after and before[-1] == after[-1]:
        end += after.pop().cell_length
        del before[-1]
    return start, new.cell_length - end


# Tones in which a blank looks other than a blank.
_SEEN_ON_BLANKS = ("reverse", "struck")
# Tones that colour the ground, so that a blank looks like its neighbour where both have them.
_GROUNDS = ("marked", "cursor", "dimmed", "field")


def _joined(row: Row, blank: int) -> list[Piece]:
    """A row and so many blanks, in as few pieces as look the same: each one costs bytes on the line."""
    found: list[Piece] = []
    for text, tone in (*row, (" " * blank, "")):
        if not text:
            continue
        if found:
            before, last = found[-1]
            if tone == last or (text.isspace() and _same_ground(last, tone)):
                found[-1] = (before + text, last)
                continue
        found.append((text, tone))
    return found


def _same_ground(tones: str, others: str) -> bool:
    """Whether a blank looks the same in both."""
    if any(tone in tones or tone in others for tone in _SEEN_ON_BLANKS):
        return False
    return all((tone in tones) == (tone in others) for tone in _GROUNDS)
