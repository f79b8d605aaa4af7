"""The sentences of the log that a viewer may read: those that it could see when they happened."""

from collections.abc import Iterator, Mapping
from typing import Any

from systems.contract.marked_text import MarkedText, as_actor, marked
from systems.encounter.events import Event, ids_in, results_of, sentences_of, word_in
from systems.encounter.model import Combatant, Encounter
from systems.text import clean
from systems.visibility.rows import LONGEST_NAME, detail_for
from systems.visibility.viewer import Shown, Viewer

LONGEST_LINE = 1_000
# What they tell is of other events: lines that were undone are struck through instead.
UNTOLD = frozenset({"undo", "redo"})


def seen_sentences(
    event: Event, encounter: Encounter, viewer: Viewer, shown: Shown
) -> Iterator[tuple[MarkedText, Mapping[str, Any]]]:
    """Each sentence of an event that the viewer may read, with what is stored of it.

    Figures of somebody of whom the viewer sees none are left out: then the sentence says what was done and
    how it went. An event that was written before sentences were stored has none. Who comes next is told
    elsewhere, and may be somebody out of sight.
    """
    if word_in(event, "kind") in UNTOLD:
        return
    for text, sentence in sentences_of(event):
        if sentence.get("upcoming") or not _may_read(sentence, encounter, viewer):
            continue
        told = text
        if not _sees_figures(sentence, encounter, viewer, shown):
            told = marked(_without_figures(event, sentence, encounter))
        if told:
            yield told.changed(_cleaned), sentence


def _cleaned(text: str) -> str:
    return clean(text, LONGEST_LINE)


def has_seen_sentence(event: Event, encounter: Encounter, viewer: Viewer, shown: Shown) -> bool:
    """Whether the viewer may read anything of an event."""
    return any(True for _ in seen_sentences(event, encounter, viewer, shown))


def _may_read(sentence: Mapping[str, Any], encounter: Encounter, viewer: Viewer) -> bool:
    """Who could see it was decided when it happened; its owners could although it was hidden."""
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
    """Whether the viewer may see the figures that a sentence tells: those of the last one it is about."""
    about = ids_in(sentence, "about")
    if viewer.is_game_master or not sentence.get("exact") or not about:
        return True
    subject = encounter.combatants.get(about[-1])
    return subject is not None and detail_for(encounter, subject, viewer, shown) != "band"


def _without_figures(event: Event, sentence: Mapping[str, Any], encounter: Encounter) -> str:
    """What was done to whom and how it went; nothing where that is not known as data."""
    results, at = results_of(event), sentence.get("result")
    if not isinstance(at, int) or not 0 <= at < len(results):
        return ""
    result, game = results[at], encounter.game
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


def _name(combatant: Combatant) -> str:
    return clean(combatant.name, LONGEST_NAME)
