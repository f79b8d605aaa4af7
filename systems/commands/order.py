"""The commands `order` and `initiative`: change a combatant's place in the order of turns."""

from systems.commands.declaration import CommandKind, titled
from systems.commands.reorder import move, set_value
from systems.commands.transaction import Transaction
from systems.encounter.events import Event
from systems.encounter.lookup import single
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine


@frozen
class OrderBeside(Intent):
    """Place one combatant before or after another."""

    who: str
    beside: str
    after: bool


@frozen
class OrderValue(Intent):
    """Set a place in the order or an initiative score."""

    who: str
    value: int


def _read(taken: TokenLine) -> Intent:
    who = taken.take("the name").text
    if side := taken.take_word("before", "after"):
        beside = taken.take("the other combatant").text
        return OrderBeside(who, beside, side.text.casefold() == "after")
    return OrderValue(who, taken.take_number("the place", "before, after or a number"))


def _read_initiative(taken: TokenLine) -> Intent:
    who = taken.take("the name").text
    return OrderValue(who, taken.take_number("the initiative"))


def _carry_out(transaction: Transaction, intent: OrderBeside | OrderValue) -> None:
    here = transaction.encounter
    moved = single(here, intent.who).id
    match intent:
        case OrderBeside(_, beside, after):
            other = single(here, beside).id
            transaction.record(targets=[moved], beside=other, place="after" if after else "before")
            move(transaction, moved, other, after)
        case OrderValue(_, value):
            transaction.record(targets=[moved], value=value)
            set_value(transaction, moved, value)


def _held(event: Event, blank: Intent) -> Intent:
    who, value = next(iter(event.targets), ""), event.options.get("value")
    if beside := event.options.get("beside"):
        return OrderBeside(who, str(beside), event.options.get("place") == "after")
    return OrderValue(who, value if type(value) is int else 0)


ORDER = CommandKind(
    "order",
    ("order WHO before|after WHO", "order WHO VALUE"),
    "change the turn order; a value is a place or an initiative score",
    _read,
    carry_out=_carry_out,
    blank=OrderValue("", 0),
    held=_held,
    title=titled("{targets'} place in the order"),
)
INITIATIVE = CommandKind(
    "initiative",
    ("initiative WHO VALUE",),
    "set an initiative score, or the place in an order without scores; the turn order follows",
    _read_initiative,
    carry_out=_carry_out,
    blank=OrderValue("", 0),
    held=_held,
    title=titled("{targets'} initiative"),
)
