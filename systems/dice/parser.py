"""Read dice notation: text in, a frozen `Expression` out, or a `DiceError` that points at the character.

    line      = formula ("," or ";" formula, or a blank and a pool)*
    formula   = ["adv" or "dis"] sum ["adv" or "dis"]
    sum       = product (("+" or "-") product)*
    product   = factor (("*" or "//") factor)*
    factor    = ("+" or "-")* (number or pool or "(" sum ")") label*
    pool      = [number] "d" (number or "%" or "F") modifier*
    label     = "[" text "]"

`systems.dice.modifiers` describes the modifiers of a pool.
"""

import re
from functools import lru_cache

from systems.dice.expression import (
    MOST_DICE,
    MOST_SIDES,
    DiceError,
    Expression,
    Formula,
    Operator,
    Pool,
    RollStep,
)
from systems.dice.modifiers import BEGINNINGS, MODIFIERS, Modifiers
from systems.frozen import evolve

MOST_TEXT = 1_000
MOST_NUMBER = 1_000_000_000
MOST_DEPTH = 50
MOST_LABEL = 100

# A number, or with the rest a pool; without either it matches the empty text.
_TERM = re.compile(r"([0-9]*)(?:\s*d\s*([0-9]+|%|f))?", re.ASCII)
_BLANKS = re.compile(r"\s*", re.ASCII)
_SIGNS = re.compile(r"[\s+-]*", re.ASCII)
_LABEL = re.compile(r"\[([^\]]*)(\]?)", re.ASCII)
_LUCK = re.compile(r"(adv(?:antage)?|dis(?:advantage)?)(?![a-z])", re.ASCII)
# One letter for one letter, so that a position in the folded text is the position in the text.
_FOLD = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ×−–－\u00a0\u2002\u2003\u2007\u2009\u202f\u3000",
    "abcdefghijklmnopqrstuvwxyz*---       ",
)


def parse(text: str) -> Expression:
    """Parse dice notation. Raises DiceError."""
    if len(text) > MOST_TEXT:
        raise DiceError(f"more than {MOST_TEXT:,} characters", MOST_TEXT, text[: MOST_TEXT + 100])
    return _parsed(text)


@lru_cache(maxsize=512)
def _parsed(text: str) -> Expression:
    return _DiceReader(text).line()


class _DiceReader:
    """A text, the position reached, and the formula being built.

    `end` is where the last word ended, `at` where the next one begins, and `next` its first character, ""
    at the end of the text.
    """

    __slots__ = ("at", "depth", "dice", "end", "next", "pools", "scan", "steps", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.scan = text.lower() if text.isascii() else text.translate(_FOLD)
        self.depth = 0
        self.dice = 0
        self.steps: list[RollStep] = []
        self.words: list[str | int] = []
        self.pools: list[Pool] = []
        self.go(0)

    def go(self, end: int) -> None:
        """Continue with the next character after a word that ends there."""
        scan = self.scan
        self.at = self.end = end
        self.next = scan[end : end + 1]
        if self.next.isspace():
            blanks = _BLANKS.match(scan, end)
            assert blanks is not None
            self.at = at = blanks.end()
            self.next = scan[at : at + 1]

    def wrong(self, message: str, position: int) -> DiceError:
        return DiceError(message, position, self.text)

    def line(self) -> Expression:
        formulas = [self.formula()]
        while self.next in {",", ";"} or self.begins_pool():
            if self.next in {",", ";"}:
                self.go(self.at + 1)
            formulas.append(self.formula())
        if self.next:
            raise self.stray()
        return Expression(self.text, tuple(formulas), self.dice)

    def begins_pool(self) -> bool:
        """Return whether a pool comes after a blank: `d6 d6` is two rolls."""
        if self.at == self.end:
            return False
        found = _TERM.match(self.scan, self.at)
        return found is not None and found[2] is not None

    def stray(self) -> DiceError:
        """Return the error for a character where only an operator or the end can stand."""
        if self.next == "d":
            return self.wrong("expected the number of sides after d", self.at + 1)
        if self.next == ")":
            return self.wrong("this ) has no (", self.at)
        shown = f'"{self.next}"' if self.next.isprintable() else "this character"
        return self.wrong(f"{shown} does not belong here", self.at)

    def formula(self) -> Formula:
        self.steps, self.words, self.pools = [], [], []
        before = self.luck()
        self.sum()
        after = self.luck()
        if after or before:
            self.lucky(after or before, self.end, twice=bool(after and before))
        return Formula(tuple(self.steps), tuple(self.words), tuple(self.pools))

    def luck(self) -> str:
        """Read `adv` or `dis` if it comes next."""
        if self.next not in {"a", "d"}:
            return ""
        match = _LUCK.match(self.scan, self.at)
        if match is None:
            return ""
        self.go(match.end())
        return match[1][:3]

    def lucky(self, luck: str, position: int, twice: bool) -> None:
        """Make the only single die of the formula roll twice."""
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
        while self.next in {"+", "-"}:
            sign, position = self.next, self.at
            self.operator(sign)
            self.product()
            self.steps.append(_operator(sign, position))

    def product(self) -> None:
        self.factor()
        while self.next in {"*", "/"}:
            sign, position = self.next, self.at
            if sign == "/":
                sign = "//"
                if not self.scan.startswith(sign, position):
                    raise self.wrong("to divide, write //, which rounds down", position)
            self.operator(sign)
            self.factor()
            self.steps.append(_operator(sign, position))

    def operator(self, sign: str) -> None:
        self.go(self.at + len(sign))
        self.words.append(f" {sign} ")

    def factor(self) -> None:
        position, negative = self.end, False
        if self.next in {"+", "-"}:
            signs = _SIGNS.match(self.scan, self.at)
            assert signs is not None
            self.go(signs.end())
            negative = signs[0].count("-") % 2 == 1
        if negative:
            self.steps.append(0)
            self.words.append("-")
        pools = len(self.pools)
        self.primary()
        while self.next == "[":
            self.label(self.pools[pools:])
        if negative:
            self.steps.append(_operator("-", position))

    def primary(self) -> None:
        match = _TERM.match(self.scan, self.at)
        assert match is not None
        if match[2]:
            if match[1] and self.steps and self.scan[match.end(1)].isspace():
                says = f"write {match[1]}d{match[2]} without a space, or a comma between two rolls"
                raise self.wrong(says, match.end(1))
            pool = self.pool(match)
            self.words.append(len(self.pools))
            self.pools.append(pool)
            self.steps.append(pool)
        elif match[1]:
            number = int(match[1])
            if number > MOST_NUMBER:
                raise self.wrong(f"this number is too large, {MOST_NUMBER:,} is the most", self.at)
            self.go(match.end())
            self.words.append(str(number))
            self.steps.append(number)
        elif self.next == "(":
            self.parentheses()
        elif self.next == "d":
            raise self.stray()
        else:
            raise self.wrong("expected a number or dice", self.at)

    def parentheses(self) -> None:
        if self.depth == MOST_DEPTH:
            raise self.wrong(f"more than {MOST_DEPTH} parentheses inside one another", self.at)
        self.go(self.at + 1)
        self.depth += 1
        self.words.append("(")
        self.sum()
        if self.next != ")":
            raise self.stray() if self.next == "d" else self.wrong("expected )", self.at)
        self.words.append(")")
        self.depth -= 1
        self.go(self.at + 1)

    def label(self, pools: list[Pool]) -> None:
        match = _LABEL.match(self.scan, self.at)
        assert match is not None
        if not match[2]:
            raise self.wrong("this label has no ]", self.at)
        label = " ".join(self.text[match.start(1) : match.end(1)].split())
        if not label or not label.isprintable() or len(label) > MOST_LABEL:
            raise self.wrong(f"a label is 1 to {MOST_LABEL} printable characters", match.start(1))
        self.go(match.end())
        self.words.append(f" [{label}]")
        for pool in pools:
            if not pool.label:
                self.swap(pool, evolve(pool, label=label))

    def pool(self, match: re.Match[str]) -> Pool:
        start = match.start()
        number, kind = match.groups()
        count = int(number or 1)
        sides = 100 if kind == "%" else 3 if kind == "f" else int(kind)
        if not count:
            raise self.wrong("expected at least one die", start)
        if not 1 <= sides <= MOST_SIDES:
            raise self.wrong(f"a die has 1 to {MOST_SIDES:,} sides", match.start(2))
        self.go(match.end())
        self.count(count, start)
        pool = _plain_pool(count, sides, match[0], start)
        if self.next in BEGINNINGS and (found := MODIFIERS.match(self.scan, self.at)):
            try:
                pool, length = _changed_pool(count, sides, match[0], start, found[0], self.at)
            except DiceError as error:
                raise self.wrong(error.message, error.position) from None
            self.go(self.at + length)
            self.count(pool.count - count, start)
        return pool


# Many texts use the same dice and operators. Making these values takes longest, and they can be shared.
_operator = lru_cache(maxsize=512)(Operator)


@lru_cache(maxsize=512)
def _plain_pool(count: int, sides: int, written: str, position: int) -> Pool:
    name = "".join(written.split()).replace("f", "F")
    return Pool(count, sides, name, position, shift=-2 if name.endswith("F") else 0)


@lru_cache(maxsize=512)
def _changed_pool(
    count: int, sides: int, written: str, position: int, modifiers: str, at: int
) -> tuple[Pool, int]:
    """Return the pool with the modifiers that begin at `at`, and their length. Raises DiceError."""
    read = Modifiers(modifiers, at, _plain_pool(count, sides, written, position))
    return read.pool(), read.length
