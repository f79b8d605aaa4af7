"""Text with marks: where what stands out is, through every change of the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.contract.marked_text import (
    MarkedText,
    TextMark,
    as_actor,
    as_health,
    as_status,
    as_unseen,
    joined,
    marked,
    possessive,
    unmarked,
    with_marks,
    without_unseen,
)
from systems.contract.outcome import Ask, Explanation, Step, refuse
from systems.text import clean, printable

WORDS = st.text("abö →−.\x07", max_size=8)
PLAIN = WORDS.map(lambda words: (words, None))
MARKED = st.one_of(
    WORDS.map(lambda name: (as_actor(name), "actor")),
    st.tuples(st.integers(-50, 50), st.integers(-50, 50)).map(lambda pair: (as_health(*pair), "health")),
    st.sampled_from(("dead", "badly_hurt")).map(lambda name: (as_status(name), "status")),
)
NAMES = st.sampled_from(("Vault rats", "Goblin Boss", "Mira", "Wolves"))
PARTS = st.lists(PLAIN | MARKED, max_size=8)


def words_of(text: MarkedText) -> list[tuple[str, str, str]]:
    """What stands out: the words, what they are, the name of a status."""
    return [(text[mark.start : mark.end], mark.what, mark.status) for mark in text.marks]


def test_a_sentence_stores_the_positions_of_its_marks_and_no_marking_character():
    moved = f"life {as_health(45, -4)}, then {as_health(-4, 2)}"
    text = marked(f"{as_actor('Ana')} hits Bo: {moved}, {as_status('badly_hurt')}.")
    assert text == "Ana hits Bo: life 45 → −4, then −4 → 2, badly hurt."
    assert words_of(text) == [
        ("Ana", "actor", ""),
        ("45 → −4", "shrank", ""),
        ("−4 → 2", "grew", ""),
        ("badly hurt", "status", "badly_hurt"),
    ]


def test_a_status_may_be_said_in_other_words():
    assert words_of(marked(f"Bo {as_status('dead', 'dies')}.")) == [("dies", "status", "dead")]


def test_an_unchanged_number_is_not_highlighted():
    assert marked(f"hp {as_health(3, 3)}") == "hp 3 → 3"
    assert marked(f"hp {as_health(3, 3)}").marks == ()


def test_only_the_text_of_an_explanation_keeps_marks_in_an_outcome():
    words = f"{as_actor('Ana')} is {as_status('dead')}"
    assert len(Explanation(words).text.marks) == 2
    assert Step("life", as_health(4, 3), words).value == "4 → 3"
    assert (Step("life", "", words).note, Ask(words).text) == ("Ana is dead", "Ana is dead")
    assert refuse("dead", words).tell().text == "Ana is dead"


@pytest.mark.parametrize(
    "owner",
    [
        *("Vault rats'", "Swarm of Piranhas'", "Wolves'", "RATS'", "James'", "Triceratops'"),
        *("Goblin Boss's", "Pegasus's", "Idris's", "Tyrannosaurus Rex's", "Remorhaz's"),
        *("Mira's", "Vault rats 2's", "Guard (boss)'s", "Mage × 2's", "s'", "'s"),
    ],
)
def test_a_possessive_has_an_apostrophe_alone_only_after_an_s_that_plurals_have(owner):
    name = owner.removesuffix("'s").removesuffix("'")
    assert possessive(name) == owner


@given(NAMES, st.sampled_from(("", "Ana and ")), st.sampled_from(("", "Then ", "Bo falls. ")))
def test_the_possessive_of_a_marked_name_marks_the_name_and_hides_an_unseen_one(name, others, before):
    acting = marked(f"{possessive(as_actor(name))} turn")
    assert (acting, words_of(acting)) == (f"{possessive(name)} turn", [(name, "actor", "")])
    here, public, unseen = without_unseen(
        marked(f"{before}{possessive(others + as_unseen('h1', name))} aura, {as_actor('Ana')}")
    )
    assert here == f"{before}{others}{possessive(name)} aura, Ana"
    is_first = not others and before in ("", "Bo falls. ")
    first = "Something" if is_first else "something"
    assert public == f"{before}{others}{first} unseen's aura, Ana"
    assert (words_of(here), words_of(public), unseen) == ([("Ana", "actor", "")],) * 2 + (("h1",),)


def test_plain_text_has_no_marks_even_if_it_resembles_marked_text():
    assert Explanation("Ana hits Bo: life 45 → 4, dead.").text.marks == ()


@given(PARTS)
def test_each_mark_lies_on_the_words_that_were_marked(parts):
    text = marked("".join(part for part, _ in parts))
    assert text == "".join(unmarked(part) for part, _ in parts)
    expected = [
        (printable(unmarked(part)), what)
        for part, what in parts
        if unmarked(part) != part and printable(unmarked(part))
    ]
    found = [
        (printable(words), "health" if what in ("grew", "shrank") else what)
        for words, what, _ in words_of(text)
    ]
    assert found == expected


@given(PARTS, st.integers(1, 40))
def test_marks_stay_on_their_words_when_a_text_is_cleaned_or_cut(parts, most):
    text = marked("".join(part for part, _ in parts))
    for change in (printable, lambda text: clean(text, 10_000)):
        found = text.changed(change)
        assert found == change(text)
        said = [(change(words), what, status) for words, what, status in words_of(text)]
        kept = [(change(words), what, status) for words, what, status in words_of(found)]
        assert kept == [mark for mark in said if mark[0]]
    short = text.changed(lambda text: clean(text, most))
    assert all(0 <= mark.start < mark.end <= len(short) for mark in short.marks)


@given(st.lists(PARTS, max_size=4))
def test_joined_texts_keep_the_marks_of_all_as_a_log_does(several):
    texts = [marked("".join(part for part, _ in parts)) for parts in several]
    text = joined(texts)
    assert text == " ".join(texts)
    assert words_of(text) == [words for each in texts for words in words_of(each)]
    assert with_marks(str(text), [mark.plain() for mark in text.marks]).marks == text.marks


@given(st.text("a\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4\ufdd5\ufdd6\ufdd7", max_size=12))
def test_characters_of_ours_that_come_from_outside_are_harmless(text):
    found = marked(text)
    assert not set("\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4\ufdd5\ufdd6\ufdd7") & set(found)
    assert all(0 <= mark.start <= mark.end <= len(found) for mark in found.marks)


@pytest.mark.parametrize(
    "given_marks",
    [
        None,
        "marks",
        7,
        [7],
        [[0, 3]],
        [[0, 3, "hero"]],
        [[0, 3, "status"]],
        [[2, 2, "actor"]],
        [[-1, 2, "actor"]],
        [[0, 99, "actor"]],
        [["0", 3, "actor"]],
        [{"start": 0}],
    ],
)
def test_marks_that_do_not_fit_their_text_are_left_out(given_marks):
    assert with_marks("Ana hits.", given_marks).marks == ()


def test_of_two_marks_over_one_another_the_first_counts():
    given_marks = [[0, 3, "actor"], [2, 5, "grew"], [5, 7, "status", "dead"]]
    assert with_marks("Ana hits.", given_marks).marks == (
        TextMark(0, 3, "actor"),
        TextMark(5, 7, "status", "dead"),
    )
