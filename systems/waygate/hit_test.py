"""The hit test of an attack: the terms added to the die, and the results of each face."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Scene
from systems.contract.outcome import Ask, Term, optional_term
from systems.contract.table import Blow, read_dice
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.conversion import change_entry, entry_named
from systems.schema.fields import choice, declare, text, whole
from systems.schema.naming import Naming
from systems.waygate import firearms
from systems.waygate.house import House
from systems.waygate.marks import mark_option
from systems.waygate.sheet import MODES, Sheet, Weapon, spell_of, weapon_of
from systems.waygate.spells import is_mayhem
from systems.waygate.terms import attribute_term

HIT_ATTRIBUTE = {"melee": "str", "finesse": "dex", "ranged": "dex"}
DAMAGE_ATTRIBUTE = {"melee": "str", "finesse": "dex", "ranged": None}
HIT_RULE = {"melee": "WAY-13", "finesse": "WAY-14", "ranged": "WAY-15", "spell": "WAY-18"}
DAMAGE_RULE = {"melee": "WAY-32", "finesse": "WAY-33", "ranged": "WAY-34", "spell": "WAY-35"}


@declare
class AttackOptions:
    weapon: str | None = text(
        None, "a weapon of the sheet by name", when_absent="the first", remembered="aimed"
    )
    spell: str | None = text(
        None,
        "a spell of the sheet by name, instead of a weapon: d20 + Magic to hit, spell damage + Magic",
        naming=Naming("spells", having="damage"),
        remembered="aimed",
    )
    mode: str | None = choice(
        MODES,
        None,
        "burst +2 to hit, auto +4; both may hit with several bullets (WAY-24 to WAY-31)",
        when_absent="single; the first of the weapon's modes for a firearm that lists modes but not "
        "single (R35)",
    )
    modifier: int = whole(-99, 99, 0, "added to the hit test")
    damage_modifier: int = whole(-99, 99, 0, "added to the damage of each blow or bullet")
    use_aether_mark: bool | None = mark_option()


Attack = Scene[Sheet, AttackOptions, House]


@frozen
class Strike:
    """A prepared attack: everything that is known before the roll. `weapon` is None for a spell."""

    name: str
    weapon: Weapon | None
    mystic: int | None
    mode: str
    terms: tuple[Term, ...]
    dice: str
    damage_terms: tuple[Term, ...]

    @property
    def kind(self) -> str:
        """Return the kind of attack: `melee`, `finesse`, `ranged` or `spell`."""
        return self.weapon.kind if self.weapon else "spell"

    @property
    def base(self) -> int:
        """Return the sum added to the d20."""
        return sum(term.value for term in self.terms)

    @property
    def plus(self) -> int:
        """Return the sum added to the damage dice of one blow or bullet."""
        return sum(term.value for term in self.damage_terms)


@lru_cache(maxsize=8)
def ready(scene: Attack) -> Strike:
    """Return the attack with the chosen weapon or spell. Raises Wrong if the sheet has no usable one."""
    options = scene.options
    if options.spell is None:
        return _armed(scene, weapon_of(scene.actor, options.weapon))
    if options.weapon is not None:
        weapon_of(scene.actor, options.weapon)
    spell = spell_of(scene.actor, options.spell)
    if spell.damage is None:
        raise Wrong("options.spell", f"{spell.name} has no damage and cannot be used in an attack")
    magic = attribute_term(scene.actor, "magic")
    terms = (magic, *scene.option_terms("modifier"))
    damage_terms = (magic, *scene.option_terms("damage_modifier", "modifier"))
    return Strike(spell.name, None, spell.mystic, "single", terms, spell.damage, damage_terms)


def _armed(scene: Attack, weapon: Weapon) -> Strike:
    """Return an attack with a weapon (WAY-13 to WAY-15, WAY-26, WAY-30, WAY-32 to WAY-34)."""
    actor, options = scene.actor, scene.options
    mode = firearms.mode_of(weapon, options.mode)
    terms = (
        attribute_term(actor, HIT_ATTRIBUTE[weapon.kind]),
        *optional_term(weapon.name, weapon.hit_mod),
        *optional_term(mode, firearms.MODE_BONUS[mode]),
        *scene.option_terms("modifier"),
    )
    attribute = DAMAGE_ATTRIBUTE[weapon.kind]
    damage_terms = (
        *((attribute_term(actor, attribute),) if attribute else ()),
        *optional_term(weapon.name, weapon.damage_mod),
        *scene.option_terms("damage_modifier", "modifier"),
    )
    return Strike(weapon.name, weapon, None, mode, terms, weapon.damage, damage_terms)


@frozen
class Verdict:
    """The results of one face of the hit test. `lost`: a jam prevented the shot.

    `weapons`: those of the actor if one changed. `offers`: what its weapon needs then, such as reloading.
    """

    facts: dict[str, Any]
    bullets: int
    blow: Blow
    lost: bool
    weapons: tuple[Weapon, ...] | None
    offers: tuple[Ask, ...]

    @property
    def hit(self) -> bool:
        return self.bullets > 0


@lru_cache(maxsize=64)
def verdict_of(scene: Attack, face: int) -> Verdict:
    """Return the results of a face: hit, critical, jam, mayhem, bullets, rounds (WAY-16 to WAY-31, R5 to
    R12).
    """
    strike, house = ready(scene), scene.house
    weapon, total = strike.weapon, strike.base + face
    margin = total - scene.target.armor
    lost = weapon is not None and firearms.shot_lost(weapon, face, house)
    hit = not lost and _hits(strike, face, total, margin, house)
    bullets = 1 if hit else 0
    if hit and weapon and strike.mode != "single":
        bullets = firearms.bullets_of(margin, firearms.most_bullets(weapon, strike.mode, house))
    jams = weapon is not None and firearms.jams(weapon, face)
    weapons, loaded = _weapon_after(scene, jams, lost)
    facts = {
        "face": face,
        "total": total,
        "margin": margin,
        "hit": hit,
        "critical": face == 20,
        "jammed": jams,
        "mayhem": weapon is None and is_mayhem(face, total, strike.mystic, house),
        "bullets_hit": bullets,
        "damage": 0,
        "loaded": loaded,
    }
    blow = Blow(read_dice(strike.dice), strike.plus, 2 if face == 20 else 1, least=0)
    fired = entry_named(weapons, strike.name) if weapons is not None else None
    offers = firearms.weapon_offers(fired, scene.actor_name) if fired else ()
    return Verdict(facts, bullets, blow, lost, weapons, offers)


def _hits(strike: Strike, face: int, total: int, margin: int, house: House) -> bool:
    """Return whether an attack hits (WAY-21, WAY-55, WAY-57, R1, R9).

    The total must beat the armor rating and, for a spell, reach the Mystic Test. A natural 20 hits, a 1
    misses.
    """
    if face in (1, 20):
        return face == 20
    if strike.mystic is not None and total < strike.mystic:
        return False
    return margin > 0 or (margin == 0 and house.hit_on == "meet")


@lru_cache(maxsize=32)
def _weapon_after(scene: Attack, jams: bool, lost: bool) -> tuple[tuple[Weapon, ...] | None, int | None]:
    """Return the weapons if one changed, else None, and the rounds left in a clip (WAY-16, R5, R15)."""
    strike = ready(scene)
    weapon = strike.weapon
    if weapon is None:
        return None, None
    changes: dict[str, object] = {}
    loaded = weapon.loaded
    if weapon.clip and not lost:
        changes["loaded"] = loaded = loaded - firearms.shots_of(weapon, strike.mode)
    if jams:
        changes["jammed"] = True
    weapons = change_entry(scene.actor.weapons, weapon, **changes) if changes else None
    return weapons, loaded if weapon.clip else None


def in_melee(actor: Sheet, options: AttackOptions) -> bool:
    """Return whether an attack is made with a weapon for melee."""
    return options.spell is None and weapon_of(actor, options.weapon).kind != "ranged"
