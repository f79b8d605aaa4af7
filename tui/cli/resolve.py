"""`affray resolve GAME`: the rules alone, one JSON request a line in, one answer a line out."""

import json
from argparse import Namespace
from collections.abc import Callable
from random import Random
from typing import Any

from systems import load
from systems.dice.sources import RandomDice
from systems.errors import Wrong
from systems.requests import resolve
from systems.text import clean
from tui.cli.output import as_json, lines, put_line, too_long, unexpected
from tui.terminal.notice import LONGEST_ERROR


def run(arguments: Namespace) -> int:
    game, dice = load(arguments.game), RandomDice(Random())
    answer_lines(lambda request: resolve(game, request, dice))
    return 0


def answer_lines(answer: Callable[[Any], dict[str, Any]]) -> None:
    """Answer each line of standard input; a wrong one with its error, and on to the next."""
    for line in lines():
        put_line(_answered(answer, line))


def _answered(answer: Callable[[Any], dict[str, Any]], line: bytes) -> str:
    try:
        return as_json(answer(request_of(line)))
    except Wrong as wrong:
        return as_json({"error": clean(wrong.message, LONGEST_ERROR), "field": wrong.field})
    except RecursionError:
        return as_json({"error": "the line is nested too deeply", "field": ""})
    except Exception as error:  # noqa: BLE001 - one bad line must not cost the answers to all the others
        return as_json({"error": unexpected(error), "field": ""})


def request_of(line: bytes) -> Any:
    """The request that a line holds. Raises Wrong for what is no JSON."""
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
                raise Wrong(name, "is there twice")
            seen.add(name)
    return found


def _no_number(word: str) -> Any:
    raise Wrong("", f"the line is not JSON: {word} is no number")
