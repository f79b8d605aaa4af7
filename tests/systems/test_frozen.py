"""Frozen values: made, shown and compared as those of attrs are."""

from collections.abc import Mapping
from typing import Any, ClassVar

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
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Tag("a").name = "b"  # type: ignore[misc]


def blades(frozen: Any, field: Any, factory: Any) -> type:
    """A class with all that an attribute may say."""

    @frozen
    class Blade:
        LONGEST: ClassVar[int] = 3
        name: str
        _maker: str = ""
        marks: tuple[str, ...] = field(default=(), converter=tuple)
        notes: Mapping[str, str] = field(factory=dict)
        title: str = field(default=factory(lambda self: f"the {self.name}", takes_self=True))
        age: int = field(default=7, init=False)
        owner: str = field(default="nobody", kw_only=True, metadata={"seen": True})

    @frozen(kw_only=True)
    class Sabre(Blade):
        title: str = "sabre"
        curved: bool

    return Sabre


OURS = blades(frozen, field, Factory)
THEIRS = blades(attrs.frozen, attrs.field, attrs.Factory)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (("a",), {"curved": True}),
        (("a", "smith", ["x"], {"b": "c"}), {"curved": False, "owner": "me"}),
        (("a",), {"curved": True, "maker": "smith", "title": "t"}),
    ],
)
def test_made_and_changed_as_with_attrs(given: tuple[object, ...], named: dict[str, object]) -> None:
    ours, theirs = OURS(*given, **named), THEIRS(*given, **named)
    assert repr(ours) == repr(theirs)
    changed = repr(attrs.evolve(theirs, maker="me", curved=None))
    assert repr(evolve(ours, maker="me", curved=None)) == changed
    assert repr(attrs.evolve(ours, maker="me", curved=None)) == changed
    with pytest.raises(TypeError):
        evolve(ours, weight=1)


@pytest.mark.parametrize("wrong", [(), ("a", "b", (), {}, "t", 7, "me"), ("a",)])
def test_what_the_constructor_does_not_take_is_a_type_error_as_with_attrs(wrong: tuple[object, ...]) -> None:
    for sabre in (OURS, THEIRS):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            sabre(*wrong)


def test_attrs_reads_the_class_as_its_own() -> None:
    about = ("name", "alias", "eq", "repr", "init", "kw_only", "metadata", "type")
    assert [[getattr(each, word) for word in about] for each in attrs.fields(OURS)] == [
        [getattr(each, word) for word in about] for each in attrs.fields(THEIRS)
    ]
    assert attrs.asdict(OURS("a", curved=True)) == attrs.asdict(THEIRS("a", curved=True))
    assert attrs.has(OURS)
    assert has(OURS)
    assert not has(str)
    assert [each.name for each in fields(OURS)] == [each.name for each in attrs.fields(THEIRS)]


def test_the_class_is_the_one_that_was_written() -> None:
    class Tag:
        name: str = "tag"

    assert frozen(Tag) is Tag
    assert Tag.__subclasses__() == []
    assert not hasattr(Tag, "name")


def test_matched_by_position_as_with_attrs() -> None:
    assert OURS.__match_args__ == THEIRS.__match_args__  # type: ignore[attr-defined]


def test_what_is_done_after_making_is_done_each_time() -> None:
    @frozen
    class Even:
        number: int

        def __attrs_post_init__(self) -> None:
            if self.number % 2:
                raise ValueError("odd")

    for number in (1, 3):
        with pytest.raises(ValueError, match="odd"):
            Even(number)
    assert Even(2).number == 2


def test_a_class_of_it_that_declares_nothing_more_is_made_the_same_way() -> None:
    class Plain(OURS):  # type: ignore[misc, valid-type]
        pass

    assert Plain("a", curved=True).name == "a"


def test_an_attribute_in_the_words_of_attrs_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Tag\.name needs the field\(\) of systems\.frozen"):

        @frozen
        class Tag:
            name: str = attrs.field(default="")


def test_attributes_may_change_where_that_is_declared() -> None:
    @define(eq=False)
    class Score:
        points: list[int] = field(factory=list)

    score = Score()
    score.points = [1]
    assert score.points == [1]
    assert score != Score([1])
    assert Score().points is not Score().points
