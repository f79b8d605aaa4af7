"""The command `note`: write a note into the log, for the game master or for everybody."""

import re

from systems.commands.declaration import CommandKind, Described
from systems.commands.transaction import Transaction
from systems.errors import Misread
from systems.frozen import frozen
from systems.language.declaration import text_after
from systems.language.intents import Intent


@frozen
class Note(Intent):
    """Write a note. `for_all`: the players see it as well."""

    text: str
    for_all: bool = False


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
    transaction.record(text=note.text, for_all=note.for_all)
    transaction.say(note.text, seen="all" if note.for_all else "gm")


def _title(described: Described) -> str:
    text = described.option("text")
    return f'the note "{text}"' if text else ""


NOTE = CommandKind(
    "note",
    ("note TEXT [for all]",),
    "write a note into the log",
    read_text=_read,
    carry_out=_carry_out,
    blank=Note(""),
    title=_title,
)
