"""Values as text, and one walk over nested types: laws for every type and every game."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import load, names
from systems.errors import Wrong
from systems.schema.conversion import every_error, plain_of, read, type_at, write
from systems.schema.entries import differing_parts
from systems.schema.fields import Entry, Record, declare, entries, fields_of, listing, table, text, whole
from systems.schema.types import Choice, DiceText, FieldType, Flag, ListOf, TableOf, Text, Whole
from systems.schema.values import as_typed, as_words

WORDS = st.text("abcdefgh", min_size=1, max_size=8)


def values_of(type: FieldType) -> st.SearchStrategy[Any]:
    """Values that a field type may hold."""
    match type:
        case Whole(low, high):
            return st.integers(low, high)
        case Flag():
            return st.booleans()
        case Text():
            return st.text("abcdefg,", min_size=1, max_size=8).filter(lambda word: word.strip(","))
        case Choice(values):
            return st.sampled_from(values)
        case DiceText():
            return st.sampled_from(("2d6", "1d4+3d20", "99d8"))
        case ListOf(item, lengths):
            least, most = (min(lengths), max(lengths)) if lengths else (0, 4)
            return st.lists(values_of(item), min_size=least, max_size=most).map(tuple)
        case TableOf(item, known):
            keys = st.sampled_from(known) if known else WORDS
            return st.dictionaries(keys, values_of(item), max_size=4)
    raise AssertionError(type)


TYPES: tuple[FieldType, ...] = (
    Whole(-99, 99),
    Flag(),
    Text(),
    Choice(("alert", "flat_footed")),
    DiceText(),
    ListOf(Whole(-9, 9)),
    ListOf(Text()),
    ListOf(Whole(-9, 9), (3,)),
    TableOf(Whole(-9, 9)),
    TableOf(Flag(), ("body", "mind")),
)


@pytest.mark.parametrize("type", TYPES, ids=str)
@given(data=st.data())
def test_a_shown_value_reads_as_the_same_value(type, data):
    value = data.draw(values_of(type))
    assert type.typed(as_typed(value)) == value
    assert type.check(plain_of(value)) == value
    assert list(every_error(type, plain_of(value))) == []


def test_bars_separate_texts_that_hold_commas():
    texts = ListOf(Text())
    assert texts.typed("Bite, twice | Roar") == ("Bite, twice", "Roar")
    assert texts.typed("Bite, twice|") == ("Bite, twice",)
    assert as_typed(("Bite, twice", "Roar")) == "Bite, twice|Roar"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "none"),
        (True, "yes"),
        (-5, "\N{MINUS SIGN}5"),
        (("o", "d"), "o, d"),
        ((), "none"),
        ({"melee": 55, "luck": -1}, "melee 55, luck \N{MINUS SIGN}1"),
        ([{"name": "carbine", "loaded": 3}], "carbine"),
        ("a\nb", "a b"),
    ],
)
def test_a_value_is_shown_in_one_way(value, said):
    assert as_words(value) == said


def test_an_entry_is_shown_by_its_name():
    xcom = load("xcom")
    sheet = read(xcom.sheet, {"weapons": [{"name": "carbine", "damage_base": 3}]})
    assert as_words(sheet.weapons) == "carbine"


@declare
class Blade(Entry):
    name: str = text()
    edge: int = whole(0, 9)


@declare
class Chest:
    depth: int = whole(1, 9)
    marks: tuple[int, ...] = listing(Whole(0, 9))
    locks: dict[str, int] = table(Whole(0, 9), names=("front", "back"))
    blades: tuple[Blade, ...] = entries(Blade)


def test_every_error_is_found_with_its_path_and_code():
    given = {
        "marks": [1, "x", 11],
        "locks": {"side": 1, "back": 99},
        "blades": [{"name": "axe", "edge": True}, {"edge": 3, "eadge": 1}],
        "lid": 1,
    }
    found = {(error.path, error.code, error.suggestion) for error in every_error(Record(Chest), given)}
    assert found == {
        ("depth", "needed", ""),
        ("marks[1]", "wrong_type", ""),
        ("marks[2]", "out_of_range", ""),
        ("locks", "unknown_name", ""),
        ("locks.back", "out_of_range", ""),
        ("blades[0].edge", "wrong_type", ""),
        ("blades[1].name", "needed", ""),
        ("blades[1].eadge", "unknown_field", "edge"),
        ("lid", "unknown_field", ""),
    }
    with pytest.raises(Wrong) as first:
        read(Chest, given)
    assert (first.value.path, first.value.code) in {(path, code) for path, code, _ in found}


def test_a_path_leads_to_its_type():
    chest = Record(Chest)
    assert type_at(chest, ["blades", 3, "edge"]) == Whole(0, 9)
    assert type_at(chest, ["locks", "front"]) == Whole(0, 9)
    assert type_at(chest, ["locks", "side"]) is None
    assert type_at(chest, ["depth", "more"]) is None
    assert type_at(chest, []) is chest


@pytest.mark.parametrize("game", names())
def test_the_sheet_of_every_game_is_without_error_and_every_field_has_its_type(game):
    sheet = load(game).sheet
    assert list(every_error(Record(sheet), write(sheet()))) == []
    for name, field in fields_of(sheet).items():
        assert type_at(Record(sheet), [name]) == field.type


def test_entries_of_the_same_names_differ_by_their_fields_and_other_values_as_a_whole() -> None:
    sheet = load("waygate").sheet
    weapon = fields_of(sheet)["weapons"].type.of
    rifle, knife = weapon(name="rifle", damage="1d8", clip=30, loaded=30), weapon(name="knife", damage="1d4")
    fired = weapon(name="rifle", damage="1d8", clip=30, loaded=28, jammed=True)
    assert set(differing_parts((rifle, knife), (fired, knife))) == {
        ("rifle loaded", 30, 28),
        ("rifle jammed", False, True),
    }
    assert differing_parts((rifle,), (rifle, knife)) == (("", (rifle,), (rifle, knife)),)
    assert differing_parts(52, 30) == (("", 52, 30),)
