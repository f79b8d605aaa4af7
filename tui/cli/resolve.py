"""`affray resolve GAME`: answer requests to the rules, one line of JSON in, one line of JSON out."""

import json
from argparse import Namespace
from collections.abc import Callable
from random import Random
from typing import Any

from systems.dice.sources import RandomDice
from systems.errors import Wrong
from systems.requests import resolve
from systems.text import clean
from tui.cli.game import game_called
from tui.cli.output import as_json, lines, put_line, too_long, unexpected
from tui.terminal.notice import LONGEST_ERROR


def run(arguments: Namespace) -> int:
    game, dice = game_called(arguments.game), RandomDice(Random())
    return answer_lines(lambda request: resolve(game, request, dice))


def answer_lines(answer: Callable[[Any], dict[str, Any]]) -> int:
    """Answer each line of standard input, a wrong one with its error; return the exit status."""
    status = 0
    for line in lines():
        try:
            found = as_json(answer(request_of(line)))
        except Exception as error:  # noqa: BLE001 - one bad line must not cost the answers to all the others
            found, status = as_json(_wrong(error)), 1
        put_line(found)
    return status


def _wrong(error: Exception) -> dict[str, str]:
    """Return the answer to a wrong line."""
    match error:
        case Wrong():
            return {"error": clean(error.message, LONGEST_ERROR), "field": error.field}
        case RecursionError():
            return {"error": "the line is nested too deeply", "field": ""}
    return {"error": unexpected(error), "field": ""}


def request_of(line: bytes) -> Any:
    """Return the request in a line. Raises Wrong if it is not JSON."""
    if too_long(line):
        raise Wrong("", "the line is too long")
    try:
        return json.loads(line.decode(), parse_constant=_no_number, object_pairs_hook=_each_once)
    except UnicodeDecodeError:
        raise Wrong("", "the line is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Wrong("", f"the line is not JSON: {error}") from None
    except Wrong:
        raise
    except ValueError:  # Python reads no number of more than 4,300 digits
        raise Wrong("", "a number in the line has too many digits") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Wrong(name, "is used twice")
            seen.add(name)
    return found


def _no_number(word: str) -> Any:
    raise Wrong("", f"the line is not JSON: {word} is not a number")
