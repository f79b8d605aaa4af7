"""The command `clear`: end a condition, or all of them."""

import attrs

from systems.commands.conditions import ClearCondition, clear
from systems.commands.declaration import CommandKind, Described, Requester
from systems.commands.transaction import Transaction
from systems.commands.wording import names_of
from systems.encounter.lookup import targets
from systems.encounter.model import Combatant, Encounter
from systems.language.intents import Intent
from systems.language.tokens import TokenLine, quote


def _read(taken: TokenLine) -> Intent:
    targets, name = taken.take_targets(), taken.take("the condition")
    return ClearCondition(targets, name.text, name.quoted)


def _carry_out(transaction: Transaction, intent: ClearCondition) -> None:
    clear(transaction, targets(transaction.encounter, intent.targets), intent)


def _words(encounter: Encounter, intent: ClearCondition) -> str:
    return f"clear {intent.name} from {names_of(encounter, intent.targets)}"


def _own_intent(asker: Requester, intent: ClearCondition) -> tuple[Combatant, Intent]:
    aimed = asker.all_friends(intent.targets)
    return asker.of_these(aimed), attrs.evolve(intent, targets=",".join(each.id for each in aimed))


def _title(described: Described) -> str:
    name = described.option("name")
    if not name or not described.targets:
        return ""
    return f"the end of {described.condition(name)} on {described.targets}"


CLEAR = CommandKind(
    "clear",
    ("clear TARGETS NAME",),
    "end a condition, or all of them",
    _read,
    stands_for={"NAME": "held condition"},
    carry_out=_carry_out,
    line=lambda intent: f"clear {intent.targets} {quote(intent.name)}",
    words=_words,
    blank=ClearCondition("", ""),
    title=_title,
    own_intent=_own_intent,
    helps=True,
)
