"""Carry out one command: prompt for its real dice and choices, save it, and say what happened."""

from typing import Any

from systems.commands.keep import keepable, restorable
from systems.commands.plan import PLAN
from systems.commands.replay import AmendmentConflict, ReplayProgress
from systems.commands.rests import Denied, RestoredValue
from systems.commands.table import command_words
from systems.contract.marked_text import possessive
from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest, Given
from systems.encounter.amendment import names_ever, names_of
from systems.encounter.changes import apply
from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.encounter.schedule import beaten_sides, who_is_to_arrive
from systems.errors import Misread, Wrong
from systems.language.corrections import corrected
from systems.language.tokens import quote
from systems.text import listed
from tui.campaign.problems import NotSaved
from tui.controllers.command_dice import CommandDice, SeatDiceAsks
from tui.controllers.desk import AnsweredAtSeat
from tui.display.amendment import amendment_lines, conflict_words, with_later_events
from tui.display.card import titled
from tui.display.plan import plan_lines, waits_words
from tui.display.refusals import misread_words, not_carried_out, turn_now
from tui.linear.conversation import Conversation
from tui.lists.dice_asked import (
    ChoiceAsked,
    TypedDie,
    WrongCall,
    choice_asked,
    given_for,
    owner_of,
    read_dice,
    rolled_words,
)
from tui.session.attempt import CANNOT_BE, Attempt, Left, Needs, ReadOnly, at_once, carry_out
from tui.session.die_meaning import DieMeaning, meaning_of, place_of
from tui.session.planning import is_of_player, plays_alone, running_plan
from tui.session.session import Session
from tui.session.undone_dice import UndoneDice
from tui.terminal.progress import ProgressLine

LEAVE = "leave"


def carry_out_line(session: Session, conversation: Conversation, line: str) -> str:
    """Carry out a line, and say what happened or why it was refused.

    Returns the corrected line if a word of this one is a near miss, else "".
    """
    if line.casefold().split(maxsplit=1)[:1] == [PLAN.name]:
        _carry_out_plan(session, conversation, line)
        return ""
    before = session.encounter
    try:
        event = _kept(session, conversation, line)
    except Misread as error:
        conversation.say_error(f"Not understood: {misread_words(line, error)}")
    except NotSaved as error:
        conversation.say_error(f"Not saved, and nothing has changed: {error}")
    except ReadOnly as error:
        conversation.say_error(str(error))
    except CANNOT_BE as error:
        meant = corrected(line, error)
        if isinstance(error, Wrong) and error.code == "needed" and error.suggestion:
            _ask_for_missing(session, conversation, line, error)
        else:
            conversation.say_error(f"Refused: {error}")
        if meant:
            conversation.say(f"Enter runs: {meant}")
        return meant
    except Left:
        conversation.say(not_carried_out(_in_words(session, line)))
    else:
        conversation.say(event.text)
        if event.kind in ("undo", "redo"):
            conversation.say(turn_now(session.encounter))
        if session.roster_words:
            conversation.say(session.roster_words)
        _say_end(session, conversation, before)
        if plays_alone(session, event):
            _carry_out_plan(session, conversation, PLAN.name)
    return ""


def _carry_out_plan(session: Session, conversation: Conversation, line: str) -> None:
    """Say a plan, and carry it out until it ends or a player may react."""
    try:
        running = running_plan(session, line)
    except Misread as error:
        conversation.say_error(f"Not understood: {misread_words(line, error)}")
        return
    except CANNOT_BE as error:
        conversation.say_error(f"Refused: {error}")
        return
    for said in plan_lines(session.encounter, running.plan):
        conversation.say(said)
    while (step := running.next_step()) is not None:
        before = session.encounter
        if step.action is not None and step.action.instead:
            conversation.say(f"Chosen again, because {step.action.instead}:")
        asker = _LinePlanAsker(session, conversation, step.line)
        try:
            done = at_once(carry_out(asker.begun(), asker))
            event = session.keep(done, batch=running.batch or done.n)
        except Left:
            conversation.say("The plan stops here. Type plan to go on.")
            return
        except NotSaved as error:
            conversation.say_error(f"Not saved, and nothing has changed: {error}")
            return
        except (ReadOnly, *CANNOT_BE) as error:
            if step.action is None or isinstance(error, ReadOnly):
                conversation.say_error(str(error))
                return
            running.passed(step)
            continue
        finally:
            asker.close()
        conversation.say(event.text)
        _say_end(session, conversation, before)
        if (waits := running.kept(step, event)) is not None:
            conversation.say(f"{waits_words(session.encounter, waits.of, waits.kind)} Type plan to go on.")
            return


def _in_words(session: Session, line: str) -> str:
    """Return the command with names instead of ids, or the line itself if that is not possible."""
    try:
        command = session.begin(line, asks=True).command
    except (Misread, ReadOnly):
        return line
    return command_words(session.encounter, command) or line


def _ask_for_missing(session: Session, conversation: Conversation, line: str, missing: Wrong) -> None:
    """Prompt for an option that the action needs, and carry out the line with it."""
    try:
        typed = _answer(conversation, f"{missing.message}. Type it, or press Enter to cancel:")
    except Left:
        typed = ""
    if not typed:
        conversation.say(not_carried_out(_in_words(session, line)))
        return
    command, by, who = line.rpartition(" by ")
    begun = command if by else line
    value = quote(typed)
    carry_out_line(session, conversation, f"{begun} {missing.suggestion}{value}{by}{who if by else ''}")


def _say_end(session: Session, conversation: Conversation, before: Encounter) -> None:
    """Say that a side is now down, or what the party may save to the roster after the end of the fight."""
    here = session.encounter
    if (down := beaten_sides(here)) and down != beaten_sides(before):
        later = f"; {coming}" if (coming := who_is_to_arrive(here)) else ""
        conversation.say(f"The {listed(down)} are down{later}. Type end to end the fight.")
    if not here.progress.over or before.progress.over:
        return
    try:
        kept = keepable(here, session.roster)
        rests = restorable(here, session.roster)
    except CANNOT_BE as error:
        conversation.say_error(str(error))
        return
    for each in kept:
        conversation.say(f"{each.name} can save {each.says} to the roster: type keep {each.key}.")
    for rest in rests:
        if isinstance(rest, Denied):
            conversation.say(f"{rest.name} gets nothing from {rest.rest.title}: {rest.says}.")
        else:
            conversation.say(
                f"After {rest.rest.title}, {rest.name}: {rest.says}: type keep all rest={quote(rest.key)}."
            )
    if kept:
        conversation.say("Type keep all to save everything to the roster.")
    if any(isinstance(rest, RestoredValue) for rest in rests):
        conversation.say("Type keep all rest=all to let the whole party rest first.")


def _kept(session: Session, conversation: Conversation, line: str) -> Event:
    """Save a line's event and return it. Raises Left, and what reading, carrying out and saving raise."""
    asker = _LineAsker(session, conversation, line)
    try:
        return session.keep(at_once(carry_out(asker.begun(), asker)))
    finally:
        asker.close()


class _LineAsker:
    """Asks for dice and choices in lines, and answers each question before the next line of the program."""

    def __init__(self, session: Session, conversation: Conversation, line: str) -> None:
        self._session, self._conversation, self._line = session, conversation, line
        # Dice typed ahead for the next questions.
        self._faces: list[TypedDie] = []
        # Dice of seats, and dice that several combatants roll at the same time.
        self._dice = CommandDice(self._seat_asks)

    def _seat_asks(self) -> SeatDiceAsks | None:
        return self._conversation.seats.seat_asks() if self._conversation.seats is not None else None

    def begun(self) -> Attempt:
        """Return a new attempt of the line. Raises Misread."""
        attempt = self._session.begin(self._line, asks=True)
        self._faces, self._undone = [], UndoneDice(attempt)
        return attempt

    async def run(self, attempt: Attempt) -> Event | Needs:
        return played_again(attempt) if attempt.command.name == "amend" else attempt.run()

    async def die(self, attempt: Attempt, needs: DieRequest) -> Given | None:
        """Ask for a die here and at the seat of its owner. The first answer counts."""
        conversation, seats = self._conversation, self._conversation.seats
        if seats is None:
            return _face(attempt, needs, self._faces, self._undone, conversation)
        owner = needs.called or owner_of(attempt.session.encounter, needs.of)
        found = self._dice.known(attempt, needs)
        if found is None:
            rolled: list[Given] = []

            def answered(given: Given) -> None:
                rolled.append(given)
                seats.interrupt()

            self._dice.ask(attempt, needs, answered, lambda: conversation.say(self._dice.waiting_words))
            try:
                return _face(attempt, needs, self._faces, self._undone, conversation)
            except AnsweredAtSeat:
                found = rolled[0]
            finally:
                self._dice.settled(needs)
        conversation.say(f"{owner} has rolled {rolled_words(found)}.")
        return found

    async def choice(self, attempt: Attempt, needs: ChoiceRequest) -> Any:
        """Ask for a choice here and at the seat that has it. The first answer counts."""
        conversation, seats = self._conversation, self._conversation.seats
        asks = seats.seat_asks() if seats is not None else None
        if seats is None or asks is None:
            return _choice(self._session, needs, conversation)
        chosen: list[Any] = []

        def answered(choice: Any) -> None:
            chosen.append(choice)
            seats.interrupt()

        asked = asks.ask_choice(attempt, needs, answered)
        try:
            return _choice(self._session, needs, conversation)
        except AnsweredAtSeat:
            conversation.say(f"{owner_of(attempt.session.encounter, needs.of)} has decided.")
            return chosen[0]
        finally:
            if asked is not None:
                asked.withdraw()

    def close(self) -> None:
        """Withdraw all questions to seats."""
        self._dice.close()

    async def leave_out(self, attempt: Attempt, refused: AmendmentConflict) -> Attempt:
        drop, keep = _conflicts(self._conversation, refused)
        self._line = with_later_events(self._line, drop, keep)
        again = self.begun()
        if not keep:
            # The refused attempt ran without any of these events, so its dice are used again.
            again.reuse(attempt)
        return again

    async def go_ahead(self, attempt: Attempt, done: Event) -> None:
        if attempt.command.name == "amend":
            say_amendment(self._session, self._conversation, done)
            agree(self._conversation, f'Press Enter to amend the log, or type "{LEAVE}" to cancel:')


class _LinePlanAsker(_LineAsker):
    """Asks for the dice and the choices of persons. Creatures make their choices as suggested."""

    async def choice(self, attempt: Attempt, needs: ChoiceRequest) -> Any:
        if not is_of_player(self._session.encounter, needs.of):
            return needs.suggest
        return await super().choice(attempt, needs)


def _conflicts(conversation: Conversation, refused: AmendmentConflict) -> tuple[list[int], list[int]]:
    """Ask which later events an amendment removes and which it keeps; return both. Raises Left."""
    drop: list[int] = []
    keep: list[int] = []
    conversation.say("These later events do not fit:")
    for event in refused.events:
        conversation.say(f"Event {event.number}: {conflict_words(event.title, event.why)}.")
        how = f'press Enter to remove it too, or type "{LEAVE}" to cancel:'
        if event.why:
            agree(conversation, f"P{how[1:]}")
            drop.append(event.number)
            continue
        while (typed := _answer(conversation, f'Type "keep" to keep it, {how}')) not in ("", "keep"):
            conversation.say(f'Press Enter, or type "keep" or "{LEAVE}".')
        (keep if typed else drop).append(event.number)
    return drop, keep


def agree(conversation: Conversation, question: str) -> None:
    """Wait for Enter. Raises Left if the player cancels."""
    while _answer(conversation, question):
        conversation.say(f'Press Enter, or type "{LEAVE}".')


def _face(
    attempt: Attempt, needs: DieRequest, faces: list[TypedDie], undone: UndoneDice, conversation: Conversation
) -> Given | None:
    """Return the next real die, or None to roll it. `faces`: dice typed ahead for the next prompts."""
    before = undone.faces(needs)
    if before and undone.takes_again and not faces:
        return undone.take(needs)
    meaning = meaning_of(attempt, needs)
    while True:
        if faces:
            try:
                given = given_for(needs, faces[0], lambda: meaning.added.bonus)
            except WrongCall as error:
                conversation.say(f"No: {error}.")
            else:
                faces.pop(0)
                return given
            faces.clear()
        is_sum = needs.sum_of not in ((), ((1, needs.sides),)) and not needs.in_sum
        total = ", or = and the total" if is_sum else ""
        total += ", bonus included" if total and meaning.adds else ""
        how = f"Type what it shows{total}, or press Enter to roll it:"
        if before:
            earlier = " ".join(map(rolled_words, before))
            how = (
                f"Rolled before: {earlier}. Press Enter to use that, type r to roll again, or type the face:"
            )
        typed = _answer(conversation, f"{_die_words(attempt, needs, meaning)} {how}")
        if before and not typed:
            undone.takes_again = True
            return undone.take(needs)
        if not typed or (before and typed == "r"):
            return None
        try:
            faces[:] = read_dice(typed, needs.sides)
        except WrongCall as error:
            conversation.say(f"No: {error}.")


def _die_words(attempt: Attempt, needs: DieRequest, meaning: DieMeaning) -> str:
    place, count = place_of(attempt, needs)
    which = f", die {place} of {count}" if count and count > 1 else f", die {place}" if place > 1 else ""
    why = f" for {needs.purpose}" if needs.purpose else ""
    does = f" {titled(meaning.does_in_full)}." if meaning.does else ""
    adds = f" Added: {meaning.adds}." if meaning.adds else ""
    whose = possessive(needs.called) if needs.called else _whose(attempt.session.encounter, needs.of)
    return f"{whose} d{needs.sides}{why}{which}.{does}{adds}"


def _choice(session: Session, needs: ChoiceRequest, conversation: Conversation) -> Any:
    """Return the answer to a choice: typed as its number or word, or Enter for the suggestion."""
    asked = choice_asked(session.encounter, needs, "")
    conversation.say(f"{needs.question} ({_whose(session.encounter, needs.of)} choice)")
    for at, words in enumerate(asked.choices):
        number = "" if asked.numbers else f"{at + 1}: "
        conversation.say(f"{number}{words}{', suggested' if at == asked.suggested else ''}")
    there = f"Type a number from 1 to {len(asked.choices)}"
    if asked.numbers or asked.most:
        there = f"Type {asked.numbers_in_words}"
    while True:
        typed = _answer(conversation, "Type a number, or press Enter for the suggestion:")
        if (found := _chosen(typed, asked)) is not None:
            return needs.choices[found]
        if (other := asked.other_number(typed)) is not None:
            return other
        conversation.say(f'{there}, or "{LEAVE}" to cancel the command.')


def _chosen(typed: str, asked: ChoiceAsked) -> int | None:
    """Return the index of the choice that was typed, or None."""
    if not typed:
        return asked.suggested
    if typed.isdecimal() and asked.numbers:
        return asked.numbers.get(typed)
    if typed.isdecimal() and len(typed) < 9:
        return int(typed) - 1 if 1 <= int(typed) <= len(asked.choices) else None
    begun = [at for at, words in enumerate(asked.choices) if words.casefold().startswith(typed.casefold())]
    return begun[0] if len(begun) == 1 else None


def _answer(conversation: Conversation, question: str) -> str:
    """Return the line that answers a prompt. Raises Left if the player cancels."""
    conversation.say(question)
    try:
        typed = conversation.ask("answer:")
    except KeyboardInterrupt:
        raise Left from None
    if typed.casefold() == LEAVE:
        raise Left
    return typed


def _whose(encounter: Encounter, of: str) -> str:
    combatant = encounter.combatants.get(of)
    return possessive(combatant.name) if combatant else "The game master's"


def played_again(attempt: Attempt) -> Event | Needs:
    """Replay the fight with an amendment and report progress. Raises what the replay raises."""
    progress = ProgressLine("replaying the fight, event")
    try:
        for step in attempt.steps():
            if not isinstance(step, ReplayProgress):
                return step
            progress(step.done, step.count)
    finally:
        progress.end()
    raise AssertionError("the last step is the result")


def say_amendment(session: Session, conversation: Conversation, done: Event) -> None:
    """Say what an amendment would change."""
    names = {
        **names_ever(session.encounter, session.log),
        **names_of(apply(session.encounter, done)),
    }
    conversation.say("Changes:")
    for line in amendment_lines(session.log, done, names, session.game):
        conversation.say(line)
