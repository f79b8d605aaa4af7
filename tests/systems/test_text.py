"""Words as people type them, and values as the program shows them."""

import pytest

from systems.errors import Wrong
from systems.schema.types import Choice, Flag, ListOf, TableOf, Text, Whole
from systems.text import (
    as_sentence,
    find_word,
    listed,
    matches,
    plain_number,
    plain_word,
    same_word,
    several,
    shown,
    signed,
    sort_key,
    suggestion,
    without_rules,
)


@pytest.mark.parametrize(
    ("kind", "word", "value"),
    [
        (Whole(-9, 9), "7", 7),
        (Whole(-9, 9), "+7", 7),
        (Whole(-9, 9), "-7", -7),
        (Whole(-9, 9), "−7", -7),
        (Flag(), "yes", True),
        (Flag(), "On", True),
        (Flag(), "n", False),
        (Choice(("half_cover", "armour")), "half-cover", "half_cover"),
        (Choice(("half_cover", "armour")), "Armor", "armour"),
        (Text(), "sword", "sword"),
        (ListOf(Whole(0, 9), (2,)), "3,4", (3, 4)),
        (ListOf(Whole(0, 9)), "[3, 4]", (3, 4)),
        (TableOf(Whole(0, 9)), "body:3,mind=4", {"body": 3, "mind": 4}),
    ],
)
def test_typed_lines_are_understood(kind, word, value):
    assert kind.typed(word, "x") == value


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (Whole(-9, 9), "10"),
        (Whole(-9, 9), "1.5"),
        (Whole(-9, 9), "9" * 5_000),
        (Whole(-9, 9), "seven"),
        (Flag(), "perhaps"),
        (Choice(("half", "full")), "none"),
        (Text(), ""),
        (ListOf(Whole(0, 9), (2,)), "3"),
        (ListOf(Whole(0, 9)), "3,x"),
        (TableOf(Whole(0, 9), ("body",)), "soul:3"),
    ],
)
def test_a_mistyped_word_is_named(kind, word):
    with pytest.raises(Wrong) as wrong:
        kind.typed(word, "x")
    assert wrong.value.field.startswith("x")
    assert len(str(wrong.value)) < 300


@pytest.mark.parametrize(
    ("american", "british"),
    [
        ("armor", "armour"),
        ("max_armor_pool", "max_armour_pool"),
        ("defense-ability", "defence_ability"),
        ("Color", "colour"),
        ("maneuvers", "manoeuvres"),
        ("practiced", "practised"),
        ("gray", "grey"),
    ],
)
def test_either_side_of_the_atlantic_spells_the_same_word(american, british):
    assert same_word(american, british)
    assert plain_word(plain_word(american)) == plain_word(american)
    assert find_word(american, [british, "other"]) == british


def test_an_exact_word_goes_before_another_spelling():
    assert find_word("armor", ["armour", "armor"]) == "armor"
    assert find_word("helm", ["armour"]) is None


def test_a_suggestion_names_the_nearest_word_or_all_words():
    assert suggestion("swrod", ["sword", "bow"]) == "; did you mean sword?"
    assert suggestion("halberd", ["sword", "bow"]) == "; known: sword, bow"
    assert suggestion("halberd", ["sword", "bow"], "weapons") == "; weapons: sword, bow"
    assert suggestion("halberd", []) == ""
    many = ["stealth", "perception", "athletics", "medicine", "riding", "Crossbow", "persuasion", "swimming"]
    said = suggestion("bow", many)
    assert said == "; known: Crossbow, swimming, perception, persuasion, stealth, 3 more"


def test_many_names_are_shortened_to_five_and_how_many_more():
    assert several(list("abcdef")) == "a, b, c, d, e and f"
    assert several(list("abcdefgh")) == "a, b, c, d, e and 3 more"


def test_numbers_and_lists_read_as_prose():
    assert (signed(5), signed(-5), signed(0)) == ("+5", "−5", "0")
    assert plain_number(-5) == "−5"
    assert (listed([]), listed(["a"]), listed("abc")) == ("", "a", "a, b and c")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "true"),
        (None, "null"),
        ("", "an empty text"),
        ("a\x1b[31mb", '"a [31mb"'),
        ({}, "a table"),
        ([1, "a"], '[1, "a"]'),
        ([1] * 9, "a list"),
        (10**400, "a huge number"),
    ],
)
def test_a_value_is_shown_short_and_harmless(value, words):
    assert shown(value) == words


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("thr", ("threshold",)),
        ("threshold", ("threshold",)),
        ("threshold_", ("threshold_modifier",)),
        ("t", ("threshold", "threshold_modifier", "training")),
        ("ta", ()),
    ],
)
def test_of_words_that_fit_a_beginning_the_one_that_others_only_add_to_is_meant(word, meant):
    assert matches(word, ("skill", "threshold", "threshold_modifier", "training")) == meant


def test_a_word_that_is_no_whole_word_of_another_does_not_go_before_it():
    assert matches("thr", ("throw", "thrown")) == ("throw", "thrown")
    assert matches("throw", ("thrown", "throw")) == ("throw",)


def test_in_a_list_neither_case_nor_accents_count():
    assert sorted(["x4", "Élodie", "zoe", "Elias"], key=sort_key) == ["Elias", "Élodie", "x4", "zoe"]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        ("nobody has the tag 9", "Nobody has the tag 9."),
        ("life: expected a whole number", "Life: expected a whole number."),
        ('the name after "by" is missing', 'The name after "by" is missing.'),
        ('"zz": expected dice', '"zz": expected dice.'),
        ("roster/guard.toml:7: life: expected a number", "roster/guard.toml:7: life: expected a number."),
        ("Which dice?", "Which dice?"),
        ("", ""),
    ],
)
def test_an_error_without_context_is_a_sentence(error, sentence):
    assert as_sentence(error) == sentence
    assert as_sentence(sentence) == sentence


@pytest.mark.parametrize(
    ("help", "plain"),
    [
        ("name and score (ATL-01); 0 where none is", "name and score; 0 where none is"),
        ("known (APD-49 to APD-52)", "known"),
        ("may equal it (R1, WAY-N5)", "may equal it"),
        ("a band (fresh, hurt)", "a band (fresh, hurt)"),
        ("outside (DC 10)", "outside (DC 10)"),
    ],
)
def test_a_help_is_shown_without_the_ids_of_rules(help, plain):
    assert without_rules(help) == plain
