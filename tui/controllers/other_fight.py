"""Switch between the open campaign's fights in progress, for a party that has split up."""

from collections.abc import Callable

from systems.contract.marked_text import possessive
from systems.text import clean
from tui.campaign.encounters import EncounterInfo, encounters_of
from tui.campaign.progress import Stopped, Tell
from tui.controllers.choosing import CANNOT_OPEN
from tui.controllers.long_work import LongWork
from tui.controllers.table import Table
from tui.session.opening import NoEncounter, OpenEncounter, open_fight


def go_to_other_fight(table: Table) -> None:
    """Open the next fight in progress in place of this one. Each has its own log, undo and cursor."""
    services, before = table.services, table.fight
    if before is None:
        table.say_no_fight()
        return
    saved = table.background.saved
    if saved.why:
        # Closing a fight waits for unsaved events. If the disk refuses them, that could take forever.
        services.say(f"{saved.words}; another fight can be opened once everything is saved", error=True)
        return
    other = _other_in_progress(table, before)
    if other is None:
        keys = services.key_names
        services.say(f"no other fight is in progress; {keys['campaigns']} opens a prepared one", error=True)
        return
    table.cursors[before.encounter] = services.cursor

    def opened(fight: "OpenEncounter") -> None:
        fight.session.streams, fight.session.dice = before.session.streams, before.session.dice
        table.open(fight)
        services.cursor = table.cursors.get(other.id, "")
        services.say(fight.notice or _words(fight), error=bool(fight.notice))
        services.show_all()

    def open_other(tell: Tell) -> "OpenEncounter":
        before.close()
        return open_fight(before.campaign.path, other.id, or_watch=True, tell=tell)

    open_in_place(table, open_other, opened)


def open_in_place(
    table: Table, work: Callable[[Tell], "OpenEncounter"], opened: Callable[["OpenEncounter"], None]
) -> None:
    """Open a fight in place of the open one. A long log shows its progress, and Escape goes back.

    `work` closes the open fight and opens the other one. `opened` shows it.
    """
    before, services = table.fight, table.services

    def failed(error: Exception) -> None:
        reopen(table, before)
        services.show_all()
        if isinstance(error, Stopped):
            services.say("The other fight was not opened.")
        elif isinstance(error, (*CANNOT_OPEN, NoEncounter)):
            services.say(str(error), error=True)
        else:
            services.program.handle_error(error)

    def waits() -> None:
        # A closed fight must take no commands.
        table.close()
        services.show_all()

    LongWork(services, "Opening, events", work, done=opened, failed=failed, waits=waits).go()


def _other_in_progress(table: Table, before: "OpenEncounter") -> EncounterInfo | None:
    """Return the next fight in progress, else another fight that was open here."""
    known = encounters_of(before.campaign.path)[0]
    names = list(known)
    at = names.index(before.encounter) + 1 if before.encounter in known else 0
    others = [known[name] for name in (*names[at:], *names[:at]) if name != before.encounter]
    usable = [each for each in others if each.problem is None and each.state != "finished"]
    running = (each for each in usable if each.state == "running")
    return next(running, next((each for each in usable if each.id in table.cursors), None))


def _words(fight: "OpenEncounter") -> str:
    """Return the state of a fight as text: `Mill cellar, round 3: Okado's turn.`"""
    encounter = fight.session.encounter
    title = clean(encounter.progress.title or fight.encounter, 80)
    if not encounter.progress.round:
        return f"{title}: not begun."
    whose = f": {possessive(clean(encounter.turn.name, 80))} turn" if encounter.turn else ""
    return f"{title}, round {encounter.progress.round}{whose}."


def reopen(table: Table, before: object) -> None:
    """Reopen the previous fight after another could not be opened."""
    if not isinstance(before, OpenEncounter):
        return
    try:
        fight = open_fight(before.campaign.path, before.encounter, or_watch=True)
    except (*CANNOT_OPEN, NoEncounter):
        table.close()
        return
    fight.session.streams, fight.session.dice = before.session.streams, before.session.dice
    table.open(fight)
