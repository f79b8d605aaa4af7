"""Resolve Mystic Tests and Magical Mayhem."""

from typing import Any

from systems.contract.action import Action, Scene, SideEffect
from systems.contract.marked_text import possessive
from systems.contract.outcome import Ask, Explanation, Outcome, Step, Term, owned
from systems.contract.table import Table
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.fields import NoOptions, choice, declare, text, whole
from systems.text import plain_number, sentence
from systems.waygate import marks
from systems.waygate.checks import passes
from systems.waygate.house import House
from systems.waygate.sheet import ATTRIBUTES, Sheet, spell_of
from systems.waygate.terms import attribute_term, counted

MAYHEM = "Magical Mayhem"
MAYHEM_ASK = (Ask(f"Roll d100 on the table of {MAYHEM}; no Aether Mark takes it back.", "mayhem"),)
HARMLESS = 20


@declare
class MysticOptions:
    mystic: int | None = whole(1, 99, None, "the value to reach", when_absent="the spell's")
    spell: str | None = text(
        None, "a spell of the sheet by name; used when mystic is absent", when_absent="the first spell"
    )
    attribute: str = choice(ATTRIBUTES, "magic", "added")
    modifier: int = whole(-99, 99, 0, "the game master's modifier")
    use_aether_mark: bool | None = marks.mark_option()


def is_mayhem(face: int, total: int, mystic: int | None, house: House) -> bool:
    """Return whether Magical Mayhem occurs (WAY-19, WAY-20, R7, R8).

    It does on a natural 1, or if the total is at half of the Mystic Test or lower.
    """
    if face == 1 or mystic is None:
        return face == 1
    half = mystic // 2
    return total < half if house.mayhem_at == "below_half" else total <= half


def mayhem_rules(face: int, mayhem: bool) -> dict[str, bool]:
    """Return the rule that caused Magical Mayhem, as marks by rule id."""
    return {"WAY-19": mayhem and face != 1, "WAY-20": mayhem and face == 1}


def _sought(scene: Scene[Sheet, MysticOptions, House]) -> tuple[int, str]:
    """Return the value to reach and the name of the test. Raises Wrong if there is no value."""
    actor, options = scene.actor, scene.options
    named = None if options.spell is None else spell_of(actor, options.spell)
    if options.mystic is not None:
        return options.mystic, named.name if named else "Mystic"
    spell = named or (actor.spells[0] if actor.spells else None)
    if spell is None:
        raise Wrong("options.mystic", "expected a number; there is no spell on the sheet")
    if spell.mystic is None:
        raise Wrong("options.mystic", f"expected a number; {spell.name} has no Mystic Test of its own")
    return spell.mystic, spell.name


def mystic(scene: Scene[Sheet, MysticOptions, House], table: Table) -> Outcome:
    """Resolve a Mystic Test; a natural 20 has no special effect (WAY-N4, WAY-57, R20)."""
    actor, options, house = scene.actor, scene.options, scene.house
    sought, what = _sought(scene)
    if refused := marks.mark_refused(actor, options.use_aether_mark, scene.actor_name):
        return refused
    terms = (attribute_term(actor, options.attribute), *scene.option_terms("modifier"))
    rolled = mystic_test(table, scene, terms, sought, what)
    facts = {"face": rolled.face, "total": rolled.total, "passed": rolled.passed, "mayhem": rolled.mayhem}

    def tell() -> Explanation:
        named = what if what == "Mystic" else f"{possessive(what)} Mystic"
        done = "passes" if rolled.passed else "fails"
        text = f"{scene.who_acts} {done} the {named} Test.{rolled.follows(scene.actor_name)}"
        steps = rolled.steps(sought, what, house)
        return Explanation(text, rolled.terms, steps, rolled.rules, arithmetic=rolled.numbers(sought))

    asks = MAYHEM_ASK if rolled.mayhem else ()
    degree = "passed" if rolled.passed else "failed"
    return Outcome(facts, {"actor": marks.mark_spent(actor, rolled.marked)}, tell, asks, degree)


@frozen(eq=False)
class MysticTest:
    """A rolled Mystic Test. `terms`: all parts of the total, the die included."""

    face: int
    terms: tuple[Term, ...]
    passed: bool
    mayhem: bool
    marked: bool

    @property
    def total(self) -> int:
        return sum(term.value for term in self.terms)

    def numbers(self, sought: int) -> str:
        """Return the arithmetic, such as `9 against 11, a natural 1.`"""
        natural = "a natural 1" if self.face == 1 else ""
        return sentence(f"{plain_number(self.total)} against {sought}", natural)

    def follows(self, name: str) -> str:
        """Return the sentences that follow in the log, such as ` Magical Mayhem.`, or ""."""
        return (f" {MAYHEM}." if self.mayhem else "") + marks.mark_words(name, self.marked)

    def steps(self, sought: int, what: str, house: House) -> tuple[Step, ...]:
        """Return the lines of the explanation after the total."""
        came = "yes" if self.mayhem else "no"
        return (Step("Mystic Test", str(sought), what), Step(MAYHEM, came, mayhem_note(sought, house)))

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the ids of the rules that applied."""
        face = self.face
        rules = {"WAY-49": self.marked, "WAY-57": face == 1, "WAY-N4": face != 1}
        return counted({**mayhem_rules(face, self.mayhem), **rules})


def mystic_test(
    table: Table, scene: Scene[Sheet, Any, House], terms: tuple[Term, ...], sought: int, what: str
) -> MysticTest:
    """Roll the d20 of a Mystic Test; a mark can reroll it (WAY-N4, WAY-49, R20)."""
    base, house = sum(term.value for term in terms), scene.house

    def failed(face: int) -> str:
        if passes(face, base + face, sought, reaction=False):
            return ""
        words = f"{plain_number(base + face)} against {sought}"
        return f"{words}, {MAYHEM}" if is_mayhem(face, base + face, sought, house) else words

    face, marked = marks.test_die(table, scene.actor, scene.options.use_aether_mark, what, failed)
    passed = passes(face, base + face, sought, reaction=False)
    mayhem = is_mayhem(face, base + face, sought, house)
    own = owned("actor", *terms, *marks.die_terms(face, marked))
    return MysticTest(face, own, passed, mayhem, marked)


def mayhem_note(mystic: int | None, house: House) -> str:
    """Return in words when Magical Mayhem occurs."""
    if mystic is None:
        return "a natural 1"
    return f"{'below' if house.mayhem_at == 'below_half' else 'at or below'} {mystic // 2}, or a natural 1"


def roll_mayhem(scene: Scene[Sheet, NoOptions, House], table: Table) -> Outcome:
    """Roll the d100 for the table of Magical Mayhem, which the game master reads (WAY-N10)."""
    face = table.d(100, MAYHEM)

    def tell() -> Explanation:
        found = "nothing happens" if face <= HARMLESS else "its table says what happens"
        return Explanation(
            f"{MAYHEM} around {scene.actor_name}: {face}, {found}.",
            (Term("d100", face, of="actor"),),
            (),
            ("WAY-N10",),
        )

    return Outcome({"face": face, "harmless": face <= HARMLESS}, tell=tell)


ROLL_MAYHEM = Action(
    "mayhem",
    "Roll the d100 on the table of Magical Mayhem.",
    roll_mayhem,
    facts={"face": "the d100", "harmless": "20 or less: nothing happens (WAY-N10)"},
    group="check",
    rules=("WAY-N10",),
    total="face",
    title=MAYHEM,
    unable=True,
)
MYSTIC = Action(
    "mystic",
    "Make a Mystic Test.",
    mystic,
    MysticOptions,
    facts={
        "face": "the die that counts",
        "total": "die + attribute + modifier",
        "passed": "total at least the Mystic Test and face not 1",
        "mayhem": "face 1, or the total at floor(mystic / 2) or lower (mayhem_at)",
    },
    refusals=(marks.MARK_REFUSAL,),
    group="check",
    rules=("WAY-19", "WAY-20", "WAY-49", "WAY-N4"),
    success="passed",
    side_effects=(SideEffect("mayhem", MAYHEM),),
    title="Mystic Test",
    letter="m",
    verb="make a Mystic Test",
)
