"""`affray check` finds mistakes in effects, with file, line and word."""

from pathlib import Path

from tui.campaign.repair.check import check

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
