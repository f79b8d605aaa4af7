"""A sixth, third-party game plays like the others."""

import itertools
import json
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

import systems
from systems import NoSuchGame, built_in, load
from systems.plugins.declarations import problem
from systems.requests import odds
from tests.command import affray, commands, present
from tests.systems import gutterlight
from tests.systems.gutterlight import RULESET
from tests.systems.plugins.outsider import ROSTER


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install the game as a distribution next to the program, with a way to install others."""
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
    """Return a campaign of it, with a roster written by hand."""
    folder = tmp_path / "campaigns"
    assert affray("new", "night", "--system", "gutterlight", "--campaigns", folder).status == 0
    for name, text in ROSTER.items():
        (folder / "night" / "roster").mkdir(exist_ok=True)
        (folder / "night" / "roster" / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder / "night"


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
def test_the_games_of_this_folder_are_consistent(name):
    assert problem(load(name)) == ""


def test_a_game_that_uses_the_whole_contract_is_consistent():
    assert problem(RULESET) == ""


def test_every_word_of_it_is_printed(installed):
    ran = affray("systems", "gutterlight")
    assert (ran.status, ran.err) == (0, "")
    for word in (*(one.name for one in installed.actions), *(one.name for one in installed.conditions)):
        assert word in ran.out


@pytest.mark.parametrize("dice", [1, 3])
@pytest.mark.parametrize("needed", [1, 2])
@pytest.mark.parametrize("reroll", [True, False])
@pytest.mark.parametrize("mark", [4, 5])
@pytest.mark.usefixtures("installed")
def test_its_odds_are_those_of_every_roll(dice, needed, reroll, mark):
    actor = {"skills": {"blade": dice}, "luck": 1}
    request = {"actor": actor, "target": {"defence": needed}, "options": {"reroll": reroll}}
    line = json.dumps({"action": "attack", "house": {"mark": mark}, **request})
    [answer] = affray("odds", "gutterlight", given=line).answers

    counted: Counter[int] = Counter()
    for faces in itertools.product(range(1, 7), repeat=dice):
        good = sum(face >= mark for face in faces)
        misses = dice - good if reroll else 0
        for again in itertools.product(range(1, 7), repeat=misses):
            counted[good + sum(face >= mark for face in again)] += 6 ** (dice - misses)
    assert answer["facts"]["marks"] == pytest.approx(
        {str(count): throws / 36**dice for count, throws in counted.items()}
    )
    hits = sum(throws for count, throws in counted.items() if count >= needed)
    assert answer["facts"]["hit"].get("true", 0) == pytest.approx(hits / 36**dice)


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


def test_a_whole_fight_can_be_undone_and_redone(campaign):
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


def test_a_condition_can_represent_a_field_of_any_kind(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "start", "condition ana guarded", "condition ana ablaze")
    [ana] = present(folder, name)["combatants"]
    assert (ana["sheet"]["stance"], ana["sheet"]["burning"]) == ("guarded", 1)
    commands(folder, name, "clear ana ablaze", "set ana stance open")
    [ana] = present(folder, name)["combatants"]
    assert (ana["sheet"]["stance"], ana["sheet"]["burning"], ana["conditions"]) == ("open", 0, [])


def test_an_optional_target_is_one_or_none(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add bosun", "add eel", "start")
    [crew, one, many] = commands(
        folder, name, "shout by ana dice=6,6,1", "shout eel by ana dice=6,1,1", "shout all by ana"
    )
    assert crew["text"] == "Ana shouts to the crew: 2 marks."
    assert one["text"] == "Ana shouts at Eel: stress 1 → 3."
    assert many["error"] == "shout takes one target, not 2; name only one"


def test_an_area_action_is_rolled_and_paid_once_for_all_targets(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add bosun", "add eel", "start")
    [blast] = commands(folder, name, "blast bosun,ana,eel by ana powder=3 dice=6,5,6")
    told = "Bosun is caught: 3 harm. Ana is caught: 2 harm. Eel is caught: 1 harm."
    assert blast["text"] == f"The keg goes up: 3 are near. {told}"
    people = {one["id"]: one["sheet"] for one in present(folder, name)["combatants"]}
    assert {who: sheet["wounds"] for who, sheet in people.items()} == {"ana": 2, "bosun": 1, "eel": 1}
    assert people["ana"]["stress"] == 2  # each round begins with a point of stress


def test_an_action_not_for_its_actor_skips_the_actor(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add bosun", "add eel", "start")
    [alone, among] = commands(folder, name, "attack ana by ana", "attack 1-3 by bosun")
    assert alone["error"] == "Ana cannot target itself with attack"
    assert among["text"].count("Bosun ") == 2  # hits Ana and Eel


def test_a_condition_lasts_until_a_turn_of_the_actor_or_of_its_bearer(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add eel", "start dice=6,6,6,6,1")

    def held_names():
        return [one["name"] for one in present(folder, name)["combatants"][1]["conditions"]]

    commands(folder, name, "blast eel by ana powder=1 dice=1")
    assert held_names() == ["deafened", "sooty"]
    commands(folder, name, "next")
    assert held_names() == ["deafened", "sooty"]
    commands(folder, name, "next")
    assert held_names() == []


def test_an_offer_without_a_target_is_accepted_by_naming_targets(campaign):
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
    told = "Eel 1 is caught: 1 harm. Eel 2 is caught: 0 harm."
    assert blast["text"] == f"The keg goes up: 2 are near. {told}"
    assert again["ok"]  # the offer with its three dice is gone


def test_an_offer_to_one_combatant_is_not_accepted_for_another(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "add ana", "add eel", "start dice=6,6,6,6,1", "light by eel")
    [own] = commands(folder, name, "blast eel dice=1,1")  # two dice are its own, three the offer's
    assert own["ok"]
    people = {one["id"]: one["sheet"] for one in present(folder, name)["combatants"]}
    assert (people["ana"]["stress"], people["eel"]["stress"]) == (2, 1)
