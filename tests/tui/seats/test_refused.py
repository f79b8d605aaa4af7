"""What a client is refused, tried with OpenSSH's own programs."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from tests.tui.seats.opened import PATIENCE, Client, NeverCame, Table, served, wait_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")
PROMPT = "Password from the game master, or Enter to knock:"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """One server for all that is refused: afterwards it still works."""
    with served(tmp_path_factory.mktemp("refused"), keys={"okado": "key"}) as found:
        yield found
        found.seat("okado", key=found.key()).until("Guard 1")
        assert "Traceback" not in found.log()


@pytest.mark.parametrize("command", ["ls", "sh -c id", "status now", "", "roll", "scp -t .", "affray run"])
def test_no_other_command_is_run(table: Table, command: str) -> None:
    ran = table.ssh("okado", command or " ", key=table.key())
    assert ran.returncode != 0
    assert ran.stdout == ""


def test_exec_status_prints_the_fight(table: Table) -> None:
    ran = table.ssh("okado", "status", key=table.key())
    assert ran.returncode == 0, ran.stderr
    assert "the fight has not begun" in ran.stdout
    assert "Guard 1" in ran.stdout


def test_a_roll_needs_the_table_and_status_does_not(table: Table) -> None:
    ran = table.ssh("okado", "roll 2d6", key=table.key())
    assert ran.returncode == 1
    assert ran.stdout == "The game master's program is not running; nothing was rolled.\n"
    ran = table.ssh("okado", "roll 999999999d999999999", key=table.key())
    assert ran.returncode == 1
    assert ran.stdout.count("\n") == 1


def test_a_screen_needs_a_terminal(table: Table) -> None:
    assert table.ssh("okado", key=table.key(), options=["-T"]).returncode != 0


def test_no_files_are_copied(table: Table, tmp_path: Path) -> None:
    for program in ("scp", "sftp"):
        words = table.words("okado", key=table.key(), command=program)
        target = f"okado@127.0.0.1:{'/etc/hosts'}"
        given = [*words, target, str(tmp_path / "stolen")] if program == "scp" else [*words, target]
        for more in ([], ["-O"]) if program == "scp" else ([],):
            ran = subprocess.run(
                [given[0], *more, *given[1:]],
                capture_output=True,
                stdin=subprocess.DEVNULL,
                timeout=PATIENCE,
                check=False,
            )
            assert ran.returncode != 0
    assert not (tmp_path / "stolen").exists()


def test_nothing_is_forwarded_from_the_server(table: Table, tmp_path: Path) -> None:
    for option in ("0:127.0.0.1:9", f"{tmp_path / 'remote.sock'}:127.0.0.1:9"):
        seat = table.seat("okado", "-o", "ExitOnForwardFailure=yes", "-R", option, key=table.key())
        assert seat.finished() == 255
    assert not (tmp_path / "remote.sock").exists()


def test_nothing_is_forwarded_to_the_server(table: Table, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as secret:
        local, dynamic = tmp_path / "local.sock", tmp_path / "dynamic"
        seat = table.seat(
            "okado", "-L", f"{local}:127.0.0.1:{secret.getsockname()[1]}", "-L",
            f"{dynamic}:{tmp_path / 'any.sock'}", key=table.key(),
        )  # fmt: skip
        seat.until("Guard 1")
        for path in (local, dynamic):
            with socket.socket(socket.AF_UNIX) as end:
                end.settimeout(PATIENCE)
                end.connect(str(path))
                assert end.recv(10) == b""
        secret.settimeout(0.2)
        with pytest.raises(TimeoutError):
            secret.accept()


def test_neither_the_agent_nor_a_window_system_is_forwarded(table: Table, tmp_path: Path) -> None:
    agent = subprocess.Popen(
        ["ssh-agent", "-D", "-a", str(tmp_path / "agent.sock")], stdout=subprocess.DEVNULL
    )
    try:
        wait_for((tmp_path / "agent.sock").exists, "the agent")
        before = {path.name for path in Path("/tmp").iterdir() if path.name.startswith(("asyncssh", "ssh-"))}
        seat = table.seat("okado", "-A", "-o", f"IdentityAgent={tmp_path / 'agent.sock'}", key=table.key())
        seat.until("Guard 1")
        after = {path.name for path in Path("/tmp").iterdir() if path.name.startswith(("asyncssh", "ssh-"))}
        assert after == before
        with socket.create_server(("127.0.0.1", 0)) as display:
            env = {"DISPLAY": f"127.0.0.1:{display.getsockname()[1] - 6000}"}
            words = table.words("okado", "-X", "-v", key=table.key())
            words[words.index("LogLevel=ERROR") - 1 : words.index("LogLevel=ERROR") + 1] = []
            ran = subprocess.run(
                [*words, "status"], env={**os.environ, **env}, capture_output=True, text=True,
                stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
            )  # fmt: skip
            assert "X11 forwarding request failed" in ran.stderr or "xauth" in ran.stderr, ran.stderr
    finally:
        agent.terminate()
        agent.wait()


def test_the_environment_of_a_client_stays_with_it(table: Table) -> None:
    words = table.words("okado", "-o", "SendEnv=LC_SECRET", "-o", "SetEnv=FOO=bar", key=table.key())
    words[words.index("LogLevel=ERROR")] = "LogLevel=DEBUG2"
    ran = subprocess.run(
        [*words, "status"], env={**os.environ, "LC_SECRET": "x"}, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert ran.returncode == 0
    assert "setting env FOO" in ran.stderr


def test_the_same_methods_are_offered_to_everybody(table: Table) -> None:
    for name in ("okado", "tamsin", "nobody", "Big.Anna"):
        ran = table.ssh(name, options=["-o", "PreferredAuthentications=none", "-o", "BatchMode=yes"])
        assert "(publickey,keyboard-interactive)" in ran.stderr.replace(" ", ""), ran.stderr


def test_neither_password_nor_compression_is_taken(table: Table) -> None:
    words = table.words("okado", "-C", key=table.key())
    words[words.index("LogLevel=ERROR")] = "LogLevel=DEBUG1"
    ran = subprocess.run([*words, "status"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 0
    assert "compression: none" in ran.stderr
    assert "asyncssh" not in ran.stderr.lower()
    assert "SSH-2.0-Affray" in ran.stderr or "remote software version Affray" in ran.stderr
    ran = table.ssh("okado", options=["-o", "PreferredAuthentications=password,hostbased"])
    assert ran.returncode == 255


def test_a_second_screen_on_one_connection_is_refused(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "master"
    seat = table.seat("okado", "-M", "-S", str(path), key=table.key())
    seat.until("Guard 1")
    second = table.seat("okado", "-S", str(path), "-o", "ControlMaster=no", key=None)
    second.until("Session open refused by peer", PROMPT)
    seat.press("\x11")
    assert seat.finished() == 0


def test_a_larger_terminal_is_treated_as_the_largest(table: Table) -> None:
    seat = table.seat("okado", key=table.key(), size=(5000, 5000))
    seat.until("Guard 1")
    rows = max(int(row) for row in _rows_of(bytes(seat.output)))
    assert rows <= 300
    seat.forget()
    seat.resize(9000, 9000)
    seat.until("Guard 1")
    assert max(int(row) for row in _rows_of(bytes(seat.output))) <= 300


def _rows_of(output: bytes) -> list[bytes]:
    import re

    return re.findall(rb"\x1b\[(\d+);\d+H", output) or [b"1"]


def test_a_known_key_at_another_seat_is_an_unknown_key(table: Table) -> None:
    for name in ("tamsin", "nobody", "okado2"):
        seat = table.seat(name, key=table.key())
        seat.until(PROMPT)
        seat.close()
        table.clients.remove(seat)


def test_three_passwords_are_tried_on_a_connection(table: Table) -> None:
    seat = table.seat("okado", "-o", "NumberOfPasswordPrompts=9")
    for _ in range(3):
        seat.until(PROMPT)
        seat.forget()
        seat.press("wrong\r")
    assert seat.finished() == 255
    assert "too many passwords" in seat.text


def test_twelve_keys_are_tried_on_a_connection(table: Table) -> None:
    keys = [word for at in range(13) for word in ("-i", str(table.key(f"many{at}")))]
    seat = table.seat("okado", *keys)
    assert seat.finished() == 255
    assert "too many keys" in seat.text


def test_four_connections_from_one_address_may_be_silent(table: Table) -> None:
    for client in table.clients:
        client.close()
    table.clients.clear()
    wait_for(lambda: free_places(table) == 4, "free places")
    wait_for(lambda: table.ssh("okado", "status", key=table.key()).returncode == 0, "free places")


def test_guests_without_a_screen_hold_at_most_four_places(table: Table) -> None:
    wait_for(lambda: free_places(table) == 4, "free places")
    silent = [knocking(table) for _ in range(4)]
    assert free_places(table) == 0
    for client in silent:
        client.close()
        table.clients.remove(client)
    wait_for(lambda: free_places(table) == 4, "free places")


def knocking(table: Table) -> Client:
    """Return a guest who has knocked and opens no screen. Waits for a place that an earlier test may hold."""
    for _ in range(40):
        client = table.seat("nobody", "-N")
        with suppress(NeverCame):
            client.until(PROMPT, patience=2)
            client.press("\r")
            client.until("\r\n")
            return client
        client.close()
        table.clients.remove(client)
    raise NeverCame("no place became free")


def test_a_connection_ends_with_its_session(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "master"
    options = ("-M", "-S", str(path), "-o", "ControlPersist=yes")
    # The connections of the test before may still hold their places.
    wait_for(
        lambda: table.ssh("okado", "status", key=table.key(), options=options).returncode == 0, "a free place"
    )
    wait_for(lambda: not path.exists(), "the end of the connection")


def test_garbage_and_half_a_greeting_affect_no_other_client(table: Table) -> None:
    for data in (b"GET / HTTP/1.0\r\n\r\n", b"SSH-2.0-x\r\n" + os.urandom(5_000), b"\0" * 100_000, b"SSH-"):
        with socket.create_connection(("127.0.0.1", table.port)) as end:
            end.settimeout(PATIENCE)
            with suppress(OSError):
                end.sendall(data)
                end.shutdown(socket.SHUT_WR)
                begin = monotonic()
                while end.recv(10_000) and monotonic() - begin < PATIENCE:
                    pass
    wait_for(lambda: table.ssh("okado", "status", key=table.key()).returncode == 0, "free places")


def free_places(table: Table) -> int:
    """How many of eight silent connections are greeted."""
    silent = [socket.create_connection(("127.0.0.1", table.port)) for _ in range(8)]
    try:
        greeted = 0
        for end in silent:
            end.settimeout(2)
            with suppress(OSError):
                greeted += end.recv(20).startswith(b"SSH-2.0-Affray")
        return greeted
    finally:
        for end in silent:
            end.close()
