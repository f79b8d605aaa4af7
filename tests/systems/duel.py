"""Duel: a d6 and a guard to beat. A worked example, complete and small."""

from functools import lru_cache

from systems.contract import sheet as contract
from systems.contract.action import Action, Refusal, Scene
from systems.contract.condition import Condition, Effect
from systems.contract.display import Figure, Mark, Meter, StatusWord
from systems.contract.marked_text import as_change, as_health, as_status
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Role, Step, Term, refuse
from systems.contract.reaction import Reaction
from systems.contract.ruleset import AmountAction, Initiative, Ruleset
from systems.contract.sheet import Section, Templates
from systems.contract.table import Blow, Table, read_dice
from systems.errors import unknown
from systems.schema.conversion import entry_named
from systems.schema.fields import Entry, NoOptions, choice, declare, dice, entries, flag, text, whole
from systems.text import plain_number, shown


@declare
class Weapon(Entry):
    LINE = ("damage", "reach")
    name: str = text()
    damage: str = dice("1d6", "rolled on a hit")
    reach: str = choice(("short", "long"), "short", "a long weapon strikes at +1")


@declare
class Sheet(contract.Sheet):
    max_hp: int = whole(1, 99, 10, "hit points when unhurt")
    hp: int = whole(0, 99, help="hit points now", same_as="max_hp")
    skill: int = whole(0, 9, 2, "added to the attack die")
    guard: int = whole(2, 15, 6, "what an attack has to reach")
    nerve: int = whole(1, 100, 50, "chance in a hundred to stand firm")
    speed: int = whole(0, 9, 2, "added to the initiative die")
    weapons: tuple[Weapon, ...] = entries(Weapon, "the first is used when none is named")
    hero: bool = flag(True, "heroes go down at 0, others die")
    parried: bool = flag(False, "has parried since the start of its turn", lasts="turn")
    winded: bool = flag(False, "cannot attack until its next turn has begun", lasts="turn")
    watching: bool = flag(False, "may strike at a foe that steps back", lasts="turn")


@declare
class AttackOptions:
    weapon: str | None = text(None, "a weapon of the sheet, or fist", when_absent="the first, else fist")
    modifier: int = whole(-20, 20, 0, "the game master's number")
    parry: bool | None = flag(None, "the target parries a hit: half damage", when_absent="asked")


@declare
class AmountOptions:
    amount: int = whole(0, 99, help="hit points")


@declare
class House:
    ties_hit: bool = flag(True, "a total equal to the guard hits")
    slow_first: bool = flag(False, "low initiative comes first")


FIST = Weapon(name="fist", damage="1d4")

Attack = Scene[Sheet, AttackOptions, House]


def status_of(sheet: Sheet, house: House) -> str:
    """`standing`, or at 0 hit points `down` for a hero and `dead` for anybody else."""
    if sheet.hp > 0:
        return "standing"
    return "down" if sheet.hero else "dead"


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    """The weapon that is meant. Raises Wrong when there is none of that name."""
    if name is None:
        return sheet.weapons[0] if sheet.weapons else FIST
    found = entry_named((*sheet.weapons, FIST), name)
    if found is None:
        known = [weapon.name for weapon in (*sheet.weapons, FIST)]
        raise unknown("options.weapon", f"no weapon {shown(name)}", name, known)
    return found


@lru_cache(maxsize=8)
def attack_terms(scene: Attack) -> tuple[Term, ...]:
    """What is added to the attack die; worked out once for a scene, however many branches it has."""
    weapon = weapon_of(scene.actor, scene.options.weapon)
    terms = [Term("skill", scene.actor.skill), Term("modifier", scene.options.modifier)]
    reach = weapon.reach == "long"
    terms.append(Term("reach", 1 if reach else 0, "" if reach else f"{weapon.name} is short"))
    return tuple(terms)


def attack(scene: Attack, table: Table) -> Outcome:
    """A d6 and the skill against the guard; a hit rolls damage; the target may parry."""
    actor, target, options = scene.actor, scene.target, scene.options
    weapon = weapon_of(actor, options.weapon)
    if status_of(actor, scene.house) != "standing":
        return refuse("status", f"{scene.actor_name} cannot fight.")
    if actor.winded:
        return refuse("winded", f"{scene.actor_name} is winded and cannot attack before the next turn.")
    face = table.d(6, weapon.name)
    total = sum(term.value for term in attack_terms(scene)) + face
    hit = total >= target.guard if scene.house.ties_hit else total > target.guard
    rolled = table.blows(1, Blow(read_dice(weapon.damage)), "damage") if hit else 0
    parried = hit and not target.parried and _parries(scene, table)
    damage = rolled // 2 if parried else rolled
    facts = {"total": total, "guard": target.guard, "hit": hit, "parried": parried, "damage": damage}
    hurt = {"hp": max(0, target.hp - damage)} if damage else {}
    spent = {"parried": True} if parried else {}

    def tell() -> Explanation:
        line = f"{scene.who_acts} {'hits' if hit else 'misses'} {scene.target_name}"
        numbers = f"{total} against {target.guard}"
        if hit:
            line += f" for {damage}{as_change('hp', target.hp, max(0, target.hp - damage))}"
            numbers += f", {rolled} damage"
        steps = [Step("guard", str(target.guard))]
        if hit:
            how = f"{rolled} halved by a parry" if parried else weapon.damage
            steps.append(Step("damage", str(damage), how))
        terms = (*attack_terms(scene), Term("d6", face))
        return Explanation(f"{line}.", terms, tuple(steps), ("DUEL-1",), arithmetic=f"{numbers}.")

    return Outcome(
        facts,
        {"actor": {"watching": False}, "target": {**hurt, **spent}},
        tell,
        asks=_strikes_back(scene) if face == 1 else (),
        degree="hit" if hit else "miss",
        gives=(GivenCondition("target", "shaken", rounds=1),) if hit and face == 6 else (),
    )


def _parries(scene: Attack, table: Table) -> bool:
    """Asked when the hit is seen. Nobody there to ask: no. In play the answer offered is yes."""
    question = f"Does {scene.target_name} parry?"
    return table.choose(question, (False, True), suggest=True, of="target", given=scene.options.parry)


def _strikes_back(scene: Attack) -> tuple[Ask, ...]:
    return (Ask(f"{scene.target_name} may strike back at once.", "attack", by="target", target="actor"),)


ATTACK = Action(
    "attack",
    "One blow at one target.",
    attack,
    AttackOptions,
    targets="many",
    facts={
        "total": "die + skill + modifier + reach",
        "guard": "the number to reach",
        "hit": "the guard was reached",
        "parried": "the target parried: half damage",
        "damage": "hit points lost",
    },
    refusals=(Refusal("status", "the actor is not standing"), Refusal("winded", "the actor is winded")),
    rules=("DUEL-1",),
    success="hit",
    amount="damage",
    against="guard",
)


def steady(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Nerve against a hundred: two branches in odds, not a hundred."""
    roll = table.chance(scene.actor.nerve, 100, "nerve")
    word = "stands firm" if roll.passed else "wavers"

    def tell() -> Explanation:
        terms = (Term("d100", roll.face),)
        steps = (Step("nerve", str(scene.actor.nerve)),)
        return Explanation(f"{scene.who_acts} {word}: {roll.face} against {scene.actor.nerve}.", terms, steps)

    return Outcome({"passed": roll.passed}, tell=tell, degree="passed" if roll.passed else "failed")


def stare(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Both throw a d6 until one is higher; the other is winded."""

    def throw(again: Table) -> int:
        return again.d(6, "stare") - again.d(6, "stare", "target")

    margin, tries = table.until(throw, bool)
    winner: Role = "actor" if margin > 0 else "target"
    loser: Role = "target" if margin > 0 else "actor"
    names = {"actor": scene.actor_name, "target": scene.target_name}
    explanation = Explanation(f"{names[winner]} stares {names[loser]} down by {abs(margin)}.")
    return Outcome(
        {"margin": margin, "winner": winner, "tries": tries},
        {loser: {"winded": True}},
        lambda: explanation,
        degree=winner,
    )


def harm(scene: Scene[Sheet, AmountOptions, House], table: Table) -> Outcome:
    """Hit points lost by any cause."""
    actor = scene.actor
    taken = min(actor.hp, scene.options.amount)
    explanation = Explanation(
        f"{scene.actor_name} loses {taken} hp: {as_health(actor.hp, actor.hp - taken)}."
    )
    return Outcome({"taken": taken}, {"actor": {"hp": actor.hp - taken}}, lambda: explanation)


def heal(scene: Scene[Sheet, AmountOptions, House], table: Table) -> Outcome:
    """Hit points given back, never above the maximum; what stands above it already stays."""
    actor = scene.actor
    if status_of(actor, scene.house) == "dead":
        return refuse("dead", f"{scene.actor_name} is dead, and the dead stay dead.")
    healed = max(0, min(scene.options.amount, actor.max_hp - actor.hp))
    moved = as_health(actor.hp, actor.hp + healed)
    explanation = Explanation(f"{scene.actor_name} is healed by {healed}: hp {moved}.")
    return Outcome({"healed": healed}, {"actor": {"hp": actor.hp + healed}}, lambda: explanation)


def rest(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """The better of two d6, as a pool: order does not count."""
    best = table.pool(2, 6, "rest")[0]
    healed = max(0, min(best, scene.actor.max_hp - scene.actor.hp))
    changes = {"hp": scene.actor.hp + healed}
    explanation = Explanation(
        f"{scene.who_acts} rests and regains {healed} hp.", (Term("better of 2d6", best),)
    )
    return Outcome({"best": best, "healed": healed}, {"actor": changes}, lambda: explanation)


def status(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """What the sheet amounts to; no dice."""
    word = status_of(scene.actor, scene.house)
    explanation = Explanation(f"{scene.actor_name} is {as_status(word)}.")
    return Outcome({"can_act": word == "standing" and not scene.actor.winded}, tell=lambda: explanation)


def turn_start(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """A parry is there again and the breath is back."""
    back = scene.actor.winded
    explanation = Explanation(f"{scene.actor_name} has breath again." if back else "")
    return Outcome({"recovered": back}, {"actor": {"parried": False, "winded": False}}, lambda: explanation)


STEADY = Action(
    "steady",
    "A test of nerve.",
    steady,
    facts={"passed": "at or under nerve"},
    group="check",
    success="passed",
)
STARE = Action(
    "stare",
    "Who looks away first.",
    stare,
    targets="one",
    facts={"margin": "of the actor", "winner": "actor or target", "tries": "how often they threw"},
    group="check",
)
HARM = Action(
    "harm",
    "Hit points lost by any cause.",
    harm,
    AmountOptions,
    facts={"taken": "hit points lost"},
    group="health",
    amount="taken",
)
HEAL = Action(
    "heal",
    "Hit points given back.",
    heal,
    AmountOptions,
    facts={"healed": "what was gained"},
    refusals=(Refusal("dead", "the actor is dead"),),
    group="health",
)
REST = Action(
    "rest",
    "A night's rest.",
    rest,
    title="night's rest",
    letter="z",
    facts={"best": "the better die", "healed": "what was gained"},
    group="camp",
)
STATUS = Action(
    "status", "What the sheet amounts to.", status, facts={"can_act": "standing, not winded"}, group="check"
)
TURN_START = Action(
    "turn_start", "The start of a turn.", turn_start, facts={"recovered": "was winded"}, group="hook"
)


def watch(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """The turn goes into waiting for a foe that steps back, until the next turn begins."""
    if status_of(scene.actor, scene.house) != "standing":
        return refuse("status", f"{scene.actor_name} cannot fight.")
    explanation = Explanation(f"{scene.actor_name} watches for a step back.")
    return Outcome(
        {"watching": True},
        {"actor": {"watching": True}},
        lambda: explanation,
        gives=(GivenCondition("actor", "watching", until="start"),),
    )


def step(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """A step back."""
    return Outcome({}, tell=lambda: Explanation(f"{scene.actor_name} steps back."))


def strike_after(scene: Scene[Sheet, NoOptions, House]) -> tuple[Ask, ...]:
    """What lies before one who watches, the actor here; whoever has stepped back is the target."""
    sentence = f"{scene.actor_name} may strike at {scene.target_name}."
    return (Ask(sentence, "attack", target="target", options={"modifier": 1}),)


WATCH = Action(
    "watch",
    "Wait for a foe that steps back.",
    watch,
    facts={"watching": "waits"},
    refusals=(Refusal("status", "the actor is not standing"),),
)
STEP = Action("step", "A step back.", step, group="turn")
STRIKE_AFTER = Reaction(
    "strike_after",
    "Who watches may strike at a foe that steps back.",
    after="step",
    offers=strike_after,
    ready=lambda sheet, house: sheet.watching,
)


def join(sheet: Sheet, is_player: bool) -> dict[str, object]:
    """What the tracker fills in for one who enters the fight."""
    return {"hero": is_player}


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    """Marks beside the name, shortest first."""
    marks = []
    if sheet.winded:
        marks.append(Mark("winded", "warning"))
    if sheet.parried:
        marks.append(Mark("parried", "muted"))
    return tuple(marks)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    """Lines at the start of the turn: what the player should know now."""
    return (f"Badly hurt, {sheet.hp} hp left",) if 0 < 3 * sheet.hp <= sheet.max_hp else ()


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Worked-out numbers for the status screen, each with its terms."""
    weapon = weapon_of(sheet, None)
    reach = 1 if weapon.reach == "long" else 0
    terms = (Term("skill", sheet.skill), Term("reach", reach, weapon.name))
    return (Figure("attack", sheet.skill + reach, terms, f"d6 {plain_number(sheet.skill + reach)} or more"),)


CONDITIONS = (
    Condition(
        "shaken",
        "strikes at -2",
        "warning",
        effects=(Effect("attack", "modifier", "actor", amount=-2),),
        rules=("DUEL-2",),
    ),
    Condition(
        "exposed",
        "attacks on it are at + its value",
        "danger",
        effects=(Effect("attack", "modifier", "target"),),
    ),
    Condition("winded", "cannot attack before its next turn", "warning", field="winded"),
    Condition("watching", "may strike at a foe that steps back", "accent", field="watching", acting=True),
)

STATUSES = (
    StatusWord("standing", "good"),
    StatusWord("down", "danger", acts=False),
    StatusWord("dead", "muted", acts=False, in_order=False),
)


def initiative(house: House) -> Initiative:
    """A d6 and the speed; equal scores go by speed, then by a d6 each."""
    return Initiative(
        lambda sheet, table: table.d(6, "initiative") + sheet.speed,
        tie=lambda sheet: int(sheet.speed),
        roll_off=6,
        first="low" if house.slow_first else "high",
    )


RULESET = Ruleset(
    contract=2,
    name="duel",
    title="Duel",
    credit="a worked example",
    sheet=Sheet,
    house=House,
    actions=(ATTACK, WATCH, STEP, STEADY, STARE, HARM, HEAL, REST, STATUS, TURN_START),
    default_action="attack",
    status=status_of,
    statuses=STATUSES,
    meters=(Meter("hp", "hp", "max_hp", style="pips", symbols=("♥", "♡"), letter="h"),),
    damage=AmountAction("harm"),
    heal=AmountAction("heal"),
    conditions=CONDITIONS,
    reactions=(STRIKE_AFTER,),
    order=lambda house: "initiative",
    initiative=initiative,
    join=join,
    glance=glance,
    brief=brief,
    figures=figures,
    seat_fields=("hp", "max_hp"),
    sections=(
        Section("Body", ("max_hp", "hp", "hero")),
        Section("Fighting", ("skill", "guard", "nerve", "speed")),
        Section("Weapons", ("weapons",)),
    ),
    templates=lambda house: Templates(
        player={"skill": 3, "weapons": [{"name": "sword", "damage": "1d8"}]},
        creature={"max_hp": 6, "guard": 5},
    ),
)
