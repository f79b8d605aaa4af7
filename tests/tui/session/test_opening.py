"""Opening a fight: which encounter is meant, who may write, and what is left behind."""

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
    """Another encounter beside those of the campaign."""
    folder = path / "encounters" / name
    folder.mkdir()
    for file, text in files.items():
        (folder / f"{file}.toml").write_text(text)


def test_the_prepared_encounter_is_meant_when_none_is_in_progress(path):
    assert opened(path).encounter == "north-gate"


def test_the_encounter_in_progress_is_meant_before_one_that_is_prepared(path):
    also(path, "aaa-first", opening="format = 1\n")
    assert opened(path).encounter == "aaa-first"
    fight = open_fight(path, "north-gate")
    fight.session.do("note begun")
    fight.close()
    assert opened(path).encounter == "north-gate"


def test_when_all_are_over_the_one_written_last_is_meant(path):
    fight = open_fight(path)
    for line in ("start", "end"):
        fight.session.do(line)
    fight.close()
    os.utime(path / "encounters/bridge/log.toml", ns=(1, 1))
    assert opened(path).encounter == "north-gate"
    os.utime(path / "encounters/north-gate/log.toml", ns=(0, 0))
    assert opened(path).encounter == "bridge"


def test_a_prepared_encounter_that_is_bad_is_told_or_passed_over_where_somebody_looks(path):
    also(path, "aaa-first", opening="half = {")
    with pytest.raises(FileProblem, match=r"aaa-first/opening\.toml"):
        open_fight(path)
    fight = opened(path, or_watch=True)
    assert fight.encounter == "north-gate"
    assert "aaa-first/opening.toml" in fight.notice
    assert opened(path, "north-gate").encounter == "north-gate"


def test_a_bad_encounter_that_comes_later_does_not_matter(path):
    also(path, "zzz-last", opening="half = {")
    assert opened(path).encounter == "north-gate"


def test_an_encounter_that_is_not_there_is_named(path):
    for name in ("nowhere", "../north-gate", "", "bridge\n"):
        with pytest.raises(NoEncounter, match="there is no encounter"):
            open_fight(path, name)


def test_only_one_may_write_and_others_look_on(path):
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


def test_a_fight_that_cannot_be_opened_lets_others_write(path):
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
    with pytest.raises(FileProblem, match=r"north-gate/log\.toml: the events do not fit the opening"):
        open_fight(path)


def test_looking_writes_nothing(path):
    def files():
        return {one: one.stat().st_mtime_ns for one in path.rglob("*")}

    before = files()
    opened(path, write=False)
    opened(path, "bridge", write=False)
    assert files() == before


def test_a_folder_that_cannot_be_written_can_be_looked_at(path, monkeypatch):
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


def test_a_place_given_by_a_user_is_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert where("here").path == tmp_path / "here"


class Gone(io.StringIO):
    """A standard error whose terminal is gone."""

    def write(self, text):
        raise OSError(errno.EIO, "Input/output error")


def test_closing_gives_the_campaign_back_also_when_nobody_can_be_told_what_is_unsaved(path, monkeypatch):
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
    assert [one["typed"] for one in again.session.log.events] == ["start"]
    again.close()
    assert opened(path).notice == ""


def test_a_second_closing_waits_for_the_first_and_does_nothing_again(path, monkeypatch):
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


def test_an_encounter_that_was_prepared_earlier_offers_the_party_as_the_roster_has_it_now(path):
    campaign = load(path)
    new_encounter(campaign, "Later", opening_with(campaign, "Later", "okado, guard x2"))
    sheet = path / "roster" / "okado.toml"
    sheet.write_text(sheet.read_text().replace("max_life = 52", "max_life = 52\nlife = 30"))
    fight = open_fight(path, "later")
    [stale] = fight.session.encounter.offers
    assert "Okado life 30 (was 52)" in stale.says
    assert fight.session.do("start")["text"].startswith("As in the roster: Okado life 30 (was 52).")
    assert fight.session.encounter.offers == ()
    fight.close()
    again = open_fight(path, "later", write=False)
    assert again.session.encounter == fight.session.encounter
    assert again.session.encounter.combatants["okado"].sheet.life == 30


@pytest.mark.parametrize("name", PREPARED)
def test_no_sample_offers_another_party_than_the_one_it_was_prepared_with(name):
    assert open_fight(SAMPLES / name, PREPARED[name], write=False).session.encounter.offers == ()


def test_an_entry_that_cannot_be_read_is_not_taken_for_another_whose_name_holds_its_word(path):
    (path / "roster" / "guard.toml").write_text('format = 1\nname = "Guard"\nmax_life = "many"\n')
    fight = open_fight(path)
    try:
        with pytest.raises(Refused, match=r"guard cannot be read: roster/guard\.toml:3: max_life"):
            fight.session.do("add guard")
        assert "Veteran guard" in str(fight.session.do("add veteran")["text"])
    finally:
        fight.close()
