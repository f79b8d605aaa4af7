"""Compare the fights of a forecast with fights that are played by typed commands, with the same dice.

`python -m tests.bench.typed SAMPLE FIGHTS` plays the prepared fight of a sample many times in both ways, and
prints the seeds for which any sheet differs at the end.
"""

import sys

from systems.errors import Refused
from systems.forecast.fight import PlayedFight, play_fight
from systems.forecast.known_worths import KnownWorths
from tests.command import PREPARED, SAMPLES
from tests.systems.fight import Fight
from tests.systems.forecast.test_fight import by_hand, dice
from tui.session.opening import open_fight


def compared(sample: str, seed: int, worths: KnownWorths) -> tuple[PlayedFight, Fight]:
    """Return the fight of a sample as a forecast plays it, and as typed commands play it."""
    session = open_fight(SAMPLES / sample, PREPARED[sample], write=False).session
    fight = Fight(session.game)
    fight.encounter, fight.roster = session.encounter, dict(session.roster)
    quiet = play_fight(fight.encounter, fight.roster, dice(seed), "sensible", worths)
    by_hand(fight, seed)
    return quiet, fight


def main(sample: str, fights: str) -> int:
    worths, unlike = KnownWorths(), 0
    for seed in range(int(fights)):
        try:
            quiet, fight = compared(sample, seed, worths)
        except Refused as refused:
            unlike += 1
            print(f"{sample} {seed}: {refused}", flush=True)
            continue
        sheets = {who: each.sheet for who, each in fight.encounter.combatants.items()}
        if {who: each.sheet for who, each in quiet.after.combatants.items()} != sheets:
            unlike += 1
            print(f"{sample} {seed}: {quiet.end} after round {quiet.rounds}, typed {fight.round}", flush=True)
    print(f"{sample}: {unlike} of {fights} fights differ")
    return int(unlike > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
