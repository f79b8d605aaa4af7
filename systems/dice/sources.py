"""Dice sources: the interface that rules roll with, random dice, and totals given for several dice.

Rules ask a `Dice` for each face, with a reason and an owner. They never make chance themselves. Dice whose
sum alone counts are thrown with `throw_sum`: there a source may give a total in place of the faces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from systems.frozen import evolve, frozen

if TYPE_CHECKING:
    import random


@frozen
class Roll:
    """One die that fell: `face` of `sides`, the reason, and whose hands held it (an id or a role)."""

    sides: int
    face: int
    why: str = ""
    of: str = ""


DiceCounts = tuple[tuple[int, int], ...]  # (number, sides) in rolling order


@frozen
class TotalRoll:
    """Several dice whose total was given without faces: `dice` as `2d6+1d4`, the reason, and the owner."""

    dice: str
    total: int
    why: str = ""
    of: str = ""


@frozen
class Total:
    """A total given by hand in place of the faces of several dice. It is written `=9`."""

    value: int

    def __str__(self) -> str:
        return f"={self.value}"


Given = int | Total  # a face, or the total of several dice


def read_given(text: str) -> tuple[Given, ...]:
    """Return faces and totals written with commas between them: `13,=9`."""
    words = [word for word in text.split(",") if word]
    return tuple(Total(int(word[1:])) if word.startswith("=") else int(word) for word in words)


def merged(dice: DiceCounts) -> DiceCounts:
    """Return the dice with those of equal sides added up, in the order of their first roll."""
    numbers: dict[int, int] = {}
    for number, sides in dice:
        numbers[sides] = numbers.get(sides, 0) + number
    return tuple((number, sides) for sides, number in numbers.items() if number)


def dice_words(dice: DiceCounts) -> str:
    """Return dice in notation, such as `2d6+1d4`."""
    return "+".join(f"{number}d{sides}" for number, sides in merged(dice))


def given_of(roll: Roll | TotalRoll) -> Given:
    """Return a roll as it is given by hand."""
    return roll.face if isinstance(roll, Roll) else Total(roll.total)


@frozen
class DieRequest:
    """A die that is not rolled yet: it has `sides`, and `of` must roll it, for the reason `why`.

    `is_concealed`: it concerns a combatant that players do not see, so no player may roll it.
    `target`: the id of the other combatant that it concerns, if any.
    `passes_at`: for a die that passes or fails, the face at which it passes, or above with `over`, or below
    without; `is_counted`: it is one of a pool in which such faces are counted.
    `outcome_of`: returns the outcome of a face in words, `hit, unless Shield`, if this die counts alone.
    `adds`: the bonus to dice of damage or initiative.
    `note`: anything unusual about it, such as `critical: the dice count twice`.
    `lowest_first`: whether the lower face goes first when this die breaks a tie. `called`: the owner's name
    while the owner is only joining the fight.
    `before` and `answers`: the dice and answers of the same command so far.
    `again`: for an amended command, carries it out with other dice and answers and returns its event.
    `sum_of`: all dice that are simply added up with this one. Their total may be given in place of faces,
    unless `in_sum`: some of them have fallen already.
    `at_once`: for a die that several combatants roll at the same time, returns the next die of each of the
    others, after the dice that they have rolled by now (id -> dice). They may be given in any order.
    """

    sides: int
    why: str = ""
    of: str = ""
    is_concealed: bool = False
    target: str = ""
    passes_at: int | None = None
    over: bool = False
    is_counted: bool = False
    outcome_of: Callable[[int], str] | None = None
    adds: int | None = None
    note: str = ""
    lowest_first: bool | None = None
    called: str = ""
    before: Sequence[Roll | TotalRoll] = ()
    answers: Sequence[Any] = ()
    again: Callable[[Dice, Any], Any] | None = None
    sum_of: DiceCounts = ()
    in_sum: bool = False
    at_once: Callable[[Mapping[str, Sequence[Given]]], Sequence[DieRequest]] | None = None

    @property
    def purpose(self) -> str:
        """Return the purpose of the die and anything unusual about it: `damage, critical: twice the dice`."""
        return ", ".join(filter(None, (self.why, self.note)))


class NeedsFace(Exception):
    """No given face is left for the die that `request` describes."""

    def __init__(self, request: DieRequest) -> None:
        super().__init__(request)
        self.request = request

    def knowing(self, **facts: Any) -> NeedsFace:
        """Return the error with more facts in its request, for a caller that knows more about the die."""
        return NeedsFace(evolve(self.request, **facts))

    def __str__(self) -> str:
        die = self.request
        reason = f" ({die.why})" if die.why else ""
        owner = f" of {die.of}" if die.of else ""
        return f"the face of a d{die.sides}{reason}{owner} is missing"


class Dice(Protocol):
    """A source of faces."""

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        """Return the face, 1 to `sides`, that the next die shows. May raise, as `ScriptedDice` does."""
        ...


class TakesTotals:
    """Base of dice sources that may hold a total in place of the faces of several dice."""

    __slots__ = ()

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        """Return the total given for dice of which only the sum counts; None if faces come next."""
        raise NotImplementedError


def throw_sum(source: Dice, dice: DiceCounts, why: str = "", of: str = "") -> list[int] | Total:
    """Roll dice of which only the sum counts; return their faces, or the total given for them.

    Raises what the source raises; a NeedsFace then says whether a total is possible.
    """
    if dice and isinstance(source, TakesTotals) and (total := source.total(dice, why, of)) is not None:
        return Total(total)
    faces: list[int] = []
    try:
        for sides in (sides for number, sides in dice for _ in range(number)):
            faces += [source.face(sides, why, of)]
    except NeedsFace as needs:
        raise needs.knowing(sum_of=merged(dice), in_sum=bool(faces)) from None
    return faces


class StreamedDice:
    """Base of dice with several random streams; the next die comes from the one named `stream`.

    So a combatant's rolls do not depend on how often others rolled before.
    """

    stream: str = ""


class Streams:
    """Random streams from one seed, by name. Without a seed all dice share one stream."""

    def __init__(self, seed: int | None, shared: random.Random, new: Callable[[str], random.Random]) -> None:
        self._seed, self.shared, self._new = seed, shared, new
        self._streams: dict[str, random.Random] = {}

    def named(self, name: str) -> random.Random:
        """Return the stream of this name in its current state."""
        if self._seed is None:
            return self.shared
        if name not in self._streams:
            self._streams[name] = self._new(f"{self._seed} {name}")
        return self._streams[name]


class RandomDice:
    """Random dice. The caller provides the generator, so that a seed repeats a whole fight."""

    __slots__ = ("_random",)

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        """Return a face from 1 to `sides`. Raises ValueError if there is no such die."""
        if sides < 1:
            raise ValueError(f"a die cannot have {sides} sides")
        # Five times as fast as randint; with a million sides it is fair to less than one part in 10**9.
        return 1 + int(self._random() * sides)
