"""Forecasts of a fight, which play it on many times, and the event that turned it."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from systems.dice.sources import Streams
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.forecast.choice import Temper
from systems.forecast.fight import FightDice, PlayedFight, Roster, play_fight, winner_of
from systems.forecast.known_worths import KnownWorths
from systems.forecast.moves import actions_done
from systems.forecast.tally import PLAYERS_TEMPERS, TEMPERS, Forecast, Tally
from systems.forecast.turning import PlayedMoment, Turning, WinChance, turning_of
from systems.text import clean
from tui.campaign.progress import Tell, silent, without_garbage_collection
from tui.session.live_fight import LiveFight, live_fight
from tui.session.plain_forecasts import share_line

if TYPE_CHECKING:
    from tui.session.session import Session

SEED = 1
# For a choice, a large health of targets is rounded up to tenths: faster, with nearly the same results.
HEALTH_PARTS = 10
# Fights from each moment of a fight that is over.
FEW_FIGHTS = 100
# Fights of a typed line against foes of each temper, if it gives no number: a few seconds.
TYPED_FIGHTS, MOST_FIGHTS = 50, 10_000
# The first fights are played with each temper of each side, the later ones mostly with both sides sensible.
_WITH_EACH = 50
_SENSIBLE: tuple[Temper, Temper] = ("sensible", "sensible")
# So far apart are the seeds of two forecasts, that none of their fights are the same.
_APART = 1_000_003


class Forecaster:
    """Plays fights from one encounter and counts them, first one of each temper, then the next of each.

    `tempers`: of the foes, with sensible players. `players`: of the players' side, with sensible foes. Fight
    number N has the same dice for every temper and in every forecast with this seed. `evenly`: whether there
    are as many fights with each temper of the foes; else most are with both sides sensible, which makes that
    chance exact sooner.
    """

    def __init__(
        self,
        encounter: Encounter,
        roster: Roster,
        seed: int,
        done: Mapping[str, int],
        tempers: Sequence[Temper] = TEMPERS,
        worths: KnownWorths | None = None,
        players: Sequence[Temper] = PLAYERS_TEMPERS,
        *,
        evenly: bool = True,
    ) -> None:
        self._players, self._evenly = players, evenly
        self._encounter, self._roster, self._seed, self._done = encounter, roster, seed, done
        self._tempers, self._worths = tempers, worths or KnownWorths(HEALTH_PARTS)
        self._tally, self._played = Tally(encounter), 0

    def play(self, fights: int) -> Iterator[int]:
        """Play this many fights with the tempers that are due; yield after each how many of them are done.

        Raises Refused if the fight cannot start.
        """
        # The worths stay alive, and scanning them again and again would only cost time.
        with without_garbage_collection():
            for done in range(1, fights + 1):
                self._play_next()
                yield done

    def _play_next(self) -> None:
        for foes, players in self._due():
            fight = self._fight(foes, players)
            if players == "sensible":
                self._tally.add(foes, fight)
            else:
                self._tally.add_players(players, fight)
        self._played += 1

    def _due(self) -> Iterator[tuple[Temper, Temper]]:
        """Yield the tempers of the foes and of the players' side for the next fight."""
        number = self._played
        of_foes: list[tuple[Temper, Temper]] = [(temper, "sensible") for temper in self._tempers]
        of_players: list[tuple[Temper, Temper]] = [("sensible", temper) for temper in self._players]
        if number < _WITH_EACH:
            yield from (*of_foes, *of_players)
        elif self._evenly:
            yield from (*of_foes, *(of_players if number % 2 == 0 else ()))
        else:
            others = [pair for pair in (*of_foes, *of_players) if pair != _SENSIBLE]
            yield _SENSIBLE
            if number % 2 == 0 and others:
                yield others[number // 2 % len(others)]

    def _fight(self, foes: Temper, players: Temper) -> PlayedFight:
        number = self._seed * _APART + self._played
        dice = FightDice(Streams(number, random.Random(number), random.Random))
        return play_fight(self._encounter, self._roster, dice, foes, self._worths, self._done, players)

    def forecast(self) -> Forecast:
        """Return what the fights so far say."""
        return self._tally.forecast()


def forecaster_of(fight: LiveFight, seed: int = SEED, *, evenly: bool = True) -> Forecaster:
    """Return what plays a fight from now on; see Forecaster. Raises Refused if there is nothing to play."""
    if why := why_no_forecast(fight.encounter):
        raise Refused(why)
    return Forecaster(fight.encounter, fight.roster, seed, fight.done, evenly=evenly)


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
