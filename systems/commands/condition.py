"""The command `condition`: give a condition, for a time or until it is cleared."""

import re
from collections.abc import Mapping

import attrs

from systems.commands.conditions import ClearCondition, SetCondition, set_condition
from systems.commands.declaration import (
    CommandKind,
    Described,
    Recorded,
    Requester,
    parts_given,
    with_recorded_ids,
)
from systems.commands.transaction import Transaction
from systems.commands.wording import names_of
from systems.contract.ruleset import Ruleset
from systems.encounter.lookup import targets
from systems.encounter.model import Combatant, Encounter
from systems.language.intents import Intent
from systems.language.tokens import TokenLine, Word, quote
from systems.text import shown

_DIGITS = re.compile(r"[0-9]{1,5}")
_ENDS = re.compile(r"-[^\W\d].*")
_ROUNDS = ("rounds", "round", "r")


def _read(taken: TokenLine) -> Intent:
    targets = taken.take_targets()
    if taken.words and taken.words[0].says("for", "until") and len(taken.words) > 1:
        raise taken.words[0].wrong("the name of the condition is missing before this")
    name = taken.take("the name of the condition")
    secret = bool(taken.words and taken.words[-1].says("secret") and taken.words.pop())
    if name.is_plain(_ENDS):
        return ClearCondition(targets, name.text[1:])
    value, rounds = _read_value_and_rounds(taken)
    by = taken.take_by()
    found = SetCondition(targets, name.text, value, rounds, quoted=name.quoted, secret=secret, by=by)
    if rounds is None and (word := taken.take_word("for")):
        found = attrs.evolve(found, rounds=_read_rounds(taken, word))
    elif rounds is None and taken.take_word("until"):
        until = taken.take("start or end")
        if not until.says("start", "end"):
            raise until.wrong("until needs start or end of a combatant's turn, such as: until end of okado")
        taken.take_word("of")
        found = attrs.evolve(found, until=until.text.casefold(), of=taken.take("whose turn").text)
    elif taken.words:
        word = taken.words[0]
        raise word.wrong(
            f"{shown(word.text)} is not understood here; put a name of several words in quotes",
            names_word=True,
        )
    return found


def _read_value_and_rounds(taken: TokenLine) -> tuple[int | None, int | None]:
    """Read `2`, `=2`, `2 5` (a value for five rounds) or `5 r`. A missing part is None.

    A lone number is the value. The command takes it as rounds for a condition without a value.
    """
    first = taken.words[0] if taken.words else None
    value = taken.take_value()
    if first is None or value is None:
        return None, None
    if taken.words and taken.words[0].says(*_ROUNDS):
        taken.words.insert(0, first)
        return None, _read_rounds(taken, first)
    second = taken.words[0] if taken.words else None
    if second is None or not second.is_plain(_DIGITS):
        return value, None
    return value, _read_rounds(taken, second)


def _read_rounds(taken: TokenLine, word: Word) -> int:
    """Read `5`, `5 r` or `5 rounds`. Raises Misread at `word` if the number is out of range."""
    rounds = taken.take_number("the number of rounds")
    taken.take_word(*_ROUNDS)
    if not 1 <= rounds <= 9_999:
        raise word.wrong("a condition lasts 1 to 9999 rounds")
    return rounds


def _carry_out(transaction: Transaction, intent: SetCondition) -> None:
    set_condition(transaction, targets(transaction.encounter, intent.targets), intent)


def _line(intent: SetCondition) -> str:
    name = quote(intent.name, always=intent.quoted)
    words = [f"condition {intent.targets} {name}"]
    if intent.value is not None:
        words.append(str(intent.value))
    if intent.rounds is not None:
        words.append(f"for {intent.rounds} round{'' if intent.rounds == 1 else 's'}")
    if intent.until:
        words.append(f"until {intent.until} of {intent.of}")
    if intent.by:
        words.append(f"by {intent.by}")
    if intent.secret:
        words.append("secret")
    return " ".join(words)


def _words(encounter: Encounter, intent: SetCondition) -> str:
    value = f" {intent.value}" if intent.value is not None else ""
    words = f"{intent.name}{value} on {names_of(encounter, intent.targets)}"
    if intent.rounds is not None:
        words += f" for {intent.rounds} round{'' if intent.rounds == 1 else 's'}"
    if intent.until:
        words += f" until the {intent.until} of {names_of(encounter, intent.of)}'s turn"
    return words


def _own_intent(asker: Requester, intent: SetCondition) -> tuple[Combatant, Intent]:
    aimed = asker.all_friends(intent.targets)
    of, by = (asker.single(named).id if named else "" for named in (intent.of, intent.by))
    ids = ",".join(each.id for each in aimed)
    return asker.of_these(aimed), attrs.evolve(intent, targets=ids, of=of, by=by)


def _with_ids(intent: SetCondition, recorded: Recorded) -> Intent:
    options = recorded.event.options
    if not (name := options.get("name")):
        return with_recorded_ids(intent, recorded)
    # The name and the meaning of a lone number were understood when the line was typed.
    value, rounds = options.get("value"), options.get("rounds")
    meant = attrs.evolve(intent, name=str(name), quoted=True, value=value, rounds=rounds)
    return with_recorded_ids(meant, recorded)


def _amended(intent: SetCondition, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    parts = parts_given(given, ("name",), ("value", "rounds"))
    if "rounds" in parts:
        parts |= {"until": "", "of": ""}
    return attrs.evolve(intent, **parts, by=by or intent.by)


def _title(described: Described) -> str:
    name = described.option("name")
    return f"{described.condition(name)} on {described.targets}" if name and described.targets else ""


CONDITION = CommandKind(
    "condition",
    ("condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret] [by WHO]",),
    "give a condition; by WHO names its source",
    _read,
    stands_for={"NAME": "condition"},
    carry_out=_carry_out,
    line=_line,
    words=_words,
    blank=SetCondition("", "", quoted=True),
    with_ids=_with_ids,
    amended=_amended,
    title=_title,
    own_intent=_own_intent,
    helps=True,
)
