"""Every creature of SRD 5.2 plays two rounds with its effects; `pytest -s` prints the grade of each."""

import re
from collections import Counter
from contextlib import suppress

import pytest

from systems.effects.words import DOES
from systems.errors import Refused
from tests.systems.srd5.facing import FOLDER, facing

NAMES = sorted(file.stem for file in FOLDER.glob("*.toml"))
GRADES = ("whole", "offered", "reminder")
RUNS = [name for name in DOES if name != "remind"]


def grade_of(line):
    """Return whether a line runs by itself, needs the game master, or only says something.

    A line with `use` is one of the actions from which the creature chooses, so nothing is missing.
    """
    if not any(getattr(line, name) for name in RUNS):
        return "reminder"
    if line.use is not None and not line.remind:
        return "whole"
    return "offered" if line.when == "asked" or line.offered or line.remind else "whole"


def played(name):
    """Return a fight in which a creature has used all that it has, through two rounds."""
    fight = facing(name, max_hp=900)
    creature = fight.sheet(name)
    lines = [f'attack mira weapon="{attack.name}" by {name}' for attack in creature.attacks]
    lines += [f'power mira power="{power.name}" by {name}' for power in creature.powers]
    for line in lines[:4]:
        with suppress(Refused):  # such as a creature that swallows only what it holds
            fight.do(line)
    while fight.round < 3:
        fight.do("next")
    return fight


@pytest.mark.parametrize("initial", sorted({name[0] for name in NAMES}))
def test_every_creature_plays_two_rounds_with_its_effects(initial):
    for name in NAMES:
        if name.startswith(initial):
            fight = played(name)
            grades = [grade_of(line) for line in fight.sheet(name).effects]
            print(f"{name:32} {max(grades, key=GRADES.index, default='whole')}")
            assert fight.round == 3


# Words of the data that no reminder has, because it is read at the table.
RAW = re.compile(
    r"\b(target end|source end|rounds \d|ends on|dc \d|hp \d|ac \d|escape (check|disadvantage))\b"
)


def test_most_effects_run_by_themselves_or_are_offered_and_reminders_are_sentences():
    found = Counter()
    for name in NAMES:
        fight = facing(name)
        sheet = fight.sheet(name)
        for line in sheet.effects:
            assert not RAW.search(line.remind or ""), (name, line.remind)
            assert line.when != "asked" or not line.name[-1].isdigit(), (name, line.name)
        assert list(fight.game.effects.loose_names(sheet, NAMES)) == []
        grades = [grade_of(line) for line in sheet.effects]
        found[max(grades, key=GRADES.index, default="whole")] += 1
    print(dict(found))
    assert found.total() == 331
    assert found["whole"] >= 253
    assert found["reminder"] <= 8
