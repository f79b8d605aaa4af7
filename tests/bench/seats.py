"""Measure seats: time to the first picture, memory, delay of an event, and cost for the table."""

import re
import select
import shutil
import subprocess
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.marker import MARKER
from tests.bench.start import painted
from tests.bench.terminal import QUIET, Terminal
from tests.bench.world import Row, World
from tests.command import sample
from tests.tui.seats.opened import PATIENCE, Client, Table, children, served, wait_for

LOGINS, EVENTS, KEYS = 9, 15, 15
SEVERAL, MANY = 8, 32


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
    with served(world.folder / "seats", keys=keys, forked=False) as table:
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
    alone = yield from following(world, 1, least)
    yield from following(world, SEVERAL, least, alone)
    yield from with_seats(world)
    yield from many(world, least, alone)


@contextmanager
def seated(world: World, count: int, name: str) -> Iterator[tuple[Table, list[Client]]]:
    """Yield a table with `count` seats, all with their first picture. All play the same character."""
    with served(world.folder / f"{name}-{count}", forked=False) as table:
        text = (table.campaign / "seats.toml").read_text("utf-8")
        for at in range(count):
            public = table.key(f"key{at}").with_suffix(".pub").read_text("utf-8").strip()
            text += f'\n[[seat]]\nname = "seat{at}"\ncharacters = ["okado"]\nkeys = ["{public}"]\n'
        (table.campaign / "seats.toml").write_text(text, encoding="utf-8")
        last = f"seat{count - 1}"
        wait_for(lambda: table.ssh(last, "status", key=table.key(f"key{count - 1}")).returncode == 0, "seats")
        seats = []
        for at in range(count):
            # One after another: only a few logins from one address are allowed at the same time.
            seats.append(table.seat(f"seat{at}", key=table.key(f"key{at}"), size=(120, 40)))
            seats[-1].until("Guard 1")
        yield table, seats


def following(world: World, count: int, least: float, alone: float = 0) -> Generator[Row, None, float]:
    """Measure an event's delay from the save to the screens of all seats, and the memory of each seat.

    `alone`: the milliseconds to the screen of a single seat, for the ratio. Returns the measured
    milliseconds.
    """
    with seated(world, count, "events") as (table, seats):
        took = median(delays(world, table, seats, EVENTS))
        share_of = median(share(pid) for pid in seats_of(table))
    words = f"{count} seat{'s' if count > 1 else ''}"
    yield Row(f"event to the last screen, {words}", "15 ms" if count == 1 else "30 ms", in_words(took, alone))
    if count > 1:
        yield Row(f"memory of a seat, {words}", "0.75x", f"{share_of:.1f} MB, {share_of / least:.2f}x")
    return took


def in_words(took: float, alone: float) -> str:
    """Return the milliseconds, and their ratio to those of one seat."""
    return f"{took:.1f} ms" + (f", {took / alone:.1f}x of one seat" if alone else "")


def delays(world: World, table: Table, seats: Sequence[Client], events: int) -> list[float]:
    """Return the milliseconds from each save until the last of these screens has begun to change."""
    found: list[float] = []
    with running(world, table) as runner:
        for _ in range(events):
            drain(seats)
            if not said(runner, "next" if found else "start"):
                raise RuntimeError("the table does not answer")
            saved = perf_counter()
            waiting = list(seats)
            while waiting:
                waiting = [seat for seat in waiting if not seat.read(0.001)]
                if perf_counter() - saved > PATIENCE:
                    raise RuntimeError(f"{len(waiting)} seats were not shown an event")
            found.append(1000 * (perf_counter() - saved))
        assert runner.stdin is not None
        runner.stdin.close()
    return found


def drain(seats: Sequence[Client]) -> None:
    """Read until no seat receives anything more."""
    is_quiet = False
    while not is_quiet:
        select.select([], [], [], QUIET)
        is_quiet = not any([seat.read(0) for seat in seats])  # noqa: C419 - all of them are read
    for seat in seats:
        seat.forget()


def with_seats(world: World) -> Iterator[Row]:
    """Measure the game master's key and command with seats at the table and without, in turn."""
    alone = sample(world.folder, "okado-at-the-gate", "no-seats")
    with seated(world, SEVERAL, "with-seats") as (table, seats):
        state = {**world.environment, "XDG_STATE_HOME": str(table.folder / "state")}
        programs = {
            "none": Terminal([sys.executable, "-m", "tui", str(alone)], world.environment),
            "seats": Terminal([sys.executable, "-m", "tui", str(table.campaign)], state),
        }
        found: dict[tuple[str, str], list[float]] = {}
        for program in programs.values():
            program.until("Guard 1")
            program.settle()
            program.press("n")
            program.press("j")  # away from the edge, so that each key moves the cursor
        for what, keys in (("key", "jk" * KEYS), ("command", "n" * KEYS)):
            for key in keys:
                drain(seats)
                for name, program in programs.items():
                    found.setdefault((what, name), []).append(program.press(key).last)
        for program in programs.values():
            program.kill()
    for what in ("key", "command"):
        without, among = median(found[what, "none"]), median(found[what, "seats"])
        says = f"{among:.1f} ms, without seats {without:.1f}, {among / without:.2f}x"
        yield Row(f"a {what} of the game master, {SEVERAL} seats against none", "1.3x", says)


def many(world: World, least: float, alone: float = 0) -> Iterator[Row]:
    """Measure as many seats as a table holds: each gets its picture, and an event reaches all of them."""
    began = perf_counter()
    with seated(world, MANY, "many") as (table, seats):
        took = 1000 * (perf_counter() - began) / MANY
        found = delays(world, table, seats, 5)
        shares = [share(pid) for pid in seats_of(table)]
        refused = MANY - len(shares)
        yield Row(f"{MANY} seats: each from ssh to its picture", "", f"{took:.0f} ms, {refused} refused")
        yield Row(
            f"{MANY} seats: event to the last screen", "", f"{in_words(median(found), alone)}, reached all"
        )
        words = f"{median(shares):.1f} MB, {median(shares) / least:.2f}x; {sum(shares):.0f} MB in all"
        yield Row(f"{MANY} seats: memory of each", "0.75x", words)


def okado(table: Table) -> Client:
    return Client(table.words("okado", key=table.key()), (120, 40))


def login(table: Table) -> float:
    """Return the milliseconds from the start of ssh to the picture."""
    began = perf_counter()
    client = okado(table)
    try:
        client.until("Guard 1")
        return 1000 * (perf_counter() - began)
    finally:
        client.close()


def running(world: World, table: Table) -> "subprocess.Popen[bytes]":
    """Start `affray run` on the campaign to make events. It ends with its input."""
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
    """Return the process ids of the seats."""
    [warm] = children(table.process.pid)
    return children(warm)


def share(pid: int) -> float:
    """Return a process's proportional share of memory, in megabytes."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    found = re.search(r"^Pss: +(\d+)", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024
