"""Packs: an encounter, its creatures and house rules in one file, compared with the campaign that gets it."""

import pytest

from tests.command import affray
from tests.tui.campaign.examples import GUARD as GUARD_OF_DOCKS
from tests.tui.campaign.examples import OPENING
from tui.campaign.campaign import load

HEAD = 'format = 1\ntitle = "The docks"\nsystem = "atlantis"\n'
GUARD = GUARD_OF_DOCKS.replace('"Guard"', '"Dock guard"')
METER = '\n[[meter]]\nname = "mana"\nfull = 3\n'


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Return the pack of an encounter that was prepared with commands."""
    folder = tmp_path_factory.mktemp("exported")
    docks = folder / "docks"
    for file, text in (
        ("campaign.toml", f"{HEAD}{METER}\n[house]\ntie_passes = false\n"),
        ("roster/guard.toml", GUARD),
        ("roster/okado.toml", 'format = 1\nname = "Okado"\nside = "players"\nnotes = "secret"\n'),
        ("encounters/gate/opening.toml", OPENING),
    ):
        (docks / file).parent.mkdir(parents=True, exist_ok=True)
        (docks / file).write_text(text)
    affray("run", "docks", "--campaigns", folder, given="add guard x2\nstart\nnext\n")
    done = affray("export", "docks", "--pack", folder / "gate.toml", "--campaigns", folder)
    assert "left out: the players' characters (Okado), the log and the seats" in done.out
    again = affray("export", "docks", "--pack", folder / "gate.toml", "--campaigns", folder)
    assert again.complaint.endswith("gate.toml already exists; choose another name")
    return (folder / "gate.toml").read_text()


@pytest.fixture
def pack(exported, tmp_path):
    """Return the path of that pack as a file of its own."""
    (tmp_path / "gate.toml").write_text(exported)
    return tmp_path / "gate.toml"


def unpacked(pack, name, rest=""):
    """Import the pack into a campaign with these further lines; return the lines that it answers."""
    folder = pack.parent / name
    if not folder.exists():
        folder.mkdir()
        (folder / "campaign.toml").write_text(HEAD + rest)
    return affray("import", name, pack, "--campaigns", pack.parent).out.splitlines()


def test_an_encounter_is_passed_on_with_its_creatures_their_comments_and_the_rules(pack):
    assert unpacked(pack, "other") == [
        "meter mana: added to campaign.toml",
        "house rule tie passes: no, added to campaign.toml",
        "Dock guard: added to the roster",
        "At the gate: added as the encounter at-the-gate",
    ]
    other = load(pack.parent / "other")
    assert other.problems == ()
    assert (other.path / "roster" / "guard.toml").read_text() == GUARD
    assert not other.house.tie_passes
    run = affray("run", "other", "--campaigns", pack.parent, given="start\n")
    assert run.answers[0]["ok"], run.out
    shown = affray("show", "other", "--json", "--campaigns", pack.parent).answers[0]
    assert [each["name"] for each in shown["combatants"]] == ["Guard 1", "Dock guard 1", "Dock guard 2"]
    assert {each["sheet"]["mana"] for each in shown["combatants"]} == {3}
    assert "secret" not in pack.read_text()


def test_a_pack_that_is_imported_again_changes_nothing(pack):
    unpacked(pack, "other")
    files = {path: path.read_bytes() for path in (pack.parent / "other").rglob("*.toml")}
    assert unpacked(pack, "other") == [
        "meter mana: the same is already here",
        "house rule tie passes: the same is already here",
        "Dock guard: the same is already in the roster",
        "At the gate: the same encounter is already here (at-the-gate)",
        "nothing was added to other",
    ]
    assert files == {path: path.read_bytes() for path in (pack.parent / "other").rglob("*.toml")}


def test_what_differs_is_named_field_by_field_and_kept_under_a_free_name(pack):
    other = pack.parent / "other"
    (other / "roster").mkdir(parents=True)
    theirs = GUARD.replace("damage = 9", "damage = 8").replace("max_life = 30", "max_life = 40")
    (other / "roster" / "guard.toml").write_text(theirs)
    (other / "campaign.toml").write_text(f"{HEAD}{METER.replace('3', '5')}\n[house]\ntie_passes = true\n")
    assert unpacked(pack, "other") == [
        "meter mana: not changed; full differs in the pack",
        "house rule tie passes: yes here, no in the pack; not changed",
        "Dock guard differs from the one in the roster and is kept as Dock guard (2) · "
        "max life: 40 here, 30 in the import; life: 40 here, 30 in the import; "
        "weapons: spear 8 here, spear 9 in the import",
        "At the gate: added as the encounter at-the-gate",
    ]
    assert (other / "roster" / "guard.toml").read_text() == theirs
    assert "# Cheap steel" in (other / "roster" / "dock-guard-2.toml").read_text()
    assert unpacked(pack, "other")[2:] == [
        "Dock guard (2): the same is already in the roster",
        "At the gate: the same encounter is already here (at-the-gate)",
        "nothing was added to other",
    ]


def test_a_pack_of_another_game_or_with_a_bad_part_leaves_nothing_behind(pack):
    affray("new", "ford", "--system", "simple", "--campaigns", pack.parent)
    wrong = affray("import", "ford", pack, "--campaigns", pack.parent)
    assert wrong.complaint == "gate.toml: system: the pack is for atlantis, and ford plays simple"
    unpacked(pack, "other", METER)
    before = {path.name for path in (pack.parent / "other").rglob("*")}
    text = pack.read_text().replace("max_life = 30", "max_life = 31").replace('id = "dock-guard-2"', "id = 7")
    pack.write_text(text)
    bad = affray("import", "other", pack, "--campaigns", pack.parent)
    assert bad.complaint == "gate.toml: encounter.combatant[2].id: expected a word, got 7"
    assert {path.name for path in (pack.parent / "other").rglob("*")} == before
