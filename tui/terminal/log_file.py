"""Turn on the log of the program, and give it its form.

A record is a line with the time, a level, the process and a text. A traceback follows on more lines. Several
processes append to one file, each record at once. A process that knows secrets logs an error's type and place
but not its message, which might repeat a password, an address or something that a player typed.
"""

import logging
import os
import platform
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from traceback import format_exception_only, format_tb
from types import TracebackType

from systems.contract.mistakes import listen
from systems.text import clean
from tui.terminal.program_log import VARIABLE, log_error, log_info, use

LONGEST_RECORD = 16_000
# The verbs whose processes know passwords, the address of a webhook, or what players type.
WITH_SECRETS = ("open", "serve", "watch", "invite", "feed")
SEAT, HELPER = "seat", "helper"
_LONGEST_LINE = 1_000
_FORM = "{asctime} {levelname} {program}[{process}] {message}"

ErrorInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class LogForm(logging.Formatter):
    """Formats a record without control characters. `shows_messages`: with the messages of errors."""

    def __init__(self, program: str, *, shows_messages: bool) -> None:
        super().__init__(_FORM, style="{", defaults={"program": program})
        self._shows_messages = shows_messages

    def format(self, record: logging.LogRecord) -> str:
        lines = super().format(record).split("\n")
        return "\n".join(_printable(line) for line in lines)[:LONGEST_RECORD]

    def formatException(self, ei: ErrorInfo) -> str:  # noqa: N802 - logging calls it
        return "" if ei[1] is None else "\n".join(self._lines(ei[1]))

    def _lines(self, error: BaseException) -> Iterator[str]:
        """Yield the traceback of an error, after that of the error that led to it."""
        earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if earlier is not None:
            yield from self._lines(earlier)
            yield "This led to another error."
        for frame in format_tb(error.__traceback__):
            yield from frame.rstrip().split("\n")
        if self._shows_messages:
            yield from "".join(format_exception_only(error)).rstrip().split("\n")
        else:
            yield type(error).__qualname__


class _Appender(logging.Handler):
    """Hands each record as bytes to a function. A record that cannot be written is dropped."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        super().__init__()
        self._write = write

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            self._write(f"{self.format(record)}\n".encode("utf-8", "replace"))


@contextmanager
def logged(file: str, verb: str) -> Iterator[None]:
    """Append the log of this process, and of the processes that it starts, to a file while a verb runs.

    Raises OSError if the file cannot be opened.
    """
    path = os.path.abspath(os.path.expanduser(file))  # noqa: PTH100, PTH111 - a name may be anything
    end = _opened(path)
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = path
    _log_to(lambda data: os.write(end, data), verb, shows_messages=verb not in WITH_SECRETS)
    stop_listening = _log_mistakes()
    log_info("start: Affray %s, Python %s, %s", _version(), platform.python_version(), platform.platform())
    try:
        yield
    except BrokenPipeError:
        log_info("stop: the reader of the output has closed it")
        raise
    except Exception as error:
        log_error("the verb has failed", error)
        raise
    finally:
        log_info("end")
        stop_listening()
        use(None)
        os.close(end)
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


def log_helper() -> None:
    """Append the log of this helper process to that of the program that has started it."""
    end = _opened(os.environ[VARIABLE])
    _log_to(lambda data: os.write(end, data), HELPER, shows_messages=False)
    _log_mistakes()


def _opened(path: str) -> int:
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _log_mistakes() -> Callable[[], None]:
    """Log each mistake of a game once. Return a function that stops it."""
    mistakes: set[str] = set()

    def heard(error: Exception, sentence: str) -> None:
        # A mistake on a screen is repeated with every picture.
        if sentence not in mistakes:
            mistakes.add(sentence)
            log_error("a mistake in a game", error)

    return listen(heard)


def send_log(end: socket.socket) -> None:
    """Send the log of this process to the server. The process of a seat can write no file."""
    end.setblocking(False)
    _log_to(end.send, SEAT, shows_messages=False)


def received_record(data: bytes) -> str:
    """Return a record that a seat's process has sent, without anything that is not text."""
    text = data[:LONGEST_RECORD].decode("utf-8", "replace").rstrip("\n")
    return "\n".join(_printable(line) for line in text.split("\n"))


def _log_to(write: Callable[[bytes], object], program: str, *, shows_messages: bool) -> None:
    logger = logging.Logger("affray", logging.INFO)
    handler = _Appender(write)
    handler.setFormatter(LogForm(program, shows_messages=shows_messages))
    logger.addHandler(handler)
    use(logger)


def _printable(line: str) -> str:
    """Return a line without control characters. Its indent stays."""
    indent = line[: len(line) - len(line.lstrip(" "))]
    return indent + clean(line, _LONGEST_LINE)


def _version() -> str:
    try:
        return version("affray")
    except PackageNotFoundError:
        return f"(not installed, {sys.argv[0]})"
