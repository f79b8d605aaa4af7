"""Prompts to add, remove, group, place and bring back combatants: `+`, `-`, `B`, `b` and `W`."""

import re
from collections.abc import Iterator, Mapping, Sequence

from systems.commands.membership import absent_members, fallen_members, fallen_words
from systems.commands.table import parse
from systems.contract.marked_text import possessive
from systems.dice.sources import Given
from systems.encounter.completion import Completion, matching
from systems.encounter.lookup import meant_addition, party_meant, roster_entries, side_meant, targets
from systems.encounter.model import Combatant
from systems.encounter.roster import PARTY, Roster, own_entries, parties
from systems.errors import Misread, Refused
from systems.frozen import evolve, frozen
from systems.language.corrections import corrected
from systems.language.intents import Add
from systems.language.tokens import quote
from systems.text import listed, several, spoken
from tui.display.refusals import misread_words
from tui.display.text import cut
from tui.prompts.line import LinePrompt, Reading, Suggestion, refused
from tui.prompts.question import TextPrompt
from tui.services import Services


@frozen
class Addition:
    """The meaning of a line to add combatants.

    `kinds`: roster entries. `fallen`: the dead among them. `party`: the name of a party, "" for a single
    entry.
    """

    intent: Add
    dice: tuple[Given, ...] | None
    kinds: tuple[str, ...]
    party: str
    fallen: Mapping[str, str]

    def line(self, how: Sequence[str]) -> str:
        """Return the command that adds them."""
        dice = [f"dice={','.join(map(str, self.dice))}"] if self.dice is not None else []
        return " ".join(("add", quote(self.party) if self.party else self.kinds[0], *how, *dice))


class AddPrompt(LinePrompt):
    """Prompt of `+`: a roster entry, and how many to add. Asks before dead members of a party join."""

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
        typed = self.line.text.strip().removeprefix(self._number).strip('"')
        roster = self.source.roster
        fitting = roster.fitting(typed) if isinstance(roster, Roster) else ()
        own = own_entries(roster)
        found = matching(typed, [Completion(key, entry.side, entry.name) for key, entry in own.items()])
        bands = matching(typed, [Completion(quote(name)) for name in self._parties])
        return [
            *(Suggestion(band.text, band.text, self._party_words(band.text.strip('"'))) for band in bands),
            *(Suggestion(known.text, known.name, known.help) for known in found),
            *(
                Suggestion(each.id, each.id, ", ".join(filter(None, (each.name, each.labels))))
                for each in fitting
            ),
        ]

    def complete(self, suggestion: Suggestion) -> None:
        """Replace the typed part of a roster entry's name, which may be several words."""
        self.line.set(f"{self._number}{suggestion.text} ")

    @property
    def _number(self) -> str:
        """Return the number that begins the line, such as `4 ` in `4 ghouls`."""
        found = re.match(r"(x[0-9]{1,5}|[0-9]{1,5}x?)\s+", self.line.text.lstrip(), re.IGNORECASE)
        return found[0] if found else ""

    def _party_words(self, name: str) -> str:
        return listed(self.source.roster[key].name for key in self._parties.get(name, ()))

    def read(self) -> Reading:
        typed = self.line.text.strip()
        if not typed:
            return Reading(says="which roster entry, and how many?")
        line, roster = f"add {typed}", self.source.roster
        try:
            found = self._meant(line)
        except Refused as error:
            if error.code == "unknown_name" and (fitting := len(self.suggestions)):
                fit = "one matches" if fitting == 1 else f"{fitting} match"
                return Reading(says=f"{fit}: choose with the arrows or Tab")
            keys = self.services.key_names
            is_new = error.code == "unknown_name" and not error.suggestion
            make = f": Esc, {keys['roster']}, then {keys['kind_new']}" if is_new else ""
            return Reading(wrong=f"{error}{make}", instead=corrected(self.line.text, error))
        except Misread as error:
            return Reading(wrong=misread_words(line, error))
        status = {kind: f" ({spoken(word)})" for kind, word in found.fallen.items()}
        names = listed(roster[kind].name + status.get(kind, "") for kind in found.kinds)
        how = tuple(_how(found.intent))
        return Reading(found.line(how), " ".join((names, *how)))

    def _meant(self, line: str) -> Addition:
        """Return the meaning of a line. Raises Refused, Misread."""
        roster, encounter = self.source.roster, self.source.encounter
        command = parse(line, self.source.game)
        assert isinstance(command.intent, Add)
        intent = meant_addition(roster, command.intent, encounter.players)
        party = party_meant(roster, intent.kind, encounter.players)
        kinds = roster_entries(roster, intent.kind, encounter.players)
        if intent.side:
            side_meant(encounter, intent.side, quoted=intent.quoted_side)
        fallen = fallen_members(encounter, roster, absent_members(encounter, kinds))
        return Addition(intent, command.dice, kinds, party, fallen)

    def submit(self, reading: Reading) -> None:
        """Add the combatants. Ask first whether dead members of a party join too."""
        found = self._meant(reading.command)
        if not found.party or not found.fallen or found.intent.fallen:
            super().submit(reading)
            return
        self.close()
        called = {self.source.roster[kind].name: word for kind, word in found.fallen.items()}
        them = "the character" if len(called) == 1 else "them"
        question = TextPrompt(
            self.services,
            f"{fallen_words(called)}. Add {them} anyway?",
            lambda word: self._add_party(found, word),
            does="answer",
            hints=("Enter alone: no.",),
            choices=(("no", "no, the others join"), ("yes", "yes, the whole party joins")),
        )
        self.services.prompts.open(question)

    def _add_party(self, found: Addition, word: str) -> str | None:
        """Add a party with or without its dead; return why the answer is invalid, or None."""
        if word.casefold() not in ("", "n", "no", "y", "yes"):
            return "type yes or no"
        fallen = word.casefold() in ("y", "yes")
        absent = absent_members(self.source.encounter, found.kinds)
        if not fallen and set(absent) <= set(found.fallen):
            self.services.say("Nobody joins.")
            return None
        how = tuple(_how(evolve(found.intent, fallen=fallen)))
        self.services.command(found.line(how), self._go_on, asked_by=self)
        return None


def _how(addition: Add) -> Iterator[str]:
    """Yield the options of the command: how many join, and how."""
    if addition.number is not None:
        yield f"x{addition.number}"
    if addition.name:
        yield f"as {quote(addition.name)}"
    if addition.side:
        yield f"side={quote(addition.side, always=addition.quoted_side)}"
    if addition.hidden:
        yield "hidden"
    if addition.group:
        yield "group"
    if addition.arrives:
        yield f"in round {addition.arrives}"
    if addition.fallen:
        yield "fallen=yes"


class RemovePrompt(LinePrompt):
    """Prompt of `-`: the combatants to remove from the fight. Asks before it removes them."""

    ENTER = "remove"
    label = "remove"

    def __init__(self, services: Services, combatant: Combatant | None) -> None:
        super().__init__(services)
        self.combatant = combatant

    def title(self) -> str:
        who = f"Enter for {self.combatant.name}, or " if self.combatant else ""
        return f"Remove: {who}tags, such as 3 or 4-6. {self.services.key_names['undo']} undoes it."

    def read(self) -> Reading:
        source = self.source
        who = self.line.text.strip() or (self.combatant.id if self.combatant else "")
        if not who:
            return Reading(says="which combatants?")
        try:
            ids = targets(source.encounter, who.replace('"', ""))
        except Refused as error:
            return refused(self.line.text, error)
        names = listed(source.encounter.combatants[id].name for id in ids)
        return Reading(f"remove {who}", f"{names} {'leaves' if len(ids) == 1 else 'leave'} the fight")


class GroupPrompt(LinePrompt):
    """Prompt of `B`: the combatants that share a turn.

    Enter alone groups all of the kind under the cursor, or splits their group.
    """

    ENTER = "group or split"
    TAB = ""
    label = "group"

    def __init__(self, services: Services, combatant: Combatant | None) -> None:
        super().__init__(services)
        self.combatant = combatant

    def title(self) -> str:
        return "Share a turn: tags, such as 3-5. A single tag leaves its group."

    def suggest(self) -> Sequence[Suggestion]:
        groups: dict[str, list[str]] = {}
        for combatant in self.source.encounter.in_line():
            if combatant.state.group:
                groups.setdefault(combatant.state.group, []).append(combatant.name)
        return [Suggestion("", several(names), "share a turn") for names in groups.values()]

    def complete(self, suggestion: Suggestion) -> None:
        """Do nothing: the list only shows which combatants share a turn."""

    def read(self) -> Reading:
        encounter, typed = self.source.encounter, self.line.text.strip()
        try:
            ids = targets(encounter, typed.replace('"', "")) if typed else self._meant()
        except Refused as error:
            return refused(self.line.text, error)
        names = several([encounter.combatants[who].name for who in ids])
        if not ids:
            return Reading(says="which combatants?")
        if all(encounter.combatants[who].state.group for who in ids) and (not typed or len(ids) == 1):
            own = "has its own turn" if len(ids) == 1 else "have their own turns"
            return Reading(f"ungroup {','.join(ids)}", f"{names} {own} again")
        if len(ids) == 1:
            return Reading(wrong=f"{names} alone is not a group; name two or more, such as 3-5")
        return Reading(f"group {','.join(ids)}", f"{names} share a turn")

    def _meant(self) -> tuple[str, ...]:
        """Return the group of the combatant under the cursor, else all of its kind and side."""
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


class NearPrompt(LinePrompt):
    """Prompt of `b`: the combatants near one. Those that are near it already are parted from it."""

    ENTER = "near or apart"
    TAB = ""
    label = "near"

    def __init__(self, services: Services, combatant: Combatant) -> None:
        super().__init__(services)
        self.combatant = combatant

    def title(self) -> str:
        near = self.source.encounter.neighbours(self.combatant)
        parts = f" Enter alone parts it from {listed(other.name for other in near)}." if near else ""
        return f"Near {self.combatant.name}: tags, such as 3 or 4-6.{parts}"

    def read(self) -> Reading:
        encounter, mine = self.source.encounter, self.combatant
        typed = self.line.text.strip()
        if not typed and not mine.state.near:
            return Reading(says="which combatants?")
        try:
            named = targets(encounter, typed.replace('"', "")) if typed else mine.state.near
        except Refused as error:
            return refused(self.line.text, error)
        ids = [who for who in named if who != mine.id]
        if not ids:
            return Reading(wrong=f"name a combatant other than {mine.name}")
        names = several([encounter.combatants[who].name for who in ids])
        if {*ids} <= {*mine.state.near}:
            return Reading(f"apart {mine.id} {','.join(ids)}", f"{mine.name} is no longer near {names}")
        return Reading(f"near {mine.id} {','.join(ids)}", f"{mine.name} is near {names}")


def put_cursor_on_ready(services: Services, combatant: Combatant) -> None:
    """Put the cursor on a combatant that carries out its readied action now. The next key is its action."""
    if combatant.state.ready:
        services.cursor = combatant.id


class ReturnPrompt(LinePrompt):
    """Prompt of `W`: the delayed combatant to bring back."""

    ENTER = "return"
    label = "return"

    def title(self) -> str:
        turn = self.source.encounter.turn
        return f"Who acts next, after {possessive(turn.name)} turn?" if turn else "Who returns to the order?"

    def suggest(self) -> Sequence[Suggestion]:
        waiting = [each for each in self.source.encounter if each.may_return]
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
            return Reading(wrong="no delayed or ready combatant has that name")
        chosen = found[min(self.chosen or 0, len(found) - 1)]
        turn, combatant = self.source.encounter.turn, self.source.encounter.combatants[chosen.text]
        when = f", after {turn.name}" if turn else ""
        if combatant.state.ready and not combatant.state.waits:
            when = f", now: {combatant.state.ready}"
        if combatant.state.away:
            when = ", back in the fight"
        return Reading(f"return {chosen.text}", f"{chosen.shown}{when}")

    def enter(self) -> None:
        reading = self.read()
        if reading.command:
            put_cursor_on_ready(self.services, self.source.encounter.combatants[reading.command.split()[1]])
            self.submit(reading)
        else:
            self.services.say(reading.wrong, error=True)
