"""Short and long rests."""

from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.damage import Blow
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.ruleset import Rest
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, choice, declare, whole
from systems.srd5.after import LOWERED, restored
from systems.srd5.attack_words import body_words
from systems.srd5.body import body_of, healed, is_dead, woken
from systems.srd5.health import DEAD, ZERO
from systems.srd5.house import House
from systems.srd5.sheet import DICE, HitDice, Sheet, ability_modifier


@declare
class ShortRestOptions:
    hit_dice: int = whole(0, 99, 0, "hit dice spent (SRD-81)")
    die: str | None = choice(DICE, None, "which of them", when_absent="as listed")


def _back(sheet: Sheet, is_long: bool) -> dict[str, object]:
    """Return the fields that a rest brings back: recharge, uses and spell slots (SRD-81, SRD-82)."""

    def fresh(entry: Any) -> Any:
        comes_back = is_long or entry.back_after == "short_rest"
        changes: dict[str, object] = {"spent": False} if entry.spent else {}
        if comes_back and entry.used:
            changes["used"] = 0
        return replace(entry, **changes) if changes else entry

    def refilled(slots: Any) -> Any:
        comes_back = is_long or slots.back_after == "short_rest"
        return replace(slots, left=slots.total) if comes_back and slots.left < slots.total else slots

    return {
        "attacks": tuple(map(fresh, sheet.attacks)),
        "powers": tuple(map(fresh, sheet.powers)),
        "spell_slots": tuple(map(refilled, sheet.spell_slots)),
    }


def _cannot_rest(scene: Scene[Sheet, Any, House]) -> Outcome | None:
    body = body_of(scene.actor)
    if is_dead(body):
        return refuse("dead", f"{scene.actor_name} is dead.")
    if body.hp == 0:
        return refuse("zero_hp", f"{scene.actor_name} has 0 hit points and cannot rest.")
    return None


def _kept(sheet: Sheet, changes: dict[str, object]) -> dict[str, object]:
    """Return the changes that change anything."""
    return {name: value for name, value in changes.items() if getattr(sheet, name) != value}


def _restored(before: Sheet, after: Sheet) -> dict[str, object]:
    """Return what a rest restores of lowered maximums and abilities."""
    names = (*LOWERED, *LOWERED.values())
    return {name: now for name in names if (now := getattr(after, name)) != getattr(before, name)}


def short_rest(scene: Scene[Sheet, ShortRestOptions, House], table: Table) -> Outcome:
    """Rest for an hour, and spend hit dice (SRD-36, SRD-81)."""
    actor, options = scene.actor, scene.options
    if refused := _cannot_rest(scene):
        return refused
    usable = [dice for dice in actor.hit_dice if options.die is None or dice.die == options.die]
    if sum(dice.left for dice in usable) < options.hit_dice:
        return refuse("hit_dice", f"{scene.actor_name} has too few hit dice left.")
    plus, amount, wanted = ability_modifier(actor, "constitution"), 0, options.hit_dice
    spent: dict[int, int] = {}
    for dice in usable:
        if number := min(dice.left, wanted):
            each = Blow(((1, int(dice.die[1:])),), plus, least=1)
            amount += table.blows(number, each, "hit die")
            wanted -= number
            spent[id(dice)] = number
    rested = restored(actor, long=False)
    before = body_of(rested)
    after, gained = healed(woken(before) if actor.knocked_out else before, amount)
    left = tuple(
        replace(dice, left=dice.left - spent[id(dice)]) if id(dice) in spent else dice
        for dice in actor.hit_dice
    )

    def tell() -> Explanation:
        dice = "1 hit die" if options.hit_dice == 1 else f"{options.hit_dice} hit dice"
        used = f", {dice} spent" if options.hit_dice else ""
        text = f"{scene.actor_name} rests for an hour{used}{body_words(before, after)}."
        return Explanation(text, rules=("SRD-81",))

    back = _kept(actor, {**_back(actor, False), "hit_dice": left})
    changes = {**_restored(actor, rested), **after.changes(), **back}
    return Outcome({"healed": gained}, {"actor": changes}, tell)


def _hit_dice_back(dice: HitDice, house: House) -> HitDice:
    back = dice.total if house.hit_dice_back == "all" else max(1, dice.total // 2)
    left = min(dice.total, dice.left + back)
    return replace(dice, left=left) if left > dice.left else dice


def long_rest(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Rest for eight hours (SRD-82, SRD-83, R17)."""
    actor = scene.actor
    if refused := _cannot_rest(scene):
        return refused
    rested = restored(actor, long=True)
    before = body_of(rested)
    after, gained = healed(woken(before) if actor.knocked_out else before, rested.max_hp)
    after = evolve(
        after,
        temp_hp=0,
        exhaustion=max(0, after.exhaustion - 1),
        legendary_resistances_left=max(after.legendary_resistances_left, actor.legendary_resistances),
    )
    changes = {**_restored(actor, rested), **after.changes()}
    dice = tuple(_hit_dice_back(each, scene.house) for each in actor.hit_dice)
    changes |= _kept(actor, {**_back(actor, True), "hit_dice": dice})

    def tell() -> Explanation:
        text = f"{scene.actor_name} rests for eight hours{body_words(before, after)}."
        return Explanation(text, rules=("SRD-82",))

    return Outcome({"healed": gained, "exhaustion": after.exhaustion}, {"actor": changes}, tell)


SHORT_REST = Action(
    "short_rest",
    "Rest for an hour.",
    short_rest,
    ShortRestOptions,
    facts={"healed": "hit points given back"},
    refusals=(DEAD, ZERO, Refusal("hit_dice", "too few are left")),
    group="camp",
    rules=("SRD-81",),
    letter="z",
)


LONG_REST = Action(
    "long_rest",
    "Rest for eight hours.",
    long_rest,
    NoOptions,
    facts={"healed": "hit points given back", "exhaustion": "levels now"},
    refusals=(DEAD, ZERO),
    group="camp",
    rules=("SRD-82", "SRD-83"),
)


def _no_rest(sheet: Sheet, house: House) -> str:
    body = body_of(sheet)
    return "dead" if is_dead(body) else "down" if body.hp == 0 else ""


RESTS = (
    Rest("short", "a short rest", steps=(("short_rest", {}),), denied=_no_rest),
    Rest("long", "a long rest", steps=(("long_rest", {}),), denied=_no_rest),
)
