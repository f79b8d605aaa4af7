"""Lines about danger: how likely a combatant falls before its next turn."""

from collections.abc import Iterator, Sequence

from systems.encounter.model import Encounter
from systems.forecast.danger import Danger
from systems.text import spoken
from tui.display.odds import percent
from tui.display.text import printable


def danger_words(danger: Danger) -> str:
    """Return the chance: `33%`, or `≈33%` if it was sampled."""
    return percent(danger.chance) if danger.is_exact else f"≈{percent(danger.chance)}"


def danger_lines(encounter: Encounter, dangers: Sequence[Danger]) -> Iterator[str]:
    """Yield a line for each combatant, with the share of each foe that adds to it."""
    for danger in dangers:
        name = encounter.combatants[danger.who].name
        shares = [
            f"{encounter.combatants[threat.who].name} {percent(threat.chance)} ({spoken(threat.action)})"
            for threat in danger.threats
            if threat.chance
        ]
        rest = f": {', '.join(shares)}" if shares else ""
        yield printable(f"{danger_words(danger)} if all go for {name}{rest}")
    yield "Out of action before the next turn; suggested answers, no movement, no healing, no reactions."
