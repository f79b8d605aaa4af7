"""The contents of a question about an action at the table, worked out at once."""

from collections.abc import Callable, Mapping, Sequence

from systems.commands.preview import Preview
from systems.contract.ruleset import Action
from systems.encounter.model import Combatant
from tui.lists.prepared_action import PreparedAction, is_usual
from tui.lists.target_answers import TargetAnswers, meant_instead, with_choices_of
from tui.lists.target_list import Asked, TargetList
from tui.prompts.odds_worker import OddsWorker, show_odds
from tui.services import Services


class TableTargets:
    """Answers for one action and actor, or for the action that the chosen options mean instead.

    `given`: options to fill in. `marked`: the id of the target to begin with. `changed` is called when more
    odds are known.
    """

    def __init__(
        self,
        services: Services,
        action: Action,
        actor: Combatant,
        given: Mapping[str, str] | None = None,
        marked: str = "",
    ) -> None:
        assert services.source is not None
        self.services, self.source, self.action = services, services.source, action
        cursor = services.under_cursor
        # A healer is under the cursor because it has the turn. It is no likelier target than its friends.
        is_meant = cursor and is_usual(action, actor, cursor) and not (action.friends and cursor is actor)
        self._first = (marked, cursor.id if cursor and is_meant else "")
        self.prepared = PreparedAction(self.source, action, actor, given, self._first)
        self.changed: Callable[[], None] = lambda: None
        self._asked: Asked | None = None
        self._workers: list[OddsWorker] = []
        self._answers = self._answers_of(self.prepared)
        # The answers for other actions that the options have meant, by name.
        self._others: dict[str, TargetAnswers] = {}

    def _answers_of(self, prepared: PreparedAction) -> TargetAnswers:
        services, action = self.services, prepared.action
        actor, ready = prepared.actor.id, self._more_is_known

        def preview_of(who: str | None, options: object, earlier: Sequence[str]) -> Preview:
            return self.source.preview(action, who or actor, None, options)

        odds = OddsWorker(services, action, actor, prepared.options_for, ready=ready)
        each = OddsWorker(
            services, action, actor, lambda who: prepared.options_for(""), preview_of, ready=ready
        )
        self._workers += [odds, each]
        return TargetAnswers(prepared, odds, each)

    def _more_is_known(self) -> None:
        self.changed()

    def _meant(self, asked: Asked) -> tuple[TargetAnswers, Asked]:
        """Return the answers for the action that the options mean, and the question about it."""
        found = meant_instead(self.prepared, asked)
        if found is None:
            return self._answers, asked
        action, asked = found
        if action.name not in self._others:
            prepared = PreparedAction(self.source, action, self.prepared.actor, first=self._first)
            self._others[action.name] = self._answers_of(prepared)
        return self._others[action.name], asked

    def show(self, asked: Asked) -> TargetList:
        """Return the answer, with the odds known so far."""
        self._asked = asked
        if self.prepared.keep_up():
            # The odds of an earlier state of the encounter no longer count.
            self.stop()
            self._workers, self._others = [], {}
            self._answers = self._answers_of(self.prepared)
        answers, meant = self._meant(asked)
        found = answers.answer(meant)
        return found if answers is self._answers else with_choices_of(self.prepared, found)

    def is_known(self, asked: Asked) -> bool:
        """Return whether the newest answer is for this question in the current state of the encounter."""
        return asked is self._asked and self.prepared.encounter is self.source.encounter

    def begin(self) -> None:
        """Continue working out odds."""
        for worker in self._workers:
            worker.stopped = False

    def stop(self) -> None:
        """Stop working out odds."""
        for worker in self._workers:
            worker.stopped = True

    def plot(self, asked: Asked) -> None:
        """Show the full odds, or say why there are none."""
        answers, asked = self._meant(asked)
        prepared = answers.prepared
        prepared.take(asked)
        options = prepared.options_for(prepared.subject)
        if options is None:
            self.services.say(prepared.wrong or "an option is missing", error=True)
        else:
            show_odds(self.services, prepared.action, prepared.actor, prepared.subject or None, options)
