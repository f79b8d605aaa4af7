"""The options of an action that is being prepared: typed in its line, chosen, or remembered.

In the line `4 c=h di=40` or `4 half katana`, the first word names the targets. Options follow as on the
command line: by unique beginnings, or as a word that fits only one option. Options may come first if no
target is typed.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from systems.commands.actions import option_meant, typed_options
from systems.contract.action import Action
from systems.encounter.completion import lacking, only_names, option_words
from systems.encounter.lookup import targets
from systems.encounter.loose_words import option_of_word, takes_number
from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import may_act
from systems.errors import Misread, Refused, Wrong
from systems.frozen import frozen
from systems.language.tokens import Word, quote, words_of
from systems.schema.fields import Field, fields_of
from systems.schema.types import ListOf, Text
from systems.schema.values import as_typed
from systems.text import clean, listed, matches, shown, spoken, starting_with
from tui.lists.target_list import OptionShown
from tui.services import ActionSource

_OPTION = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)=(.*)", re.DOTALL)
# The option for real dice. It belongs to the command line, not to the game.
DICE = "dice"


def given_out_of_turn(encounter: Encounter, action: Action, doers: Iterable[str]) -> dict[str, str]:
    """Return the options to fill in if one of the `doers` (ids) acts out of turn; {} if none does."""
    fields = [field for field in fields_of(action.options).values() if field.out_of_turn is not None]
    if not fields or all(may_act(encounter, who) for who in doers):
        return {}
    return {field.name: as_typed(field.out_of_turn) for field in fields}


def lacks_words(actor: Combatant, lacks: str) -> str:
    """Return the sentence that says that the actor lacks an entry, such as a weapon that reloads."""
    return f"{actor.name} has no {lacks}"


def settled_options(source: ActionSource, action: Action, actor: Combatant) -> Mapping[str, str] | None:
    """Return the options of an action without targets if nothing has to be chosen, such as the only gun.

    Return None if there is a choice.
    """
    if action.targets != "none" or lacking(actor.sheet, action.options):
        return None
    only = only_names(actor.sheet, action.options)
    for given in ({}, only) if only else ({},):
        try:
            options = typed_options(action, given)
        except Wrong:  # another option has to be given
            continue
        if not set(source.relevant(action, actor.id, None, options)) - set(given):
            return given
    return None


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


@frozen
class TargetLine:
    """The parts of a typed line: the targets, and each word after them with its quotes.

    `ends_open`: the last word may still grow. `by`: the names after the word "by".
    """

    targets: str = ""
    words: tuple[str, ...] = ()
    ends_open: bool = False
    by: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether the last word is an option or value that may still be completed."""
        return bool(self.words) and self.ends_open


def read_line(encounter: Encounter, text: str, is_value: Callable[[str], bool]) -> TargetLine:
    """Return the parts of a line. Raises Refused if a quote is never closed.

    `is_value` returns whether a word that names no combatant is the value of an option.
    """
    try:
        words = words_of(text)
    except Misread as error:
        raise Refused(str(error)) from None
    number = 0 if text[:1].isspace() else _words_of_targets(encounter, text, words, is_value)
    named = text[words[0].start : words[number - 1].end] if number else ""
    options, doers = _without_doers(words[number:])
    rest = tuple(text[word.start : word.end] for word in options)
    targets_typed = words[0].text if number == 1 and words[0].quoted else named
    ends_open = not text[-1:].isspace() and options[-1:] == words[-1:]
    return TargetLine(targets_typed, rest, ends_open, "".join(word.text for word in doers))


def _without_doers(words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Return the words without "by" and the names after it, and these names."""
    at = next((at for at, word in enumerate(words) if word.says("by")), None)
    if at is None:
        return list(words), []
    end = at + 1
    while end < len(words) and (
        end == at + 1 or words[end - 1].text.endswith(",") or words[end].text.startswith(",")
    ):
        end += 1
    return [*words[:at], *words[end:]], list(words[at + 1 : end])


def _words_of_targets(
    encounter: Encounter, text: str, words: Sequence[Word], is_value: Callable[[str], bool]
) -> int:
    """Return how many of the first words name the targets: one, or more for a list or a long name."""
    if not words or _is_option(words[0]):
        return 0
    first = words[0].text
    if not words[0].quoted and not _names_somebody(encounter, first) and is_value(first):
        return 0
    number = 1
    while number < len(words) and not _is_option(words[number]):
        before, word = words[number - 1].text, words[number]
        in_list = before.endswith((",", "-")) or word.text.startswith((",", "-"))
        if not in_list and not _names_somebody(encounter, text[words[0].start : word.end]):
            break
        number += 1
    return number


def _is_option(word: Word) -> bool:
    return not word.quoted and _OPTION.fullmatch(word.text) is not None


def _names_somebody(encounter: Encounter, name: str) -> bool:
    """Return whether words with spaces between them name a combatant, at least by its beginning."""
    try:
        targets(encounter, name)
    except Refused:
        return False
    return True


def options_in(action: Action, words: Sequence[str], sheet: object, other: object) -> dict[str, str]:
    """Return the options in a list of words, by their full names and with full values.

    `sheet`, `other`: the sheets of the actor and of the target, or None. Raises Wrong with a sentence that
    says what is expected.
    """
    fields = fields_of(action.options)
    found: dict[str, str] = {}
    for word in words:
        typed = _OPTION.fullmatch(word.replace('"', ""))
        if typed is None:
            name, value = _loose_option(action, word.replace('"', ""), found, sheet, other)
            found[name] = whole_value(fields[name], value, sheet, other)
            continue
        if typed[1].casefold() == DICE:
            found[DICE] = typed[2]
            continue
        field = option_meant(action, typed[1], typed[2], lambda field: option_words(sheet, field, other))
        if field.name in found:
            raise Wrong("", f"{field.label} is given twice")
        value = word.partition("=")[2]
        found[field.name] = whole_value(fields[field.name], value, sheet, other)
    return found


def _loose_option(
    action: Action, word: str, found: Mapping[str, str], sheet: object, other: object
) -> tuple[str, str]:
    """Return the option and value of a word without `=`. Raises Wrong if it fits no option, or several."""
    try:
        option = option_of_word(action, word, found, sheet, other, least=1)
    except Refused as error:
        raise Wrong("", str(error), code=error.code) from None
    if option is None:
        raise _no_value(action, word, sheet, other)
    return option


def whole_value(field: Field, typed: str, sheet: object, other: object) -> str:
    """Return a value in full: `half` for `h`, `short bow` for `sh`.

    A free name in quotes keeps its quotes. Raises Wrong, also for a near miss of a name without quotes.
    """
    word = typed.replace('"', "")
    if not word:
        raise Wrong("", f"{field.label} needs a value: {field.type.expected}")
    if isinstance(field.type, Text):
        found = matches(word, option_words(sheet, field, other))
        if len(found) > 1:
            raise Wrong("", f"{shown(word)} could be {listed(found, 'or')}", code="ambiguous")
        return found[0] if found else _free_name(field, typed, sheet, other)
    return as_typed(field.type.typed(word, field.name))


def _free_name(field: Field, typed: str, sheet: object, other: object) -> str:
    """Return a name that is not on the sheet, in quotes if it was typed in quotes.

    Raises Wrong for a near miss.
    """
    word, naming = typed.replace('"', ""), field.naming
    holder = sheet if naming is None or naming.of == "actor" else other
    if naming is None or holder is None:
        return word
    if typed.startswith('"') and naming.free:
        return quote(word, always=True)
    try:
        return naming.check(word, [getattr(holder, naming.field)], field.name)
    except Wrong as wrong:
        raise wrong.saying(f"{field.label}: {wrong.message}") from None


def _no_value(action: Action, word: str, sheet: object, other: object) -> Wrong:
    """Return the error for a word without `=` that is not a value of any option."""
    if word[:1].isdigit():
        return Wrong("", f"{shown(word)} is not an option; separate several targets with commas: 1,3")
    field = option_meant(action, word)
    values = option_words(sheet, field, other)
    return Wrong("", f"{field.label} needs a value: {listed(values, 'or') or field.type.expected}")


def candidates(
    action: Action, word: str, sheet: object, other: object, relevant: Mapping[str, str]
) -> list[str]:
    """Return completions of a word that begins an option or its value, the likeliest first."""
    name, equals, value = word.replace('"', "").partition("=")
    if not equals:
        fields = fields_of(action.options)
        names = sorted(starting_with(name, fields), key=lambda name: name not in relevant)
        values = (
            f"{field.name}={clean(value)}"
            for field in fields.values()
            for value in starting_with(word, option_words(sheet, field, other))
        )
        return [*(f"{name}=" for name in names), *values]
    try:
        field = option_meant(action, name, value, lambda field: option_words(sheet, field, other))
    except Wrong:
        return []
    words = option_words(sheet, field, other)
    return [clean(word) for word in (starting_with(value, words) if value else words)]
