"""Answers about an action at the table, with odds worked out a few at a time, so that no key has to wait."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any

from systems.commands.fights import reads_alike
from systems.commands.preview import Preview
from systems.contract.action import Action
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused, Wrong
from systems.frozen import frozen
from systems.language.intents import Command
from systems.odds import TooManyDice
from systems.schema.fields import target_options
from tui.display.odds_page import odds_rows, odds_title
from tui.lists.prepared_action import PreparedAction
from tui.lists.target_answers import TargetAnswers, TargetOdds, meant_instead, with_choices_of
from tui.lists.target_list import Asked, TargetList
from tui.services import Services

# Seconds: before the first paint, between two keys, and the pause that lets a key in.
AT_ONCE, SLICE, PAUSE = 0.005, 0.005, 0.001
MOST_ALIKE = 8


@frozen
class _Known:
    """The odds against one target, to be used for others like it. `earlier`: the targets before it."""

    target: Combatant
    earlier: tuple[str, ...]
    options: Any
    found: Preview

    def fits(self, encounter: Encounter, other: Combatant, earlier: Sequence[str], options: Any) -> bool:
        """Return whether the odds against the other target are the same."""
        mine = self.target
        return (
            mine.sheet == other.sheet
            and mine.conditions == other.conditions
            and self.earlier == earlier
            and self.options == options
            and (not self.found.reads or reads_alike(encounter, self.found.reads, mine.id, other.id))
        )


class OddsWorker(TargetOdds):
    """Odds that are worked out in slices, so that no key waits; `ready` is called when more are known."""

    def __init__(
        self,
        services: Services,
        action: Action,
        actor: str,
        options_for: Callable[[str], Any],
        own_preview: Callable[[str | None, Any], Preview] | None = None,
        *,
        ready: Callable[[], None],
    ) -> None:
        assert services.source is not None
        super().__init__(services.source, action, actor, options_for, own_preview)
        self._program, self._ready = services.program, ready
        self._wanted: list[str] = []
        self._alike: list[_Known] = []
        self._running = False
        self.stopped = False

    def want(self, targets: Iterable[str]) -> None:
        """Work out the odds against these targets: briefly at once, then in slices between keys."""
        self._wanted = [target for target in targets if self.of(target) is None]
        if self._running:
            return
        self._work(AT_ONCE)
        self._go_on()

    def _go_on(self) -> None:
        """Work out the rest, after any waiting keys."""
        self._running = bool(self._wanted)
        if self._running:
            self._program.set_timer(PAUSE, self._slice)

    def _work(self, budget: float) -> None:
        until = perf_counter() + budget
        while self._wanted and perf_counter() < until:
            self.work_out(self._wanted.pop(0))

    def _slice(self) -> None:
        if self.stopped or not self._wanted:
            self._running = False
            return
        try:
            self._work(SLICE)
        except Exception as error:  # noqa: BLE001 - odds that fail do not end the program
            self._wanted = []
            self._program.handle_error(error)
        self._ready()
        self._go_on()

    def odds(self, target: str, options: Any, earlier: Sequence[str], aims: Sequence[str]) -> Preview | str:
        encounter = self.source.encounter
        combatant = encounter.combatants[target or self.actor]
        # A target that an option names is unlike any other.
        marked = any(getattr(options, name, None) for name in target_options(self.action.options))
        is_alone = not target or marked or len(aims) > 1
        for known in self._alike[-MOST_ALIKE:] if not is_alone else ():
            # Guard 2 has the same odds as Guard 1 if both have the same stats and the same neighbours.
            if known.fits(encounter, combatant, earlier, options):
                return known.found
        found = super().odds(target, options, earlier, aims)
        if not is_alone and isinstance(found, Preview) and not found.refused:
            self._alike.append(_Known(combatant, tuple(earlier), options, found))
        return found


def show_odds(services: Services, action: Action, actor: Combatant, target: str | None, options: Any) -> None:
    """Show the distribution of an action's results on a page. `options`: as the action takes them."""
    source = services.source
    assert source is not None
    try:
        odds = source.preview(action, actor.id, target, options)
    except (TooManyDice, Wrong, Refused) as error:
        services.say(str(error), error=True)
        return
    encounter = source.encounter
    aimed = encounter.combatants.get(target or "")
    title = odds_title(actor, action, aimed)
    services.open_page(title, lambda cells: odds_rows(encounter, action, aimed, odds, cells))


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
        self._first = (marked, cursor.id if cursor and cursor is not actor else "")
        self.prepared = PreparedAction(self.source, action, actor, given, self._first)
        self.changed: Callable[[], None] = lambda: None
        self.command: Command | None = None
        self._asked: Asked | None = None
        self._workers: list[OddsWorker] = []
        self._answers = self._answers_of(self.prepared)
        # The answers for other actions that the options have meant, by name.
        self._others: dict[str, TargetAnswers] = {}

    def _answers_of(self, prepared: PreparedAction) -> TargetAnswers:
        services, action = self.services, prepared.action
        actor, ready = prepared.actor.id, self._more_is_known

        def preview_of(who: str | None, options: tuple[object, str]) -> Preview:
            return self.source.preview(action, who or actor, options[1] or None, options[0])

        def options_of_each(who: str) -> tuple[object, str] | None:
            # The odds of the actors against another target are others, even with the same options.
            options = prepared.options_for(prepared.subject)
            return None if options is None else (options, prepared.subject)

        odds = OddsWorker(services, action, actor, prepared.options_for, ready=ready)
        each = OddsWorker(services, action, actor, options_of_each, preview_of, ready=ready)
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
        self.command = answers.command
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
