"""Slow work in a separate thread: the screen stays responsive, and Escape stops the work."""

from collections.abc import Callable
from threading import Thread
from time import monotonic
from typing import Generic, TypeVar

from tui.campaign.progress import Stopped, Tell, without_garbage_collection
from tui.prompts.progress import ProgressPrompt
from tui.services import Services

PATIENCE = 0.4  # seconds of work before its progress is shown
BETWEEN = 0.05  # seconds between two updates of the progress
T = TypeVar("T")


class LongWork(Generic[T]):
    """Runs `work`, then calls `done` with its result, or `failed` with the exception.

    `work` runs in a thread and receives a function to report its progress. `done` and `failed` run in the
    program. Without `failed`, a stop is reported, and any other error is the program's. `waits` is called
    when the work turns out to be slow. Keys typed meanwhile go to the next prompt.
    """

    def __init__(
        self,
        services: Services,
        what: str,
        work: Callable[[Tell], T],
        *,
        done: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
        waits: Callable[[], None] = lambda: None,
    ) -> None:
        self._services, self._what, self._work = services, what, work
        self._done, self._failed, self._waits = done, failed, waits
        self._prompt: ProgressPrompt | None = None
        self._found: T | Exception | None = None
        self._thread = Thread(target=self._run, daemon=True)
        self._stopped = False
        self._far = (0, 0)  # steps done, and all steps, as far as reported
        self._since = 0.0

    def go(self) -> None:
        """Begin. Quick work is finished when this returns."""
        self._since = monotonic()
        self._thread.start()
        self._thread.join(PATIENCE)
        if not self._thread.is_alive():
            self._finish()
            return
        self._waits()
        self._prompt = ProgressPrompt(self._services, self._what, self._stop)
        self._services.prompts.open(self._prompt)
        self._look()

    def _run(self) -> None:
        try:
            with without_garbage_collection():
                self._found = self._work(self._tell)
        except Exception as error:  # noqa: BLE001 - reported in the program's own thread
            self._found = error

    def _tell(self, done: int, of: int) -> None:
        if self._stopped:
            raise Stopped
        self._far = (done, of)

    def _stop(self) -> None:
        self._stopped = True
        if self._prompt is not None:
            self._prompt.what = f"Stopping · {self._what}"
            self._prompt.refresh()

    def _tell_error(self, error: Exception) -> None:
        if isinstance(error, Stopped):
            self._services.say(f"{self._what}: stopped.")
        else:
            self._services.program.handle_error(error)

    def _look(self) -> None:
        """Show the progress, and again after a moment."""
        if self._prompt is None:
            return
        if not self._thread.is_alive():
            self._finish()
            return
        self._prompt.done, self._prompt.count = self._far
        self._prompt.seconds = int(monotonic() - self._since)
        self._prompt.refresh()
        self._services.program.set_timer(BETWEEN, self._look)

    def _finish(self) -> None:
        found, prompt, self._prompt = self._found, self._prompt, None
        if prompt is not None:
            prompt.close()
        if isinstance(found, Exception):
            (self._failed or self._tell_error)(found)
            return
        self._done(found)  # type: ignore[arg-type]  # the result of the work, or its error
        if prompt is not None:
            prompt.type_held()
