"""The linear program: says how the fight stands, then answers each line until the input ends."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from systems.commands.offers import alike, is_quiet, question_of, to_take
from systems.commands.table import completions
from systems.encounter.model import Offer
from systems.encounter.short_lines import spaced_out
from systems.errors import Misread, Refused
from systems.schema.fields import fields_of
from systems.text import as_sentence
from tui.campaign.seats import SEATS
from tui.display.frame import offer_does
from tui.display.order_lines import fight_line
from tui.display.refusals import misread_words, why_not_to_end, why_not_to_pass
from tui.linear.carrying_out import LEAVE, agree, carry_out_line
from tui.linear.conversation import Conversation, Ended, PlayersSeats
from tui.linear.keys import KEYS
from tui.linear.looking import LOOKS, heard_order
from tui.services import apart_from_fight
from tui.session.attempt import CANNOT_BE, Left
from tui.session.opening import OpenEncounter
from tui.session.repeating import repeated_line
from tui.session.session import DICE_MODES, Session

if TYPE_CHECKING:
    from tui.linear.importing import LineImports

# Keys that may be followed by a tag without a blank.
_SHORT = ("d", "h", "c")
_LEAVING = ("quit", "exit", "q")
_BY = re.compile(r" by \S+$")


class ManagedSeats(PlayersSeats, Protocol):
    """The open seats, as the lines about them and the empty line use them."""

    @property
    def is_asking(self) -> bool: ...

    @property
    def has_question(self) -> bool: ...

    @property
    def empty_words(self) -> str: ...

    def carry_out(self, line: str) -> None: ...

    def answer(self, line: str) -> None: ...

    def take_for(self, offer: Offer) -> bool: ...

    def take_oldest(self) -> bool: ...

    def line_was_said(self) -> None: ...

    def close(self) -> None: ...


# Opens the seats of a fight. The function writes a line.
OpenSeats = Callable[[OpenEncounter, Callable[[str], None]], ManagedSeats]


class _SeatsOfFight:
    """The seats of players: not open until they are needed."""

    def __init__(self, fight: OpenEncounter, conversation: Conversation, open_seats: OpenSeats) -> None:
        self._fight, self._conversation, self._open_seats = fight, conversation, open_seats
        self.opened: ManagedSeats | None = None

    def open(self) -> ManagedSeats | None:
        """Open the seats, and return them; None if the fight is read-only."""
        if self.opened is None and not self._fight.session.read_only:
            self.opened = self._open_seats(self._fight, self._conversation.say)
            self._conversation.seats = self.opened
        return self.opened

    def carry_out(self, line: str) -> None:
        """Carry out a line about the seats."""
        seats = self.open()
        if seats is None:
            self._conversation.say("Another program has this campaign, so the seats are managed there.")
        else:
            seats.carry_out(line)

    def answers(self, line: str) -> bool:
        """Give a line to the open die or choice of a seat's command. Return whether there is one."""
        if self.opened is None or not self.opened.is_asking:
            return False
        self.opened.answer(line)
        return True

    def take(self, offer: Offer | None) -> bool:
        """Take what Enter takes before or after an offer: a seat's die, or a seat's request.

        Return whether there was one.
        """
        seats = self.opened
        if seats is None:
            return False
        comes_first = offer is not None and not is_quiet(self._fight.session.encounter, offer)
        if offer is not None and comes_first and not seats.has_question:
            return seats.take_for(offer)
        return seats.take_oldest()

    def close(self) -> None:
        """Close the seats."""
        if self.opened is not None:
            self.opened.close()


def play(fight: OpenEncounter, open_seats: OpenSeats) -> int:
    """Play an open fight until the input ends; return the exit status."""
    session = fight.session
    conversation = Conversation(lambda line: _completed(session, line))
    conversation.say(fight_line(session.encounter, fight.campaign.title))
    if fight.notice:
        conversation.say_error(fight.notice)
    for line in heard_order(session.encounter, session.log):
        conversation.say(line)
    conversation.say("Type a command, help for a list, or quit. Everything is saved at once.")
    seats = _SeatsOfFight(fight, conversation, open_seats)
    if conversation.at_terminal and (fight.campaign.path / SEATS).is_file():
        seats.open()
    try:
        _play_on(fight, conversation, seats)
    finally:
        seats.close()
    return 0


class _ImportsOfFight:
    """The word `import`: its module is loaded when it is first used."""

    def __init__(self, fight: OpenEncounter, conversation: Conversation) -> None:
        self._fight, self._conversation = fight, conversation
        self._answers: LineImports | None = None

    def answer(self, rest: str) -> None:
        """Answer a line that begins with `import`."""
        from tui.linear.importing import LineImports

        self._answers = self._answers or LineImports(self._fight, self._conversation)
        self._answers.answer(rest)


def _play_on(fight: OpenEncounter, conversation: Conversation, seats: _SeatsOfFight) -> None:
    """Answer lines until the input ends."""
    session, imports = fight.session, _ImportsOfFight(fight, conversation)
    offered: Sequence[Offer] = ()
    meant = ""  # the line that Enter alone runs after a near miss
    while True:
        offered = _say_new_offers(session, conversation, offered)
        try:
            line = conversation.ask(">")
            if line.casefold() in _LEAVING:
                return
            if seats.answers(line):
                continue
            if line.partition(" ")[0] == "import":
                imports.answer(line.partition(" ")[2].strip())
                meant = ""
                continue
            meant = _answer(session, conversation, line or meant, seats)
        except (Ended, KeyboardInterrupt):
            return
        if seats.opened is not None:
            seats.opened.line_was_said()


def _answer(session: Session, conversation: Conversation, line: str, seats: _SeatsOfFight) -> str:
    """Answer a word that only shows something, or carry out a command.

    Returns the corrected line if a word of this one is a near miss, else "".
    """
    if line == "E" and not _is_to_end(session, conversation):
        return ""
    if not (_is_to_rest(session, conversation, line) and _is_to_pass(session, conversation, line)):
        return ""
    if line == "D":
        # The key alone goes to the next mode, as on the screens.
        line = f"dice {DICE_MODES[(DICE_MODES.index(session.dice) + 1) % len(DICE_MODES)]}"
    if apart_from_fight(line) == "seats":
        seats.carry_out(line)
        return ""
    line = _with_whole_word(session, line)
    word, _, rest = line.partition(" ")
    if not line:
        if not seats.take(next(iter(to_take(session.encounter)), None)):
            _take_offer(session, conversation)
    elif line == ".":
        _repeat(session, conversation)
    elif word == "dice":
        _choose_dice(session, conversation, rest)
    elif word in LOOKS and not (word == "order" and rest):
        _look(session, conversation, word, rest.strip())
        if word == "order" and seats.opened is not None and seats.opened.empty_words:
            conversation.say(seats.opened.empty_words)
    else:
        return carry_out_line(session, conversation, line)
    return ""


def _is_to_end(session: Session, conversation: Conversation) -> bool:
    """Return whether to end the fight.

    Ask if a side is still up or due to arrive, since one letter is quickly typed.
    """
    progress = session.encounter.progress
    why = why_not_to_end(session.encounter) if progress.round and not progress.over else ""
    asked = f'{why} Press Enter to end the fight, or type "{LEAVE}" to continue:'
    return not why or _agrees(conversation, asked, "The fight continues.")


def _is_to_rest(session: Session, conversation: Conversation, line: str) -> bool:
    """Return whether to carry out a line. Ask if it is only the letter of a rest, which undoes on screens."""
    action, actor = session.game.letters.get(line), session.encounter.turn
    if action is None or action.group != "camp" or actor is None:
        return True
    asked = f'{actor.name}, {action.title}. Press Enter to carry it out, or type "{LEAVE}" to cancel:'
    return _agrees(conversation, asked, "Nothing was changed.")


def _is_to_pass(session: Session, conversation: Conversation, line: str) -> bool:
    """Return whether to carry out a line. Ask if it ends a side's turn and a member can still act."""
    if line not in ("n", "next", "O", "next side"):
        return True
    why = why_not_to_pass(session.encounter, whole_side=line in ("O", "next side"))
    asked = f'{why} Press Enter to end the side\'s turn, or type "{LEAVE}" to continue:'
    return not why or _agrees(conversation, asked, "The turn continues.")


def _agrees(conversation: Conversation, asked: str, otherwise: str) -> bool:
    """Ask a question and return whether the answer is Enter. `otherwise`: what to say if it is not."""
    try:
        agree(conversation, asked)
    except Left:
        conversation.say(otherwise)
        return False
    return True


def _with_whole_word(session: Session, line: str) -> str:
    """Return the line with the key at its beginning replaced by its word."""
    word, blank, rest = line.partition(" ")
    whole = KEYS.get(word, word)
    if word == "a" and session.game.default_action:
        whole = session.game.default_action
    elif word == "n" and not session.encounter.progress.round:
        whole = "start"
    elif word in session.game.letters:
        whole = session.game.letters[word].name
    elif word in _SHORT and rest:
        rest = spaced_out(session.encounter, rest)
    return f"{whole}{blank}{rest}"


def _look(session: Session, conversation: Conversation, word: str, rest: str) -> None:
    try:
        said = list(LOOKS[word][2](session, rest))
    except Misread as error:
        conversation.say_error(f"Not understood: {misread_words(rest, error)}")
    except CANNOT_BE as error:
        conversation.say_error(str(error))
    else:
        for line in said:
            conversation.say(line)


def _repeat(session: Session, conversation: Conversation) -> None:
    """Repeat what the combatant with the turn did last, as `.` does on the screens.

    If that is not possible, say why.
    """
    try:
        line = repeated_line(session)
    except Refused as error:
        conversation.say(as_sentence(str(error)))
    else:
        carry_out_line(session, conversation, line)


def _choose_dice(session: Session, conversation: Conversation, rest: str) -> None:
    if rest in DICE_MODES:
        session.dice = next(mode for mode in DICE_MODES if mode == rest)
    elif rest:
        conversation.say(f"Dice takes one of {', '.join(DICE_MODES)}.")
        return
    said = {
        "program": "The program rolls all dice.",
        "real": "All dice are real: type each when prompted.",
        "players": "The players' dice are real; the program rolls the others.",
    }
    conversation.say(said[session.dice])


def _say_new_offers(session: Session, conversation: Conversation, before: Sequence[Offer]) -> Sequence[Offer]:
    """Say the new offers; return all current offers."""
    offers = to_take(session.encounter)
    listed: list[Offer] = []
    for offer in offers:
        if offer in before or offer in listed:
            continue
        together = alike(session.encounter, offer)
        listed += together
        does = "list them" if len(together) > 1 else f"accept: {offer_does(offer, session.encounter)}"
        question = as_sentence(question_of(session.encounter, together))
        conversation.say(f"Offer: {question} Press Enter to {does}.")
    return offers


def _take_offer(session: Session, conversation: Conversation) -> None:
    """Carry out the first offer, after a prompt for any missing words."""
    offer = next(iter(to_take(session.encounter)), None)
    together = alike(session.encounter, offer) if offer is not None else ()
    # An offer may be left from an earlier turn. If it asks nothing, Enter alone must not accept it either.
    if len(together) > 1 or (offer is not None and offer.lasts and not _left_open(session, offer)):
        offer = _chosen_offer(session, conversation, together)
        if offer is None:
            return
    if offer is None or offer.command is None:
        conversation.say("There are no offers.")
        return
    line = offer.command
    if open_words := _left_open(session, offer):
        conversation.say(f"{offer.says} Type {open_words}, or press Enter to cancel.")
        try:
            rest = conversation.ask("answer:")
        except KeyboardInterrupt:
            rest = ""
        if not rest:
            return
        by = _BY.search(line)
        line = f"{line[: by.start()]} {rest}{by.group()}" if by else f"{line} {rest}"
    carry_out_line(session, conversation, line)


def _chosen_offer(session: Session, conversation: Conversation, offers: Sequence[Offer]) -> Offer | None:
    """Return the offer that the player chooses, or None."""
    conversation.say(as_sentence(question_of(session.encounter, offers)))
    for number, offer in enumerate(offers, 1):
        conversation.say(f"{number}: {offer_does(offer, session.encounter)}, {offer.says}")
    conversation.say("Type a number, or press Enter to cancel.")
    try:
        typed = conversation.ask("answer:")
    except KeyboardInterrupt:
        return None
    if typed.isascii() and typed.isdecimal() and 1 <= int(typed) <= len(offers):
        return offers[int(typed) - 1]
    if typed:
        conversation.say(f"Type a number from 1 to {len(offers)}.")
    return None


def _left_open(session: Session, offer: Offer) -> str:
    """Return the words that an offer's command still needs, or ""."""
    action = session.game.action(offer.action or "")
    if action is None:
        return ""
    if action.targets not in ("none", "optional") and offer.target is None:
        return "the target"
    needed = [
        f"{name}={field.type.expected}"
        for name, field in fields_of(action.options).items()
        if field.needed and name not in offer.options
    ]
    return " ".join(needed)


def _completed(session: Session, line: str) -> list[str]:
    """Return the completions of a line's last word."""
    looks = [f"{word} " for word in LOOKS if word.startswith(line)]
    found = completions(session.encounter, session.roster, _with_whole_word(session, line))
    return [*looks, *(completion.text for completion in found)]
