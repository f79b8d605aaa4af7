"""A stat block pasted on the roster: what each line becomes, before it is kept."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from textual.events import Key

from systems.text import as_sentence, clean, several
from tui.campaign.importing.packs import Unpacked, remove, tried, unpack
from tui.campaign.importing.proposals import Existing, Kept, Proposals, keep, proposed, take_back
from tui.campaign.importing.recognising import (
    LARGEST,
    NothingKnown,
    read_file,
    recognised,
    recognised_text,
)
from tui.campaign.lock import READ_ONLY
from tui.campaign.problems import FileProblem, NotSaved, disk_words
from tui.campaign.progress import Stopped, Tell
from tui.controllers.long_work import LongWork
from tui.display.import_lines import import_rows, summary
from tui.display.text import Row, cut, wrapped
from tui.prompts.prompt import ALL_ROWS, Prompt
from tui.screens.roster.editing import ImportStep, RosterEdits
from tui.screens.roster.new_entry import joined
from tui.services import Services
from tui.session.beginning import opening_as_begun

_PASTE = "the paste"
_CHOICES: tuple[Existing, ...] = ("leave", "both", "replace")
_MEANS: dict[Existing, str] = {
    "leave": "stay unchanged",
    "both": "stay, and the new ones get free names",
    "replace": "are replaced",
}


class RosterPaste:
    """Reads pasted text, shows what it becomes, and keeps it.

    `done`: called with the id of the first new entry and a sentence.
    """

    def __init__(self, services: Services, edits: RosterEdits, done: Callable[[str, str], None]) -> None:
        self.services, self._edits, self._done = services, edits, done
        self._text = ""

    def take(self, whole: str, last: str = "") -> bool:
        """Read a text if it is a stat block or a file of a known form; return whether it is.

        `last`: the piece that was pasted last, to be read alone if the whole text has an error.
        """
        kind = self._kind(whole)
        if isinstance(kind, FileProblem) and last and isinstance(self._kind(last), str):
            return self.take(last)
        if isinstance(kind, NothingKnown):
            return False
        if isinstance(kind, FileProblem):
            self.services.say(as_sentence(str(kind)), error=True)
            return True
        if self._edits.is_read_only:
            self.services.say(READ_ONLY, error=True)
        elif kind == "pack":
            self._try_pack(whole.encode())
        else:
            self._text = whole
            self._read()
        return True

    def take_file(self, name: str) -> None:
        """Read a file. Terminals paste the path of a file that is dragged into them."""
        path = Path(name.strip().strip("'\"").replace("\\ ", " ")).expanduser()
        try:
            content = recognised(read_file(path), path.name)
        except FileProblem as problem:
            self.services.say(as_sentence(str(problem)), error=True)
            return
        self.take(content.text)

    def _kind(self, text: str) -> str | FileProblem:
        """Return what a text holds, or the problem with it."""
        try:
            return recognised_text(text, _PASTE).kind
        except FileProblem as problem:
            return problem

    def add(self, text: str) -> None:
        """Read the pasted text so far together with another piece of it."""
        if not self.take(joined(self._text, text)):
            self.services.say(
                "That does not belong to a stat block; keep or cancel this one first.", error=True
            )

    # Packs

    def _try_pack(self, data: bytes) -> None:
        """Show what a pack would add, and keep it after Enter."""
        campaign = self._edits.campaign

        def show(done: Unpacked) -> None:
            self.services.prompts.open(PackPrompt(self.services, done, lambda: self._keep_pack(data)))

        def work(_: Tell) -> Unpacked:
            return tried(campaign, data, _PASTE, opening_as_begun)

        LongWork(self.services, "Comparing", work, done=show, failed=self._failed).go()

    def _keep_pack(self, data: bytes) -> None:
        campaign = self._edits.campaign
        try:
            done = unpack(campaign, data, _PASTE, opening_as_begun)
            if problem := self._edits.bring_in(done.campaign):
                remove(done.campaign, done)
                self.services.say(as_sentence(problem), error=True)
                return
        except (FileProblem, NotSaved, OSError) as error:
            self._failed(error)
            return
        step = ImportStep("The import of the pack is undone.", "", lambda now: remove(now, done))
        self._edits.imported((), step)
        first = next(iter(done.creatures), "")
        title = done.campaign.encounters[done.encounter].title if done.encounter else ""
        self._done(first, f"The pack is kept.{f' {clean(title, 60)} is prepared.' if title else ''}")

    # Stat blocks

    def _read(self) -> None:
        campaign, text = self._edits.campaign, self._text

        def read(tell: Tell) -> Proposals:
            return proposed(campaign, recognised_text(text, _PASTE), _PASTE, tell)

        LongWork(self.services, "Reading", read, done=self._show, failed=self._failed).go()

    def _show(self, proposals: Proposals) -> None:
        self.services.prompts.open(ImportPrompt(self.services, proposals, self.add, self._keep))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, Stopped):
            self.services.say("Nothing was kept.")
        elif isinstance(error, OSError):
            self.services.say(f"The pack could not be compared: {disk_words(error)}.", error=True)
        elif isinstance(error, FileProblem | NotSaved):
            self.services.say(as_sentence(str(error)), error=True)
        else:
            self.services.program.handle_error(error)

    def _keep(self, proposals: Proposals, existing: Existing) -> None:
        """Write the new creatures; with Escape meanwhile, none stays."""
        campaign = self._edits.campaign
        LongWork(
            self.services,
            "Writing",
            partial(keep, campaign, proposals.each, existing),
            done=partial(self._kept, proposals),
            failed=self._failed,
        ).go()

    def _kept(self, proposals: Proposals, kept: Kept) -> None:
        written = [*kept.made, *(kept.campaign.roster[entry.id] for entry in kept.replaced)]
        if not written:
            self.services.say("Nothing new was in it, and nothing was changed.")
            return
        names = clean(several([entry.name for entry in written]), 200)
        are = "is" if len(written) == 1 else "are"
        says = f"{names} {are} removed again." if not kept.replaced else "The import is undone."
        step = ImportStep(says, written[0].id, lambda campaign: take_back(campaign, kept))
        self._edits.imported(written, step)
        self._done(written[0].id, f"Kept {names}.")


class LinesPrompt(Prompt):
    """Shows lines that Enter keeps, below a title. The arrow keys scroll them."""

    ENTER = "keep"
    MORE_KEYS: Sequence[tuple[str, str]] = (("↑ ↓", "more lines"),)

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._top = self._shown = 0

    @property
    @abstractmethod
    def title(self) -> str:
        """Return the title."""

    @property
    @abstractmethod
    def question(self) -> str:
        """Return what Enter does, as a sentence."""

    @property
    @abstractmethod
    def can_keep(self) -> bool:
        """Return whether there is anything to keep."""

    @abstractmethod
    def lines(self, width: int) -> Sequence[Row]:
        """Return the lines."""

    @abstractmethod
    def keep(self) -> None:
        """Keep what the lines show."""

    @property
    def enter_does(self) -> str:
        return self.ENTER if self.can_keep else ""

    def wanted_rows(self, width: int) -> int:
        del width
        return ALL_ROWS

    def rows(self, width: int, height: int) -> Sequence[Row]:
        lines = self.lines(width)
        room = max(1, height - 2)
        self._shown = room
        self._top = max(0, min(self._top, len(lines) - room))
        below = len(lines) - self._top - room
        more = f" · {below} more lines" if below > 0 else ""
        title: Row = [(cut(f" {self.title}{more}", width - 1), "strong accent")]
        shown = lines[self._top : self._top + room]
        question: Row = [(cut(f" {self.question}", width), "accent")]
        return [title, *shown, *([[]] * (room - len(shown))), question]

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self.close()
                self.services.say("Nothing was kept.")
                return
            case "enter":
                self._enter()
                return
            case "down" | "up":
                self._top += 1 if event.key == "down" else -1
            case "pagedown" | "pageup":
                self._top += self._shown if event.key == "pagedown" else -self._shown
            case "home":
                self._top = 0
            case "end":
                self._top = 1_000_000
        self._top = max(0, self._top)
        self.refresh()

    def _enter(self) -> None:
        if not self.can_keep:
            self.services.say("Nothing in it can be kept; Esc closes.", error=True)
            return
        self.close()
        self.keep()


class PackPrompt(LinesPrompt):
    """Shows the new parts of a pack, and the parts that exist already. Enter keeps it."""

    def __init__(self, services: Services, tried: Unpacked, keep: Callable[[], None]) -> None:
        super().__init__(services)
        self._tried, self._keep = tried, keep

    @property
    def title(self) -> str:
        return "An encounter to pass on"

    @property
    def question(self) -> str:
        return "Enter keeps what is new" if self.can_keep else "All of it is here already · Esc closes"

    @property
    def can_keep(self) -> bool:
        return self._tried.is_new

    def lines(self, width: int) -> Sequence[Row]:
        said = [part for sentence in self._tried.sentences for part in wrapped(sentence, width - 4, "  ")]
        return [[(f"   {part}", "")] for part in said]

    def keep(self) -> None:
        self._keep()


class ImportPrompt(LinesPrompt):
    """Shows what a paste becomes, line by line. Enter keeps it, more pasted text is added to it.

    `add` reads another piece of the text. `keep` writes the creatures.
    """

    MOST_PASTED = LARGEST
    LONGEST_LINE = None

    def __init__(
        self,
        services: Services,
        proposals: Proposals,
        add: Callable[[str], None],
        keep: Callable[[Proposals, Existing], None],
    ) -> None:
        super().__init__(services)
        self._proposals, self._add, self._keep = proposals, add, keep
        self._existing: Existing = "leave"

    @property
    def _count(self) -> int:
        """Return how many creatures Enter adds or replaces."""
        differing = 0 if self._existing == "leave" else len(self._proposals.differing)
        return len(self._proposals.new) + differing

    @property
    def can_keep(self) -> bool:
        return self._count > 0

    @property
    def title(self) -> str:
        return summary(self._proposals)

    @property
    def question(self) -> str:
        if self._proposals.differing:
            names = "What differs" if self._existing != "replace" else "The existing ones"
            return f"Enter keeps {self._count} · {names}: {_MEANS[self._existing]} · Tab changes this"
        if not self._count:
            return "Nothing in it is new · Esc closes"
        noun = "it" if self._count == 1 else f"all {self._count:,}"
        return f"Enter keeps {noun} · paste more to add to it"

    def lines(self, width: int) -> Sequence[Row]:
        return import_rows(self._proposals, width)

    def key(self, event: Key) -> None:
        if event.key == "tab" and self._proposals.differing:
            at = _CHOICES.index(self._existing)
            self._existing = _CHOICES[(at + 1) % len(_CHOICES)]
        super().key(event)

    def keep(self) -> None:
        self._keep(self._proposals, self._existing)

    def paste(self, text: str) -> None:
        self._add(text)
