"""What bounds a stranger: rates and counts, by a clock of the test's own."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from tui.campaign.seats import Seat
from tui.seats import bounds
from tui.seats.bounds import LoginSlots, SeatPace, TokenBucket
from tui.seats.command_line import SeatCommandLine
from tui.seats.ssh_session import SeatSession


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(0.1, 5)), max_size=30))
def test_a_bucket_never_allows_more_than_its_burst_and_its_rate(steps: list[tuple[float, float]]) -> None:
    now = allowed = 0.0
    bucket = TokenBucket(3, 10, now)
    for passed, amount in steps:
        now += passed
        if bucket.try_take(amount, now):
            allowed += amount
        assert allowed <= 10 + 3 * now + 0.001


def test_taking_more_than_is_left_waits_until_it_is_paid_back() -> None:
    bucket = TokenBucket(bounds.CONNECTING, bounds.CONNECTING_BURST, 5.0)
    burst = int(bounds.CONNECTING_BURST)
    assert [bucket.take(1, 5.0) for _ in range(burst)] == [0.0] * burst
    waits = [bucket.take(1, 5.0) for _ in range(4)]
    assert [round(wait * bounds.CONNECTING) for wait in waits] == [1, 2, 3, 4]
    assert bucket.take(1, 60.0) == 0


def test_waiting_for_more_than_is_left_names_the_time_and_takes_nothing() -> None:
    bucket = TokenBucket(0.5, 2, 5.0)
    assert [bucket.try_take(1, 5.0) for _ in range(4)] == [True, True, False, False]
    assert [bucket.wait(1, now) for now in (5.0, 6.0, 7.0)] == [2.0, 1.0, 0.0]
    assert bucket.try_take(1, 7.0)


def test_a_person_who_sits_down_often_does_not_wait_and_a_loop_does() -> None:
    opened = SeatPace(0.0).opened
    assert all(opened.try_take(1, 0.0) for _ in range(10))
    assert sum(opened.try_take(1, now / 10) for now in range(600)) <= 35


def test_all_screens_of_a_seat_together_send_one_request_a_second() -> None:
    requests = SeatPace(0.0).requests
    assert sum(requests.try_take(1, now / 10) for now in range(600)) <= 63


def test_an_address_and_all_together_have_few_places() -> None:
    slots = LoginSlots()
    assert [slots.take("one") for _ in range(5)] == [True] * bounds.CONNECTIONS_PER_ADDRESS + [False]
    taken = [slots.take(f"{number}") for number in range(bounds.CONNECTIONS)]
    assert sum(taken) == bounds.CONNECTIONS - bounds.CONNECTIONS_PER_ADDRESS
    slots.give_back("one")
    assert slots.take("another")


class NoPlace:
    """A place that does nothing."""

    def run(self, session: SeatSession) -> None:
        pass

    def execute(self, session: SeatSession, command: str) -> bool:
        return False

    def left(self, session: SeatSession) -> None:
        pass


class PausedChannel:
    """A channel that notes whether reading was paused."""

    def __init__(self) -> None:
        self.paused = False

    def pause_reading(self) -> None:
        self.paused = True


async def test_only_the_first_and_last_of_many_sizes_are_sent() -> None:
    told: list[tuple[int, int]] = []
    session = SeatSession(NoPlace(), lambda size: None)
    session.on_resized = lambda columns, rows: told.append((columns, rows))
    for columns in range(60, 200):
        session.terminal_size_changed(columns, 24, 0, 0)
    assert told == [(60, 24)]
    async with asyncio.timeout(20):
        while len(told) < 2:
            await asyncio.sleep(0)
    assert told == [(60, 24), (199, 24)]
    session.terminal_size_changed(9_999, 9_999, 0, 0)
    session.lost()
    assert session.size == (500, 300)


async def test_a_flood_of_sizes_is_limited_for_all_screens_of_a_seat_together() -> None:
    pace, told = SeatPace(asyncio.get_running_loop().time()), []
    for columns in range(60, 80):
        session = SeatSession(NoPlace(), lambda size: None)
        session.pace = pace
        session.on_resized = lambda columns, rows: told.append(columns)
        session.terminal_size_changed(columns, 24, 0, 0)
        session.lost()
    assert told == [*range(60, 60 + int(bounds.SIZE_BURST))]


async def test_typed_bytes_of_all_screens_of_a_seat_are_counted_together() -> None:
    pace = SeatPace(asyncio.get_running_loop().time())
    sessions = [SeatSession(NoPlace(), lambda size: None) for _ in range(2)]
    channels = [PausedChannel() for _ in sessions]
    for session, channel in zip(sessions, channels, strict=True):
        session.pace = pace
        session.connection_made(channel)
        session.data_received(b"j" * 3_000, None)
        session.connection_lost(None)
    assert [channel.paused for channel in channels] == [False, True]


async def test_the_usual_size_is_sent_to_a_larger_terminal() -> None:
    told: list[tuple[int, int]] = []
    session = SeatSession(NoPlace(), lambda size: None)
    session.pty_requested("xterm", (120, 40, 0, 0), None)
    session.on_resized = lambda columns, rows: told.append((columns, rows))
    session.terminal_size_changed(80, 24, 0, 0)
    session.lost()
    assert told == [(80, 24)]


class RollingSession:
    """The session of a command. Keeps what is written."""

    def __init__(self, pace: SeatPace) -> None:
        self.pace, self.written = pace, b""

    def write(self, data: bytes) -> None:
        self.written += data

    def end(self, status: int) -> None:
        self.written += f"{status}".encode()


class RollingServer:
    """A server whose table takes every request of a command."""

    def __init__(self) -> None:
        self.table, self.sent = self, 0

    def request_of_command(self, command: SeatCommandLine, line: str) -> bool:
        self.sent += 1
        return True

    def forget_command(self, command: SeatCommandLine) -> None:
        pass


async def test_rolls_as_commands_count_among_the_requests_of_their_seat() -> None:
    pace, server = SeatPace(asyncio.get_running_loop().time()), RollingServer()
    sessions = [RollingSession(pace) for _ in range(8)]
    for session in sessions:
        command = SeatCommandLine(server, session, Seat("okado"), "2d6")  # type: ignore[arg-type]
        command.run()
        command.stop()
    assert server.sent == bounds.REQUEST_BURST
    assert sessions[-1].written.startswith(b"One request a second")
