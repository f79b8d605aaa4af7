"""The socket in the state folder where the game master's program listens for requests from seats."""

import os
import socket
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from tui.campaign.user_folders import state_folder

# Set for a server that must end when its standard input closes.
WITH_PARENT = "AFFRAY_SERVE_WITH_PARENT"
_LONGEST = 100  # bytes of a socket's path; the limit differs between systems from 104 to 108


def seats_folder() -> Path:
    """Return the folder for everything about seats; only its owner can read it."""
    folder = state_folder() / "seats"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def table_socket(campaign: Path) -> Path:
    """Return the socket of the game master's program that has this campaign open."""
    return seats_folder() / f"{_mark(campaign)}.sock"


def server_socket(campaign: Path) -> Path:
    """Return the socket of the server of this campaign's seats, for `affray invite`."""
    return seats_folder() / f"{_mark(campaign)}.server"


def _mark(campaign: Path) -> str:
    return sha256(os.fsencode(campaign.resolve())).hexdigest()[:16]


def listen(path: Path) -> socket.socket:
    """Listen at a path that only its owner can connect to. Raises OSError."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with suppress(FileNotFoundError):
            path.unlink()
        before = os.umask(0o177)
        try:
            _at(path, listener.bind)
        finally:
            os.umask(before)
        listener.listen(4)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


def connect(path: Path) -> socket.socket:
    """Connect to the program that listens at a path. Raises OSError if there is none."""
    end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _at(path, end.connect)
    except BaseException:
        end.close()
        raise
    return end


def _at(path: Path, do: object) -> None:
    """Call `do` with an address for the path; a long path is reached through its folder's descriptor."""
    assert callable(do)
    if len(os.fsencode(path)) <= _LONGEST:
        do(str(path))
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        do(f"/proc/self/fd/{folder}/{path.name}")
    finally:
        os.close(folder)
