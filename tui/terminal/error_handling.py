"""Handle unexpected errors: each costs one key or one part of the screen, and is reported in a sentence.

With AFFRAY_TRACEBACK=1 the first error ends the program and prints its traceback.
"""

import asyncio
import os
from typing import Any

from rich.text import Text
from textual.app import App
from textual.content import Content
from textual.message import Message

from systems.text import clean
from tui.terminal.private import has


def wants_traceback() -> bool:
    """Return whether errors end the program with a traceback."""
    return bool(os.environ.get("AFFRAY_TRACEBACK"))


def error_summary(error: BaseException, *, logs: bool = False) -> str:
    """Return an error in one line for a report, such as `IndexError in log_lines.py, line 63`.

    `logs`: also write it to the log, if there is one.
    """
    # A start without errors does not pay for this import.
    from tui.terminal.program_log import error_place, log_unexpected

    if logs:
        log_unexpected(error)
    place = error_place(error)
    return clean(type(error).__name__ + (f" in {place}" if place else ""), 120)


class ErrorHandling:
    """Mix into screens and widgets, before Textual's class, so that a failing message has no other effect.

    Textual's class and ErrorHandlingApp have the names that mypy does not find here.
    """

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)  # type: ignore[misc]  # see the class
        except Exception as error:  # noqa: BLE001 - the rest of the screen continues, whatever the error
            self.app.handle_error(error)  # type: ignore[attr-defined]  # see the class

    def report_painting_error(self, error: Exception) -> None:
        """Report a painting error after the frame, because nothing may change while it is painted."""
        self.app.handle_painting_error(error)  # type: ignore[attr-defined]  # see the class


class ErrorHandlingApp(App[int]):
    """An app that continues after an unexpected error and reports it."""

    # None: decided by whether a terminal is attached. Tests have none and must see every error.
    goes_on: bool | None = None

    @property
    def goes_on_after_errors(self) -> bool:
        """Return whether the program reports an unexpected error in a sentence and continues."""
        if self.goes_on is not None:
            return self.goes_on
        return not (wants_traceback() or self.is_headless)

    @property
    def sentence(self) -> str:
        """Return the text of the message line."""
        raise NotImplementedError

    def say(self, sentence: str, error: bool = False) -> None:
        """Show one sentence on the message line."""
        raise NotImplementedError

    def notify(self, message: str, *, severity: str = "", markup: bool = True, **_: Any) -> None:
        """Show Textual's own messages, such as which key quits, on the message line."""
        self.say(Content.from_markup(message).plain if markup else message, error=severity == "error")

    def handle_error(self, error: Exception) -> None:
        """Report an unexpected error and continue.

        Call it in an `except` block, because it may raise the error again.
        """
        summary = error_summary(error, logs=True)
        if not self.goes_on_after_errors:
            raise error
        self.say(
            f"Something went wrong inside Affray ({summary}). It was not your mistake. "
            "Everything reported as saved is saved, and you can go on.",
            error=True,
        )

    def handle_painting_error(self, error: Exception) -> None:
        """Report a painting error once. Nothing may change while the screen is painted."""
        if not self.goes_on_after_errors:
            raise error
        if error_summary(error) not in self.sentence:
            self.call_later(self.handle_error, error)

    def handle_task_errors(self) -> None:
        """Report errors in the event loop like all others."""
        if self.goes_on_after_errors:
            asyncio.get_running_loop().set_exception_handler(self._of_task)

    def _of_task(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and self.is_running:
            self.call_later(self.handle_error, error)
        elif isinstance(error, BaseException):
            error_summary(error, logs=True)

    async def _dispatch_message(self, message: Message) -> None:
        # There is nothing to continue with before the first screen.
        if not has("going on after an error") or not self._is_mounted:
            await super()._dispatch_message(message)
            return
        try:
            await super()._dispatch_message(message)
        except Exception as error:  # noqa: BLE001 - a key that fails ends nothing else
            self.handle_error(error)

    # What Textual does with an error that reaches it. The program has to end there.

    def _handle_exception(self, error: Exception) -> None:
        summary = error_summary(error, logs=True)
        prints = wants_traceback()
        if not (prints or self.goes_on_after_errors) or not has("going on after an error"):
            super()._handle_exception(error)
            return
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        if prints and not self._exit_renderables:
            from tui.terminal.tracebacks import traceback_of

            # Textual's own traceback shows the values of variables, which may be passwords.
            self._exit_renderables.append(Text(traceback_of(error)))
        elif not self._exit_renderables:
            sentence = (
                f"affray: had to stop: unexpected {summary}. "
                "Everything reported as saved is saved. Open the campaign again to continue."
            )
            self._exit_renderables.append(Text(sentence))
        self._close_messages_no_wait()
