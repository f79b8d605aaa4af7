"""Mystic Tests and Magical Mayhem."""

from systems.contract.outcome import Account, Ask, Outcome, Step
from systems.contract.ruleset import Action, Scene, SideEffect
from systems.contract.table import Table
from systems.errors import Wrong
from systems.schema.fields import choice, declare, text, whole
from systems.text import plain_number
from systems.waygate.checks import passes
from systems.waygate.house import House
from systems.waygate.marks import MARK_REFUSAL, die_terms, mark_option, mark_refused, mark_spent, test_die
from systems.waygate.sheet import ATTRIBUTES, Sheet, spell_of
from systems.waygate.terms import attribute_term, counted

MAYHEM = "Magical Mayhem"
MAYHEM_ASK = (Ask(f"{MAYHEM}: roll d100 on its table; no Aether Mark takes that roll back."),)


@declare
class MysticOptions:
    mystic: int | None = whole(1, 99, None, "the value to reach", when_absent="the spell's")
    spell: str | None = text(
        None, "a spell of the sheet by name; used when mystic is absent", when_absent="the first spell"
    )
    attribute: str = choice(ATTRIBUTES, "magic", "added")
    modifier: int = whole(-99, 99, 0, "the game master's number")
    use_aether_mark: bool | None = mark_option()


def is_mayhem(face: int, total: int, mystic: int | None, house: House) -> bool:
    """Magical Mayhem: a face of 1, or a total at half of the Mystic Test (WAY-19, WAY-20, R7, R8)."""
    if face == 1 or mystic is None:
        return face == 1
    half = mystic // 2
    return total < half if house.mayhem_at == "below_half" else total <= half


def mayhem_rules(face: int, mayhem: bool) -> dict[str, bool]:
    """By which rule it came, if it came."""
    return {"WAY-19": mayhem and face != 1, "WAY-20": mayhem and face == 1}


def _sought(scene: Scene[Sheet, MysticOptions, House]) -> tuple[int, str]:
    """The value to reach and what the test is called. Raises Wrong when there is nothing to reach."""
    actor, options = scene.actor, scene.options
    named = None if options.spell is None else spell_of(actor, options.spell)
    if options.mystic is not None:
        return options.mystic, named.name if named else "Mystic"
    spell = named or (actor.spells[0] if actor.spells else None)
    if spell is None:
        raise Wrong("options.mystic", "is needed: there is no spell on the sheet")
    if spell.mystic is None:
        raise Wrong("options.mystic", f"is needed: {spell.name} has no Mystic Test of its own")
    return spell.mystic, spell.name


def mystic(scene: Scene[Sheet, MysticOptions, House], table: Table) -> Outcome:
    """A Mystic Test: reaching it casts, a natural 20 is nothing special (WAY-N4, WAY-57, R20)."""
    actor, options, house = scene.actor, scene.options, scene.house
    sought, what = _sought(scene)
    if refused := mark_refused(actor, options.use_aether_mark, scene.actor_name):
        return refused
    terms = (attribute_term(actor, options.attribute), *scene.option_terms("modifier"))
    base = sum(term.value for term in terms)

    def failed(face: int) -> str:
        if passes(face, base + face, sought, reaction=False):
            return ""
        told = f"{plain_number(base + face)} against {sought}"
        return f"{told}, {MAYHEM}" if is_mayhem(face, base + face, sought, house) else told

    face, marked = test_die(table, actor, options.use_aether_mark, what, failed)
    total = base + face
    passed = passes(face, total, sought, reaction=False)
    mayhem = is_mayhem(face, total, sought, house)
    facts = {"face": face, "total": total, "passed": passed, "mayhem": mayhem}

    def tell() -> Account:
        named = what if what == "Mystic" else f"{what}'s Mystic"
        done = "passes" if passed else "fails"
        text = f"{scene.actor_name} {done} the {named} Test: {plain_number(total)} against {sought}"
        text += ", a natural 1" if face == 1 else ""
        text += f", {MAYHEM}" if mayhem else ""
        text += ", the Aether Mark spent" if marked else ""
        steps = (
            Step("Mystic Test", str(sought), what),
            Step(MAYHEM, "yes" if mayhem else "no", mayhem_note(sought, house)),
        )
        rules = {**mayhem_rules(face, mayhem), "WAY-49": marked, "WAY-57": face == 1, "WAY-N4": face != 1}
        return Account(f"{text}.", (*terms, *die_terms(face, marked)), steps, counted(rules))

    asks = MAYHEM_ASK if mayhem else ()
    degree = "passed" if passed else "failed"
    return Outcome(facts, {"actor": mark_spent(actor, marked)}, tell, asks, degree)


def mayhem_note(mystic: int | None, house: House) -> str:
    """When it comes, in words."""
    if mystic is None:
        return "a natural 1"
    return f"{'below' if house.mayhem_at == 'below_half' else 'at or below'} {mystic // 2}, or a natural 1"


MYSTIC = Action(
    "mystic",
    "A Mystic Test.",
    mystic,
    MysticOptions,
    facts={
        "face": "the die that counts",
        "total": "die + attribute + modifier",
        "passed": "total at least the Mystic Test and face not 1",
        "mayhem": "face 1, or the total at floor(mystic / 2) or lower (mayhem_at)",
    },
    refusals=(MARK_REFUSAL,),
    group="check",
    rules=("WAY-19", "WAY-20", "WAY-49", "WAY-N4"),
    success="passed",
    side_effects=(SideEffect("mayhem", MAYHEM),),
    title="Mystic Test",
    letter="m",
)
