"""What the screens ask of a helper process, and its answers, as values that go through the codec."""

from typing import Literal

from systems.forecast.found import Danger, LikelyAction
from systems.frozen import frozen

# How the tempers share the fights: the same number for each, by their margins, or by these with the chance of
# both sides sensible first.
Sharing = Literal["evenly", "by margin", "sensible first"]


@frozen
class Work:
    """What to calculate for a fight. `fights`, `seed`, `sharing`: how to play it."""

    name: Literal["dangers", "forecast", "turning"]
    fights: int = 0
    seed: int = 0
    sharing: Sharing = "evenly"


@frozen
class WorkAnswer:
    """An answer to a work. `error`: why there is no result, or "". `is_last`: no other answer follows."""

    error: str = ""
    is_last: bool = False


@frozen
class DangerAnswer(WorkAnswer):
    """The danger of each character, and what the next combatants would most likely do."""

    dangers: tuple[Danger, ...] = ()
    likely: tuple[LikelyAction, ...] = ()
