"""What the built-in policies do, as an expert in each game would."""

from fractions import Fraction

from systems.forecast.choice import Temper, TurnChoice, choices_of, chosen
from systems.forecast.moves import actions_done, actions_in_turn
from systems.forecast.plan import Planner
from systems.schema.conversion import replace
from tests.systems.fight import Fight
from tests.systems.srd5.facing import facing


def does(fight: Fight, who: str, temper: Temper = "sensible") -> TurnChoice:
    """Return what a combatant does next. The careless aim at the first target that is possible."""
    found = chosen(fight.encounter, choices_of(fight.encounter, who), temper, lambda many: 0)
    assert found is not None
    return found


def words(choice: TurnChoice) -> tuple[object, ...]:
    return choice.move.action, *choice.move.options.values()


def become(fight: Fight, who: str, **changes: object) -> None:
    fight.encounter = fight.encounter.with_combatants(fight.encounter.combatants[who].with_sheet(changes))


def test_a_dragon_of_srd5_breathes_on_several_while_it_can_and_else_makes_its_multiattack() -> None:
    fight = facing("young-red-dragon", max_hp=90)
    assert words(does(fight, "young-red-dragon")) == ("power", "Fire Breath")
    power = fight.sheet("young-red-dragon").powers[0]
    become(fight, "young-red-dragon", powers=(replace(power, spent=True),))
    assert words(does(fight, "young-red-dragon")) == ("multiattack",)


def test_creatures_of_srd5_stand_up_first_and_still_attack() -> None:
    fight = facing("wolf")
    fight.do("condition wolf prone")
    assert words(does(fight, "wolf")) == ("stand",)
    assert actions_in_turn(fight.game, fight.sheet("wolf"), fight.house) == 2
    fight.do("stand by wolf")
    assert words(does(fight, "wolf")) == ("attack", "Bite")
    fight.do("condition wolf prone")
    fight.do("condition wolf grappled")
    assert words(does(fight, "wolf")) == ("attack", "Bite")


def test_a_mage_of_srd5_throws_its_fireball_at_a_group_and_an_ally_gets_up_again() -> None:
    fight = facing("mage", "wolf")
    fight.do("add mira as Tamsin")
    fight.do("near mira tamsin")
    blast = does(fight, "mage")
    assert words(blast) == ("power", "Cone of Cold")
    assert set(blast.targets) == {"mira", "tamsin"}
    become(fight, "wolf", dies_at_zero=False, hp=0, conditions=("unconscious", "prone"))
    heal = replace(fight.sheet("mage").powers[0], name="Cure", kind="action", healing="2d8+3", uses_per_day=0)
    become(fight, "mage", powers=(heal,), multiattack=(), attacks=())
    assert (words(does(fight, "mage")), does(fight, "mage").targets) == (("power", "Cure"), ("wolf",))
    assert does(fight, "mage").falls == Fraction(1)


def test_getting_up_and_saves_leave_the_action_of_a_turn_and_an_attack_does_not() -> None:
    fight = facing("wolf")
    fight.do("condition wolf prone")
    while fight.encounter.progress.turn != "wolf":
        fight.do("next")
    for line, done in (("stand", 0), ("save ability=wisdom dc=12", 0), ("attack mira dice=2", 1)):
        fight.do(f"{line} by wolf")
        assert actions_done(fight.log.newest(), fight.encounter)["wolf"] == done, line


def test_a_reaction_in_anothers_turn_costs_no_action_of_the_own_turn() -> None:
    fight = facing("ogre")
    fight.do("attack mira by ogre")
    assert fight.turn == "mira"
    assert actions_done(fight.log.newest(), fight.encounter)["ogre"] == 0
    fight.do("next")
    fight.do("attack mira by ogre")
    assert actions_done(fight.log.newest(), fight.encounter)["ogre"] == 1


def test_a_free_move_costs_no_blow_where_the_game_says_when_a_turn_is_over() -> None:
    fight = Fight("arden", "add guard", "add okado", "start guard 20 okado 1")
    planner = Planner(fight.encounter, "sensible", lambda many: 0)
    blows = len(planner.turn("guard"))
    fight.do("move 1 by guard")
    done = actions_done(fight.log.newest(), fight.encounter)["guard"]
    assert len(Planner(fight.encounter, "sensible", lambda many: 0).turn("guard", done)) == blows
