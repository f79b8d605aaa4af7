"""Describe the fight in plain lines for screen readers: its state, and its combatants."""

from collections.abc import Iterator

from systems.contract.marked_text import possessive
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.encounter.schedule import still_to_act
from systems.text import clean, plain_number, with_label
from systems.visibility.last_change import last_changes
from systems.visibility.rows import row_maker


def fight_line(encounter: Encounter, campaign: str = "") -> str:
    """Return the state of the fight: titles, game, round, and turn."""
    progress, turn = encounter.progress, encounter.turn
    whose = f", {possessive(turn.name)} turn" if turn and not progress.over else ""
    over = "over after " if progress.over else ""
    when = f"{over}round {progress.round}{whose}" if progress.round else "not begun"
    titles = [campaign] if campaign else []
    return clean(" · ".join([*titles, progress.title or "encounter", encounter.game.title, when]), 400)


def order_lines(encounter: Encounter, log: History) -> Iterator[str]:
    """Yield a line for each combatant in the order of turns: tag, name, side, values, status, conditions.

    The fallen come after the others, scheduled events last.
    """
    maker = row_maker(encounter, last_changes(encounter, log))
    able = still_to_act(encounter)
    made = [(combatant, maker.row(combatant)) for combatant in encounter.in_line()]
    for combatant, row in sorted(made, key=lambda each: each[1].fallen):
        figures = " ".join(
            f"{meter.label} {level.now}/{level.full}"
            for meter, level in zip(encounter.game.meters, row.levels, strict=False)
            if level
        )
        # A combatant that has not arrived has no status; for others even a usual one is named.
        first = row.instead.text if row.instead else encounter.status(combatant).name.replace("_", " ")
        acts = ["can still act"] if combatant.id in able else []
        last = [f"just now {' '.join(word.text for word in row.last)}"] if row.last else []
        fallen = ["fallen"] if row.fallen else []
        words = dict.fromkeys(
            [*fallen, first, *acts, *last, *(with_label(word.text, word.column) for word in row.words)]
        )
        mark = "▸" if encounter.turn is combatant and not encounter.progress.over else " "
        rolled = "" if row.initiative is None else f"initiative {plain_number(row.initiative)}"
        parts = filter(None, [row.side, rolled, figures, ", ".join(words)])
        line = f"{row.tag:>3} {row.name:<24} {'  '.join(parts)}"
        yield mark + "".join(letter if letter.isprintable() else " " for letter in line[:400])
    for happening in encounter.progress.happenings:
        hidden = ", for you alone" if happening.hidden else ""
        yield clean(f"    round {happening.round}: {happening.name}{hidden}", 400)
