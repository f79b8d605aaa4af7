"""Repairs for a field: a name or a word that is nearly right, a number as a text or out of range."""

import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import systems
from systems.contract.notation import DiceNotation
from systems.contract.ruleset import Ruleset
from systems.encounter.campaign_rules import (
    CampaignCondition,
    CampaignEffect,
    CampaignMeter,
    with_campaign_rules,
)
from systems.encounter.model import ActiveCondition, CombatantState, Offer, Progress
from systems.errors import Wrong
from systems.schema.conversion import plain_of, type_at
from systems.schema.fields import Entries, Record
from systems.schema.types import Choice, DiceText, FieldType, Flag, ListOf, TableOf, Text, Whole
from systems.text import find_word, shown
from tui.campaign.campaign import SeatSettings, Settings, loaded_game
from tui.campaign.formats import kind_of
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.repair.choice import RepairChoice
from tui.campaign.repair.text import with_format
from tui.campaign.toml.edit import edited, same
from tui.campaign.toml.files import text_of
from tui.campaign.toml.text import key, value

_PART = re.compile(r"\.?([^.\[\]]+)|\[([0-9]{1,6})\]")
_YES, _NO = ("yes", "on", "true", "1"), ("no", "off", "false", "0")
_WORDS = {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}
_NOTHING = object()
PathSteps = list[str | int]


def field_choices(campaign: Path, problem: FileProblem, data: bytes) -> Iterator[RepairChoice]:
    """Yield repairs for a problem in one field."""
    file = problem.file
    if problem.field == "format" and problem.code == "needed":
        yield RepairChoice("write format = 1 at its top", {file: with_format(data)})
        return
    try:
        text = text_of(data, file)
        tables = tomllib.loads(text)
    except (FileProblem, ValueError, RecursionError):
        return
    path = _path(problem.field)
    if problem.code == "unknown_field":
        if problem.suggestion and path:
            yield from _renamed(file, text, tables, path, problem.suggestion, problem.line)
        return
    place = _reached(tables, path)
    if place is None:
        return
    holder, last = place
    new = _near(problem, _type_of(campaign, file, path), holder[last])
    if new is _NOTHING or same(new, holder[last]):
        return
    wanted = deepcopy(tables)
    inner, last = _reached(wanted, path) or (wanted, last)
    old, inner[last] = inner[last], new
    try:
        changed = edited(data, wanted, file)
    except NotSaved:
        return
    yield RepairChoice(f"{problem.field}: write {_short(new)} instead of {_short(old)}", {file: changed})


def _short(given: Any) -> str:
    return shown(given) if isinstance(given, dict | list) else value(given)


def _path(field: str) -> PathSteps:
    """Return the names and indexes of a path such as `weapons[1].damage`."""
    return [name or int(at) for name, at in _PART.findall(field)]


def _reached(tables: Any, path: PathSteps) -> tuple[Any, Any] | None:
    """Return the table or list that holds the field, and the field's name or index; None if missing."""
    holder: Any = None
    inner = tables
    for part in path:
        holder = inner
        if isinstance(part, int):
            if not (isinstance(holder, list) and part < len(holder)):
                return None
        elif not (isinstance(holder, dict) and part in holder):
            return None
        inner = holder[part]
    return (holder, path[-1]) if path else None


def _renamed(
    file: str, text: str, tables: dict[str, Any], path: PathSteps, meant: str, line: int
) -> Iterator[RepairChoice]:
    """Return the file with this one field renamed in place."""
    place = _reached(tables, path)
    if place is None or not isinstance(path[-1], str) or meant in place[0]:
        return
    wanted = deepcopy(tables)
    inner, _ = _reached(wanted, path) or (wanted, "")
    inner[meant] = inner.pop(path[-1])
    lines = text.split("\n")
    pattern = re.compile(rf"(?<![\w-])[\"']?{re.escape(path[-1])}[\"']?(?=\s*(?:=|\.|\]))")
    for found in pattern.finditer(lines[line - 1]):
        changed = lines[line - 1][: found.start()] + key(meant) + lines[line - 1][found.end() :]
        new = "\n".join([*lines[: line - 1], changed, *lines[line:]])
        try:
            if same(tomllib.loads(new), wanted):
                yield RepairChoice(f"rename the field {path[-1]} to {meant}", {file: new.encode()})
                return
        except ValueError:
            continue


def _type_of(campaign: Path, file: str, path: PathSteps) -> FieldType | None:
    """Return the type of a field of a file; None if unknown."""
    game = _game(campaign)
    match kind_of(file), path:
        case "campaign", ["house", *rest] if game:
            return type_at(Record(game.house), rest)
        case "campaign", ["table", *rest]:
            return type_at(Record(Settings), rest)
        case "campaign", ["seats", *rest]:
            return type_at(Record(SeatSettings), rest)
        case "campaign", ["condition", int(), "effects", int(), *rest]:
            return type_at(Record(CampaignEffect), rest)
        case "campaign", ["condition", int(), *rest]:
            return type_at(Record(CampaignCondition), rest)
        case "campaign", ["meter", int(), *rest]:
            return type_at(Record(CampaignMeter), rest)
        case "campaign", ["system"]:
            return Choice(tuple(systems.names()))
        case "campaign", ["title" | "notes"]:
            return Text()
        case "kind", ["side" | "party"]:
            return Text()
        case "kind", _ if game:
            return type_at(Record(game.sheet), path)
        case "opening", ["combatant", int(), *rest]:
            return _type_in_combatant(game, rest)
        case "opening", ["offers", *rest]:
            return type_at(Entries(Offer), rest)
        case "opening", _:
            return type_at(Record(Progress), path)
        case "seats", ["seat", int(), *rest]:
            return type_at(ListOf(Text()), rest[1:]) if rest[:1] == ["characters"] else Text()
    return None


def _type_in_combatant(game: Ruleset | None, path: PathSteps) -> FieldType | None:
    match path:
        case ["id"]:
            return Text()
        case ["sheet", *rest] if game:
            return type_at(Record(game.sheet), rest)
        case ["conditions", *rest]:
            return type_at(Entries(ActiveCondition), rest)
    return type_at(Record(CombatantState), path)


def _game(campaign: Path) -> Ruleset | None:
    try:
        tables = tomllib.loads((campaign / "campaign.toml").read_text(encoding="utf-8-sig"))
        return with_campaign_rules(loaded_game(str(tables.get("system"))), tables)
    except (OSError, ValueError, RecursionError):
        return None


def _near(problem: FileProblem, kind: Any, given: Any) -> Any:
    """Return what a value probably means in terms of its type; _NOTHING if unknown."""
    if isinstance(given, str) and problem.suggestion:
        return problem.suggestion
    try:
        new = _meant(kind, given)
        if new is not _NOTHING and kind is not None:
            kind.check(new)
    except Wrong:
        return _NOTHING
    return new


def _meant(kind: Any, given: Any) -> Any:
    match kind, given:
        case Whole(low, high), _ if (number := _number(given)) is not None:
            return max(low, min(number, high))
        case Flag(), str() | int() if (word := str(given).strip().casefold()) in _WORDS:
            return _WORDS[word]
        case Choice(values), str():
            near = get_close_matches(given.strip().casefold(), values, n=1)
            return find_word(given, values) or (near[0] if near else _NOTHING)
        case Text(), int() | float():
            return value(given)
        case DiceNotation(), str():
            return re.sub(r"\s", "", given).lower()
        case DiceText(), str():
            word = re.sub(r"\s", "", given).lower()
            return f"1{word}" if word.startswith("d") else word
        case ((ListOf() | TableOf()), str()):
            return plain_of(kind.typed(given))
        case ListOf(item), int() | float() | bool() | dict():
            return [given if not isinstance(item, Text) else value(given)]
        case Entries(), dict():
            return [given]
        case TableOf(_, names), dict() if names:
            return {_name(key, names): inside for key, inside in given.items()}
    return _NOTHING


def _name(given: str, names: tuple[str, ...]) -> str:
    near = get_close_matches(given.casefold(), names, n=1)
    return find_word(given, names) or (near[0] if near else given)


def _number(given: Any) -> int | None:
    """Return the whole number that a value means."""
    match given:
        case bool():
            return None
        case int():
            return given
        case float() if given == given // 1:
            return int(given)
        case str() if found := re.fullmatch(r"\s*([+\-\N{MINUS SIGN}]?[0-9]{1,9})\s*", given):
            return int(found.group(1).replace("\N{MINUS SIGN}", "-"))
    return None
