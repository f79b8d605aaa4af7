"""A seat under the system's own sshd, with the very line of the page on hosting."""

import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from systems.frozen import frozen
from tests.command import ROOT, commands, environment, may_skip, program, sample, start_forked
from tests.tui.seats.opened import CAMPAIGN, Client, served, wait_for

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
pytestmark = pytest.mark.skipif(may_skip(SSHD is None), reason="sshd is not installed")

_CONFIGURATION = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized
PidFile none
UsePAM no
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
GatewayPorts clientspecified
SetEnv {environment}
"""


@frozen
class Sshd:
    """A running sshd of our own. `campaign`: the one whose seat its only key opens."""

    folder: Path
    campaign: Path
    port: int

    def words(self, *more: str) -> list[str]:
        """The command line of a client."""
        options = {
            "UserKnownHostsFile": "/dev/null",
            "StrictHostKeyChecking": "no",
            "IdentityAgent": "none",
            "IdentitiesOnly": "yes",
            "LogLevel": "ERROR",
            "IdentityFile": str(self.folder / "key"),
        }
        given = [word for option, value in options.items() for word in ("-o", f"{option}={value}")]
        return ["ssh", "-F", "none", *given, "-p", str(self.port), *more, "127.0.0.1"]

    def run(self, *more: str) -> subprocess.CompletedProcess[str]:
        """A client without a terminal, run to its end."""
        return subprocess.run(
            self.words(*more),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )


def the_line_of_the_page(campaign: Path, key: str) -> str:
    """The line for `authorized_keys`, with this program, campaign and key in the places of those named."""
    page = (ROOT / "tui" / "seats" / "README.md").read_text("utf-8")
    [line] = re.findall(r"^ *(restrict,pty,command=.*)$", page, re.MULTILINE)
    for named, ours in (
        ("/usr/local/bin/affray", " ".join(program())),
        ("/srv/table", str(campaign)),
        ("ssh-ed25519 AAAA...", key),
    ):
        assert named in line
        line = line.replace(named, ours)
    return line


@pytest.fixture(scope="module")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    folder = tmp_path_factory.mktemp("sshd")
    campaign = sample(folder, CAMPAIGN)
    with started(folder, campaign, lambda key: the_line_of_the_page(campaign, key)) as found:
        yield found


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def started(folder: Path, campaign: Path, authorized: Callable[[str], str]) -> Iterator[Sshd]:
    """Run an sshd. `authorized` returns the line of `authorized_keys` for the client's key."""
    for name in ("host", "key"):
        words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(folder / name)]
        subprocess.run(words, check=True)
    key = (folder / "key.pub").read_text("utf-8").strip()
    (folder / "authorized").write_text(f"{authorized(key)}\n", "utf-8")
    port = free_port()
    kept = {**environment(XDG_STATE_HOME=str(folder / "state")), "PYTHONPATH": str(ROOT)}
    given = " ".join(
        f"{name}={value}" for name, value in kept.items() if name in ("PYTHONPATH", "HOME") or "XDG" in name
    )
    text = _CONFIGURATION.format(port=port, folder=folder, environment=given)
    (folder / "configuration").write_text(text, "utf-8")
    said = folder / "said"
    assert SSHD is not None
    with said.open("wb") as errors:
        process = subprocess.Popen([SSHD, "-D", "-e", "-f", str(folder / "configuration")], stderr=errors)
    try:
        wait_for(lambda: process.poll() is not None or b"listening on" in said.read_bytes(), "sshd")
        if process.poll() is not None:
            assert may_skip(missing=True), said.read_text("utf-8")
            pytest.skip(f"sshd does not start here: {said.read_text('utf-8').strip()}")
        yield Sshd(folder, campaign, port)
    finally:
        process.kill()
        process.wait()


def test_a_player_sits_sees_what_happens_resizes_and_leaves(sshd: Sshd) -> None:
    seat = Client(sshd.words(), (80, 24))
    try:
        seat.until("Okado", "Guard 1", "52/52")
        commands(sshd.campaign.parent, CAMPAIGN, "start")
        seat.until("ound 1")
        seat.forget()
        seat.resize(120, 40)
        seat.until("Conscious")
        seat.forget()
        seat.resize(40, 10)
        seat.until("40x10")
        seat.press("\x11")
        assert seat.finished() == 0
    finally:
        seat.close()


def test_without_a_terminal_the_program_says_that_it_needs_one(sshd: Sshd) -> None:
    for words in (("-T",), ()):
        ran = sshd.run(*words)
        assert (ran.returncode, ran.stdout) == (1, "")
        assert ran.stderr.startswith("affray: the screens need a terminal")


def test_restrict_leaves_no_forwarding(sshd: Sshd) -> None:
    ran = sshd.run("-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:22")
    assert ran.returncode == 255
    assert "remote port forwarding failed" in ran.stderr
    port = free_port()
    seat = Client(sshd.words("-A", "-L", f"{port}:127.0.0.1:{sshd.port}"), (80, 24))
    try:
        seat.until("Guard 1")
        with socket.create_connection(("127.0.0.1", port), timeout=20) as through:
            assert through.recv(64) == b""
    finally:
        seat.close()


def the_tunnel_of_the_page(server: int, through: Sshd, port: int) -> list[str]:
    """The line on the page that forwards a port of a public server, with ours in place of the named ones."""
    page = (ROOT / "tui" / "seats" / "README.md").read_text("utf-8")
    [line] = re.findall(r"^ *(ssh -N .*-R .*)$", page, re.MULTILINE)
    assert line.endswith(" -R 0.0.0.0:2222:localhost:2222 me@dice.example.org")
    options = line.removeprefix("ssh ").partition(" -R ")[0].split()
    return through.words(*options, "-R", f"127.0.0.1:{port}:127.0.0.1:{server}")


def test_players_outside_reach_a_table_at_home_by_a_forwarded_port_of_a_server(tmp_path: Path) -> None:
    with served(tmp_path / "table") as table, ExitStack() as opened:
        (tmp_path / "server").mkdir()
        server = opened.enter_context(started(tmp_path / "server", table.campaign, lambda key: key))
        state, port = str(tmp_path / "table" / "state"), free_port()
        ran = start_forked("invite", str(table.campaign), "--json", XDG_STATE_HOME=state)
        seats = json.loads(ran.out)["seats"]
        tunnel = Client(the_tunnel_of_the_page(table.port, server, port))
        opened.callback(tunnel.close)
        wait_for(lambda: _listens(port), "the forwarded port")
        table.port = port
        for seat in seats:
            client = table.seat(seat["name"])
            client.until("Password from the game master")
            client.press(f"{seat['password']}\r")
            client.until("Guard 1")
        assert table.log().count("from 127.0.0.1 sits at") == len(seats) == 2


def _listens(port: int) -> bool:
    with socket.socket() as end:
        return end.connect_ex(("127.0.0.1", port)) == 0
