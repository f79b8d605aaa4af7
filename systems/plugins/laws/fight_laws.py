"""Laws of a game in a fight: its conditions, its hooks, its turn order."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from systems.commands.dispatcher import perform
from systems.commands.effects import with_condition, without_condition
from systems.commands.scenes import scene_of
from systems.commands.table import parse
from systems.contract.action import Action, Scene
from systems.contract.condition import Condition, is_set
from systems.contract.ruleset import FOES, PLAYERS, Ruleset
from systems.contract.table import Suggested
from systems.dice.sources import RandomDice
from systems.encounter.changes import apply
from systems.encounter.history import History, extended, history
from systems.encounter.model import ActiveCondition, Combatant, CombatantState, Encounter, new_encounter
from systems.encounter.serialize import plain
from systems.errors import InputError, Wrong
from systems.frozen import frozen
from systems.plugins.laws.example_requests import Request
from systems.plugins.laws.trials import MISTAKE, Trials, play_scene
from systems.schema.conversion import plain_of, read
from systems.schema.fields import fields_of
from systems.sheets import read_sheet, write_sheet

_ROUNDS = 2
_NAMES = ("alpha", "beta", "gamma")


def conditions_count(trials: Trials, request: Request) -> str:
    """Conditions can be given and cleared, keep options in range, and leave valid sheets."""
    played = trials.play(request)
    if played.scene is None or played.action is None:
        return ""
    for condition in trials.game.conditions:
        for role in ("actor", "target"):
            if said := _one_condition(trials, played.action, played.scene, condition, role):
                return f"with {condition.name} on the {role}: {said}"
    return ""


def _one_condition(
    trials: Trials, action: Action, scene: Scene[Any, Any, Any], condition: Condition, role: str
) -> str:
    here = _encounter(trials.game, scene)
    held = ActiveCondition(name=condition.name, value=2 if condition.takes_value else None)
    before = here.combatants[role]
    bearer = with_condition(here, before, held)
    if bearer.sheet != before.sheet and (said := _valid(trials.game, bearer, scene.house)):
        return said
    if condition.field and not is_set(condition, bearer.sheet):
        return f"the sheet does not have {condition.field} set"
    here = here.with_combatants(bearer)
    if any((effect.action, effect.role) == (action.name, role) for effect in condition.effects):
        target = "target" if action.targets != "none" else None
        try:
            changed = scene_of(here, action, "actor", target, scene.options)
        except Wrong as wrong:
            return wrong.message if wrong.code == MISTAKE else ""
        for name, field in fields_of(action.options).items():
            if (value := getattr(changed.options, name)) is not None:
                field.type.check(plain_of(value), f"options.{name}")
        error = play_scene(action, changed, RandomDice(Random(1))).wrong
        if error is not None and error.code == MISTAKE:
            return error.message
    free = without_condition(here, bearer, condition.name)
    if condition.field and is_set(condition, free.sheet):
        return f"{condition.field} is still on after it is cleared"
    return "" if free.sheet == before.sheet else _valid(trials.game, free, scene.house)


def _valid(game: Ruleset, bearer: Combatant, house: Any) -> str:
    try:
        read_sheet(game, write_sheet(game, bearer.sheet, house), "sheet")
    except Wrong as wrong:
        return f"a sheet that cannot be read: {wrong}"
    return ""


def _encounter(game: Ruleset, scene: Scene[Any, Any, Any]) -> Encounter:
    sheets = (("actor", scene.actor, PLAYERS), ("target", scene.target, FOES))
    people = [Combatant(who, CombatantState(name=who, side=side), sheet) for who, sheet, side in sheets]
    here = new_encounter(game, scene.house).with_combatants(*people)
    return here.with_progress(ids=("actor", "target"), order=("actor", "target"))


@frozen
class _Entry:
    """A roster entry of a trial."""

    name: str
    side: str
    sheet: Any
    party: str = ""


def fights(trials: Trials, number: int) -> Iterator[Request]:
    """Yield fights: the sheets of the combatants, house rules, and lines for `affray run`."""
    game, chance = trials.game, trials.chance
    conditions = [condition.name for condition in game.conditions]
    actions = [action for action in game.actions if action.group != "hook"]
    for at in range(number):
        share = at / number
        names = _NAMES[: 1 + at % len(_NAMES)]
        lines = ["start"]
        for _ in range(_ROUNDS * len(names)):
            lines += [_line_of(chance.choice(actions)), f"{game.default_action} all"]
            lines += [f"{game.default_action} alpha", "damage alpha 3", "heal alpha 2"]
            lines += [f"condition alpha {chance.choice(conditions)}"] if conditions else []
            lines.append("next")
        fight = {name: trials.maker.sheet(share) for name in names}
        yield {"fight": fight, "house": trials.maker.house(share), "lines": [*lines, "end"]}


def _line_of(action: Action) -> str:
    """Return a line that runs an action on the first combatant, with only its required parts."""
    needed = [field.name for field in fields_of(action.options).values() if field.needed]
    given = "".join(f" {name}=1" for name in needed)
    return f"{action.name}{'' if action.targets == 'none' else ' alpha'}{given}"


def fight_goes_on(trials: Trials, fight: Request) -> str:
    """A fight begins, takes its turns with all hooks, ends, and can be undone to its beginning."""
    game = trials.game
    try:
        house = read(game.house, fight.get("house", {}), "house")
        sheets = {name: read_sheet(game, sheet, name) for name, sheet in fight.get("fight", {}).items()}
        empty = new_encounter(game, house)
    except Wrong:
        return ""
    roster = {
        name: _Entry(name.title(), FOES if at else PLAYERS, sheet)
        for at, (name, sheet) in enumerate(sheets.items())
    }
    here, log, dice = empty, history(()), RandomDice(Random(3))
    for line in (*(f"add {name}" for name in sheets), *fight.get("lines", ())):
        try:
            event = perform(here, log, roster, parse(line, game), dice, Suggested())
        except InputError as error:
            if error.code == MISTAKE:
                return f"{line}: {error}"
            continue
        here, log = apply(here, event), extended(log, event)
        for combatant in here:
            if said := _valid(game, combatant, house):
                return f"{line}: {combatant.name} has {said}"
    return _undone(empty, here, log, roster)


def _undone(empty: Encounter, here: Encounter, log: History, roster: Mapping[str, _Entry]) -> str:
    if not log.events:
        return ""
    command = parse(f"undo {len(log.events)}", empty.game)
    event = perform(here, log, roster, command, RandomDice(Random(3)), Suggested())
    return "" if plain(apply(here, event)) == plain(empty) else "after undo it differs from its beginning"
