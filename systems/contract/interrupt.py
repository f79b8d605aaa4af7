"""Interrupts: reactions that count before a roll is final, such as a shield raised when 13 meets 12.

A game declares an `Interrupt` for a moment of its actions. The action asks with `interrupted`, after the die
is seen. A question is put only to a combatant whose interruption can still matter, the cheapest first.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal

from systems.contract.fight import Person
from systems.contract.interruption import UsedInterruption
from systems.contract.marked_text import SOMETHING_UNSEEN
from systems.contract.outcome import GivenCondition, Step
from systems.contract.reaction import Interrupt as Interrupt
from systems.contract.table import Table, interrupt_id
from systems.dice.notation import maximum, minimum
from systems.frozen import frozen
from systems.text import signed

MOST_TOGETHER = 8  # of more interruptions, only those that are enough alone are asked about


@frozen
class Interruption:
    """One thing that a combatant can do at that moment.

    `worth`: how much it adds to the defence or takes from the roll, a number or dice (`1d6`); None if it is
    enough by itself, such as a counterspell. `cost` orders them: the cheapest is asked first and suggested.
    `suggested`: False if only a person should decide to use it, so that odds don't count it.
    `changes`: what it changes on its owner's sheet. `gives`: conditions, with the owner as `actor`.
    `against`: the only kind of attack or action that it stops, in words of the game; "" if it stops all.
    `lowers`: it lowers the roll instead of raising the number against it. `withstand(table)` rolls for the
    actor against it: whether the actor withstands it, and the roll in words.
    """

    name: str
    worth: int | str | None = None
    cost: int = 1
    changes: Mapping[str, object] = {}
    gives: tuple[GivenCondition, ...] = ()
    suggested: bool = True
    against: str = ""
    lowers: bool = False
    withstand: Callable[[Table], tuple[bool, str]] | None = None

    @property
    def most(self) -> int | None:
        """Return the most that it can be worth; None if it is always enough."""
        return maximum(self.worth) if isinstance(self.worth, str) else self.worth

    @property
    def usual(self) -> int | None:
        """Return how much to expect of it, 0 if it is not suggested."""
        if not self.suggested:
            return 0
        if not isinstance(self.worth, str):
            return self.worth
        return (minimum(self.worth) + maximum(self.worth)) // 2


@frozen(eq=False)
class ReadyInterruption:
    """An interruption that its owner could use now.

    `role`: of its owner: actor, target, or "" for a third party. `unseen`: a third party that players don't
    see. It takes the suggested answer without a question, so that no pause gives it away. `against`: the name
    of the actor, for the question; "" if it is the owner or players do not see it.
    """

    interrupt: Interrupt
    owner: Person
    role: Literal["actor", "target", ""]
    interruption: Interruption
    against: str = ""

    @property
    def unseen(self) -> bool:
        return not self.role and not self.owner.in_sight

    @property
    def reaction(self) -> tuple[str, str]:
        """Return the owner and the reaction that it uses up."""
        return self.owner.id, self.interrupt.spends or self.interrupt.name

    def used(self, worth: int | None, met: str = "", *, withstood: bool = False) -> UsedInterruption:
        """Return it as a part of the outcome. `worth`: how much it added; the rest: see UsedInterruption."""
        what = self.interruption
        return UsedInterruption(
            what.name,
            self.role or self.owner.id,
            self.interrupt.name,
            worth,
            what.changes,
            what.gives,
            unseen=self.unseen,
            lowers=what.lowers,
            met=met,
            withstood=withstood,
        )


@frozen(eq=False)
class Interrupted:
    """What came of the interruptions of a moment.

    `turned`: they were enough. `used`: the interruptions used, for `Outcome.interruptions`.
    """

    turned: bool = False
    used: tuple[UsedInterruption, ...] = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return the steps for the explanation."""
        names = ((SOMETHING_UNSEEN if used.unseen else used.name, used) for used in self.used)
        return tuple(
            Step(name, used.met if used.worth is None else signed(used.change)) for name, used in names
        )

    @property
    def total(self) -> int:
        """Return how much they added together to the number against the roll."""
        return sum(used.change for used in self.used if not used.lowers)

    @property
    def taken(self) -> int:
        """Return how much they took off the roll together."""
        return -sum(used.change for used in self.used if used.lowers)


NOT_INTERRUPTED = Interrupted()


@lru_cache(maxsize=16)
def ready_interruptions(scene: Any, moment: str) -> tuple[ReadyInterruption, ...]:
    """Return what combatants could do at this moment of the scene's action, the cheapest first."""
    found: list[ReadyInterruption] = []
    person = scene.fight.person(scene.actor_id) if scene.fight is not None else None
    actor = person.name if person is not None and person.in_sight else ""
    for interrupt in scene.interrupts:
        if interrupt.moment == moment:
            for owner, role in _owners(scene, interrupt):
                offers = interrupt.offers(scene, owner)
                against = "" if role == "actor" else actor
                found += [ReadyInterruption(interrupt, owner, role, offer, against) for offer in offers]
    return tuple(sorted(found, key=lambda ready: ready.interruption.cost))


def _owners(scene: Any, interrupt: Interrupt) -> list[tuple[Person, Literal["actor", "target", ""]]]:
    """Return the combatants that are ready for an interrupt, each with its role."""
    fight = scene.fight
    if fight is None:
        role: Literal["actor", "target"] = "actor" if interrupt.whose == "actor" else "target"
        sheet, name = (
            (scene.actor, scene.actor_name) if role == "actor" else (scene.target, scene.target_name)
        )
        is_own = interrupt.whose in ("actor", "target") and interrupt.ready(sheet, scene.house)
        return [(Person(role, name, "", sheet), role)] if is_own else []
    ready = fight.ready(interrupt.name)
    if not ready:
        return []
    actor, target = scene.actor_id, scene.target_id
    if any(who and fight.person(who) is None for who in (actor, target)):
        return []  # one of them is away from the fight
    if interrupt.whose == "opponents":
        side = fight.person(actor).side
        people = [fight.person(who) for who in fight.ids if who in ready and who != actor]
        return [(each, "target" if each.id == target else "") for each in people if each.side != side]
    match interrupt.whose:
        case "actor":
            return [(fight.person(actor), "actor")] if actor in ready else []
        case "target":
            return [(fight.person(target), "target")] if target in ready else []
    others = [fight.person(who) for who in fight.ids if who in ready and who not in (actor, target)]
    if interrupt.whose == "others":
        return [(each, "") for each in others]
    side = fight.person(target or actor).side
    return [(each, "") for each in others if (each.side == side) == (interrupt.whose == "friends")]


@lru_cache(maxsize=16)
def most_defence(ready: tuple[ReadyInterruption, ...]) -> int:
    """Return how much they can add together: the `defences` of a d20 test."""
    return _together(ready) or 0


def interrupted(table: Table, ready: Sequence[ReadyInterruption], gap: int | None) -> Interrupted:
    """Ask those whose interruption can still matter; return what was used.

    `gap`: how much is needed, such as `beaten_by` of a d20 test. 0: nothing is enough, so nobody is asked.
    None: only an interruption without a number is enough.
    """
    if gap == 0 or not ready:
        return NOT_INTERRUPTED
    left = [each for each in ready if gap is not None or each.interruption.worth is None]
    if len(left) > MOST_TOGETHER:
        # Nobody wants to answer for each of twenty guards, so only those that are enough alone count.
        left = [each for each in left if enough_alone(each, gap)]
    used: list[UsedInterruption] = []
    missing = gap
    while left and _can_suffice(left, missing):
        worths = tuple((each.interruption.usual, each.interruption.cost, each.reaction) for each in left)
        each, *left = left
        if not _is_used(table, each, suggest=0 in _suggested(worths, missing), missing=missing):
            continue
        worth, withstand = _rolled(table, each), each.interruption.withstand
        withstood, met = withstand(table) if withstand is not None else (False, "")
        used.append(each.used(worth, met, withstood=withstood))
        if withstood:
            left = [other for other in left if other.reaction != each.reaction]
            continue
        if missing is None or worth is None or worth >= missing:
            return Interrupted(True, tuple(used))
        missing -= worth
        left = [other for other in left if other.reaction != each.reaction]
    return Interrupted(False, tuple(used))


def enough_alone(ready: ReadyInterruption, missing: int | None) -> bool:
    """Return whether an interruption can be enough without any other."""
    return _can_suffice([ready], missing)


def _can_suffice(ready: Sequence[ReadyInterruption], missing: int | None) -> bool:
    """Return whether these interruptions can be enough together."""
    together = _together(ready)
    return missing is None or together is None or together >= missing


def _together(ready: Sequence[ReadyInterruption]) -> int | None:
    """Return the most that they can be worth together, one for each reaction; None: always enough."""
    most: dict[tuple[str, str], int] = {}
    for each in ready:
        worth = each.interruption.most
        if worth is None:
            return None
        most[each.reaction] = max(worth, most.get(each.reaction, 0))
    return sum(most.values())


def _is_used(table: Table, each: ReadyInterruption, *, suggest: bool, missing: int | None) -> bool:
    """Ask the owner. An unseen third party takes the suggestion."""
    name, worth = each.interruption.name, each.interruption.worth
    sign = "-" if each.interruption.lowers else "+" if isinstance(worth, int) else ""
    adds = "" if worth is None else f" ({sign}{worth}, {missing} needed)"
    against = f" against {each.against}" if each.against else ""
    return table.choose(
        f"{each.owner.name}: use {name}{against}{adds}?",
        (False, True),
        suggest=suggest,
        of=each.role or each.owner.id,
        given=suggest if each.unseen else None,
        id=interrupt_id(name),
    )


def _rolled(table: Table, each: ReadyInterruption) -> int | None:
    worth, name = each.interruption.worth, each.interruption.name
    return table.roll(worth, name, each.role or each.owner.id) if isinstance(worth, str) else worth


@lru_cache(maxsize=512)
def _suggested(
    worths: tuple[tuple[int | None, int, tuple[str, str]], ...], gap: int | None
) -> frozenset[int]:
    """Return the places of the cheapest interruptions that suffice together; nothing if none do.

    `worths`: of each, how much to expect of it, its cost, and the reaction that it uses up.
    """

    def suffices(places: tuple[int, ...]) -> bool:
        known = [worths[at][0] for at in places]
        if gap is None:
            return known == [None]
        if len({worths[at][2] for at in places}) < len(places):
            return False
        return None in known or sum(worth or 0 for worth in known) >= gap

    most = len(worths) if len(worths) <= MOST_TOGETHER else 1
    enough = [
        places
        for number in range(1, most + 1)
        for places in combinations(range(len(worths)), number)
        if suffices(places)
    ]
    cheapest = min(enough, key=lambda places: sum(worths[at][1] for at in places), default=())
    return frozenset(cheapest)
