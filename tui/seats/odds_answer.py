"""The odds page of an action for a seat, limited by the table's setting."""

from systems.contract.table import WrongChoice
from systems.errors import Refused, Wrong
from systems.odds import TooManyDice
from systems.text import clean
from systems.visibility.line_help import own_numbers_of
from systems.visibility.rows import detail_for
from systems.visibility.viewer import Shown, Viewer
from tui.display.odds_page import odds_rows, odds_title
from tui.display.seat_odds import own_rows
from tui.display.text import Row
from tui.lists.prepared_action import PreparedAction
from tui.lists.target_list import OddsPage
from tui.seats.seat_source import SeatSource

NO_ODDS = "This table shows no odds."
_LONGEST = 300


def full_odds(
    source: SeatSource, prepared: PreparedAction, viewer: Viewer, shown: Shown, cells: int
) -> OddsPage:
    """Return the odds page of a prepared action for a width of `cells`, or why there is none."""
    if shown.odds == "none":
        return OddsPage(why=NO_ODDS)
    options = prepared.options_for(prepared.subject)
    if options is None:
        return OddsPage(why=clean(prepared.wrong or "an option is missing", _LONGEST))
    seen, action = source.fight.seen, prepared.action
    actor = source.seen_combatant(prepared.actor.id)
    if shown.odds == "own":
        figures = own_numbers_of(seen, action, actor, options)
        if figures is None or not (figures.refused or figures.terms or figures.most):
            return OddsPage(why="This action shows no numbers before the roll.")
        return _page(odds_title(actor, action, None), own_rows(figures, has_target=bool(prepared.subject)))
    target = source.seen_combatant(prepared.subject) if prepared.subject else None
    try:
        odds = source.preview(action, prepared.actor.id, prepared.subject or None, options)
    except (TooManyDice, WrongChoice, Refused, Wrong) as error:
        return OddsPage(why=clean(str(error), _LONGEST))
    # Mark the target's remaining health among the amounts only if the table shows numbers.
    has_figures = target is not None and detail_for(seen, target, viewer, shown) != "band"
    rows = odds_rows(seen, action, target if has_figures else None, odds, cells)
    return _page(odds_title(actor, action, target), rows)


def _page(title: str, rows: list[Row]) -> OddsPage:
    return OddsPage(clean(title, _LONGEST), tuple(tuple((text, tone) for text, tone in row) for row in rows))
