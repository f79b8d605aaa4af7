"""The command `condition`: give a condition, for a time or until it is cleared."""

import re
from collections.abc import Mapping

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
from systems.contract.marked_text import possessive
from systems.contract.ruleset import Ruleset
from systems.encounter.lookup import targets
from systems.encounter.model import Combatant, Encounter
from systems.frozen import evolve
from systems.language.intents import Intent
from systems.language.tokens import TokenLine, Word, quote
from systems.text import shown

_DIGITS = re.compile(r"[0-9]{1,5}")
_ENDS = re.compile(r"-[^\W\d].*")
_ROUNDS = ("rounds", "round", "r")
_MOMENTS = ("start", "end", "damaged")


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
    while (more := _read_part(taken, found)) is not found:
        found = more
    if taken.words:
        word = taken.words[0]
        raise word.wrong(
            f"{shown(word.text)} is not understood here; put a name of several words in quotes",
            names_word=True,
        )
    return found


def _read_part(taken: TokenLine, found: SetCondition) -> SetCondition:
    """Return the condition with the next part of the line; the same one if no part follows."""
    has_end = found.rounds is not None or bool(found.until)
    if not has_end and (word := taken.take_word("for")):
        return evolve(found, rounds=_read_rounds(taken, word))
    if not has_end and taken.take_word("until"):
        return _read_until(taken, found)
    if not found.save and taken.take_word("save"):
        return _read_save(taken, found)
    if found.escape is None and taken.take_word("escape"):
        return evolve(found, escape=taken.take_number("the number to escape"))
    return found


def _read_until(taken: TokenLine, found: SetCondition) -> SetCondition:
    """Read `start of WHO`, `end of WHO`, `damaged`, `healed` or `WHO falls`."""
    until = taken.take("start or end")
    if until.says("damaged", "healed"):
        return evolve(found, until=until.text.casefold())
    if taken.words and taken.words[0].says("falls"):
        del taken.words[0]
        return evolve(found, until="falls", of=until.text)
    if not until.says("start", "end"):
        says = "until needs the start or end of a turn, damaged, healed, or WHO falls"
        raise until.wrong(f"{says}, such as: until end of okado")
    taken.take_word("of")
    return evolve(found, until=until.text.casefold(), of=taken.take("whose turn").text)


def _read_save(taken: TokenLine, found: SetCondition) -> SetCondition:
    """Read `wisdom 14`, `wisdom 14 at start` or `wisdom 14 when damaged`."""
    ability = taken.take("what the save rolls").text
    difficulty = taken.take_number("the difficulty of the save")
    again = ""
    if taken.take_word("at", "when"):
        moment = taken.take("start, end or damaged")
        if not moment.says(*_MOMENTS):
            raise moment.wrong("a save is rolled at start, at end, or when damaged")
        again = moment.text.casefold()
    return evolve(found, save=ability, difficulty=difficulty, again=again)


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
        words.append(_until_typed(intent))
    if intent.save:
        words.append(f"save {quote(intent.save)} {intent.difficulty}")
    if intent.again:
        words.append(f"{'when' if intent.again == 'damaged' else 'at'} {intent.again}")
    if intent.escape is not None:
        words.append(f"escape {intent.escape}")
    if intent.by:
        words.append(f"by {intent.by}")
    if intent.secret:
        words.append("secret")
    return " ".join(words)


def _until_typed(intent: SetCondition) -> str:
    if intent.until == "falls":
        return f"until {intent.of} falls"
    return f"until {intent.until} of {intent.of}" if intent.of else f"until {intent.until}"


def _words(encounter: Encounter, intent: SetCondition) -> str:
    value = f" {intent.value}" if intent.value is not None else ""
    words = f"{intent.name}{value} on {names_of(encounter, intent.targets)}"
    if intent.rounds is not None:
        words += f" for {intent.rounds} round{'' if intent.rounds == 1 else 's'}"
    match intent.until:
        case "start" | "end":
            words += f" until the {intent.until} of {possessive(names_of(encounter, intent.of))} turn"
        case "falls":
            words += f" until {names_of(encounter, intent.of)} falls"
        case "damaged" | "healed":
            words += f" until {intent.until}"
    if intent.save:
        words += f", {intent.save} save {intent.difficulty}"
    if intent.escape is not None:
        words += f", escape {intent.escape}"
    return words


def _own_intent(asker: Requester, intent: SetCondition) -> tuple[Combatant, Intent]:
    aimed = asker.all_friends(intent.targets)
    of, by = (asker.single(named).id if named else "" for named in (intent.of, intent.by))
    ids = ",".join(each.id for each in aimed)
    return asker.of_these(aimed), evolve(intent, targets=ids, of=of, by=by)


def _with_ids(intent: SetCondition, recorded: Recorded) -> Intent:
    options = recorded.event.options
    if not (name := options.get("name")):
        return with_recorded_ids(intent, recorded)
    # The name and the meaning of a lone number were understood when the line was typed. Combatants that could
    # not get the condition are targets too, and the reason is given again.
    value, rounds = options.get("value"), options.get("rounds")
    quoted = intent.quoted or recorded.then.game.condition(str(name)) is None
    meant = evolve(intent, name=str(name), quoted=quoted, value=value, rounds=rounds)
    found: Intent = evolve(with_recorded_ids(meant, recorded), targets=recorded.aimed(intent.targets))
    return found


def _amended(intent: SetCondition, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    parts = parts_given(given, ("name",), ("value", "rounds", "difficulty", "escape"))
    if "rounds" in parts:
        parts |= {"until": "", "of": ""}
    return evolve(intent, **parts, by=by or intent.by)


def _title(described: Described) -> str:
    name = described.option("name")
    return f"{described.condition(name)} on {described.targets}" if name and described.targets else ""


CONDITION = CommandKind(
    "condition",
    (
        "condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret] [by WHO]",
        "condition TARGETS NAME [save ABILITY N] [escape N] [until damaged|healed | until WHO falls]"
        " [by WHO]",
    ),
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
