"""A helper process leaves nothing behind, whichever process is killed."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.controllers import helper_process

# A program without a screen, which has a fight played and prints the helper's number once it answers.
_PROGRAM = """
import asyncio, sys
from pathlib import Path
from tui.controllers import helper_process
from tui.session.forecasts import ForecastAnswer
from tui.session.opening import open_fight
from tui.session.work import Work
helper_process.LOWER_PRIORITY = ""
async def main():
    fight = open_fight(Path(sys.argv[1]), write=False)
    def tell(answer):
        print(helper.process.pid, flush=True)
    helper = helper_process.HelperProcess(ForecastAnswer, tell)
    work = Work("forecast", 10**6, 1, "sensible first")
    helper.ask(fight.campaign, fight.session, work)
    await asyncio.Event().wait()
asyncio.run(main())
"""


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells when a process has ended")
def test_a_program_that_is_killed_leaves_neither_process_nor_file(tmp_path: Path) -> None:
    campaign = copied(tmp_path)
    before = files(tmp_path)
    program = subprocess.Popen([sys.executable, "-c", _PROGRAM, campaign], stdout=subprocess.PIPE)
    assert program.stdout is not None
    helper = os.pidfd_open(int(program.stdout.readline()))
    program.kill()
    program.wait(10)
    program.stdout.close()
    # The number is readable once the process has ended.
    assert select.select([helper], [], [], 10)[0] == [helper]
    os.close(helper)
    assert files(tmp_path) == before


async def test_after_a_helper_was_killed_the_next_one_plays_the_fight_on_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(opened(tmp_path), (80, 24)) as pilot:
        app = pilot.app
        session = app.table.session
        assert session is not None
        # The disk never gets this event.
        session.writer = Unwritten()
        session.do("remove guard-2")
        # The first helper never answers.
        monkeypatch.setattr(helper_process, "HELP", "import signal; signal.pause()")
        await pilot.press("K")
        monkeypatch.undo()
        helper = app.background.open_forecasts().helper
        first = helper.process
        assert first is not None
        first.send_signal(signal.SIGKILL)
        await pilot.until(lambda: "affray forecast says why" in text_of(app))
        assert helper.process is None
        await pilot.until(lambda: first.returncode == -signal.SIGKILL)
        # What a game prints is no answer.
        noise = "from tui.session import helper; own = helper.forecaster_of"
        prints = "helper.forecaster_of = lambda *given, **named: print('noise') or own(*given, **named)"
        monkeypatch.setattr(helper_process, "HELP", f"{noise}; {prints}; helper.main()")
        await pilot.press("escape", "K")
        await pilot.until(lambda: "Foes: Guard 1 " in text_of(app))
        second = helper.process
        assert second is not None
        second.kill()
        await pilot.until(lambda: "Playing has stopped early" in text_of(app))
        [foes] = [line for line in text_of(app).splitlines() if "Foes: " in line]
        assert "Guard 2" not in foes


class Unwritten:
    """Saves nothing."""

    def append(self, *events: object) -> None:
        pass


def test_an_error_in_a_helper_is_logged_without_its_message(tmp_path: Path) -> None:
    log = tmp_path / "it.log"
    # There is no fight to work on.
    work = b'{"work": {"name": "dangers"}, "events": 0, "done": {}}\n'
    helper = subprocess.Popen(
        [sys.executable, "-c", f"{helper_process.LOG}; {helper_process.HELP}"],
        stdin=subprocess.PIPE,
        env={**os.environ, "AFFRAY_LOG": str(log)},
    )
    assert helper.stdin is not None
    helper.stdin.write(work)
    helper.stdin.flush()
    assert helper.wait(20) == 1
    helper.stdin.close()
    text = log.read_text()
    assert "the helper has failed" in text
    assert "live_fight.py" in text
    assert text.endswith("\nFileProblem\n")
