"""The odds of an action as text for a seat, limited by the table's setting."""

from collections.abc import Callable, Iterator

from rich.cells import cell_len

from systems.commands.preview import Preview
from systems.contract.action import Action
from systems.encounter.model import Encounter
from systems.text import clean, plain_number
from systems.visibility.line_help import OwnNumbers, exact_odds, own_numbers, typed_action
from systems.visibility.viewer import Shown, Viewer
from tui.display.odds import odds_sentence
from tui.display.text import Row, fitted

_LONGEST = 200


def line_odds(
    encounter: Encounter, viewer: Viewer, shown: Shown, line: str, in_time: Callable[[], bool]
) -> str:
    """Return the odds of a typed line's action. More targets are calculated while `in_time` returns true."""
    # The last word may be incomplete.
    whole = line.rpartition(" ")[0]
    match shown.odds:
        case "own":
            figures = own_numbers(encounter, viewer, line) or own_numbers(encounter, viewer, whole)
            return own_words(figures) if figures else ""
        case "exact":
            typed = line if typed_action(encounter, viewer, line) else whole
            found = list(_exact(encounter, viewer, typed, in_time))
            return found[0] if len(found) == 1 else ""
    return ""


def own_words(figures: OwnNumbers) -> str:
    """Return the actor's own numbers as text: `melee 53, hurt −10: 43 · 15 to 60 on a success`."""
    if figures.refused:
        return clean(figures.refused, _LONGEST)
    parts = [own_terms(figures) if figures.terms else "", _amount(figures)]
    return clean(" · ".join(part for part in parts if part), _LONGEST)


def own_rows(figures: OwnNumbers, *, has_target: bool) -> list[Row]:
    """Return the actor's own numbers in full: each term, the total, and the amount of a success."""
    if figures.refused:
        return [[(clean(figures.refused, _LONGEST), "warning")]]
    terms = [(clean(term.label, 40), plain_number(term.value)) for term in figures.terms]
    if len(terms) > 1:
        terms.append(("together", plain_number(sum(term.value for term in figures.terms))))
    label = max((cell_len(name) for name, _ in terms), default=0)
    value = max((cell_len(number) for _, number in terms), default=0)
    rows: list[Row] = [
        [
            (
                f"{fitted(name, label)}  {fitted(number, value, right=True)}",
                "strong" if name == "together" else "",
            )
        ]
        for name, number in terms
    ]
    if amount := _amount(figures):
        rows.append([(amount, "strong")])
    if has_target:
        rows.append([("This table does not show the target's numbers.", "muted")])
    return rows


def _amount(figures: OwnNumbers) -> str:
    """Return the range of a success as text: `15 to 60 on a success`, or "" without an amount."""
    if figures.least is None or figures.most is None:
        return ""
    least, most = figures.least, figures.most
    return f"{least if least == most else f'{least} to {most}'} on a success"


def own_terms(figures: OwnNumbers) -> str:
    """Return the terms and their total as text: `melee 53, hurt −10: 43`, or "" without terms."""
    terms = ", ".join(f"{clean(term.label, 40)} {plain_number(term.value)}" for term in figures.terms)
    total = plain_number(sum(term.value for term in figures.terms))
    return f"{terms}: {total}" if len(figures.terms) > 1 else terms


def _exact(encounter: Encounter, viewer: Viewer, line: str, in_time: Callable[[], bool]) -> Iterator[str]:
    found = typed_action(encounter, viewer, line)
    action = encounter.game.action(found[0].action) if found else None
    if action is None:
        return
    for _, odds in exact_odds(encounter, viewer, line):
        yield exact_words(action, odds)
        if not in_time():
            return


def exact_words(action: Action, odds: Preview) -> str:
    """Return the exact odds as text: `hit 75% · needs more than 48 · expected 9`."""
    return clean(odds_sentence(action, odds), _LONGEST)
