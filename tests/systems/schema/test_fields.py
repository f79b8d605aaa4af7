"""Declared fields: valid data is read and written back, invalid data is named with its path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import built_in, load
from systems.contract.sheet import Sheet
from systems.errors import Wrong
from systems.schema.conversion import change_entry, entry_named, read, replace, vocabulary, write
from systems.schema.fields import (
    Entry,
    NoOptions,
    choice,
    declare,
    dice,
    entries,
    fields_of,
    flag,
    listing,
    table,
    text,
    whole,
)
from systems.schema.types import Whole


@declare
class Blade(Entry):
    name: str = text()
    damage: str = dice("1d6", "rolled")
    loaded: int | None = whole(0, 9, None, "shots")


@declare
class Thing(Sheet):
    most: int = whole(1, 99, 10, "when whole")
    now: int = whole(-99, 99, help="now", same_as="most")
    armour: bool = flag(False, "worn")
    size: str = choice(("small", "big"), "small", "how big")
    scores: dict[str, int] = table(Whole(0, 100), "by name")
    traits: dict[str, int] = table(Whole(0, 9), "two of them", names=("body", "mind"))
    bands: tuple[int, ...] = listing(Whole(-3, 3), (0,), "one or three", lengths=(1, 3))
    blades: tuple[Blade, ...] = entries(Blade, "carried")
    owner: str | None = text(None, "whose", when_absent="nobody's")


@declare
class Needy:
    amount: int = whole(0, 9, help="how many")


GOOD = {
    "name": "Crate",
    "habits": [],
    "most": 20,
    "now": -5,
    "armour": True,
    "size": "big",
    "scores": {"melee": 53},
    "traits": {"body": 3},
    "bands": [-3, 0, 3],
    "blades": [{"name": "sword"}, {"name": "bow", "damage": "2d8+1d4", "loaded": 0}],
    "owner": "Ana",
}


def test_defaults_are_filled_in_and_some_copy_another_field():
    assert write(read(Thing, {})) == {
        "most": 10,
        "now": 10,
        "armour": False,
        "size": "small",
        "scores": {},
        "traits": {},
        "bands": [0],
        "blades": [],
    }
    assert read(Thing, {"most": 33}).now == 33
    assert read(Thing, {"most": 33, "now": 0}).now == 0


def test_values_that_are_read_are_written_back():
    assert write(read(Thing, GOOD)) == GOOD


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"weight": 3}, "weight"),
        ({"most": 0}, "most"),
        ({"most": 100}, "most"),
        ({"most": 2.0}, "most"),
        ({"most": True}, "most"),
        ({"most": "2"}, "most"),
        ({"most": None}, "most"),
        ({"now": None}, "now"),
        ({"armour": 1}, "armour"),
        ({"armour": "yes"}, "armour"),
        ({"size": "Big"}, "size"),
        ({"size": ["big"]}, "size"),
        ({"size": {}}, "size"),
        ({"name": ""}, "name"),
        ({"name": 5}, "name"),
        ({"owner": None}, "owner"),
        ({"scores": []}, "scores"),
        ({"scores": {"melee": 101}}, "scores.melee"),
        ({"scores": {"": 5}}, "scores"),
        ({"scores": {5: 5}}, "scores"),
        ({"traits": {"soul": 5}}, "traits"),
        ({"traits": {"mind": 10}}, "traits.mind"),
        ({"bands": 3}, "bands"),
        ({"bands": "3"}, "bands"),
        ({"bands": [1, 2]}, "bands"),
        ({"bands": [1, 2, 4]}, "bands[2]"),
        ({"blades": {"name": "sword"}}, "blades"),
        ({"blades": ["sword"]}, "blades[0]"),
        ({"blades": [{"name": "sword"}, {}]}, "blades[1].name"),
        ({"blades": [{"name": "sword", "edge": 3}]}, "blades[0].edge"),
        ({"blades": [{"name": "sword", "given": []}]}, "blades[0].given"),
        ({"blades": [{"name": "sword", "damage": "1d7"}]}, "blades[0].damage"),
        ({"blades": [{"name": "sword", "loaded": None}]}, "blades[0].loaded"),
    ],
)
def test_an_invalid_value_is_wrong_at_its_path(given, path):
    with pytest.raises(Wrong) as wrong:
        read(Thing, given, "actor")
    assert wrong.value.field == f"actor.{path}"
    assert wrong.value.message


@pytest.mark.parametrize("given", [None, 5, "crate", [], [("most", 3)]])
def test_data_that_is_not_a_table_of_fields_is_wrong(given):
    with pytest.raises(Wrong, match="expected a table of fields"):
        read(Thing, given)


def test_a_missing_needed_field_is_named():
    with pytest.raises(Wrong, match="amount: is needed: a whole number from 0 to 9"):
        read(Needy, {})


def test_a_misspelled_field_gets_a_suggestion():
    with pytest.raises(Wrong, match="did you mean scores"):
        read(Thing, {"scors": {}})
    with pytest.raises(Wrong, match="did you mean armour"):
        read(Thing, {"armor": True})


@pytest.mark.parametrize("good", ["1d4", "99d20", "2d8+1d4", "1d6+1d6+1d6", "10d10"])
def test_dice_that_a_sheet_may_hold(good):
    assert read(Blade, {"name": "x", "damage": good}).damage == good


@pytest.mark.parametrize(
    "bad",
    ["", "d6", "0d6", "100d6", "1d7", "1d100", "2d6+3", "2d6-1d4", "1D6", " 1d6", "1d6\n", "1d6+", "01d6", 6],
)
def test_dice_that_a_sheet_may_not_hold(bad):
    with pytest.raises(Wrong):
        read(Blade, {"name": "x", "damage": bad})


def test_a_field_may_limit_its_dice_and_describe_its_absence():
    @declare
    class Odd:
        damage: str | None = dice(None, "rolled", sides=(3, 100), when_absent="one point")

    assert read(Odd, {"damage": "2d3+1d100"}).damage == "2d3+1d100"
    assert vocabulary(Odd)["damage"]["default"] == "one point"
    with pytest.raises(Wrong, match=r"d3 or d100\), got \"1d6\""):
        read(Odd, {"damage": "1d6"})


SCORES = st.dictionaries(st.text(min_size=1), st.integers(0, 100), max_size=3)
BLADES = st.lists(
    st.fixed_dictionaries(
        {"name": st.text(min_size=1)},
        optional={"damage": st.sampled_from(["1d6", "2d8+1d4"]), "loaded": st.integers(0, 9)},
    ),
    max_size=3,
)
THINGS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.text(min_size=1),
        "most": st.integers(1, 99),
        "now": st.integers(-99, 99),
        "armour": st.booleans(),
        "size": st.sampled_from(["small", "big"]),
        "scores": SCORES,
        "bands": st.sampled_from([[1], [1, 2, -3]]),
        "blades": BLADES,
    },
)


@given(THINGS)
def test_writing_a_value_keeps_its_given_fields_and_reads_the_same(given):
    one = read(Thing, given)
    written = write(one)
    assert given.items() <= written.items()
    assert read(Thing, written) == one
    assert write(read(Thing, written)) == written


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(fields_of(Thing))), ANYTHING, max_size=4))
def test_any_data_is_read_or_refused_in_one_clean_line(given):
    try:
        read(Thing, given, "actor")
    except Wrong as wrong:
        said = str(wrong)
        assert wrong.field.startswith("actor")  # noqa: PT017 - reading may also succeed
        assert said.isprintable()
        assert len(said) < 1_000


@pytest.mark.parametrize("game", built_in())
def test_the_default_sheet_and_house_rules_of_every_game_read_back(game):
    for cls in (load(game).sheet, load(game).house):
        assert read(cls, write(cls())) == cls()


# Entries


def test_an_entry_keeps_its_given_and_changed_fields():
    one = read(Thing, {"blades": [{"name": "bow"}, {"name": "sword"}]})
    assert write(one)["blades"] == [{"name": "bow"}, {"name": "sword"}]
    bow = entry_named(one.blades, "bow")
    shot = replace(one, blades=change_entry(one.blades, bow, loaded=4, damage="1d6"))
    assert write(shot)["blades"] == [{"name": "bow", "loaded": 4}, {"name": "sword"}]


def test_of_several_entries_of_one_name_the_first_counts_and_only_it_changes():
    one = read(Thing, {"blades": [{"name": "bow", "loaded": 1}, {"name": "bow", "loaded": 2}]})
    bow = entry_named(one.blades, "bow")
    assert bow.loaded == 1
    changed = change_entry(one.blades, bow, loaded=0)
    assert [blade.loaded for blade in changed] == [0, 2]


def test_an_entry_is_found_by_its_exact_name_first_and_in_either_spelling():
    one = read(Thing, {"blades": [{"name": "Colour Blade"}, {"name": "color blade"}]})
    assert entry_named(one.blades, "color blade") is one.blades[1]
    assert entry_named(one.blades, "color-blade") is one.blades[0]
    assert entry_named(one.blades, "rapier") is None


# The printed vocabulary


def test_the_vocabulary_has_type_default_and_help():
    words = vocabulary(Thing)
    assert words["most"] == {
        "type": "a whole number from 1 to 99",
        "default": "10",
        "help": "when whole",
        "needed": False,
        "label": "most",
    }
    assert words["now"]["default"] == "same as most"
    assert words["owner"]["default"] == "nobody's"
    assert words["name"]["default"] == "absent"
    assert words["scores"]["default"] == words["blades"]["default"] == "empty"
    assert words["size"]["choices"] == ["small", "big"]
    assert words["blades"]["fields"]["name"]["default"] == "needed"
    assert vocabulary(Needy)["amount"]["needed"] is True
    assert vocabulary(NoOptions) == {}


def test_fields_come_in_the_order_of_declaration_after_those_of_every_sheet():
    assert list(fields_of(Thing))[:5] == ["name", "notes", "habits", "most", "now"]


@declare
class Lantern:
    """Fields with described defaults."""

    lit: bool = flag(True, "it burns")
    reach: int = whole(0, 99, 1, "how far it shines", unit="spaces")
    side: str = text("foes", "who carries it")
    oil: int = whole(0, 9, help="what is left", same_as="reach")


def test_a_default_is_described_in_the_words_of_its_values() -> None:
    told = {name: field.default_words for name, field in fields_of(Lantern).items()}
    assert told == {"lit": "yes", "reach": "1 space", "side": "foes", "oil": "same as reach"}
    assert fields_of(Lantern)["reach"].words(3) == "3 spaces"
