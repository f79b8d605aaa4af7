"""The laws of fights hold with effects: undo, redo, reading back, and hidden combatants."""

from contextlib import suppress
from random import Random

import pytest

from systems import load
from systems.errors import InputError
from systems.plugins.laws.example_requests import RequestMaker, fitting_entry
from systems.schema.fields import fields_of
from tests.systems import fight as people
from tests.systems.commands import test_encounter_laws as encounter_laws
from tests.systems.commands.test_encounter_laws import begun
from tests.systems.fight import Fight
from tests.systems.visibility import test_laws as sight_laws

EFFECTS: list[dict[str, object]] = [
    {"name": "Aura", "when": "start", "whose": "foes", "damage": ["1d4 fire"]},
    {
        "name": "Dread",
        "when": "hit",
        "save": "mind",
        "dc": 12,
        "condition": "frightened",
        "again": ["end", "damaged"],
    },
    {"name": "Shield", "when": "attacked", "change": {"ac": 5}},
    {"name": "Guard", "when": "attacked", "whose": "allies", "change": {"ac": 3}},
    {"name": "Thorns", "when": "damaged", "who": "attacker", "damage": ["1 cold"], "once": "turn"},
    {"name": "Healing", "when": "end", "heal": "1d4", "stopped_by": ["fire"]},
    {"name": "Courage", "when": "always", "who": "allies", "change": {"saves": 1, "attacks": 1}},
    {
        "name": "Lunge",
        "when": "end",
        "whose": "foes",
        "offered": True,
        "use": "spear",
        "spends": "luck",
    },
    {"name": "Jinx", "when": "attacked", "whose": "any", "change": {"attacks": "-1d4"}},
    {"name": "Luck", "when": "saving", "whose": "any", "change": {"saves": "1d4"}},
    {"name": "Denial", "when": "used", "whose": "foes", "of": ["bow"], "stops": True, "uses": 1},
    {"name": "Burst", "when": "zero", "who": "foes", "damage": ["1d6 fire"]},
]
WORTH_UNDOING = (
    encounter_laws.test_the_encounter_is_the_opening_and_its_events_read_back_from_files,
    encounter_laws.test_undo_after_any_command_and_redo_after_that_are_exact,
    encounter_laws.test_everything_can_be_undone_to_the_opening_and_redone_to_the_end,
    encounter_laws.test_a_step_back_right_after_next_restores_everything,
)


# Those that reach another combatant show that something unseen is near.
OF_THEIR_OWN = ("Dread", "Shield", "Healing", "Lunge")


@pytest.fixture(autouse=True)
def guards_with_effects(monkeypatch):
    guards_have(monkeypatch, EFFECTS)


def guards_have(monkeypatch, effects):
    simple = people.PEOPLE["simple"]
    guard = {**simple["guard"], "effects": list(effects)}
    monkeypatch.setitem(people.PEOPLE, "simple", {**simple, "guard": guard})


def test_the_guards_of_these_laws_have_effects():
    assert any("Aura" in str(event.text) for event in begun("simple", None, Random(1)).log.events)


@pytest.mark.parametrize("law", WORTH_UNDOING)
@pytest.mark.parametrize("seed", range(2))
def test_a_fight_with_effects_keeps_the_laws_of_events(law, seed):
    law.hypothesis.inner_test(game="simple", style="initiative", random=Random(seed))


@pytest.mark.parametrize("seed", range(4))
def test_hidden_guards_with_effects_change_nothing_that_a_seat_can_tell(seed, monkeypatch):
    guards_have(monkeypatch, [effect for effect in EFFECTS if effect["name"] in OF_THEIR_OWN])
    law = sight_laws.test_worlds_that_differ_in_hidden_ones_alone_look_the_same
    law.hypothesis.inner_test(game="simple", style="initiative", seed=seed, random=Random(seed))


LINES = fields_of(load("simple").sheet)["effects"].type.of
COMMANDS = (
    *("next", "next", "undo", "attack okado by guard-1", "attack guard-1 by okado", "attack all by guard-2"),
    *("damage guard-2 30 type=fire", "area okado,tamsin by guard-3", "effect okado effect=E0 by guard-1"),
)


@pytest.mark.parametrize("seed", range(12))
def test_random_effects_run_or_are_refused_with_a_sentence(seed, monkeypatch):
    random = Random(seed)
    maker = RequestMaker(load("simple"), random)

    def made(name: str) -> dict[str, object]:
        names = ("prone", "guard", "sword", "fire")
        return fitting_entry(LINES, {**maker._fields(LINES, 0.1, names), "name": name})

    effects = [effect for effect in map(made, ("E0", "E1", "E2", "E3")) if effect]
    guards_have(monkeypatch, [*effects, *random.sample(EFFECTS, 2)])
    fight = Fight("simple", "add okado", "add tamsin", "add guard x3", seed=seed)
    for line in ("start", *random.choices(COMMANDS, k=12)):
        with suppress(InputError):
            fight.do(line)
    assert fight.folded() == fight.plain
