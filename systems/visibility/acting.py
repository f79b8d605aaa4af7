"""Read a seat's request: a typed line, understood by what its viewer sees, for its own characters.

The server reads the line once. Names and tags mean the same as on the seat's screen, and the resulting
command names combatants by their ids. The table checks this command before any rule sees it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from unicodedata import category

from systems.codec.plain import BadPlainData
from systems.commands.beginning import comes_to
from systems.commands.declaration import CommandKind
from systems.commands.table import COMMANDS, kind_named, kind_of, read_command
from systems.encounter.lookup import Meant, single, targets
from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import can_have_turn, upcoming
from systems.errors import Refused
from systems.frozen import evolve, frozen
from systems.language.intents import Act, Command
from systems.text import clean, listed
from systems.visibility.known import names_of
from systems.visibility.moment import Moment
from systems.visibility.viewer import Acting, Shown, Viewer

LONGEST_LINE = 1024  # bytes
_MOST_ACCENTS = 4  # on one letter; written languages need at most three
# Commands that a seat may ask for in addition to the game's actions.
SEAT_COMMANDS = frozenset(name for name, kind in COMMANDS.items() if kind.own_intent is not None)


# Return the ids of the combatants that a text names in the fight as a viewer sees it.


@frozen
class SeatCommand:
    """A seat's request that the table may carry out.

    `command`: with ids in place of names and tags. `actor`: the viewer's character that acts. `words`: the
    request as text. `waits`: the game master decides. `ends_turn`: it gives away the turn that the seat sees.
    `is_over`: the game master has already passed that turn on, to a hidden combatant.
    """

    command: Command
    actor: Combatant
    words: str
    waits: bool
    ends_turn: bool = False
    is_over: bool = False


class ForgedRequest(ValueError):
    """Raised for a command that no line of the seat means. The message repeats none of its values."""


def read_request(seen: Encounter, viewer: Viewer, line: str) -> Command:
    """Return the command that a seat's line means, with ids. Raises Misread, Refused or Wrong.

    `seen`: the fight as the viewer sees it.
    """
    if len(line.encode(errors="replace")) > LONGEST_LINE:
        raise Refused("the line is too long")
    refuse_unprintable(line)
    # Only names in sight need no quotes: a hidden name would otherwise show that it exists.
    command = read_command(seen, clean(line, LONGEST_LINE), lambda act: actor_of_action(seen, viewer, act))
    if command.dice is not None:
        raise Refused("Affray asks for real dice one by one; leave out dice=")
    kind = kind_of(command)
    if kind.own_intent is None:
        raise Refused("only the game master can do that")
    _, intent = kind.own_intent(_SeatAsker(seen, viewer, named_targets), command.intent)
    return evolve(command, intent=intent, line=kind.line(intent))


def refuse_unprintable(*texts: str) -> None:
    """Raise Refused for a character that no screen may show, such as an escape, and for stacked accents."""
    found = next(
        (each for text in texts if not text.isprintable() for each in text if not each.isprintable()), ""
    )
    if found:
        raise Refused(f"the line has the unprintable character {found!a}: leave it out")
    if any(_stacks_accents(text) for text in texts if not text.isascii()):
        raise Refused("the line has too many accents on one letter: leave some out")


def _stacks_accents(text: str) -> bool:
    """Return whether a letter has more accents than fit in its row."""
    count = 0
    for character in text:
        count = count + 1 if category(character) in ("Mn", "Me") else 0
        if count > _MOST_ACCENTS:
            return True
    return False


def _texts(plain: object) -> Iterator[str]:
    """Yield all texts of an intent as plain data, and the names of its options."""
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, Mapping):
        yield from (text for name, value in plain.items() for text in (name, *_texts(value)))
    elif isinstance(plain, Sequence):
        yield from (text for value in plain for text in _texts(value))


def sent_command(name: str, intent: object) -> Command:
    """Return a seat's command from its name and the data of its intent, which `CommandKind.plain` made.

    Raises ForgedRequest, also for a character that no line of a seat can have.
    """
    kind = kind_named(name)
    if kind is None or kind.own_intent is None:
        raise ForgedRequest("command is none that a seat may use")
    try:
        meant = kind.read_plain(intent)
        refuse_unprintable(*_texts(intent))
    except (BadPlainData, Refused):
        raise ForgedRequest("intent does not fit its command") from None
    return Command(meant, kind.line(meant), name=name)


def seat_command(
    encounter: Encounter, viewer: Viewer, command: Command, shown: Shown, moment: Moment
) -> SeatCommand:
    """Check a seat's command against the rights of its viewer. Raises Refused with one sentence.

    `command`: as `read_request` returns it. `shown`: the table's settings for seats. `moment`: the fight as
    the seat sees it. While a hidden combatant has the turn, the seat still sees an earlier turn. That turn
    decides what waits, so that no answer depends on hidden combatants. Raises ForgedRequest for a command
    with ids that the seat does not see, or that names another player's character as its own.
    """
    seen, kind = moment.encounter, kind_of(command)
    assert kind.own_intent is not None
    asker = _SeatAsker(seen, viewer, _ids)
    actor, intent = kind.own_intent(asker, command.intent)
    if intent != command.intent:
        raise ForgedRequest("intent names combatants that the seat does not see as its own")
    own_turn = has_turn(seen, actor)
    turn_of = "" if _is_real(encounter, actor, kind, own_turn) else moment.turn_of
    command = evolve(command, turn_of=turn_of)
    ends_turn = own_turn and kind.gives_up_turn and hands_over(seen, actor)
    is_over = ends_turn and not has_turn(encounter, encounter.combatants.get(actor.id, actor))
    asks_to_end = ends_turn and (shown.hand_over == "ask" or is_over)
    waits = asks_to_end or asker.needs_consent or _waits(kind, shown.acting, own_turn)
    return SeatCommand(command, actor, kind.words(seen, intent), waits, ends_turn, is_over)


def _is_real(encounter: Encounter, actor: Combatant, kind: CommandKind, own_turn: bool) -> bool:
    """Return whether a command is carried out in the real turn, even if the seat sees an earlier one.

    These commands end the real turn, join the current order, or don't depend on the turn at all.
    """
    if kind.needs_no_turn:
        # The removal of a combatant with the turn is held back, so the seat may still see its character.
        return actor.id in encounter.combatants
    return kind.gives_up_turn and own_turn


def _waits(kind: CommandKind, acting: Acting, own_turn: bool) -> bool:
    if kind.goes_through == "always":
        return False
    if acting != "turn":
        return acting == "ask"
    return kind.goes_through == "never" or not own_turn


def hands_over(seen: Encounter, actor: Combatant) -> bool:
    """Return whether the turn is given away once this combatant has ended its own.

    In the sides order it stays with the side while another member can act.
    """
    if seen.style != "sides" or seen.progress.interrupted:
        return True
    coming = upcoming(seen.with_progress(turn=actor.id), comes_to)
    return coming is None or (coming[0].side, coming[1]) != (actor.side, seen.progress.round)


def has_turn(encounter: Encounter, combatant: Combatant) -> bool:
    """Return whether it is this combatant's turn, or it may take the turn as a member of its side."""
    progress = encounter.progress
    if progress.over or not progress.round:
        return False
    if progress.turn == combatant.id:
        return True
    is_side = encounter.style == "sides" and progress.side == combatant.side and not progress.interrupted
    return is_side and combatant.state.done < progress.round and can_have_turn(encounter, combatant.id)


class _SeatAsker:
    """The viewer of a seat, for the commands that it may ask for; see `Requester`.

    `meant` returns the ids of the combatants that a text names. `needs_consent`: the request waits at every
    table, because it changes another player's character without an action of the game on it, or a name.
    """

    def __init__(self, seen: Encounter, viewer: Viewer, meant: Meant) -> None:
        self.seen, self._viewer, self._meant = seen, viewer, meant
        self.needs_consent = False

    def actor(self, named: str) -> Combatant:
        return own_actor(self.seen, self._viewer, named, self._meant)

    def speaker(self) -> Combatant:
        own = [combatant for combatant in self.seen.in_line() if self._viewer.owns(combatant)]
        with_turn = [combatant for combatant in own if combatant is self.seen.turn]
        return (with_turn or own or [self.actor("")])[0]

    def own(self, named: str) -> Combatant:
        return _own(self.single(named), self._viewer)

    def all_own(self, named: str) -> list[Combatant]:
        return [_own(self.seen.combatants[who], self._viewer) for who in self.targets(named)]

    def all_friends(self, named: str) -> list[Combatant]:
        found = [self.seen.combatants[who] for who in self.targets(named)]
        for combatant in found:
            if not (self._viewer.owns(combatant) or self.seen.is_player(combatant)):
                raise Refused(f"{combatant.name} is not your character or on your side")
            self._check_owner(combatant)
        return found

    def of_these(self, combatants: Sequence[Combatant]) -> Combatant:
        own = (combatant for combatant in combatants if self._viewer.owns(combatant))
        return next(own, None) or self.speaker()

    def single(self, named: str) -> Combatant:
        return single(self.seen, named, self._meant)

    def helper(self, named: str) -> str:
        found = self.single(named)
        self._check_owner(found)
        return found.id

    def need_consent(self) -> None:
        self.needs_consent = True

    def _check_owner(self, combatant: Combatant) -> None:
        if not self._viewer.owns(combatant):
            self.need_consent()

    def targets(self, named: str) -> tuple[str, ...]:
        return self._meant(self.seen, named)

    def has_turn(self, combatant: Combatant) -> bool:
        return has_turn(self.seen, combatant)


def _ids(seen: Encounter, text: str) -> tuple[str, ...]:
    """Return ids that are separated by commas. Raises ForgedRequest for one that the viewer does not see."""
    found = tuple(text.split(","))
    if not {*found} <= {*seen.combatants}:
        raise ForgedRequest("intent names a combatant that the seat does not see")
    return found


def actor_of_action(seen: Encounter, viewer: Viewer, act: Act) -> Combatant | None:
    """Return the viewer's character that acts, or None. Only its sheet may help to read the line."""
    with suppress(Refused):
        return own_actor(seen, viewer, act.by)
    return None


def actor_of(seen: Encounter, viewer: Viewer, command: Command) -> Combatant:
    """Return the viewer's character that acts in a command that `read_request` returned."""
    own_intent = kind_of(command).own_intent
    assert own_intent is not None
    return own_intent(_SeatAsker(seen, viewer, _ids), command.intent)[0]


def own_actor(seen: Encounter, viewer: Viewer, named: str, meant: Meant | None = None) -> Combatant:
    """Return the actor: the named character of the viewer, else the only one, else the one with the turn."""
    if named:
        return _own(single(seen, named, meant or named_targets), viewer)
    own = [combatant for combatant in seen.in_line() if viewer.owns(combatant)]
    if len(own) == 1:
        return own[0]
    if not own:
        raise Refused("none of your characters is in this fight")
    if seen.turn is not None and viewer.owns(seen.turn):
        return seen.turn
    raise Refused(f"name the combatant that acts: by {listed([clean(each.name, 40) for each in own], 'or')}")


def _own(combatant: Combatant, viewer: Viewer) -> Combatant:
    """Return a character of the viewer. Raises Refused for another player's."""
    if not viewer.owns(combatant):
        raise Refused(f"{combatant.name} is not your character")
    return combatant


def named_targets(seen: Encounter, text: str) -> tuple[str, ...]:
    """Return the ids of TARGETS given by tags and names. Raises Refused with the unknown word.

    Here the id of each combatant is its name.
    """
    ids = names_of(seen)
    combatants = {name: evolve(seen.combatants[who], id=name) for name, who in ids.items()}
    named = evolve(seen, combatants=combatants).with_progress(ids=tuple(combatants))
    return tuple(ids[name] for name in targets(named, text))
