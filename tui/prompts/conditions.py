"""Conditions: `3 prone 2` gives one for two rounds, `3 p 2` too, `3 -prone` ends it."""

import re
from collections.abc import Sequence

import attrs

from systems.commands.effects import has_condition
from systems.encounter.lookup import targets
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.text import clean, find_word, listed, plain_word
from tui.prompts.amounts import few, split_targets
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services

_NUMBER = re.compile(r"[+-]?[0-9]{1,4}")


@attrs.frozen
class Wanted:
    """A line of the question taken apart; `ends` when the condition is to end."""

    who: str = ""
    name: str = ""
    rest: str = ""
    ends: bool = False


def taken_apart(text: str, is_few: bool) -> Wanted:
    """Who, which condition, and what follows it."""
    ending = re.fullmatch(r"\s*([0-9][0-9,-]*?)\s*-\s*([^\d\s,-].*)", text)
    if ending:
        name, _, rest = ending[2].partition(" ")
        return Wanted(ending[1], name, rest.strip(), ends=True)
    who, rest = split_targets(text, is_few)
    name, rest = _name(rest)
    ends = name.startswith("-")
    return Wanted(who, name.lstrip("-"), rest, ends)


def _name(text: str) -> tuple[str, str]:
    """The first word, quotes holding spaces together, and the rest."""
    if text.startswith('"') and '"' in text[1:]:
        name, _, rest = text[1:].partition('"')
        return name, rest.strip()
    name, _, rest = text.partition(" ")
    return name, rest.strip()


def known_conditions(encounter: Encounter) -> list[str]:
    """The game's conditions, then the free ones that somebody bears."""
    own = [one.name for one in encounter.game.conditions]
    free = dict.fromkeys(held.name for one in encounter for held in one.conditions if held.name not in own)
    return [*own, *free]


def meant(typed: str, known: Sequence[str]) -> str:
    """The known condition that is spelled or begun by `typed`, else the free one of that name."""
    if exact := find_word(typed, known):
        return exact
    begun = [one for one in known if plain_word(one).startswith(plain_word(typed))]
    return begun[0] if begun else typed


class ConditionPrompt(LinePrompt):
    """`c`: who, which, for how long."""

    label = "condition"

    def __init__(self, services: Services) -> None:
        super().__init__(services)

    def title(self) -> str:
        # An example that this game knows, and that leaves room for the rest.
        name = min((one.name for one in self.encounter.game.conditions), key=len, default="marked")
        return f"Condition: 3 {name} 2 (tag, name, rounds) · until end of WHO · -{name} ends it"

    @property
    def encounter(self) -> Encounter:
        source = self.source
        return source.encounter

    def suggest(self) -> Sequence[Suggestion]:
        wanted = taken_apart(self.line.text, few(self.encounter))
        if wanted.rest:
            return ()
        borne = self._borne(wanted.who)
        begun = plain_word(wanted.name)
        known = [one for one in known_conditions(self.encounter) if plain_word(one).startswith(begun)]
        if wanted.ends:
            known = [one for one in known if one in borne]
        return [self._suggestion(one, borne) for one in known]

    def _suggestion(self, name: str, borne: Sequence[str]) -> Suggestion:
        own = self.encounter.game.condition(name)
        mark = "* " if name in borne else ""
        return Suggestion(name, f"{mark}{name}", own.help if own else "a free one", own.tone if own else "")

    def _borne(self, who: str) -> list[str]:
        try:
            ones = [self.encounter.combatants[one] for one in targets(self.encounter, who)] if who else []
        except Refused:
            return []
        known = known_conditions(self.encounter)
        return [name for name in known if any(has_condition(self.encounter, one, name) for one in ones)]

    def complete(self, one: Suggestion) -> None:
        wanted = taken_apart(self.line.text, few(self.encounter))
        name = f'"{one.text}"' if " " in one.text else one.text
        self.line.set(f"{wanted.who} {'-' if wanted.ends else ''}{name} {wanted.rest}")

    def read(self) -> Reading:
        text = self.line.text
        if not text.strip():
            return Reading(says="tag, name, rounds")
        wanted = taken_apart(text, few(self.encounter))
        try:
            ids = targets(self.encounter, wanted.who)
        except Refused as error:
            return Reading(wrong=str(error))
        names = listed(self.encounter.combatants[one].name for one in ids)
        if not wanted.name:
            return Reading(says=f"{names}: which condition?")
        name = clean(meant(wanted.name, known_conditions(self.encounter)), 40)
        quoted = f'"{name}"' if " " in name or "=" in name else name
        if wanted.ends:
            return Reading(f"clear {wanted.who} {quoted}", f"{names}: no longer {name}")
        lasting = _lasting(wanted.rest)
        if lasting is None:
            return Reading(wrong=f"{wanted.rest}: rounds, or a value and rounds, or until end of WHO")
        line = f"condition {wanted.who} {quoted} {lasting}".strip()
        told = f"{names}: {name} {lasting}".strip()
        own = "" if name in known_conditions(self.encounter) else " · a word of your own, without rules"
        return Reading(line, f"{told}{own}")


def _lasting(rest: str) -> str | None:
    """`2` is two rounds, `=5` a value, `5 2` a value for two rounds; words are the language's own."""
    words = rest.split()
    value = ""
    if words and words[0].startswith("=") and _NUMBER.fullmatch(words[0][1:]):
        value = words.pop(0)[1:]
    elif len(words) > 1 and _NUMBER.fullmatch(words[0]) and not _is_unit(words[1]):
        value = words.pop(0)
    if words and _NUMBER.fullmatch(words[0]) and all(_is_unit(one) for one in words[1:]):
        return f"{value} for {words[0]} rounds".strip()
    if not words or words[0].casefold() in ("for", "until"):
        return " ".join([value, *words]).strip()
    return None


def _is_unit(word: str) -> bool:
    return word.casefold() in ("r", "round", "rounds")
