"""Random amendments of a random fight."""

from systems.errors import Misread, Refused, Wrong
from tests.systems.walks import line_with_volleys


def tried(fight, line):
    try:
        return fight.do(line)
    except (Misread, Refused, Wrong):
        return None


def amended(fight):
    """Amend some event of a fight in some way; the event, or None where no amendment was accepted."""
    random = fight.random
    numbers = [event.n for event in fight.log.newest()]
    for _ in range(8 if numbers else 0):
        number = random.choice(numbers)
        line = line_with_volleys(fight, random)
        kinds = [f"dice={random.randint(1, 20)}", "modifier=2", "by tamsin", "never", "never", line, line]
        line = random.choice(kinds)
        if event := tried(fight, f"amend {number} {line}"):
            return event
    return None
