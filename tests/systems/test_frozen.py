"""Frozen values: made, shown and compared as those of attrs are."""

from functools import cached_property
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as some

from systems.frozen import evolve, frozen


def of_both(**how: Any) -> list[type]:
    """The same class, ours and that of attrs."""

    def made(frozen: Any) -> type:
        @frozen(**how)
        class Sword:
            name: str
            damage: object = 1
            seen: int = attrs.field(default=0, eq=False, repr=False)

        return Sword

    return [made(frozen), made(attrs.frozen)]


@given(*[some.tuples(some.sampled_from("ab"), some.sampled_from((1, 2, 1.0)), some.integers(0, 1))] * 2)
def test_equal_as_with_attrs_and_then_of_one_hash(one: Any, other: Any) -> None:
    for sword in of_both():
        left, right = sword(*one), sword(*other)
        assert (left == right) == (one[:2] == other[:2])
        assert (left != right) != (left == right)
        assert left != right or hash(left) == hash(right)


def test_a_frozen_class_has_the_same_repr_as_with_attrs() -> None:
    ours, theirs = of_both()
    assert repr(ours("sabre")) == repr(theirs("sabre"))


def test_values_of_two_classes_are_never_equal() -> None:
    ours, theirs = of_both()

    @frozen
    class Longer(ours):  # type: ignore[misc, valid-type]
        pass

    assert ours("sabre") != theirs("sabre")
    assert ours("sabre") != Longer("sabre")
    assert Longer("sabre") == Longer("sabre")
    assert ours("sabre") != "sabre"


def test_a_value_with_an_unhashable_part_is_unhashable() -> None:
    for sword in of_both():
        with pytest.raises(TypeError):
            hash(sword("sabre", [1]))


def test_instances_are_compared_by_identity_if_declared() -> None:
    for sword in of_both(eq=False):
        one = sword("sabre")
        assert one != sword("sabre")
        assert {one: 1}[one] == 1


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
    with pytest.raises(attrs.exceptions.FrozenError):
        Tag("a").name = "b"  # type: ignore[misc]


def test_attrs_reads_the_class_as_its_own_and_its_defaults_are_no_attributes_of_it() -> None:
    @frozen
    class Base:
        name: str

    @frozen
    class Sword(Base):
        damage: int = 1

    assert Sword("sabre", damage=2) == Sword("sabre", 2)
    assert not hasattr(Sword, "damage")
    assert [field.name for field in attrs.fields(Sword)] == ["name", "damage"]
    with pytest.raises(TypeError, match=r"Sword.__init__\(\) missing 1 required"):
        Sword()  # type: ignore[call-arg]


@frozen
class Shield:
    name: str = attrs.field(converter=str.strip)
    armour: int = 1

    @cached_property
    def shown(self) -> str:
        return f"{self.name} {self.armour}"


@frozen
class Checked:
    armour: int

    def __attrs_post_init__(self) -> None:
        if self.armour < 0:
            raise ValueError("armour")


def test_evolve_equals_that_of_attrs_and_keeps_no_cached_property() -> None:
    shield = Shield("buckler")
    assert shield.shown == "buckler 1"
    for changes in ({}, {"armour": 3}, {"name": " tower "}, {"name": "tower ", "armour": 0}):
        ours = evolve(shield, **changes)
        assert ours == attrs.evolve(shield, **changes)
        assert ours.shown == attrs.evolve(shield, **changes).shown
    assert (shield.name, shield.armour) == ("buckler", 1)


def test_evolve_checks_values_and_refuses_unknown_fields() -> None:
    with pytest.raises(ValueError, match="armour"):
        evolve(Checked(1), armour=-1)
    with pytest.raises(TypeError):
        evolve(Shield("buckler"), weight=3)
