"""Dice sources: random dice, and faces that people rolled and typed in.

Rules ask a `Dice` for each face and say why and whose hands hold it; they never make chance themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from systems.errors import InputError
from systems.frozen import frozen

if TYPE_CHECKING:
    import random


@frozen
class Roll:
    """One die that fell: `face` of `sides`, the reason, and whose hands held it (an id or a role)."""

    sides: int
    face: int
    why: str = ""
    of: str = ""


class NeedsFace(Exception):
    """No given face is left: a die with `sides` must be rolled, for the reason `why`, by `of`.

    `is_concealed`: it concerns somebody whom players do not see, so no player may be asked for it.
    `target`: the id of whom it is thrown for or at, where that is somebody else. `passes_at`: of a die that
    passes or fails, the face at which it passes, and at more with `over`, else at less; `is_counted`: it is
    one of a pool in which such faces are counted. `adds`: what is added to a die of damage or initiative.
    `note`: what is unusual about it, such as `critical: the dice count twice`.
    `lowest_first`: of a die between those who are tied, who comes first. `called`: the name of the one who
    throws it, where it is one who is only joining.
    `before`: the dice of the same command that have fallen, and `answers` those that were given.
    `again`: where the command belongs to the past, what carries it out with other dice and answers and
    returns its event.
    """

    def __init__(self, sides: int, why: str = "", of: str = "") -> None:
        self.is_concealed = False
        self.target = ""
        self.passes_at: int | None = None
        self.over = self.is_counted = False
        self.adds: int | None = None
        self.called = self.note = ""
        self.lowest_first: bool | None = None
        self.before: Sequence[Roll] = ()
        self.answers: Sequence[Any] = ()
        self.again: Callable[[Dice, Any], Mapping[str, Any]] | None = None
        super().__init__(sides, why, of)
        self.sides = sides
        self.why = why
        self.of = of

    @property
    def purpose(self) -> str:
        """Return what the die is for and what is unusual about it: `damage, critical: twice the dice`."""
        return ", ".join(filter(None, (self.why, self.note)))

    def __str__(self) -> str:
        reason = f" ({self.why})" if self.why else ""
        owner = f" of {self.of}" if self.of else ""
        return f"the face of a d{self.sides}{reason}{owner} is missing"


class WrongFace(InputError):
    """A given face that its die does not have. `index` counts the faces from 0, the sentence from 1."""

    code = "dice"

    def __init__(self, index: int, face: int, sides: int, why: str = "") -> None:
        super().__init__(why, path=f"dice[{index}]")
        self.args = (index, face, sides, why)
        self.index = index
        self.face = face
        self.sides = sides
        self.why = why

    def __str__(self) -> str:
        reason = f" ({self.why})" if self.why else ""
        face = self.face if abs(self.face) < 10**40 else "so much"
        return f"die {self.index + 1}{reason}: a d{self.sides} cannot show {face}"


class Dice(Protocol):
    """A source of faces."""

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        """Return the face, 1 to `sides`, that the next die shows. May raise, as `ScriptedDice` does."""
        ...


class StreamedDice:
    """Base of dice with several random streams; the next die comes from the one named `stream`.

    So what one combatant rolls does not depend on how often others rolled before.
    """

    stream: str = ""


class Streams:
    """Random streams from one seed, by name. Without a seed all dice share one stream."""

    def __init__(self, seed: int | None, shared: random.Random, new: Callable[[str], random.Random]) -> None:
        self._seed, self.shared, self._new = seed, shared, new
        self._streams: dict[str, random.Random] = {}

    def named(self, name: str) -> random.Random:
        """Return the stream of that name, as far as it has been used."""
        if self._seed is None:
            return self.shared
        if name not in self._streams:
            self._streams[name] = self._new(f"{self._seed} {name}")
        return self._streams[name]


class RandomDice:
    """Random dice. The caller brings the generator, so that a seed repeats a whole fight."""

    __slots__ = ("_random",)

    def __init__(self, rng: random.Random) -> None:
        self._random = rng.random

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        """Return a face from 1 to `sides`. Raises ValueError when there is no such die."""
        if sides < 1:
            raise ValueError(f"a die cannot have {sides} sides")
        # Five times as fast as randint; a million sides are off from fair by less than one part in 10**9.
        return 1 + int(self._random() * sides)


class ScriptedDice:
    """Dice rolled elsewhere: the given faces are returned in order."""

    __slots__ = ("_faces", "_used")

    def __init__(self, faces: Sequence[int]) -> None:
        self._faces = tuple(faces)
        self._used = 0

    @property
    def left(self) -> int:
        """Return how many of the given faces have not been used."""
        return len(self._faces) - self._used

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        """Return the next given face. Raises NeedsFace when none is left, WrongFace for an impossible one."""
        if self._used >= len(self._faces):
            raise NeedsFace(sides, why, of)
        face = self._faces[self._used]
        if not 1 <= face <= sides:
            raise WrongFace(self._used, face, sides, why)
        self._used += 1
        return face
