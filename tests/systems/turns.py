"""A small fight of four combatants, and the order in which their turns come."""

from tests.systems.fight import Fight

FOUR = ("add ada", "add bo", "add orc x2", "start")


def turns(fight: Fight, number: int) -> list[str]:
    """Whose turns the next ones are, the current one first."""
    found = [fight.turn]
    for _ in range(number - 1):
        fight.do("next")
        found.append(fight.turn)
    return found
