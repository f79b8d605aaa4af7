"""A terminal driver that ends at once. Textual's own waits for two timeouts of 0.1 s."""

import os
import re
import select
import signal
from codecs import getincrementaldecoder, register_error
from io import TextIOWrapper
from queue import Full
from threading import Event
from typing import Any

from rich.cells import cell_len
from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key, Paste

from tui.terminal.symbols import LETTERS, symbols
from tui.terminal.themed_app import GroundTold

try:
    from textual._xterm_parser import XTermParser
    from textual.drivers._writer_thread import WriterThread
except ImportError:
    # Textual's own driver is used then.
    XTermParser = WriterThread = object  # type: ignore[misc, assignment]  # stand-ins

# Escape and another key that arrive in one piece, from a slow line or quick fingers. No sequence begins like
# that: `P` and `X` could only begin answers to questions that this driver never asks.
_ESCAPE_KEY = re.compile(r"\x1b(?=[^\[\]O\\])")
_PASTE_BEGINS, _PASTE_ENDS = "\x1b[200~", "\x1b[201~"
_BEGUN = tuple(_PASTE_BEGINS[:count] for count in range(5, 1, -1))
# Pasted text may contain anything. Only line ends and tabs of its control characters are kept, so that no
# part of it is read as keys.
_CONTROLS = dict.fromkeys({*range(32), *range(0x7F, 0xA0)} - {ord("\n"), ord("\r"), ord("\t")})
LONGEST_PASTE = 21 * 1024 * 1024  # characters; the rest is left out
# The query for the terminal's background colour and the answer to it, whole or partial. Compiled when the
# answer arrives.
_ASK_GROUND = "\x1b]11;?\x1b\\"
_GROUND = r"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)[0-9a-fA-F/]*(?:\x1b\\|\x07)"
_GROUND_BEGUN = r"\x1b(?:\](?:1(?:1(?:;[0-9a-zA-Z:/]{0,40}\x1b?)?)?)?)?$"
# Seconds between checks whether a lone Escape was the key or the start of a sequence.
TICK = 0.1


def asks_for_ground(app: object, term: str) -> bool:
    """Return whether to ask the terminal for its background colour.

    Not if the user has chosen a theme, and not on plain consoles, which would print the query.
    """
    return not getattr(app, "has_chosen_theme", True) and not term.startswith(("linux", "vt", "dumb", "ansi"))


def is_light(red: str, green: str, blue: str) -> bool:
    """Return whether a colour is light. Terminals report it as hexadecimal fractions of any length."""
    parts = [int(part, 16) / int("f" * len(part), 16) for part in (red, green, blue)]
    return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] > 0.5


class WakingEvent(Event):
    """An event that `select` can wait for too, through its `fileno`."""

    def __init__(self) -> None:
        super().__init__()
        self.fileno, self._end = os.pipe()
        os.set_blocking(self._end, False)

    def set(self) -> None:
        super().set()
        os.write(self._end, b"!")

    def clear(self) -> None:
        while select.select([self.fileno], [], [], 0)[0]:
            os.read(self.fileno, 64)
        super().clear()

    def close(self) -> None:
        """Close the pipe."""
        os.close(self.fileno)
        os.close(self._end)
        self.fileno = self._end = -1


class PatientWriter(WriterThread):
    """Textual's writer, which gives up when the program ends and nothing reads the terminal.

    Otherwise a full terminal would block painting, and the program would never end.
    """

    told_to_end = Event()

    def write(self, text: str) -> None:
        """Write text in the thread. Text that does not fit is dropped when the program ends."""
        while True:
            try:
                self._queue.put(text, timeout=TICK)
                return
            except Full:
                if self.told_to_end.is_set():
                    return


def letters_instead(error: UnicodeError) -> tuple[str, int]:
    """Return letters in place of characters that cannot be encoded, instead of their numbers."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(LETTERS)
    shown = "".join(
        character if character.isascii() else "?" * max(0, cell_len(character)) for character in text
    )
    return shown, error.end


class QuickDriver(LinuxDriver):
    """Textual's driver with an input thread that ends as soon as it is asked to."""

    # The thread that writes to the terminal.
    WRITER: type[Any] = PatientWriter
    # The pieces of a paste whose end has not arrived, and the possible beginning of its end mark.
    _pasted: list[str] | None = None
    _paste_size, _paste_end = 0, ""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]  # passed on unread
        if isinstance(self._file, TextIOWrapper) and "utf" not in self._file.encoding.casefold():
            register_error(letters_instead.__name__, letters_instead)
            self._file.reconfigure(errors=letters_instead.__name__)
        self.exit_event = self._leaving = WakingEvent()
        self._letters = symbols().letters

    def write(self, data: str) -> None:
        """Write to the terminal, with letters in place of symbols if the terminal shows letters."""
        super().write(data.translate(LETTERS) if self._letters and not data.isascii() else data)

    def start_application_mode(self) -> None:
        """Take over the terminal, at the start and when a stopped program continues."""
        linux_driver.WriterThread = self.WRITER  # type: ignore[attr-defined]  # imported there, not exported
        if self._leaving.fileno < 0:
            self.exit_event = self._leaving = WakingEvent()
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual does not annotate it
        if asks_for_ground(self._app, os.environ.get("TERM", "")):
            self.write(_ASK_GROUND)

    def _enable_mouse_support(self) -> None:
        """Request clicks and the wheel only. Mouse moves are unused and would cost bandwidth."""
        if self._mouse:
            self.write("\x1b[?1000h\x1b[?1006h")

    def _sigcont_application(self, *_: object) -> None:
        """Continue after a stop, which the program may not have noticed."""
        if not self._auto_restart or self._writer_thread is None:
            return
        if not self._must_signal_resume:
            # The program was stopped by force, so the terminal may be in the shell's mode.
            self.suspend_application_mode()
            self._must_signal_resume = True
        self.resume_application_mode()

    def run_input_thread(self) -> None:
        """Read keys and pass them on until the program ends."""
        parser = XTermParser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        held = ""
        while not self._leaving.is_set():
            ready, _, _ = select.select([self.fileno, self._leaving.fileno], [], [], TICK)
            if self.fileno in ready:
                data = self._keys()
                if not data:
                    # The terminal is gone, and the system may not have reported it.
                    os.kill(os.getpid(), signal.SIGHUP)
                    self._leaving.wait()
                    return
                held = self._process_typed(parser, held + decode(data))
            elif held:
                # Drop an answer whose rest never comes. Escape alone is a key.
                if held == "\x1b":
                    self.process_message(Key("escape", "\x1b"))
                held = ""
            for message in parser.tick():
                self.process_message(message)

    def _process_typed(self, parser: XTermParser, text: str) -> str:
        """Process typed and pasted text. Return its end if more must arrive before it can be read."""
        if self._pasted is None:
            before, mark, text = text.partition(_PASTE_BEGINS)
            # The mark may arrive in two pieces.
            begun = "" if mark else next((part for part in _BEGUN if before.endswith(part)), "")
            held = self._process_keys(parser, before.removesuffix(begun))
            if not mark:
                return held + begun
            if held == "\x1b":
                self.process_message(Key("escape", "\x1b"))
            self._pasted, self._paste_size, self._paste_end = [], 0, ""
        found, mark, rest = (self._paste_end + text).partition(_PASTE_ENDS)
        # The mark at the end may arrive in two pieces.
        divided = 0 if mark else min(len(found), len(_PASTE_ENDS) - 1)
        part, self._paste_end = found[: len(found) - divided], found[len(found) - divided :]
        self._pasted.append(part[: max(0, LONGEST_PASTE - self._paste_size)])
        self._paste_size += len(part)
        if not mark:
            return ""
        pasted, self._pasted = "".join(self._pasted), None
        self.process_message(Paste(pasted.translate(_CONTROLS)))
        return self._process_typed(parser, rest) if rest else ""

    def _process_keys(self, parser: XTermParser, text: str) -> str:
        """Process typed text, with Escape apart from the key that came with it.

        Return a trailing Escape, which may be the key or the start of a sequence, or the start of the
        terminal's answer about its background.
        """
        text = self._without_ground(text)
        if "\x1b]" in text and (begun := re.search(_GROUND_BEGUN, text)):
            self._process_keys(parser, text[: begun.start()])
            return begun.group()
        *parts, last = _ESCAPE_KEY.split(text)
        for at, part in enumerate([*parts, last.removesuffix("\x1b")]):
            if at:
                self.process_message(Key("escape", "\x1b"))
            for message in parser.feed(part) if part else ():
                self.process_message(message)
        return "\x1b" if last.endswith("\x1b") else ""

    def _without_ground(self, text: str) -> str:
        """Report the terminal's background colour to the app if the text holds it; return the text without
        it.
        """
        found = re.search(_GROUND, text) if "\x1b]11;" in text else None
        if found is None:
            return text
        self.process_message(GroundTold(is_light(*found.groups())))
        return self._without_ground(text[: found.start()] + text[found.end() :])

    def _keys(self) -> bytes:
        """Return the bytes typed, or nothing if the terminal is gone."""
        try:
            return os.read(self.fileno, 4096)
        except OSError:
            return b""

    def close(self) -> None:
        super().close()
        self._leaving.close()
