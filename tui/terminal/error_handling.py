"""What nobody foresaw: it costs a key or one part of the screen, and a sentence. No traceback is shown.

AFFRAY_TRACEBACK=1 is for whoever looks for the mistake: then the first one ends the program, in full.
"""

import asyncio
import os
from pathlib import Path
from typing import Any

from rich.text import Text
from textual.app import App
from textual.message import Message

from systems.text import clean

_OWN = ("tui", "systems")


def wants_traceback() -> bool:
    """Return whether errors are shown with their traceback."""
    return bool(os.environ.get("AFFRAY_TRACEBACK"))


def told(error: BaseException) -> str:
    """Return an error in one line for a report, such as `IndexError in log_lines.py, line 63`."""
    where, trace = "", error.__traceback__
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if not where or any(folder in path.parts for folder in _OWN):
            where = f" in {path.name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return clean(f"{type(error).__name__}{where}", 120)


class ErrorHandling:
    """Mixed into screens and widgets before Textual's class: a message that fails costs itself alone."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)  # type: ignore[misc]
        except Exception as error:  # noqa: BLE001 - whatever it is, the rest of the screen goes on
            self.app.mishap(error)  # type: ignore[attr-defined]

    def forgive_painting(self, error: Exception) -> None:
        """Something cannot be painted; it is told after the frame, for now nothing may be changed."""
        self.app.painted_wrong(error)  # type: ignore[attr-defined]


class ErrorHandlingApp(App[int]):
    """An app whose mistakes cost as little as they can."""

    # None: where somebody sits at a terminal. Without one there are tests, which must hear of every mistake.
    forgives: bool | None = None

    @property
    def is_forgiving(self) -> bool:
        """Whether mistakes become sentences."""
        if self.forgives is not None:
            return self.forgives
        return not (wants_traceback() or self.is_headless)

    @property
    def sentence(self) -> str:
        """What the message line says."""
        raise NotImplementedError

    def say(self, sentence: str, error: bool = False) -> None:
        """Put one sentence on the message line."""
        raise NotImplementedError

    def mishap(self, error: Exception) -> None:
        """Something failed that nobody foresaw; the program goes on. Called where the error is handled."""
        if not self.is_forgiving:
            raise error
        self.say(
            f"That went wrong inside Affray ({told(error)}), not through you. "
            "What was said to be saved is saved, and play goes on.",
            error=True,
        )

    def painted_wrong(self, error: Exception) -> None:
        """Tell an error in painting, once; nothing may be changed while the screen is painted."""
        if not self.is_forgiving:
            raise error
        if told(error) not in self.sentence:
            self.call_later(self.mishap, error)

    def heed_tasks(self) -> None:
        """Tell what fails in the event loop itself like every other error."""
        if self.is_forgiving:
            asyncio.get_running_loop().set_exception_handler(self._of_task)

    def _of_task(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and self.is_running:
            self.call_later(self.mishap, error)

    async def _dispatch_message(self, message: Message) -> None:
        # Before anything is shown there is nothing to go on with.
        if not self._is_mounted:
            await super()._dispatch_message(message)
            return
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # noqa: BLE001 - a key that fails costs itself alone
            self.mishap(error)

    # What Textual does when a mistake reaches it: there the program has to end.

    def _handle_exception(self, error: Exception) -> None:
        if not self.is_forgiving:
            super()._handle_exception(error)
            return
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        if not self._exit_renderables:
            sentence = (
                f"affray: had to stop: unexpected {told(error)}. "
                "All that was said to be saved is saved; opening the campaign again goes on from there."
            )
            self._exit_renderables.append(Text(sentence))
        self._close_messages_no_wait()
