"""Frozen values: made, shown, compared and changed as those of dataclasses are."""

import dataclasses
from functools import cached_property
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from systems.frozen import asdict, derived, evolve, field, fields, frozen, has


@frozen
class Sword:
    name: str
    damage: object = 1
    seen: int = field(default=0, eq=False)


@dataclasses.dataclass(frozen=True)
class Oracle:
    name: str
    damage: object = 1
    seen: int = dataclasses.field(default=0, compare=False, repr=False)


SWORDS = some.tuples(some.sampled_from("ab"), some.sampled_from((1, 2, 1.0)), some.integers(0, 1))


@given(SWORDS, SWORDS)
def test_values_are_equal_as_those_of_dataclasses_and_then_of_one_hash(one: Any, other: Any) -> None:
    left, right = Sword(*one), Sword(*other)
    assert (left == right) == (Oracle(*one) == Oracle(*other))
    assert (left != right) != (left == right)
    assert left != right or hash(left) == hash(right)


def test_a_value_has_the_text_of_its_fields() -> None:
    assert (
        repr(Sword("sabre"))
        == repr(Oracle("sabre")).replace("Oracle", "Sword")
        == "Sword(name='sabre', damage=1)"
    )


def test_values_of_two_classes_are_never_equal() -> None:
    @frozen
    class Longer(Sword):
        pass

    assert Sword("sabre") != Longer("sabre")
    assert Longer("sabre") == Longer("sabre", seen=1)
    assert Sword("sabre") != "sabre"


def test_a_value_with_an_unhashable_part_is_unhashable() -> None:
    with pytest.raises(TypeError):
        hash(Sword("sabre", [1]))


def test_instances_are_compared_by_identity_if_declared() -> None:
    @frozen(eq=False)
    class Blade:
        name: str

    blade = Blade("sabre")
    assert blade != Blade("sabre")
    assert {blade: 1}[blade] == 1


def test_without_fields_all_are_equal() -> None:
    @frozen
    class Nothing:
        pass

    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())


def test_a_frozen_class_cannot_be_changed_and_keeps_its_own_comparison() -> None:
    @frozen
    class Tag:
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Tag) and self.name.lower() == other.name.lower()

        def __hash__(self) -> int:
            return hash(self.name.lower())

    assert Tag("A") == Tag("a")
    assert len({Tag("A"), Tag("a")}) == 1
    with pytest.raises(AttributeError):
        Tag("a").name = "b"  # type: ignore[misc]


def test_a_class_below_a_frozen_class_is_frozen_and_its_fields_follow() -> None:
    @frozen
    class Base:
        name: str = field(converter=str.strip)

    @frozen
    class Sabre(Base):
        damage: int = 1
        reach: dict[str, int] = {}

    assert Sabre(" long ", damage=2) == Sabre("long", 2)
    assert [(each.name, each.needed) for each in fields(Sabre)] == [
        ("name", True),
        ("damage", False),
        ("reach", False),
    ]
    assert fields(Sabre)[1].default == 1
    assert has(Sabre)
    assert not has(Oracle)
    assert asdict(Sabre("long")) == {"name": "long", "damage": 1, "reach": {}}
    with pytest.raises(TypeError, match="Missing required argument 'name'"):
        Sabre()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Sabre("long").damage = 2  # type: ignore[misc]


def test_a_class_below_takes_only_the_options_of_the_class_above() -> None:
    @frozen(kw_only=True)
    class Named:
        name: str = ""

    @frozen(kw_only=True)
    class Counted(Named):
        count: int

    assert Counted(count=2).count == 2
    with pytest.raises(TypeError, match="Other has the options of the class above it"):

        @frozen(eq=False)
        class Other(Named):
            pass


def test_a_derived_field_is_made_from_the_others_unless_it_is_given() -> None:
    @frozen
    class Arrow:
        name: str
        label: str = derived(lambda arrow: arrow.name.title())
        loud: str = derived(lambda arrow: arrow.label.upper())

    assert asdict(Arrow("long")) == {"name": "long", "label": "Long", "loud": "LONG"}
    assert Arrow("long", "L").loud == "L"
    assert evolve(Arrow("long"), name="short").label == "Long"


@frozen
class Shield:
    name: str = field(converter=str.strip)
    armour: int = 1

    @cached_property
    def shown(self) -> str:
        return f"{self.name} {self.armour}"


def test_a_changed_copy_keeps_no_cached_property() -> None:
    shield = Shield("buckler")
    assert shield.shown == "buckler 1"
    for changes in ({}, {"armour": 3}, {"name": " tower "}, {"name": "tower ", "armour": 0}):
        values = {"name": "buckler", "armour": 1, **changes}
        assert evolve(shield, **changes) == Shield(**values)  # type: ignore[arg-type]
        assert evolve(shield, **changes).shown == Shield(**values).shown  # type: ignore[arg-type]
    assert (shield.name, shield.armour) == ("buckler", 1)


def test_a_changed_copy_is_checked_and_unknown_fields_are_refused() -> None:
    @frozen
    class Checked:
        armour: int = field(converter=int)

        def __post_init__(self) -> None:
            if self.armour < 0:
                raise ValueError("armour")

    assert Checked("1") == Checked(1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="armour"):
        evolve(Checked(1), armour=-1)
    with pytest.raises(TypeError):
        evolve(Shield("buckler"), weight=3)


def test_a_class_below_keeps_the_conversions_and_the_check_of_the_class_above() -> None:
    @frozen
    class Heavy(Shield):
        def __post_init__(self) -> None:
            if self.armour < 2:
                raise ValueError("armour")

    @frozen
    class Spiked(Heavy):
        spikes: int = field(converter=int, default=1)

    assert Heavy(" tower ", 2).name == "tower"
    assert Spiked(" tower ", 2, "3") == Spiked("tower", 2, 3)  # type: ignore[arg-type]
    for heavy in (Heavy, Spiked):
        with pytest.raises(ValueError, match="armour"):
            heavy("tower")


def test_a_check_may_call_that_of_the_class_above() -> None:
    checked = []

    @frozen
    class Kept(Shield):
        def __post_init__(self) -> None:
            checked.append(self.name)

    @frozen
    class Painted(Kept):
        colour: str = field(converter=str.strip, default="red")

        def __post_init__(self) -> None:
            super().__post_init__()
            checked.append(self.colour)

    Painted(" tower ", 2, " blue ")
    assert checked == ["tower", "blue"]


def test_a_field_without_a_type_is_refused_with_its_class_and_name() -> None:
    with pytest.raises(TypeError, match=r"Helm\.weight has no type"):

        @frozen
        class Helm:
            weight = field(default=3)


def test_a_class_that_cannot_be_made_is_named() -> None:
    with pytest.raises(TypeError, match=r"^Helm: Required field 'weight'"):

        @frozen
        class Helm:
            name: str = "barbute"
            weight: int
