"""The same words mean the same in a question, on the command line and in linear mode."""

from pathlib import Path

import pytest

from systems.encounter.serialize import plain
from tests.command import affray, commands, present, sample
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import Play, at_the_gate, playing
from tui.session.session import Session

LINES = [
    ("d", "damage", "guard 1 5"),
    ("d", "damage", "3, guard 2 5"),
    ("d", "damage", "3 7 by okado"),
    ("d", "damage", "rai 7"),
    ("h", "heal", "Guard 1 2 by tamsin"),
    ("c", "condition", "guard 1 prone"),
    ("c", "condition", "guard 1 prone 2"),
    ("c", "condition", "3 prone 2 r"),
    ("c", "condition", "3 prone for 2 rounds"),
    ("c", "condition", "3 stunned 2 5"),
    ("c", "condition", "3 stunned =2"),
    ("c", "condition", "3 prone until end of guard 2"),
    ("c", "condition", "guard 2 -prone"),
    ("c", "condition", "4 prone by raider captain"),
    ("+", "add", "4 guards hidden"),
    ("+", "add", "wolf x2"),
    ("+", "add", "2x wolves as Fenrir"),
    ("-", "remove", "guard 1"),
    ("-", "remove", "3, 4"),
    ("r", "roll", "2d6+3 for guard 1"),
    ("r", "roll", "2d6 + 3 secret"),
    ("B", "group", "3, guard 2"),
    ("t", "check", "melee 13"),
    ("a", "attack", "guard 1 katana half"),
]


def gate() -> Session:
    return at_the_gate("condition 4 prone")


@pytest.mark.parametrize(("key", "verb", "words"), LINES)
async def test_a_question_takes_the_words_of_the_command_line(key: str, verb: str, words: str) -> None:
    typed = gate()
    typed.do(f"{verb} {words}")
    async with playing(gate()) as play:
        await play.press(f"{key}{words}<Enter>")
        assert play.app.services.prompts.current is None, play.text
        assert play.last.text == typed.log.events[-1].text
        assert plain(play.session.encounter) == plain(typed.encounter)


async def test_the_key_of_near_takes_the_targets_and_the_same_ones_again_part_them() -> None:
    typed = gate()
    async with playing(gate()) as play:
        for keys, line in (
            ("b3, guard 2<Enter>", "near {} 3,4"),
            ("b3<Enter>", "apart {} 3"),
            ("b<Enter>", "apart {}"),
        ):
            mine = play.app.services.under_cursor
            assert mine is not None
            typed.do(line.format(mine.id))
            await play.press(keys)
            assert play.last.text == typed.log.events[-1].text
            assert plain(play.session.encounter) == plain(typed.encounter)


CALLED = [
    "10 41 11 39 yso 37",
    "10 41, 11 39, yso 37",
    "mira 41 , Tobin 39,12 37",
    "goblin 3 5 10 41 11 39 12 37",
]
CALLED += ["10 =41 11 =39 yso =37", "mira=41, tobin=39, ysolde=37", "10=41 11=39 12=37"]


@pytest.mark.parametrize("words", CALLED)
async def test_initiative_is_called_by_tags_names_and_beginnings(tmp_path: Path, words: str) -> None:
    here = opened(tmp_path, "the-crossing", "the-goblin-ford")
    assert here.table.session is not None
    here.table.session.dice = "players"
    async with running(here) as pilot:
        play = Play(here, pilot)
        await play.press(f"n{words}<Enter>")
        called = [play.one(who).state.initiative for who in ("mira", "tobin", "ysolde")]
        assert called == [41, 39, 37]
        assert "goblin 3" not in words or play.one("goblin-3").state.initiative == 5


async def test_a_whole_name_without_an_amount_is_asked_how_much() -> None:
    async with playing(gate()) as play:
        await play.press("dguard 1")
        assert "Guard 1: how much?" in play.text


async def test_a_missing_or_invalid_total_is_reported(tmp_path: Path) -> None:
    here = opened(tmp_path, "the-crossing", "the-goblin-ford")
    assert here.table.session is not None
    here.table.session.dice = "players"
    async with running(here) as pilot:
        play = Play(here, pilot)
        await play.press("n1 14, gobl")
        assert "the total of gobl?" in play.text
        await play.press("in many<Enter>")
        assert 'expected a whole number, got "many"' in play.text
        assert not play.session.encounter.progress.round


def test_the_keys_of_linear_mode_take_short_lines(tmp_path: Path) -> None:
    gate_of_sample = "okado-at-the-gate"
    sample(tmp_path / "linear", gate_of_sample)
    lines = [
        "n",
        "d 17",
        "d guard 1 5",
        "h 1 2",
        "c 1-prone",
        "c 2prone 2",
        "c guard 1 stunned =2",
        "+ 4 guards",
    ]
    affray("--linear", gate_of_sample, "--campaigns", tmp_path / "linear", given="\n".join((*lines, "")))
    sample(tmp_path / "run", gate_of_sample)
    whole = [
        "start",
        "damage 1 7",
        "damage 1 5",
        "heal 1 2",
        "clear 1 prone",
        "condition 2 prone for 2 rounds",
    ]
    whole += ["condition 1 stunned 2", "add guard x4"]
    commands(tmp_path / "run", gate_of_sample, *whole)
    assert present(tmp_path / "linear", gate_of_sample) == present(tmp_path / "run", gate_of_sample)
