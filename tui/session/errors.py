"""The errors with which a command is refused; the words of each are one sentence for a person."""

from systems.contract.table import WrongChoice
from systems.dice.expression import DiceError
from systems.dice.sources import WrongDie
from systems.errors import Refused, Wrong
from systems.odds import TooManyDice
from tui.campaign.problems import FileProblem

# What a person may have asked for that cannot be.
CANNOT_BE = (Refused, Wrong, WrongDie, WrongChoice, DiceError, FileProblem, TooManyDice)
