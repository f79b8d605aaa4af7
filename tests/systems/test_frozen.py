"""Frozen values: made, shown and compared as those of attrs are."""

import inspect
import pickle
from functools import cached_property
from typing import Any, ClassVar, get_type_hints

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as some

from systems.frozen import Factory, define, evolve, field, fields, frozen, has


def of_both(**how: Any) -> list[type]:
    """The same class, ours and that of attrs."""

    def made(frozen: Any, field: Any) -> type:
        @frozen(**how)
        class Sword:
            name: str
            damage: object = 1
            seen: int = field(default=0, eq=False, repr=False)

        return Sword

    return [made(frozen, field), made(attrs.frozen, attrs.field)]


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
    name: str = field(converter=str.strip)
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


@frozen
class Bow:
    """A class with every kind of field that the product declares."""

    RANGE: ClassVar[int] = 60
    MOST: "ClassVar[int]" = 9

    name: str = field(converter=str.strip)
    label: str = Factory(lambda self: self.name.upper(), takes_self=True)
    arrows: list[str] = field(factory=list)
    _maker: str = "none"
    made: int = field(init=False, default=7)
    note: str = field(default="", kw_only=True, eq=False, metadata={"of": "a bow"})


def test_a_value_takes_its_fields_converts_them_and_makes_its_defaults() -> None:
    bow = Bow(" long ")
    assert (bow.name, bow.label, bow.arrows, bow._maker, bow.made, bow.note) == (
        "long", "LONG", [], "none", 7, "",
    )  # fmt: skip
    assert Bow("a").arrows is not Bow("a").arrows
    assert Bow("a", "b", ["c"], "d", note="e")._maker == "d"
    assert Bow("a", maker="d", note="e") == Bow("a", maker="d")
    with pytest.raises(TypeError):
        Bow("a", "b", ["c"], "d", "e")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Bow("a", made=8)  # type: ignore[call-arg]


def test_a_class_compiles_its_constructor_when_that_is_first_needed() -> None:
    @frozen
    class Later:
        name: str = "x"

    assert not inspect.isfunction(vars(Later)["__init__"])
    assert str(inspect.signature(Later)) == "(name: str = 'x') -> None"
    assert inspect.isfunction(vars(Later)["__init__"])
    assert Later("y").name == "y"


def test_a_subclass_that_is_not_declared_uses_the_constructor_of_its_base() -> None:
    @frozen
    class Base:
        name: str

    class Below(Base):
        pass

    assert Below("x").name == "x"
    assert Base("y").name == "y"


def test_functions_of_attrs_read_the_fields_of_a_class() -> None:
    by_name = {each.name: each for each in attrs.fields(Bow)}
    assert list(by_name) == ["name", "label", "arrows", "_maker", "made", "note"]
    assert (by_name["note"].kw_only, by_name["note"].metadata["of"]) == (True, "a bow")
    assert (by_name["name"].default, by_name["_maker"].default) == (attrs.NOTHING, "none")
    assert (by_name["_maker"].alias, by_name["arrows"].type) == ("maker", list[str])
    assert attrs.asdict(Bow("a", "b"))["label"] == "b"
    assert attrs.evolve(Bow("a"), note="b").note == "b"
    assert "name" not in get_type_hints(Bow.__init__), "a converter takes other types"


@given(some.builds(Bow, name=some.just("a")))
def test_hypothesis_builds_values_from_the_annotations(bow: Bow) -> None:
    assert all(isinstance(arrow, str) for arrow in bow.arrows)


def test_fields_and_has_also_answer_for_a_class_of_attrs() -> None:
    ours, theirs = of_both()
    assert [each.name for each in fields(ours)] == [each.name for each in fields(theirs)]
    assert has(ours)
    assert has(theirs)
    assert not has(int)


def test_values_are_pickled_and_matched_by_position() -> None:
    assert pickle.loads(pickle.dumps(Shield("buckler", 2))) == Shield("buckler", 2)
    match Shield("buckler", 2):
        case Shield(name, armour):
            assert (name, armour) == ("buckler", 2)


def test_one_declaration_serves_two_fields() -> None:
    number = field(default=3)

    @frozen
    class Twice:
        low: int = number
        high: int = number

    assert Twice(high=4) == Twice(3, 4)


def test_a_declaration_of_attrs_is_refused_with_the_name_of_the_field() -> None:
    with pytest.raises(TypeError, match=r"Wrong\.name: use the field of systems\.frozen"):

        @frozen
        class Wrong:
            name: str = attrs.field(default="")


def test_a_field_without_a_default_after_one_with_a_default_is_refused_at_once() -> None:
    with pytest.raises(TypeError, match="Wrong: fields without a default must come first"):

        @frozen
        class Wrong:
            name: str = ""
            damage: int  # type: ignore[misc]


def test_no_field_of_a_frozen_value_can_be_set_or_deleted() -> None:
    for change in (lambda: setattr(Shield("a"), "name", "b"), lambda: delattr(Shield("a"), "name")):
        with pytest.raises(attrs.exceptions.FrozenError):
            change()


def test_fields_of_a_defined_class_can_be_set_and_it_is_compared_by_identity() -> None:
    @define
    class Count:
        value: int = 0

    count = Count()
    count.value = 3
    assert count.value == 3
    assert count != Count(3)
