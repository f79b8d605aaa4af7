"""What the party keeps after a fight: one event that says what changes in the roster."""

import pytest

from systems.encounter.roster import roster_changes
from systems.errors import Refused
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.sheets import kept_fields
from tests.systems.fight import Fight


def over(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard", "start", *lines, "end")


def changes(event) -> list[tuple]:
    return [(each.entry, each.field, each.before, each.after) for each in event.roster]


def test_the_whole_party_keeps_what_lasts_in_one_event_and_fallen_kinds_are_not_asked():
    fight = over("damage okado 12", "damage tamsin 5", "damage guard 50")
    event = fight.do("keep all")
    assert changes(event) == [("okado", "life", 52, 40), ("tamsin", "life", 52, 47)]
    assert event.text == "Okado keeps: life 52 → 40. Tamsin keeps: life 52 → 47."
    assert event.changes == ()


def test_a_list_that_became_empty_is_not_kept_if_the_roster_has_none():
    sheet = over().encounter.combatants["okado"].sheet
    assert sheet.habits is None
    assert kept_fields(sheet, replace(sheet, habits=())) == {}
    assert kept_fields(sheet, replace(sheet, habits=("flees when alone",))) != {}


def test_a_character_or_a_field_can_be_kept_alone():
    fight = over("damage okado 12", "set okado abilities.melee 60", "damage tamsin 5")
    assert changes(fight.do("keep tamsin")) == [("tamsin", "life", 52, 47)]
    event = fight.do("keep okado.abilities")
    assert event.text == "Okado keeps: melee 53 → 60."
    assert [(entry, field) for entry, field, _, _ in changes(event)] == [("okado", "abilities")]
    with pytest.raises(Refused, match="Okado has no change of armour to keep"):
        fight.do("keep okado.armour")


def test_spoils_go_to_the_notes_of_the_party_or_of_the_named_characters():
    fight = over()
    event = fight.do('keep none note="okado: 30 gold"')
    assert changes(event) == [("okado", "notes", None, "30 gold")]
    assert event.text == "Noted for Okado: 30 gold."
    both = fight.do('keep none note="the key of the mill"')
    assert [(entry, after) for entry, _, _, after in changes(both)] == [
        ("okado", "the key of the mill"),
        ("tamsin", "the key of the mill"),
    ]


def test_a_note_for_a_mistyped_name_is_refused_and_any_other_colon_is_the_partys():
    fight = over()
    with pytest.raises(
        Refused, match=r'called "okdo"; did you mean Okado\? A note for the whole party needs no'
    ):
        fight.do('keep none note="okdo: 30 gold"')
    both = fight.do('keep none note="Loot: 30 gold"')
    assert [(entry, after) for entry, _, _, after in changes(both)] == [
        ("okado", "Loot: 30 gold"),
        ("tamsin", "Loot: 30 gold"),
    ]


def test_nothing_is_saved_to_the_roster_during_the_fight_or_without_changes():
    fight = Fight("atlantis", "add okado", "start")
    with pytest.raises(Refused, match="the fight is not over"):
        fight.do("keep all")
    fight.do("end")
    with pytest.raises(Refused, match="has these values already"):
        fight.do("keep all")


def test_undo_takes_back_what_the_roster_got_and_redo_writes_it_again():
    fight = over("damage okado 12")
    fight.do("keep all")
    back = roster_changes(fight.do("undo"), fight.log)
    assert [(each.field, each.before, each.after) for each in back] == [("life", 40, 52)]
    again = roster_changes(fight.do("redo"), fight.log)
    assert [(each.field, each.before, each.after) for each in again] == [("life", 52, 40)]


def test_the_event_of_keep_names_what_was_kept_and_restored():
    fight = over("damage okado 12")
    assert fight.do("keep okado rest=all").options == {"fields": ["okado.life"], "rest": ["okado.life"]}


@pytest.mark.parametrize(("before", "after"), [("Brave.", "Brave.; 30 gold"), ("A\nB", "A\nB\n30 gold")])
def test_a_note_is_appended_to_the_notes_of_the_roster(before, after):
    fight = over()
    entry = fight.roster["okado"]
    fight.roster["okado"] = evolve(entry, sheet=replace(entry.sheet, notes=before))
    event = fight.do('keep none note="okado: 30 gold"')
    assert changes(event) == [("okado", "notes", before, after)]
