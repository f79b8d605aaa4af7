"""Gutterlight: smugglers in a drowned city. Pools of d6, each 5 or 6 is a mark."""

from functools import lru_cache

from systems.contract import sheet as contract
from systems.contract.action import Action, Refusal, Scene
from systems.contract.condition import VALUE, Condition, Effect
from systems.contract.display import Figure, Mark, Meter, StatusWord
from systems.contract.notation import notation
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Step, Term, refuse
from systems.contract.ruleset import AmountAction, Initiative, Ruleset
from systems.contract.table import Table
from systems.errors import Wrong
from systems.schema.conversion import change_entry, entry_named
from systems.schema.fields import (
    Entry,
    NoOptions,
    choice,
    declare,
    entries,
    flag,
    listing,
    table,
    text,
    whole,
)
from systems.schema.types import Whole
from systems.text import plain_number, shown, suggestion

SKILLS = ("blade", "pistol", "will", "instinct")


@declare
class Weapon(Entry):
    name: str = text()
    skill: str = choice(("blade", "pistol"), "blade", "which skill throws its dice")
    harm: int = whole(1, 5, 1, "wounds for a hit")
    loaded: int | None = whole(0, 12, None, "shots left in it", when_absent="needs none")
    magazine: int = whole(0, 12, 0, "shots when full")


@declare
class Sheet(contract.Sheet):
    status: str = choice(("up", "broken", "drowned"), "up", "as the game master says")
    max_wounds: int = whole(1, 8, 4, "wounds one can take")
    wounds: int = whole(0, 8, help="wounds left to take", same_as="max_wounds")
    max_stress: int = whole(1, 20, 10, "where nerves give")
    stress: int = whole(0, 20, 0, "rises with the night")
    luck: int = whole(0, 5, 2, "one is spent for a reroll")
    defence: int = whole(1, 6, 1, "marks that hit it")
    skills: dict[str, int] = table(Whole(0, 8), "dice thrown", names=SKILLS)
    debts: dict[str, int] = table(Whole(0, 1000), "who is owed how much")
    scars: tuple[int, ...] = listing(Whole(-3, 3), (), "each adds to every attack pool")
    weapons: tuple[Weapon, ...] = entries(Weapon, "the first is used when none is named")
    lamp: str = notation("2d6kh1", "oil that a night burns")
    stance: str = choice(("open", "guarded"), "open", "guarded is one harder to hit")
    burning: int = whole(0, 3, 0, "d6 thrown at the end of each turn")
    surged: bool = flag(False, "has surged in this fight")
    crew: bool = flag(True, "crew break at 0, others drown")


@declare
class AttackOptions:
    weapon: str | None = text(None, "a weapon of the sheet, or fists", when_absent="the first, else fists")
    modifiers: tuple[int, ...] = listing(Whole(-9, 9), (), "dice added or taken")
    bonus: int = whole(-9, 9, 0, "the game master's dice")
    aimed: bool = flag(False, "one more die")
    light: str = choice(("lamp", "dark"), "lamp", "in the dark two dice fewer")
    reroll: bool | None = flag(None, "luck is spent: the misses fall again", when_absent="asked")


@declare
class BlastOptions:
    powder: int = whole(1, 9, 2, "dice thrown")


@declare
class AmountOptions:
    amount: int = whole(0, 99, help="wounds")


@declare
class WeaponOptions:
    weapon: str | None = text(None, "a weapon of the sheet", when_absent="the first that takes shots")


@declare
class House:
    mark: int = whole(4, 6, 5, "a die of this or more is a mark")
    death: str = choice(("soft", "hard"), "soft", "hard: crew drown too")
    luck_rerolls: bool = flag(True, "luck may be spent for a reroll")


FISTS = Weapon(name="fists", skill="blade", harm=1)

Attack = Scene[Sheet, AttackOptions, House]


def status_of(sheet: Sheet, house: House) -> str:
    return sheet.status


def weapon_of(sheet: Sheet, name: str | None) -> Weapon:
    if name is None:
        return sheet.weapons[0] if sheet.weapons else FISTS
    found = entry_named((*sheet.weapons, FISTS), name)
    if found is None:
        known = [one.name for one in (*sheet.weapons, FISTS)]
        raise Wrong("options.weapon", f"no weapon {shown(name)}{suggestion(name, known)}")
    return found


@lru_cache(maxsize=8)
def attack_terms(scene: Attack) -> tuple[Term, ...]:
    weapon, options = weapon_of(scene.actor, scene.options.weapon), scene.options
    dark = options.light == "dark"
    return (
        Term(weapon.skill, scene.actor.skills.get(weapon.skill, 0)),
        *(Term("scar", one) for one in scene.actor.scars),
        *(Term("modifier", one) for one in options.modifiers),
        Term("bonus", options.bonus),
        Term("aimed", 1 if options.aimed else 0, "" if options.aimed else "not aimed"),
        Term("dark", -2 if dark else 0, "" if dark else "lamplight"),
    )


def fall(wounds: int, target: Sheet, house: House) -> dict[str, object]:
    left = max(0, target.wounds - wounds)
    changes: dict[str, object] = {"wounds": left}
    if left == 0 and target.status == "up":
        changes["status"] = "broken" if target.crew and house.death == "soft" else "drowned"
    return changes


def thrown(table: Table, size: int, why: str, house: House) -> int:
    return table.count(size, 6, house.mark, why)


def attack(scene: Attack, table: Table) -> Outcome:
    actor, target, options, house = scene.actor, scene.target, scene.options, scene.house
    weapon = weapon_of(actor, options.weapon)
    if actor.status != "up":
        return refuse("status", f"{scene.actor_name} is {actor.status} and cannot fight.")
    if weapon.loaded == 0:
        return refuse("empty", f"{scene.actor_name}'s {weapon.name} is empty.")
    if options.reroll and actor.luck == 0:
        return refuse("luck", f"{scene.actor_name} has no luck left.")
    size = max(1, min(10, sum(term.value for term in attack_terms(scene))))
    first = thrown(table, size, weapon.name, house)
    misses = size - first
    spent = False
    again = 0
    if misses and actor.luck and house.luck_rerolls:
        spent = table.choose(
            f"{scene.actor_name} has {first} of {needed(target)}. Spend luck to throw {misses} again?",
            (False, True),
            suggest=first < needed(target),
            of="actor",
            given=options.reroll,
        )
        if spent:
            again = thrown(table, misses, "luck", house)
    marks = first + again
    hit = marks >= needed(target)
    harm = weapon.harm + (marks - needed(target)) // 2 if hit else 0
    after = fall(harm, target, house) if harm else {}
    dropped = "status" in after
    mine: dict[str, object] = {}
    if spent:
        mine["luck"] = actor.luck - 1
    if weapon.loaded is not None:
        mine["weapons"] = change_entry(actor.weapons, weapon, loaded=weapon.loaded - 1)
    facts = {
        "dice": size,
        "marks": marks,
        "needed": needed(target),
        "hit": hit,
        "harm": harm,
        "rerolled": spent,
        "dropped": dropped,
    }

    def tell() -> Explanation:
        line = f"{scene.actor_name} {'hits' if hit else 'misses'} {scene.target_name} with {weapon.name}"
        line += f": {marks} of {needed(target)} marks"
        if hit:
            line += f", {harm} harm, wounds {target.wounds} → {max(0, target.wounds - harm)}"
        steps = [Step("dice", str(size)), Step("first", str(first))]
        if spent:
            steps.append(Step("again", str(again), "luck spent"))
        steps.append(Step("needed", str(needed(target)), target.stance))
        return Explanation(f"{line}.", attack_terms(scene), tuple(steps), ("GUTTER-2",))

    gives: list[GivenCondition] = []
    if dropped:
        gives.append(GivenCondition("allies", "heartened", 1, rounds=2))
    if hit and marks >= needed(target) + 3:
        gives.append(GivenCondition("target", "reeling", rounds=1))
    return Outcome(
        facts,
        {"target": after, "actor": mine},
        tell,
        asks=(Ask(f"{scene.target_name} may riposte.", "riposte", by="target", target="actor"),)
        if marks == 0 and weapon.skill == "blade"
        else (),
        gives=tuple(gives),
        degree="hit" if hit else "miss",
    )


def needed(sheet: Sheet) -> int:
    return sheet.defence + (1 if sheet.stance == "guarded" else 0)


def riposte(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    actor, target = scene.actor, scene.target
    if actor.status != "up":
        return refuse("status", f"{scene.actor_name} is {actor.status} and cannot fight.")
    size = max(1, actor.skills.get("blade", 0))
    marks = sum(face >= scene.house.mark for face in table.pool(size, 6, "riposte"))
    hit = marks >= needed(target)
    after = fall(1, target, scene.house) if hit else {}

    def tell() -> Explanation:
        return Explanation(
            f"{scene.actor_name} ripostes {scene.target_name}: {marks} of {needed(target)} marks.",
            (Term("blade", size),),
            (),
            ("GUTTER-3",),
        )

    return Outcome(
        {"marks": marks, "hit": hit, "harm": int(hit), "needed": needed(target)},
        {"target": after},
        tell,
        degree="hit" if hit else "miss",
    )


def shout(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """At one: its nerves. At nobody: the crew takes heart."""
    actor = scene.actor
    if actor.stress >= actor.max_stress:
        return refuse("stress", f"{scene.actor_name} has no voice left.")
    marks = sum(f >= scene.house.mark for f in table.pool(max(1, actor.skills.get("will", 0)), 6, "will"))
    if scene.has_target:
        target = scene.target
        new = min(target.max_stress, target.stress + 2 * marks)
        explanation = Explanation(
            f"{scene.actor_name} shouts at {scene.target_name}: stress {target.stress} → {new}."
        )
        return Outcome(
            {"marks": marks, "passed": marks > 0},
            {"target": {"stress": new}},
            lambda: explanation,
            gives=(GivenCondition("target", "spotted", marks),) if marks else (),
            degree="passed" if marks else "failed",
        )
    explanation = Explanation(f"{scene.actor_name} shouts to the crew: {marks} marks.")
    return Outcome(
        {"marks": marks, "passed": marks > 0},
        tell=lambda: explanation,
        gives=(GivenCondition("allies", "heartened", marks, rounds=1),) if marks else (),
        degree="passed" if marks else "failed",
    )


def light(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    explanation = Explanation(f"{scene.actor_name} lights the keg.")
    return Outcome({}, tell=lambda: explanation, asks=(Ask("Who is near?", "blast", options={"powder": 3}),))


def blast(scene: Scene[Sheet, BlastOptions, House], table: Table) -> Outcome:
    """Powder for everybody near, whoever lit it too: thrown once, one stress for it, a die less each time."""
    target, before = scene.target, scene.before
    marks = before["marks"] - 1 if before else thrown(table, scene.options.powder, "powder", scene.house)
    harm = max(0, marks)
    explanation = Explanation(f"{scene.target_name} is caught: {harm} harm.", (Term("marks", marks),))
    return Outcome(
        {"marks": marks, "harm": harm},
        {
            "actor": {} if before else {"stress": scene.actor.stress + 1},
            "target": fall(harm, target, scene.house),
        },
        lambda: explanation,
        gives=(
            GivenCondition("target", "deafened", until="end", of="target"),
            GivenCondition("target", "sooty", until="start"),
        ),
    )


def surge(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    actor = scene.actor
    if actor.surged:
        return refuse("surged", f"{scene.actor_name} has surged in this fight.")
    explanation = Explanation(
        f"{scene.actor_name} surges and acts again: stress {actor.stress} → {actor.stress + 3}."
    )
    return Outcome(
        {"stress": actor.stress + 3},
        {"actor": {"stress": actor.stress + 3, "surged": True}},
        lambda: explanation,
        extra_turn="actor",
    )


def reload(scene: Scene[Sheet, WeaponOptions, House], table: Table) -> Outcome:
    actor, name = scene.actor, scene.options.weapon
    if name is None:
        weapon = next((one for one in actor.weapons if one.magazine), None)
        if weapon is None:
            return refuse("none", f"{scene.actor_name} has nothing to load.")
    else:
        weapon = weapon_of(actor, name)
        if not weapon.magazine:
            return refuse("none", f"{weapon.name} takes no shots.")
    explanation = Explanation(
        f"{scene.actor_name} loads {weapon.name}: {weapon.loaded or 0} → {weapon.magazine}."
    )
    return Outcome(
        {"loaded": weapon.magazine},
        {"actor": {"weapons": change_entry(actor.weapons, weapon, loaded=weapon.magazine)}},
        lambda: explanation,
    )


def brace(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    explanation = Explanation(f"{scene.actor_name} is on guard.")
    return Outcome({"stance": "guarded"}, {"actor": {"stance": "guarded"}}, lambda: explanation)


def harm(scene: Scene[Sheet, AmountOptions, House], table: Table) -> Outcome:
    actor = scene.actor
    taken = min(actor.wounds, scene.options.amount)
    explanation = Explanation(
        f"{scene.actor_name} takes {taken}: wounds {actor.wounds} → {actor.wounds - taken}."
    )
    return Outcome({"taken": taken}, {"actor": fall(taken, actor, scene.house)}, lambda: explanation)


def heal(scene: Scene[Sheet, AmountOptions, House], table: Table) -> Outcome:
    actor = scene.actor
    if actor.status == "drowned":
        return refuse("drowned", f"{scene.actor_name} is in the canal for good.")
    healed = max(0, min(scene.options.amount, actor.max_wounds - actor.wounds))
    changes: dict[str, object] = {"wounds": actor.wounds + healed}
    if healed and actor.status == "broken":
        changes["status"] = "up"
    explanation = Explanation(
        f"{scene.actor_name} is patched up by {healed}: wounds {actor.wounds} → {actor.wounds + healed}."
    )
    return Outcome({"healed": healed}, {"actor": changes}, lambda: explanation)


def carouse(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    best = table.pool(2, 6, "drink")[0]
    left = max(0, scene.actor.stress - best)
    explanation = Explanation(
        f"{scene.actor_name} drinks: stress {scene.actor.stress} → {left}.", (Term("better of 2d6", best),)
    )
    return Outcome(
        {"best": best, "stress": left},
        {"actor": {"stress": left, "luck": scene.actor.luck + 1}},
        lambda: explanation,
    )


def status(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    explanation = Explanation(f"{scene.actor_name} is {scene.actor.status}.")
    return Outcome({"can_act": scene.actor.status == "up"}, tell=lambda: explanation)


def round_start(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    explanation = Explanation("")
    return Outcome(
        {"stress": scene.actor.stress + 1},
        {"actor": {"stress": min(scene.actor.max_stress, scene.actor.stress + 1)}},
        lambda: explanation,
    )


def turn_start(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    back = scene.actor.stance == "guarded"
    explanation = Explanation(f"{scene.actor_name} lowers the guard." if back else "")
    return Outcome({"lowered": back}, {"actor": {"stance": "open"}}, lambda: explanation)


def turn_end(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    actor = scene.actor
    if not actor.burning or actor.status == "drowned":
        return Outcome({"burnt": 0}, tell=lambda: Explanation(""))
    faces = table.pool(actor.burning, 6, "fire")
    burnt = sum(face <= 3 for face in faces)
    explanation = Explanation(
        f"{scene.actor_name} burns: {burnt} harm, wounds {actor.wounds} → {max(0, actor.wounds - burnt)}."
    )
    return Outcome({"burnt": burnt}, {"actor": fall(burnt, actor, scene.house)}, lambda: explanation)


def encounter_end(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    explanation = Explanation(f"{scene.actor_name} breathes out.")
    return Outcome(
        {"surged": scene.actor.surged},
        {"actor": {"surged": False, "burning": 0, "stance": "open"}},
        lambda: explanation,
    )


ACTIONS = (
    Action(
        "attack",
        "A pool against one target.",
        attack,
        AttackOptions,
        targets="many",
        facts={
            "dice": "dice thrown",
            "marks": "dice that counted",
            "needed": "what it takes",
            "hit": "enough marks",
            "harm": "wounds lost",
            "rerolled": "luck was spent",
            "dropped": "the target fell",
        },
        refusals=(
            Refusal("status", "the actor is not up"),
            Refusal("empty", "the weapon is empty"),
            Refusal("luck", "no luck to spend"),
        ),
        rules=("GUTTER-2",),
        success="hit",
        amount="harm",
        against="needed",
    ),
    Action(
        "riposte",
        "An answer to a blow that went wide.",
        riposte,
        targets="one",
        facts={
            "marks": "dice that counted",
            "hit": "enough",
            "harm": "wounds lost",
            "needed": "what it takes",
        },
        refusals=(Refusal("status", "the actor is not up"),),
        rules=("GUTTER-3",),
        success="hit",
        amount="harm",
        against="needed",
    ),
    Action(
        "shout",
        "At one: its nerves. At nobody: the crew takes heart.",
        shout,
        targets="optional",
        facts={"marks": "dice that counted", "passed": "any at all"},
        refusals=(Refusal("stress", "no voice left"),),
        group="check",
        success="passed",
    ),
    Action("light", "A keg with a fuse.", light),
    Action(
        "blast",
        "Powder for everybody near.",
        blast,
        BlastOptions,
        targets="many",
        facts={"marks": "dice that counted, one less for each", "harm": "wounds lost"},
        amount="harm",
        itself=True,
        heading=lambda scene, facts: f"The keg goes up: {len(facts)} are near.",
    ),
    Action(
        "surge",
        "Three stress for another turn.",
        surge,
        facts={"stress": "afterwards"},
        refusals=(Refusal("surged", "once a fight"),),
        group="turn",
    ),
    Action(
        "reload",
        "Fill one weapon.",
        reload,
        WeaponOptions,
        facts={"loaded": "shots in it now"},
        refusals=(Refusal("none", "nothing to load"),),
    ),
    Action("brace", "On guard until the next turn.", brace, facts={"stance": "guarded"}, group="turn"),
    Action(
        "harm",
        "Wounds by any cause.",
        harm,
        AmountOptions,
        facts={"taken": "wounds lost"},
        group="health",
        amount="taken",
    ),
    Action(
        "heal",
        "Wounds patched.",
        heal,
        AmountOptions,
        facts={"healed": "what was gained"},
        refusals=(Refusal("drowned", "past healing"),),
        group="health",
    ),
    Action(
        "carouse",
        "A night of drink.",
        carouse,
        facts={"best": "the better die", "stress": "afterwards"},
        group="camp",
    ),
    Action("status", "What the sheet amounts to.", status, facts={"can_act": "is up"}, group="check"),
    Action("round_start", "The night wears on.", round_start, facts={"stress": "afterwards"}, group="hook"),
    Action(
        "turn_start", "The guard comes down.", turn_start, facts={"lowered": "was on guard"}, group="hook"
    ),
    Action("turn_end", "Fire.", turn_end, facts={"burnt": "wounds lost"}, group="hook"),
    Action("encounter_end", "It is over.", encounter_end, facts={"surged": "had surged"}, group="hook"),
)


def join(sheet: Sheet, is_player: bool) -> dict[str, object]:
    return {"crew": is_player}


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    marks = []
    if sheet.burning:
        marks.append(Mark(f"fire {sheet.burning}", "danger"))
    if sheet.stance == "guarded":
        marks.append(Mark("guard", "good"))
    if sheet.stress >= sheet.max_stress:
        marks.append(Mark("frayed", "warning"))
    if sheet.surged:
        marks.append(Mark("surged", "muted"))
    if sheet.luck:
        marks.append(Mark(f"luck {sheet.luck}", "accent"))
    marks.append(Mark(f"def {needed(sheet)}", "plain"))
    return tuple(marks)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    lines = []
    if sheet.burning:
        lines.append(f"On fire: {sheet.burning}d6 at the end of this turn")
    weapon = weapon_of(sheet, None)
    if weapon.loaded == 0:
        lines.append(f"{weapon.name} is empty")
    return tuple(lines)


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    weapon = weapon_of(sheet, None)
    terms = (
        Term(weapon.skill, sheet.skills.get(weapon.skill, 0), weapon.name),
        *(Term("scar", s) for s in sheet.scars),
    )
    total = sum(t.value for t in terms)
    return (
        Figure("attack", total, terms, f"{plain_number(total)}d6, {house.mark} or more"),
        Figure(
            "defence",
            needed(sheet),
            (Term("defence", sheet.defence), Term("stance", needed(sheet) - sheet.defence)),
        ),
    )


RULESET = Ruleset(
    contract=2,
    name="gutterlight",
    title="Gutterlight",
    credit="nobody in particular",
    sheet=Sheet,
    house=House,
    actions=ACTIONS,
    default_action="attack",
    status=status_of,
    stored_status=True,
    statuses=(
        StatusWord("up", "good"),
        StatusWord("broken", "danger", acts=False),
        StatusWord("drowned", "muted", acts=False, in_order=False),
    ),
    meters=(
        Meter("wounds", "wounds", "max_wounds", style="pips", symbols=("●", "○"), letter="w"),
        Meter("stress", "stress", "max_stress", style="bar"),
    ),
    damage=AmountAction("harm"),
    heal=AmountAction("heal"),
    conditions=(
        Condition(
            "wrenched",
            "one die fewer on attacks",
            "warning",
            effects=(Effect("attack", "modifiers", "actor", amount=-1),),
            rules=("GUTTER-7",),
        ),
        Condition(
            "heartened",
            "its value in dice more on attacks",
            "good",
            effects=(Effect("attack", "modifiers", "actor"),),
        ),
        Condition(
            "spotted",
            "attacks on it are at + its value",
            "danger",
            effects=(Effect("attack", "bonus", "target"),),
        ),
        Condition(
            "sighted",
            "its attacks are aimed",
            "accent",
            effects=(Effect("attack", "aimed", "actor", value=True),),
        ),
        Condition(
            "shrouded",
            "attacks on it are in the dark",
            "muted",
            effects=(Effect("attack", "light", "target", value="dark"),),
        ),
        Condition(
            "reeling",
            "one die fewer, and easier to hit",
            "warning",
            effects=(
                Effect("attack", "bonus", "actor", amount=-1),
                Effect("attack", "bonus", "target", amount=1),
            ),
        ),
        Condition("deafened", "hears nothing"),
        Condition("sooty", "black in the face", "muted"),
        Condition("guarded", "one harder to hit", "good", field="stance", on="guarded", off="open"),
        Condition(
            "ablaze", "burns at the end of its turn", "danger", field="burning", on=VALUE, off=0, most=3
        ),
    ),
    order=lambda house: "initiative",
    initiative=Initiative(
        lambda sheet, table: sum(
            f >= 5 for f in table.pool(max(1, sheet.skills.get("instinct", 0)), 6, "initiative")
        ),
        tie=lambda sheet: sheet.skills.get("instinct", 0),
        roll_off=6,
    ),
    join=join,
    glance=glance,
    brief=brief,
    figures=figures,
    seat_fields=("wounds", "max_wounds", "stress", "max_stress", "luck"),
)
