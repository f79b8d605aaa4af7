"""The core roll: one d20, read once for the score and once for the effectiveness."""

from typing import Any

from systems.arden.house import House
from systems.arden.sheet import Sheet, score
from systems.contract.action import Scene
from systems.contract.outcome import Step, Term, optional_term, owned
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.fields import flag, whole
from systems.text import plain_number, signed

SPLIT_ATTENTION = -2
PIERCING_LEAST = 10

MODIFIER = whole(-99, 99, 0, "status and circumstances; touches the score only (APD-02)")
PROFICIENCY = whole(-99, 99, 0, "added to the score (APD-16)")
SPECIALTY = whole(-99, 99, 0, "added to the score; the game master's number for Skill and Potential (R28)")
SPLIT_MINOR = flag(False, "a minor action done at the same time: −2 (APD-35)", one_off=True)
DEFENCE_MODIFIER = whole(-99, 99, 0, "added to that DC, whatever the awareness (R22)")
NO_ENCOUNTER = "no: outside encounters, no action points, no turn (APD-53)"
ENCOUNTER = flag(True, NO_ENCOUNTER)


@frozen
class Degree:
    """The degree of a roll: its word, its rule, and the health points that a blow of this degree costs."""

    result: str
    rule: str
    damage: int = 0

    @property
    def hit(self) -> bool:
        return self.damage > 0

    @property
    def missed(self) -> bool:
        return self in (MISS, CRITICAL_MISS)


# The hits that need some effectiveness, from the best down (R3); HIT is for the others (R4).
GRADED_HITS = (
    (20, Degree("perfect_hit", "APD-15", 4)),
    (15, Degree("critical_hit", "APD-14", 3)),
    (10, Degree("critical_hit", "APD-13", 2)),
)
HIT = Degree("hit", "APD-12", 1)
MATCH = Degree("match", "APD-09")
MISS = Degree("miss", "APD-11")
CRITICAL_MISS = Degree("critical_miss", "APD-10")
CRITICAL_MISS_MOST = 5


@frozen
class Core:
    """Everything known about a roll before the die: three sums, each term by term.

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
    """Return the three sums of a roll, and how its result is read (R1, R14)."""
    effect_split = SPLIT_ATTENTION if split and house.split_scope == "both" else 0
    base, dc, bonus = (sum(term.value for term in terms) for terms in (adds, against, gear))
    return Core(adds, against, gear, piercing, house.match_hits, effect_split, base, dc, bonus)


def score_terms(scene: Scene[Sheet, Any, House], ability: str) -> tuple[Term, ...]:
    """Return the terms added to the die for the score (APD-02, APD-16, APD-35).

    The options are `ScoreOptions`.
    """
    sheet, options = scene.actor, scene.options
    return (
        Term(ability, score(sheet, ability), "" if ability in sheet.abilities else "not listed", "actor"),
        *scene.option_terms("modifier"),
        *owned(
            "options",
            *optional_term("proficiency", options.proficiency),
            *optional_term("specialty", options.specialty),
            *optional_term("split attention", SPLIT_ATTENTION if options.split_minor else 0),
        ),
    )


@frozen
class Rolled:
    """One core roll: the die, its sums, and the degree."""

    die: int
    score: int
    effectiveness: int
    degree: Degree


def compared(total: int, dc: int, *, match_hits: bool, piercing: bool) -> Degree:
    """Return a hit above the DC, a miss below it, or a match (APD-03, APD-08, APD-48, R1)."""
    if total != dc:
        return HIT if total > dc else MISS
    if piercing:
        return MISS
    return HIT if match_hits else MATCH


def graded(plain: Degree, effectiveness: int) -> Degree:
    """Return the degree in full: hits grow, misses worsen, a match stays a match (APD-05, R5)."""
    if plain is HIT:
        return next((degree for least, degree in GRADED_HITS if effectiveness >= least), HIT)
    return CRITICAL_MISS if plain is MISS and effectiveness <= CRITICAL_MISS_MOST else plain


def core_roll(rolling: Core, table: Table, why: str) -> Rolled:
    """Roll one d20 and read it twice (APD-02 to APD-06; piercing APD-48, R15, R16)."""
    die = table.d(20, why)
    total = die + rolling.base
    plain = compared(total, rolling.dc, match_hits=rolling.match_hits, piercing=rolling.piercing)
    counted = die + rolling.effect_split
    if rolling.piercing and plain.hit:
        counted = max(counted, PIERCING_LEAST)
    effectiveness = counted + rolling.bonus
    return Rolled(die, total, effectiveness, graded(plain, effectiveness))


def numbers(rolling: Core, rolled: Rolled) -> str:
    """Return `13 against 11, effectiveness 11`, and the degree if it is more than plain."""
    words = f"{plain_number(rolled.score)} against {plain_number(rolling.dc)}"
    if rolled.degree is MATCH:
        return f"{words}, no success"
    if rolled.degree.missed and rolled.score == rolling.dc:
        words += ", a match, which misses when piercing"
    words += f", effectiveness {plain_number(rolled.effectiveness)}"
    return words if rolled.degree in (HIT, MISS) else f"{words}, {in_plain(rolled.degree)}"


def in_plain(degree: Degree) -> str:
    """Return the degree in words, such as `critical hit`."""
    return degree.result.replace("_", " ")


def all_terms(rolling: Core, rolled: Rolled) -> tuple[Term, ...]:
    """Return the terms whose sum is the score."""
    return (*rolling.adds, Term("d20", rolled.die, of="actor"))


def core_steps(rolling: Core, rolled: Rolled) -> tuple[Step, ...]:
    """Return DC, effectiveness and result, each with its calculation."""
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
        Step("result", in_plain(rolled.degree), _result_note(rolling, rolled)),
    )


def in_words(terms: tuple[Term, ...] | list[Term]) -> str:
    """Return `base 10, defense +1`; a note is in brackets."""
    first, *others = ((term.label, term.value, f" ({term.note})" if term.note else "") for term in terms)
    start = f"{first[0]} {plain_number(first[1])}{first[2]}"
    return ", ".join([start, *(f"{label} {signed(value)}{note}" for label, value, note in others)])


def _result_note(rolling: Core, rolled: Rolled) -> str:
    if rolled.score == rolling.dc:
        if rolling.piercing:
            return "equal to the DC: a piercing attack has missed"
        return "equal to the DC" + (", a hit by house rule" if rolled.degree.hit else "")
    side = "above" if rolled.score > rolling.dc else "below"
    return f"{side} the DC, effectiveness {plain_number(rolled.effectiveness)}"
