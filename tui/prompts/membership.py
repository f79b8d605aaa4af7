"""Add and remove combatants, and bring back who waits: `+`, `-` and `W`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from systems.encounter.completion import Completion, matching, quoted
from systems.encounter.lookup import roster_entries, targets
from systems.encounter.model import Combatant
from systems.encounter.roster import PARTY, Roster, parties
from systems.errors import Misread, Refused
from systems.language.parser import parse
from systems.text import listed, same_word, several
from tui.display.text import cut
from tui.prompts.amounts import first_word
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services

# What may follow a name, and so ends it.
_AFTER_NAME = re.compile(r"\s+(?:x[0-9]+|side=.*|hidden|group|in\s+round\s.*)$", re.IGNORECASE)


def quoted_name(rest: str) -> str:
    """Return the words behind `add`, such as `x4 as Old Bram hidden`, with the name in quotes."""
    before, word, name = f" {rest}".partition(" as ")
    if not word or '"' in name:
        return rest
    after = ""
    while found := _AFTER_NAME.search(name):
        name, after = name[: found.start()], f"{found[0]}{after}"
    quoted = f'"{name.strip()}"' if " " in name.strip() else name.strip()
    return f"{before} as {quoted}{after}".strip()


def quoted_kind(roster: Mapping[str, Any], text: str) -> str:
    """Return what is typed to add somebody, with a roster name of several words in quotes: `bog rat x3`."""
    words = text.split()
    own, shipped = (roster.own, roster.shipped) if isinstance(roster, Roster) else (roster, {})
    names = [*(entry.name for entry in own.values()), *(creature.name for creature in shipped.values())]
    for length in range(len(words), 1, -1):
        typed = " ".join(words[:length])
        if any(same_word(typed, name) for name in names):
            return " ".join((f'"{typed}"', *words[length:]))
    return text


class AddPrompt(LinePrompt):
    """`+`: a roster entry and how many join."""

    ENTER = "add"
    label = "add"

    def title(self) -> str:
        roster = self.source.roster
        players = self.source.encounter.players
        foes = [key for key, entry in roster.items() if entry.side != players]
        who = cut(min(foes, key=len, default="guard"), 24)
        party = f"{PARTY} · " if PARTY in self._parties else ""
        return f"Add: {party}{who} x4 · as Bram · side={players} · hidden · in round 3 · group"

    @property
    def _parties(self) -> Mapping[str, Sequence[str]]:
        return parties(self.source.roster, self.source.encounter.players)

    def suggest(self) -> Sequence[Suggestion]:
        typed, rest = first_word(self.line.text)
        if rest or self.line.text.endswith(" "):
            return ()
        roster = self.source.roster
        own, shipped = (roster.own, roster.shipped) if isinstance(roster, Roster) else (roster, {})
        found = matching(typed, [Completion(key, entry.side, entry.name) for key, entry in own.items()])
        bands = matching(typed, [Completion(quoted(name)) for name in self._parties])
        return [
            *(Suggestion(band.text, band.text, self._party_words(band.text.strip('"'))) for band in bands),
            *(Suggestion(known.text, known.name, known.help) for known in found),
            *(
                Suggestion(key, key, ", ".join(filter(None, (creature.name, creature.labels))))
                for key, creature in shipped.items()
                if creature.fits(typed)
            ),
        ]

    def _party_words(self, name: str) -> str:
        return listed(self.source.roster[key].name for key in self._parties.get(name, ()))

    def read(self) -> Reading:
        typed, rest = first_word(quoted_kind(self.source.roster, self.line.text))
        if not typed:
            return Reading(says="kind, how many")
        players = self.source.encounter.players
        try:
            kinds = roster_entries(self.source.roster, typed.replace('"', ""), players)
            line = f"add {kinds[0] if len(kinds) == 1 else typed} {quoted_name(rest)}".strip()
            parse(line, self.source.game)
        except Refused as error:
            keys = self.services.key_names
            how = f": {keys['roster']}, then {keys['kind_new']}" if error.code == "unknown_name" else ""
            return Reading(wrong=f"{error}{how}")
        except Misread as error:
            return Reading(wrong=f"{line[error.start : error.end]}: {error}")
        names = listed(self.source.roster[kind].name for kind in kinds)
        return Reading(line, f"{names} {quoted_name(rest)}".strip())


class RemovePrompt(LinePrompt):
    """`-`: asks before anybody leaves the fight."""

    ENTER = "remove"
    label = "remove"

    def __init__(self, services: Services, combatant: Combatant | None) -> None:
        super().__init__(services)
        self.combatant = combatant

    def title(self) -> str:
        who = f"Enter takes {self.combatant.name} out, or " if self.combatant else ""
        return f"Remove: {who}tags, such as 3 or 4-6. {self.services.key_names['undo']} undoes it."

    def read(self) -> Reading:
        source = self.source
        who = self.line.text.strip() or (self.combatant.id if self.combatant else "")
        if not who:
            return Reading(says="whom?")
        try:
            ids = targets(source.encounter, who.replace('"', ""))
        except Refused as error:
            return Reading(wrong=str(error))
        names = listed(source.encounter.combatants[id].name for id in ids)
        return Reading(f"remove {who}", f"{names} {'leaves' if len(ids) == 1 else 'leave'} the fight")


class GroupPrompt(LinePrompt):
    """`B`: who shares a turn. Enter alone groups all of the kind under the cursor, or parts its group."""

    ENTER = "does that"
    TAB = ""
    label = "group"

    def __init__(self, services: Services, combatant: Combatant | None) -> None:
        super().__init__(services)
        self.combatant = combatant

    def title(self) -> str:
        return "Who shares a turn? Tags, such as 3-5. One tag alone leaves its group."

    def suggest(self) -> Sequence[Suggestion]:
        groups: dict[str, list[str]] = {}
        for combatant in self.source.encounter.in_line():
            if combatant.state.group:
                groups.setdefault(combatant.state.group, []).append(combatant.name)
        return [Suggestion("", several(names), "share a turn") for names in groups.values()]

    def complete(self, suggestion: Suggestion) -> None:
        """The list only tells who shares a turn."""

    def read(self) -> Reading:
        encounter, typed = self.source.encounter, self.line.text.strip()
        try:
            ids = targets(encounter, typed.replace('"', "")) if typed else self._meant()
        except Refused as error:
            return Reading(wrong=str(error))
        names = several([encounter.combatants[who].name for who in ids])
        if not ids:
            return Reading(says="whom?")
        if all(encounter.combatants[who].state.group for who in ids) and (not typed or len(ids) == 1):
            own = "has a turn of its own" if len(ids) == 1 else "have turns of their own"
            return Reading(f"ungroup {','.join(ids)}", f"{names} {own} again")
        if len(ids) == 1:
            return Reading(wrong=f"{names} alone is no group; two or more, such as 3-5")
        return Reading(f"group {','.join(ids)}", f"{names} share a turn")

    def _meant(self) -> tuple[str, ...]:
        """Those of the group of the one under the cursor; else all of its kind and side."""
        mine = self.combatant
        if mine is None:
            return ()
        here = self.source.encounter.in_line()
        if mine.state.group:
            return tuple(each.id for each in here if each.state.group == mine.state.group)
        return tuple(
            each.id
            for each in here
            if (each.state.kind, each.side, each.in_sight) == (mine.state.kind, mine.side, mine.in_sight)
        )


class ReturnPrompt(LinePrompt):
    """`W`: which of the waiting combatants comes back."""

    ENTER = "return"
    label = "return"

    def title(self) -> str:
        turn = self.source.encounter.turn
        return f"Who acts next, after {turn.name}'s turn?" if turn else "Who comes back into the order?"

    def suggest(self) -> Sequence[Suggestion]:
        waiting = [each for each in self.source.encounter if each.state.waits or each.state.ready]
        text = self.line.text.strip()
        if text.isdecimal():
            waiting = [combatant for combatant in waiting if combatant.tag == text]
            text = ""
        found = matching(
            text, [Completion(combatant.id, combatant.tag, combatant.name) for combatant in waiting]
        )
        return [Suggestion(known.text, f"{known.help} {known.name}") for known in found]

    def read(self) -> Reading:
        found = self.suggestions
        if not found:
            return Reading(wrong="nobody of that name waits")
        chosen = found[min(self.chosen or 0, len(found) - 1)]
        turn = self.source.encounter.turn
        return Reading(f"return {chosen.text}", f"{chosen.shown}{f', after {turn.name}' if turn else ''}")

    def enter(self) -> None:
        reading = self.read()
        if reading.command:
            self.submit(reading)
        else:
            self.services.say(reading.wrong, error=True)
