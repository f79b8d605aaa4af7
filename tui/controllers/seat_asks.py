"""Questions for dice and choices that go to seats and the table at once. The first answer counts."""

from collections.abc import Callable
from copy import copy
from functools import cache
from typing import Any

import attrs

from systems.codec.plain import to_plain
from systems.commands.actions import read_action
from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest, Given
from systems.errors import Refused, Wrong
from systems.language.intents import Act
from systems.visibility.line_help import own_numbers_of
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Shown, Viewer
from tui.controllers.seat_meaning import concerns_hidden
from tui.display.seat_odds import own_terms
from tui.lists.dice_asked import Called, WrongCall, choice_asked, face_asked, given_for, typed_die
from tui.session.attempt import Attempt, Needs
from tui.session.die_meaning import Added, added_to_a_defence, meaning_of
from tui.session.session import Session
from tui.wire.frames import Message


@attrs.define(eq=False)
class SeatAsk:
    """A question for a die or a choice that a seat has as well as the table."""

    asks: "SeatAsks"
    id: int
    most: int
    message: Message
    answered: Callable[[Any], None]
    # For a die: returns the meaning of a typed total. Raises WrongCall.
    read_call: Callable[[Called], Given] | None = None

    def explain(self, does: str, adds: str) -> None:
        """Send the effect of a die's faces and the bonus, in words."""
        self.message = {**self.message, "does": does, "adds": adds}
        self.asks.send(self.message)

    def withdraw(self) -> None:
        """Withdraw the question."""
        if self.asks.open.pop(self.id, None):
            self.asks.send({"kind": "unask", "ask": self.id})


class SeatAsks:
    """The open questions to seats. `send` reaches every connected server and watcher."""

    def __init__(
        self,
        send: Callable[[Message], None],
        shown: Callable[[], Shown],
        later: Callable[[Callable[[], None]], object],
    ) -> None:
        """`shown` returns the table's settings for seats. `later` calls a function a moment later."""
        self.send, self._shown, self._later = send, shown, later
        self.open: dict[int, SeatAsk] = {}
        self._last = 0

    def ask(
        self, session: Session, attempt: Attempt, needs: Needs, answered: Callable[[Any], None]
    ) -> SeatAsk | None:
        """Ask the seat that owns a die or choice. Return None if no seat may be asked.

        Commands that involve a hidden combatant stay with the game master, and so does any die or choice that
        concerns one.
        """
        combatant = session.encounter.combatants.get(needs.of)
        if combatant is None or needs.is_concealed or concerns_hidden(session.encounter, attempt.command):
            return None
        character = combatant.state.kind or combatant.id
        message: dict[str, Any] = {"kind": "ask", "character": character}
        # The message holds neither the line nor a suggestion: both may reveal hidden combatants.
        if isinstance(needs, ChoiceRequest):
            choices = tuple(needs.choices)
            # A seat answers with the number of a choice, so only with listed choices.
            asked = attrs.evolve(choice_asked(session.encounter, needs, ""), suggested=-1, most=0)
            message["choice"] = to_plain(asked)
            return self._asking(len(choices), message, lambda at: answered(choices[at - 1]))
        message["face"] = to_plain(face_asked(session.encounter, needs, "", (1, None)))
        viewer = Viewer(frozenset({character}))

        @cache
        def explained() -> tuple[str, Added]:
            return die_for_seat(attempt, needs, viewer, self._shown())

        def read_call(called: Called) -> Given:
            return given_for(needs, called, lambda: explained()[1].bonus)

        ask = self._asking(needs.sides, message, answered, read_call)
        # Calculating the effect of the faces takes a while, so it is sent after the question.
        self._later(lambda: self._explain(ask, explained))
        return ask

    def _explain(self, ask: SeatAsk, explained: Callable[[], tuple[str, Added]]) -> None:
        """Send the effect of a die's faces and its bonus, if the seat may know them and it is still open."""
        if ask.id not in self.open:
            return
        does, added = explained()
        if does or added.words:
            ask.explain(does, added.words)

    def _asking(
        self,
        most: int,
        message: Message,
        answered: Callable[[int], None],
        read_call: Callable[[Called], Given] | None = None,
    ) -> SeatAsk:
        self._last += 1
        ask = SeatAsk(self, self._last, most, {**message, "ask": self._last}, answered, read_call)
        self.open[ask.id] = ask
        self.send(ask.message)
        return ask

    def take_reply(self, message: Message) -> None:
        """Handle the answer of a seat, and ignore an invalid one."""
        value, ask = message["value"], self.open.get(message["ask"])
        if ask is None:
            return
        if isinstance(value, str):
            self._take_call(ask, value)
        elif type(value) is int and 1 <= value <= ask.most:
            ask.withdraw()
            ask.answered(value)

    def _take_call(self, ask: SeatAsk, text: str) -> None:
        """Handle a typed total. Send an impossible one back with the reason."""
        called = typed_die(text)
        if ask.read_call is None or not isinstance(called, Called):
            return
        try:
            given = ask.read_call(called)
        except WrongCall as error:
            self.send({**ask.message, "typed": str(called), "wrong": str(error)})
            return
        ask.withdraw()
        ask.answered(given)


def die_for_seat(attempt: Attempt, needs: DieRequest, viewer: Viewer, shown: Shown) -> tuple[str, Added]:
    """Return the effect of the faces and the bonus, as far as the viewer may know them.

    With exact odds, this includes the number to beat, from the fight as the viewer sees it. Otherwise it is
    only the viewer's own bonus, for the first die of its own action and for a defence.
    """
    owner = attempt.session.encounter.combatants.get(needs.of)
    if owner is None or not viewer.owns(owner) or needs.again is not None:
        return "", Added()  # history is not replayed from the viewer's side
    if shown.odds == "exact":
        meaning = meaning_of(_as_seen(attempt, viewer), needs)
        return meaning.does, meaning.added
    if shown.odds == "own":
        part = Added() if attempt.faces else _own_part(attempt, needs, viewer)
        return "", part if part.words else added_to_a_defence(_as_seen(attempt, viewer), needs)
    return "", Added()


def _as_seen(attempt: Attempt, viewer: Viewer) -> Attempt:
    """Return the same attempt in the fight as the viewer sees it, without the interruptions of others."""
    seen = copy(attempt.session)
    encounter = seen_encounter(seen.encounter, viewer)
    if encounter.game.interrupts:
        encounter = attrs.evolve(encounter, game=attrs.evolve(encounter.game, interrupts=()))
    seen.encounter = encounter
    again = Attempt(seen, attempt.command, asks=True)
    again.reuse(attempt)
    return again


def _own_part(attempt: Attempt, needs: DieRequest, viewer: Viewer) -> Added:
    """Return the terms of the die that come from its owner's own action."""
    encounter, intent = attempt.session.encounter, attempt.command.intent
    if not isinstance(intent, Act):
        return Added()
    try:
        command = read_action(encounter, intent)
    except (Refused, Wrong):
        return Added()
    if command.actors[:1] != (needs.of,):
        return Added()
    seen = seen_encounter(encounter, viewer)
    figures = own_numbers_of(seen, command.action, encounter.combatants[needs.of], command.options)
    if figures is None:
        return Added()
    return Added(own_terms(figures), sum(term.value for term in figures.terms))
