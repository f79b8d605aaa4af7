"""The odds of the whole fight, played in processes of their own: a page, and a line for a prepared fight."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from tui.display.forecast import forecast_page, forecast_summary, page_of, turning_lines
from tui.display.text import Row, wrapped
from tui.session.forecasts import FEW_FIGHTS, SEED, why_no_forecast
from tui.session.plain_forecasts import read_forecast, read_turning

if TYPE_CHECKING:
    from systems.encounter.model import Encounter
    from systems.forecast.tally import Forecast
    from systems.forecast.turning import Turning
    from tui.services import Services
    from tui.session.opening import OpenEncounter
    from tui.session.session import Session

# Fights against foes of each temper, if the page stays open for so long.
FIGHTS = 2_000
# The same for the line of a prepared fight.
LINE_FIGHTS = 60
# Seconds without a change before a prepared fight is played.
IDLE = 0.5
# Elsewhere the loop cannot wait for a pipe.
_CAN_PLAY = sys.platform != "win32"
# Seconds between two looks whether all events are on the disk.
_UNTIL_SAVED = 0.05
# Seconds that the end of the program waits for the end of the process.
_PATIENCE = 1.0
_START = "import sys; sys.path[:] = eval(sys.argv.pop(1)); from tui.session.forecasts import main; main()"


class OpenTable(Protocol):
    """The open fight, as the table has it."""

    @property
    def services(self) -> "Services": ...

    @property
    def session(self) -> "Session | None": ...

    @property
    def fight(self) -> "OpenEncounter | None": ...


class _Player:
    """The process that plays a fight. `took` gets each answer, and None when the process ends by itself."""

    def __init__(self, took: Callable[[dict[str, Any] | None], None]) -> None:
        self._took, self._loop = took, asyncio.get_running_loop()
        self.process: subprocess.Popen[bytes] | None = None
        self._received = b""

    def start(self, fight: "OpenEncounter", fights: int) -> None:
        """Play the fight that is on the disk, so many times against foes of each temper."""
        self.stop()
        arguments = [str(fight.campaign.path), fight.encounter, str(fights), str(SEED)]
        self.process = process = subprocess.Popen(
            [sys.executable, "-c", _START, repr(sys.path), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._loop.add_reader(process.stdout.fileno(), self._read)

    def stop(self) -> None:
        """End the process at once. It has nothing to save."""
        process, self.process, self._received = self.process, None, b""
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

    def _read(self) -> None:
        """Read what the process has written; only the newest answer counts."""
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            part = os.read(self.process.stdout.fileno(), 65_536)
        except BlockingIOError:
            return
        if not part:
            self.stop()
            self._took(None)
            return
        *lines, self._received = (self._received + part).split(b"\n")
        if lines:
            self._took(json.loads(lines[-1]))


class Forecasts:
    """Shows the odds of the open fight: on a page, and in a line while the fight is prepared.

    The process of the page ends with the page. That of the line ends when it has played enough, or with a
    change of the fight.
    """

    def __init__(self, table: OpenTable, is_saved: Callable[[], bool]) -> None:
        self._table, self._is_saved = table, is_saved
        self._loop = asyncio.get_running_loop()
        self._player, self._line_player = _Player(self._show), _Player(self._show_line)
        # The timers of the page and of the line.
        self._timer: asyncio.TimerHandle | None = None
        self._line_timer: asyncio.TimerHandle | None = None
        self._forecast: Forecast | None = None
        self._turning: Turning | None = None
        # How many moments of a fight that is over have been played, in words.
        self._progress = ""
        # Why nothing is shown.
        self._problem = ""
        # The prepared fight of the line, its forecast, and that of the fight before the last change.
        self._prepared: Encounter | None = None
        self._line: Forecast | None = None
        self._line_before: Forecast | None = None

    @property
    def process(self) -> "subprocess.Popen[bytes] | None":
        """Return the process that plays for the page now, or None."""
        return self._player.process

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
        self._close()
        self._forecast, self._turning, self._problem, self._progress = None, None, "", ""
        services.say("")
        title = "The chance to win, round by round" if is_over else "Odds of the fight"
        services.open_page(title, lambda cells: self._rows(session, cells), closed=self._close)
        self._begin(session)

    def prepared_words(self, encounter: "Encounter") -> str:
        """Return the odds of a prepared fight in one line, as far as they are known; else "".

        It says how much the last change has moved the chance to win, with the same dice.
        """
        if encounter is not self._prepared:
            if self._line is not None and self._line.fights == LINE_FIGHTS:
                self._line_before = self._line
            self._prepared, self._line = encounter, None
            self._line_player.stop()
            if self._line_timer is not None:
                self._line_timer.cancel()
                self._line_timer = None
            if not encounter.is_prepared:
                self._line_before = None
            elif _CAN_PLAY and not why_no_forecast(encounter):
                self._line_timer = self._loop.call_later(IDLE, self._begin_line)
        if self._line is None:
            return ""
        # The same number of fights has the same dice.
        before = self._line_before if self._line.fights == LINE_FIGHTS else None
        return forecast_summary(self._line, before)

    def stop(self) -> None:
        """End all processes."""
        self._close()
        self._prepared = self._line = self._line_before = None
        self._line_player.stop()
        if self._line_timer is not None:
            self._line_timer.cancel()
            self._line_timer = None

    def _close(self) -> None:
        """Stop playing for the page."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._player.stop()

    def _begin(self, session: "Session") -> None:
        """Start the process as soon as all events are on the disk, from which it reads the fight."""
        self._timer, fight = None, self._table.fight
        if fight is None or session is not self._table.session:
            return
        if not self._is_saved():
            self._timer = self._loop.call_later(_UNTIL_SAVED, self._begin, session)
            return
        self._player.start(fight, FEW_FIGHTS if session.encounter.progress.over else FIGHTS)

    def _begin_line(self) -> None:
        self._line_timer, session, fight = None, self._table.session, self._table.fight
        if fight is None or session is None or session.encounter is not self._prepared:
            return
        if not self._is_saved():
            self._line_timer = self._loop.call_later(_UNTIL_SAVED, self._begin_line)
            return
        self._line_player.start(fight, LINE_FIGHTS)

    def _show(self, answer: dict[str, Any] | None) -> None:
        """Show an answer on the page."""
        if answer is None:
            if self._forecast is None and self._turning is None and not self._problem:
                self._problem = "the fight could not be played; affray forecast says why"
        elif "error" in answer:
            self._problem = answer["error"]
        elif "turning" in answer:
            self._turning = read_turning(answer["turning"])
        elif "done" in answer:
            self._progress = f"moment {answer['done'] + 1} of {answer['of']} "
        else:
            self._forecast = read_forecast(answer)
        self._table.services.renew_page()

    def _show_line(self, answer: dict[str, Any] | None) -> None:
        session = self._table.session
        if answer is None or "tempers" not in answer or session is None:
            return
        if answer["events"] == len(session.log.events):
            self._line = read_forecast(answer)
            self._table.services.show_change()

    def _rows(self, session: "Session", cells: int) -> list[Row]:
        """Return the rows of the page."""
        if self._forecast is not None:
            return forecast_page(session.encounter, self._forecast, cells)
        if self._turning is not None:
            return page_of(turning_lines(session.encounter, session.log, self._turning), cells)
        words = self._problem or f"Playing the fight {self._progress}…"
        return [[(f" {line}", "muted")] for line in wrapped(words, max(10, cells - 2))]
