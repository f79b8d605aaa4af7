"""What a forecast finds, as values: danger, and what combatants would do."""

from fractions import Fraction

from systems.frozen import frozen


@frozen
class Threat:
    """What one foe adds to the danger: the chance that the combatant falls in this foe's turn.

    `action`: the action that it uses first. `options`: the values that it chose for it, such as a weapon.
    `uses`: the name of the weapon, spell or power among them, or "".
    """

    who: str
    action: str
    options: tuple[tuple[str, object], ...]
    chance: Fraction
    uses: str = ""


@frozen
class Danger:
    """The danger of one combatant, and what each foe adds to it, in the order of their turns."""

    who: str
    chance: Fraction
    threats: tuple[Threat, ...] = ()
    is_exact: bool = True


@frozen
class LikelyAction:
    """What a combatant would do: an action with its targets and its options as words.

    `works`: the chance that it succeeds, None if it has none. `drops`: the chance that its first target
    falls.
    """

    who: str
    action: str
    targets: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    works: Fraction | None = None
    drops: Fraction | None = None
