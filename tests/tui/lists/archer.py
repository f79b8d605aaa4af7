"""The gate with an archer who has a bow and a dagger, for tests of what is listed for an action."""

from tests.tui.table import at_the_gate
from tui.session.session import Session

BOW = "4 c=h di=40"


def with_archer(*commands: str) -> Session:
    """The gate, at Tamsin's turn; she has a short bow and a dagger."""
    here = at_the_gate("next")
    weapon = type(here.encounter.combatants["okado"].sheet.weapons[0])
    weapons = (
        weapon(name="short bow", damage=15, kind="ranged", ability="bow", max_range=90),
        weapon(name="dagger", damage=10, ability="melee"),
    )
    archer = here.encounter.combatants["tamsin"].with_sheet({"weapons": weapons, "attacks_per_round": 9})
    here.encounter = here.encounter.with_combatants(archer)
    for line in commands:
        here.do(line)
    return here
