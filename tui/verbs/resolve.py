"""`affray resolve GAME`: the rules alone, one JSON request a line in, one answer a line out."""

import json
from argparse import Namespace
from collections.abc import Callable
from random import Random
from typing import Any

from systems import load
from systems.dice import RandomDice
from systems.kinds import Wrong
from systems.request import resolve
from tui.output import LONGEST_LINE, lines, put


def run(arguments: Namespace) -> int:
    game, dice = load(arguments.game), RandomDice(Random())
    answer_lines(lambda request: resolve(game, request, dice))
    return 0


def answer_lines(answer: Callable[[Any], dict[str, Any]]) -> None:
    """Answer each line of standard input; a wrong one with its error, and on to the next."""
    for line in lines():
        try:
            put(answer(request_of(line)))
        except Wrong as wrong:
            put({"error": wrong.message, "field": wrong.field})


def request_of(line: bytes) -> Any:
    """The request that a line holds. Raises Wrong for what is no JSON."""
    if len(line) > LONGEST_LINE:
        raise Wrong("", "the line is too long")
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise Wrong("", "the line is not UTF-8") from None
    except RecursionError:
        raise Wrong("", "the line is nested too deeply") from None
    except ValueError as error:
        raise Wrong("", f"the line is not JSON: {error}") from None


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")
