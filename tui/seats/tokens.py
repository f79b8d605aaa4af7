"""Tokens for requests: each is valid for one request, and names the event that the player saw last."""

import secrets

STALE = "This line was sent twice or is too old: check the fight, then type it again."
MOST = 8  # views that may be on their way to a player with a slow connection


class Tokens:
    """The valid tokens of one screen. An old token stays valid until newer ones replace it.

    A line typed while another event was on its way therefore stays valid: it is checked against the fight
    that the player saw.
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
        """Use up a token and return its event. Return None if it is used, too old or invalid."""
        return self._open.pop(token, None) if isinstance(token, str) else None
