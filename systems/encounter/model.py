"""The encounter: who is in the fight, in what order, and whose turn it is.

Everything here is a frozen value. As plain data (`plain`, `read_encounter`) it is what the opening
file holds; what an event holds is their difference (see changes.py).
"""

from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from typing import Any, cast

import attrs

from systems.contract.ruleset import FOES, PLAYERS, OrderStyle, Ruleset, StatusWord
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.conversion import plain_of, read, replace, write
from systems.schema.fields import choice, declare, fields_of, flag, listing, table, text, whole
from systems.schema.types import Text
from systems.sheets import changed, read_sheet
from systems.text import shown

FOREVER = 999_999


@declare
class ActiveCondition:
    """A condition on a combatant and how long it lasts.

    `last_round`: gone when the round after it begins. `until` start or end `of` a combatant's turn,
    after `skips` more of those.
    """

    name: str = text()
    value: int | None = whole(-999, 999, None)
    last_round: int | None = whole(0, FOREVER, None)
    until: str | None = choice(("start", "end"), None)
    of: str | None = text(None)
    skips: int = whole(0, 9, 0)

    @property
    def label(self) -> str:
        """The name as people read it, with the value where there is one."""
        words = self.name.replace("_", " ")
        return words if self.value is None else f"{words} {self.value}"


@declare
class Offer:
    """Something that now lies with somebody: a sentence, and the command that would do it."""

    says: str = text()
    command: str | None = text(None)
    by: str | None = text(None)
    target: str | None = text(None)
    action: str | None = text(None)
    options: dict[str, str] = table(Text(), "options of the action, as they would be typed")


@declare
class CombatantState:
    """What the tracker itself knows of a combatant, besides its sheet."""

    name: str = text()
    kind: str | None = text(None, "the roster entry it was made from")
    side: str = text(FOES)
    tag: int = whole(0, 99_999, 0, "the number that stands for it on the screen and in commands")
    hidden: bool = flag(False)
    initiative: int | None = whole(-9_999, 9_999, None)
    group: str | None = text(None, "combatants of one group share a turn")
    arrives: int = whole(0, FOREVER, 0, "the round in which it joins the order; 0: it is there")
    waits: bool = flag(False, "delays its turn")
    begun: int = whole(0, FOREVER, 0, "the last round in which its turn began")
    done: int = whole(0, FOREVER, 0, "the last round in which its turn was over")


@frozen
class Combatant:
    """One of those in the fight. `sheet` is the game's; `state` and `conditions` are the tracker's."""

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

    def with_state(self, **changes: object) -> "Combatant":
        """The same combatant elsewhere."""
        return attrs.evolve(self, state=replace(self.state, **changes))

    def with_sheet(self, changes: Mapping[str, object]) -> "Combatant":
        """The same combatant with fields of its sheet changed, each within its range."""
        new = {name: one for name, one in changes.items() if getattr(self.sheet, name) != one}
        return attrs.evolve(self, sheet=changed(self.sheet, new)) if new else self


@declare
class Progress:
    """Where the fight stands: round 0 is before the start; `turn` is "" while it is nobody's."""

    title: str | None = text(None)
    ids: tuple[str, ...] = listing(Text(), (), "everybody, in the order of joining")
    order: tuple[str, ...] = listing(Text(), (), "the turn order")
    round: int = whole(0, FOREVER, 0)
    turn: str | None = text(None)
    side: str | None = text(None, "whose side's turn it is, where sides take turns")
    interrupted: str | None = text(None, "whose turn goes on after the extra turn")
    ordered: bool = flag(False, "the game master has set the order")
    over: bool = flag(False)

    @property
    def present(self) -> str | None:
        """Whose turn in the order it is; an extra turn does not move that place."""
        return self.interrupted or self.turn


@frozen
class Encounter:
    """A fight: the game, its house rules, the order style, where it stands and everybody in it."""

    game: Ruleset
    house: Any
    style: OrderStyle
    progress: Progress = attrs.field(factory=Progress)
    combatants: Mapping[str, Combatant] = {}
    offers: tuple[Offer, ...] = ()

    def __iter__(self) -> Iterator[Combatant]:
        """Everybody, in the order of joining."""
        return (self.combatants[one] for one in self.progress.ids)

    @property
    def turn(self) -> Combatant | None:
        """Whose turn it is."""
        return self.combatants.get(self.progress.turn or "")

    def status(self, one: Combatant) -> StatusWord:
        """The game's word for how a combatant is."""
        return self.game.status_word(self.game.status(one.sheet, self.house))

    def with_progress(self, **changes: object) -> "Encounter":
        return attrs.evolve(self, progress=replace(self.progress, **changes))

    def with_combatants(self, *ones: Combatant) -> "Encounter":
        """With those combatants as they are now."""
        return attrs.evolve(self, combatants={**self.combatants, **{one.id: one for one in ones}})

    def without_offers(self) -> "Encounter":
        return attrs.evolve(self, offers=()) if self.offers else self

    def in_line(self) -> tuple[Combatant, ...]:
        """Everybody as the screen lists them: the turn order, then those who wait or come later."""
        rest = [one for one in self.progress.ids if one not in self.progress.order]
        return tuple(self.combatants[one] for one in (*self.progress.order, *rest))


def new_encounter(game: Ruleset, house: Any, style: OrderStyle | None = None, title: str = "") -> Encounter:
    """A fight with nobody in it yet."""
    progress = Progress(title=title or None)
    return Encounter(game, house, style or game.order(house), progress)


# Plain data


def plain_combatant(one: Combatant, sheet: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A combatant as TOML holds it; what the tracker knows is left out where it is the default.

    `sheet` stands in for its sheet.
    """
    found: dict[str, Any] = {"id": one.id, **spare(one.state)}
    if one.conditions:
        found["conditions"] = [spare(held) for held in one.conditions]
    found["sheet"] = write(one.sheet) if sheet is None else sheet
    return found


def spare(value: Any) -> dict[str, Any]:
    """Plain data without what stands at its default."""
    usual = _usual(cast(Hashable, type(value)))
    return {name: one for name, one in write(value).items() if name not in usual or one != usual[name]}


@cache
def _usual(cls: Any) -> Mapping[str, Any]:
    """What stands in each field of a declared class when nothing is given, as plain data."""
    fields = fields_of(cls).values()
    return {one.name: plain_of(one.default) for one in fields if not one.needed}


def read_combatant(game: Ruleset, given: Mapping[str, Any], path: str = "") -> Combatant:
    """A combatant from plain data. Raises Wrong with the path of the field."""
    start = f"{path}." if path else ""
    rest = dict(given)
    name = rest.pop("id", None)
    if not isinstance(name, str) or not name or not name.isprintable():
        raise Wrong(f"{start}id", f"expected a word, got {shown(name)}")
    held = rest.pop("conditions", [])
    if not isinstance(held, (list, tuple)):
        raise Wrong(f"{start}conditions", f"expected a list, got {shown(held)}")
    conditions = tuple(read(ActiveCondition, one, f"{start}conditions[{at}]") for at, one in enumerate(held))
    figures = rest.pop("sheet", {})
    sheet = read_sheet(game, figures, f"{start}sheet")
    place = read(CombatantState, {"name": name, **rest}, path)
    # Where a person who wrote the file left out what follows from the side.
    known = game.join(sheet, place.side == PLAYERS)
    absent = {field: value for field, value in known.items() if field not in figures}
    return Combatant(name, place, changed(sheet, absent), conditions)


def plain(encounter: Encounter) -> dict[str, Any]:
    """The whole encounter as the opening file holds it."""
    found = plain_progress(encounter)
    found.pop("ids", None)
    found["combatant"] = [plain_combatant(one) for one in encounter]
    return found


def plain_progress(encounter: Encounter) -> dict[str, Any]:
    """Where the fight stands and what is on offer, as plain data."""
    found = spare(encounter.progress)
    if encounter.offers:
        found["offers"] = [spare(one) for one in encounter.offers]
    return found


def _tagged(one: Combatant, others: Mapping[str, Combatant]) -> Combatant:
    """With the next free tag, where a person who wrote the file gave none."""
    if one.state.tag:
        return one
    return one.with_state(tag=max((other.state.tag for other in others.values()), default=0) + 1)


def read_encounter(
    game: Ruleset, house: Any, style: OrderStyle | None, given: Mapping[str, Any]
) -> Encounter:
    """An encounter from plain data. Raises Wrong with the path of the field."""
    rest = {name: value for name, value in given.items() if name != "format"}
    listed = rest.pop("combatant", [])
    offers = tuple(read(Offer, one, f"offers[{at}]") for at, one in enumerate(rest.pop("offers", [])))
    if not isinstance(listed, list):
        raise Wrong("combatant", f"expected a list of combatants, got {shown(listed)}")
    everybody: dict[str, Combatant] = {}
    for at, one in enumerate(listed):
        if not isinstance(one, Mapping):
            raise Wrong(f"combatant[{at}]", f"expected a table of fields, got {shown(one)}")
        found = read_combatant(game, one, f"combatant[{at}]")
        if found.id in everybody:
            raise Wrong(f"combatant[{at}].id", f"{shown(found.id)} is there twice")
        everybody[found.id] = _tagged(found, everybody)
    progress = read(Progress, {**rest, "ids": list(everybody)})
    return checked(Encounter(game, house, style or game.order(house), progress, everybody, offers))


def checked(encounter: Encounter) -> Encounter:
    """The same encounter. Raises Wrong where it names somebody who is not there, or somebody twice."""
    progress, people = encounter.progress, encounter.combatants
    if len(progress.ids) != len(people) or not people.keys() >= {*progress.ids}:
        raise Wrong("ids", "these are not those who are in the fight")
    if len({*progress.order}) != len(progress.order):
        raise Wrong("order", "somebody is in it twice")
    named = {"order": progress.order, "turn": (progress.turn,), "interrupted": (progress.interrupted,)}
    for field, ids in named.items():
        for one in ids:
            if one is not None and one not in people:
                raise Wrong(field, f"nobody has the id {shown(one)}")
    return encounter
