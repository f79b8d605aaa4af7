"""One request to the rules alone, and its answer, as plain data (`affray resolve` and `affray odds`).

`{"action", "actor", "target", "others", "options", "house", "dice"}` in; facts, sheets, rolls, terms, text
and asks out. The same actions run here and in play.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from systems.contract.action import Action, Other, Scene
from systems.contract.outcome import Ask, Explanation, Outcome, plain_term
from systems.contract.ruleset import Ruleset
from systems.contract.table import Table, WrongChoice
from systems.dice.scripted import ScriptedDice, WrongDie
from systems.dice.sources import Dice, NeedsFace
from systems.errors import Wrong, unknown
from systems.odds import TooManyDice, facts_odds
from systems.schema.conversion import plain_of, read
from systems.schema.fields import combatant_options, fields_of, target_options
from systems.sheets import changed, read_sheet, write_sheet
from systems.text import before_and_after, one_line, shown

_KEYS = ("action", "actor", "target", "others", "options", "house", "dice")


def resolve(game: Ruleset, request: object, random: Dice) -> dict[str, Any]:
    """Return the answer to one request. Raises Wrong with the field and the expected value.

    Dice in the request are forced in rolling order; without them `random` rolls.
    """
    action, scene, faces = read_request(game, request)
    scripted = None if faces is None else ScriptedDice(faces)
    table = Table(scripted or random)
    try:
        outcome = action.run(scene, table)
    except NeedsFace as dry:
        given = len(faces or ())
        die = dry.request
        raise Wrong("dice", f"too few dice: {given} given, the next is a d{die.sides} ({die.why})") from None
    except WrongDie as wrong:
        raise Wrong(f"dice[{wrong.index}]", str(wrong)) from None
    except WrongChoice as undecided:
        raise Wrong("dice", str(undecided)) from None
    if scripted is not None and scripted.left:
        raise Wrong("dice", f"too many dice: {len(table.rolls)} used, {len(faces or ())} given")
    return _answer(game, action, scene, table, outcome)


def odds(game: Ruleset, request: object) -> dict[str, Any]:
    """Return fact -> value as text -> probability. Raises Wrong, also for too many dice."""
    action, scene, faces = read_request(game, request)
    if faces is not None:
        raise Wrong("dice", "odds take no dice")
    try:
        found = facts_odds(lambda table: action.run(scene, table))
    except TooManyDice as error:
        raise Wrong("action", str(error)) from None
    return {"facts": {fact: _as_texts(spread) for fact, spread in found.items()}}


def _as_texts(spread: Mapping[object, Fraction]) -> dict[str, float]:
    texts: dict[str, Fraction] = {}
    for value, chance in spread.items():
        text = as_text(value)
        # Hardly ever two values have one text, and there may be thousands of them.
        texts[text] = texts[text] + chance if text in texts else chance
    return {text: float(chance) for text, chance in texts.items()}


def as_text(value: object) -> str:
    """Return a fact's value as a key: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else json.dumps(plain_of(value))


def read_request(game: Ruleset, request: object) -> tuple[Action, Scene[Any, Any, Any], list[int] | None]:
    """Return action, scene and given faces of a request. Raises Wrong."""
    if not isinstance(request, Mapping):
        raise Wrong("", f"expected an object with an action, got {shown(request)}")
    for key in request:
        if key not in _KEYS:
            raise unknown(str(key), "unknown key", key, _KEYS)
    action = _action(game, request)
    empty: dict[str, Any] = {}
    actor = read_sheet(game, request.get("actor", empty), "actor")
    target = read_sheet(game, request.get("target", empty), "target")
    options: Any = read(action.options, request.get("options", empty), "options")
    house = read(game.house, request.get("house", empty), "house")
    has_target = action.targets != "none" and bool(request.get("target"))
    if action.targets == "none":
        target = game.sheet()  # a valid one is ignored
    # Use the names on the sheets, if they have one.
    names = (actor.name or "actor", target.name or "target")
    others = _others(game, action, options, request.get("others", empty))
    marked = frozenset(
        name for name in target_options(action.options) if getattr(options, name) in ("target", names[1])
    )
    scene: Scene[Any, Any, Any] = Scene(
        actor,
        target,
        options,
        house,
        *names,
        has_target=has_target,
        others=others,
        marked=marked,
        interrupts=game.interrupts,
    )
    return action, scene, _faces(request)


def _others(game: Ruleset, action: Action, options: Any, given: object) -> dict[str, Other]:
    """Return whom the options name, with their sheets, by option. Raises Wrong."""
    known = combatant_options(action.options)
    if not isinstance(given, Mapping):
        raise Wrong("others", f"expected a table of option -> sheet, got {shown(given)}")
    for name in given:
        if name not in known:
            raise unknown(f"others.{name}", f"no option of {action.name} names a combatant so", name, known)
    found: dict[str, Other] = {}
    for name in known:
        if name in given or getattr(options, name) is not None:
            sheet = read_sheet(game, given.get(name, {}), f"others.{name}")
            found[name] = Other(sheet.name or getattr(options, name) or name, sheet)
    return found


def _action(game: Ruleset, request: Mapping[str, Any]) -> Action:
    if "action" not in request:
        raise Wrong("action", "is needed")
    name = request["action"]
    found = game.action(name) if isinstance(name, str) else None
    if found is None:
        known = [action.name for action in game.actions]
        typed = name if isinstance(name, str) else ""
        raise unknown("action", f"no action {shown(name)}", typed, known)
    return found


def _faces(request: Mapping[str, Any]) -> list[int] | None:
    if "dice" not in request:
        return None
    faces = request["dice"]
    if not isinstance(faces, list):
        raise Wrong("dice", f"expected a list of faces, got {shown(faces)}")
    for at, face in enumerate(faces):
        if type(face) is not int:
            raise Wrong(f"dice[{at}]", f"expected a whole number, got {shown(face)}")
    return faces


def _answer(
    game: Ruleset, action: Action, scene: Scene[Any, Any, Any], table: Table, outcome: Outcome
) -> dict[str, Any]:
    explanation: Explanation = outcome.tell()
    facts = {name: plain_of(value) for name, value in outcome.facts.items() if value is not None}
    actor = changed(scene.actor, outcome.changes.get("actor", {}))
    answer: dict[str, Any] = {"facts": facts, "actor": write_sheet(game, actor, scene.house)}
    if action.targets != "none":
        target = changed(scene.target, outcome.changes.get("target", {}))
        answer["target"] = write_sheet(game, target, scene.house)
    if scene.others:
        answer["others"] = {
            name: write_sheet(game, changed(other.sheet, outcome.changes.get(name, {})), scene.house)
            for name, other in scene.others.items()
        }
    answer["rolls"] = [
        {"sides": roll.sides, "face": roll.face, "why": one_line(roll.why)} for roll in table.rolled
    ]
    answer["terms"] = [plain_term(term) for term in explanation.terms]
    answer["text"] = one_line(explanation.line) or _changes_told(scene, outcome)
    answer["asks"] = [plain_ask(ask) for ask in outcome.asks if not _needs_a_helper(game, ask)]
    return answer


def _changes_told(scene: Scene[Any, Any, Any], outcome: Outcome) -> str:
    """Return a sentence of what changed, for an action without an explanation."""
    people = [("actor", scene.actor_name, scene.actor), ("target", scene.target_name, scene.target)]
    people += [(option, other.name, other.sheet) for option, other in scene.others.items()]
    told = []
    for role, name, sheet in people:
        after = changed(sheet, outcome.changes.get(role, {}))
        fields = [field for field in fields_of(type(sheet)) if getattr(sheet, field) != getattr(after, field)]
        steps = [
            f"{field} {before_and_after(shown(getattr(sheet, field)), shown(getattr(after, field)))}"
            for field in fields
        ]
        told += [f"{name}: {', '.join(steps)}."] if steps else []
    return one_line(" ".join(told)) or "Nothing changed."


def _needs_a_helper(game: Ruleset, ask: Ask) -> bool:
    """Return whether an ask needs a helper: this request has only an actor and a target."""
    action = game.action(ask.action)
    return action is not None and not set(ask.choose).isdisjoint(combatant_options(action.options))


def plain_ask(ask: Ask) -> dict[str, Any]:
    """Return an ask as plain data."""
    plain: dict[str, Any] = {"text": one_line(ask.text)}
    if ask.action:
        plain |= {"action": ask.action, "by": ask.by}
        if ask.target:
            plain["target"] = ask.target
        if ask.options:
            plain["options"] = {name: plain_of(value) for name, value in ask.options.items()}
    return plain
