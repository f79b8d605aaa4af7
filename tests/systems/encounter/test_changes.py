"""Changes of an event are applied to a fight, or refused with the place of the invalid value."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from systems.encounter.changes import Change, joined, patch, split
from systems.encounter.serialize import plain, read_encounter
from systems.errors import Wrong
from tests.systems.fight import Fight


@pytest.fixture
def fight() -> Fight:
    return Fight("atlantis", "add okado", "add guard", "start")


@pytest.mark.parametrize("value", [4, "prone", {"name": "prone"}])
@pytest.mark.parametrize(("who", "field"), [("guard", "conditions"), ("", "offers")])
def test_a_value_that_is_no_list_is_refused_with_its_place(fight, who, field, value):
    with pytest.raises(Wrong, match=rf"{field}: expected a list, got"):
        patch(fight.encounter, [Change(who, field, None, value)])


def test_conditions_that_are_no_list_are_refused_when_a_fight_is_opened(fight):
    document = plain(fight.encounter)
    document["combatant"][1]["conditions"] = "prone"
    with pytest.raises(Wrong, match='conditions: expected a list, got "prone"'):
        read_encounter(fight.game, fight.house, fight.style, document)


def test_an_unknown_field_of_a_sheet_is_refused_with_the_known_ones(fight):
    with pytest.raises(Wrong, match=r"guard.sheet.mana: unknown field; known: .*weapons"):
        patch(fight.encounter, [Change("guard", "sheet.mana", None, 4)])


@pytest.mark.parametrize("field", ["sheet.life", "name"])
def test_a_combatant_that_is_removed_after_a_change_of_a_field_is_gone(fight, field):
    everybody = [Change("", name, ["okado", "guard"], ["okado"]) for name in ("ids", "order")]
    changes = [Change("guard", field, 5, None), Change("guard", "", {}, None), *everybody]
    assert list(patch(fight.encounter, changes).combatants) == ["okado"]


def test_combatants_that_are_no_list_are_refused_when_a_fight_is_opened(fight):
    document = plain(fight.encounter) | {"combatant": 4}
    with pytest.raises(Wrong, match=r"^combatant: expected a list of combatants, got 4$"):
        read_encounter(fight.game, fight.house, fight.style, document)


@given(some.lists(some.text(min_size=1, max_size=8), min_size=1, max_size=4))
@example(["sheet", "two-handed", "short bow", "a.b", '"'])
def test_the_path_of_a_change_is_read_back_from_its_text(path):
    assert split(joined(path)) == tuple(path)


def test_only_unusual_names_are_quoted_in_a_path():
    assert joined(["sheet", "two-handed", "max_hp", "short bow"]) == 'sheet.two-handed.max_hp."short bow"'


def test_a_change_after_the_whole_progress_was_replaced_changes_the_new_progress(fight):
    whole = {"ids": ["okado", "guard"], "order": ["guard", "okado"], "round": 4}
    found = patch(fight.encounter, [Change("", "", None, whole), Change("", "round", 4, 5)]).progress
    assert (found.order, found.round) == (("guard", "okado"), 5)


def test_an_unknown_field_of_a_combatant_is_refused_with_the_known_ones(fight):
    with pytest.raises(Wrong, match=r"guard.mana: unknown field; known: .*initiative"):
        patch(fight.encounter, [Change("guard", "mana", None, 4)])


def test_changes_inside_a_table_leave_the_rest_of_the_table(fight):
    changes = [
        Change("okado", "prepared.life", None, "40"),
        Change("okado", "prepared.size", None, "big"),
        Change("guard", "sheet.abilities.dodge", None, 9),
        Change("guard", "sheet.abilities.climb", None, 4),
    ]
    found = patch(fight.encounter, changes).combatants
    assert dict(found["okado"].state.prepared) == {
        **fight.encounter.combatants["okado"].state.prepared,
        "life": "40",
        "size": "big",
    }
    assert found["guard"].sheet.abilities == {"melee": 36, "dodge": 9, "climb": 4}


def test_a_field_that_is_removed_has_its_default_again(fight):
    hurt = patch(fight.encounter, [Change("guard", "sheet.life", 45, 5)])
    assert hurt.combatants["guard"].sheet.life == 5
    assert patch(hurt, [Change("guard", "sheet.life", 5, None)]).combatants["guard"].sheet.life == 45
