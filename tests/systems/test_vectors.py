"""Every written example of every game, through the code path of play."""

import json
import random
import re
import tomllib
from pathlib import Path

import pytest

from systems import built_in, load
from systems.dice.sources import RandomDice
from systems.requests import resolve

VECTORS = Path(__file__).parent.parent / "vectors"


def _cases():
    for game in built_in():
        book = tomllib.loads((VECTORS / f"{game}.toml").read_text())
        for one in book.get("vector", ()):
            yield pytest.param(game, {}, [one], id=one["id"])
        for one in book.get("scenario", ()):
            opening = {key: one[key] for key in ("actor", "target", "house") if key in one}
            yield pytest.param(game, opening, one["step"], id=one["id"])


def _compared(got, expected):
    """Return the part of an answer that an example compares: its keys, also in the entries of a list."""
    if isinstance(expected, dict):
        return {name: _compared(got.get(name, "absent"), inside) for name, inside in expected.items()}
    if isinstance(expected, list) and isinstance(got, list) and len(got) == len(expected):
        return [_compared(part, inside) for part, inside in zip(got, expected, strict=True)]
    return got


@pytest.mark.parametrize(("game", "opening", "steps"), list(_cases()))
def test_the_written_examples_come_out_as_written(game, opening, steps):
    ruleset = load(game)
    sheets = dict(opening)
    for step in steps:
        request = {key: step[key] for key in ("action", "options", "dice") if key in step}
        for key in ("actor", "target", "house"):
            if key in sheets or key in step:
                request[key] = step.get(key, sheets.get(key))
        answer = resolve(ruleset, request, RandomDice(random.Random(0)))
        # What marks the words of a sentence leaves the rules neither as it is nor as a blank.
        assert not re.search(r" [,.;:]|[\ufdd0-\ufdef]", json.dumps(answer, ensure_ascii=False))
        assert [roll["sides"] for roll in answer["rolls"]] == step["sides"]
        for part, expected in step["expect"].items():
            assert _compared(answer[part], expected) == expected, f"{part} after {step['action']}"
        sheets |= {key: answer[key] for key in ("actor", "target") if key in answer}
