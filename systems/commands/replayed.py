"""What an event needs to be carried out again: its command with ids, its dice, answers and roster."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar, cast

from systems.commands.amounts import DamageOrHeal
from systems.commands.declaration import Recorded
from systems.commands.table import kind_named, kind_of, read_command
from systems.contract.outcome import Answer
from systems.contract.table import Choices
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import (
    Dice,
    DiceCounts,
    Given,
    Roll,
    StreamedDice,
    TakesTotals,
    TotalRoll,
    dice_words,
)
from systems.encounter.events import Event
from systems.encounter.model import Encounter
from systems.encounter.prepared import is_untouched
from systems.encounter.roster import JoiningEntry
from systems.encounter.tags import plain_name
from systems.errors import Refused, Wrong
from systems.frozen import evolve, frozen
from systems.language.intents import Act, Command
from systems.schema.conversion import replace
from systems.schema.fields import fields_of
from systems.schema.types import Flag
from systems.schema.values import as_typed
from systems.text import listed, matches

# The fields of intents that name combatants.
_PEOPLE = ("targets", "by", "who", "beside", "of")
T = TypeVar("T", bound=Hashable)
DieAsked = tuple[Any, Any, Any]


def command_of(event: Event, then: Encounter) -> Command:
    """Return the command that an event carried out, with ids.

    If the event has no valid intent, as in older logs, its line is parsed. Raises Misread if that fails.
    `then`: the encounter before the event.
    """
    kind = kind_named(event.command)
    name, intent = event.command, kind.intent_in(event) if kind else None
    if intent is None:
        read = read_command(then, event.typed)
        name, intent = read.name, kind_of(read).with_ids(read.intent, Recorded(event, then))
    return Command(intent, event.typed, name=name, turn_of=event.turn_of)


def renamed(command: Command, names: Mapping[str, str]) -> Command:
    """Return a command with other ids for combatants that joined under another id.

    `names`: the new ids by the old.
    """
    if not names:
        return command
    intent = command.intent

    def called(text: str) -> str:
        return ",".join(names.get(who, who) for who in text.split(","))

    changes: dict[str, Any] = {
        name: called(getattr(intent, name)) for name in _PEOPLE if hasattr(intent, name)
    }
    if isinstance(intent, Act | DamageOrHeal):
        changes["options"] = {name: called(value) for name, value in intent.options.items()}
    return evolve(command, intent=evolve(intent, **changes))


def renamed_answers(event: Event, names: Mapping[str, str]) -> Sequence[Answer]:
    """Return the answers of an event with other ids for the combatants that were asked."""
    return [evolve(answer, of=names.get(answer.of or "", answer.of)) for answer in event.answers]


class RecordedDice(StreamedDice, TakesTotals):
    """Recorded dice, found by kind, reason and owner; new dice come from `rest`.

    Totals are kept by their dice in notation, faces by the sides of the die.
    """

    def __init__(self, rolls: Iterable[Roll | TotalRoll], rest: Dice) -> None:
        self._rest = rest
        self._kept: dict[DieAsked, list[int]] = {}
        for roll in rolls:
            match roll:
                case TotalRoll(dice=die, total=value) | Roll(sides=die, face=value):
                    self._kept.setdefault((die, roll.why, roll.of), []).append(value)

    def take(self, sides: int, why: str, of: str) -> int | None:
        """Take the next recorded face with that reason and owner; None if none is left."""
        kept = self._kept.get((sides, why, of))
        return kept.pop(0) if kept else None

    def take_total(self, dice: DiceCounts, why: str, of: str) -> int | None:
        """Take the next recorded total of these dice with that reason and owner; None if none is left."""
        kept = self._kept.get((dice_words(dice), why, of))
        return kept.pop(0) if kept else None

    def drop(self, dice: DiceCounts, why: str, of: str) -> None:
        """Remove the record of these dice, since a total has been given for them now."""
        if self.take_total(dice, why, of) is None:
            for number, sides in dice:
                for _ in range(number):
                    self.take(sides, why, of)

    def take_like(self, sides: int, of: str) -> int | None:
        """Take the next recorded face of such a die with any reason; None if none is left.

        Dice of that owner come first.
        """
        return self._take_any(sides, of)

    def take_total_like(self, dice: DiceCounts, of: str) -> int | None:
        """Take the next recorded total of such dice, as `take_like` does."""
        return self._take_any(dice_words(dice), of)

    def _take_any(self, thrown: int | str, of: str) -> int | None:
        left = [(owner, kept) for (size, _, owner), kept in self._kept.items() if kept and size == thrown]
        left.sort(key=lambda each: each[0] != of)
        return left[0][1].pop(0) if left else None

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        if (kept := self.take_total(dice, why, of)) is not None:
            return kept
        has_fallen = any(self._kept.get((sides, why, of)) for _, sides in dice)
        if has_fallen or not isinstance(self._rest, TakesTotals):
            return None
        return self._rest.total(dice, why, of)

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        if (kept := self.take(sides, why, of)) is not None:
            return kept
        if isinstance(self._rest, StreamedDice):
            self._rest.stream = self.stream
        return self._rest.face(sides, why, of)


class RecordedAnswers:
    """Recorded answers, in order for each combatant and question; if none is left or fits, `rest` answers.

    An answer that followed the suggestion does so again. If another suggestion is made now, the question is
    asked again. Events of older versions do not say who answered, or which question; then only the order
    counts. `typed`: words that replace the first answers; `typed_left` are those that were not asked for.
    """

    def __init__(self, answers: Iterable[Answer], rest: Choices, typed: Sequence[str] = ()) -> None:
        self._kept = list(answers)
        self._rest = rest
        self.typed_left = list(typed)

    def answer(self, question: str, choices: Sequence[T], of: str, suggest: T, id: str = "") -> T:
        at = next((at for at, kept in enumerate(self._kept) if _may_answer(kept, of, id)), None)
        if self.typed_left:
            if at is not None:
                del self._kept[at]
            return _typed_choice(self.typed_left.pop(0), question, choices)
        if at is not None:
            kept = self._kept.pop(at)
            given = kept.value
            if kept.suggested and given != suggest:
                return self._rest.answer(question, choices, of, suggest, id)
            for choice in choices:
                if choice == given and type(choice) is type(given):
                    return choice
            if isinstance(given, str) and given in choices:
                return cast(T, given)  # a number outside the listed choices
            # The question is a different one now, so the later answers to it no longer fit.
            self._kept = [
                other
                for other in self._kept
                if other.of not in (None, kept.of) or other.question != kept.question
            ]
        return self._rest.answer(question, choices, of, suggest, id)


def _typed_choice(word: str, question: str, choices: Sequence[T]) -> T:
    """Return the choice that a typed answer means. Raises Refused if it means none of them."""
    if all(isinstance(choice, bool) for choice in choices):
        with suppress(Wrong):
            return cast(T, Flag().typed(word))
    named = {as_typed(choice): choice for choice in choices}
    if found := matches(word, named):
        return named[found[0]]
    if word in choices:
        return cast(T, word)  # a number outside the listed choices
    raise Refused(f"answer={word} does not fit the question {question} Answers: {listed(named, 'or')}")


def _may_answer(kept: Answer, of: str, id: str) -> bool:
    """Return whether a recorded answer is one to the question `id` of this combatant, as far as is known."""
    return kept.of in (None, of) and (not kept.question or not id or kept.question == id)


class EventDice(RecordedDice):
    """The dice of an event that is carried out again: dice given now, then the recorded dice.

    A die given now replaces one with the same owner and reason. With `any_reason`, a recorded die with
    another reason is used if none fits. Raises WrongDie for an invalid die.
    """

    def __init__(self, rolls: Sequence[Roll | TotalRoll], given: Sequence[Given], rest: Dice) -> None:
        super().__init__(rolls, rest)
        self.given, self.any_reason = ScriptedDice(given), False

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        if not self.given.left:
            return super().total(dice, why, of)
        given = self.given.total(dice, why, of)
        if given is not None:
            self.drop(dice, why, of)
        return given

    def take_total(self, dice: DiceCounts, why: str, of: str) -> int | None:
        found = super().take_total(dice, why, of)
        if found is None and self.any_reason:
            found = self.take_total_like(dice, of)
        return found

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        given = self.given.face(sides, why, of) if self.given.left else None
        fell = self.take(sides, why, of)
        if fell is None and self.any_reason:
            fell = self.take_like(sides, of)
        return next((face for face in (given, fell) if face is not None), None) or super().face(
            sides, why, of
        )


@frozen
class EarlierEntry:
    """A roster entry at the time of an event."""

    name: str
    side: str
    sheet: Any
    party: str = ""


class EarlierCast(Mapping[str, JoiningEntry]):
    """The roster as an event found it, for the kinds of combatants that it brought or whose form it gave.

    All other entries are those of the present roster.
    """

    def __init__(self, then: Encounter, after: Encounter) -> None:
        self._found = dict(_kinds_then(then, after))
        self.rest: Mapping[str, JoiningEntry] = {}

    def __getitem__(self, kind: str) -> JoiningEntry:
        found = self._found.get(kind)
        return self.rest[kind] if found is None else found

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._found, *self.rest)))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _kinds_then(then: Encounter, after: Encounter) -> Iterator[tuple[str, EarlierEntry]]:
    """Yield the kinds that an event brought, or whose form it gave, with their sheets then."""
    for each in after:
        before, state = then.combatants.get(each.id), each.state
        if before is None and state.kind and state.bringer:
            yield state.kind, EarlierEntry(plain_name(each), each.side, each.sheet)
        elif before is not None and state.form and state.form != before.state.form:
            yield state.form, EarlierEntry(state.form.replace("-", " "), each.side, each.sheet)


def earlier_roster(
    event: Event, then: Encounter, after: Encounter, here: Encounter
) -> Mapping[str, EarlierEntry] | None:
    """Return the roster entries that an event brought the characters up to date with; None for other events.

    `then` and `after`: the original encounter before and after the event. `here`: the encounter in which the
    event is carried out again.
    """
    if event.command not in ("start", "refresh"):
        return None
    present = {combatant.state.kind: combatant.sheet for combatant in here}
    found = {}
    for combatant in then:
        kind = combatant.state.kind
        if kind is None or kind not in present or combatant.id not in after.combatants:
            continue
        later = after.combatants[combatant.id]
        taken = {
            name: getattr(later.sheet, name)
            for name, field in fields_of(type(later.sheet)).items()
            if combatant.state.prepared.get(name) != later.state.prepared.get(name)
            and is_untouched(later.state.prepared, later.sheet, field)
        }
        # A value that was not taken from the roster then is not taken now either, even if it differs by now.
        found[kind] = EarlierEntry(combatant.name, combatant.side, replace(present[kind], **taken))
    return found


def dice_of(
    event: Event, given: Sequence[Given], rest: Dice, names: Mapping[str, str] | None = None
) -> EventDice:
    """Return the dice of an event: those `given` first, then the recorded ones, then those of `rest`.

    `names`: see `renamed`.
    """
    rolls = event.rolls
    if names:
        rolls = tuple(evolve(roll, of=names.get(roll.of, roll.of)) for roll in rolls)
    return EventDice(rolls, given, rest)
