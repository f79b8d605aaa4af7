"""Helper processes of the screens, which calculate dangers and forecasts; see tui.session.helper."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, TypeVar

from systems.codec.plain import from_plain
from tui.session.live_fight import FightSender, HelperMessage
from tui.session.work import Work, WorkAnswer
from tui.terminal.program_log import is_on

if TYPE_CHECKING:
    from tui.campaign.campaign import Campaign
    from tui.session.session import Session

A = TypeVar("A", bound=WorkAnswer)
# After this many failures in a row, no process is started again.
MOST_FAILURES = 3
# Bytes that are read at once.
_READ = 65_536
# Seconds that the end of the program waits for the end of a process.
_PATIENCE = 0.3
# Seconds until it is asked again whether killed processes have ended.
_REAPED = 0.05
# Lets the process give way to everything else on the machine, from its first import on.
LOWER_PRIORITY = "from tui.terminal.priority import lower_priority; lower_priority()"
LOG = "from tui.terminal.log_file import log_helper; log_helper()"
HELP = "from tui.session.helper import main; main()"
_PATHS = "import sys; sys.path[:] = eval(sys.argv.pop(1))"


class HelperProcess(Generic[A]):
    """A process that calculates for the screens, for one user such as a page.

    The first work starts it, and it is ready for more until it is stopped. The fight is sent as data, in
    small messages, whenever the pipe takes one. `answers`: the class of its answers. `answered` gets the
    newest answer of those that have arrived together, and None if the process ends by itself.
    """

    def __init__(self, answers: type[A], answered: Callable[[A | None], None]) -> None:
        self._answers, self._answered = answers, answered
        self._loop = asyncio.get_running_loop()
        self.process: subprocess.Popen[bytes] | None = None
        # Whether the newest work is unfinished.
        self.is_working = False
        self._failures = 0
        self._sender = FightSender()
        self._messages: Iterator[HelperMessage] = iter(())
        self._unsent = self._received = b""
        self._ended: list[subprocess.Popen[bytes]] = []

    @property
    def can_work(self) -> bool:
        """Return whether there can be a process. The loop of Windows cannot wait for a pipe."""
        return sys.platform != "win32" and self._failures < MOST_FAILURES

    def ask(self, campaign: "Campaign", session: "Session", work: Work, *, with_log: bool = False) -> None:
        """Have the process calculate something for the present fight. Cancels unfinished work.

        `with_log`: send the events of the fight too.
        """
        self.cancel()
        if self.process is None:
            self._start()
        self.is_working = True
        self._messages = self._sender.messages(campaign, session, work, with_log=with_log)
        self._loop.add_writer(self._input, self._write)

    def cancel(self) -> None:
        """End the process if it has unfinished work."""
        if self.is_working:
            self.end()

    def end(self) -> None:
        """End the process at once. It has nothing to save."""
        process, self.process, self.is_working = self.process, None, False
        self._messages, self._unsent, self._received = iter(()), b"", b""
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        self._loop.remove_writer(process.stdin.fileno())
        self._loop.remove_reader(process.stdout.fileno())
        process.kill()
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        self._ended.append(process)
        self._reap()

    def stop(self) -> None:
        """End the process, and wait a moment for the end of all of them."""
        self.end()
        for process in self._ended:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
        self._ended, self._failures = [], 0

    def _reap(self) -> None:
        """Ask for the ends of killed processes until all have ended: only then are they gone."""
        self._ended = [each for each in self._ended if each.poll() is None]
        if self._ended:
            self._loop.call_later(_REAPED, self._reap)

    def _start(self) -> None:
        self._sender = FightSender()
        log = LOG if is_on() else ""
        program = "; ".join(part for part in (_PATHS, LOWER_PRIORITY, log, HELP) if part)
        self.process = process = subprocess.Popen(
            [sys.executable, "-c", program, repr(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            # It gets the lowest priority of a session, too; see tui.terminal.priority.
            start_new_session=True,
        )
        assert process.stdout is not None
        for end in (self._input, process.stdout.fileno()):
            os.set_blocking(end, False)
        self._loop.add_reader(process.stdout.fileno(), self._read)

    @property
    def _input(self) -> int:
        assert self.process is not None
        assert self.process.stdin is not None
        return self.process.stdin.fileno()

    def _write(self) -> None:
        """Send the next message, or as much of it as the pipe takes."""
        if not self._unsent:
            message = next(self._messages, None)
            if message is None:
                self._loop.remove_writer(self._input)
                return
            self._unsent = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        try:
            self._unsent = self._unsent[os.write(self._input, self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            self._fail()

    def _read(self) -> None:
        """Read what the process has written; only the newest answer counts."""
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            part = os.read(self.process.stdout.fileno(), _READ)
        except BlockingIOError:
            return
        if not part:
            self._fail()
            return
        *lines, self._received = (self._received + part).split(b"\n")
        if lines:
            answer = from_plain(self._answers, json.loads(lines[-1]))
            self.is_working, self._failures = not answer.is_last, 0
            self._answered(answer)

    def _fail(self) -> None:
        """Report that the process has ended by itself."""
        self._failures += 1
        self.end()
        self._answered(None)
