"""Declared fields: one way to say what a sheet, an option or a house rule may hold.

A game writes its sheet, the options of its actions and its house rules as classes whose attributes are
made by the functions below. From that one declaration come reading and checking (conversion.py), texts
(values.py), the words of errors, forms, completion and the printed vocabulary.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypedDict, TypeVar, Unpack, dataclass_transform

from systems.errors import Wrong, unknown
from systems.frozen import derived, evolve, field, fields, frozen, once_a_class
from systems.schema.naming import Naming
from systems.schema.types import (
    COMMON_DICE,
    Choice,
    CombatantName,
    DiceText,
    FieldType,
    Flag,
    ListOf,
    TableOf,
    TargetNames,
    Text,
    Whole,
    step_into,
    words_of,
)
from systems.schema.values import LONGEST
from systems.text import shown, spoken, without_rules

T = TypeVar("T")
Lifetime = Literal["turn", "round", "encounter", "rest", "lasting"]
# "aimed": for the same actor and target. "between": for the same pair, in either direction. "actor": for the
# same action and actor, with any target.
Remembered = Literal["", "aimed", "between", "actor"]
Supply = Literal["", "left", "used"]
NEEDED = object()
_KEY = "affray"


def _former(names: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in ([names] if isinstance(names, str) else names) if name)


@frozen
class Field:
    """One declared field: its name, its type and its default.

    `default` is None for "absent"; `same_as` names the field that is copied; `when_absent` describes an
    absent option that a rule replaces. `lasts`: how long a value counts. `formerly`: older names of the
    field, which can still be read. `naming`: the things on a sheet that a text can name. `remembered`: an
    option that prompts fill in with its last value, such as the distance between two combatants. `label`: its
    name in sentences, by default the name without underscores. `unit`: the unit of a number, such as `m`.
    `suggested`: names that a table without fixed names often contains, offered while typing. `takes_number`:
    a number typed without a name is the value of this option. `out_of_turn`: the value that prompts fill in
    for an option of a combatant that does not have the turn, or None. `one_off`: an option that counts for a
    single command, such as spending a mark; repeating the command leaves it out. `derive`: the default as a
    function of the fields declared before. `internal`: a field of a sheet that only the rules read and write;
    no screen shows it and no form asks for it. `supply`: the number counts what fights use up, such as
    arrows; it says how much is left, or how much is used. `supply_of`: what an entry's number counts, such as
    spell slots; "" if the entry's name says it. `offers(sheet)`: the values of an option that prompts offer,
    such as the levels of the spell slots that are left.
    """

    name: str
    type: FieldType
    default: object
    same_as: str
    help: str = field(converter=without_rules)
    when_absent: str = ""
    lasts: Lifetime = "lasting"
    formerly: str | Sequence[str] = field(default=(), converter=_former)
    naming: Naming | None = None
    remembered: Remembered = ""
    label: str = ""
    unit: str = ""
    suggested: tuple[str, ...] = ()
    takes_number: bool = False
    out_of_turn: object = None
    one_off: bool = False
    derive: Callable[[Any], object] | None = None
    internal: bool = False
    supply: Supply = ""
    supply_of: str = ""
    offers: Callable[[Any], tuple[str, ...]] | None = None

    @property
    def needed(self) -> bool:
        return self.default is NEEDED

    def words(self, value: Any, most: int = LONGEST) -> str:
        """Return a value of the field in words, a number with its unit."""
        words = words_of(self.type, value, most)
        if not self.unit or type(value) is not int:
            return words
        return f"{words} {self.unit.removesuffix('s') if value == 1 else self.unit}"

    @property
    def is_kept(self) -> bool:
        """Return whether the value outlasts the encounter."""
        return self.lasts in ("rest", "lasting")

    @property
    def is_repeated(self) -> bool:
        """Return whether an option keeps its value when the command is repeated.

        Being out of turn holds for one moment only, so an option filled in for that reason is not repeated.
        """
        return not self.one_off and self.out_of_turn is None

    @property
    def is_of_the_turn(self) -> bool:
        """Return whether the value belongs to a turn or a round."""
        return self.lasts in ("turn", "round")

    @property
    def default_words(self) -> str:
        """Return the default of the field in the words of its values."""
        if self.needed or self.same_as or self.when_absent or self.default in (None, {}, ()):
            return self.default_text
        return self.words(self.default)

    @property
    def default_text(self) -> str:
        """Return the default in words: `needed`, `same as max_life`, `absent` or the value."""
        if self.needed:
            return "needed"
        if self.same_as:
            return f"same as {self.same_as}"
        if self.when_absent:
            return self.when_absent
        if self.default is None:
            return "absent"
        return shown(self.default) if self.default not in ({}, ()) else "empty"


class FieldDetails(TypedDict, total=False):
    """Optional details of a field, apart from type, default and help; see Field."""

    when_absent: str
    lasts: Lifetime
    formerly: str | Sequence[str]
    naming: Naming | None
    remembered: Remembered
    label: str
    unit: str
    suggested: tuple[str, ...]
    takes_number: bool
    out_of_turn: object
    one_off: bool
    derive: Callable[[Any], object] | None
    internal: bool
    supply: Supply
    supply_of: str
    offers: Callable[[Any], tuple[str, ...]] | None


def declare_field(
    type: FieldType, default: object, help: str, *, same_as: str = "", **details: Unpack[FieldDetails]
) -> Any:
    """Declare a field of any field type, as an attribute with its Field attached.

    The functions below are shorter for the field types of this package.
    """
    about = {_KEY: Field("", type, default, same_as, help, **details)}
    if same_as:
        return derived(lambda self: getattr(self, same_as), about)
    if derive := details.get("derive"):
        return derived(derive, about)
    if default is NEEDED:
        return field(metadata=about)
    return field(default=default, metadata=about)


def whole(
    low: int,
    high: int,
    default: object = NEEDED,
    help: str = "",
    *,
    same_as: str = "",
    called: tuple[tuple[str, int], ...] = (),
    **details: Unpack[FieldDetails],
) -> Any:
    """Declare a whole number from `low` to `high`, both included. `called`: words for some of the numbers."""
    kept = None if same_as or details.get("derive") else default
    return declare_field(Whole(low, high, called), kept, help, same_as=same_as, **details)


def flag(default: object = False, help: str = "", **details: Unpack[FieldDetails]) -> Any:
    """Declare a flag: true or false."""
    return declare_field(Flag(), default, help, **details)


def text(default: object = NEEDED, help: str = "", **details: Unpack[FieldDetails]) -> Any:
    """Declare a text that is not empty; `naming` says what on a sheet it names."""
    return declare_field(Text(), default, help, **details)


def combatant(default: object = NEEDED, help: str = "", **details: Unpack[FieldDetails]) -> Any:
    """Declare an option that names a combatant other than actor and target that the action also affects."""
    return declare_field(CombatantName(), default, help, **details)


def marked_targets(help: str = "", **details: Unpack[FieldDetails]) -> Any:
    """Declare an option that names some of the targets, such as those that resist; see `Scene.marked`."""
    return declare_field(TargetNames(), None, help, **details)


def choice(
    values: Sequence[str], default: object = NEEDED, help: str = "", **details: Unpack[FieldDetails]
) -> Any:
    """Declare one of the words in `values`."""
    return declare_field(Choice(tuple(values)), default, help, **details)


def dice(
    default: object = NEEDED,
    help: str = "",
    *,
    sides: Sequence[int] = COMMON_DICE,
    **details: Unpack[FieldDetails],
) -> Any:
    """Declare dice such as `2d6` or `2d8+1d4`: 1 to 99 dice of these numbers of `sides`, joined by +."""
    return declare_field(DiceText(tuple(sides)), default, help, **details)


def table(
    item: FieldType, help: str = "", *, names: Sequence[str] = (), **details: Unpack[FieldDetails]
) -> Any:
    """Declare a table of name -> `item`; `names` limits the names. Empty by default."""
    return declare_field(TableOf(item, tuple(names)), {}, help, **details)


def listing(
    item: FieldType,
    default: Sequence[object] = (),
    help: str = "",
    *,
    lengths: Sequence[int] = (),
    counted: object = None,
    **details: Unpack[FieldDetails],
) -> Any:
    """Declare a list of `item`; `lengths` limits the number of items.

    `counted`: the item that a typed number repeats.
    """
    return declare_field(ListOf(item, tuple(lengths), counted), tuple(default), help, **details)


def entries(of: type, help: str = "", **details: Unpack[FieldDetails]) -> Any:
    """Declare a list of entries of a declared class. Of entries with equal names the first counts."""
    return declare_field(Entries(of), (), help, **details)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def declare(cls: type[T]) -> type[T]:
    """Make a class of declared fields: frozen, keyword-only, compared by value."""
    made: type[T] = frozen(cls, kw_only=True)
    return made


@declare
class NoOptions:
    """The options of an action that has none."""


@declare
class Entry:
    """Base of list entries; remembers which fields were given, so that an answer keeps just those.

    LINE: the fields whose values follow the name when the entry is one line, see entry_lines.py.
    SIGNED: the field that a number with a sign between the name and those values gives, "" for none.
    COUNTED: the field that a number with an x gives, such as the `x3` of three grenades, "" for none.
    """

    LINE: ClassVar[tuple[str, ...]] = ()
    SIGNED: ClassVar[str] = ""
    COUNTED: ClassVar[str] = ""
    given: frozenset[str] = field(default=frozenset(), eq=False)

    @property
    def refills_in_fight(self) -> bool:
        """Return whether it refills by itself while a fight goes on, so that fights use nothing up."""
        return False

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield the fields that do not fit the other fields, each with a message."""
        yield from ()


@once_a_class
def fields_of(cls: type[Any]) -> Mapping[str, Field]:
    """Return the declared fields of `cls` by name, in the order of declaration."""
    found: dict[str, Field] = {}
    for attribute in fields(cls):
        if declared := attribute.metadata.get(_KEY):
            label = declared.label or spoken(attribute.name)
            found[attribute.name] = evolve(declared, name=attribute.name, label=label)
    return found


@once_a_class
def _checked_fields(cls: type[Any]) -> Sequence[tuple[str, FieldType, bool]]:
    """Return name and type of each field, and whether it is needed, for the check of every sheet."""
    return tuple((name, field.type, field.needed) for name, field in fields_of(cls).items())


@once_a_class
def visible_fields(cls: type[Any]) -> Mapping[str, Field]:
    """Return the fields of a sheet that people see, by name."""
    return {name: field for name, field in fields_of(cls).items() if not field.internal}


@once_a_class
def former_names(cls: type[Any]) -> Mapping[str, str]:
    """Return older names of the fields of `cls`, each with the current name."""
    return {older: name for name, field in fields_of(cls).items() for older in field.formerly}


def with_present_names(cls: type[Any], value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a table of fields with the current names of renamed fields."""
    former = former_names(cls)
    if not former or not any(name in former for name in value):
        return value
    return {former.get(name, name): part for name, part in value.items()}


@frozen
class Record:
    """The fields of one declared class, such as a sheet or one weapon, as a table."""

    of: type

    expected = "a table of fields"

    def inside(self, step: str | int) -> FieldType | None:
        field = fields_of(self.of).get(former_names(self.of).get(str(step), str(step)))
        return field.type if field else None

    def parts(self, value: object, path: str) -> Iterator[tuple[FieldType, object, str]]:
        if isinstance(value, Mapping):
            for name, part in value.items():
                if (type_inside := self.inside(name)) is not None:
                    yield type_inside, part, step_into(path, name)

    def shape_errors(self, value: object, path: str) -> Iterator[Wrong]:
        if not isinstance(value, Mapping):
            yield Wrong(path, f"expected a table of fields, got {shown(value)}", code="wrong_type")
            return
        known, former = fields_of(self.of), former_names(self.of)
        for name in value:
            if name not in known and name not in former:
                yield unknown(step_into(path, str(name)), "unknown field", name, known, "unknown_field")
            elif name in former and former[name] in value:
                says = f"is called {former[name]} now, and that is given as well"
                yield Wrong(step_into(path, name), says, code="unknown_field")

    def missing(self, value: object, path: str) -> Iterator[Wrong]:
        """Yield an error for each needed field that is not given."""
        if isinstance(value, Mapping):
            given = with_present_names(self.of, value)
            for name, field in fields_of(self.of).items():
                if field.needed and name not in given:
                    yield Wrong(step_into(path, name), f"is needed: {field.type.expected}", code="needed")

    def check(self, value: object, path: str = "") -> Any:
        made = self.made(value, path)
        for name, says in made.mistakes() if isinstance(made, Entry) else ():
            raise Wrong(step_into(path, name), says)
        return made

    def made(self, value: object, path: str = "") -> Any:
        """Return the value of the class, each field checked by itself. Raises Wrong."""
        for error in self.shape_errors(value, path):
            raise error
        assert isinstance(value, Mapping)
        given = with_present_names(self.of, value)
        values: dict[str, Any] = {}
        for name, type_inside, needed in _checked_fields(self.of):
            if name in given:
                values[name] = type_inside.check(given[name], step_into(path, name))
            elif needed:
                raise Wrong(step_into(path, name), f"is needed: {type_inside.expected}", code="needed")
        if issubclass(self.of, Entry):
            values["given"] = frozenset(given)
        return self.of(**values)

    def typed(self, word: str, path: str = "") -> Any:
        raise Wrong(path, "which field of it? such as weapons.sword.damage")


@frozen
class Entries:
    """A list of entries of a declared class."""

    of: type

    @property
    def expected(self) -> str:
        return "a list of entries"

    @property
    def item(self) -> Record:
        """Return the type of each entry."""
        return Record(self.of)

    def inside(self, step: str | int) -> FieldType | None:
        return self.item if isinstance(step, int) else None

    def parts(self, value: object, path: str) -> Iterator[tuple[FieldType, object, str]]:
        if isinstance(value, list | tuple):
            for at, entry in enumerate(value):
                yield self.item, entry, step_into(path, at)

    def shape_errors(self, value: object, path: str) -> Iterator[Wrong]:
        if not isinstance(value, list | tuple):
            yield Wrong(path, f"expected a list, got {shown(value)}", code="wrong_type")

    def check(self, value: object, path: str = "") -> tuple[Any, ...]:
        for error in self.shape_errors(value, path):
            raise error
        return tuple(item.check(entry, place) for item, entry, place in self.parts(value, path))

    def typed(self, word: str, path: str = "") -> Any:
        raise Wrong(
            path,
            'is a list of entries: set one of them, such as weapons.sword "15 melee", or one value of it, '
            "such as weapons.sword.damage",
        )


@once_a_class
def combatant_options(cls: type[Any]) -> tuple[str, ...]:
    """Return the options that name a combatant."""
    return tuple(name for name, field in fields_of(cls).items() if isinstance(field.type, CombatantName))


@once_a_class
def target_options(cls: type[Any]) -> tuple[str, ...]:
    """Return the options that name some of the targets."""
    return tuple(name for name, field in fields_of(cls).items() if isinstance(field.type, TargetNames))
