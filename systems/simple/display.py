"""What the screens show for any game: bar, marks, briefings, calculated values and usual conditions."""

from functools import cache
from typing import Any

from systems.contract.condition import Condition, Effect
from systems.contract.display import Figure, Mark, Meter, StatusWord
from systems.contract.outcome import Term, optional_term
from systems.effects.field import read_effects
from systems.simple.house import House
from systems.simple.sheet import (
    VOCABULARY,
    Counter,
    Sheet,
    Weapon,
    attack_term,
    defence_of,
    life_status,
)
from systems.text import plain_number, signed

CONCENTRATION = read_effects(
    VOCABULARY,
    {
        "name": "Concentration",
        "when": "damaged",
        "save": "constitution",
        "dc_by_damage": True,
        "ends": "concentrating",
    },
)


@cache
def _burning(value: int) -> tuple[Any, ...]:
    """Return the damage of a burning combatant at the start of its turn, as an effect."""
    line = {"name": "Burning", "when": "start", "damage": [str(value)]}
    return read_effects(VOCABULARY, line)() if value > 0 else ()


@cache
def _regenerating(value: int) -> tuple[Any, ...]:
    """Return the hit points that a combatant regains at the start of its turn, as an effect."""
    line = {"name": "Regenerating", "when": "start", "heal": str(value)}
    return read_effects(VOCABULARY, line)() if value > 0 else ()


METERS = (Meter("hp", "hp", "max_hp"),)
STATUSES = (
    StatusWord("up", "good"),
    StatusWord("stunned", "warning", acts=False),
    StatusWord("down", "danger", acts=False),
    StatusWord("dead", "muted", acts=False, in_order=False),
)


def _rolls(option: str, amount: int | None = None) -> tuple[Effect, ...]:
    """Return effects that give the number to the combatant's attacks and checks."""
    return (Effect("attack", option, "actor", amount), Effect("check", option, "actor", amount))


CONDITIONS = (
    Condition(
        "bonus", "its value is added to attacks and checks; below 0 subtracted", effects=_rolls("modifier")
    ),
    Condition("advantage", "attacks and checks: the better of two rolls", "good", effects=_rolls("edge", 1)),
    Condition(
        "disadvantage", "attacks and checks: the worse of two rolls", "warning", effects=_rolls("edge", -1)
    ),
    Condition(
        "exposed",
        "attacks on it: the better of two rolls",
        "warning",
        effects=(Effect("attack", "edge", "target", 1),),
    ),
    Condition(
        "obscured",
        "attacks on it: the worse of two rolls",
        "good",
        effects=(Effect("attack", "edge", "target", -1),),
    ),
    Condition(
        "cover",
        "its value is added to its defence",
        "good",
        effects=(Effect("attack", "cover", "target"),),
    ),
    Condition(
        "fierce",
        "its value is added to the damage of its hits",
        "accent",
        effects=(Effect("attack", "damage_modifier", "actor"),),
    ),
    Condition(
        "burning",
        "loses its value in hit points when its turn begins",
        "danger",
        valued=True,
        value_lines=_burning,
    ),
    Condition(
        "regenerating",
        "regains its value in hit points when its turn begins",
        "good",
        valued=True,
        value_lines=_regenerating,
    ),
    Condition("stunned", "cannot act; its turns pass without it", "warning", field="stunned"),
    Condition("dead", "dead, whatever its hit points", "muted", field="dead"),
    Condition(
        "concentrating",
        "maintains a spell; damage calls for a constitution save, and it ends when its bearer falls (R16)",
        "accent",
        acting=True,
        lines=CONCENTRATION,
    ),
    Condition("prone", "on the ground; the game master decides what that means", "warning"),
)


def status(sheet: Sheet, house: House) -> str:
    return life_status(sheet)


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    """Return marks for temporary hit points, the defence if it is set, and counters that are not full."""
    marks = []
    if sheet.temporary_hp:
        marks.append(Mark(f"+{sheet.temporary_hp} hp", "good", column="temporary"))
    if sheet.defence is not None:
        number = plain_number(defence_of(sheet, house))
        marks.append(Mark(f"defence {number}", "muted", tells="defence", column="defence"))
    marks += [_counter_mark(counter) for counter in sheet.counters if counter.now != counter.full]
    return tuple(marks)


def _counter_mark(counter: Counter) -> Mark:
    words = f"{counter.name} {counter.now}/{counter.full}"
    return Mark(words, "plain" if counter.now else "muted", column=counter.name)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    """Return the briefing at the start of the turn."""
    match life_status(sheet):
        case "down":
            return ("Down, cannot act",)
        case "stunned":
            return ("Stunned, cannot act",)
    empty = [f"No {counter.name} left" for counter in sheet.counters if counter.full and not counter.now]
    return tuple(empty)


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Return each attack as it is rolled, and the defence."""
    defence = defence_of(sheet, house)
    usual = "" if sheet.defence is not None else "the usual one"
    return (
        *(_weapon_figure(sheet, weapon, house) for weapon in sheet.weapons),
        Figure("defence", defence, note=usual),
    )


def _weapon_figure(sheet: Sheet, weapon: Weapon, house: House) -> Figure:
    term: Term = attack_term(sheet, weapon, house)
    plus = signed(weapon.damage_bonus) if optional_term("", weapon.damage_bonus) else ""
    damage = " ".join(part for part in (weapon.damage or "", plus) if part) or "0"
    rolled = {"over": house.rolled, "bands": house.rolled, "under": f"{house.rolled} at most"}
    how = rolled.get(house.roll, f"dice with {house.counts_from} or more")
    return Figure(weapon.name, term.value, (term,), f"{how}; {damage} damage")
