"""Creatures that a game ships: an up-to-date index, and files that are read only when needed."""

import sys

import pytest

from systems import built_in, load
from systems.encounter.lookup import roster_entry
from systems.encounter.roster import Roster, Shipped
from systems.errors import Refused
from systems.frozen import evolve
from tests.command import affray, commands, present
from tests.tui.opened import OKADO, opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.campaign import creatures
from tui.campaign.creatures import INDEX, creatures_folder, index_bytes, made_index, shipped, write_index
from tui.campaign.problems import NotSaved

FIGURES = 'format = 1\nname = "{}"\nlevel = {}\ntags = ["undead"]\nmax_hp = 9\n'


@pytest.fixture
def many(tmp_path, monkeypatch):
    """Return a game with 331 creatures and an index; one creature is bad."""
    folder = tmp_path / "crowded"
    (folder / "beasts").mkdir(parents=True)
    (folder / "__init__.py").write_text(
        "from systems import load\nfrom systems.frozen import evolve\n"
        "from systems.simple.sheet import Sheet\n"
        "from systems.schema.fields import declare\n\n\n"
        "@declare\nclass Mine(Sheet):\n    pass\n\n\n"
        "GAME = evolve(load('simple'), sheet=Mine, creatures='beasts')\n"
    )
    for number in range(330):
        (folder / "beasts" / f"beast-{number}.toml").write_text(FIGURES.format(f"Beast {number}", number % 9))
    (folder / "beasts" / "bad.toml").write_text('format = 1\nname = "Bad"\nmax_hp = "many"\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    import crowded

    yield crowded.GAME
    del sys.modules["crowded"]
    creatures._indexes.clear()
    creatures._entries.clear()


@pytest.mark.parametrize("name", built_in())
def test_the_index_of_every_game_is_current(name):
    game = load(name)
    index, problems = made_index(game)
    assert problems == []
    assert index
    assert (creatures_folder(game) / INDEX).read_bytes() == index_bytes(index), (
        f"affray systems {name} --index"
    )


@pytest.mark.parametrize("name", built_in())
def test_every_shipped_creature_can_be_read_and_can_fight(name):
    game = load(name)
    for creature in shipped(game).values():
        assert creature.entry().name == creature.name
        assert game.status_word(game.status(creature.sheet, game.house())).acts


def test_creatures_are_found_by_name_word_tag_and_level():
    found = {
        text: [each.name for each in shipped(load("simple")).values() if each.fits(text)]
        for text in ("gob", "chief", "undead", "level 7", "7", "nobody")
    }
    assert found["gob"] == ["Goblin", "Goblin archer", "Goblin chief"]
    assert found["chief"] == ["Goblin chief"]
    assert found["undead"] == ["Ghost", "Ghoul", "Skeleton", "Zombie"]
    assert found["level 7"] == found["7"] == ["Young dragon"]
    assert found["nobody"] == []


def test_a_search_reads_the_index_and_no_creature(many, monkeypatch):
    count, problems = write_index(many)
    assert count == 330
    [problem] = problems
    assert str(problem) == 'beasts/bad.toml:3: max_hp: expected a whole number from 1 to 9999, got "many"'
    read: list[str] = []
    real = creatures._bytes
    monkeypatch.setattr(creatures, "_bytes", lambda game, file: read.append(file) or real(game, file))
    roster = Roster({}, {}, lambda: shipped(many))
    assert read == []
    assert len([each for each in roster.shipped.values() if each.fits("undead")]) == 330
    assert roster_entry(roster, "beast-7") == "beast-7"
    assert read == [INDEX]
    assert roster["beast-7"].sheet.max_hp == roster["beast-7"].sheet.hp == 9
    assert read == [INDEX, "beasts/beast-7.toml"]


def test_without_an_index_the_files_are_read_and_a_bad_one_is_left_out(many):
    assert len(shipped(many)) == 330


def test_a_file_that_went_bad_after_the_index_was_written_is_named_and_the_others_load(many):
    write_index(many)
    (creatures_folder(many) / "beast-3.toml").write_text("format = 1\nmax_hp = 0\n")
    with pytest.raises(Refused, match=r"beasts/beast-3.toml:2: max_hp: expected a whole number"):
        shipped(many)["beast-3"].sheet  # noqa: B018
    (creatures_folder(many) / "beast-4.toml").unlink()
    with pytest.raises(Refused, match=r"beasts/beast-4.toml: cannot be read"):
        shipped(many)["beast-4"].sheet  # noqa: B018
    assert shipped(many)["beast-5"].sheet.max_hp == 9


@pytest.mark.parametrize("index", ["", "[]", '{"beast-1": 3}', '{"beast-1": ["a"]}', "\xff"])
def test_an_unreadable_index_is_ignored(many, index):
    (creatures_folder(many) / INDEX).write_text(index, encoding="latin-1")
    assert len(shipped(many)) == 330


def test_a_game_that_ships_nothing_has_no_index():
    game = evolve(load("simple"), creatures="")
    assert shipped(game) == {}
    with pytest.raises(NotSaved):
        write_index(game)


def test_own_entries_come_before_those_of_the_game_and_a_bad_own_one_hides_its_namesake():
    game = {name: Shipped(name, name.title()) for name in ("wolf", "wolfhound", "bear")}
    roster = Roster({"wolverine": Shipped("wolverine", "Wolverine")}, {"bear": "bad"}, lambda: game)
    assert list(roster) == ["wolverine", "wolf", "wolfhound"]
    assert len(roster) == 3
    assert roster_entry(roster, "wol") == "wolverine"
    assert roster_entry(roster, "wolf") == "wolf"
    assert roster_entry(roster, "wolfh") == "wolfhound"
    for word in ("bear", "nobody"):
        with pytest.raises(Refused):
            roster_entry(roster, word)
    with pytest.raises(KeyError):
        roster["bear"]


def test_a_shipped_creature_joins_a_fight_without_being_copied(tmp_path):
    assert affray("new", "ford", "--system", "simple", "--campaigns", tmp_path).status == 0
    answers = commands(
        tmp_path, "ford", "add goblin x8", "add hero as Mira", "start", "attack goblin-1 by mira"
    )
    assert all(answer["ok"] for answer in answers), answers
    people = present(tmp_path, "ford")["combatants"]
    assert [each["name"] for each in people if each["side"] == "foes"] == [f"Goblin {n}" for n in range(1, 9)]
    assert next(each for each in people if each["name"] == "Mira")["side"] == "players"
    assert list((tmp_path / "ford" / "roster").iterdir()) == []


async def test_a_shipped_creature_is_copied_into_the_campaign_when_it_is_changed(tmp_path):
    assert affray("new", "ford", "--system", "simple", "--campaigns", tmp_path / "campaigns").status == 0
    here = opened(tmp_path, name="ford")
    file = tmp_path / "campaigns" / "ford" / "roster" / "troll.toml"
    async with running(here, (140, 40)) as pilot:
        await pilot.press("R", "slash", *"troll", "enter")
        assert here.screen.list.current.id == "troll"
        assert "level 5, giant, large" in text_of(here)
        await pilot.press("minus")
        assert "comes with the game" in here.sentence
        await pilot.press("enter")
        while here.screen.form.current.path != ("max_hp",):
            await pilot.press("down")
        await pilot.press(*"90", "enter")
        assert "max_hp = 90" in file.read_text()
        assert here.table.session.roster["troll"].sheet.max_hp == 90
        await pilot.press("escape", "z")
        assert not file.exists()
        assert here.table.session.roster["troll"].sheet.max_hp == 84
        here.table.fight.close()


async def test_eight_goblins_from_nothing_in_sixty_keys(tmp_path, monkeypatch):
    assert affray("new", "ford", "--system", "simple", "--campaigns", tmp_path / "campaigns").status == 0
    here = opened(tmp_path, name="ford")
    keys = ["plus", *"goblin x8", "enter", "plus", *"hero as Mira", "enter"]
    keys += ["plus", *"hero as Tom", "enter", "n", "a", "3", "enter"]
    async with running(here) as pilot:
        for key in keys:
            await pilot.press("space" if key == " " else key)
        fight = here.table.session.encounter
        assert sorted(each.name for each in fight) == [*(f"Goblin {n}" for n in range(1, 9)), "Mira", "Tom"]
        assert fight.progress.round == 1
        assert here.table.session.log.events[-1].action == "attack"
        here.table.fight.close()
    assert len(keys) <= 60


async def test_the_prompt_lists_the_game_s_creatures_by_tag_and_level(tmp_path):
    here = opened(tmp_path, name=OKADO)
    async with running(here) as pilot:
        await pilot.press("plus", *"lead")
        assert "Raider captain" in text_of(here)
        here.table.fight.close()
