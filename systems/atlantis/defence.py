"""The number that an attack must beat: the plain 25, a passive resistance, or an active defence."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from systems.atlantis.checks import die_term, in_words, luck, opposing_terms, total_of
from systems.atlantis.house import House
from systems.atlantis.sheet import Sheet, has_acted, life_status, score_term, trained
from systems.contract.outcome import Step, Term, optional_term, owned
from systems.contract.table import Table
from systems.frozen import frozen
from systems.text import plain_number

UNOPPOSED = 25


@frozen(eq=False)
class Defence:
    """A target's defence against one attack before any die, and its cost.

    `value` is the number to beat, and `terms` are its parts; an active defence (`rolls`) adds the target's
    luck to it. `rule` is the id of the rule.
    """

    value: int
    label: str
    note: str
    rule: str
    changes: Mapping[str, object] = {}
    rolls: bool = False
    ability: str = ""
    active_refused: bool = False
    terms: tuple[Term, ...] = ()

    def differs_from(self, other: "Defence") -> bool:
        """Return whether it matters which of the two is used: in the number, in the die or in the cost."""
        return (self.value, self.rolls, self.changes) != (other.value, other.rolls, other.changes)

    def met(self, table: Table) -> int:
        """Return the number to beat by this attack; only an active defence rolls (ATL-19)."""
        return self.value + luck(table, self.ability, "target") if self.rolls else self.value

    def step(self, resistance: int) -> Step:
        """Return the explanation's step with the resistance."""
        if self.rolls:
            return Step.sum(self.label, owned("target", *self.terms, die_term(resistance - self.value)))
        refused = "; no action left for an active defence" if self.active_refused else ""
        return Step(self.label, plain_number(resistance), f"{self.note}{refused}")


def unopposed(note: str, active_refused: bool = False) -> Defence:
    """Return the plain 25 (ATL-21)."""
    return Defence(UNOPPOSED, "resistance", note, "ATL-21", active_refused=active_refused)


def opposing_abilities(target: Sheet, kind: str, own: str, named: str | None) -> tuple[str, ...]:
    """Return the abilities that could defend, the default first.

    The default is the named ability, else the ability of the weapon (`own`). The target may dodge instead
    if it rolls, if dodging is better, or if it has nothing else.
    """
    rolls = kind == "active" and may_defend(target)
    if kind == "none" or life_status(target) != "conscious":
        return ("",)
    if named is not None:
        return (named,)
    dodge = trained(target, "dodge")
    if dodge is None or dodge == trained(target, own):
        return (own,)
    skill = trained(target, own)
    better = skill is None or target.abilities[dodge] > target.abilities[skill]
    return (own, dodge) if rolls or better else (own,)


def best_defence(target: Sheet, abilities: tuple[str, ...], trait: str) -> str:
    """Return the ability with the highest score; on a tie the first, the weapon's own."""
    return max(abilities, key=lambda ability: score_term(target, ability, trait).value)


def may_defend(sheet: Sheet) -> bool:
    """Return whether it can roll to defend: its turn's action waits for that, or is unused (ATL-20, R37)."""
    return sheet.defending or not has_acted(sheet)


def defence_of(target: Sheet, kind: str, ability: str, trait: str, house: House) -> Defence:
    """Return the target's defence with this kind of resistance (ATL-19 to ATL-24, R10 to R14, R32)."""
    if life_status(target) != "conscious":
        return unopposed(f"{life_status(target)}, opposes nothing")
    if kind == "none":
        return unopposed("unopposed")
    if kind == "passive":
        return _passive(target, ability, house)
    if not may_defend(target):
        return _passive(target, ability, house, active_refused=True)
    terms = opposing_terms(target, ability, trait)
    spent = {"defending": False} if target.defending else {"action_spent": True}
    return Defence(
        total_of(terms), "active defence", "", "ATL-19", spent, rolls=True, ability=ability, terms=terms
    )


def chance_to_hit(base: int, value: int, rolls: bool) -> Fraction:
    """Return the chance that `base` and a die beat `value`, plus a die if it `rolls`."""
    luck_of = _luck_chances()
    defended = luck_of if rolls else {0: Fraction(1)}
    need = {value + added - base: chance for added, chance in defended.items()}
    return sum((chance * _more_than(at_most) for at_most, chance in need.items()), Fraction(0))


@lru_cache(maxsize=256)
def _more_than(number: int) -> Fraction:
    return sum((chance for value, chance in _luck_chances().items() if value > number), Fraction(0))


@lru_cache(maxsize=1)
def _luck_chances() -> dict[int, Fraction]:
    """Return each value of the open-ended die and its chance (ATL-07)."""
    second = {sign + by * face: Fraction(1, 400) for sign, by in ((0, -1), (20, 1)) for face in range(1, 21)}
    return second | {face: Fraction(1, 20) for face in range(2, 20)}


def passive_terms(target: Sheet, ability: str, house: House) -> tuple[Term, ...]:
    """Return a passive resistance: the ability, wounds, 5 less for each use this round (ATL-24, R11, R23)."""
    uses = target.passive_used if house.passive_penalty == "cumulative" else min(1, target.passive_used)
    return (*opposing_terms(target, ability, None), *optional_term("used before", -5 * uses))


def _passive(target: Sheet, ability: str, house: House, active_refused: bool = False) -> Defence:
    """Return the ability in place of 25; no die, no action (ATL-23, R10, R12)."""
    if trained(target, ability) is None:
        return unopposed(f"no {ability} to resist with", active_refused)
    terms = passive_terms(target, ability, house)
    value, note = total_of(terms), in_words(terms)
    if house.passive_floor and value <= UNOPPOSED:
        return unopposed(f"{note}: no better than 25", active_refused)
    note += f"; better than {UNOPPOSED}" if value > UNOPPOSED else ""
    used = {"passive_used": target.passive_used + 1}
    return Defence(value, "passive resistance", note, "ATL-23", used, active_refused=active_refused)
