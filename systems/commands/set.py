"""The command `set`: set a field of a sheet."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from systems.commands.declaration import CommandKind, Described, Recorded, Requester, parts_given
from systems.commands.edit import set_field
from systems.commands.transaction import Transaction
from systems.contract.marked_text import possessive
from systems.contract.ruleset import Ruleset
from systems.encounter.lookup import single
from systems.encounter.model import Combatant, Encounter
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve, frozen
from systems.language.intents import Intent
from systems.language.paths import field_and_value, path_meant, path_words
from systems.language.tokens import words_of
from systems.text import clean, spoken


@frozen
class SetField(Intent):
    """Set a field of a sheet by its path. `quoted`: the path has quotes, so an unknown name is a new one."""

    who: str
    field: str
    value: str
    quoted: bool = False


_GLUED = re.compile(r"([^\W\d_]+)([0-9]+(?:/[0-9]+)?)")  # a field and its number without a space: life24


def _read(line: str) -> Intent:
    """Read `set WHO FIELD VALUE`. The value is the rest of the line, without quotes around it."""
    words = words_of(line)[1:]
    if len(words) == 2 and (glued := _GLUED.fullmatch(words[1].text)) and not words[1].quoted:
        return SetField(words[0].text, glued[1], glued[2])
    for what in ("the name", "the field", "the value")[len(words) :]:
        raise Misread(f"{what} is missing", len(line), len(line))
    who, field, first, *others = words
    value = line[first.start :].strip() if others else first.text
    return SetField(who.text, field.text, value, '"' in line[field.start : field.end])


def _carry_out(transaction: Transaction, intent: SetField) -> None:
    here = transaction.encounter
    changed = single(here, intent.who).id
    field, value = field_and_value(here.combatants[changed].sheet, intent.field, intent.value)
    transaction.record(targets=[changed], field=field, value=value)
    set_field(transaction, changed, field, value, quoted=intent.quoted)


def _words(encounter: Encounter, intent: SetField) -> str:
    sheet = encounter.combatants[intent.who].sheet
    field, value = field_and_value(sheet, intent.field, intent.value)
    try:
        return f"set {path_words(type(sheet), path_meant(sheet, field))} to {value}"
    except (Misread, Refused, Wrong):
        return f"set {field} to {value}"


def _own_intent(asker: Requester, intent: SetField) -> tuple[Combatant, Intent]:
    actor = asker.own(intent.who)
    if _sets(actor.sheet, intent, "habits"):
        raise Refused("habits are the game master's")
    if _sets(actor.sheet, intent, "name"):
        # A character could take the name of another, or of the game master.
        asker.need_consent()
    return actor, evolve(intent, who=actor.id)


def _sets(sheet: Any, intent: SetField, name: str) -> bool:
    """Return whether this field of a character is set."""
    with suppress(Misread, Refused, Wrong):
        return path_meant(sheet, field_and_value(sheet, intent.field, intent.value)[0]) == (name,)
    return False


def _with_ids(intent: SetField, recorded: Recorded) -> Intent:
    # The name was accepted when the line was typed.
    quoted = intent.quoted or "." in intent.field
    return evolve(intent, who=recorded.one(intent.who), quoted=quoted)


def _amended(intent: SetField, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    if by:
        raise Refused("this command has no options; amend it with the whole command")
    return evolve(intent, **parts_given(given, ("value", "field"), ()))


def title_of_change(described: Described) -> str:
    """Return the title of a change of a field, or "" if the event names none."""
    field = described.event.options.get("field")
    if not described.targets or not field:
        return ""
    return f"the change of {possessive(described.targets)} {_field_words(str(field), described.game)}"


def _field_words(field: str, game: Ruleset | None) -> str:
    path = tuple(field.replace('"', "").split("."))
    return clean(path_words(game.sheet, path) if game is not None else spoken(field), 40)


SET = CommandKind(
    "set",
    ("set WHO FIELD VALUE",),
    "set a field to a value",
    read_text=_read,
    carry_out=_carry_out,
    line=lambda intent: f"set {intent.who} {intent.field} {intent.value}",
    words=_words,
    blank=SetField("", "", ""),
    with_ids=_with_ids,
    amended=_amended,
    title=title_of_change,
    own_intent=_own_intent,
)
