"""All actions of the game, by kind, and first of all what is on offer."""

from collections.abc import Sequence

from systems.contract.ruleset import Action
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.prompts.targets import prepare, take

GROUPS = ("combat", "check", "turn", "health", "camp")


class ActionsPrompt(LinePrompt):
    """`x`: type a part of the name, Enter; targets and options are asked next."""

    label = "action"

    def title(self) -> str:
        actor = self.services.actor
        return f"{actor.name if actor else 'Nobody has the turn'}: all actions · type to filter, Enter"

    def suggest(self) -> Sequence[Suggestion]:
        source = self.source
        typed = self.line.text.strip().casefold()
        offers = [
            Suggestion(f"={at}", f"offer  {one.command}", one.says, "accent")
            for at, one in enumerate(source.encounter.offers)
            if one.command and typed in one.command.casefold()
        ]
        known = [one for group in GROUPS for one in source.game.actions if one.group == group]
        first = [one for one in known if one.name.startswith(typed)]
        others = [one for one in known if typed and typed in f"{one.name} {one.group} {one.help}".casefold()]
        actions = dict.fromkeys(one.name for one in (*first, *others))
        return [*offers, *(self._row(one) for one in known if one.name in actions)]

    def _row(self, one: Action) -> Suggestion:
        return Suggestion(one.name, f"{one.group:<7}{one.name.replace('_', ' ')}", one.help)

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
        one = found[min(self._picked(found), len(found) - 1)]
        self.close()
        if one.text.startswith("="):
            take(self.services, source.encounter.offers[int(one.text[1:])])
            return
        action = source.game.action(one.text)
        if action is not None:
            prepare(self.services, action)

    def _picked(self, found: Sequence[Suggestion]) -> int:
        """The chosen one, else the one whose name is typed, else the first."""
        if self.chosen is not None:
            return self.chosen
        typed = self.line.text.strip().casefold()
        starts = [at for at, one in enumerate(found) if typed and one.text.startswith(typed)]
        return min(starts, key=lambda at: len(found[at].text)) if starts else 0
