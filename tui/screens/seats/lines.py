"""The lines about the seats that are typed on the command line of the screens."""

from collections.abc import Sequence

from systems.errors import Misread, Refused, Wrong
from systems.text import clean
from tui.controllers.seat_words import carry_out_seat_line
from tui.controllers.table import Table
from tui.display.text import Row, wrapped
from tui.lists.seat_words import read_seat_line
from tui.screens.seats.prompts import InvitationsPrompt


def carry_out_for_seats(table: Table, line: str) -> None:
    """Carry out a line: say one sentence, show several on a page, or show the invitations."""
    desk, services = table.desk, table.services
    if desk is None or table.session is None:
        table.say_no_fight()
        return
    services.say("")
    try:
        said = carry_out_seat_line(desk, line)
    except (Misread, Refused, Wrong) as error:
        services.say(clean(str(error), 400), error=True)
        return
    if read_seat_line(line).word == "invite":
        services.prompts.open(InvitationsPrompt(services, desk.server.inviting))
    elif len(said) == 1:
        services.say(said[0])
    elif said:
        services.open_page("Seats", lambda cells: _rows(said, cells))


def _rows(said: Sequence[str], cells: int) -> list[Row]:
    return [[(f" {part}", "")] for line in said for part in wrapped(line, max(10, cells - 2))]
