"""Measure how fast dice expressions are read and rolled."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import median

from systems.dice.notation import roll
from systems.dice.sources import RandomDice
from tests.bench.world import Row, World, timed

TIMES, MANY = 7, 20_000


def rolling(world: World) -> Iterator[Row]:
    yield Row("dice, 1d20+5 read and rolled", "100,000/s", rate(["1d20+5"]))
    yield Row("dice, 2d6+3 read and rolled", "100,000/s", rate(["2d6+3"]))
    yield Row("dice, 4d6kh3+2 read and rolled", "100,000/s", rate(["4d6kh3+2"]))
    many = [
        f"{count}d{sides}+{plus}" for count in range(1, 3) for sides in range(2, 102) for plus in range(100)
    ]
    yield Row("dice, 20,000 different expressions", "100,000/s", rate(many))


def rate(texts: Sequence[str]) -> str:
    dice = RandomDice(Random(1))
    texts = list(texts) * (MANY // len(texts))

    def every() -> None:
        for text in texts:
            roll(text, dice)

    return f"{1000 * len(texts) / median(timed(every) for _ in range(TIMES)):,.0f}/s"
