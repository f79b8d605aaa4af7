"""All actions of the game, by kind, and first of all what is on offer."""

from collections.abc import Sequence

from systems.contract.ruleset import Action
from systems.schema.fields import fields_of
from tui.prompts.line import LinePrompt, Reading, Suggestion

GROUPS = ("combat", "check", "turn", "health", "camp")


class ActionsPrompt(LinePrompt):
    """`x`: type a part of the name, Enter; targets and options are asked next."""

    label = "action"

    def title(self) -> str:
        actor = self.app.actor()
        return f"{actor.name if actor else 'Nobody has the turn'}: all actions · type to filter, Enter"

    def suggest(self) -> Sequence[Suggestion]:
        session = self.app.session
        assert session is not None
        typed = self.line.text.strip().casefold()
        offers = [
            Suggestion(f"={at}", f"offer  {one.command}", one.says, "accent")
            for at, one in enumerate(session.encounter.offers)
            if one.command and typed in one.command.casefold()
        ]
        known = [one for group in GROUPS for one in session.game.actions if one.group == group]
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
            self.app.say("no action is called that", error=True)
            return
        session = self.app.session
        assert session is not None
        one = found[min(self._picked(found), len(found) - 1)]
        self.close()
        if one.text.startswith("="):
            from tui.prompts.open import take

            take(self.app, session.encounter.offers[int(one.text[1:])])
            return
        action = session.game.action(one.text)
        if action is not None:
            self.app.prepare(action)

    def _picked(self, found: Sequence[Suggestion]) -> int:
        """The chosen one, else the one whose name is typed, else the first."""
        if self.chosen is not None:
            return self.chosen
        typed = self.line.text.strip().casefold()
        starts = [at for at, one in enumerate(found) if typed and one.text.startswith(typed)]
        return min(starts, key=lambda at: len(found[at].text)) if starts else 0


def asks_nothing(action: Action) -> bool:
    """Whether an action can be done without any question."""
    return action.targets == "none" and not fields_of(action.options)
