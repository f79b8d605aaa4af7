"""Questions for dice and choices that go to seats and the table at once. The first answer counts."""

from collections.abc import Callable, Collection, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from systems.codec.plain import to_plain
from systems.commands.actions import read_action
from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest, Given
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.language.intents import Act
from systems.text import clean
from systems.visibility.line_help import own_numbers_of
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Shown, Viewer
from tui.controllers.command_dice import SeatAnswer
from tui.controllers.seat_meaning import concerns_hidden
from tui.display.seat_odds import own_terms
from tui.lists.dice_asked import (
    LONGEST_ANSWER,
    FaceAsked,
    TypedDie,
    WrongCall,
    choice_asked,
    face_asked,
    given_for,
    read_dice,
)
from tui.session.attempt import Attempt, Needs
from tui.session.die_meaning import Added, added_to_a_defence, meaning_of, place_of
from tui.wire.table_messages import Answered, Missing, Reply, RequestWaits, SeatQuestion


@dataclass(eq=False, slots=True)
class SeatAsk:
    """A question for a die or a choice that a seat has as well as the table."""

    asks: "SeatAsks"
    id: int
    character: str
    message: SeatQuestion
    # For a choice: the number of choices, and a function that takes the answer's number.
    most: int = 0
    chosen: Callable[[int], None] | None = None
    # For a die: a function that takes the typed line and the seat. Raises WrongCall.
    take_dice: Callable[[str, str], None] | None = None

    def explain(self, does: str, adds: str, face: FaceAsked) -> None:
        """Send the effect of a die's faces and the bonus in words, and the die with its place."""
        self.message = evolve(self.message, does=does, adds=adds, face=to_plain(face))
        self.asks.send(self.message)

    def withdraw(self) -> None:
        """Withdraw the question."""
        if self.asks.open.pop(self.id, None):
            self.asks.send(Answered(self.id))


class SeatAsks:
    """The open questions to seats. `send` reaches every connected server and watcher."""

    def __init__(
        self,
        send: Callable[[object], None],
        shown: Callable[[], Shown],
        later: Callable[[Callable[[], None]], object],
        characters_of: Callable[[str], Collection[str]],
    ) -> None:
        """`shown` returns the table's settings for seats. `later` calls a function a moment later.

        `characters_of` returns the characters of a seat.
        """
        self.send, self._shown, self._later = send, shown, later
        self._characters_of = characters_of
        self.open: dict[int, SeatAsk] = {}
        # The players who have not rolled yet, while several roll at the same time.
        self.missing: Missing | None = None
        self._last = 0

    def owner_of(self, attempt: Attempt, needs: Needs) -> str:
        """Return the character whose seats answer a die or choice, or "" if no seat may be asked.

        Commands that involve a hidden combatant stay with the game master, and so does any die or choice that
        concerns one.
        """
        encounter = attempt.session.encounter
        combatant = encounter.combatants.get(needs.of)
        if combatant is None or needs.is_concealed or concerns_hidden(encounter, attempt.command):
            return ""
        return combatant.state.kind or combatant.id

    def ask_choice(
        self, attempt: Attempt, needs: ChoiceRequest, answered: Callable[[Any], None]
    ) -> SeatAsk | None:
        """Ask the seats of the combatant that decides. Return None if no seat may be asked."""
        if not (character := self.owner_of(attempt, needs)):
            return None
        choices = tuple(needs.choices)
        # A seat answers with the number of a choice, so only with listed choices. The message holds neither
        # the line nor a suggestion: both may reveal hidden combatants.
        asked = evolve(choice_asked(attempt.session.encounter, needs, ""), suggested=-1, most=0)
        ask = self._new(SeatQuestion(self._next(), character, choice=to_plain(asked)))
        ask.most, ask.chosen = len(choices), lambda at: answered(choices[at - 1])
        self.send(ask.message)
        return ask

    def ask_die(
        self,
        attempt: Attempt,
        needs: DieRequest,
        answered: Callable[[SeatAnswer], None],
        refused: tuple[str, str] = ("", ""),
    ) -> SeatAsk:
        """Ask the seats of a die's owner. `refused`: dice that were typed before, and why they are wrong."""
        character = self.owner_of(attempt, needs)
        face = face_asked(attempt.session.encounter, needs, "", (1, None))
        typed, wrong = (clean(refused[0], LONGEST_ANSWER), refused[1]) if refused[0] else ("", "")
        question = SeatQuestion(self._next(), character, to_plain(face), typed=typed, wrong=wrong)
        ask = self._new(question)

        def take_dice(text: str, seat: str) -> None:
            if not (typed := read_dice(text, needs.sides)):
                return
            given = self.read(attempt, needs, typed[0])
            ask.withdraw()
            characters = frozenset(self._characters_of(seat)) | {character}
            answered(SeatAnswer(given, typed[1:], seat, characters))

        ask.take_dice = take_dice
        self.send(ask.message)
        # Calculating the effect of the faces takes a while, so it is sent after the question.
        self._later(lambda: self._explain(ask, attempt, needs, face))
        return ask

    def read(self, attempt: Attempt, needs: DieRequest, typed: TypedDie) -> Given:
        """Return the die that a seat has typed; a total includes the bonus shown there. Raises WrongCall."""
        viewer = Viewer(frozenset({self.owner_of(attempt, needs)}))
        return given_for(needs, typed, lambda: die_for_seat(attempt, needs, viewer, self._shown())[1].bonus)

    def _explain(self, ask: SeatAsk, attempt: Attempt, needs: DieRequest, face: FaceAsked) -> None:
        """Send what the seat may know about a die that is still open: its effect, its bonus, its place."""
        if ask.id not in self.open:
            return
        viewer = Viewer(frozenset({ask.character}))
        does, added = die_for_seat(attempt, needs, viewer, self._shown())
        place, count = place_for_seat(attempt, needs, viewer)
        placed = evolve(face, place=place, count=count or 0)
        if does or added.words or placed != face:
            ask.explain(does, added.words, placed)

    def _next(self) -> int:
        self._last += 1
        return self._last

    def _new(self, question: SeatQuestion) -> SeatAsk:
        ask = self.open[question.ask] = SeatAsk(self, question.ask, question.character, question)
        return ask

    def take_reply(self, reply: Reply) -> None:
        """Handle the answer of a seat. Send impossible dice back with the reason."""
        value, ask = reply.value, self.open.get(reply.ask)
        if ask is None:
            return
        if ask.take_dice is not None:
            text = clean(str(value), LONGEST_ANSWER)
            try:
                ask.take_dice(text, reply.seat)
            except WrongCall as error:
                self.send(evolve(ask.message, typed=text, wrong=str(error)))
        elif ask.chosen is not None and type(value) is int and 1 <= value <= ask.most:
            ask.withdraw()
            ask.chosen(value)

    def tell_missing(self, names: Sequence[str]) -> None:
        """Tell every seat which players have not rolled yet; none clears the line."""
        message = Missing(tuple(names))
        self.missing = message if names else None
        self.send(message)

    def tell_unused(self, seat: str, dice: str) -> None:
        """Tell a seat which of the dice it has typed were not needed."""
        self.send(RequestWaits("", seat, True, unused_words(dice)))


def unused_words(dice: str) -> str:
    """Return the sentence about dice that were typed without need."""
    return f"Typed but not needed: {dice}."


def die_for_seat(attempt: Attempt, needs: DieRequest, viewer: Viewer, shown: Shown) -> tuple[str, Added]:
    """Return the effect of the faces and the bonus, as far as the viewer may know them.

    With exact odds, this includes the number to beat, from the fight as the viewer sees it. Otherwise it is
    only the viewer's own bonus, for the first die of its own action and for a defence.
    """
    owner = attempt.session.encounter.combatants.get(needs.of)
    if owner is None or not viewer.owns(owner) or needs.again is not None:
        return "", Added()  # history is not replayed from the viewer's side
    if needs.at_once is not None:
        # Each combatant rolls for itself, with nothing but its own bonus.
        meaning = meaning_of(attempt, needs)
        return meaning.does, meaning.added
    if shown.odds == "exact":
        # The outcome of a face knows defences that the viewer may not know.
        meaning = meaning_of(_as_seen(attempt, viewer), evolve(needs, outcome_of=None))
        return meaning.does, meaning.added
    if shown.odds == "own":
        is_first = all(roll.of != needs.of for roll in needs.before)
        part = _own_part(attempt, needs, viewer) if is_first else Added()
        return "", part if part.words else added_to_a_defence(_as_seen(attempt, viewer), needs)
    return "", Added()


def place_for_seat(attempt: Attempt, needs: DieRequest, viewer: Viewer) -> tuple[int, int | None]:
    """Return the place of a die among equal dice, and how many there are, in the fight as the viewer sees it.

    The number is None if it is not known.
    """
    if needs.again is not None or needs.at_once is not None:
        return 1, None
    return place_of(_as_seen(attempt, viewer), needs)


def _as_seen(attempt: Attempt, viewer: Viewer) -> Attempt:
    """Return the same attempt in the fight as the viewer sees it, without the interruptions of others."""
    seen = copy(attempt.session)
    encounter = seen_encounter(seen.encounter, viewer)
    if encounter.game.interrupts:
        encounter = evolve(encounter, game=evolve(encounter.game, interrupts=()))
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
