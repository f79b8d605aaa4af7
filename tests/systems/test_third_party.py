"""A sixth game that somebody else brings: it plays like the others, and its mistakes are one sentence."""

import itertools
import json
import random
import shutil
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import attrs
import pytest

import systems
from systems import NoSuchGame, built_in, load
from systems.checked import problem
from systems.contract import (
    Account,
    Action,
    Ask,
    Condition,
    Effect,
    Figure,
    Gives,
    Initiative,
    Mark,
    Meter,
    NoHouse,
    Outcome,
    StatusWord,
    Term,
    Verb,
)
from systems.dice import NeedsFace, RandomDice, ScriptedDice
from systems.fields import declare, entries, flag, listing, whole
from systems.kinds import Flag
from systems.odds import TooManyDice, Walker
from systems.request import odds, resolve
from systems.table import NeedsChoice, ScriptedChoices, Table
from tests.command import affray, commands, present
from tests.systems import gutterlight
from tests.systems.gutterlight import ACTIONS, RULESET, Sheet

ROSTER = {
    "ana": """
format = 1
name = "Ana"
side = "players"
skills = { blade = 3, pistol = 5, will = 3, instinct = 4 }
debts = { "Old Tam" = 40 }
scars = [-1]
weapons = [
  { name = "pepperbox", skill = "pistol", harm = 2, loaded = 1, magazine = 4 },
  { name = "hook" },
]
""",
    "bosun": 'format = 1\nname = "Bosun"\nside = "players"\nskills = { blade = 4 }\ndefence = 2\n',
    "eel": 'format = 1\nname = "Eel"\nmax_wounds = 2\nluck = 0\nskills = { blade = 2, instinct = 1 }\n',
}


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The game as a distribution beside the program, and a way to bring others."""
    site = tmp_path / "site"
    info = site / "gutterlight-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gutterlight\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[affray.systems]\ngutterlight = gutterlight_game:RULESET\n")
    shutil.copy(gutterlight.__file__, site / "gutterlight_game.py")
    monkeypatch.syspath_prepend(str(site))
    load.cache_clear()
    yield load("gutterlight")
    load.cache_clear()
    sys.modules.pop("gutterlight_game", None)


@pytest.fixture
def campaign(tmp_path, installed) -> Path:
    """A campaign of it, with a roster written by hand."""
    folder = tmp_path / "campaigns"
    assert affray("new", "night", "--system", "gutterlight", "--campaigns", folder).status == 0
    for name, text in ROSTER.items():
        (folder / "night" / "roster").mkdir(exist_ok=True)
        (folder / "night" / "roster" / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder / "night"


def brought(monkeypatch, game) -> systems.contract.Ruleset:
    """A game as somebody brings it, checked and guarded."""
    monkeypatch.setattr(systems, "_others", lambda: {"sixth": lambda: game})
    load.cache_clear()
    try:
        return load("sixth")
    finally:
        load.cache_clear()


def resolved(game, **request):
    return resolve(game, request, RandomDice(random.Random(1)))


# It is a game like the others


def test_of_two_games_with_one_name_one_is_played_and_the_other_says_why_not(installed, tmp_path):
    info = tmp_path / "site" / "zz-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: zz\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[affray.systems]\ngutterlight = elsewhere:RULESET\natlantis = elsewhere:RULESET\n"
    )
    for name in ("gutterlight", "atlantis"):
        assert name in systems.names()
        with pytest.raises(NoSuchGame, match=f"the game {name} of zz is not used: there is another {name}"):
            load(f"{name} of zz")
    assert load("atlantis").title == "Atlantis"
    assert load("gutterlight").title == "Gutterlight"


@pytest.mark.parametrize("name", built_in())
def test_the_games_of_this_folder_hang_together(name):
    assert problem(load(name)) == ""


def test_a_game_that_uses_the_whole_contract_hangs_together():
    assert problem(RULESET) == ""


def test_every_word_of_it_is_printed(installed):
    ran = affray("systems", "gutterlight")
    assert (ran.status, ran.err) == (0, "")
    for word in (*(one.name for one in installed.actions), *(one.name for one in installed.conditions)):
        assert word in ran.out


@pytest.mark.parametrize("dice", [1, 3, 4])
@pytest.mark.parametrize("needed", [1, 2])
@pytest.mark.parametrize("reroll", [True, False])
@pytest.mark.parametrize("mark", [4, 5])
@pytest.mark.usefixtures("installed")
def test_its_odds_are_those_of_every_throw(dice, needed, reroll, mark):
    actor = {"skills": {"blade": dice}, "luck": 1}
    request = {"actor": actor, "target": {"defence": needed}, "options": {"reroll": reroll}}
    line = json.dumps({"action": "attack", "house": {"mark": mark}, **request})
    [answer] = affray("odds", "gutterlight", given=line).answers

    counted: Counter[int] = Counter()
    for faces in itertools.product(range(1, 7), repeat=dice):
        good = sum(face >= mark for face in faces)
        misses = dice - good if reroll else 0
        for again in itertools.product(range(1, 7), repeat=misses):
            counted[good + sum(face >= mark for face in again)] += Fraction(1, 6 ** (dice + misses))
    assert answer["facts"]["marks"] == pytest.approx(
        {str(count): float(part) for count, part in counted.items()}
    )
    hit = sum(part for count, part in counted.items() if count >= needed)
    assert answer["facts"]["hit"].get("true", 0) == pytest.approx(float(hit))


def test_two_pools_of_ten_dice_that_only_count_have_odds(installed):
    request = {"actor": {"skills": {"blade": 8}, "scars": [1, 1]}, "options": {"reroll": True}}
    found = odds(installed, {"action": "attack", **request})["facts"]["marks"]
    assert len(found) == 11
    assert sum(found.values()) == pytest.approx(1)
    assert found["10"] == pytest.approx((1 - (2 / 3) ** 2) ** 10)


FIGHT = (
    "add ana",
    "add bosun",
    "add eel x3",
    "start",
    "condition ana wrenched",
    "condition ana sighted",
    "condition eel-1 shrouded",
    "condition eel-1 spotted 3",
    # pistol 5, scar -1, wrenched -1, aimed +1, dark -2, spotted +3: five dice, and no miss to throw again
    "attack eel-1 by ana dice=6,6,6,6,6",
    "reload by ana",
    "condition bosun ablaze",
    "surge by bosun",
    "shout eel-2 by ana",
    "next",
    "next",
    "next",
    "next",
    "heal bosun 1",
    "end",
)


def test_a_whole_fight_is_taken_back_and_done_again(campaign):
    folder, name = campaign.parent, campaign.name
    said = dict(zip(FIGHT, commands(folder, name, *FIGHT), strict=False))
    assert [line for line, answer in said.items() if not answer["ok"]] == []
    text = said["attack eel-1 by ana dice=6,6,6,6,6"]["text"]
    assert text == "Ana hits Eel 1 with pepperbox: 5 of 1 marks, 4 harm, wounds 2 → 0."
    assert "Bosun takes an extra turn now" in said["surge by bosun"]["text"]

    after = present(folder, name)
    done = len(FIGHT)
    commands(folder, name, f"undo {done}")
    assert present(folder, name)["combatants"] == []
    commands(folder, name, f"redo {done}")
    assert present(folder, name) == after


def test_conditions_ammunition_and_offers_follow_an_attack(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add bosun", "add eel x2", "start")
    attack = "attack eel-1 by ana modifiers=1 dice=6,6,6,6,6"
    [hit, empty, wide] = commands(
        folder,
        name,
        attack,
        "attack eel-2 by ana",
        "attack eel-2 weapon=hook by ana dice=1,1 reroll=no",
    )
    assert hit["ok"]
    assert empty == {"ok": False, "error": "Ana's pepperbox is empty."}
    assert wide["text"].endswith("Eel 2 may riposte.")
    people = {one["id"]: one for one in present(folder, name)["combatants"]}
    assert people["ana"]["sheet"]["weapons"][0]["loaded"] == 0
    assert people["eel-1"]["sheet"]["status"] == "drowned"
    assert [one["name"] for one in people["bosun"]["conditions"]] == ["heartened"]
    assert [one["name"] for one in people["ana"]["conditions"]] == []
    assert [one["name"] for one in people["eel-1"]["conditions"]] == ["reeling"]
    [riposte] = commands(folder, name, "riposte dice=6,6")
    assert riposte["text"] == "Eel 2 ripostes Ana: 2 of 1 marks."


def test_a_condition_stands_for_a_field_of_any_kind(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "start", "condition ana guarded", "condition ana ablaze")
    [ana] = present(folder, name)["combatants"]
    assert (ana["sheet"]["stance"], ana["sheet"]["burning"]) == ("guarded", 1)
    commands(folder, name, "clear ana ablaze", "set ana stance open")
    [ana] = present(folder, name)["combatants"]
    assert (ana["sheet"]["stance"], ana["sheet"]["burning"], ana["conditions"]) == ("open", 0, [])


def test_an_optional_target_is_one_or_nobody(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add bosun", "add eel", "start")
    [crew, one, many] = commands(
        folder, name, "shout by ana dice=6,6,1", "shout eel by ana dice=6,1,1", "shout all by ana"
    )
    assert crew["text"] == "Ana shouts to the crew: 2 marks."
    assert one["text"] == "Ana shouts at Eel: stress 0 → 2."
    assert many["error"] == "shout takes one target, not 2"


def test_what_is_thrown_and_paid_once_reaches_several_and_oneself(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add bosun", "add eel", "start")
    [blast] = commands(folder, name, "blast bosun,ana,eel by ana powder=3 dice=6,5,6")
    assert blast["text"] == "Bosun is caught: 3 harm. Ana is caught: 2 harm. Eel is caught: 1 harm."
    people = {one["id"]: one["sheet"] for one in present(folder, name)["combatants"]}
    assert {who: sheet["wounds"] for who, sheet in people.items()} == {"ana": 2, "bosun": 1, "eel": 1}
    assert people["ana"]["stress"] == 1


def test_an_action_that_is_not_for_oneself_passes_the_actor_over(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add bosun", "add eel", "start")
    [alone, among] = commands(folder, name, "attack ana by ana", "attack 1-3 by bosun")
    assert alone["error"] == "Ana cannot be the target of its own attack"
    assert among["text"].count("Bosun") == 2  # at Ana and at Eel


def test_a_condition_lasts_until_a_turn_of_the_actor_or_of_its_bearer(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add eel", "start dice=6,6,6,6,1")

    def borne():
        return [one["name"] for one in present(folder, name)["combatants"][1]["conditions"]]

    commands(folder, name, "blast eel by ana powder=1 dice=1")
    assert borne() == ["deafened", "sooty"]
    commands(folder, name, "next")
    assert borne() == ["deafened", "sooty"]
    commands(folder, name, "next")
    assert borne() == []


def test_an_offer_that_leaves_open_whom_it_is_aimed_at_is_taken_up_by_naming_them(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add eel x2", "start")
    [lit, blast, again] = commands(
        folder,
        name,
        "light by ana",
        "blast eel-1,eel-2 by ana dice=1,1,6",
        "blast eel-1 by ana dice=1,1",
    )
    assert lit["text"] == "Ana lights the keg. Who is near?"
    assert blast["text"] == "Eel 1 is caught: 1 harm. Eel 2 is caught: 0 harm."
    assert again["ok"]  # the offer with its three dice is gone


def test_an_offer_to_one_is_not_taken_up_for_another_whose_turn_it_is(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add eel", "start dice=6,6,6,6,1", "light by eel")
    [own] = commands(folder, name, "blast eel dice=1,1")  # two dice are its own, three the offer's
    assert own["ok"]
    people = {one["id"]: one["sheet"] for one in present(folder, name)["combatants"]}
    assert (people["ana"]["stress"], people["eel"]["stress"]) == (1, 0)


# Declarations that do not fit


def changed(**by):
    """The game's actions, some of them changed."""
    return tuple(attrs.evolve(one, **by[one.name]) if one.name in by else one for one in ACTIONS)


def made(**parts):
    return attrs.evolve(RULESET, **parts)


def fails(*given):
    raise KeyError("nobody")


@declare
class Needy(Sheet):
    rank: int = whole(1, 9)


@declare
class Askew(Sheet):
    rank: int = whole(1, 9, 0)


@declare
class Loose(Sheet):
    rank: int = 3


@declare
class Kindly(Sheet):
    kind: bool = flag()


@declare
class Copying(Sheet):
    rank: int = whole(1, 9, same_as="grade")


@declare
class Nameless:
    harm: int = whole(1, 9, 1)


@declare
class Armed(Sheet):
    hands: tuple[Nameless, ...] = entries(Nameless)


@declare
class Dicey:
    dice: int = whole(0, 9, 0)


@declare
class Flags:
    signs: tuple[bool, ...] = listing(Flag())
    light: bool = flag()
    amount: int = whole(0, 9)
    more: int = whole(0, 9)


def borne(*effects, **parts):
    return made(conditions=(Condition("odd", "is odd", effects=effects, **parts),))


SLIPS = {
    "title": (made(title=""), "its title is an empty text"),
    "sheet": (made(sheet=dict), "no subclass of systems.contract.Sheet"),
    "sheet needs": (made(sheet=Needy), "rank has no default"),
    "sheet default": (made(sheet=Askew), "the default of rank: expected a whole number from 1 to 9, got 0"),
    "sheet undeclared": (made(sheet=Loose), "rank is not declared"),
    "sheet reserved": (made(sheet=Kindly), "a field kind, which is the tracker's own"),
    "sheet copies": (made(sheet=Copying), "rank is the same as grade, which is not there"),
    "entries": (made(sheet=Armed), "the entries of hands have no name"),
    "stored status": (made(stored_status=False), "stored_status is not set"),
    "house": (made(house=int), "its house rules: no class made by systems.fields.declare"),
    "options": (made(actions=changed(brace={"options": dict})), "the options of brace"),
    "option dice": (made(actions=changed(brace={"options": Dicey})), "an option dice"),
    "actions": (made(actions=[1, 2]), "its actions are no tuple"),
    "action": (made(actions=(*ACTIONS, 2)), "2 among them, which is no Action"),
    "action twice": (made(actions=(*ACTIONS, ACTIONS[0])), "the action attack is there twice"),
    "action name": (made(actions=changed(brace={"name": "Brace Up"})), "no lower_snake_case"),
    "action command": (made(actions=changed(brace={"name": "next"})), "the name of a command of the tracker"),
    "run": (made(actions=changed(brace={"run": None})), "brace has nothing to run"),
    "targets": (made(actions=changed(attack={"targets": "several"})), "not one of none, optional, one, many"),
    "kind": (made(actions=changed(attack={"kind": "magic"})), 'the kind of attack is "magic"'),
    "success": (made(actions=changed(attack={"success": "hitt"})), "hitt, which is none of its facts"),
    "hook": (made(actions=changed(brace={"kind": "hook"})), "nothing calls the hook brace"),
    "hook's kind": (
        made(actions=changed(turn_end={"kind": "turn"})),
        'turn_end is called by itself and needs kind="hook"',
    ),
    "hook's target": (made(actions=changed(turn_end={"targets": "one"})), "the hook turn_end takes a target"),
    "hook's option": (made(actions=changed(turn_end={"options": Flags})), "turn_end needs the option amount"),
    "no status": (made(actions=changed(status={"name": "state"})), "no action status"),
    "default": (made(default_action="atack"), '"atack", which is no action; did you mean attack?'),
    "default hook": (made(default_action="turn_end"), "default_action is turn_end, which is a hook"),
    "damage": (made(damage=Verb("hram")), 'damage runs "hram", which is no action'),
    "damage amount": (made(damage=Verb("harm", "points")), "no number points among its options"),
    "damage target": (made(damage=Verb("attack", "bonus")), "that takes a target"),
    "heal needs": (made(actions=changed(heal={"options": Flags})), "heal runs heal, which also needs more"),
    "statuses": (made(statuses=()), "no statuses"),
    "status tone": (made(statuses=(StatusWord("up", "rosy"),)), 'the tone of up is "rosy"'),
    "status word": (made(statuses=RULESET.statuses[1:]), 'a status of the sheet is "up"'),
    "status": (made(status=lambda sheet, house: "limping"), 'the status of an untouched sheet is "limping"'),
    "status fails": (made(status=fails), "status fails on an untouched sheet: KeyError"),
    "meter": (made(meters=(Meter("w", "wonds", "max_wounds"),)), "wonds, which is no number of the sheet"),
    "meter text": (made(meters=(Meter("w", "lamp", "max_wounds"),)), "lamp, which is no number of the sheet"),
    "meter style": (
        made(meters=(Meter("w", "wounds", "max_wounds", "pie"),)),
        'style of the meter w is "pie"',
    ),
    "meter symbols": (made(meters=(Meter("w", "wounds", "max_wounds", symbols="x"),)), "needs two symbols"),
    "seat": (made(seat_fields=("hp",)), '"hp", which is no field of the sheet'),
    "effect action": (
        borne(Effect("atack", "bonus")),
        'odd changes "atack", which is no action',
    ),
    "effect option": (borne(Effect("attack", "bonsu")), 'no option "bonsu"; did you mean bonus?'),
    "effect role": (borne(Effect("attack", "bonus", "ally")), 'the role in the condition odd is "ally"'),
    "effect number": (borne(Effect("attack", "bonus", value=2)), "needs an amount, no value"),
    "effect flag": (borne(Effect("attack", "aimed", amount=2)), "needs a value, no amount"),
    "effect word": (borne(Effect("attack", "light", value="fog")), 'expected one of lamp, dark, got "fog"'),
    "effect unsaid": (borne(Effect("attack", "aimed")), "expected true or false, got null"),
    "condition twice": (made(conditions=RULESET.conditions * 2), "the condition wrenched is there twice"),
    "condition field": (borne(field="stanse"), "no such field; did you mean stance?"),
    "condition on": (borne(field="stance", on="bent", off="open"), 'got "bent"'),
    "condition range": (borne(field="burning", on=4, off=0), "stands for burning: expected a whole number"),
    "condition same": (borne(field="stance", on="open", off="open"), "on and off are the same"),
    "each turn": (borne(each_turn="bleed"), 'each_turn of odd is "bleed", which is no action'),
    "each turn at": (borne(each_turn="riposte"), "the condition odd takes a target"),
    "order": (made(order=lambda house: "clockwise"), 'its order is "clockwise"'),
    "join": (made(join=lambda sheet, is_player: {"hp": 1}), "join sets hp: the sheet has no such field"),
    "join nothing": (made(join=lambda sheet, is_player: None), "join gives no fields by name"),
    "glance": (made(glance=lambda sheet, house: ("hurt",)), "no Mark"),
    "glance tone": (made(glance=lambda sheet, house: (Mark("hurt", "pink"),)), "the tone of the mark hurt"),
    "brief": (made(brief=lambda sheet, house: "hurt"), "its lines of brief are no tuple"),
    "figures": (made(figures=fails), "figures fails on an untouched sheet"),
    "anything": (made(statuses=7), "its statuses is 7 and no tuple"),
    "symbols": (
        made(meters=(attrs.evolve(RULESET.meters[0], symbols=5),)),
        "its meters[0].symbols is 5 and no tuple",
    ),
    "when": (borne(Effect("attack", "bonus", when=3)), "effects[0].when is 3 and no function"),
    "option": (borne(Effect("attack", None)), "effects[0].option is null and no text"),
}


@pytest.mark.parametrize(("game", "says"), SLIPS.values(), ids=SLIPS)
def test_a_game_that_does_not_hang_together_is_named_in_one_sentence(game, says, monkeypatch):
    with pytest.raises(NoSuchGame) as error:
        brought(monkeypatch, game)
    sentence = str(error.value)
    assert sentence.startswith("the game sixth is broken: ")
    assert says in sentence
    assert sentence.isprintable()


def test_conditions_that_change_every_kind_of_option_are_right():
    every = (
        Effect("attack", "modifiers"),
        Effect("attack", "bonus", amount=-1),
        Effect("attack", "aimed", value=True),
        Effect("attack", "light", value="dark"),
        Effect("attack", "weapon", value="hook"),
    )
    assert problem(borne(*every)) == ""

    def listed(**parts):
        return attrs.evolve(
            borne(Effect("brace", "signs", **parts)), actions=changed(brace={"options": Flags})
        )

    assert problem(listed(value=True)) == ""
    assert "signs of brace: expected true or false, got null" in problem(listed())
    assert "needs a value, no amount" in problem(listed(amount=1))


def test_a_game_without_meters_house_or_conditions_is_right():
    small = made(meters=(), conditions=(), house=NoHouse, initiative=None, figures=lambda sheet, house: ())
    plain = attrs.evolve(small, glance=lambda sheet, house: (), seat_fields=())
    assert problem(plain) == ""


# Mistakes that only show in play


def answers(outcome):
    return made(actions=changed(brace={"run": lambda scene, table: outcome, "amount": "stance"}))


def played(monkeypatch, folder, game, *lines):
    """A campaign of a game as somebody brings it, with one eel in it, and what the lines come to."""
    monkeypatch.setattr(systems, "_others", lambda: {"sixth": lambda: game})
    load.cache_clear()
    assert affray("new", "night", "--system", "sixth", "--campaigns", folder).status == 0
    (folder / "night" / "roster").mkdir(exist_ok=True)
    (folder / "night" / "roster" / "eel.toml").write_text(ROSTER["eel"])
    [added, *answers] = commands(folder, "night", "add eel", *lines)
    assert added["ok"]
    return answers


MISTAKES = {
    "exception": (made(actions=changed(brace={"run": fails})), "KeyError: 'nobody'"),
    "nothing": (answers(None), "it answers null and no Outcome"),
    "list": (answers(Outcome({"stance": 1, "more": [1]})), "a fact is a list or a table"),
    "amount": (answers(Outcome({"stance": "high"})), 'the fact stance is "high" and no number'),
    "role": (
        answers(Outcome({}, {"ally": {"stance": "open"}})),
        'a name in its changes is "ally", not one of actor, target',
    ),
    "field": (answers(Outcome({}, {"actor": {"stanse": "open"}})), "did you mean stance?"),
    "value": (answers(Outcome({}, {"actor": {"stance": 5}})), "expected one of open, guarded, got 5"),
    "table": (
        answers(Outcome({}, {"actor": {"skills": {"cook": 1}}})),
        '"cook" is no name',
    ),
    "ask": (answers(Outcome({}, asks=(Ask("Flee?", "flee"),))), 'it asks for "flee", which is no action'),
    "asked": (
        answers(Outcome({}, asks=(Ask("Flee?", by="ally"),))),
        'its asks[0].by is "ally", not one of actor, target',
    ),
    "gives": (
        answers(Outcome({}, gives=(Gives("foes", "afraid"),))),
        'its gives[0].who is "foes", not one of actor, target, allies',
    ),
    "until and rounds": (
        answers(Outcome({}, gives=(Gives("actor", "afraid", rounds=2, until="end"),))),
        "lasts for some rounds or until a turn, not both",
    ),
    "moment": (
        answers(Outcome({}, gives=(Gives("actor", "afraid", until="noon"),))),
        "not one of start, end",
    ),
    "rounds": (answers(Outcome({}, gives=(Gives("actor", "afraid", rounds=0),))), "its rounds"),
    "given value": (
        answers(Outcome({}, gives=(Gives("actor", "afraid", 1000),))),
        "its value: expected a whole number from -999 to 999, got 1000",
    ),
    "nameless": (answers(Outcome({}, gives=(Gives("actor", ""),))), "expected a text"),
    "facts": (answers(Outcome(None)), "its facts is null and no table"),
    "fact": (answers(Outcome({"more": b"x"})), "facts are numbers, flags, texts and tuples"),
    "speechless": (answers(Outcome({}, asks=(Ask(""),))), "it asks without a sentence"),
    "asked option": (
        answers(Outcome({}, asks=(Ask("Strike?", "attack", options={"weapn": "hook"}),))),
        'it asks for attack, which has no option "weapn"; did you mean weapon?',
    ),
    "asked value": (
        answers(Outcome({}, asks=(Ask("Strike?", "attack", options={"bonus": 40}),))),
        "it asks for attack: bonus: expected a whole number from -9 to 9, got 40",
    ),
    "degree": (answers(Outcome({}, degree=3)), "its degree is 3 and no text"),
    "extra turn": (
        answers(Outcome({}, extra_turn="bosun")),
        'its extra_turn is "bosun", not one of actor, target',
    ),
}


@pytest.mark.parametrize(("game", "says"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_of_an_action_refuses_it_in_one_sentence(game, says, monkeypatch, tmp_path):
    played(monkeypatch, tmp_path, game, "start")
    before = present(tmp_path, "night")
    [answer] = commands(tmp_path, "night", "brace")
    assert answer["error"].startswith("the game sixth has a mistake in brace: ")
    assert says in answer["error"]
    assert present(tmp_path, "night") == before
    [told] = affray("resolve", "sixth", given='{"action": "brace"}').answers
    assert says in told["error"]
    load.cache_clear()


def test_a_mistake_of_a_hook_is_told_and_the_fight_goes_on(monkeypatch, tmp_path):
    game = made(actions=changed(turn_start={"run": fails}))
    for answer in played(monkeypatch, tmp_path, game, "start", "next"):
        assert (
            "Eel: the game sixth has a mistake in turn_start: KeyError: 'nobody'. Eel's turn"
            in answer["text"]
        )
    load.cache_clear()


def test_dice_that_never_decide_are_a_sentence(monkeypatch, tmp_path):
    def endless(scene, table):
        return table.until(lambda again: again.d(6, "powder"), lambda face: False)

    [_, answer] = played(
        monkeypatch, tmp_path, made(actions=changed(brace={"run": endless})), "start", "brace"
    )
    assert answer["error"] == "the dice were thrown a thousand times and nothing was decided"
    load.cache_clear()


def test_a_number_stops_at_its_range_as_in_any_game(monkeypatch):
    game = brought(monkeypatch, answers(Outcome({}, {"actor": {"stress": 99, "burning": -1}})))
    answer = resolved(game, action="brace")
    assert (answer["actor"]["stress"], answer["actor"]["burning"]) == (20, 0)


@pytest.mark.parametrize(
    "tell",
    [fails, lambda: "words", lambda: Account("Braced.", (Term("stance", 0.5),))],
    ids=["exception", "text", "term"],
)
def test_an_outcome_without_words_stands_all_the_same(tell, monkeypatch):
    game = brought(monkeypatch, answers(Outcome({}, {"actor": {"stance": "guarded"}}, tell)))
    answer = resolved(game, action="brace", actor={"name": "Ana"})
    assert answer["actor"]["stance"] == "guarded"
    assert answer["text"].startswith("Ana: brace (the game sixth has a mistake in the words of brace: ")


def late(right):
    """Right on an untouched sheet, wrong on one with a name."""

    def shows(sheet, *given):
        if sheet.name:
            raise KeyError("late")
        return right

    return shows


def test_what_is_only_shown_has_something_in_its_place(monkeypatch):
    game = brought(
        monkeypatch,
        made(status=late("up"), glance=late(()), brief=late(()), figures=late(()), join=late({})),
    )
    sheet, house = game.sheet(name="Ana"), game.house()
    assert game.status(sheet, house) == "unknown"
    assert game.glance(sheet, house) == (Mark("glance fails", "danger"),)
    why = "the game sixth has a mistake in {}: KeyError: 'late'"
    assert game.brief(sheet, house) == ("T" + why.format("brief")[1:],)
    assert game.figures(sheet, house) == (Figure("mistake", 0, (), why.format("figures")),)
    with pytest.raises(ValueError, match="mistake in join"):
        game.join(sheet, True)


@pytest.mark.parametrize(
    ("along", "why"),
    [
        (lambda sheet, house, borne: 1 // 0, "ZeroDivisionError"),
        (lambda sheet, house, borne: {"hp": 1}, "it sets hp"),
        (lambda sheet, house, borne: None, "AttributeError"),
    ],
)
def test_a_mistake_in_what_goes_along_with_a_condition_is_one_sentence(along, why, monkeypatch):
    game = brought(monkeypatch, borne(along=along))
    with pytest.raises(ValueError, match=f"mistake in the condition odd: .*{why}"):
        game.conditions[-1].along(game.sheet(), game.house(), True)


@pytest.mark.parametrize("shown", [None, "hurt", (None,), (Mark("hurt", "rosy"),), (Figure("harm", 7.5),)])
def test_what_is_shown_is_of_the_right_kind(shown, monkeypatch):
    def shows(sheet, house):
        return shown if sheet.name else ()

    game = brought(monkeypatch, made(glance=shows, brief=shows, figures=shows))
    sheet, house = game.sheet(name="Ana"), game.house()
    assert game.glance(sheet, house) == (Mark("glance fails", "danger"),)
    assert "mistake in brief" in game.brief(sheet, house)[0]
    assert "mistake in figures" in game.figures(sheet, house)[0].note


@pytest.mark.parametrize("rule", [Initiative(fails), Initiative(lambda sheet, table: 1, tie=fails)])
def test_a_mistake_in_initiative_is_one_sentence(rule, monkeypatch, tmp_path):
    [started] = played(monkeypatch, tmp_path, made(initiative=rule), "start")
    assert started["error"] == "the game sixth has a mistake in initiative: KeyError: 'nobody'"
    load.cache_clear()


def test_a_mistake_in_when_a_condition_counts_is_one_sentence(monkeypatch):
    game = brought(monkeypatch, borne(Effect("attack", "bonus", when=fails)))
    [effect] = game.condition("odd").effects
    with pytest.raises(ValueError, match="the game sixth has a mistake in the condition odd"):
        effect.when(game.sheet(), None)


def test_dice_and_questions_go_through_to_the_table(monkeypatch):
    game = brought(monkeypatch, RULESET)
    attack = game.action("attack")
    scene = systems.contract.Scene(game.sheet(), game.sheet(), attack.options(), game.house())
    with pytest.raises(NeedsFace):
        attack.run(scene, Table(ScriptedDice([])))
    with pytest.raises(NeedsChoice):
        attack.run(scene, Table(ScriptedDice([1]), ScriptedChoices([])))
    many = Action(
        "many", "Too many dice.", lambda scene, table: Outcome({"best": table.pool(99, 20, "dice")[0]})
    )
    crowd = brought(monkeypatch, made(actions=(*ACTIONS, many)))
    with pytest.raises(TooManyDice):
        next(Walker().walk(lambda table: crowd.action("many").run(scene, table)))
