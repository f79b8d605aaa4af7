"""The odds, against every roll of the dice one by one."""

from collections import Counter
from fractions import Fraction

import pytest

from systems.contract.action import Scene
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.requests import as_text
from systems.schema.conversion import read
from systems.sheets import read_sheet

from .asking import GAME, PSION, RANGER, RIFLE, chances

UNTRAINED = {**RANGER, "crit": 40, "weapons": [{**RIFLE, "proficient": False}]}


def every_throw(run, faces=()):
    """Each possible sequence of faces with its probability and outcome."""
    try:
        yield Fraction(1), run(Table(ScriptedDice(faces)))
    except NeedsFace as dry:
        for face in range(1, dry.request.sides + 1):
            for chance, outcome in every_throw(run, (*faces, face)):
                yield chance / dry.request.sides, outcome


def by_hand(request):
    """Return fact -> value -> probability, counted roll by roll."""
    action = GAME.action(request["action"])
    scene = Scene(
        read_sheet(GAME, request["actor"], "actor"),
        read_sheet(GAME, request.get("target", {}), "target"),
        read(action.options, request["options"]),
        GAME.house(),
    )
    counted = {}
    for chance, outcome in every_throw(lambda table: action.run(scene, table)):
        for fact, value in outcome.facts.items():
            counted.setdefault(fact, Counter())[value] += chance
    return counted


@pytest.mark.parametrize(
    ("actor", "target", "options"),
    [
        (RANGER, {"defense": 10}, {"cover": "half"}),
        ({**RANGER, "aim": 4}, {"dodge": 30, "armor": 2}, {}),
        ({**RANGER, "aim": 4}, {}, {"flanked": True}),
        ({**UNTRAINED, "aim": 2}, {}, {}),
        ({**RANGER, "crit": 7, "aim": 1, "weapons": [{**RIFLE, "damage_range": 0}]}, {"dodge": 12}, {}),
        (
            {**UNTRAINED, "aim": 1, "weapons": [{**RIFLE, "proficient": False, "damage_range": 1}]},
            {"dodge": 9},
            {},
        ),
        ({**RANGER, "aim": -40}, {"dodge": 30}, {}),
    ],
)
def test_the_odds_of_an_attack_agree_with_every_roll_counted(actor, target, options):
    request = {"action": "attack", "actor": actor, "target": target, "options": options}
    agree(chances("attack", actor, target, **options), by_hand(request))


@pytest.mark.parametrize(
    ("action", "actor", "options"),
    [
        ("check", RANGER, {"attribute": "tech", "modifier": 20}),
        ("social", RANGER, {"distance": 100}),
        ("psi", PSION, {"difficulty": -20}),
        ("move", RANGER, {"steps": ["d", "d", "o"]}),
        ("move", RANGER, {"steps": ["o"] * 13}),
        ("status", RANGER, {}),
    ],
)
def test_the_odds_of_everything_else_agree_with_every_roll_counted(action, actor, options):
    agree(chances(action, actor, **options), by_hand({"action": action, "actor": actor, "options": options}))


def agree(odds, counted):
    expected = {
        fact: {as_text(value): float(chance) for value, chance in ways.items()}
        for fact, ways in counted.items()
    }
    assert odds.keys() == expected.keys()
    for fact, ways in odds.items():
        assert ways == pytest.approx(expected[fact]), fact
        assert sum(ways.values()) == pytest.approx(1)


def test_a_refused_attack_is_certain_to_be_refused():
    assert chances("attack", {**RANGER, "actions_left": 0}) == {"refused": {"actions": 1.0}}


def test_an_attack_in_three_chances_and_a_damage_die_adds_up_by_hand():
    odds = chances("attack", {**RANGER, "crit": 20}, {"dodge": 30})
    assert odds["result"] == pytest.approx(
        {
            "miss": 0.35,
            "graze": 0.65 * 0.3 * 0.8,
            "critical": 0.65 * 0.7 * 0.2,
            "hit": 0.65 * (0.3 * 0.2 + 0.7 * 0.8),
        }
    )
