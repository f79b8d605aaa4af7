"""Export the log to a file: asks for its name, and again before an existing file is replaced."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from systems.text import clean, listed
from systems.visibility.viewer import USUALLY_SHOWN
from tui.campaign.problems import disk_words
from tui.controllers.table import Table
from tui.display.export import FORMATS, Format, Readers, default_readers, export
from tui.prompts.question import Question

READERS: tuple[Readers, ...] = ("players", "table")
_ENDINGS: Mapping[str, Format] = {
    ".md": "md",
    ".markdown": "md",
    ".html": "html",
    ".htm": "html",
    ".jsonl": "jsonl",
}


class LogExport:
    """The questions of one export, and the writing of the file."""

    def __init__(self, table: Table) -> None:
        self.table, self.services = table, table.services

    def question(self) -> Question:
        return Question(
            self.services,
            "Write the log to which file?",
            self._named,
            text=self._suggestion(),
            preview=_whole_path,
            hints=(
                ".md is Markdown, .html a web page, .jsonl one JSON object a line.",
                "For the table all is in it; for the players what everybody could see.",
            ),
        )

    def _suggestion(self) -> str:
        session = self.table.session
        title = (session.encounter.progress.title if session else "") or "fight"
        plain = "".join(letter if letter.isalnum() else "-" for letter in title.casefold())
        return f"{'-'.join(part for part in plain.split('-') if part) or 'fight'}.md"

    def _named(self, name: str) -> str | None:
        """Write the log, or ask whether to replace a file. Returns what is wrong with the name, or None."""
        if not name:
            return "a file needs a name"
        try:
            path = Path(name).expanduser()
        except RuntimeError:
            return f"{clean(name, 60)}: there is no such home folder"
        if path.suffix.lower() not in _ENDINGS:
            endings = listed((f".{format}" for format in FORMATS), "or")
            return f"the name has to end in {endings}, which says what is written"
        try:
            if path.is_dir():
                return f"{clean(name, 60)} is a folder"
            taken = path.exists()
            if not path.absolute().parent.is_dir():
                return f"there is no folder {clean(str(path.absolute().parent), 200)}"
        except (OSError, ValueError):
            return f"{clean(name, 60)} cannot be a file's name"
        hints = (
            "players: what everybody could see when it happened, without what hidden ones did.",
            "table: all of it, what was undone, secret rolls and notes too, marked as such.",
        )
        suggested = default_readers(_format(path))
        answered = partial(self._for_whom, path, taken)
        self.services.prompts.open(
            Question(self.services, "For the players or the table?", answered, text=suggested, hints=hints)
        )
        return None

    def _for_whom(self, path: Path, taken: bool, word: str) -> str | None:
        meant = [name for name in READERS if word and name.startswith(word.casefold())]
        if len(meant) != 1:
            return "players or table"
        readers = meant[0]
        if not taken:
            return self._write(path, readers)
        question = f"{clean(str(path), 200)} is there already. Replace it?"
        answered = partial(self._confirmed, path, readers)
        self.services.prompts.open(Question(self.services, question, answered, hints=("yes or no",)))
        return None

    def _confirmed(self, path: Path, readers: Readers, word: str) -> str | None:
        if word.casefold() in ("y", "yes"):
            return self._write(path, readers)
        if word.casefold() in ("n", "no"):
            self.services.say(f"{clean(str(path), 200)} was left as it is.")
            return None
        return "yes or no"

    def _write(self, path: Path, readers: Readers) -> str | None:
        from tui.campaign.toml.files import replace_file

        session = self.table.session
        if session is None:
            return "no fight is open any more"
        campaign = self.table.campaign
        title, shown = (campaign.title, campaign.seats) if campaign else ("", USUALLY_SHOWN)
        document = export(session.log, session.encounter, title, _format(path), readers, shown)
        try:
            replace_file(path.absolute(), document.encode(), durable=True)
        except OSError as error:
            return f"{clean(str(path), 100)} was not written: {disk_words(error)}"
        count = len(session.log.events)
        self.services.say(
            f"{count} event{'' if count == 1 else 's'} written to {clean(str(path.absolute()), 300)}."
        )
        return None


def _format(path: Path) -> Format:
    return _ENDINGS[path.suffix.lower()]


def _whole_path(name: str) -> str:
    """Where the file would be, as a person can find it again."""
    try:
        return f"→ {clean(str(Path(name).expanduser().absolute()), 300)}" if name else ""
    except (OSError, RuntimeError):
        return ""
