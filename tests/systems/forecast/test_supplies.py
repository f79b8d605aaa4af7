"""What a fight uses up: points, and everything that a sheet counts as a supply."""

from collections.abc import Mapping
from typing import Any

import pytest

from systems import load
from systems.forecast.supplies import supply_words, used_between
from systems.frozen import evolve
from systems.schema.conversion import read
from systems.schema.fields import Entries, Flag, Whole, fields_of
from tests.systems.fight import GAMES

# A full sheet, what is different after a fight, and what was used up in numbers and words.
Case = tuple[str, Mapping[str, Any], Mapping[str, Any], Mapping[str, int], str]
CASES: tuple[Case, ...] = (
    (
        "simple",
        {"counters": [{"name": "arrows", "full": 12}, {"name": "luck", "full": 1, "refills": "turn"}]},
        {
            "counters": [
                {"name": "arrows", "full": 12, "now": 9},
                {"name": "luck", "full": 1, "now": 0, "refills": "turn"},
            ]
        },
        {"counters.arrows.now": 3},
        "arrows",
    ),
    (
        "srd5",
        {"spell_slots": [{"name": "level 1", "level": 1, "total": 4}]},
        {"spell_slots": [{"name": "level 1", "level": 1, "total": 4, "left": 2}]},
        {"spell_slots.level 1.left": 2},
        "level 1 spell slots",
    ),
    (
        "srd5",
        {"powers": [{"name": "second wind", "healing": "1d10", "uses_per_day": 1}]},
        {"powers": [{"name": "second wind", "healing": "1d10", "uses_per_day": 1, "used": 1}]},
        {"powers.second wind.used": 1},
        "second wind",
    ),
    (
        "waygate",
        {"weapons": [{"name": "rifle", "damage": "2d6", "clip": 30}]},
        {"weapons": [{"name": "rifle", "damage": "2d6", "clip": 30, "loaded": 10}]},
        {"weapons.rifle.loaded": 20},
        "rifle rounds",
    ),
    ("waygate", {"aether_marks": 1}, {"aether_marks": 0}, {"aether_marks": 1}, "Aether Marks"),
    (
        "xcom",
        {"weapons": [{"name": "grenade", "damage_base": 3, "area": "explosion", "count": 3}]},
        {"weapons": [{"name": "grenade", "damage_base": 3, "area": "explosion", "count": 1}]},
        {"weapons.grenade.count": 2},
        "grenade",
    ),
    ("atlantis", {"max_armour_pool": 20}, {"armour_pool": 5}, {"armour_pool": 15}, "armour pool"),
    ("atomic_d20", {"max_stamina": 2}, {"stamina": 0}, {"stamina": 2}, "stamina"),
    ("arden", {"max_hp": 5, "max_ap": 4}, {"hp": 3, "ap": 1}, {"hp": 2}, "hp"),
)


@pytest.mark.parametrize(("game", "full", "left", "used", "words"), CASES)
def test_a_forecast_counts_what_a_sheet_counts(
    game: str, full: Mapping[str, Any], left: Mapping[str, Any], used: Mapping[str, int], words: str
) -> None:
    ruleset = load(game)
    before = read(ruleset.sheet, full)
    after = evolve(before, **{name: getattr(read(ruleset.sheet, left), name) for name in left})
    assert {path: many for path, many in used_between(ruleset, before, after) if many} == used
    assert [supply_words(ruleset, path) for path in used] == [words]
    assert {path: -many for path, many in used_between(ruleset, after, before) if many} == used


def test_an_entry_that_is_no_longer_on_the_sheet_is_left_out() -> None:
    ruleset = load("simple")
    before = read(ruleset.sheet, {"counters": [{"name": "mana", "full": 3}]})
    assert dict(used_between(ruleset, before, evolve(before, counters=(), hp=4))) == {"hp": 6}


@pytest.mark.parametrize("game", GAMES)
def test_supplies_are_whole_numbers_and_all_numbers_left_of_a_full_one_count(game: str) -> None:
    ruleset = load(game)
    meters = {meter.now for meter in ruleset.meters}
    lists = [
        ruleset.sheet,
        *(each.type.of for each in fields_of(ruleset.sheet).values() if isinstance(each.type, Entries)),
    ]
    for of in lists:
        for name, declared in fields_of(of).items():
            if declared.supply:
                assert isinstance(declared.type, Whole | Flag)
            elif declared.same_as and declared.is_kept and isinstance(declared.type, Whole):
                assert name in meters or name in NO_SUPPLIES


# Numbers that only begin equal to another one.
NO_SUPPLIES = {"long_range"}
