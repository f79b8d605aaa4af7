"""The declaration of a command: everything about it, in one value; and what several commands do alike.

Each command has a module with its declaration. `table.py` lists them all. Every other module looks a command
up in a table and calls its functions, so a new command is one module and one line in the table.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, Protocol

from systems.codec.plain import BadPlainData, plain_difference, with_difference
from systems.commands.transaction import Transaction
from systems.contract.action import Action
from systems.contract.marked_text import possessive
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, EventKind, Sentence
from systems.encounter.history import History
from systems.encounter.lookup import single, targets
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused
from systems.frozen import evolve, fields, frozen
from systems.language.declaration import Declaration
from systems.language.intents import Intent
from systems.schema.fields import fields_of
from systems.schema.values import as_typed
from systems.text import clean, listed, matches, shown, spoken

_LONGEST = 40
LONGEST_SEAT_TEXT = 300  # characters of a note or of speech from a seat


@frozen
class Recorded:
    """What an event recorded of its command, and the encounter before it.

    A typed line names combatants in any way; its event has their ids. If the event has none for a word, the
    word is looked up in the encounter.
    """

    event: Event
    then: Encounter

    def id(self, word: str) -> str:
        """Return the id of the combatant that a typed word named."""
        with suppress(Refused):
            return single(self.then, word).id if word else ""
        return word

    def ids(self, text: str) -> str:
        """Return the ids of the combatants that typed words named."""
        with suppress(Refused):
            return ",".join(targets(self.then, text)) if text else ""
        return text

    def actor(self, word: str) -> str:
        """Return the id of the event's actor, else of the combatant that a word named; "" for no word."""
        return word and (self.event.actor or self.id(word))

    def one(self, word: str) -> str:
        """Return the id of the event's actor or only target, else of the combatant that a word named."""
        only = self.event.targets[0] if len(self.event.targets) == 1 else ""
        return word and (self.event.actor or only or self.id(word))

    def targets(self, text: str) -> str:
        """Return the ids of the event's targets, else of the combatants that words named."""
        return ",".join(self.event.targets) or self.ids(text)

    def meant(self, held: Sequence[str], named: str) -> Sequence[str]:
        """Return the combatants that words named, or the recorded ones if the words named others."""
        with suppress(Refused):
            meant = targets(self.then, named)
            if {*held} <= {*meant}:
                return meant
        return held

    def aimed(self, named: str) -> str:
        """Return the event's targets and the combatants in its line that had fallen at the time."""
        return ",".join(self.meant(self.event.targets, named))


def still_there(ids: str, event: Event, here: Encounter) -> str:
    """Return the ids without fallen targets, which the event left out, that are no longer in the fight."""
    return ",".join(who for who in ids.split(",") if who in event.targets or who in here.combatants)


def with_recorded_ids(intent: Any, recorded: Recorded) -> Intent:
    """Return a typed intent with ids in its fields `targets`, `who`, `by`, `of` and `beside`."""
    options = recorded.event.options
    changes: dict[str, str] = {}
    for declared in fields(type(intent)):
        word = getattr(intent, declared.name)
        if not isinstance(word, str):
            continue
        match declared.name:
            case "targets":
                changes["targets"] = recorded.targets(word)
            case "who":
                changes["who"] = recorded.one(word)
            case "by":
                changes["by"] = recorded.actor(word)
            case "of" | "beside" as name:
                changes[name] = word and str(options.get(name) or recorded.id(word))
    found: Intent = evolve(intent, **changes)
    return found


def held_in_event(event: Event, blank: Intent) -> Intent:
    """Return an intent with the fields that an event holds as its targets, its actor or an option."""
    found: dict[str, str] = {}
    for declared in fields(type(blank)):
        if declared.name == "targets":
            found["targets"] = ",".join(event.targets)
        elif declared.name == "who":
            found["who"] = event.actor or next(iter(event.targets), "")
        elif declared.name in event.options:
            with suppress(BadPlainData):
                blank = with_difference(blank, {declared.name: event.options[declared.name]})
    return evolve(blank, **found)


@frozen
class Described:
    """An event with names in place of ids, for its title.

    `doers`: the actors of its results. `game`: the source of labels, if it is known.
    """

    event: Event
    actor: str
    targets: str
    turn: str
    doers: str
    game: Ruleset | None

    def option(self, name: str) -> str:
        """Return an option of the event as short text, or ""."""
        return clean(str(self.event.options.get(name) or ""), _LONGEST)

    def condition(self, name: str) -> str:
        """Return a condition in words."""
        return self.game.condition_label(name) if self.game is not None else spoken(name)


class Requester(Protocol):
    """The viewer of a seat that asks for a command. Names and tags mean what the seat shows.

    Each method that takes a name raises Refused with one sentence.
    """

    @property
    def seen(self) -> Encounter:
        """The fight as the seat sees it."""

    def actor(self, named: str) -> Combatant:
        """Return the named character of the viewer, else the only one, else the one with the turn."""

    def speaker(self) -> Combatant:
        """Return the viewer's character with the turn, else the first. Raises Refused if there is none."""

    def own(self, named: str) -> Combatant:
        """Return the viewer's character with this name."""

    def all_own(self, named: str) -> Sequence[Combatant]:
        """Return the viewer's characters with these names."""

    def all_friends(self, named: str) -> Sequence[Combatant]:
        """Return the combatants of the players' side with these names.

        The request needs consent if one of them is not the viewer's own.
        """

    def of_these(self, combatants: Sequence[Combatant]) -> Combatant:
        """Return the viewer's first character among these, else the speaker."""

    def helper(self, named: str) -> str:
        """Return the id of the combatant that helps an action. It needs consent if it is not the viewer's."""

    def need_consent(self) -> None:
        """Have the request wait for the game master at every table."""

    def single(self, named: str) -> Combatant:
        """Return the one combatant with this name."""

    def targets(self, named: str) -> Sequence[str]:
        """Return the ids of all combatants with these names."""

    def has_turn(self, combatant: Combatant) -> bool:
        """Return whether the seat sees that it is this combatant's turn."""


@frozen
class HistoryStep:
    """A step through history: the encounter after it, and the numbers of the events that it concerns.

    Without `sentences`, the dispatcher names these events. `batch`: that of an event that undoes or redoes a
    whole batch.
    """

    kind: EventKind
    after: Encounter
    refs: Sequence[int]
    sentences: Sequence[Sentence] = ()
    batch: int = 0


# Which requests need not wait for the game master.
GoesThrough = Literal["never", "in own turn", "always"]
OwnIntent = Callable[[Requester, Any], tuple[Combatant, Intent]]


def _not_carried_out(transaction: Transaction, intent: Any) -> None:
    raise AssertionError("this command is not carried out in one transaction")


def _unchanged(intent: Any, event: Event, here: Encounter) -> Intent:
    found: Intent = intent
    return found


def _without_options(intent: Any, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    if given or by:
        raise Refused("this command has no options; amend it with the whole command")
    found: Intent = intent
    return found


def with_targets(
    do: Callable[[Transaction, tuple[str, ...]], None],
) -> Callable[[Transaction, Any], None]:
    """Return a function that carries out a command with nothing but targets: `do` takes their ids."""

    def carry_out(transaction: Transaction, intent: Any) -> None:
        ids = targets(transaction.encounter, intent.targets)
        transaction.record(targets=ids)
        do(transaction, ids)

    return carry_out


def titled(words: str) -> Callable[[Described], str]:
    """Return a function for titles such as `{actor's} delay`. Without the name, the title is empty."""
    name = "actor" if "{actor" in words else "targets"

    def title(described: Described) -> str:
        named = getattr(described, name)
        return words.format(**{name: named, possessive(name): possessive(named)}) if named else ""

    return title


@frozen(kw_only=True)
# mypy does not know that the class of frozen classes takes options.
class CommandKind(Declaration, kw_only=True):  # type: ignore[call-arg]
    """A command of the tracker.

    `carry_out`: changes the transaction's encounter and records the content of the event.
    `step`: does so for commands that go through history.
    `line`: writes a seat's or an amended intent as a line.
    `words`: describes a seat's intent, with names in place of ids. `table_words`: the same for the table, if
    the words have to name the actor; it may raise Refused or Wrong.
    `blank`: an intent of the command with empty fields. `held`: returns the intent with the fields that an
    event holds elsewhere; its `intent` has the others. `with_ids`: returns a typed intent with the ids that
    its event recorded. `again`: adapts the intent of an event to the encounter of an amended history.
    `amended`: returns the intent with other options or another actor. Raises Refused.
    `in_history`: an amendment may put the command into history.
    `title`: names an event in a few words; "" means the line as typed.
    `own_intent`: checks a request of a seat and returns the viewer's character that acts and the intent with
    ids. It returns an intent that has ids already unchanged. Without it, only the game master may ask.
    `goes_through`: which requests need not wait for the game master. Those of "in own turn" need not if the
    table lets players act in turn, and those of "always" at every table.
    `needs_no_turn`: it means the same in every turn. `gives_up_turn`: it can end a turn.
    `helps`: a seat may also ask for it on another character of the players' side.
    """

    carry_out: Callable[[Transaction, Any], None] = _not_carried_out
    step: Callable[[Encounter, History, Any], HistoryStep] | None = None
    line: Callable[[Any], str] = lambda intent: ""
    words: Callable[[Encounter, Any], str] = lambda encounter, intent: ""
    table_words: Callable[[Encounter, Any], str] = lambda encounter, intent: ""
    blank: Intent
    held: Callable[[Event, Any], Intent] = held_in_event
    with_ids: Callable[[Any, Recorded], Intent] = with_recorded_ids
    again: Callable[[Any, Event, Encounter], Intent] = _unchanged
    amended: Callable[[Any, Mapping[str, str], str, Ruleset], Intent] = _without_options
    in_history: bool = True
    title: Callable[[Described], str] = lambda described: ""
    own_intent: OwnIntent | None = None
    goes_through: GoesThrough = "never"
    needs_no_turn: bool = False
    gives_up_turn: bool = False
    helps: bool = False

    def plain(self, intent: Intent) -> dict[str, Any]:
        """Return an intent as data, for another process."""
        return plain_difference(intent, self.blank)

    def read_plain(self, given: object) -> Intent:
        """Return the intent of data that `plain` has made. Raises BadPlainData."""
        return with_difference(self.blank, given)

    def stored_intent(self, intent: Intent, event: Event, then: Encounter) -> dict[str, Any]:
        """Return the data of a carried-out intent that its event does not hold elsewhere.

        `then`: the encounter before the event.
        """
        meant = self.with_ids(intent, Recorded(event, then))
        return plain_difference(meant, self.held(event, self.blank))

    def intent_in(self, event: Event) -> Intent | None:
        """Return the intent that an event stores; None if it stores none, or if it is invalid."""
        if event.intent is None:
            return None
        with suppress(BadPlainData):
            return with_difference(self.held(event, self.blank), event.intent)
        return None


Commands = Mapping[str, CommandKind]


def seat_text(text: str) -> str:
    """Return the text of a note or of speech from a seat. Raises Refused if it is too long."""
    if len(text) > LONGEST_SEAT_TEXT:
        raise Refused(f"a text has at most {LONGEST_SEAT_TEXT} characters, and this has {len(text):,}")
    return text


def options_as_typed(event: Event) -> dict[str, str]:
    """Return the options of an event as they would be typed."""
    return {name: as_typed(value) for name, value in event.options.items() if value is not None}


def parts_given(given: Mapping[str, str], texts: Sequence[str], numbers: Sequence[str]) -> dict[str, Any]:
    """Return the given fields of a command by name.

    Raises Refused for an unknown name or an invalid number.
    """
    found: dict[str, Any] = {}
    for word, value in given.items():
        name = next(iter(matches(word, (*texts, *numbers))), "")
        if not name:
            raise Refused(f"this command has no option {shown(word)}; it has {listed((*texts, *numbers))}")
        if name in numbers and not re.fullmatch(r"-?[0-9]{1,4}", value):
            raise Refused(f"{name}: expected a whole number, got {shown(value)}")
        found[name] = int(value) if name in numbers else value
    return found


def options_of(action: Action | None) -> tuple[str, ...]:
    """Return the names of an action's options."""
    return tuple(fields_of(action.options)) if action else ()


def merged(known: Sequence[str], old: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the old options, replaced by those given now; names are compared in any spelling."""
    replaced = {name for word in given for name in matches(word, known)}
    return {name: value for name, value in old.items() if name not in replaced} | dict(given)
