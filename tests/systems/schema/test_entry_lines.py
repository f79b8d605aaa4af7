"""An entry of a sheet is one line in the words of its game, and reads back unchanged."""

from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from systems import built_in, load
from systems.contract.notation import DiceNotation
from systems.errors import Wrong
from systems.plugins.laws.example_requests import fitting_entry
from systems.schema.conversion import read, replace, write
from systems.schema.entries import with_known_names
from systems.schema.entry_lines import EntryLine, entry_line, entry_values, line_mistake, read_entry
from systems.schema.fields import (
    Entries,
    Entry,
    Record,
    choice,
    declare,
    fields_of,
    flag,
    listing,
    table,
    text,
    whole,
)
from systems.schema.types import Choice, DiceText, Flag, ListOf, SingleWord, TableOf, Text, Whole
from systems.srd5.sheet import AmountText, DamageWords
from tests.laws import examples

ANY_TEXT = st.one_of(
    st.text(min_size=1, max_size=12),
    st.text('a2 ,"\\+/-[{:\n\u2212', min_size=1, max_size=8),
    st.sampled_from(["sword", "long sword", "damage", "not firearm", "range 40 m", "Mk 2", "none", "no"]),
)


@declare
class Chest(Entry):
    """An entry with a field of every kind."""

    LINE = ("locks", "size")
    name: str = text()
    locks: tuple[str, ...] = listing(Text(), (), "names")
    size: str = choice(("small", "big"), "small", "how big")
    inside: dict[str, int] = table(Whole(-9, 9), "how many")
    heavy: bool = flag(True, "cannot be carried")
    depth: int | None = whole(-9, 9, None, "down", unit="m")
    owner: str | None = text(None, "whose", label="property of")


NAMED = {"schema.Chest": Chest} | {
    f"{game}.{field.type.of.__name__}": field.type.of
    for game in built_in()
    for field in fields_of(load(game).sheet).values()
    if isinstance(field.type, Entries)
}
CLASSES = list(NAMED.values())


def values_of(type):
    if hasattr(type, "examples"):
        return st.sampled_from(type.examples)
    match type:
        case SingleWord():
            return ANY_TEXT.map(lambda text: "".join(text.split())).filter(bool)
        case Whole(low, high):
            return st.integers(low, high)
        case Flag():
            return st.booleans()
        case Choice(values):
            return st.sampled_from(values)
        case DiceText(sides):
            return st.builds("{}d{}".format, st.integers(1, 9), st.sampled_from(sides))
        case DiceNotation():
            return st.sampled_from(["2d6", "1d8!", "4d6kh3", "2d6+3", "2d6 + 3", "(1d6+1)*2", "d6-1", "4"])
        case DamageWords() | AmountText():
            return st.sampled_from(type.examples)
        case ListOf(item, lengths):
            sizes = st.sampled_from(lengths) if lengths else st.integers(0, 3)
            return sizes.flatmap(lambda size: st.lists(values_of(item), min_size=size, max_size=size))
        case TableOf(item, names):
            keys = st.sampled_from(names) if names else ANY_TEXT
            return st.dictionaries(keys, values_of(item), max_size=3)
    return ANY_TEXT


@st.composite
def entries(draw, of):
    """Draw an entry of that class, with a random choice of optional fields."""
    plain = {}
    for name, field in fields_of(of).items():
        if field.needed or draw(st.booleans()):
            plain[name] = draw(values_of(field.type))
    plain = fitting_entry(of, plain)
    assume(plain)
    return Record(of).check(plain)


@pytest.mark.parametrize("of", CLASSES, ids=list(NAMED))
@examples(20)
@given(st.data())
def test_every_entry_of_every_game_reads_back_from_its_line(of, data):
    entry = data.draw(entries(of))
    line = entry_line(entry)
    assert line.isprintable()
    again = read_entry(of, line)
    assert again == entry
    assert read_entry(of, entry_values(entry), name=entry.name) == entry
    following = {name for name, field in fields_of(of).items() if field.same_as}
    assert again.given & following == entry.given & following


@examples(60)
@given(ANY_TEXT, st.sampled_from(CLASSES))
def test_any_line_is_an_entry_or_one_error_sentence(line, of):
    with suppress(Wrong):
        assert entry_line(read_entry(of, line))


def weapon(game):
    return fields_of(load(game).sheet)["weapons"].type.of


@pytest.mark.parametrize(
    ("game", "line", "plain"),
    [
        ("atlantis", "sword 15 melee", {"name": "sword", "damage": 15, "ability": "melee"}),
        ("atlantis", "long  sword   20", {"name": "long sword", "damage": 20}),
        (
            "atlantis",
            "short bow 15 missile ranged, range 90 m",
            {"name": "short bow", "damage": 15, "ability": "missile", "kind": "ranged", "max_range": 90},
        ),
        ("atlantis", "bow 1 missile rang, max_range 90m", {"name": "bow", "damage": 1, "max_range": 90}),
        ("simple", "bow 1d6+4, uses arrows", {"name": "bow", "damage": "1d6", "damage_bonus": 4}),
        ("waygate", "rifle 2d8-1 ranged, not jammed", {"name": "rifle", "damage_mod": -1, "jammed": False}),
        ("xcom", "cannon 3+3, not proficient", {"damage_base": 3, "damage_range": 3, "proficient": False}),
        ("arden", "bow 0,1,3 perception", {"name": "bow", "bands": (0, 1, 3), "ability": "perception"}),
        (
            "arden",
            "long bow 0 -1 3 perception",
            {"name": "long bow", "bands": (0, -1, 3), "ability": "perception"},
        ),
        ("arden", "bow, effectiveness 0 1 3", {"name": "bow", "bands": (0, 1, 3)}),
        ("atlantis", '"Mk 2" 3', {"name": "Mk 2", "damage": 3}),
    ],
)
def test_an_entry_is_typed_as_it_is_shown(game, line, plain):
    entry = read_entry(weapon(game), line)
    assert {name: getattr(entry, name) for name in plain} == plain


def test_equal_entries_are_written_with_the_fields_that_were_given() -> None:
    weapon = fields_of(load("atlantis").sheet)["weapons"].type.of
    short = read_entry(weapon, "sword 15", "")
    long = read_entry(weapon, "sword 15 melee", "")
    assert short == long
    assert [entry_values(each) for each in (long, short)] == ["15 melee", "15"]


def test_the_remaining_amount_of_a_counter_follows_its_maximum():
    counter = fields_of(load("simple").sheet)["counters"].type.of
    full, left = read_entry(counter, "mana 5"), read_entry(counter, "mana 3/5, refills never")
    assert (full.now, full.full) == (5, 5)
    assert "now" not in full.given
    assert (left.now, left.full, left.refills) == (3, 5, "never")
    assert entry_values(left) == "3/5, refills never"


def test_the_remaining_amount_stays_and_is_written_when_its_maximum_changes():
    full = read_entry(fields_of(load("simple").sheet)["counters"].type.of, "mana 5")
    changed = replace(full, full=3)
    assert (changed.now, changed.full) == (5, 3)
    assert read(type(changed), write(changed)) == changed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("sword", "damage is needed: a whole number from 0 to 999"),
        ("sword many", 'damage: expected a whole number from 0 to 999, got "many"'),
        ("sword 15 melee near", 'kind: expected one of melee, ranged, got "near"'),
        ("sword 15 melee ranged far", '"far" is one word too many'),
        ("sword 15, rnage 3", '"rnage 3" is not known here; did you mean range?'),
        ("sword 15, range", "range: expected a whole number"),
        ("sword 15, range 3, range 4", "range is given twice"),
        ('sword "15', "a quote is never closed"),
        ("", "expected name damage ability kind, range … m"),
    ],
)
def test_a_mistake_in_a_line_is_named(line, says):
    with pytest.raises(Wrong) as wrong:
        read_entry(weapon("atlantis"), line, "weapons.sword")
    assert says in str(wrong.value)
    assert wrong.value.path == "weapons.sword"


@pytest.mark.parametrize(
    ("game", "line", "says"),
    [
        ("arden", "bow perception 0 1 3", 'ability: "perception" is part of the name; expected name '),
        ("arden", "bow perception 0 1 3", 'or quotes around a name: "bow perception"'),
        ("arden", "bow effectiveness 0 1 3", 'effectiveness: "effectiveness" is part of the name'),
        ("atlantis", "long bow range 90", 'range: "range" is part of the name'),
        ("waygate", "rifle ranged 2d8", 'kind: "ranged" is part of the name'),
        ("waygate", "rifle firearm 2d8", 'firearm: "firearm" is part of the name'),
        ("simple", "claw damage bonus 2", 'damage bonus: "damage bonus" is part of the name'),
    ],
)
def test_words_of_a_field_are_not_read_as_part_of_a_name(game, line, says):
    with pytest.raises(Wrong) as wrong:
        read_entry(weapon(game), line)
    assert says in str(wrong.value)


@pytest.mark.parametrize(
    ("game", "line", "name"),
    [
        ("arden", '"bow perception" 0 1 3', "bow perception"),
        ("arden", "claw attack 2 0 0 attack", "claw attack"),
        ("simple", "claw attack 1d6", "claw attack"),
    ],
)
def test_a_name_may_contain_a_field_word_with_no_other_meaning(game, line, name):
    entry = read_entry(weapon(game), line)
    assert entry.name == name
    assert read_entry(weapon(game), entry_line(entry)) == entry


def test_a_word_among_the_numbers_of_a_list_is_named():
    with pytest.raises(Wrong, match='got "x"'):
        read_entry(weapon("arden"), "bow 0,x")


def test_a_line_of_any_length_is_read_at_once():
    for word in ("a ", "a, ", '"', '"a" ', "[", "1d6+"):
        with suppress(Wrong):
            read_entry(weapon("atlantis"), word * 50_000)
    name = " ".join(["very"] * 30)
    assert (
        read_entry(weapon("atlantis"), entry_line(read_entry(weapon("atlantis"), f'"{name}" 3'))).name == name
    )


def test_a_name_used_elsewhere_on_the_sheet_is_spelled_the_same():
    abilities = {"melee": 53}
    entry = with_known_names(read_entry(weapon("atlantis"), "sword 15 mel"), lambda field: abilities)
    assert entry.ability == "melee"
    with pytest.raises(Wrong, match=r'ability: there is no "meler" here; did you mean melee'):
        with_known_names(read_entry(weapon("atlantis"), "sword 15 meler"), lambda field: abilities)


@pytest.mark.parametrize("of", CLASSES[1:], ids=list(NAMED)[1:])
def test_the_words_of_a_line_are_fields_of_the_entry(of):
    assert line_mistake(of) == ""
    assert EntryLine(of).expected.startswith("name")


def test_a_declared_line_with_an_unknown_field_or_a_flag_is_a_mistake():
    for line, says in ((("dpth",), "no field"), (("size", "size"), "there already"), (("heavy",), "a flag")):
        assert says in line_mistake(type("Other", (Chest,), {"LINE": line}))
    for sign in ("SIGNED", "COUNTED"):
        for name in ("dpth", "size"):
            assert "not a field for a whole number" in line_mistake(type("Other", (Chest,), {sign: name}))
