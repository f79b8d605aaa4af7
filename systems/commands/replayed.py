"""What an event needs to be carried out again: its command with ids, its dice and its roster."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from systems.commands.amounts import DamageOrHeal
from systems.commands.declaration import Recorded
from systems.commands.step_forward import RecordedDice
from systems.commands.table import kind_named, kind_of, read_command
from systems.contract.outcome import Answer
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Dice, DiceCounts, Given, Roll, TotalRoll
from systems.encounter.events import Event
from systems.encounter.model import Encounter
from systems.encounter.prepared import is_untouched
from systems.encounter.roster import JoiningEntry
from systems.encounter.tags import plain_name
from systems.frozen import frozen
from systems.language.intents import Act, Command
from systems.schema.conversion import replace
from systems.schema.fields import fields_of

# The fields of intents that name combatants.
_PEOPLE = ("targets", "by", "who", "beside", "of")


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
    return attrs.evolve(command, intent=attrs.evolve(intent, **changes))


def renamed_answers(event: Event, names: Mapping[str, str]) -> Sequence[Answer]:
    """Return the answers of an event with other ids for the combatants that were asked."""
    return [attrs.evolve(answer, of=names.get(answer.of or "", answer.of)) for answer in event.answers]


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
        rolls = tuple(attrs.evolve(roll, of=names.get(roll.of, roll.of)) for roll in rolls)
    return EventDice(rolls, given, rest)
