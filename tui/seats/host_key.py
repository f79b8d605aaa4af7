"""The server's host key: made once and saved in the state folder, readable only by its owner."""

import os
from pathlib import Path

import asyncssh

from systems.text import clean
from tui.campaign.problems import disk_words
from tui.campaign.user_folders import state_folder


class NoHostKey(ValueError):
    """Raised if the host key cannot be used. The message is one sentence."""


def host_key_file() -> Path:
    """Return the default path of the host key."""
    return state_folder() / "seats" / "host_key"


def host_key(named: str | None) -> asyncssh.SSHKey:
    """Return the host key from the named file or the state folder, creating the latter if missing.

    Raises NoHostKey if the file can't be used.
    """
    file = Path(named).expanduser() if named else host_key_file()
    shown = clean(str(file), 300)
    try:
        if not file.exists():
            return _made(file)
        mode = file.stat().st_mode & 0o777
        if mode & 0o077:
            raise NoHostKey(f"the host key {shown} can be read by others (mode {mode:03o}): chmod 600 it")
        return asyncssh.import_private_key(file.read_bytes())
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
        raise NoHostKey(f"the host key {shown} cannot be read: {clean(str(error), 200)}") from None
    except OSError as error:
        raise NoHostKey(f"the host key {shown} cannot be used: {disk_words(error)}") from None


def _made(file: Path) -> asyncssh.SSHKey:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = asyncssh.generate_private_key("ssh-ed25519", comment="affray")
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        os.fchmod(descriptor, 0o600)
        opened.write(key.export_private_key())
        opened.flush()
        os.fsync(descriptor)
    return key
