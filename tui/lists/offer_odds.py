"""The odds of offers, in the words shown after each offer."""

from typing import TYPE_CHECKING

from systems.commands.actions import typed_options
from systems.contract.table import WrongChoice
from systems.errors import Refused, Wrong
from systems.odds import TooManyDice
from tui.display.odds import odds_sentence

if TYPE_CHECKING:
    from systems.encounter.model import Combatant, Offer
    from tui.services import ActionSource

_MOST_KEPT = 16


class OfferOdds:
    """The odds of offers in words, cached while the command and its combatants stay the same."""

    def __init__(self) -> None:
        self._house: object = None
        self._kept: dict[str, tuple[Combatant | None, Combatant | None, str]] = {}

    def words(self, source: "ActionSource", offer: "Offer") -> str:
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


def _worked_out(source: "ActionSource", offer: "Offer") -> str:
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
