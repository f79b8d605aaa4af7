"""What the words of effects mean in the rules of one game."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from systems.contract.area import Resistance
from systems.contract.outcome import Ask, Role
from systems.contract.ruleset import HAPPENS
from systems.contract.typed_damage import DamageDefence, TypedDice
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.conversion import change_entry
from systems.schema.fields import choice, declare, text, whole
from systems.schema.naming import Naming
from systems.text import plain_word, spoken

ACTION = "effect"
STOPPER = "effect_stops"  # the interrupt by which a fight knows the combatants that can stop an action
AURA = "effect_aura"  # the interrupt by which a fight knows the combatants with auras
ITSELF = "itself"  # of `form`: its own form again
STOPS, RECHARGES, COUNTS = "stops", "recharges", "counts"


@declare
class EffectOptions:
    effect: str = text(help="the effect of the sheet", naming=Naming("effects", free=False, needs="effect"))
    amount: int = whole(0, 9_999, 0, "the damage that set it off")
    does: str = choice(
        (HAPPENS, STOPS, RECHARGES, COUNTS),
        HAPPENS,
        "whether it happens, is stopped, may recharge, or adds up the damage of this turn",
    )


@frozen
class Vocabulary:
    """The words of effects that a game understands.

    `changes`: the names that `change` may use. `lacks`: fields of a line that the game does not know.
    `saves`: the names that `save` may use; none if each sheet names its own.
    `reads_saves`: after a failed save, `again` without `save` rolls the save of the attack or power itself.
    `damage_types`, `creature_types`: the types that lines may name; none if any name will do.
    """

    changes: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    saves: tuple[str, ...] = ()
    reads_saves: bool = False
    damage_types: tuple[str, ...] = ()
    creature_types: tuple[str, ...] = ()


def shared_hit_points(sheet: Any, parts: int) -> Mapping[str, object]:
    """Return the changes of a sheet with `hp` that is divided into equal parts, rounded down."""
    return {"hp": sheet.hp // parts} if sheet.hp >= parts else {}


@frozen(eq=False)
class EffectMeaning:
    """What the words of effects mean in the rules of one game. The library calls these functions.

    `defences(sheet, house)`: resistances, vulnerabilities and immunities. `critical(house, dice)`: dice
    of a critical hit. `hurt`, `heal`, `temporary(sheet, house, amount)`: the changes of a sheet that
    loses or gains hit points. `save(sheet, house, name, dc)`: a saving throw. `dc(owner, house, number)`:
    its number as the owner of the effect sets it. `damage_dc(house, amount)`: its number after this
    damage. `states(sheet, house)`: words such as hurt, bloodied, zero and down. `moved(before, after)`:
    changes of hit points and status in words, such as ` (hp 20 → 12), down`. `asks(before, after, name,
    role)`: decisions for the game master. `types(sheet)` and `size(sheet)`: what a combatant is.
    `names(sheet)`: its attacks, which `of` may name. `cost(sheet, line)`: what an interrupting effect changes
    on its owner's sheet, such as the used reaction; None if the owner cannot pay.
    `bars_reactions`: conditions with which a combatant interrupts nothing. `left(sheet, counter)`: the
    rest of a counter that pays for effects, or None if the sheet has no such counter. `spend(sheet, counter,
    amount)`: the changes of the sheet. `counters(sheet)`: their names. `use(sheet, name)`: the action that
    uses an attack or a power of this name, and its options; None if there is none. `used(scene)`: the names
    of the attack, power or effect that an action uses; a line that stops it has them in `of`.
    `saves(sheet)`: the saves that it knows; nothing if any name will do. `said(scene)`: the facts that the
    game master has said in the options of an action, such as a charge. `share(sheet, parts)`: the changes of
    a combatant that splits into that number of parts; none if it has too few hit points.
    `hp(sheet)`: hit points. `slay(sheet)`: the changes of a sheet whose owner dies at once.
    `words(sheet)`: the conditions and states of the game; lines may name others. `misspelt(sheet)`: an error
    for each name outside its effects that is almost one of the game. `begins(condition)`: the words for
    getting a condition, such as `is prone`.
    """

    defences: Callable[[Any, Any], tuple[DamageDefence, ...]]
    hurt: Callable[[Any, Any, int], Mapping[str, object]]
    heal: Callable[[Any, Any, int], Mapping[str, object]]
    temporary: Callable[[Any, Any, int], Mapping[str, object]]
    save: Callable[[Any, Any, str, int], Resistance]
    states: Callable[[Any, Any], Collection[str]]
    dc: Callable[[Any, Any, int], int] = lambda owner, house, number: number
    damage_dc: Callable[[Any, int], int] = lambda house, amount: max(10, amount // 2)
    moved: Callable[[Any, Any], str] = lambda before, after: ""
    asks: Callable[[Any, Any, str, Role], tuple[Ask, ...]] = lambda before, after, name, role: ()
    types: Callable[[Any], Collection[str]] = lambda sheet: ()
    size: Callable[[Any], str] = lambda sheet: "medium"
    names: Callable[[Any], Collection[str]] = lambda sheet: ()
    share: Callable[[Any, int], Mapping[str, object]] = shared_hit_points
    left: Callable[[Any, str], int | None] = lambda sheet, counter: None
    spend: Callable[[Any, str, int], Mapping[str, object]] = lambda sheet, counter, amount: {}
    counters: Callable[[Any], Collection[str]] = lambda sheet: ()
    use: Callable[[Any, str], tuple[str, Mapping[str, object]] | None] = lambda sheet, name: None
    critical: Callable[[Any, TypedDice], TypedDice] = lambda house, dice: dice.critical()
    saves: Callable[[Any], Collection[str]] = lambda sheet: ()
    used: Callable[[Any], Collection[str]] = lambda scene: ()
    cost: Callable[[Any, Any], Mapping[str, object] | None] = lambda sheet, line: {}
    bars_reactions: Collection[str] = ()
    hp: Callable[[Any], int] = lambda sheet: int(sheet.hp)
    slay: Callable[[Any], Mapping[str, object]] = lambda sheet: {"hp": 0}
    said: Callable[[Any], Collection[str]] = lambda scene: ()
    words: Callable[[Any], Collection[str]] = lambda sheet: ()
    misspelt: Callable[[Any], Iterable[Wrong]] = lambda sheet: ()
    begins: Callable[[str], str] = lambda condition: f"is {spoken(condition)}"

    def lines(self, sheet: Any) -> Sequence[Any]:
        """Return the effects of a sheet."""
        found: Sequence[Any] = sheet.effects
        return found

    def changed(self, sheet: Any, line: Any, **changes: object) -> dict[str, object]:
        """Return the changes of a sheet when fields of one of its lines change."""
        return {"effects": change_entry(self.lines(sheet), line, **changes)}


def lines_of(meaning: EffectMeaning, scene: Any, role: str) -> Sequence[Any]:
    """Return the effects of the actor or the target of a scene: of its sheet, and of its conditions."""
    if role == "actor":
        own, added = meaning.lines(scene.actor), scene.actor_lines
    else:
        own, added = meaning.lines(scene.target), scene.target_lines
    return (*own, *added) if added else own


def is_aura(line: Any) -> bool:
    """Return whether a line always counts for others."""
    return line.when == "always" and line.who in ("foes", "allies", "others", "everyone")


def is_among(words: Collection[str], known: Collection[str]) -> bool:
    """Return whether one of the words is known, in either spelling."""
    spelled = {plain_word(word) for word in known}
    return any(plain_word(word) in spelled for word in words)


def belongs_to(line: Any, attack: str) -> bool:
    """Return whether a line belongs to this attack: it names it, or it names none."""
    return not line.of or is_among((attack,), line.of)
