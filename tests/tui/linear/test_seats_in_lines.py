"""The seats of players in linear mode: what happens at them is said, and lines answer it."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from systems.commands.offers import to_take
from systems.commands.table import kind_of
from systems.visibility.acting import read_request
from systems.visibility.viewer import Viewer
from tests.command import environment, sample
from tests.tui.opened import OKADO, copied
from tests.tui.seat_desk import FakeLink, knock, seats_state
from tests.tui.seats.opened import Client
from tests.tui.seats.test_from_nothing import with_port
from tui.controllers.seat_meaning import seen_at
from tui.controllers.spoken_seats import SpokenSeats
from tui.linear.carrying_out import carry_out_line
from tui.linear.conversation import Conversation, Ended
from tui.linear.program import _SeatsOfFight, play
from tui.session.opening import OpenEncounter, open_fight
from tui.wire.messages import read
from tui.wire.table_messages import TO_TABLE


@dataclass(slots=True)
class Spoken:
    """The seats of a fight, what was said, and what the server was sent."""

    fight: OpenEncounter
    seats: SpokenSeats
    said: list[str]
    link: FakeLink = field(default_factory=FakeLink)
    count: int = 0

    def hear(self, **message: Any) -> None:
        """A message of the server."""
        self.seats._in_loop(lambda: self.seats._desk._received(self.link, read(message, TO_TABLE)))  # type: ignore[arg-type]

    def seat(self, line: str, name: str = "okado") -> None:
        """A line that a seat has typed."""
        self.count += 1
        session, viewer = self.fight.session, Viewer(frozenset({name}))
        n = len(session.log.events)
        shown = self.fight.campaign.seats
        command = read_request(seen_at(session, n, viewer, shown), viewer, line)
        intent = kind_of(command).plain(command.intent)
        request = {"id": f"t{self.count}", "seat": name, "characters": [name], "line": line, "n": n}
        more = {"encounter": self.fight.encounter, "command": command.name, "intent": intent}
        self.hear(kind="request", **request, **more)

    def heard(self) -> list[str]:
        """Return what was said since the last call."""
        said = list(self.said)
        self.said.clear()
        return said


@contextmanager
def spoken(folder: Path, *lines: str, dice: str = "program", name: str = OKADO) -> Iterator[Spoken]:
    fight = open_fight(copied(folder, name), seed=3)
    for line in lines:
        fight.session.do(line)
    fight.session.dice = dice  # type: ignore[assignment]
    said: list[str] = []
    seats = SpokenSeats(fight, said.append)
    found = Spoken(fight, seats, said)
    seats._desk.listener.links = [found.link]  # type: ignore[list-item]
    try:
        yield found
    finally:
        seats.close()
        fight.close()


def test_a_request_is_said_and_enter_accepts_it(tmp_path: Path) -> None:
    with spoken(tmp_path, "start") as here:
        here.seat("attack 1")
        assert here.heard() == ["Okado asks: attack on Guard 1. Press Enter to accept, or type seats refuse."]
        assert here.seats.take_oldest()
        assert here.heard() == [here.fight.session.log.events[-1].text]
        assert here.fight.session.log.events[-1].who == "okado"
        assert not here.seats.take_oldest()


def test_an_empty_line_accepts_a_request_before_a_quiet_offer(tmp_path: Path) -> None:
    lines = ("remove lurker", "start elin 30 mira 29 cave-drake 1", "next")
    with spoken(tmp_path, *lines, name="the-sunken-vault") as here:
        session = here.fight.session
        table = _SeatsOfFight(here.fight, PipedConversation(here.seats), lambda fight, say: here.seats)
        table.open()
        (offer,) = to_take(session.encounter)
        assert "tail sweep?" in offer.says
        assert not table.take(offer)
        here.seat("next", "mira")
        assert table.take(offer)
        assert session.encounter.progress.turn != "mira"


def test_a_request_is_refused_by_a_line(tmp_path: Path) -> None:
    with spoken(tmp_path, "start") as here:
        here.seat("attack 1")
        here.heard()
        here.seats.carry_out("seats")
        assert "request 1: Okado asks: attack on Guard 1" in here.heard()
        here.seats.carry_out("seats refuse")
        assert "The game master says no" in here.link.sent[-2]["text"]
        assert len(here.fight.session.log.events) == 1


def test_a_die_of_a_request_is_asked_and_answered_in_lines(tmp_path: Path) -> None:
    with spoken(tmp_path, "start", dice="real") as here:
        here.seat("attack 1")
        here.seats.take_oldest()
        assert any("Press Enter to answer" in line for line in here.heard())
        here.seats.take_oldest()
        asked = " ".join(here.heard())
        assert "d20 for Okado's sword at Guard 1" in asked
        assert "Type the answer" in asked
        here.seats.answer("99")
        assert any("1 to 20" in line for line in here.heard())
        while here.seats.is_asking:
            here.seats.answer("1")
        assert here.fight.session.log.events[-1].who == "okado"
        assert here.fight.session.log.events[-1].text in here.heard()


def test_leave_keeps_a_die_for_later(tmp_path: Path) -> None:
    with spoken(tmp_path, "start", dice="real") as here:
        here.seat("attack 1")
        here.seats.take_oldest()
        here.seats.take_oldest()
        here.seats.answer("leave")
        assert not here.seats.is_asking
        assert here.seats.take_oldest()
        assert here.seats.is_asking


def test_guests_passwords_news_and_empty_seats_are_said(tmp_path: Path) -> None:
    with spoken(tmp_path, "start") as here:
        here.seats._desk.server.link = here.link  # type: ignore[assignment]
        state = seats_state(okado={"characters": ["okado"]})
        here.hear(**{**state, "knocks": [knock(1, "okado")]})
        assert here.heard() == ["Okado knocks: type seats admit okado."]
        assert here.seats.empty_words == "Empty seats: Okado."
        here.seats.carry_out("seats admit okado")
        assert here.link.sent[-1]["kind"] == "let_in"
        here.seats.carry_out("seats password okado")
        here.hear(**seats_state(okado={"password": "baba-bebe", "lasts": "once"}))
        assert "Password of okado: baba-bebe" in here.heard()
        here.hear(kind="news", text="Okado's line dropped.")
        assert here.heard() == ["Okado's line dropped."]


def test_invitations_are_said_when_every_password_is_known(tmp_path: Path) -> None:
    with spoken(tmp_path, "start") as here:
        here.seats._desk.server.link = here.link  # type: ignore[assignment]
        here.hear(**seats_state(okado={}, tamsin={}))
        here.seats.carry_out("seats invite evening")
        passwords = [message for message in here.link.sent if message["kind"] == "password"]
        assert [message["seat"] for message in passwords] == ["okado", "tamsin"]
        okado, tamsin = ({"password": text, "lasts": "evening"} for text in ("baba-bebe", "ka-ka"))
        here.hear(**seats_state(okado=okado, tamsin={}))
        assert here.heard() == []
        here.hear(**seats_state(okado=okado, tamsin=tamsin))
        heard = " ".join(here.heard())
        for text in ("ssh -p 22222 okado@", "ssh -p 22222 tamsin@", "Password: baba-bebe", "Password: ka-ka"):
            assert text in heard


def test_a_wrong_line_about_the_seats_is_one_sentence(tmp_path: Path) -> None:
    with spoken(tmp_path, "start") as here:
        for line in ("seats kcik", "seats lock", "seats accept"):
            here.seats.carry_out(line)
            assert len(here.heard()) == 1


def test_a_line_that_is_being_read_does_not_stop_the_seats(tmp_path: Path) -> None:
    with spoken(tmp_path, "start") as here:
        loop = here.seats._event_loop
        loop.call_later(0.01, lambda: here.seats._desk._say_news("Okado is back."))
        read_end, write_end = os.pipe()
        loop.call_later(0.02, os.write, write_end, b"quit\n")
        assert here.seats.wait_for(lambda: os.read(read_end, 99).decode()) == "quit\n"
        assert here.heard() == ["Okado is back."]
        with pytest.raises(EOFError):
            here.seats.wait_for(_at_the_end)
        os.close(read_end)
        os.close(write_end)


def _at_the_end() -> str:
    raise EOFError


class Lines(Conversation):
    """A conversation whose lines a test gives."""

    def __init__(self, *lines: str) -> None:
        super().__init__(lambda line: ())
        self.lines, self.said = list(lines), list[str]()

    def say(self, text: str) -> None:
        self.said.append(text)

    def ask(self, prompt: str) -> str:
        if not self.lines:
            raise Ended
        return self.lines.pop(0)


def test_without_a_line_about_seats_none_are_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def opens(fight: OpenEncounter, say: Callable[[str], None]) -> SpokenSeats:
        raise AssertionError("the seats are opened")

    conversation = Lines("start", "next")
    monkeypatch.setattr("tui.linear.program.Conversation", lambda complete: conversation)
    fight = open_fight(copied(tmp_path, OKADO), seed=3)
    try:
        assert play(fight, opens) == 0
    finally:
        fight.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")
def test_a_player_is_seated_and_plays_at_a_table_in_linear_mode(tmp_path: Path) -> None:
    campaign = sample(tmp_path, OKADO)
    (campaign / "seats.toml").unlink()
    with_port(campaign)
    env = {**environment(XDG_STATE_HOME=str(tmp_path / "state")), "TERM": "xterm-256color"}
    master = Client(["--linear", campaign], (120, 40), env, forked=True)
    player = None
    try:
        master.until("Type a command")
        for line, answer in (
            ("start", "Okado's turn"),
            ("seats make okado", "New seat: okado"),
            ("seats invite", "Type yes if ssh shows the same host key"),
        ):
            master.press(f"{line}\r")
            master.until(answer)
        [ssh] = re.findall(r"ssh (-p \d+ okado@127\.0\.0\.1)", master.text)
        [password] = re.findall(r"Password: ([a-z-]{9})", master.text)
        options = "-F none -o UserKnownHostsFile=/dev/null -o StrictHostKeyChecking=no -o LogLevel=ERROR"
        player = Client(["ssh", *options.split(), "-o", "IdentityFile=/nonexistent", *ssh.split()], (100, 30))
        player.until("Password from the game master")
        player.press(f"{password}\r")
        player.until("Your turn, Okado")
        player.press("a")
        player.until("target")
        player.press("1\r")
        master.until("Okado asks: attack on Guard 1")
        master.press("\r")
        player.until("Okado's attack on Guard 1")
        player.press("\x11")
        master.until("Okado left.")
        master.press("quit\r")
        assert master.finished() == 0
    finally:
        master.close()
        if player is not None:
            player.close()


# Dice and choices of the table's own commands, at the seats as well


class PipedConversation(Conversation):
    """A conversation whose lines come through a pipe, while the loop of the seats runs."""

    def __init__(self, seats: SpokenSeats) -> None:
        super().__init__(lambda line: ())
        self.end, self.input = os.pipe()
        self.seats, self.said = seats, list[str]()

    def say(self, text: str) -> None:
        self.said.append(text)

    def _read(self, prompt: str) -> str:
        self.said.append(prompt)
        return os.read(self.end, 99).decode()

    def type(self, line: str) -> None:
        os.write(self.input, f"{line}\n".encode())


def reply_soon(here: Spoken, at: int, value: int, seat: str = "okado") -> None:
    """Answer the question of a seat with that index as soon as it was sent."""

    def reply() -> None:
        asked = [message for message in here.link.sent if message["kind"] == "ask"]
        if len(asked) <= at:
            here.seats._event_loop.call_later(0.005, reply)
            return
        answer = {"kind": "reply", "ask": asked[at]["ask"], "value": value, "seat": seat}
        here.seats._desk._received(here.link, read(answer, TO_TABLE))  # type: ignore[arg-type]

    here.seats._event_loop.call_soon(reply)


def test_a_players_die_of_the_tables_command_may_be_rolled_at_the_seat(tmp_path: Path) -> None:
    with spoken(tmp_path, "start", dice="players") as here:
        conversation = PipedConversation(here.seats)
        reply_soon(here, 0, 17)
        reply_soon(here, 1, 4)
        carry_out_line(here.fight.session, conversation, "attack 1 by okado")
        assert here.fight.session.log.events[-1].rolls[0].face == 17
        assert "Okado has rolled 17." in conversation.said
        assert here.seats._desk.asks.open == {}
        # The line that was being read for the die is read for the next question.
        conversation.type("next")
        assert conversation.ask(">") == "next"


def test_the_table_may_type_a_players_die_and_the_seat_is_told(tmp_path: Path) -> None:
    with spoken(tmp_path, "start", dice="players") as here:
        conversation = PipedConversation(here.seats)
        conversation.type("16 3 2 2")
        carry_out_line(here.fight.session, conversation, "attack 1 by okado")
        assert here.fight.session.log.events[-1].rolls[0].face == 16
        assert [message["kind"] for message in here.link.sent if message["kind"] in ("ask", "unask")]
        assert here.seats._desk.asks.open == {}


def test_a_line_begun_for_a_die_that_a_player_rolls_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with spoken(tmp_path, "start", dice="players") as here:
        conversation = PipedConversation(here.seats)
        monkeypatch.setattr("tui.controllers.spoken_seats.is_line_begun", lambda: True)
        reply_soon(here, 0, 17)
        reply_soon(here, 1, 4)
        carry_out_line(here.fight.session, conversation, "attack 1 by okado")
        conversation.type("14")
        here.seats._event_loop.call_later(0.05, conversation.type, "next")
        assert conversation.ask(">") == "next"
        assert any("does not count" in line for line in here.heard())
