"""The plan of a player for the next turn: a line of the command language, and what it means now."""

from systems.frozen import frozen


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
