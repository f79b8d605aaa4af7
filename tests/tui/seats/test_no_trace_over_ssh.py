"""A seat's terminal gets the same bytes over OpenSSH with no and with four hidden combatants."""

import os
import re
from pathlib import Path
from time import monotonic

import pytest

from tests.tui.seats.opened import CAMPAIGN, PATIENCE, Client, served
from tests.tui.seats.test_no_trace import World

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="seats need a system that can fork")
QUIET = 0.15  # seconds without a byte after which a frame is over
_TITLE = re.compile(rb"\x1b\]2;([^\x07]*)\x07")
_BETWEEN = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])|[\r\n]")


def frame(seat: Client) -> bytes:
    """Return all output until the seat is quiet."""
    end = monotonic() + PATIENCE
    while not seat.read() and monotonic() < end:
        pass
    while seat.read(QUIET):
        pass
    painted = bytes(seat.output)
    seat.output.clear()
    return painted


def texts(painted: bytes) -> set[bytes]:
    """Every piece of text that was painted, and every title. How it was cut into frames does not count."""
    pieces = {piece.strip() for piece in _BETWEEN.split(painted)}
    return (pieces | set(_TITLE.findall(painted))) - {b""}


def evening(folder: Path, hidden: int) -> list[set[bytes]]:
    """Return the texts on a seat's screen after its login, then after each command in sight."""
    world = World(folder, CAMPAIGN, hidden, 11, saves=True)
    with served(world.path.parent.parent, keys={"okado": "key"}, name=CAMPAIGN) as table:
        seat = table.seat("okado", key=table.key(), size=(120, 40))
        seat.until("Guard 1", "Ctrl+Q")
        while seat.read(QUIET):
            pass
        seat.forget()  # a login may paint an empty page first
        found = [texts(frame(seat)) for _ in world.play()]
        if hidden:
            for line in ("roll 3d6 secret", f"damage {world.hidden_ids()[0]} 1", "note they wait"):
                world.session.do(line)
            assert seat.read(2 * QUIET) == b"", "events out of sight send nothing"
            world.session.do(f"reveal {world.hidden_ids()[0]}")
            row = "▪ Shadow 1".encode()
            assert any(row in piece for piece in texts(frame(seat))), "a revealed combatant is painted"
    world.fight.close()
    return found


def test_the_bytes_over_ssh_reveal_nothing_of_hidden_combatants(tmp_path: Path) -> None:
    none, four = evening(tmp_path, 0), evening(tmp_path, 4)
    assert len(none) == len(four) > 8
    assert set().union(*none) == set().union(*four)
    assert b"Okado" in set().union(*none)
