"""Carry out a command: run it, ask for the die or the choice that it needs, and run it again."""

from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from systems.commands.replay import AmendmentConflict
from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest, Given
from tui.session.attempt import Attempt, Done, Needs

T = TypeVar("T")


class Asker(Protocol):
    """Asks a person for what a command needs. Each method may raise an error that cancels the command."""

    async def run(self, attempt: Attempt) -> Done | Needs:
        """Run the attempt as far as its dice and choices are known. Raises the error if it is refused."""

    async def die(self, attempt: Attempt, needs: DieRequest) -> Given | None:
        """Return the face of a real die or the total of its sum; None lets the program roll it."""

    async def choice(self, attempt: Attempt, needs: ChoiceRequest) -> Any:
        """Return the answer to a choice."""

    async def leave_out(self, attempt: Attempt, refused: AmendmentConflict) -> Attempt:
        """Ask about later events that do not fit an amendment; return the attempt without them."""

    async def go_ahead(self, attempt: Attempt, done: Done) -> None:
        """Return if the result may be saved."""


async def carry_out(attempt: Attempt, asker: Asker) -> Done:
    """Return the result of a command once it has every die and choice. The caller saves it.

    Raises what the asker raises.
    """
    while True:
        try:
            found = await asker.run(attempt)
        except AmendmentConflict as refused:
            attempt = await asker.leave_out(attempt, refused)
            continue
        if isinstance(found, ChoiceRequest):
            attempt.answer(await asker.choice(attempt, found))
        elif not isinstance(found, DieRequest):
            await asker.go_ahead(attempt, found)
            return found
        elif (given := await asker.die(attempt, found)) is None:
            attempt.roll(found)
        else:
            attempt.give(found, given)


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """Return the result of a coroutine that never waits, because its asker answers each question at once."""
    try:
        coroutine.send(None)
    except StopIteration as ended:
        result: T = ended.value
        return result
    raise RuntimeError("the asker has to answer at once")
