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
            got = {name: answer[part].get(name, "absent") for name in expected}
            assert got == expected, f"{part} after {step['action']}"
        sheets |= {key: answer[key] for key in ("actor", "target") if key in answer}
