"""Lock a campaign for one writer, with a lock file that names its owner.

The file is locked with `flock`, which the system releases when the owner ends in any way. So a campaign whose
lock can be taken is free, whatever the file says, with two exceptions:

- A file that names another host, on a shared disk, may be held where this host can't see it. It counts as
held until the owner releases it or the file is deleted.
- A file that names a process of this machine that is certainly alive is held by it, even if the disk, mounted
in another way, has a second lock.

No clock is used. On a disk without `flock`, the owner's process is looked up instead.
"""

import errno
import os
import sys
import weakref
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from systems.frozen import asdict, fields, frozen
from systems.text import clean
from tui.campaign.problems import NotSaved, disk_words
from tui.campaign.toml.files import write_all

NAME = ".lock"
_LARGEST = 4096
# Why a command is refused while another program has the lock.
READ_ONLY = "another program has this campaign; you can only watch it here"
_NO_FLOCK = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
_TO_THE_MINUTE = len("2026-11-22 20:55")


@frozen
class Owner:
    """The owner of a campaign's lock.

    `boot` identifies the run of the machine, `started` the process in it.
    """

    pid: int = 0
    user: str = "an unknown user"
    host: str = "unknown"
    since: str = ""
    program: str = ""
    boot: str = ""
    started: str = ""

    def lines(self) -> str:
        """Return the text of the lock file."""
        return "".join(f"{name} {value}\n" for name, value in asdict(self).items())


class CampaignLocked(Exception):
    """Another program has the campaign. The message names its process, user and host in one line."""

    def __init__(self, owner: Owner, elsewhere: bool = False) -> None:
        self.owner = owner
        self.pid, self.user, self.host, self.since = owner.pid, owner.user, owner.host, owner.since
        self.elsewhere = elsewhere
        super().__init__(owner)

    def __str__(self) -> str:
        since = f" since {self.since[:_TO_THE_MINUTE]}" if self.since else ""
        way_out = f"; if that program is gone, delete the file {NAME}" if self.elsewhere else ""
        return clean(
            f"the campaign is open in another program: process {self.pid} of {self.user} on {self.host}"
            f"{since}{way_out}",
            600,
        )


class Lock:
    """A campaign that this program may write, until `release` or the end of the program."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        _held.add(self)

    @property
    def held(self) -> bool:
        """Return whether the lock is still ours. It is not if the file was deleted or replaced."""
        return self._descriptor >= 0 and _same_file(self._descriptor, self.path)

    def release(self) -> None:
        """Release the campaign. Never fails, and a second call does nothing."""
        if self._descriptor < 0:
            return
        with suppress(OSError):
            if _same_file(self._descriptor, self.path):
                self.path.unlink()
        self.drop()

    def drop(self) -> None:
        """Close the file without releasing the campaign: for a forked child, which never had it."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)

    def __enter__(self) -> "Lock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


_held: weakref.WeakSet[Lock] = weakref.WeakSet()


def _drop_all() -> None:
    """Drop all locks in a forked child, which would hold its parent's `flock` after the parent ended."""
    for lock in list(_held):
        lock.drop()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drop_all)


def take(folder: Path) -> Lock:
    """Take the campaign's lock. Raises CampaignLocked with the owner, NotSaved if the disk refuses."""
    path = folder / NAME
    try:
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                if _taken(descriptor, path):
                    return Lock(path, descriptor)
            except BaseException:
                os.close(descriptor)
                raise
            # The owner released the campaign and deleted the file after this program had opened it.
            os.close(descriptor)
    except OSError as error:
        raise NotSaved(f"the campaign cannot be written: {disk_words(error)}") from None


def is_held(folder: Path) -> bool:
    """Return whether the campaign is locked, without disturbing the owner or a program that waits."""
    try:
        owner = _read((folder / NAME).read_bytes()[:_LARGEST])
    except OSError:
        return False
    return owner is not None and (not _same_machine(owner) or is_alive(owner))


def _taken(descriptor: int, path: Path) -> bool:
    """Return whether the opened lock file is ours now; False if it was replaced. Raises CampaignLocked."""
    sure = _flock(descriptor)
    owner = _read(os.pread(descriptor, _LARGEST, 0))
    if sure is False:
        raise CampaignLocked(owner or Owner())
    if not _same_file(descriptor, path):
        return False
    if owner and not _same_machine(owner):
        raise CampaignLocked(owner, elsewhere=True)
    # A disk that is mounted in two ways, as a folder and over the network, may have two locks. So a process
    # that is certainly the owner keeps the campaign. If that is not certain, `flock` decides.
    certain = sure is None or (owner is not None and bool(owner.started))
    if owner and certain and owner.pid != os.getpid() and is_alive(owner):
        raise CampaignLocked(owner)
    os.ftruncate(descriptor, 0)
    write_all(descriptor, myself().lines().encode(errors="replace"))
    return True


def _flock(descriptor: int) -> bool | None:
    """Lock the file:

    True if it is ours alone, False if a living process has it, None if this disk can't tell.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _NO_FLOCK:
            return None
        raise
    return True


def _same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False


def _same_machine(owner: Owner) -> bool:
    """Return whether the owner runs on this machine.

    A container has a host name of its own, but shares the run of the machine.
    """
    return owner.host == _host() or (owner.boot != "" and owner.boot == _boot())


def is_alive(owner: Owner) -> bool:
    """Return whether the process that took the lock is still running on this machine."""
    if owner.boot and _boot() and owner.boot != _boot():
        return False
    if sys.platform != "win32":
        try:
            os.kill(owner.pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            pass
    return not owner.started or _started(owner.pid) in ("", owner.started)


def myself() -> Owner:
    """Return this process as the owner of a lock."""
    pid = os.getpid()
    program = clean(Path(sys.argv[0]).name if sys.argv else "", 40)
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    return Owner(pid, _user(), _host(), since, program, _boot(), _started(pid))


def _user() -> str:
    for variable in ("LOGNAME", "USER", "USERNAME"):
        if named := clean(os.environ.get(variable, ""), 60):
            return named
    if not hasattr(os, "getuid"):
        return "an unknown user"
    # The system's list of users is read-only if the environment has no user name.
    from pwd import getpwuid

    try:
        return clean(getpwuid(os.getuid()).pw_name, 60)
    except KeyError:
        return str(os.getuid())


def _host() -> str:
    import platform

    return clean(platform.node(), 100) or "unknown"


def _boot() -> str:
    """Return the id of the machine's current boot; "" if the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""


def _started(pid: int) -> str:
    """Return when a process began, in ticks since the machine did; "" if unknown."""
    try:
        found = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        # The second field is a name in parentheses, which may itself hold spaces and parentheses.
        rest = found.rpartition(")")[2].split()
        # A killed process remains in this list until its parent reads its exit status.
        return "ended" if rest[0] in ("Z", "X") else rest[19]
    except (OSError, ValueError, IndexError):
        return ""


def _read(data: bytes) -> Owner | None:
    """Return the owner that a lock file names; None for an empty or unknown file."""
    said = dict(line.partition(" ")[::2] for line in data.decode(errors="replace").splitlines())
    pid = said.get("pid", "")
    if not (pid.isascii() and pid.isdigit() and len(pid) < 10):
        return None
    known = {field.name for field in fields(Owner)} - {"pid"}
    return Owner(int(pid), **{name: clean(text, 100) for name, text in said.items() if name in known})
