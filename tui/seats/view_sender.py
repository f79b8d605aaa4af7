"""Sends one screen its views with tokens: the first in full, later ones as changes to the previous view.

A token is valid for one request, and names the event that the player saw last.
"""

import secrets

from systems.visibility.view import View
from tui.seats.following import MadeView
from tui.wire.link import Link

STALE = "This line was sent twice or is too old: check the fight, then type it again."
LONGEST_TOKEN = 16
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
        token = secrets.token_hex(LONGEST_TOKEN // 2)
        self._open[token] = n
        while len(self._open) > MOST:
            del self._open[next(iter(self._open))]
        return token

    def take(self, token: str) -> int | None:
        """Use up a token and return its event. Return None if it is used, too old or invalid."""
        return self._open.pop(token, None)


class ViewSender:
    """Sends views to one screen. `tokens` issues the request token that goes with each view."""

    def __init__(self, link: Link, tokens: Tokens) -> None:
        self._link, self._tokens = link, tokens
        self._last: View | None = None

    def send(self, made: MadeView) -> None:
        """Send a view unless the screen already has it."""
        if made.view is self._last or made.view == self._last:
            return
        token = self._tokens.issue(made.n)
        # If the previous view is still unsent, this one replaces it, so it must be sent in full.
        if made.before is None or made.before is not self._last or self._link.is_full:
            self._link.send_newest({"kind": "view", "view": made.json, "token": token})
        else:
            self._link.send_newest({"kind": "view", "changes": made.changes, "token": token})
        self._last = made.view
