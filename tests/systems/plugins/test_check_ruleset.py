"""The laws that `affray systems GAME --check` tests: the six games satisfy them, and each can fail."""

import itertools
import json
import random
from typing import Any

import pytest

from systems import built_in, load
from systems.contract import sheet as contract
from systems.contract.condition import Condition, Effect
from systems.contract.display import Figure, Mark, Meter
from systems.contract.outcome import Explanation, Outcome, Term, refuse
from systems.contract.reaction import Reaction
from systems.contract.ruleset import Initiative
from systems.errors import Wrong
from systems.frozen import evolve
from systems.plugins.check_ruleset import check_ruleset
from systems.requests import resolve
from systems.schema import fields
from systems.schema.fields import Entry, declare, declare_field, entries, text, whole
from systems.schema.types import Text, Whole
from tests.laws import THOROUGH
from tests.systems.plugins.small_game import SMALL, Sheet, ThrowOptions, small, throw, with_throw

SHARE = 1.0 if THOROUGH else 0.05


@pytest.mark.parametrize("name", built_in())
def test_every_built_in_game_satisfies_the_laws(name):
    assert [str(result) for result in check_ruleset(load(name), share=SHARE) if result.mistake] == []


def test_a_small_game_satisfies_every_law():
    assert [result.mistake for result in check_ruleset(SMALL)] == [""] * 11


def raises(scene, table):
    return {}[scene.actor.skill]


def wrong_without_field(scene, table):
    raise Wrong("", "the wind is against it")


def error_after_a_die(scene, table):
    outcome = throw(scene, table)
    if scene.options.modifier > 5:
        raise Wrong("options.modifier", "too much")
    return outcome


def refused_after_a_die(scene, table):
    table.d(6, "throw")
    return refuse("stones", "No stone left.")


def refused_and_changed(scene, table):
    return evolve(refuse("stones", "No stone left."), changes={"actor": {"stones": 3}})


def refused_without_words(scene, table):
    return refuse("stones", "")


def refused_before_errors(scene, table):
    return throw(scene, table) if scene.actor.stones else refuse("stones", "No stone left.")


def refused_unheard_of(scene, table):
    return refuse("weather", "It rains.") if scene.actor.prone else throw(scene, table)


def unknown_fact(scene, table):
    outcome = throw(scene, table)
    return evolve(outcome, facts={**outcome.facts, "wind": 3})


def terms_off_by_one(scene, table):
    outcome = throw(scene, table)
    told = outcome.tell()
    return evolve(
        outcome, tell=lambda: evolve(told, terms=(*told.terms, Term("wind", scene.options.modifier)))
    )


CALLS = itertools.count()


def remembers(scene, table):
    outcome = throw(scene, table)
    return evolve(outcome, facts={**outcome.facts, "damage": next(CALLS)})


CHANCE = random.Random(3)


def rolls_by_itself(scene, table):
    outcome = throw(scene, table)
    return evolve(outcome, facts={**outcome.facts, "damage": CHANCE.randint(1, 6)})


@declare
class MarkedSheet(Sheet):
    marks: dict[str, int] = fields.table(Whole(0, 999), "what was written on it")


def writes_on_the_sheet(scene, table):
    scene.actor.marks["thrown"] = scene.actor.marks.get("thrown", 0) + 1
    return throw(scene, table)


def throws_more_the_second_time(scene, table):
    return throw(scene, table) if next(CALLS) % 2 else (table.d(6, "wind"), throw(scene, table))[1]


def face_of_a_chance(scene, table):
    face = table.chance(3, 6, "throw").face
    return Outcome({"total": face, "hit": face < 4, "damage": 0}, tell=lambda: Explanation("Thrown."))


def arithmetic_with_sums(scene, table):
    grade, total = table.grouped("2d6", lambda total: total > 7, "throw")
    return Outcome({"total": total + 1, "hit": grade, "damage": 0}, tell=lambda: Explanation("Thrown."))


class Secret(Text):
    """A text that cannot be typed."""

    def typed(self, word: str, path: str = "") -> Any:
        raise Wrong(path, "cannot be typed")


class Backwards(Text):
    """A text that is read backwards."""

    def typed(self, word: str, path: str = "") -> Any:
        return word[::-1]


@declare
class Bag(Entry):
    LINE = ("holds",)
    name: str = text()
    holds: str = declare_field(Backwards(), "flint", "what is in it")


@declare
class BagSheet(Sheet):
    bags: tuple[Bag, ...] = entries(Bag, "what is carried")


@declare
class SecretOptions(ThrowOptions):
    sign: str = declare_field(Secret(), "moon", "a secret sign")


@declare
class NarrowSheet(Sheet):
    curse: int = whole(0, 3, 0)


def cursed(sheet, house, held):
    return {"curse": 1 // (not held)}


BROKEN = {
    "an exception": ("answers", with_throw(raises), "test_check_ruleset.py, line"),
    "an error without a field": ("answers", with_throw(wrong_without_field), "names no field"),
    "an error after a die": ("order", with_throw(error_after_a_die), "an error after 1 dice"),
    "a refusal after a die": ("order", with_throw(refused_after_a_die), "refused (stones) after 1 dice"),
    "a refusal that changes": ("order", with_throw(refused_and_changed), "but it changes something"),
    "a refusal without words": ("order", with_throw(refused_without_words), "without a sentence"),
    "a refusal before errors": ("order", with_throw(refused_before_errors), "before the error of stone"),
    "an undeclared refusal": ("declared", with_throw(refused_unheard_of), '"weather", which is not declared'),
    "an undeclared fact": ("declared", with_throw(unknown_fact), "the fact wind is not declared"),
    "terms": ("terms", with_throw(terms_off_by_one), "but the fact total is"),
    "a figure": (
        "terms",
        small(figures=lambda sheet, house: (Figure("aim", 1, (Term("skill", sheet.skill),)),)),
        "the terms of the figure aim",
    ),
    "a memory": ("pure", with_throw(remembers), "the same dice give another answer: facts"),
    "chance of its own": ("pure", with_throw(rolls_by_itself), "the same dice give another answer: facts"),
    "a change of the sheet": (
        "pure",
        evolve(with_throw(writes_on_the_sheet), sheet=MarkedSheet),
        "it changes the sheet, the options or the house rules",
    ),
    "dice by the way": ("pure", with_throw(throws_more_the_second_time), "the same dice"),
    "an undeclared status": (
        "sheets",
        small(status=lambda sheet, house: "up" if sheet.hp > 2 else "odd"),
        "the status of the",
    ),
    "a glance": (
        "sheets",
        small(glance=lambda sheet, house: (Mark("x" * (3 // sheet.skill)),)),
        "has a mistake in glance",
    ),
    "notes": (
        "sheets",
        with_throw(throw, notes=lambda scene: {"": "x" * (3 // scene.actor.skill)}),
        "has a mistake in the notes of throw",
    ),
    "a word that cannot be typed": ("typed", with_throw(throw, options=SecretOptions), "cannot be typed"),
    "an entry that is read as another": ("typed", small(sheet=BagSheet), "is written but read as"),
    "a face of a chance": ("odds", with_throw(face_of_a_chance), "the odds of total"),
    "a sum of a grade": ("odds", with_throw(arithmetic_with_sums), "its odds fail"),
    "when": (
        "conditions",
        small(
            conditions=(Condition("odd", "", effects=(Effect("throw", "modifier", when=lambda *_: 1 // 0),)),)
        ),
        "with odd on the actor: the game small has a mistake in the condition odd",
    ),
    "also_changes": (
        "conditions",
        small(sheet=NarrowSheet, conditions=(Condition("prone", "", field="prone", also_changes=cursed),)),
        "has a mistake in the condition prone",
    ),
    "a reaction": (
        "fights",
        small(reactions=(Reaction("dodge", "", after="throw", offers=lambda scene: 1 // 0, whose="others"),)),
        "has a mistake in the reaction dodge",
    ),
    "a second target": (
        "fights",
        with_throw(lambda scene, table: throw(scene, table) if not scene.before else {}["b"], targets="many"),
        "has a mistake in throw",
    ),
    "initiative": (
        "fights",
        small(initiative=Initiative(lambda sheet, table: 1 // 0)),
        "start: the game small has a mistake in initiative",
    ),
    "a declaration": ("declarations", small(meters=(Meter("hp", "hp", "hq"),)), "the meter hp shows hq"),
}


@pytest.mark.parametrize(("law", "game", "says"), BROKEN.values(), ids=BROKEN)
def test_each_law_can_fail_and_says_why(law, game, says):
    failed = {result.law: result for result in check_ruleset(game, only=(law,)) if result.mistake}
    assert law in failed
    assert says in failed[law].mistake
    assert "FAILS" in str(failed[law])


def test_the_example_is_the_smallest_request_and_shows_the_mistake_again():
    game = with_throw(error_after_a_die)
    [failed] = [result for result in check_ruleset(game, only=("order",)) if result.mistake]
    assert failed.example["options"]["modifier"] > 5
    assert set(failed.example) == {"action", "options", "dice"}
    assert set(failed.example["options"]) == {"modifier"}
    with pytest.raises(Wrong, match="too much"):
        resolve(game, json.loads(json.dumps(failed.example)), None)


def test_the_same_seed_gives_the_same_examples():
    game = with_throw(terms_off_by_one)
    assert check_ruleset(game, seed=5, only=("terms",)) == check_ruleset(game, seed=5, only=("terms",))


def test_given_sheets_are_tried_too():
    """A mistake that only a shipped creature meets."""

    def fails_for_trolls(scene, table):
        return raises(scene, table) if scene.actor.name == "Troll" else throw(scene, table)

    game = with_throw(fails_for_trolls)
    assert not any(result.mistake for result in check_ruleset(game, only=("answers",)))
    assert any(
        result.mistake
        for result in check_ruleset(game, only=("answers",), sheets=[{"name": "Troll", "hp": 9}])
    )


def test_the_sheet_of_the_small_game_follows_the_contract():
    assert issubclass(SMALL.sheet, contract.Sheet)
