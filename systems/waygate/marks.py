"""The Aether Mark: reroll one test die once, and award a new mark."""

from collections.abc import Callable, Mapping

from systems.contract.action import Action, Refusal, Scene
from systems.contract.marked_text import possessive
from systems.contract.outcome import Ask, Explanation, Outcome, Role, Term, refuse
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
    """Declare the option that every test has. If it is not given, a prompt asks after a failed roll."""
    option: bool | None = flag(None, help, when_absent="false", one_off=True)
    return option


def mark_refused(
    sheet: Sheet, use: bool | None, name: str, refusal: Refusal = MARK_REFUSAL
) -> Outcome | None:
    """Refuse to spend a mark that the character does not have (R27)."""
    if use and not sheet.aether_marks:
        return refuse(refusal.reason, f"{name} has no Aether Mark to spend.")
    return None


def mark_spent(sheet: Sheet, spent: bool) -> dict[str, object]:
    """Return the change from spending a mark (WAY-49)."""
    return {"aether_marks": sheet.aether_marks - 1} if spent else {}


def mark_words(name: str, spent: bool) -> str:
    """Return the sentence that follows in the log if a mark was spent, else ""."""
    return f" {possessive(name)} Aether Mark is spent." if spent else ""


def may_ask(sheet: Sheet, use: bool | None) -> bool:
    """Return whether to ask: the option is not given and the character has a mark."""
    return use is None and sheet.aether_marks > 0


def wants_mark(table: Table, seen: str, of: Role = "actor") -> bool:
    """Ask whether `of` spends its mark on a roll that `seen` describes (WAY-50).

    Without an answer no mark is spent.
    """
    return table.choose(f"{seen}. Spend the Aether Mark?", (False, True), suggest=False, of=of, id="mark")


def again(table: Table, why: str, of: Role = "actor") -> int:
    """Roll the second d20, which replaces the first and is final (WAY-50)."""
    return table.d(20, f"{why}, Aether Mark", of)


def test_die(
    table: Table, sheet: Sheet, use: bool | None, why: str, failed: Callable[[int], str]
) -> tuple[int, bool]:
    """Return the face that counts, and whether a mark was spent for it (WAY-49, WAY-50, R27).

    `failed` returns a short reason why a face fails, or "".
    """
    if use:
        table.unused_die(20, why)
        return again(table, why), True
    face = table.d(20, why)
    seen = failed(face) if may_ask(sheet, use) else ""
    if seen and wants_mark(table, seen):
        return again(table, why), True
    return face, False


def die_terms(face: int, marked: bool) -> tuple[Term, ...]:
    """Return the die as a term, with the rerolled first die before it if a mark was spent."""
    if marked:
        return (Term("first d20", 0, "taken back with the Aether Mark"), Term("d20", face))
    return (Term("d20", face),)


def back_from_death(
    sheet: Sheet, changes: Mapping[str, int], house: House, name: str, role: Role
) -> tuple[Ask, ...]:
    """Offer a return from death by the own mark or an ally's, once (WAY-47, WAY-53, WAY-N9)."""
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
    """Award a mark, if the character holds none (WAY-51, WAY-52)."""
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
    "Award an Aether Mark.",
    award_mark,
    facts={"awarded": "false if it already held one"},
    group="camp",
    rules=("WAY-51", "WAY-52"),
    title="award Aether Mark",
    letter="g",
)
