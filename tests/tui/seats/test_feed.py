"""`affray feed`: the public lines of a fight, on standard output and in a chat channel."""

import json
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

from systems.errors import InputError
from systems.visibility.parts import LogLine
from tests.command import commands, environment, program, sample
from tests.tui.seats.opened import CAMPAIGN
from tui.seats.feed import FightFeed
from tui.seats.warm_process import WarmProcess
from tui.seats.webhook import VARIABLE, Webhook, escaped, message, read_address, webhook_address
from tui.terminal.log_file import logged

PATIENCE = 20.0
DISCORD = "https://discord.com/api/webhooks/123/secret-token"
SLACK = "https://hooks.slack.com/services/T0/B0/secret-token"


# What is new


def line(number: int, text: str, undone: bool = False) -> tuple[int, LogLine]:
    return number, LogLine(1, text, undone)


def test_each_event_is_one_line_of_the_feed() -> None:
    feed = FightFeed()
    assert feed.news([line(1, "The fight begins."), line(1, "Okado's turn.")]) == [
        "The fight begins. Okado's turn."
    ]
    assert feed.news([line(1, "The fight begins."), line(1, "Okado's turn."), line(2, "Hit.")]) == ["Hit."]
    assert feed.news([line(1, "The fight begins."), line(1, "Okado's turn."), line(2, "Hit.")]) == []


def test_an_undone_event_is_taken_back_and_a_redone_one_is_told_again() -> None:
    feed = FightFeed()
    feed.news([line(1, "Hit.")])
    assert feed.news([line(1, "Hit.", undone=True)]) == ["taken back: Hit."]
    assert feed.news([line(1, "Hit.", undone=True)]) == []
    assert feed.news([line(1, "Hit.")]) == ["Hit."]


def test_an_amended_event_is_taken_back_and_told_as_it_reads_now() -> None:
    feed = FightFeed()
    feed.news([line(1, "Hit.")])
    assert feed.news([line(1, "Miss.")]) == ["taken back: Hit.", "Miss."]


def test_an_event_undone_before_it_was_told_stays_untold() -> None:
    assert FightFeed().news([line(1, "Hit.", undone=True)]) == []


# The channel


def test_nothing_in_a_line_pings_or_formats_in_discord() -> None:
    address = read_address(DISCORD, "test")
    said = escaped("@everyone *hits* <@1> `x` [a](http://b) ||c||\x1b[31m", address)
    assert said == r"\@everyone \*hits\* \<\@1\> \`x\` \[a\](http\://b) \|\|c\|\| \[31m"
    sent = message([said], address)
    assert sent["allowed_mentions"] == {"parse": []}
    assert sent["content"] == said


def test_nothing_in_a_line_pings_or_links_in_slack() -> None:
    address = read_address(SLACK, "test")
    said = escaped("<!everyone> *hits* & <https://x|y>", address)
    assert "<" not in said
    assert "*" not in said
    assert message([said], address) == {
        "text": said,
        "mrkdwn": False,
        "link_names": False,
        "unfurl_links": False,
        "parse": "none",
    }


def test_a_long_line_fits_a_message_with_its_escapes() -> None:
    said = escaped("*" * 5_000, read_address(DISCORD, "test"))
    assert len(said) <= 1_900
    assert said.endswith("…")


@pytest.mark.parametrize(
    "given",
    [
        "http://example.org/secret",
        "ftp://example.org",
        "https://user:secret@example.org/x",
        "https://",
        "https://a b",
        "https://a/\x1b",
        "https://a:99999/",
        "secret-token",
        "",
    ],
)
def test_only_one_https_address_is_accepted_and_never_quoted(given: str) -> None:
    with pytest.raises(InputError, match="expected one https:// address") as caught:
        read_address(given, "AFFRAY_WEBHOOK")
    assert "secret" not in str(caught.value)


def test_the_file_of_the_address_must_be_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AFFRAY_WEBHOOK", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with pytest.raises(InputError, match="there is no webhook: set AFFRAY_WEBHOOK"):
        webhook_address()
    file = tmp_path / "affray" / "webhook"
    file.parent.mkdir()
    file.write_text(f"{DISCORD}\n")
    file.chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        webhook_address()
    file.chmod(0o600)
    assert webhook_address() == read_address(DISCORD, "")


def test_the_process_of_a_seat_does_not_inherit_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, DISCORD)
    warm = WarmProcess()
    warm.start()
    try:
        environ = Path(f"/proc/{warm.pid}/environ")
        while b"TEXTUAL_FPS=120" not in environ.read_bytes():  # until the process has its own environment
            pass
        assert b"secret-token" not in environ.read_bytes()
    finally:
        warm.close()


@dataclass(slots=True)
class Channel:
    """A chat channel on this machine. `answers`: the status and headers of each answer in turn, then 204."""

    port: int
    posts: "Queue[dict[str, Any]]" = field(default_factory=Queue)
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    hangs: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/webhooks/1/secret-token"

    def next_lines(self) -> list[str]:
        return str(self.posts.get(timeout=PATIENCE)["content"]).split("\n")


@contextmanager
def channel(
    *answers: tuple[int, dict[str, str]], hangs: bool = False, reason: str | None = None
) -> Iterator[Channel]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            here.posts.put({**body, "path": self.path})
            if hangs:
                here.hangs.wait(PATIENCE)
            status, headers = here.answers.pop(0) if here.answers else (204, {})
            self.send_response(status, reason)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            here.posts.put({"path": self.path, "content": "followed"})

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here = Channel(server.server_address[1], answers=list(answers))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield here
    finally:
        here.hangs.set()
        server.shutdown()
        server.server_close()


@contextmanager
def posting(here: Channel, said: Callable[[str], None], timeout: float = PATIENCE) -> Iterator[Webhook]:
    webhook = Webhook(read_address(here.url, "test"), said, said, pause=0.01, timeout=timeout)
    webhook.start()
    yield webhook
    webhook.end(PATIENCE)


def test_lines_are_posted_in_order_and_together() -> None:
    said: list[str] = []
    with channel() as here, posting(here, said.append) as webhook:
        webhook.send(["one", "two"])
        assert here.next_lines() == ["one", "two"]
    assert said == []


def test_the_time_that_the_channel_asks_for_is_waited() -> None:
    said: list[str] = []
    with channel((429, {"Retry-After": "0.2"})) as here, posting(here, said.append) as webhook:
        webhook.send(["one"])
        assert here.next_lines() == ["one"]
        assert here.next_lines() == ["one"]
    assert said == []


def test_a_redirect_is_refused_and_not_followed() -> None:
    said: Queue[str] = Queue()
    with channel() as here:
        here.answers.append((302, {"Location": f"http://127.0.0.1:{here.port}/elsewhere"}))
        with posting(here, said.put) as webhook:
            webhook.send(["one"])
            assert "redirects" in said.get(timeout=PATIENCE)
        here.posts.get(timeout=PATIENCE)
        with pytest.raises(Empty):
            here.posts.get_nowait()


def test_a_channel_that_is_gone_is_said_once_without_its_address() -> None:
    said: Queue[str] = Queue()
    with channel((404, {})) as here, posting(here, said.put) as webhook:
        webhook.send(["one"])
        assert said.get(timeout=PATIENCE) == "the webhook at 127.0.0.1 refused the message: 404 Not Found"


def test_a_server_error_is_tried_again() -> None:
    said: Queue[str] = Queue()
    with channel((500, {})) as here, posting(here, said.put) as webhook:
        webhook.send(["one"])
        assert here.next_lines() == here.next_lines() == ["one"]
    assert "secret" not in said.get_nowait()


@pytest.mark.parametrize("host", ["chat..example", "a" * 70 + ".example"])
def test_a_host_that_no_network_knows_is_said_without_the_address(host: str) -> None:
    said: Queue[str] = Queue()
    webhook = Webhook(read_address(f"https://{host}/secret-token", "test"), said.put, said.put, pause=0.01)
    webhook.start()
    webhook.send(["one"])
    told = said.get(timeout=PATIENCE)
    webhook.end(PATIENCE)
    assert told.startswith(f"the webhook at {host} can't be reached: ")
    assert "secret" not in told


def test_an_error_in_the_thread_ends_the_feed_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError(DISCORD)

    monkeypatch.setattr("tui.seats.webhook.message", broken)
    said: Queue[str] = Queue()
    with logged(str(tmp_path / "it.log"), "feed"), channel() as here, posting(here, said.put) as webhook:
        webhook.send(["one"])
        told = said.get(timeout=PATIENCE)
    text = (tmp_path / "it.log").read_text()
    assert told == "the webhook at 127.0.0.1 failed: ZeroDivisionError (a mistake in affray)"
    assert "in broken" in text
    assert "secret-token" not in text


def test_an_answer_that_repeats_the_address_is_not_repeated() -> None:
    said: Queue[str] = Queue()
    reason = "no /api/webhooks/1/secret-token"
    with channel((404, {}), reason=reason) as here, posting(here, said.put) as webhook:
        webhook.send(["one"])
        assert said.get(timeout=PATIENCE) == "the webhook at 127.0.0.1 refused the message: 404 Not Found"


def test_a_channel_that_hangs_takes_no_time_and_little_memory() -> None:
    said: list[str] = []
    with channel(hangs=True) as here, posting(here, said.append) as webhook:
        webhook.send(["first"])
        assert here.next_lines() == ["first"]
        webhook.send(f"line {number}" for number in range(10_000))
        here.hangs.set()
        lines = here.next_lines()
        assert lines[:2] == ["… 9500 lines left out", "line 9500"]


# The command


@contextmanager
def feed(folder: Path, *words: str, url: str = "") -> Iterator["subprocess.Popen[str]"]:
    env = environment(XDG_CONFIG_HOME=str(folder / "settings"))
    if url:
        env["AFFRAY_WEBHOOK"] = url
    command = program("feed", CAMPAIGN, "--campaigns", folder, *words)
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def ready(running: "subprocess.Popen[str]") -> None:
    assert running.stderr is not None
    assert "following the fight" in running.stderr.readline()


def heard(running: "subprocess.Popen[str]") -> str:
    assert running.stdout is not None
    return running.stdout.readline().rstrip("\n")


def test_the_feed_tells_what_all_players_see_and_takes_back_what_is_undone(tmp_path: Path) -> None:
    sample(tmp_path, CAMPAIGN)
    commands(tmp_path, CAMPAIGN, "note before the feed")
    with feed(tmp_path) as running:
        ready(running)
        lines = ("start", "note for the game master alone", "note rain falls for all")
        commands(tmp_path, CAMPAIGN, *lines)
        assert heard(running).startswith("The fight begins, round 1.")
        assert "rain falls" in heard(running)
        commands(tmp_path, CAMPAIGN, "undo")
        assert heard(running).startswith("taken back: ")
        running.send_signal(signal.SIGTERM)
        assert running.wait(PATIENCE) == 0


def test_hidden_combatants_stay_out_of_the_feed(tmp_path: Path) -> None:
    sample(tmp_path, CAMPAIGN)
    with feed(tmp_path) as running:
        ready(running)
        lines = ("add guard as Lurker hidden", "start", "damage lurker 3", "note the end for all")
        commands(tmp_path, CAMPAIGN, *lines)
        told = [heard(running)]
        while "the end" not in told[-1]:
            told.append(heard(running))
        assert not any("urker" in text for text in told)


def test_a_campaign_is_fed_to_a_channel_without_pinging_anybody(tmp_path: Path) -> None:
    sample(tmp_path, CAMPAIGN)
    with channel() as here, feed(tmp_path, "--webhook", url=here.url) as running:
        ready(running)
        commands(tmp_path, CAMPAIGN, "add guard as @everyone", "start")
        found: list[str] = []
        while not any("fight begins" in text for text in found):
            found += here.next_lines()
        assert r"\@everyone" in "\n".join(found)


def test_a_feed_without_its_webhook_ends_with_one_sentence(tmp_path: Path) -> None:
    sample(tmp_path, CAMPAIGN)
    with feed(tmp_path, "--webhook") as running:
        assert running.wait(PATIENCE) == 1
        assert running.stderr is not None
        assert "there is no webhook: set AFFRAY_WEBHOOK" in running.stderr.read()


def test_the_address_is_no_argument(tmp_path: Path) -> None:
    sample(tmp_path, CAMPAIGN)
    with feed(tmp_path, "--webhook", DISCORD) as running:
        assert running.wait(PATIENCE) == 2
