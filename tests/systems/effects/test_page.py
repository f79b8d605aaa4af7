"""The page for authors lists every word of effects, and its boss can be played."""

import re
import tomllib
from pathlib import Path

import systems
from systems.effects.words import WHEN, WHO, WHOSE, EffectLine
from systems.schema.conversion import read
from systems.schema.fields import fields_of
from tests.systems.effects.creatures import GAME

PAGE = (Path(systems.__file__).parent / "README.md").read_text(encoding="utf-8")
SECTION = PAGE[PAGE.index("## Effects before Python") : PAGE.index("## Fields\n")]


def test_the_page_has_every_field_of_an_effect_and_no_other():
    rows = [line.split("|")[1] for line in SECTION.splitlines() if line.startswith("| `")]
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    kept = {"spent", "used", "stopped", "taken"}
    assert listed | kept | {"when"} == set(fields_of(EffectLine))


def test_the_page_has_every_moment_and_everybody_that_an_effect_can_name():
    named = set(re.findall(r"`(\w+)`", SECTION))
    assert {*WHEN, *WHO, *WHOSE} <= named


def test_the_boss_of_the_page_is_a_valid_file():
    [boss] = re.findall(r"^```toml\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE)
    plain = tomllib.loads(boss)
    sheet = read(GAME.sheet, {name: value for name, value in plain.items() if name != "format"})
    assert [line.name for line in sheet.effects] == ["Burning Aura", "Dread", "Ember Shield", "Fire Breath"]
