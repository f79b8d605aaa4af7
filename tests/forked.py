"""Start the program by a fork of a process that has loaded its modules. This saves a second for each server.

A forked program has its own streams, terminal, environment and folder. The test is its parent, so it can
wait for it and kill it as usual. Only two things differ: the program imports next to nothing while it starts,
and a server's warm process has painted its first screen before the fork. Tests about how the program starts,
what it imports and what its processes may do start it with `exec` instead.
"""

import asyncio
import atexit
import ctypes
import gc
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
POSSIBLE = sys.platform.startswith("linux")
_ADOPT_ORPHANS = 36  # PR_SET_CHILD_SUBREAPER
_LARGEST = 100_000  # bytes of a request
_START = "import sys, socket; from tests.forked import answer; answer(socket.socket(fileno=int(sys.argv[1])))"
# The modules that are loaded before the fork: for all verbs, the game of most tests included, and by verb. A
# campaign without a verb opens the screens.
_ALWAYS = ("tui.cli.main", "tui.cli.parser", "systems.atlantis")
_SCREENS = ("tui.cli.open", "tui.app", "tui.screens.catalogue", "tui.screens.initiative", "tui.linear")
_LOADED = {
    "serve": ("tui.cli.serve", "tui.seats.serving", "tui.seats.warm", "tui.seats.app", "textual.pilot"),
    "watch": ("tui.cli.watch", "tui.seats.app", "textual.driver"),
    "run": ("tui.cli.run",),
    "show": ("tui.cli.show",),
}


def fork_program(
    words: Sequence[str | Path],
    streams: Sequence[int],
    environment: Mapping[str, str],
    folder: Path | None = None,
    *,
    new_session: bool = False,
    has_terminal: bool = False,
) -> int:
    """Start `affray WORDS`, or Python code after `-c`, with these three streams, and return the process id.

    With `has_terminal` the streams are its controlling terminal, in a new session.
    """
    request = {
        "words": [str(word) for word in words],
        "environment": dict(environment),
        "folder": str(folder or Path.cwd()),
        "new_session": new_session or has_terminal,
        "has_terminal": has_terminal,
    }
    return _loaded().start(request, streams)


class Forked(subprocess.Popen[bytes]):
    """A forked program `affray WORDS` with the methods of `subprocess.Popen`."""

    def __init__(
        self,
        words: Sequence[str | Path],
        *,
        has_terminal: bool = False,
        cwd: Path | None = None,
        **given: Any,
    ) -> None:
        self._has_terminal = has_terminal
        super().__init__([str(word) for word in words], cwd=cwd, **given)

    def _execute_child(self, *given: Any) -> None:
        words, folder, environment, pipes = given[0], given[5], given[6], given[10:16]
        streams = [own if end < 0 else end for own, end in enumerate((pipes[0], pipes[3], pipes[5]))]
        try:
            self.pid = fork_program(
                words,
                streams,
                environment or os.environ,
                folder,
                new_session=given[21],
                has_terminal=self._has_terminal,
            )
            self._child_created = True
        finally:
            self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]


class _LoadedProcess:
    """The process that loads the program's modules and forks programs."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            cwd=ROOT,
            # Python reads this setting once. A server starts its warm process with it.
            env={**os.environ, "PYTHONUTF8": "1"},
        )
        theirs.close()
        self._alone = threading.Lock()

    def start(self, request: dict[str, Any], streams: Sequence[int]) -> int:
        """Fork a program, become its parent, and return its process id."""
        with self._alone:
            _adopt_orphans(True)
            try:
                socket.send_fds(self._control, [json.dumps(request).encode()], streams)
                return int(self._control.recv(_LARGEST))
            finally:
                _adopt_orphans(False)

    def close(self) -> None:
        self._control.close()
        self._process.wait()


_kept: list[_LoadedProcess] = []


def _loaded() -> _LoadedProcess:
    """Return the process that forks programs, and start it for the first one."""
    if not _kept:
        _kept.append(_LoadedProcess())
        atexit.register(_kept[0].close)
    return _kept[0]


def _adopt_orphans(on: bool) -> None:
    """Become the parent of each descendant whose own parent ends, or stop that."""
    ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, int(on), 0, 0, 0)


def answer(control: socket.socket) -> None:
    """Fork a program for each request, and answer with its process id. Runs in the loaded process."""
    loaded: set[Sequence[str]] = set()
    while True:
        data, descriptors, _, _ = socket.recv_fds(control, _LARGEST, 3)
        if not data:
            return
        request = json.loads(data)
        modules = _modules_of(request["words"])
        if modules not in loaded:
            loaded.add(modules)
            _load(modules)
        control.send(str(_fork_orphan(request, descriptors, control)).encode())
        for descriptor in descriptors:
            os.close(descriptor)


def _load(modules: Sequence[str]) -> None:
    """Import modules, and let the forked programs collect garbage seldom, and none of these objects."""
    for name in (*_ALWAYS, *modules):
        import_module(name)
    if modules is _LOADED["serve"]:
        from tui.seats import program

        asyncio.run(program._paint_once())
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def _modules_of(words: list[str]) -> Sequence[str]:
    return next((_LOADED[word] for word in words if word in _LOADED), _SCREENS)


def _fork_orphan(request: dict[str, Any], descriptors: list[int], control: socket.socket) -> int:
    """Fork a program and end its parent, so that the test adopts it. Return its process id."""
    read, write = os.pipe()
    parent = os.fork()
    if parent == 0:
        program = os.fork()
        if program == 0:
            control.close()
            os.close(read)
            os.close(write)
            _become(request, descriptors)
        os.write(write, str(program).encode())
        os._exit(0)
    os.close(write)
    program = int(os.read(read, _LARGEST))
    os.close(read)
    os.waitpid(parent, 0)
    return program


def _become(request: dict[str, Any], descriptors: list[int]) -> NoReturn:
    """Take the streams, terminal, environment and folder of a program, run it, and end."""
    status = 1
    try:
        if request["new_session"]:
            os.setsid()
        if request["has_terminal"]:
            import fcntl
            import termios

            fcntl.ioctl(descriptors[0], termios.TIOCSCTTY, 0)
        for stream, descriptor in enumerate(descriptors):
            os.dup2(descriptor, stream)
            os.close(descriptor)
        os.environ.clear()
        os.environ.update(request["environment"])
        os.environ.setdefault("PYTHONUTF8", "1")
        time.tzset()
        os.chdir(request["folder"])
        _open_streams()
        random.seed()
        sys.path[0] = request["folder"]
        sys.argv = [str(ROOT / "tui" / "__main__.py"), *request["words"]]
        status = _run(request["words"])
    except BaseException:  # noqa: BLE001 - the child must never return and answer requests
        traceback.print_exc()
    finally:
        os._exit(status)


def _run(words: list[str]) -> int:
    from tui.cli.main import main

    _fork_warm_processes()
    status = main() if words[0] != "-c" else _run_code(words[1])
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    return status


def _run_code(code: str) -> int:
    try:
        exec(code, {"__name__": "__main__"})
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def _open_streams() -> None:
    """Open the standard streams again, because their buffers depend on what they write to."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        buffered = 1 if number == 2 or os.isatty(number) else -1
        errors = "backslashreplace" if number == 2 else "strict"
        stream = open(number, mode, buffered, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _fork_warm_processes() -> None:
    """Let a server fork its warm process, which would otherwise load the modules again."""
    warm_process = sys.modules.get("tui.seats.warm_process")
    if warm_process is not None:
        replaced = SimpleNamespace(Popen=_WarmFork, DEVNULL=subprocess.DEVNULL)
        warm_process.subprocess = replaced  # type: ignore[attr-defined]


class _WarmFork(subprocess.Popen[bytes]):
    """The warm process of a server, forked before the server reads the campaign."""

    def _execute_child(self, *given: Any) -> None:
        if threading.active_count() > 1 or _in_event_loop():
            # The server has opened the campaign, so a second warm process is started with `exec`.
            super()._execute_child(*given)  # type: ignore[misc]
            return
        words, passed, environment, pipes = given[0], given[4], given[6], given[10:16]
        self.pid = os.fork()
        if self.pid == 0:
            _become_warm(words, passed, environment)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]


def _in_event_loop() -> bool:
    return asyncio._get_running_loop() is not None


async def _has_painted() -> None:
    """Paint nothing: the loaded process has done it for all servers."""


def _become_warm(words: Sequence[str], passed: Sequence[int], environment: dict[str, str]) -> NoReturn:
    status = 1
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        for descriptor in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
            if descriptor > 2 and descriptor not in passed:
                with suppress(OSError):
                    os.close(descriptor)
        os.environ.clear()
        os.environ.update(environment)
        _open_streams()
        sys.argv = ["-c", *words[3:]]
        from tui.seats import program, warm

        program._paint_once = _has_painted
        warm.main()
        status = 0
    except BaseException:  # noqa: BLE001 - the child must never go on as a second server
        traceback.print_exc()
    finally:
        os._exit(status)
