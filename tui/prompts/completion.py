"""What can stand where in the command language, for completion: verbs, people, options, figures, kinds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from systems.contract.ruleset import Action
from systems.encounter.model import Combatant, Encounter
from systems.language.commands import COMMANDS as VERBS
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import Choice, Flag, ListOf, TableOf, Text
from tui.prompts.line import Suggestion
from tui.services import Source

VERB_HELP: Mapping[str, str] = {
    "next": "next turn, or: next by WHO",
    "back": "step back to the turn before",
    "start": "begin the fight",
    "end": "end the fight",
    "delay": "delay [WHO]",
    "return": "return WHO",
    "order": "order WHO before|after WHO, or a number",
    "damage": "damage TARGETS AMOUNT",
    "heal": "heal TARGETS AMOUNT",
    "set": "set WHO FIELD VALUE",
    "condition": "condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO]",
    "clear": "clear TARGETS NAME",
    "add": "add KIND [xN] [as NAME] [side=SIDE] [hidden] [in round N]",
    "remove": "remove TARGETS",
    "hide": "hide TARGETS",
    "reveal": "reveal TARGETS",
    "roll": "roll DICE [for WHO] [secret]",
    "note": "note TEXT",
    "undo": "undo [N]",
    "redo": "redo [N]",
}
_TAKES_PEOPLE = {
    "delay",
    "return",
    "order",
    "damage",
    "heal",
    "set",
    "condition",
    "clear",
    "remove",
    "hide",
    "reveal",
}


def option_words(sheet: Any, field: Field) -> tuple[str, ...]:
    """What an option can be, as words: choices, yes and no, or names of things on the sheet."""
    match field.type:
        case Choice(values) | ListOf(Choice(values)):
            return tuple(values)
        case Flag():
            return ("yes", "no")
        case Text():
            return named_on(sheet, field.name)
    return ()


def named_on(sheet: Any, option: str) -> tuple[str, ...]:
    """The names on a sheet that an option such as `weapon` or `defence_ability` may mean."""
    thing = option.rpartition("_")[2]
    plurals = {f"{thing}s", f"{thing}es", f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"}
    for name, field in fields_of(type(sheet)).items():
        if name in plurals:
            value = getattr(sheet, name)
            if isinstance(field.type, Entries):
                return tuple(str(one.name) for one in value)
            if isinstance(field.type, TableOf):
                return tuple(value)
            if isinstance(field.type, ListOf):
                return tuple(str(one) for one in value)
    return ()


def suggestions(source: Source, line: str) -> Sequence[Suggestion]:
    """What the last word of a line could become."""
    *before, begun = line.split(" ") if line else [""]
    words = [word for word in before if word]
    found = _possible(source, words, begun)
    plain = begun.casefold()
    first = [one for one in found if one.text.casefold().startswith(plain)]
    inner = [one for one in found if plain and plain in one.text.casefold() and one not in first]
    return [*first, *inner]


def _possible(source: Source, words: Sequence[str], begun: str) -> list[Suggestion]:
    encounter = source.encounter
    if not words:
        return _first_words(source)
    verb = words[0].casefold()
    if words[-1].casefold() in ("by", "before", "after", "for", "of") and len(words) > 1:
        return people(encounter)
    if action := next((one for one in source.game.actions if one.name == verb), None):
        return _after_action(encounter, action, words[1:], begun)
    if verb == "add":
        if len(words) == 1:
            return [Suggestion(name, help=kind.name) for name, kind in source.roster.items()]
        return [
            Suggestion(word) for word in ("x4", "hidden", "in", "as", "group", "side=players", "side=foes")
        ]
    if verb in ("condition", "clear") and len(words) == 2:
        from tui.prompts.conditions import known_conditions

        return [Suggestion(_quoted(name)) for name in known_conditions(encounter)]
    if verb == "condition" and len(words) > 2:
        return [Suggestion(word) for word in ("for", "until start of", "until end of")]
    if verb == "set" and len(words) == 2:
        return _figures(encounter, words[1])
    if verb in _TAKES_PEOPLE and len(words) == 1:
        return people(encounter)
    if verb in ("damage", "heal"):
        wanted = source.game.heal if verb == "heal" else source.game.damage
        found = source.game.action(wanted.action)
        return _options(encounter, found, words, begun, skip=wanted.amount) if found else []
    return []


def _first_words(source: Source) -> list[Suggestion]:
    actions = [one for one in source.game.actions if one.group != "hook"]
    known = [Suggestion(one.name, help=one.help) for one in actions]
    return [*known, *(Suggestion(verb, help=VERB_HELP.get(verb, "")) for verb in VERBS)]


def people(encounter: Encounter, actor: str = "") -> list[Suggestion]:
    """Everybody by id, then the sides and `all`."""
    ones = [
        Suggestion(one.id, help=f"{one.state.tag} {one.name}")
        for one in encounter.in_line()
        if one.id != actor
    ]
    sides = dict.fromkeys(one.side for one in encounter)
    return [*ones, *(Suggestion(_quoted(side), help="a whole side") for side in sides), Suggestion("all")]


def _after_action(encounter: Encounter, action: Action, words: Sequence[str], begun: str) -> list[Suggestion]:
    has_target = any("=" not in word for word in words)
    if action.targets != "none" and not has_target and "=" not in begun:
        return people(encounter, "" if action.itself else encounter.progress.turn or "")
    return [*_options(encounter, action, words, begun), Suggestion("by", help="who does it")]


def _options(
    encounter: Encounter, action: Action, words: Sequence[str], begun: str, skip: str = ""
) -> list[Suggestion]:
    given = {word.partition("=")[0] for word in words if "=" in word}
    known = {
        name: one for name, one in fields_of(action.options).items() if name not in given and name != skip
    }
    name, equals, _ = begun.partition("=")
    if equals and name in known:
        sheet = encounter.turn.sheet if encounter.turn else encounter.game.sheet()
        return [Suggestion(f"{name}={_quoted(word)}") for word in option_words(sheet, known[name])]
    return [Suggestion(f"{name}=", help=f"{one.type.expected}: {one.help}") for name, one in known.items()]


def _figures(encounter: Encounter, who: str) -> list[Suggestion]:
    from systems.encounter.lookup import single
    from systems.errors import Refused
    from tui.prompts.edit_field import figures_of

    try:
        one: Combatant = single(encounter, who)
    except Refused:
        return []
    return [Suggestion(path, help=help) for path, _, _, help in figures_of(one.sheet)]


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text


def joined(words: Iterable[str]) -> str:
    """Words of a command as one line; what holds blanks is quoted."""
    return " ".join(_quoted(word) for word in words if word)
