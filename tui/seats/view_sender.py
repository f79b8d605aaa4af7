"""Sends one screen its views: the first in full, later ones as changes to the previous view."""

from systems.visibility.view import View
from tui.seats.following import MadeView
from tui.seats.tokens import Tokens
from tui.wire.link import Link


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
