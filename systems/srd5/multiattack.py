"""Several attacks of one action against one target."""

from functools import lru_cache

from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.ruleset import Action, Refusal, Scene
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.conversion import replace
from systems.schema.fields import declare, listing
from systems.schema.types import Text
from systems.srd5 import costs
from systems.srd5.attack import (
    AttackAim,
    Strike,
    StrikeOptions,
    Struck,
    aim_of,
    bars,
    body_words,
    conditions_given,
    fell_words,
    gave_words,
    plan_of,
    strike,
)
from systems.srd5.body import Vitals, body_of, is_dead
from systems.srd5.house import House
from systems.srd5.sheet import Attack, Sheet, attack_of
from systems.text import sentence


@declare
class MultiattackOptions(StrikeOptions):
    weapons: tuple[str, ...] = listing(
        Text(), (), "names of attacks in order, instead of the sheet's multiattack; unarmed too"
    )


@frozen
class AttacksMade:
    """Attacks made so far: the target's body and the sums for the facts."""

    body: Vitals
    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    damage: int = 0
    fell: str = "none"
    gave: tuple[str, ...] = ()

    def after(self, struck: Struck) -> "AttacksMade":
        """Return the sequence with one more attack."""
        result = struck.result
        return AttacksMade(
            result.body,
            self.attacks + 1,
            self.hits + struck.hit,
            self.criticals + struck.critical,
            self.damage + result.damage,
            result.fell if result.fell != "none" else self.fell,
            (*self.gave, *result.gave),
        )

    @property
    def is_over(self) -> bool:
        """Return whether the target has fallen, so that the rest is not rolled (R25)."""
        body = self.body
        return self.attacks > 0 and (body.hp == 0 or body.knocked_out or is_dead(body))


@frozen(eq=False)
class ReadyAttacks:
    """The attacks that can be made, and the sheet after each of them."""

    attacks: tuple[tuple[Attack, AttackAim], ...]
    sheets: tuple[Sheet, ...]
    first: AttacksMade
    hidden: bool


@lru_cache(maxsize=8)
def _ready(scene: Strike) -> ReadyAttacks | Outcome:
    """Return the attacks that the rules allow, or a refusal. Raises Wrong before any refusal."""
    actor, options = scene.actor, scene.options
    entries = _entries(actor, options)
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
    sheet, sheets, made, first = actor, [], [], None
    for at, entry in entries:
        now = sheet.attacks[at] if at is not None else entry
        aim = aim_of(scene, now)
        if refused := (aim.refusal or costs.used_up(scene, sheet, now)):
            first = first or refused
            continue
        sheet = replace(costs.paid(scene, sheet, now, "attacks"), hidden_dc=0)
        made.append((entry, aim))
        sheets.append(sheet)
    if not made:
        assert first is not None
        return first
    return ReadyAttacks(tuple(made), tuple(sheets), AttacksMade(body), actor.hidden_dc > 0)


def _entries(actor: Sheet, options: MultiattackOptions) -> list[tuple[int | None, Attack]]:
    """Return the attacks in order, each with its place on the sheet; None for unarmed. Raises Wrong."""
    if options.weapons:
        named = [(name, f"options.weapons[{at}]") for at, name in enumerate(options.weapons)]
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
    made = ready.first
    for at, (entry, aim) in enumerate(ready.attacks):
        if made.is_over:
            break
        made = _next(scene, table, ready, made, entry, aim, at)
    facts = {
        "attacks": made.attacks,
        "hits": made.hits,
        "criticals": made.criticals,
        "damage": made.damage,
        "fell": made.fell,
        "gave": made.gave,
    }
    after = ready.sheets[made.attacks - 1]
    paid = costs.changes_of(scene.actor, after, "attacks", "spell_slots", "hidden_dc")
    changes = {"actor": paid, "target": made.body.changes()}
    return Outcome(
        facts,
        changes,
        lambda: _told(scene, ready, made),
        degree="hit" if made.hits else "miss",
        gives=conditions_given(made.gave, "target"),
    )


def _next(
    scene: Strike,
    table: Table,
    ready: ReadyAttacks,
    made: AttacksMade,
    entry: Attack,
    aim: AttackAim,
    at: int,
) -> AttacksMade:
    resist = scene.options.legendary_resistance and made.body.legendary_resistances_left > 0
    hidden = ready.hidden and at == 0
    return made.after(strike(table, plan_of(scene, entry, aim, hidden, made.body, resist)))


def _told(scene: Strike, ready: ReadyAttacks, made: AttacksMade) -> Explanation:
    target = scene.target_name
    change = body_words(ready.first.body, made.body)
    if made.hits:
        text = f"{scene.who_acts} hits {target} with {made.hits} of {made.attacks} attacks"
        text += f" for {made.damage}{change}{fell_words(made.fell)}."
    else:
        text = f"{scene.who_acts} misses {target} with every attack."
    if made.gave:
        text += " " + gave_words(target, made.gave)
    return Explanation(text, rules=("SRD-22",), arithmetic=sentence(f"{made.damage} damage"))


MULTIATTACK = Action(
    "multiattack",
    "Make several attacks against one target.",
    multiattack,
    MultiattackOptions,
    targets="one",
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
)
