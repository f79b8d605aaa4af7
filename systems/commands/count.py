"""The command `count`: add to a number of a sheet, or to the value of a condition."""

import re

from systems.commands.conditions import count_condition
from systems.commands.declaration import CommandKind, Described, Recorded
from systems.commands.edit import count_field
from systems.commands.set import title_of_change
from systems.commands.transaction import Transaction
from systems.contract.marked_text import possessive
from systems.encounter.events import Event
from systems.encounter.lookup import single, valued_condition
from systems.frozen import evolve, frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine


@frozen
class Count(Intent):
    """Add to a whole-number field: `count WHO FIELD +N|-N`."""

    who: str
    field: str
    by: int


def _read(taken: TokenLine) -> Intent:
    who, field = taken.take("the name").text, taken.take("the field").text
    word = taken.words[0] if taken.words else None
    by = taken.take_number("the number to add", "a number with its sign, such as +1 or -2")
    if word is not None and not re.match(r"[+\-\N{MINUS SIGN}]", word.text):
        says = f"type +{word.text} or -{word.text}; to set the field: set {who} {field} {word.text}"
        raise word.wrong(says, names_word=True)
    return Count(who, field, by)


def _carry_out(transaction: Transaction, intent: Count) -> None:
    here = transaction.encounter
    changed = single(here, intent.who).id
    if name := valued_condition(here, changed, intent.field):
        transaction.record(targets=[changed], name=name, value=intent.by)
        count_condition(transaction, changed, name, intent.by)
    else:
        transaction.record(targets=[changed], field=intent.field, value=intent.by)
        count_field(transaction, changed, intent.field, intent.by)


def _held(event: Event, blank: Count) -> Intent:
    counted, by = event.options.get("name") or event.options.get("field"), event.options.get("value")
    return Count(next(iter(event.targets), ""), str(counted or ""), by if type(by) is int else 0)


def _with_ids(intent: Count, recorded: Recorded) -> Intent:
    counted = recorded.event.options.get("name") or intent.field
    return evolve(intent, who=recorded.one(intent.who), field=str(counted))


def _title(described: Described) -> str:
    if described.targets and (name := described.option("name")):
        return f"the count of {possessive(described.targets)} {described.condition(name)}"
    return title_of_change(described)


COUNT = CommandKind(
    "count",
    ("count WHO FIELD +N|-N",),
    "add to a number of the sheet, or to a condition's value",
    _read,
    carry_out=_carry_out,
    blank=Count("", "", 0),
    held=_held,
    with_ids=_with_ids,
    title=_title,
)
