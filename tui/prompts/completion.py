"""What completes the command line, as suggestions; see `systems.encounter.completion`."""

from collections.abc import Iterable, Sequence

from systems.encounter.completion import completions, quoted
from tui.prompts.line import Suggestion
from tui.services import Source


def suggestions(source: Source, line: str) -> Sequence[Suggestion]:
    """Return what the last word of a line could become."""
    found = completions(source.encounter, source.roster, line)
    return [Suggestion(completion.text, help=completion.help) for completion in found]


def joined(words: Iterable[str]) -> str:
    """Words of a command as one line; what holds blanks is quoted."""
    return " ".join(quoted(word) for word in words if word)
