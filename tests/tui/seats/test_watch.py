"""`affray watch`: the public view, a seat's screen without the server, and a look through a seat's eyes."""

import os
import signal
import termios
from pathlib import Path

import pytest

from tests.command import commands, environment, sample, start, start_forked
from tests.tui.seats.opened import CAMPAIGN, Client, children
from tui.seats.seat_messages import SeatReply
from tui.seats.watching import Watcher
from tui.terminal.restore import RESTORE
from tui.wire.table_messages import Answered, Reply, SeatQuestion

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")


def watching(campaign: Path, *words: str) -> Client:
    """The verb on a terminal."""
    env = {**environment(XDG_STATE_HOME=str(campaign.parent / "state")), "TERM": "xterm-256color"}
    return Client(["watch", campaign, *words], (110, 34), env, forked=True)


def test_the_public_view_shows_no_hidden_combatant_and_follows_the_fight(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    commands(tmp_path, CAMPAIGN, "add guard as Umbrahound hidden")
    client = watching(campaign)
    try:
        client.until("Okado", "Guard 1")
        commands(tmp_path, CAMPAIGN, "start")
        client.until("Round 1")
        assert "Umbrahound" not in client.text
        client.press("\x11")
        assert client.finished() == 0
    finally:
        client.close()


@pytest.mark.parametrize("option", ["--seat", "--as"])
def test_a_seat_sees_its_own_character_in_full(tmp_path: Path, option: str) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    client = watching(campaign, option, "okado")
    try:
        client.until("Guard 1", "fresh", "52/52")
        client.press("n")
        client.until("only watch" if option == "--seat" else "you can't act here")
        client.press("\x11")
        assert client.finished() == 0
    finally:
        client.close()


def test_a_line_that_was_typed_when_the_window_closed_is_there_again(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    client = watching(campaign, "--seat", "okado")
    try:
        client.until("Guard 1")
        client.press(":")
        client.until("sends it")
        client.press("attack 3 by ok")
        client.until("by ok")
    finally:
        client.kill(signal.SIGHUP)
        client.finished()
        client.close()
    commands(tmp_path, CAMPAIGN, "start")
    again = watching(campaign, "--seat", "okado")
    try:
        again.until("attack 3 by ok", "since you left")
    finally:
        again.close()


def test_a_missing_seat_is_reported_in_one_sentence(tmp_path: Path) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    client = watching(campaign, "--seat", "nobody")
    try:
        assert client.finished() == 1
        assert 'there is no seat "nobody"; seats: okado, tamsin' in client.text
    finally:
        client.close()
    assert "need a terminal" in start("watch", campaign).complaint
    assert start_forked("watch", campaign, "--seat", "a", "--as", "b").status == 2


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found through /proc")
def test_a_killed_painter_leaves_the_terminal_restored(tmp_path: Path) -> None:
    client = watching(sample(tmp_path, CAMPAIGN))
    try:
        before = termios.tcgetattr(client.end)
        client.until("Guard 1")
        assert termios.tcgetattr(client.end) != before
        [painter] = children(client.pid)
        os.kill(painter, signal.SIGKILL)
        assert client.finished() == 1
        assert RESTORE in client.output
        assert "the screen ended unexpectedly" in client.text
        assert termios.tcgetattr(client.end) == before
    finally:
        client.close()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are found through /proc")
def test_the_painter_gives_the_terminal_back_when_the_rest_is_killed(tmp_path: Path) -> None:
    client = watching(sample(tmp_path, CAMPAIGN))
    try:
        client.until("Guard 1")
        os.kill(client.pid, signal.SIGKILL)
        client.finished()
        assert RESTORE in client.output
    finally:
        client.close()


async def test_a_seat_answers_its_own_questions_and_no_others(tmp_path: Path) -> None:
    sent: list[object] = []
    watcher = Watcher(sample(tmp_path, CAMPAIGN), "okado", True, print)
    watcher._table.send = lambda message: not sent.append(message)  # type: ignore[method-assign, func-returns-value]
    for number, character in ((1, "okado"), (2, "tamsin")):
        watcher._from_table(SeatQuestion(number, character))
    for reply in (SeatReply(2, 6), SeatReply(3, 6), SeatReply(1, "6" * 201), SeatReply(1, 6)):
        watcher._received(reply)
    assert sent == [Reply(1, 6, "okado")]
    watcher._from_table(Answered(1))
    watcher._received(SeatReply(1, 6))
    assert len(sent) == 1
