"""What can be wrong with what people ask for: a value, a command, a line of text."""

from systems.text import clean


class Wrong(ValueError):
    """A value that cannot be: `field` is its path, `message` what would be right."""

    def __init__(self, field: str, message: str) -> None:
        self.field = clean(field, 120)
        self.message = message
        super().__init__(f"{self.field}: {message}" if field else message)


class Refused(ValueError):
    """What was asked cannot be; one sentence says why. Nothing has changed."""


class Misread(ValueError):
    """A line that cannot be understood: the sentence, and where in the line it went wrong."""

    def __init__(self, message: str, start: int = 0, end: int = 0) -> None:
        self.start, self.end = start, end
        super().__init__(message)
