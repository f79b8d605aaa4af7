"""What the habits of a creature change in its choices."""

from random import Random

import pytest

from systems.contract.sheet import HABITS
from systems.dice.sources import RandomDice, Streams
from systems.errors import Refused, Wrong
from systems.forecast.choice import choices_of
from systems.forecast.danger import danger_of
from systems.forecast.fight import FightDice, play_fight
from systems.forecast.known_worths import KnownWorths
from systems.forecast.plan import Planner, live_action
from systems.schema.conversion import replace
from systems.sheets import read_sheet
from systems.visibility.build import view
from tests.systems.fight import Fight, roster_of
from tests.systems.forecast.test_choice import become, choice, first
from tests.systems.srd5.facing import facing
from tests.systems.visibility.test_laws import SHOWN, VIEWERS


@pytest.fixture
def raid() -> Fight:
    """Okado, hardy and easy to hit, and Tamsin, wounded and hard to hit, against two guards."""
    fight = Fight("simple", "add okado", "add tamsin", "add guard x2", "start")
    become(fight, "okado", defence=5)
    become(fight, "tamsin", hp=3, defence=16)
    return fight


def habits(fight: Fight, *names: str, who: str = "guard-1") -> None:
    become(fight, who, habits=names)


def targets(fight: Fight) -> set[tuple[str, ...]]:
    return {each.targets for each in choices_of(fight.encounter, "guard-1")}


@pytest.mark.parametrize(
    ("habit", "near", "expected"),
    [
        ("swarms the weakest", "", {("tamsin",)}),
        ("goes for the strongest", "", {("okado",)}),
        ("fights those near it", "tamsin", {("tamsin",)}),
        # Nobody is near it, so it takes any.
        ("fights those near it", "", {("okado",), ("tamsin",)}),
        ("strikes at random", "tamsin", {("okado",), ("tamsin",)}),
    ],
)
def test_a_habit_says_whom_a_creature_goes_for(raid: Fight, habit: str, near: str, expected: set) -> None:
    habits(raid, habit)
    if near:
        raid.do(f"near guard-1 {near}")
    assert targets(raid) == expected


def test_a_creature_that_strikes_at_random_does_so_in_every_temper(raid: Fight) -> None:
    habits(raid, "strikes at random")
    for temper in ("sensible", "ruthless"):
        planners = [Planner(raid.encounter, temper, lambda many, at=at: at) for at in range(2)]
        aims = {planner.turn("guard-1")[0].choice.targets for planner in planners}
        assert aims == {("okado",), ("tamsin",)}


@pytest.mark.parametrize(
    ("habit", "hp", "other", "flees"),
    [
        ("flees when bloodied", 5, 9, False),
        ("flees when bloodied", 4, 9, True),
        ("flees when alone", 9, 9, False),
        ("flees when alone", 9, 0, True),
        ("swarms the weakest", 1, 0, False),
    ],
)
def test_a_creature_flees_when_its_habit_says_so(
    raid: Fight, habit: str, hp: int, other: int, flees: bool
) -> None:
    habits(raid, habit)
    become(raid, "guard-1", hp=hp)
    become(raid, "guard-2", hp=other)
    assert (choice(raid, "guard-1").move.action == "flee") is flees


def test_a_creature_without_allies_from_the_start_is_not_left_alone() -> None:
    fight = Fight("simple", "add okado", "add guard as Lurker", "start")
    habits(fight, "flees when alone", who="lurker")
    assert choice(fight, "lurker").move.action == "attack"


def test_a_creature_that_flees_gets_away_from_its_foes_and_then_leaves_the_fight(raid: Fight) -> None:
    habits(raid, "flees when bloodied")
    become(raid, "guard-1", hp=2)
    raid.do("near guard-1 okado")
    planned = Planner(raid.encounter, "sensible", first).turn("guard-1")
    assert [action.line for action in planned] == ["apart guard-1"]
    raid.do(planned[0].line)
    # The foe that was near it is not any more, so this action is chosen again.
    again = live_action(raid.encounter, planned[0], "sensible", first)
    assert again is not None
    assert (again.line, again.instead) == ("flee guard-1", "it is not possible any more")
    event = raid.do(again.line)
    assert event.sentences[0].text == "Guard 1 flees from the fight."
    assert raid.encounter.combatants["guard-1"].arrival == "is away"
    assert targets_of(raid, "okado") == {("guard-2",)}
    raid.do("return guard-1")
    assert not raid.encounter.combatants["guard-1"].state.arrives


def targets_of(fight: Fight, who: str) -> set[tuple[str, ...]]:
    return {each.targets for each in choices_of(fight.encounter, who)}


def test_a_creature_may_fight_on_in_place_of_flight(raid: Fight) -> None:
    habits(raid, "flees when bloodied")
    become(raid, "guard-1", hp=2)
    planner = Planner(raid.encounter, "sensible", first)
    others = planner.others(planner.turn("guard-1")[0])
    assert {each.choice.move.action for each in others} == {"flee", "attack"}
    fights_on = next(each for each in others if each.choice.move.action == "attack")
    assert live_action(raid.encounter, fights_on, "sensible", first) is fights_on


def test_only_a_combatant_that_can_act_and_has_arrived_flees(raid: Fight) -> None:
    become(raid, "guard-1", hp=0)
    for line, why in (
        ("flee guard-1", "Guard 1 is dead and cannot flee; `remove` takes it out"),
        ("flee guard-2", ""),
        ("flee guard-2", "is away"),
    ):
        if not why:
            raid.do(line)
            continue
        with pytest.raises(Refused, match=why):
            raid.do(line)


def test_a_foe_that_flees_is_no_danger(raid: Fight) -> None:
    become(raid, "guard-1", hp=2)
    before = danger_of(raid.encounter, "tamsin", RandomDice(Random(1)))
    habits(raid, "flees when bloodied")
    after = danger_of(raid.encounter, "tamsin", RandomDice(Random(1)))
    assert before is not None
    assert after is not None
    assert [threat.who for threat in after.threats] == ["guard-2"]
    assert 0 < after.chance < before.chance


def test_a_forecast_lets_foes_flee_and_the_players_win(raid: Fight) -> None:
    for who in ("guard-1", "guard-2"):
        habits(raid, "flees when bloodied", who=who)
        become(raid, who, hp=2, defence=30)
    dice = FightDice(Streams(2, Random(2), Random))
    played = play_fight(raid.encounter, roster_of(raid.game), dice, "sensible", KnownWorths())
    assert (played.end, played.fallen) == ("won", frozenset())


def test_a_creature_helps_the_fallen_first() -> None:
    fight = facing("mage", "wolf")
    fight.do("add mira as Tamsin")
    fight.do("near mira tamsin")
    become(fight, "wolf", dies_at_zero=False, hp=0, conditions=("unconscious", "prone"))
    spell = fight.sheet("mage").powers[0]
    cure = replace(spell, name="Cure", kind="action", healing="2d8+3", uses_per_day=0)
    become(fight, "mage", powers=(*fight.sheet("mage").powers, cure))
    for foe in ("mira", "tamsin"):
        become(fight, foe, hp=1)
    assert choice(fight, "mage").move.options["power"] == "Fireball"
    become(fight, "mage", habits=("helps the fallen first",))
    helps = choice(fight, "mage")
    assert (helps.move.options["power"], helps.targets) == ("Cure", ("wolf",))


def test_an_unknown_habit_is_refused_with_those_that_exist(raid: Fight) -> None:
    with pytest.raises(Wrong) as wrong:
        read_sheet(raid.game, {"habits": ["flees when bloodyed"]}, "")
    says = (
        f'expected one of {", ".join(HABITS)}, got "flees when bloodyed"; did you mean flees when bloodied?'
    )
    assert str(wrong.value) == f"habits[0]: {says}"
    assert wrong.value.suggestion == "flees when bloodied"


def test_habits_are_typed_with_commas_between(raid: Fight) -> None:
    raid.do("set guard-1 habits flees when bloodied, swarms the weakest")
    assert raid.sheet("guard-1").habits == ("flees when bloodied", "swarms the weakest")


def test_players_never_see_habits(raid: Fight) -> None:
    raid.do("set okado habits flees when bloodied")
    raid.do("undo")
    raid.do("redo")
    raid.do("set guard-1 habits swarms the weakest")
    for viewer in VIEWERS:
        for shown in SHOWN:
            seen = repr(view(raid.encounter, raid.log, viewer, shown))
            for word in ("habits", "flees", "swarms"):
                assert word not in seen
