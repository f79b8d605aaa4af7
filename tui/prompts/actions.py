"""The prompt that lists all actions of the game by group, below what is on offer."""

from collections.abc import Sequence

from systems.contract.ruleset import Action
from systems.encounter.model import Offer
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.prompts.offer_odds import OfferOdds
from tui.prompts.targets import prepare, take
from tui.services import Services

GROUPS = ("combat", "check", "turn", "health", "camp")


class ActionsPrompt(LinePrompt):
    """`x`: type a part of the name, Enter; targets and options are asked next."""

    label = "action"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._odds = OfferOdds()

    def title(self) -> str:
        actor = self.services.actor
        return f"{actor.name if actor else 'Nobody has the turn'}: all actions · type to filter, Enter"

    def suggest(self) -> Sequence[Suggestion]:
        source = self.source
        typed = self.line.text.strip().casefold()
        offers = [
            Suggestion(f"={at}", f"offer  {offer.command}", self._about(offer), "accent")
            for at, offer in enumerate(source.encounter.offers)
            if offer.command and typed in offer.command.casefold()
        ]
        known = [action for group in GROUPS for action in source.game.actions if action.group == group]
        first = [action for action in known if self._begins(action.name, typed)]
        others = [
            action
            for action in known
            if typed and typed in f"{action.name} {action.title} {action.group} {action.help}".casefold()
        ]
        actions = dict.fromkeys(action.name for action in (*first, *others))
        return [*offers, *(self._row(action) for action in known if action.name in actions)]

    def _about(self, offer: Offer) -> str:
        """Return the odds of an offer before its sentence: the command says who and whom."""
        odds = self._odds.words(self.source, offer)
        return f"{odds} · {offer.says}" if odds else offer.says

    def _row(self, action: Action) -> Suggestion:
        return Suggestion(action.name, f"{action.group:<7}{action.title}", action.help)

    def _begins(self, name: str, typed: str) -> bool:
        action = self.source.game.action(name)
        return action is not None and (name.startswith(typed) or action.title.casefold().startswith(typed))

    def read(self) -> Reading:
        return Reading(
            says=f"{len(self.suggestions)} of them" if self.suggestions else "nothing is called that"
        )

    def choose(self, by: int) -> None:
        super().choose(by)

    def tab(self) -> None:
        self.choose(1)

    def enter(self) -> None:
        found = self.suggestions
        if not found:
            self.services.say("no action is called that", error=True)
            return
        source = self.source
        chosen = found[min(self._picked(found), len(found) - 1)]
        self.close()
        if chosen.text.startswith("="):
            take(self.services, source.encounter.offers[int(chosen.text[1:])])
            return
        action = source.game.action(chosen.text)
        if action is not None:
            prepare(self.services, action)

    def _picked(self, found: Sequence[Suggestion]) -> int:
        """The index of the chosen suggestion, else of the one whose name is typed, else the first."""
        if self.chosen is not None:
            return self.chosen
        typed = self.line.text.strip().casefold()
        starts = [at for at, suggestion in enumerate(found) if typed and self._begins(suggestion.text, typed)]
        return min(starts, key=lambda at: len(found[at].text)) if starts else 0
