"""The command `note`: write a note into the log, for the game master or for everybody.

A player's note is about the own character. The game master and that player read it.
"""

import re

from systems.commands.declaration import CommandKind, Described, Requester, seat_text
from systems.commands.transaction import Transaction
from systems.contract.marked_text import as_actor, possessive
from systems.encounter.model import Combatant, Encounter
from systems.errors import Misread, Refused
from systems.frozen import evolve, frozen
from systems.language.declaration import text_after
from systems.language.intents import Intent


@frozen
class Note(Intent):
    """Write a note. `for_all`: the players see it as well.

    `who`: the id of the character whose player writes it, "" for the game master.
    """

    text: str
    for_all: bool = False
    who: str = ""


def _read(line: str) -> Intent:
    """Read the text as typed. An unquoted `for all` at its end shows the note to the players."""
    text = text_after(line)
    shared = re.fullmatch(r"(.*\S)?\s*\bfor\s+all", text, re.IGNORECASE)
    if shared:
        text = shared[1] or ""
    if not text:
        raise Misread("the text of the note is missing", len(line), len(line))
    return Note(text, for_all=bool(shared))


def _carry_out(transaction: Transaction, note: Note) -> None:
    transaction.record(actor=note.who, text=note.text, for_all=note.for_all)
    if note.who:
        name = as_actor(transaction.combatant(note.who).name)
        transaction.say(f"{possessive(name)} note: {note.text}", [note.who], owners=[note.who])
    else:
        transaction.say(note.text, seen="all" if note.for_all else "gm")


def _own_intent(asker: Requester, note: Note) -> tuple[Combatant, Intent]:
    if note.for_all:
        raise Refused("your notes are for the game master; say TEXT is for all")
    writer = asker.speaker()
    return writer, evolve(note, text=seat_text(note.text), who=writer.id)


def _words(encounter: Encounter, note: Note) -> str:
    return f"note: {note.text}"


def _title(described: Described) -> str:
    text = described.option("text")
    return f'the note "{text}"' if text else ""


NOTE = CommandKind(
    "note",
    ("note TEXT [for all]",),
    "write a note into the log",
    read_text=_read,
    carry_out=_carry_out,
    line=lambda note: f"note {note.text}",
    words=_words,
    blank=Note(""),
    title=_title,
    own_intent=_own_intent,
    goes_through="always",
    needs_no_turn=True,
)
