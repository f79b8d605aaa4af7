"""The command `clear`: end a condition, or all of them."""

from systems.commands.conditions import ClearCondition, clear
from systems.commands.declaration import CommandKind, Described, Requester
from systems.commands.transaction import Transaction
from systems.commands.wording import names_of
from systems.encounter.lookup import targets
from systems.encounter.model import Combatant, Encounter
from systems.frozen import evolve
from systems.language.intents import Intent
from systems.language.tokens import TokenLine, quote


def _read(taken: TokenLine) -> Intent:
    targets, name = taken.take_targets(), taken.take("the condition")
    return ClearCondition(targets, name.text, name.quoted, taken.take_by())


def _carry_out(transaction: Transaction, intent: ClearCondition) -> None:
    clear(transaction, targets(transaction.encounter, intent.targets), intent)


def _words(encounter: Encounter, intent: ClearCondition) -> str:
    words = f"clear {intent.name} from {names_of(encounter, intent.targets)}"
    return f"{words}, given by {names_of(encounter, intent.by)}" if intent.by else words


def _line(intent: ClearCondition) -> str:
    by = f" by {intent.by}" if intent.by else ""
    return f"clear {intent.targets} {quote(intent.name)}{by}"


def _own_intent(asker: Requester, intent: ClearCondition) -> tuple[Combatant, Intent]:
    aimed = asker.all_friends(intent.targets)
    by = asker.single(intent.by).id if intent.by else ""
    ids = ",".join(each.id for each in aimed)
    return asker.of_these(aimed), evolve(intent, targets=ids, by=by)


def _title(described: Described) -> str:
    name = described.option("name")
    if not name or not described.targets:
        return ""
    return f"the end of {described.condition(name)} on {described.targets}"


CLEAR = CommandKind(
    "clear",
    ("clear TARGETS NAME [by WHO]",),
    "end a condition, or all of them; by WHO ends only what that combatant gave",
    _read,
    stands_for={"NAME": "held condition"},
    carry_out=_carry_out,
    line=_line,
    words=_words,
    blank=ClearCondition("", ""),
    title=_title,
    own_intent=_own_intent,
    helps=True,
)
