"""`affray recap CAMPAIGN`: sum up a fight: damage, heaviest blows, luck, and time at the table."""

from argparse import Namespace
from functools import partial

import attrs

from systems.encounter.recap import recap_of
from tui.campaign.progress import counted
from tui.cli.fights import open_to_read
from tui.cli.output import printable as plain
from tui.cli.output import put
from tui.display.order_lines import fight_line
from tui.display.recap import recap_lines, seconds_spent
from tui.display.text import printable
from tui.terminal.progress import ProgressLine

WIDE = 100


def run(arguments: Namespace) -> int:
    fight = open_to_read(arguments)
    session = fight.session
    with ProgressLine("summing up the fight, events") as tell:
        counting = partial(counted, of=len(session.log.events), tell=tell)
        recap = recap_of(session.encounter, session.log, counting)
    if arguments.json:
        sums = {"dealt": recap.dealt, "taken": recap.taken, "turns": seconds_spent(recap.turns)}
        named = {"encounter": fight.encounter, "title": session.encounter.progress.title}
        fields = attrs.asdict(recap)
        fields["deeds"] = fields.pop("actions")  # scripts read this key
        put(plain({**named, **fields, **sums}))
        return 0
    print(fight_line(session.encounter, fight.campaign.title))
    for line in recap_lines(recap, session.game, WIDE):
        print(printable(line))
    return 0
