"""Damage: dice of damage texts, critical hits, resistance and vulnerability, and its effect on a creature."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from systems.contract.damage import NO_DAMAGE, Blow, DamagePart, DamageTally, Levels
from systems.contract.table import Table
from systems.frozen import evolve, frozen
from systems.srd5.body import HurtVitals, Vitals, has, held_up, hurt
from systems.srd5.house import House
from systems.srd5.saves import Save, throw_save
from systems.srd5.sheet import Amount, Sheet, read_amount

_RADIANT = "radiant"  # it leaves nothing for undead fortitude to save


@frozen
class DamageDice:
    """The dice of one damage text, with its type."""

    blow: Blow
    type: str


@frozen
class TypedDamage(DamagePart):
    """Damage of one type: halved once or twice, each time rounded down, then doubled or nothing (SRD-26)."""

    factor: int = 1

    def worth(self, total: int) -> int:
        return max(0, total) // self.divided * self.factor


def averages(sheet: Sheet, house: House) -> bool:
    """Return whether this creature deals average damage without dice (R16)."""
    return house.creature_damage == "average" and sheet.dies_at_zero


@lru_cache(maxsize=512)
def rolls_of(
    texts: tuple[str, ...], house: House, critical: bool = False, average: bool = False, added: int = 0
) -> tuple[DamageDice, ...]:
    """Return the dice of damage texts (SRD-17, SRD-24). `added`: a number added to the first of them."""
    found = []
    for at, words in enumerate(texts):
        amount, _, type = words.partition(" ")
        blow = _blow(read_amount(amount), house.critical if critical else "", average, 0 if at else added)
        found.append(DamageDice(blow, type))
    return tuple(found)


def _blow(amount: Amount, critical: str, average: bool, added: int) -> Blow:
    """Return the dice of one text; `critical`: how a critical hit counts them, or "" (R5)."""
    dice, plus = amount.dice, amount.plus + added
    greatest = sum(number * sides for number, sides in dice) if critical == "max_plus_dice" else 0
    if average:
        twice = sum(number * (sides + 1) for number, sides in dice)
        times = 2 if critical == "double_result" else 1
        half = twice if critical == "double_dice" else twice // 2 * times
        return Blow((), half + greatest + plus, least=0)
    factor = 2 if critical == "double_result" else 1
    return Blow(dice * 2 if critical == "double_dice" else dice, plus + greatest, factor, least=0)


@frozen
class Defence:
    """How a body takes each type of damage."""

    resistances: tuple[str, ...]
    immunities: tuple[str, ...]
    vulnerabilities: tuple[str, ...]
    is_stone: bool
    halved: bool

    def divided(self, type: str) -> int:
        """Return by what the damage of a type is divided: 2 for each halving."""
        resists = self.is_stone or type in self.resistances
        return (2 if self.halved else 1) * (2 if resists else 1)

    def factor(self, type: str) -> int:
        """Return by what it is multiplied in the end."""
        if type in self.immunities:
            return 0
        return 2 if type in self.vulnerabilities else 1

    def worth(self, type: str, amount: int) -> int:
        """Return the damage of one type that gets through."""
        return amount // self.divided(type) * self.factor(type)


@lru_cache(maxsize=512)
def defence_of(body: Vitals, halved: bool) -> Defence:
    """Return the defence of a body (SRD-26 to SRD-30)."""
    sheet = body.sheet
    return Defence(
        sheet.resistances, sheet.immunities, sheet.vulnerabilities, "petrified" in has(body), halved
    )


@frozen(eq=False)
class DamageDone:
    """Damage that gets through: its sum, and whether some of it stops regeneration or is radiant.

    `thrown`: the sum as rolled, whatever the target resists; None in odds. `amounts`: by type; in odds if
    there is only one type. `absorbed`: hit points that the rest gives back. `tally`: this damage and that
    before it; if it was thrown by levels, `total` is the level in odds.
    """

    total: Any
    stops: bool = False
    radiant: bool = False
    rolled: tuple[int, ...] | None = None
    types: tuple[str, ...] = ()
    thrown: int | None = None
    amounts: tuple[tuple[str, int], ...] = ()
    absorbed: int = 0
    tally: DamageTally = NO_DAMAGE


def amounts_done(
    rolls: Sequence[DamageDice], sums: Sequence[int], defence: Defence, sheet: Sheet
) -> DamageDone:
    """Return the damage of rolled sums: those of one type are added up first (R2)."""
    by_type: dict[str, int] = {}
    for roll, amount in zip(rolls, sums, strict=True):
        by_type[roll.type] = by_type.get(roll.type, 0) + amount
    absorbs = sheet.absorbs
    worth = {type: 0 if type in absorbs else defence.worth(type, amount) for type, amount in by_type.items()}
    absorbed = sum(by_type.get(type, 0) for type in absorbs)
    return DamageDone(
        sum(worth.values()),
        any(worth.get(type) for type in sheet.regeneration_stopped_by),
        worth.get(_RADIANT, 0) > 0,
        tuple(sums),
        tuple(roll.type for roll in rolls),
        sum(sums),
        tuple(worth.items()),
        absorbed // 2 if defence.halved else absorbed,
    )


def is_uncertain(rolls: Sequence[DamageDice], defence: Defence, types: Sequence[str]) -> bool:
    """Return whether it depends on the dice if damage of one of these types gets through.

    It does with any roll, unless the least roll gets nothing through.
    """
    return any(
        defence.factor(roll.type) and not defence.worth(roll.type, least_of(roll.blow))
        for roll in rolls
        if roll.type in types
    )


def least_of(blow: Blow) -> int:
    """Return the least result of a roll."""
    return max(0, blow.factor * sum(number for number, _ in blow.dice) + blow.plus)


def throw_sums(table: Table, rolls: Sequence[DamageDice], why: str = "damage") -> tuple[int, ...]:
    """Roll each damage text in turn; return the sums."""
    return tuple(
        table.blows(1, roll.blow, f"{roll.type} {why}") if roll.blow.dice else roll.blow.worth(0)
        for roll in rolls
    )


@frozen(eq=False)
class PreparedDamage:
    """Damage before its roll: its dice as parts of one roll, or None if each type counts by itself.

    `fixed`: the damage of the texts without dice. `stops`, `radiant`: what any of it does. `apart`:
    the types of which effects need the amount.
    """

    rolls: tuple[DamageDice, ...]
    body: Vitals
    defence: Defence
    parts: tuple[TypedDamage, ...] | None
    fixed: int
    stops: bool
    radiant: bool
    apart: tuple[str, ...] = ()


@lru_cache(maxsize=512)
def prepare_damage(
    rolls: tuple[DamageDice, ...], body: Vitals, halved: bool = False, apart: tuple[str, ...] = ()
) -> PreparedDamage:
    """Return the damage of some dice against a body before the roll. `apart`: see PreparedDamage."""
    sheet, defence = body.sheet, defence_of(body, halved)
    types = {roll.type for roll in rolls}
    fixed = sum(defence.worth(roll.type, roll.blow.worth(0)) for roll in rolls if not roll.blow.dice)
    parts = None
    if types.isdisjoint(sheet.absorbs):
        parts = _parts(rolls, defence, sheet)
    return PreparedDamage(
        rolls,
        body,
        defence,
        parts,
        fixed,
        _gets_through(types, defence, sheet.regeneration_stopped_by),
        _gets_through(types, defence, (_RADIANT,)),
        apart if len(types) > 1 and not types.isdisjoint(apart) else (),
    )


def _gets_through(types: Iterable[str], defence: Defence, known: Sequence[str]) -> bool:
    """Return whether a type is among the known ones, and the target is not immune to it."""
    return any(defence.factor(type) for type in types if type in known)


def throw_damage(
    table: Table,
    ready: PreparedDamage,
    before: DamageTally = NO_DAMAGE,
    levels: Levels = None,
    levels_after: Callable[[int], Levels] | None = None,
) -> DamageDone:
    """Roll damage and return what gets through. `levels`: see Table.add_damage.

    `levels_after`: the levels after a loss of the maximum; only for the odds of one attack or power.
    """
    if ready.apart and ready.parts is not None and levels_after is not None:
        return _thrown_apart(table, ready, levels_after)
    if ready.parts is None:
        done = amounts_done(ready.rolls, throw_sums(table, ready.rolls), ready.defence, ready.body.sheet)
        tally = table.add_damage(before, (), done.total, levels)
        return evolve(done, tally=tally, total=tally.least - before.least)
    tally = table.add_damage(before, ready.parts, ready.fixed, levels)
    total, roll = tally.least - before.least, tally.roll
    stops, radiant = ready.stops and total > 0, ready.radiant and total > 0
    if roll is None or roll.rolled is None:
        types = {each.type for each in ready.rolls}
        amounts = tuple((type, total) for type in types) if levels is None and len(types) == 1 else ()
        return DamageDone(total, stops, radiant, amounts=amounts, tally=tally)
    plain = sum(each.blow.worth(0) for each in ready.rolls if not each.blow.dice)
    by_type = (*roll.amounts, *_fixed(ready))
    return DamageDone(total, stops, radiant, thrown=sum(roll.rolled) + plain, amounts=by_type, tally=tally)


def _thrown_apart(table: Table, ready: PreparedDamage, levels_after: Callable[[int], Levels]) -> DamageDone:
    """Roll the types apart first, then the others by the levels that follow from these."""
    sheet, defence = ready.body.sheet, ready.defence
    counted = tuple(roll for roll in ready.rolls if roll.type in ready.apart)
    others = tuple(roll for roll in ready.rolls if roll.type not in ready.apart)
    known = amounts_done(counted, throw_sums(table, counted), defence, sheet)
    parts = _parts(others, defence, sheet)
    if parts is None:
        rest = amounts_done(others, throw_sums(table, others), defence, sheet)
        tally = table.add_damage(NO_DAMAGE, (), known.total + rest.total, None)
    else:
        fixed = sum(defence.worth(roll.type, roll.blow.worth(0)) for roll in others if not roll.blow.dice)
        tally = table.add_damage(NO_DAMAGE, parts, fixed + known.total, levels_after(known.total))
    total = tally.least
    stops, radiant = ready.stops and total > 0, ready.radiant and total > 0
    return DamageDone(total, stops, radiant, amounts=known.amounts, tally=tally)


def _fixed(ready: PreparedDamage) -> tuple[tuple[str, int], ...]:
    """Return the damage of the texts without dice, by type."""
    plain = [each for each in ready.rolls if not each.blow.dice]
    return tuple((each.type, ready.defence.worth(each.type, each.blow.worth(0))) for each in plain)


def _parts(rolls: tuple[DamageDice, ...], defence: Defence, sheet: Sheet) -> tuple[TypedDamage, ...] | None:
    """Return the damage as parts of one roll of which only the total counts; None if each type counts."""
    thrown = [roll for roll in rolls if roll.blow.dice]
    types = [roll.type for roll in rolls]
    counted = (*sheet.regeneration_stopped_by, *((_RADIANT,) if sheet.undead_fortitude else ()))
    if len(set(types)) > 1 and is_uncertain(rolls, defence, counted):
        return None
    if not thrown or any(types.count(type) > 1 and defence.divided(type) > 1 for type in types):
        return None
    return tuple(
        TypedDamage(
            roll.type, roll.blow, divided=defence.divided(roll.type), factor=defence.factor(roll.type)
        )
        for roll in thrown
    )


def suffer(
    table: Table,
    body: Vitals,
    done: DamageDone,
    house: House,
    *,
    of: str,
    critical: bool = False,
    knock_out: bool = False,
) -> HurtVitals:
    """Do damage to a body, with the save of undead fortitude if it may help (SRD-87, R30)."""
    found = hurt(body, done.total, house, critical, knock_out, done.stops, done.radiant)
    return stay_up(table, body, found, NO_DAMAGE.plus(done.total), house, of)[0]


def stay_up(
    table: Table, body: Vitals, found: HurtVitals, tally: DamageTally, house: House, of: str
) -> tuple[HurtVitals, DamageTally]:
    """Return the damage done and its tally, after the save of undead fortitude if it may help (SRD-87)."""
    if not found.holds:
        return found, tally
    passed, tally = table.by_damage(tally, _FortitudeSave(body, house, of))
    return (held_up(found, body) if passed else found), tally


@frozen
class _FortitudeSave:
    """The save of undead fortitude: whether a body passes it after some damage."""

    body: Vitals
    house: House
    of: str

    def __call__(self, table: Table, damage: int) -> bool:
        save = Save("constitution", 5 + damage, of=self.of)
        return throw_save(table, self.body, save, self.house).passed
