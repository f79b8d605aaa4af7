"""Random commands of a whole evening, sensible and not, in the words of any game."""

from collections.abc import Callable, Sequence
from copy import copy
from functools import lru_cache
from random import Random

from systems.contract.notation import DiceNotation
from systems.encounter.events import Event
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.errors import Misread, Refused, Wrong
from systems.frozen import frozen
from systems.schema.fields import Entries, fields_of
from systems.schema.types import Choice, DiceText, FieldType, Flag, ListOf, TableOf, Whole
from tests.systems.fight import Fight

FREE = ("marked", "Glowing")
BEGINNING = ("add okado", "add tamsin", "add guard x2", "add guard as Shade hidden", "start")


@frozen
class Stride:
    """One event of a random walk, with encounter and log before it and a copy of the fight after it."""

    before: Encounter
    log: History
    event: Event
    fight: Fight


@lru_cache(maxsize=64)
def walk(game: str, style: str | None, number: int, steps: int = 30) -> Sequence[Stride]:
    """Return the events of a random walk. Laws with equal examples share the walk, so none may change it."""
    fight, random = Fight(game, *BEGINNING, style=style), Random(number)
    strides: list[Stride] = []
    for _ in range(steps):
        before, log = fight.encounter, fight.log
        try:
            event = fight.do(line_with_volleys(fight, random))
        except (Refused, Wrong, Misread):
            continue
        strides.append(Stride(before, log, event, copy(fight)))
    return strides


def typed(random: Random, kind: FieldType) -> str:
    """Something that could be typed for a field of that kind."""
    match kind:
        case Whole(low, high):
            return str(random.choice([low, high, 0, 1, 2, 5, random.randint(max(low, -50), min(high, 60))]))
        case Flag():
            return random.choice(["yes", "no"])
        case Choice(values):
            return random.choice(values)
        case DiceText() | DiceNotation():
            return "2d6"
        case ListOf(item, lengths):
            return ",".join(typed(random, item) for _ in range(random.choice(lengths or (1, 2))))
        case TableOf(item, names):
            return f"{random.choice(names or ('a', 'b.c'))}:{typed(random, item)}"
    return random.choice(["sword", "melee", "dodge", '"two words"'])


def line_for(fight: Fight, random: Random) -> str:
    """One command; about two in three are accepted."""
    kinds, weights = zip(*_KINDS, strict=True)
    return random.choices(kinds, weights)[0](fight, random)


def line_with_volleys(fight: Fight, random: Random) -> str:
    """One command; about one in five is a volley or ends the turn of a whole side."""
    chance = random.random()
    if chance < 0.05:
        return "next side"
    if chance < 0.2:
        actors = [_one(fight, random) for _ in range(random.randint(2, 4))]
        return f"{fight.game.default_action} {_one(fight, random)} by {','.join(actors)}"
    return line_for(fight, random)


def _one(fight: Fight, random: Random) -> str:
    return random.choice(fight.encounter.progress.ids or ("okado",))


def _some(fight: Fight, random: Random) -> str:
    return random.choice([_one(fight, random)] * 3 + ["foes", "all", "1-3", "2,1", "nobody"])


def _action(fight: Fight, random: Random) -> str:
    action = random.choice([*fight.game.actions, *[fight.game.action(fight.game.default_action)] * 4])
    target = "" if action.targets == "none" or random.random() < 0.1 else f" {_some(fight, random)}"
    given = [one for one in fields_of(action.options).values() if one.needed or random.random() < 0.12]
    options = "".join(f" {one.name}={typed(random, one.type)}" for one in given)
    by = f" by {_one(fight, random)}" if random.random() < 0.5 else ""
    return f"{action.name}{target}{options}{by}"


def _offered(fight: Fight, random: Random) -> str:
    offers = [one for one in fight.encounter.offers if one.command]
    if not offers:
        return "next"
    offer = random.choice(offers)
    return random.choice([offer.command, offer.command, offer.action or offer.command])


def _set(fight: Fight, random: Random) -> str:
    field = random.choice(list(fields_of(fight.game.sheet).values()))
    path, kind = field.name, field.type
    if isinstance(kind, Entries):
        inner = random.choice(list(fields_of(kind.of).values()))
        path, kind = f"{path}.{random.choice(['1', '2', 'sword', 'club'])}.{inner.name}", inner.type
    elif isinstance(kind, TableOf) and random.random() < 0.7:
        path, kind = f"{path}.{random.choice(kind.names or ('melee', 'odd.name', 'Ünï'))}", kind.item
    return f"set {_one(fight, random)} {path} {typed(random, kind)}"


def _condition(fight: Fight, random: Random) -> str:
    name = random.choice([*(one.name for one in fight.game.conditions), *FREE])
    value = random.choice(["", " 2", " -3"])
    moment = f" until {random.choice(['start', 'end'])} of {_one(fight, random)}"
    lasting = random.choice(["", " for 1 round", " for 2 rounds", moment])
    return f"condition {_some(fight, random)} {name}{value}{lasting}"


def _clear(fight: Fight, random: Random) -> str:
    own = [one.name for one in fight.game.conditions]
    return f"clear {_some(fight, random)} {random.choice([*own, 'marked', 'all', 'GLOWING'])}"


def _add(fight: Fight, random: Random) -> str:
    kind = random.choice(["guard", "okado", "gu"])
    how = random.choice(["", " x2", " hidden", " group", " x2 group", " as Bob", " side=beasts"])
    when = random.choice(["", "", f" in round {fight.round + random.randint(1, 3)}"])
    return f"add {kind}{how}{when}"


def _order(fight: Fight, random: Random) -> str:
    where = random.choice([f"before {_one(fight, random)}", f"after {_one(fight, random)}", "7", "-3"])
    return f"order {_one(fight, random)} {where}"


def _amend(fight: Fight, random: Random) -> str:
    number = random.randint(1, len(fight.log.events) or 1)
    others = [f"dice={random.randint(1, 20)}", "modifier=2", "by tamsin", "never", "damage ONE 3"]
    return f"amend {number} {random.choice(others).replace('ONE', _one(fight, random))}"


def _with(*texts: str) -> Callable[[Fight, Random], str]:
    """One of these lines; ONE stands for a combatant and SOME for targets."""

    def line(fight: Fight, random: Random) -> str:
        text = random.choice(texts)
        return text.replace("ONE", _one(fight, random)).replace("SOME", _some(fight, random))

    return line


_KINDS: tuple[tuple[Callable[[Fight, Random], str], int], ...] = (
    (_action, 30),
    (_with("next", "next", "next", "next by ONE"), 30),
    (_with("back"), 6),
    (_with("delay", "delay ONE", "return ONE", "return ONE"), 9),
    (_order, 6),
    (_with("damage SOME 1", "damage SOME 2d6", "damage SOME 40", "heal SOME 9"), 10),
    (_set, 7),
    (_condition, 10),
    (_clear, 4),
    (_add, 4),
    (_with("remove ONE", "remove SOME", "hide SOME", "reveal SOME"), 7),
    (_with("roll 2d6+3 for ONE", "note nothing = everything", "start"), 3),
    (_with("undo", "undo 3", "redo", "redo 2"), 8),
    (_with("ready ONE strike whoever comes", "schedule rain in round 2", "schedule fog in round 3"), 4),
    (_with("schedule snow in round 4 hidden", "unschedule 1", "keep all"), 2),
    (_with("end"), 1),
    (_with("group SOME", "group SOME", "ungroup SOME"), 4),
    (_with("near ONE SOME", "near ONE SOME", "apart ONE SOME", "apart ONE"), 4),
    (_offered, 6),
    (_with("group SOME", "group ONE", "ungroup ONE", "ungroup SOME"), 3),
    (_amend, 3),
)
