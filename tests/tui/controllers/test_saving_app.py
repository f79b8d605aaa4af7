"""The screen never lies: what is not on the disk is named, keys are not kept waiting, and leaving asks."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from tests.tui.campaign.test_campaign_rules import RULES
from tests.tui.opened import OKADO, copied, opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.app import AffrayApp
from tui.campaign.log import file as log_file
from tui.campaign.log.file import read_log
from tui.session.opening import open_fight

SOON = 20.0  # only ever waited for when something is broken


def log_of(folder: Path) -> list[str]:
    path = folder / "campaigns" / OKADO / "encounters" / "north-gate" / "log.toml"
    return [one.typed for one in read_log(path).events]


class Disk:
    """The disk under the log: it can be made slow, or full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        self.answers = Event()
        self.answers.set()
        write, sync = log_file.write_all, log_file.sync

        def write_all(descriptor: int, data: bytes) -> None:
            if self.full:
                raise OSError(errno.ENOSPC, "No space left on device")
            write(descriptor, data)

        def synced(descriptor: int) -> None:
            assert self.answers.wait(SOON)
            sync(descriptor)

        monkeypatch.setattr(log_file, "write_all", write_all)
        monkeypatch.setattr(log_file, "sync", synced)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Disk:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return Disk(monkeypatch)


def header(here: AffrayApp) -> str:
    return text_of(here).splitlines()[0]


async def test_a_disk_that_answers_at_once_is_never_mentioned(disk: Disk, tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here, (100, 24)) as pilot:
        for _ in range(3):
            await pilot.press("n")
            await pilot.until(lambda: not here.background.saved.words)
        assert "sav" not in header(here)
        assert log_of(tmp_path) == ["start", "next", "next"]
        here.table.fight.close()


async def test_a_slow_disk_delays_no_key_and_the_header_shows_unsaved_events(
    disk: Disk, tmp_path: Path
) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here, (100, 24)) as pilot:
        disk.answers.clear()
        await pilot.press("n", "n", "n", "u")
        assert here.table.session.encounter.progress.turn == "tamsin"
        assert "saving 4 events" in header(here)
        disk.answers.set()
        await pilot.until(lambda: "saving" not in header(here))
        assert log_of(tmp_path) == ["start", "next", "next", "undo"]
        here.table.fight.close()


async def test_on_a_full_disk_play_goes_on_and_everything_is_saved_once_there_is_room(
    disk: Disk, tmp_path: Path
) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here, (100, 24)) as pilot:
        disk.full = True
        await pilot.press("n")
        await pilot.until(lambda: "Not saved yet: no space left on the disk" in text_of(here))
        await pilot.press("n")
        await pilot.until(lambda: "unsaved since" in header(here) and "(2 events)" in header(here))
        assert "Round 1  ▸ Tamsin" in header(here)
        assert here.table.session.encounter.progress.turn == "tamsin"
        disk.full = False
        await pilot.press("n")
        await pilot.until(lambda: not here.background.saved.words)
        assert "unsaved" not in header(here)
        assert log_of(tmp_path) == ["start", "next", "next"]
        here.table.fight.close()


async def test_quitting_asks_first_and_happens_once_everything_is_saved(disk: Disk, tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        disk.full = True
        await pilot.press("n", "ctrl+q")
        await pilot.until(lambda: here.services.prompts.current)
        assert "1 event is not saved" in text_of(here)
        assert "Enter try again" in text_of(here).splitlines()[-1]
        await pilot.press("escape")
        assert here.services.prompts.current is None
        await pilot.press("n", "ctrl+q")
        await pilot.until(lambda: here.services.prompts.current)
        assert "2 events are not saved" in text_of(here)
        disk.full = False
        await pilot.press("enter")
        await pilot.until(lambda: here.return_value is not None)
    assert here.return_value == 0
    assert log_of(tmp_path) == ["start", "next"]
    here.table.fight.close()


async def test_unsaved_events_are_stored_elsewhere_and_recovered_at_the_next_start(
    disk: Disk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        disk.full = True
        await pilot.press("n", "n", "ctrl+q")
        await pilot.until(lambda: here.services.prompts.current)
        await pilot.press("l")
        await pilot.until(lambda: here.return_value is not None)
    here.table.fight.close()
    assert "2 events were not saved, kept in" in capsys.readouterr().err
    assert log_of(tmp_path) == []
    disk.full = False
    again = open_fight(tmp_path / "campaigns" / OKADO, "north-gate")
    assert "2 events that could not be saved before are saved now" in again.notice
    assert again.session.encounter.progress.turn == "tamsin"
    assert log_of(tmp_path) == ["start", "next"]
    again.close()


async def test_a_read_only_program_shows_the_changes_of_the_other_program(disk: Disk, tmp_path: Path) -> None:
    writer = opened(tmp_path, "north-gate")
    fight = open_fight(tmp_path / "campaigns" / OKADO, "north-gate", write=False)
    assert fight.session.read_only
    here = AffrayApp(campaign=fight.campaign, session=fight.session)
    here.table.fight = fight
    async with running(here, (100, 24)) as pilot:
        await pilot.until(lambda: here.background.listens)
        for line, turn in (("start", "okado"), ("next", "tamsin"), ("undo", "okado"), ("redo", "tamsin")):
            writer.table.session.do(line)
            await pilot.until(lambda turn=turn: here.table.session.encounter.progress.turn == turn)
        await pilot.until(lambda: "Tamsin's turn" in text_of(here))
        await pilot.press("n")
        assert "you can only watch" in here.sentence
        assert here.table.session.encounter == writer.table.session.encounter
    writer.table.fight.close()


async def test_a_read_only_program_can_play_once_the_other_program_has_quit(
    disk: Disk, tmp_path: Path
) -> None:
    writer = opened(tmp_path, "north-gate")
    writer.table.session.do("start")
    fight = open_fight(tmp_path / "campaigns" / OKADO, "north-gate", or_watch=True)
    here = AffrayApp(campaign=fight.campaign, session=fight.session, notice=fight.notice)
    here.table.fight = fight
    async with running(here, (140, 24)) as pilot:
        await pilot.press("n")
        assert "you can only watch" in here.sentence
        assert here.sentence.count(f"process {os.getpid()} of") == here.sentence.count("only watch") == 1
        assert "read-only" in header(here)
        writer.table.session.do("next")
        writer.table.fight.close()
        await pilot.until(lambda: "read-only" not in header(here))
        assert "The other program has closed" in here.sentence
        await pilot.press("n")
        await pilot.until(lambda: not here.background.saved.words)
        assert "read-only" not in header(here)
        assert log_of(tmp_path) == ["start", "next", "next"]
        here.table.fight.close()


async def test_a_program_stops_being_read_only_when_the_other_program_is_killed(
    disk: Disk, tmp_path: Path
) -> None:
    folder = copied(tmp_path)
    holder = subprocess.Popen(
        [sys.executable, "-c", "import sys, pathlib; from tui.campaign.lock import take\n"
         "held = take(pathlib.Path(sys.argv[1])); print(flush=True); sys.stdin.read()", folder],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout is not None
    holder.stdout.readline()
    fight = open_fight(folder, "north-gate", or_watch=True)
    here = AffrayApp(campaign=fight.campaign, session=fight.session, notice=fight.notice)
    here.table.fight = fight
    async with running(here, (140, 24)) as pilot:
        assert "read-only" in header(here)
        holder.kill()
        holder.wait()
        await pilot.until(lambda: "read-only" not in header(here))
    holder.communicate()


async def test_a_log_that_became_shorter_is_read_again(disk: Disk, tmp_path: Path) -> None:
    writer = opened(tmp_path, "north-gate")
    writer.table.session.do("start")
    writer.table.session.do("next")
    writer.table.fight.close()
    fight = open_fight(tmp_path / "campaigns" / OKADO, "north-gate", write=False)
    here = AffrayApp(campaign=fight.campaign, session=fight.session)
    here.table.fight = fight
    path = fight.campaign.log_path("north-gate")
    async with running(here, (100, 24)) as pilot:
        await pilot.until(lambda: here.background.listens)
        data = path.read_bytes()
        path.write_bytes(data[: data.rindex(b"\n[[event]]")])
        await pilot.until(lambda: here.table.session.encounter.progress.turn == "okado")
        assert here.table.session.read_only


async def test_an_edited_file_is_loaded_and_an_invalid_one_is_named(disk: Disk, tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here, (140, 40)) as pilot:
        await pilot.until(lambda: here.background.listens)
        path = tmp_path / "campaigns" / OKADO / "roster" / "guard.toml"
        good = path.read_text("utf-8")
        path.write_text(good.replace("max_life = 45", "max_life = 50"), "utf-8")
        await pilot.until(lambda: here.table.session.roster["guard"].sheet.max_life == 50)
        assert "roster/guard.toml was changed outside Affray and has been read again" in text_of(here)
        path.write_text(good.replace("max_life = 45", 'max_life = "high"'), "utf-8")
        await pilot.until(lambda: here.services.messages.is_error)
        assert "max_life: expected a whole number" in here.sentence
        assert "roster/guard.toml:" in text_of(here)
        assert here.table.session.roster["guard"].sheet.max_life == 50
        house = tmp_path / "campaigns" / OKADO / "campaign.toml"
        house.write_text(house.read_text("utf-8").replace('dice = "program"', 'dice = "real"'), "utf-8")
        await pilot.until(lambda: here.table.session.dice == "real")
        here.table.fight.close()


async def test_conditions_and_meters_added_to_the_campaign_take_effect_at_once(
    disk: Disk, tmp_path: Path
) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here, (140, 40)) as pilot:
        await pilot.until(lambda: here.background.listens)
        file = tmp_path / "campaigns" / OKADO / "campaign.toml"
        before = file.read_text("utf-8")
        file.write_text(before + RULES, "utf-8")
        session = here.table.session
        await pilot.until(lambda: session.game.condition("hexed") is not None)
        await pilot.press(*":set okado mana 4", "enter", *":condition 1 hexed", "enter")
        assert session.encounter.combatants["okado"].sheet.mana == 4
        attack = session.game.action("attack")
        seen = session.preview(attack, "guard-1", "okado", attack.options())
        [hexed] = session.encounter.combatants["guard-1"].conditions
        assert hexed.value == 1
        file.write_text(before, "utf-8")
        await pilot.until(lambda: here.services.messages.is_error)
        assert "log.toml: the events do not fit campaign.toml" in here.sentence
        assert "mana" in here.sentence
        assert session.preview(attack, "guard-1", "okado", attack.options()) == seen
        only_meter = before + RULES.partition("[[condition]]")[0]
        file.write_text(only_meter, "utf-8")
        await pilot.until(lambda: session.game.condition("hexed") is None)
        here.table.fight.close()
