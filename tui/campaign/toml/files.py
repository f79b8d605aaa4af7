"""Read TOML files with errors that point at the line, and replace files atomically."""

import errno
import os
import re
import tomllib
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

from systems.text import clean
from tui.campaign import formats
from tui.campaign.formats import FORMAT as FORMAT
from tui.campaign.problems import FileProblem, NotSaved, Unsure, disk_reason, disk_words
from tui.campaign.toml.limits import DEEPEST, LONG_KEY, LONG_NUMBER, TOO_DEEP, strange_value, too_costly

LARGEST = 2 * 1024 * 1024  # a file that people write; the log has a limit of its own
NEWER = "a newer Affray is needed"
_AT_ONCE = 1 << 20
_WHERE = r" \(at (?:line (\d+), column \d+|end of document)\)$"  # compiled when a file is wrong
_REWORDED = (
    ("Invalid statement", "expected a line such as name = value, or [table]"),
    ("Expected newline", "there is text after the value that does not belong there"),
    ("Unterminated string", "a text is not closed with a quotation mark"),
    ('Expected "\'"', "a text is not closed with a quotation mark"),
    ("Expected \"'''\"", "a text is not closed with three quotation marks"),
    ("Illegal character", "a text can't contain this character; write it with a backslash"),
    ("Found invalid character", "a character that is not allowed here"),
    (
        "Invalid value",
        "expected a value: a text in quotation marks, a number, true, false, a list or a table",
    ),
    ("Cannot declare", "this table is used twice"),
    ("Cannot overwrite", "this name is given twice"),
    ("Duplicate inline table key", "this name is given twice"),
    ("Cannot redefine", "this table cannot be added to here"),
    ("Cannot mutate", "this table cannot be added to here"),
    ("Expected '='", 'expected "=" after the name'),
    ("Unclosed array", 'expected "," or "]" in a list'),
    ("Unclosed inline table", 'expected "," or "}" in a table'),
    ("Unescaped", "a backslash in a text must be doubled, or the text put between single quotation marks"),
    ("Invalid initial character", "expected a name"),
    ("Expected ']", 'expected "]" after the name of the table'),
    ("Invalid date", "this is not a date"),
    ("Invalid hex", "this is not the number of a character"),
    ("Escaped character", "this is not the number of a character"),
)


def read_bytes(path: Path, file: str, largest: int = LARGEST) -> bytes:
    """Return a regular file's bytes.

    Raises FileProblem if it is missing, unreadable, too large or not a file.
    """
    with reading(path, file, largest) as opened:
        # Asking for more than the file holds would reserve memory for it.
        size = os.fstat(opened.fileno()).st_size
        found = opened.read(min(size, largest) + 1)
        while size < len(found) <= largest and (more := opened.read(_AT_ONCE)):
            found += more
        if len(found) > largest:
            raise _too_large(file, largest)
    return found


@contextmanager
def reading(path: Path, file: str, largest: int = LARGEST) -> Iterator[BinaryIO]:
    """Open a regular file to read in the block. Raises FileProblem like `read_bytes`."""
    try:
        with os.fdopen(_descriptor(path, file), "rb") as opened:
            if os.fstat(opened.fileno()).st_size > largest:
                raise _too_large(file, largest)
            yield opened
    except OSError as error:
        raise FileProblem(file, 0, "", f"cannot be read: {disk_words(error)}") from None


def _descriptor(path: Path, file: str) -> int:
    try:
        # A pipe or a device would block or never end; a link to a file is a file.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        if path.is_symlink():
            raise FileProblem(
                file, 0, "", f"is a link to {_link_target(path)}, which does not exist"
            ) from None
        raise FileProblem(file, 0, "", "is missing") from None
    except ValueError:
        raise FileProblem(file, 0, "", "is not a file name") from None
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileProblem(file, 0, "", "is not a file")
    return descriptor


def _too_large(file: str, largest: int) -> FileProblem:
    return FileProblem(file, 0, "", f"is larger than {largest // 1024 // 1024} MB")


def _link_target(path: Path) -> str:
    try:
        return clean(str(path.readlink()), 300)
    except OSError:
        return "another file"


def parse_toml(data: bytes, file: str, newest: int = FORMAT) -> dict[str, Any]:
    """Return the tables of a file of this program, including `format`. Raises FileProblem with the line.

    An older format is converted to the newest.
    """
    text = text_of(data, file)
    if long_key := LONG_KEY.search(data):
        raise FileProblem(file, _line_at(data, long_key.start()), "", TOO_DEEP)
    if long_number := LONG_NUMBER.search(data):
        line = _line_at(data, long_number.start())
        raise FileProblem(file, line, "", "a number with too many digits")
    if too_costly(data):
        deep = b"[" * DEEPEST in data
        raise FileProblem(
            file, 0, "", TOO_DEEP if deep else "holds far more tables and fields than any file of a campaign"
        )
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise FileProblem(file, 0, "", TOO_DEEP) from None
    except ValueError as error:
        raise syntax_problem(error, text, file) from None
    if strange := strange_value(found):
        raise FileProblem(file, _line_of(text, strange[0]), *strange)
    _check_format(found, text, file, newest)
    return formats.renewed(found, formats.kind_of(file), found["format"], newest)


def read_toml(path: Path, file: str = "", newest: int = FORMAT) -> dict[str, Any]:
    """Read and parse a file.

    `file` is its name in errors, by default that of the path. Raises FileProblem.
    """
    file = file or path.name
    return parse_toml(read_bytes(path, file), file, newest)


def text_of(data: bytes, file: str) -> str:
    """Return a file's text without a byte order mark.

    Raises FileProblem with the line of the first bad byte.
    """
    try:
        return data.removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = _line_at(error.object, error.start)
        raise FileProblem(file, line, "", "is not UTF-8 text; save it as UTF-8", code="encoding") from None


def syntax_problem(error: ValueError, text: str, file: str) -> FileProblem:
    """Return the TOML parser's error in our words and with its line."""
    said = str(error)
    where = re.search(_WHERE, said)
    line = int(where.group(1) or text.rstrip().count("\n") + 1) if where else 0
    if not where and "digits" in said:
        said = "a number with too many digits"
    for theirs, ours in _REWORDED:
        if said.startswith(theirs):
            return FileProblem(file, line, "", ours, code="unreadable")
    return FileProblem(
        file, line, "", f"is not TOML: {clean(re.sub(_WHERE, '', said), 120)}", code="unreadable"
    )


def _line_of(text: str, field: str) -> int:
    # Only a file with an error pays for this import.
    from tui.campaign.toml.positions import line_of

    return line_of(text, field)


def _line_at(found: bytes, position: int) -> int:
    from tui.campaign.toml.positions import line_at

    return line_at(found, position)


def _check_format(found: dict[str, Any], text: str, file: str, newest: int) -> None:
    if "format" not in found:
        raise FileProblem(file, 1, "format", f"is needed: format = {newest}", code="needed")
    number = found["format"]
    if type(number) is not int:
        raise FileProblem(file, _line_of(text, "format"), "format", f"expected {newest}")
    if number < newest and not formats.is_readable(number, newest):
        never = f"format {number} was never released; expected {newest}"
        raise FileProblem(file, _line_of(text, "format"), "format", never)
    if number > newest:
        newer = f"is of format {number}; this program reads format {newest}: {NEWER}"
        raise FileProblem(file, _line_of(text, "format"), "format", newer, code="newer")


def write_atomic(path: Path, data: bytes) -> None:
    """Replace or create a file atomically: readers see all of the old one or all of the new. Raises NotSaved.

    A replaced file keeps its mode, and a link keeps its target. A file of an older format is kept under
    another name.
    """
    try:
        target = path.resolve() if path.is_symlink() else path
        if formats.STEPS:
            _keep_older(target)
        replace_file(target, data)
    except OSError as error:
        raise NotSaved(f"{path.name} was not saved: {disk_words(error)}", why=disk_reason(error)) from None


def _keep_older(path: Path) -> None:
    """Keep the original of a file that is about to be written in a newer format. Raises OSError."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return
    if (number := formats.format_of(data)) < formats.newest_of(path.name):
        kept = path.with_name(formats.name_of_original(path.name, number))
        if not os.path.lexists(kept):
            replace_file(kept, data)


def replace_file(path: Path, data: bytes, durable: bool = True) -> None:
    """Do the work of `write_atomic` with the operating system's errors. Raises OSError.

    If the folder cannot be synced, the old file is restored: an unsaved change never appears.
    """
    old = None
    if durable:
        with suppress(FileNotFoundError):
            old = path.read_bytes()
    _replace(path, data, durable)
    if not durable:
        return
    try:
        sync_folder(path.parent)
    except OSError as error:
        try:
            if old is None:
                path.unlink()
            else:
                _replace(path, old, durable)
        except OSError:
            raise Unsure(error.errno, error.strerror) from None
        raise


def _replace(path: Path, data: bytes, durable: bool) -> None:
    """Write a temporary file, and rename it. Raises OSError."""
    beside = path.with_name(f".{path.name[:80]}.{os.getpid()}.new")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    try:
        try:
            with suppress(FileNotFoundError):
                os.fchmod(descriptor, path.stat().st_mode & 0o7777)
            write_all(descriptor, data)
            if durable:
                sync(descriptor)
        finally:
            os.close(descriptor)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte, however many calls it takes. Raises OSError."""
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def sync(descriptor: int) -> None:
    """Return when the data is on disk. Raises OSError."""
    if hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
        return
    import fcntl

    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is None:
        os.fsync(descriptor)
    else:  # a Mac's fsync leaves the bytes in the drive's own memory
        fcntl.fcntl(descriptor, full)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable. Raises OSError, except if folders cannot be synced here."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):
            raise
    finally:
        os.close(descriptor)
