"""Work out the list of actions: all actions by group, and the offers with their odds."""

from collections.abc import Callable, Mapping

from systems.commands.actions import typed_options
from systems.commands.offers import alike, question_of
from systems.contract.action import Action
from systems.contract.table import WrongChoice
from systems.encounter.completion import lacking
from systems.encounter.model import Combatant, Offer
from systems.errors import Refused, Wrong
from systems.odds import TooManyDice
from systems.schema.fields import Field, fields_of
from systems.schema.types import Choice
from systems.text import listed
from tui.display.frame import offer_does
from tui.display.odds import odds_sentence
from tui.lists.action_list import ActionRow, OfferRow
from tui.lists.given_options import given_out_of_turn, lacks_words
from tui.lists.possible_targets import PossibleTargets
from tui.services import ActionSource
from tui.terminal.program_log import log_error

GROUPS = ("combat", "check", "turn", "health", "camp")
# Targets that are tried before an action counts as refused.
MOST_TRIED = 12
_MOST_KEPT = 16


def action_rows(
    source: ActionSource,
    actor: Combatant | None,
    keys: Mapping[str, str],
    in_time: Callable[[], bool] = lambda: True,
) -> tuple[ActionRow, ...]:
    """Return a row for each action, by group; actions that the rules refuse come last.

    `keys`: the key of an action by its name. Refusals are worked out only while `in_time()` is true.
    """
    actions = [action for group in GROUPS for action in source.game.actions if action.group == group]
    rows = [
        ActionRow(
            action.name,
            action.group,
            action.title,
            action.help,
            keys.get(action.name, ""),
            refusal_of(source, actor, action) if actor is not None and in_time() else "",
        )
        for action in actions
    ]
    return tuple(sorted(rows, key=lambda row: bool(row.refused)))


def offers_of(source: ActionSource, odds: Callable[[Offer], str]) -> tuple[OfferRow, ...]:
    """Return a row for each offer, and one for all choices of a reaction.

    `odds` returns the odds of an offer in words.
    """
    encounter = source.encounter
    found: list[OfferRow] = []
    listed_in: list[Offer] = []
    for at, offer in enumerate(encounter.offers):
        if offer in listed_in:
            continue
        together = alike(encounter, offer) if offer.reaction else (offer,)
        does = [offer_does(each, encounter) for each in together if each.command]
        if len(together) > 1:
            listed_in += together
            called = question_of(encounter, together)
            found.append(OfferRow(str(offer.command), listed(does, "or"), "", called, at))
        elif offer.command:
            found.append(OfferRow(offer.command, offer.says, odds(offer), does[0], at))
        else:
            found.append(OfferRow("", offer.says, at=at))
    return tuple(found)


def refusal_of(source: ActionSource, actor: Combatant, action: Action) -> str:
    """Return why the rules refuse an action now, whatever its target; "" if they allow it.

    If the action is a choice, such as a last breath, each of its values is tried.
    """
    if lacks := lacking(actor.sheet, action.options):
        return lacks_words(actor, lacks)
    given = given_out_of_turn(source.encounter, action, [actor.id])
    reasons: list[str] = []
    for chosen in _choices(action, given):
        reasons.append(_refusal_with(source, actor, action, {**given, **chosen}))
        if not reasons[-1]:
            return ""
    return next(iter(reasons), "")


def is_asked_for_first(action: Action, actor: Combatant) -> bool:
    """Return whether to look for a refusal before asking about the action.

    True for an action that is nothing but a choice, and for one that needs an entry that the actor lacks.
    """
    is_a_choice = action.targets == "none" and _needed_choice(action, {}) is not None
    return is_a_choice or bool(lacking(actor.sheet, action.options))


def _needed_choice(action: Action, given: Mapping[str, str]) -> tuple[Field, Choice] | None:
    """Return the only missing option and its type, if it is a choice between a few words; else None."""
    needed = [
        field for field in fields_of(action.options).values() if field.needed and field.name not in given
    ]
    kind = needed[0].type if len(needed) == 1 else None
    return (needed[0], kind) if isinstance(kind, Choice) else None


def _choices(action: Action, given: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the options to try, one mapping for each value of a needed choice."""
    if found := _needed_choice(action, given):
        field, kind = found
        return [{field.name: value} for value in kind.values]
    return [{}]


def _refusal_with(source: ActionSource, actor: Combatant, action: Action, given: Mapping[str, str]) -> str:
    try:
        options = typed_options(action, given)
    except Wrong:  # another option has to be given
        return ""
    aims: list[str | None] = [None]
    if action.targets in ("one", "many"):
        friends = action.is_for_friends(actor.sheet, options)
        possible = PossibleTargets(source, action, actor, friends=friends).everybody[:MOST_TRIED]
        aims = [target.id for target in possible if target]
    reasons: list[str] = []
    for aim in aims:
        try:
            reasons.append(source.refusal(action, actor.id, aim, options))
        except Exception as error:  # noqa: BLE001 - a faulty rule is reported when the action is carried out; the list is still shown
            log_error(f"{action.name} cannot be tried", error)
            return ""
        if not reasons[-1]:
            return ""
    return next(iter(reasons), "there are no targets")


class OfferOdds:
    """The odds of offers in words, cached while the command and its combatants stay the same."""

    def __init__(self) -> None:
        self._house: object = None
        self._kept: dict[str, tuple[Combatant | None, Combatant | None, str]] = {}

    def words(self, source: ActionSource, offer: Offer) -> str:
        """Return `hit 45% · expected 2.1`; "" for an offer without odds or with an open target."""
        if self._house is not source.encounter.house:
            self._house, self._kept = source.encounter.house, {}
        people = source.encounter.combatants
        by, target = people.get(offer.by or ""), people.get(offer.target or "")
        kept = self._kept.get(offer.command or "")
        if kept is None or kept[0] is not by or kept[1] is not target:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            kept = (by, target, _worked_out(source, offer) if by is not None else "")
            self._kept[offer.command or ""] = kept
        return kept[2]


def _worked_out(source: ActionSource, offer: Offer) -> str:
    """Return the odds of an offer in words, worked out as for the action itself."""
    action = source.game.action(offer.action or "")
    if action is None or (action.targets in ("one", "many") and not offer.target):
        return ""
    target = offer.target if action.targets != "none" else None
    try:
        options = typed_options(action, offer.options)
        return odds_sentence(action, source.preview(action, str(offer.by), target, options))
    except (TooManyDice, WrongChoice, Refused, Wrong):
        return ""
