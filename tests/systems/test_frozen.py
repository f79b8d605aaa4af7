"""Frozen values: made, shown and compared as those of attrs are."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as some

from systems.frozen import finish_classes, frozen


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


def test_shown_as_with_attrs() -> None:
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


def test_a_value_that_holds_what_has_no_hash_has_none() -> None:
    for sword in of_both():
        with pytest.raises(TypeError):
            hash(sword("sabre", [1]))


def test_told_apart_by_identity_where_that_is_declared() -> None:
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


def test_cannot_be_changed_and_keeps_a_comparison_of_its_own() -> None:
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


def test_attrs_makes_the_class_when_its_first_value_is_made_or_its_fields_are_asked_for() -> None:
    @frozen
    class Base:
        name: str

    @frozen
    class Sword(Base):
        damage: int = 1

    @frozen
    class Plain(Base):
        pass

    assert Sword.damage == 1  # still as it was written
    assert Sword("sabre", damage=2) == Sword("sabre", 2)
    assert not hasattr(Sword, "damage")
    assert [field.name for field in attrs.fields(Sword)] == ["name", "damage"]
    assert attrs.has(Plain)
    assert Plain.__match_args__ == ("name",)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"Plain.__init__\(\) missing 1 required"):
        Plain()  # type: ignore[call-arg]


def test_attrs_makes_the_classes_that_are_left_when_it_is_told_to() -> None:
    @frozen
    class Sword:
        damage: int = 1

    finish_classes()
    assert not hasattr(Sword, "damage")
    finish_classes()
    assert Sword().damage == 1


def test_the_first_values_of_a_class_may_be_made_in_many_threads_at_once() -> None:
    @frozen
    class Base:
        name: str = "sabre"

    @frozen
    class Sword(Base):
        value: int = 1
        marks: tuple[str, ...] = ()

    ready = Barrier(8)

    def make(number: int) -> Any:
        ready.wait()
        return Sword(value=number)

    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(make, range(8)))
    assert made == [Sword("sabre", number) for number in range(8)]


def test_a_class_of_it_that_is_not_declared_is_made_the_same_way() -> None:
    @frozen
    class Sword:
        name: str

    class Sabre(Sword):
        pass

    assert Sabre("a").name == "a"
