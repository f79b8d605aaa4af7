"""Random requests for any game, made from its declarations, and the smallest that still shows a mistake."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from systems.contract.action import Action
from systems.contract.notation import DiceNotation
from systems.contract.ruleset import Ruleset
from systems.errors import Wrong
from systems.schema.fields import Entries, Entry, Field, Record, combatant_options, fields_of
from systems.schema.naming import names_in
from systems.schema.types import Choice, DiceText, FieldType, Flag, ListOf, TableOf, TargetNames, Whole

Request = dict[str, Any]
_NAMES = ("alpha", "beta")
_NOTATIONS = ("1d6", "2d4kh1 + 1", "3")


class RequestMaker:
    """Makes requests for one game: the simplest first, then with more and more fields and options.

    `sheets`: sheets to use in addition to random ones, such as the game's creatures.
    """

    def __init__(self, game: Ruleset, chance: Random, sheets: Sequence[Mapping[str, Any]] = ()) -> None:
        self.game, self._chance, self._sheets = game, chance, sheets

    def requests(self, action: Action, number: int) -> Iterator[Request]:
        """Yield requests for an action, the first with only its required parts."""
        for at in range(number):
            yield self.request(action, min(1.0, at / max(1, number // 2)))

    def request(self, action: Action, share: float = 0.5) -> Request:
        """Return a request with about this share of the fields and options."""
        made: Request = {"action": action.name}
        actor = self.sheet(share)
        target = self.sheet(share) if action.targets != "none" else {}
        named = [*self._names(actor), *self._names(target)]
        options = self._fields(action.options, share * 0.6, named, (actor, target))
        others = {name: self.sheet(share) for name in combatant_options(action.options) if name in options}
        house = self.house(share)
        parts = {"actor": actor, "target": target, "others": others, "options": options, "house": house}
        return made | {name: part for name, part in parts.items() if part}

    def sheet(self, share: float = 0.5) -> dict[str, Any]:
        """Return a sheet with about this share of its fields given, as plain data."""
        given = (
            dict(self._chance.choice(self._sheets)) if self._sheets and self._chance.random() < 0.4 else {}
        )
        changes = self._fields(self.game.sheet, share * (0.15 if given else 0.5), _NAMES)
        return {**given, **{name: value for name, value in changes.items() if name not in ("name", "notes")}}

    def house(self, share: float = 0.5) -> dict[str, Any]:
        """Return house rules, some of them changed, as plain data."""
        return self._fields(self.game.house, share * 0.4, ())

    def _fields(
        self, cls: type, share: float, names: Sequence[str], sheets: Sequence[Mapping[str, Any]] = ()
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, field in fields_of(cls).items():
            if name == "habits":
                continue  # no action reads them
            # Without entries such as a weapon, most actions have little to do.
            likely = share + (1 - share) * 0.6 if isinstance(field.type, Entries) else share
            if field.needed or self._chance.random() < likely:
                found[name] = self._field(field, names, sheets)
        return found

    def _field(self, field: Field, names: Sequence[str], sheets: Sequence[Mapping[str, Any]]) -> Any:
        if field.naming is not None and sheets:
            whose = sheets[0 if field.naming.of == "actor" else 1]
            names = [*names_in(whose.get(field.naming.field)), *field.naming.also]
        return self._value(field.type, names or _NAMES, field.default)

    def _value(self, type: FieldType, names: Sequence[str], default: object = None) -> Any:
        chance = self._chance
        if examples := getattr(type, "examples", ()):
            return chance.choice(examples)
        match type:
            case Whole(low, high):
                middle = default if isinstance(default, int) else max(low, min(high, 2))
                near = [
                    middle + chance.randint(-4, 4),
                    chance.randint(max(low, -20), max(low, min(high, 60))),
                ]
                number = chance.choice([*near, *near, middle, 0, 1, 2, 3, low, high])
                return max(low, min(high, number))
            case Flag():
                return chance.random() < 0.5
            case Choice(values):
                return chance.choice(values)
            case DiceText(sides):
                return f"{chance.randint(1, 2)}d{chance.choice(sides)}"
            case DiceNotation():
                return chance.choice(_NOTATIONS)
            case ListOf(item, lengths):
                number = chance.choice(lengths) if lengths else chance.randint(0, 2)
                return [self._value(item, names) for _ in range(number)]
            case TableOf(item, allowed):
                chosen = chance.sample(allowed or _NAMES, chance.randint(0, len(allowed or _NAMES)))
                return {name: self._value(item, names) for name in chosen}
            case TargetNames():
                return "target"
            case Entries(of):
                made = (self._fields(of, 0.5, names) | {"name": name} for name in self._some_names())
                return [entry for entry in (fitting_entry(of, plain) for plain in made) if entry]
        if examples := getattr(type, "examples", ()):
            return chance.choice(examples)
        return chance.choice(names)

    def _some_names(self) -> list[str]:
        return list(_NAMES[: self._chance.randint(0, len(_NAMES))])

    def _names(self, sheet: Mapping[str, Any]) -> Iterator[str]:
        """Yield the names of a sheet's entries and tables, which options may refer to."""
        for name, field in fields_of(self.game.sheet).items():
            if isinstance(field.type, Entries | TableOf):
                yield from names_in(sheet.get(name))


def fitting_entry(of: type, plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry without the fields that do not fit the others; {} if a needed field does not fit."""
    fields, rest = fields_of(of), dict(plain)
    while wrong := _wrong_fields(of, rest):
        if any(name not in rest or fields[name].needed for name in wrong):
            return {}
        rest = {name: value for name, value in rest.items() if name not in wrong}
    return rest


def _wrong_fields(of: type, plain: Mapping[str, Any]) -> frozenset[str]:
    """Return the fields of an entry with wrong values, or if none has, the fields that contradict others."""
    try:
        made = Record(of).made(plain)
    except Wrong:
        return frozenset(_wrong_alone(of, plain))
    return frozenset(name for name, _ in made.mistakes()) if isinstance(made, Entry) else frozenset()


def _wrong_alone(of: type, plain: Mapping[str, Any]) -> Iterator[str]:
    for name, field in fields_of(of).items():
        try:
            if name in plain:
                field.type.check(plain[name], name)
        except Wrong:
            yield name


def smallest(request: Request, still_wrong: Callable[[Request], bool]) -> Request:
    """Remove parts of a request while it still shows the mistake; return the smallest one found."""
    tries = 200
    changed = True
    while changed:
        changed = False
        for smaller in _smaller(request):
            tries -= 1
            if tries < 0:
                return request
            if still_wrong(smaller):
                request, changed = smaller, True
                break
    return request


def _smaller(value: Any, kept: tuple[str, ...] = ("action", "name")) -> Iterator[Any]:
    """Yield plain data with one part removed, the largest parts first."""
    match value:
        case dict():
            names = [name for name in value if name not in kept]
            for name in names:
                yield {other: part for other, part in value.items() if other != name}
            for name in names:
                yield from ({**value, name: part} for part in _smaller(value[name]))
        case list():
            for at in range(len(value)):
                yield value[:at] + value[at + 1 :]
            for at, part in enumerate(value):
                yield from ([*value[:at], smaller, *value[at + 1 :]] for smaller in _smaller(part))
