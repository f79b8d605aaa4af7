"""Conditions that the game master gives and clears: the game's own and free ones."""

from collections.abc import Sequence

from systems.commands.durations import for_rounds, left, until_turn
from systems.commands.effects import borne_name, has_condition, with_condition, without_condition
from systems.commands.transaction import Transaction
from systems.encounter.lookup import borne_named, condition_named, single
from systems.encounter.model import ActiveCondition, Encounter
from systems.errors import Refused
from systems.language.intents import ClearCondition, SetCondition
from systems.text import clean, plain_word, several

MOST_ROUNDS = 9_999


def set_condition(play: Transaction, ids: Sequence[str], intent: SetCondition) -> None:
    """Give a condition. Raises Refused where two are meant, and for an unknown turn to wait for."""
    name = condition_named(play.encounter, intent.name, quoted=intent.quoted)
    value, rounds = counted(play.encounter, name, intent)
    held = ActiveCondition(name=name, value=value)
    if rounds is not None:
        held = for_rounds(play.encounter, held, rounds)
    elif intent.until:
        held = until_turn(play.encounter, held, intent.until, single(play.encounter, intent.of).id)
    for who in ids:
        play.put(with_condition(play.encounter, play.one(who), held))
    names = [play.one(who).name for who in ids]
    is_now = "is" if len(names) == 1 else "are"
    play.say(f"{several(names)} {is_now} {held.label}{_lasting(left(play.encounter, held))}.")


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
    ended: list[str] = []
    everything = plain_word(intent.name) == "all" and not intent.quoted
    name = "" if everything else borne_named(play.encounter, ids, intent.name, quoted=intent.quoted)
    for who in ids:
        combatant = play.one(who)
        which = [held.name for held in combatant.conditions] if everything else [borne_name(combatant, name)]
        for each in which:
            if has_condition(play.encounter, play.one(who), each):
                play.put(without_condition(play.encounter, play.one(who), each))
                words = each.replace("_", " ")
                ended.append(f"{combatant.name} is no longer {words}")
    if not ended:
        words = clean(name.replace("_", " "), 40)
        raise Refused(f"{several([play.one(who).name for who in ids])}: not {words or 'under any condition'}")
    play.say(". ".join(ended) + ".")
