"""The core roll: one d20, read once for the score and once for the effectiveness."""

from typing import Protocol

import attrs

from systems.arden.awareness import optional_term
from systems.arden.house import House
from systems.arden.sheet import Sheet, score
from systems.contract import Step, Term
from systems.fields import flag, whole
from systems.table import Table
from systems.words import plain_number, signed

SPLIT_ATTENTION = -2
PIERCING_LEAST = 10
HITS = ("hit", "critical_hit", "perfect_hit")
MISSES = ("miss", "critical_miss")
DEGREE_WORDS = {
    "critical_hit": "a critical hit",
    "perfect_hit": "a perfect hit",
    "critical_miss": "a critical miss",
}

MODIFIER = whole(-99, 99, 0, "status and circumstances; touches the score only (APD-02)")
PROFICIENCY = whole(-99, 99, 0, "added to the score (APD-16)")
SPECIALTY = whole(-99, 99, 0, "added to the score; the game master's number for Skill and Potential (R28)")
SPLIT_MINOR = flag(False, "a minor action done at the same time: -2 (APD-35)")
DEFENCE_MODIFIER = whole(-99, 99, 0, "added to that DC, whatever the awareness (R22)")
ENCOUNTER = flag(True, "no: outside encounters, no action points, no turn (APD-53)")


class Added(Protocol):
    """What the options of every core roll add to the score."""

    @property
    def modifier(self) -> int: ...
    @property
    def proficiency(self) -> int: ...
    @property
    def specialty(self) -> int: ...
    @property
    def split_minor(self) -> bool: ...


@attrs.frozen
class Core:
    """All of a roll that stands before the die falls: three sums, each term by term.

    `gear` is what equipment adds to the effectiveness and armour takes from it.
    """

    adds: tuple[Term, ...]
    against: tuple[Term, ...]
    gear: tuple[Term, ...]
    piercing: bool
    match_hits: bool
    effect_split: int
    base: int
    dc: int
    bonus: int


def core(
    adds: tuple[Term, ...],
    against: tuple[Term, ...],
    gear: tuple[Term, ...],
    *,
    split: bool,
    house: House,
    piercing: bool = False,
) -> Core:
    """The three sums of a roll, and how its result is read (R1, R14)."""
    effect_split = SPLIT_ATTENTION if split and house.split_scope == "both" else 0
    base, dc, bonus = (sum(term.value for term in terms) for terms in (adds, against, gear))
    return Core(adds, against, gear, piercing, house.match_hits, effect_split, base, dc, bonus)


def score_terms(sheet: Sheet, ability: str, options: Added) -> tuple[Term, ...]:
    """What is added to the die for the score (APD-02, APD-16, APD-35)."""
    return (
        Term(ability, score(sheet, ability), "" if ability in sheet.abilities else "not listed"),
        *optional_term("modifier", options.modifier),
        *optional_term("proficiency", options.proficiency),
        *optional_term("specialty", options.specialty),
        *optional_term("split attention", SPLIT_ATTENTION if options.split_minor else 0),
    )


@attrs.frozen
class Rolled:
    """One core roll: the die, what became of it, and the degree."""

    die: int
    score: int
    effectiveness: int
    result: str

    @property
    def hit(self) -> bool:
        return self.result in HITS

    @property
    def missed(self) -> bool:
        return self.result in MISSES


def compared(total: int, dc: int, *, match_hits: bool, piercing: bool) -> str:
    """`hit` above the DC, `miss` below, `match` on it (APD-03, APD-08, APD-48, R1)."""
    if total != dc:
        return "hit" if total > dc else "miss"
    if piercing:
        return "miss"
    return "hit" if match_hits else "match"


def degree(outcome: str, effectiveness: int) -> str:
    """The result in full: hits grow at 10 and 20, misses worsen at 5 (APD-05, APD-10 to APD-15, R5)."""
    if outcome == "hit":
        return HITS[(effectiveness >= 10) + (effectiveness >= 20)]
    return "critical_miss" if outcome == "miss" and effectiveness <= 5 else outcome


def damage_of(effectiveness: int) -> int:
    """What a hit costs: 1, 2, 3 or 4 health points (APD-12 to APD-15, R3, R4)."""
    return 1 + (effectiveness >= 10) + (effectiveness >= 15) + (effectiveness >= 20)


def core_roll(rolling: Core, table: Table, why: str) -> Rolled:
    """One d20, read twice (APD-02 to APD-06; piercing APD-48, R15, R16)."""
    die = table.d(20, why)
    total = die + rolling.base
    outcome = compared(total, rolling.dc, match_hits=rolling.match_hits, piercing=rolling.piercing)
    counted = die + rolling.effect_split
    if rolling.piercing and outcome == "hit":
        counted = max(counted, PIERCING_LEAST)
    effectiveness = counted + rolling.bonus
    return Rolled(die, total, effectiveness, degree(outcome, effectiveness))


def numbers(rolling: Core, rolled: Rolled) -> str:
    """`13 against 11, effectiveness 11`, and the degree where it is more than plain."""
    words = f"{plain_number(rolled.score)} against {plain_number(rolling.dc)}"
    if rolled.result == "match":
        return f"{words}, no success"
    words += f", effectiveness {plain_number(rolled.effectiveness)}"
    return f"{words}, {DEGREE_WORDS[rolled.result]}" if rolled.result in DEGREE_WORDS else words


def all_terms(rolling: Core, rolled: Rolled) -> tuple[Term, ...]:
    """The terms whose sum is the score."""
    return (*rolling.adds, Term("d20", rolled.die))


def core_steps(rolling: Core, rolled: Rolled) -> tuple[Step, ...]:
    """DC, effectiveness and result, each with its reckoning."""
    counted = rolled.effectiveness - rolling.bonus
    effect = [
        Term("d20", rolled.die),
        *optional_term("split attention", rolling.effect_split),
        *optional_term("piercing", counted - rolled.die - rolling.effect_split, "counts as 10 at least"),
        *rolling.gear,
    ]
    return (
        Step("DC", plain_number(rolling.dc), in_words(rolling.against)),
        Step("effectiveness", plain_number(rolled.effectiveness), in_words(effect)),
        Step("result", rolled.result.replace("_", " "), _result_note(rolling, rolled)),
    )


def in_words(terms: tuple[Term, ...] | list[Term]) -> str:
    """`base 10, defense +1`; a note stands in brackets."""
    first, *others = ((term.label, term.value, f" ({term.note})" if term.note else "") for term in terms)
    start = f"{first[0]} {plain_number(first[1])}{first[2]}"
    return ", ".join([start, *(f"{label} {signed(value)}{note}" for label, value, note in others)])


def _result_note(rolling: Core, rolled: Rolled) -> str:
    if rolled.score == rolling.dc:
        if rolling.piercing:
            return "equal to the DC: a piercing attack has missed"
        return "equal to the DC" + (", a hit by house rule" if rolled.hit else "")
    side = "above" if rolled.score > rolling.dc else "below"
    return f"{side} the DC, effectiveness {plain_number(rolled.effectiveness)}"
