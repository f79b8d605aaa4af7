"""Read a seat's request: a typed line, understood by what its viewer sees, for its own characters.

The line is checked here before any rule sees it. Names and tags mean the same as on the seat's screen. The
resulting command names combatants by their ids.
"""

from contextlib import suppress

import attrs

from systems.commands.beginning import comes_to
from systems.commands.declaration import CommandKind
from systems.commands.table import COMMANDS, kind_of, read_command
from systems.encounter.lookup import several_names, targets
from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import can_have_turn, upcoming
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Act, Command
from systems.text import clean, listed, shown
from systems.visibility.known import names_of
from systems.visibility.moment import Moment
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Acting, Shown, Viewer

LONGEST_LINE = 1024  # bytes
# Commands that a seat may use besides the game's actions, for the viewer's own characters only.
SEAT_COMMANDS = frozenset(name for name, kind in COMMANDS.items() if kind.own_intent is not None)


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


def seat_command(
    encounter: Encounter, viewer: Viewer, line: str, shown: Shown, moment: Moment | None = None
) -> SeatCommand:
    """Return the command for a seat's line. Raises Misread or Refused with one sentence.

    `shown`: the table's settings for seats. `moment`: the fight as the seat sees it. While a hidden combatant
    has the turn, the seat still sees an earlier turn. That turn decides what waits, so that no answer depends
    on hidden combatants.
    The command must be the same for the fight in which the line was typed and for the current one.
    """
    if len(line.encode(errors="replace")) > LONGEST_LINE:
        raise Refused("the line is too long")
    if moment is None:
        moment = Moment(seen_encounter(encounter, viewer), 0)
    seen = moment.encounter
    # Only names in sight need no quotes: a hidden name would otherwise show that it exists.
    command = read_command(seen, clean(line, LONGEST_LINE), lambda act: actor_of_action(seen, viewer, act))
    if command.dice is not None:
        raise Refused("Affray asks for real dice one by one; leave out dice=")
    kind = kind_of(command)
    if kind.own_intent is None:
        raise Refused("only the game master can do that")
    actor, intent = kind.own_intent(_SeatAsker(seen, viewer), command.intent)
    own_turn = has_turn(seen, actor)
    turn_of = "" if _is_real(encounter, actor, kind, own_turn) else moment.turn_of
    command = attrs.evolve(command, intent=intent, line=kind.line(intent), turn_of=turn_of)
    ends_turn = own_turn and kind.gives_up_turn and hands_over(seen, actor)
    is_over = ends_turn and not has_turn(encounter, encounter.combatants.get(actor.id, actor))
    asks_to_end = ends_turn and (shown.hand_over == "ask" or is_over)
    waits = asks_to_end or _waits(kind, shown.acting, own_turn)
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
    if acting != "turn":
        return acting == "ask"
    return kind.goes_through == "never" or (kind.goes_through == "in own turn" and not own_turn)


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
    """The viewer of a seat, for the commands that it may ask for; see `Requester`."""

    def __init__(self, seen: Encounter, viewer: Viewer) -> None:
        self.seen, self._viewer = seen, viewer

    def actor(self, named: str) -> Combatant:
        return own_actor(self.seen, self._viewer, named)

    def speaker(self) -> Combatant:
        own = [combatant for combatant in self.seen.in_line() if self._viewer.owns(combatant)]
        with_turn = [combatant for combatant in own if combatant is self.seen.turn]
        return (with_turn or own or [self.actor("")])[0]

    def own(self, named: str) -> Combatant:
        return _own(self.seen, self._viewer, named)

    def all_own(self, named: str) -> list[Combatant]:
        return _all_own(self.seen, self._viewer, named)

    def single(self, named: str) -> Combatant:
        return _single(self.seen, named)

    def targets(self, named: str) -> tuple[str, ...]:
        return named_targets(self.seen, named)

    def has_turn(self, combatant: Combatant) -> bool:
        return has_turn(self.seen, combatant)


def actor_of_action(seen: Encounter, viewer: Viewer, act: Act) -> Combatant | None:
    """Return the viewer's character that acts, or None. Only its sheet may help to read the line."""
    with suppress(Refused):
        return own_actor(seen, viewer, act.by)
    return None


def own_actor(seen: Encounter, viewer: Viewer, named: str) -> Combatant:
    """Return the actor: the named character of the viewer, else the only one, else the one with the turn."""
    if named:
        return _own(seen, viewer, named)
    own = [combatant for combatant in seen.in_line() if viewer.owns(combatant)]
    if len(own) == 1:
        return own[0]
    if not own:
        raise Refused("none of your characters is in this fight")
    if seen.turn is not None and viewer.owns(seen.turn):
        return seen.turn
    raise Refused(f"name the combatant that acts: by {listed([clean(each.name, 40) for each in own], 'or')}")


def _own(seen: Encounter, viewer: Viewer, named: str) -> Combatant:
    """Return the viewer's character with this name. Raises Refused for another player's."""
    combatant = _single(seen, named)
    if not viewer.owns(combatant):
        raise Refused(f"{combatant.name} is not your character")
    return combatant


def _all_own(seen: Encounter, viewer: Viewer, named: str) -> list[Combatant]:
    """Return the viewer's characters with these names. Raises Refused if another player's is among them."""
    return [_own(seen, viewer, who) for who in named_targets(seen, named)]


def named_targets(seen: Encounter, text: str) -> tuple[str, ...]:
    """Return the ids of TARGETS given by tags and names. Raises Refused with the unknown word.

    Here the id of each combatant is its name.
    """
    ids = names_of(seen)
    combatants = {name: attrs.evolve(seen.combatants[who], id=name) for name, who in ids.items()}
    named = attrs.evolve(seen, combatants=combatants).with_progress(ids=tuple(combatants))
    return tuple(ids[name] for name in targets(named, text))


def _single(seen: Encounter, text: str) -> Combatant:
    """Return the one combatant that a word names. Raises Refused for none or several."""
    found = named_targets(seen, text)
    if len(found) > 1:
        raise Refused(f"{shown(text)} names several: {several_names(seen, found)}")
    return seen.combatants[found[0]]
