"""Find the options that a seat's prompt fills in for a target: the last values that the viewer saw."""

from collections.abc import Iterator, Mapping

from systems.contract.action import Action
from systems.encounter.events import Event
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.encounter.remembered import (
    LOOKED_BACK,
    DoneBefore,
    done_before,
    last_target,
    remembered_for,
    remembered_options,
)
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import Shown, Viewer


class SeenEvents:
    """The newest events in force that the viewer may at least partly read, newest first.

    Hidden events don't count, so they can't move the limit.
    """

    def __init__(self, encounter: Encounter, log: History, viewer: Viewer, shown: Shown) -> None:
        self._seen = list(_in_sight(encounter, log, viewer, shown))

    def done_before(self, seen: Encounter, actor: Combatant) -> DoneBefore | None:
        """Return the actor's last action, if it can be repeated on targets that the viewer sees."""
        return done_before((event for event, _ in self._seen), seen, actor)

    def remembered(self, seen: Encounter, action: Action, actor: str) -> Mapping[str, Mapping[str, str]]:
        """Return target -> the last values of an action's remembered options."""
        met = {who for _, about in self._seen for ids in about if actor in ids for who in ids}
        found: dict[str, Mapping[str, str]] = {}
        for target in met & set(seen.combatants):
            events = (event for event, about in self._seen if _is_about(about, actor, target))
            if options := remembered_for(remembered_options(events, seen, action, actor), target):
                found[target] = options
        return found

    def last_target(self, seen: Encounter, actor: str) -> str:
        """Return the id of the last target that the actor was seen to aim at, or ""."""
        for event, about in self._seen:
            target = last_target([event], actor)
            if target in seen.combatants and _is_about(about, actor, target):
                return target
        return ""


def _is_about(about: list[set[str]], actor: str, target: str) -> bool:
    """Return whether a sentence that the viewer may read is about both combatants."""
    return any(actor in ids and target in ids for ids in about)


def _in_sight(
    encounter: Encounter, log: History, viewer: Viewer, shown: Shown
) -> Iterator[tuple[Event, list[set[str]]]]:
    count = 0
    for event in log.newest():
        about = [set(sentence.about) for sentence in seen_sentences(event, encounter, log, viewer, shown)]
        if not about:
            continue
        yield event, about
        count += 1
        if count == LOOKED_BACK:
            return
