"""A fight that was prepared before an evening begins with the party as it is now."""

from typing import Any

import pytest

from systems.encounter.prepared import offer
from systems.encounter.serialize import plain, read_encounter
from systems.errors import Refused
from systems.frozen import evolve
from systems.schema.conversion import replace
from tests.systems.fight import Fight


def prepared(*lines: str) -> Fight:
    fight = Fight("atlantis")
    for line in lines:
        fight.do(line)
    return fight


def wounded(fight: Fight, who: str = "okado", **fields: Any) -> None:
    """The roster entry as it is after another fight."""
    entry = fight.roster[who]
    fight.roster[who] = evolve(entry, sheet=replace(entry.sheet, **fields))


def test_the_start_takes_what_has_changed_in_the_roster_and_says_so() -> None:
    fight = prepared("add okado", "add guard x2")
    wounded(fight, life=30, max_life=60)
    text = fight.text("start")
    assert "Updated from the roster: Okado " in text
    assert "life 30 (was 52)" in text
    assert "max life 60 (was 52)" in text
    assert (fight.sheet("okado").life, fight.sheet("okado").max_life) == (30, 60)
    fight.do("undo")
    assert fight.sheet("okado").life == 52


def test_what_was_prepared_on_purpose_stays() -> None:
    fight = prepared("add okado", "set okado life 20", "add guard")
    wounded(fight, life=30, max_life=60)
    wounded(fight, "guard", life=1)
    fight.do("start")
    assert (fight.sheet("okado").life, fight.sheet("okado").max_life) == (20, 60)
    assert fight.sheet("guard").life == 45


def test_the_party_can_keep_its_prepared_values() -> None:
    fight = prepared("add okado", "add guard")
    wounded(fight, life=30)
    assert "roster" not in fight.text("start as prepared")
    assert fight.sheet("okado").life == 52


def test_the_differences_are_offered_with_the_command_that_takes_them() -> None:
    fight = prepared("add okado", "add guard")
    assert offer(fight.encounter, fight.roster) is None
    wounded(fight, life=30)
    found = offer(fight.encounter, fight.roster)
    assert found is not None
    assert found.says == "The roster has changed since this was prepared: Okado life 30 (was 52)."
    fight.do(str(found.command))
    assert fight.sheet("okado").life == 30
    assert offer(fight.encounter, fight.roster) is None
    wounded(fight, life=12)
    fight.do("start")
    assert fight.sheet("okado").life == 12
    assert offer(fight.encounter, fight.roster) is None
    with pytest.raises(Refused, match="the fight has begun"):
        fight.do("refresh")


def test_an_opening_that_says_nothing_of_the_roster_counts_defaults_as_untouched() -> None:
    fight = prepared("add okado", "add guard")
    opening = plain(fight.encounter)
    [okado] = [combatant for combatant in opening["combatant"] if combatant["id"] == "okado"]
    del okado["prepared"]
    wounded(fight, life=30, max_life=60)
    game = fight.encounter
    fight.encounter = read_encounter(game.game, game.house, game.style, opening)
    found = offer(fight.encounter, fight.roster)
    assert found is not None
    assert found.says == "The roster has changed since this was prepared: Okado life 30 (was 52)."


def test_several_of_one_entry_are_no_character() -> None:
    fight = prepared("add okado x2", "add guard")
    wounded(fight, life=30)
    assert offer(fight.encounter, fight.roster) is None


def test_a_change_to_a_weapon_names_its_field() -> None:
    fight = prepared("add okado", "add guard")
    sword = fight.roster["okado"].sheet.weapons[0]
    wounded(fight, weapons=(evolve(sword, damage=sword.damage + 2),))
    assert "sword damage 17 (was 15)" in fight.text("start")


@pytest.mark.parametrize(("field", "value"), [("notes", "owes money"), ("name", "Okado the Bold")])
def test_another_name_or_note_on_the_roster_is_no_change(field: str, value: str) -> None:
    fight = prepared("add okado")
    wounded(fight, **{field: value})
    assert offer(fight.encounter, fight.roster) is None
