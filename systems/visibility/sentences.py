"""Find the sentences of the log that a viewer may read, because the viewer could see the events."""

from collections.abc import Iterator

import attrs

from systems.commands.step_back import passes_turn_on
from systems.contract.marked_text import as_actor, as_status, marked
from systems.encounter.events import Event, Result, Sentence, public_of
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
) -> Iterator[Sentence]:
    """Yield the sentences of an event that the viewer may read, in the words for this viewer.

    If the viewer may not see a combatant's numbers, the sentence is shorter: the action and its result,
    without arithmetic. The next turn is left out, because the view has it and it may be that of a hidden
    combatant. `log`: used to find combatants that have left.
    """
    if event.kind in UNTOLD:
        return
    encounter = with_departed(encounter, log, event)
    for sentence in event.sentences:
        if sentence.upcoming:
            continue
        may_read = _may_read(sentence, encounter, viewer)
        public = None if may_read else public_of(sentence)
        read = public or sentence
        sees_figures = _sees_figures(read, encounter, viewer, shown)
        if sentence.arithmetic and not (may_read and sees_figures):
            continue
        words = read.text
        if not may_read and public is None:
            words = marked(_from_unseen(event, read, encounter, sees_figures))
        elif not sees_figures:
            words = marked(_without_figures(event, read, encounter))
        if words:
            yield attrs.evolve(read, text=words.changed(_cleaned))


def _cleaned(text: str) -> str:
    return clean(text, LONGEST_LINE)


def has_seen_sentence(event: Event, encounter: Encounter, log: History, viewer: Viewer, shown: Shown) -> bool:
    """Return whether the viewer may read anything of an event."""
    return any(True for _ in seen_sentences(event, encounter, log, viewer, shown))


def gives_turn_in_sight(event: Event, encounter: Encounter, viewer: Viewer) -> bool | None:
    """Return whether the viewer saw whose turn an event began, or None if it began no turn."""
    if not (passes_turn_on(event) or event.command == "start"):
        return None
    changes = (change for change in event.changes if not change.who)
    turn = next((change.after for change in changes if change.field == "turn"), "")
    about = [each for each in event.sentences if turn in each.about]
    present = [each for each in about if not each.upcoming]
    return any(_may_read(each, encounter, viewer) for each in present) if turn and present else None


def _may_read(sentence: Sentence, encounter: Encounter, viewer: Viewer) -> bool:
    """Return whether the viewer could see it when it happened. Owners see their own hidden characters."""
    if viewer.is_game_master:
        return True
    if not isinstance(sentence.seen, tuple):
        return sentence.seen == "all"
    people = encounter.combatants
    return bool(sentence.seen) and all(
        viewer.owns(people[who]) if who in people else who in viewer.characters for who in sentence.seen
    )


def _sees_figures(sentence: Sentence, encounter: Encounter, viewer: Viewer, shown: Shown) -> bool:
    """Return whether the viewer may see the numbers in a sentence, which are those of its last combatant."""
    about = sentence.about
    if viewer.is_game_master or not sentence.exact or not about:
        return True
    subject = encounter.combatants.get(about[-1])
    return subject is not None and detail_for(encounter, subject, viewer, shown) != "band"


def _without_figures(event: Event, sentence: Sentence, encounter: Encounter) -> str:
    """Return the action, its target and its result as text, or "" if the event does not store them."""
    result, game = _result_of(event, sentence), encounter.game
    if result is None:
        return ""
    action = result.action
    actor = encounter.combatants.get(result.actor)
    target = encounter.combatants.get(result.target or "")
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
    degree = result.degree.replace("_", " ")
    onto = f" on {_name(target)}" if target else ""
    return f"{as_actor(_name(actor))}'s {clean(declared.title, 40)}{onto}{f': {degree}' if degree else ''}."


def _from_unseen(event: Event, sentence: Sentence, encounter: Encounter, sees_figures: bool) -> str:
    """Return what a hidden combatant did to a visible one, or "" if nothing can be noticed.

    The stored sentence decides which combatants were hidden.
    """
    result, unseen = _result_of(event, sentence), sentence.seen
    if result is None or not isinstance(unseen, tuple):
        return ""
    target = encounter.combatants.get(result.target or "")
    action = encounter.game.action(result.action)
    if target is None or target.id in unseen or result.actor not in unseen:
        return ""
    if action is None or action.group != "combat":
        return ""
    facts, status = result.facts, result.status
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


def _result_of(event: Event, sentence: Sentence) -> Result | None:
    """Return the result that a sentence describes, or None."""
    results, at = event.results, sentence.result
    return results[at] if at is not None and 0 <= at < len(results) else None


def _name(combatant: Combatant) -> str:
    return clean(combatant.name, LONGEST_NAME)
