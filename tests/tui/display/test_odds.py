"""Odds in columns: how the total has to stand to what it is held against."""

from fractions import Fraction

import attrs
import pytest

from systems.commands.preview import Preview
from systems.contract.ruleset import Action
from tests.systems.toy import TOY, toy
from tui.display.odds import OddsColumns

STRIKE = attrs.evolve(TOY.action("strike"), facts={"worth": ""}, against="worth")


def told(action: Action, found: Preview) -> str:
    fight = toy("add ada", "add orc")
    row = OddsColumns(action, 90).row(fight.encounter.combatants["orc"], found, False, fight.encounter)
    return "".join(text for text, _ in row)


@pytest.mark.parametrize(("needs", "sign"), [("more", ">"), ("at_least", ">="), ("at_most", "<=")])
def test_a_sign_stands_beside_the_number_where_it_is_not_the_same_for_all(needs, sign):
    by_target = attrs.evolve(STRIKE, needs=lambda scene: needs)
    assert "needs" in OddsColumns(by_target, 90).heads()
    assert f" {sign} 12 " in told(by_target, Preview(against=12, needs=needs))


def test_else_the_heading_says_it_once():
    assert "at most" in OddsColumns(attrs.evolve(STRIKE, needs="at_most"), 90).heads()
    assert "< " not in told(STRIKE, Preview(against=12))


def test_the_chance_is_called_as_the_game_calls_it():
    named = attrs.evolve(STRIKE, success="worth", success_label="wins")
    assert "wins" in OddsColumns(named, 90).heads()
    assert OddsColumns(named, 90).sentence(Preview(works=Fraction(1, 2))) == "wins 50 %"


def test_without_a_target_side_effects_stand_behind_the_chance():
    found = Preview(works=Fraction(1, 2), effects=(("mayhem", Fraction(1, 20)),))
    assert (
        OddsColumns(attrs.evolve(STRIKE, success="worth"), 90).sentence(found).endswith("50 % · mayhem 5 %")
    )
