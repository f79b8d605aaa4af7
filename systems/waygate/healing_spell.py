"""Resolve healing spells: the Mystic Test, then the dice of the spell."""

from typing import Any

from systems.contract.action import Action, Refusal, Scene, SideEffect
from systems.contract.outcome import Explanation, Outcome, Step, refuse
from systems.contract.table import Blow, Table, read_dice
from systems.errors import Wrong
from systems.schema.conversion import replace
from systems.schema.fields import declare, text, whole
from systems.schema.naming import Naming
from systems.text import shown
from systems.waygate.health import beyond_healing, gained, healed_by, healed_words, hp_steps
from systems.waygate.house import House
from systems.waygate.marks import MARK_REFUSAL, mark_option, mark_refused, mark_spent
from systems.waygate.sheet import Sheet, Spell, life_status, spell_of
from systems.waygate.spells import MAYHEM, MAYHEM_ASK, MysticTest, mystic_test
from systems.waygate.terms import attribute_term


@declare
class HealingOptions:
    spell: str | None = text(
        None,
        "a spell of the sheet by name",
        when_absent="the first that heals",
        naming=Naming("spells", having="healing", needs="healing spell"),
        remembered="actor",
    )
    modifier: int = whole(-99, 99, 0, "added to the Mystic Test")
    use_aether_mark: bool | None = mark_option()


Healing = Scene[Sheet, HealingOptions, House]


def _spell(scene: Healing) -> Spell | None:
    """Return the named spell or the first that heals, or None.

    Raises Wrong if the named one does not heal.
    """
    actor, name = scene.actor, scene.options.spell
    if name is None:
        return next((spell for spell in actor.spells if spell.healing), None)
    found = spell_of(actor, name)
    if found.healing is None:
        raise Wrong("options.spell", f"{shown(found.name)} cannot heal: it has no healing dice")
    return found


def heal_by_spell(scene: Healing, table: Table) -> Outcome:
    """Heal the target with a spell if its Mystic Test is reached (WAY-N4, WAY-46, R37)."""
    actor, target = scene.actor, scene.target
    spell = _spell(scene)
    if refused := _refused(scene):
        return refused
    if spell is None:
        return refuse("spell", f"{scene.actor_name} has no spell that heals.")
    terms = (attribute_term(actor, "magic"), *scene.option_terms("modifier"))
    rolled = None if spell.mystic is None else mystic_test(table, scene, terms, spell.mystic, spell.name)
    passed = rolled is None or rolled.passed
    rolls = Blow(read_dice(spell.healing or ""))
    healed = gained(target, table.blows(1, rolls, spell.name)) if passed else 0
    changes = healed_by(target, healed) if passed else {}
    facts: dict[str, Any] = {
        "face": rolled and rolled.face,
        "total": rolled and rolled.total,
        "passed": passed,
        "mayhem": rolled is not None and rolled.mayhem,
        "healed": healed,
    }
    spent = mark_spent(actor, rolled is not None and rolled.marked)
    asks = MAYHEM_ASK if facts["mayhem"] else ()
    return Outcome(
        facts,
        {"actor": spent, "target": changes},
        lambda: _explanation(scene, spell, rolled, replace(target, **changes)),
        asks,
        degree="passed" if passed else "failed",
    )


def _refused(scene: Healing) -> Outcome | None:
    state = life_status(scene.actor, scene.house)
    if state != "conscious":
        return refuse("status", f"{scene.actor_name} is {state} and cannot cast.")
    dead = beyond_healing(scene.target, scene.house, scene.target_name)
    return dead or mark_refused(scene.actor, scene.options.use_aether_mark, scene.actor_name)


def _explanation(scene: Healing, spell: Spell, rolled: MysticTest | None, after: Sheet) -> Explanation:
    who, target, house = scene.who_acts, scene.target, scene.house
    numbers = rolled.numbers(spell.mystic) if rolled and spell.mystic else ""
    follows = rolled.follows(scene.actor_name) if rolled else ""
    terms, rules = (rolled.terms, rolled.rules) if rolled else ((), ())
    steps = rolled.steps(spell.mystic, spell.name, house) if rolled and spell.mystic else ()
    if rolled and not rolled.passed:
        failed = f"{who} fails to cast {spell.name} on {scene.target_name}.{follows}"
        return Explanation(failed, terms, steps, rules, arithmetic=numbers)
    text = f"{who} casts {spell.name}. {scene.target_name} is {healed_words(target, after, house)}.{follows}"
    steps = (*steps, Step("healing", str(after.hp - target.hp), str(spell.healing)))
    woken = ("WAY-46",) if target.hp < 0 else ()
    steps = (*steps, *hp_steps(target, after, house))
    return Explanation(text, terms, steps, (*rules, *woken), arithmetic=numbers)


HEALING_SPELL = Action(
    "healing_spell",
    "Heal with a spell: its Mystic Test, then its dice.",
    heal_by_spell,
    HealingOptions,
    targets="one",
    itself=True,
    friends=True,
    facts={
        "face": "the d20 that counts; only for a spell with a Mystic Test",
        "total": "die + Magic + modifier; only for a spell with a Mystic Test",
        "passed": "the Mystic Test was reached, or there is none",
        "mayhem": "as in a Mystic Test",
        "healed": "hit points gained; never above max_hp",
    },
    refusals=(
        Refusal("status", "the actor is not conscious"),
        Refusal("dead", "the target is dead"),
        MARK_REFUSAL,
        Refusal("spell", "none of the actor's spells heals"),
    ),
    group="health",
    rules=("WAY-N4", "WAY-46"),
    success="passed",
    amount="healed",
    side_effects=(SideEffect("mayhem", MAYHEM),),
    title="healing spell",
    letter="s",
    unable=False,
    verb="cast a healing spell",
)
