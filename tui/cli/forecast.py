"""`affray forecast CAMPAIGN`: how likely the players win, from now on or for a prepared encounter."""

from argparse import Namespace

from tui.cli.fights import open_to_read
from tui.cli.output import printable, put
from tui.display.forecast import forecast_lines
from tui.display.order_lines import fight_line
from tui.session.forecasts import forecaster_of
from tui.session.live_fight import live_fight
from tui.session.plain_forecasts import plain_forecast
from tui.terminal.progress import ProgressLine


def run(arguments: Namespace) -> int:
    fight = open_to_read(arguments, played=False)
    session = fight.session
    forecaster = forecaster_of(live_fight(session), arguments.seed)
    with ProgressLine("fight") as progress:
        for done in forecaster.play(arguments.fights):
            progress(done, arguments.fights)
    forecast = forecaster.forecast()
    if arguments.json:
        put(printable(plain_forecast(forecast, fight.encounter, arguments.seed)))
        return 0
    print(fight_line(session.encounter, fight.campaign.title))
    for line in forecast_lines(session.encounter, forecast):
        print(line)
    return 0
