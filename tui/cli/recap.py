"""`affray recap CAMPAIGN`: sum up a fight: damage, heaviest blows, luck, and time at the table."""

from argparse import Namespace
from functools import partial
from typing import Any

from msgspec import to_builtins

from systems.encounter.recap import Recap, recap_of
from tui.campaign.progress import counted
from tui.cli.fights import open_to_read
from tui.cli.output import printable as printable_fields
from tui.cli.output import put
from tui.display.forecast import turning_lines
from tui.display.order_lines import fight_line
from tui.display.recap import recap_lines, seconds_spent
from tui.display.text import printable
from tui.session.forecasts import calculated_turning
from tui.session.opening import OpenEncounter
from tui.session.plain_forecasts import plain_turning
from tui.terminal.progress import ProgressLine

WIDE = 100


def plain_recap(fight: OpenEncounter, recap: Recap) -> dict[str, Any]:
    """Return a recap as it is printed in JSON."""
    sums = {"dealt": recap.dealt, "taken": recap.taken, "turns": seconds_spent(recap.turns)}
    named = {"encounter": fight.encounter, "title": fight.session.encounter.progress.title}
    fields = to_builtins(recap)
    fields["deeds"] = fields.pop("actions")  # scripts read this key
    return {**named, **fields, **sums}


def run(arguments: Namespace) -> int:
    fight = open_to_read(arguments)
    session = fight.session
    with ProgressLine("summing up the fight, events") as tell:
        counting = partial(counted, of=len(session.log.events), tell=tell)
        recap = recap_of(session.encounter, session.log, counting)
    turning = None
    if arguments.chances:
        with ProgressLine("playing the fight, moment") as tell:
            turning = calculated_turning(session, arguments.fights, tell)
    if arguments.json:
        chances = {"chances": plain_turning(turning)} if turning is not None else {}
        put(printable_fields({**plain_recap(fight, recap), **chances}))
        return 0
    print(fight_line(session.encounter, fight.campaign.title))
    for line in recap_lines(recap, session.game, WIDE):
        print(printable(line))
    if turning is not None:
        print("\nWhere it turned")
        for line in turning_lines(session.encounter, session.log, turning):
            print(line)
    return 0
