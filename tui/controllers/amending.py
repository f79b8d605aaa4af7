"""Carry out `amend` in slices, so that keys still work, and show the changes before they are accepted."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from systems.commands.replay import AmendmentConflict, ReplayProgress
from systems.encounter.amendment import names_ever, names_of
from systems.encounter.changes import apply
from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.frozen import evolve
from systems.language.intents import Amend, Command
from tui.campaign.progress import without_garbage_collection
from tui.controllers.command_runner import CommandRunner
from tui.display.amendment import amendment_rows, amendment_sentence, with_later_events
from tui.display.refusals import not_carried_out
from tui.display.text import Row
from tui.prompts.amend import AmendmentPrompt, AmendPrompt, StrandedPrompt
from tui.prompts.progress import ProgressPrompt
from tui.session.attempt import Attempt, Left, Needs, Question
from tui.session.session import Session

if TYPE_CHECKING:
    from tui.controllers.table import Table
    from tui.prompts.prompt import Prompt
    from tui.services import OpenPrompt

T = TypeVar("T")
# Seconds of work in one slice, and seconds before the progress is shown.
SLICE, PATIENCE = 0.03, 0.25


class AmendRunner(CommandRunner):
    """Carries out an amendment. From its prompt, or with `shows_first`, you accept the changes first."""

    def __init__(
        self,
        table: "Table",
        line: str,
        then: Callable[[Event], None] | None = None,
        asked_by: "OpenPrompt | None" = None,
        read: Command | None = None,
        *,
        shows_first: bool = False,
    ) -> None:
        super().__init__(table, line, then, asked_by, read)
        self._shows_first = shows_first or isinstance(asked_by, AmendPrompt)

    def begin(self, session: Session) -> Attempt:
        """Return a new attempt, with the dice of the last preview of the same line. Raises Misread."""
        attempt, self._session = super().begin(session), session
        if not isinstance(self.asked_by, AmendPrompt):
            return attempt
        command = attempt.command
        if isinstance(command.intent, Amend) and self.asked_by.names_dice:
            # The faces in the line count even if the throw is for another reason now.
            meant = evolve(command.intent, any_reason=True)
            attempt = Attempt(session, evolve(command, intent=meant), asks=True)
        encounter, faces = self.asked_by.rolled.get(self.line, (None, ()))
        if encounter is session.encounter:
            attempt.faces += faces
        return attempt

    # The asker

    async def run(self, attempt: Attempt) -> Event | Needs:
        """Replay the fight in slices; between them the program handles its keys, and Escape stops it."""
        steps, seconds = attempt.steps(), PATIENCE
        pause: Question[None] = Question()
        progress: ProgressPrompt | None = None

        def stop() -> None:
            pause.leave()

        try:
            while isinstance(step := _slice(steps, seconds), ReplayProgress):
                if progress is None:
                    progress = ProgressPrompt(self.services, "Replaying the later events", stop)
                    self.services.prompts.open(progress)
                progress.done, progress.count = step.done, step.count
                progress.refresh()
                pause, seconds = Question(), SLICE
                self.services.program.set_timer(0.001, partial(pause.answer, None))
                await pause
            return step
        except Left:
            self._back_to_line(attempt)
            self.services.say(not_carried_out(self.line))
            raise
        finally:
            if progress is not None:
                progress.close()
                progress.type_held()

    async def leave_out(self, attempt: Attempt, refused: AmendmentConflict) -> Attempt:
        if not self._shows_first:
            raise refused
        question: Question[tuple[Sequence[int], Sequence[int]]] = Question()
        prompt = StrandedPrompt(
            self.services, refused.events, lambda drop, keep: question.answer((drop, keep))
        )
        drop, keep = await self._show_first(attempt, prompt, question)
        self.line, self.read = with_later_events(self.line, drop, keep), None
        again = self.begin(self._session)
        if attempt.is_of_now and not keep:
            # The refused attempt ran without any of these events, so its dice are used again.
            again.reuse(attempt)
        return again

    async def go_ahead(self, attempt: Attempt, done: Event) -> None:
        """Return once the changes are accepted."""
        if not self._shows_first:
            return
        session, event = attempt.session, done
        names = names_ever(session.encounter, session.log) | names_of(apply(session.encounter, event))

        @cache
        def changes(cells: int) -> list[Row]:
            return amendment_rows(session.log, event, names, session.game, cells)

        question: Question[None] = Question()
        prompt = AmendmentPrompt(self.services, changes, lambda: question.answer(None))
        await self._show_first(attempt, prompt, question)

    async def _show_first(self, attempt: Attempt, prompt: "Prompt", question: Question[T]) -> T:
        """Return the answer to a prompt about the changes. Escape goes back to the line."""
        self.prompt, prompt.on_close = prompt, question.leave
        self.services.prompts.open(prompt)
        try:
            return await question
        except Left:
            self._back_to_line(attempt)
            raise

    def _back_to_line(self, attempt: Attempt) -> None:
        """Open the prompt of the line again, and keep the program's dice for it."""
        session = attempt.session
        if session.dice == "program" and isinstance(self.asked_by, AmendPrompt):
            self.asked_by.rolled[self.line] = (session.encounter, list(attempt.faces))
        if self.asked_by:
            self.services.prompts.open(self.asked_by)

    def message(self, event: Event, before: Encounter) -> str:
        session = self.table.session
        if session is None or self._shows_first:
            return super().message(event, before)
        names = names_ever(session.encounter, session.log)
        return amendment_sentence(event, names, session.game, self.services.key_names["undo"])


def _slice(steps: Iterator[ReplayProgress | Event | Needs], seconds: float) -> ReplayProgress | Event | Needs:
    """Work until the time is over; return the progress, or the result."""
    until = monotonic() + seconds
    with without_garbage_collection():
        return next(step for step in steps if not isinstance(step, ReplayProgress) or monotonic() > until)
