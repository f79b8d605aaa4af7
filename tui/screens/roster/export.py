"""Export the roster to a file or the clipboard, in the formats that `affray import` reads."""

from functools import partial
from pathlib import Path

from systems.encounter.lookup import roster_entry
from systems.errors import InputError, Refused
from systems.text import clean, several
from tui.campaign.campaign import Campaign, RosterEntry
from tui.campaign.exports import ROSTER_FORMATS, RosterFormat, roster_document
from tui.controllers.file_names import ask_to_replace, named_file, whole_path, write_file
from tui.prompts.question import TextPrompt
from tui.services import Services

_COPY = "copy"


class RosterExport:
    """The question of one export, and the writing of the file. `example`: the entry offered on its own."""

    def __init__(self, services: Services, campaign: Campaign, example: str) -> None:
        self.services, self.campaign, self._example = services, campaign, clean(example, 40)

    def question(self) -> TextPrompt:
        name = f"{self.campaign.name}-roster"
        own = f"{_COPY} {self._example}"
        return TextPrompt(
            self.services,
            "Export the roster to which file?",
            self._answered,
            does="write it",
            text=f"{name}.toml",
            preview=lambda word: "" if self._copied(word) is not None else whole_path(word),
            choices=(
                (f"{name}.toml", f"{name}.toml, a file"),
                (f"{name}.csv", f"{name}.csv, a file for spreadsheets"),
                (_COPY, f"{_COPY}: the whole roster to the clipboard, as TOML"),
                (own, f"{own}: this sheet only"),
            ),
            hints=("Tab chooses. Any other file's name may be typed; affray import reads both kinds.",),
        )

    def _copied(self, word: str) -> str | None:
        """Return the name of the entry to copy, "" for all, or None if a file is named."""
        first, _, rest = word.strip().partition(" ")
        return rest.strip() if first.casefold() == _COPY else None

    def _answered(self, word: str) -> str | None:
        try:
            if (who := self._copied(word)) is not None:
                return self._copy(
                    [self.campaign.roster[roster_entry(self.campaign.roster, who)]] if who else None
                )
            path, taken = named_file(word, [f".{format}" for format in ROSTER_FORMATS])
        except (InputError, Refused) as error:
            return str(error)
        if not taken:
            return self._write(path)
        ask_to_replace(self.services, path, partial(self._write, path))
        return None

    def _copy(self, entries: list[RosterEntry] | None) -> str | None:
        self.services.program.copy_to_clipboard(roster_document(self.campaign, "toml", entries))
        whom = entries[0].name if entries else "the roster"
        says = f"Copied {clean(whom, 60)}, if this terminal lets programs reach its clipboard."
        self.services.say(f"{says}{'' if entries else self._left_out}")
        return None

    def _write(self, path: Path) -> str | None:
        format: RosterFormat = "csv" if path.suffix.lower() == ".csv" else "toml"
        if problem := write_file(path, roster_document(self.campaign, format)):
            return problem
        count = len(self.campaign.roster)
        noun = "entry" if count == 1 else "entries"
        says = f"{count} roster {noun} written to {clean(str(path.absolute()), 300)}; affray import reads it."
        self.services.say(f"{says}{self._left_out}", error=bool(self._left_out))
        return None

    @property
    def _left_out(self) -> str:
        """Return a note on unreadable roster files that the export lacks, or ""."""
        bad = [problem.file for problem in self.campaign.roster_problems]
        return (
            f" {several(bad)} cannot be read, and {'is' if len(bad) == 1 else 'are'} left out." if bad else ""
        )
