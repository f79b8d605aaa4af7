"""Saving throws: their bonus, what helps and hinders, and legendary resistance."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Scene
from systems.contract.outcome import Explanation, Role, Step, Term, owned
from systems.contract.table import Table
from systems.frozen import evolve, frozen
from systems.srd5.body import Vitals, dodging_helps, has, is_dead
from systems.srd5.house import House
from systems.srd5.rolls import D20, Grade, Rolled, exhaustion_term, reaching, roll, way_of
from systems.srd5.sheet import Sheet, save_bonus
from systems.text import plain_number, sentence

_BODILY = ("strength", "dexterity")
_HELPLESS = frozenset(("paralyzed", "petrified", "stunned", "unconscious"))
COVER = {"none": 0, "half": 2, "three_quarters": 5}


@frozen
class Save:
    """A demanded save: the ability, the number, and the options that change it.

    `resists`: the name of the combatant that may spend a legendary resistance after a failure; "" for none.
    """

    ability: str
    dc: int
    advantage: int = 0
    disadvantage: int = 0
    terms: tuple[Term, ...] = ()
    cover: str = "none"
    magical: bool = False
    fail: bool = False
    resist: bool = False
    bonus_dice: str | None = None
    penalty_dice: str | None = None
    of: str = "target"
    resists: str = ""


def may_resist(scene: Scene[Sheet, Any, Any], sheet: Sheet, name: str) -> str:
    """Return the name if the tracker asks about a legendary resistance; "" without a fight (R21)."""
    return name if scene.fight is not None and sheet.legendary_resistances_left else ""


@frozen(eq=False)
class SaveResult:
    """A save as it came out: whether it succeeded, the body after it, and the roll, if a die fell."""

    passed: bool
    body: Vitals
    resisted: bool
    rolled: Rolled | None

    @property
    def facts(self) -> dict[str, Any]:
        """Return the facts of the roll; none if no die fell."""
        return self.rolled.facts if self.rolled else {}


@lru_cache(maxsize=512)
def d20_of_save(body: Vitals, save: Save) -> D20 | None:
    """Return how a save is rolled; None if it fails without a die."""
    ability, held = save.ability, has(body)
    if save.fail or is_dead(body) or (ability in _BODILY and not held.isdisjoint(_HELPLESS)):
        return None
    is_nimble = ability == "dexterity"
    advantages = save.advantage + (save.magical and body.sheet.magic_resistance)
    advantages += is_nimble and dodging_helps(body)
    disadvantages = save.disadvantage + (is_nimble and "restrained" in held)
    covered = COVER[save.cover] if is_nimble else 0
    terms = (
        Term(ability, save_bonus(body.sheet, ability)),
        *((Term("cover", covered),) if covered else ()),
        *exhaustion_term(body.exhaustion),
        *save.terms,
    )
    return D20(way_of(advantages, disadvantages), terms, save.bonus_dice, save.penalty_dice)


@frozen(eq=False)
class PreparedSave:
    """A save before its roll. `resisted`: the body after a legendary resistance, or None if it has none."""

    save: Save
    body: Vitals
    d20: D20 | None
    grade: Grade[bool]
    why: str
    resisted: Vitals | None


def prepare_save(body: Vitals, save: Save, house: House) -> PreparedSave:
    """Return a save before its roll."""
    left = body.legendary_resistances_left
    can_resist = left and (save.resist or save.resists)
    resisted = evolve(body, legendary_resistances_left=left - 1) if can_resist else None
    grade = reaching(save.dc, house.natural_tests)
    return PreparedSave(save, body, d20_of_save(body, save), grade, f"{save.ability} save", resisted)


def throw_prepared(table: Table, ready: PreparedSave) -> SaveResult:
    """Roll a prepared save, or fail it without a die (SRD-08, SRD-09, SRD-76, R21)."""
    rolled, passed = None, False
    if ready.d20 is not None:
        rolled = roll(table, ready.d20, ready.grade, ready.why, ready.save.of, ready.save.dc)
        passed = rolled.grade
    if passed or ready.resisted is None:
        return SaveResult(passed, ready.body, False, rolled)
    if not ready.save.resist and not _resists(table, ready):
        return SaveResult(False, ready.body, False, rolled)
    return SaveResult(True, ready.resisted, True, rolled)


def _resists(table: Table, ready: PreparedSave) -> bool:
    """Ask whether a failed save becomes a success for a legendary resistance."""
    save, left = ready.save, ready.body.legendary_resistances_left
    says = f"{save.resists} fails the {save.ability.capitalize()} save. Legendary resistance, {left} left?"
    return table.choose(says, (False, True), suggest=False, of=save.of, id="legendary_resistance")


def throw_save(table: Table, body: Vitals, save: Save, house: House) -> SaveResult:
    """Roll a save, or fail it without a die."""
    return throw_prepared(table, prepare_save(body, save, house))


def told_save(
    text: str, saved: SaveResult, of: Role, dc: int, steps: tuple[Step, ...], rule: str
) -> Explanation:
    """Explain a save of the combatant `of`, rolled or failed without a die."""
    if saved.rolled is None:
        return Explanation(text, steps=steps, rules=(rule,))
    numbers = sentence(f"{plain_number(saved.rolled.total)} against {dc}")
    return Explanation(text, owned(of, *saved.rolled.terms), steps, (rule,), arithmetic=numbers)
