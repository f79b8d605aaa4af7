"""Forecasts of a fight, which play it on many times, and the event that turned it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from systems.dice.sources import Streams
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.forecast.choice import Temper
from systems.forecast.fight import FightDice, JoiningEntries, PlayedFight, play_fight, winner_of
from systems.forecast.known_worths import KnownWorths
from systems.forecast.moves import actions_done
from systems.forecast.tally import (
    BOTH_SENSIBLE,
    PLAYERS_TEMPERS,
    TEMPERS,
    Forecast,
    Tally,
    Tempers,
    could_be_end,
)
from systems.forecast.turning import PlayedMoment, Turning, WinChance, turning_of
from systems.frozen import frozen
from systems.text import clean
from tui.campaign.progress import Tell, silent, without_garbage_collection
from tui.session.live_fight import LiveFight, live_fight
from tui.session.plain_forecasts import share_line
from tui.session.work import Sharing, WorkAnswer

if TYPE_CHECKING:
    from tui.session.session import Session

SEED = 1
# For a choice, a large health of targets is rounded up to tenths: faster, with nearly the same results.
HEALTH_PARTS = 10
# Fights from each moment of a fight that is over.
FEW_FIGHTS = 100
# Fights of a typed line against foes of each temper, if it gives no number: a few seconds.
TYPED_FIGHTS, MOST_FIGHTS = 50, 10_000
# The first fights of an even forecast are played with each temper of each side.
_WITH_EACH = 50
# The first fights with each temper in a forecast that shares them by its margins.
_FIRST_FEW = 8
# The margin with both sides sensible counts three times until it is 5 points.
_EXACT, _SENSIBLE_FIRST = 0.05, 3
# How much the margin of a temper counts that cannot be an end of the band.
_IN_THE_MIDDLE = 0.5
# So far apart are the seeds of two forecasts, that none of their fights are the same.
_APART = 1_000_003


@frozen
class ForecastAnswer(WorkAnswer):
    """A forecast of all fights so far, or where the fight turned, or the moment that is being played.

    `moment`: its number, from 1, or 0. `of`: the number of moments.
    """

    forecast: Forecast | None = None
    turning: Turning | None = None
    moment: int = 0
    of: int = 0


class Forecaster:
    """Plays fights from one encounter and counts them.

    `tempers`: of the foes, with sensible players. `players`: of the players' side, with sensible foes. Fight
    number N has the same dice for every temper and in every forecast with this seed. `sharing`: "evenly"
    plays fight number N with each temper. The other ways play a few with each, and then always with the
    temper whose chance has the largest margin. It counts half for a temper that is surely no end of the band,
    and with "sensible first" it counts three times for both sides sensible, until that is within 5 points.
    """

    def __init__(
        self,
        encounter: Encounter,
        roster: JoiningEntries,
        seed: int,
        done: Mapping[str, int],
        tempers: Sequence[Temper] = TEMPERS,
        worths: KnownWorths | None = None,
        players: Sequence[Temper] = PLAYERS_TEMPERS,
        *,
        sharing: Sharing = "evenly",
    ) -> None:
        self._sharing = sharing
        self._encounter, self._roster, self._seed, self._done = encounter, roster, seed, done
        self._foes: list[Tempers] = [(temper, "sensible") for temper in tempers]
        self._players: list[Tempers] = [("sensible", temper) for temper in players]
        self._worths = worths or KnownWorths(HEALTH_PARTS)
        self._tally, self._played = Tally(encounter), 0

    def play(self, fights: int) -> Iterator[int]:
        """Play this many more fights with both sides sensible, and those with other tempers that are due.

        Yield often how many of them are done. Raises Refused if the fight cannot start.
        """
        # The worths stay alive, and scanning them again and again would only cost time.
        with without_garbage_collection():
            if self._sharing == "evenly":
                for done in range(1, fights + 1):
                    self._play_each()
                    yield done
                return
            before, done = self._tally.odds(BOTH_SENSIBLE).fights, 0
            while done < fights:
                self._play(self._most_uncertain(before + fights))
                done = self._tally.odds(BOTH_SENSIBLE).fights - before
                yield done

    def _play_each(self) -> None:
        """Play the next fight with each temper, after the first ones less often with those of the players."""
        number = self._played
        for tempers in (*self._foes, *(self._players if number < _WITH_EACH or number % 2 == 0 else ())):
            self._play(tempers, number)
        self._played += 1

    def _most_uncertain(self, fights: int) -> Tempers:
        """Return the tempers that the next fight should have. Each gets at most this number of fights."""
        odds = {tempers: self._tally.odds(tempers) for tempers in (*self._foes, *self._players)}
        fewest = min(odds, key=lambda tempers: odds[tempers].fights)
        if odds[fewest].fights < min(_FIRST_FEW, fights):
            return fewest

        def uncertainty(tempers: Tempers) -> float:
            margin = odds[tempers].margin
            if tempers == BOTH_SENSIBLE and self._sharing == "sensible first" and margin > _EXACT:
                return _SENSIBLE_FIRST * margin
            # Rounds and falls are those of sensible fights, so these always count.
            counts = tempers == BOTH_SENSIBLE or could_be_end(odds[tempers], odds.values())
            return margin if counts else _IN_THE_MIDDLE * margin

        return max((each for each in odds if odds[each].fights < fights), key=uncertainty)

    def _play(self, tempers: Tempers, number: int | None = None) -> None:
        """Play a fight with these tempers. `number`: that of its dice; None for the next one."""
        if number is None:
            number = self._tally.odds(tempers).fights
        self._tally.add(tempers, self._fight(*tempers, number))

    def _fight(self, foes: Temper, players: Temper, number: int) -> PlayedFight:
        seed = self._seed * _APART + number
        dice = FightDice(Streams(seed, random.Random(seed), random.Random))
        return play_fight(self._encounter, self._roster, dice, foes, self._worths, self._done, players)

    def forecast(self) -> Forecast:
        """Return what the fights so far say."""
        return self._tally.forecast()


def forecaster_of(fight: LiveFight, seed: int = SEED, *, sharing: Sharing = "evenly") -> Forecaster:
    """Return what plays a fight from now on; see Forecaster. Raises Refused if there is nothing to play."""
    if why := why_no_forecast(fight.encounter):
        raise Refused(why)
    return Forecaster(fight.encounter, fight.roster, seed, fight.done, sharing=sharing)


def typed_fights(words: str) -> int:
    """Return the number of fights in a line such as `forecast 200`, from the words after its first one.

    Raises Refused if they are no such number.
    """
    if not words:
        return TYPED_FIGHTS
    if not (words.isascii() and words.isdigit() and 1 <= int(words[:9]) <= MOST_FIGHTS):
        raise Refused(f"{clean(words, 40)}: expected a number of fights from 1 to {MOST_FIGHTS:,}")
    return int(words)


def recap_fights(words: str) -> int:
    """Return the fights from each moment for a line such as `recap chances` or `recap chances 200`.

    `words`: those after its first one; 0 without any. Raises Refused for other words.
    """
    first, _, rest = words.partition(" ")
    if first.casefold() not in ("", "chances"):
        raise Refused(f"recap takes only the word chances, not {clean(words, 40)}")
    return typed_fights(rest.strip()) if first else 0


def where_it_turned(fight: LiveFight, log: History, fights: int, tell: Tell = silent) -> Turning:
    """Return the players' chance after each round, with sensible foes, and the event that moved it most.

    `log`: the events of the fight. `fights`: how many are played from each moment. `tell`: called with the
    moments done so far and their number.
    """
    worths = KnownWorths(HEALTH_PARTS)

    def find(moment: PlayedMoment) -> WinChance:
        if winner := winner_of(moment.encounter):
            return WinChance(moment.round, moment.event, float(winner == "won"), 0.0)
        events = (event for event in log.newest() if event.n <= moment.event)
        done = actions_done(events, moment.encounter)
        playing = Forecaster(moment.encounter, fight.roster, SEED, done, ("sensible",), worths, ())
        for _ in playing.play(fights):
            pass
        odds = playing.forecast().tempers["sensible"]
        return WinChance(moment.round, moment.event, odds.win, odds.margin)

    return turning_of(fight.encounter, log, find, tell)


def why_no_forecast(encounter: Encounter) -> str:
    """Return why a fight cannot be played, or ""."""
    if encounter.progress.over:
        return "the fight is over, so there is nothing to forecast"
    if not any(encounter.is_player(each) for each in encounter):
        return "nobody is on the players' side; add characters first"
    if all(encounter.is_player(each) for each in encounter):
        return "the players have no foes; add creatures first"
    if winner_of(encounter):
        return "one side can no longer act, so the fight is decided"
    return ""


def calculated_turning(session: "Session", fights: int, tell: Tell = silent) -> Turning:
    """Return where the fight of a session turned, and keep it for a recap that players get."""
    turning = where_it_turned(live_fight(session), session.log, fights, tell)
    keep_turning(session, turning)
    return turning


def keep_turning(session: "Session", turning: Turning) -> None:
    """Have the command that shows players the recap of this finished fight include these chances."""
    if session.encounter.progress.over:
        session.drawn = session.end, share_line(turning)
