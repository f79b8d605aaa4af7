"""Odds in columns: how the total has to stand to what it is held against."""

from fractions import Fraction

import pytest

from systems.commands.actions import typed_options
from systems.commands.preview import Preview, preview
from systems.contract.action import Action
from systems.frozen import evolve
from tests.systems.effects.creatures import effect_fight
from tests.systems.toy import TOY, toy
from tui.display import text
from tui.display.odds import OddsColumns, headings_of, known_headings, odds_sentence, odds_words, person_of

STRIKE = evolve(TOY.action("strike"), facts={"worth": ""}, against="worth")


def columns(action: Action) -> OddsColumns:
    return OddsColumns(headings_of(action), 90)


def told(action: Action, found: Preview) -> str:
    fight = toy("add ada", "add orc")
    person = person_of(fight.encounter.combatants["orc"], fight.encounter)
    row = columns(action).row(person, odds_words(headings_of(action), found), False)
    return "".join(text for text, _ in row)


NEEDS = [
    ("more", "to beat", "more than 12"),
    ("at_least", "at least", "12 or more"),
    ("at_most", "at most", "12 or less"),
]


@pytest.mark.parametrize(("needs", "heading", "words"), NEEDS)
def test_words_are_next_to_the_number_if_it_differs_between_targets(needs, heading, words):
    by_target = evolve(STRIKE, needs=lambda scene: needs)
    assert "needs" in columns(by_target).headings()
    assert f" {words} " in told(by_target, Preview(against=12, needs=needs))


@pytest.mark.parametrize(("needs", "heading", "words"), NEEDS)
def test_the_heading_has_the_number_once_if_all_known_ones_are_equal(needs, heading, words):
    headings = headings_of(evolve(STRIKE, needs=lambda scene: needs))
    known = [Preview(against=12, needs=needs), Preview(against=7, needs=needs)]
    assert next(head for head, _ in known_headings(headings, known)) == heading
    assert known_headings(headings, []) == headings


def test_an_empty_column_is_left_out():
    headings = headings_of(STRIKE)
    assert headings[0][0] == "to beat"
    assert known_headings(headings, [Preview(), Preview()]) == headings[1:]


def test_else_the_heading_says_it_once():
    assert "at most" in columns(evolve(STRIKE, needs="at_most")).headings()
    assert "more than" not in told(STRIKE, Preview(against=12))


def test_names_and_figures_take_the_room_they_need_and_the_rest_goes_to_side_effects():
    headings = headings_of(STRIKE)
    short, long = (
        OddsColumns(headings, 80, figures=5, names=7),
        OddsColumns(headings, 80, figures=5, names=17),
    )
    assert (short.name, long.name) == (7, 17)
    assert short.effects - long.effects == 10
    narrow = OddsColumns((("to beat", 9), ("hit", 8), ("drops", 7), ("expected", 9)), 60, figures=5, names=14)
    assert narrow.name >= 14
    assert narrow.figures


def test_amounts_with_and_without_a_decimal_are_aligned():
    rows = [told(STRIKE, Preview(amounts={amount: Fraction(1)})) for amount in (9, 35)]
    rows.append(told(STRIKE, Preview(amounts={9: Fraction(6, 10), 10: Fraction(4, 10)})))
    ends = [row.index(word) + len(word) for row, word in zip(rows, ("9 ", "35 ", "9."), strict=True)]
    assert len(set(ends)) == 1


def test_the_chance_is_called_as_the_game_calls_it():
    named = evolve(STRIKE, success="worth", success_label="wins")
    assert "wins" in columns(named).headings()
    assert odds_sentence(named, Preview(works=Fraction(1, 2))) == "wins 50%"


def test_without_a_target_side_effects_follow_the_chance():
    found = Preview(works=Fraction(1, 2), effects=(("mayhem", Fraction(1, 20)),))
    said = odds_sentence(evolve(STRIKE, success="worth"), found)
    assert said.endswith("50% · mayhem 5%")


def test_side_effects_that_there_is_no_room_for_are_counted_and_none_is_cut():
    found = Preview(
        effects=(("dead", Fraction(3, 5)), ("stunned", Fraction(1, 4)), ("−10 hurt", Fraction(1, 10)))
    )
    fight = toy("add ada", "add orc")
    person, headings = person_of(fight.encounter.combatants["orc"], fight.encounter), headings_of(STRIKE)

    def effects(width: int) -> str:
        columns = OddsColumns(headings, width)
        row = columns.row(person, odds_words(headings, found), False)
        return "".join(text for text, _ in row)[-columns.effects :].rstrip() if columns.effects else ""

    shown = {effects(width) for width in range(60, 140)}
    assert {"dead 60%, stunned 25%, −10 hurt 10%", "dead 60%, stunned 25% +1", "dead 60% +2"} <= shown


def test_the_only_side_effect_keeps_its_chance_if_its_words_do_not_fit():
    found = Preview(effects=(("a counterattack from behind", Fraction(1, 5)),))
    fight = toy("add ada", "add orc")
    person, headings = person_of(fight.encounter.combatants["orc"], fight.encounter), headings_of(STRIKE)
    for width in range(60, 140):
        columns = OddsColumns(headings, width)
        row = columns.row(person, odds_words(headings, found), False)
        if columns.effects:
            assert "".join(text for text, _ in row).rstrip().endswith(" 20%")


def test_the_words_of_a_side_effect_are_cut_at_their_end():
    found = Preview(effects=(("no longer defending", Fraction(1, 5)),))
    fight = toy("add ada", "add orc")
    person, headings = person_of(fight.encounter.combatants["orc"], fight.encounter), headings_of(STRIKE)
    shown = (
        "".join(
            text for text, _ in OddsColumns(headings, width).row(person, odds_words(headings, found), False)
        )
        for width in range(60, 140)
    )
    cut = [row for row in shown if "…" in row and "no l" in row]
    assert cut
    assert all("… 20%" in row for row in cut)


def test_side_effects_have_a_column_only_if_its_heading_fits():
    headings = (("to beat", 9), ("hit", 8), ("drops", 7), ("expected", 9))
    for cells in range(50, 100):
        columns = OddsColumns(headings, cells, figures=5, names=14)
        assert columns.headings().rstrip().endswith("side effects" if columns.effects else "expected")


def test_side_effects_without_a_column_leave_a_sign():
    headings = (("to beat", 9), ("hit", 8), ("drops", 7), ("expected", 9))
    columns = OddsColumns(headings, 60, figures=5, names=14)
    fight = toy("add ada", "add orc")
    person = person_of(fight.encounter.combatants["orc"], fight.encounter)
    assert not columns.effects
    for effects, end in (((("dead", Fraction(3, 5)),), "…"), ((), "35")):
        found = Preview(against=12, amounts={35: Fraction(1)}, effects=effects)
        row = columns.row(person, odds_words(headings, found), False)
        assert "".join(text for text, _ in row).rstrip().endswith(end)
        assert text.width(row) <= 60


def test_an_effect_that_carries_out_an_attack_shows_its_chance_and_others_have_no_column():
    tail = {"name": "Tail Strike", "when": "asked", "use": "claws"}
    heal = {"name": "Mend", "when": "asked", "heal": "5"}
    troll = {"max_hp": 30, "defence": 12, "attack": 6, "effects": [tail, heal]}
    troll["weapons"] = [{"name": "claws", "damage": "1d6"}]
    fight = effect_fight("add mira", "add troll", "start dice=20,1", troll=troll)
    effect = fight.game.action("effect")
    headings = headings_of(effect)
    shown = []
    for name in ("Tail Strike", "Mend"):
        odds = preview(fight.encounter, effect, "troll", "mira", typed_options(effect, {"effect": name}))
        known = known_headings(headings, [odds])
        shown.append(dict(zip((head for head, _ in known), odds_words(known, odds).cells, strict=True)))
    assert shown[0]["works"] == "65%"
    assert "works" not in shown[1]


def test_an_action_that_only_heals_shows_what_it_heals():
    mend = {"name": "Mend", "when": "asked", "heal": "5"}
    burn = {"name": "Burn", "when": "asked", "damage": ["3"]}
    troll = {"max_hp": 30, "effects": [mend, burn]}
    fight = effect_fight("add mira", "add troll", "start dice=20,1", "damage mira 9", troll=troll)
    effect = fight.game.action("effect")
    words = []
    for name in ("Mend", "Burn"):
        odds = preview(fight.encounter, effect, "troll", "mira", typed_options(effect, {"effect": name}))
        known = known_headings(headings_of(effect), [odds, Preview(amounts={0: Fraction(1)})])
        words.append((known[-1][0], odds_words(known, odds).cells[-1], odds_sentence(effect, odds)))
    assert words == [("heals", "5", "heals 5"), ("expected", "3", "expected 3")]
