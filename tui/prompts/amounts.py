"""Damage and healing: with one-digit tags `37` is tag 3, amount 7; `1-6 7` names several; dice will do."""

import re
from collections.abc import Sequence

from systems.dice.expression import DiceError
from systems.dice.notation import amount
from systems.encounter.lookup import targets
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.schema.fields import fields_of
from systems.schema.types import Choice, Flag
from systems.text import listed
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services

# A tag right before what belongs to it; `1-6` and `1,3` are lists of tags.
_TAG_AND_MORE = re.compile(r"([1-9])([^,\s-].*)")


def few(encounter: Encounter) -> bool:
    """Return whether every tag is one digit, so that a tag needs no space behind it."""
    return all(combatant.state.tag < 10 for combatant in encounter)


def first_word(text: str) -> tuple[str, str]:
    """Return the first word with the quotes that hold it together, and the rest."""
    text = text.strip()
    if text.startswith('"') and '"' in text[1:]:
        end = text.index('"', 1) + 1
        return text[:end], text[end:].strip()
    word, _, rest = text.partition(" ")
    return word, rest.strip()


def split_targets(text: str, is_few: bool) -> tuple[str, str]:
    """Return the targets and what follows them. Where tags are one digit long, `37` is `3` and `7`."""
    first, rest = first_word(text)
    while rest and (first.endswith(",") or rest.lstrip().startswith(",")):
        word, rest = first_word(rest)
        first += word
    glued = _TAG_AND_MORE.fullmatch(first)
    if is_few and glued and (not rest.strip() or rest.strip()[0] in "+-*/" or glued[2][0].isalpha()):
        return glued[1], f"{glued[2]} {rest}".strip()
    return first, rest.strip()


class AmountPrompt(LinePrompt):
    """`d` and `h`: who, and how much."""

    def __init__(self, services: Services, heals: bool) -> None:
        super().__init__(services)
        self.verb = "heal" if heals else "damage"
        self.label = self.verb

    def title(self) -> str:
        return f"{self.verb.capitalize()}: tag and amount, such as 3 7, 1,3-5 2d6 or all 4"

    def suggest(self) -> Sequence[Suggestion]:
        """Return the options that the game has for it."""
        source = self.source
        game = source.game
        verb = game.heal if self.verb == "heal" else game.damage
        action = game.action(verb.action)
        if action is None:
            return ()
        found = [field for name, field in fields_of(action.options).items() if name != verb.amount]
        words = self.line.text.split()
        last = "" if self.line.text.endswith(" ") or not words else words[-1]
        begun = last if last[:1].isalpha() else ""
        return [
            Suggestion(word, help=field.help)
            for field in found
            for word in _values(field.name, field.type)
            if word.startswith(begun) and word not in words
        ]

    def read(self) -> Reading:
        source = self.source
        encounter = source.encounter
        if not self.line.text.strip():
            return Reading(says="tag and amount")
        words = [word for word in self.line.text.split(" ") if "=" not in word]
        options = [word for word in self.line.text.split(" ") if "=" in word]
        who, number = split_targets(" ".join(words), few(encounter))
        try:
            names = listed(
                encounter.combatants[named].name for named in targets(encounter, who.replace('"', ""))
            )
        except Refused as error:
            return Reading(wrong=str(error))
        if not number:
            return Reading(says=f"{names}: how much?")
        try:
            amount(number.replace(" ", ""))
        except DiceError as error:
            return Reading(wrong=f"the amount {error}")
        line = " ".join([self.verb, who, number, *options])
        several = " and " in names
        word = "healed by" if self.verb == "heal" else "take" if several else "takes"
        return Reading(line, f"{names}: {word} {number}{''.join(f' {option}' for option in options)}")


def _values(name: str, kind: object) -> list[str]:
    match kind:
        case Flag():
            return [f"{name}=yes"]
        case Choice(values):
            return [f"{name}={value}" for value in values]
    return [f"{name}="]
