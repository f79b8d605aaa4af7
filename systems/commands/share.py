"""The command `share recap`: show the recap of a finished fight to the players.

The line may carry the players' chances to win after each round. Programs add them if the game master has had
them calculated.
"""

import re
from collections.abc import Mapping

from systems.commands.declaration import CommandKind, Described
from systems.commands.transaction import Transaction
from systems.encounter.events import Event
from systems.encounter.history import History
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine

NAME = "share"
_CHANCES = re.compile(r"[0-9]{1,3}:[0-9]{1,3}(,[0-9]{1,3}:[0-9]{1,3}){0,200}")
_TURNED = re.compile(r"[0-9]{1,9}:-?[0-9]{1,3}")
_MARGIN = re.compile(r"[0-9]{1,3}")
_EXAMPLES = {"chances": "0:62,1:55", "turned": "12:-20", "margin": "10"}


@frozen
class ShareRecap(Intent):
    """Show the recap to the players.

    `chances`: by round, the players' chance to win in percent, such as `0:62,1:55`; "" leaves them out.
    `turned`: the number of the event that moved them most, and by how many points, such as `12:-20`.
    `margin`: how far a chance may be off, in points.
    """

    chances: str = ""
    turned: str = ""
    margin: str = ""

    @property
    def curve(self) -> Mapping[int, int]:
        """Return the chances in percent by round."""
        return dict(_pair(each) for each in self.chances.split(",") if each)

    @property
    def moved(self) -> tuple[int, int]:
        """Return the event that moved the chances most and the points; zeros if there is none."""
        return _pair(self.turned) if self.turned else (0, 0)


def _pair(text: str) -> tuple[int, int]:
    first, second = text.split(":")
    return int(first), int(second)


def shared_recap(log: History) -> ShareRecap | None:
    """Return how the recap of a finished fight is shown to the players, or None."""
    for event in log.newest():
        if event.command == "end":
            break
        if event.command == NAME:
            return _intent_of(event)
    return None


def _intent_of(event: Event) -> ShareRecap:
    found = SHARE.intent_in(event)
    return found if isinstance(found, ShareRecap) and _is_valid(found) else ShareRecap()


def _is_valid(intent: ShareRecap) -> bool:
    """Return whether the chances can be read. A log may have been edited by hand."""
    forms = ((intent.chances, _CHANCES), (intent.turned, _TURNED), (intent.margin, _MARGIN))
    return all(not text or form.fullmatch(text) for text, form in forms)


def _read(taken: TokenLine) -> Intent:
    word = taken.take("the word recap")
    if not word.says("recap"):
        raise word.wrong("expected share recap")
    return ShareRecap(
        _taken(taken, "chances", _CHANCES), _taken(taken, "turned", _TURNED), _taken(taken, "margin", _MARGIN)
    )


def _taken(taken: TokenLine, name: str, form: re.Pattern[str]) -> str:
    """Return the value of an option, or "". Raises Misread."""
    word = taken.take_option(name)
    if word is None:
        return ""
    if not form.fullmatch(word.text):
        raise word.wrong(f"{name}: expected a value such as {_EXAMPLES[name]}")
    return word.text


def _carry_out(transaction: Transaction, intent: ShareRecap) -> None:
    if not transaction.encounter.progress.over:
        raise Refused("players get the recap after the fight; end it first")
    transaction.say("The recap is shown to the players.", seen="all")


def _title(described: Described) -> str:
    return "the recap for the players"


SHARE = CommandKind(
    NAME,
    ("share recap",),
    "show the recap of a finished fight to the players",
    _read,
    carry_out=_carry_out,
    blank=ShareRecap(),
    title=_title,
)
