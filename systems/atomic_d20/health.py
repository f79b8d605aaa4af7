"""Resolve rest and healing, and report the status of a sheet."""

from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import TRACKS, UNITS, Sheet, can_act
from systems.atomic_d20.wounds import moved
from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import as_status, possessive
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.ruleset import Rest
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, choice, declare, flag, whole
from systems.text import plain_number

_WEEK = 7


@declare
class RestOptions:
    strenuous: bool = flag(False, "no rest at all: nothing recovers (ATO-44)")


@declare
class DayHealOptions:
    track: str = choice(TRACKS, "physical", "hearts or brains (R29)")


@declare
class MajorHealOptions:
    days: int = whole(0, 9999, help="days since the wound (ATO-36)")
    track: str = choice(TRACKS, "physical", "hearts or brains")
    permanent: bool = flag(False, "it never heals (ATO-36)")


@declare
class HealOptions:
    amount: int = whole(0, 99, help="units of the track, by the game master (ATO-46, R37)")
    track: str = choice(tuple(UNITS), "physical", "hearts, brains or stamina")


def regained(sheet: Sheet, unit: str, amount: int) -> int:
    """Return how much of `amount` fits below the maximum, 0 for a value above it."""
    room: int = getattr(sheet, f"max_{unit}") - getattr(sheet, unit)
    return max(0, min(amount, room))


def rest_half_hour(scene: Scene[Sheet, RestOptions, House], table: Table) -> Outcome:
    """Restore all stamina, unless the rest did not count (ATO-44, R30)."""
    actor = scene.actor
    gained = 0 if scene.options.strenuous else regained(actor, "stamina", actor.max_stamina)
    after = replace(actor, stamina=actor.stamina + gained)

    def tell() -> Explanation:
        came = moved(actor, after, "stamina") if gained else "no stamina comes back"
        return Explanation(f"{scene.who_acts} rests for half an hour ({came}).", rules=("ATO-44",))

    return Outcome({"recovered": gained}, {"actor": {"stamina": after.stamina}}, tell)


def day_heal(scene: Scene[Sheet, DayHealOptions, House], table: Table) -> Outcome:
    """Heal one minor wound a day, of either track (ATO-45, R29)."""
    actor, track, name = scene.actor, scene.options.track, scene.actor_name
    unit, minor = UNITS[track], f"minor_{track}"
    if actor.healed_today:
        return refuse("once_per_day", f"{name} has recovered from a minor wound today already.")
    if getattr(actor, minor) == 0:
        return refuse("no_minor_wound", f"{name} has no minor {track} wound to recover from.")
    gained = regained(actor, unit, 1)
    changes = {
        unit: getattr(actor, unit) + gained,
        minor: getattr(actor, minor) - 1,
        "healed_today": True,
    }

    def tell() -> Explanation:
        came = moved(actor, replace(actor, **changes), unit)
        return Explanation(f"{scene.who_acts} recovers from a minor wound ({came}).", rules=("ATO-45",))

    return Outcome({"healed": gained}, {"actor": changes}, tell)


def major_heal(scene: Scene[Sheet, MajorHealOptions, House], table: Table) -> Outcome:
    """Heal a major wound after a week, unless permanent: two units and its bane (ATO-36)."""
    actor, options, name = scene.actor, scene.options, scene.actor_name
    unit = UNITS[options.track]
    if options.permanent or options.days < _WEEK:
        why = "it is permanent" if options.permanent else f"day {options.days}, {_WEEK} are needed"
        explanation = Explanation(f"{possessive(name)} major wound does not heal: {why}.", rules=("ATO-36",))
        return Outcome({"healed": False}, tell=lambda: explanation)
    changes = {
        unit: getattr(actor, unit) + regained(actor, unit, 2),
        "wound_banes": max(0, actor.wound_banes - 1),
    }

    def tell() -> Explanation:
        after = replace(actor, **changes)
        came = f"({moved(actor, after, unit)}), bane {plain_number(-after.wound_banes)}"
        return Explanation(f"{possessive(name)} major wound heals {came}.", rules=("ATO-36",))

    return Outcome({"healed": True}, {"actor": changes}, tell)


def heal(scene: Scene[Sheet, HealOptions, House], table: Table) -> Outcome:
    """Restore the units that the game master names, close minor wounds, perhaps wake (ATO-46, R37).

    Each heart or brain closes one minor wound of its track. The banes of major wounds stay.
    """
    actor, options, name = scene.actor, scene.options, scene.actor_name
    if actor.status == "dead":
        return refuse("dead", f"{name} is dead, and the dead are not healed.")
    unit = UNITS[options.track]
    gained = regained(actor, unit, options.amount)
    changes: dict[str, object] = {unit: getattr(actor, unit) + gained}
    closed = 0
    if options.track in TRACKS:
        minor = f"minor_{options.track}"
        closed = min(gained, getattr(actor, minor))
        changes[minor] = getattr(actor, minor) - closed
    healed = replace(actor, **changes)
    woken = actor.status in ("dying", "unconscious") and healed.hearts > 0 and healed.brains > 0
    if woken:
        changes |= {"status": "active", "death_choice": "none"}

    def tell() -> Explanation:
        words = f"{name} is healed by {gained} ({moved(actor, healed, unit)})"
        wounds = f", {closed} minor wound{'s' if closed > 1 else ''} closed" if closed else ""
        again = f", {as_status('active')} again" if woken else ""
        return Explanation(f"{words}{wounds}{again}.", rules=("ATO-46",))

    return Outcome({"healed": gained}, {"actor": changes}, tell)


def status(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Report whether the character can act, and its remaining units (ATO-26, ATO-47)."""
    actor = scene.actor

    def tell() -> Explanation:
        left = f"Hearts {actor.hearts}, brains {actor.brains}, stamina {actor.stamina}."
        text = f"{scene.actor_name} is {as_status(actor.status)}."
        return Explanation(text, rules=("ATO-26", "ATO-47"), arithmetic=left)

    return Outcome({"can_act": can_act(actor)}, tell=tell)


REST_HALF_HOUR = Action(
    "rest_half_hour",
    "Rest for half an hour.",
    rest_half_hour,
    RestOptions,
    facts={"recovered": "stamina gained"},
    group="camp",
    rules=("ATO-44",),
    title="half an hour's rest",
    letter="z",
)
DAY_HEAL = Action(
    "day_heal",
    "Heal one minor wound.",
    day_heal,
    DayHealOptions,
    facts={"healed": "hearts or brains gained"},
    refusals=(
        Refusal("once_per_day", "a minor wound was healed today"),
        Refusal("no_minor_wound", "none on that track"),
    ),
    group="camp",
    rules=("ATO-45",),
    title="day's healing",
)
MAJOR_HEAL = Action(
    "major_heal",
    "Heal a major wound.",
    major_heal,
    MajorHealOptions,
    facts={"healed": "7 days or more and not permanent (ATO-36)"},
    group="camp",
    rules=("ATO-36",),
    title="healing of a major wound",
)
HEAL = Action(
    "heal",
    "Heal by magic or alchemy, with the game master's number.",
    heal,
    HealOptions,
    facts={"healed": "units gained; never above the maximum"},
    refusals=(Refusal("dead", "the actor is dead"),),
    group="health",
    rules=("ATO-46",),
)


def _no_rest(sheet: Sheet, house: House) -> str:
    return "dead" if sheet.status == "dead" else ""


RESTS = (
    Rest("rest", "half an hour's rest", steps=(("rest_half_hour", {}),), denied=_no_rest),
    Rest(
        "day",
        "a day's rest",
        steps=(
            ("rest_half_hour", {}),
            ("new_day", {}),
            ("day_heal", {"track": "physical"}),
            ("day_heal", {"track": "mental"}),  # refused once a physical wound has healed (R29)
        ),
        denied=_no_rest,
    ),
)
STATUS = Action(
    "status",
    "Report the status of a character; no dice.",
    status,
    facts={"can_act": "status active, conscious or adrenaline"},
    group="check",
    rules=("ATO-26", "ATO-47"),
)
