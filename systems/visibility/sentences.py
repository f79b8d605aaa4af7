"""Find the sentences of the log that a viewer may read, because the viewer could see the events."""

from collections.abc import Iterator, Mapping
from typing import Any

from systems.commands.step_back import passes_turn_on
from systems.contract.marked_text import MarkedText, as_actor, as_status, marked
from systems.encounter.events import (
    Event,
    ids_in,
    is_arithmetic,
    public_of,
    results_of,
    sentences_of,
    tables_in,
    word_in,
)
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.text import clean
from systems.visibility.departed import with_departed
from systems.visibility.rows import LONGEST_NAME, detail_for
from systems.visibility.viewer import Shown, Viewer

LONGEST_LINE = 1_000
# Their sentences are about other events. Undone lines are struck through instead.
UNTOLD = frozenset({"undo", "redo"})


def seen_sentences(
    event: Event, encounter: Encounter, log: History, viewer: Viewer, shown: Shown
) -> Iterator[tuple[MarkedText, Mapping[str, Any]]]:
    """Yield each sentence of an event that the viewer may read, with its stored data.

    If the viewer may not see a combatant's numbers, the sentence is shorter: the action and its result,
    without arithmetic. Events of older logs have no stored sentences. The next turn is left out, because the
    view has it and it may be that of a hidden combatant. `log`: used to find combatants that have left.
    """
    if word_in(event, "kind") in UNTOLD:
        return
    encounter = with_departed(encounter, log, event)
    for text, sentence in sentences_of(event):
        if sentence.get("upcoming"):
            continue
        may_read = _may_read(sentence, encounter, viewer)
        public = None if may_read else public_of(sentence)
        words, read = public or (text, sentence)
        sees_figures = _sees_figures(read, encounter, viewer, shown)
        if is_arithmetic(sentence) and not (may_read and sees_figures):
            continue
        if not may_read and public is None:
            words = marked(_from_unseen(event, read, encounter, sees_figures))
        elif not sees_figures:
            words = marked(_without_figures(event, read, encounter))
        if words:
            yield words.changed(_cleaned), read


def _cleaned(text: str) -> str:
    return clean(text, LONGEST_LINE)


def has_seen_sentence(event: Event, encounter: Encounter, log: History, viewer: Viewer, shown: Shown) -> bool:
    """Return whether the viewer may read anything of an event."""
    return any(True for _ in seen_sentences(event, encounter, log, viewer, shown))


def gives_turn_in_sight(event: Event, encounter: Encounter, viewer: Viewer) -> bool | None:
    """Return whether the viewer saw whose turn an event began, or None if it began no turn."""
    if not (passes_turn_on(event) or word_in(event, "command") == "start"):
        return None
    changes = (each for each in tables_in(event, "changes") if not each.get("who"))
    turn = next((word_in(change, "after") for change in changes if change.get("field") == "turn"), "")
    about = [each for each in tables_in(event, "sentences") if turn in ids_in(each, "about")]
    present = [each for each in about if not each.get("upcoming")]
    return any(_may_read(each, encounter, viewer) for each in present) if turn and present else None


def _may_read(sentence: Mapping[str, Any], encounter: Encounter, viewer: Viewer) -> bool:
    """Return whether the viewer could see it when it happened. Owners see their own hidden characters."""
    if viewer.is_game_master:
        return True
    seen = sentence.get("seen", "gm")
    if isinstance(seen, str):
        return seen == "all"
    people = encounter.combatants
    owners = ids_in(sentence, "seen")
    return bool(owners) and all(
        viewer.owns(people[who]) if who in people else who in viewer.characters for who in owners
    )


def _sees_figures(sentence: Mapping[str, Any], encounter: Encounter, viewer: Viewer, shown: Shown) -> bool:
    """Return whether the viewer may see the numbers in a sentence, which are those of its last combatant."""
    about = ids_in(sentence, "about")
    if viewer.is_game_master or not sentence.get("exact") or not about:
        return True
    subject = encounter.combatants.get(about[-1])
    return subject is not None and detail_for(encounter, subject, viewer, shown) != "band"


def _without_figures(event: Event, sentence: Mapping[str, Any], encounter: Encounter) -> str:
    """Return the action, its target and its result as text, or "" if the event does not store them."""
    result, game = _result_of(event, sentence), encounter.game
    action = word_in(result, "action") or word_in(event, "action")
    actor = encounter.combatants.get(word_in(result, "actor"))
    target = encounter.combatants.get(word_in(result, "target"))
    subject = target or actor
    if actor is None or subject is None:
        return ""
    if action == game.damage.action:
        return f"{_name(subject)} is harmed."
    if action == game.heal.action:
        return f"{_name(subject)} is healed."
    declared = game.action(action)
    if declared is None or declared.group == "hook":
        return ""
    degree = word_in(result, "degree").replace("_", " ")
    onto = f" on {_name(target)}" if target else ""
    return f"{as_actor(_name(actor))}'s {clean(declared.title, 40)}{onto}{f': {degree}' if degree else ''}."


def _from_unseen(event: Event, sentence: Mapping[str, Any], encounter: Encounter, sees_figures: bool) -> str:
    """Return what a hidden combatant did to a visible one, or "" if nothing can be noticed.

    The stored sentence decides which combatants were hidden.
    """
    result, unseen = _result_of(event, sentence), ids_in(sentence, "seen")
    target = encounter.combatants.get(word_in(result, "target"))
    action = encounter.game.action(word_in(result, "action") or word_in(event, "action"))
    if target is None or target.id in unseen or word_in(result, "actor") not in unseen:
        return ""
    if action is None or action.group != "combat":
        return ""
    facts, status = result.get("facts", {}), word_in(result, "status")
    amount = facts.get(action.amount or _amount_of_damage(encounter), 0)
    is_hit = bool(action.success) and action.succeeds(facts.get(action.success))
    if not (is_hit or amount or status):
        return ""
    harm = [f"{amount} damage"] * bool(amount) + [as_status(status)] * bool(status)
    figures = f": {', '.join(harm)}" if sees_figures and harm else ""
    return f"Something unseen strikes {_name(target)}{figures}."


def _amount_of_damage(encounter: Encounter) -> str:
    """Return the name of the stored value with the amount of the game's plain damage."""
    harm = encounter.game.action(encounter.game.damage.action)
    return harm.amount if harm is not None else ""


def _result_of(event: Event, sentence: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the result that a sentence describes, or an empty mapping."""
    results, at = results_of(event), sentence.get("result")
    return results[at] if isinstance(at, int) and 0 <= at < len(results) else {}


def _name(combatant: Combatant) -> str:
    return clean(combatant.name, LONGEST_NAME)
