"""The prompt that lists all actions of the game by group, below what is on offer."""

from collections.abc import Sequence

from systems.commands.actions import typed_options
from systems.contract.ruleset import Action
from systems.encounter.model import Combatant, Offer
from systems.errors import Wrong
from tui.lists.possible_targets import PossibleTargets
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.prompts.offer_odds import OfferOdds
from tui.prompts.prepare import prepare, take
from tui.services import Services

GROUPS = ("combat", "check", "turn", "health", "camp")
# So many targets are tried before an action counts as refused.
MOST_TRIED = 12


class ActionsPrompt(LinePrompt):
    """`x`: type a part of the name, Enter; targets and options are asked next.

    `actor`: whose actions they are. What the rules refuse stands last, dimmed, with the reason.
    """

    ENTER = "choose it"
    label = "action"

    def __init__(self, services: Services, actor: Combatant | None) -> None:
        super().__init__(services)
        self.actor = actor
        self._odds = OfferOdds()
        self._reasons: dict[str, str] | None = None

    def title(self) -> str:
        return (
            f"{self.actor.name if self.actor else 'Nobody has the turn'}: all actions · type to filter, Enter"
        )

    def wanted_rows(self, width: int) -> int:
        """As many as there are actions and offers, also while only some of them are listed."""
        shown = [action for action in self.source.game.actions if action.group in GROUPS]
        return 2 + len(shown) + len(self.source.encounter.offers)

    def suggest(self) -> Sequence[Suggestion]:
        source = self.source
        typed = self.line.text.strip().casefold()
        offers = [
            Suggestion(f"={at}", f"offer  {offer.command}", self._about(offer), "accent")
            for at, offer in enumerate(source.encounter.offers)
            if offer.command and typed in offer.command.casefold()
        ]
        grouped = [action for group in GROUPS for action in source.game.actions if action.group == group]
        known = sorted(grouped, key=lambda action: bool(self._refused(action)))
        first = [action for action in known if self._begins(action.name, typed)]
        others = [
            action
            for action in known
            if typed and typed in f"{action.name} {action.title} {action.group} {action.help}".casefold()
        ]
        names = {action.name for action in (*first, *others)}
        shown = [action for action in known if action.name in names]
        groups = ["", *(action.group for action in shown)]
        # A group is named once, above those that follow in it.
        rows = [
            self._row(action, action.group != group) for action, group in zip(shown, groups, strict=False)
        ]
        return [*offers, *rows]

    def _about(self, offer: Offer) -> str:
        """Return the odds of an offer before its sentence: the command says who and whom."""
        odds = self._odds.words(self.source, offer)
        return f"{odds} · {offer.says}" if odds else offer.says

    def _row(self, action: Action, begins_group: bool) -> Suggestion:
        key, refused = self.services.action_key_names.get(action.name), self._refused(action)
        group = action.group if begins_group else ""
        name = f"{group:<7}{action.title}{f' ({key})' if key else ''}"
        return Suggestion(action.name, name, refused or action.help, "muted" if refused else "")

    def _refused(self, action: Action) -> str:
        """Return why the rules refuse an action now, against any target; "" where they do not."""
        if self._reasons is None:
            self._reasons = {known.name: self._reason(known) for known in self.source.game.actions}
        return self._reasons[action.name]

    def _reason(self, action: Action) -> str:
        source, actor = self.source, self.actor
        if actor is None or action.group == "hook":
            return ""
        try:
            options = typed_options(action, {})
        except Wrong:  # one has to be given
            return ""
        aims: list[str | None] = [None]
        if action.targets in ("one", "many"):
            possible = PossibleTargets(source, action, actor).everybody[:MOST_TRIED]
            aims = [target.id for target in possible if target]
        reasons: list[str] = []
        for aim in aims:
            reasons.append(source.refusal(action, actor.id, aim, options))
            if not reasons[-1]:
                return ""
        return next(iter(reasons), "nobody is here to aim at")

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
            take(self.services, source.encounter.offers[int(chosen.text[1:])], self)
            return
        action = source.game.action(chosen.text)
        if action is not None:
            prepare(self.services, action, actor=self.actor, asked_by=self)

    def _picked(self, found: Sequence[Suggestion]) -> int:
        """The index of the chosen suggestion, else of the one whose name is typed, else the first."""
        if self.chosen is not None:
            return self.chosen
        typed = self.line.text.strip().casefold()
        starts = [at for at, suggestion in enumerate(found) if typed and self._begins(suggestion.text, typed)]
        return min(starts, key=lambda at: len(found[at].text)) if starts else 0
