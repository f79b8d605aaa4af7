"""Users edit files of an open campaign: the program notices, reads them again, and never overwrites them."""

import asyncio
from pathlib import Path

import pytest

from systems.frozen import evolve
from systems.schema.conversion import replace
from tests.tui.campaign.examples import GUARD, campaign, events
from tui.campaign.campaign import Campaign, load
from tui.campaign.log.blocks import LogEnd
from tui.campaign.log.file import LogWriter
from tui.campaign.notify import Notify, _Inotify
from tui.campaign.problems import Changed, FileProblem
from tui.campaign.roster import delete, new_entry, save_entry, save_settings
from tui.campaign.watch import Follower, Watch, conflict_of, reread

OTHER_GAME = (
    '"atlantis"   # the percentile game\n\n[house]\ntie_passes = false',
    '"arden"   # the percentile game\n\n[house]',
)
SOON = 20.0  # only reached if something is broken


@pytest.fixture
def docks(tmp_path: Path) -> Campaign:
    return load(campaign(tmp_path))


def edit(docks: Campaign, file: str, old: str, new: str) -> None:
    """Edit as an editor does: write another file, then rename it."""
    path = docks.path / file
    text = path.read_text("utf-8")
    assert old in text
    swap = path.with_suffix(".swp")
    swap.write_text(text.replace(old, new), "utf-8")
    swap.replace(path)


def test_no_change_is_reported_while_there_is_none(docks: Campaign) -> None:
    watch = Watch(docks.path)
    assert watch.changed() == frozenset()
    (docks.path / "roster" / "notes.txt").write_text("x", "utf-8")
    (docks.path / "roster" / ".hidden.toml").write_text("x", "utf-8")
    LogWriter(docks.log_path("gate")).append(*events(1))
    assert watch.changed() == frozenset()


def test_an_edited_sheet_is_read_again(docks: Campaign) -> None:
    watch = Watch(docks.path)
    edit(docks, "roster/guard.toml", "melee = 45", "melee = 50")
    changed = watch.changed()
    assert changed == {"roster/guard.toml"}
    assert watch.changed() == frozenset()
    found = reread(docks, changed)
    assert found.changes == ("roster/guard.toml was changed outside Affray and has been read again",)
    assert found.campaign.roster["guard"].sheet.abilities["melee"] == 50
    assert not found.wrong


def test_added_and_removed_files_are_reported(docks: Campaign) -> None:
    watch = Watch(docks.path)
    (docks.path / "roster" / "wolf.toml").write_text('format = 1\nname = "Wolf"\n', "utf-8")
    (docks.path / "roster" / "guard.toml").unlink()
    found = reread(docks, watch.changed())
    assert found.changes == ("roster/guard.toml is gone", "roster/wolf.toml is new")
    assert list(found.campaign.roster) == ["wolf"]


def test_house_rules_and_table_settings_are_read_again(docks: Campaign) -> None:
    watch = Watch(docks.path)
    edit(docks, "campaign.toml", 'dice = "real"', 'dice = "players"')
    edit(docks, "campaign.toml", "tie_passes = false", "tie_passes = true")
    found = reread(docks, watch.changed()).campaign
    assert found.table.dice == "players"
    assert found.house.tie_passes is True
    assert b"# we like it harder" in found.source


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "roster/guard.toml",
            "melee = 45",
            'melee = "high"',
            "roster/guard.toml:7: abilities.melee: expected",
        ),
        (
            "campaign.toml",
            "tie_passes = false",
            "tie_passes = 3",
            "campaign.toml:7: house.tie_passes: expected",
        ),
        ("campaign.toml", OTHER_GAME[0], OTHER_GAME[1], "the game cannot change while the campaign is open"),
        ("campaign.toml", "[house]", "[house", "campaign.toml:6:"),
    ],
)
def test_a_bad_file_is_reported_with_its_line_and_the_earlier_content_stays(
    docks: Campaign, file: str, old: str, new: str, said: str
) -> None:
    watch = Watch(docks.path)
    edit(docks, file, old, new)
    (docks.path / "roster" / "wolf.toml").write_text('format = 1\nname = "Wolf"\n', "utf-8")
    found = reread(docks, watch.changed())
    assert said in str(found.wrong[0])
    assert len(found.wrong) == 1
    assert found.campaign.ruleset.name == "atlantis"
    assert found.campaign.house == docks.house
    assert found.campaign.roster["guard"] == docks.roster["guard"]
    assert found.campaign.roster["wolf"].name == "Wolf"
    before = (docks.path / file).read_bytes()
    edit(docks, file, new, old)
    repaired = reread(found.campaign, watch.changed())
    assert not repaired.wrong
    assert (docks.path / file).read_bytes() != before


def test_a_bad_sheet_is_never_overwritten(docks: Campaign) -> None:
    watch = Watch(docks.path)
    edit(docks, "roster/guard.toml", "melee = 45", 'melee = "high"')
    found = reread(docks, watch.changed()).campaign
    mine = evolve(found.roster["guard"], side="players")
    with pytest.raises(Changed):
        save_entry(found, mine)
    conflict = conflict_of(found, mine)
    assert conflict is not None
    assert conflict.theirs is None
    assert "abilities.melee" in str(conflict.problem)
    assert conflict.with_mine() is None


def test_a_file_saved_by_the_program_is_not_a_change_by_others(docks: Campaign) -> None:
    watch = Watch(docks.path)
    new = save_entry(docks, evolve(docks.roster["guard"], side="players"))
    new = save_entry(new, new_entry(new, "Wolf"))
    new = save_settings(new, title="The quay")
    new = delete(new, "guard")
    changed = watch.changed()
    assert changed == {"roster/guard.toml", "roster/wolf.toml", "campaign.toml"}
    assert not reread(new, changed)


def changed_here(docks: Campaign, **fields: object) -> object:
    guard = docks.roster["guard"]
    return evolve(guard, sheet=replace(guard.sheet, **fields))


def test_changes_of_different_fields_both_count(docks: Campaign) -> None:
    mine = changed_here(docks, name="Sentry")
    edit(docks, "roster/guard.toml", "max_life = 30", "max_life = 33")
    with pytest.raises(Changed):
        save_entry(docks, mine)  # type: ignore[arg-type]
    conflict = conflict_of(docks, mine)  # type: ignore[arg-type]
    assert conflict is not None
    assert conflict.both == ()
    merged = conflict.with_mine()
    assert merged is not None
    save_entry(docks, merged)
    text = (docks.path / "roster/guard.toml").read_text("utf-8")
    assert 'name = "Sentry"   # plain, on purpose' in text
    assert "max_life = 33" in text
    assert text.count("#") == GUARD.count("#")


def test_changes_of_the_same_field_are_shown_and_either_can_be_kept(docks: Campaign) -> None:
    mine = changed_here(docks, max_life=40, name="Sentry")
    edit(docks, "roster/guard.toml", "max_life = 30", "max_life = 33")
    conflict = conflict_of(docks, mine)  # type: ignore[arg-type]
    assert conflict is not None
    (one,) = conflict.both
    assert (one.field, one.before, one.mine, one.theirs) == ("max_life", 30, 40, 33)
    ours, theirs = conflict.with_mine(), conflict.with_theirs()
    assert ours is not None
    assert theirs is not None
    assert (ours.sheet.max_life, ours.name) == (40, "Sentry")
    assert (theirs.sheet.max_life, theirs.name) == (33, "Sentry")
    saved = save_entry(docks, ours)
    assert "max_life = 40" in (docks.path / "roster/guard.toml").read_text("utf-8")
    assert conflict_of(saved, saved.roster["guard"]) is None


def test_a_deleted_sheet_is_a_conflict_too(docks: Campaign) -> None:
    mine = changed_here(docks, name="Sentry")
    (docks.path / "roster" / "guard.toml").unlink()
    conflict = conflict_of(docks, mine)  # type: ignore[arg-type]
    assert conflict is not None
    assert (conflict.theirs, conflict.problem) == (None, None)


def test_the_events_of_another_writer_arrive_in_order(docks: Campaign) -> None:
    follower = Follower(docks.path, "gate", LogEnd())
    assert follower.news() == []
    writer = LogWriter(docks.log_path("gate"))
    for number, one in enumerate(events(5), 1):
        writer.append(one)
        assert [each.n for each in follower.news()] == [number]
        assert follower.news() == []


def test_an_event_that_is_still_being_written_waits_for_its_end(docks: Campaign) -> None:
    path = docks.log_path("gate")
    writer = LogWriter(path)
    writer.append(*events(2))
    whole = path.read_bytes()
    writer.append(events(3)[2])
    more = path.read_bytes()
    path.write_bytes(whole)
    follower = Follower(docks.path, "gate", LogEnd())
    assert len(follower.news()) == 2
    for size in range(len(whole) + 1, len(more) - 1):  # the last byte is the end of the last line
        path.write_bytes(more[:size])
        assert follower.news() == [], size
    path.write_bytes(more)
    assert [one.n for one in follower.news()] == [3]


def test_a_replaced_log_is_reported(docks: Campaign) -> None:
    path = docks.log_path("gate")
    LogWriter(path).append(*events(3))
    follower = Follower(docks.path, "gate", LogEnd())
    follower.news()
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(FileProblem):
        follower.news()
    path.unlink()
    with pytest.raises(FileProblem, match="missing"):
        follower.news()


@pytest.mark.parametrize("tells", [True, False])
async def test_a_change_is_noticed_within_a_second(
    docks: Campaign, tells: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not tells:
        monkeypatch.setattr(_Inotify, "open", lambda: None)
    watch, noticed = Watch(docks.path), asyncio.Event()
    found: set[str] = set()

    def look() -> None:
        found.update(watch.changed())
        if found:
            noticed.set()

    # If the system reports changes, the interval is so long that only a report can be in time.
    notify = Notify(watch.folders, look, every=3600.0 if tells and _Inotify.open() else 0.01)
    notify.start()
    try:
        edit(docks, "roster/guard.toml", "melee = 45", "melee = 50")
        await asyncio.wait_for(noticed.wait(), SOON)
        assert found == {"roster/guard.toml"}
    finally:
        notify.stop()
        notify.stop()


async def test_a_folder_created_later_is_watched_too(docks: Campaign) -> None:
    watch, noticed = Watch(docks.path), asyncio.Event()

    def look() -> None:
        if "encounters/quay/opening.toml" in watch.changed():
            noticed.set()

    notify = Notify(watch.folders, look, every=0.01)
    notify.start()
    try:
        folder = docks.path / "encounters" / "quay"
        folder.mkdir()
        (folder / "opening.toml").write_text('format = 1\ntitle = "Quay"\n', "utf-8")
        await asyncio.wait_for(noticed.wait(), SOON)
    finally:
        notify.stop()
