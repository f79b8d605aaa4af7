"""What makes a request of a seat count once, and in the fight that its player saw."""

from tui.seats.view_sender import MOST, Tokens


def test_a_token_counts_once_and_names_the_event_before_the_typed_line():
    tokens = Tokens()
    first, second = tokens.issue(4), tokens.issue(5)
    assert tokens.take(second) == 5
    assert tokens.take(second) is None
    # Typed before the newer view had come.
    assert tokens.take(first) == 4


def test_an_invented_or_old_token_is_refused():
    tokens = Tokens()
    old = tokens.issue(1)
    for number in range(MOST):
        tokens.issue(number)
    for given in (old, "", "x"):
        assert tokens.take(given) is None
