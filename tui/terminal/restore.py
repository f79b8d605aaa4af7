"""What gives a terminal back whose program was killed before it could: plain bytes, for any process."""

# The main screen with its cursor, and no mouse, pasted text in brackets, focus, keys or frames reported.
RESTORE = (
    b"\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"
    b"\x1b[<u\x1b[0m\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
TAKES, GIVES_BACK = b"\x1b[?1049h", b"\x1b[?1049l"


class TakenScreen:
    """Follows what a program writes: whether it has taken the whole screen and not given it back."""

    def __init__(self) -> None:
        self.is_taken = False
        self._last = b""

    def follow(self, data: bytes) -> None:
        """Look at what is written next; a sequence may be torn between two pieces."""
        text = self._last + data
        taken, given = text.rfind(TAKES), text.rfind(GIVES_BACK)
        if taken != given:
            self.is_taken = taken > given
        self._last = text[1 - len(TAKES) :]
