"""The Aether Mark: one test die thrown again, once; and the giving of a new one."""

from collections.abc import Callable, Mapping

from systems.contract.outcome import Ask, Explanation, Outcome, Role, Term, refuse
from systems.contract.ruleset import Action, Refusal, Scene
from systems.contract.table import Table
from systems.schema.conversion import replace
from systems.schema.fields import NoOptions, flag
from systems.waygate.house import House
from systems.waygate.sheet import Sheet, life_status

MARK_REFUSAL = Refusal("mark", "use_aether_mark without a mark")
TARGET_MARK_REFUSAL = Refusal("target_mark", "target_use_aether_mark without a mark of the target's")


def mark_option(
    help: str = (
        "spend the actor's mark: the d20 is rolled a second time and the second face counts for "
        "everything (WAY-49, R27)"
    ),
) -> bool | None:
    """Declare the option that every test has. Left out, it is asked for once a die has failed."""
    option: bool | None = flag(None, help, when_absent="false", one_off=True)
    return option


def mark_refused(
    sheet: Sheet, use: bool | None, name: str, refusal: Refusal = MARK_REFUSAL
) -> Outcome | None:
    """Refuse to spend a mark that is not there (R27)."""
    if use and not sheet.aether_marks:
        return refuse(refusal.reason, f"{name} has no Aether Mark to spend.")
    return None


def mark_spent(sheet: Sheet, spent: bool) -> dict[str, object]:
    """What spending it changes (WAY-49)."""
    return {"aether_marks": sheet.aether_marks - 1} if spent else {}


def may_ask(sheet: Sheet, use: bool | None) -> bool:
    """Whether it was left open and there is a mark to ask about."""
    return use is None and sheet.aether_marks > 0


def wants_mark(table: Table, seen: str, of: Role = "actor") -> bool:
    """Ask whether `of` spends its mark on a die that lies on the table, told by `seen` (WAY-50).

    Nobody spends it unasked.
    """
    return table.choose(f"{seen}. Spend the Aether Mark?", (False, True), suggest=False, of=of)


def again(table: Table, why: str, of: Role = "actor") -> int:
    """Roll the second d20, which replaces the first and is final (WAY-50)."""
    return table.d(20, f"{why}, Aether Mark", of)


def test_die(
    table: Table, sheet: Sheet, use: bool | None, why: str, failed: Callable[[int], str]
) -> tuple[int, bool]:
    """The face that counts, and whether the mark was spent for it (WAY-49, WAY-50, R27).

    `failed` says in a few words what is wrong with a face, or nothing where there is nothing.
    """
    if use:
        table.spill(20, why)
        return again(table, why), True
    face = table.d(20, why)
    seen = failed(face) if may_ask(sheet, use) else ""
    if seen and wants_mark(table, seen):
        return again(table, why), True
    return face, False


def die_terms(face: int, marked: bool) -> tuple[Term, ...]:
    """The die as a summand, and the one that the mark took back."""
    if marked:
        return (Term("first d20", 0, "taken back with the Aether Mark"), Term("d20", face))
    return (Term("d20", face),)


def back_from_death(
    sheet: Sheet, changes: Mapping[str, int], house: House, name: str, role: Role
) -> tuple[Ask, ...]:
    """Whoever dies may come back, once, by a mark: its own, else that of an ally (WAY-47, WAY-53, WAY-N9)."""
    if sheet.brought_back or life_status(sheet, house) == "dead":
        return ()
    if life_status(replace(sheet, **changes), house) != "dead":
        return ()
    if sheet.aether_marks:
        says = f"{name} dies with an Aether Mark, which can bring {name} back at a price."
    else:
        says = f"{name} dies; the Aether Mark of an ally can bring {name} back at a price."
    choose = () if sheet.aether_marks else ("mark_of",)
    several = "{names} die; an Aether Mark can bring each of them back at a price."
    return (Ask(says, "bring_back", by=role, choose=choose, several=several, about=role, lasts=True),)


def award_mark(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """The game master gives a mark; a second one is not to be had (WAY-51, WAY-52)."""
    awarded = not scene.actor.aether_marks

    def tell() -> Explanation:
        name = scene.actor_name
        held = f"{name} holds an Aether Mark already; nobody holds two."
        return Explanation(
            f"{name} receives an Aether Mark." if awarded else held, rules=("WAY-51", "WAY-52")
        )

    return Outcome({"awarded": awarded}, {"actor": {"aether_marks": 1}}, tell)


AWARD_MARK = Action(
    "award_mark",
    "The game master gives an Aether Mark.",
    award_mark,
    facts={"awarded": "false when it already held one"},
    group="camp",
    rules=("WAY-51", "WAY-52"),
    title="award Aether Mark",
    letter="g",
)
