"""`affray danger CAMPAIGN`: how likely each player's character falls before its next turn."""

from argparse import Namespace

from tui.cli.fights import open_to_read
from tui.cli.output import printable, put
from tui.display.danger import danger_lines
from tui.display.order_lines import fight_line
from tui.session.dangers import dangers
from tui.session.live_fight import live_fight
from tui.session.plain_dangers import plain_dangers


def run(arguments: Namespace) -> int:
    fight = open_to_read(arguments)
    found = dangers(live_fight(fight.session))
    if arguments.json:
        put(printable({"combatants": plain_dangers(found)}))
        return 0
    print(fight_line(fight.session.encounter, fight.campaign.title))
    for line in danger_lines(fight.session.encounter, found):
        print(line)
    return 0
