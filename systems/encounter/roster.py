"""The roster entries that can be added to a fight: those of the campaign, then those that its game ships."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from systems.contract.ruleset import FOES
from systems.encounter.events import Event
from systems.encounter.events import RosterChange as RosterChange
from systems.encounter.history import History
from systems.frozen import frozen
from systems.text import spelled, starting_with


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
            or bool(starting_with(text, [self.id], {self.id: self.name}))
            or bool(starting_with(text, self.tags))
        )


PARTY = "party"  # the party name that all players' characters of the roster share


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

    @property
    def shipped(self) -> Mapping[str, Shipped]:
        """Return the shipped entries that are not hidden by an own entry."""
        return {id: creature for id, creature in self._shipped().items() if self._is_free(id)}

    def _is_free(self, id: str) -> bool:
        return id not in self.own and id not in self.unreadable

    def __getitem__(self, id: str) -> JoiningEntry:
        if id in self.own:
            return self.own[id]
        if id in self.unreadable:
            raise KeyError(id)
        return self._shipped()[id]

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from (id for id in self._shipped() if self._is_free(id))

    def __len__(self) -> int:
        return sum(1 for _ in self)
