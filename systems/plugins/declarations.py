"""Check another author's declarations once, when a game is loaded.

Names used in one declaration must exist in another: the option that a condition changes, the fields of a
meter, the action of a key. `problem` returns the first mistake in a few words. `systems.plugins.guard` checks
what appears only while a game runs.
"""

from collections.abc import Collection, Mapping
from typing import Any, get_args

from systems.commands.table import COMMANDS
from systems.contract.action import LETTERS, Action
from systems.contract.condition import LISTED, VALUE, Condition, Effect
from systems.contract.display import Figure, Mark, Tone
from systems.contract.reaction import LEAVING, TURN_END, Interrupt, Reaction
from systems.contract.ruleset import (
    AmountAction,
    EffectRules,
    EscapeAction,
    OrderStyle,
    Rest,
    Ruleset,
    SaveAction,
)
from systems.contract.sheet import NoHouse, Section, Sheet, Templates
from systems.errors import Wrong
from systems.language.intents import AMOUNT_OPTIONS
from systems.plugins.shape_checks import (
    BadGame,
    are,
    check_declared,
    check_fits,
    check_shape,
    holds,
    mistake,
    named,
    one_of,
    tried,
)
from systems.schema.conversion import read
from systems.schema.fields import Entries, fields_of
from systems.schema.types import Choice, ListOf, Text, Whole
from systems.sheets import VERSION
from systems.text import shown, suggestion

# An action for `affray resolve`; in a fight the command of that name rolls `Ruleset.initiative`.
_ROLLED = "initiative"
HOOKS = ("round_start", "turn_start", "turn_end", "encounter_end")
_TARGETS = ("none", "optional", "one", "many")
_GROUPS = ("combat", "check", "health", "turn", "camp", "hook")
_STYLES = get_args(OrderStyle)
_TONES = get_args(Tone)
# Names that the tracker adds to a sheet's fields, and that every command line reserves.
_TRACKERS = ("side", "party", "format", "kind", VERSION)
_LINES = ("dice", "by")


def problem(game: Ruleset) -> str:
    """Return the first mistake in a game's declarations in a few words, or ""."""
    try:
        for look in _LOOKS:
            look(game)
    except BadGame as slip:
        return str(slip)
    except Exception as error:  # noqa: BLE001 - it is another author's code and may hold anything
        return _misshapen(game) or f"its declarations cannot be read: {mistake(error)}"
    return ""


def _shape(game: Ruleset) -> None:
    check_shape("", game, Ruleset)


def _misshapen(game: Ruleset) -> str:
    """Return the part whose type is not the contract's, which may explain why the rest is unreadable."""
    try:
        _shape(game)
    except BadGame as slip:
        return str(slip)
    return ""


def _texts(game: Ruleset) -> None:
    for name in ("name", "title", "credit"):
        value = getattr(game, name)
        if not isinstance(value, str) or not value.strip():
            raise BadGame(f"its {name} is {shown(value)}, not a text")
    if game.creatures and not str(game.creatures).isidentifier():
        raise BadGame(f"its creatures are in {shown(game.creatures)}, which is not the name of a folder")
    if isinstance(game.policy, str) and not game.policy.isidentifier():
        raise BadGame(f"its policy is in {shown(game.policy)}, which is not the name of a module")


# The sheet, the options, the house rules.


def _sheet(game: Ruleset) -> None:
    sheet: Any = game.sheet
    if not (isinstance(sheet, type) and issubclass(sheet, Sheet)):
        raise BadGame("its sheet is not a subclass of systems.contract.sheet.Sheet")
    if game.sheet is Sheet:
        raise BadGame("its sheet has no fields")
    base = fields_of(Sheet)
    for name, field in fields_of(game.sheet).items():
        if name in _TRACKERS or (name in base and field != base[name]):
            raise BadGame(f"its sheet has a field {name}, a name that the tracker uses itself")
    if game.stored_status != ("status" in fields_of(game.sheet)):
        raise BadGame(
            "stored_status is set, but its sheet has no field status"
            if game.stored_status
            else "its sheet has a field status, but stored_status is not set"
        )
    check_declared("its sheet", game.sheet, bare=True)


def _classes(game: Ruleset) -> None:
    check_declared("its house rules", game.house, bare=True)
    for action in are(game.actions, Action, "actions"):
        check_declared(f"the options of {action.name}", action.options, bare=False)
        for name in fields_of(action.options):
            if name in _LINES:
                raise BadGame(f"{action.name} has an option {name}, a name that every command uses")


# Actions


def _actions(game: Ruleset) -> None:
    named("the action", [declared.name for declared in game.actions])
    for action in game.actions:
        if not callable(action.run):
            raise BadGame(f"{action.name} has nothing to run")
        one_of(f"the targets of {action.name}", action.targets, _TARGETS)
        one_of(f"the group of {action.name}", action.group, _GROUPS)
        for part in ("success", "amount", "heals", "against"):
            fact = getattr(action, part)
            if fact and fact not in action.facts:
                raise BadGame(f"the {part} of {action.name} is {fact}, which is not one of its facts")
        for effect in action.side_effects:
            if effect.fact not in action.facts:
                raise BadGame(
                    f"a side effect of {action.name} is {effect.fact}, which is not one of its facts"
                )
        if action.total not in ("total", *action.facts):
            raise BadGame(f"the total of {action.name} is {action.total}, which is not one of its facts")
        if action.letter and (len(action.letter) != 1 or action.letter not in LETTERS):
            letters = ", ".join(LETTERS)
            raise BadGame(f"the letter of {action.name} is {shown(action.letter)}, not one of {letters}")
        if not action.title.strip() or not action.title.isprintable():
            raise BadGame(f"the title of {action.name} is {shown(action.title)}")
        named(f"the fact of {action.name}:", action.facts)
        named(f"the refusal of {action.name}:", [refusal.reason for refusal in action.refusals])
        _hook(game, action)
    if game.action("status") is None:
        raise BadGame("it has no action status, which every game answers")
    default = _action(game, "default_action is", game.default_action)
    if default.group == "hook":
        raise BadGame(f"default_action is {default.name}, which is a hook")


def _hook(game: Ruleset, action: Action) -> None:
    """Check that a hook has a known name and no target, and that any other action has a typable name."""
    called = action.name in HOOKS
    if action.group == "hook":
        by_conditions = [condition.each_turn for condition in game.conditions]
        if not called and action.name not in (*by_conditions, _ROLLED):
            raise BadGame(f"nothing calls the hook {action.name}; hooks: {', '.join(HOOKS)}")
        _by_itself(f"the hook {action.name}", action)
    elif called:
        raise BadGame(f'{action.name} runs by itself and needs group="hook"')
    elif action.name in COMMANDS and action.name not in (game.damage.action, game.heal.action, "roll"):
        raise BadGame(f"its action {action.name} has the name of a command of the tracker")


def _by_itself(what: str, action: Action) -> None:
    """Check that an action runs without any option or target."""
    if action.targets not in ("none", "optional"):
        raise BadGame(f"{what} takes a target, but there is none")
    if needed := [name for name, field in fields_of(action.options).items() if field.needed]:
        raise BadGame(f"{what} needs the option {needed[0]}, but nothing sets it")


def _action(game: Ruleset, what: str, name: str) -> Action:
    found = game.action(name)
    if found is None:
        known = [action.name for action in game.actions]
        raise BadGame(f"{what} {shown(name)}, which is not an action{suggestion(str(name), known)}")
    return found


def _verbs(game: Ruleset) -> None:
    for what, verb in (("damage", game.damage), ("heal", game.heal)):
        if not isinstance(verb, AmountAction):
            raise BadGame(f"{what} is not an AmountAction")
        action = _action(game, f"{what} runs", verb.action)
        known = fields_of(action.options)
        if verb.amount not in known or not isinstance(known[verb.amount].type, Whole):
            raise BadGame(f"{what} runs {action.name}, which has no number {verb.amount} among its options")
        if taken := [name for name in known if name in AMOUNT_OPTIONS]:
            raise BadGame(f"{what} runs {action.name}, whose option {taken[0]} is set by the tracker")
        if action.targets not in ("none", "optional"):
            raise BadGame(f"{what} runs {action.name} on the hurt combatant, but that action takes a target")
        if needed := [name for name, field in known.items() if field.needed and name != verb.amount]:
            raise BadGame(f"{what} runs {action.name}, which also needs {needed[0]}")


def _effects(game: Ruleset) -> None:
    """Check that a game with effects has them on its sheet, and the action that runs them."""
    if game.effects is None:
        lined = [condition.name for condition in game.conditions if condition.lines()]
        if lined:
            raise BadGame(f"the condition {lined[0]} has lines, but the game declares no effects")
        return
    if not isinstance(game.effects, EffectRules):
        raise BadGame("effects is not an Effects of systems.effects.library")
    field = fields_of(game.sheet).get("effects")
    if field is None or not isinstance(field.type, Entries):
        raise BadGame("it declares effects, but its sheet has no field effects made by effect_lines")
    _action(game, "effects run", game.effects.action)


def _ending_save(game: Ruleset) -> None:
    """Check the action that rolls the saves of conditions."""
    save = game.ending_save
    if save is None:
        return
    if not isinstance(save, SaveAction):
        raise BadGame("ending_save is not a SaveAction")
    action = _action(game, "ending_save runs", save.action)
    known = fields_of(action.options)
    for name, type in ((save.ability, Text), (save.difficulty, Whole)):
        if name not in known or not isinstance(known[name].type, type | Choice):
            raise BadGame(f"ending_save runs {action.name}, which has no fitting option {shown(name)}")
    _needs_no_target("ending_save", action)
    if not action.success:
        raise BadGame(f"ending_save runs {action.name}, which declares no fact success")
    others = [name for name, field in known.items() if field.needed]
    if left := [name for name in others if name not in (save.ability, save.difficulty)]:
        raise BadGame(f"ending_save runs {action.name}, which also needs {left[0]}")


def _escape(game: Ruleset) -> None:
    """Check the action that is offered to get free of a condition."""
    escape = game.escape
    if escape is None:
        return
    if not isinstance(escape, EscapeAction):
        raise BadGame("escape is not an EscapeAction")
    action = _action(game, "escape runs", escape.action)
    known = fields_of(action.options)
    own = () if escape.held is not None else (escape.condition, escape.difficulty)
    for name in (*own, *escape.options):
        if name not in known:
            raise BadGame(f"escape runs {action.name}, which has no option {shown(name)}")
    _needs_no_target("escape", action)


def _needs_no_target(declared: str, action: Action) -> None:
    if action.targets not in ("none", "optional"):
        raise BadGame(f"{declared} runs {action.name}, which takes a target, but there is none")


# Status, meters, conditions.


def _statuses(game: Ruleset) -> None:
    if not game.statuses:
        raise BadGame("it has no statuses")
    named("the status", [status.name for status in game.statuses])
    for word in game.statuses:
        one_of(f"the tone of {word.name}", word.tone, _TONES)
    known = [status.name for status in game.statuses]
    if game.stored_status:
        kind = fields_of(game.sheet)["status"].type
        for word in getattr(kind, "values", ()):
            one_of("a status of the sheet", word, known)
    one_of("the status of an untouched sheet", tried("status", game.status, *_bare(game)), known)


def _meters(game: Ruleset) -> None:
    known = fields_of(game.sheet)
    for meter in game.meters:
        for name in (meter.now, meter.full):
            if name not in known or not isinstance(known[name].type, Whole):
                raise BadGame(f"the meter {meter.label} shows {name}, which is not a number of the sheet")
        one_of(f"the style of the meter {meter.label}", meter.style, ("bar", "pips"))
        symbols: tuple[Any, ...] = meter.symbols
        if len(symbols) != 2 or not all(isinstance(symbol, str) and symbol for symbol in symbols):
            raise BadGame(f"the meter {meter.label} needs two symbols: full and empty")
    for name in game.seat_fields:
        if name not in known:
            raise BadGame(f"seat_fields has {shown(name)}, which is not a field of the sheet")
    for name in game.harm:
        if name not in known or not isinstance(known[name].type, Whole):
            raise BadGame(f"harm has {shown(name)}, which is not a whole-number field of the sheet")


def _conditions(game: Ruleset) -> None:
    named("the condition", [condition.name for condition in are(game.conditions, Condition, "conditions")])
    for condition in game.conditions:
        what = f"the condition {condition.name}"
        one_of(f"the tone of {condition.name}", condition.tone, _TONES)
        if condition.field:
            _stands_for(game, what, condition)
        one_of(f"the status of {condition.name}", condition.status, ("", *(s.name for s in game.statuses)))
        one_of(f"what {condition.name} fades at", condition.fades, ("", "turn_start", "turn_end"))
        for effect in condition.effects:
            _effect(game, what, effect)
        if condition.each_turn:
            _by_itself(what, _action(game, f"each_turn of {condition.name} is", condition.each_turn))


def _stands_for(game: Ruleset, what: str, condition: Condition) -> None:
    kind = fields_of(game.sheet)[condition.field].type if condition.field in fields_of(game.sheet) else None
    if condition.on is VALUE and kind is not None and not isinstance(kind, Whole):
        raise BadGame(f"{what} sets {condition.field} to its value, but that field is not a number")
    if condition.on is LISTED:
        values: tuple[object, ...] = ((condition.name,),)
    else:
        values = (condition.off,) if condition.on is VALUE else (condition.on, condition.off)
    for value in values:
        try:
            check_fits(game.sheet, condition.field, value)
            holds("", fields_of(game.sheet)[condition.field].type, value)
        except Wrong as wrong:
            raise BadGame(f"{what} represents {wrong}") from None
        except BadGame as slip:
            raise BadGame(f"{what} represents {condition.field}{slip}") from None
    if condition.on == condition.off:
        raise BadGame(f"{what} represents {condition.field}, but on and off are the same")


def _effect(game: Ruleset, what: str, effect: Effect) -> None:
    action = _action(game, f"{what} changes", effect.action)
    known = fields_of(action.options)
    if effect.option not in known:
        near = suggestion(effect.option, known)
        raise BadGame(f"{what} changes {action.name}, which has no option {shown(effect.option)}{near}")
    one_of(f"the role in {what}", effect.role, ("actor", "target"))
    one_of(f"against in {what}", effect.against, ("anyone", "source", "others"))
    kind = known[effect.option].type
    if isinstance(kind, Whole) or (isinstance(kind, ListOf) and isinstance(kind.item, Whole)):
        if effect.value is not None or not isinstance(effect.amount, int | None):
            raise BadGame(f"{what} adds to {effect.option} of {action.name} and needs an amount, not a value")
        return
    if effect.amount is not None:
        raise BadGame(f"{what} sets {effect.option} of {action.name} and needs a value, not an amount")
    value = (effect.value,) if isinstance(kind, ListOf) else effect.value
    holds(f"{what}: {effect.option} of {action.name}", kind, value)


def _reactions(game: Ruleset) -> None:
    named("the reaction", [reaction.name for reaction in are(game.reactions, Reaction, "reactions")])
    for reaction in game.reactions:
        what = f"the reaction {reaction.name}"
        one_of(f"whose {what} is", reaction.whose, ("foes", "allies", "others"))
        if reaction.after not in (TURN_END, LEAVING):
            action = _action(game, f"{what} comes after", reaction.after)
            if action.name in ("round_start", "encounter_end"):
                raise BadGame(f"{what} comes after {action.name}, which is a hook; use {TURN_END}")
        if not callable(reaction.offers):
            raise BadGame(f"{what} offers nothing")


def _interrupts(game: Ruleset) -> None:
    named("the interrupt", [interrupt.name for interrupt in are(game.interrupts, Interrupt, "interrupts")])
    for interrupt in game.interrupts:
        what = f"the interrupt {interrupt.name}"
        one_of(
            f"whose {what} is", interrupt.whose, ("target", "actor", "friends", "foes", "others", "opponents")
        )
        if not interrupt.moment.strip():
            raise BadGame(f"{what} has no moment")
        if not callable(interrupt.offers):
            raise BadGame(f"{what} offers nothing")


# Rests


def _rests(game: Ruleset) -> None:
    named("the rest", [rest.name for rest in are(game.rests, Rest, "rests")])
    fields = fields_of(game.sheet)
    for rest in game.rests:
        what = f"the rest {rest.name}"
        if not rest.title.strip():
            raise BadGame(f"{what} has no title")
        check_shape(f"the steps of {what}", rest.steps, tuple[tuple[str, Mapping[str, object]], ...])
        for step, options in rest.steps:
            action = _action(game, f"{what} carries out", step)
            if action.targets not in ("none", "optional"):
                raise BadGame(f"{what} carries out {action.name}, which needs a target")
            try:
                read(action.options, options)
            except Wrong as wrong:
                raise BadGame(f"{what} carries out {action.name}: {wrong}") from None
        for name, value in rest.restores.items():
            whole, dot, part = name.partition(".")
            of = fields[whole].type if dot and whole in fields else None
            known = fields_of(of.of) if isinstance(of, Entries) else {} if dot else fields
            for number in (part or whole, value) if isinstance(value, str) else (part or whole,):
                if number not in known or not isinstance(known[number].type, Whole):
                    shown_name = f"{whole}.{number}" if dot else number
                    raise BadGame(f"{what} restores {shown_name}, which is not a number of the sheet")


# What the screens show.


def _shown(game: Ruleset) -> None:
    """Check what the game shows of an untouched sheet."""
    sheet, house = _bare(game)
    style = tried("order", game.order, house)
    one_of("its order", style, _STYLES)
    for is_player in (True, False):
        fields = tried("join", game.join, sheet, is_player)
        if not isinstance(fields, Mapping):
            raise BadGame("join does not return fields by name")
        for name, value in fields.items():
            try:
                check_fits(game.sheet, name, value)
            except Wrong as wrong:
                raise BadGame(f"join sets {wrong}") from None
    if game.spent is not None and not isinstance(tried("spent", game.spent, sheet, house), bool):
        raise BadGame("spent does not return true or false")
    immune = tried("immune", game.immune, sheet, house)
    if isinstance(immune, str) or not isinstance(immune, Collection):
        raise BadGame("immune does not return the names of conditions")
    if game.keeps_up is not None:
        kept = tried("keeps_up", game.keeps_up, sheet)
        if isinstance(kept, str) or not isinstance(kept, Collection):
            raise BadGame("keeps_up does not return the names of conditions")
    for mark in are(tried("glance", game.glance, sheet, house), Mark, "marks of glance"):
        one_of(f"the tone of the mark {mark.text}", mark.tone, _TONES)
    are(tried("brief", game.brief, sheet, house), str, "lines of brief")
    are(tried("figures", game.figures, sheet, house), Figure, "figures")


def _bare(game: Ruleset) -> tuple[Any, Any]:
    return game.sheet(), (game.house or NoHouse)()


def _forms(game: Ruleset) -> None:
    """Check the sections of the sheet and the templates of new sheets."""
    known, placed = fields_of(game.sheet), set[str]()
    for section in are(game.sections, Section, "sections"):
        for name in section.fields:
            if name not in known:
                near = suggestion(str(name), known)
                raise BadGame(f"the section {section.title} has {shown(name)}, which is not a field{near}")
            if name in placed:
                raise BadGame(f"the field {name} is in two places of the sections")
            placed.add(name)
    templates = tried("templates", game.templates, _bare(game)[1])
    if not isinstance(templates, Templates):
        raise BadGame("templates does not return Templates")
    for what, template in (("player", templates.player), ("creature", templates.creature)):
        try:
            read(game.sheet, template)
        except Wrong as wrong:
            raise BadGame(f"the template of a {what}: {wrong}") from None


_LOOKS = (
    *(_texts, _sheet, _classes, _actions, _verbs, _statuses, _meters, _conditions, _reactions),
    *(_interrupts, _rests, _ending_save, _escape, _effects),
    *(_shown, _forms, _shape),
)
