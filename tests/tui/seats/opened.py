"""A table for tests: a campaign, `affray serve` on a free port, and OpenSSH's own client at it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from tests.command import environment, program, sample
from tests.forked import POSSIBLE, Forked, fork_program
from tui.services import FirstLook

PATIENCE = 20.0
_ESCAPES = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_])")
_QUESTION, _ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"
CAMPAIGN = "okado-at-the-gate"


class NeverCame(AssertionError):
    """A text was not painted in time."""


class Client:
    """A program on a pseudo-terminal of its own, such as `ssh`."""

    def __init__(
        self,
        words: Sequence[str | Path],
        size: tuple[int, int] = (80, 24),
        env: dict[str, str] | None = None,
        *,
        forked: bool = False,
    ) -> None:
        """Start a program. With `forked` the words are those of `affray`, whose modules are loaded then."""
        env = env or {**os.environ, "TERM": "xterm-256color"}
        if forked and POSSIBLE:
            self.end, terminal = pty.openpty()
            self.resize(*size)
            self.pid = fork_program(words, [terminal] * 3, env, has_terminal=True)
            os.close(terminal)
        else:
            started = program(*words) if forked else [str(word) for word in words]
            self.pid, self.end = pty.fork()
            if self.pid == 0:
                os.execvpe(started[0], started, env)
            self.resize(*size)
        self.output = bytearray()
        self.over = False
        self.status: int | None = None

    def resize(self, columns: int, rows: int) -> None:
        """Make the terminal another size."""
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, patience: float = 0.05) -> bytes:
        """What comes within that time."""
        if self.over or not select.select([self.end], [], [], patience)[0]:
            return b""
        try:
            data = os.read(self.end, 1 << 16)
        except OSError:
            data = b""
        self.over = not data
        for _ in range(data.count(_QUESTION)):
            os.write(self.end, _ANSWER)
        self.output += data
        return data

    @property
    def text(self) -> str:
        """Return all output since the last `forget`, without its escape sequences."""
        return _ESCAPES.sub(b" ", bytes(self.output)).decode(errors="replace")

    def forget(self) -> None:
        """Ignore all output up to now."""
        self.read(0)
        self.output.clear()

    def until(self, *texts: str, patience: float = PATIENCE) -> str:
        """Wait until all the texts were painted."""
        end = monotonic() + patience
        while monotonic() < end and not self.over:
            if all(text in self.text for text in texts):
                return self.text
            self.read()
        if all(text in self.text for text in texts):
            return self.text
        raise NeverCame(f"{texts} never came: {self.text[-1500:]!r}")

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self.end, keys.encode())

    def take(self) -> None:
        """Press Enter for a request that has just come in sight: an Enter right after it would not count."""
        seen = monotonic() + FirstLook.GRACE
        while monotonic() <= seen:
            self.read()
        self.press("\r")

    def finished(self, patience: float = PATIENCE) -> int:
        """Wait for the end of the program; its exit status."""
        end = monotonic() + patience
        while not self.over:
            self.read()
            assert monotonic() < end, f"still runs: {self.text[-800:]!r}"
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End the program, if it still runs."""
        if self.status is None:
            os.kill(self.pid, number)

    def close(self) -> None:
        """End the program and give the terminal back."""
        self.kill()
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.end)


@dataclass(slots=True)
class Table:
    """A running server. `folder` holds all that belongs to it."""

    folder: Path
    campaign: Path
    process: subprocess.Popen[bytes]
    port: int
    line: str
    clients: list[Client] = field(default_factory=list)

    def key(self, name: str = "key") -> Path:
        """Return the file of a private key, and create the pair of keys if it is missing."""
        file = self.folder / name
        if not file.exists():
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(file)]
            subprocess.run(words, check=True)
        return file

    def words(self, name: str, *more: str, key: Path | None = None, command: str = "ssh") -> list[str]:
        """Return the command line of a client that uses no other configuration."""
        options = {
            "UserKnownHostsFile": "/dev/null",
            "GlobalKnownHostsFile": "/dev/null",
            "StrictHostKeyChecking": "no",
            "IdentityAgent": "none",
            "IdentitiesOnly": "yes",
            "LogLevel": "ERROR",
            "IdentityFile": str(key) if key else "/nonexistent",
        }
        given = [word for option, value in options.items() for word in ("-o", f"{option}={value}")]
        port = "-p" if command == "ssh" else "-P"
        host = [f"{name}@127.0.0.1"] if command == "ssh" else []
        return [command, "-F", "none", *given, port, str(self.port), *more, *host]

    def seat(
        self, name: str, *more: str, key: Path | None = None, size: tuple[int, int] = (80, 24)
    ) -> Client:
        """A client on a terminal."""
        client = Client(self.words(name, *more, key=key), size)
        self.clients.append(client)
        return client

    def ssh(
        self, name: str, *command: str, key: Path | None = None, options: Sequence[str] = ()
    ) -> subprocess.CompletedProcess[str]:
        """A client without a terminal, run to its end."""
        words = [*self.words(name, *options, key=key), *command]
        return subprocess.run(
            words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False
        )

    def log(self) -> str:
        """What the server has logged so far."""
        return (self.folder / "server.txt").read_text(encoding="utf-8")

    def logged(self, text: str) -> str:
        """Wait until the server has logged a text."""
        wait_for(lambda: text in self.log(), f"{text!r} in the server's log")
        return self.log()


def wait_for(condition: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait until a condition holds that depends on another process."""
    end = monotonic() + patience
    while not condition():
        assert monotonic() < end, f"never came: {what}"
        select.select([], [], [], 0.01)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed]


def with_key(campaign: Path, seat: str, *keys: Path) -> None:
    """Write public keys to a seat of a campaign, as a person would."""
    file = campaign / "seats.toml"
    lines = ", ".join(f'"{key.with_suffix(".pub").read_text().strip()}"' for key in keys)
    name = f'name = "{seat}"\n'
    text = file.read_text(encoding="utf-8")
    assert name in text
    file.write_text(text.replace(name, f"{name}keys = [{lines}]\n"), encoding="utf-8")


@contextmanager
def served(
    folder: Path,
    *words: str,
    keys: dict[str, str] | None = None,
    name: str = CAMPAIGN,
    forked: bool = POSSIBLE,
) -> Iterator[Table]:
    """A server of a sample's copy, until the end of the block. `keys`: the name of a key for each seat.

    Tests about the server's processes start them by `exec`, as a user does: not `forked`.
    """
    campaign = folder / "campaigns" / name
    if not campaign.exists():
        (folder / "campaigns").mkdir(parents=True)
        sample(folder / "campaigns", name)
    table = Table(folder, campaign, None, 0, "")  # type: ignore[arg-type]
    for seat, key in (keys or {}).items():
        with_key(campaign, seat, table.key(key))
    asked = ["serve", str(campaign), "--listen", "127.0.0.1", "--port", "0", *words]
    with (folder / "server.txt").open("wb") as errors:
        table.process = (Forked if forked else subprocess.Popen)(
            asked if forked else program(*asked),
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment(XDG_STATE_HOME=str(folder / "state")),
        )
    try:
        assert table.process.stdout is not None
        table.line = table.process.stdout.readline().decode()
        assert table.line.startswith("listening on "), (table.line, table.log())
        table.port = int(table.line.split(",")[0].rpartition(":")[2])
        yield table
    finally:
        for client in table.clients:
            client.close()
        table.process.terminate()
        try:
            table.process.wait(5)
        finally:
            table.process.kill()
            table.process.wait()
            if table.process.stdout:
                table.process.stdout.close()
