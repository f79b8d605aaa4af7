"""Conditions: given and cleared by the game master, and ended when their time is over."""

from collections.abc import Callable, Sequence

import attrs

from systems.commands.durations import for_rounds, left, until_turn
from systems.commands.effects import borne_name, has_condition, with_condition, without_condition
from systems.commands.transaction import Transaction
from systems.encounter.events import Seen
from systems.encounter.lookup import borne_named, condition_named, single
from systems.encounter.model import ActiveCondition, Encounter
from systems.errors import Refused
from systems.language.intents import ClearCondition, SetCondition
from systems.schema.conversion import replace
from systems.text import clean, plain_word, several

MOST_ROUNDS = 9_999


def set_condition(play: Transaction, ids: Sequence[str], intent: SetCondition) -> None:
    """Give a condition. Raises Refused where two are meant, and for an unknown turn to wait for."""
    name = condition_named(play.encounter, intent.name, quoted=intent.quoted)
    value, rounds = counted(play.encounter, name, intent)
    held = ActiveCondition(name=name, value=value, secret=intent.secret)
    if rounds is not None:
        held = for_rounds(play.encounter, held, rounds)
    elif intent.until:
        held = until_turn(play.encounter, held, intent.until, single(play.encounter, intent.of).id)
    until_whose = held.of if intent.until else None
    play.concerns(
        targets=ids,
        name=name,
        value=value,
        rounds=rounds,
        until=intent.until,
        of=until_whose,
        secret=intent.secret,
    )
    for who in ids:
        play.put(with_condition(play.encounter, play.combatant(who), held))
    for group in play.in_sight(ids):
        names = [play.combatant(who).name for who in group]
        is_now = "is" if len(names) == 1 else "are"
        about = [*group, *([held.of] if held.of else [])]
        play.say(
            f"{several(names)} {is_now} {held.label}{_lasting(left(play.encounter, held))}.",
            about,
            seen=_seen(held),
        )


def _seen(held: ActiveCondition) -> Seen | None:
    """A secret condition is the game master's alone."""
    return "gm" if held.secret else None


def counted(encounter: Encounter, name: str, intent: SetCondition) -> tuple[int | None, int | None]:
    """Value and rounds. A number alone behind a condition of the game without values is its rounds."""
    own = encounter.game.condition(name)
    alone = intent.value is not None and intent.rounds is None and not intent.until
    if own is None or own.takes_value or not alone:
        return intent.value, intent.rounds
    if not 1 <= int(intent.value or 0) <= MOST_ROUNDS:
        raise Refused(f"{clean(name, 40)} has no value; a number is its rounds, 1 to {MOST_ROUNDS}")
    return None, intent.value


def _lasting(words: str) -> str:
    """` for 2 rounds`, ` until the end of Okado's turn`, or nothing."""
    return f" {words}" if words.startswith("until") else f" for {words}" if words else ""


def clear(play: Transaction, ids: Sequence[str], intent: ClearCondition) -> None:
    """End a condition, or all of them. Raises Refused when nobody has it."""
    ended = False
    everything = plain_word(intent.name) == "all" and not intent.quoted
    name = "" if everything else borne_named(play.encounter, ids, intent.name, quoted=intent.quoted)
    play.concerns(targets=ids, name=name or "all")
    for who in ids:
        combatant = play.combatant(who)
        which = [held.name for held in combatant.conditions] if everything else [borne_name(combatant, name)]
        for condition in which:
            if has_condition(play.encounter, play.combatant(who), condition):
                play.put(without_condition(play.encounter, play.combatant(who), condition))
                words = condition.replace("_", " ")
                seen = next((_seen(held) for held in combatant.conditions if held.name == condition), None)
                play.say(f"{combatant.name} is no longer {words}.", [who], seen=seen)
                ended = True
    if not ended:
        words = clean(name.replace("_", " "), 40)
        raise Refused(
            f"{several([play.combatant(who).name for who in ids])}: not {words or 'under any condition'}"
        )


# Conditions whose time is over


def start_of_round(play: Transaction) -> None:
    """A round begins: what lasted so many rounds is over, and what waited for one who is gone."""
    number = play.encounter.progress.round
    people = play.encounter.combatants

    def is_over(held: ActiveCondition) -> bool:
        if held.last_round is not None and held.last_round < number:
            return True
        return held.of is not None and (
            held.of not in people or not play.encounter.status(people[held.of]).in_order
        )

    _end_all(play, is_over)


def start_of_turn(play: Transaction, who: str) -> None:
    """The turn of `who` begins: what lasted until then is over, and the turn that was skipped as well."""
    _end_all(play, lambda held: held.until == "start" and held.of == who)
    _unskip(play, who)
    _fade(play, who, "turn_start")


def end_of_turn(play: Transaction, who: str) -> None:
    """The turn of `who` ends: what lasted until then is over, unless it was set in this very turn."""
    _end_all(play, lambda held: held.until == "end" and held.of == who and not held.skips)
    _unskip(play, who)
    _fade(play, who, "turn_end")


def _unskip(play: Transaction, who: str) -> None:
    """The turn in which conditions were set until the end of another is over."""
    for combatant in play.encounter:
        if any(held.skips and held.of == who for held in combatant.conditions):
            kept = (replace(held, skips=0) if held.of == who else held for held in combatant.conditions)
            play.put(attrs.evolve(combatant, conditions=tuple(kept)))


def _fade(play: Transaction, who: str, moment: str) -> None:
    """What goes down by 1 at that moment of the turn of `who`."""
    for held in play.combatant(who).conditions:
        condition = play.encounter.game.condition(held.name)
        if condition and condition.fades == moment:
            play.end_condition(who, held, 1)
    play.tell_ended()


def _end_all(play: Transaction, is_over: Callable[[ActiveCondition], bool]) -> None:
    for combatant in list(play.encounter):
        for held in combatant.conditions:
            if is_over(held):
                play.end_condition(combatant.id, held)
    play.tell_ended()
