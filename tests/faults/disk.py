"""A process's disk, on which every call that changes a file is counted and one of them goes wrong.

The functions of `os` are replaced in the process itself, and files that Python opens for writing get a
raw file that counts too. What goes wrong, and at which call, is a Fault:

    kill-before, kill-half, kill-after   SIGKILL; half: after the first half of a write
    cut-after, zeros-after               the power goes: nothing that was not synced is there any more, or
                                         names and lengths are there but the bytes are zeros
    ENOSPC, EIO, EROFS, EINTR            the call fails, once
    ENOSPC+, EIO+, EROFS+                and so does every later one that such a disk would refuse
    short                                the write takes half and says so
    half-ENOSPC+                         the write takes half, then the disk is full
"""

import errno
import io
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from systems.frozen import frozen

KILLS = ("kill-before", "kill-after", "cut-after", "zeros-after")
WRITE_KILLS = ("kill-half",)
FAILURES = ("ENOSPC", "EIO", "EROFS", "EINTR", "ENOSPC+", "EIO+", "EROFS+")
WRITE_FAILURES = ("short", "half-ENOSPC+")
# What a full disk still does.
_NEEDS_SPACE = frozenset({"write", "pwrite", "open", "mkdir", "link", "symlink", "fsync", "fdatasync"})
_WRITES = frozenset({"write", "pwrite"})
_FOR_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

_real = {
    name: getattr(os, name)
    for name in (
        "write pwrite fsync fdatasync replace rename ftruncate truncate unlink remove open mkdir rmdir link"
        " symlink"
    ).split()
}
_real_io_open = io.open


@frozen
class Fault:
    """A fault of a kind described above, at the call with this number, counted from 1."""

    call: int
    kind: str


def faults_of(call: str) -> tuple[str, ...]:
    """Return the kinds of fault that a call of that name can meet."""
    more = (*WRITE_KILLS, *WRITE_FAILURES) if call in _WRITES else ()
    return (*KILLS, *FAILURES, *more)


class Disk:
    """Counts calls, writes them into `trace`, and fails. `roots`: the folders that a power cut affects."""

    def __init__(self, fault: Fault | None, trace: int, roots: list[Path], image: Path) -> None:
        self.fault, self.trace, self.image = fault, trace, image
        self.count = 0
        self.power = Power(roots) if fault and fault.kind in ("cut-after", "zeros-after") else None
        self.failing = ""

    def install(self) -> None:
        for name, real in _real.items():
            setattr(os, name, self._counted(name, real))
        io.open = self._open_file

    def _counted(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            if name == "open" and not arguments[1] & _FOR_WRITING:
                return real(*arguments, **named)
            if name in _WRITES and arguments[0] <= 2:
                return real(*arguments, **named)
            return self.carry_out(name, real, arguments, named)

        return call

    def carry_out(
        self, name: str, real: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]
    ) -> Any:
        """Carry out one call that changes a file."""
        self.count += 1
        what = arguments[0] if name not in _WRITES else f"{arguments[0]} ({len(arguments[1])} bytes)"
        _real["write"](self.trace, f"{name} {what}\n".encode(errors="replace"))
        kind = self.fault.kind if self.fault and self.fault.call == self.count else ""
        if kind == "kill-before":
            _die()
        if kind in ("kill-half", "short", "half-ENOSPC+"):
            data = memoryview(arguments[1])
            done = real(arguments[0], data[: max(1, len(data) // 2)], *arguments[2:])
            if kind == "kill-half":
                _die()
            self.failing = "ENOSPC" if kind == "half-ENOSPC+" else ""
            return done
        if kind.endswith("+"):
            self.failing = kind[:-1]
        if kind.rstrip("+") in FAILURES or (self.failing and self._refuses(name)):
            number = getattr(errno, self.failing or kind)
            raise OSError(number, os.strerror(number))
        found = real(*arguments, **named)
        if self.power:
            self.power.note(name, arguments)
        if kind == "kill-after":
            _die()
        if kind.endswith("-after") and self.power:
            with _real_io_open(self.image, "w", encoding="utf-8") as image:
                json.dump(self.power.left(zeros=kind == "zeros-after"), image)
            _die()
        return found

    def _refuses(self, name: str) -> bool:
        return self.failing != "ENOSPC" or name in _NEEDS_SPACE

    def _open_file(self, file: Any, mode: str = "r", buffering: int = -1, *rest: Any, **named: Any) -> Any:
        """Open a file; for writing, use a raw file that counts its calls."""
        if "b" not in mode or not set(mode) & set("wax+"):
            if set(mode) & set("wax+"):
                raise AssertionError("no file is written as text without being counted")
            return _real_io_open(file, mode, buffering, *rest, **named)
        disk = self

        class Raw(io.FileIO):
            def write(self, data: Any) -> int:
                return int(disk.carry_out("write", _write_at, (self.fileno(), data), {}))

            def truncate(self, size: int | None = None) -> int:
                size = self.tell() if size is None else size
                disk.carry_out("ftruncate", _real["ftruncate"], (self.fileno(), size), {})
                return size

        raw = disk.carry_out("open", lambda *_: Raw(file, mode.replace("b", "")), (file, os.O_RDWR), {})
        return io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)


def _write_at(descriptor: int, data: Any) -> int:
    return int(_real["write"](descriptor, data))


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Power:
    """What of some folders would be there after a power cut.

    A file's bytes last once they were synced, a name once its folder was. `names` and `bytes` are by the
    number that the file system gives a file, since names come and go.
    """

    def __init__(self, roots: list[Path]) -> None:
        self.roots = [root for root in roots if root.is_dir()]
        self.names: dict[int, dict[str, int]] = {}
        self.bytes: dict[int, bytes] = {}
        self._kept: dict[int, int] = {}
        for root in self.roots:
            for folder in (root, *(one for one in root.rglob("*") if one.is_dir())):
                self._sync_folder(folder)
            for file in root.rglob("*"):
                if file.is_file():
                    self.bytes[file.stat().st_ino] = file.read_bytes()

    def note(self, name: str, arguments: tuple[Any, ...]) -> None:
        """Note that a sync has succeeded."""
        if name in ("fsync", "fdatasync"):
            path = Path(f"/proc/self/fd/{arguments[0]}")
            if path.is_dir():
                self._sync_folder(path)
            else:
                self.bytes[path.stat().st_ino] = _bytes_of(path)

    def _sync_folder(self, folder: Path) -> None:
        found = {one.name: one.lstat().st_ino for one in folder.iterdir()}
        for name, number in found.items():
            if number not in self._kept:
                # Held open, so that no other file gets its number when it is deleted.
                self._kept[number] = _real["open"](folder / name, os.O_PATH)
        self.names[folder.stat().st_ino] = found

    def left(self, *, zeros: bool) -> dict[str, dict[str, str | None]]:
        """Return, by root, relative path -> bytes as hex, or None for a folder."""
        return {str(root): self._zeroed(root) if zeros else self._lasting(root) for root in self.roots}

    def _lasting(self, root: Path) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        waiting = [("", root.stat().st_ino)]
        kinds = {one.lstat().st_ino for each in self.roots for one in each.rglob("*") if one.is_dir()}
        while waiting:
            path, number = waiting.pop()
            for name, inside in self.names.get(number, {}).items():
                if inside in kinds or inside in self.names:
                    found[f"{path}{name}"] = None
                    waiting.append((f"{path}{name}/", inside))
                else:
                    found[f"{path}{name}"] = self.bytes.get(inside, b"").hex()
        return found

    def _zeroed(self, root: Path) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for one in root.rglob("*"):
            path = one.relative_to(root).as_posix()
            if one.is_dir():
                found[path] = None
                continue
            now, lasting = one.read_bytes(), self.bytes.get(one.stat().st_ino, b"")
            pairs = enumerate(zip(now, lasting, strict=False))
            same = next((at for at, (one, other) in pairs if one != other), min(len(now), len(lasting)))
            found[path] = (now[:same] + b"\0" * (len(now) - same)).hex()
        return found


def _bytes_of(path: Path) -> bytes:
    descriptor = _real["open"](path, os.O_RDONLY)
    try:
        return os.pread(descriptor, 1 << 28, 0)
    finally:
        os.close(descriptor)


def after_power_cut(image: Path) -> None:
    """Restore the folders to the state that the image describes."""
    from shutil import rmtree

    for root, found in json.loads(image.read_text(encoding="utf-8")).items():
        for one in Path(root).iterdir():
            rmtree(one) if one.is_dir() and not one.is_symlink() else one.unlink()
        for name, data in sorted(found.items()):
            if data is None:
                (Path(root) / name).mkdir(parents=True)
        for name, data in found.items():
            if data is not None:
                (Path(root) / name).write_bytes(bytes.fromhex(data))
