"""The sentences of the log that a viewer may read: those that it could see when they happened."""

from collections.abc import Iterator, Mapping
from typing import Any

from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.text import clean
from systems.visibility.viewer import Viewer

LONGEST_LINE = 1_000
# What they tell is of other events: lines that were undone are struck through instead.
UNTOLD = frozenset({"undo", "redo"})


def seen_sentences(
    event: Event, encounter: Encounter, viewer: Viewer
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each sentence of an event that the viewer may read, with what is stored of it.

    An event that was written before sentences were stored has none.
    """
    if event.get("kind") in UNTOLD:
        return
    text = str(event.get("text", ""))
    for sentence in event.get("sentences", ()):
        if _may_read(sentence, encounter, viewer):
            yield clean(text[sentence["start"] : sentence["end"]], LONGEST_LINE), sentence


def has_seen_sentence(event: Event, encounter: Encounter, viewer: Viewer) -> bool:
    """Whether the viewer may read anything of an event."""
    return any(True for _ in seen_sentences(event, encounter, viewer))


def _may_read(sentence: Mapping[str, Any], encounter: Encounter, viewer: Viewer) -> bool:
    """Who could see it was decided when it happened; those who own all that it is about always could."""
    if viewer.is_game_master:
        return True
    seen = sentence.get("seen", "gm")
    if isinstance(seen, str):
        return seen == "all"
    people = encounter.combatants
    return bool(seen) and all(
        viewer.owns(people[who]) if who in people else who in viewer.characters for who in seen
    )
