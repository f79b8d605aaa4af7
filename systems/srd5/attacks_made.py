"""Several attacks before their rolls: those that can be made, their price, and the state after each."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from systems.contract.interruption import UsedInterruption
from systems.contract.outcome import GivenCondition, Outcome, refuse
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.schema.fields import declare, flag, listing, text
from systems.schema.naming import Naming
from systems.schema.types import Text
from systems.srd5 import costs
from systems.srd5.aim import AttackAim, aim_of, bars
from systems.srd5.attack_options import AttackOptions, StrikeOptions
from systems.srd5.attack_plan import Struck
from systems.srd5.body import Vitals, body_of, is_dead
from systems.srd5.current import Strike
from systems.srd5.levels import counts_singly, rolls_of_actor
from systems.srd5.sheet import Attack, Sheet, attack_of
from systems.srd5.spells import rays_of, slot_of, slot_option
from systems.srd5.words import WithEffects, no_use, with_effects
from systems.text import as_sentence


@declare
class MultiattackOptions(StrikeOptions):
    weapons: tuple[str, ...] = listing(
        Text(), (), "names of attacks in order, instead of the sheet's multiattack; unarmed too"
    )
    weapon: str | None = text(
        None,
        "a spell with all its rays, or one attack, instead of the sheet's multiattack",
        naming=Naming("attacks", also=("unarmed",), free=False, rank=slot_of),
    )
    spend: bool = flag(True, "no: nothing is spent, as for the rays of a spell that are left", one_off=True)
    slot: int | None = slot_option()


@frozen
class AttacksMade:
    """Attacks made so far: the target's body and the sums for the facts.

    `least`: the damage, at least; see DamageTally. In odds, `hits` is 1 for any number of them if the facts
    leave it out.
    """

    body: Vitals
    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    least: int = 0
    fell: str = "none"
    gave: tuple[str, ...] = ()
    interruptions: tuple[UsedInterruption, ...] = ()

    def after(self, struck: Struck, *, counts: bool) -> "AttacksMade":
        """Return the attacks with one more. `counts`: the number of hits is a fact."""
        result = struck.result
        hits, criticals = self.hits + struck.hit, self.criticals + struck.critical
        return AttacksMade(
            result.body,
            self.attacks + 1,
            hits if counts else min(1, hits),
            criticals if counts else 0,
            struck.tally.least,
            result.fell if result.fell != "none" else self.fell,
            (*self.gave, *result.gave),
            (*self.interruptions, *struck.stopped.used),
        )

    @property
    def is_over(self) -> bool:
        """Return whether the target has fallen, so that the rest is not rolled (R25)."""
        body = self.body
        return self.attacks > 0 and (body.hp == 0 or body.knocked_out or is_dead(body))


@frozen(eq=False)
class ReadyAttacks:
    """The attacks that can be made, and what the actor has paid after each of them.

    `singly`: more than the sum of the damage counts for the target.
    """

    attacks: tuple[tuple[Attack, AttackAim], ...]
    paid: tuple[Mapping[str, object], ...]
    first: AttacksMade
    hidden: bool
    singly: bool
    effects: tuple[WithEffects, ...]

    def gives(self, names: Sequence[str]) -> tuple[GivenCondition, ...]:
        """Return what the tracker gives the target, with the duration that effects set."""
        lasting = {name: given for each in self.effects for name, given in each.lasting.items()}
        brought = {name: given for each in self.effects for name, given in each.brought.items()}
        return WithEffects(None, lasting, brought).gives(names)

    @property
    def spells(self) -> tuple[str, ...]:
        """Return the names of the attacks that are magical, such as those of a spell."""
        return tuple(dict.fromkeys(entry.name for entry, _ in self.attacks if entry.magical))

    def without_spells(self) -> "ReadyAttacks | None":
        """Return the attacks without the magical ones, which have been stopped; None if none is left."""
        kept = [at for at, (entry, _) in enumerate(self.attacks) if not entry.magical]
        if not kept:
            return None
        attacks = tuple(self.attacks[at] for at in kept)
        effects = tuple(self.effects[at] for at in kept)
        return evolve(self, attacks=attacks, paid=(self.paid[-1],) * len(kept), effects=effects)

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


@lru_cache(maxsize=8)
def ready_attacks(scene: Strike) -> ReadyAttacks | Outcome:
    """Return the attacks that the rules allow, or a refusal. Raises Wrong before any refusal."""
    actor, options = scene.actor, scene.options
    entries = _for_this_target(scene, entries_of(scene))
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
    rays = _rays_left(scene)
    for at, entry in entries:
        now = sheet.attacks[at] if at is not None else entry
        aim, is_cast = aim_of(scene, now), rays[now.name] > 0 or (costs.has_cost(now) and not options.spend)
        unpaid = None if is_cast else costs.used_up(scene, sheet, now)
        if refused := (aim.refusal or no_use(scene, now.name) or unpaid):
            refusal = refusal or refused
            continue
        rays[now.name] += -1 if is_cast else _rays_of(scene, now) - 1
        sheet = replace(sheet if is_cast else costs.paid(scene, sheet, now, "attacks"), hidden_dc=0)
        made.append((entry, aim))
        sheets.append(sheet)
    if not made:
        assert refusal is not None
        return refusal
    effects = tuple(with_effects(scene, entry) for entry, _ in made)
    singly = counts_singly(body, rolls_of_actor(scene))
    fields = ("attacks", "spell_slots", "hidden_dc")
    paid = tuple(costs.changes_of(actor, after, *fields) for after in sheets)
    return ReadyAttacks(tuple(made), paid, AttacksMade(body), actor.hidden_dc > 0, singly, effects)


def _rays_of(scene: Strike, entry: Attack) -> int:
    """Return how many attacks one slot pays for, in a fight: the rays of a spell, or 1."""
    return rays_of(entry, scene.options.slot) if entry.slot and scene.fight is not None else 1


def _rays_left(scene: Strike) -> Counter[str]:
    """Return the rays by name that are paid and left, after the attacks on earlier targets."""
    left = Counter[str]()
    if scene.places > 1:
        for _, entry in entries_of(scene)[: scene.aimed_before]:
            left[entry.name] += -1 if left[entry.name] > 0 else _rays_of(scene, entry) - 1
    return left


def _for_this_target(
    scene: Strike, entries: list[tuple[int | None, Attack]]
) -> list[tuple[int | None, Attack]]:
    """Return the attacks on this target; with several targets each has its share, in order."""
    if scene.places == 1:
        return entries
    return entries[scene.aimed_before : scene.aimed_before + scene.aimed]


def number_of_attacks(actor: Sheet, options: MultiattackOptions) -> int:
    return len(_named(actor, options)) or sum(each.times for each in actor.multiattack)


def _named(actor: Sheet, options: MultiattackOptions) -> tuple[str, ...]:
    """Return the names of the attacks that the options give; those of a spell are all rays of its slot."""
    if not options.weapon:
        return options.weapons
    return (options.weapon,) * rays_of(attack_of(actor, options.weapon), options.slot)


def entries_of(scene: Strike) -> list[tuple[int | None, Attack]]:
    """Return the attacks in order, each with its place on the sheet; None for unarmed. Raises Wrong."""
    actor, options = scene.actor, scene.options
    if options.weapon:
        names = (options.weapon,) if scene.fight is None else _named(actor, options)
        named = [(name, "options.weapon") for name in names]
    elif options.weapons:
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


def cast_instead(actor: Sheet, options: AttackOptions) -> tuple[str, Mapping[str, object]] | None:
    """Return the multiattack that an attack with a spell of several rays is, or None."""
    entry = attack_of(actor, options.weapon)
    if options.opportunity or options.reaction or rays_of(entry, options.slot) < 2:
        return None
    return "multiattack", {"weapon": entry.name}


def rays_at_once(actor: Sheet, options: AttackOptions) -> int:
    """Return how many rays an attack with a spell aims; 0 for any other attack."""
    return (
        0 if cast_instead(actor, options) is None else rays_of(attack_of(actor, options.weapon), options.slot)
    )
