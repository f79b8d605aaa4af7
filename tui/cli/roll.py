"""`affray roll DICE`: print a roll on one line, or with `--odds` its exact distribution."""

import sys
from argparse import Namespace
from random import Random

from systems.dice.expression import DiceError
from systems.dice.notation import describe, odds, roll
from systems.dice.sources import RandomDice
from systems.text import clean
from tui.terminal.notice import LONGEST_ERROR

_WIDTH = 40
_LONGEST = 100_000


def run(arguments: Namespace) -> int:
    text = " ".join(arguments.dice).strip()
    try:
        if arguments.odds:
            _print_odds(text)
        else:
            print(clean(describe(roll(text, RandomDice(Random(arguments.seed)))), _LONGEST))
    except DiceError as error:
        print(f"affray: {clean(str(error), LONGEST_ERROR)}", file=sys.stderr)
        return 1
    return 0


def _print_odds(text: str) -> None:
    """Print one line per total: its chance, the chance of at least as much, and a bar.

    A blank line separates several rolls.
    """
    for number, distribution in enumerate(odds(text)):
        if number:
            print()
        most = max(distribution.values())
        rest = sum(distribution.values())
        for total, chance in sorted(distribution.items()):
            bar = "█" * max(1, round(_WIDTH * chance / most))
            print(f"{total:>6} {float(chance):>9.4%}  {float(rest):>9.4%} or more  {bar}")
            rest -= chance
        if not distribution.exact:
            print(f"       {float(distribution.tail):.1e}  beyond this, still exploding")
