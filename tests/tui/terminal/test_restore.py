"""Whether a program has the whole screen of its terminal."""

from hypothesis import given
from hypothesis import strategies as st

from tui.terminal.restore import GIVES_BACK, RESTORE, TAKES, TakenScreen

PIECES = st.lists(st.sampled_from([TAKES, GIVES_BACK, b"x", b"\x1b[2J", b"\x1b[?10"]), max_size=8)


@given(PIECES, st.lists(st.integers(1, 9), max_size=20))
def test_the_last_sequence_counts_however_the_bytes_are_torn(pieces: list[bytes], sizes: list[int]) -> None:
    screen, data = TakenScreen(), b"".join(pieces)
    at = 0
    for size in [*sizes, len(data)]:
        screen.follow(data[at : at + size])
        at += size
    assert screen.is_taken == (data.rfind(TAKES) > data.rfind(GIVES_BACK))


def test_a_screen_that_was_restored_is_not_taken() -> None:
    screen = TakenScreen()
    screen.follow(TAKES + b"the order")
    assert screen.is_taken
    screen.follow(RESTORE)
    assert not screen.is_taken
