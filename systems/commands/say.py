"""The command `say`: speech of the game master, or of a character whose player says something."""

from systems.commands.declaration import CommandKind, Described, Requester, seat_text
from systems.commands.transaction import Transaction
from systems.contract.marked_text import as_actor
from systems.encounter.model import Combatant, Encounter
from systems.errors import Misread
from systems.frozen import evolve, frozen
from systems.language.declaration import text_after
from systems.language.intents import Intent


@frozen
class Say(Intent):
    """Say something. `who`: the id of the character that speaks, "" for the game master."""

    text: str
    who: str = ""


def _read(line: str) -> Intent:
    text = text_after(line)
    if not text:
        raise Misread("the text to say is missing", len(line), len(line))
    return Say(text)


def _carry_out(transaction: Transaction, say: Say) -> None:
    transaction.record(actor=say.who, text=say.text)
    if say.who:
        # The speech of a hidden character must not show that it is there.
        name = as_actor(transaction.combatant(say.who).name)
        transaction.say(f"{name} says: {say.text}", [say.who])
    else:
        transaction.say(f"The game master says: {say.text}", seen="all")


def _own_intent(asker: Requester, say: Say) -> tuple[Combatant, Intent]:
    speaker = asker.speaker()
    return speaker, evolve(say, text=seat_text(say.text), who=speaker.id)


def _words(encounter: Encounter, say: Say) -> str:
    return f"say: {say.text}"


def _title(described: Described) -> str:
    text = described.option("text")
    return f'the words "{text}"' if text else ""


SAY = CommandKind(
    "say",
    ("say TEXT",),
    "say something that everybody reads in the log",
    read_text=_read,
    carry_out=_carry_out,
    line=lambda say: f"say {say.text}",
    words=_words,
    blank=Say(""),
    title=_title,
    own_intent=_own_intent,
    goes_through="always",
    needs_no_turn=True,
)
