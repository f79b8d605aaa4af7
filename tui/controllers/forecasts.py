"""The odds of the whole fight, played in helper processes: a page, and a line for a prepared fight."""

import asyncio
from typing import TYPE_CHECKING, Protocol

from systems.text import as_sentence
from tui.controllers.helper_process import HelperProcess
from tui.display.forecast import forecast_page, forecast_summary, margin_of, turning_lines
from tui.display.recap import page_of
from tui.display.text import Row, wrapped
from tui.session.forecasts import FEW_FIGHTS, SEED, ForecastAnswer, keep_turning, why_no_forecast
from tui.session.work import Work

if TYPE_CHECKING:
    from systems.encounter.model import Encounter
    from systems.forecast.tally import Forecast
    from systems.forecast.turning import Turning
    from tui.campaign.campaign import Campaign
    from tui.services import Services
    from tui.session.session import Session

# Fights against foes of each temper, if the page stays open for so long.
FIGHTS = 2_000
# The same for the line of a prepared fight.
LINE_FIGHTS = 200
# The line shows chances from this margin on; before, it says only how many fights have been played.
USEFUL = 0.15
# The same for the page, which gets more exact while it is open.
BEARABLE = 0.5
_NOT_PLAYED = "The fight could not be played; affray forecast says why."
_ENDED = "Playing has stopped early; K plays the fight again."
_SHARE_HINT = ":share recap shows the players the recap with this curve."
# Seconds without a change before a prepared fight is played.
IDLE = 0.5


class OpenTable(Protocol):
    """The open campaign and fight, as the table has them."""

    @property
    def services(self) -> "Services": ...

    @property
    def campaign(self) -> "Campaign | None": ...

    @property
    def session(self) -> "Session | None": ...


class Forecasts:
    """Shows the odds of the open fight: on a page, and in a line while the fight is prepared.

    The helper of the page ends with the page, and that of the line with the start of the fight.
    """

    def __init__(self, table: OpenTable) -> None:
        self._table, self._loop = table, asyncio.get_running_loop()
        self.helper = HelperProcess(ForecastAnswer, self._show)
        self.line_helper = HelperProcess(ForecastAnswer, self._show_line)
        self._line_timer: asyncio.TimerHandle | None = None
        self._forecast: Forecast | None = None
        self._turning: Turning | None = None
        # The end of the fight for which it was last calculated where it turned, and the result.
        self._drawn: tuple[object, Turning] | None = None
        # How much has been played so far, in words.
        self._progress = ""
        # Why nothing is shown.
        self._problem = ""
        # The prepared fight of the line, its forecast, and that of the fight before the last change.
        self._prepared: Encounter | None = None
        self._line: Forecast | None = None
        self._line_before: Forecast | None = None
        # Whether the page has interrupted what is played for the line.
        self._line_waits = False
        # The words of the line that are on the screen.
        self._line_words = ""

    def open(self) -> None:
        """Open the page and start to play, or say why there is nothing to play."""
        campaign, session, services = self._table.campaign, self._table.session, self._table.services
        if session is None or campaign is None:
            services.say("no fight is open; choose a campaign first", error=True)
            return
        is_over = session.encounter.progress.over
        if not is_over and (why := why_no_forecast(session.encounter)):
            services.say(why, error=True)
            return
        if not self.helper.can_work:
            services.say("the fight can't be played here; affray forecast prints its odds", error=True)
            return
        self.helper.end()
        self._forecast, self._turning, self._problem, self._progress = None, None, "", ""
        services.say("")
        title = "The chance to win, round by round" if is_over else "Odds of the fight"
        services.open_page(title, lambda cells: self._rows(session, cells), closed=self._close)
        # The page plays the same fight.
        self._line_waits = self._line_timer is not None or self.line_helper.is_working
        self._stop_line()
        work = Work("forecast", FIGHTS, SEED, "sensible first")
        if is_over:
            work = Work("turning", FEW_FIGHTS)
        self.helper.ask(campaign, session, work, with_log=is_over)

    def turning_rows(self, session: "Session", cells: int) -> list[Row]:
        """Return where a finished fight turned; no rows if it was not calculated since its last change."""
        if self._drawn is None or self._drawn[0] != session.end:
            return []
        return page_of(turning_lines(session.encounter, session.log, self._drawn[1]), cells)

    def prepared_words(self, encounter: "Encounter") -> str:
        """Return the odds of a prepared fight in one line, or how far the calculation is.

        It says how much the last change has moved the chance to win, with the same dice. "" before the
        calculation, and if there can be none.
        """
        before, self._prepared = self._prepared, encounter
        # Some commands, such as a note, change nothing that is played.
        if encounter is not before and encounter != before:
            self._renew_line(encounter)
        self._line_words = self._words_of_line()
        return self._line_words

    def _renew_line(self, encounter: "Encounter") -> None:
        """Forget the line of the fight before a change, and have the changed one played soon."""
        if self._line is not None and self._is_useful(self._line):
            self._line_before = self._line
        self._line = None
        self._stop_line()
        if not encounter.is_prepared:
            self._line_before = None
            self.line_helper.end()
        elif not why_no_forecast(encounter):
            self._line_timer = self._loop.call_later(IDLE, self._begin_line)

    @property
    def _is_prepared(self) -> bool:
        """Return whether the open fight is the prepared one of the line."""
        session, prepared = self._table.session, self._prepared
        return session is not None and session.encounter is prepared and prepared.is_prepared

    def _words_of_line(self) -> str:
        is_playing = self.line_helper.is_working or self.helper.is_working
        forecast, playing = self._line, "Playing the fight" if is_playing else ""
        if forecast is None:
            return playing
        if not self._is_useful(forecast):
            return f"{playing}, {forecast.fights} of {LINE_FIGHTS} times so far" if playing else ""
        return forecast_summary(forecast, self._line_before)

    def _is_useful(self, forecast: "Forecast") -> bool:
        return forecast.fights >= LINE_FIGHTS or forecast.band.margin <= USEFUL

    def stop(self) -> None:
        """End all processes."""
        self.helper.stop()
        self._prepared = self._line = self._line_before = self._drawn = None
        self._stop_line()
        self.line_helper.stop()

    def _close(self) -> None:
        """End the process of the page, and let the line go on."""
        self.helper.end()
        if self._line_waits:
            self._begin_line()

    def _stop_line(self) -> None:
        """Stop playing for the line."""
        self.line_helper.cancel()
        if self._line_timer is not None:
            self._line_timer.cancel()
            self._line_timer = None

    def _begin_line(self) -> None:
        self._line_timer, campaign, session = None, self._table.campaign, self._table.session
        if campaign is None or session is None or not self._is_prepared:
            return
        if self.line_helper.can_work:
            work = Work("forecast", LINE_FIGHTS, SEED, "by margin")
            self.line_helper.ask(campaign, session, work)
            self._table.services.show_change()

    def _show(self, answer: ForecastAnswer | None) -> None:
        """Show an answer on the page."""
        if answer is None:
            is_known = self._forecast is not None or self._turning is not None
            self._problem = self._problem or (_ENDED if is_known else _NOT_PLAYED)
        elif answer.error:
            self._problem = as_sentence(answer.error)
        elif answer.turning is not None:
            self._turning = answer.turning
            if (session := self._table.session) is not None:
                keep_turning(session, self._turning)
                self._drawn = session.end, self._turning
        elif answer.moment:
            self._progress = f", moment {answer.moment} of {answer.of} "
        elif answer.forecast is not None:
            self._forecast = answer.forecast
            self._progress = f", {self._forecast.fights:,} of {FIGHTS:,} times so far "
            self._show_line(answer)
        self._table.services.renew_page()

    def _show_line(self, answer: ForecastAnswer | None) -> None:
        """Show an answer in the line, unless the fight has changed since or more is known already.

        After a failure, play again a few times.
        """
        if not self._is_prepared:
            return
        if answer is None:
            self._line_timer = self._loop.call_later(IDLE, self._begin_line)
        elif (found := answer.forecast) is not None and (
            self._line is None or found.band.margin <= self._line.band.margin
        ):
            self._line = found
        # Most answers change nothing that is shown, and painting costs more than reading them.
        if self._words_of_line() != self._line_words:
            self._table.services.show_change()

    def _rows(self, session: "Session", cells: int) -> list[Row]:
        """Return the rows of the page."""
        if self._forecast is not None and (self._problem or margin_of(self._forecast) <= BEARABLE):
            return [*forecast_page(session.encounter, self._forecast, cells), *_notice(self._problem, cells)]
        if self._turning is not None:
            return [*self.turning_rows(session, cells), [], *_notice(_SHARE_HINT, cells)]
        words = self._problem or f"Playing the fight{self._progress or ' '}…"
        return _notice(words, cells)


def _notice(words: str, cells: int) -> list[Row]:
    """Return a sentence in rows."""
    return [[(f" {line}", "muted")] for line in wrapped(words, max(10, cells - 2))] if words else []
