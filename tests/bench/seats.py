"""Seats: from ssh to the first picture, memory, and an event's way to the seats' screens (Linux)."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.marker import MARKER
from tests.bench.start import painted
from tests.bench.world import Row, World
from tests.tui.seats.opened import Client, Table, served, wait_for

LOGINS, EVENTS, MANY = 9, 15, 8


def sitting(world: World) -> Iterator[Row]:
    if shutil.which("ssh") is None:
        yield Row("seats", "", "there is no ssh here")
        return
    bare = median(painted(world.bare("static")) for _ in range(LOGINS))
    idle = world.bare("static")
    idle.until(MARKER)
    idle.settle()
    least = share(idle.pid)
    idle.kill()
    keys = {"okado": "key"}
    with served(world.folder / "seats", keys=keys) as table:
        login(table)
        took = median(login(table) for _ in range(LOGINS))
        yield Row("seat: ssh to first picture", "0.5x", f"{took:.0f} ms, {took / bare:.2f}x")
        with ExitStack() as stack:
            for _ in range(3):
                client = okado(table)
                stack.callback(client.close)
                client.until("Guard 1")
            found = [share(pid) for pid in seats_of(table)]
            yield Row("seat: memory", "0.75x", f"{median(found):.1f} MB, {median(found) / least:.2f}x")
    for count in (1, MANY):
        yield from following(world, count, least)


def following(world: World, count: int, least: float) -> Iterator[Row]:
    """An event's way from the save to the screens of so many seats, and what the event costs the table."""
    folder = world.folder / f"seats-{count}"
    with served(folder) as table, ExitStack() as stack:
        text = (table.campaign / "seats.toml").read_text("utf-8")
        for at in range(count):
            public = table.key(f"key{at}").with_suffix(".pub").read_text("utf-8").strip()
            text += f'\n[[seat]]\nname = "seat{at}"\ncharacters = ["okado"]\nkeys = ["{public}"]\n'
        (table.campaign / "seats.toml").write_text(text, encoding="utf-8")
        last = f"seat{count - 1}"
        wait_for(lambda: table.ssh(last, "status", key=table.key(f"key{count - 1}")).returncode == 0, "seats")
        seats = []
        for at in range(count):
            # One after the other: only a few from one address may log in at once.
            seats.append(table.seat(f"seat{at}", key=table.key(f"key{at}"), size=(120, 40)))
            seats[-1].until("Guard 1")
        runner = stack.enter_context(running(world, table))
        ways, costs = [], []
        for _ in range(EVENTS):
            for seat in seats:
                while seat.read(0.05):
                    pass
                seat.forget()
            began = perf_counter()
            answer = said(runner, "next" if ways else "start")
            saved = perf_counter()
            if not answer:
                raise RuntimeError("the table does not answer")
            costs.append(1000 * (saved - began))
            waiting = list(seats)
            while waiting:
                waiting = [seat for seat in waiting if not seat.read(0.001)]
            ways.append(1000 * (perf_counter() - saved))
        share_of = median(share(pid) for pid in seats_of(table))
        budget = "15 ms" if count == 1 else "30 ms"
        words = f"{count} seat{'s' if count > 1 else ''}"
        yield Row(f"event to the last screen, {words}", budget, f"{median(ways):.1f} ms")
        yield Row(f"a command of the table, {words}", "1.3x", f"{median(costs):.1f} ms")
        if count > 1:
            yield Row(f"memory of a seat, {words}", "0.75x", f"{share_of:.1f} MB, {share_of / least:.2f}x")


def okado(table: Table) -> Client:
    return Client(table.words("okado", key=table.key()), (120, 40))


def login(table: Table) -> float:
    """Milliseconds from the start of ssh to the picture."""
    began = perf_counter()
    client = okado(table)
    try:
        client.until("Guard 1")
        return 1000 * (perf_counter() - began)
    finally:
        client.close()


def running(world: World, table: Table) -> "subprocess.Popen[bytes]":
    """`affray run` on the campaign, at which events are made."""
    return subprocess.Popen(
        [sys.executable, "-m", "tui", "run", str(table.campaign)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=world.environment,
    )


def said(runner: "subprocess.Popen[bytes]", line: str) -> bytes:
    assert runner.stdin is not None
    assert runner.stdout is not None
    runner.stdin.write(f"{line}\n".encode())
    runner.stdin.flush()
    return runner.stdout.readline()


def seats_of(table: Table) -> list[int]:
    """The processes of the seats."""
    [warm] = children(table.process.pid)
    return children(warm)


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


def share(pid: int) -> float:
    """A process's fair share of what is shared, in megabytes."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    found = re.search(r"^Pss: +(\d+)", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024
