"""Limits of exact odds, and the error when they would take longer."""

from systems.errors import InputError

MOST_BRANCHES = 200_000
MOST_REPEATED = 10_000  # branches in a repetition until a result is accepted: one frame
MOST_SPREAD = 20_000
MOST_BITS = 1_000_000  # of the number that a convolution multiplies out to: some milliseconds
MOST_WORK = 16_000  # of dice in notation, in microseconds (distribution.MOST_WORK): one frame


class TooManyDice(InputError, ValueError):
    """The exact odds would take too long."""

    code = "dice"

    def __init__(self) -> None:
        super().__init__("too many dice for exact odds")
