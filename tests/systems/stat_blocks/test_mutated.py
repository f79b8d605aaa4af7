"""Test that damaged stat blocks are read without an error, and in time that grows with their length."""

import random
from functools import cache
from time import perf_counter

import pytest

from systems import load
from systems.errors import Wrong
from systems.sheets import read_sheet
from systems.stat_blocks.reading import sheet_of
from systems.stat_blocks.text import creatures
from tests.systems.stat_blocks.test_samples import SAMPLES

JUNK = (
    "(",
    "[",
    "1d6 ",
    "DC 13 ",
    ". ",
    "\n",
    "**",
    "|",
    "{@damage ",
    "Hit: ",
    "-",
    "AC 15 ",
    " ",
    "A. ",
    "9" * 40,
)
# Beginnings of what the patterns look for, many times over.
REPEATED = (
    *("a ", "(", "1d6+", "A. B", "DC 12 Dex ", "Hit: 5 (", "has the Prone condition ", "Str 10 ", "*x* "),
    *(
        "one with its bite ",
        "Each creature that within ",
        "{@a ",
        "  x   ",
        "AC 15\nHP 3\n",
        "and it is prone ",
    ),
    *("repeats the save at the end ", "at the start of each of its turns, each creature ", "Aa (", "-\n"),
)


@cache
def texts() -> tuple[str, ...]:
    return tuple(path.read_text("utf-8") for path in SAMPLES)


def mutated(chance: random.Random) -> str:
    text = chance.choice(texts())
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(text) or 1)
        match chance.randrange(4):
            case 0:
                text = text[:place] or "x"
            case 1:
                text = text[:place] + text[place + chance.randint(1, 200) :]
            case 2:
                text = text[:place] + chance.choice(JUNK) * chance.choice((1, 1, 40)) + text[place:]
            case _:
                text = text.replace("\n", chance.choice((" ", "\n\n", "")))
    return text[:60_000]


def test_damaged_stat_blocks_become_valid_sheets() -> None:
    games = load("srd5"), load("simple"), load("arden")
    chance = random.Random(26)
    for _ in range(40):
        text = mutated(chance)
        for block in creatures(text):
            for game in games:
                read_sheet(game, sheet_of(game, block).fields, "")


def seconds(text: str) -> float:
    began = perf_counter()
    for block in creatures(text):
        sheet_of(load("srd5"), block)
    return perf_counter() - began


def test_the_time_grows_with_the_length_of_the_text() -> None:
    """A quadratic pattern would need 64 times as long for 8 times the text."""
    slow = []
    for part in REPEATED:
        short, long = (
            f"Gnarl\nAC 15\nHP 30\nActions\nBite. {part * (size // len(part))}" for size in (1_500, 12_000)
        )
        ratios = (seconds(long) / max(0.002, min(seconds(short) for _ in range(2))) for _ in range(3))
        if all(ratio > 30 for ratio in ratios):
            slow.append(part)
    assert slow == []


def test_a_text_above_64_kb_is_refused_in_one_sentence() -> None:
    with pytest.raises(Wrong, match=r"64 kB of text"):
        creatures("x" * 2_000_000)
