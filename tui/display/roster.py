"""The rows of the roster: each side with its characters or creature kinds, and files that cannot be read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from systems.contract.display import Meter, StatusWord
from systems.encounter.model import Combatant
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.conversion import read
from systems.schema.entry_lines import entry_line
from systems.schema.fields import Entry, fields_of
from systems.schema.values import as_words
from systems.sheets import status_on_joining
from systems.text import clean, plain_word, sort_key, spoken
from tui.campaign.campaign import ROSTER, Campaign, RosterEntry
from tui.campaign.creatures import Creature
from tui.campaign.problems import FileProblem
from tui.display.card import titled
from tui.display.text import Piece, Row, cut, fitted, width


@frozen
class Heading:
    """The heading above one side: the same in several lengths, the longest first.

    `has_figures`: the entries below it show a number, which the heading names.
    """

    words: tuple[str, ...]
    has_figures: bool = True


RosterRow = Heading | RosterEntry | Creature | FileProblem


def roster_rows(campaign: Campaign, sought: str = "") -> list[RosterRow]:
    """Return the rows of a roster: the players' side first, then the others, then unreadable files.

    The game's own creatures come last, and only those that match `sought`.
    """
    rows: list[RosterRow] = []
    entries = sorted(campaign.roster.values(), key=lambda entry: sort_key(entry.name))
    players = campaign.table.players
    # A party spelled in two ways is one party, as when it joins a fight.
    spelling: dict[str, str] = {}
    for entry in campaign.roster.values():
        spelling.setdefault(plain_word(entry.party), entry.party)
    for side in sorted({entry.side for entry in entries}, key=lambda side: (side != players, side)):
        below = ("the party", "party") if side == players else ("creature kinds", "kinds")
        name = clean(titled(side), 60)
        mine = [entry for entry in entries if entry.side == side]
        by_party: dict[str, list[RosterEntry]] = {}
        for entry in mine:
            by_party.setdefault(spelling[plain_word(entry.party)], []).append(entry)
        for party in sorted(by_party, key=sort_key):
            words = (f"{clean(party, 60)}, a party of {side}", clean(party, 60))
            rows.append(Heading(words if party else (*(f"{name}, {words}" for words in below), name)))
            rows += by_party[party]
    if problems := campaign.roster_problems:
        rows += [Heading(("Cannot be read",), has_figures=False), *problems]
    shipped = [row for row in campaign.joinable.shipped.values() if isinstance(row, Creature)]
    if found := [creature for creature in shipped if creature.fits(sought)]:
        words = ("Creatures of the game: press / to find one by name, tag or level", "Of the game")
        rows += [Heading(words, has_figures=False), *found]
    return rows


def template_words(sheet: type, plain: Mapping[str, Any]) -> str:
    """Return the values of a template in words: `max life 50, sword 15 melee`."""
    made: Any = read(sheet, plain)
    fields = fields_of(sheet)
    words: list[str] = []
    for name in plain:
        value, field = getattr(made, name), fields[name]
        match value:
            case Mapping():
                words += [f"{key} {field.words(number)}" for key, number in value.items()]
            case (Entry(), *_):
                words += [entry_line(entry) for entry in value]
            case _:
                words.append(f"{field.label} {field.words(value)}")
    return ", ".join(words) or "a blank sheet"


def fighting(combatants: Sequence[Combatant]) -> dict[str, int]:
    """Return how many combatants were made from each roster entry, by its id."""
    counts: dict[str, int] = {}
    for combatant in combatants:
        if entry := combatant.state.kind:
            counts[entry] = counts.get(entry, 0) + 1
    return counts


def roster_status(campaign: Campaign, entry: RosterEntry) -> StatusWord:
    """Return the status with which an entry would join a fight; an empty one if the game cannot say."""
    is_player = entry.side == campaign.table.players
    try:
        return status_on_joining(campaign.ruleset, entry.sheet, campaign.house, is_player=is_player)
    except Wrong:
        return StatusWord("")


def roster_row(
    row: RosterRow,
    meter: Meter | None,
    fighting: Mapping[str, int],
    cells: int,
    status_of: Callable[[RosterEntry], StatusWord],
) -> Row:
    """Return one row. `fighting`: the number of combatants made from each entry, by id.

    At the right end is the value of `meter`: what the entry has now, and its maximum if that differs. The
    status is shown if the entry could not act.
    """
    match row:
        case Heading(words, has_figures):
            # The heading names the numbers once, so that the names have more room.
            label = meter.label if meter else ""
            room = cells - cell_len(label) - 1
            text = next((text for text in words if cell_len(text) + 2 <= room), words[-1])
            return [(fitted(f" {text}", room), "muted strong"), (label if has_figures else "", "muted")]
        case FileProblem():
            return [(" ! ", "danger strong"), (row.file.removeprefix(f"{ROSTER}/"), "danger")]
        case Creature():
            # Its values are in its file, which is read when it is chosen.
            room = max(4, cells - 4)
            name = cut(clean(row.name), room)
            labels = cut(row.labels, max(0, room - cell_len(name) - 2))
            return [("   ", ""), (name, ""), (fitted(f"  {labels}", room - cell_len(name)), "muted")]
        case RosterEntry():
            count, status = fighting.get(row.id, 0), status_of(row)
            tail: Row = [
                (f"×{count} ", "strong") if count else ("", ""),
                ("" if status.acts else f"{spoken(status.name)} ", status.tone),
                _figure(row.sheet, meter),
            ]
            room = max(4, cells - width(tail) - 4)
            return [("   ", ""), (fitted(cut(clean(row.name), room), room), ""), (" ", ""), *tail]


def _figure(sheet: Any, meter: Meter | None) -> Piece:
    """Return what a sheet has of the meter: `52`, or `40/52` if it has less or more than its maximum."""
    if meter is None:
        return (f"{'':>3} ", "muted")
    now, full = getattr(sheet, meter.now), getattr(sheet, meter.full)
    return (f"{as_words(now):>3} ", "muted") if now == full else (f"{as_words(now)}/{as_words(full)} ", "")
