"""The keys that end a turn: of one combatant, or of a whole side."""

from tui.controllers.table import Table
from tui.display.refusals import why_not_to_pass
from tui.prompts.question import TextPrompt
from tui.services import Services


def pass_turn(table: Table, *, whole_side: bool = False) -> None:
    """Begin the next turn, or end that of the whole side. Ask first if a member would lose its actions."""
    session, line = table.session, "next side" if whole_side else "next"
    why = why_not_to_pass(session.encounter, whole_side=whole_side) if session is not None else ""
    if why:
        table.services.say("")
        table.services.prompts.open(_question(table.services, why, line))
    else:
        table.services.command(line)


def delay(table: Table) -> None:
    """Delay the turn; in a side's turn, that of the member under the cursor."""
    session, actor = table.session, table.services.actor
    is_side = session is not None and session.encounter.style == "sides"
    table.services.command(f"delay {actor.id}" if is_side and actor is not None else "delay")


def _question(services: Services, why: str, line: str) -> TextPrompt:
    def answered(word: str) -> str | None:
        if word.casefold() in ("", "y", "yes"):
            services.command(line)
            return None
        return None if word.casefold() in ("n", "no") else "type yes or no"

    return TextPrompt(services, f"{why} End the side's turn?", answered, does="end the turn")
