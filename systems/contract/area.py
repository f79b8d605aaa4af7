"""Actions that affect several targets at once: the damage, the roll to resist, and what remains after it.

`area_action` makes an Action from an `Area`, so that a fireball is a declaration. The damage is rolled once
for all or once for each, each target rolls to resist, targets that resist take half or nothing, and the
others get conditions.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Literal

from systems.contract.action import Action, AnyScene, Need, Refusal
from systems.contract.aside import Aside
from systems.contract.damage import DamagePart, DamageRoll
from systems.contract.interrupt import (
    Interrupted,
    ReadyInterruption,
    interrupted,
    most_defence,
    ready_interruptions,
)
from systems.contract.interruption import UsedInterruption
from systems.contract.marked_text import possessive
from systems.contract.outcome import (
    Ask,
    Explanation,
    Fact,
    GivenCondition,
    Hurt,
    Outcome,
    Step,
    Term,
    Whose,
    owned,
)
from systems.contract.table import Table
from systems.dice.sources import NeedsFace
from systems.frozen import evolve, frozen
from systems.schema.fields import NoOptions, choice, declare, fields_of, marked_targets
from systems.text import listed, plain_number, sentence, spoken

ONE_DIE = re.compile(r"1?d(\d+|%)")
SAVING = "saving"  # the moment of a save before it counts
Resisted = Literal["half", "nothing", "all"]
FACTS = {
    "failed": "the target did not resist",
    "total": "the target's roll to resist, with its terms; absent if it made none",
    "needed": "the number to reach; absent if nothing resists",
    "damage": "the damage that reached the target",
    "rolled": "the sum rolled for each type of damage, in order",
    "stopped": "another combatant has stopped the action; absent if none has",
}


@frozen
class Resistance:
    """A target's roll to resist: `dice` in any notation and `terms`, against `needed`.

    It resists at `needed` or more, or with `under` at `needed` or less (roll under). `against`: the terms of
    `needed`, if it is a sum.
    """

    why: str
    needed: int
    dice: str = "d20"
    terms: tuple[Term, ...] = ()
    under: bool = False
    against: tuple[Term, ...] = ()


@frozen
class AreaEffect:
    """What a choice or more dice add to an area's result for one target.

    `failed`: whether the target failed in the end; None leaves that unchanged. `changes`: of the target's
    sheet. `words`: parts of the sentence, such as `burns`. `facts`: those declared with the action.
    """

    failed: bool | None = None
    changes: Mapping[str, object] = {}
    gives: tuple[GivenCondition, ...] = ()
    words: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = {}


NO_EFFECT = AreaEffect()


@frozen
class Area:
    """The effect of an action on each target in an area.

    `damage(scene)`: the damage as this target takes it, with its own immunities. `each`: rolled for each
    target, not once for all. `resists(scene)`: what the target rolls; None if it can't resist. `resisted`:
    what remains of the damage then, or a function of the scene. `hurt(scene, damage)`: the changes to the
    target's sheet, and the same in words (`hp 20 → 8`). `becomes(scene, damage)`: the target's new status in
    words, or "". `gives(scene)`: conditions for targets that failed. `pays(scene)`: what the actor spends,
    once; or a refusal. `asks(scene, damage)`: decisions for the game master. `called(scene)`: the name in
    the heading, such as that of a weapon; else the action's title. `decides(scene, table, failed)`: choices
    after the throw, such as a resistance that is spent to succeed; not asked about a target that resists or
    fails without a throw. `follows(scene, table, failed, damage)`: dice and choices inside the effect, such
    as for how long it lasts. `stops(scene, table)`: what interrupts the whole action before its first
    target, such as a counterspell; see `interrupted` of interrupt.py.
    """

    damage: Callable[[AnyScene], tuple[DamagePart, ...]]
    hurt: Callable[[AnyScene, int], tuple[Mapping[str, object], str]]
    resists: Callable[[AnyScene], Resistance | None] = lambda scene: None
    resisted: Resisted | Callable[[AnyScene], Resisted] = "half"
    each: bool = False
    gives: Callable[[AnyScene], tuple[GivenCondition, ...]] = lambda scene: ()
    pays: Callable[[AnyScene], Mapping[str, object] | Outcome] = lambda scene: {}
    asks: Callable[[AnyScene, int], tuple[Ask, ...]] = lambda scene, damage: ()
    called: Callable[[AnyScene], str] = lambda scene: ""
    becomes: Callable[[AnyScene, int], str] = lambda scene, damage: ""
    decides: Callable[[AnyScene, Table, bool], AreaEffect] | None = None
    follows: Callable[[AnyScene, Table, bool, int], AreaEffect] | None = None
    stops: "Callable[[AnyScene, Table], Interrupted] | None" = None


def area_action(
    name: str,
    help: str,
    area: Area,
    options: type = NoOptions,
    *,
    facts: Mapping[str, str] = {},
    refusals: tuple[Refusal, ...] = (),
    rules: tuple[str, ...] = (),
    itself: bool = True,
    title: str = "",
    letter: str = "",
    unable: bool = False,
    verb: str = "",
) -> Action:
    """Return an action with many targets. Its facts are `FACTS`; it shows `failed`, `damage`, `needed`.

    Raises ValueError if an option of the game can be mistaken for an option of every area.
    """
    return Action(
        name,
        help,
        lambda scene, table: _run(area, rules, scene, table),
        _with_area_options(name, options),
        targets="many",
        facts={**FACTS, **facts},
        refusals=refusals,
        rules=rules,
        success="failed",
        amount="damage",
        against="needed",
        needs=lambda scene: _resists_at(area.resists(scene)),
        itself=itself,
        heading=lambda scene, facts: _heading(area, title or spoken(name), scene, facts),
        title=title or spoken(name),
        letter=letter,
        unable=unable,
        verb=verb or title or spoken(name),
    )


def ready_to_turn(scene: AnyScene) -> "Sequence[ReadyInterruption]":
    """Return what combatants could do about a save of the scene's action before it counts."""
    if not any(interrupt.moment == SAVING for interrupt in scene.interrupts):
        return ()
    return ready_interruptions(scene, SAVING)


def _with_area_options(action: str, options: type) -> type:
    """Return the options of a game together with the options of every area."""
    fields = {
        "throw": choice(
            ("one", "each"), None, "one roll for all, or one for each", when_absent="as the action declares"
        ),
        "resists": marked_targets("targets that resist without a roll", when_absent="it is thrown"),
        "fails": marked_targets("targets that fail without a roll", when_absent="it is thrown"),
    }
    for name, own in product(fields, fields_of(options)):
        if own.removesuffix("s") == name.removesuffix("s"):
            raise ValueError(f"{action} has an option {own}, and every area has {name}: choose another name")
    typed = dict.fromkeys(fields, str | None)
    names = {"__module__": options.__module__, "__doc__": options.__doc__, "__annotations__": typed}
    return declare(type(options.__name__, (options,), {**names, **fields}))


def _resists_at(resistance: Resistance | None) -> Need:
    return "at_most" if resistance and resistance.under else "at_least"


@frozen
class _Reaches:
    """Whether a roll resists; equal results are one group in the odds."""

    bonus: int
    needed: int
    under: bool

    def __call__(self, total: int) -> bool:
        return total + self.bonus <= self.needed if self.under else total + self.bonus >= self.needed


@frozen
class _Margin:
    """Whether a roll resists, and how much more would turn that; 0 if it is more than `most`."""

    reaches: _Reaches
    most: int

    def __call__(self, natural: int, total: int) -> tuple[bool, int]:
        passed = self.reaches(total)
        over = total + self.reaches.bonus - self.reaches.needed
        over = -over if self.reaches.under else over
        gap = over + 1 if passed else -over
        return passed, gap if gap <= self.most else 0


@frozen
class _IsAffected:
    """Whether the sum of the dice does not resist, in the form that `Table.beside` calls."""

    reaches: _Reaches

    def __call__(self, natural: int, total: int) -> bool:
        return not self.reaches(total)


def _run(area: Area, rules: tuple[str, ...], scene: AnyScene, table: Table) -> Outcome:
    # Errors first, then refusals, then dice.
    parts, resistance = area.damage(scene), area.resists(scene)
    paid = {} if scene.before else area.pays(scene)
    if isinstance(paid, Outcome):
        return paid
    stopped = _stopped(area, scene, table, paid)
    if stopped is not None:
        return stopped
    attempt = _attempt(area, resistance, scene, table)
    failed, decided = attempt.failed, attempt.decided
    parts, roll = _damage(area, parts, failed, scene, table)
    changes, words = area.hurt(scene, roll.total)
    followed = area.follows(scene, table, failed, roll.total) if area.follows is not None else NO_EFFECT
    gives = (*(area.gives(scene) if failed else ()), *decided.gives, *followed.gives)
    became = area.becomes(scene, roll.total)
    follows = [
        *decided.words,
        *([became] if became else ()),
        *(spoken(given.condition) for given in gives if given.who == "target"),
        *followed.words,
    ]
    facts: dict[str, Fact] = {"failed": failed, "damage": roll.total, "rolled": roll.rolled}
    if resistance:
        facts["needed"] = resistance.needed
    facts |= {**decided.facts, **followed.facts}
    if resistance and isinstance(attempt.thrown, int):
        facts["total"] = attempt.thrown + sum(term.value for term in resistance.terms)

    def tell() -> Explanation:
        steps = _damage_steps(scene, parts, roll)
        return _explained(scene, resistance, attempt.thrown, failed, roll, steps, words, follows, rules)

    return Outcome(
        facts,
        {"actor": paid, "target": {**decided.changes, **changes, **followed.changes}},
        tell,
        area.asks(scene, roll.total),
        degree=_degree(scene, resistance, failed),
        gives=gives,
        hurt=(Hurt("target", roll.total, roll.amounts),),
        interruptions=attempt.used,
    )


def _stopped(area: Area, scene: AnyScene, table: Table, paid: Mapping[str, object]) -> Outcome | None:
    """Return the outcome for a target if another combatant stops the whole action, else None."""
    stopped = area.stops(scene, table) if area.stops is not None and not scene.before else None
    if not scene.before.get("stopped") and (stopped is None or not stopped.turned):
        return None
    nothing = {"failed": False, "damage": 0, "rolled": None, "stopped": True}
    used = stopped.used if stopped is not None else ()
    return Outcome(nothing, {"actor": paid}, degree="resisted", interruptions=used)


@frozen(eq=False)
class _Attempt:
    """How a target's roll to resist went. `thrown`: the sum of its dice; None without a throw."""

    failed: bool
    thrown: int | None = None
    used: tuple[UsedInterruption, ...] = ()
    decided: AreaEffect = NO_EFFECT


def _attempt(area: Area, resistance: Resistance | None, scene: AnyScene, table: Table) -> _Attempt:
    """Let the target roll to resist, unless the command says how that goes or nothing resists."""
    if scene.marked or not resistance:
        return _Attempt("resists" not in scene.marked)
    passed, thrown, used = resist(resistance, table, ready=ready_to_turn(scene))
    if area.decides is None:
        return _Attempt(not passed, thrown, used)
    decided = area.decides(scene, table, not passed)
    failed = not passed if decided.failed is None else decided.failed
    return _Attempt(failed, thrown, used, decided)


def _damage(
    area: Area, parts: tuple[DamagePart, ...], failed: bool, scene: AnyScene, table: Table
) -> tuple[tuple[DamagePart, ...], DamageRoll]:
    """Roll what damage is left for a target, once for all or for itself; return it and its parts."""
    before = None if _throws_each(area, scene) else scene.before.get("rolled")
    left = "all" if failed else area.resisted(scene) if callable(area.resisted) else area.resisted
    if left == "half":
        parts = tuple(evolve(part, divided=2 * part.divided) for part in parts)
    if left == "nothing":
        return parts, DamageRoll(0, (), before)
    try:
        roll = table.damage(parts, given=before)
    except NeedsFace as needs:
        if _throws_each(area, scene):
            raise
        raise needs.knowing(target="") from None  # one roll for all
    return parts, roll if roll.rolled not in (None, ()) else evolve(roll, rolled=before)


def _degree(scene: AnyScene, resistance: Resistance | None, failed: bool) -> str:
    """Return how the action went for its actor: a target that fails to resist is not a failure."""
    if not failed:
        return "resisted"
    return "not_resisted" if resistance or scene.marked else "caught"


def throw_to_resist(
    resistance: Resistance, table: Table, of: str = "target", reason: str = ""
) -> tuple[bool, int]:
    """Roll to resist: return whether the roll resists, and the sum of the dice.

    `of`: the role of the combatant that rolls. `reason`: the name of the die, if it is not `why`.

    A prompt for a real die says which faces resist.
    """
    bonus = sum(term.value for term in resistance.terms)
    reaches = _Reaches(bonus, resistance.needed, resistance.under)
    try:
        return table.grouped(resistance.dice, reaches, reason or resistance.why, of)
    except NeedsFace as needs:
        raise _knowing(resistance, bonus, needs) from None


def resist(
    resistance: Resistance,
    table: Table,
    of: str = "target",
    reason: str = "",
    ready: "Sequence[ReadyInterruption]" = (),
) -> "tuple[bool, int, tuple[UsedInterruption, ...]]":
    """Roll to resist, as `throw_to_resist` does, and let others turn the result before it counts.

    `ready`: what they can do. `against` is "passed" for an interruption that lowers a roll, "failed" for one
    that raises it. The third value returned lists the interruptions used.
    """
    if not ready:
        return (*throw_to_resist(resistance, table, of, reason), ())
    bonus = sum(term.value for term in resistance.terms)
    reaches = _Reaches(bonus, resistance.needed, resistance.under)
    margin = _Margin(reaches, most_defence(tuple(ready)))
    (passed, gap), thrown, *_ = table.graded(resistance.dice, margin, reason or resistance.why, of)
    kind = "passed" if passed else "failed"
    turned = interrupted(table, [each for each in ready if each.interruption.against == kind], gap)
    return passed is not turned.turned, thrown, turned.used


def affected_beside(resistance: Resistance, table: Table, of: str = "target", reason: str = "") -> Aside:
    """Roll to resist, if nothing later in the action depends on it; see `Table.beside`.

    The result passes if the roll does not resist, because conditions follow then.
    """
    bonus = sum(term.value for term in resistance.terms)
    affected = _IsAffected(_Reaches(bonus, resistance.needed, resistance.under))
    try:
        return table.beside(resistance.dice, affected, reason or resistance.why, of)
    except NeedsFace as needs:
        raise _knowing(resistance, bonus, needs) from None


def _knowing(resistance: Resistance, bonus: int, needs: NeedsFace) -> NeedsFace:
    """Return the request for a real die with the faces that resist, if it is a single die."""
    if not ONE_DIE.fullmatch(resistance.dice):
        return needs
    return needs.knowing(passes_at=resistance.needed - bonus, over=not resistance.under)


def _throws_each(area: Area, scene: AnyScene) -> bool:
    """Return whether the damage is rolled for each target: by the command's option, else by the area."""
    return area.each if scene.options.throw is None else bool(scene.options.throw == "each")


def _explained(
    scene: AnyScene,
    resistance: Resistance | None,
    thrown: int | None,
    failed: bool,
    roll: DamageRoll,
    harm: tuple[Step, ...],
    changed: str,
    follows: Sequence[str],
    rules: tuple[str, ...],
) -> Explanation:
    terms: tuple[Term, ...] = ()
    did, numbers = "is caught", ""
    if scene.marked or (resistance and thrown is not None):
        did = "does not resist" if failed else "resists"
    if resistance and thrown is not None:
        terms = owned("target", *resistance.terms, Term(resistance.dice, thrown))
        total = sum(term.value for term in terms)
        numbers = f"{plain_number(total)} against {plain_number(resistance.needed)}."
    against = resistance.against if resistance else ()
    steps = [Step(term.label, plain_number(term.value), term.note) for term in against]
    if resistance and against:
        or_so = "or less" if resistance.under else "or more"
        steps.append(Step("resists at", plain_number(resistance.needed), or_so))
    takes = f"takes {roll.total or 'nothing'}{f' ({changed})' if changed else ''}"
    text = sentence(f"{scene.target_name} {did} and {takes}", *follows)
    return Explanation(text, terms, (*steps, *harm), rules, arithmetic=numbers)


def _damage_steps(scene: AnyScene, parts: Sequence[DamagePart], roll: DamageRoll) -> tuple[Step, ...]:
    """Return the steps from the rolled dice to the damage of each type."""
    of: Whose = "options" if getattr(scene.options, "damage_modifier", 0) else "actor"
    if not roll.amounts:
        return ()
    thrown = zip(parts, roll.amounts, roll.rolled or (), strict=True)
    steps: list[Step] = []
    for part, (type, amount), total in thrown:
        label = f"{type} damage" if type else "damage"
        steps += [
            Step(f"{label} rolled", str(total), of=of),
            Step(label, str(amount), part.reckoning(total)),
        ]
    return tuple(steps)


def _heading(area: Area, title: str, scene: AnyScene, facts: tuple[Mapping[str, Fact], ...]) -> str:
    """Return `Ada's fireball: 2 of 4 resist, 28 fire and 9 cold damage.`"""
    line = f"{possessive(scene.who_acts)} {area.called(scene) or title}"
    if any(target.get("stopped") for target in facts):
        return f"{line} is stopped."
    thrown = resisted = ""
    rolled = next((earlier["rolled"] for earlier in reversed(facts) if earlier.get("rolled")), None)
    if rolled and not _throws_each(area, scene):
        types = [part.type for part in area.damage(scene)]
        parts = [f"{amount} {type}".strip() for amount, type in zip(rolled, types, strict=True)]
        thrown = f"{listed(parts)} damage"
    resisting = sum(not target["failed"] for target in facts)
    # With one target the next sentence says whether it resists.
    if len(facts) > 1 and (resisting or "needed" in facts[0]):
        resisted = f"{resisting} of {len(facts)} resist"
    said = sentence(resisted, thrown)
    return f"{line}: {said}" if said else f"{line}."
