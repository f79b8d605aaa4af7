"""Test whole evenings through the command: random walks, undone to the opening and redone, across restarts.

The commands are drawn from the output of `affray systems GAME --json`, as an outsider would write them.
"""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.command import PREPARED, affray, commands, present, sample, start, talking
from tests.laws import THOROUGH


def words_of(system: str) -> Any:
    [words] = affray("systems", system, "--json").answers
    return words


def value(about: Any, chance: Random) -> str:
    """Return a value for an option or a field, valid or slightly out of range."""
    kind = about["type"]
    if "choices" in about:
        return str(chance.choice(about["choices"]))
    if found := re.search(r"whole number from (-?\d+) to (-?\d+)", kind):
        low, high = int(found[1]), int(found[2])
        near = chance.randint(max(low, -2), max(low, min(high, 6)))
        return str(chance.choice([low, high, chance.randint(low, high), low - 1, near, near, near]))
    if "true or false" in kind:
        return chance.choice(["yes", "no"])
    return "2d6" if kind.startswith("dice") else chance.choice(["sword", "melee", "knife", '"a b"'])


class Walk:
    """Random commands for one fight; the walk knows only the output of `show`."""

    def __init__(self, folder: Path, name: str, seed: int) -> None:
        self.folder, self.name, self.chance = folder, name, Random(seed)
        self.path = sample(folder, name)
        self.kinds = [one.stem for one in (self.path / "roster").glob("*.toml")]
        self.words = words_of(present(folder, name)["system"])

    def lines(self, number: int) -> list[str]:
        """Return random commands about the combatants in the fight."""
        ids = [one["id"] for one in self.now()["combatants"]] or ["nobody"]
        return [self.line(ids) for _ in range(number)]

    def line(self, ids: list[str]) -> str:
        chance, words = self.chance, self.words
        one, other = chance.choice(ids), chance.choice(ids)
        some = chance.choice([one, one, f"{one},{other}", "all", "players", "foes", "1-3", "2"])
        condition = chance.choice([*words["conditions"], "marked", '"on fire"'])
        if chance.random() < 0.3:
            return self.action(some, one)
        return chance.choice(
            [
                "start",
                "next",
                "next",
                "next",
                f"next by {one}",
                "back",
                "end",
                f"damage {some} {chance.choice(['3', '2d6', '99'])}",
                f"heal {some} 1d4",
                f"delay {one}",
                f"return {one}",
                f"order {one} {chance.choice(['before', 'after'])} {other}",
                f"order {one} {chance.randint(-3, 30)}",
                f"condition {some} {condition}",
                f"condition {some} {condition} 2 for {chance.randint(1, 3)} rounds",
                f"condition {some} {condition} until {chance.choice(['start', 'end'])} of {one}",
                f"clear {some} {condition}",
                f"add {chance.choice(self.kinds)} x{chance.randint(1, 3)}",
                f'add {chance.choice(self.kinds)} as "Zoë [b] 🐉" hidden side=others',
                f"add {chance.choice(self.kinds)} in round {chance.randint(1, 5)}",
                f"remove {some}",
                f"hide {some}",
                f"reveal {some}",
                self.setting(one),
                'note "so" = far é🐉',
                f"roll 2d6+1 for {one} secret",
                f"undo {chance.choice(['', '', '3', '99'])}",
                f"redo {chance.choice(['', '2'])}",
            ]
        )

    def setting(self, one: str) -> str:
        field = self.chance.choice(list(self.words["fields"]))
        return f"set {one} {field} {value(self.words['fields'][field], self.chance)}"

    def action(self, some: str, one: str) -> str:
        name = self.chance.choice(list(self.words["actions"]))
        about = self.words["actions"][name]
        target = "" if about["targets"] == "none" else f" {some}"
        options = "".join(
            f" {option}={value(field, self.chance)}"
            for option, field in about["options"].items()
            if field["needed"] or self.chance.random() < 0.2
        )
        return f"{name}{target}{options}{self.chance.choice(['', f' by {one}'])}"

    def answer(self, *lines: str) -> list[Any]:
        return commands(self.folder, self.name, *lines)

    def now(self) -> dict[str, Any]:
        return present(self.folder, self.name)


def checked(line: str, answer: Any, n: int) -> int:
    """Check the parts that every answer has; return the number of events after it."""
    text = json.dumps(answer)
    assert "unexpected" not in text, (line, answer)
    if answer["ok"] is False:
        assert list(answer) == ["ok", "error"], (line, answer)
        assert 0 < len(answer["error"]) < 1000
        return n
    assert answer["n"] == n + 1, (line, answer)
    assert answer["text"]
    assert answer["text"].isprintable()
    return n + 1


@pytest.mark.parametrize("seed", range(20 if THOROUGH else 1))
@pytest.mark.parametrize("name", PREPARED)
def test_an_evening_is_undone_to_the_opening_and_redone_to_the_end(tmp_path, name, seed):
    walk = Walk(tmp_path, name, seed)
    opening, n = walk.now(), 0
    for _ in range(10 if THOROUGH else 4):
        # Each batch of commands runs in a new program, which knows only what is on the disk.
        before, lines = walk.now(), walk.lines(4)
        answers = walk.answer(*lines)
        for line, answer in zip(lines, answers, strict=True):
            n = checked(line, answer, n)
        if not any(one["ok"] for one in answers):
            assert walk.now() == before
        after = walk.now()
        assert after["turn"] is None or after["turn"] in [one["id"] for one in after["combatants"]]
    while walk.answer("redo")[0]["ok"]:
        n += 1
    end, states = walk.now(), [walk.now()]
    while walk.answer("undo")[0]["ok"]:
        states.append(walk.now())
    assert walk.now() == opening
    assert "opening" in walk.answer("undo")[0]["error"]
    for state in reversed(states[:-1]):
        assert walk.answer("redo")[0]["ok"]
        assert walk.now() == state
    assert walk.now() == end
    assert walk.answer("redo")[0]["ok"] is False


@pytest.mark.parametrize("name", PREPARED if THOROUGH else ["okado-at-the-gate"])
def test_an_evening_survives_a_chain_of_killed_programs(tmp_path, name):
    walk = Walk(tmp_path, name, 99)
    opening, n, states = walk.now(), 0, []
    for _ in range(2):
        with talking("run", name, "--campaigns", tmp_path, "--seed", "1") as talk:
            for line in ["start", *walk.lines(8), "note so far"]:
                n = checked(line, talk.say(line.encode()), n)
            states.append(present(tmp_path, name))
            talk.process.kill()
        assert json.loads(start("show", name, "--campaigns", tmp_path, "--json").out)["events"] == n
        assert walk.now() == states[-1]
    stands = 0
    while walk.answer("undo")[0]["ok"]:
        stands += 1
    assert walk.now() == opening
    answers = walk.answer(*["redo"] * stands)
    assert all(one["ok"] for one in answers)
    assert walk.now() == states[-1]


@pytest.mark.parametrize("name", PREPARED)
def test_one_command_is_one_step_for_any_number_of_targets(tmp_path, name):
    sample(tmp_path, name)
    before = present(tmp_path, name)
    for line, named in (
        ("start", "the start"),
        ("damage all 3", "3 damage to"),
        ("condition all marked for 2 rounds", "marked on"),
        ("next", "the end of"),
        ("next", "the end of"),
        ("end", "the end of the fight"),
    ):
        done, undone = commands(tmp_path, name, line, "undo")
        assert done["ok"], done
        assert undone["text"].startswith(f"Undone: {named}")
        assert present(tmp_path, name) == before
        assert commands(tmp_path, name, "redo")[0]["ok"]
        after = present(tmp_path, name)
        assert after != before
        before = after
