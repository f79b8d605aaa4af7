"""Sends one screen what its viewer sees: all of it at first, then what differs from the view before."""

from systems.visibility.view import View
from tui.seats.following import MadeView
from tui.seats.tokens import Tokens
from tui.wire.link import Link


class ViewSender:
    """`tokens` makes the token for requests that goes with each view."""

    def __init__(self, link: Link, tokens: Tokens) -> None:
        self._link, self._tokens = link, tokens
        self._last: View | None = None

    def send(self, made: MadeView) -> None:
        """Send a view, if it is not what the screen has."""
        if made.view is self._last or made.view == self._last:
            return
        token = self._tokens.issue(made.n)
        # A view that has to wait takes the place of one that waits already: it cannot build on that one.
        if made.before is None or made.before is not self._last or self._link.is_full:
            self._link.send_newest({"kind": "view", "view": made.json, "token": token})
        else:
            self._link.send_newest({"kind": "view", "changes": made.changes, "token": token})
        self._last = made.view
