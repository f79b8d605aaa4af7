"""Drive the application with keys, and wait until it is idle instead of sleeping.

Private names of Textual that tests need stand in this file alone.
"""

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from typing import Any, ClassVar

import pytest
from textual._compositor import Compositor
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.events import Click, Key, MouseDown, MouseUp, Resize
from textual.geometry import Offset, Size
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.timer import Timer

from systems.frozen import frozen
from tui.controllers import helper_process
from tui.screens import initiative
from tui.terminal.screen import PartialCompositor

SOON = 20.0  # seconds; only ever waited for when something is broken
BRIEF = 0.1  # seconds; a timer that is shorter belongs to work that is going on
# The recap so far comes a little after the first picture. Tests wait for it, so no screen changes later.
initiative.AFTER_FIRST_PICTURE = 0.002
# Tests run next to each other, so a helper process of low priority would be late.
helper_process.LOWER_PRIORITY = ""


def key_event(name: str) -> Key:
    """The event of a key by its name ("a", "enter", "ctrl+p") or its character ("/", "+")."""
    if len(name) == 1 and not name.isalnum():
        name = _character_to_key(name)
    try:
        character = unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(name, name)))
    except KeyError:
        character = name if len(name) == 1 else None
    return Key(name, character)


@frozen
class Pilot:
    """Drives an application that runs without a terminal."""

    app: App[Any]

    async def press(self, *names: str) -> None:
        """Press keys one after the other; the application is idle before the next, and afterwards.

        A second passes before each key, so that everything has been in sight for a while.
        """
        for name in names:
            self.wait(1.0)
            self._send(key_event(name))
            await self.idle()

    async def type_ahead(self, *names: str) -> None:
        """Press keys all at once, faster than the application takes them."""
        for name in names:
            self._send(key_event(name))
        await self.idle()

    def wait(self, seconds: float) -> None:
        """Let time pass on the clock that screens read."""
        services = getattr(self.app, "services", None) or getattr(self.app.screen, "services", None)
        if services is not None:
            now = services.clock() + seconds
            services.clock = lambda: now

    async def resize(self, width: int, height: int) -> None:
        """Make the terminal another size."""
        driver, size = self.app._driver, Size(width, height)
        assert driver is not None
        driver._size = (width, height)
        self.app.post_message(Resize(size, size))
        await self.idle()

    async def click(self, selector: str = "", offset: tuple[int, int] = (0, 0)) -> None:
        """Click with the mouse on a cell of a widget, or of the whole screen."""
        region = (self.app.screen.query_one(selector) if selector else self.app.screen).region
        column, row = region.x + offset[0], region.y + offset[1]
        for kind in (MouseDown, MouseUp, Click):
            self.app.mouse_position = Offset(column, row)
            self.app.screen._forward_event(kind(None, column, row, 0, 0, 1, False, False, False, column, row))
            await self.idle()

    async def idle(self) -> None:
        """Wait until nothing is left to do: no message, no callback, no short timer, nothing to paint."""
        async with asyncio.timeout(SOON):
            while self._is_running():
                await nothing_ready()
                if self._has_messages():
                    await asyncio.sleep(0)
                elif not self._paints() and not await self._timers_end():
                    return
            await nothing_ready()

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until something is true that another thread or another program brings about."""
        async with asyncio.timeout(SOON):
            await self.idle()
            while not true():
                await asyncio.sleep(0.001)
                await self.idle()

    def _send(self, event: Key) -> None:
        event.set_sender(self.app)
        assert self.app._driver is not None
        self.app._driver.send_message(event)

    def _is_running(self) -> bool:
        return self.app._running and not self.app._exit and self.app._exception is None

    def _pumps(self) -> Iterator[MessagePump]:
        yield self.app
        for screen in self.app.screen_stack:
            yield from screen.walk_children(with_self=True)

    def _has_messages(self) -> bool:
        return any(not pump._message_queue.empty() or pump._next_callbacks for pump in self._pumps())

    def _paints(self) -> bool:
        """Lay out and paint now what the screens would paint a sixtieth of a second later.

        One that lies below another has what is in sight painted again: it comes first.
        """
        waiting = [
            screen
            for screen in self.app.screen_stack
            if screen._update_timer._active.is_set() or screen._callbacks
        ]
        for screen in waiting:
            screen._on_timer_update()
        return bool(waiting)

    async def _timers_end(self) -> bool:
        """Wait for one short timer to come round; whether there was one."""
        tasks = [timer._task for timer in self._short_timers() if timer._task and not timer._task.done()]
        if tasks:
            await asyncio.wait(tasks, timeout=0.001, return_when=asyncio.FIRST_COMPLETED)
        return bool(tasks)

    def _short_timers(self) -> Iterator[Timer]:
        for pump in self._pumps():
            for timer in pump._timers:
                if (
                    timer._interval < BRIEF
                    and timer._active.is_set()
                    and timer is not getattr(pump, "_update_timer", None)
                ):
                    yield timer


async def nothing_ready() -> None:
    """Wait until no task of the event loop can go on by itself."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    quiet = 0
    while quiet < 2:
        await asyncio.sleep(0)
        quiet = 0 if ready else quiet + 1


class ParsedStyles:
    """What Textual has parsed of style sheets, for one application from all before it with its colours."""

    _shared: ClassVar[dict[Any, list[RuleSet]]] = {}

    def __init__(self, sheet: Stylesheet) -> None:
        self._sheet = sheet

    def _key(self, source: Any) -> Any:
        return frozenset(self._sheet._variables.items()), source

    def __getitem__(self, source: Any) -> list[RuleSet]:
        return self._shared[self._key(source)]

    def __setitem__(self, source: Any, rules: list[RuleSet]) -> None:
        self._shared[self._key(source)] = rules

    def clear(self) -> None:
        """Nothing is out of date: other colours are another key."""


class Painting:
    """Whether applications paint their frames. A test that reads the text of a screen needs no frame."""

    tests_that_look: ClassVar[int] = 0
    refresh = staticmethod(Screen._compositor_refresh)

    @classmethod
    @contextmanager
    def on(cls) -> Iterator[None]:
        cls.tests_that_look += 1
        try:
            yield
        finally:
            cls.tests_that_look -= 1

    @classmethod
    @contextmanager
    def only_if_looked_at(cls) -> Iterator[None]:
        """Leave out frames that no test looks at: an eighth of what an application costs."""

        def refresh(screen: Screen[Any]) -> None:
            if cls.tests_that_look:
                cls.refresh(screen)
            else:
                screen._dirty_widgets.clear()
                screen._compositor._dirty_regions.clear()
                screen.app._update_mouse_over(screen)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Screen, "_compositor_refresh", refresh)
            yield


@asynccontextmanager
async def running(
    app: App[Any], size: tuple[int, int] = (80, 24), *, painted: bool = False
) -> AsyncIterator[Pilot]:
    """Run the application on a screen of that size, and drive it. `painted`: a test looks at its frames."""
    sheet = app.stylesheet
    sheet._parse_cache = ParsedStyles(sheet)  # type: ignore[assignment]
    # For a screen with styles of its own, Textual would parse all style sheets again without that cache.
    sheet.reparse = sheet.parse  # type: ignore[method-assign]
    with Painting.only_if_looked_at(), Painting.on() if painted else nullcontext():
        async with app.run_test(size=size):
            pilot = Pilot(app)
            await pilot.idle()
            yield pilot


@contextmanager
def frames() -> Iterator[list[str]]:
    """What is painted while this lasts: "whole" for a frame of the whole screen, "part" for a smaller one."""
    painted: list[str] = []
    partly, wholly = PartialCompositor.render_partial_update, Compositor.render_full_update

    def part(self: PartialCompositor) -> Any:
        painted.append("part")
        return partly(self)

    def whole(self: Compositor, simplify: bool = False) -> Any:
        painted.append("whole")
        return wholly(self, simplify)

    try:
        Painting.tests_that_look += 1
        PartialCompositor.render_partial_update = part  # type: ignore[method-assign]
        Compositor.render_full_update = whole  # type: ignore[method-assign]
        yield painted
    finally:
        Painting.tests_that_look -= 1
        PartialCompositor.render_partial_update = partly  # type: ignore[method-assign]
        Compositor.render_full_update = wholly  # type: ignore[method-assign]
