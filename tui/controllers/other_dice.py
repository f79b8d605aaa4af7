"""The dice that others roll at the same time, in the table's prompt: Tab goes from one to the next."""

from collections.abc import Sequence
from functools import cache

from systems.dice.sources import DieRequest
from systems.frozen import evolve, frozen
from tui.controllers.command_dice import CommandDice
from tui.lists.dice_asked import TypedDie, WrongCall, face_asked
from tui.prompts.dice_and_choices import DieShown, FacePrompt
from tui.services import FirstLook, Services
from tui.session.attempt import Attempt
from tui.session.die_meaning import meaning_of


@frozen
class TypedForDie:
    """What the table had typed when a seat rolled the die that the rules needed.

    `of`, `name`: the combatant whose die the table was typing. `rolled`: the one whose die the seat rolled.
    `at`: when it was rolled.
    """

    of: str
    name: str
    text: str
    rolled: str
    at: float


class OtherDice:
    """The dice of one prompt: the die that the rules need next, and dice rolled at the same time."""

    def __init__(self, services: Services, dice: CommandDice, attempt: Attempt, prompt: FacePrompt) -> None:
        self._services, self._dice, self._attempt, self._prompt = services, dice, attempt, prompt
        # The die that the rules need next.
        self._first = prompt.die
        prompt.waiting = lambda: dice.waiting_words

    def typed_now(self) -> TypedForDie:
        """Return what is typed in the prompt, when a seat has rolled the next die."""
        die = self._prompt.die
        now = self._services.now()
        return TypedForDie(die.of, die.asked.owner, self._prompt.line.text, self._first.of, now)

    def go_on(self, before: TypedForDie | None) -> None:
        """Go on with the die that the table was typing, if it is still missing.

        If a seat has rolled it, keys typed for it must not count for another die.
        """
        self.changed()
        if before is None:
            return
        if before.of == self._first.of:
            self._prompt.show_die(self._first, before.text)
        elif (request := self._missing(before.of)) is not None:
            self._prompt.show_die(self._die(request), before.text)
        elif before.of == before.rolled and before.text:
            self._prompt.hold(before.name, before.text)
        elif before.of == before.rolled:
            self._prompt.hold_until(before.name, before.at + FirstLook.GRACE)

    def changed(self) -> None:
        """Show the dice that are missing now. A die that its player has rolled is left."""
        prompt, die = self._prompt, self._prompt.die
        prompt.turn = self._turn if self._dice.missing else None
        prompt.TAB = "the next die" if self._dice.missing else ""
        if die.of != self._first.of and self._missing(die.of) is None:
            text = prompt.line.text
            prompt.show_die(self._first)
            if text:
                prompt.hold(die.asked.owner, text)
        prompt.refresh()

    def _missing(self, who: str) -> DieRequest | None:
        return next((request for request in self._dice.missing if request.of == who), None)

    def _turn(self, by: int) -> None:
        """Show the die of the next combatant, or of the one before."""
        dice = [self._first, *map(self._die, self._dice.missing)]
        at = next((at for at, die in enumerate(dice) if die.of == self._prompt.die.of), 0)
        self._prompt.show_die(dice[(at + by) % len(dice)])

    def _die(self, request: DieRequest) -> DieShown:
        """Return the die of another combatant as the prompt asks for it."""
        meaning = cache(lambda: meaning_of(self._attempt, request))
        command = self._first.asked.command
        asked = face_asked(self._attempt.session.encounter, request, command, (1, None))

        def take(typed: Sequence[TypedDie]) -> str:
            # From here on, the prompt shows the next die.
            self._prompt.show_die(self._first)
            try:
                self._dice.take(request, typed)
            except WrongCall as error:
                self._prompt.show_die(self._die(request), " ".join(map(str, typed)))
                return str(error)
            if (more := self._missing(request.of)) is not None:
                self._prompt.show_die(self._die(more))
            return ""

        def explain() -> tuple[str, str]:
            return meaning().does_in_full, meaning().adds

        def back() -> None:
            self._prompt.show_die(self._first)

        return DieShown(evolve(asked, waits=True), take, explain, of=request.of, back=back)
