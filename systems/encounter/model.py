"""The encounter: the combatants in the fight, their order, and the current turn.

All values here are frozen. serialize.py converts them to plain data and back. changes.py finds and applies
the difference between two encounters.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, TypeVar, get_args

from systems.contract.display import StatusWord
from systems.contract.outcome import SOURCE_EVENTS, EndEvent, SaveMoment
from systems.contract.ruleset import FOES, PLAYERS, Initiative, OrderStyle, Ruleset
from systems.frozen import evolve, field, frozen
from systems.schema.conversion import without_defaults
from systems.schema.fields import Entry, choice, declare, entries, flag, listing, table, text, whole
from systems.schema.types import Choice, Text
from systems.sheets import changed

T = TypeVar("T")

HealthBand = Literal["fresh", "hurt", "badly hurt", "down"]

FOREVER = 999_999


@declare
class ActiveCondition:
    """A condition that a combatant has, and how long it lasts.

    `last_round`: the last round in which it lasts. `until` the start or end `of` a combatant's turn, after
    `skips` more of those. `secret`: only the game master knows of it. `source`: the combatant that gave it.
    `through`: the action that gave it. `sustained`: the condition of its source without which it ends.
    `apart`: each source gives one of its own, and each ends alone. `save`, `difficulty`: the roll that ends
    it, made `again` at these moments; if that fails, it becomes the condition `worse`, which lasts as
    `worse_rounds`, `worse_again` and `worse_ends_when` say. `escape`: the number
    of an attempt to get free. `ends_when`: the events that end it. `brought_by`: the condition with which it
    ends, from the same source. `begin_words`, `end_words`: see Condition.
    `change`, `tick`, `tick_at`: see GivenCondition.
    """

    name: str = text()
    value: int | None = whole(-999, 999, None)
    last_round: int | None = whole(0, FOREVER, None)
    until: str | None = choice(("start", "end"), None)
    of: str | None = text(None)
    skips: int = whole(0, 9, 0)
    secret: bool = flag(False)
    source: str | None = text(None)
    through: str | None = text(None)
    sustained: str | None = text(None)
    apart: bool = flag(False)
    save: str | None = text(None)
    difficulty: int | None = whole(-9_999, 9_999, None)
    again: tuple[str, ...] = listing(Choice(get_args(SaveMoment)), ())
    worse: str | None = text(None)
    worse_rounds: int | None = whole(1, FOREVER, None)
    worse_again: tuple[str, ...] = listing(Choice(get_args(SaveMoment)), ())
    worse_ends_when: tuple[str, ...] = listing(Choice(get_args(EndEvent)), ())
    escape: int | None = whole(-9_999, 9_999, None)
    ends_when: tuple[str, ...] = listing(Choice(get_args(EndEvent)), ())
    brought_by: str | None = text(None)
    begin_words: str | None = text(None)
    end_words: str | None = text(None)
    change: tuple[str, ...] = listing(Text(), ())
    tick: tuple[str, ...] = listing(Text(), ())
    tick_at: str = choice(("start", "end"), "start")

    @property
    def key(self) -> tuple[str, str | None]:
        """Return what distinguishes it from the other conditions of its combatant."""
        return self.name, self.source if self.apart else None

    @property
    def ends_with_source(self) -> bool:
        """Return whether it ends when its source falls or dies."""
        return not SOURCE_EVENTS.isdisjoint(self.ends_when)

    def label_in(self, game: Ruleset) -> str:
        """Return the condition's label, followed by its value if it has one."""
        words = game.condition_label(self.name)
        return words if self.value is None else f"{words} {self.value}"


def labels_of(conditions: Iterable[ActiveCondition], game: Ruleset) -> list[str]:
    """Return the labels of conditions; one from several sources is counted: `grappled ×2`."""
    found = [held.label_in(game) for held in conditions]
    counts = {label: found.count(label) for label in found}
    return [label if count == 1 else f"{label} ×{count}" for label, count in counts.items()]


@declare
class Offer:
    """An optional follow-up that the rules offer: a sentence, and the command that carries it out.

    `choose`: options to choose first. `reaction`: the game's reaction that it uses. `reacts_to`: the
    id of the combatant that it reacts to. `several`: the text for several such offers, with `{names}` for the
    combatants that they are `about`. `lasts`: it stays beyond the turn. `actors`: those that carry out
    the rest of a volley. `aims_itself`: its action finds its targets when it is carried out. `quiet`: the log
    says nothing of it, and only a command with its options takes it. `made_from`: the
    values that the text of a reaction was made from. They are not stored; while they are equal, the text is
    current.
    """

    says: str = text()
    command: str | None = text(None)
    by: str | None = text(None)
    target: str | None = text(None)
    action: str | None = text(None)
    options: dict[str, str] = table(Text(), "options of the action, as typed")
    choose: tuple[str, ...] = listing(Text(), ())
    reaction: str | None = text(None)
    reacts_to: str | None = text(None)
    several: str | None = text(None)
    about: str | None = text(None)
    lasts: bool = flag(False)
    actors: tuple[str, ...] = listing(Text(), ())
    aims_itself: bool = flag(False)
    quiet: bool = flag(False)
    made_from: tuple[object, ...] = field(default=(), eq=False)

    @cached_property
    def plain(self) -> Mapping[str, Any]:
        """Return it as plain data, made once: each change of the offers writes them all."""
        return without_defaults(self)


@declare
class CombatantState:
    """The data that the tracker stores about a combatant, apart from its sheet."""

    name: str = text()
    kind: str | None = text(None, "the roster entry it was made from")
    side: str = text(FOES)
    tag: int = whole(0, 99_999, 0, "its number on the screen and in commands")
    hidden: bool = flag(False)
    hidden_tag: int = whole(0, 99_999, 0, "the number after h in its tag while it is out of sight")
    plain_name: str | None = text(None, "the name without a number, as long as its number is not final")
    initiative: int | None = whole(-9_999, 9_999, None)
    group: str | None = text(None, "combatants of one group share a turn")
    arrives: int = whole(0, FOREVER, 0, "the round in which it joins the order; 0: it has arrived")
    waits: bool = flag(False, "delays its turn")
    ready: str | None = text(None, "its readied action and the trigger; until its next turn begins")
    begun: int = whole(0, FOREVER, 0, "the last round in which its turn began")
    done: int = whole(0, FOREVER, 0, "the last round in which its turn was over")
    acted: int = whole(
        0, FOREVER, 0, "the round in which it acted in its side's turn, until `next` goes to another member"
    )
    reacted: tuple[str, ...] = listing(Text(), (), "the reactions that it has used and not yet again")
    away: bool = flag(False, "was sent away, and may come back")
    bringer: str | None = text(None, "the combatant that brought it into the fight")
    bound: str | None = text(None, "the condition of its bringer without which it leaves")
    form: str | None = text(None, "the roster entry whose form it has")
    stowed: tuple[str, ...] = listing(Text(), (), "its own form and those before the present one, as JSON")
    near: tuple[str, ...] = listing(Text(), (), "the combatants near it, which have it as near, too")
    prepared: dict[str, str] = table(Text(), "the lasting values of its roster entry before the fight")


@frozen
class Combatant:
    """A combatant. The game defines its sheet, the tracker its state and conditions."""

    id: str
    state: CombatantState
    sheet: Any
    conditions: tuple[ActiveCondition, ...] = ()

    @property
    def name(self) -> str:
        return self.state.name

    @property
    def side(self) -> str:
        return self.state.side

    @property
    def in_sight(self) -> bool:
        """Return whether all players see the combatant: it is not hidden and has arrived."""
        return not self.state.hidden and not self.state.arrives

    @property
    def tag(self) -> str:
        """Return the tag as shown and typed: `3`, or `h2` while the combatant is out of sight."""
        state = self.state
        return f"h{state.hidden_tag}" if state.hidden_tag and not self.in_sight else str(state.tag)

    @property
    def arrival(self) -> str:
        """Return `arrives in round 3`, `is away` or `is away until round 3`; "" if it takes part."""
        state = self.state
        if not state.arrives or not state.away:
            return f"arrives in round {state.arrives}" if state.arrives else ""
        return "is away" if state.arrives == FOREVER else f"is away until round {state.arrives}"

    @property
    def may_return(self) -> bool:
        """Return whether `return` means something for it: it delays, is ready or is away."""
        return self.state.waits or bool(self.state.ready) or self.state.away

    def with_state(self, **changes: object) -> "Combatant":
        """Return the combatant with fields of its state changed."""
        return Combatant(self.id, evolve(self.state, **changes), self.sheet, self.conditions)

    def with_sheet(self, changes: Mapping[str, object]) -> "Combatant":
        """Return the combatant with fields of its sheet changed. Each value is limited to its range."""
        new = {name: value for name, value in changes.items() if getattr(self.sheet, name) != value}
        return Combatant(self.id, self.state, changed(self.sheet, new), self.conditions) if new else self


@declare
class Happening(Entry):
    """A scheduled event.

    `name` is the text logged as its round begins. `hidden`: for the game master alone.
    """

    name: str = text()
    round: int = whole(1, FOREVER, 1)
    hidden: bool = flag(False)


@declare
class Departed(Entry):
    """A combatant that left the fight, whose name and id nobody else gets.

    `name`: its id. `called`: its name. `kind`: the roster entry of a player's character, which may come back.
    """

    name: str = text()
    called: str = text()
    tag: int = whole(0, 99_999, 0, "its number; 0: it had none yet")
    kind: str | None = text(None)
    seen: bool = flag(True, "the players have seen it")


@declare
class Progress:
    """Round, turn and order. Round 0 is before the start. Without a `turn`, no combatant has one."""

    title: str | None = text(None)
    ids: tuple[str, ...] = listing(Text(), (), "all combatants, in the order in which they joined")
    order: tuple[str, ...] = listing(Text(), (), "the turn order")
    round: int = whole(0, FOREVER, 0)
    turn: str | None = text(None)
    side: str | None = text(None, "the side whose turn it is, if sides take turns")
    interrupted: str | None = text(None, "the combatant whose turn resumes after the extra turn")
    ordered: bool = flag(False, "the game master has set the order")
    over: bool = flag(False)
    happenings: tuple[Happening, ...] = entries(Happening, "scheduled events, the next first")
    numbering: int = whole(1, 2, 1, "the rules for numbers and names; 1: those of older fights; see tags.py")
    numbered: int = whole(0, 99_999, 0, "the last final number")
    unseen: int = whole(0, 99_999, 0, "the last number of the series h1, h2")
    departed: tuple[Departed, ...] = entries(Departed, "combatants that left, whose names stay taken")

    @property
    def present(self) -> str | None:
        """Return the combatant whose place in the order it is; an extra turn does not change that place."""
        return self.interrupted or self.turn


# The ids of the combatants for whose sheets something was found, and of those with a new sheet since.
_Scan = tuple[tuple[str, ...], frozenset[str]]

_NOBODY: frozenset[str] = frozenset()


@frozen
class Encounter:
    """A fight: game, house rules, order style, progress and combatants.

    `players`: the side of the players.
    """

    game: Ruleset
    house: Any
    style: OrderStyle
    progress: Progress = Progress()
    combatants: Mapping[str, Combatant] = {}
    offers: tuple[Offer, ...] = ()
    players: str = PLAYERS

    def __iter__(self) -> Iterator[Combatant]:
        """Yield the combatants in the order in which they joined."""
        return map(self.combatants.__getitem__, self.progress.ids)

    @property
    def turn(self) -> Combatant | None:
        """Return the combatant whose turn it is, or None."""
        return self.combatants.get(self.progress.turn or "")

    @property
    def is_prepared(self) -> bool:
        """Return whether the fight has not begun yet."""
        return not self.progress.round and not self.progress.over

    def is_player(self, combatant: Combatant) -> bool:
        """Return whether a combatant is on the players' side."""
        return combatant.side == self.players

    def status(self, combatant: Combatant) -> StatusWord:
        """Return the game's status of a combatant, worked out once for each sheet and each combatant."""
        known: tuple[Ruleset, Any, StatusWord] | None = combatant.__dict__.get("known_status")
        if known is not None and known[0] is self.game and known[1] is self.house:
            return known[2]
        status = self.worked_out(combatant.sheet, "known_status", _status_of_sheet)
        if combatant.conditions:
            status = self.game.worsened(status, (held.name for held in combatant.conditions))
        combatant.__dict__["known_status"] = self.game, self.house, status
        return status

    def worked_out(self, sheet: Any, name: str, find: Callable[[Ruleset, Any, Any], T]) -> T:
        """Return what a function of game, sheet and house rules finds, worked out once for each sheet.

        `name`: it is kept with the sheet under this name.
        """
        known: tuple[Ruleset, Any, T] | None = sheet.__dict__.get(name)
        if known is None or known[0] is not self.game or known[1] is not self.house:
            known = sheet.__dict__[name] = self.game, self.house, find(self.game, sheet, self.house)
        return known[2]

    def finding(self, name: str, find: Callable[[Ruleset, Any, Any], object]) -> list[Combatant]:
        """Return the combatants for whose sheets a function finds something; see `worked_out`.

        A copy of this encounter takes over what is known, so that only changed sheets are read again.
        """
        scans: dict[str, _Scan] = self.__dict__.setdefault("scans", {})
        known, combatants = scans.get(name), self.combatants
        if known is not None:
            ids, pending = known
            for who in pending:
                if bool(self.worked_out(combatants[who].sheet, name, find)) != (who in ids):
                    break
            else:
                if pending:
                    scans[name] = ids, _NOBODY
                return [combatants[who] for who in ids]
        found = [each for each in self if self.worked_out(each.sheet, name, find)]
        scans[name] = tuple([each.id for each in found]), _NOBODY
        return found

    def is_out_of_sight(self, who: str) -> bool:
        """Return whether an id is that of a combatant which players do not see."""
        return who in self.combatants and not self.combatants[who].in_sight

    def with_conditions(self) -> list[Combatant]:
        """Return the combatants that have conditions."""
        found = [combatant for combatant in self.combatants.values() if combatant.conditions]
        return found and [combatant for combatant in self if combatant.conditions]

    def _with_scans_of(self, before: "Encounter", changed: Sequence[Combatant] = ()) -> "Encounter":
        """Take over what is known of an encounter that differs only in these combatants."""
        scans: dict[str, _Scan] | None = before.__dict__.get("scans")
        if scans:
            older = before.combatants
            pending = [each.id for each in changed if each.sheet is not older[each.id].sheet]
            if pending:
                scans = {name: (ids, to_do.union(pending)) for name, (ids, to_do) in scans.items()}
            self.__dict__["scans"] = scans
        return self

    def band(self, combatant: Combatant) -> HealthBand:
        """Return a combatant's band of health: fresh, hurt, badly hurt (half or less is left) or down."""
        status = self.status(combatant)
        if not status.acts or not status.in_order:
            return "down"
        values = (meter.of(combatant.sheet) for meter in self.game.meters)
        now, full = next(filter(None, values), (0, 0))
        if now >= full:
            return "fresh"
        return "hurt" if now * 2 > full else "badly hurt"

    @property
    def initiative(self) -> Initiative:
        """Return how initiative is rolled at this table."""
        return self.game.initiative_under(self.house)

    def with_progress(self, **changes: object) -> "Encounter":
        after = evolve(self, progress=evolve(self.progress, **changes))
        return after if "ids" in changes else after._with_scans_of(self)

    def with_combatants(self, *combatants: Combatant) -> "Encounter":
        """Return the encounter with these combatants replaced or added."""
        new = {combatant.id: combatant for combatant in combatants}
        after = evolve(self, combatants={**self.combatants, **new})
        # Combatants that join change what is known.
        has_newcomers = len(after.combatants) > len(self.combatants)
        return after if has_newcomers else after._with_scans_of(self, combatants)

    def without_offers(self) -> "Encounter":
        return evolve(self, offers=()) if self.offers else self

    def neighbours(self, combatant: Combatant) -> tuple[Combatant, ...]:
        """Return the combatants near one, those in sight first, by their numbers."""
        near = [self.combatants[who] for who in combatant.state.near if who in self.combatants]
        return tuple(sorted(near, key=lambda each: (not each.in_sight, each.state.tag, each.id)))

    def in_line(self) -> tuple[Combatant, ...]:
        """Return the combatants as listed on screen: the turn order, then the delaying and later ones."""
        ordered = set(self.progress.order)
        rest = [who for who in self.progress.ids if who not in ordered]
        return tuple(self.combatants[who] for who in (*self.progress.order, *rest))


def _status_of_sheet(game: Ruleset, sheet: Any, house: Any) -> StatusWord:
    return game.status_word(game.status(sheet, house))


def new_encounter(
    game: Ruleset, house: Any, style: OrderStyle | None = None, title: str = "", players: str = PLAYERS
) -> Encounter:
    """Return a fight without combatants."""
    progress = Progress(title=title or None, numbering=2)
    return Encounter(game, house, style or game.order(house), progress, players=players)
