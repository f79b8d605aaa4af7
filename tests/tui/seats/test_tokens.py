"""What makes a request of a seat count once, and in the fight that its player saw."""

from tui.seats.tokens import MOST, Tokens


def test_a_token_counts_once_and_tells_after_which_event_its_player_typed():
    tokens = Tokens()
    first, second = tokens.issue(4), tokens.issue(5)
    assert tokens.take(second) == 5
    assert tokens.take(second) is None
    # Typed before the newer view had come.
    assert tokens.take(first) == 4


def test_what_is_made_up_or_long_ago_is_no_token():
    tokens = Tokens()
    old = tokens.issue(1)
    for number in range(MOST):
        tokens.issue(number)
    for given in (old, "", None, 3, ["x"]):
        assert tokens.take(given) is None
