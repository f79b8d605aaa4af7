"""A seat's line on its way to the table: the server reads it, and the table checks the command."""

import json

from systems.commands.table import kind_of
from systems.encounter.model import Encounter
from systems.visibility import acting
from systems.visibility.acting import SeatCommand
from systems.visibility.moment import Moment
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Shown, Viewer


def seat_command(
    encounter: Encounter, viewer: Viewer, line: str, shown: Shown, moment: Moment | None = None
) -> SeatCommand:
    """Return what the table makes of a seat's line, whose command was sent to it as JSON."""
    moment = moment or Moment(seen_encounter(encounter, viewer), 0)
    read = acting.read_request(moment.encounter, viewer, line)
    intent = json.loads(json.dumps(kind_of(read).plain(read.intent)))
    sent = acting.sent_command(read.name, intent)
    assert (sent.intent, sent.line) == (read.intent, read.line)
    return acting.seat_command(encounter, viewer, sent, shown, moment)
