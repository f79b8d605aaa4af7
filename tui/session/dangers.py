"""The danger of the players' characters, and the process that calculates it for a screen.

The process reads the fight from the disk. For each line on its standard input it reads the new events of the
log and writes one line of JSON: the number of events, the danger of each character, and what the next
combatants would most likely do.
"""

import json
import os
import random
import sys
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from systems.dice.sources import RandomDice
from systems.encounter.remembered import acted_in_turn
from systems.errors import Wrong
from systems.forecast.danger import danger_of
from systems.forecast.found import Danger
from systems.forecast.plan import likely_next
from tui.campaign.problems import FileProblem
from tui.campaign.watch import Follower
from tui.session.opening import OpenEncounter, open_fight
from tui.session.plain_dangers import plain_dangers, plain_likely
from tui.session.planning import pick_of
from tui.session.session import Session

# The process gives way to everything else on the machine.
_NICENESS = 10
# With fewer digits, an uncertain result could look certain.
_DIGITS = 15


def dangers(session: Session) -> list[Danger]:
    """Return the danger of each player's character that can act; none before the fight and after it."""
    encounter = session.encounter
    if encounter.is_prepared or encounter.progress.over:
        return []
    acted = acted_in_turn(session.log.newest(), encounter)
    found = [
        danger_of(encounter, combatant.id, RandomDice(random.Random(0)), acted)
        for combatant in encounter.in_line()
        if encounter.is_player(combatant)
    ]
    return [danger for danger in found if danger is not None]


class _FollowedFight:
    """A fight on the disk that another program plays."""

    def __init__(self, path: Path, encounter: str) -> None:
        self._path, self._encounter = path, encounter
        self._fight, self._follower = self._opened()

    def _opened(self) -> tuple[OpenEncounter, Follower]:
        fight = open_fight(self._path, self._encounter, write=False)
        return fight, Follower(self._path, self._encounter, fight.end)

    def session(self) -> Session:
        """Return the session with all events that are on the disk now."""
        try:
            self._fight.session.follow(self._follower.news())
        except (FileProblem, Wrong, KeyError, ValueError):
            # The log was replaced.
            self._fight, self._follower = self._opened()
        return self._fight.session


def main() -> None:
    """Answer each line on standard input. The arguments are the campaign's folder and the encounter."""
    with suppress(OSError, AttributeError):
        os.nice(_NICENESS)
    requests: SimpleQueue[str] = SimpleQueue()
    Thread(target=_read_requests, args=(requests,), daemon=True).start()
    fight = _FollowedFight(Path(sys.argv[1]), sys.argv[2])
    while True:
        requests.get()
        session = fight.session()
        combatants = plain_dangers(dangers(session), _DIGITS)
        likely = plain_likely(likely_next(session.encounter, pick_of(session)))
        answer = {"events": len(session.log.events), "combatants": combatants, "likely": likely}
        print(json.dumps(answer), flush=True)


def _read_requests(requests: "SimpleQueue[str]") -> None:
    """Pass on the lines of standard input, and end the process at their end, even while it calculates."""
    for line in sys.stdin:
        requests.put(line)
    os._exit(0)
