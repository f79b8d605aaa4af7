"""Restore the terminal of a program that was killed. Uses plain bytes, so that any process can do it."""

# Main screen, visible cursor; no mouse, bracketed paste, focus, key or frame reports.
RESTORE = (
    b"\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"
    b"\x1b[<u\x1b[0m\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
TAKES, GIVES_BACK = b"\x1b[?1049h", b"\x1b[?1049l"


class TakenScreen:
    """Follows a program's output to know whether it has taken the whole screen and not restored it."""

    def __init__(self) -> None:
        self.is_taken = False
        self._last = b""

    def follow(self, data: bytes) -> None:
        """Read the next piece of output. A sequence may be split between two pieces."""
        text = self._last + data
        taken, given = text.rfind(TAKES), text.rfind(GIVES_BACK)
        if taken != given:
            self.is_taken = taken > given
        self._last = text[1 - len(TAKES) :]
