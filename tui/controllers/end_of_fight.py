"""End the fight, and ask which stats of the party are saved to the roster."""

from systems.commands.keep import keepable, restorable
from systems.errors import Wrong
from tui.controllers.table import Table
from tui.display.refusals import why_not_to_end
from tui.prompts.end_of_fight import EndOfFightPrompt, ask_to_end
from tui.session.session import Session


def end_of_fight(table: Table) -> None:
    """End the fight, or open the page of the end for a finished fight.

    If two sides can still fight, or combatants are still to arrive, ask first.
    """
    session, services = table.session, table.services
    if session is None:
        table.say_no_fight()
        return
    progress = session.encounter.progress
    services.say("")
    if not progress.round:
        services.say(f"the fight has not begun: {services.key_names['next']} begins it", error=True)
    elif progress.over:
        open_page(table)
    elif not why_not_to_end(session.encounter):
        _end(table)
    else:
        services.prompts.open(ask_to_end(services, session.encounter, lambda: _end(table)))


def _end(table: Table) -> None:
    table.services.command("end", lambda event: _ended(table))


def _ended(table: Table) -> None:
    """Open the page, unless the rules make an offer first, such as an ability to learn."""
    if table.services.offer is None:
        open_page(table)


def keeps_anything(session: Session) -> bool:
    """Return whether the roster differs from the fight."""
    try:
        return bool(keepable(session.encounter, session.roster))
    except Wrong:
        return False


def is_written_back(session: Session) -> bool:
    """Return whether nothing has happened since the party was saved to the roster."""
    done = (event.command for event in session.log.newest())
    return next((command for command in done if command not in ("note", "say", "roll")), "") == "keep"


def open_page(table: Table) -> None:
    """Open the page of the end, with the stats to save to the roster."""
    session, services = table.session, table.services
    if session is None:
        return
    try:
        lines = keepable(session.encounter, session.roster)
        rests = restorable(session.encounter, session.roster)
    except Wrong as wrong:
        services.say(f"the party's stats to save can't be calculated: {wrong}", error=True)
        return
    services.prompts.open(EndOfFightPrompt(services, lines, rests))
