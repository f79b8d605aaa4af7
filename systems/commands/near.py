"""The commands `near` and `apart`: which combatants are near each other, until one of them moves."""

from collections.abc import Sequence

from systems.commands.declaration import CommandKind, Described
from systems.commands.reactions import offer_reactions
from systems.commands.transaction import Transaction
from systems.contract.reaction import LEAVING
from systems.encounter.lookup import single, targets
from systems.encounter.model import Encounter
from systems.encounter.neighbours import with_near, without_near
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine
from systems.text import several


@frozen
class Near(Intent):
    """Say that combatants are near another, or no longer near it. `targets`: "" for all of them."""

    who: str
    targets: str
    together: bool = True


def _read(taken: TokenLine) -> Intent:
    return Near(taken.take("the name").text, taken.take_targets())


def _read_apart(taken: TokenLine) -> Intent:
    return Near(taken.take("the name").text, taken.take_targets() if taken.words else "", False)


def _carry_out(transaction: Transaction, intent: Near) -> None:
    here = transaction.encounter
    who = single(here, intent.who).id
    if intent.targets:
        named = [other for other in targets(here, intent.targets) if other != who]
    else:
        named = [other.id for other in here.neighbours(here.combatants[who])]
    changed = [other for other in named if (other in here.combatants[who].state.near) != intent.together]
    _check(here, who, named, changed, intent.together)
    transaction.record(actor=who, targets=changed)
    change = with_near if intent.together else without_near
    transaction.encounter = change(here, who, changed)
    transaction.tell_near(who, changed, "is near" if intent.together else "is no longer near")
    if not intent.together:
        offer_reactions(transaction, LEAVING, who, among=changed)


def _check(here: Encounter, who: str, named: Sequence[str], changed: Sequence[str], together: bool) -> None:
    """Raise Refused if a combatant has not arrived, or if nothing would change."""
    name = here.combatants[who].name
    for each in (who, *named):
        if together and here.combatants[each].state.arrives:
            raise Refused(f"{here.combatants[each].name} has not arrived yet")
    if changed:
        return
    others = several([here.combatants[other].name for other in named])
    if not named:
        raise Refused(f"name a combatant other than {name}" if together else f"{name} is near no combatant")
    raise Refused(f"{name} is {'near' if together else 'not near'} {others}{' already' if together else ''}")


def _near_title(described: Described) -> str:
    return f"{described.actor} near {described.targets}" if described.targets else ""


def _apart_title(described: Described) -> str:
    return f"{described.actor} apart from {described.targets}" if described.targets else ""


NEAR = CommandKind(
    "near",
    ("near WHO TARGETS",),
    "say that combatants are near each other, until one of them moves",
    _read,
    carry_out=_carry_out,
    blank=Near("", "", True),
    title=_near_title,
)
APART = CommandKind(
    "apart",
    ("apart WHO [TARGETS]",),
    "say that combatants are no longer near each other",
    _read_apart,
    carry_out=_carry_out,
    blank=Near("", "", False),
    title=_apart_title,
)
