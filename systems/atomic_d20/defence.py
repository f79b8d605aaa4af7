"""The defence against an attack: a d20, a save and armour."""

from typing import Any

from systems.atomic_d20.checks import RollOptions
from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import TRACKS, Sheet, can_act
from systems.contract.action import Scene
from systems.contract.outcome import Step, Term, owned
from systems.frozen import frozen
from systems.schema.fields import choice, declare, flag, whole


@declare
class DefenceOptions(RollOptions):
    """The options of an attack that affect the defence."""

    awareness: str | None = choice(
        ("aware", "flat_footed"),
        None,
        "flat-footed: the target's save does not count (ATO-73)",
        when_absent="aware; flat-footed when the target's status is not active, conscious or adrenaline",
    )
    touch: bool | None = flag(
        None,
        "armour does not count, in either armor mode (ATO-73)",
        when_absent="false; true on the mental track",
    )
    defence: str | None = choice(
        ("reflex", "fortitude", "willpower"),
        None,
        "the save that the target defends with: dodge, endure or resist (ATO-25)",
        when_absent="reflex; willpower on the mental track",
    )
    defence_modifier: int = whole(-99, 99, 0, "added to the defence")
    track: str = choice(TRACKS, "physical", "hearts or brains")


@frozen(eq=False)
class Defence:
    """The defence of a target: the save, the terms added to the die, and the rules that applied."""

    save: str
    terms: tuple[Term, ...]
    value: int
    rules: tuple[str, ...]

    def step(self, face: int) -> Step:
        """Return the explanation line of the defence with all its terms."""
        return Step.sum("defence", owned("target", *self.terms, Term("d20", face)))


def is_unaware(target: Sheet, options: DefenceOptions) -> bool:
    """Return whether the target is unaware: by the option, or because it cannot act (ATO-73, R35)."""
    if options.awareness is not None:
        return options.awareness == "flat_footed"
    return not can_act(target)


def armour_counts(options: DefenceOptions) -> bool:
    """Return whether armour counts: not against touch or, by default, mental attacks (ATO-73, R36)."""
    return options.track == "physical" if options.touch is None else not options.touch


def defending_saves(target: Sheet, options: DefenceOptions) -> tuple[str, ...]:
    """Return the saves that can defend; the first is the default (ATO-25, R36).

    A target that endures better than it dodges may choose either.
    """
    if options.defence is not None:
        return (options.defence,)
    if options.track == "mental":
        return ("willpower",)
    endures = target.fortitude > target.reflex and not is_unaware(target, options)
    return ("reflex", "fortitude") if endures else ("reflex",)


def defence_of(scene: Scene[Sheet, Any, House], save: str) -> Defence:
    """Return the terms of the defence from save, armour and wounds (ATO-70, ATO-73, R22, R32, R35)."""
    target, options, house = scene.target, scene.options, scene.house
    unaware = is_unaware(target, options)
    terms = (
        Term(save, 0 if unaware else getattr(target, save), "flat-footed" if unaware else ""),
        _armour_term(target, options, house),
        *((Term("wounds", -target.wound_banes),) if target.wound_banes else ()),
        *scene.option_terms("defence_modifier", "modifier"),
    )
    return Defence(save, terms, sum(term.value for term in terms), _rules(target, options, house))


def _rules(target: Sheet, options: DefenceOptions, house: House) -> tuple[str, ...]:
    armoured = armour_counts(options)
    counts = {
        "ATO-25": True,
        "ATO-35": target.wound_banes > 0,
        "ATO-69": armoured and house.armor_mode == "subtraction",
        "ATO-70": armoured and house.armor_mode == "defense_bonus",
        "ATO-73": is_unaware(target, options) or not armoured,
    }
    return tuple(rule for rule, counted in counts.items() if counted)


def _armour_term(target: Sheet, options: DefenceOptions, house: House) -> Term:
    if not armour_counts(options):
        return Term("armour", 0, "does not count against a touch or an attack on the mind")
    if house.armor_mode == "subtraction":
        return Term("armour", 0, "subtracted from the damage instead")
    return Term("armour", target.armor)
