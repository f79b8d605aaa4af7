"""Conditions: give them, clear them, and end them after their time."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from systems.commands.effects import (
    as_declared,
    barred,
    has_condition,
    held_name,
    own_words,
    save_options,
    with_condition,
    with_condition_value,
    without_condition,
)
from systems.commands.transaction import Transaction
from systems.contract.marked_text import SOMETHING_UNSEEN, possessive
from systems.contract.outcome import EndEvent
from systems.encounter.durations import for_rounds, left, until_event, until_turn, way_out
from systems.encounter.events import Seen
from systems.encounter.lookup import condition_named, held_condition, single
from systems.encounter.model import ActiveCondition, Encounter
from systems.errors import Refused
from systems.frozen import evolve, frozen
from systems.language.intents import Intent
from systems.schema.conversion import replace
from systems.schema.fields import fields_of
from systems.text import clean, plain_word, several

MOST_ROUNDS, MOST_VALUE = 9_999, 999
_END_EVENTS: Mapping[str, tuple[EndEvent, ...]] = {
    "damaged": ("damaged",),
    "healed": ("healed",),
    "falls": ("source_falls",),
}


@frozen
class SetCondition(Intent):
    """Give a condition for `rounds`, or `until` the start or end `of` a turn, or until it is cleared.

    `until` may also be `damaged`, `healed`, or `falls`: until `of` can no longer act. `save`, `difficulty`:
    the roll at the end of each turn that ends it, or at this moment `again`. `escape`: the number of an
    attempt to get free. `quoted`: the name was quoted; it is taken literally, and immunity does not count.
    `by`: the combatant it comes from.
    """

    targets: str
    name: str
    value: int | None = None
    rounds: int | None = None
    until: str = ""
    of: str = ""
    quoted: bool = False
    secret: bool = False
    by: str = ""
    save: str = ""
    difficulty: int | None = None
    again: str = ""
    escape: int | None = None


@frozen
class ClearCondition(Intent):
    """End a condition. `quoted`: the name was quoted and is taken literally. `by`: only the one it gave."""

    targets: str
    name: str
    quoted: bool = False
    by: str = ""
    # `condition 3 -prone` ends a condition.
    command_name: ClassVar[str] = "clear"


def set_condition(transaction: Transaction, ids: Sequence[str], intent: SetCondition) -> None:
    """Give a condition to combatants. Raises Refused for an ambiguous name or an unknown turn.

    Combatants that cannot get it are left out, with the reason. Raises Refused if none is left.
    """
    name = condition_named(transaction.encounter, intent.name, quoted=intent.quoted)
    value, rounds = counted(transaction.encounter, name, intent)
    held = _held(transaction.encounter, intent, name, value, rounds)
    barring = {
        who: why
        for who in ids
        if (why := barred(transaction.encounter, transaction.combatant(who), held, forced=intent.quoted))
    }
    if len(barring) == len(ids):
        raise Refused(_all_barred(list(barring.values()), name))
    ids = [who for who in ids if who not in barring]
    transaction.record(
        actor=held.source or "",
        targets=ids,
        name=name,
        value=value,
        rounds=rounds,
        until=intent.until,
        of=held.of or (held.source if intent.until == "falls" else None),
        secret=intent.secret,
        save=intent.save,
        difficulty=intent.difficulty,
        again=intent.again,
        escape=intent.escape,
    )
    for who, why in barring.items():
        transaction.say(why, [who], seen=_seen(held))
    for who in ids:
        transaction.put(with_condition(transaction.encounter, transaction.combatant(who), held))
    for group in transaction.in_sight(ids):
        for label, some in _by_label(transaction, group, held).items():
            _say_given(transaction, some, held, label)


def _held(
    encounter: Encounter, intent: SetCondition, name: str, value: int | None, rounds: int | None
) -> ActiveCondition:
    """Return the condition that a command gives. Raises Refused."""
    ability = _ability_of(encounter, intent) if intent.save else None
    source = single(encounter, intent.by).id if intent.by else None
    if intent.until == "falls":
        falls = single(encounter, intent.of).id
        if source not in (None, falls):
            raise Refused("a condition ends with the fall of its source: name the same combatant after by")
        source = falls
    held = ActiveCondition(
        name=name,
        value=value,
        secret=intent.secret,
        source=source,
        save=ability,
        difficulty=intent.difficulty,
        again=(intent.again or "end",) if intent.save else (),
        escape=intent.escape,
        ends_when=_END_EVENTS.get(intent.until, ()),
    )
    held = as_declared(encounter.game, held)
    if rounds is not None:
        return for_rounds(encounter, held, rounds)
    if intent.until in ("start", "end"):
        return until_turn(encounter, held, intent.until, single(encounter, intent.of).id)
    return held


def _ability_of(encounter: Encounter, intent: SetCondition) -> str:
    """Return what the save of a typed condition rolls. Raises Refused, and Wrong for an unknown ability."""
    save = encounter.game.ending_save
    action = encounter.game.action(save.action) if save else None
    if save is None or action is None:
        raise Refused(f"{encounter.game.title} has no saves that end a condition; leave out save")
    ability = str(fields_of(action.options)[save.ability].type.typed(intent.save, "save"))
    save_options(action, save, ability, intent.difficulty)
    return ability


def _all_barred(reasons: Sequence[str], name: str) -> str:
    """Return the reasons as one sentence, and how to give the condition all the same."""
    said = " ".join(reasons).rstrip(".")
    is_immune = any("is immune" in why for why in reasons)
    return f'{said}; to give it all the same, put the name in quotes: "{name}"' if is_immune else said


def _by_label(transaction: Transaction, ids: Sequence[str], held: ActiveCondition) -> dict[str, list[str]]:
    """Return the combatants by the label of their condition; a counted condition's label has its value."""
    found: dict[str, list[str]] = {}
    for who in ids:
        combatant = transaction.combatant(who)
        name = held_name(combatant, held.name)
        own = next((each for each in reversed(combatant.conditions) if each.name == name), held)
        counted_on = (own.value or 1) != (held.value or 1)
        label = (own if counted_on else held).label_in(transaction.encounter.game)
        found.setdefault(f"now {label}" if counted_on else label, []).append(who)
    return found


def _say_given(transaction: Transaction, ids: Sequence[str], held: ActiveCondition, label: str) -> None:
    """Say in one sentence who has the condition, for how long, and from whom."""
    names = [transaction.combatant(who).name for who in ids]
    is_now = "is" if len(names) == 1 else "are"
    own = own_words(transaction.encounter.game, held)
    about = [*ids, *(who for who in (held.of, held.source) if who)]
    more = _how_long(transaction.encounter, held)
    is_unseen = _is_from_unseen(transaction.encounter, ids, held)
    unseen = f"{SOMETHING_UNSEEN.capitalize()}:"
    if own:
        for who, name in zip(ids, names, strict=True):
            public = (f"{unseen} {name} {own}.", (who,)) if is_unseen else None
            told = f"{name} {own}{more}."
            transaction.say(told, [who, *about[len(ids) :]], seen=_seen(held), public=public)
    else:
        now = f"now {label.removeprefix('now ')}"
        seen_by_all = (f"{unseen} {several(names)} {is_now} {now}.", tuple(ids)) if is_unseen else None
        told = f"{several(names)} {is_now} {label}{more}."
        transaction.say(told, about, seen=_seen(held), public=seen_by_all)


def _is_from_unseen(encounter: Encounter, ids: Sequence[str], held: ActiveCondition) -> bool:
    """Return whether combatants in sight get a condition from one that players do not see."""
    if held.secret or not all(encounter.combatants[who].in_sight for who in ids):
        return False
    source = encounter.combatants.get(held.source or held.of or "")
    return source is not None and not source.in_sight


def _how_long(encounter: Encounter, held: ActiveCondition) -> str:
    """Return how long a condition lasts, its source, and the ways out of it, as the end of a sentence."""
    until = until_event(encounter, held)
    lasting = _lasting(left(encounter, held))
    ends = f"{lasting}{' or' if lasting else ''} {until}" if until else lasting
    is_named = held.source is None or held.ends_with_source
    came = "" if is_named else f", from {encounter.combatants[held.source or ''].name}"
    # Players may read the sentence, and the difficulty of a save is the game master's.
    out = way_out(replace(held, difficulty=None))
    return f"{ends}{came}{f', {out}' if out else ''}"


def _seen(held: ActiveCondition) -> Seen | None:
    """Return "gm" for a secret condition, else None: the combatant decides who sees it."""
    return "gm" if held.secret else None


def counted(encounter: Encounter, name: str, intent: SetCondition) -> tuple[int | None, int | None]:
    """Return value and rounds; a number alone is the rounds if the game's condition has no value."""
    own = encounter.game.condition(name)
    alone = intent.value is not None and intent.rounds is None and not intent.until
    if own is None or own.takes_value or not alone:
        return intent.value, intent.rounds
    if not 1 <= int(intent.value or 0) <= MOST_ROUNDS:
        raise Refused(f"{own.label} has no value; a number means rounds, 1 to {MOST_ROUNDS}")
    return None, intent.value


def _lasting(words: str) -> str:
    """Return ` for 2 rounds`, ` until the end of Okado's turn` or ""."""
    return f" {words}" if words.startswith("until") else f" for {words}" if words else ""


def clear(transaction: Transaction, ids: Sequence[str], intent: ClearCondition) -> None:
    """End a condition, or all of them. Raises Refused if none of the combatants has it."""
    here = transaction.encounter
    everything = plain_word(intent.name) == "all" and not intent.quoted
    name = "" if everything else held_condition(here, ids, intent.name, quoted=intent.quoted)
    source = single(here, intent.by).id if intent.by else ""
    transaction.record(actor=source, targets=ids, name=name or "all")
    ended = [_clear_from(transaction, who, name, source) for who in ids]
    if not any(ended):
        words = clean(here.game.condition_label(name), 40)
        names = several([transaction.combatant(who).name for who in ids])
        have = "has" if len(ids) == 1 else "have"
        came = f" from {here.combatants[source].name}" if source else ""
        raise Refused(f"{names} {have} no condition{f' {words}' if words else 's'}{came}")


def _clear_from(transaction: Transaction, who: str, name: str, source: str) -> bool:
    """End a condition of a combatant, or all with ""; return whether it had one.

    `source`: only what this combatant gave.
    """
    combatant = transaction.combatant(who)
    meant = held_name(combatant, name) if name else ""
    found = [
        held
        for held in combatant.conditions
        if meant in ("", held.name) and source in ("", held.source or "")
    ]
    for held in found:
        now = transaction.combatant(who)
        if any(active.key == held.key for active in now.conditions):
            transaction.put(without_condition(transaction.encounter, now, held.name, held))
            transaction.tell_end(who, replace(held, value=None))
    if found or source or not meant:
        return bool(found)
    if has_condition(transaction.encounter, combatant, meant):
        # The condition is only a field of the sheet.
        transaction.put(without_condition(transaction.encounter, combatant, meant))
        transaction.tell_end(who, ActiveCondition(name=meant))
        return True
    return False


def count_condition(transaction: Transaction, who: str, name: str, by: int) -> None:
    """Add to the value of a condition; at 0 it ends. Its source and end stay.

    Raises Refused for a condition without a value.
    """
    combatant = transaction.combatant(who)
    held = next(held for held in combatant.conditions if held.name == name)
    condition = transaction.encounter.game.condition(name)
    if held.value is None:
        raise Refused(
            f"{possessive(combatant.name)} {held.label_in(transaction.encounter.game)} has no value to count"
        )
    if held.value + by <= 0 < held.value:
        transaction.end_condition(who, held)
    elif by < 0:
        transaction.end_condition(who, held, -by)
    else:
        most = condition.most if condition else MOST_VALUE
        kept = replace(held, value=min(max(most, held.value), held.value + by))
        transaction.put(with_condition_value(transaction.encounter, combatant, kept))
        now = next(each for each in transaction.combatant(who).conditions if each.key == kept.key)
        label = now.label_in(transaction.encounter.game)
        transaction.say(f"{combatant.name} is now {label}.", [who], seen=_seen(held))
    transaction.tell_ended()


# Conditions whose time is over.


def start_of_round(transaction: Transaction) -> None:
    """End the conditions whose last round is over, or whose end waits for a combatant that has left."""
    number = transaction.encounter.progress.round
    people = transaction.encounter.combatants

    def is_over(held: ActiveCondition) -> bool:
        if held.last_round is not None and held.last_round < number:
            return True
        return held.of is not None and (
            held.of not in people or not transaction.encounter.status(people[held.of]).in_order
        )

    _end_all(transaction, is_over)


def start_of_turn(transaction: Transaction, who: str) -> None:
    """End the conditions that last until the start of this combatant's turn."""
    if transaction.encounter.with_conditions():
        _end_all(transaction, lambda held: held.until == "start" and held.of == who)
        _unskip(transaction, who)
        _fade(transaction, who, "turn_start")
    transaction.tell_ended()


def end_of_turn(transaction: Transaction, who: str) -> None:
    """End the conditions that last until the end of this combatant's turn, unless set in this turn."""
    if transaction.encounter.with_conditions():
        _end_all(transaction, lambda held: held.until == "end" and held.of == who and not held.skips)
        _unskip(transaction, who)
        _fade(transaction, who, "turn_end")
    transaction.tell_ended()


def _unskip(transaction: Transaction, who: str) -> None:
    """Count the current turn as passed for conditions that were set in it."""
    for combatant in transaction.encounter.with_conditions():
        if any(held.skips and held.of == who for held in combatant.conditions):
            kept = (replace(held, skips=0) if held.of == who else held for held in combatant.conditions)
            transaction.put(evolve(combatant, conditions=tuple(kept)))


def _fade(transaction: Transaction, who: str, moment: str) -> None:
    """Lower by 1 the conditions that fade at that moment of this combatant's turn."""
    for held in transaction.combatant(who).conditions:
        condition = transaction.encounter.game.condition(held.name)
        if condition and condition.fades == moment:
            transaction.end_condition(who, held, 1)
    transaction.tell_ended()


def _end_all(transaction: Transaction, is_over: Callable[[ActiveCondition], bool]) -> None:
    for combatant in transaction.encounter.with_conditions():
        for held in combatant.conditions:
            if is_over(held):
                transaction.end_condition(combatant.id, held)
    transaction.tell_ended()
