"""Who looks at a fight, and what the table shows to everybody."""

from typing import Literal

from systems.encounter.model import Combatant
from systems.frozen import frozen
from systems.visibility.view import Acting, OddsShown


@frozen
class Shown:
    """What everybody at the table sees.

    `foes`, `allies`: exact figures, or a band of health (fresh, hurt, badly hurt, down). `odds`: one's own
    bonus and damage, nothing, or the exact odds, which tell what has to be beaten. `acting`: whether each
    request of a seat is asked, or own actions on one's own turn go through, or all with one's own
    characters.
    """

    foes: Literal["band", "figures"] = "band"
    allies: Literal["figures", "band"] = "figures"
    odds: OddsShown = "own"
    acting: Acting = "ask"


@frozen
class Viewer:
    """A seat with its characters (ids of roster entries), the public without any, or the game master."""

    characters: frozenset[str] = frozenset()
    is_game_master: bool = False

    def owns(self, combatant: Combatant) -> bool:
        """Whether the combatant is one of the viewer's characters."""
        return (combatant.state.kind or combatant.id) in self.characters


GAME_MASTER = Viewer(is_game_master=True)
PUBLIC = Viewer()
