"""Reads dice notation: text in, a frozen `Line` out, or a `DiceError` that points at the character.

    line      = formula ("," or ";" formula)*
    formula   = ["adv" or "dis"] sum ["adv" or "dis"]
    sum       = product (("+" or "-") product)*
    product   = factor (("*" or "//") factor)*
    factor    = ("+" or "-")* (number or pool or "(" sum ")") label*
    pool      = [number] "d" (number or "%" or "F") modifier*
    label     = "[" text "]"

What modifiers a pool can have is told in `systems.notation_modifiers`.
"""

import re
from functools import lru_cache

from attrs import evolve

from systems.notation_line import (
    MOST_DICE,
    MOST_SIDES,
    DiceError,
    Formula,
    Line,
    Operator,
    Pool,
    Step,
)
from systems.notation_modifiers import MODIFIER, Modifiers

MOST_TEXT = 1_000
MOST_NUMBER = 1_000_000_000
MOST_DEPTH = 50
MOST_LABEL = 100

_POOL = re.compile(r"([0-9]*)\s*d\s*([0-9]+|%|f)", re.ASCII)
_NUMBER = re.compile(r"[0-9]+")
_SIGNS = re.compile(r"[\s+-]*", re.ASCII)
_PLUS = re.compile(r"\s*([+-])", re.ASCII)
_TIMES = re.compile(r"\s*(\*|//?)", re.ASCII)
_NEXT = re.compile(r"\s*([,;]?)", re.ASCII)
_LABEL = re.compile(r"\s*\[([^\]]*)(\]?)", re.ASCII)
_LUCK = re.compile(r"\s*(adv(?:antage)?|dis(?:advantage)?)(?![a-z])", re.ASCII)
# One letter for one letter, so that a position in the folded text is the position in the text.
_FOLD = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ×−–－\u00a0\u2002\u2003\u2007\u2009\u202f\u3000",
    "abcdefghijklmnopqrstuvwxyz*---       ",
)


def parse(text: str) -> Line:
    """The line that a text asks for. Raises DiceError."""
    if len(text) > MOST_TEXT:
        raise DiceError(f"more than {MOST_TEXT:,} characters", MOST_TEXT, text[: MOST_TEXT + 100])
    return _parsed(text)


@lru_cache(maxsize=512)
def _parsed(text: str) -> Line:
    return _Reader(text).line()


class _Reader:
    """A text, how far it has been read, and the formula that is being put together."""

    __slots__ = ("at", "depth", "dice", "pools", "scan", "steps", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.scan = text.lower() if text.isascii() else text.translate(_FOLD)
        self.at = 0
        self.depth = 0
        self.dice = 0
        self.steps: list[Step] = []
        self.words: list[str | int] = []
        self.pools: list[Pool] = []

    def wrong(self, message: str, position: int) -> DiceError:
        return DiceError(message, position, self.text)

    def line(self) -> Line:
        formulas: list[Formula] = []
        more = True
        while more:
            formulas.append(self.formula())
            match = _NEXT.match(self.scan, self.at)
            self.at = match.end() if match else self.at
            more = bool(match and match[1])
        if self.at < len(self.scan):
            raise self.stray()
        return Line(self.text, tuple(formulas), self.dice)

    def stray(self) -> DiceError:
        """The error for what stands where only an operator or the end can."""
        letter = self.scan[self.at]
        if letter == "d":
            return self.wrong("expected the number of sides after d", self.at + 1)
        if letter == ")":
            return self.wrong("this ) has no (", self.at)
        shown = f'"{letter}"' if letter.isprintable() else "this character"
        return self.wrong(f"{shown} does not belong here", self.at)

    def formula(self) -> Formula:
        self.steps, self.words, self.pools = [], [], []
        before = self.luck()
        self.sum()
        after = self.luck()
        if after or before:
            self.lucky(after or before, self.at, twice=bool(after and before))
        return Formula(tuple(self.steps), tuple(self.words), tuple(self.pools))

    def luck(self) -> str:
        """`adv` or `dis`, when one of them stands here."""
        match = _LUCK.match(self.scan, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[1][:3]

    def lucky(self, luck: str, position: int, twice: bool) -> None:
        """Rolls the only single die of the formula twice."""
        single = [pool for pool in self.pools if pool.count == 1]
        if twice or len(single) != 1:
            raise self.wrong(f"{luck} belongs to a single die, as in d20 {luck} + 5", position - 1)
        old = single[0]
        keeps = (("kh" if luck == "adv" else "kl", 1), *old.keeps)
        self.swap(old, evolve(old, count=2, keeps=keeps, name=f"{old.name} {luck}"))
        self.count(1, position - 1)

    def swap(self, old: Pool, new: Pool) -> None:
        self.steps = [new if step is old else step for step in self.steps]
        self.pools = [new if pool is old else pool for pool in self.pools]

    def count(self, dice: int, position: int) -> None:
        self.dice += dice
        if self.dice > MOST_DICE:
            raise self.wrong(f"too many dice, {MOST_DICE:,} is the most", position)

    def sum(self) -> None:
        self.product()
        while match := _PLUS.match(self.scan, self.at):
            self.at = match.end()
            self.words.append(f" {match[1]} ")
            self.product()
            self.steps.append(Operator(match[1], match.start(1)))

    def product(self) -> None:
        self.factor()
        while match := _TIMES.match(self.scan, self.at):
            if match[1] == "/":
                raise self.wrong("to divide, write //, which rounds down", match.start(1))
            self.at = match.end()
            self.words.append(f" {match[1]} ")
            self.factor()
            self.steps.append(Operator(match[1], match.start(1)))

    def factor(self) -> None:
        signs = _SIGNS.match(self.scan, self.at)
        position = self.at
        negative = False
        if signs:
            self.at = signs.end()
            negative = signs[0].count("-") % 2 == 1
        if negative:
            self.steps.append(0)
            self.words.append("-")
        pools = len(self.pools)
        self.primary()
        while match := _LABEL.match(self.scan, self.at):
            self.label(match, self.pools[pools:])
        if negative:
            self.steps.append(Operator("-", position))

    def primary(self) -> None:
        if match := _POOL.match(self.scan, self.at):
            pool = self.pool(match)
            self.words.append(len(self.pools))
            self.pools.append(pool)
            self.steps.append(pool)
        elif match := _NUMBER.match(self.scan, self.at):
            number = int(match[0])
            if number > MOST_NUMBER:
                raise self.wrong(f"this number is too large, {MOST_NUMBER:,} is the most", self.at)
            self.at = match.end()
            self.words.append(str(number))
            self.steps.append(number)
        elif self.scan.startswith("(", self.at):
            self.parentheses()
        elif self.scan.startswith("d", self.at):
            raise self.stray()
        else:
            raise self.wrong("expected a number or dice", self.at)

    def parentheses(self) -> None:
        if self.depth == MOST_DEPTH:
            raise self.wrong(f"more than {MOST_DEPTH} parentheses inside one another", self.at)
        self.at += 1
        self.depth += 1
        self.words.append("(")
        self.sum()
        match = _NEXT.match(self.scan, self.at)
        self.at = match.start(1) if match else self.at
        if not self.scan.startswith(")", self.at):
            raise self.stray() if self.scan.startswith("d", self.at) else self.wrong("expected )", self.at)
        self.words.append(")")
        self.depth -= 1
        self.at += 1

    def label(self, match: re.Match[str], pools: list[Pool]) -> None:
        if not match[2]:
            raise self.wrong("this label has no ]", match.start(1) - 1)
        label = " ".join(self.text[match.start(1) : match.end(1)].split())
        if not label or not label.isprintable() or len(label) > MOST_LABEL:
            raise self.wrong(f"a label is 1 to {MOST_LABEL} printable characters", match.start(1))
        self.at = match.end()
        self.words.append(f" [{label}]")
        for pool in pools:
            if not pool.label:
                self.swap(pool, evolve(pool, label=label))

    def pool(self, match: re.Match[str]) -> Pool:
        start = match.start()
        kind = match[2]
        count = int(match[1] or 1)
        sides = 100 if kind == "%" else 3 if kind == "f" else int(kind)
        if not count:
            raise self.wrong("expected at least one die", start)
        if not 1 <= sides <= MOST_SIDES:
            raise self.wrong(f"a die has 1 to {MOST_SIDES:,} sides", match.start(2))
        self.at = match.end()
        self.count(count, start)
        name = "".join(match[0].split()).replace("f", "F")
        pool = Pool(count, sides, name, start, shift=-2 if kind == "f" else 0)
        if found := MODIFIER.match(self.scan, self.at):
            modifiers = Modifiers(self.text, self.scan, pool)
            self.at = modifiers.read(found)
            pool = modifiers.pool()
            self.count(pool.count - count, start)
        return pool
