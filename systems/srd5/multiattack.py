"""Several attacks of one action, against each of its targets."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.interruption import UsedInterruption
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Step, owned, refuse
from systems.contract.series import SeriesState, SeriesStrike
from systems.contract.strikes import several_strikes
from systems.contract.table import Table
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.schema.fields import declare, listing
from systems.schema.types import Text
from systems.srd5 import costs
from systems.srd5.after import hurt_of
from systems.srd5.attack import (
    AttackAim,
    AttackPlan,
    Strike,
    StrikeOptions,
    Struck,
    after_attacks,
    aim_of,
    bars,
    body_words,
    fell_words,
    gave_words,
    is_close,
    plan_of,
    strike,
    told_words,
)
from systems.srd5.body import (
    HurtVitals,
    Vitals,
    body_of,
    concentrates,
    concentration_asks,
    ends_with,
    given,
    hurt,
    is_bloodied,
    is_dead,
)
from systems.srd5.current import counts_wounds
from systems.srd5.house import House
from systems.srd5.sheet import GIVABLE, Attack, Sheet, attack_of
from systems.srd5.words import ONLY, WithEffects, no_use, with_effects
from systems.text import as_sentence, plain_number


@declare
class MultiattackOptions(StrikeOptions):
    weapons: tuple[str, ...] = listing(
        Text(), (), "names of attacks in order, instead of the sheet's multiattack; unarmed too"
    )


@frozen
class AttacksMade:
    """Attacks made so far: the target's body and the sums for the facts. `strikes`: each, empty in odds."""

    body: Vitals
    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    damage: int = 0
    fell: str = "none"
    gave: tuple[str, ...] = ()
    interruptions: tuple[UsedInterruption, ...] = ()
    strikes: tuple[Struck, ...] = ()

    def after(self, struck: Struck) -> "AttacksMade":
        """Return the attacks with one more."""
        result = struck.result
        return AttacksMade(
            result.body,
            self.attacks + 1,
            self.hits + struck.hit,
            self.criticals + struck.critical,
            self.damage + result.damage,
            result.fell if result.fell != "none" else self.fell,
            (*self.gave, *result.gave),
            (*self.interruptions, *struck.stopped.used),
            (*self.strikes, struck),
        )

    @property
    def is_over(self) -> bool:
        """Return whether the target has fallen, so that the rest is not rolled (R25)."""
        body = self.body
        return self.attacks > 0 and (body.hp == 0 or body.knocked_out or is_dead(body))


@frozen
class AttackMark:
    """The effects of one attack of a series other than its damage; `at` is its place.

    `end`: the body that it has felled, if that does not follow from the sum of the damage.
    """

    at: int
    resisted: bool = False
    gave: tuple[str, ...] = ()
    end: Vitals | None = None
    fell: str = "none"


@frozen(eq=False)
class ReadyAttacks:
    """The attacks that can be made, and what the actor has paid after each of them.

    `adds_up`: damage and conditions of the attacks can be put together after them, so that the odds need not
    tell every state apart. `wounds`: effects ask how much the target is hurt. `bodies`: the target with the
    conditions of some marks, by their set. `falls`: the effect of a sum of damage on a body.
    """

    attacks: tuple[tuple[Attack, AttackAim], ...]
    paid: tuple[Mapping[str, object], ...]
    first: AttacksMade
    hidden: bool
    adds_up: bool
    wounds: bool
    bodies: dict[tuple[int, frozenset[Any]], Vitals]
    falls: dict[tuple[int, int], HurtVitals]
    effects: tuple[WithEffects, ...]

    def gives(self, names: Sequence[str]) -> tuple[GivenCondition, ...]:
        """Return what the tracker gives the target, with the duration that effects set."""
        lasting = {name: given for each in self.effects for name, given in each.lasting.items()}
        return WithEffects(None, lasting).gives(names)

    @property
    def moved(self) -> tuple[str, ...]:
        """Return the roles that a hit moves."""
        return tuple(dict.fromkeys(role for each in self.effects for role in each.moved("hit")))

    @property
    def reminders(self) -> str:
        """Return the reminders for hits, each with the name of its attack."""
        found = {each.entry.name: each.told("hit") for each in self.effects}
        words = [f"on a hit of the {name}, {'; '.join(told)}" for name, told in found.items() if told]
        return " " + as_sentence("; ".join(words)) if words else ""


def _adds_up(body: Vitals, entries: Sequence[Attack]) -> bool:
    sheet = body.sheet
    if (
        sheet.undead_fortitude
        or sheet.regeneration_stopped_by
        or sheet.absorbs
        or body.hp == 0
        or body.knocked_out
        or is_dead(body)
    ):
        return False
    # The sixth level of exhaustion kills, whatever hit points are left.
    return not any(
        (entry.conditions and entry.save_conditions) or "exhaustion" in entry.conditions for entry in entries
    )


@lru_cache(maxsize=8)
def _ready(scene: Strike) -> ReadyAttacks | Outcome:
    """Return the attacks that the rules allow, or a refusal. Raises Wrong before any refusal."""
    actor, options = scene.actor, scene.options
    entries = _for_this_target(scene, _entries(actor, options))
    body = body_of(scene.target)
    if refused := costs.cannot_act(scene, "attack"):
        return refused
    if is_dead(body):
        return refuse("target", f"{scene.target_name} is dead.")
    if not entries:
        return refuse("multiattack", f"{scene.actor_name} has no multiattack.")
    if refused := costs.no_legendary(scene, scene.target, scene.target_name):
        return refused
    if refused := bars(scene, body):
        return refused
    sheet, sheets, made, refusal = actor, [], [], None
    for at, entry in entries:
        now = sheet.attacks[at] if at is not None else entry
        aim = aim_of(scene, now)
        if refused := (aim.refusal or no_use(scene, now.name) or costs.used_up(scene, sheet, now)):
            refusal = refusal or refused
            continue
        sheet = replace(costs.paid(scene, sheet, now, "attacks"), hidden_dc=0)
        made.append((entry, aim))
        sheets.append(sheet)
    if not made:
        assert refusal is not None
        return refusal
    effects = tuple(with_effects(scene, entry) for entry, _ in made)
    adds_up = _adds_up(body, [each.entry for each in effects])
    first = AttacksMade(body)
    fields = ("attacks", "spell_slots", "hidden_dc")
    paid = tuple(costs.changes_of(actor, after, *fields) for after in sheets)
    hidden, wounds = actor.hidden_dc > 0, counts_wounds(scene)
    return ReadyAttacks(tuple(made), paid, first, hidden, adds_up, wounds, {}, {}, effects)


def _for_this_target(
    scene: Strike, entries: list[tuple[int | None, Attack]]
) -> list[tuple[int | None, Attack]]:
    """Return the attacks on this target; with several targets each has its share, in order."""
    if scene.places == 1:
        return entries
    return entries[scene.aimed_before : scene.aimed_before + scene.aimed]


def _number(actor: Sheet, options: MultiattackOptions) -> int:
    return len(options.weapons) or sum(each.times for each in actor.multiattack)


def _heading(scene: Strike, facts: tuple[Mapping[str, Any], ...]) -> str:
    """Return the sentence before those of several targets; none for one."""
    if len(facts) < 2:
        return ""
    attacks = sum(each.get("attacks", 0) for each in facts)
    return f"{scene.who_acts} makes {attacks} attacks on {len(facts)} targets."


def _entries(actor: Sheet, options: MultiattackOptions) -> list[tuple[int | None, Attack]]:
    """Return the attacks in order, each with its place on the sheet; None for unarmed. Raises Wrong."""
    if options.weapons:
        named = [(name, "options.weapons") for name in options.weapons]
    else:
        named = [
            (each.name, f"actor.multiattack[{at}].name")
            for at, each in enumerate(actor.multiattack)
            for _ in range(each.times)
        ]
    found: list[tuple[int | None, Attack]] = []
    for name, path in named:
        entry = attack_of(actor, name, path)
        at = next((at for at, each in enumerate(actor.attacks) if each is entry), None)
        found.append((at, entry))
    return found


def multiattack(scene: Scene[Sheet, MultiattackOptions, House], table: Table) -> Outcome:
    """Make several attacks, each with the state that the one before left (SRD-22, R25, R26)."""
    ready = _ready(scene)
    if isinstance(ready, Outcome):
        return ready
    made = _together(scene, table, ready) if ready.adds_up else _one_by_one(scene, table, ready)
    has_hit = made.hits > 0 or made.damage > 0
    facts = {
        "attacks": made.attacks,
        "hits": None if table.brief else made.hits,
        "criticals": None if table.brief else made.criticals,
        "damage": made.damage,
        "fell": made.fell,
        "gave": made.gave,
    }
    paid = ready.paid[made.attacks - 1]
    more = after_attacks(scene, table, made.strikes, paid, made.body)
    changes = {
        "actor": {**paid, **more.changes(scene.actor, "actor")},
        "target": {**made.body.changes(), **more.changes(scene.target, "target")},
    }
    amounts = [amount for struck in made.strikes for amount in struck.amounts]
    return Outcome(
        facts,
        changes,
        lambda: _told(scene, ready, made, more.words),
        _concentration_due(scene, made),
        degree="hit" if has_hit else "miss",
        gives=ready.gives(made.gave),
        ends=(*ends_with(scene.target, made.body.concentrating, "target"), *more.ends),
        hurt=hurt_of(amounts, made.damage),
        interruptions=made.interruptions,
        moves=ready.moved if has_hit else (),
    )


def _concentration_due(scene: Strike, made: AttacksMade) -> tuple[Ask, ...]:
    """Return the saves that keep up concentration, one for each hit (SRD-79)."""
    hurt = [struck.result for struck in made.strikes if struck.result.due]
    if not hurt or not concentrates(made.body):
        return ()
    asks = (concentration_asks(scene.target_name, made.body, hit.due, hit.most, "target") for hit in hurt)
    return tuple(ask for each in asks for ask in each)


def _one_by_one(scene: Strike, table: Table, ready: ReadyAttacks) -> AttacksMade:
    """Make the attacks one after the other, each with the exact state that the one before left."""
    made = ready.first
    for at in range(len(ready.attacks)):
        if made.is_over:
            break
        made = made.after(strike(table, _plan(scene, ready, at, made.body, made.interruptions)))
    return made


def _plan(
    scene: Strike, ready: ReadyAttacks, at: int, body: Vitals, used: tuple[UsedInterruption, ...]
) -> AttackPlan:
    entry, aim = ready.attacks[at]
    resist = scene.options.legendary_resistance and body.legendary_resistances_left > 0
    return plan_of(scene, entry, aim, ready.hidden and at == 0, body, resist, used, at == 0)


# A strike counts itself and its critical hit in the number of hits of a series.
_CRITICAL, _MADE = 1_000, 1_000_000


def _together(scene: Strike, table: Table, ready: ReadyAttacks) -> AttacksMade:
    """Make the attacks as a series, whose odds put equal states together."""
    before = ready.first.body
    points = before.hp + before.temp_hp

    def seen(so_far: SeriesState) -> tuple[Vitals, tuple[UsedInterruption, ...]] | None:
        at = so_far.hits // _MADE
        if so_far.damage >= points:
            return None
        body = _unhurt(ready, at, so_far.marks)
        # Without a save, an attack is the same whatever hit points are left.
        if at == len(ready.attacks) or ready.effects[at].entry.save is None:
            return (_wounded(body, so_far.damage) if ready.wounds else body), so_far.interruptions
        return _fallen(scene, ready, body, so_far.damage).body, so_far.interruptions

    def one(again: Table, at: int, known: tuple[Vitals, tuple[UsedInterruption, ...]]) -> SeriesStrike:
        struck = strike(again, _plan(scene, ready, at, *known))
        result, saved = struck.result, struck.saved
        over = saved is not None and (result.body.hp == 0 or result.body.knocked_out or is_dead(result.body))
        resisted = saved is not None and saved.resisted
        marks: frozenset[Any] = _NO_MARKS
        if resisted or result.gave or over:
            end = result.body if over else None
            marks = frozenset((AttackMark(at, resisted, result.gave, end, result.fell),))
        if table.brief:
            # Damage says that it hit.
            hits = _MADE + int(struck.hit and not result.damage)
        else:
            hits = _MADE + (_CRITICAL if struck.critical else 0) + int(struck.hit)
        return SeriesStrike(result.damage, hits, marks, interruptions=struck.stopped.used, told=struck)

    series = several_strikes(table, tuple(range(len(ready.attacks))), one, seen)
    made = _made(scene, ready, series.whole)
    return evolve(made, strikes=tuple(each.told for each in series.strikes)) if series.strikes else made


@lru_cache(maxsize=512)
def _wounded(body: Vitals, damage: int) -> Vitals:
    """Return a body as effects that ask for wounds see it after damage; equal for the same wounds."""
    hp = body.hp - max(0, damage - body.temp_hp)
    after = evolve(body, hp=max(1, hp))
    if after.hp == body.hp:
        return body
    least = body.sheet.max_hp // 2 if is_bloodied(after) else body.sheet.max_hp - 1
    return evolve(body, hp=max(1, min(least, body.hp)))


_NO_MARKS: frozenset[Any] = frozenset()


def _unhurt(ready: ReadyAttacks, made: int, marks: frozenset[Any]) -> Vitals:
    """Return the target with all its hit points, and with the conditions of the attacks made so far."""
    found = ready.bodies.get((made, marks))
    if found is not None:
        return found
    body = ready.first.body
    left = body.legendary_resistances_left - sum(mark.resisted for mark in marks)
    body = evolve(body, distracted=body.distracted and not made, legendary_resistances_left=left)
    for mark in sorted(marks, key=attrgetter("at")):
        body = _with_conditions(ready, body, mark)
    ready.bodies[made, marks] = body
    return body


def _fallen(scene: Strike, ready: ReadyAttacks, body: Vitals, damage: int) -> HurtVitals:
    """Return a body after the sum of the damage."""
    key = (id(body), damage)  # the body is kept in `bodies`
    found = ready.falls.get(key)
    if found is None:
        found = ready.falls[key] = hurt(body, damage, scene.house, False, scene.options.knock_out)
    return found


def _made(scene: Strike, ready: ReadyAttacks, so_far: SeriesState) -> AttacksMade:
    """Return the state after a series of attacks."""
    return evolve(_summed(scene, ready, so_far), interruptions=so_far.interruptions)


def _summed(scene: Strike, ready: ReadyAttacks, so_far: SeriesState) -> AttacksMade:
    """Return the state after a series of attacks: their damage and their conditions put together.

    Only the last of them can have felled the target, so its conditions come after the damage.
    """
    made, hits, damage = so_far.hits // _MADE, so_far.hits % _CRITICAL, so_far.damage
    criticals = so_far.hits % _MADE // _CRITICAL
    marks: list[Any] = sorted(so_far.marks, key=attrgetter("at"))
    if marks and marks[-1].at == made - 1:
        *earlier, last = marks
        gave = tuple(name for mark in earlier for name in mark.gave)
        if last.end is not None:
            return AttacksMade(last.end, made, hits, criticals, damage, last.fell, (*gave, *last.gave))
        body = _unhurt(ready, made, frozenset(earlier))
        found = _fallen(scene, ready, body, damage)
        body = found.body
        if last.resisted:
            body = evolve(body, legendary_resistances_left=body.legendary_resistances_left - 1)
        body, new = given(body, last.gave, ready.effects[last.at].entry.escape_dc)
        others = () if is_dead(body) else tuple(name for name in last.gave if name not in GIVABLE)
        new = (*new, *others)
        return AttacksMade(body, made, hits, criticals, damage, found.fell, (*gave, *new))
    found = _fallen(scene, ready, _unhurt(ready, made, so_far.marks), damage)
    gave = tuple(name for mark in marks for name in mark.gave)
    return AttacksMade(found.body, made, hits, criticals, damage, found.fell, gave)


def _with_conditions(ready: ReadyAttacks, body: Vitals, mark: AttackMark) -> Vitals:
    escape_dc = ready.effects[mark.at].entry.escape_dc
    return given(body, mark.gave, escape_dc)[0] if mark.gave else body


def _told(scene: Strike, ready: ReadyAttacks, made: AttacksMade, more: tuple[str, ...] = ()) -> Explanation:
    target = scene.target_name
    change = body_words(ready.first.body, made.body)
    if made.hits:
        share = f"{made.hits} of {made.attacks} attacks" if made.attacks > 1 else "the first attack"
        critical = ", one of them critical," if made.criticals == 1 else f", {made.criticals} critical,"
        critical = critical if made.criticals else ""
        text = f"{scene.who_acts} hits {target} with {share}{critical} for {made.damage}{change}"
        text += f"{fell_words(made.fell)}."
    else:
        text = f"{scene.who_acts} misses {target} with every attack."
    if made.gave:
        text += " " + gave_words(target, made.gave)
    if made.hits:
        text += ready.reminders
    text += told_words(more)
    numbers = as_sentence("; ".join(_numbers(ready, made)))
    return Explanation(text, steps=_steps(ready, made), rules=("SRD-22",), arithmetic=numbers)


def _numbers(ready: ReadyAttacks, made: AttacksMade) -> list[str]:
    """Return the roll and the damage of each attack: `longsword 22 against 17 for 10`."""
    names = {each.entry.name for each in ready.effects}
    found = []
    for each, struck in zip(ready.effects, made.strikes, strict=False):
        name = f"{each.entry.name} " if len(names) > 1 else ""
        words = f"{name}{plain_number(struck.rolled.total - struck.stopped.taken)} against {struck.ac}"
        words += f" for {struck.result.damage}" if struck.hit else ""
        if struck.saved is not None and struck.saved.rolled is not None:
            words += f", save {plain_number(struck.saved.rolled.total)} against {each.entry.save_dc}"
        found.append(words)
    return found


def _steps(ready: ReadyAttacks, made: AttacksMade) -> tuple[Step, ...]:
    """Return the roll of each attack with its terms, and its damage."""
    steps: list[Step] = []
    for each, struck in zip(ready.effects, made.strikes, strict=False):
        name, terms = each.entry.name, owned("actor", *struck.rolled.terms)
        steps.append(Step.sum(name, terms, f"to reach {struck.ac}", "actor"))
        if struck.hit:
            steps.append(
                Step("damage", str(struck.result.damage), "a critical hit" if struck.critical else "")
            )
    return tuple(steps)


MULTIATTACK = Action(
    "multiattack",
    "Make several attacks, against one target or several.",
    multiattack,
    MultiattackOptions,
    targets="many",
    aims=_number,
    together=True,
    heading=_heading,
    facts={
        "attacks": "attack rolls made",
        "hits": "how many hit",
        "criticals": "how many were critical hits",
        "damage": "the sum, after resistance and the rest",
        "fell": "as in attack: the last that is not none",
        "gave": "the conditions that are new",
    },
    refusals=(
        costs.STATUS,
        costs.TARGET,
        ONLY,
        Refusal("multiattack", "no weapons, and the sheet has no multiattack"),
        costs.LEGENDARY,
        Refusal("charmed", "as in attack; this and the next reasons only if every attack is refused"),
        Refusal("cover", "total cover"),
        Refusal("range", "as in attack"),
        Refusal("melee", "as in attack"),
        costs.SPENT,
        costs.USES,
        costs.SLOTS,
    ),
    rules=("SRD-22",),
    amount="damage",
    letter="m",
    verb="attack",
    close=lambda scene: all(is_close(scene, entry) for _, entry in _entries(scene.actor, scene.options)),
)
