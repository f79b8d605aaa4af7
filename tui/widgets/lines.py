"""Rows of toned text in a fixed place. A change repaints the rows that differ, in the same frame."""

from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.text import Row, cut_row, width

TONES = ("muted", "good", "warning", "danger", "accent", "strong", "struck", "turn", "marked")


class Toned(Widget):
    """A widget that paints rows: tones are CSS classes, so the theme decides what they look like."""

    COMPONENT_CLASSES = {f"tone--{tone}" for tone in TONES}

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._styles_of_tones: dict[str, Style] = {}

    def notify_style_update(self) -> None:
        self._styles_of_tones = {}
        super().notify_style_update()

    def style_of(self, tones: str) -> Style:
        """The style of tones such as `danger strong`; `reverse` swaps the two colours."""
        style = self._styles_of_tones.get(tones)
        if style is None:
            style = self.rich_style
            for tone in tones.split():
                if tone in TONES:
                    style += self._style_of_tone(tone)
                elif tone == "reverse":
                    style += Style(reverse=True)
            self._styles_of_tones[tones] = style
        return style

    def _style_of_tone(self, tone: str) -> Style:
        """What the tone's own rules say, its colour blended with what is behind it."""
        found = self.get_component_styles(f"tone--{tone}")
        whole = found.rich_style
        return (
            Style(
                color=whole.color if found.has_rule("color") else None,
                bgcolor=whole.bgcolor if found.has_rule("background") else None,
            )
            + found.text_style
        )

    def painted(self, row: Row, cells: int) -> Strip:
        """A row as a strip of exactly `cells` cells."""
        row = cut_row(row, cells)
        segments = [Segment(text, self.style_of(tone)) for text, tone in row if text]
        blank = cells - width(row)
        if blank > 0:
            segments.append(Segment(" " * blank, self.style_of("")))
        return Strip(segments, cells)


class Lines(Toned):
    """As many rows as there is room for, made by `rows(width, height)` whenever `show` is called."""

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
        self._cells = (0, 0)

    def show(self) -> None:
        """Make the rows anew and repaint those that changed."""
        if not self.is_attached or not self.display:
            self._cells = (0, 0)
            return
        before = self._strips if self._cells == self.content_size else []
        self._make()
        for y, strip in enumerate(self._strips):
            if y >= len(before) or (strip is not before[y] and strip != before[y]):
                self.refresh(Region(0, y, strip.cell_length, 1))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._cells = (0, 0)

    def _make(self) -> None:
        old = list(zip(self._shown, self._strips, strict=True)) if self._cells == self.content_size else []
        cells, height = self._cells = self.content_size
        rows = list(self._rows(cells, height))[:height] if cells and height else []
        rows += [()] * (height - len(rows))
        # A row that says the same as before is not painted again.
        self._strips = [
            old[y][1] if y < len(old) and row == old[y][0] else self.painted(row, cells)
            for y, row in enumerate(rows)
        ]
        self._shown = rows

    def render_line(self, y: int) -> Strip:
        if self._cells != self.content_size:
            self._make()
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.content_size.width)
