"""Who comes, who goes, who comes back: `+`, `-` and `W`."""

import re
from collections.abc import Sequence

from systems.contract.ruleset import PLAYERS
from systems.encounter.lookup import targets
from systems.encounter.model import Combatant
from systems.errors import Misread, Refused
from systems.language.parser import parse
from systems.text import find_word, listed, plain_word, suggestion
from tui.display.text import cut
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services

# What may follow a name, and so ends it.
_AFTER_NAME = re.compile(r"\s+(?:x[0-9]+|side=.*|hidden|group|in\s+round\s.*)$", re.IGNORECASE)


def quoted_name(rest: str) -> str:
    """`x4 as Old Bram hidden` with the name in quotes, which nobody remembers to type."""
    before, word, name = f" {rest}".partition(" as ")
    if not word or '"' in name:
        return rest
    after = ""
    while found := _AFTER_NAME.search(name):
        name, after = name[: found.start()], f"{found[0]}{after}"
    quoted = f'"{name.strip()}"' if " " in name.strip() else name.strip()
    return f"{before} as {quoted}{after}".strip()


class AddPrompt(LinePrompt):
    """`+`: a kind of the roster and how many."""

    label = "add"

    def title(self) -> str:
        roster = self.source.roster
        foes = (name for name, kind in roster.items() if kind.side != PLAYERS)
        who = cut(next(foes, "guard"), 24)
        return f"Add: {who} x4 · as NAME · side=SIDE · hidden · in round 3 · group"

    def _kind(self, typed: str) -> str:
        """The entry of the roster that is spelled, begun or contained."""
        source = self.source
        roster, plain = source.roster, plain_word(typed)
        if exact := find_word(typed, roster):
            return exact
        begun = [one for one in roster if plain_word(one).startswith(plain)]
        names = [one for one in roster if plain in plain_word(roster[one].name)]
        return next(iter((*begun, *names)), "")

    def suggest(self) -> Sequence[Suggestion]:
        source = self.source
        typed, space, _ = self.line.text.lstrip().partition(" ")
        if space:
            return ()
        plain = plain_word(typed)
        return [
            Suggestion(name, f"{name}", f"{kind.name}, {kind.side}")
            for name, kind in source.roster.items()
            if plain in plain_word(name) or plain in plain_word(kind.name)
        ]

    def read(self) -> Reading:
        typed, _, rest = self.line.text.strip().partition(" ")
        if not typed:
            return Reading(says="kind, how many")
        kind = self._kind(typed)
        if not kind:
            return Reading(wrong=f"the roster has no {typed}{suggestion(typed, self.source.roster)}")
        line = f"add {kind} {quoted_name(rest)}".strip()
        try:
            parse(line, self.source.game)
        except Misread as error:
            return Reading(wrong=f"{line[error.start : error.end]}: {error}")
        return Reading(line, line.removeprefix("add "))


class RemovePrompt(LinePrompt):
    """`-`: asks before anybody leaves the fight."""

    label = "remove"

    def __init__(self, services: Services, one: Combatant | None) -> None:
        super().__init__(services)
        self.one = one

    def title(self) -> str:
        who = f"Enter takes {self.one.name} out, or " if self.one else ""
        return f"Remove: {who}tags, such as 3 or 4-6. u brings them back."

    def read(self) -> Reading:
        source = self.source
        who = self.line.text.strip() or (self.one.id if self.one else "")
        if not who:
            return Reading(says="whom?")
        try:
            ids = targets(source.encounter, who)
        except Refused as error:
            return Reading(wrong=str(error))
        names = listed(source.encounter.combatants[one].name for one in ids)
        return Reading(f"remove {who}", f"{names} {'leaves' if len(ids) == 1 else 'leave'} the fight")


class ReturnPrompt(LinePrompt):
    """`W`: which of those who wait comes back."""

    label = "return"

    def title(self) -> str:
        return "Who comes back after the present turn?"

    def suggest(self) -> Sequence[Suggestion]:
        source = self.source
        plain = plain_word(self.line.text)
        return [
            Suggestion(one.id, f"{one.state.tag} {one.name}")
            for one in source.encounter
            if one.state.waits and (plain_word(one.name).startswith(plain) or str(one.state.tag) == plain)
        ]

    def read(self) -> Reading:
        found = self.suggestions
        if not found:
            return Reading(wrong="nobody of that name waits")
        one = found[min(self.chosen or 0, len(found) - 1)]
        return Reading(f"return {one.text}", one.shown)

    def enter(self) -> None:
        reading = self.read()
        if reading.command:
            self.submit(reading)
        else:
            self.services.say(reading.wrong, error=True)
