"""`affray check` finds mistakes in effects, with file, line and word."""

from pathlib import Path

import pytest

from systems.frozen import evolve
from systems.schema.conversion import replace
from tui.campaign.campaign import load
from tui.campaign.repair.check import check
from tui.campaign.roster import save_entry

CAMPAIGN = 'format = 1\ntitle = "Zine"\nsystem = "simple"\n'
SHEET = 'format = 1\nweapons = [{ name = "claw", damage = "1d6" }]\neffects = [\n'


def problems(folder: Path, *lines: str) -> list[str]:
    (folder / "roster").mkdir()
    (folder / "campaign.toml").write_text(CAMPAIGN, "utf-8")
    text = SHEET + "".join(f"    {line},\n" for line in lines) + "]\n"
    (folder / "roster" / "boss.toml").write_text(text, "utf-8")
    return [str(problem) for problem in check(folder)]


def test_each_mistake_in_an_effect_has_its_line(tmp_path):
    found = problems(
        tmp_path,
        '{ name = "Aura", when = "strat", damage = ["1d6 fire"] }',
        '{ name = "Sting", when = "hit", dc = 5, damage = ["2d6 fire"] }',
    )
    assert found[0].startswith("roster/boss.toml:4: effects[0].when: expected one of always")
    assert found[1:] == ["roster/boss.toml:5: effects[1].dc: needs save, what the target rolls"]


def test_an_effect_names_an_attack_of_the_sheet(tmp_path):
    found = problems(tmp_path, '{ name = "Dread", when = "hit", of = ["claww"], condition = "prone" }')
    says = 'roster/boss.toml:4: effects[0].of[0]: there is no "claww" on this sheet; did you mean claw?'
    assert found == [says]


def test_an_effect_brings_a_creature_of_the_roster_or_of_the_game(tmp_path):
    found = problems(
        tmp_path,
        '{ name = "Call", when = "asked", bring = "goblin" }',
        '{ name = "Split", when = "zero", bring = "boss" }',
        '{ name = "Limb", when = "zero", bring = "trol" }',
        '{ name = "Calm", when = "asked", form = "itself" }',
    )
    says = 'roster/boss.toml:6: effects[2].bring: there is no "trol" in the roster; did you mean troll?'
    assert found == [says]


SRD = Path(__file__).parents[4] / "systems" / "srd5" / "creatures"


@pytest.mark.parametrize(
    ("creature", "right", "wrong", "says"),
    [
        (
            "werewolf",
            '["humanoid"]',
            '["humaniod"]',
            '"humaniod" is no creature type; did you mean humanoid?',
        ),
        ("troll", '["slashing"]', '["slash"]', '"slash" is no damage type; did you mean slashing?'),
        ("half-dragon", "8d6 fire", "8d6 fir", '"fir" is no damage type; did you mean fire?'),
        ("werewolf", "wolf_form", "wolff_form", '"wolff_form"; did you mean wolf_form?'),
        ("mimic", 'condition = "grappled"', 'condition = "grapled"', "did you mean grappled?"),
        ("mage", '"Fireball"', '"Firebal"', 'there is no spell "Firebal"; did you mean Fireball?'),
        ("werewolf", '"perception"', '"percepton"', "did you mean perception?"),
        ("werewolf", '[{ name = "Scratch", times', '[{ name = "Scrach", times', "did you mean Scratch?"),
    ],
)
def test_a_mistake_in_a_copy_of_a_shipped_creature_has_its_line(tmp_path, creature, right, wrong, says):
    text = (SRD / f"{creature}.toml").read_text("utf-8")
    (tmp_path / "roster").mkdir()
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.replace("simple", "srd5"), "utf-8")
    file = tmp_path / "roster" / f"{creature}.toml"
    file.write_text(text, "utf-8")
    assert list(check(tmp_path)) == []
    assert load(tmp_path).roster[creature].sheet.name
    file.write_text(text.replace(right, wrong, 1), "utf-8")
    [found] = map(str, check(tmp_path))
    assert found.startswith(f"roster/{creature}.toml:{text[: text.index(right)].count(chr(10)) + 1}: ")
    assert found.endswith(says)


def test_the_tags_of_a_copied_creature_stay_in_its_file(tmp_path):
    (tmp_path / "roster").mkdir()
    (tmp_path / "campaign.toml").write_text(CAMPAIGN.replace("simple", "srd5"), "utf-8")
    text = (SRD / "wolf.toml").read_text("utf-8")
    (tmp_path / "roster" / "wolf.toml").write_text(text, "utf-8")
    campaign = load(tmp_path)
    wolf = campaign.roster["wolf"]
    save_entry(campaign, evolve(wolf, sheet=replace(wolf.sheet, ac=15)))
    after = (tmp_path / "roster" / "wolf.toml").read_text("utf-8")
    assert after == text.replace(f"ac = {wolf.sheet.ac}", "ac = 15")
