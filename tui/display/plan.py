"""Lines about the enemy's plan: what each creature would do, with its odds."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from systems.encounter.model import Encounter
from systems.text import several, spoken
from tui.display.odds import percent
from tui.display.text import Row, cut, fitted, printable, under_cursor

if TYPE_CHECKING:
    from systems.forecast.found import LikelyAction
    from systems.forecast.plan import EnemyPlan, PlannedAction

# The widths of tag, odds and name; below ROOMY cells a name has fewer.
_TAG, _ODDS, _NAME, _SHORT_NAME = 4, 7, 18, 12
_ROOMY = 78
# A row is no wider than this, so that the eye finds its odds.
_WIDEST = 96
NOT_COUNTED = "No movement; each creature decides by the present fight."
NOTHING = "nothing to do"
# The commands by which a creature flees, in words.
_FLIGHT = {"apart": "get away", "flee": "flee from the fight"}
_WAITS = {
    "die": "A die of {who} is due.",
    "choice": "{who} has to decide.",
    "reaction": "{who} may react.",
}


def action_does(encounter: Encounter, likely: "LikelyAction") -> str:
    """Return what an action does: `attack Mira, spear`."""
    names = [encounter.combatants[who].name for who in likely.targets if who in encounter.combatants]
    action = encounter.game.action(likely.action)
    title = action.title.casefold() if action else _FLIGHT.get(likely.action, spoken(likely.action))
    return printable(", ".join([f"{title} {several(names)}".strip(), *map(spoken, likely.options)]))


def planned_does(encounter: Encounter, planned: "PlannedAction") -> str:
    """Return what a planned action does, and at the end of whose turn: `attack Mira, tail, after Okado`."""
    after = encounter.combatants.get(planned.after)
    does = action_does(encounter, planned.likely)
    return f"{does}, after {printable(after.name)}" if after is not None else does


def odds_words(likely: "LikelyAction") -> str:
    """Return the odds of an action: `65%, drops 12%`; "" if it has none."""
    works = [percent(likely.works)] if likely.works is not None else []
    drops = [f"drops {percent(likely.drops)}"] if likely.drops else []
    return ", ".join([*works, *drops])


def plan_lines(encounter: Encounter, plan: "EnemyPlan") -> Iterator[str]:
    """Yield a line for each action of a plan, and for each creature that has nothing to do."""
    own = [planned.who for planned in plan.actions if not planned.after]
    idle = [who for who in plan.due if who not in own]
    for planned in plan.actions:
        odds = odds_words(planned.likely)
        name = printable(encounter.combatants[planned.who].name)
        yield f"{name}: {planned_does(encounter, planned)}{f': {odds}' if odds else ''}."
    yield from (f"{printable(encounter.combatants[who].name)}: {NOTHING}." for who in idle)


def waits_words(encounter: Encounter, of: str, kind: str) -> str:
    """Return why a plan waits, as a sentence."""
    combatant = encounter.combatants.get(of)
    return _WAITS[kind].format(who=printable(combatant.name) if combatant else "the game master")


def plan_heading(temper: str, width: int) -> Row:
    """Return the heading of a plan, over the columns of its rows."""
    title = fitted(f" The enemy's plan · {temper}", max(0, min(width, _WIDEST) - 2 * _ODDS - 1))
    return [(title, "strong accent"), (f"{'works':>{_ODDS}}{'drops':>{_ODDS}}", "muted")]


def plan_row(encounter: Encounter, planned: "PlannedAction", width: int, *, cursor: bool) -> Row:
    """Return the row of one planned action."""
    own = encounter.combatants[planned.who]
    name = _NAME if width >= _ROOMY else _SHORT_NAME
    room = max(8, min(width, _WIDEST) - _TAG - name - 2 * _ODDS - 2)
    likely = planned.likely
    works, drops = percent(likely.works), percent(likely.drops)
    row: Row = [
        (f" {own.tag:>2} ", "muted"),
        (f"{fitted(printable(own.name), name)} ", ""),
        (fitted(planned_does(encounter, planned), room), ""),
        (f"{works:>{_ODDS}}", "strong"),
        (f"{drops:>{_ODDS}}", "danger" if likely.drops else "muted"),
    ]
    return under_cursor(row, width) if cursor else row


def likely_rows(encounter: Encounter, found: "Sequence[LikelyAction]", cells: int) -> list[Row]:
    """Return a heading, and a row for what each of the next combatants would most likely do."""
    rows: list[Row] = []
    for likely in found:
        own = encounter.combatants.get(likely.who)
        if own is not None:
            odds, name = odds_words(likely), cut(printable(own.name), _NAME)
            end = f"  {odds}" if odds else ""
            does = cut(action_does(encounter, likely), max(0, cells - len(name) - len(end) - 3))
            rows.append([(f" {name}: ", "strong"), (does, ""), (end, "muted")])
    return [[(" Most likely next", "muted")], *rows] if rows else []
