"""The action for several attacks, against each of its targets."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.damage import DamageTally
from systems.contract.interrupt import NOT_INTERRUPTED, Interrupted
from systems.contract.interruption import UsedInterruption
from systems.contract.outcome import Ask, Explanation, Outcome, Step, owned
from systems.contract.table import Table
from systems.frozen import evolve
from systems.srd5 import costs
from systems.srd5.after import hurt_of
from systems.srd5.aim import is_close
from systems.srd5.attack_plan import AttackPlan, Struck, plan_of
from systems.srd5.attack_words import body_words, fell_words, gave_words, told_words
from systems.srd5.attacks_made import (
    AttacksMade,
    MultiattackOptions,
    ReadyAttacks,
    entries_of,
    number_of_attacks,
    ready_attacks,
)
from systems.srd5.body import Vitals, concentrates, concentration_asks, ends_with
from systems.srd5.current import Strike, used_up
from systems.srd5.house import House
from systems.srd5.levels import hurt_by_sum, left_in_odds
from systems.srd5.sheet import Sheet
from systems.srd5.strike import after_attacks, strike
from systems.srd5.words import ONLY, STOPPED, halted, halted_outcome
from systems.text import as_sentence, listed, plain_number


def _heading(scene: Strike, facts: tuple[Mapping[str, Any], ...]) -> str:
    """Return the sentence before those of several targets; none for one."""
    if len(facts) < 2:
        return ""
    attacks = sum(each.get("attacks", 0) for each in facts)
    return f"{scene.who_acts} makes {attacks} attacks on {len(facts)} targets."


def multiattack(scene: Scene[Sheet, MultiattackOptions, House], table: Table) -> Outcome:
    """Make several attacks, each with the state that the one before left (SRD-22, R25, R26)."""
    ready = ready_attacks(scene)
    if isinstance(ready, Outcome):
        return ready
    halt, spells = _halted(scene, table), tuple[str, ...]()
    if halt.turned and (spells := ready.spells):
        left_over = ready.without_spells()
        if left_over is None:
            return halted_outcome(scene, listed(spells), _NO_ATTACKS, ready.paid[-1], halt)
        ready = left_over
    made, damage, strikes, left = _carried_out(scene, table, ready, halt.used)
    facts = {
        "attacks": made.attacks,
        "hits": None if table.brief else made.hits,
        "criticals": None if table.brief else made.criticals,
        "damage": damage,
        "fell": made.fell,
        "gave": made.gave,
        **({"stopped": True} if halt.turned else {}),
    }
    paid = ready.paid[made.attacks - 1]
    more = after_attacks(scene, table, strikes, paid, made.body)
    changes = {
        "actor": {**paid, **more.changes(scene.actor, "actor")},
        "target": {**made.body.changes(), **left, **more.changes(scene.target, "target")},
    }
    amounts = [amount for struck in strikes for amount in struck.amounts]
    return Outcome(
        facts,
        changes,
        lambda: _told(scene, ready, made, strikes, (*_stopped_words(spells), *more.words)),
        (*_concentration_due(scene, made, strikes), *_attacks_left(scene, table, ready, made)),
        degree="hit" if made.hits else "miss",
        gives=ready.gives(made.gave),
        ends=(*used_up(scene), *ends_with(scene.target, made.body.concentrating, "target"), *more.ends),
        hurt=hurt_of(amounts, made.least),
        interruptions=(*halt.used, *made.interruptions),
        moves=ready.moved if made.hits else (),
    )


_NO_ATTACKS: Mapping[str, Any] = {"attacks": 0, "hits": 0, "criticals": 0, "fell": "none", "gave": ()}


def _halted(scene: Strike, table: Table) -> Interrupted:
    """Ask whether others stop the spells of these attacks, at the first of several targets."""
    if scene.fight is None or not any(entry.magical for _, entry in entries_of(scene)):
        return NOT_INTERRUPTED
    return halted(scene, table)


def _stopped_words(spells: Sequence[str]) -> tuple[str, ...]:
    return (f"{listed(spells)} {'is' if len(spells) == 1 else 'are'} stopped",) if spells else ()


def _carried_out(
    scene: Strike, table: Table, ready: ReadyAttacks, used: tuple[UsedInterruption, ...]
) -> tuple[AttacksMade, Any, tuple[Struck, ...], Mapping[str, object]]:
    """Return the state after all attacks, the damage for the facts, and each attack; none in odds.

    `used`: what others have used to stop a spell. Then hit points as `left_in_odds` returns them.
    """
    # At 0 hit points, failed death saves depend on each amount.
    singly = ready.singly or (not table.brief and ready.first.body.hp == 0)

    def one(table: Table, at: int, made: AttacksMade, sum: Any) -> tuple[AttacksMade, Any, Struck | None]:
        if made.is_over:
            return made, sum, None
        plan = _plan(scene, ready, at, made.body, (*used, *made.interruptions))
        tally = DamageTally(made.least, sum, restarts=made.fell != "none")
        struck = strike(table, plan, tally, singly=singly)
        return made.after(struck, counts=not table.brief), struck.tally.sum, struck

    made, sum, strikes = table.in_steps(range(len(ready.attacks)), one, ready.first)
    told = tuple(struck for struck in strikes if struck is not None)
    tally = DamageTally(made.least, sum)
    left = left_in_odds(table, ready.first.body, made.body, made.fell, tally)
    if table.brief or left is not None:
        return made, sum, told, left or {}
    damage = table.one_of(sum)
    body = hurt_by_sum(made.body, made.fell, damage - made.least)
    return evolve(made, body=body, least=damage), damage, told, {}


def _plan(
    scene: Strike, ready: ReadyAttacks, at: int, body: Vitals, used: tuple[UsedInterruption, ...]
) -> AttackPlan:
    entry, aim = ready.attacks[at]
    resist = body.legendary_resistances_left > 0 and scene.options.legendary_resistance
    return plan_of(scene, entry, aim, ready.hidden and at == 0, body, resist, used, at == 0)


def _concentration_due(scene: Strike, made: AttacksMade, strikes: Sequence[Struck]) -> tuple[Ask, ...]:
    """Return the saves that keep up concentration, one for each hit (SRD-79)."""
    hurt = [struck.result for struck in strikes if struck.result.due]
    if not hurt or not concentrates(made.body):
        return ()
    asks = (concentration_asks(scene.target_name, made.body, hit.due, hit.most, "target") for hit in hurt)
    return tuple(ask for each in asks for ask in each)


def _attacks_left(scene: Strike, table: Table, ready: ReadyAttacks, made: AttacksMade) -> tuple[Ask, ...]:
    """Return the quiet offer of the attacks that a fallen target leaves, on another target (R25)."""
    left = [entry for entry, _ in ready.attacks[made.attacks :]]
    if not left or scene.fight is None or table.brief or table.only_changes:
        return ()
    names = listed(
        f"{name} ×{times}" if times > 1 else name
        for name, times in Counter(entry.name for entry in left).items()
    )
    number = "1 attack" if len(left) == 1 else f"{len(left)} attacks"
    says = f"{scene.actor_name} has {number} left for another target: {names}."
    options: dict[str, object] = {"weapons": tuple(entry.name for entry in left)}
    # The first ray of a spell has paid for all.
    is_paid = ready.paid[made.attacks - 1] == ready.paid[-1]
    if is_paid and any(entry.slot for entry in left):
        options["spend"] = False
    return (Ask(says, "multiattack", options=options, quiet=True),)


def _told(
    scene: Strike,
    ready: ReadyAttacks,
    made: AttacksMade,
    strikes: Sequence[Struck],
    more: tuple[str, ...] = (),
) -> Explanation:
    target = scene.target_name
    change = body_words(ready.first.body, made.body)
    if made.hits:
        verb, share = _hits_words(ready, made)
        text = f"{scene.who_acts} {verb} {target} with {share} for {made.least}{change}"
        text += f"{fell_words(made.fell)}."
    else:
        only = len(ready.attacks) == 1
        missed = f"the {ready.attacks[0][0].name}" if only else "every attack"
        text = f"{scene.who_acts} misses {target} with {missed}."
    if made.gave:
        text += " " + gave_words(target, made.gave)
    if made.hits:
        text += ready.reminders
    text += told_words(more)
    numbers = as_sentence("; ".join(_numbers(ready, strikes)))
    return Explanation(text, steps=_steps(ready, strikes), rules=("SRD-22",), arithmetic=numbers)


def _hits_words(ready: ReadyAttacks, made: AttacksMade) -> tuple[str, str]:
    """Return the verb and the attacks that hit: `2 of 3 attacks`, or `the Bite`."""
    if made.attacks > 1:
        critical = ", one of them critical," if made.criticals == 1 else f", {made.criticals} critical,"
        return "hits", f"{made.hits} of {made.attacks} attacks{critical if made.criticals else ''}"
    verb = "critically hits" if made.criticals else "hits"
    # Of several attacks the first one felled the target, and the others were not made.
    return verb, f"the {ready.attacks[0][0].name}" if len(ready.attacks) == 1 else "the first attack"


def _numbers(ready: ReadyAttacks, strikes: Sequence[Struck]) -> list[str]:
    """Return the roll and the damage of each attack: `longsword 22 against 17 for 10`."""
    names = {each.entry.name for each in ready.effects}
    found = []
    for each, struck in zip(ready.effects, strikes, strict=False):
        name = f"{each.entry.name} " if len(names) > 1 else ""
        words = f"{name}{plain_number(struck.rolled.total - struck.stopped.taken)} against {struck.ac}"
        words += f" for {struck.result.damage}" if struck.hit else ""
        words += f" of {struck.thrown} rolled" if _is_altered(struck) else ""
        if struck.saved is not None and struck.saved.rolled is not None:
            words += f", save {plain_number(struck.saved.rolled.total)} against {each.entry.save_dc}"
        found.append(words)
    return found


def _is_altered(struck: Struck) -> bool:
    """Return whether a hit did more or less than it rolled, such as half by a resistance."""
    known = struck.hit and struck.saved is None and struck.thrown is not None
    return known and struck.thrown != struck.result.damage


def _steps(ready: ReadyAttacks, strikes: Sequence[Struck]) -> tuple[Step, ...]:
    """Return the roll of each attack with its terms, and its damage."""
    steps: list[Step] = []
    for each, struck in zip(ready.effects, strikes, strict=False):
        name, terms = each.entry.name, owned("actor", *struck.rolled.terms)
        steps.append(Step.sum(name, terms, f"to reach {struck.ac}", "actor"))
        if struck.hit:
            # Always, or a seat could tell a resistance by its presence.
            if struck.thrown is not None:
                steps.append(Step("damage rolled", str(struck.thrown), of="actor"))
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
    aims=number_of_attacks,
    together=True,
    heading=_heading,
    facts={
        "attacks": "attack rolls made",
        "hits": "how many hit",
        "criticals": "how many were critical hits",
        "damage": "the sum, after resistance and the rest",
        "fell": "as in attack: the last that is not none",
        "gave": "the conditions that are new",
        "stopped": STOPPED,
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
    close=lambda scene: all(is_close(scene, entry) for _, entry in entries_of(scene)),
)
