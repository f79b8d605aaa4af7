"""A fight as dangers and forecasts need it, and the same fight as data for a helper process.

`FightSender` makes the messages and `FightReader` reads them. A helper that already knows the fight receives
only what has changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from systems.codec.events import plain_event, read_event
from systems.codec.plain import to_plain
from systems.contract.ruleset import Ruleset
from systems.encounter.changes import from_parts
from systems.encounter.events import Event
from systems.encounter.history import Events, History, history
from systems.encounter.model import Encounter
from systems.encounter.roster import Roster
from systems.encounter.serialize import plain_part
from systems.forecast.moves import actions_done
from systems.frozen import frozen
from tui.campaign.campaign import Campaign, Settings, entry_of, roster_file, rules_of
from tui.campaign.creatures import shipped
from tui.session.work import Work

if TYPE_CHECKING:
    from systems.encounter.roster import JoiningEntry
    from tui.session.session import Session

HelperMessage = dict[str, Any]
# The most combatants, roster entries and events in one message, so that the screens never wait for one.
_COMBATANTS, _ENTRIES, _EVENTS = 4, 8, 20


@frozen(eq=False)
class LiveFight:
    """A fight at a moment, and how to play it on.

    `events`: the number of events so far. `done`: how many actions each combatant has carried out in its
    present turn.
    """

    encounter: Encounter
    roster: "Mapping[str, JoiningEntry]"
    events: int
    done: Mapping[str, int]


def live_fight(session: "Session") -> LiveFight:
    """Return the present fight of a session."""
    encounter, log = session.encounter, session.log
    return LiveFight(encounter, session.roster, len(log.events), actions_done(log.newest(), encounter))


class FightSender:
    """Turns the present fight into messages for one helper."""

    def __init__(self) -> None:
        self._campaign: Campaign | None = None
        # The encounter that the helper knows.
        self._known: Encounter | None = None

    def messages(
        self, campaign: Campaign, session: "Session", work: Work, *, with_log: bool = False
    ) -> Iterator[HelperMessage]:
        """Return the messages about the present fight; the last one asks for work.

        The helper needs all of them. `with_log`: send the events too.
        """
        fight = live_fight(session)
        events = session.log.events if with_log else ()
        known, self._known = self._known, fight.encounter
        is_new = campaign is not self._campaign
        self._campaign = campaign
        return _messages(campaign if is_new else None, None if is_new else known, fight, events, work)


def _messages(
    campaign: Campaign | None,
    known: Encounter | None,
    fight: LiveFight,
    events: Sequence[Event],
    work: Work,
) -> Iterator[HelperMessage]:
    if campaign is not None:
        yield {"campaign": campaign.source.decode()}
        entries = iter(campaign.roster.values())
        while some := [*islice(entries, _ENTRIES)]:
            yield {"entries": {entry.id: (entry.source or b"").decode() for entry in some}}
    changed = _changed(known, fight.encounter)
    while ids := [*islice(changed, _COMBATANTS)]:
        yield {"parts": {who: plain_part(fight.encounter, who) for who in ids}}
    stored = iter(events)
    while found := [*islice(stored, _EVENTS)]:
        yield {"log": [plain_event(event) for event in found]}
    yield {"work": to_plain(work), "events": fight.events, "done": dict(fight.done)}


def _changed(known: Encounter | None, encounter: Encounter) -> Iterator[str]:
    """Yield the id of each combatant that differs or has left; "" stands for the progress."""
    yield ""
    for who, combatant in encounter.combatants.items():
        if known is None or known.combatants.get(who) is not combatant:
            yield who
    if known is not None:
        yield from (who for who in known.combatants if who not in encounter.combatants)


class FightReader:
    """Reads the messages of a FightSender, and holds the fight for its helper."""

    def __init__(self) -> None:
        self._campaign = b""
        self._entries: dict[str, str] = {}
        # The rules of the campaign with its roster, once they were read.
        self._rules: tuple[Ruleset, Any, Settings, Roster] | None = None
        self._parts: dict[str, dict[str, Any] | None] = {}
        self._events: list[Event] = []

    def read(self, message: HelperMessage) -> None:
        """Read a message that asks for no work."""
        if "campaign" in message:
            self._campaign, self._entries, self._parts = message["campaign"].encode(), {}, {}
            self._rules = None
        self._entries |= message.get("entries", {})
        for who, part in message.get("parts", {}).items():
            if part is None:
                del self._parts[who]
            else:
                self._parts[who] = part
        self._events += map(read_event, message.get("log", ()))

    def fight(self, message: HelperMessage) -> LiveFight:
        """Return the fight for which a message asks for work. Raises ValueError if it is invalid."""
        game, house, table, roster = self._rules = self._rules or self._read_rules()
        order = table.order or game.order(house)
        encounter = from_parts(game, house, order, self._parts, table.players)
        return LiveFight(encounter, roster, message["events"], message["done"])

    def _read_rules(self) -> "tuple[Ruleset, Any, Settings, Roster]":
        game, house, table = rules_of(self._campaign)
        files = {id: roster_file(id) for id in self._entries}
        own = {id: entry_of(id, text.encode(), game, files[id]) for id, text in self._entries.items()}
        return game, house, table, Roster(own, {}, lambda: shipped(game))

    def log(self) -> History:
        """Return the events that were sent with the fight, and forget them."""
        events, self._events = self._events, []
        return history(Events(events))
