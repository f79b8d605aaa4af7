"""The server's side of the warm process: starts it, requests seats from it, and restarts it if it dies."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

from tui.seats.bounds import TokenBucket
from tui.terminal.log_file import LONGEST_RECORD, received_record
from tui.terminal.program_log import is_on, log_info, log_warning
from tui.wire.frames import FrameReader, Message, encode

_PAUSE = 0.2  # seconds before a dead warm process is restarted
_LONGEST_PAUSE = 10.0
# Records of a seat's process that are logged a second, and at once. More are dropped.
_RECORDS, _RECORD_BURST = 1.0, 20.0
# Variables of the server that its seats' processes do not get: settings of its terminal, and a secret.
NOT_INHERITED = ("COLORTERM", "NO_COLOR", "TEXTUAL", "TEXTUAL_DEBUG", "PYTHONUNBUFFERED", "AFFRAY_WEBHOOK")
_START = "import sys; sys.path[:] = eval(sys.argv[1]); from tui.seats.warm import main; main()"


class WarmProcess:
    """Forks seats. `on_ended` is called with the process id and exit status of each ended seat."""

    def __init__(self) -> None:
        self.on_ended: Callable[[int, int], None] = lambda pid, status: None
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._log: socket.socket | None = None
        self._records = TokenBucket(_RECORDS, _RECORD_BURST, 0)
        self._reader = FrameReader()
        self._waiting: dict[int, asyncio.Future[int]] = {}
        self._last = 0
        self._pause = _PAUSE
        self._closed = False
        self._restart: asyncio.TimerHandle | None = None
        self.ready = False

    def start(self) -> None:
        """Start the process by exec. It needs no event loop, so it can be started first."""
        ours, theirs = socket.socketpair()
        words = [sys.executable, "-c", _START, repr(sys.path), str(theirs.fileno())]
        passed = [theirs.fileno()]
        log: socket.socket | None = None
        if is_on():
            # A seat's process can write no file, so it sends the server what is to be logged.
            self._log, log = socket.socketpair(type=socket.SOCK_DGRAM)
            self._log.setblocking(False)
            words.insert(-1, str(log.fileno()))
            passed.append(log.fileno())
        environment = {**os.environ, "PYTHONUTF8": "1", "TEXTUAL_FPS": "120", "TERM": "xterm-256color"}
        for name in NOT_INHERITED:
            environment.pop(name, None)
        self._process = subprocess.Popen(
            words,
            pass_fds=passed,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        theirs.close()
        if log is not None:
            log.close()
        ours.setblocking(False)
        self._control, self._reader, self.ready = ours, FrameReader(), False

    @property
    def pid(self) -> int:
        """Return the process id, or 0 if it does not run."""
        return self._process.pid if self._process else 0

    def attach(self) -> None:
        """Handle the process's messages in the running event loop."""
        loop = asyncio.get_running_loop()
        if self._control:
            loop.add_reader(self._control, self._read)
        if self._log:
            loop.add_reader(self._log, self._read_log)

    async def fork(self, terminal: int, wire: socket.socket, environment: Mapping[str, str]) -> int:
        """Fork the process of a seat and return its process id. Raises OSError if that fails."""
        if self._control is None:
            raise OSError("there is no warm process")
        self._last += 1
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        number = self._last
        self._waiting[number] = answer
        request = encode({"kind": "fork", "id": number, "environment": dict(environment)})
        try:
            socket.send_fds(self._control, [request], [terminal, wire.fileno()])
            return await asyncio.wait_for(answer, 30)
        except TimeoutError:
            raise OSError("the warm process does not answer") from None
        finally:
            self._waiting.pop(number, None)

    def _read(self) -> None:
        assert self._control is not None
        try:
            data = self._control.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._died()
            return
        for message in self._reader.feed(data):
            self._take(message)

    def _read_log(self) -> None:
        """Log what a seat's process has sent. It is not trusted, so its records are few and short."""
        assert self._log is not None
        with suppress(OSError):
            data = self._log.recv(LONGEST_RECORD)
            if self._records.try_take(1, asyncio.get_running_loop().time()):
                log_info("from a seat's process: %s", received_record(data))

    def _take(self, message: Message) -> None:
        match message["kind"]:
            case "ready":
                self.ready, self._pause = True, _PAUSE
            case "started":
                answer = self._waiting.get(message["id"])
                if answer and not answer.done():
                    answer.set_result(message["pid"])
            case "ended":
                pid, status = message["pid"], message["status"]
                log_info("the process %s of a seat has ended with status %s", pid, status)
                self.on_ended(pid, status)

    def _died(self) -> None:
        """Restart the warm process. Running seats continue without it."""
        log_warning("the warm process has ended")
        self._drop()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(OSError("the warm process has ended"))
        if not self._closed:
            loop = asyncio.get_running_loop()
            self._restart = loop.call_later(self._pause, self._start_again)
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def _start_again(self) -> None:
        self.start()
        self.attach()

    def _drop(self) -> None:
        for end in (self._control, self._log):
            if end is None:
                continue
            with suppress(RuntimeError):
                asyncio.get_running_loop().remove_reader(end)
            end.close()
        if self._process:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        self._control = self._log = self._process = None
        self.ready = False

    def close(self) -> None:
        """End the process. The seats' processes end with their terminals."""
        self._closed = True
        if self._restart:
            self._restart.cancel()
        self._drop()
