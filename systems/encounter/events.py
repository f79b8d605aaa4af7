"""Events of the log: each holds the result of one command, as data and as text.

`Event` is the value that the whole program works with. How it is stored is the codec's matter
(systems/codec). An amendment holds the newer versions of earlier events in `replaced` and the numbers of
events that it dropped in `dropped` (history.py).
"""

from collections.abc import Collection, Iterable, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, dataclass_transform

from systems.contract.marked_text import MarkedText, joined, marked
from systems.contract.outcome import Answer, Explanation, Fact, Step, Term
from systems.dice.sources import Given, Roll, Total, TotalRoll
from systems.encounter.model import Encounter
from systems.frozen import evolve, field, frozen
from systems.schema.conversion import plain_of
from systems.text import clean, printable

EventKind = Literal["command", "undo", "redo", "back"]
Seen = Literal["all", "gm"]
# Events of these kinds change what other events did.
STEPS = ("undo", "redo", "back")
_ACTION_COMMANDS = ("action", "damage", "heal", "roll")
NOTHING_CHANGED = "Nothing changed."


@frozen
class Sentence:
    """One sentence of an event, and the ids of the combatants it is about.

    `seen`: "gm" for the game master alone, "all" for everybody, or the ids of the hidden combatants whose
    players alone may read it; None in a command: decided by which of the combatants in `about` are hidden.
    `owners`: the combatants whose players alone may read it. `upcoming`: it only announces or recalls
    something. `round`: the round in which it was logged, if that is not the event's. `result`: the index of
    the result that it describes. `exact`: it contains exact values of the last combatant in `about`, even if
    it describes no result. `public`: the text for viewers who cannot see all combatants in `about`, with the
    ids that this text is about. `arithmetic`: it is the arithmetic of the result in the sentence before it.
    """

    text: str = field(converter=marked)
    about: tuple[str, ...] = ()
    seen: Seen | tuple[str, ...] | None = None
    owners: tuple[str, ...] = ()
    upcoming: bool = False
    round: int | None = None
    result: int | None = None
    exact: bool = False
    public: tuple[MarkedText, tuple[str, ...]] | None = None
    arithmetic: bool = False


@frozen
class TextLine:
    """One line of an event: what happened, and the arithmetic that is shown dimmed below it, or ""."""

    text: MarkedText
    arithmetic: str = ""


# The sentences of a line, and those of its arithmetic.
_Sentences = tuple[list[str], list[str]]


@frozen
class Result:
    """The result of one action for one target, or for its actor if there is no target.

    `status`: the new status of a visible target, if it changed and the actor is out of sight. `lost`,
    `felled`: what the target lost, in an event with several actors. `shows`: what everybody could see of the
    subject for the first time: its band of health and its conditions. The explanation of a logged event has
    no text; its sentences are those of the event.
    """

    action: str
    actor: str
    target: str | None
    degree: str
    facts: Mapping[str, Fact]
    explanation: Explanation
    status: str = ""
    lost: int = 0
    felled: bool = False
    shows: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """Return the id that the result is about: its target, else its actor."""
        return self.target or self.actor

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.explanation.terms

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.explanation.steps

    @property
    def rules(self) -> tuple[str, ...]:
        return self.explanation.rules


@frozen
class Change:
    """One changed field. `who` is an id, or "" for the encounter. None means that the field is absent.

    `before` and `after` are plain data. An empty `field` stands for the whole combatant.
    """

    who: str
    field: str
    before: Any = None
    after: Any = None


@frozen
class RosterChange:
    """A change of one field of a roster entry, by its name on the sheet, as plain data. None means absent."""

    entry: str
    field: str
    before: Any = None
    after: Any = None

    @property
    def reversed(self) -> "RosterChange":
        return RosterChange(self.entry, self.field, self.after, self.before)


@frozen
class Loss:
    """The points that a combatant lost; negative if it regained points. `felled`: it can no longer act."""

    who: str
    lost: int
    felled: bool = False


@frozen
class ReactionTaken:
    """A reaction to the command of an event, by another combatant: its actor, action and options."""

    actor: str
    action: str
    options: Mapping[str, Any] = {}


class StoredFields(Protocol):
    """The fields of a stored event, decoded one at a time."""

    def decoded(self, name: str) -> Any:
        """Return a field of the event; its default if the stored event has none."""


T = TypeVar("T")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def _decoded_late(cls: type[T]) -> type[T]:
    """Make a frozen class whose fields may be decoded when they are first used, unlike those of a struct."""
    fields = cls.__annotations__
    defaults = {name: value for name, value in vars(cls).items() if name in fields}
    for name in defaults:
        # As an attribute of the class, a default would hide the stored field.
        delattr(cls, name)
    values = attrgetter(*fields)

    def init(self: Any, **given: Any) -> None:
        if unknown := given.keys() - fields.keys():
            raise TypeError(f"{cls.__name__} has no field {min(unknown)}")
        self.__dict__.update(defaults, **given)

    def refuse(self: Any, name: str, value: object = None) -> None:
        raise AttributeError(f"{name} of {cls.__name__} cannot be changed")

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if type(other) is cls else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    def changed(self: Any, **changes: Any) -> Any:
        held = self.__dict__
        # Reading the values decodes them.
        known = held if held.keys() == fields.keys() else dict(zip(fields, values(self), strict=True))
        return cls(**{**known, **changes})

    own: Any = cls
    own.__init__, own.__setattr__, own.__delattr__ = init, refuse, refuse
    own.__eq__, own.__hash__, own.__replace__ = equal, hashed, changed
    return cls


@_decoded_late
class Event:
    """What one command did.

    `n`: its number, from 1. `time`: when it was saved, as ISO 8601 text. `who`: who asked for it, `gm` or a
    seat. `command`: its declared name, or `action`. `action`: the game's action, if one was run. `round` and
    `turn`: those in which it began. `turn_of`: the combatant in whose turn it was carried out, because a seat
    still saw that turn (given_back.py of the commands). `actor`, `targets`: ids. `options`: values by name.
    `typed`: the line. `refs`: the numbers of the events that it undid, redid, stepped back over or amended.
    `titles`: those of undone or redone commands (step_runs.py). `passing`: losses as turns passed in the
    event of an action (losses.py). `roster`: changes of roster entries. `seen_changes`: the changes in the
    turn of `turn_of`, if they differ. `game_version`: the version of the game that wrote it.

    `intent`: the fields of the command, with ids, that no other field holds (declaration.py of the commands);
    None in logs written before it was stored. `actors`: the actors of a joint action, if there are several.
    `batch`: the number of the first event that is undone and redone together with this one, or 0.
    `reactions`: those of other combatants within the command.
    """

    n: int = 0
    time: str = ""
    who: str = ""
    kind: EventKind = "command"
    command: str = ""
    typed: str = ""
    round: int = 0
    turn: str = ""
    turn_of: str = ""
    action: str = ""
    actor: str = ""
    targets: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    intent: Mapping[str, Any] | None = None
    actors: tuple[str, ...] = ()
    batch: int = 0
    refs: tuple[int, ...] = ()
    titles: tuple[str, ...] = ()
    dropped: tuple[int, ...] = ()
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    rolls: tuple[Roll | TotalRoll, ...] = ()
    answers: tuple[Answer, ...] = ()
    reactions: tuple[ReactionTaken, ...] = ()
    results: tuple[Result, ...] = ()
    passing: tuple[Loss, ...] = ()
    roster: tuple[RosterChange, ...] = ()
    seen_changes: tuple[Change, ...] = ()
    replaced: "tuple[Event, ...]" = ()
    changes: tuple[Change, ...] = ()
    game_version: int = 1

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            """Decode a field of a stored event when it is first used, and keep it."""
            stored = self.__dict__.get("_stored")
            if stored is None or name not in FIELDS:
                raise AttributeError(name)
            found = self.__dict__[name] = stored.decoded(name)
            return found


FIELDS = frozenset(Event.__annotations__)


def stored_event(number: int, fields: StoredFields) -> Event:
    """Return an event whose other fields are decoded when they are first used.

    So opening a log of thousands of events costs what is used of them.
    """
    event = Event.__new__(Event)
    event.__dict__.update(n=number, _stored=fields)
    return event


# Writing


def out_of_sight(before: Encounter, after: Encounter) -> set[str]:
    """Return the ids hidden before or after a command, and those that have not arrived after it."""
    hidden = {combatant.id for here in (before, after) for combatant in here if combatant.state.hidden}
    newest = {**before.combatants, **after.combatants}
    return hidden | {who for who, combatant in newest.items() if combatant.state.arrives}


def logged(
    sentences: Iterable[Sentence], hidden: Collection[str], number: int
) -> tuple[str, tuple[Sentence, ...]]:
    """Return the whole line, and its sentences as the log keeps them: each with its viewers.

    `hidden`: the ids of combatants that are out of sight before or after the command. `number`: the round in
    which the command began.
    """
    found = []
    for sentence in sentences:
        text = marked(sentence.text).changed(printable)
        if text:
            found.append(
                evolve(
                    sentence,
                    text=text,
                    about=tuple(dict.fromkeys(sentence.about)),
                    seen=_seen(sentence, hidden),
                    owners=(),
                    round=None if sentence.round == number else sentence.round,
                    public=_public(*sentence.public, hidden) if sentence.public else None,
                )
            )
    return " ".join(sentence.text for sentence in found), tuple(found)


def _public(
    text: MarkedText, about: Collection[str], hidden: Collection[str]
) -> tuple[MarkedText, tuple[str, ...]] | None:
    """Return the text for viewers who cannot see all combatants; None if it names a hidden one."""
    return None if {*about} & {*hidden} else (text.changed(printable), tuple(about))


def _seen(sentence: Sentence, hidden: Collection[str]) -> Seen | tuple[str, ...]:
    if sentence.seen is not None:
        return sentence.seen
    only = [who for who in dict.fromkeys(sentence.about) if who in hidden]
    only += [who for who in sentence.owners if who not in only]
    return tuple(only) or "all"


def logged_result(result: Result) -> Result:
    """Return a result as the log keeps it: facts as plain data, the explanation without its text."""
    told = result.explanation
    return evolve(
        result,
        facts={name: plain_of(fact) for name, fact in result.facts.items() if fact is not None},
        explanation=evolve(told, text="", arithmetic=""),
    )


# Reading


def given_in(event: Event) -> list[Given]:
    """Return the dice of an event in the form used for real dice: a face for each die, or the total of
    several.
    """
    return [Total(roll.total) if isinstance(roll, TotalRoll) else roll.face for roll in event.rolls]


def public_of(sentence: Sentence) -> Sentence | None:
    """Return a sentence for viewers who cannot see all its combatants, or None if it has no such text."""
    if sentence.public is None:
        return None
    text, about = sentence.public
    return evolve(sentence, text=text, about=about)


def _ids_with_own_line(event: Event) -> set[str]:
    """Return the ids of the combatants that each have a line in an event's text; empty if it is one line."""
    if event.command not in ("action", "damage", "heal"):
        return set()
    if event.actors:
        return {*event.actors}
    each = {*event.targets, *(result.subject for result in event.results)}
    return each if len(each) > 1 else set()


def is_one_line(event: Event) -> bool:
    """Return whether `lines_of` has one line, without arithmetic."""
    return not any(sentence.arithmetic for sentence in event.sentences) and not _ids_with_own_line(event)


def lines_of(event: Event) -> list[TextLine]:
    """Return the text of an event in lines, each with its arithmetic.

    An event with several targets has a line for each of them, after a heading: a sentence belongs to the
    line of the last target it is about. So has an event with several actors: a sentence belongs to the line
    of the actor that it is about first. Other events are one line, but each line has only one arithmetic.
    """
    each = _ids_with_own_line(event)
    lines: list[_Sentences] = []
    subject, is_heading = "", True
    for sentence in event.sentences:
        if lines and sentence.arithmetic:
            lines[-1][1].append(sentence.text)
            continue
        about = sentence.about
        place = 0 if event.actors else -1
        last = about[place] if about and about[place] in each else ""
        is_heading = is_heading and len(each & {*about}) > 1 and sentence.result is None
        is_next_result = bool(lines and lines[-1][1]) and sentence.result is not None
        if lines and not is_next_result and (is_heading or not last or last == subject):
            lines[-1][0].append(sentence.text)
        else:
            lines.append(([sentence.text], []))
        subject = "" if is_heading else last or subject
    told = [TextLine(joined(said), " ".join(arithmetic)) for said, arithmetic in lines]
    return told or [TextLine(MarkedText(event.text))]


def combatants_in(event: Event) -> frozenset[str]:
    """Return the ids of all combatants an event involves: its actor, targets and those in its sentences."""
    found = {event.actor, *event.actors, *event.targets}
    for result in event.results:
        found |= {result.actor, result.target or ""}
    for sentence in event.sentences:
        if not sentence.upcoming:
            found.update(sentence.about)
    return frozenset(found - {"", "gm"})


def round_of(event: Event) -> int:
    """Return the round that an event belongs to: the round that it begins, if any, else its own.

    An action belongs to the round in which it is done, even if turns pass afterwards in the same event.
    """
    if event.kind in STEPS or event.command in _ACTION_COMMANDS:
        return event.round
    for change in event.changes:
        if change.who:
            break
        if change.field == "round":
            return int(change.after or 0)
    return event.round


def continues(event: Event, before: Event | None) -> bool:
    """Return whether an event is an undo right after an undo, or a redo right after a redo."""
    return (
        event.kind in ("undo", "redo")
        and before is not None
        and before.kind == event.kind
        and bool(event.titles and before.titles)
    )


def lines_about(event: Event, who: str) -> list[TextLine]:
    """Return the lines about one combatant."""
    if who not in combatants_in(event):
        return []
    lines: list[_Sentences] = []
    for sentence in event.sentences:
        if who not in sentence.about:
            continue
        if lines and sentence.arithmetic:
            lines[-1][1].append(sentence.text)
        elif lines and not (lines[-1][1] and sentence.result is not None):
            lines[-1][0].append(sentence.text)
        else:
            lines.append(([sentence.text], []))
    return [TextLine(joined(said), " ".join(arithmetic)) for said, arithmetic in lines]


def seen_of(event: Event) -> Seen | None:
    """Return "gm" if only the game master saw an event, else None.

    None means that visibility depends on the combatants it is about.
    """
    return "gm" if all(sentence.seen == "gm" for sentence in event.sentences) else None


def is_secret(event: Event) -> bool:
    """Return whether an event is a secret roll."""
    return event.command == "roll" and event.options.get("secret") is True


def names_in(event: Event) -> dict[str, str]:
    """Return the names of combatants that an event added or removed, by id."""
    found = {}
    for change in event.changes:
        for whole in (change.before, change.after):
            if not change.field and isinstance(whole, Mapping) and isinstance(name := whole.get("name"), str):
                found[change.who] = clean(name, 60)
    return found
