"""Conditions that the game master gives and clears: the game's own and free ones."""

from collections.abc import Sequence

from systems.commands.durations import for_rounds, left, until_turn
from systems.commands.effects import borne_name, has_condition, with_condition, without_condition
from systems.commands.transaction import Transaction
from systems.encounter.events import Seen
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
