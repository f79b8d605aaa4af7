"""The server's side of the warm process: starts it, requests seats from it, and restarts it if it dies."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

from tui.wire.frames import FrameReader, Message, encode

_PAUSE = 0.2  # seconds before a dead warm process is restarted
_LONGEST_PAUSE = 10.0
_START = "import sys; sys.path[:] = eval(sys.argv[1]); from tui.seats.warm import main; main()"


class WarmProcess:
    """Forks seats. `on_ended` is called with the process id and exit status of each ended seat."""

    def __init__(self) -> None:
        self.on_ended: Callable[[int, int], None] = lambda pid, status: None
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
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
        environment = {**os.environ, "PYTHONUTF8": "1", "TEXTUAL_FPS": "120", "TERM": "xterm-256color"}
        for name in ("COLORTERM", "NO_COLOR", "TEXTUAL", "TEXTUAL_DEBUG", "PYTHONUNBUFFERED"):
            environment.pop(name, None)
        self._process = subprocess.Popen(
            words,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        theirs.close()
        ours.setblocking(False)
        self._control, self._reader, self.ready = ours, FrameReader(), False

    @property
    def pid(self) -> int:
        """The process id, or 0 if it does not run."""
        return self._process.pid if self._process else 0

    def attach(self) -> None:
        """Handle the process's messages in the running event loop."""
        if self._control:
            asyncio.get_running_loop().add_reader(self._control, self._read)

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

    def _take(self, message: Message) -> None:
        match message["kind"]:
            case "ready":
                self.ready, self._pause = True, _PAUSE
            case "started":
                answer = self._waiting.get(message["id"])
                if answer and not answer.done():
                    answer.set_result(message["pid"])
            case "ended":
                self.on_ended(message["pid"], message["status"])

    def _died(self) -> None:
        """Restart the warm process. Running seats continue without it."""
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
        if self._control:
            with suppress(RuntimeError):
                asyncio.get_running_loop().remove_reader(self._control)
            self._control.close()
        if self._process:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        self._control = self._process = None
        self.ready = False

    def close(self) -> None:
        """End the process. The seats' processes end with their terminals."""
        self._closed = True
        if self._restart:
            self._restart.cancel()
        self._drop()
