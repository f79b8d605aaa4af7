"""Turn damage into wounds of body or mind, and place them."""

from collections.abc import Mapping
from typing import Any

from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import TRACKS, UNITS, Sheet, can_act
from systems.contract.action import Action, Scene
from systems.contract.marked_text import as_health, as_status, possessive
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Role, Step, Whose
from systems.contract.table import Table
from systems.frozen import frozen
from systems.schema.conversion import replace
from systems.schema.fields import choice, declare, flag, whole
from systems.text import before_and_after, plain_number

MAJOR = 10
_LOCATIONS = (
    "left_shoulder left_shoulder right_shoulder right_shoulder left_foot right_foot left_leg right_leg "
    "left_hand right_hand left_arm left_arm right_arm right_arm groin groin lower_torso upper_torso neck head"
).split()
PLACES = tuple(dict.fromkeys(reversed(_LOCATIONS)))
_STAY = {"hearts": "stay", "brains": "stay", "stamina": "stays"}
# A combatant in one of these states stays in it, whatever happens to it (R31).
_BEYOND_HARM = ("dead", "dying", "adrenaline")
NO_WOUND: Mapping[str, object] = {"wound": "none", "paid_by": "none", "bane": False}
WOUND_FACTS = {
    "wound": "none, minor or major (ATO-30, ATO-34)",
    "paid_by": "none, stamina, hearts or brains",
    "bane": "a major wound (ATO-35)",
}
PLACE_FACT = {"location": "from the actor's die; only when a physical wound was made (ATO-43)"}


def stamina_option() -> Any:
    """Declare the option `use_stamina`, the same for every action that can wound."""
    return flag(
        None,
        "a minor wound costs stamina, if any is left, instead of a heart or brain (ATO-28)",
        when_absent="false",
        one_off=True,
    )


def nonlethal_option() -> Any:
    """Declare the option `nonlethal`, the same for every action that can spare a target."""
    return flag(False, "unconscious instead of dying or catatonic (ATO-40)")


@frozen(eq=False)
class Wound:
    """One wound, or none: its severity, the unit it costs, and the sheet before and after."""

    severity: str
    paid_by: str
    track: str
    before: Sheet
    after: Sheet
    changes: Mapping[str, object]

    @property
    def facts(self) -> dict[str, object]:
        return {"wound": self.severity, "paid_by": self.paid_by, "bane": self.severity == "major"}

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the ids of the rules that decided the wound and its cost."""
        became = "" if self.after.status == self.before.status else self.after.status
        counts = {
            "R11": self.severity == "none",
            "ATO-28": self.paid_by == "stamina",
            "ATO-30": self.severity == "minor",
            "ATO-31": self.severity == "minor" and self.paid_by == "hearts",
            "ATO-32": self.severity == "minor" and self.paid_by == "brains",
            "ATO-34": self.severity == "major",
            "ATO-35": self.severity == "major",
            "ATO-38": became == "dying",
            "ATO-39": became == "catatonic",
            "ATO-40": became == "unconscious",
            "R38": became == "dead",
        }
        return tuple(rule for rule, counted in counts.items() if counted)

    @property
    def dying(self) -> bool:
        """Return whether this wound opened the choice of last breaths."""
        return self.after.status == "dying" != self.before.status


def severity_of(damage: int) -> str:
    """Return the severity: none at 0 or less, minor up to 9, major from 10 (ATO-30, ATO-34, R11)."""
    if damage <= 0:
        return "none"
    return "major" if damage >= MAJOR else "minor"


def location_of(face: int) -> str:
    """Return the place of a wound for the natural die of an attack or failed manoeuvre (ATO-43, R16)."""
    return _LOCATIONS[face - 1]


def place_of(wound: Wound, face: int) -> str | None:
    """Return the place of a physical wound for a natural die, or None for other wounds (R34)."""
    return location_of(face) if wound.severity != "none" and wound.track == "physical" else None


def place_given(wound: Wound, place: str | None, of: Role) -> tuple[GivenCondition, ...]:
    """Return the condition for the place of a major physical wound, or () (ATO-37, ATO-43)."""
    return (GivenCondition(of, f"wounded_{place}"),) if place and wound.severity == "major" else ()


def place_steps(place: str | None, face: int) -> tuple[Step, ...]:
    """Return the explanation line for the place of a wound, with the die that decides it."""
    return (Step("location", place_words(place), f"natural {face}"),) if place else ()


def place_words(place: str) -> str:
    """Return the place in words, such as `left arm`."""
    return place.replace("_", " ")


def wounded(
    sheet: Sheet, severity: str, track: str, house: House, *, stamina: bool, nonlethal: bool = False
) -> Wound:
    """Apply a wound: it costs 1 unit if minor, 2 and a bane if major (ATO-28 to ATO-35, R12 to R14)."""
    if severity == "none":
        return Wound(severity, "none", track, sheet, sheet, {})
    if severity == "minor" and stamina:
        changes: dict[str, object] = {"stamina": sheet.stamina - 1}
        return Wound(severity, "stamina", track, sheet, replace(sheet, **changes), changes)
    unit, minor = UNITS[track], f"minor_{track}"
    had: int = getattr(sheet, unit)
    left = max(0, had - (2 if severity == "major" else 1))
    changes = {unit: left}
    if severity == "major":
        changes["wound_banes"] = min(20, sheet.wound_banes + 1)
    elif had > left:
        changes[minor] = min(20, getattr(sheet, minor) + 1)
    if left == 0:
        changes |= _emptied(sheet, track, nonlethal, house)
    return Wound(severity, unit, track, sheet, replace(sheet, **changes), changes)


def _emptied(sheet: Sheet, track: str, nonlethal: bool, house: House) -> dict[str, object]:
    """Return the new status when hearts or brains run out (ATO-38 to ATO-40, R15, R20, R31, R38)."""
    if sheet.status in _BEYOND_HARM:
        return {}
    if nonlethal:
        return {} if sheet.status == "catatonic" else {"status": "unconscious"}
    if track == "mental":
        return {"status": "catatonic"}
    simply_dies = not sheet.is_pc and house.foes_last_breaths == "none"
    return {"status": "dead" if simply_dies else "dying", "death_choice": "none"}


def pays_with_stamina(
    table: Table, sheet: Sheet, house: House, given: bool | None, of: Role, name: str
) -> bool:
    """Return whether stamina pays for a minor wound, asked during play and no by default (ATO-28, R38)."""
    if given is None and not sheet.is_pc and house.foes_stamina != "asked":
        given = house.foes_stamina == "spent"
    if given is not None or sheet.stamina <= 0:
        return bool(given) and sheet.stamina > 0
    question = f"Does {name} take the minor wound with stamina, {sheet.stamina} left?"
    return table.choose(question, (False, True), suggest=can_act(sheet), of=of, id="stamina")


def death_asks(wound: Wound, of: Role, name: str) -> tuple[Ask, ...]:
    """Return the offer of last breaths to a combatant that begins to die, or () (ATO-47)."""
    if not wound.dying:
        return ()
    says = "dying: last words, adrenaline or a miraculous recovery?"
    return (death_ask(f"{name} is {says}", of, f"{{names}} are {says}"),)


def death_ask(text: str, of: Role, several: str = "") -> Ask:
    """Return the offer of last breaths. The choice is asked, with a miraculous recovery suggested."""
    options = {"choice": "miraculous"}
    return Ask(text, "death_choice", by=of, options=options, choose=("choice",), several=several, about=of)


def wound_words(wound: Wound) -> str:
    """Return the wound in words: `a minor wound (hearts 3 → 2), dying`."""
    if wound.severity == "none":
        return "no wound"
    before, after, unit = wound.before, wound.after, wound.paid_by
    mental = "mental " if wound.track == "mental" else ""
    words = f"a {wound.severity} {mental}wound ({moved(before, after, unit)})"
    if after.wound_banes != before.wound_banes:
        words += f", bane {plain_number(-after.wound_banes)}"
    return words if after.status == before.status else f"{words}, {as_status(after.status)}"


def moved(before: Sheet, after: Sheet, unit: str) -> str:
    """Return the change of a unit in words: `hearts 3 → 2`, or `hearts stay 0`."""
    old, new = getattr(before, unit), getattr(after, unit)
    if old == new:
        return f"{unit} {_STAY[unit]} {new}"
    change = before_and_after if unit == "stamina" else as_health
    return f"{unit} {change(old, new)}"


def wound_steps(damage: int, wound: Wound, of: Whose = "") -> tuple[Step, ...]:
    """Return the explanation lines for damage, wound and cost. `of`: whose figure the damage is."""
    why = {"none": "0 and less", "minor": "1 to 9", "major": "10 and more: two units and a bane"}
    steps = [
        Step("damage", plain_number(damage), of=of),
        Step("wound", wound.severity, why[wound.severity]),
    ]
    if wound.paid_by != "none":
        note = wound.after.status if wound.after.status != wound.before.status else ""
        old, new = getattr(wound.before, wound.paid_by), getattr(wound.after, wound.paid_by)
        steps.append(Step(wound.paid_by, before_and_after(old, new), note))
    return tuple(steps)


@declare
class WoundOptions:
    damage: int = whole(-99, 999, help="0 and less: no wound (R11)")
    track: str = choice(TRACKS, "physical", "hearts or brains")
    use_stamina: bool | None = stamina_option()
    nonlethal: bool = nonlethal_option()


@declare
class LocationOptions:
    face: int = whole(1, 20, help="the natural die of the attack or failed manoeuvre (R16)")


def wound(scene: Scene[Sheet, WoundOptions, House], table: Table) -> Outcome:
    """Apply damage from any cause to the actor; no dice (ATO-30 to ATO-40)."""
    actor, options, name = scene.actor, scene.options, scene.actor_name
    severity = severity_of(options.damage)
    stamina = severity == "minor" and pays_with_stamina(
        table, actor, scene.house, options.use_stamina, "actor", name
    )
    done = wounded(actor, severity, options.track, scene.house, stamina=stamina, nonlethal=options.nonlethal)

    def tell() -> Explanation:
        numbers = f"{plain_number(options.damage)} damage."
        steps = wound_steps(options.damage, done)
        return Explanation(f"{name} takes {wound_words(done)}.", (), steps, done.rules, arithmetic=numbers)

    asks = death_asks(done, "actor", name)
    return Outcome(done.facts, {"actor": done.changes}, tell, asks, degree=severity)


def location(scene: Scene[Sheet, LocationOptions, House], table: Table) -> Outcome:
    """Return the place of a wound for a die that was already rolled (ATO-42, ATO-43)."""
    face = scene.options.face
    place = location_of(face)

    def tell() -> Explanation:
        text = f"{possessive(scene.actor_name)} wound is in the {place_words(place)}."
        return Explanation(text, rules=("ATO-42", "ATO-43"), arithmetic=f"Natural {face}.")

    return Outcome({"location": place}, tell=tell)


WOUND = Action(
    "wound",
    "Deal damage for any reason.",
    wound,
    WoundOptions,
    facts=WOUND_FACTS,
    group="health",
    rules=("ATO-28", "ATO-30", "ATO-31", "ATO-32", "ATO-34", "ATO-38", "ATO-39", "ATO-40"),
)
LOCATION = Action(
    "location",
    "Find the place of a wound.",
    location,
    LocationOptions,
    facts={"location": "one of fifteen places, from head to left_shoulder (ATO-43)"},
    group="check",
    rules=("ATO-42", "ATO-43"),
    title="location of a wound",
    unable=True,
)
