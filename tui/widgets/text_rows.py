"""Rows of toned text in a fixed place. A change repaints only the rows that differ, in the same frame."""

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
    "ours",
    "others",
    "strong",
    "struck",
    "turn",
    "chip",
    "track",
    "edge",
    "cursor",
    "dimmed",
    "field",
)


# A screen with toned widgets has these among its component classes, once for all of them.
TONE_CLASSES = {f"tone--{tone}" for tone in TONES}


class Toned(ErrorHandling, Widget):
    """A widget that paints rows. Tones are CSS classes of its screen, so the theme decides how they look."""

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
                # Textual would calculate them on every call.
                self._own_style = self.rich_style, self.background_colors[1]
            style, ground = self._own_style
            for tone in tones.split():
                if tone in TONES:
                    style += self._style_of_tone(tone)
                elif tone == "reverse":
                    style += Style(reverse=True)
            if "danger" in tones and "cursor" in tones and self.app.console.color_system == "standard":
                style += self._danger_under_cursor()
            # Apply the terminal's filters here, because strips painted directly bypass them.
            for line_filter in self.get_line_filters():
                [(_, filtered, _)] = line_filter.apply([Segment("", style)], ground)
                style = filtered or style
            self._styles_of_tones[tones] = style
        return style

    def _danger_under_cursor(self) -> Style:
        """Return danger under the cursor for sixteen colours, because red on blue is unreadable."""
        from tui.terminal.colours import DANGER_UNDER_CURSOR

        color, ground = DANGER_UNDER_CURSOR
        return Style(color=color, bgcolor=ground)

    @property
    def _has_no_colours(self) -> bool:
        return self.app.no_color or self.app.console.color_system is None

    def _style_of_tone(self, tone: str) -> Style:
        """Return the style from the tone's own rules, its colour blended with the background."""
        found = self.screen.get_component_styles(f"tone--{tone}")
        whole = found.rich_style
        if self._has_no_colours:
            # Without colours neither the cursor's tint nor the tone of a side can be seen.
            if tone == "cursor":
                return Style(reverse=True) + found.text_style
            if tone == "ours":
                return Style(underline=True)
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
        seen = _SEEN_WITHOUT_COLOURS if self._has_no_colours else _SEEN_ON_BLANKS
        segments = [Segment(text, self.style_of(tone)) for text, tone in _joined(row, blank, seen)]
        return Strip(segments, cells)


# No size: an invisible widget is 0 by 0.
_NOT_MADE = (-1, -1)


class TextRows(ReadyLines, Toned):
    """As many rows as there is room for, made by `rows(width, height)` whenever `show` is called."""

    # It scrolls by itself, so its size never requires a new layout of the screen.
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
        """Make the rows again before the next frame, which repaints the changed ones."""
        if not self.is_attached or not self.display:
            # They are made when the widget becomes visible.
            self._cells = _NOT_MADE
            self.refresh()
            return
        self.make_before_frame()

    def make_lines(self, size: Size) -> Sequence[Region]:
        """Make the rows again; return the changed part of each, from the first cell to the last."""
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
        # A widget that lost its place has no size, like one with outdated rows.
        is_same = self._cells == size and len(self._shown) == size.height
        shown, strips = (self._shown, self._strips) if is_same else ([], [])
        cells, height = self._cells = size
        rows = self._safe_rows(cells, height)[:height] if cells and height else []
        rows += [()] * (height - len(rows))
        if not shown or any(row is not old and row != old for row, old in zip(rows, shown, strict=True)):
            # Don't repaint a row with the text of an earlier one, whatever its place was: a log scrolls up.
            known = dict(zip(map(tuple, shown), strips, strict=True))
            strips = [known.get(tuple(row)) or self.painted(row, cells) for row in rows]
        self._shown, self._strips = rows, strips

    def _safe_rows(self, cells: int, height: int) -> list[Row]:
        """Return the rows, or one sentence if they cannot be made."""
        try:
            return list(self._rows(cells, height))
        except Exception as error:  # noqa: BLE001 - the other parts of the screen are painted all the same
            self.report_painting_error(error)
            return [[(NOT_SHOWN, "danger")]]

    def ready_strips(self, size: Size) -> Sequence[Strip]:
        """Return the rows as strips, made again if the size has changed."""
        if self._cells != size:
            self._make(size)
        return self._strips

    def render_line(self, y: int) -> Strip:
        size = self.content_size
        strips = self.ready_strips(size)
        return strips[y] if y < len(strips) else Strip.blank(size.width)


def _changed(old: Strip | None, new: Strip) -> tuple[int, int]:
    """Return the first and the end cell in which a strip differs from the old one, by whole segments."""
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


# Tones in which a space looks different from a plain space.
_SEEN_ON_BLANKS = ("reverse", "struck")
_SEEN_WITHOUT_COLOURS = (*_SEEN_ON_BLANKS, "ours")
# Tones with a background colour: two spaces look alike if both have the same ones.
_GROUNDS = ("chip", "cursor", "dimmed", "field")


def _joined(row: Row, blank: int, seen: Sequence[str]) -> list[Piece]:
    """Return a row with that many spaces, in as few pieces as look alike.

    Each piece costs bytes on the line.
    """
    found: list[Piece] = []
    for text, tone in (*row, (" " * blank, "")):
        if not text:
            continue
        if found:
            before, last = found[-1]
            if tone == last or (text.isspace() and _same_ground(last, tone, seen)):
                found[-1] = (before + text, last)
                continue
        found.append((text, tone))
    return found


def _same_ground(tones: str, others: str, seen: Sequence[str]) -> bool:
    """Return whether a space looks the same in both. `seen`: tones that can be seen on spaces."""
    if any(tone in tones or tone in others for tone in seen):
        return False
    return all((tone in tones) == (tone in others) for tone in _GROUNDS)
