"""Errors of files: bad content, not saved, changed meanwhile. Each message is one sentence."""

import errno

from systems.errors import Code, InputError, Wrong
from systems.text import clean

MOST = 990  # an error stays under 1,000 characters, including the file's folder and the end of the line

_WORDS = {
    errno.ENOSPC: "no space left on the disk",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the disk is read-only",
    errno.EIO: "the disk reports an input/output error",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.ENOENT: "the file or its folder is gone",
    errno.ENOTDIR: "there is a file where a folder should be",
    errno.EISDIR: "there is a folder where a file should be",
    errno.EEXIST: "it already exists",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EFBIG: "the file would be too large for this disk",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.ESTALE: "the network disk has lost the file",
    errno.ETIMEDOUT: "the network disk does not answer",
    errno.ELOOP: "its links form a loop",
}


# Errors that a well-formed log with impossible content may raise when it is replayed.
UNFIT = (TypeError, ValueError, LookupError, AttributeError, RecursionError)


class FileProblem(InputError):
    """A file of a campaign that cannot be read: its place, and the expected content.

    `file` is relative to the campaign's folder. `line` counts from 1; 0 means none. `field` is a path such as
    `weapons[1].damage`; "" means the whole file.
    """

    def __init__(
        self, file: str, line: int, field: str, message: str, *, code: Code = "invalid", suggestion: str = ""
    ) -> None:
        self.file = clean(file, 200)
        self.line = line
        self.field = clean(field, 120)
        self.message = clean(message, 600)
        super().__init__(self.message, code=code, path=self.field, suggestion=suggestion)

    @classmethod
    def of(cls, file: str, line: int, wrong: Wrong) -> "FileProblem":
        """Return the problem of a file in which that field is wrong."""
        field = wrong.field.lstrip(".")
        return cls(file, line, field, wrong.message, code=wrong.code, suggestion=wrong.suggestion)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        field = f"{self.field}: " if self.field else ""
        return clean(f"{place}: {field}{self.message}", MOST)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileProblem) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int, str, str]:
        return (self.file, self.line, self.field, self.message)


class NotSaved(InputError):
    """Nothing was saved, and the disk is unchanged. `reason` is one sentence.

    If a disk fails in the middle, the change may be impossible to undo; then the sentence says so. `why` is
    only what the disk reported, without the file and its state.
    """

    code = "not_saved"

    def __init__(self, reason: str, *, why: str = "") -> None:
        self.reason = clean(reason, MOST)
        self.why = why or self.reason
        super().__init__(self.reason)


class Changed(NotSaved):
    """The file has changed on the disk since it was read, and saving would lose that change."""

    def __init__(self, file: str) -> None:
        self.file = clean(file, 200)
        super().__init__(f"{self.file} was changed outside Affray since it was read")


class Unsure(OSError):
    """The disk failed in the middle of a change, and it also refused to undo it."""


UNSURE = "; it could not be undone either, so the file may contain it"


def disk_words(error: OSError) -> str:
    """Return what the operating system reports, in plain words, and whether the file is in doubt."""
    return disk_reason(error) + (UNSURE if isinstance(error, Unsure) else "")


def disk_reason(error: OSError) -> str:
    """Return what the operating system reports, in plain words."""
    words = _WORDS.get(error.errno or 0) or (error.strerror or str(error) or type(error).__name__).lower()
    return clean(words, 200)
