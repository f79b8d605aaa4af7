"""The errors with which a command is refused; the words of each are one sentence for a person."""

from systems.contract.table import WrongChoice
from systems.dice.expression import DiceError
from systems.dice.scripted import WrongDie
from systems.errors import Refused, Wrong
from systems.odds import TooManyDice
from tui.campaign.problems import FileProblem

# What a person may have asked for that cannot be.
CANNOT_BE = (Refused, Wrong, WrongDie, WrongChoice, DiceError, FileProblem, TooManyDice)


class ReadOnly(ValueError):
    """Another program has the campaign; this one only looks on."""

    def __init__(self) -> None:
        super().__init__("another program has this campaign; here you only look on")
