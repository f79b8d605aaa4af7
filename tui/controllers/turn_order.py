"""Move the combatant under the cursor up or down in the order of turns."""

from systems.commands.reorder import whole_order
from tui.controllers.table import Table


def move_in_order(table: Table, by: int) -> None:
    """Move the combatant under the cursor one place earlier (-1) or later (1)."""
    session, services = table.session, table.services
    if session is None:
        table.say_no_fight()
        return
    combatant = services.under_cursor
    if combatant is None:
        services.say("no combatant is under the cursor", error=True)
        return
    order = whole_order(session.encounter)
    if combatant.id not in order:
        services.say(f"{combatant.name} has no place in the order now", error=True)
        return
    at = order.index(combatant.id) + by
    if not 0 <= at < len(order):
        services.say(f"{combatant.name} is {'first' if by < 0 else 'last'} already", error=True)
        return
    services.command(f"order {combatant.id} {'before' if by < 0 else 'after'} {order[at]}")
