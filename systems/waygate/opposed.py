"""Resolve opposed tests."""

from functools import lru_cache
from typing import Any

from systems.contract.action import Action, Scene
from systems.contract.marked_text import possessive
from systems.contract.outcome import Explanation, Outcome, Role, Step, Term, optional_term, owned
from systems.contract.table import Table
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.fields import choice, declare, text, whole
from systems.schema.naming import Naming
from systems.text import plain_number
from systems.waygate.house import House
from systems.waygate.marks import (
    MARK_REFUSAL,
    TARGET_MARK_REFUSAL,
    again,
    die_terms,
    mark_option,
    mark_refused,
    mark_spent,
    mark_words,
    may_ask,
    wants_mark,
)
from systems.waygate.sheet import ATTRIBUTE_WORDS, ATTRIBUTES, Sheet, skill_of
from systems.waygate.terms import attribute_term, counted

DECIDED_BY = {"natural": "by a natural face", "total": "by the total", "die": "by the higher die"}


@declare
class OpposedOptions:
    skill: str | None = text(
        None,
        "a skill of the actor's sheet: its attribute and training are added, instead of attribute",
    )
    attribute: str | None = choice(ATTRIBUTES, None, "the actor's", when_absent="none")
    target_skill: str | None = text(
        None,
        "a skill of the target's sheet, instead of an attribute",
        naming=Naming("skills", of="target"),
    )
    target_attribute: str | None = choice(
        ATTRIBUTES, None, "the target's", when_absent="the same as attribute"
    )
    modifier: int = whole(-99, 99, 0, "the actor's training and circumstances")
    target_modifier: int = whole(-99, 99, 0, "the target's")
    use_aether_mark: bool | None = mark_option()
    target_use_aether_mark: bool | None = mark_option(
        "spend the target's mark; its second die is rolled after the actor's"
    )


Opposed = Scene[Sheet, OpposedOptions, House]


@frozen(eq=False)
class Side:
    """One side of an opposed test: its terms, their sum, and the reason for its roll."""

    terms: tuple[Term, ...]
    base: int
    why: str


def _side(
    sheet: Sheet, attribute: str | None, skill: str | None, modifiers: tuple[Term, ...], path: str
) -> Side:
    """Return one side (WAY-06, WAY-07). Raises Wrong if the sheet lacks the skill."""
    if skill is None:
        terms = (attribute_term(sheet, attribute), *modifiers)
        why = ATTRIBUTE_WORDS.get(attribute or "", "opposed test")
    else:
        known = skill_of(sheet, skill, f"{path}skill")
        training = optional_term(known.name, known.training, "training")
        terms = (attribute_term(sheet, known.attribute), *training, *modifiers)
        why = known.name
    return Side(terms, sum(term.value for term in terms), why)


@lru_cache(maxsize=8)
def _sides(scene: Opposed) -> tuple[Side, Side]:
    """Return both sides of a test.

    Raises Wrong for an unknown skill, or a skill together with an attribute.
    """
    options = scene.options
    if options.skill is not None and options.attribute is not None:
        raise Wrong("options.attribute", "cannot be combined with a skill; give one of them")
    if options.target_skill is not None and options.target_attribute is not None:
        raise Wrong(
            "options.target_attribute", "cannot be combined with a skill of the target; give one of them"
        )
    own = _side(scene.actor, options.attribute, options.skill, scene.option_terms("modifier"), "options.")
    attribute = options.target_attribute or options.attribute
    if options.target_skill is None and attribute is None and options.skill is not None:
        attribute = skill_of(scene.actor, options.skill, "options.skill").attribute
    modifiers = scene.option_terms("target_modifier", "modifier")
    return own, _side(scene.target, attribute, options.target_skill, modifiers, "options.target_")


def verdict(own: int, theirs: int, total: int, opposed_total: int) -> tuple[Role, str] | None:
    """Return the winner of an opposed test and the reason, or None on a full tie.

    A natural 20 or 1 decides against any other face. Equal faces cancel out (WAY-36 to WAY-38, WAY-55,
    WAY-57, R18, R19).
    """
    if own != theirs:
        if own == 20 or theirs == 1:
            return "actor", "natural"
        if own == 1 or theirs == 20:
            return "target", "natural"
    if total != opposed_total:
        return ("actor" if total > opposed_total else "target"), "total"
    if own != theirs:
        return ("actor" if own > theirs else "target"), "die"
    return None


class _Rolls:
    """The rolls of one opposed test, and the sides that spent a mark on the first attempt."""

    def __init__(self, scene: Opposed, table: Table) -> None:
        options = scene.options
        self.scene, self.sides = scene, _sides(scene)
        self.use: dict[Role, bool | None] = {
            "actor": options.use_aether_mark,
            "target": options.target_use_aether_mark,
        }
        self.spent: dict[Role, bool] = {role: bool(use) for role, use in self.use.items()}
        self._before = len(table.rolls)

    def roll(self, table: Table) -> tuple[int, int]:
        """Roll both dice. In the first attempt a mark can reroll one (WAY-49, WAY-50)."""
        own, theirs = self.sides
        # Only the first attempt, before any roll, allows marks.
        if len(table.rolls) != self._before:
            return table.d(20, own.why), table.d(20, theirs.why, "target")
        faces: dict[Role, int] = {}
        both: tuple[tuple[Role, Side], ...] = (("actor", own), ("target", theirs))
        for role, side in both:
            if self.use[role]:
                table.unused_die(20, side.why, role)
            else:
                faces[role] = table.d(20, side.why, role)
        for role, side in both:
            if self.use[role]:
                faces[role] = again(table, side.why, role)
            elif len(faces) == 2 and self._takes_back(table, role, faces):
                faces[role] = again(table, side.why, role)
                self.spent[role] = True
        return faces["actor"], faces["target"]

    def _takes_back(self, table: Table, role: Role, faces: dict[Role, int]) -> bool:
        """Ask a losing side with a mark whether to spend it."""
        sheet = self.scene.actor if role == "actor" else self.scene.target
        if not may_ask(sheet, self.use[role]):
            return False
        own, theirs = self.totals(faces["actor"], faces["target"])
        found = verdict(faces["actor"], faces["target"], own, theirs)
        if found is None or found[0] == role:
            return False
        mine, other = (own, theirs) if role == "actor" else (theirs, own)
        return wants_mark(table, f"{plain_number(mine)} against {plain_number(other)}", role)

    def totals(self, own: int, theirs: int) -> tuple[int, int]:
        return self.sides[0].base + own, self.sides[1].base + theirs

    def decided(self, faces: tuple[int, int]) -> bool:
        return verdict(*faces, *self.totals(*faces)) is not None


def opposed(scene: Opposed, table: Table) -> Outcome:
    """Roll for both until one wins; a mark rerolls a first die (WAY-36 to WAY-38, WAY-49)."""
    actor, target = scene.actor, scene.target
    rolls = _Rolls(scene, table)
    refused = mark_refused(actor, rolls.use["actor"], scene.actor_name) or mark_refused(
        target, rolls.use["target"], scene.target_name, TARGET_MARK_REFUSAL
    )
    if refused:
        return refused
    (own, theirs), attempts = table.until(rolls.roll, rolls.decided)
    total, opposed_total = rolls.totals(own, theirs)
    winner, by = verdict(own, theirs, total, opposed_total) or ("target", "total")
    facts = {
        "face": own,
        "opposed_face": theirs,
        "total": total,
        "opposed_total": opposed_total,
        "winner": winner,
        "decided_by": by,
        "attempts": attempts,
    }
    spent = rolls.spent
    changes: dict[str, dict[str, object]] = {
        "actor": mark_spent(actor, spent["actor"]),
        "target": mark_spent(target, spent["target"]),
    }
    return Outcome(
        facts,
        changes,
        lambda: _explanation(scene, facts, spent),
        degree="won" if winner == "actor" else "lost",
    )


def _explanation(scene: Opposed, facts: dict[str, Any], spent: dict[Role, bool]) -> Explanation:
    """Return the explanation: both totals, the winner and the reason."""
    attempts = facts["attempts"] or 1
    own, other = _sides(scene)
    won = facts["winner"] == "actor"
    winner = scene.actor_name if won else scene.target_name
    numbers = f"{plain_number(facts['total'])} against {plain_number(facts['opposed_total'])}"
    verb = "beats" if won else "loses to"
    opposed = f"{possessive(scene.target_name)} {_called(other)}"
    text = f"{possessive(scene.who_acts)} {_called(own)} {verb} {opposed}."
    text += mark_words(scene.actor_name, spent["actor"]) + mark_words(scene.target_name, spent["target"])
    numbers += f", decided {DECIDED_BY[facts['decided_by']]}"
    numbers += f" after {attempts} attempts" if attempts > 1 else ""
    terms = owned("actor", *own.terms, *die_terms(facts["face"], spent["actor"] and attempts == 1))
    against = die_terms(facts["opposed_face"], spent["target"] and attempts == 1)
    steps = (
        Step.sum("against", owned("target", *other.terms, *against), of="both"),
        Step("winner", winner, DECIDED_BY[facts["decided_by"]]),
    )
    return Explanation(text, terms, steps, _rules(facts, any(spent.values())), arithmetic=f"{numbers}.")


def _called(side: Side) -> str:
    """Return what a side rolls in words: the skill, the attribute, or luck without either."""
    return "luck" if side.why == "opposed test" else side.why


def _rules(facts: dict[str, Any], marked: bool) -> tuple[str, ...]:
    faces, natural = (facts["face"], facts["opposed_face"]), facts["decided_by"] == "natural"
    return counted(
        {
            "WAY-36": True,
            "WAY-37": facts["decided_by"] == "die",
            "WAY-38": (facts["attempts"] or 1) > 1,
            "WAY-49": marked,
            "WAY-55": natural and 20 in faces,
            "WAY-57": natural and 1 in faces,
        }
    )


OPPOSED = Action(
    "opposed",
    "Roll for both sides until one wins.",
    opposed,
    OpposedOptions,
    targets="one",
    facts={
        "face": "the actor's last die",
        "opposed_face": "the target's last die",
        "total": "of the actor",
        "opposed_total": "of the target",
        "winner": "actor, target",
        "decided_by": "natural (one 20 or 1 against another face), total, die",
        "attempts": "1 and more; a full tie repeats both dice (a mark rerolls in the first attempt only)",
    },
    refusals=(MARK_REFUSAL, TARGET_MARK_REFUSAL),
    group="check",
    rules=("WAY-36", "WAY-37", "WAY-38", "WAY-49"),
    success="winner",
    success_value="actor",
    success_label="wins",
    title="opposed test",
    letter="p",
    verb="make an opposed test",
)
