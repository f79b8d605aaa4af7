"""What a seat's question fills in behind a target: options of the pair as they were last, where seen."""

from collections.abc import Iterator

from systems.encounter.completion import quoted
from systems.encounter.events import Event, ids_in
from systems.encounter.history import History
from systems.encounter.lookup import targets
from systems.encounter.model import Encounter
from systems.encounter.remembered import LOOKED_BACK, remembered_for, remembered_options
from systems.errors import Refused
from systems.schema.fields import fields_of
from systems.text import matches
from systems.visibility.line_help import typed_action
from systems.visibility.sentences import seen_sentences
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Shown, Viewer


def filled_in(encounter: Encounter, log: History, viewer: Viewer, shown: Shown, line: str) -> str:
    """Return `distance=40 coverage=half` for the one target of a line, without what the line says itself.

    Only what happened in sight of the viewer counts.
    """
    found = typed_action(encounter, viewer, line)
    if found is None:
        return ""
    intent, actor = found
    seen = seen_encounter(encounter, viewer)
    action = seen.game.action(intent.action)
    try:
        aims = targets(seen, intent.targets) if intent.targets else ()
    except Refused:
        return ""
    if action is None or len(aims) != 1:
        return ""
    given = {name for word in intent.options for name in matches(word, fields_of(action.options))}
    pair = frozenset((actor.id, aims[0]))
    in_sight = _in_sight(encounter, log, viewer, shown, pair)
    options = remembered_for(remembered_options(in_sight, seen.game, action, actor.id), aims[0])
    return " ".join(f"{name}={quoted(word)}" for name, word in options.items() if name not in given)


def _in_sight(
    encounter: Encounter, log: History, viewer: Viewer, shown: Shown, pair: frozenset[str]
) -> Iterator[Event]:
    """The events that stand, newest first, of which the viewer may read what they say about both.

    Only events that the viewer saw are counted, so that those out of sight move no limit.
    """
    looked_at = 0
    for event in log.newest():
        about = [
            set(ids_in(sentence, "about")) for _, sentence in seen_sentences(event, encounter, viewer, shown)
        ]
        if any(pair <= people for people in about):
            yield event
        looked_at += bool(about)
        if looked_at == LOOKED_BACK:
            return
