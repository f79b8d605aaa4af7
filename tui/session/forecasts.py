"""Forecasts of the fight of a session, and the process that plays them for a screen.

The process reads the fight from the disk. After each batch it writes one line of JSON with all fights so far,
until it has played them all or its standard input ends.
"""

import json
import os
import random
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic

import attrs

from systems.dice.sources import Streams
from systems.encounter.model import Encounter
from systems.encounter.remembered import actions_in_turn
from systems.errors import Refused
from systems.forecast.choice import Temper
from systems.forecast.fight import FightDice, Roster, play_fight, winner_of
from systems.forecast.known_worths import KnownWorths
from systems.forecast.tally import TEMPERS, Forecast, Tally
from systems.forecast.turning import PlayedMoment, Turning, WinChance, turning_of
from tui.campaign.progress import Tell, silent
from tui.session.opening import open_fight
from tui.session.plain_forecasts import sent_forecast
from tui.session.session import Session

SEED = 1
# For a choice, the health of targets is rounded up to tenths: three times as fast, with the same results.
HEALTH_PARTS = 10
# Fights from each moment of a fight that is over.
FEW_FIGHTS = 100
# The process gives way to everything else on the machine.
_NICENESS = 10
# Seconds between two lines of the process.
_BATCH = 0.7
# Seconds until the first one at the latest; it comes at once after so many fights of each temper.
_FIRST, _ENOUGH = 1.2, 20
# So far apart are the seeds of two forecasts, that none of their fights are the same.
_APART = 1_000_003


class Forecaster:
    """Plays fights from one encounter and counts them, first one of each temper, then the next of each.

    Fight number N has the same dice for every temper and in every forecast with this seed.
    """

    def __init__(
        self,
        encounter: Encounter,
        roster: Roster,
        seed: int,
        done: Mapping[str, int],
        tempers: Sequence[Temper] = TEMPERS,
        worths: KnownWorths | None = None,
    ) -> None:
        self._encounter, self._roster, self._seed, self._done = encounter, roster, seed, done
        self._tempers, self._worths = tempers, worths or KnownWorths(HEALTH_PARTS)
        self._tally, self._played = Tally(encounter), 0

    def play(self) -> None:
        """Play the next fight against foes of each temper. Raises Refused if the fight cannot start."""
        number = self._seed * _APART + self._played
        for temper in self._tempers:
            dice = FightDice(Streams(number, random.Random(number), random.Random))
            fight = play_fight(self._encounter, self._roster, dice, temper, self._worths, self._done)
            self._tally.add(temper, fight)
        self._played += 1

    def forecast(self) -> Forecast:
        """Return what the fights so far say."""
        return self._tally.forecast()


def forecaster_of(session: Session, seed: int = SEED) -> Forecaster:
    """Return what plays the fight of a session from now on. Raises Refused if there is nothing to play."""
    encounter = session.encounter
    if why := why_no_forecast(encounter):
        raise Refused(why)
    done = actions_in_turn(session.log.newest(), encounter)
    return Forecaster(encounter, session.roster, seed, done)


def where_it_turned(session: Session, fights: int, tell: Tell = silent) -> Turning:
    """Return the players' chance after each round, with sensible foes, and the event that moved it most.

    `fights`: how many are played from each moment. `tell`: called with the moments done so far and their
    number.
    """
    worths = KnownWorths(HEALTH_PARTS)

    def find(moment: PlayedMoment) -> WinChance:
        if winner := winner_of(moment.encounter):
            return WinChance(moment.round, moment.event, float(winner == "won"), 0.0)
        events = (event for event in session.log.newest() if event.n <= moment.event)
        done = actions_in_turn(events, moment.encounter)
        playing = Forecaster(moment.encounter, session.roster, SEED, done, ("sensible",), worths)
        for _ in range(fights):
            playing.play()
        odds = playing.forecast().tempers["sensible"]
        return WinChance(moment.round, moment.event, odds.win, odds.margin)

    return turning_of(session.encounter, session.log, find, tell)


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


def main() -> None:
    """Forecast a fight. The arguments are the campaign's folder, the encounter, the fights and the seed."""
    with suppress(OSError, AttributeError):
        os.nice(_NICENESS)
    Thread(target=_end_with_input, daemon=True).start()
    session = open_fight(Path(sys.argv[1]), sys.argv[2], write=False).session
    if session.encounter.progress.over:
        _send_turning(session, int(sys.argv[3]))
        return
    try:
        _send(session, int(sys.argv[3]), int(sys.argv[4]))
    except Refused as refused:
        print(json.dumps({"error": str(refused)}), flush=True)


def _send(session: Session, fights: int, seed: int) -> None:
    next_line, events = monotonic() + _FIRST, len(session.log.events)
    forecaster = forecaster_of(session, seed)
    for number in range(1, fights + 1):
        forecaster.play()
        if number in (_ENOUGH, fights) or monotonic() >= next_line:
            next_line = monotonic() + _BATCH
            print(json.dumps({"events": events, **sent_forecast(forecaster.forecast())}), flush=True)


def _send_turning(session: Session, fights: int) -> None:
    def tell(done: int, of: int) -> None:
        print(json.dumps({"done": done, "of": of}), flush=True)

    print(json.dumps({"turning": attrs.asdict(where_it_turned(session, fights, tell))}), flush=True)


def _end_with_input() -> None:
    """End the process when its standard input ends, even while it plays."""
    sys.stdin.read()
    os._exit(0)
