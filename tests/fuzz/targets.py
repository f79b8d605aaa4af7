"""The readers to fuzz: a strategy of inputs for each, and the property that must hold for every input."""

import os
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

import systems
from systems.commands.table import COMMANDS, parse
from systems.dice.expression import DiceError
from systems.dice.notation import describe, odds, roll
from systems.dice.sources import RandomDice
from systems.encounter.serialize import plain
from systems.errors import Misread
from systems.frozen import evolve, frozen
from tests.command import affray
from tests.fuzz import files, keys
from tui.campaign.repair.check import check
from tui.campaign.repair.repair import repair
from tui.cli.run import answer
from tui.session.opening import open_fight
from tui.session.session import Session, chance

LINE = 1000


@frozen
class Target:
    """One reader: its name, its inputs, and the property that must hold for each of them."""

    name: str
    inputs: st.SearchStrategy[Any]
    holds: Callable[[Any], None]


# Dice

_DICE = (
    "1 2 3 6 10 20 99 100 999 1000000 d D d6 d20 d% d100 dF 4d6 2d6 10d10 1000d1000 ( ) + - * / x , ; : "
    "kh kl k dh dl ! !! !p r ro rr < > <= >= = cs cf t f adv dis best worst min max e ^ v # @ { } [ ] . 0.5 "
    "−1 % 🐉"
).split()
dice_texts = st.text(max_size=40) | st.lists(st.sampled_from([*_DICE, " "]), max_size=14).map("".join)


def dice_hold(text: str) -> None:
    for reads in (lambda: describe(roll(text, RandomDice(Random(1)))), lambda: str(odds(text))[:99]):
        try:
            said = reads()
        except DiceError as error:
            said = str(error)
            assert 0 < len(said) < LINE, said
            assert said.isprintable(), said
    assert len(text) < LINE or said


# Commands


_SOME = (
    "by for until start end of rounds before after x4 as hidden secret group all players foes 1 2 3 1,3-5 1- "
    "-1 , = dice=13,17 dice= dice=1 2d6 d20 99999 -5 0 value side=x armour=yes cover=half abilities.melee "
    "life max_life weapons[0] conditions name tag Ω 😀 __class__ sheet . .."
)


def _words() -> list[str]:
    found = [*COMMANDS, *_SOME.split(), "in round", '"', '""', "\x1b[31m", "\u202e", "a" * 200]
    for name in systems.names():
        game = systems.load(name)
        found += [one.name for one in (*game.actions, *game.conditions)]
    for at in range(len(files.campaigns())):
        found += [one.stem for one in (files.campaigns()[at] / "roster").glob("*.toml")]
    return [*dict.fromkeys([*found, "guard-1", "guard-2", "skeleton-1", "bandit-1"])]


command_lines = st.text(max_size=60) | st.lists(
    st.sampled_from(_words()) | st.text(max_size=5), min_size=1, max_size=8
).map(" ".join)


def commands_hold(line: str) -> None:
    for name in systems.names():
        try:
            parse(line, systems.load(name))
        except Misread as error:
            said = str(error)
            assert 0 < len(said) < LINE, said
            assert said.isprintable(), said
            assert 0 <= error.start <= error.end <= len(line)  # noqa: PT017


class MemoryLog:
    """Keeps events in memory only."""

    def append(self, *events: Any) -> None:
        pass


@cache
def _fights() -> list[Session]:
    return [open_fight(files.copy_of(at), write=False).session for at in range(len(files.campaigns()))]


played = st.tuples(st.integers(0, 99), st.lists(command_lines, min_size=1, max_size=6))


def play_holds(given: tuple[int, list[str]]) -> None:
    which, lines = given
    fights = _fights()
    session = evolve(fights[which % len(fights)], writer=MemoryLog(), streams=chance(which))
    fight = type("Fight", (), {"session": session})()
    before, standing = plain(session.encounter), len(session.log.standing)
    for line in lines:
        said, _ = answer(fight, line.encode(errors="replace"))
        assert "unexpected" not in said.get("error", ""), (line, said)
        words = said["text"] if said["ok"] else said["error"]
        assert words, (line, said)
        assert words.isprintable(), (line, said)
    if (more := len(session.log.standing) - standing) > 0:
        session.do(f"undo {more}")
    if more >= 0:
        assert plain(session.encounter) == before, lines


# Files


def _whole(folder: Path) -> dict[str, bytes]:
    found = {}
    for top, _, names in os.walk(folder):
        found |= {str(Path(top, one)): Path(top, one).read_bytes() for one in names}
    return found


def _put_back(folder: Path, was: dict[str, bytes]) -> None:
    for path in _whole(folder):
        if path not in was:
            Path(path).unlink()
    for path, data in was.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(data)
    for one in folder.glob("encounters/*"):
        if one.is_dir() and not any(one.iterdir()):
            shutil.rmtree(one)


def files_hold(given: tuple[int, str, bytes]) -> None:
    at, name, data = given
    folder = files.copy_of(at)
    was = _whole(folder)
    try:
        (folder / name).write_bytes(data)
        _files_hold(folder, name, data)
    finally:
        _put_back(folder, was)


def _files_hold(folder: Path, name: str, data: bytes) -> None:
    bad = _whole(folder)
    problems = check(folder)
    for problem in problems:
        assert 0 < len(str(problem)) < LINE, problem
        assert str(problem).isprintable(), problem
    _said_well(affray("show", folder, "--json"), "show --json")
    if len(data) % 8 == 0:
        for words in (("check", folder), ("show", folder), ("list", "--campaigns", folder.parent)):
            _said_well(affray(*words), words)
    assert _whole(folder) == bad, "looking on changed a file"
    ran = affray("run", folder, "--seed", "1", given=b"undo\nnext\n")
    _said_well(ran, ("run",))
    if not name.endswith("log.toml"):
        assert (folder / name).read_bytes() == data, "the original was overwritten"
    else:
        _log_kept(folder / name, data)


def repairs_hold(given: tuple[int, str, bytes]) -> None:
    at, name, data = given
    folder = files.copy_of(at)
    was = _whole(folder)
    try:
        (folder / name).write_bytes(data)
        bad = _whole(folder)
        repaired = repair(folder, lambda one: one.choices[0])
        assert all(str(one).isprintable() and len(str(one)) < LINE for one in repaired.left)
        now = _whole(folder)
        for path, kept in bad.items():
            assert kept in now.values(), f"{path} is lost"
        assert bool(repaired.done) == (now != bad)
        assert len(check(folder)) == len(repaired.left)
    finally:
        _put_back(folder, was)


def _log_kept(path: Path, data: bytes) -> None:
    """Check that the contents of the log are still there: unchanged, or with the torn end in another file."""
    now = path.read_bytes()
    if not now.startswith(data):
        torn = [one.read_bytes() for one in path.parent.glob("torn-*.txt")]
        assert any(now.startswith(data[: len(data) - len(one)]) and data.endswith(one) for one in torn), (
            "lost"
        )


def _said_well(ran: Any, words: Any) -> None:
    assert ran.status in (0, 1), (words, ran)
    assert "unexpected" not in ran.err, (words, ran)
    assert ran.status == 0 or ran.err or ran.out, (words, ran)
    assert all(len(line) < LINE for line in ran.err.splitlines()), (words, ran)


def logs_hold(events: list[dict[str, Any]]) -> None:
    at = next(at for at, one in enumerate(files.campaigns()) if one.name == "okado-at-the-gate")
    files_hold((at, "encounters/bridge/log.toml", files.log_of(events)))


TARGETS = (
    Target("dice", dice_texts, dice_hold),
    Target("commands", command_lines, commands_hold),
    Target("play", played, play_holds),
    Target("files", files.files(), files_hold),
    Target("repairs", files.files(), repairs_hold),
    Target("logs", files.wild_events, logs_hold),
    Target("keys", keys.presses, keys.presses_hold),
)
