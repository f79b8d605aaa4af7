"""Refuse a large paste at a seat, so that its player need not wait while it trickles in."""

_BEGIN, _END = b"\x1b[200~", b"\x1b[201~"
LARGEST_PASTE = 2_000  # bytes


class PasteGuard:
    """Holds back pasted bytes until their end is known, and leaves out a paste that is too large.

    A terminal marks the two ends of a paste. All other bytes pass at once.
    """

    def __init__(self) -> None:
        # The number of bytes of the mark at the beginning that have passed.
        self._matched = 0
        self._pasted: bytearray | None = None
        self._size = 0

    def take(self, data: bytes) -> tuple[bytes, int]:
        """Return the bytes to pass on, and the size of a paste that was left out, or 0."""
        passed, refused = bytearray(), 0
        while data:
            if self._pasted is None:
                data = self._until_paste(data, passed)
            else:
                data, size = self._until_end(data, passed)
                refused = size or refused
        return bytes(passed), refused

    def _until_paste(self, data: bytes, passed: bytearray) -> bytes:
        """Pass bytes until a paste begins. Return the rest."""
        for at, byte in enumerate(data):
            if byte == _BEGIN[self._matched]:
                self._matched += 1
            else:
                self._matched = int(byte == _BEGIN[0])
            if self._matched == len(_BEGIN):
                self._matched, self._pasted, self._size = 0, bytearray(), 0
                passed += data[: at + 1]
                return data[at + 1 :]
        passed += data
        return b""

    def _until_end(self, data: bytes, passed: bytearray) -> tuple[bytes, int]:
        """Hold back the bytes of a paste. Return the bytes after it, and its size if it is too large."""
        assert self._pasted is not None
        self._pasted += data
        end = self._pasted.find(_END)
        if end < 0:
            self._size += len(data)
            if len(self._pasted) > LARGEST_PASTE + len(_END):
                # Only the last bytes matter now: the mark may be divided.
                self._pasted = self._pasted[-len(_END) :]
            return b"", 0
        rest = bytes(self._pasted[end + len(_END) :])
        size = self._size + len(data) - len(rest) - len(_END)
        is_too_large = size > LARGEST_PASTE or size != end
        passed += _END if is_too_large else self._pasted[: end + len(_END)]
        self._pasted = None
        return rest, size if is_too_large else 0
