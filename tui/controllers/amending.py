"""Carry out `amend` in slices, so that keys still work, and show the changes before they are accepted."""

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any

import attrs

from systems.commands.dispatcher import Done
from systems.commands.replay import AmendmentConflict
from systems.dice.sources import Given
from systems.encounter.amendment import names_ever, names_of
from systems.encounter.changes import apply
from systems.encounter.history import Event
from systems.language.intents import Amend
from tui.controllers.command_runner import CommandRunner
from tui.controllers.long_work import without_garbage_collection
from tui.display.amendment import amendment_rows, amendment_sentence, with_later_events
from tui.display.refusals import not_carried_out
from tui.display.text import Row
from tui.prompts.amend import AmendmentPrompt, AmendPrompt, StrandedPrompt
from tui.prompts.progress import ProgressPrompt
from tui.session.attempt import Attempt, Needs
from tui.session.session import Session

if TYPE_CHECKING:
    from systems.commands.replay import ReplayProgress
    from tui.controllers.table import Table
    from tui.services import OpenPrompt

# Seconds of work in one slice, and seconds before the progress is shown.
SLICE, PATIENCE = 0.03, 0.25


class AmendRunner(CommandRunner):
    """Runs an amendment. From its prompt, or with `shows_first`, the changes are shown before they count."""

    def __init__(
        self,
        table: "Table",
        line: str,
        then: Callable[[Event], None] | None = None,
        asked_by: "OpenPrompt | None" = None,
        *,
        shows_first: bool = False,
    ) -> None:
        super().__init__(table, line, then, asked_by)
        self._accepted = not (shows_first or isinstance(asked_by, AmendPrompt))
        self._was_shown = not self._accepted
        self._found: Done | Needs | Exception | None = None
        self._steps: Iterator[ReplayProgress | Done | Needs] | None = None
        self._progress: ProgressPrompt | None = None
        # The dice and answers of the last attempt, if the next one needs the same.
        self._thrown: tuple[Sequence[Given], Sequence[Any]] = ((), ())

    def run(self, attempt: Attempt) -> Done | Needs:
        """Return the result of the slices. Raises the error that stopped them."""
        found, self._found = self._found, None
        if found is None:
            return attempt.run()
        if isinstance(found, Done | Needs):
            return found
        raise found

    def go(self) -> None:
        """Begin to carry out the events again. `_finish` handles the result."""
        session = self.table.session
        if session is not None and session.read_only:
            # Take the fight over before replaying, so that the preview comes before anything counts.
            session = self.table.background.take_over() or session
        if session is None or session.read_only or self._found is not None:
            super().go()
            return
        try:
            self.attempt = self.attempt or self._begun(session)
        except Exception as error:  # noqa: BLE001 - the base class explains each error
            self._finish(error)
            return
        self._steps = self.attempt.steps()
        self._slice(PATIENCE)

    def _begun(self, session: Session) -> Attempt:
        """Return the attempt, with the dice of the last preview of the same line. Raises Misread."""
        attempt = self.begin(session)
        faces, answers = self._thrown
        attempt.faces += faces
        attempt.answers += answers
        if not isinstance(self.asked_by, AmendPrompt):
            return attempt
        if not faces and self.line in self.asked_by.rolled:
            encounter, faces = self.asked_by.rolled[self.line]
            attempt.faces += faces if encounter is session.encounter else ()
        intent = attempt.command.intent
        if isinstance(intent, Amend) and self.asked_by.names_dice:
            # The faces in the line count even if the throw is for another reason now.
            meant = attrs.evolve(intent, any_reason=True)
            attempt.command = attrs.evolve(attempt.command, intent=meant)
        return attempt

    def _slice(self, seconds: float = SLICE) -> None:
        """Work until the slice is over, then let the program handle its keys."""
        steps, until = self._steps, monotonic() + seconds
        if steps is None:
            return
        try:
            with without_garbage_collection():
                step = next(step for step in steps if isinstance(step, Done | Needs) or monotonic() > until)
        except Exception as error:  # noqa: BLE001 - the base class explains each error
            self._finish(error)
            return
        if isinstance(step, Done | Needs):
            self._finish(step)
        else:
            self._show_progress(step)
            self.services.program.set_timer(0.001, self._slice)

    def _show_progress(self, progress: "ReplayProgress") -> None:
        if self._progress is None:
            self._progress = ProgressPrompt(self.services, "Replaying the later events", self._stop)
            self.services.prompts.open(self._progress)
        self._progress.done, self._progress.count = progress.done, progress.count
        self._progress.refresh()

    def _stop(self) -> None:
        """Stop without changing anything."""
        self._steps = None
        if self._progress is not None:
            self._progress.close()
            self._progress = None
        self._leave()
        self.services.say(not_carried_out(self.line))

    def _leave(self) -> None:
        attempt, session = self.attempt, self.table.session
        if attempt and session and session.dice == "program" and isinstance(self.asked_by, AmendPrompt):
            self.asked_by.rolled[self.line] = (session.encounter, list(attempt.faces))
        if self.asked_by:
            self.services.prompts.open(self.asked_by)

    def _finish(self, found: Done | Needs | Exception) -> None:
        self._steps, progress, self._progress = None, self._progress, None
        if progress is not None:
            progress.close()
        if isinstance(found, Done) and self.attempt is not None and not self.attempt.is_of_now:
            self.go()  # the fight has changed in the meantime
        elif isinstance(found, Done) and not self._accepted:
            self._preview(found)
        elif isinstance(found, AmendmentConflict) and not self._accepted:
            self._ask_about_conflicts(found)
        else:
            self._found = found
            super().go()
        if progress is not None:
            progress.type_held()

    def _ask_about_conflicts(self, refused: AmendmentConflict) -> None:
        """Ask whether to leave out the later events that are no longer possible."""
        self._close_question()
        prompt = StrandedPrompt(self.services, refused.events, self._go_on_without, self._leave)
        self.services.prompts.open(prompt)

    def _go_on_without(self, drop: Sequence[int], keep: Sequence[int]) -> None:
        """Try again without some later events, in the same amendment."""
        attempt, self.attempt = self.attempt, None
        # The refused attempt left all of them out. If none is kept, its dice and answers still fit.
        is_same = attempt is not None and attempt.is_of_now and not keep
        self._thrown = ([*attempt.faces], [*attempt.answers]) if attempt and is_same else ((), ())
        self.line = with_later_events(self.line, drop, keep)
        self.go()

    def _close_question(self) -> None:
        if self.prompt:
            self.prompt.close()

    def _preview(self, done: Done) -> None:
        session = self.table.session
        assert session is not None
        after = apply(session.encounter, done.event)
        names = {**names_ever(session.encounter, session.log), **names_of(after)}
        log, game = session.log, session.game
        made: dict[int, list[Row]] = {}

        def changes(cells: int) -> list[Row]:
            if cells not in made:
                made[cells] = amendment_rows(log, done.event, names, game, cells)
            return made[cells]

        self._close_question()
        prompt = AmendmentPrompt(self.services, changes, lambda: self._accept(done), self._leave)
        self.services.prompts.open(prompt)

    def _done(self, event: Event, turn: str) -> None:
        super()._done(event, turn)
        session = self.table.session
        if session is not None and not self._was_shown:
            names = names_ever(session.encounter, session.log)
            undo = self.services.key_names["undo"]
            self.services.say(amendment_sentence(event, names, session.game, undo))

    def _accept(self, done: Done) -> None:
        """Save the changes that were shown. If the fight has gone on since, show the new ones first."""
        assert self.attempt is not None
        if not self.attempt.is_of_now:
            self.go()
            return
        self._accepted, self._found = True, done
        super().go()
