"""Post lines to a chat channel by its webhook, in the form of Discord or Slack.

A webhook's address is a secret: whoever has it can write in the channel. No message here contains it.
"""

import json
import os
import re
import ssl
import stat
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import (
    BadStatusLine,
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    RemoteDisconnected,
    responses,
)
from typing import Any
from urllib.parse import urlsplit

from systems.errors import InputError
from systems.frozen import frozen
from systems.text import clean
from tui.campaign.user_folders import settings_folder
from tui.terminal.program_log import log_unexpected

VARIABLE = "AFFRAY_WEBHOOK"
_FILE = "webhook"
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_MOST_WAITING = 500  # lines
_LARGEST_POST = 1_900  # characters; Discord accepts 2,000
_LONGEST_URL = 2_000
_LARGEST_ANSWER = 64_000  # bytes
_TIMEOUT = 10.0  # seconds for each step of a post
_PAUSE = 1.0  # seconds between two posts, in which further lines gather
_LONGEST_WAIT = 60.0  # seconds before another attempt
_LONGEST_RETRY_AFTER = 3_600.0
_TOO_MANY = 429
_DISCORD = re.compile(r"^/api(/v\d+)?/webhooks/[^/]+/[^/]+/?$")
_DISCORD_MARKS = re.compile(r"[\\`*_~|<>\[\]@:]|^[-+#]|(?<=^\d)\.")
_SLACK_MARKS = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
# Slack knows no escape for its formatting, so these look alike.
_SLACK_FORMATTING = str.maketrans({"*": "∗", "_": "\uff3f", "~": "∼", "`": "\u02cb"})
_NO_EMBEDS = 1 << 2  # a flag of Discord's messages


@frozen
class Address:
    """The address of a webhook. `place`: the path with its query."""

    host: str
    port: int | None
    place: str
    is_secure: bool

    @property
    def is_discord(self) -> bool:
        return _DISCORD.match(self.place.partition("?")[0]) is not None


def webhook_address() -> Address:
    """Return the address from the environment or the settings folder. Raises InputError with a sentence."""
    if given := os.environ.get(VARIABLE, "").strip():
        return read_address(given, VARIABLE)
    file = settings_folder() / _FILE
    try:
        with file.open("rb") as opened:
            found = os.fstat(opened.fileno())
            if stat.S_IMODE(found.st_mode) & 0o077:
                raise InputError(f"{file}: other users may read it; run: chmod 600 {file}")
            text = opened.read(_LONGEST_URL + 1).decode("utf-8", "replace").strip()
    except FileNotFoundError:
        raise InputError(f"there is no webhook: set {VARIABLE}, or write its address to {file}") from None
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from None
    return read_address(text, str(file))


def read_address(text: str, source: str) -> Address:
    """Read an address. `source`: its variable or file. Raises InputError, which leaves it out."""
    wrong = InputError(f"{source}: expected one https:// address, as the chat's settings show it")
    if not text.isascii() or not text.isprintable() or " " in text or len(text) > _LONGEST_URL:
        raise wrong
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise wrong from None
    host = parts.hostname or ""
    is_local = parts.scheme == "http" and host in _LOCAL
    if not host or parts.username is not None or not (parts.scheme == "https" or is_local):
        raise wrong
    place = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(host, port, place, parts.scheme == "https")


def message(lines: Iterable[str], address: Address) -> Mapping[str, Any]:
    """Return the message with these lines as the chat's JSON. Nothing in them mentions or formats."""
    text = "\n".join(lines)
    if address.is_discord:
        return {"content": text, "allowed_mentions": {"parse": []}, "flags": _NO_EMBEDS}
    return {"text": text, "mrkdwn": False, "link_names": False, "unfurl_links": False, "parse": "none"}


def escaped(line: str, address: Address) -> str:
    """Return a line in which nothing is formatting or a mention, cut to the size of a message."""
    escape = _for_discord if address.is_discord else _for_slack
    line = clean(line, _LARGEST_POST)
    whole = escape(line)
    while len(whole) > _LARGEST_POST:
        line = clean(line, len(line) * 3 // 4)
        whole = escape(line)
    return whole


def _for_discord(line: str) -> str:
    return _DISCORD_MARKS.sub(r"\\\g<0>", line)


def _for_slack(line: str) -> str:
    return line.translate(_SLACK_FORMATTING).translate(_SLACK_MARKS)


class MessageRefused(Exception):
    """Raised if the channel refuses a message for good. The text is one sentence without the address."""


class Webhook:
    """Posts lines in a thread of its own, and tries again while the channel can't be reached.

    `say` gets a sentence about trouble, `refused` one if the channel refuses for good; both are called in the
    thread. If too many lines wait, the oldest are left out, and a line in the channel says how many.
    """

    def __init__(
        self,
        address: Address,
        say: Callable[[str], None],
        refused: Callable[[str], None],
        pause: float = _PAUSE,
        timeout: float = _TIMEOUT,
    ) -> None:
        self._address, self._say, self._refused = address, say, refused
        self._pause, self._timeout = pause, timeout
        self._waiting: deque[str] = deque()
        self._left_out = 0
        self._changed = threading.Condition()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work, name="webhook", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def send(self, lines: Iterable[str]) -> None:
        """Queue lines. Returns at once."""
        with self._changed:
            for line in lines:
                if len(self._waiting) >= _MOST_WAITING:
                    self._waiting.popleft()
                    self._left_out += 1
                self._waiting.append(escaped(line, self._address))
            self._changed.notify()

    def end(self, wait: float) -> int:
        """Stop, after up to `wait` seconds for a last post. Return the number of lines that were not sent."""
        self._ending.set()
        with self._changed:
            self._changed.notify()
        if self._thread.is_alive():
            self._thread.join(wait)
        with self._changed:
            return len(self._waiting) + self._left_out

    def _work(self) -> None:
        try:
            while self._wait_for_lines():
                self._post_next()
                self._ending.wait(self._pause)
        except MessageRefused as refused:
            self._refused(str(refused))
        except Exception as error:  # noqa: BLE001 - the feed must not go on without its channel
            log_unexpected(error)
            name = type(error).__name__
            self._refused(f"the webhook at {self._address.host} failed: {name} (a mistake in affray)")

    def _wait_for_lines(self) -> bool:
        """Wait until a line is queued. Return False at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ending.is_set())
            return bool(self._waiting)

    def _post_next(self) -> None:
        """Post the oldest waiting lines, as often as it takes. They leave the queue when they are posted."""
        with self._changed:
            lines, count = _first_lines(self._waiting, self._left_out)
            left_out, self._left_out = self._left_out, 0
            for _ in range(count):
                self._waiting.popleft()
        wait = self._pause
        while True:
            try:
                retry_after = self._post(lines)
            except (OSError, HTTPException, UnicodeError) as error:
                retry_after, wait = wait, min(2 * wait, _LONGEST_WAIT)
                self._say(f"the webhook at {self._address.host} can't be reached: {_reason(error)}")
            if retry_after is None:
                return
            if self._ending.wait(retry_after):
                with self._changed:
                    self._left_out += count + left_out
                return

    def _post(self, lines: Iterable[str]) -> float | None:
        """Post lines. Return None, or the seconds to wait before another attempt. Raises MessageRefused."""
        body = json.dumps(message(lines, self._address)).encode()
        with closing(self._connection()) as connection:
            connection.request("POST", self._address.place, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read(_LARGEST_ANSWER)
        if 200 <= answer.status < 300:
            return None
        if answer.status == _TOO_MANY:
            return _retry_after(answer)
        # The answer's own words could repeat the address.
        words = f"{answer.status} {responses.get(answer.status, '')}".rstrip()
        if answer.status >= 500 or answer.status == 408:
            raise HTTPException(f"it answered {words}")
        if 300 <= answer.status < 400:
            raise MessageRefused(
                f"the webhook at {self._address.host} redirects ({words}), which is not followed"
            )
        raise MessageRefused(f"the webhook at {self._address.host} refused the message: {words}")

    def _connection(self) -> HTTPConnection:
        address = self._address
        if address.is_secure:
            context = ssl.create_default_context()
            return HTTPSConnection(address.host, address.port, timeout=self._timeout, context=context)
        return HTTPConnection(address.host, address.port, timeout=self._timeout)


def _first_lines(waiting: Iterable[str], left_out: int) -> tuple[list[str], int]:
    """Return the lines of the next message, and how many waiting lines they are."""
    lines = [f"… {left_out} lines left out"] * bool(left_out)
    size, count = sum(map(len, lines)), 0
    for line in waiting:
        size += len(line) + 1
        if count and size > _LARGEST_POST:
            break
        lines.append(line)
        count += 1
    return lines, count


def _retry_after(answer: HTTPResponse) -> float:
    """Return the seconds that the channel asks to wait, from a number or a date."""
    given = answer.headers.get("Retry-After", "")
    seconds = 1.0
    with suppress(ValueError, TypeError):
        try:
            seconds = float(given)
        except ValueError:
            seconds = (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds()
    # A comparison with "not a number" is false, which leaves the lower bound.
    return min(max(0.1, seconds), _LONGEST_RETRY_AFTER)


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeError):
        return "no host has this name"
    if isinstance(error, BadStatusLine) and not isinstance(error, RemoteDisconnected):
        return "it does not answer in HTTP"
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return clean(str(reason), 200)
