"""The viewers of a fight, and the table's settings for what all of them see."""

from typing import Literal

from systems.encounter.model import Combatant
from systems.frozen import frozen
from systems.schema.fields import choice, declare

Acting = Literal["ask", "turn", "free"]
HandOver = Literal["ask", "at_once"]
OddsShown = Literal["own", "none", "exact"]


@declare
class Shown:
    """The table's settings for seats: what players see, and what a seat may do."""

    foes: Literal["band", "figures"] = choice(
        ("band", "figures"),
        "band",
        "foes show a band (fresh, hurt, badly hurt, down) or exact values",
    )
    allies: Literal["figures", "band"] = choice(
        ("figures", "band"), "figures", "allies show exact values or a band of health"
    )
    odds: OddsShown = choice(
        ("own", "none", "exact"),
        "own",
        "before an action a seat shows its own bonus and damage, nothing, or the exact odds, "
        "which reveal the number to beat",
    )
    acting: Acting = choice(
        ("ask", "turn", "free"),
        "ask",
        "a seat's request waits for the game master, or is carried out on the player's own turn, "
        "or is always carried out for the player's own characters",
    )
    hand_over: HandOver = choice(
        ("ask", "at_once"),
        "ask",
        "the end of a seat's turn waits for the game master, or takes effect at once, which can reveal that "
        "a hidden combatant is next",
    )


@frozen
class Viewer:
    """A viewer: a seat with its characters (roster ids), the public without any, or the game master."""

    characters: frozenset[str] = frozenset()
    is_game_master: bool = False

    def owns(self, combatant: Combatant) -> bool:
        """Return whether the combatant is one of the viewer's characters."""
        return (combatant.state.kind or combatant.id) in self.characters


GAME_MASTER = Viewer(is_game_master=True)
PUBLIC = Viewer()
USUALLY_SHOWN = Shown()
