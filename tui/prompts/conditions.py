"""The prompt for conditions: `3 prone 2` lasts two rounds, `3 bleeding 2` has value 2, `3 -prone` ends."""

import re
from collections.abc import Sequence
from contextlib import suppress

from systems.encounter.completion import Completion, matching
from systems.encounter.lookup import (
    CONDITION_LETTERS,
    condition_named,
    held_condition,
    held_conditions,
    known_conditions,
    only,
    single,
    targets,
)
from systems.encounter.model import Encounter
from systems.encounter.short_lines import first_word, targets_and_rest
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.tokens import quote
from systems.text import clean, listed, shown, starting_with
from systems.visibility.rows import condition_tone
from tui.prompts.amounts import without_source
from tui.prompts.line import LinePrompt, Reading, Suggestion, refused

_SHORT = 5  # the longest name that fits twice into the title's example
_NUMBER = re.compile(r"[+-]?[0-9]{1,4}")
_UNTIL = re.compile(r"until (?P<which>start|end) of (?P<who>.+?)(?P<secret> secret)?", re.IGNORECASE)


@frozen
class TypedCondition:
    """The parts of a typed line. `ends`: the condition is to end."""

    who: str = ""
    name: str = ""
    rest: str = ""
    ends: bool = False
    quoted: bool = False


def taken_apart(encounter: Encounter, text: str) -> TypedCondition:
    """Return the target, the condition and the rest of a line, as typed."""
    who, rest = targets_and_rest(encounter, text, lambda rest: not first_word(rest)[0].isdecimal())
    ends = rest.startswith("-")
    name, rest = first_word(rest.removeprefix("-"))
    return TypedCondition(who, name.replace('"', ""), rest, ends, name.startswith('"'))


class ConditionPrompt(LinePrompt):
    """Prompt of `c`: the targets, the condition, its duration and its source."""

    ENTER = "add or remove"
    label = "condition"

    def title(self) -> str:
        # An example of this game, short enough for 60 cells with its number. A condition that takes a value
        # is best, since those are given most often.
        known = self.encounter.game.conditions
        valued = [own.name for own in known if own.takes_value and len(own.name) <= _SHORT]
        plain = (own.name for own in known if not own.takes_value)
        name = min(valued or plain, key=len, default="marked")
        return f"Add: 3 {name} 2 · until end of 3 · -{name} removes it"

    @property
    def encounter(self) -> Encounter:
        return self.source.encounter

    def suggest(self) -> Sequence[Suggestion]:
        wanted = taken_apart(self.encounter, self.line.text)
        if wanted.rest:
            return ()
        held = self._held(wanted.who)
        known = held if wanted.ends else known_conditions(self.encounter)
        found = matching(wanted.name, [Completion(name) for name in known])
        return [self._suggestion(completion.text, held) for completion in found]

    def _suggestion(self, name: str, held: Sequence[str]) -> Suggestion:
        own = self.encounter.game.condition(name)
        label = self.encounter.game.condition_label(name)
        help = own.help if own else "your own, without rules"
        is_held = "held · " if name in held else ""
        return Suggestion(name, label, f"{is_held}{help}", condition_tone(own))

    def _held(self, who: str) -> Sequence[str]:
        try:
            ids = targets(self.encounter, who.replace('"', "")) if who else ()
        except Refused:
            return ()
        return held_conditions(self.encounter, ids)

    def complete(self, suggestion: Suggestion) -> None:
        wanted = taken_apart(self.encounter, self.line.text)
        self.line.set(f"{wanted.who} {'-' if wanted.ends else ''}{quote(suggestion.text)} {wanted.rest}")

    def read(self) -> Reading:
        if not self.line.text.strip():
            return Reading(says="which target, and which condition?")
        wanted = taken_apart(self.encounter, self.line.text)
        try:
            ids = targets(self.encounter, wanted.who.replace('"', ""))
            names = listed(self.encounter.combatants[who].name for who in ids)
            if not wanted.name:
                return Reading(says=f"{names}: which condition?")
            name = clean(self._named(wanted, ids), 40)
            typed = quote(name, always=wanted.quoted)
            if not wanted.ends:
                return self._given(wanted, names, name, typed)
            return self._ended(wanted, names, name, typed)
        except Refused as error:
            return refused(self.line.text, error)

    def _ended(self, wanted: TypedCondition, names: str, name: str, typed: str) -> Reading:
        """Return the command that ends the condition, perhaps only the one from a source."""
        rest, source = without_source(wanted.rest)
        if rest:
            return Reading(wrong=f"{shown(rest)} is not understood here, only by 3")
        says = f"{names}: no longer {self.encounter.game.condition_label(name)}"
        if not source:
            return Reading(f"clear {wanted.who} {typed}", says)
        giver = single(self.encounter, source).name
        return Reading(f"clear {wanted.who} {typed} by {source}", f"{says}, from {giver}")

    def _named(self, wanted: TypedCondition, ids: Sequence[str]) -> str:
        """Return the name of the condition. One or two letters are enough to begin a known one."""
        known = self._held(wanted.who) if wanted.ends else known_conditions(self.encounter)
        short = not wanted.quoted and wanted.name not in known and len(wanted.name) < CONDITION_LETTERS
        if short and (found := starting_with(wanted.name, known)):
            return only(wanted.name, found)[0]
        named = held_condition if wanted.ends else _given_name
        return named(self.encounter, ids, wanted.name, quoted=wanted.quoted)

    def _given(self, wanted: TypedCondition, names: str, name: str, typed: str) -> Reading:
        """Return the command that adds the condition. Its description says what the number means."""
        own = self.encounter.game.condition(name)
        rest, source = without_source(wanted.rest)
        lasting = _lasting(rest, is_value=own is None or own.takes_value)
        if lasting is None:
            return Reading(
                wrong=f"{shown(rest)} is not a duration; type a number of rounds, or until end of 3"
            )
        value, length = lasting
        label = self.encounter.game.condition_label(name)
        lasts = _length_words(self.encounter, length)
        says = f"{names}: {label}{f', value {value}' if value else ''} {lasts}".strip()
        if source:
            says += f", from {single(self.encounter, source).name}"
        if own is None:
            says += " · your own condition, without rules"
        by = f"by {source}" if source else ""
        return Reading(" ".join(f"condition {wanted.who} {typed} {value} {length} {by}".split()), says)


def _given_name(encounter: Encounter, ids: Sequence[str], typed: str, *, quoted: bool) -> str:
    return condition_named(encounter, typed, quoted=quoted)


def _lasting(rest: str, *, is_value: bool) -> tuple[str, str] | None:
    """Return the value and the length as the command language has them; None if the words are neither.

    `2` alone is the value of a condition that takes one, else two rounds. `=5` is a value, `5 2` a value for
    two rounds, `2 r` two rounds. Other words are left unchanged.
    """
    words = rest.split()
    value = ""
    if words and words[0].startswith("=") and _NUMBER.fullmatch(words[0][1:]):
        value = words.pop(0)[1:]
    elif words and _NUMBER.fullmatch(words[0]) and (is_value if len(words) == 1 else not _is_unit(words[1])):
        value = words.pop(0)
    if words and _NUMBER.fullmatch(words[0]) and all(_is_unit(word) for word in words[1:]):
        return value, f"for {words[0]} round{'' if words[0] == '1' else 's'}"
    if not words or words[0].casefold() in ("for", "until", "secret", "save", "escape"):
        return value, " ".join(words)
    return None


def _length_words(encounter: Encounter, length: str) -> str:
    """Return the length in words, naming the combatant whose turn ends it; unchanged if none is named yet."""
    found = _UNTIL.fullmatch(length)
    with suppress(Refused):
        if found and (name := single(encounter, found["who"]).name):
            return f"until {found['which'].casefold()} of {name}{found['secret'] or ''}"
    return length


def _is_unit(word: str) -> bool:
    return word.casefold() in ("r", "round", "rounds")
