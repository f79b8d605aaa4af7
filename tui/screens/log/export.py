"""Export the log to a file: ask for its name, and ask again before an existing file is replaced."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from systems.errors import InputError
from systems.text import clean
from systems.visibility.viewer import USUALLY_SHOWN
from tui.controllers.file_names import ask_to_replace, named_file, whole_path, write_file
from tui.controllers.long_work import LongWork
from tui.controllers.table import Table
from tui.display.export import FORMATS, Format, Readers, default_readers, export
from tui.prompts.question import TextPrompt

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

    def question(self, text: str = "") -> TextPrompt:
        """Return the question for the file. `text`: the previous input."""
        return TextPrompt(
            self.services,
            "Write the log to which file?",
            self._named,
            does="write it",
            text=text or self._suggestion(),
            preview=whole_path,
            hints=(
                ".md is Markdown, .html a web page, .jsonl one JSON object a line.",
                "For the table: everything. For the players: only what everyone could see.",
            ),
        )

    def _suggestion(self) -> str:
        session = self.table.session
        title = (session.encounter.progress.title if session else "") or "fight"
        plain = "".join(letter if letter.isalnum() else "-" for letter in title.casefold())
        return f"{'-'.join(part for part in plain.split('-') if part) or 'fight'}.md"

    def _named(self, name: str) -> str | None:
        """Write the log, or ask whether to replace a file. Return why the name is invalid, or None."""
        try:
            path, taken = named_file(name, [f".{format}" for format in FORMATS], _ENDINGS)
        except InputError as error:
            return str(error)
        hints = (
            "players: what everyone could see when it happened, without hidden combatants.",
            "table: everything; undone events, secret rolls and notes are marked.",
        )
        suggested = default_readers(_format(path))
        answered = partial(self._for_whom, path, taken)
        self.services.prompts.open(
            TextPrompt(
                self.services,
                "For the players or the table?",
                answered,
                does="write it",
                text=suggested,
                hints=hints,
                choices=[(name, name) for name in READERS],
            )
        )
        return None

    def _for_whom(self, path: Path, taken: bool, word: str) -> str | None:
        meant = [name for name in READERS if word and name.startswith(word.casefold())]
        if len(meant) != 1:
            return "type players or table"
        readers = meant[0]
        if not taken:
            return self._write(path, readers)
        ask_to_replace(self.services, path, partial(self._write, path, readers))
        return None

    def _write(self, path: Path, readers: Readers) -> str | None:
        session = self.table.session
        if session is None:
            return "no fight is open now"
        campaign = self.table.campaign
        title, shown = (campaign.title, campaign.seats) if campaign else ("", USUALLY_SHOWN)
        log, encounter = session.log, session.encounter
        LongWork(
            self.services,
            "Writing the log, events",
            lambda tell: export(log, encounter, title, _format(path), readers, shown, tell),
            done=lambda document: self._put(path, document, len(log.events)),
        ).go()
        return None

    def _put(self, path: Path, document: str, count: int) -> None:
        """Write the file. If that fails, ask again."""
        if problem := write_file(path, document):
            self.services.prompts.open(self.question(str(path)))
            self.services.say(problem, error=True)
            return
        events = f"{count} event{'' if count == 1 else 's'}"
        self.services.say(f"{events} written to {clean(str(path.absolute()), 300)}.")


def _format(path: Path) -> Format:
    return _ENDINGS[path.suffix.lower()]
