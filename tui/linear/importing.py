"""Import a stat block or a file in linear mode: the lines that show what it becomes, then Enter keeps it."""

from pathlib import Path

from systems.text import as_sentence, several
from tui.campaign.campaign import Campaign
from tui.campaign.importing.packs import Unpacked, remove, tried, unpack
from tui.campaign.importing.proposals import Existing, Kept, Proposals, keep, proposed, take_back
from tui.campaign.importing.recognising import LARGEST, read_file, recognised, recognised_text
from tui.campaign.lock import READ_ONLY
from tui.campaign.problems import FileProblem, NotSaved
from tui.display.import_lines import import_text, summary
from tui.linear.conversation import Conversation
from tui.session.beginning import opening_as_begun
from tui.session.opening import OpenEncounter
from tui.terminal.progress import ProgressLine

_END = "."
_PASTE = "the paste"
_CHOICES: dict[str, Existing] = {"": "leave", "both": "both", "replace": "replace"}


class LineImports:
    """Reads pasted lines or a file, says what they become, and keeps it. Remembers the steps to undo."""

    def __init__(self, fight: OpenEncounter, conversation: Conversation) -> None:
        self._fight, self._conversation = fight, conversation
        self._kept: list[Kept | Unpacked] = []

    def answer(self, rest: str) -> None:
        """Answer `import`, `import FILE` or `import undo`."""
        if self._fight.session.read_only:
            self._conversation.say_error(READ_ONLY)
            return
        try:
            if rest == "undo":
                self._take_back()
            else:
                self._import(rest)
        except (FileProblem, NotSaved, OSError) as problem:
            self._conversation.say_error(str(problem))
        except KeyboardInterrupt:
            self._conversation.say("Nothing was kept.")

    def _import(self, file: str) -> None:
        campaign, say = self._fight.campaign, self._conversation.say
        if file:
            path = Path(file).expanduser()
            content = recognised(read_file(path), path.name)
        else:
            content = recognised_text(self._pasted(), _PASTE)
        if content.kind == "pack":
            self._import_pack(content.text.encode())
            return
        with ProgressLine("reading") as tell:
            proposals = proposed(campaign, content, Path(file).name or _PASTE, tell)
        for line in import_text(proposals, in_words=True):
            say(line)
        existing = self._agreed(proposals)
        if existing is None:
            say("Nothing was kept.")
            return
        with ProgressLine("writing") as tell:
            kept = keep(campaign, proposals.each, existing, tell)
        if not kept.made and not kept.replaced:
            say("Nothing new was in it, and nothing was changed.")
            return
        self._kept.append(kept)
        self._use(kept.campaign)
        names = several([entry.name for entry in (*kept.made, *kept.replaced)])
        say(f"Kept {names}. Type import undo to take it back.")

    def _import_pack(self, data: bytes) -> None:
        """Say what an encounter to pass on would add, and keep it after Enter."""
        campaign, say = self._fight.campaign, self._conversation.say
        trial = tried(campaign, data, _PASTE, opening_as_begun)
        for sentence in trial.sentences:
            say(as_sentence(sentence))
        if not trial.is_new:
            say("All of it is here already.")
        elif self._conversation.ask("Press Enter to keep what is new, or type no:"):
            say("Nothing was kept.")
        else:
            done = unpack(campaign, data, _PASTE, opening_as_begun)
            self._kept.append(done)
            self._use(done.campaign)
            rules = " Its house rules count from the next start." if done.changes_rules else ""
            say(f"The pack is kept.{rules} Type import undo to take it back.")

    def _pasted(self) -> str:
        """Return the lines up to a single dot."""
        self._conversation.say(f'Paste a stat block. End it with a line that holds a single dot "{_END}".')
        lines: list[str] = []
        while sum(map(len, lines)) <= LARGEST:
            # A terminal may give a whole paste as one line.
            *before, last = self._conversation.ask_text("").split("\n")
            lines += before
            if last.strip() == _END:
                break
            lines.append(last)
        return "\n".join(lines)

    def _agreed(self, proposals: Proposals) -> Existing | None:
        """Ask whether to keep an import, and what to do with existing entries; None to keep nothing."""
        if not proposals.new and not proposals.differing:
            return "leave"
        say = self._conversation.say
        say(f"{summary(proposals)}.")
        if proposals.differing:
            say("Type both to add what differs under free names, or replace to change what exists.")
        while (
            word := self._conversation.ask("Press Enter to keep this, or type no:").casefold()
        ) not in _CHOICES:
            if word in ("n", "no"):
                return None
        return _CHOICES[word]

    def _take_back(self) -> None:
        if not self._kept:
            self._conversation.say("No import is left to undo.")
            return
        last = self._kept[-1]
        now = self._fight.campaign
        campaign, stay = remove(now, last) if isinstance(last, Unpacked) else take_back(now, last)
        self._kept.pop()
        self._use(campaign)
        made = last.creatures if isinstance(last, Unpacked) else [entry.id for entry in last.made]
        names = several(
            [now.roster[id].name for id in made if id in now.roster and id not in campaign.roster]
        )
        left = f" {several(stay)} changed since, and stayed." if stay else ""
        self._conversation.say(f"Undone{f': removed {names}' if names else ''}.{left}")

    def _use(self, campaign: Campaign) -> None:
        self._fight.campaign = campaign
        self._fight.session.roster = campaign.joinable
