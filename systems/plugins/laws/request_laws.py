"""Laws of one request to any game: errors, refusals, dice, words and changes, in that order.

Each law takes a request and returns what is wrong in a few words, or "".
"""

import json
from collections.abc import Mapping
from typing import Any

from systems.contract.action import Scene
from systems.contract.outcome import Outcome
from systems.dice.scripted import ScriptedDice
from systems.errors import Wrong
from systems.plugins.laws.example_requests import Request
from systems.plugins.laws.trials import MISTAKE, Played, Trials, play_scene
from systems.requests import read_request
from systems.schema.conversion import write
from systems.schema.entry_lines import entry_line, read_entry
from systems.schema.fields import Entries, fields_of
from systems.schema.types import Text
from systems.schema.values import as_typed
from systems.sheets import changed, read_sheet, write_sheet
from systems.text import shown

NO_SUCH_NAME = "nothing-of-that-name"


def answers(trials: Trials, request: Request) -> str:
    """Any request is answered or refused, or the error names its field."""
    played = trials.play(request)
    if played.wrong is None:
        return ""
    if played.wrong.code == MISTAKE:
        return played.wrong.message
    if not played.wrong.field:
        return f"the error names no field: {played.wrong.message}"
    return ""


def keeps_order(trials: Trials, request: Request) -> str:
    """Errors come first, then refusals, then dice."""
    played = trials.play(request)
    if played.wrong is not None and played.rolls:
        return f"an error after {len(played.rolls)} dice: {played.wrong}"
    if played.refused is None or played.outcome is None:
        return ""
    if played.rolls:
        return f"refused ({played.refused}) after {len(played.rolls)} dice"
    outcome = played.outcome
    if any(outcome.changes.values()) or outcome.gives or outcome.ends or outcome.asks or outcome.extra_turn:
        return f"refused ({played.refused}), but it changes something"
    if not (played.explanation and played.explanation.text):
        return f"refused ({played.refused}) without a sentence"
    return _refused_before_errors(trials, request)


def _refused_before_errors(trials: Trials, refused: Request) -> str:
    """Return the option whose error is hidden by a refusal, or ""."""
    action = trials.game.action(refused["action"])
    fine = trials.answered(action) if action else None
    if action is None or fine is None:
        return ""
    for name, field in fields_of(action.options).items():
        if not isinstance(field.type, Text):
            continue
        options = {"options": {**fine.get("options", {}), name: NO_SUCH_NAME}}
        wrong = trials.play({**fine, **options}).wrong
        if wrong is None or wrong.field != f"options.{name}":
            continue
        played = trials.play({**refused, "house": fine.get("house", {}), **options})
        if played.refused is not None:
            return f"refused ({played.refused}) before the error of {name}={NO_SUCH_NAME}"
    return ""


def declares(trials: Trials, request: Request) -> str:
    """Every fact and every refusal is declared."""
    played = trials.play(request)
    if played.outcome is None or played.action is None:
        return ""
    if played.refused is not None:
        known = [refusal.reason for refusal in played.action.refusals]
        return (
            "" if played.refused in known else f"refused for {shown(played.refused)}, which is not declared"
        )
    loose = [name for name in played.outcome.facts if name not in played.action.facts]
    return f"the fact {loose[0]} is not declared" if loose else ""


def adds_up(trials: Trials, request: Request) -> str:
    """The terms of a roll add up to its total, and those of a calculated value to that value."""
    played = trials.play(request)
    if played.outcome is None or played.action is None or played.scene is None:
        return ""
    total = played.outcome.facts.get(played.action.total)
    terms = played.explanation.terms if played.explanation else ()
    found = sum(term.value for term in terms)
    if terms and type(total) is int and found != total:
        return f"the terms add up to {found}, but the fact {played.action.total} is {total}"
    for figure in trials.game.figures(played.scene.actor, played.scene.house):
        found = sum(term.value for term in figure.terms)
        if figure.terms and found != figure.value:
            return f"the terms of the figure {figure.label} add up to {found}, but it is {figure.value}"
    return ""


def is_pure(trials: Trials, request: Request) -> str:
    """The same request and dice give the same answer, and the request is unchanged."""
    first = trials.play(request)
    if first.wrong is not None or first.action is None:
        again = trials.play(request).wrong
        same = again is not None and str(again) == str(first.wrong)
        return "" if same else f"an error the first time and none the second: {first.wrong}"
    for _ in range(3):
        action, scene, _faces = read_request(trials.game, request)
        before = _written(scene)
        for _ in range(2):
            dice = ScriptedDice(first.faces)
            try:
                again_played = play_scene(action, scene, dice)
            except Exception as error:  # noqa: BLE001 - too few dice, or impossible ones
                return f"the same dice fail the second time: {error}"
            if dice.left or _seen(again_played) != _seen(first):
                return f"the same dice give another answer: {_difference(first, again_played)}"
        if _written(scene) != before:
            return "it changes the sheet, the options or the house rules that it was given"
    return ""


def reads_back(trials: Trials, request: Request) -> str:
    """The resulting sheets can be used again, have a declared status, and can be shown."""
    played = trials.play(request)
    if played.outcome is None or played.scene is None:
        return ""
    game, house = trials.game, played.scene.house
    others = [(option, other.sheet) for option, other in played.scene.others.items()]
    for role, sheet in (("actor", played.scene.actor), ("target", played.scene.target), *others):
        after = changed(sheet, played.outcome.changes.get(role, {}))
        plain = json.loads(json.dumps(write_sheet(game, after, house)))
        try:
            again = read_sheet(game, plain, role)
        except Wrong as wrong:
            return f"the resulting sheet cannot be used again: {wrong}"
        if again != after:
            return f"the {role} that results is different when it is read again"
        if plain["status"] not in [status.name for status in game.statuses]:
            return f"the status of the {role} is {shown(plain['status'])}, which is not declared"
        game.glance(after, house), game.brief(after, house), game.join(after, True)
    if played.action is not None:
        played.action.notes(played.scene), played.action.needs_in(played.scene)
        if played.outcome.refused is None and played.action.heading is not None:
            played.action.heading(played.scene, (played.outcome.facts, played.outcome.facts))
    return ""


def reads_typed(trials: Trials, request: Request) -> str:
    """Options, figures and entries read back as they are typed, including those of offers."""
    played = trials.play(request)
    if played.scene is None or played.action is None:
        return ""
    for value in (played.scene.options, played.scene.house, played.scene.actor):
        if said := _typed_differs(value):
            return said
    for ask in played.outcome.asks if played.outcome else ():
        action = trials.game.action(ask.action)
        for name, part in ask.options.items() if action else ():
            if part is not None and action:
                said = _typed_part_differs(
                    f"{action.name} {name}", fields_of(action.options)[name].type, part
                )
                if said:
                    return said
    return ""


def _typed_differs(value: Any) -> str:
    for name, field in fields_of(type(value)).items():
        part = getattr(value, name)
        if part is None:
            continue
        if isinstance(field.type, Entries):
            if said := next(filter(None, map(_line_differs, part)), ""):
                return f"{name}: {said}"
            continue
        if said := _typed_part_differs(name, field.type, part):
            return said
    return ""


def _line_differs(entry: Any) -> str:
    line = entry_line(entry)
    try:
        read = read_entry(type(entry), line)
    except Wrong as wrong:
        return f"{shown(line)} is written but cannot be typed: {wrong}"
    return "" if read == entry else f"{shown(line)} is written but read as {shown(entry_line(read))}"


def _typed_part_differs(name: str, type: Any, part: Any) -> str:
    word = as_typed(part)
    try:
        read = type.typed(word, name)
    except Wrong as wrong:
        return f"{name} is written as {shown(word)}, which cannot be typed: {wrong}"
    return "" if read == part else f"{name} is written as {shown(word)}, but read as {shown(as_typed(read))}"


def _written(scene: Scene[Any, Any, Any]) -> str:
    others = [other.sheet for other in scene.others.values()]
    return repr([write(value) for value in (scene.actor, scene.target, scene.options, scene.house, *others)])


def _seen(played: Played) -> tuple[Any, ...]:
    """Return everything that an answer says and does, to compare two answers."""
    outcome = played.outcome or Outcome({})
    return (
        dict(outcome.facts),
        {role: dict(changes) for role, changes in outcome.changes.items() if changes},
        played.explanation,
        outcome.asks,
        outcome.gives,
        outcome.ends,
        outcome.degree,
        outcome.extra_turn,
        [(roll.sides, roll.face, roll.why, roll.of) for roll in played.rolls],
    )


_PARTS = ("facts", "changes", "explanation", "asks", "gives", "ends", "degree", "extra turn", "dice")


def _difference(first: Played, second: Played) -> str:
    """Return the first part in which two answers differ, with both values."""
    if second.wrong is not None:
        return f"the error {second.wrong}"
    for name, one, other in zip(_PARTS, _seen(first), _seen(second), strict=True):
        if one != other:
            return f"{name} {_short(one)}, then {_short(other)}"
    return "dice were left over"


def _short(value: Any) -> str:
    plain = dict(value) if isinstance(value, Mapping) else value
    return shown(str(plain))
