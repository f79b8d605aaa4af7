"""What bounds a stranger: rates and counts, by a clock of the test's own."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from tui.seats import bounds
from tui.seats.bounds import LoginSlots, OpeningPace, TokenBucket
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


def test_who_takes_more_than_there_is_waits_until_it_is_paid_for() -> None:
    bucket = TokenBucket(bounds.CONNECTING, bounds.CONNECTING_BURST, 5.0)
    burst = int(bounds.CONNECTING_BURST)
    assert [bucket.take(1, 5.0) for _ in range(burst)] == [0.0] * burst
    waits = [bucket.take(1, 5.0) for _ in range(4)]
    assert [round(wait * bounds.CONNECTING) for wait in waits] == [1, 2, 3, 4]
    assert bucket.take(1, 60.0) == 0


def test_of_one_seat_many_screens_are_opened_one_after_the_other() -> None:
    pace = OpeningPace()
    burst = int(bounds.OPENED_BURST)
    assert [pace.wait("okado", 5.0) for _ in range(burst)] == [0.0] * burst
    assert [round(pace.wait("okado", 5.0) * bounds.OPENED) for _ in range(3)] == [1, 2, 3]
    assert pace.wait("tamsin", 5.0) == 0
    assert pace.wait("okado", 60.0) == 0


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


async def test_of_many_sizes_at_once_the_first_and_the_last_are_told() -> None:
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
