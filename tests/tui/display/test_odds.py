"""Odds in columns: how the total has to stand to what it is held against."""

from fractions import Fraction

import attrs
import pytest

from systems.commands.preview import Preview
from systems.contract.ruleset import Action
from tests.systems.toy import TOY, toy
from tui.display.odds import OddsColumns, heads_of, odds_sentence, odds_words, person_of

STRIKE = attrs.evolve(TOY.action("strike"), facts={"worth": ""}, against="worth")


def columns(action: Action) -> OddsColumns:
    return OddsColumns(heads_of(action), 90)


def told(action: Action, found: Preview) -> str:
    fight = toy("add ada", "add orc")
    person = person_of(fight.encounter.combatants["orc"], fight.encounter)
    row = columns(action).row(person, odds_words(heads_of(action), found), False)
    return "".join(text for text, _ in row)


@pytest.mark.parametrize(("needs", "sign"), [("more", ">"), ("at_least", ">="), ("at_most", "<=")])
def test_a_sign_stands_beside_the_number_where_it_is_not_the_same_for_all(needs, sign):
    by_target = attrs.evolve(STRIKE, needs=lambda scene: needs)
    assert "needs" in columns(by_target).heads()
    assert f" {sign} 12 " in told(by_target, Preview(against=12, needs=needs))


def test_else_the_heading_says_it_once():
    assert "at most" in columns(attrs.evolve(STRIKE, needs="at_most")).heads()
    assert "< " not in told(STRIKE, Preview(against=12))


def test_the_chance_is_called_as_the_game_calls_it():
    named = attrs.evolve(STRIKE, success="worth", success_label="wins")
    assert "wins" in columns(named).heads()
    assert odds_sentence(named, Preview(works=Fraction(1, 2))) == "wins 50 %"


def test_without_a_target_side_effects_stand_behind_the_chance():
    found = Preview(works=Fraction(1, 2), effects=(("mayhem", Fraction(1, 20)),))
    said = odds_sentence(attrs.evolve(STRIKE, success="worth"), found)
    assert said.endswith("50 % · mayhem 5 %")


def test_side_effects_that_there_is_no_room_for_are_counted_and_none_is_cut():
    found = Preview(
        effects=(("dead", Fraction(3, 5)), ("stunned", Fraction(1, 4)), ("−10 hurt", Fraction(1, 10)))
    )
    fight = toy("add ada", "add orc")
    person, heads = person_of(fight.encounter.combatants["orc"], fight.encounter), heads_of(STRIKE)

    def effects(width: int) -> str:
        columns = OddsColumns(heads, width)
        row = columns.row(person, odds_words(heads, found), False)
        return "".join(text for text, _ in row)[-columns.effects :].rstrip() if columns.effects else ""

    shown = {effects(width) for width in range(60, 140)}
    assert {"dead 60 %, stunned 25 %, −10 hurt 10 %", "dead 60 %, stunned 25 % +1", "dead 60 % +2"} <= shown
