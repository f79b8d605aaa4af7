"""From a campaign without seats to three seated players, with OpenSSH: keys and lines are counted."""

import base64
import os
import re
import socket
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

import pytest

from systems.frozen import frozen
from tests.command import environment, sample
from tests.tui.seats.opened import Client, wait_for

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")
CAMPAIGN = "the-goblin-ford"
PLAYERS = 3
_COPIED = re.compile(rb"\x1b\]52;c;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)")


class Typist:
    """A person at a terminal. Counts the keys, or the lines that end with Enter."""

    def __init__(self, client: Client) -> None:
        self.client, self.keys, self.lines = client, 0, 0

    def press(self, *keys: str) -> None:
        """Press single keys."""
        for key in keys:
            self.keys += 1
            self.client.press(key)

    def paste(self, text: str) -> None:
        """Paste or type a line, and press Enter."""
        self.lines += 1
        self.client.press(f"{text}\r")


def copied(client: Client) -> list[str]:
    """Return the texts that a program has copied through its terminal."""
    return [base64.b64decode(text).decode() for text in _COPIED.findall(bytes(client.output))]


def until_copied(client: Client, count: int) -> None:
    """Wait until a program has copied that many texts."""
    wait_for(lambda: client.read() is not None and len(copied(client)) >= count, f"copy {count}")


@frozen
class Player:
    """A player at a shell, with the parts of an invitation."""

    typist: Typist
    line: str
    password: str
    mark: str

    @property
    def client(self) -> Client:
        return self.typist.client


def player_with(message: str, home: Path, opened: ExitStack) -> Player:
    """Return a player who has got a message. Its line gets options for a home of its own, with a key."""
    home.mkdir()
    key = home / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    shell = Client(["sh"], (80, 24), {**os.environ, "TERM": "xterm-256color", "PS1": "$ "})
    opened.callback(shell.close)
    [line] = re.findall(r"^    (ssh .*)$", message, re.MULTILINE)
    [password] = re.findall(r"^Password: (\S+)", message, re.MULTILINE)
    [mark] = re.findall(r"^Host key: (\S+)", message, re.MULTILINE)
    options = f"-F none -o UserKnownHostsFile={home}/known -o IdentityAgent=none -i {key}"
    return Player(Typist(shell), line.replace("ssh", f"ssh {options}", 1), password, mark)


def with_port(campaign: Path) -> None:
    """Have the server listen on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    file = campaign / "campaign.toml"
    text = re.sub(r"^\[seats\].*?(?=^\[|\Z)", "", file.read_text(), flags=re.M | re.S)
    file.write_text(f'{text}\n[seats]\nlisten = "127.0.0.1"\naddress = "127.0.0.1"\nport = {port}\n')


def test_three_players_are_seated_with_few_keys_from_nothing(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    campaign = sample(tmp_path, CAMPAIGN)
    (campaign / "seats.toml").unlink(missing_ok=True)
    with_port(campaign)
    env = {**environment(XDG_STATE_HOME=str(tmp_path / "state")), "TERM": "xterm-256color"}
    with ExitStack() as opened:
        master = Typist(Client([campaign], (110, 40), env, forked=True))
        opened.callback(master.client.close)
        master.client.until("Order")
        begun = monotonic()

        master.press("P")
        master.client.until("has no seat: m makes")
        master.press("i")
        master.client.until("How long do the players' passwords last?")
        master.press("\r")
        until_copied(master.client, 1)
        master.press("a")
        until_copied(master.client, 2)
        invited = monotonic()
        messages = copied(master.client)[-1].split("\n\nJoin ")
        assert len(messages) == PLAYERS

        # The players are at their own machines, so each does a step while the others do it.
        players = [
            player_with(message, tmp_path / f"player-{at}", opened) for at, message in enumerate(messages)
        ]
        for player in players:
            player.typist.paste(player.line)
        for player in players:
            assert player.mark in player.client.until("continue connecting")
            player.typist.paste("yes")
        for player in players:
            player.client.until("Password from the game master")
            player.typist.paste(player.password)
        for player in players:
            player.client.until("Goblin")
        seated = monotonic()
        assert master.keys == 4
        assert [player.typist.lines for player in players] == [3] * PLAYERS

        # Another time, the player's own key opens the seat.
        again = players[0]
        # The prompt of the shell from before the login must not count.
        again.client.forget()
        again.client.press("\x11")
        again.client.until("closed", "$ ")
        again.client.forget()
        again.typist.paste(again.line)
        again.client.until("Goblin")
        assert again.typist.lines == 4
        record_property("keys", master.keys)
        record_property("seconds to invite", round(invited - begun, 1))
        record_property("seconds to seat the players", round(seated - invited, 1))
