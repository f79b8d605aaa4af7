"""Opposed tests."""

from typing import Any

from systems.contract.outcome import Account, Outcome, Role, Step
from systems.contract.ruleset import Action, Scene
from systems.contract.table import Table
from systems.schema.fields import choice, declare, whole
from systems.text import plain_number
from systems.waygate.house import House
from systems.waygate.marks import (
    MARK_REFUSAL,
    again,
    die_terms,
    mark_option,
    mark_refused,
    mark_spent,
    may_ask,
    wants_mark,
)
from systems.waygate.sheet import ATTRIBUTE_WORDS, ATTRIBUTES, Sheet, attribute_of
from systems.waygate.terms import attribute_term, counted, optional_term


@declare
class OpposedOptions:
    attribute: str | None = choice(ATTRIBUTES, None, "the actor's", when_absent="none")
    target_attribute: str | None = choice(
        ATTRIBUTES, None, "the target's", when_absent="the same as attribute"
    )
    modifier: int = whole(-99, 99, 0, "the actor's training and circumstances")
    target_modifier: int = whole(-99, 99, 0, "the target's")
    use_aether_mark: bool | None = mark_option()


Opposed = Scene[Sheet, OpposedOptions, House]


def verdict(own: int, theirs: int, total: int, opposed_total: int) -> tuple[Role, str] | None:
    """Who wins an opposed test and by what; None on a full tie (WAY-36 to WAY-38, WAY-55, WAY-57).

    A 20 or a 1 decides against any other face; the same on both sides cancels out (R18, R19).
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


def opposed(scene: Opposed, table: Table) -> Outcome:
    """Both roll until one wins; a mark takes back the actor's first die (WAY-36 to WAY-38, WAY-49)."""
    actor, target, options = scene.actor, scene.target, scene.options
    use = options.use_aether_mark
    if refused := mark_refused(actor, use, scene.actor_name):
        return refused
    against = options.target_attribute or options.attribute
    base = attribute_of(actor, options.attribute) + options.modifier
    opposed_base = attribute_of(target, against) + options.target_modifier
    why, opposed_why = (
        ATTRIBUTE_WORDS.get(one or "", "opposed test") for one in (options.attribute, against)
    )
    before = len(table.rolls)

    def throw(table: Table) -> tuple[int, int]:
        # Nothing has fallen yet in the first attempt, the only one that a mark rerolls.
        first = len(table.rolls) == before
        if first and use:
            table.spill(20, why)
            theirs = table.d(20, opposed_why, "target")
            return again(table, why), theirs
        own, theirs = table.d(20, why), table.d(20, opposed_why, "target")
        if first and may_ask(actor, use):
            found = verdict(own, theirs, base + own, opposed_base + theirs)
            seen = f"{plain_number(base + own)} against {plain_number(opposed_base + theirs)}"
            if found and found[0] == "target" and wants_mark(table, seen):
                own = again(table, why)
        return own, theirs

    def decided(faces: tuple[int, int]) -> bool:
        return verdict(*faces, base + faces[0], opposed_base + faces[1]) is not None

    (own, theirs), attempts = table.until(throw, decided)
    marked = use or (attempts is not None and len(table.rolls) - before > 2 * attempts)
    total, opposed_total = base + own, opposed_base + theirs
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
    changes = mark_spent(actor, bool(marked))
    return Outcome(
        facts, {"actor": changes}, lambda: _opposed_told(scene, facts, bool(marked)), degree=winner
    )


def _opposed_told(scene: Opposed, facts: dict[str, Any], marked: bool) -> Account:
    options, attempts = scene.options, facts["attempts"] or 1
    own = attribute_term(scene.actor, options.attribute)
    other = attribute_term(scene.target, options.target_attribute or options.attribute)
    winner = scene.actor_name if facts["winner"] == "actor" else scene.target_name
    how = {"natural": "by a natural face", "total": "by the total", "die": "by the higher die"}
    numbers = f"{plain_number(facts['total'])} against {plain_number(facts['opposed_total'])}"
    text = f"{scene.actor_name} pits {own.label} against {scene.target_name}'s {other.label}: {numbers}"
    text += f", {winner} wins {how[facts['decided_by']]}"
    text += f" after {attempts} attempts" if attempts > 1 else ""
    text += ", the Aether Mark spent" if marked else ""
    terms = (
        own,
        *optional_term("modifier", options.modifier),
        *die_terms(facts["face"], marked and attempts == 1),
    )
    note = f"{other.label} {plain_number(other.value)}, d20 {facts['opposed_face']}"
    if options.target_modifier:
        note += f", modifier {plain_number(options.target_modifier)}"
    steps = (
        Step("against", plain_number(facts["opposed_total"]), note),
        Step("winner", winner, how[facts["decided_by"]]),
    )
    return Account(f"{text}.", terms, steps, _rules(facts, marked))


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
    "Both roll until one wins.",
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
    refusals=(MARK_REFUSAL,),
    group="check",
    rules=("WAY-36", "WAY-37", "WAY-38", "WAY-49"),
)
