"""Add the conditions and meters that a campaign declares to its game.

A condition changes the maths through the options of the game's actions, as the game's own conditions do. A
meter adds two fields to every sheet, the current amount and the full amount, so commands, forms and files
treat it like any other field. Errors are Wrong with the path of the field.
"""

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal, cast, get_args

from systems.contract.action import Action
from systems.contract.condition import Condition, Effect
from systems.contract.display import Meter, Tone
from systems.contract.outcome import Role
from systems.contract.ruleset import Ruleset
from systems.errors import Wrong, unknown
from systems.frozen import evolve
from systems.schema.conversion import read
from systems.schema.fields import Lifetime, choice, declare, fields_of, flag, text, whole
from systems.schema.types import ListOf, Whole, step_into
from systems.text import find_word, plain_word, shown

MOST = 9_999
CONDITION, METER = "condition", "meter"
_TONES = get_args(Tone)
_RESERVED = ("status", "side", "party", "format", "kind", "game_version", "id", "conditions")


_BY_ITSELF = ("change", "tick", "tick_at")  # what a condition does without lines of its own


@declare
class CampaignCondition:
    """One `[[condition]]` of campaign.toml, without its effects."""

    name: str = text(help="its name")
    help: str | None = text(None, "its meaning")
    tone: Tone = choice(_TONES, "warning", "its colour")
    valued: bool = flag(False, "it has a value")
    counted: bool = flag(False, "if it is given again, the values are added")
    most: int = whole(1, 999, 999, "its highest value")
    fades: str = choice(("never", "turn_start", "turn_end"), "never", "when its value goes down by 1")
    acting: bool = flag(False, "ends when its bearer can't act")
    by_source: bool = flag(False, "each source gives one of its own")
    begin_words: str = text("", "the words after the name when it begins, such as cannot regenerate")
    end_words: str = text("", "the words after the name when it ends, such as regenerates again")


@declare
class CampaignEffect:
    """One of the `effects` of a `[[condition]]`."""

    action: str = text(help="the action that it changes")
    option: str = text(help="the option of the action")
    role: Role = choice(("actor", "target"), "actor", "the combatant that has the condition")
    amount: int | None = whole(-999, 999, None, "the amount to add", when_absent="the condition's value")
    value: str | None = text(None, "the new value of the option, as typed")
    against: Literal["anyone", "source", "others"] = choice(
        ("anyone", "source", "others"), "anyone", "the opponents to which it applies"
    )
    sets: bool = flag(False, "the number replaces the option's value instead of being added")


@declare
class CampaignMeter:
    """One `[[meter]]` of campaign.toml."""

    name: str = text(help="its name, such as mana or ammunition")
    full: int = whole(0, MOST, 0, "the full amount, unless a sheet gives another")
    style: Literal["bar", "pips"] = choice(("bar", "pips"), "bar", "how it is drawn")
    lasts: Lifetime = choice(
        ("encounter", "rest", "lasting"), "lasting", "how long the remaining amount lasts"
    )


def with_campaign_rules(game: Ruleset, given: Mapping[str, Any]) -> Ruleset:
    """Return the game with the meters and conditions of campaign.toml, or the same game if there are none.

    Raises Wrong for the first invalid one.
    """
    for wrong in campaign_rule_errors(game, given):
        raise wrong
    meters = tuple(read(CampaignMeter, part, "") for part in given.get(METER, ()))
    if meters:
        shown_meters = tuple(
            Meter(meter.name, _field(meter), f"max_{_field(meter)}", style=meter.style) for meter in meters
        )
        fields = tuple(name for meter in shown_meters for name in (meter.now, meter.full))
        game = evolve(
            game,
            sheet=_with_fields(cast(Hashable, game.sheet), meters),
            meters=(*game.meters, *shown_meters),
            seat_fields=(*game.seat_fields, *fields),
        )
    conditions = tuple(_condition(game, part, "") for part in given.get(CONDITION, ()))
    return evolve(game, conditions=(*game.conditions, *conditions)) if conditions else game


def campaign_rule_errors(game: Ruleset, given: Mapping[str, Any]) -> Iterator[Wrong]:
    """Yield one error for each invalid meter and condition."""
    known: dict[str, list[str]] = {
        METER: [*fields_of(game.sheet), *_RESERVED],
        CONDITION: [condition.name for condition in game.conditions],
    }
    for kind, check in ((METER, _check_meter), (CONDITION, _condition)):
        parts = given.get(kind, [])
        if not isinstance(parts, list):
            yield Wrong(kind, f"expected a list of tables, each starting with [[{kind}]]")
            continue
        for at, part in enumerate(parts):
            path = f"{kind}[{at}]"
            try:
                check(game, part, path)
                name = part["name"]
                if find_word(name, known[kind]):
                    raise Wrong(f"{path}.name", f"{shown(name)} already exists")
                known[kind] += [name, f"max_{plain_word(name)}"]
            except Wrong as wrong:
                yield wrong


def _check_meter(game: Ruleset, part: Any, path: str) -> None:
    meter = read(CampaignMeter, part, path)
    if not _field(meter).isidentifier() or not _field(meter).isascii():
        raise Wrong(f"{path}.name", f"expected a word such as mana, got {shown(meter.name)}")


def _field(meter: CampaignMeter) -> str:
    return plain_word(meter.name)


@lru_cache(maxsize=32)
def _with_fields(sheet: Any, meters: tuple[CampaignMeter, ...]) -> Any:
    """Return the class of sheets with two fields added for each meter. Equal meters give the same class."""
    fields: dict[str, Any] = {}
    for meter in meters:
        name, label = _field(meter), meter.name.replace("_", " ")
        fields[f"max_{name}"] = whole(0, MOST, meter.full, f"{label} when full", label=f"most {label}")
        fields[name] = whole(
            0, MOST, help=f"{label} now", same_as=f"max_{name}", lasts=meter.lasts, label=label
        )
    body = {
        "__annotations__": dict.fromkeys(fields, int),
        "__doc__": sheet.__doc__,
        "__module__": sheet.__module__,
        **fields,
    }
    return declare(type(sheet.__name__, (sheet,), body))


def _condition(game: Ruleset, part: Any, path: str) -> Condition:
    if not isinstance(part, Mapping):
        raise Wrong(path, f"expected a table of fields, got {shown(part)}")
    apart = ("effects", "lines", *_BY_ITSELF)
    rest = {name: value for name, value in part.items() if name not in apart}
    found = read(CampaignCondition, rest, path)
    listed = part.get("effects", [])
    if not isinstance(listed, list):
        raise Wrong(f"{path}.effects", f"expected a list of tables, got {shown(listed)}")
    effects = tuple(_effect(game, effect, f"{path}.effects[{at}]") for at, effect in enumerate(listed))
    parts = {name: getattr(found, name) for name in fields_of(CampaignCondition)}
    parts |= {"help": found.help or "", "fades": "" if found.fades == "never" else found.fades}
    own = _own_lines(game, found.name, {name: part[name] for name in _BY_ITSELF if name in part}, path)
    lines = (*own, *_lines(game, part.get("lines", []), f"{path}.lines"))
    return Condition(**parts, effects=effects, lines=lambda: lines)


def _own_lines(game: Ruleset, name: str, given: Mapping[str, Any], path: str) -> tuple[Any, ...]:
    """Return what a condition does by itself, as effects: the damage of each turn, then what it changes."""
    if not given:
        return ()
    if game.effects is None:
        first = step_into(path, next(iter(given)))
        raise Wrong(first, f"{game.title} does not know such effects; use effects")
    kind: Any = fields_of(game.sheet)["effects"].type
    line = kind.of
    # All three are read as those of a creature's effect, so that mistakes are named alike.
    whole = read(line, {"name": name, "when": "asked", "condition": name, **given}, path)
    label = name.replace("_", " ").capitalize()
    ticks = {"name": label, "when": whole.tick_at, "damage": list(whole.tick)}
    changes = {"name": label, "when": "always", "change": dict(whole.change)}
    return tuple(
        read(line, each) for each, is_given in ((ticks, whole.tick), (changes, whole.change)) if is_given
    )


def _lines(game: Ruleset, given: object, path: str) -> tuple[Any, ...]:
    """Return the effects that a condition gives its combatant, in the words of creatures' effects."""
    if game.effects is None:
        if given:
            raise Wrong(path, f"{game.title} does not know such effects; use effects")
        return ()
    lines: tuple[Any, ...] = fields_of(game.sheet)["effects"].type.check(given, path)
    for at, line in enumerate(lines):
        for name in ("uses", "once", "recharge", "stopped_by", "spends", "use"):
            if name in line.given:
                raise Wrong(f"{path}[{at}].{name}", "is for creatures' effects; a condition keeps no count")
    return lines


def _effect(game: Ruleset, part: Any, path: str) -> Effect:
    found = read(CampaignEffect, part, path)
    action = game.action(found.action)
    if action is None:
        known = [action.name for action in game.actions if action.group != "hook"]
        raise unknown(f"{path}.action", f"no action {shown(found.action)}", found.action, known)
    amount, value = _change(action, found, path)
    return Effect(
        action.name,
        found.option,
        found.role,
        amount=amount,
        value=value,
        sets=found.sets,
        against=found.against,
    )


def _change(action: Action, effect: CampaignEffect, path: str) -> tuple[int | None, Any]:
    """Return the amount and the value of an effect, as the option takes them. Raises Wrong."""
    field = fields_of(action.options).get(effect.option)
    if field is None:
        says = f"{action.name} has no option {shown(effect.option)}"
        raise unknown(f"{path}.option", says, effect.option, fields_of(action.options))
    item = field.type.item if isinstance(field.type, ListOf) else field.type
    if isinstance(item, Whole):
        if effect.value is not None:
            raise Wrong(f"{path}.value", f"{effect.option} is a number; use amount = 2")
        return effect.amount, None
    if effect.value is None or effect.amount is not None:
        raise Wrong(f"{path}.value", f"is needed instead of an amount: {field.type.expected}")
    return None, item.typed(effect.value, f"{path}.value")
