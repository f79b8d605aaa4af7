"""The tables that a game ships, such as its spells: read when needed, checked, indexed, named in options."""

import json
import sys

import pytest

from systems.errors import Wrong
from systems.requests import odds, resolve
from systems.schema.fields import fields_of
from tui.campaign import tables
from tui.campaign.tables import read_table, supply, write_indexes

GAME = """
from systems.frozen import evolve
from systems import load
from systems.contract.outcome import Explanation, Outcome
from systems.contract.action import Action
from systems.contract.tables import GameTable, from_table
from systems.schema.fields import Entry, declare, dice, listing, text, whole
from systems.contract.tables import TableChoice
from systems.simple.sheet import Sheet


@declare
class Spell(Entry):
    name: str = text()
    level: int = whole(0, 9, 0)
    damage: str = dice("1d6")


SPELLS = GameTable("spells", Spell, "what can be cast")


@declare
class Mage(Sheet):
    spells: tuple[str, ...] = listing(TableChoice(SPELLS), ())


@declare
class Cast:
    spell: str = from_table(SPELLS, help="which spell")


def cast(scene, table):
    spell = SPELLS.entries[scene.options.spell]
    harm = table.roll(spell.damage, "damage")
    changes = {"target": {"hp": scene.target.hp - harm}}
    return Outcome({"damage": harm}, changes, lambda: Explanation(f"{scene.who_acts} casts {spell.name}."))


SIMPLE = load("simple")
GAME = evolve(
    SIMPLE,
    sheet=Mage,
    actions=(*SIMPLE.actions, Action("cast", "a spell", cast, Cast, targets="one", facts={"damage": ""})),
    creatures="",
    tables=(SPELLS,),
)
"""
SPELLS = """format = 1

[fire_bolt]
level = 0
damage = "1d10"

[fireball]
name = "Fireball of Ash"
level = 3
damage = "8d6"
"""


@pytest.fixture
def casters(tmp_path, monkeypatch):
    """Return a game with a table of two spells."""
    folder = tmp_path / "casters"
    folder.mkdir()
    (folder / "__init__.py").write_text(GAME)
    (folder / "spells.toml").write_text(SPELLS)
    monkeypatch.syspath_prepend(str(tmp_path))
    import casters

    yield supply(casters.GAME), folder
    del sys.modules["casters"]


def test_an_action_finds_an_entry_and_its_odds_are_exact(casters):
    game, _ = casters
    request = {"action": "cast", "target": {"max_hp": 20}, "options": {"spell": "fire_bolt"}}
    assert odds(game, request)["facts"]["damage"]["10"] == pytest.approx(0.1)
    from systems.dice.scripted import ScriptedDice

    answer = resolve(game, {**request, "dice": [7]}, ScriptedDice([]))
    assert answer["text"].endswith("casts Fire bolt.")


def test_an_entry_is_named_in_either_spelling_and_an_unknown_one_is_refused_with_a_suggestion(casters):
    game, _ = casters
    spell = fields_of(game.action("cast").options)["spell"].type
    assert spell.typed("fire bolt") == "fire_bolt"
    assert [game.tables[0].find(word).level for word in ("Fireball of Ash", "fire_bolt")] == [3, 0]
    with pytest.raises(Wrong, match='expected one of the 2 spells, got "fierball"; did you mean fireball'):
        spell.typed("fierball")
    with pytest.raises(Wrong, match=r"spells\[0\]: expected one of the 2 spells"):
        fields_of(game.sheet)["spells"].type.check(["frost"], "spells")


def test_a_bad_entry_is_named_with_file_line_and_field_and_the_others_are_read(casters):
    game, folder = casters
    (folder / "spells.toml").write_text(SPELLS + "\n[frost]\nlevel = 12\n\n[Ice]\nlevel = 1\n")
    entries, problems = read_table(game, game.tables[0])
    assert sorted(entries) == ["fire_bolt", "fireball"]
    assert [str(problem) for problem in problems] == [
        "spells.toml:13: frost.level: expected a whole number from 0 to 9, got 12",
        "spells.toml:15: Ice: expected an id of lower-case letters, digits and underscores",
    ]


def test_names_come_from_the_index_and_entries_are_read_only_when_needed(casters, monkeypatch):
    game, folder = casters
    counts, problems = write_indexes(game)
    assert (counts, problems) == ({"spells": 2}, [])
    assert json.loads((folder / "spells.json").read_text()) == {
        "fire_bolt": "Fire bolt",
        "fireball": "Fireball of Ash",
    }
    read: list[str] = []
    monkeypatch.setattr(tables, "parse_toml", lambda data, file: read.append(file) or real(data, file))
    supply(game)
    assert list(game.tables[0].names) == ["fire_bolt", "fireball"]
    assert read == []
    assert game.tables[0].entries["fireball"].level == 3
    assert read == ["spells.toml"]


real = tables.parse_toml


def test_a_game_without_its_file_has_no_entries_and_the_check_says_why(casters):
    game, folder = casters
    (folder / "spells.toml").unlink()
    assert game.tables[0].entries == {}
    assert "spells.toml: cannot be read" in str(read_table(game, game.tables[0])[1][0])
