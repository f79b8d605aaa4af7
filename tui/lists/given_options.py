"""The options of an action that is being prepared: the values given so far and the values possible."""

from collections.abc import Iterable, Mapping
from typing import Any

from systems.contract.ruleset import Action
from systems.encounter.completion import option_words
from systems.encounter.loose_words import takes_number
from systems.encounter.model import Encounter
from systems.encounter.schedule import may_act
from systems.errors import Wrong
from systems.language.tokens import quote
from systems.schema.fields import Field, fields_of
from systems.schema.types import ListOf, Text
from systems.schema.values import as_typed
from systems.text import spoken, starting_with
from tui.lists.target_list import OptionShown


def given_out_of_turn(encounter: Encounter, action: Action, doers: Iterable[str]) -> dict[str, str]:
    """Return the options to fill in if one of the `doers` (ids) acts out of turn; {} if none does."""
    if all(may_act(encounter, who) for who in doers):
        return {}
    fields = fields_of(action.options).items()
    return {name: as_typed(field.out_of_turn) for name, field in fields if field.out_of_turn is not None}


def _default(field: Field) -> str:
    """Return the default of an option in words."""
    known = {"true": "yes", "false": "no", "absent": "none", "empty": "none"}
    return spoken(known.get(field.default_text, field.default_text).strip('"'))


class GivenOptions:
    """The values given for the options of an action.

    For each option a value typed in the line counts first, then a chosen value, then the value remembered for
    the target. `relevant`: the options that can matter, with the current value of each; None while unknown.
    `other`: the sheet of the target. `field`: the name of the option being edited.
    """

    def __init__(self, action: Action, sheet: Any) -> None:
        self.action, self.sheet = action, sheet
        self.fields: list[Field] = list(fields_of(action.options).values())
        # "" means the default, used to override a remembered value.
        self.chosen: dict[str, str] = {}
        self.remembered: Mapping[str, str] = {}
        self.in_line: Mapping[str, str] = {}
        self.relevant: Mapping[str, str] | None = None
        self.other: Any = None
        self.field = ""

    @property
    def given(self) -> dict[str, str]:
        """Return the options to write in the command."""
        return self.given_with(self.remembered)

    def given_with(self, remembered: Mapping[str, str]) -> dict[str, str]:
        """Return the options to write in the command, given the options remembered for a target."""
        found = {**remembered, **self.chosen, **self.in_line}
        names = dict.fromkeys((*(field.name for field in self.fields), *found))
        return {name: found[name] for name in names if found.get(name)}

    def listed(self) -> list[Field]:
        """Return the options to ask about: the ones that can matter, remembered and needed ones first."""
        given = self.given
        shown = [
            field
            for field in self.fields
            if self.relevant is None
            or field.needed
            or field.name == self.field
            or field.name in self.relevant
            or field.name in given
        ]
        return sorted(shown, key=lambda field: not (field.remembered or field.needed))

    def only_word(self) -> str:
        """Return the name that the first remembered option takes without a choice, such as the only weapon.

        Return "" if another option, such as a spell, already names the means.
        """
        given = self.given
        named = (f for f in self.fields if f.remembered == "aimed" and isinstance(f.type, Text))
        if any(given.get(field.name) for field in named):
            return ""
        for field in self.fields:
            if field.remembered and field not in self.listed():
                words = option_words(self.sheet, field, self.other)
                return words[0] if len(words) == 1 else ""
        return ""

    def missing(self) -> Field | None:
        """Return the first option that the action needs and that has no value; None if there is none."""
        given = self.given
        return next((field for field in self.fields if field.needed and not given.get(field.name)), None)

    def first(self) -> str:
        """Return the name of the option to ask about first, even if a value is suggested for it."""
        needed = self.missing() or next((field for field in self.fields if field.needed), None)
        return needed.name if needed else ""

    def needed_word(self, field: Field) -> str:
        """Return the values for a needed option in words: `ability, such as melee, dodge`."""
        words = option_words(self.sheet, field, self.other)
        # A name may be valid although the sheet does not list it.
        how = "such as" if isinstance(field.type, Text) else "one of"
        said = f"{how} {', '.join(map(spoken, words))}" if words else field.type.expected
        return f"{field.label}, {said}"

    def words(self, given: Mapping[str, str] | None = None) -> str:
        """Return the options as the command language writes them."""
        found = self.given if given is None else given
        return " ".join(f"{name}={quote(word)}" for name, word in found.items())

    def wrong(self) -> str:
        """Return what is wrong with the option being edited; "" if it is valid."""
        given = self.given.get(self.field, "")
        field = next((field for field in self.fields if field.name == self.field), None)
        if field is None or not given:
            return ""
        try:
            field.type.typed(given, field.name)
        except Wrong as error:
            return str(error)
        return ""

    def shown(self, notes: Mapping[str, str]) -> Iterable[OptionShown]:
        """Yield the options to ask about. `notes`: the game's notes on values, by "option=value"."""
        given, relevant = self.given, self.relevant or {}
        for field in self.listed():
            name = field.name
            choices = option_words(self.sheet, field, self.other)
            value = given.get(name, "")
            is_missing = value and field.naming and choices and not starting_with(value.strip('"'), choices)
            said = {word: notes.get(f"{name}={word}", "") for word in choices}
            yield OptionShown(
                name=name,
                label=field.label,
                value=value,
                said=f"{value} (not on the sheet)" if is_missing else "",
                now=relevant.get(name, ""),
                default=_default(field),
                help=field.help,
                expected=field.type.expected,
                choices=tuple(choices),
                needed=field.needed,
                is_list=isinstance(field.type, ListOf),
                is_remembered=name in self.remembered,
                notes=tuple((word, note) for word, note in said.items() if note),
                takes_number=takes_number(field),
            )
