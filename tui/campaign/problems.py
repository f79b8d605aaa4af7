"""What can go wrong with a file, each as one sentence for a person: bad, not saved, changed meanwhile."""

import errno

from systems.errors import Code, InputError, Wrong
from systems.text import clean

MOST = 990  # an error stays under 1,000 characters, the file's folder and the line's end included

_WORDS = {
    errno.ENOSPC: "no space left on the disk",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the disk is read-only",
    errno.EIO: "the disk reports an input/output error",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.ENOENT: "the file or its folder is gone",
    errno.ENOTDIR: "a file stands where a folder should be",
    errno.EISDIR: "a folder stands where a file should be",
    errno.EEXIST: "it is there already",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EFBIG: "the file would be too large for this disk",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.ESTALE: "the network disk has lost the file",
    errno.ETIMEDOUT: "the network disk does not answer",
    errno.ELOOP: "its links lead in a circle",
}


# What a log that is well written but makes no sense can bring about when it is played.
UNFIT = (TypeError, ValueError, LookupError, AttributeError, RecursionError)


class FileProblem(InputError):
    """A file of a campaign that cannot be read as it is: where, and what would be right.

    `file` is relative to the campaign's folder; `line` counts from 1, 0 when there is none;
    `field` is a path such as `weapons[1].damage`, empty when the whole file is meant.
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
        """The problem of a file in which that field is wrong."""
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
    """Nothing was saved, and nothing was changed on the disk: `reason` is one sentence.

    A disk that fails in the middle may refuse to let that be undone; then the sentence says so. `why` is
    what the disk said, alone: neither which file it is nor how it stands there.
    """

    code = "not_saved"

    def __init__(self, reason: str, *, why: str = "") -> None:
        self.reason = clean(reason, MOST)
        self.why = why or self.reason
        super().__init__(self.reason)


class Changed(NotSaved):
    """The file was changed by somebody else since it was read; saving would have lost that."""

    def __init__(self, file: str) -> None:
        self.file = clean(file, 200)
        super().__init__(f"{self.file} was changed outside since it was read")


class Unsure(OSError):
    """The disk refused a change when it was half done, and refused to take it back as well."""


UNSURE = "; it could not be taken back either, so the file may hold it"


def disk_words(error: OSError) -> str:
    """What the operating system reports, in plain words, without the file, and how the file stands now."""
    return disk_reason(error) + (UNSURE if isinstance(error, Unsure) else "")


def disk_reason(error: OSError) -> str:
    """What the operating system reports, in plain words."""
    words = _WORDS.get(error.errno or 0) or (error.strerror or str(error) or type(error).__name__).lower()
    return clean(words, 200)
