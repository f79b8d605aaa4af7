"""The roster entries that can be added to a fight: those of the campaign, then those that its game ships."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Protocol

from systems.contract.ruleset import FOES
from systems.encounter.events import Event
from systems.encounter.events import RosterChange as RosterChange
from systems.encounter.history import History
from systems.frozen import frozen
from systems.text import matches, spelled, starting_with


class JoiningEntry(Protocol):
    """A roster entry: a character or a kind of creature."""

    @property
    def name(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def party(self) -> str: ...
    @property
    def sheet(self) -> Any: ...


@frozen
class Shipped:
    """A creature that a game ships, as shown in a list: id, name, level and tags."""

    id: str
    name: str
    level: str = ""
    tags: tuple[str, ...] = ()
    side: str = FOES
    party: str = ""

    @property
    def sheet(self) -> Any:
        """Return the sheet. The class of the game's files reads it."""
        raise NotImplementedError

    @property
    def labels(self) -> str:
        """Return level and tags in words: `level 3, undead, small`."""
        return ", ".join((*((f"level {self.level}",) if self.level else ()), *self.tags))

    def fits(self, text: str) -> bool:
        """Return whether a text is the level, or begins the name, a word of it, or a tag. "" matches all."""
        level = text.casefold().removeprefix("level").strip(" -")
        return (
            not text.strip()
            or bool(self.level and level == self.level)
            or bool(starting_with(text, (self.id, *self.tags), {self.id: self.name}))
        )


PARTY = "party"  # the party name that all players' characters of the roster share


def names_of(roster: Mapping[str, JoiningEntry]) -> Mapping[str, str]:
    """Return the names of all roster entries by id."""
    return roster.names if isinstance(roster, Roster) else {id: str(each.name) for id, each in roster.items()}


def own_entries(roster: Mapping[str, JoiningEntry]) -> Mapping[str, JoiningEntry]:
    """Return the entries of the campaign itself, without those that its game ships."""
    return roster.own if isinstance(roster, Roster) else roster


def parties(roster: Mapping[str, JoiningEntry], players: str) -> dict[str, tuple[str, ...]]:
    """Return the keys of each party: all players' characters, and each party that entries name.

    Creatures that a game ships belong to no party.
    """
    own = own_entries(roster)
    found: dict[str, list[str]] = {}
    for key, entry in own.items():
        if entry.side == players:
            found.setdefault(PARTY, []).append(key)
        if entry.party:
            name = next(iter(spelled(entry.party, found)), entry.party)
            found.setdefault(name, []).append(key)
    return {name: tuple(dict.fromkeys(keys)) for name, keys in found.items()}


def _none() -> Mapping[str, Shipped]:
    return {}


def roster_changes(event: Event, log: History) -> tuple[RosterChange, ...]:
    """Return the roster changes of an event. An undo reverses those of the undone events."""
    kind = event.kind
    if kind not in ("undo", "redo"):
        return event.roster
    found = [log.event(number).roster for number in event.refs]
    if kind == "redo":
        return tuple(change for changes in found for change in changes)
    return tuple(change.reversed for changes in found for change in reversed(changes))


class Roster(Mapping[str, JoiningEntry]):
    """Roster entries by id: a campaign's own, then shipped ones. An own entry hides a shipped one of its id.

    `unreadable`: for each own entry that cannot be read, the reason by id. `shipped` is called only if
    entries beyond the campaign's own are needed.
    """

    def __init__(
        self,
        own: Mapping[str, JoiningEntry],
        unreadable: Mapping[str, str],
        shipped: Callable[[], Mapping[str, Shipped]] = _none,
    ) -> None:
        self.own, self.unreadable, self._shipped = own, unreadable, shipped
        # A prompt asks for the same text several times.
        self.fitting = lru_cache(maxsize=1)(self._fitting)
        self.meant = lru_cache(maxsize=1)(self._meant)

    @cached_property
    def shipped(self) -> Mapping[str, Shipped]:
        """Return the shipped entries that are not hidden by an own entry."""
        hidden = {*self.own, *self.unreadable}
        return {id: creature for id, creature in self._shipped().items() if id not in hidden}

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Return the names of all entries by id."""
        return {id: str(entry.name) for id, entry in self.items()}

    def _fitting(self, text: str) -> tuple[Shipped, ...]:
        """Return the shipped creatures that a text selects."""
        return tuple(creature for creature in self.shipped.values() if creature.fits(text))

    def _meant(self, typed: str) -> tuple[str, ...]:
        """Return the ids of the entries that a word may mean."""
        return matches(typed, self.names, self.names)

    def __getitem__(self, id: str) -> JoiningEntry:
        return self.own[id] if id in self.own else self.shipped[id]

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from self.shipped

    def __len__(self) -> int:
        return len(self.own) + len(self.shipped)
