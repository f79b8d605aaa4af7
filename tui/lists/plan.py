"""The plan of a player for the next turn: a line of the command language, and what it means now."""

from systems.frozen import frozen

# At a seat, this word before a line plans it.
PLAN = "plan"
PLAN_HELP = "prepare a command for your next turn"


def planned_line(line: str) -> str:
    """Return the line after the word that plans it, or "" if the line does not begin with that word."""
    first, _, rest = line.partition(" ")
    return rest if first.casefold() == PLAN else ""


@frozen
class PlanShown:
    """What a planned line means in the current fight.

    `by`: the name of the character that acts. `words`: the command in words. `odds`: its odds, as far as the
    table shows them. `wrong`: why it can't be carried out, as a sentence. `down`: the names of its targets
    that the viewer sees as down. `action`, `targets` and `options`: the parts of the line as typed.
    """

    by: str = ""
    words: str = ""
    odds: str = ""
    wrong: str = ""
    down: tuple[str, ...] = ()
    action: str = ""
    targets: str = ""
    options: tuple[tuple[str, str], ...] = ()
