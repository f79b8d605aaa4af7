"""Errors that were not expected: each costs a key or a part of the screen, and is told in a sentence.

With AFFRAY_TRACEBACK=1 the first error ends the program and is shown with its traceback.
"""

import asyncio
import os
from typing import Any

from rich.text import Text
from textual.app import App
from textual.content import Content
from textual.message import Message

from systems.text import clean


def wants_traceback() -> bool:
    """Return whether errors are shown with their traceback."""
    return bool(os.environ.get("AFFRAY_TRACEBACK"))


def error_summary(error: BaseException) -> str:
    """Return an error in one line for a report, such as `IndexError in log_lines.py, line 63`."""
    # Only a program with an error pays for this import.

    # A start without errors does not pay for this import.
    from tui.terminal.notice import error_place

    place = error_place(error)
    return clean(type(error).__name__ + (f" in {place}" if place else ""), 120)


class ErrorHandling:
    """Mixed into screens and widgets before Textual's class: a message that fails does nothing else."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)  # type: ignore[misc]
        except Exception as error:  # noqa: BLE001 - whatever it is, the rest of the screen goes on
            self.app.handle_error(error)  # type: ignore[attr-defined]

    def report_painting_error(self, error: Exception) -> None:
        """Tell an error in painting after the frame: while it is painted nothing may be changed."""
        self.app.handle_painting_error(error)  # type: ignore[attr-defined]


class ErrorHandlingApp(App[int]):
    """An app that goes on after an unexpected error, and says so."""

    # None: at a terminal. Without a terminal there are tests, which must see every error.
    goes_on: bool | None = None

    @property
    def goes_on_after_errors(self) -> bool:
        """Whether an unexpected error is told as a sentence, and the program goes on."""
        if self.goes_on is not None:
            return self.goes_on
        return not (wants_traceback() or self.is_headless)

    @property
    def sentence(self) -> str:
        """What the message line says."""
        raise NotImplementedError

    def say(self, sentence: str, error: bool = False) -> None:
        """Put one sentence on the message line."""
        raise NotImplementedError

    def notify(self, message: str, *, severity: str = "", markup: bool = True, **_: Any) -> None:
        """Put what Textual has to say, such as which key quits, on the message line."""
        self.say(Content.from_markup(message).plain if markup else message, error=severity == "error")

    def handle_error(self, error: Exception) -> None:
        """Tell an unexpected error and go on. Called in an `except` block: it may raise the error again."""
        if not self.goes_on_after_errors:
            raise error
        self.say(
            f"That went wrong inside Affray ({error_summary(error)}), not through you. "
            "What was said to be saved is saved, and play goes on.",
            error=True,
        )

    def handle_painting_error(self, error: Exception) -> None:
        """Tell an error in painting, once; nothing may be changed while the screen is painted."""
        if not self.goes_on_after_errors:
            raise error
        if error_summary(error) not in self.sentence:
            self.call_later(self.handle_error, error)

    def handle_task_errors(self) -> None:
        """Tell what fails in the event loop itself like every other error."""
        if self.goes_on_after_errors:
            asyncio.get_running_loop().set_exception_handler(self._of_task)

    def _of_task(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and self.is_running:
            self.call_later(self.handle_error, error)

    async def _dispatch_message(self, message: Message) -> None:
        # Before anything is shown there is nothing to go on with.
        if not self._is_mounted:
            await super()._dispatch_message(message)
            return
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # noqa: BLE001 - a key that fails ends nothing else
            self.handle_error(error)

    # What Textual does with an error that reaches it: there the program has to end.

    def _handle_exception(self, error: Exception) -> None:
        if not self.goes_on_after_errors:
            super()._handle_exception(error)
            return
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        if not self._exit_renderables:
            sentence = (
                f"affray: had to stop: unexpected {error_summary(error)}. "
                "All that was said to be saved is saved; opening the campaign again goes on from there."
            )
            self._exit_renderables.append(Text(sentence))
        self._close_messages_no_wait()
