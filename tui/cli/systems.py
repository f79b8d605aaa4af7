"""`affray systems [GAME]`: list the games, or every word of one; with `--json` for programs."""

from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from systems import NoSuchGame, built_in, names
from systems.contract.action import Action
from systems.contract.ruleset import Ruleset
from systems.errors import Wrong
from systems.schema.conversion import vocabulary, write
from systems.text import clean, spoken
from tui.campaign.creatures import made_index, shipped, write_index
from tui.campaign.tables import read_table, write_indexes
from tui.cli.game import game_called
from tui.cli.output import printable, put, unexpected

if TYPE_CHECKING:
    from systems.plugins.check_ruleset import LawResult
    from tui.campaign.problems import FileProblem


def run(arguments: Namespace) -> int:
    if arguments.index:
        return _write_index(arguments.game)
    if arguments.check:
        return _check(arguments.game, arguments.json)
    if arguments.game:
        words = words_of(game_called(arguments.game))
        put(printable(words)) if arguments.json else _print(_page(words))
        return 0
    games = list(_games())
    put(printable(games)) if arguments.json else _print(_listed(games))
    return 0


def _write_index(name: str | None) -> int:
    """Write the indexes of a game's creatures and tables, and print the problems of bad files."""

    if not name:
        raise Wrong("", "--index needs a game: affray systems GAME --index")
    game = game_called(name)
    problems: list[FileProblem] = []
    if game.creatures or not game.tables:
        number, problems = write_index(game)
        print(f"{number} creature{'' if number == 1 else 's'} in the index")
    counts, bad = write_indexes(game)
    for table, count in counts.items():
        print(f"{count} in the index of {spoken(table)}")
    for problem in (*problems, *bad):
        print(problem)
    return 1 if problems or bad else 0


def _check(name: str | None, is_json: bool) -> int:
    """Test a game and its creatures against the laws of all games; return 1 if it breaks one."""
    from systems.plugins.check_ruleset import LawResult, check_ruleset

    if not name:
        raise Wrong("", "--check needs a game: affray systems GAME --check")
    game = game_called(name)
    index, problems = made_index(game)
    creatures = [creature for id, creature in shipped(game).items() if id in index]
    results = [*check_ruleset(game, sheets=[write(creature.sheet) for creature in creatures])]
    if index or problems:
        bad = "; ".join(str(problem) for problem in problems)
        read_all = "Every creature that it ships can be read."
        results.append(LawResult("creatures", read_all, len(index) + len(problems), bad))
    for table in game.tables:
        entries, problems = read_table(game, table)
        bad = "; ".join(str(problem) for problem in problems)
        read_all = f"Every entry of the table {table.name} can be read."
        results.append(LawResult(table.name, read_all, len(entries) + len(problems), bad))
    if is_json:
        put(printable([_law(result) for result in results]))
    else:
        _print(line for result in results for line in str(result).split("\n"))
    return 1 if any(result.mistake for result in results) else 0


def _law(result: "LawResult") -> dict[str, Any]:
    return {
        "law": result.law,
        "ok": not result.mistake,
        "help": result.help,
        "tried": result.tried,
        "mistake": result.mistake,
        "example": result.example,
    }


def _print(lines: Iterable[str]) -> None:
    """Print lines with their indent, and without control characters that a game may contain."""
    print(
        "\n".join(
            "".join(character if character.isprintable() else " " for character in line) for line in lines
        )
    )


def _listed(games: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    listed = [(clean(game["name"]), game) for game in games]
    wide = max((len(name) for name, _ in listed), default=0)
    for name, game in listed:
        about = game.get("problem") or f"{game['title']}, by {game['credit']}"
        yield f"{name:<{min(max(14, wide), 30)}} {clean(about, 400)}"


def _games() -> Iterable[dict[str, Any]]:
    """Yield every game by name with its words; a broken one with the reason."""
    own = built_in()
    for name in names():
        about: dict[str, Any] = {"name": name, "built_in": name in own}
        try:
            about |= words_of(game_called(name))
        except NoSuchGame as error:
            about["problem"] = str(error)
        except Exception as error:  # noqa: BLE001 - one broken game must not hide the others
            about["problem"] = f"the game {clean(name)} is broken: {unexpected(error)}"
        yield about


def words_of(game: Ruleset) -> dict[str, Any]:
    """Return the whole vocabulary of a game, by name."""
    sheet = vocabulary(game.sheet)
    return {
        "name": game.name,
        "title": game.title,
        "credit": game.credit,
        "fields": {name: about for name, about in sheet.items() if name not in ("name", "notes")},
        "actions": {action.name: _action(action) for action in game.actions},
        "options": _options(game.actions),
        "house": vocabulary(game.house),
        "conditions": {
            condition.name: {"help": condition.help, "tone": condition.tone, "field": condition.field}
            for condition in game.conditions
        },
        "reactions": {
            reaction.name: {"help": reaction.help, "after": reaction.after, "whose": reaction.whose}
            for reaction in game.reactions
        },
        "status": {
            status.name: {"acts": status.acts, "in_order": status.in_order} for status in game.statuses
        },
        "default_action": game.default_action,
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "help": action.help,
        "title": action.title,
        **({"letter": action.letter} if action.letter else {}),
        "kind": action.group,
        "targets": action.targets,
        "options": vocabulary(action.options),
        "facts": dict(action.facts),
        "refusals": {refusal.reason: refusal.help for refusal in action.refusals},
        "rules": list(action.rules),
    }


def _options(actions: Iterable[Action]) -> dict[str, Any]:
    """Return every option by name with the actions that take it, described as in the first of them."""
    found: dict[str, Any] = {}
    for action in actions:
        for name, about in vocabulary(action.options).items():
            found.setdefault(name, {**about, "actions": []})["actions"].append(action.name)
    return found


_TARGETS = {"none": "", "optional": " [TARGET]", "one": " TARGET", "many": " TARGETS"}


def _page(words: Mapping[str, Any]) -> Iterable[str]:
    yield f"{words['title']} ({words['name']}), by {words['credit']}"
    yield from ("", "SHEET", *_fields(words["fields"], "  "))
    yield from ("", "ACTIONS")
    for name, action in words["actions"].items():
        target = _TARGETS[action["targets"]]
        yield f"  {name}{target}: {action['help']}"
        yield from _fields(action["options"], "      ")
        if action["facts"]:
            yield f"      facts: {', '.join(action['facts'])}"
        for reason, about in action["refusals"].items():
            yield f"      refused ({reason}): {about}"
    yield from ("", "HOUSE RULES", *_fields(words["house"], "  "))
    yield from ("", "CONDITIONS")
    yield from (f"  {name}: {about['help']}" for name, about in words["conditions"].items())
    yield "  any other name is a free condition"
    if words["reactions"]:
        yield from ("", "REACTIONS")
        for name, about in words["reactions"].items():
            yield f"  {name}, of {about['whose']} after {about['after']}: {about['help']}"
    yield from ("", f"STATUS  {', '.join(words['status'])}")


def _fields(fields: Mapping[str, Any], indent: str) -> Iterable[str]:
    for name, about in fields.items():
        default = "" if about["needed"] else f" [{about['default']}]"
        help_ = f" - {about['help']}" if about["help"] else ""
        yield f"{indent}{name}: {about['type']}{default}{help_}"
        yield from _fields(about.get("fields", {}), f"{indent}    ")
