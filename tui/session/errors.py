"""Errors that refuse a command. The message of each is one sentence for the user."""

from systems.contract.table import WrongChoice
from systems.dice.expression import DiceError
from systems.dice.scripted import WrongDie
from systems.errors import Refused, Wrong
from systems.odds import TooManyDice
from tui.campaign.lock import READ_ONLY
from tui.campaign.problems import FileProblem

# Errors for commands that the user may type but that cannot be carried out.
CANNOT_BE = (Refused, Wrong, WrongDie, WrongChoice, DiceError, FileProblem, TooManyDice)


class ReadOnly(ValueError):
    """Another program has the campaign open, so nothing can be changed here."""

    def __init__(self) -> None:
        super().__init__(READ_ONLY)
