"""The server's end of a seat's terminal: a pseudo-terminal between an SSH channel and a process."""

import asyncio
import errno
import fcntl
import os
import struct
import termios
from collections.abc import Callable
from contextlib import suppress

_AT_ONCE = 8 * 1024
_MOST_PIECES = 8  # pieces of output that are read after the program has ended
_MOST_TYPED = 16 * 1024  # typed bytes that may wait for a seat's process that does not read


class SeatTerminal:
    """Carries bytes between a pseudo-terminal and a client.

    `slave` is the seat's end, until its process has it. `send` is called with output, and `closed` once when
    the seat's process has ended.
    """

    def __init__(
        self, columns: int, rows: int, send: Callable[[bytes], None], closed: Callable[[], None]
    ) -> None:
        self._send, self._closed = send, closed
        self._loop = asyncio.get_running_loop()
        self._master, self.slave = os.openpty()
        os.set_blocking(self._master, False)
        for descriptor in (self._master, self.slave):
            os.set_inheritable(descriptor, False)
        self._typed = bytearray()
        self._reads = False
        self.resize(columns, rows)

    def begin(self) -> None:
        """Close the seat's end here, because its process has it now, and forward the output."""
        self.close_slave()
        self.go_on()

    def close_slave(self) -> None:
        """Close this process's copy of the seat's end."""
        if self.slave >= 0:
            os.close(self.slave)
            self.slave = -1

    def resize(self, columns: int, rows: int) -> None:
        """Set the size of the terminal."""
        with suppress(OSError):
            fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, data: bytes) -> bool:
        """Forward typed bytes. Return False if too many wait to read more."""
        if self._master < 0:
            return False
        if len(self._typed) < _MOST_TYPED:
            self._typed += data
        self._write()
        return len(self._typed) < _MOST_TYPED // 2

    def pause(self) -> None:
        """Stop forwarding output while the client does not read."""
        if self._reads:
            self._loop.remove_reader(self._master)
            self._reads = False

    def go_on(self) -> None:
        """Resume forwarding output."""
        if not self._reads and self._master >= 0 and self.slave < 0:
            self._loop.add_reader(self._master, self._read)
            self._reads = True

    def pass_on_the_rest(self) -> None:
        """Forward the output that is still unread after a program has ended."""
        with suppress(OSError):
            for _ in range(_MOST_PIECES if self._reads else 0):
                if not (data := os.read(self._master, _AT_ONCE)):
                    return
                self._send(data)

    def close(self) -> None:
        """Hang up. The seat's process receives SIGHUP."""
        self.close_slave()
        self.pause()
        if self._master >= 0:
            self._loop.remove_writer(self._master)
            os.close(self._master)
            self._master = -1

    def _read(self) -> None:
        try:
            data = os.read(self._master, _AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            # EIO: no process has the other end open.
            data = b""
        if data:
            self._send(data)
        else:
            self.close()
            self._closed()

    def _write(self) -> None:
        while self._typed and self._master >= 0:
            try:
                done = os.write(self._master, self._typed)
            except BlockingIOError:
                self._loop.add_writer(self._master, self._write)
                return
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                self._typed.clear()
                return
            del self._typed[:done]
        if self._master >= 0:
            self._loop.remove_writer(self._master)
