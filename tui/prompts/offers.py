"""The question whose offer is taken, if several are one question or an offer is left from an earlier turn."""

from collections.abc import Callable, Sequence

from systems.commands.offers import question_of
from systems.encounter.model import Combatant, Offer
from systems.text import plain_word
from tui.display.frame import offer_does
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services


class OffersPrompt(LinePrompt):
    """Lists offers by combatant: a name or tag, or the arrows, then Enter takes that one."""

    ENTER = "take it"
    TAB = ""
    label = "who"

    def __init__(self, services: Services, offers: Sequence[Offer], take: Callable[[Offer], None]) -> None:
        super().__init__(services)
        self._offers, self._take = offers, take

    def title(self) -> str:
        return question_of(self.source.encounter, self._offers)

    def suggest(self) -> Sequence[Suggestion]:
        """List the combatants, by name or tag as typed."""
        typed = plain_word(self.line.text)
        found = []
        for at, offer in enumerate(self._offers):
            combatant = self._combatant(offer)
            if combatant is None:
                continue
            name, does = plain_word(combatant.name), offer_does(offer, self.source.encounter)
            if combatant.tag == typed or any(word.startswith(typed) for word in (name, *name.split("_"))):
                shown = f"{combatant.tag:>3} {combatant.name}"
                found.append(Suggestion(str(at), shown, does, "accent"))
        return found

    def _combatant(self, offer: Offer) -> Combatant | None:
        return self.source.encounter.combatants.get(offer.about or offer.by or "")

    def read(self) -> Reading:
        if not self.suggestions:
            return Reading(wrong="nobody in the list is called that")
        return Reading(says=f"{len(self.suggestions)} of {len(self._offers)}")

    def enter(self) -> None:
        found = self.suggestions
        if not found:
            self.services.say(self.read().wrong, error=True)
            self.refresh()
            return
        chosen = found[min(self.chosen or 0, len(found) - 1)]
        self.close()
        self._take(self._offers[int(chosen.text)])
