"""`affray recap CAMPAIGN`: who did what to whom, the heaviest blows, luck, and time at the table."""

from argparse import Namespace

import attrs

from systems.encounter.recap import recap_of
from tui.cli.fights import open_to_read
from tui.cli.output import printable as plain
from tui.cli.output import put
from tui.display.order_lines import fight_line
from tui.display.recap import recap_lines, seconds_spent
from tui.display.text import printable
from tui.terminal.progress import Waiting

WIDE = 100


def run(arguments: Namespace) -> int:
    fight = open_to_read(arguments)
    session = fight.session
    with Waiting("summing the fight up"):
        recap = recap_of(session.encounter, session.log)
    if arguments.json:
        sums = {"dealt": recap.dealt, "taken": recap.taken, "turns": seconds_spent(recap.turns)}
        put(plain({**attrs.asdict(recap), **sums}))
        return 0
    print(fight_line(session.encounter, fight.campaign.title))
    for line in recap_lines(recap, session.game, WIDE):
        print(printable(line))
    return 0
