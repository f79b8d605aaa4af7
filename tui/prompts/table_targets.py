"""What the question about an action shows at the table: worked out at once from the open fight."""

from collections.abc import Callable, Mapping, Sequence

from systems.commands.preview import Preview
from systems.contract.ruleset import Action
from systems.encounter.model import Combatant
from tui.lists.possible_targets import is_usual
from tui.lists.prepared_action import PreparedAction
from tui.lists.target_answers import TargetAnswers
from tui.lists.target_list import Asked, TargetList
from tui.prompts.odds_worker import OddsWorker, show_odds
from tui.services import Services


class TableTargets:
    """Answers for one action and actor.

    `given`: options that are filled in. `marked`: the id of the target to begin with. `changed` is called
    when more odds are known.
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
        # Who helps friends is under the cursor as it has the turn, and means itself no sooner than another.
        is_meant = cursor and is_usual(action, actor, cursor) and not (action.friends and cursor is actor)
        first = (marked, cursor.id if cursor and is_meant else "")
        self.prepared = PreparedAction(self.source, action, actor, given, first)
        self.changed: Callable[[], None] = lambda: None
        self._asked: Asked | None = None
        self._answers = self._new_answers()

    def _new_answers(self) -> TargetAnswers:
        prepared, services, action = self.prepared, self.services, self.action
        actor, ready = prepared.actor.id, self._more_is_known
        self._odds = OddsWorker(services, action, actor, prepared.options_for, ready=ready)
        self._each = OddsWorker(
            services, action, actor, lambda who: prepared.options_for(""), self._preview_of, ready=ready
        )
        return TargetAnswers(prepared, self._odds, self._each)

    def _more_is_known(self) -> None:
        self.changed()

    def _preview_of(self, who: str | None, options: object, earlier: Sequence[str]) -> Preview:
        return self.source.preview(self.action, who or self.prepared.actor.id, None, options)

    def show(self, asked: Asked) -> TargetList:
        """Return the answer, with the odds as far as they are known."""
        self._asked = asked
        if self.prepared.keep_up():
            # The odds of the fight as it was count no more.
            self.stop()
            self._answers = self._new_answers()
        return self._answers.answer(asked)

    def is_known(self, asked: Asked) -> bool:
        """Return whether the newest answer is to this, in the fight as it is now."""
        return asked is self._asked and self.prepared.encounter is self.source.encounter

    def begin(self) -> None:
        """Go on working out odds."""
        self._odds.stopped = self._each.stopped = False

    def stop(self) -> None:
        """Work out no more odds."""
        self._odds.stopped = self._each.stopped = True

    def plot(self, asked: Asked) -> None:
        """Show the odds in full, or say why there are none."""
        prepared = self.prepared
        prepared.take(asked)
        options = prepared.options_for(prepared.subject)
        if options is None:
            self.services.say(prepared.wrong or "an option is missing", error=True)
        else:
            show_odds(self.services, self.action, prepared.actor, prepared.subject or None, options)
