"""A screen that reads its style rules once, paints once while it is built, and then only what changed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from textual.app import App
from textual.events import ScreenResume
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from tui.terminal.error_handling import ErrorHandling
from tui.terminal.private import has

try:
    from textual._compositor import Compositor, CompositorUpdate
except ImportError:
    # Nothing derived from them is used then.
    Compositor = CompositorUpdate = object  # type: ignore[misc, assignment]  # stand-ins

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual._compositor import ChopsUpdate

Span = tuple[int, int, int]  # a line, its first cell and the cell after its last


class PartialUpdate(CompositorUpdate):
    """The strips of one frame, each with the cell and the line where it begins."""

    def __init__(self, strips: Iterable[tuple[int, int, Strip]]) -> None:
        self.strips = tuple(strips)

    def render_segments(self, console: Console) -> str:
        """Return the update as written to the terminal."""
        return "".join(f"\x1b[{y + 1};{x + 1}H{strip.render(console)}" for x, y, strip in self.strips)


class PartialCompositor(Compositor):
    """A compositor that renders a changed region only from the widgets visible in it.

    Textual renders all lines of every widget between the first and the last changed line, including the
    containers underneath, and paints each line from the start of the widget.
    """

    def render_update(
        self, full: bool = False, screen_stack: list[Screen[Any]] | None = None, simplify: bool = False
    ) -> "RenderableType | None":
        """Render the changes. If all of the screen changed, that is one region like any other."""
        if not full and self.size.region in self._dirty_regions:
            # Textual would render the whole screen its own way if it found this region.
            self._dirty_regions = set(self.size.region.split_horizontal(1))
        return super().render_update(full, screen_stack, simplify)

    def render_partial_update(self) -> "ChopsUpdate | None":
        """Render the changes since the last frame, or return None if there are none."""
        regions = [region.intersection(self.size.region) for region in self._dirty_regions]
        self._dirty_regions.clear()
        spans = list(self._regions_to_spans(region for region in regions if region))
        # Typed like Textual's own partial update; the application only requires a CompositorUpdate.
        return PartialUpdate(self._strips(spans)) if spans else None  # type: ignore[return-value]

    def _strips(self, spans: Sequence[Span]) -> Iterator[tuple[int, int, Strip]]:
        """Yield the strips for these parts of lines, from the front widgets to the back ones."""
        left = spans
        for widget, (region, clip) in self.visible_widgets.items():
            if not left:
                return
            seen = region.intersection(clip)
            found, left = _divided(left, seen)
            if found:
                yield from _strips_of(widget, region, found)


def _divided(spans: Iterable[Span], seen: Region) -> tuple[list[Span], list[Span]]:
    """Split spans into the parts inside a region and the parts outside it."""
    if not seen:
        return [], list(spans)
    within, beside = [], []
    left, right, top, bottom = seen.x, seen.right, seen.y, seen.bottom
    for span in spans:
        y, start, end = span
        if not top <= y < bottom or start >= right or end <= left:
            beside.append(span)
        elif left <= start and end <= right:
            within.append(span)
        else:
            first, last = max(start, left), min(end, right)
            within.append((y, first, last))
            beside += [(y, *part) for part in ((start, first), (last, end)) if part[0] < part[1]]
    return within, beside


class ReadyLines(Widget):
    """A widget that makes its lines before the frame, complete and in their final colours.

    Textual styles each line of a widget again, and sends a message for each widget that changed.
    """

    _changes_title = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        # Cache of the border's lines by title.
        self._edges: dict[str, dict[tuple[int, Size], Strip]] = {}
        self._title = ""
        super().__init__(id=id, classes=classes)

    def make_lines(self, size: Size) -> Sequence[Region]:
        """Make the lines again for a content of this size; return the regions that changed."""
        raise NotImplementedError

    def ready_strips(self, size: Size) -> Sequence[Strip]:
        """Return a strip of this width for each line of the content."""
        raise NotImplementedError

    def change_title(self, title: str) -> None:
        """Change the title in the border, and repaint its line if the widget is visible."""
        if title and not self.styles.border_left[0]:
            # Textual leaves blanks around a title only next to corners.
            title = f" {title} "
        if title != self._title:
            self._changes_title, self._title = True, title
            # The title may be a name, which must not be read as markup.
            self.border_title = title.replace("[", "\\[")
            self._changes_title = False

    def refresh(self, *regions: Region, **what: Any) -> Self:
        """Repaint regions, or the whole widget as Textual does. A new title repaints only the first line."""
        if self._changes_title and self.is_attached:
            gutter = self.styles.gutter
            regions = (Region(-gutter.left, -gutter.top, self.outer_size.width, 1),)
        elif not regions:
            self._edges.clear()
        return super().refresh(*regions, **what)

    def notify_style_update(self) -> None:
        self._edges.clear()
        super().notify_style_update()

    def edge(self, y: int, size: Size) -> Strip:
        """Return a line of the widget as Textual paints it. `size` includes the border."""
        known = self._edges.setdefault(self._title, {})
        if (y, size) not in known:
            [known[y, size]] = self.render_lines(Region(0, y, size.width, 1))
        return known[y, size]

    def make_before_frame(self) -> None:
        """Make the lines once before the next frame, however often this is called until then."""
        screen = self.screen
        if isinstance(screen, BareScreen) and has("lines that are made before the frame"):
            screen.lines_to_make.add(self)
            screen._dirty_widgets.add(self)
            screen.check_idle()
        elif regions := self.make_lines(self.content_size):
            self.refresh(*regions)


def _strips_of(widget: Widget, region: Region, spans: Sequence[Span]) -> Iterator[tuple[int, int, Strip]]:
    """Yield the strips of spans inside a widget. `region` is its place on the screen."""
    if isinstance(widget, ReadyLines):
        content = region.shrink(widget.styles.gutter)
        within, spans = _divided(spans, content)
        ready = widget.ready_strips(content.size) if within else ()
        for y, start, end in within:
            yield start, y, ready[y - content.y].crop(start - content.x, end - content.x)
        yield from _strips_of_edges(widget, region, content, spans)
        return
    top, bottom = min(y for y, *_ in spans), max(y for y, *_ in spans)
    lines = widget.render_lines(Region(0, top - region.y, region.width, bottom + 1 - top))
    for y, start, end in spans:
        yield start, y, lines[y - top].crop(start - region.x, end - region.x)


def _strips_of_edges(
    widget: ReadyLines, region: Region, content: Region, spans: Sequence[Span]
) -> Iterator[tuple[int, int, Strip]]:
    """Yield the strips of spans around a widget's content. At the sides every line looks like the first."""
    for y, start, end in spans:
        like = content.y if y in content.line_range else y
        yield start, y, widget.edge(like - region.y, region.size).crop(start - region.x, end - region.x)


class BareScreen(ErrorHandling, Screen[None]):
    """Textual's screen without the work that it does twice."""

    def __init__(self) -> None:
        super().__init__()
        if has("frames of only what changed"):
            self._compositor = PartialCompositor()
        if has("style rules that are read once"):
            # They are read when the screen is mounted; Textual would read them a second time.
            self._css_update_count = self.app._css_update_count
        self.lines_to_make: set[ReadyLines] = set()
        # The size is already known. If Textual were notified, all widgets would be styled once more.
        self.add_class(*self._classes_for(self.app.size), update=False)
        self._was_shown = False

    def _classes_for(self, size: Size) -> set[str]:
        """Return the CSS classes of the screen for the terminal's size."""
        if not has("the right style for the first frame"):
            return set()
        return {
            name
            for length, breakpoints in (
                (size.width, self.HORIZONTAL_BREAKPOINTS),
                (size.height, self.VERTICAL_BREAKPOINTS),
            )
            for name in self._get_breakpoint_classes(length, breakpoints or [])
        }

    def _extend_compose(self, widgets: list[Widget]) -> None:
        # No tooltips and toasts: messages appear on the message line.
        if not has("screens without tooltips"):
            super()._extend_compose(widgets)

    def _on_screen_resume(self, event: ScreenResume) -> None:
        # Before Textual's own: new widgets have just got their styles; after a while out of sight these may
        # be old.
        if has("style rules that are read once"):
            event.refresh_styles = event.refresh_styles and self._was_shown
        self._was_shown = True

    def _compositor_refresh(self) -> None:
        # While a screen is put together Textual paints all of it and then throws that away.
        if not (has("no picture of an unfinished screen") and self.app._batch_count):
            if has("lines that are made before the frame"):
                self._make_lines()
            super()._compositor_refresh()

    def set_height(self, widget: Widget, height: int | None) -> None:
        """Change a widget's height; None restores the style sheet's."""
        widget.styles.height = height
        self._lay_out_in_next_frame(widget)

    def set_display(self, widget: Widget, *, is_shown: bool) -> None:
        """Show or hide a widget."""
        widget.display = is_shown
        self._lay_out_in_next_frame(widget)

    def _lay_out_in_next_frame(self, widget: Widget) -> None:
        # Textual would paint the rest before the widget is idle.
        if has("a new height in the next frame"):
            widget._check_refresh()

    def _make_lines(self) -> None:
        """Make the lines of the widgets that requested it, and paint what changed."""
        changed: set[Widget] = set()
        while self.lines_to_make:
            widget = self.lines_to_make.pop()
            if widget.is_attached and (regions := widget.make_lines(widget.content_size)):
                widget._set_dirty(*regions)
                changed.add(widget)
        if changed:
            self._compositor.update_widgets(changed)


async def run_binding(app: App[int], key: str) -> None:
    """Run the binding of a key on the current screen at once, before other messages."""
    if has("keys in the order they were typed"):
        await app._check_bindings(key)
    elif (found := app.screen.active_bindings.get(key)) and found.enabled:
        await app.run_action(found.binding.action, found.node)
