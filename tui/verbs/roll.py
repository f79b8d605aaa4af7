"""`affray roll DICE`: a roll told on one line, or with `--odds` its exact distribution."""

import sys
from argparse import Namespace
from random import Random

from systems.dice import RandomDice
from systems.notation import describe, odds, roll
from systems.notation_line import DiceError

_WIDTH = 40


def run(arguments: Namespace) -> int:
    text = " ".join(arguments.dice)
    try:
        if arguments.odds:
            _print_odds(text)
        else:
            print(describe(roll(text, RandomDice(Random(arguments.seed)))))
    except DiceError as error:
        print(f"affray: {error}", file=sys.stderr)
        return 1
    return 0


def _print_odds(text: str) -> None:
    """One line a total: its chance, a bar, and the chance of at least as much."""
    for one in odds(text):
        most = max(one.values())
        rest = sum(one.values())
        for total, chance in sorted(one.items()):
            bar = "█" * max(1, round(_WIDTH * chance / most))
            print(f"{total:>6} {float(chance):>9.4%}  {float(rest):>9.4%} or more  {bar}")
            rest -= chance
        if not one.exact:
            print(f"       {float(one.tail):.1e}  still exploding beyond")
