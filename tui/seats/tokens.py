"""Tokens of requests: each is good for one request, and stands for the event after which it was typed."""

import secrets

STALE = "This was sent twice, or long ago: look, and type it again."
MOST = 8  # views that may be on their way to a player whose line is slow


class Tokens:
    """The tokens that one screen holds. An old one stays good until newer ones push it out.

    So a line that was typed while another event was on its way is no stranger: it is checked against the
    fight as it was then.
    """

    def __init__(self) -> None:
        self._open: dict[str, int] = {}

    def issue(self, n: int) -> str:
        """Return a new token for the state after event `n`."""
        token = secrets.token_hex(8)
        self._open[token] = n
        while len(self._open) > MOST:
            del self._open[next(iter(self._open))]
        return token

    def take(self, token: object) -> int | None:
        """Return the event that a token stands for, once; None where it is used, too old or made up."""
        return self._open.pop(token, None) if isinstance(token, str) else None
