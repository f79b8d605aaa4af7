"""A campaign's own conditions and meters, in fights, files and calculations, and with mistakes."""

import tomllib

import pytest

from tests.command import affray, commands, present, sample

RULES = """
[[meter]]
name = "mana"
full = 5
style = "pips"

[[condition]]
name = "hexed"
help = "3 off each attack for each hex"
counted = true
most = 3
effects = [{ action = "attack", option = "modifier", amount = -3 }]
"""


@pytest.fixture
def campaign(tmp_path):
    path = sample(tmp_path, "okado-at-the-gate")
    file = path / "campaign.toml"
    file.write_text(file.read_text(encoding="utf-8") + RULES, encoding="utf-8")
    return path


# This fight has not begun, so `show` takes it by name alone.
GATE = ("--encounter", "north-gate")


def test_a_meter_of_the_campaign_is_counted_saved_and_shown_like_the_games_own(campaign):
    folder, name = campaign.parent, campaign.name
    answers = commands(folder, name, "set okado mana 4", "count okado mana -1", "count okado mana -9", "undo")
    assert [answer["ok"] for answer in answers] == [True] * 4
    [okado] = [one for one in present(folder, name, *GATE)["combatants"] if one["id"] == "okado"]
    assert (okado["sheet"]["mana"], okado["sheet"]["max_mana"]) == (3, 5)
    assert affray("check", name, "--campaigns", folder).status == 0


def test_a_condition_of_the_campaign_counts_in_the_maths_and_names_its_term(campaign):
    folder, name = campaign.parent, campaign.name
    hex_him = "condition okado hexed"
    commands(folder, name, "start", hex_him, hex_him, "attack guard-1 by okado")
    log = campaign / "encounters" / "north-gate" / "log.toml"
    event = tomllib.loads(log.read_text(encoding="utf-8"))["event"][-1]
    terms = {term["label"]: term["value"] for term in event["results"][0]["terms"]}
    assert terms["hexed"] == -6


def test_the_roster_may_say_how_full_a_meter_is(campaign):
    file = campaign / "roster" / "okado.toml"
    file.write_text("max_mana = 9\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert affray("check", campaign.name, "--campaigns", campaign.parent).status == 0
    file.write_text("max_mana = 'much'\n" + file.read_text(encoding="utf-8").split("\n", 1)[1])
    assert (
        "max_mana: expected a whole number"
        in affray("check", campaign.name, "--campaigns", campaign.parent).out
    )


def test_a_fight_says_what_is_missing_when_a_meter_that_it_used_is_taken_away(campaign):
    folder, name = campaign.parent, campaign.name
    commands(folder, name, "set okado mana 4")
    file = campaign / "campaign.toml"
    used = file.read_text(encoding="utf-8")
    file.write_text(used.replace(RULES, ""), encoding="utf-8")
    ran = affray("show", name, *GATE, "--campaigns", folder)
    assert ran.status == 1
    assert "mana" in ran.err
    file.write_text(used, encoding="utf-8")
    assert affray("show", name, *GATE, "--campaigns", folder).status == 0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"mana"', '"status"', "meter[0].name"),
        ('"mana"', '"two;words"', "expected a word such as mana"),
        ('"pips"', '"clock"', "meter[0].style: expected one of bar, pips"),
        ('"hexed"', '"prone"', "already exists"),
        ('"attack"', '"atack"', "did you mean attack?"),
        ('"modifier"', '"modifer"', "did you mean modifier?"),
        ("amount = -3", 'value = "x"', "modifier is a number; use amount = 2"),
        ("most = 3", "moist = 3", "condition[0].moist: unknown field; did you mean most?"),
    ],
)
def test_a_mistake_is_reported_with_line_field_and_expected_value(campaign, old, new, says):
    file = campaign / "campaign.toml"
    head, rules = file.read_text(encoding="utf-8").split("[[meter]]")
    file.write_text(f"{head}[[meter]]{rules.replace(old, new, 1)}", encoding="utf-8")
    ran = affray("check", campaign.name, "--campaigns", campaign.parent)
    assert ran.status == 1
    assert says in ran.out
    assert "campaign.toml:" in ran.out
    assert says in affray("show", campaign.name, "--campaigns", campaign.parent).err


def test_a_condition_of_the_campaign_has_words_of_its_own_and_one_for_each_source(campaign):
    file = campaign / "campaign.toml"
    snared = "by_source = true\nbegin_words = 'hangs in a snare'\nend_words = 'is free'\n"
    text = file.read_text(encoding="utf-8") + f"\n[[condition]]\nname = 'snared'\n{snared}"
    file.write_text(text, encoding="utf-8")
    lines = (
        "start",
        "condition okado snared by guard-1",
        "condition okado snared by guard-2",
        "clear okado snared by guard-1",
    )
    told = [answer["text"] for answer in commands(campaign.parent, campaign.name, *lines)]
    assert told[1:] == [
        "Okado hangs in a snare, from Guard 1.",
        "Okado hangs in a snare, from Guard 2.",
        "Okado is free, from Guard 1.",
    ]
    assert affray("check", campaign.name, "--campaigns", campaign.parent).status == 0
