"""`affray show CAMPAIGN`: the present state of a fight, also while another program has it."""

from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from systems.encounter.durations import left
from systems.encounter.model import Combatant, Encounter
from systems.sheets import write_sheet
from systems.text import clean
from systems.visibility.rows import row_maker
from tui.campaign.folders import where
from tui.campaign.listing import find
from tui.cli.output import printable, put
from tui.session.opening import open_fight
from tui.session.session import Session
from tui.terminal.notice import notice


def run(arguments: Namespace) -> int:
    path = find(where(arguments.campaigns), arguments.campaign)
    fight = open_fight(path, arguments.encounter, write=False)
    notice(fight.notice)
    if arguments.json:
        put(printable(shown(fight.session)))
    else:
        print("\n".join(page(fight.campaign.title, fight.session)))
    return 0


def shown(session: Session) -> dict[str, Any]:
    """The present as plain data."""
    encounter = session.encounter
    return {
        "system": session.game.name,
        "title": encounter.progress.title,
        "round": encounter.progress.round,
        "turn": encounter.progress.turn,
        "side": encounter.progress.side,
        "over": encounter.progress.over,
        "order": list(encounter.progress.order),
        "events": len(session.log.events),
        "combatants": [_combatant(encounter, combatant) for combatant in encounter],
    }


def _combatant(encounter: Encounter, combatant: Combatant) -> dict[str, Any]:
    conditions = [
        {"name": held.name, "value": held.value, "left": left(encounter, held)}
        for held in combatant.conditions
    ]
    place = combatant.state
    return {
        "id": combatant.id,
        "tag": place.tag if combatant.tag.isdecimal() else combatant.tag,
        "name": combatant.name,
        "kind": place.kind,
        "side": combatant.side,
        "hidden": place.hidden,
        "waits": place.waits,
        "arrives": place.arrives,
        "initiative": place.initiative,
        "group": place.group,
        "sheet": write_sheet(encounter.game, combatant.sheet, encounter.house),
        "conditions": conditions,
    }


def page(title: str, session: Session) -> Iterable[str]:
    """The present as a few lines for people."""
    encounter = session.encounter
    turn = encounter.turn
    whose = f", {turn.name}'s turn" if turn else ""
    when = f"round {encounter.progress.round}{whose}" if encounter.progress.round else "not begun"
    over = ", over" if encounter.progress.over else ""
    yield clean(
        f"{title} · {encounter.progress.title or 'encounter'} · {session.game.title} · {when}{over}", 400
    )
    maker = row_maker(encounter)
    for combatant in encounter.in_line():
        row = maker.row(combatant)
        figures = " ".join(
            f"{meter.label} {level.now}/{level.full}"
            for meter, level in zip(session.game.meters, row.levels, strict=False)
            if level
        )
        # Who is not there yet has no status; of the others it is told even when it is as usual.
        first = row.instead.text if row.instead else encounter.status(combatant).name.replace("_", " ")
        words = dict.fromkeys([first, *(word.text for word in row.words)])
        mark = "▸" if turn is combatant else " "
        line = f"{row.tag:>3} {row.name:<24} {figures}  {', '.join(words)}"
        yield mark + "".join(letter if letter.isprintable() else " " for letter in line[:400])
