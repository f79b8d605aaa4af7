"""What an attack has to beat: the plain 25, a passive resistance, or an active defence."""

from collections.abc import Mapping

from systems.atlantis.checks import luck, luck_note
from systems.atlantis.house import House
from systems.atlantis.sheet import Sheet, life_status, score, score_label, wound_penalty
from systems.contract import Step, Term
from systems.table import Table
from systems.values import frozen
from systems.words import plain_number

UNOPPOSED = 25


@frozen(eq=False)
class Defence:
    """What the target has against one attack before any die falls, and what using it costs.

    `value` is what must be beaten; an active defence (`rolls`) adds the target's luck to it.
    """

    value: int
    label: str
    note: str
    changes: Mapping[str, object] = {}
    rolls: bool = False
    ability: str = ""
    active_refused: bool = False

    def met(self, table: Table) -> int:
        """What this attack has to beat, now that it is made: only an active defence rolls (ATL-19)."""
        return self.value + luck(table, self.ability, "target") if self.rolls else self.value

    def step(self, resistance: int) -> Step:
        """The line of the reckoning that tells the resistance."""
        note = self.note
        if self.rolls:
            rolled = resistance - self.value
            why = luck_note(rolled)
            note += f", d20 {plain_number(rolled)}" + (f" ({why})" if why else "")
        if self.active_refused:
            note += "; no action left for an active defence"
        return Step(self.label, plain_number(resistance), note)


def unopposed(note: str, active_refused: bool = False) -> Defence:
    """The plain 25 (ATL-21)."""
    return Defence(UNOPPOSED, "resistance", note, active_refused=active_refused)


def opposing_abilities(target: Sheet, kind: str, own: str, named: str | None) -> tuple[str, ...]:
    """The abilities that could defend. The first is the one that does when nobody is asked.

    The one that is named, else the one that wields the weapon (`own`); a target that could dodge
    instead may, where it rolls or where it has nothing else.
    """
    if kind == "none" or life_status(target) != "conscious":
        return ("",)
    if named is not None:
        return (named,)
    could_dodge = "dodge" in target.abilities and own != "dodge"
    if could_dodge and (kind == "active" or own not in target.abilities):
        return (own, "dodge")
    return (own,)


def defence_of(target: Sheet, kind: str, ability: str, trait: str, house: House) -> Defence:
    """What the target has against an attack that it meets so (ATL-19 to ATL-24, R10 to R14, R32)."""
    if life_status(target) != "conscious":
        return unopposed(f"{life_status(target)}, opposes nothing")
    if kind == "none":
        return unopposed("unopposed")
    if kind == "passive":
        return _passive(target, ability, house)
    if target.action_spent or target.attacks_made:
        return _passive(target, ability, house, active_refused=True)
    base, hurt = score(target, ability, trait), wound_penalty(target)
    note = f"{score_label(target, ability, trait)} {base}" + (f", {plain_number(hurt)} hurt" if hurt else "")
    spent = {"action_spent": True}
    return Defence(base + hurt, "active defence", note, spent, rolls=True, ability=ability)


def passive_terms(target: Sheet, ability: str, house: House) -> tuple[Term, ...]:
    """A passive resistance: the ability, wounds, 5 less for each use this round (ATL-24, R11, R23)."""
    uses = target.passive_used if house.passive_penalty == "cumulative" else min(1, target.passive_used)
    terms = [Term(ability, target.abilities[ability])]
    if penalty := wound_penalty(target):
        terms.append(Term("hurt", penalty))
    if uses:
        terms.append(Term("used before", -5 * uses))
    return tuple(terms)


def _passive(target: Sheet, ability: str, house: House, active_refused: bool = False) -> Defence:
    """The ability in place of 25; no die, no action (ATL-23, R10, R12)."""
    if ability not in target.abilities:
        return unopposed(f"no {ability} to resist with", active_refused)
    terms = passive_terms(target, ability, house)
    value = sum(term.value for term in terms)
    note = f"{ability} {terms[0].value}"
    note += "".join(f", {plain_number(term.value)} {term.label}" for term in terms[1:])
    if house.passive_floor and value <= UNOPPOSED:
        return unopposed(f"{note}: no better than 25", active_refused)
    note += f"; better than {UNOPPOSED}" if value > UNOPPOSED else ""
    used = {"passive_used": target.passive_used + 1}
    return Defence(value, "passive resistance", note, used, active_refused=active_refused)
