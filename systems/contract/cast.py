"""Combatants that come, change form and go, as parts of an outcome."""

from collections.abc import Mapping

from systems.frozen import frozen


@frozen
class Brought:
    """Combatants that an outcome brings into the fight; they act directly after their bringer.

    `kind`: a roster entry, or "" for more of the bringer's own kind, with its present sheet. `count`: how
    many. `by`: the role that brings them. `side`: by default the bringer's. `changes`: fields of the sheet
    with other values, such as half the hit points. `sustained_by`: a condition of the bringer without which
    they leave.
    """

    kind: str = ""
    count: int = 1
    by: str = "actor"
    side: str = ""
    changes: Mapping[str, object] = {}
    sustained_by: str = ""


@frozen
class Became:
    """Another form of a combatant: the sheet of a roster entry, or with `kind` "" its own sheet again.

    `keeps`: fields of the present sheet that stay, in addition to any that last a turn or a round. `changes`:
    fields with other values.
    """

    who: str
    kind: str = ""
    keeps: tuple[str, ...] = ()
    changes: Mapping[str, object] = {}


@frozen
class SentAway:
    """A combatant that leaves the fight: for some rounds, or as long as the actor has a condition.

    Without either it comes back when the game master says so (`return`).
    """

    who: str
    rounds: int = 0
    sustained_by: str = ""
