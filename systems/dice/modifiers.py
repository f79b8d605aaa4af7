"""Read the modifiers after the dice of a pool: keep, drop, advantage, reroll, explode, count, raise, lower.

`N` is a number and `S` a choice of faces (`3`, `<3`, `<=3`, `>3`, `>=3`; `<` and `>` exclude 3 itself):

    khN klN dhN dlN  keep or drop the N highest or lowest; kN is khN, and N is 1 if omitted
    adv dis          a single die is rolled twice, and the higher or the lower counts
    roS rS           reroll once, and keep the result
    rrS              reroll until another face comes up
    ! !S eS          the highest face, or one of these faces, adds one more die
    miN maN          a lower, or a higher, face counts as N
    cS csS           the dice that show these faces are counted: 1 each, the others 0

Each die is rerolled first, then it may explode, and then it is raised or lowered. A die added by an explosion
is treated the same way. Dice are kept or dropped after all of them are rolled. So the order in which
modifiers are written matters only for keeping and dropping.
"""

import re

from systems.dice.expression import DiceError, Faces, Interval, Pool, other_faces, union

MODIFIER = re.compile(
    r"\s*(adv(?:antage)?|dis(?:advantage)?|k[hl]?|d[hl]|r[ro]?|m[ia]|cs?|!|e)\s*(<=|>=|[<>=])?\s*([0-9]*)",
    re.ASCII,
)
MODIFIERS = re.compile(f"(?:{MODIFIER.pattern})+", re.ASCII)
BEGINNINGS = frozenset("adkrmec!")  # the first letters of modifiers
_CHANGES = {"r": "once", "ro": "once", "rr": "until", "!": "explode", "e": "explode"}
_CHANGES |= {"c": "counts", "cs": "counts"}


class Modifiers:
    """The modifiers of one pool, read from a piece of a line that begins `at` that place, in small letters.

    `length` is how far they go. Raises DiceError with the place in the line, of which it knows no more.
    """

    __slots__ = (
        "_at",
        "_changes",
        "_highest",
        "_keeps",
        "_lowest",
        "_luck",
        "_pool",
        "_text",
        "_words",
        "length",
    )

    def __init__(self, text: str, at: int, pool: Pool) -> None:
        self._text = text
        self._at = at
        self._pool = pool
        self._luck = ""
        self._words = pool.name
        self._keeps: list[tuple[str, int]] = []
        self._changes: dict[str, list[Interval]] = {}
        self._lowest = 1
        self._highest = pool.highest
        self.length = self._read()

    def _read(self) -> int:
        """Read modifiers as long as there are any; return the position after the last."""
        at = 0
        while match := MODIFIER.match(self._text, at):
            word = match[1]
            at = match.end()
            if word[:3] in {"adv", "dis"}:
                self._advantage(match)
                at = match.end(1)
            elif word[0] in "kd":
                self._keep(match)
            else:
                self._change(match)
        return at

    def pool(self) -> Pool:
        """Return the pool with its modifiers. Raises DiceError when they would never end."""
        plain = self._pool
        once, until, explode, counts = self._faces() if self._changes else ((), (), (), None)
        return Pool(
            2 if self._luck else plain.count,
            plain.sides,
            self._words.rstrip(),
            plain.position,
            keeps=tuple(self._keeps),
            once=once,
            until=until,
            explode=explode,
            lowest=self._lowest,
            highest=self._highest,
            shift=plain.shift,
            counts=counts,
        )

    def _faces(self) -> tuple[Faces, Faces, Faces, Faces | None]:
        pool = self._pool
        once, until, explode, counts = (
            union(self._changes.get(change, []), pool.sides)
            for change in ("once", "until", "explode", "counts")
        )
        if not other_faces(until, pool.sides):
            raise DiceError("this reroll never ends", pool.position)
        if not other_faces(union([*until, *explode], pool.sides), pool.sides):
            raise DiceError("this explosion never ends", pool.position)
        return once, until, explode, counts if "counts" in self._changes else None

    def _wrong(self, message: str, position: int) -> DiceError:
        return DiceError(message, self._at + position)

    def _keep(self, match: re.Match[str]) -> None:
        word = match[1]
        if match[2]:
            raise self._wrong(f"expected a number after {word}", match.start(2))
        if word == "k" and not match[3]:
            raise self._wrong("expected h or l after k", match.end())
        self._words += word + match[3]
        self._keeps.append(("kh" if word == "k" else word, int(match[3] or 1)))

    def _advantage(self, match: re.Match[str]) -> None:
        luck = match[1][:3]
        if self._pool.count != 1 or self._luck:
            raise self._wrong(f"{luck} belongs to a single die, as in d20 {luck} + 5", match.start(1))
        self._luck = luck
        self._words += f" {luck} "
        self._keeps.append(("kh" if luck == "adv" else "kl", 1))

    def _change(self, match: re.Match[str]) -> None:
        word, compare, digits = match.groups("")
        self._words += word + compare + digits
        if self._pool.shift:
            raise self._wrong("fate dice can be kept and dropped, nothing else", match.start(1))
        if word in {"mi", "ma"}:
            self._clamp(match)
        elif digits:
            ranges = self._changes.setdefault(_CHANGES[word], [])
            ranges.append(_meant(compare or "=", int(digits), self._pool.sides))
        elif word == "!" and not compare:
            self._changes.setdefault("explode", []).append((self._pool.sides, self._pool.sides))
        else:
            raise self._wrong(f"expected a face after {compare or word}", match.end())

    def _clamp(self, match: re.Match[str]) -> None:
        word, compare, digits = match.groups()
        if compare or not digits:
            raise self._wrong(f"expected a face after {word}", match.end(1))
        if not 1 <= int(digits) <= self._pool.sides:
            raise self._wrong(f"a d{self._pool.sides} has faces 1 to {self._pool.sides}", match.start(3))
        if word == "mi":
            self._lowest = int(digits)
        else:
            self._highest = int(digits)


def _meant(compare: str, number: int, sides: int) -> Interval:
    """Return the faces that a comparison means, as a closed range, which may be empty."""
    if compare == "<":
        return 1, number - 1
    if compare == "<=":
        return 1, number
    if compare == ">":
        return number + 1, sides
    if compare == ">=":
        return number, sides
    return number, number
