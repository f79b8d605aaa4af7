"""A game that renames one field and converts another between two evenings."""

from typing import Any

import pytest

from systems.contract.action import Action
from systems.contract.outcome import Outcome
from systems.contract.ruleset import Ruleset
from systems.encounter.changes import apply_all, replay
from systems.encounter.history import history
from systems.encounter.migration import migrated, version_of
from systems.encounter.serialize import plain, read_encounter
from systems.errors import Wrong
from systems.frozen import evolve
from systems.plugins import loading
from systems.schema.conversion import read, replace
from systems.schema.fields import Entry as ListEntry
from systems.schema.fields import declare, entries, text, whole
from tests.command import affray, commands, present
from tests.systems.fight import Entry, Fight
from tests.systems.toy import TOY, Sheet
from tui.campaign.campaign import load as load_campaign
from tui.campaign.roster import save_entry


@declare
class Charm(ListEntry):
    name: str = text()
    uses: int = whole(0, 99, 1)


@declare
class NewCharm(ListEntry):
    name: str = text()
    charges: int = whole(0, 99, 1, formerly="uses")


@declare
class OldSheet(Sheet):
    grit: int = whole(0, 99, 3)
    gold: int = whole(0, 999, 5)
    charms: tuple[Charm, ...] = entries(Charm)


@declare
class NewSheet(Sheet):
    """`grit` is called `spirit`; `gold` is counted in silver, ten to a piece of gold."""

    spirit: int = whole(0, 99, 3, formerly="grit")
    silver: int = whole(0, 9990, 50)
    charms: tuple[NewCharm, ...] = entries(NewCharm)


def to_silver(version: int, sheet: Any) -> Any:
    assert version == 1
    found = {name: value for name, value in sheet.items() if name != "gold"}
    return {**found, "silver": sheet["gold"] * 10} if "gold" in sheet else found


STATUS = Action("status", "what a sheet amounts to", lambda scene, table: Outcome({}))
STRIKE = evolve(TOY.actions[0], facts={"worth": "points"})
OLD: Ruleset = evolve(TOY, sheet=OldSheet, actions=(STRIKE, *TOY.actions[1:], STATUS))
NEW: Ruleset = evolve(OLD, sheet=NewSheet, version=2, migrate=to_silver)
LINES = (
    "add ada",
    "add orc",
    "start",
    "set ada grit 7",
    "set ada gold 12",
    "set ada charms.luck.uses 4",
    "harm ada amount=3",
    "undo",
    "next",
    "set ada gold 20",
    "add orc",
    "remove orc",
)


def old_fight(*lines: str) -> Fight:
    fight = Fight(OLD)
    ada = read(OldSheet, {"charms": [{"name": "luck", "uses": 2}]})
    fight.roster = {"ada": Entry("Ada", "players", ada), "orc": Entry("Orc", "foes", OldSheet())}
    for line in lines:
        fight.do(line)
    return fight


def test_a_fight_of_an_older_version_ends_with_converted_sheets():
    fight = old_fight(*LINES)
    opening = plain(Fight(OLD).encounter)
    events = migrated(NEW, opening, fight.log.events)
    ada = replay(NEW, NEW.house(), "manual", opening, events).combatants["ada"].sheet
    assert (ada.spirit, ada.silver, ada.charms[0].charges, ada.hp) == (7, 200, 4, 10)


def test_undo_works_across_the_conversion():
    fight = old_fight(*LINES)
    opening = plain(Fight(OLD).encounter)
    new = Fight(NEW)
    new.log = history(migrated(NEW, opening, fight.log.events))
    new.encounter = apply_all(read_encounter(NEW, NEW.house(), "manual", opening), new.log.events)
    new.do("undo 3")
    assert new.encounter.combatants["ada"].sheet.silver == 120
    new.do("undo 3")
    ada = new.encounter.combatants["ada"].sheet
    assert (ada.spirit, ada.silver, ada.charms[0].charges) == (7, 50, 2)


def converted_fight(fight: Fight, *games: Ruleset) -> Fight:
    """Return the fight opened with the newest of these versions, each of which converts once."""
    opening = plain(Fight(OLD).encounter)
    new = Fight(games[-1])
    new.log = history(migrated(games[-1], opening, fight.log.events))
    new.encounter = apply_all(read_encounter(games[-1], games[-1].house(), "manual", opening), new.log.events)
    return new


def silver(fight: Fight) -> int:
    return int(fight.encounter.combatants["ada"].sheet.silver)


def test_amended_events_are_converted_and_stay_amended():
    fight = old_fight("add ada", "start", "set ada gold 12", "set ada grit 9", "amend 3 value=15")
    new = converted_fight(fight, NEW)
    assert (silver(new), new.encounter.combatants["ada"].sheet.spirit) == (150, 9)
    corrected = new.log.as_amended[2].changes
    assert [(change.field, change.before, change.after) for change in corrected] == [
        ("sheet.silver", 50, 150)
    ]
    new.do("undo")
    assert silver(new) == 120
    new.do("redo")
    new.do("undo 3")
    assert silver(new) == 50


def test_a_fight_goes_through_each_version_to_the_newest():
    def further(version: int, sheet: Any) -> Any:
        if version == 1:
            return to_silver(1, sheet)
        return {**sheet, "silver": sheet["silver"] + 1} if "silver" in sheet else sheet

    newest = evolve(NEW, version=3, migrate=further)
    fight = old_fight("add ada", "start", "set ada gold 12", "amend 3 value=15")
    assert silver(converted_fight(fight, newest)) == 151


@pytest.mark.parametrize(
    ("given", "version"), [({}, 1), ({"game_version": 3}, 3), ({"game_version": "3"}, 1)]
)
def test_a_file_without_a_version_is_one_of_the_first(given, version):
    assert version_of(given) == version


def test_events_of_a_newer_version_are_refused_in_one_sentence():
    newer = {**plain(Fight(NEW).encounter), "game_version": 3}
    with pytest.raises(Wrong, match=r"was written by version 3 of Toy") as error:
        read_encounter(NEW, NEW.house(), "manual", newer)
    assert error.value.code == "newer"


def brought(monkeypatch: pytest.MonkeyPatch, game: Ruleset) -> None:
    monkeypatch.setattr(loading, "_others", lambda: {"toy": lambda: game})
    loading.load.cache_clear()


def test_a_campaign_continues_with_the_next_version_of_its_game(tmp_path, monkeypatch):
    brought(monkeypatch, OLD)
    assert affray("new", "night", "--system", "toy", "--campaigns", tmp_path).status == 0
    ada = tmp_path / "night" / "roster" / "ada.toml"
    ada.parent.mkdir(exist_ok=True)
    ada.write_text('format = 1\nname = "Ada"\nside = "players"\ngrit = 6 # stubborn\ngold = 3\n')
    assert all(answer["ok"] for answer in commands(tmp_path, "night", "add ada", "start", "set ada gold 9"))

    brought(monkeypatch, NEW)
    campaign = load_campaign(tmp_path / "night")
    entry = campaign.roster["ada"]
    save_entry(campaign, evolve(entry, sheet=replace(entry.sheet, hp=7)))
    assert "spirit = 6 # stubborn" in ada.read_text()
    assert "silver = 30" in ada.read_text()
    ran = affray("check", "night", "--campaigns", tmp_path)
    assert (ran.status, ran.err) == (0, "")
    sheet = present(tmp_path, "night")["combatants"][0]["sheet"]
    assert (sheet["spirit"], sheet["silver"]) == (6, 90)
    answers = commands(tmp_path, "night", "set ada spirit 8", "set ada silver 95", "add ada as Ida", "undo 3")
    assert [answer["ok"] for answer in answers] == [True] * 4
    last = commands(tmp_path, "night", "undo")
    assert last[0]["ok"]
    sheet = present(tmp_path, "night")["combatants"][0]["sheet"]
    assert (sheet["spirit"], sheet["silver"]) == (6, 30)
    log = (tmp_path / "night" / "encounters" / "first" / "log.toml").read_text()
    assert log.count("game_version = 2") == 5

    brought(monkeypatch, OLD)
    said = affray("show", "night", "--campaigns", tmp_path).complaint
    assert said == (
        "encounters/first/log.toml: game_version: was written by version 2 of Toy; "
        "the one installed is version 1"
    )
    loading.load.cache_clear()


def test_an_import_converts_characters_from_the_version_in_their_file(tmp_path, monkeypatch):
    brought(monkeypatch, NEW)
    assert affray("new", "night", "--system", "toy", "--campaigns", tmp_path).status == 0
    file = tmp_path / "party.toml"
    file.write_text(
        '[[character]]\nname = "Ada"\ngame_version = 2\nsilver = 45\n'
        '[[character]]\nname = "Bo"\ngrit = 6\ngold = 3\n'
        '[[character]]\nname = "Cy"\ngame_version = 3\nsilver = 7\n'
    )
    ran = affray("import", "night", file, "--campaigns", tmp_path)
    assert ran.out.splitlines() == [
        "added to the roster of night: Ada and Bo",
        "not imported: character 3, Cy: game_version: was written by version 3 of Toy; "
        "the one installed is version 2; it was left out",
    ]
    (tmp_path / "more.csv").write_text("name,silver\nDi,9\n")
    assert affray("import", "night", tmp_path / "more.csv", "--campaigns", tmp_path).status == 0
    people = load_campaign(tmp_path / "night").roster
    silver = {name: entry.sheet.silver for name, entry in people.items()}
    assert silver == {"ada": 45, "bo": 30, "di": 9}
    assert people["bo"].sheet.spirit == 6
    loading.load.cache_clear()


def test_the_sheets_of_the_opening_are_converted_with_the_changes_to_them():
    def by_grit(version: int, sheet: Any) -> Any:
        found = {name: value for name, value in sheet.items() if name != "gold"}
        return {**found, "silver": sheet["gold"] * sheet.get("grit", 1)} if "gold" in sheet else found

    game = evolve(NEW, migrate=by_grit)
    before = old_fight("add ada", "set ada grit 7")
    opening, later = plain(before.encounter), old_fight("add ada", "set ada grit 7", "set ada gold 20")
    events = migrated(game, opening, [evolve(later.log.event(3), n=1)])
    assert [(change.field, change.after) for change in events[0].changes] == [("sheet.silver", 140)]
