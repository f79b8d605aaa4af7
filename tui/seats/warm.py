"""The warm process: loads everything that a seat's program needs, and forks one program for each seat.

It is started by exec, before the server opens the campaign, and never sees any of it. It talks with the
server over a local socket. A request with two descriptors (the terminal and the seat's wire) starts a child.
The answer is the child's process id, followed by its exit status when it ends.
"""

import gc
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from tui.terminal.log_file import send_log
from tui.terminal.program_log import log_error
from tui.terminal.symbols import tell_depth
from tui.wire.frames import FrameReader, Message, encode

_MEMORY = 512 * 1024 * 1024  # bytes of address space beyond what is mapped when the child begins
_PROCESSOR = 2 * 3600  # seconds
_FILES = 64
_NICE = 10
_WITH_LOG = 4  # words of the command line
_TRIES, _BETWEEN_TRIES = 5, 0.1  # Linux allows this call ten times a second, for all processes together


def main() -> None:
    """Run the warm process.

    The last argument of the command line is the descriptor of its socket. If the log is on, the one before is
    that of the socket for records of the log.
    """
    control = socket.socket(fileno=int(sys.argv[-1]))
    if len(sys.argv) == _WITH_LOG:
        send_log(socket.socket(fileno=int(sys.argv[-2])))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    let_session_give_way()
    warm_up()
    signal.signal(signal.SIGCHLD, lambda *_: _reap(control))
    control.sendall(encode({"kind": "ready"}))
    _serve(control)


def warm_up() -> None:
    """Import and make everything a seat needs, and exempt all objects from garbage collection."""
    from tui.seats.program import make_ready

    make_ready()
    gc.collect()
    gc.freeze()


def _serve(control: socket.socket) -> None:
    reader = FrameReader()
    descriptors: list[int] = []
    while True:
        try:
            data, received, _, _ = socket.recv_fds(control, 65_536, 2)
        except OSError:
            return
        descriptors += received
        if not data:
            return
        for message in reader.feed(data):
            pair, descriptors = descriptors[:2], descriptors[2:]
            if len(pair) == 2:
                _start(control, pair, message)


def _start(control: socket.socket, pair: list[int], message: Message) -> None:
    """Fork the process of one seat."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        _become_seat(control, pair, message)
    for descriptor in pair:
        os.close(descriptor)
    control.sendall(encode({"kind": "started", "id": message["id"], "pid": pid}))


def _reap(control: socket.socket) -> None:
    """Report each ended child to the server."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        with suppress(OSError):
            control.sendall(encode({"kind": "ended", "pid": pid, "status": status}))


def _become_seat(control: socket.socket, pair: list[int], message: Message) -> NoReturn:
    """Take the terminal, set limits, run the seat's program, and end. Runs in the child."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        control.close()
        terminal, wire = pair
        take_terminal(terminal)
        let_session_give_way()
        limit_resources()
        _set_environment(message)
        from tui.seats.program import run_seat

        status = run_seat(socket.socket(fileno=wire))
    except BaseException as error:  # noqa: BLE001 - whatever it is, the child must not run on as a second server
        log_error("a seat's process has failed", error)
        if os.environ.get("AFFRAY_TRACEBACK"):
            sys.excepthook(type(error), error, error.__traceback__)
    finally:
        with suppress(BaseException):
            sys.__stderr__.flush()  # type: ignore[union-attr]  # a program without one is covered too
        os._exit(status)


def take_terminal(terminal: int) -> None:
    """Make a terminal the standard streams and the controlling terminal of a new session."""
    import fcntl
    import termios

    os.setsid()
    fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(terminal, stream)
    if terminal > 2:
        os.close(terminal)


def let_session_give_way() -> None:
    """Lower the priority of this whole session.

    If Linux groups processes by session, a process's own nice value counts only within its session, and a new
    session begins with the normal priority.
    """
    for _ in range(_TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(_NICE), encoding="ascii")
            return
        except BlockingIOError:
            time.sleep(_BETWEEN_TRIES)
        except OSError:
            return


def limit_resources() -> None:
    """Limit this process: no written files, and bounded memory and processor time."""
    import resource

    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, 0)
    _lower(resource.RLIMIT_NOFILE, _FILES)
    _lower(resource.RLIMIT_CPU, _PROCESSOR)
    if sys.platform.startswith("linux"):
        _lower(resource.RLIMIT_AS, _mapped() + _MEMORY)


def _lower(limit: int, most: int) -> None:
    import resource

    hard = resource.getrlimit(limit)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(limit, (value, value))


def _mapped() -> int:
    """Return the bytes of address space that this process has mapped."""
    with open("/proc/self/statm", encoding="ascii") as statm:  # noqa: PTH123 - a pseudo-file
        return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def _set_environment(message: Message) -> None:
    settings: dict[str, Any] = dict(message.get("environment", {}))
    for name in ("TERM", "COLORTERM"):
        os.environ.pop(name, None)
    os.environ.update({str(name): str(value) for name, value in settings.items()})
    # A client's own NO_COLOR is not sent over SSH.
    tell_depth(os.environ)


if __name__ == "__main__":
    main()
