"""A campaign is read file by file: errors name line and field, and the rest opens."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import systems
from systems.encounter.campaign_rules import CONDITION, METER
from systems.frozen import evolve
from tests.command import ROOT, sample
from tests.tui.campaign.examples import CAMPAIGN, GUARD, OPENING, campaign, event, is_one_line
from tui.campaign import encounters as encounters_module
from tui.campaign.campaign import CAMPAIGN_RULES, KEYS, Campaign, Settings, load, new_campaign
from tui.campaign.encounters import info_of
from tui.campaign.folders import CampaignsFolder, NoCampaign
from tui.campaign.log.file import LogWriter
from tui.campaign.openings import new_encounter, read_opening
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.repair.check import check


@pytest.fixture
def docks(tmp_path: Path) -> Path:
    return campaign(tmp_path)


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_campaign_sets_what_its_seats_see_and_the_server_s_address(docks: Path) -> None:
    seats = '[seats]\nfoes = "figures"\nallies = "band"\nodds = "exact"\nacting = "free"\n'
    replaced(docks / "campaign.toml", "[table]", f'{seats}listen = "127.0.0.1"\nport = 2223\n[table]')
    found = load(docks).seats
    assert (found.foes, found.allies, found.odds, found.acting) == ("figures", "band", "exact", "free")
    assert (found.listen, found.port) == ("127.0.0.1", 2223)
    assert said(check(docks)) == []


def said(problems: Any) -> list[str]:
    return [str(one) for one in problems]


def test_a_campaign_is_loaded_from_its_files(docks: Path) -> None:
    found = load(docks)
    assert (found.name, found.title, found.system) == ("docks", "The docks", "atlantis")
    assert found.house.tie_passes is False
    assert found.house.use_modifiers is True
    assert found.table == Settings(dice="real")
    assert (found.seats.foes, found.seats.odds, found.seats.acting) == ("band", "own", "ask")
    assert (found.seats.listen, found.seats.port) == (None, 2222)
    assert found.order == systems.load("atlantis").order(found.house)
    guard = found.roster["guard"]
    assert (guard.id, guard.name, guard.side, guard.notes) == ("guard", "Guard", "foes", "")
    assert guard.sheet.abilities == {"dodge": 30, "melee": 45}
    assert [one.damage for one in guard.sheet.weapons] == [9, 4]
    assert found.problems == ()
    assert found.current == "gate"
    assert found.encounters["gate"].title == "At the gate"


def test_a_bad_value_is_reported_with_file_line_and_field_and_the_rest_opens(docks: Path) -> None:
    replaced(docks / "roster" / "guard.toml", "melee = 45", 'melee = "high"')
    (docks / "roster" / "okado.toml").write_text('format = 1\nname = "Okado"\nside = "players"')
    found = load(docks)
    assert said(found.problems) == [
        'roster/guard.toml:7: abilities.melee: expected a whole number from 0 to 100, got "high"'
    ]
    assert list(found.roster) == ["okado"]


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("damage = 4 ", "damage = -4 ", "roster/guard.toml:17: weapons[1].damage: expected a whole number"),
        ("max_life", "max_live", "roster/guard.toml:8: max_live: unknown field; did you mean max_life?"),
        ('side = "foes"', "side = 3", "roster/guard.toml:5: side: expected a text"),
        ('name = "spear"', "nome = 'a'", "roster/guard.toml:12: weapons[0].nome: unknown field"),
        ("format = 1", "format = 9", "roster/guard.toml:2: format: is of format 9; this program reads"),
    ],
)
def test_errors_of_a_roster_file_point_at_the_line(docks: Path, old: str, new: str, error: str) -> None:
    replaced(docks / "roster" / "guard.toml", old, new)
    (problem,) = load(docks).problems
    assert str(problem).startswith(error)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('system = "atlantis"', 'system = "chess"', 'campaign.toml:4: system: no game is called "chess"'),
        ('system = "atlantis"', "", "campaign.toml:1: system: expected the name of a game: "),
        ("tie_passes = false", "tie_passes = 3", "campaign.toml:7: house.tie_passes: expected true or false"),
        ('dice = "real"', 'dice = "loaded"', "campaign.toml:10: table.dice: expected one of program, real"),
        ("[table]", '[seats]\nfoes = "all"\n[table]', "campaign.toml:10: seats.foes: expected one of band"),
        ("[table]", "[seats]\nport = 0\n[table]", "campaign.toml:10: seats.port: expected a whole number"),
        (
            "[table]",
            "[seats]\nfees = 1\n[table]",
            "campaign.toml:10: seats.fees: unknown field; did you mean",
        ),
        ("[table]", "[tabel]", "campaign.toml:9: tabel: unknown field; did you mean table?"),
        ('title = "The docks"', "title = 3", "campaign.toml:3: title: expected a text"),
        ("format = 1", "format = 2", "campaign.toml:2: format: is of format 2; this program reads format 1"),
    ],
)
def test_a_bad_campaign_file_is_refused_with_its_line(docks: Path, old: str, new: str, error: str) -> None:
    replaced(docks / "campaign.toml", old, new)
    with pytest.raises(FileProblem) as caught:
        load(docks)
    assert str(caught.value).startswith(error)


def test_a_file_name_that_no_command_can_contain_is_a_problem(docks: Path) -> None:
    for name in ("Big Guard.toml", "x" * 90 + ".toml", "\x1b[31mred.toml", "-x.toml"):
        (docks / "roster" / name).write_text(GUARD)
    (docks / "roster" / "notes.txt").write_text("not ours")
    found = load(docks)
    assert list(found.roster) == ["guard"]
    assert len(found.problems) == 4
    assert all("small letters" in str(one) and str(one).isprintable() for one in found.problems)


NAME = "[b]Guard[/b] 🐉 \x1b[31m\r\n" + "x" * 300


def test_a_name_may_hold_anything(docks: Path) -> None:
    from tui.campaign.toml.text import quoted

    replaced(docks / "roster" / "guard.toml", '"Guard"', quoted(NAME))
    assert load(docks).roster["guard"].name == NAME


# Encounters


def test_the_state_of_an_encounter_is_read_from_its_log(docks: Path) -> None:
    over = {"who": "", "field": "over", "after": True}
    log = docks / "encounters" / "gate" / "log.toml"
    writer = LogWriter(log)
    states = []
    for changes in ([], [over], [{"who": "", "field": "over", "before": True}], []):
        writer.append(event(writer.end.n + 1, 'She says: { who = "", field = "over", after = true }'))
        writer.append(event(writer.end.n + 1, changes=changes))
        found = load(docks)
        states.append((found.encounters["gate"].state, found.encounters["gate"].n, found.current))
    assert states == [
        ("running", 2, "gate"),
        ("finished", 4, None),
        ("running", 6, "gate"),
        ("running", 8, "gate"),
    ]


@pytest.mark.parametrize("at_once", [16, 100, 1 << 18])
def test_the_end_of_a_fight_is_found_however_far_back_it_is(
    docks: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(encounters_module, "_AT_ONCE", at_once)
    log = docks / "encounters/gate/log.toml"
    over = {"who": "", "field": "over", "after": True}
    ended = event(2, changes=[over])
    again = event(4, changes=[{"who": "", "field": "over", "before": True}])
    note = event(3, '[[event]] { who = "", field = "over", after = true }')
    writer = LogWriter(log)
    found = []
    for each in (event(1), ended, note, again, event(5, "Night."), event(6, changes=[over]), event(7)):
        writer.append(each)
        info = info_of(log.parent, "gate")
        found.append((info.state, info.n))
    assert found == [
        ("running", 1),
        ("finished", 2),
        ("finished", 3),
        ("running", 4),
        ("running", 5),
        ("finished", 6),
        ("finished", 7),
    ]
    with log.open("ab") as torn:
        torn.write(b'\n[[event]]\nn = 8\nchanges = [\n    { who = "", field = "over", before = true')
    assert info_of(log.parent, "gate").state == "finished"


def test_the_fight_in_progress_comes_before_prepared_ones(docks: Path) -> None:
    found, first = new_encounter(load(docks), "A quiet day")
    assert found.current == first == "a-quiet-day"
    LogWriter(found.log_path("gate"), found.log_file("gate")).append(event(1))
    assert load(docks).current == "gate"


def test_an_encounter_with_a_bad_opening_is_a_problem_and_skipped(docks: Path) -> None:
    (docks / "encounters" / "gate" / "opening.toml").write_text("format = 1\ntitle = \n")
    found, other = new_encounter(load(docks), "Zoo")
    assert said(found.problems)[0].startswith("encounters/gate/opening.toml:2: expected a value")
    assert found.current == other == "zoo"


def test_an_opening_is_checked_against_the_game(docks: Path) -> None:
    found = load(docks)
    opening = read_opening(found, "gate")
    assert [one["id"] for one in opening["combatant"]] == ["okado", "guard-1"]
    replaced(docks / "encounters" / "gate" / "opening.toml", "max_life = 30", "max_life = 0")
    with pytest.raises(FileProblem) as caught:
        read_opening(found, "gate")
    assert str(caught.value).startswith(
        "encounters/gate/opening.toml:16: combatant[1].sheet.max_life: expected a whole number from 1"
    )
    assert read_opening(found, "gate", check=False)["title"] == "At the gate"


def test_an_opening_is_written_unchanged(docks: Path) -> None:
    found = load(docks)
    opening = read_opening(found, "gate")
    found, other = new_encounter(found, "At the gate", opening)
    assert other == "at-the-gate"
    assert read_opening(found, other) == {**opening, "title": "At the gate"}
    found, empty = new_encounter(found, "Empty")
    assert read_opening(found, empty) == {"title": "Empty", "numbering": 2, "combatant": []}


def test_two_encounters_with_the_same_title_have_different_ids(docks: Path) -> None:
    found, first = new_encounter(load(docks), "Früh am Tor!")
    found, second = new_encounter(found, "Früh am Tor!")
    _, third = new_encounter(found, "🐉")
    assert (first, second, third) == ("fruh-am-tor", "fruh-am-tor-2", "encounter")


# A new campaign


def test_a_new_campaign_is_ready_to_play(tmp_path: Path) -> None:
    place = CampaignsFolder(tmp_path / "mine", "a test")
    for game in systems.names():
        found = new_campaign(place, f"of {game}", game, "A title")
        assert (found.title, found.system, found.current) == ("A title", game, "first")
        assert read_opening(found, "first") == {"title": "First encounter", "numbering": 2, "combatant": []}
        assert check(found.path) == []
        assert load(found.path) == found


def test_a_new_campaign_never_writes_into_an_existing_folder(docks: Path) -> None:
    before = (docks / "campaign.toml").read_bytes()
    with pytest.raises(NotSaved, match="a folder docks already exists"):
        new_campaign(CampaignsFolder(docks.parent, "a test"), "docks", "atlantis")
    assert (docks / "campaign.toml").read_bytes() == before


def test_a_refused_new_campaign_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NoCampaign):
        new_campaign(CampaignsFolder(tmp_path, "a test"), "../up", "atlantis")
    with pytest.raises(systems.NoSuchGame):
        new_campaign(CampaignsFolder(tmp_path, "a test"), "up", "chess")
    with pytest.raises(NotSaved, match="cannot be created"):
        new_campaign(CampaignsFolder(tmp_path / "file", "a test"), "up", "atlantis")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


# Every problem at once


def test_a_good_campaign_has_no_problems(docks: Path) -> None:
    assert check(docks) == []
    LogWriter(docks / "encounters" / "gate" / "log.toml").append(event(1))
    assert check(docks) == []


def test_every_problem_is_listed_at_once(docks: Path) -> None:
    replaced(docks / "campaign.toml", "tie_passes = false", "tie_passes = 3")
    replaced(docks / "campaign.toml", '"real"', '"loaded"')
    replaced(docks / "roster" / "guard.toml", "melee = 45", "melee = 450")
    replaced(docks / "roster" / "guard.toml", "max_life", "max_live")
    replaced(docks / "encounters" / "gate" / "opening.toml", "max_life = 40", "max_life = 0")
    replaced(docks / "encounters" / "gate" / "opening.toml", "max_life = 30", "max_life = 0")
    replaced(docks / "seats.toml", "okado", "okada")
    writer = LogWriter(docks / "encounters" / "gate" / "log.toml")
    writer.append(*[event(n) for n in range(1, 5)])
    replaced(docks / "encounters" / "gate" / "log.toml", "n = 2\n", "n = 5\n")
    found = [one.split(": expected")[0].split(": unknown")[0] for one in said(check(docks))]
    assert found == [
        "campaign.toml:7: house.tie_passes",
        "campaign.toml:10: table.dice",
        "roster/guard.toml:7: abilities.melee",
        "roster/guard.toml:8: max_live",
        "encounters/gate/opening.toml:8: combatant[0].sheet.max_life",
        "encounters/gate/opening.toml:16: combatant[1].sheet.max_life",
        "encounters/gate/log.toml:19: event: this event was changed or damaged, or one before it is "
        "missing: its end mark is wrong",
        'seats.toml:5: seat[0].characters[0]: there is no character "okada"; did you mean okado?',
    ]


def test_a_torn_log_and_a_log_that_does_not_fit_are_problems(docks: Path) -> None:
    log = docks / "encounters" / "gate" / "log.toml"
    LogWriter(log).append(event(1))
    whole = log.read_bytes()
    log.write_bytes(whole[:-9])
    assert "no end mark" in said(check(docks))[0]
    log.unlink()
    LogWriter(log).append(
        event(1, changes=[{"who": "guard-1", "field": "sheet.life", "before": 3, "after": "x"}])
    )
    (problem,) = check(docks)
    assert (problem.line, problem.field, problem.code) == (3, "changes", "misfit")
    assert "event 1 does not fit the fight before it: guard-1.sheet.life: expected" in problem.message


def test_a_broken_campaign_file_does_not_hide_the_rest(docks: Path) -> None:
    (docks / "campaign.toml").write_text("format = 1\nsystem = 'chess'\n")
    (docks / "roster" / "guard.toml").write_text("format = 1\nname\n")
    assert [one.file for one in check(docks)] == ["campaign.toml", "roster/guard.toml"]


def test_a_missing_campaign_is_one_problem(tmp_path: Path) -> None:
    assert said(check(tmp_path)) == ["campaign.toml: is missing"]


FILES = ("campaign.toml", "roster/guard.toml", "encounters/gate/opening.toml", "seats.toml")
TEXTS = (CAMPAIGN, GUARD, OPENING, "format = 1\n[[seat]]\n")
pieces = st.sampled_from(
    ["[[combatant]]\n", "[[seat]]\n", "[table]\n", "[combatant.sheet]\n", "abilities = ", "id = ", "3\n",
     '"a"\n', "[]\n", "{}\n", "name = ", "characters = ", "[[1]]\n", "1979-05-27\n", "sheet = ", "offers = ",
     "order = ", "conditions = ", "weapons = ", "kind = ", "\x1b[31m", '"\\u001b"\n', "system = ", "house = "]
)  # fmt: skip


@given(
    st.sampled_from(range(4)),
    st.binary(max_size=80) | st.lists(pieces, max_size=8).map(lambda some: "".join(some).encode()),
    st.integers(0, 200),
)
def test_any_bytes_as_any_file_are_opened_or_named(
    tmp_path_factory: Any, which: int, data: bytes, cut: int
) -> None:
    docks = campaign(tmp_path_factory.mktemp("any"))
    for whole in (data, b"format = 1\n" + data, TEXTS[which].encode()[:cut] + data):
        (docks / FILES[which]).write_bytes(whole)
        problems = check(docks)
        try:
            found = load(docks)
            read_opening(found, "gate")
        except FileProblem as problem:
            assert problems
            problems.append(problem)
        assert all(map(is_one_line, problems))
        assert (docks / FILES[which]).read_bytes() == whole


def test_a_campaign_is_frozen(docks: Path) -> None:
    found = load(docks)
    assert evolve(found, title="x") != found
    with pytest.raises(AttributeError):
        found.title = "x"  # type: ignore[misc]
    assert isinstance(found, Campaign)


def test_modules_that_the_first_screen_does_not_need_are_not_imported(tmp_path: Path) -> None:
    path = sample(tmp_path, "okado-at-the-gate")
    code = (
        "import sys; from pathlib import Path; import tui.cli.open, tui.app\n"
        "from tui.session.opening import open_fight\n"
        "import tui.screens.base, tui.screens.initiative\n"
        "open_fight(Path(sys.argv[1]), write=False)\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    later = {
        "systems.commands.dispatcher",
        "systems.dice.notation",
        "systems.dice.parser",
        "systems.encounter.campaign_rules",
        "systems.encounter.migration",
        "systems.commands.table",
        "systems.odds",
        "systems.visibility.build",
        "tui.campaign.creatures",
        "tui.campaign.toml.document",
        "tui.prompts.prompt",
        "tui.widgets.panel",
        "tomlkit",
        "asyncssh",
    }
    assert not later & {*done.stdout.split()}


def test_every_declaration_of_a_campaign_is_a_field_of_its_file() -> None:
    assert {CONDITION, METER} == {*CAMPAIGN_RULES} <= {*KEYS}


def test_opening_a_campaign_loads_no_screen_and_nothing_slow() -> None:
    code = (
        "import sys; from tui.campaign import campaign, folders, lock, roster, samples\n"
        "from tui.campaign.log import file\n"
        "slow = {'textual', 'rich', 'tomlkit', 'hashlib', 'secrets', 'asyncio', 'shutil'}\n"
        "print(*sorted(slow & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == ""
