"""The page with the odds of the whole fight, played in a process of its own while the page is open."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tui.display.forecast import forecast_page, page_of, turning_lines
from tui.display.text import Row, wrapped
from tui.session.forecasts import FEW_FIGHTS, SEED, why_no_forecast
from tui.session.plain_forecasts import read_forecast, read_turning

if TYPE_CHECKING:
    from systems.forecast.tally import Forecast
    from systems.forecast.turning import Turning
    from tui.controllers.table import Table
    from tui.session.session import Session

# Fights against foes of each temper, if the page stays open for so long.
FIGHTS = 2_000
# Elsewhere the loop cannot wait for a pipe.
_CAN_PLAY = sys.platform != "win32"
# Seconds between two looks whether all events are on the disk.
_UNTIL_SAVED = 0.05
# Seconds that the end of the program waits for the end of the process.
_PATIENCE = 1.0
_START = "import sys; sys.path[:] = eval(sys.argv.pop(1)); from tui.session.forecasts import main; main()"


class Forecasts:
    """Shows the odds of the open fight on a page. The process ends with the page."""

    def __init__(self, table: "Table", is_saved: Callable[[], bool]) -> None:
        self._table, self._is_saved = table, is_saved
        self._loop = asyncio.get_running_loop()
        self._process: subprocess.Popen[bytes] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._received = b""
        self._forecast: Forecast | None = None
        self._turning: Turning | None = None
        # How many moments of a fight that is over have been played, in words.
        self._progress = ""
        # Why nothing is shown.
        self._problem = ""

    @property
    def process(self) -> "subprocess.Popen[bytes] | None":
        """Return the process that plays now, or None."""
        return self._process

    def open(self) -> None:
        """Open the page and start to play, or say why there is nothing to play."""
        session, services = self._table.session, self._table.services
        if session is None:
            services.say("no fight is open; choose a campaign first", error=True)
            return
        is_over = session.encounter.progress.over
        if not is_over and (why := why_no_forecast(session.encounter)):
            services.say(why, error=True)
            return
        if not _CAN_PLAY:
            services.say("the fight can't be played here; affray forecast prints its odds", error=True)
            return
        self.stop()
        self._forecast, self._turning, self._problem, self._progress = None, None, "", ""
        services.say("")
        title = "The chance to win, round by round" if is_over else "Odds of the fight"
        services.open_page(title, lambda cells: self._rows(session, cells), closed=self.stop)
        self._begin(session)

    def stop(self) -> None:
        """End the process at once. It has nothing to save."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        process, self._process, self._received = self._process, None, b""
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        self._loop.remove_reader(process.stdout.fileno())
        process.kill()
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PATIENCE)

    def _begin(self, session: "Session") -> None:
        """Start the process as soon as all events are on the disk, from which it reads the fight."""
        self._timer = None
        fight = self._table.fight
        if fight is None or session is not self._table.session:
            return
        if not self._is_saved():
            self._timer = self._loop.call_later(_UNTIL_SAVED, self._begin, session)
            return
        fights = FEW_FIGHTS if session.encounter.progress.over else FIGHTS
        arguments = [str(fight.campaign.path), fight.encounter, str(fights), str(SEED)]
        self._process = process = subprocess.Popen(
            [sys.executable, "-c", _START, repr(sys.path), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._loop.add_reader(process.stdout.fileno(), self._read)

    def _read(self) -> None:
        """Read what the process has written, and show the newest forecast."""
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            part = os.read(self._process.stdout.fileno(), 65_536)
        except BlockingIOError:
            return
        if not part:
            self.stop()
            if self._forecast is None and self._turning is None and not self._problem:
                self._show({"error": "the fight could not be played; affray forecast says why"})
            return
        *lines, self._received = (self._received + part).split(b"\n")
        if lines:
            self._show(json.loads(lines[-1]))

    def _show(self, answer: dict[str, Any]) -> None:
        if "error" in answer:
            self._problem = answer["error"]
        elif "turning" in answer:
            self._turning = read_turning(answer["turning"])
        elif "done" in answer:
            self._progress = f"moment {answer['done'] + 1} of {answer['of']} "
        else:
            self._forecast = read_forecast(answer)
        self._table.services.renew_page()

    def _rows(self, session: "Session", cells: int) -> list[Row]:
        """Return the rows of the page."""
        if self._forecast is not None:
            return forecast_page(session.encounter, self._forecast, cells)
        if self._turning is not None:
            return page_of(turning_lines(session.encounter, session.log, self._turning), cells)
        words = self._problem or f"Playing the fight {self._progress}…"
        return [[(f" {line}", "muted")] for line in wrapped(words, max(10, cells - 2))]
