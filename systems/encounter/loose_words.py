"""Sort the words of a line: names without quotes, and options without names as in `attack 3 katana half`.

A word can be a combatant, the value of an option, the name of a flag or a number.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from systems.contract.action import Action
from systems.encounter.completion import option_words
from systems.encounter.lookup import single, targets
from systems.encounter.model import Combatant, Encounter
from systems.errors import Misread, Refused
from systems.frozen import evolve
from systems.language.intents import Act, Amend, Command
from systems.language.tokens import Word
from systems.schema.fields import Field, fields_of
from systems.schema.types import Flag, ListOf, Whole
from systems.text import NEAR, listed, matches, nearest, shown, spelled, spoken, starting_with

# An abbreviated value needs this many letters, as a condition does.
LEAST_LETTERS = 3
_MOST_JOINED = 5  # words of one name
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
AnySheet = object
# Return the combatant whose action it is, or None if unknown.
ActorOf = Callable[[Act], Combatant | None]


def option_of_word(
    action: Action,
    word: str,
    given: Mapping[str, str],
    sheet: AnySheet,
    other: AnySheet = None,
    *,
    is_first: bool = False,
    least: int = LEAST_LETTERS,
) -> tuple[str, str] | None:
    """Return the option and the value that a word gives, or None if no option takes the word.

    `given`: the options so far, of which a list may take more words. `sheet`, `other`: those of the actor and
    the target. `is_first`: the word may also be a tag, so a number is given only to an option that needs one.
    `least`: letters that an abbreviation needs. Raises Refused if the word fits several options.
    """
    if _NUMBER.fullmatch(word):
        name = _number_option(action, given, is_first)
        return (name, word) if name else None
    known = {name: _values(field, sheet, other) for name, field in _open_options(action, given).items()}
    fits = {name: found for name, words in known.items() if (found := spelled(word, words))}
    if not fits and len(word) >= least:
        fits = {name: found for name, words in known.items() if (found := starting_with(word, words))}
    if not fits:
        return None
    name = _only(word, fits, known, fields_of(action.options))
    return name, _value(fields_of(action.options)[name], fits[name][0], given.get(name, ""))


def _open_options(action: Action, given: Mapping[str, str]) -> dict[str, Field]:
    """Return the options that a word can still give a value."""
    fields = fields_of(action.options)
    return {name: field for name, field in fields.items() if name not in given or _is_list(field)}


def _is_list(field: Field) -> bool:
    return isinstance(field.type, ListOf)


def _values(field: Field, sheet: AnySheet, other: AnySheet) -> tuple[str, ...]:
    """Return the words that an option takes: its values, words for its numbers, or a flag's own name."""
    if isinstance(field.type, Whole):
        return tuple(word for word, _ in field.type.called)
    return (field.name,) if isinstance(field.type, Flag) else option_words(sheet, field, other)


def _value(field: Field, found: str, before: str) -> str:
    if isinstance(field.type, Flag):
        return "yes"
    return f"{before},{found}" if before else found


def _only(
    word: str,
    fits: Mapping[str, tuple[str, ...]],
    known: Mapping[str, tuple[str, ...]],
    fields: Mapping[str, Field],
) -> str:
    """Return the name of the option that a word fits. Options with equal values are filled in order.

    Raises Refused if the word fits several.
    """
    names = sorted(fits, key=lambda name: not fields[name].needed)
    first = names[0]
    is_one = len(fits[first]) == 1 and all(known[name] == known[first] for name in names)
    if not is_one:
        could = [f"{fields[name].label} {found}" for name in names for found in fits[name]]
        raise Refused(f"{shown(word)} could be {listed(could[:6], 'or')}", code="ambiguous")
    return first


def takes_number(field: Field) -> bool:
    """Return whether an option takes a number that is typed without a name."""
    is_counted = isinstance(field.type, ListOf) and field.type.counted is not None
    return field.takes_number or is_counted or (field.needed and isinstance(field.type, Whole))


def _number_option(action: Action, given: Mapping[str, str], is_first: bool) -> str:
    """Return the option that takes a number without a name, or ""."""
    fields = {name: field for name, field in fields_of(action.options).items() if name not in given}
    found = [name for name, field in fields.items() if takes_number(field)]
    found.sort(key=lambda name: not fields[name].needed)
    return next((name for name in found if not (is_first and fields[name].takes_number)), "")


def _joined(
    action: Action, words: Sequence[Word], given: Mapping[str, str], sheet: AnySheet
) -> tuple[Word, list[Word]]:
    """Return the first word, or the first few if they are one name such as guiding bolt, and the rest."""
    for count in range(min(len(words), _MOST_JOINED), 1, -1):
        some = words[:count]
        if any(word.quoted for word in some):
            continue
        whole = Word(" ".join(word.text for word in some), some[0].start, some[-1].end)
        with suppress(Misread):
            if _option(action, whole, given, sheet) is not None:
                return whole, list(words[count:])
    return words[0], list(words[1:])


def with_sorted_words(encounter: Encounter, intent: Act, actor_of: ActorOf) -> Act:
    """Return an action with each loose word sorted as a target, the actor or an option.

    Raises Misread if a word is none of these, or could be several.
    """
    action = encounter.game.action(intent.action)
    if action is None or not (intent.words or intent.targets):
        return intent
    is_aimed = action.targets in ("one", "many")
    if not intent.words and is_aimed and _named(encounter, intent.targets):
        return intent
    fields = fields_of(action.options)
    given = {_full_name(name, fields): value for name, value in intent.options.items()}
    actor = actor_of(intent)
    sheet = actor.sheet if actor else encounter.game.sheet()
    aims, options = intent.targets, dict(intent.options)
    words = list(intent.words)
    first = Word(intent.targets, intent.targets_at, intent.targets_at + len(intent.targets))
    if aims:
        # The words of a name, such as second wind, may come before any target.
        whole, rest = _joined(action, [first, *words], given, sheet)
        if found := _option_of_first_word(encounter, action, whole, given, sheet):
            aims, words = "", rest
            options[found[0]] = given[found[0]] = found[1]
    while words:
        word, words = _joined(action, words, given, sheet)
        found = None if word.quoted and _named(encounter, word.text) else _option(action, word, given, sheet)
        if found is not None:
            options[found[0]] = given[found[0]] = found[1]
        elif not aims and _named(encounter, word.text):
            aims = word.text
        else:
            raise _not_on_the_sheet(encounter, action, first, aims, given, actor) or _left_over(
                action, word, given, sheet
            )
    if wrong := _not_on_the_sheet(encounter, action, first, aims, given, actor):
        raise wrong
    return evolve(intent, targets=aims, options=options, words=())


def _not_on_the_sheet(
    encounter: Encounter,
    action: Action,
    first: Word,
    aims: str,
    given: Mapping[str, str],
    actor: Combatant | None,
) -> Misread | None:
    """Return the error if the first word of an action without targets is no name on the actor's sheet.

    Return None if the action takes targets or needs no name, or if the word names combatants.
    """
    if action.targets != "none" or not aims or actor is None or _named(encounter, aims):
        return None
    for name, field in _open_options(action, given).items():
        words = option_words(actor.sheet, field) if field.needed and name not in given else ()
        if words:
            near = nearest(aims, words, NEAR)
            hint = f"did you mean {spoken(near)}?" if near else f"it has {listed(map(spoken, words))}"
            says = f"{actor.name} has no {field.label} {shown(aims)}; {hint}"
            return Misread(says, first.start, first.end, names_word=True, suggestion=near)
    optional = (option_words(actor.sheet, field) for field in _open_options(action, given).values())
    if near := nearest(aims, [word for words in optional for word in words], NEAR):
        says = f"{shown(aims)} is not understood; did you mean {spoken(near)}?"
        return Misread(says, first.start, first.end, names_word=True, suggestion=near)
    return None


def _full_name(name: str, fields: Mapping[str, Field]) -> str:
    found = matches(name, fields)
    return found[0] if len(found) == 1 else name


def _named(encounter: Encounter, text: str) -> tuple[str, ...]:
    """Return the ids of the combatants that a text names, or ()."""
    try:
        return targets(encounter, text)
    except Refused:
        return ()


def _is_whole_name(encounter: Encounter, text: str) -> bool:
    names = {combatant.id: combatant.name for combatant in encounter}
    return bool(spelled(text, names, names))


def _option_of_first_word(
    encounter: Encounter, action: Action, word: Word, given: Mapping[str, str], sheet: AnySheet
) -> tuple[str, str] | None:
    """Return the option that the first word gives, or None if the word names combatants.

    If the action needs a target, a word that names a combatant is the target. For other actions, an option
    takes precedence if the word spells it in full, or if a number has no other meaning.
    """
    named = _named(encounter, word.text)
    if named and (action.targets in ("one", "many") or _is_whole_name(encounter, word.text)):
        return None
    found = _option(action, word, given, sheet, is_first=True)
    if found is None or not named:
        return found
    if _NUMBER.fullmatch(word.text):
        return found if action.targets == "none" else None
    if spelled(word.text, found):
        return found
    field = fields_of(action.options)[found[0]]
    could = [encounter.combatants[named[0]].name, f"{field.label} {found[1]}"]
    raise word.wrong(f"{shown(word.text)} could be {listed(could, 'or')}", names_word=True)


def _option(
    action: Action, word: Word, given: Mapping[str, str], sheet: AnySheet, *, is_first: bool = False
) -> tuple[str, str] | None:
    try:
        return option_of_word(action, word.text, given, sheet, is_first=is_first)
    except Refused as error:
        raise word.wrong(str(error), names_word=True) from None


def _left_over(action: Action, word: Word, given: Mapping[str, str], sheet: AnySheet) -> Misread:
    """Return the error for a word that fits nothing, with the value that was probably meant."""
    words = [
        value for field in _open_options(action, given).values() for value in _values(field, sheet, None)
    ]
    near = nearest(word.text, words)
    names = spelled(word.text, fields_of(action.options))
    hint = f"; did you mean {spoken(near)}?" if near else "; separate several targets with commas: 1,3"
    hint = f"; write {names[0]}=VALUE" if names else hint
    says = f"{shown(word.text)} is one word too many{hint}"
    return Misread(says, word.start, word.end, names_word=True, suggestion=near)


def sorted_command(encounter: Encounter, command: Command, actor_of: ActorOf | None = None) -> Command:
    """Return a parsed command with the loose words of its action sorted. Raises Misread.

    `actor_of`: returns the combatant whose action it is. Default: the named one, else the one whose turn it
    is.
    """
    match command.intent:
        case Act() as act:
            sorted_act = with_sorted_words(encounter, act, actor_of or (lambda act: _actor(encounter, act)))
            return command if sorted_act is act else evolve(command, intent=sorted_act)
        case Amend(command=Command() as inner) as amend:
            meant = evolve(amend, command=sorted_command(encounter, inner, actor_of))
            return evolve(command, intent=meant)
    return command


def _actor(encounter: Encounter, act: Act) -> Combatant | None:
    """Return the combatant named as the actor, else the one whose turn it is."""
    with suppress(Refused):
        return single(encounter, act.by) if act.by else encounter.turn
    return None
