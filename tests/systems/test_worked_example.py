"""The larger game that the authors' page points to, and the event that the page shows."""

import random
import re
import tomllib
from pathlib import Path

import pytest

import systems
from systems.codec.events import read_event
from systems.contract.damage import DamagePart
from systems.contract.outcome import Ask, EndedCondition, GivenCondition
from systems.contract.ruleset import Ruleset
from systems.contract.sheet import Sheet
from systems.dice.sources import RandomDice
from systems.encounter.model import new_encounter
from systems.errors import Wrong
from systems.frozen import fields
from systems.plugins import loading
from systems.plugins.check_ruleset import check_ruleset
from systems.requests import odds, resolve
from systems.schema.fields import fields_of
from tests.command import affray, commands
from tests.systems.duel import RULESET
from tests.systems.fight import Entry, Fight

PAGE = (Path(systems.__file__).parent / "README.md").read_text(encoding="utf-8")
SIDES = {"ana": "players", "bo": "foes"}
RESERVED = {"status", "side", "format", "kind", "game_version"}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("part", [Ask, DamagePart, EndedCondition, GivenCondition])
def test_the_documentation_uses_the_field_names_of_an_outcome(part):
    [named] = re.findall(rf"`{part.__name__}\(([a-z_=, ]+)\)`", PAGE)
    words = [word.strip("= ") for word in named.split(",")]
    assert words == [each.name for each in fields(part)][: len(words)]


@pytest.fixture
def game(monkeypatch) -> Ruleset:
    """The game as an installed one, found by its entry point."""
    monkeypatch.setattr(loading, "_others", lambda: {"duel": lambda: RULESET})
    systems.load.cache_clear()
    yield systems.load("duel")
    systems.load.cache_clear()


def asked(game, action, **request):
    return resolve(game, {"action": action, **request}, RandomDice(random.Random(1)))


def test_the_game_is_listed_with_the_others(game):
    assert "duel" in systems.names()
    assert game.title == "Duel"


def test_it_keeps_the_laws_of_any_game():
    assert [str(result) for result in check_ruleset(RULESET, share=0.1) if result.mistake] == []


def _event_block() -> dict[str, object]:
    """The block of the page that holds an event."""
    [found] = [block for block in map(tomllib.loads, blocks("toml")) if "event" in block]
    return found


def test_the_event_in_the_documentation_matches_the_answer_of_the_action(game):
    [event] = map(read_event, _event_block()["event"])
    [result] = event.results
    ana = {
        "name": "Ana",
        "skill": 3,
        "weapons": [{"name": "spear", "damage": "1d8", "reach": "long"}],
    }
    faces = [die.face for die in event.rolls]
    answer = asked(
        game, "attack", actor=ana, target={"name": "Bo", "hp": 7}, options=event.options, dice=faces
    )
    assert answer["text"] == event.text
    assert answer["facts"] == result.facts
    assert [(term["label"], term["value"]) for term in answer["terms"]] == [
        (term.label, term.value) for term in result.terms
    ]
    assert [die["sides"] for die in answer["rolls"]] == [die.sides for die in event.rolls]
    assert answer["target"]["hp"] == event.changes[0].after


def test_the_sentence_on_the_page_is_kept_as_a_fight_keeps_it(game):
    [event] = map(read_event, _event_block()["event"])
    fight = fought(game, "add ana", "add bo", "start dice=6,1", "set ana skill 3", "set bo hp 7")
    fight.do('set ana weapons.spear "1d8 long"')
    assert fight.do(event.typed).sentences[:2] == event.sentences


def test_an_attack_refuses_before_it_rolls(game):
    answer = asked(game, "attack", actor={"winded": True}, target={}, dice=[])
    assert answer["facts"] == {"refused": "winded"}
    assert answer["rolls"] == []


def test_an_unknown_weapon_is_an_error_before_it_is_a_refusal(game):
    with pytest.raises(Wrong) as wrong:
        asked(game, "attack", actor={"winded": True}, target={}, options={"weapon": "pike"})
    assert wrong.value.field == "options.weapon"


def test_a_house_rule_moves_the_odds(game):
    request = {"action": "attack", "actor": {"skill": 0}, "target": {"guard": 6}}
    assert odds(game, request)["facts"]["hit"]["true"] == pytest.approx(1 / 6)
    assert "true" not in odds(game, {**request, "house": {"ties_hit": False}})["facts"]["hit"]


def test_a_chance_and_a_stare_have_exact_odds(game):
    assert odds(game, {"action": "steady", "actor": {"nerve": 65}})["facts"] == {
        "passed": {"true": 0.65, "false": 0.35}
    }
    stare = odds(game, {"action": "stare", "target": {}})["facts"]
    assert stare["winner"] == {"actor": 0.5, "target": 0.5}
    assert "tries" not in stare


def test_a_stare_is_rolled_again_until_one_side_wins(game):
    answer = asked(game, "stare", target={}, dice=[3, 3, 2, 6])
    assert answer["facts"] == {"margin": -4, "winner": "target", "tries": 2}
    assert answer["actor"]["winded"] is True


def test_the_turn_begins_with_a_new_parry(game):
    answer = asked(game, "turn_start", actor={"parried": True, "winded": True})
    assert (answer["actor"]["parried"], answer["actor"]["winded"]) == (False, False)


def test_a_one_offers_the_target_a_blow_back(game):
    answer = asked(game, "attack", actor={"skill": 0}, target={"name": "Bo"}, dice=[1])
    assert answer["asks"] == [
        {"text": "Bo may strike back at once.", "action": "attack", "by": "target", "target": "actor"}
    ]


def fought(game, *lines, **house) -> Fight:
    found = Fight(game, **house)
    found.roster = {name: Entry(name.title(), side, game.sheet()) for name, side in SIDES.items()}
    for line in lines:
        found.do(line)
    return found


def test_a_combatant_on_watch_may_strike_at_a_foe_that_steps_back(game):
    fight = fought(game, "add ana", "add bo", "start dice=6,1", "watch", "next")
    assert fight.text("step") == "Bo steps back. Ana may strike at Bo."
    [offer] = fight.encounter.offers
    assert fight.text(f"{offer.command} dice=2").startswith("Ana misses Bo. 5 against 6")
    assert (fight.conditions("ana"), fight.encounter.offers) == ([], ())


def test_whether_the_slow_come_first_is_a_house_rule(game):
    lines = ("add ana", "add bo", "start dice=6,1")
    assert fought(game, *lines).turn == "ana"
    assert fought(game, *lines, slow_first=True).turn == "bo"


def test_every_action_answers_a_bare_request(game):
    for action in game.actions:
        needed = {name: 1 for name, field in fields_of(action.options).items() if field.needed}
        answer = asked(game, action.name, options=needed)
        assert set(answer["facts"]) == set(action.facts) or "refused" in answer["facts"]


def test_everything_that_the_screens_read_is_declared(game):
    known = set(fields_of(game.sheet))
    names = {action.name for action in game.actions}
    assert not RESERVED & known
    assert known >= set(fields_of(Sheet))
    assert {game.default_action, game.damage.action, game.heal.action, "status"} <= names
    assert {name for meter in game.meters for name in (meter.now, meter.full)} <= known
    assert set(game.seat_fields) <= known
    for condition in game.conditions:
        assert not condition.field or condition.field in known
        for effect in condition.effects:
            assert effect.option in fields_of(game.action(effect.action).options)
    for action in game.actions:
        assert {action.success, action.amount, action.against} <= {"", *action.facts}
    sheet = game.sheet(hp=2, winded=True, **game.join(game.sheet(), True))
    assert [mark.text for mark in game.glance(sheet, game.house())] == ["winded"]
    assert game.brief(sheet, game.house()) == ("Badly hurt, 2 hp left",)
    assert game.figures(sheet, game.house())[0].value == 2
    assert game.status(sheet, game.house()) in {word.name for word in game.statuses}


def test_a_fight_can_be_opened_with_it(game):
    assert new_encounter(game, game.house()).style == "initiative"


ANA = """
format = 1
name = "Ana"
side = "players"
skill = 3
weapons = [{ name = "spear", damage = "1d8", reach = "long" }]
"""
FIGHT = (
    "add ana",
    "add ana as Bo side=foes",
    "start",
    "attack bo weapon=spear modifier=1 by ana",
    "condition bo shaken for 2 rounds",
    "damage bo 3",
    "set ana weapons.spear.reach short",
    "next",
    "undo",
)


def test_a_fight_of_it_can_be_played(game, tmp_path):
    assert affray("new", "brawl", "--system", "duel", "--campaigns", tmp_path).status == 0
    (tmp_path / "brawl" / "roster").mkdir(exist_ok=True)
    (tmp_path / "brawl" / "roster" / "ana.toml").write_text(ANA, encoding="utf-8")
    assert [answer["ok"] for answer in commands(tmp_path, "brawl", *FIGHT)] == [True] * 9
