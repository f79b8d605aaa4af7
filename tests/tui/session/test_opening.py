"""Opening a fight: the chosen encounter, the right to write, and the files afterwards."""

import errno
import io
import os
import sys
from threading import Event, Thread

import pytest

from systems.errors import Refused
from tests.command import PREPARED, SAMPLES, sample
from tui.campaign.campaign import load
from tui.campaign.folders import CampaignsFolder, last, where
from tui.campaign.lock import CampaignLocked
from tui.campaign.log import file as log_file
from tui.campaign.openings import new_encounter
from tui.campaign.problems import FileProblem, NotSaved
from tui.controllers.choosing import opening_with
from tui.session.opening import NoEncounter, OpenEncounter, open_fight

GATE = "okado-at-the-gate"


@pytest.fixture
def path(tmp_path):
    return sample(tmp_path, GATE)


def opened(path, *arguments, **named):
    fight = open_fight(path, *arguments, **named)
    fight.close()
    return fight


def also(path, name, **files):
    """Add an encounter to the campaign."""
    folder = path / "encounters" / name
    folder.mkdir()
    for file, text in files.items():
        (folder / f"{file}.toml").write_text(text)


def test_the_prepared_encounter_opens_if_none_is_in_progress(path):
    assert opened(path).encounter == "north-gate"


def test_the_encounter_in_progress_opens_before_a_prepared_one(path):
    also(path, "aaa-first", opening="format = 1\n")
    assert opened(path).encounter == "aaa-first"
    fight = open_fight(path, "north-gate")
    fight.session.do("note begun")
    fight.close()
    assert opened(path).encounter == "north-gate"


def test_if_all_are_over_the_encounter_written_last_opens(path):
    fight = open_fight(path)
    for line in ("start", "end"):
        fight.session.do(line)
    fight.close()
    os.utime(path / "encounters/bridge/log.toml", ns=(1, 1))
    assert opened(path).encounter == "north-gate"
    os.utime(path / "encounters/north-gate/log.toml", ns=(0, 0))
    assert opened(path).encounter == "bridge"


def test_a_bad_prepared_encounter_is_reported_or_skipped_on_the_screens(path):
    also(path, "aaa-first", opening="half = {")
    with pytest.raises(FileProblem, match=r"aaa-first/opening\.toml"):
        open_fight(path)
    fight = opened(path, or_watch=True)
    assert fight.encounter == "north-gate"
    assert "aaa-first/opening.toml" in fight.notice
    assert opened(path, "north-gate").encounter == "north-gate"


def test_a_bad_later_encounter_does_not_matter(path):
    also(path, "zzz-last", opening="half = {")
    assert opened(path).encounter == "north-gate"


def test_an_unknown_encounter_is_named(path):
    for name in ("nowhere", "../north-gate", "", "bridge\n"):
        with pytest.raises(NoEncounter, match="there is no encounter"):
            open_fight(path, name)


def test_only_one_program_may_write_and_others_watch(path):
    first = open_fight(path)
    with pytest.raises(CampaignLocked):
        open_fight(path)
    second = open_fight(path, or_watch=True)
    assert second.session.read_only
    assert f"process {os.getpid()} of" in second.notice
    reader = open_fight(path, write=False)
    assert reader.session.read_only
    assert reader.notice == ""
    for one in (second, reader, first):
        one.close()
    assert not opened(path).session.read_only


def test_closing_twice_is_closing_once(path):
    fight = open_fight(path)
    fight.close()
    other = open_fight(path)
    fight.close()
    with pytest.raises(CampaignLocked):
        open_fight(path)
    other.close()


def test_a_fight_that_cannot_be_opened_releases_the_lock(path):
    log = path / "encounters/north-gate/log.toml"
    log.write_text("format = 9\n")
    for _ in range(2):
        with pytest.raises(FileProblem):
            open_fight(path)
    log.unlink()
    opened(path)


def test_events_that_do_not_fit_the_opening_are_a_problem_of_the_log(path):
    fight = open_fight(path)
    fight.session.do("set okado life 3")
    fight.close()
    opening = path / "encounters/north-gate/opening.toml"
    opening.write_text('format = 1\n[[combatant]]\nid = "somebody"\n')
    with pytest.raises(FileProblem, match=r"north-gate/log\.toml:3: changes: event 1 does not fit"):
        open_fight(path)


def test_reading_a_fight_writes_nothing(path):
    def files():
        return {one: one.stat().st_mtime_ns for one in path.rglob("*")}

    before = files()
    opened(path, write=False)
    opened(path, "bridge", write=False)
    assert files() == before


def test_a_read_only_folder_can_be_read(path, monkeypatch):
    def refuse(*_):
        raise NotSaved("the campaign cannot be written: the disk is read-only")

    monkeypatch.setattr("tui.session.opening.take", refuse)
    with pytest.raises(NotSaved):
        open_fight(path)
    fight = opened(path, or_watch=True)
    assert fight.session.read_only
    assert "read-only" in fight.notice


def test_the_campaign_opened_last_is_remembered(path):
    opened(path)
    assert last(CampaignsFolder(path.parent, "a test")) == path


def test_a_folder_given_by_the_user_becomes_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert where("here").path == tmp_path / "here"


class Gone(io.StringIO):
    """A standard error whose terminal has been closed."""

    def write(self, text):
        raise OSError(errno.EIO, "Input/output error")


def test_closing_releases_the_campaign_even_if_unsaved_events_cannot_be_reported(path, monkeypatch):
    def refused(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    fight = open_fight(path)
    fight.save_in_background(lambda: None)
    with monkeypatch.context() as broken:
        broken.setattr(log_file, "write_all", refused)
        broken.setattr(sys, "stderr", Gone())
        fight.session.do("start")
        fight.close()
        fight.close()
    again = open_fight(path)
    assert again.notice == "1 event that could not be saved before is saved now"
    assert [one.typed for one in again.session.log.events] == ["start"]
    again.close()
    assert opened(path).notice == ""


def test_a_second_close_waits_for_the_first_and_does_nothing(path, monkeypatch):
    fight, started, go_on, kept = open_fight(path), Event(), Event(), []

    def slow(_, writer):
        started.set()
        go_on.wait()
        kept.append(writer)

    monkeypatch.setattr(OpenEncounter, "_keep_cache", slow)
    first, second = Thread(target=fight.close), Thread(target=fight.close)
    first.start()
    started.wait()
    second.start()
    assert second.is_alive()
    assert (path / ".lock").exists()
    go_on.set()
    first.join()
    second.join()
    assert len(kept) == 1
    assert not (path / ".lock").exists()


def test_an_encounter_prepared_earlier_offers_the_party_from_the_present_roster(path):
    campaign = load(path)
    new_encounter(campaign, "Later", opening_with(campaign, "Later", "okado, guard x2").document)
    sheet = path / "roster" / "okado.toml"
    sheet.write_text(sheet.read_text().replace("max_life = 52", "max_life = 52\nlife = 30"))
    fight = open_fight(path, "later")
    [stale] = fight.session.encounter.offers
    assert "Okado life 30 (was 52)" in stale.says
    assert fight.session.do("start").text.startswith("Updated from the roster: Okado life 30 (was 52).")
    assert fight.session.encounter.offers == ()
    fight.close()
    again = open_fight(path, "later", write=False)
    assert again.session.encounter == fight.session.encounter
    assert again.session.encounter.combatants["okado"].sheet.life == 30


@pytest.mark.parametrize("name", PREPARED)
def test_no_sample_offers_another_party_than_the_one_it_was_prepared_with(name):
    assert open_fight(SAMPLES / name, PREPARED[name], write=False).session.encounter.offers == ()


def test_an_unreadable_entry_is_not_mistaken_for_one_with_a_similar_name(path):
    (path / "roster" / "guard.toml").write_text('format = 1\nname = "Guard"\nmax_life = "many"\n')
    fight = open_fight(path)
    try:
        with pytest.raises(Refused, match=r"guard cannot be read: roster/guard\.toml:3: max_life"):
            fight.session.do("add guard")
        assert "Veteran guard" in str(fight.session.do("add veteran").text)
    finally:
        fight.close()
