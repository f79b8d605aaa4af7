"""Complete command lines with the words that the parser and the lookup accept next.

The forms of the commands say which words a command takes. This module fills them with the
combatants, conditions, fields and options of an encounter.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from systems.contract.action import Action
from systems.encounter.lookup import held_conditions, known_conditions, names_in_lines, single, targets
from systems.encounter.model import Combatant, Encounter
from systems.encounter.roster import JoiningEntry, parties
from systems.errors import Refused
from systems.frozen import evolve, frozen
from systems.language.declaration import Declaration, Declarations, FormPlace
from systems.language.intents import AMOUNT_OPTIONS, AMOUNT_PARTS
from systems.language.paths import paths_of
from systems.language.tokens import freed, joined_before_last, last_of, quote
from systems.schema.entry_lines import EntryLine
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.naming import names_in
from systems.schema.types import Choice, CombatantName, Flag, ListOf, TableOf, Text
from systems.text import plain_word, starting_with


@frozen
class Completion:
    """A word that may come next. `name`: its other name. `help`: its meaning."""

    text: str
    help: str = ""
    name: str = ""


def completions(
    encounter: Encounter, roster: Mapping[str, JoiningEntry], line: str, commands: Declarations
) -> Sequence[Completion]:
    """Return the completions of the last word of a line, best first."""
    *before, last = joined_before_last(line, names_in_lines(encounter)).split(" ")
    words = [freed(word) for word in before if word]
    typed = _TypedLine(encounter, roster, commands, words, last)
    if before and before[-1].endswith(","):
        return typed.in_list("", last)
    head, comma, last_target = last.rpartition(",")
    if comma and "=" not in last:
        return typed.in_list(f"{last_of(head)},", last_target)
    return matching(last, typed.possible())


def matching(word: str, possible: Iterable[Completion]) -> Sequence[Completion]:
    """Return the completions that a word begins: first by their text, then by their name or a word of it."""
    found = list(possible)
    if not plain_word(word):
        return found
    known = {completion.text: completion for completion in found}
    plain = {completion.text: completion.text.strip('"') for completion in found}
    first = starting_with(word.strip('"'), plain, plain)
    names = {text: completion.name or plain[text] for text, completion in known.items()}
    named = starting_with(word.strip('"'), known, names)
    return [known[text] for text in dict.fromkeys((*first, *named))]


@frozen
class _TypedLine:
    """A line that is being typed: its whole words, and the beginning of the last one."""

    encounter: Encounter
    roster: Mapping[str, JoiningEntry]
    commands: Declarations
    words: Sequence[str]
    last: str

    def in_list(self, head: str, last: str) -> Sequence[Completion]:
        """Return completions of the last target in a comma-separated list."""
        words = self.words if head else self.words[:-1]
        possible = {each.text for each in evolve(self, words=words, last="").possible()}
        found = matching(last, [each for each in combatants(self.encounter) if each.text in possible])
        return [Completion(f"{head}{each.text}", each.help, each.name) for each in found]

    def possible(self) -> list[Completion]:
        """Return the words that may come next, whatever the last one begins with."""
        encounter, words = self.encounter, self.words
        if not words:
            return self._first_words()
        name = words[0].casefold()
        actions = encounter.game.actions
        action = next((each for each in actions if plain_word(each.name) == plain_word(name)), None)
        declared = self.commands.get(name)
        if action is not None and (declared is None or action.name == "roll"):
            names = _rest_of_name(names_in_lines(encounter), _last_target(words))
            return [*names, *_after_action(encounter, action, words[1:], self.last)]
        if declared is None:
            return []
        if declared.read_line and len(words) > 2 and "=" not in words[2] and words[2].casefold() != "by":
            return evolve(self, words=words[2:]).possible()
        found = self._rest_of_declared(declared)
        for form in declared.parsed():
            for place in form.expected(words[1:]):
                found += self._at_place(declared, place)
        return list(dict.fromkeys(found))

    def _first_words(self) -> list[Completion]:
        """Return the game's actions, then the tracker's commands."""
        actions = [action for action in self.encounter.game.actions if action.group != "hook"]
        taken = {action.name for action in actions}
        found = [Completion(action.name, action.help) for action in actions]
        others = (declared for declared in self.commands.values() if declared.name not in taken)
        return [*found, *(Completion(declared.name, declared.help) for declared in others)]

    def _rest_of_declared(self, declared: Declaration) -> list[Completion]:
        """Return the rest of each name that the last words of a command begin."""
        if declared.name == "add":
            entries = (str(entry.name) for entry in self.roster.values())
            return _rest_of_name([*entries, *parties(self.roster, self.encounter.players)], self.words[1:])
        slots = {place.slot for form in declared.parsed() for place in form.places}
        if slots.isdisjoint(("TARGETS", "WHO")):
            return []
        return _rest_of_name(names_in_lines(self.encounter), _last_target(self.words))

    def _at_place(self, declared: Declaration, place: FormPlace) -> list[Completion]:
        """Return the completions for one place of a form."""
        if place.option and "=" not in self.last:
            return [Completion(f"{place.option}=")]
        found = self._filling(declared, place)
        if place.option:
            return [Completion(f"{place.option}={each.text}", each.help) for each in found]
        return found

    def _filling(self, declared: Declaration, place: FormPlace) -> list[Completion]:
        encounter, roster, words = self.encounter, self.roster, self.words
        match declared.meaning(place.slot):
            case "targets":
                return combatants(encounter)
            case "combatant":
                return combatants(encounter, several=False)
            case "waiting":
                return [
                    completion
                    for completion in combatants(encounter, several=False)
                    if _waits(encounter, completion.text)
                ]
            case "roster entry":
                found = [Completion(key, str(entry.name), str(entry.name)) for key, entry in roster.items()]
                names = parties(roster, encounter.players)
                return [*found, *(Completion(quote(name), "all members of the party") for name in names)]
            case "field":
                return _fields(encounter, words[1])
            case "condition":
                return [
                    Completion(quote(name), _condition_help(encounter, name))
                    for name in known_conditions(encounter)
                ]
            case "held condition":
                return [*(Completion(quote(name)) for name in _borne(encounter, words[1])), Completion("all")]
            case "command":
                return self._first_words()
            case "side":
                return [Completion(quote(side)) for side in _sides(encounter)]
            case "value" if declared.name == "set" and len(words) > 2:
                return _field_values(encounter, words[1], words[2])
            case "option" if declared.amount:
                amount = encounter.game.heal if declared.amount == "heal" else encounter.game.damage
                action = encounter.game.action(amount.action)
                return _amount_options(encounter, action, amount.amount, words, self.last) if action else []
        if place.slot == "xN":
            return [Completion("x4", "how many")]
        return [Completion(word) for word in place.words]


def _last_target(words: Sequence[str]) -> Sequence[str]:
    """Return the words after the command, or after the last comma or the last `by`, `for`, `of`, `before`,
    `after`.
    """
    behind = " ".join(words[1:]).rpartition(",")[2].split()
    starts = [
        at for at, word in enumerate(behind) if word.casefold() in ("by", "for", "of", "before", "after")
    ]
    return behind[starts[-1] + 1 :] if starts else behind


def _rest_of_name(names: Iterable[str], words: Sequence[str]) -> list[Completion]:
    """Return the rest of each name that begins with these whole words."""
    typed, found = plain_word(" ".join(words)), []
    for name, parts in ((name, name.split()) for name in names if typed):
        if len(parts) > len(words) and plain_word(" ".join(parts[: len(words)])) == typed:
            found.append(Completion(" ".join(parts[len(words) :]), name))
    return list(dict.fromkeys(found))


def _amount_options(
    encounter: Encounter, action: Action, amount: str, words: Sequence[str], last: str
) -> list[Completion]:
    """Return the options that may follow an amount: those of the game's action and the tracker's own."""
    found = _options(encounter, action, words, last, excluding=amount)
    name, equals, _ = last.partition("=")
    if not equals:
        given = {word.partition("=")[0] for word in words}
        more = ((name, help) for name, help in AMOUNT_OPTIONS.items() if name not in given)
        return [*found, *(Completion(f"{name}=", help) for name, help in more)]
    if name in AMOUNT_PARTS:
        return [Completion(f"{name}={each.text}", each.help, each.name) for each in combatants(encounter)]
    return [*found, *(Completion(f"throw={word}") for word in ("one", "each") if name == "throw")]


def _waits(encounter: Encounter, who: str) -> bool:
    """Return whether `return` can name a combatant: see Combatant.may_return."""
    return who in encounter.combatants and encounter.combatants[who].may_return


def _sides(encounter: Encounter) -> list[str]:
    return list(dict.fromkeys((encounter.players, "foes", *(combatant.side for combatant in encounter))))


def _condition_help(encounter: Encounter, name: str) -> str:
    condition = encounter.game.condition(name)
    return condition.help if condition else "a custom condition"


def _borne(encounter: Encounter, who: str) -> Sequence[str]:
    try:
        return held_conditions(encounter, targets(encounter, who))
    except Refused:
        return ()


def combatants(encounter: Encounter, excluding: str = "", *, several: bool = True) -> list[Completion]:
    """Return all combatants by id. With `several`, add the sides and `all`."""
    found = [
        Completion(combatant.id, _tag_and_name(combatant), combatant.name)
        for combatant in encounter.in_line()
        if combatant.id != excluding
    ]
    if not several:
        return found
    sides = dict.fromkeys(combatant.side for combatant in encounter)
    return [*found, *(Completion(quote(side), "a whole side") for side in sides), Completion("all")]


def _tag_and_name(combatant: Combatant) -> str:
    """Return the tag and the name, or the name alone if the id is the tag."""
    is_tagged = combatant.id == combatant.tag
    return combatant.name if is_tagged else f"{combatant.tag} {combatant.name}"


def _after_action(encounter: Encounter, action: Action, words: Sequence[str], last: str) -> list[Completion]:
    if words and words[-1].casefold() == "by":
        return combatants(encounter, several=False)
    # The word after `by` is the actor, not a target.
    pairs = pairwise(("", *(word.casefold() for word in words)))
    aimed = any("=" not in pair[1] and "by" not in pair for pair in pairs)
    if action.targets != "none" and not aimed and "=" not in last:
        return combatants(encounter, "" if action.itself else encounter.progress.turn or "")
    has_actor = any(word.casefold() == "by" for word in words)
    by = [] if has_actor else [Completion("by", "the combatant that acts")]
    return [*_options(encounter, action, words, last), *by]


def _options(
    encounter: Encounter, action: Action, words: Sequence[str], last: str, excluding: str = ""
) -> list[Completion]:
    """Return the options that are not given yet, or the possible values of the option before `=`."""
    given = {word.partition("=")[0] for word in words if "=" in word}
    known = {
        name: field
        for name, field in fields_of(action.options).items()
        if name not in given and name != excluding
    }
    name, equals, _ = last.partition("=")
    if equals:
        if name in known and isinstance(known[name].type, CombatantName):
            others = combatants(encounter, several=False)
            return [Completion(f"{name}={each.text}", each.help, each.name) for each in others]
        sheet = encounter.turn.sheet if encounter.turn else encounter.game.sheet()
        values = option_words(sheet, known[name]) if name in known else ()
        return [Completion(f"{name}={quote(word)}") for word in values]
    return [Completion(f"{name}=", f"{field.type.expected}: {field.help}") for name, field in known.items()]


def option_words(sheet: Any, field: Field, other: Any = None) -> tuple[str, ...]:
    """Return the possible values of an option: choices, yes and no, or names on the sheet.

    `other`: the sheet of the target, if known.
    """
    match field.type:
        case Choice(values) | ListOf(Choice(values)):
            return tuple(values)
        case Flag():
            return ("yes", "no")
        case Text() if field.naming is not None:
            holder = sheet if field.naming.of == "actor" or other is None else other
            inside = field.naming.listed(getattr(holder, field.naming.field))
            return tuple(dict.fromkeys((*inside, *field.naming.also)))
        case Text():
            return named_on(sheet, field.name)
    return field.offers(sheet) if field.offers is not None else ()


def lacking(sheet: Any, options: type) -> str:
    """Return what an action with these options needs and the sheet lacks, such as `counter`, or ""."""
    for field in fields_of(options).values():
        if field.naming is not None and field.naming.needs and not option_words(sheet, field):
            return field.naming.needs
    return ""


def only_names(sheet: Any, options: type) -> dict[str, str]:
    """Return needed options that have only one possible value on this sheet, such as the only gun."""
    needed = {
        name: field for name, field in fields_of(options).items() if field.naming and field.naming.needs
    }
    known = {name: option_words(sheet, field) for name, field in needed.items()}
    return {name: words[0] for name, words in known.items() if len(words) == 1}


def named_on(sheet: Any, option: str) -> tuple[str, ...]:
    """Return the names on a sheet that an option such as `weapon` or `defence_ability` may mean."""
    field = _list_of_names(sheet, option)
    return names_in(getattr(sheet, field.name)) if field else ()


def lists_names(sheet: Any, option: str) -> bool:
    """Return whether a sheet has a list, even an empty one, for an option such as `spell`."""
    return _list_of_names(sheet, option) is not None


def _list_of_names(sheet: Any, option: str) -> Field | None:
    thing = option.rpartition("_")[2]
    plurals = {f"{thing}s", f"{thing}es", f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"}
    fields = fields_of(type(sheet)).items()
    return next(
        (
            field
            for name, field in fields
            if name in plurals and isinstance(field.type, Entries | TableOf | ListOf)
        ),
        None,
    )


def _fields(encounter: Encounter, who: str) -> list[Completion]:
    try:
        sheet = single(encounter, who).sheet
    except Refused:
        return []
    return [Completion(place.typed, place.help, place.path[-1]) for place in paths_of(sheet)]


def _field_values(encounter: Encounter, who: str, field: str) -> list[Completion]:
    """Return the possible values of a field that has only a few, or the current line of an entry."""
    try:
        sheet = single(encounter, who).sheet
    except Refused:
        return []
    for place in paths_of(sheet):
        if plain_word(place.text) == plain_word(field):
            match place.type:
                case Choice(values):
                    return [Completion(value) for value in values]
                case Flag():
                    return [Completion("yes"), Completion("no")]
                case EntryLine() if '"' not in place.line:
                    return [Completion(quote(place.line))]
    return []
