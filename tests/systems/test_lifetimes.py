"""How long a field of a sheet lasts: a turn, a round, an encounter, until a rest, or for good."""

from typing import Any

import pytest

from systems import load, names
from systems.commands.rests import rested
from systems.contract.ruleset import Rest
from systems.frozen import evolve
from systems.schema.conversion import read, replace, with_defaults
from systems.schema.fields import Entry as ListEntry
from systems.schema.fields import declare, entries, fields_of, flag, text, whole
from systems.schema.types import Choice, Flag, Whole
from systems.sheets import kept_fields, with_fresh_turn
from tests.systems.fight import Entry, Fight


@declare
class Charm(ListEntry):
    name: str = text()
    used: bool = flag(False, lasts="round")
    most: int = whole(0, 9, 3)
    left: int = whole(0, 9, same_as="most", lasts="rest")
    worn: int = whole(0, 9, 0)


@declare
class Figures:
    most: int = whole(0, 9, 3)
    left: int = whole(0, 9, same_as="most", lasts="turn")
    braced: bool = flag(False, lasts="encounter")
    slept: bool = flag(False, lasts="rest")
    charms: tuple[Charm, ...] = entries(Charm)


def other_than_default(sheet: Any, name: str) -> Any:
    """The sheet with another value in a field."""
    now = getattr(sheet, name)
    match fields_of(type(sheet))[name].type:
        case Flag():
            return replace(sheet, **{name: not now})
        case Whole(low, high):
            return replace(sheet, **{name: high if now == low else low})
        case Choice(values):
            return replace(sheet, **{name: next(word for word in values if word != now)})
    raise AssertionError(f"{name} has a type that this test does not know")


def of_the_turn(sheet: Any) -> list[str]:
    return [name for name, field in fields_of(type(sheet)).items() if field.is_of_the_turn]


def test_fields_of_a_lifetime_go_back_to_their_defaults_and_all_others_stay():
    figures = read(
        Figures,
        {"most": 5, "left": 0, "braced": True, "slept": True, "charms": [{"name": "luck", "used": True}]},
    )
    afresh = with_defaults(figures, ("turn", "round"))
    assert (afresh.most, afresh.left, afresh.braced, afresh.slept) == (5, 5, True, True)
    assert not afresh.charms[0].used
    assert with_defaults(afresh, ("turn", "round")) is afresh


def test_the_fields_that_outlast_an_encounter_are_the_ones_saved():
    before = Figures()
    after = replace(before, most=4, left=1, braced=True, slept=True)
    assert kept_fields(before, after) == {"most": 4, "slept": True}


def test_a_field_of_an_entry_that_ends_with_the_fight_is_not_saved():
    charm = Charm(name="luck")
    before = Figures(charms=(charm,))
    assert kept_fields(before, replace(before, charms=(replace(charm, used=True),))) == {}
    after = replace(before, charms=(replace(charm, used=True, left=1),))
    assert kept_fields(before, after) == {"charms": (replace(charm, left=1),)}


def test_a_rest_restores_a_field_of_each_entry():
    rest = Rest("night", "a night", restores={"charms.left": "most", "charms.worn": 0})
    charms = (Charm(name="luck", left=1, worn=3), Charm(name="wit", most=5, left=4))
    game = evolve(load("simple"), sheet=Figures)
    after = rested(game, None, rest, Figures(charms=charms), "Mira")
    assert [(each.left, each.worn) for each in after.charms] == [(3, 0), (5, 0)]


@pytest.mark.parametrize("game", names())
def test_a_combatant_that_joins_a_fight_has_a_fresh_turn(game):
    ruleset = load(game)
    spent = fresh = ruleset.sheet()
    for name in of_the_turn(spent):
        spent = other_than_default(spent, name)
    fight = Fight(ruleset)
    fight.roster = {"worn": Entry("Worn", "players", spent)}
    fight.do("add worn")
    joined = fight.encounter.combatants["worn"].sheet
    assert {name: getattr(joined, name) for name in of_the_turn(fresh)} == {
        name: getattr(fresh, name) for name in of_the_turn(fresh)
    }


@pytest.mark.parametrize("game", names())
def test_a_fight_begins_with_a_fresh_turn_for_everybody(game):
    ruleset = load(game)
    fight = Fight(ruleset)
    fight.roster = {"worn": Entry("Worn", "players", ruleset.sheet())}
    fight.do("add worn")
    worn = fight.encounter.combatants["worn"]
    spent = worn.sheet
    for name in of_the_turn(spent):
        spent = other_than_default(spent, name)
    fight.do("add worn as Rival")
    for name in of_the_turn(spent):
        value = getattr(spent, name)
        fight.do(f"set worn {name} {'yes' if value is True else 'no' if value is False else value}")
    fight.do("start")
    begun = fight.encounter.combatants["worn"].sheet
    assert with_fresh_turn(begun) == begun


def test_the_attacks_of_the_last_fight_do_not_count_in_the_next():
    """Okado strikes once; what he keeps for the next fight does not have that attack in it."""
    atlantis = load("atlantis")
    fight = Fight(atlantis)
    sheet = read(atlantis.sheet, {"abilities": {"melee": 53}, "weapons": [{"name": "sword", "damage": 15}]})
    guard = read(atlantis.sheet, {"abilities": {"melee": 36}})
    fight.roster = {"okado": Entry("Okado", "players", sheet), "guard": Entry("Guard", "foes", guard)}
    for line in ("add okado", "add guard", "start", "attack guard", "end"):
        fight.do(line)
    okado = fight.encounter.combatants["okado"].sheet
    assert okado.attacks_made == 1
    assert "attacks_made" not in kept_fields(sheet, okado)
