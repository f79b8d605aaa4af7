"""`--log FILE` and AFFRAY_LOG keep unexpected errors for a bug report, and keep no secrets."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command import affray, environment, sample
from tests.tui.seats.opened import served, wait_for
from tests.tui.table import playing
from tui.cli.main import VERBS
from tui.screens.initiative import InitiativeScreen
from tui.seats.seat_messages import FROM_SEAT
from tui.session.session import Session
from tui.terminal.log_file import logged, received_record, send_log
from tui.terminal.program_log import is_on, log_error, log_warning, use
from tui.wire.link import Link, connected
from tui.wire.messages import Malformed
from tui.wire.table_messages import FROM_TABLE, TO_TABLE

GATE = "okado-at-the-gate"
SECRET = "zili-vago"


def _broken(*_: Any, **__: Any) -> Any:
    raise ZeroDivisionError(SECRET)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_the_option(verb: str) -> None:
    assert "--log FILE" in affray(verb, "--help").out


@pytest.mark.parametrize("words", [("--log", "it.log", "roll", "2d6"), ("roll", "2d6", "--log=it.log")])
def test_the_option_may_come_before_or_after_the_verb(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = dict(os.environ)
    assert affray(*words).status == 0
    assert " INFO roll[" in (tmp_path / "it.log").read_text()
    assert (tmp_path / "it.log").stat().st_mode & 0o777 == 0o600
    assert not is_on()
    assert dict(os.environ) == before


def test_the_variable_turns_the_log_on_and_an_empty_option_turns_it_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "it.log"
    monkeypatch.setenv("AFFRAY_LOG", str(file))
    affray("roll", "2d6", "--log", "")
    assert not file.exists()
    affray("roll", "2d6")
    affray("roll", "2d6")
    assert file.read_text().count(" end\n") == 2


def test_an_unreadable_log_is_reported_in_one_sentence(tmp_path: Path) -> None:
    ran = affray("roll", "2d6", "--log", tmp_path / "missing" / "it.log")
    assert ran.status == 1
    assert str(tmp_path / "missing" / "it.log") in ran.complaint


def test_a_log_that_can_no_longer_be_written_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    with logged(str(tmp_path / "it.log"), "open"):
        monkeypatch.setattr(os, "write", full)
        log_warning("something")


def test_an_error_in_run_is_logged_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample(tmp_path, GATE)
    monkeypatch.setattr(Session, "do", _broken)
    ran = affray("run", GATE, "--campaigns", tmp_path, "--log", tmp_path / "it.log", given="next\n")
    assert ran.answers[0]["ok"] is False
    text = (tmp_path / "it.log").read_text()
    assert " ERROR run[" in text
    assert "test_program_log.py" in text
    assert f"ZeroDivisionError: {SECRET}" in text


async def test_a_key_that_fails_is_logged_and_the_next_key_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with logged(str(tmp_path / "it.log"), "open"):
        async with playing() as play:
            play.app.goes_on = True
            monkeypatch.setattr(InitiativeScreen, "action_hide", _broken, raising=False)
            await play.press("vn")
            assert play.last.typed == "next"
    text = (tmp_path / "it.log").read_text()
    assert "ZeroDivisionError" in text
    assert "in _broken" in text


@pytest.mark.parametrize("verb", ["open", "serve", "watch", "invite", "feed"])
def test_a_process_that_knows_secrets_logs_no_message_of_an_error(verb: str, tmp_path: Path) -> None:
    with logged(str(tmp_path / "it.log"), verb):
        try:
            try:
                _broken()
            except ZeroDivisionError as error:
                raise ValueError(SECRET) from error
        except ValueError as error:
            log_error("an unexpected error", error)
    text = (tmp_path / "it.log").read_text()
    assert SECRET not in text
    assert text.index("in _broken") < text.index("ZeroDivisionError\n") < text.index("ValueError\n")


def test_a_seat_sends_its_errors_to_the_server_without_their_messages() -> None:
    ours, theirs = socket.socketpair(type=socket.SOCK_DGRAM)
    send_log(theirs)
    try:
        _broken()
    except ZeroDivisionError as error:
        log_error("an unexpected error", error)
    finally:
        use(None)
    record = received_record(ours.recv(65_536))
    assert "seat[" in record
    assert "in _broken" in record
    assert SECRET not in record
    ours.close()
    theirs.close()


def test_a_record_has_no_control_characters(tmp_path: Path) -> None:
    with logged(str(tmp_path / "it.log"), "open"):
        log_warning("a name: %s", "\x1b[31mred\x07\x9b")
    assert (tmp_path / "it.log").read_text().replace("\n", "").isprintable()
    assert "\x1b" not in received_record(b"\x1b[2J\xff\n  in it\r")


def test_a_program_without_a_log_imports_no_logging() -> None:
    code = "import sys; from tui.cli.main import main; main(['roll', '2d6']); print('logging' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment()
    )
    assert ran.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"kind": "reply", "ask": "1", "value": 3, "seat": SECRET}, "reply: ask should be a whole number"),
        ({"kind": "reply", "ask": True, "value": 3, "seat": SECRET}, "reply: ask should be a whole number"),
        ({"kind": "request", "id": "t1", "seat": "okado"}, "request: characters is missing"),
        ({"kind": SECRET}, "a message of an unknown kind"),
    ],
)
async def test_a_malformed_message_is_refused_logged_and_answered(
    message: dict[str, Any], why: str, tmp_path: Path
) -> None:
    answers: list[Any] = []
    with logged(str(tmp_path / "it.log"), "open"):
        await _exchanged(message, TO_TABLE, pytest.fail, answers.append)
    assert [answer["text"] for answer in answers] == [why]
    text = (tmp_path / "it.log").read_text()
    assert f"WARNING open[{os.getpid()}] refused a message: {why}" in text
    assert SECRET not in text


async def test_a_message_with_wrong_contents_is_refused_logged_and_answered(tmp_path: Path) -> None:
    def refused(message: Any) -> None:
        raise Malformed("request: intent does not fit its command")

    message = {"kind": "unask", "ask": 7}
    answers: list[Any] = []
    with logged(str(tmp_path / "it.log"), "open"):
        await _exchanged(message, FROM_TABLE, refused, answers.append, pytest.fail)
    assert answers[0]["text"] == "request: intent does not fit its command"
    assert "refused a message: request: intent does not fit" in (tmp_path / "it.log").read_text()


async def test_an_error_in_our_own_code_is_not_treated_as_a_malformed_message() -> None:
    found: list[Exception] = []
    await _exchanged({"kind": "spot"}, FROM_SEAT, {}.__getitem__, print, found.append)
    assert isinstance(found[0], KeyError)


async def _exchanged(message: Any, kinds: Any, received: Any, answered: Any, failed: Any = None) -> None:
    """Send a message over a link, and wait until its answer, or until the link is closed."""
    ours, theirs = socket.socketpair()
    done = asyncio.Event()

    def heard(answer: Any) -> None:
        answered(answer)
        done.set()

    def fails(error: Exception) -> None:
        failed(error)
        done.set()

    table = await connected(Link(received, kinds=kinds, failed=fails if failed else None), ours)
    seat = await connected(Link(heard), theirs)
    seat.send(message)
    async with asyncio.timeout(20):
        await done.wait()
    table.abort()
    seat.abort()


def test_the_server_and_its_seats_write_to_the_same_log(tmp_path: Path) -> None:
    log = tmp_path / "it.log"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AFFRAY_LOG", str(log))
        with served(tmp_path, keys={"okado": "key"}) as table:
            seat = table.seat("okado", key=table.key())
            seat.until("Guard 1")
            seat.kill()
            wait_for(lambda: "of a seat has ended" in log.read_text(), "the end of the seat")
    assert " INFO serve[" in log.read_text()
