"""`affray serve`: it starts and ends in good order, and known players see the fight as it goes on."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from tests.command import commands, environment, program, sample, start, start_forked
from tests.tui.seats.opened import CAMPAIGN, Client, Table, children, served

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A server for all tests that leave it as it is for the next one."""
    with served(tmp_path_factory.mktemp("table"), keys={"okado": "key"}) as found:
        yield found


def test_a_known_key_sits_down_at_once_and_sees_what_happens(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        seat = table.seat("okado", key=table.key())
        seat.until("Okado", "Tamsin", "Guard 1")
        commands(tmp_path / "campaigns", CAMPAIGN, "start")
        seat.until("ound 1")
        assert "sits at okado" in table.log()


def test_a_known_key_need_not_be_the_first_that_is_offered(table: Table) -> None:
    other = table.key("other")
    seat = table.seat("okado", "-o", f"IdentityFile={other}", key=table.key())
    seat.until("Guard 1")


def test_the_first_line_names_the_address_and_the_keys_fingerprint(table: Table) -> None:
    assert re.fullmatch(r"listening on 127\.0\.0\.1:\d+, host key SHA256:[A-Za-z0-9+/]{43}\n", table.line)
    key = table.folder / "state" / "affray" / "seats" / "host_key"
    assert key.stat().st_mode & 0o777 == 0o600
    scanned = subprocess.run(
        ["ssh-keyscan", "-p", str(table.port), "127.0.0.1"], capture_output=True, check=True, timeout=20
    )
    shown = subprocess.run(
        ["ssh-keygen", "-lf", "-"], input=scanned.stdout, capture_output=True, check=True, timeout=20
    )
    assert shown.stdout.decode().split()[1] in table.line


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_within_two_seconds_of_a_signal_with_seats_taken(tmp_path: Path, number: int) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        begin = monotonic()
        table.process.send_signal(number)
        assert table.process.wait(5) == 0
        assert monotonic() - begin < 2
        seat.finished()
        assert b"\x1b[?1049l" in seat.output
        assert "closed the table" in seat.text


def test_without_a_campaign_that_can_be_read_it_does_not_start(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    (campaign / "campaign.toml").write_text('format = 1\nsystem = "chess"\n')
    ran = start_forked("serve", campaign, "--port", "0", XDG_STATE_HOME=str(tmp_path / "state"))
    assert ran.status == 1
    assert ran.out == ""
    assert "campaign.toml:2: system" in ran.complaint
    assert start("serve", "nowhere", "--campaigns", tmp_path, "--port", "0").status == 1


def test_a_host_key_that_others_can_read_is_refused_in_one_sentence(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    key = tmp_path / "host_key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    key.chmod(0o644)
    ran = start_forked("serve", campaign, "--port", "0", "--host-key", key)
    assert ran.status == 1
    assert "can be read by others" in ran.complaint
    key.chmod(0o600)
    key.write_text("no key\n")
    assert "cannot be read" in start_forked("serve", campaign, "--port", "0", "--host-key", key).complaint


def test_a_port_that_is_taken_is_said_in_one_sentence(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = start_forked("serve", campaign, "--listen", "127.0.0.1", "--port", port)
    assert ran.status == 1
    assert f"port {port} on 127.0.0.1 is taken by another program" in ran.complaint


def test_a_campaign_that_vanishes_ends_the_server_with_one_sentence(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        table.campaign.rename(tmp_path / "elsewhere")
        assert table.process.wait(10) == 1
        assert "is gone" in table.log()
        assert "Traceback" not in table.log()


def test_a_bad_seat_is_said_with_its_line_and_the_others_sit(table: Table) -> None:
    file = table.campaign / "seats.toml"
    text = file.read_text()
    file.write_text(text + '\n[[seat]]\nname = "Big Anna"\n')
    table.logged("seats.toml:14: seat[2].name: expected small letters")
    table.seat("okado", key=table.key()).until("Guard 1")
    file.write_text(text)


def test_the_server_imports_no_screens_and_other_verbs_no_ssh() -> None:
    code = "import sys, tui.cli.serve, tui.seats.server; print('textual' in sys.modules)"
    done = subprocess.run(
        [*program()[:1], "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_a_terminal_gets_only_greys_or_sixteen_colours_if_it_has_no_more(table: Table) -> None:
    painted = {}
    for term in ("vt100", "xterm"):
        words = table.words("okado", key=table.key())
        client = Client(words, env={**os.environ, "TERM": term})
        table.clients.append(client)
        client.until("Guard 1")
        numbers = re.findall(rb"\x1b\[([0-9;]*)m", bytes(client.output))
        painted[term] = {int(number) for codes in numbers for number in codes.split(b";") if number}
    hues = {base + hue for base in (30, 40, 90, 100) for hue in range(1, 7)}
    assert painted["xterm"] & hues
    for numbers in painted.values():
        assert not numbers & {38, 48}
    assert not painted["vt100"] & hues


def test_a_server_in_the_locale_c_sends_its_seats_letters_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "PYTHONUTF8", "AFFRAY_SYMBOLS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C")
    with served(tmp_path, keys={"okado": "key"}, forked=False) as table:
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        assert bytes(seat.output).isascii()


def test_a_server_sends_its_seats_the_symbols_that_it_was_started_with(tmp_path: Path) -> None:
    with served(tmp_path, "--symbols", "letters", keys={"okado": "key"}) as table:
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        assert bytes(seat.output).isascii()


def test_a_screen_is_as_large_as_the_player_s_terminal_whatever_the_server_s_shell_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("LINES", "99")
    with served(tmp_path, keys={"okado": "key"}) as table:
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1", "Ctrl+Q")
        assert max(int(row) for row in re.findall(rb"\x1b\[(\d+);\d+H", bytes(seat.output))) <= 24


def test_a_returning_player_is_in_the_same_place_and_sees_the_missed_lines(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        commands(tmp_path / "campaigns", CAMPAIGN, "start")
        seat = table.seat("okado", key=table.key())
        seat.until("Round 1")
        seat.press(":attack 3 mod")
        seat.until("modifier=")
        seat.close()
        table.clients.remove(seat)
        commands(tmp_path / "campaigns", CAMPAIGN, "note it rains for all")
        again = table.seat("okado", key=table.key())
        again.until("1 line since you left", "attack 3 mod")
        again.press("\x1b")
        again.until("since you left: 1", "it rains")


def test_odds_and_completion_come_from_the_server_and_use_only_what_the_seat_sees(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        commands(tmp_path / "campaigns", CAMPAIGN, "add guard as Ghost hidden", "start")
        seat = table.seat("okado", key=table.key(), size=(110, 34))
        seat.until("Round 1")
        seat.press("a")
        seat.until("on a success")
        seat.press("gho")
        seat.until('Nobody here is called "gho"')
        seat.press("\x1b")
        seat.press(":")
        seat.until("sends it")
        seat.press("attack gua\t")
        seat.until("attack 1")
        assert "Ghost" not in seat.text


def test_no_packet_is_sent_that_says_nothing(table: Table) -> None:
    told = table.ssh("okado", "status", key=table.key(), options=["-vvv"]).stderr
    kinds = re.findall(r"receive packet: type (\d+)", told)
    assert "94" in kinds or "97" in kinds
    assert "2" not in kinds


@pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="this system has no such class of processes")
def test_the_server_and_its_seats_give_way_to_the_table(table: Table) -> None:
    table.seat("okado", key=table.key()).until("Guard 1")
    [warm] = children(table.process.pid)
    for pid in (table.process.pid, warm, *children(warm)):
        assert os.sched_getscheduler(pid) == os.SCHED_BATCH
        assert os.getpriority(os.PRIO_PROCESS, pid) >= 10
