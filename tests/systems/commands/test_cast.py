"""Combatants that an action brings, changes or sends away: order, names, undo, amending, seats."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems.commands.preview import preview
from systems.errors import Refused
from systems.frozen import evolve
from systems.visibility.build import view
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.systems.fight import Entry, Fight
from tests.systems.menagerie import MENAGERIE, Sheet, menagerie

MIRA = Viewer(frozenset({"mira"}))


def names(fight: Fight) -> list[str]:
    return [each.name for each in fight.encounter.in_line()]


def state(fight: Fight, who: str):
    return fight.encounter.combatants[who].state


# Bring


def test_a_severed_limb_acts_directly_after_the_troll_and_rolls_nothing():
    fight = menagerie("add troll as Ogre")
    event = fight.do("cleave troll by mira dice=6")
    assert event.text == "Mira cleaves for 6. Troll limb joins the fight next to Troll."
    assert names(fight) == ["Mira", "Okado", "Troll", "Troll limb", "Ogre"]
    limb = fight.encounter.combatants[fight.encounter.progress.order[3]]
    assert (limb.sheet.hp, limb.side, limb.state.bringer) == (6, "foes", "troll")
    assert [roll.sides for roll in event.rolls] == [10]


def test_a_second_limb_has_a_number_of_its_own():
    fight = menagerie("cleave troll by mira dice=6", "cleave troll by okado dice=7")
    assert len(set(names(fight))) == 5
    assert names(fight)[3:] == ["Troll limb 5", "Troll limb"]


def test_a_split_shares_the_hit_points():
    fight = menagerie("damage troll 11", "split by troll")
    assert [fight.sheet(who).hp for who in fight.encounter.progress.order[2:]] == [15, 14]
    assert names(fight)[2] == "Troll"
    assert names(fight)[3].startswith("Troll ")


def test_called_beasts_leave_when_their_caller_loses_the_condition():
    fight = menagerie("call by mira")
    assert len(names(fight)) == 5
    event = fight.do("clear mira focus")
    assert names(fight) == ["Mira", "Okado", "Troll"]
    assert "leave the fight" in event.text
    fight.do("undo")
    assert len(names(fight)) == 5
    fight.do("damage mira 20")
    assert "Brown bear" not in " ".join(names(fight))


def test_undo_redo_and_reopening_restore_a_brought_combatant():
    fight = menagerie()
    before = fight.plain
    fight.do("cleave troll by mira dice=6")
    after = fight.plain
    assert fight.folded() == after
    fight.do("undo")
    assert fight.plain["combatant"] == before["combatant"]
    fight.do("redo")
    assert fight.plain == after


def test_an_amended_blow_takes_the_limb_back_with_its_turns():
    fight = menagerie("cleave troll by mira dice=6", "next", "next", "next", "next", "next")
    assert fight.turn == "okado"
    fight.do("amend 5 dice=3")
    assert names(fight) == ["Mira", "Okado", "Troll"]
    assert fight.sheet("troll").hp == 37


def test_an_amendment_needs_no_roster_file_for_what_an_event_brought():
    fight = menagerie("cleave troll by mira dice=6", "shape by mira", "next")
    del fight.roster["limb"], fight.roster["bear"]
    fight.do("amend 5 dice=7")
    assert names(fight) == ["Mira", "Okado", "Troll", "Troll limb"]
    assert fight.sheet("troll-limb").hp == 7
    assert (fight.sheet("mira").hp, state(fight, "mira").form) == (30, "bear")


def test_an_amendment_keeps_the_limb_as_it_was_although_the_roster_has_changed():
    fight = menagerie("cleave troll by mira dice=6", "next")
    fight.roster["limb"] = Entry("Arm", "foes", Sheet(max_hp=9, claws=9))
    fight.do("amend 5 dice=7")
    assert names(fight)[3] == "Troll limb"
    assert fight.sheet("troll-limb").claws == 0


def test_in_a_fight_of_an_older_version_an_amendment_keeps_the_names_too():
    fight = menagerie()
    fight.encounter = fight.encounter.with_progress(numbering=1)
    fight.do("cleave troll by mira dice=6")
    name = names(fight)[3]
    fight.do("cleave troll by okado dice=8")
    fight.do("amend 5 dice=7")
    assert (name, len(names(fight))) == ("Troll limb", 5)
    assert "Troll limb 1 1" not in names(fight)


def test_a_kind_that_the_roster_lacks_is_said_and_the_blow_counts():
    fight = menagerie()
    del fight.roster["limb"]
    event = fight.do("cleave troll by mira dice=6")
    assert 'The roster has no "limb".' in event.text
    assert fight.sheet("troll").hp == 34


def test_the_odds_name_what_comes():
    fight = menagerie()
    found = preview(fight.encounter, MENAGERIE.actions[0], "mira", "troll", MENAGERIE.actions[0].options())
    assert [(words, float(chance)) for words, chance in found.effects] == [("limb comes", 0.6)]


@pytest.mark.parametrize(
    ("action", "words"),
    [("shape", "turns into bear"), ("unshape", "turns back"), ("banish", "is away"), ("leave", "is away")],
)
def test_the_odds_name_who_changes_form_and_who_goes(action, words):
    fight, deed = menagerie(), MENAGERIE.action(action)
    target = "troll" if deed.targets == "one" else None
    found = preview(fight.encounter, deed, "mira", target, deed.options())
    assert dict(found.effects) == {words: 1}


def test_what_a_hidden_combatant_brings_is_hidden_from_seats():
    fight = menagerie("add troll as Shade hidden")
    hidden = fight.encounter.progress.ids[-1]
    before = view(fight.encounter, fight.log, MIRA, Shown())
    fight.do(f"split by {hidden}")
    assert len(fight.encounter.combatants) == 5
    assert view(fight.encounter, fight.log, MIRA, Shown()) == before


# Change form


def test_a_form_has_its_own_sheet_and_the_old_one_comes_back():
    fight = menagerie("damage mira 4", "condition mira prone", "shape by mira")
    assert (fight.sheet("mira").hp, fight.sheet("mira").claws) == (30, 6)
    assert fight.sheet("mira").used == 1
    assert fight.sheet("mira").low
    assert fight.conditions("mira") == ["prone"]
    fight.do("damage mira 9")
    event = fight.do("unshape by mira")
    assert event.text == "Mira changes. Mira turns back."
    assert (fight.sheet("mira").hp, fight.sheet("mira").claws, fight.sheet("mira").low) == (16, 1, True)
    assert (state(fight, "mira").form, state(fight, "mira").stowed) == (None, ())


def test_a_form_within_a_form_comes_back_step_by_step():
    fight = menagerie("shape by mira", "damage mira 5", "shape by mira", "unshape by mira")
    assert (fight.sheet("mira").hp, state(fight, "mira").form) == (25, "bear")
    fight.do("unshape by mira")
    assert (fight.sheet("mira").hp, state(fight, "mira").form) == (20, None)


def test_a_form_of_an_older_version_of_the_game_comes_back_in_the_present_one():
    fight = menagerie("damage mira 4", "shape by mira")
    newer = evolve(
        MENAGERIE, version=2, migrate=lambda version, sheet: {**sheet, "hp": sheet.get("hp", 20) + 1}
    )
    fight.encounter = evolve(fight.encounter, game=newer)
    fight.do("unshape by mira")
    assert fight.sheet("mira").hp == 17


def test_a_stowed_form_that_a_person_has_spoiled_is_said_and_the_fight_goes_on():
    fight = menagerie("shape by mira")
    spoiled = fight.encounter.combatants["mira"].with_state(stowed=("[]",))
    fight.encounter = fight.encounter.with_combatants(spoiled)
    assert "Mira cannot turn back: the sheet of its own form cannot be read." in fight.text("unshape by mira")
    assert "The fight is over" in fight.text("end")


def test_undo_redo_and_reopening_restore_a_form():
    fight = menagerie("damage mira 4")
    before = fight.plain
    fight.do("shape by mira")
    after = fight.plain
    assert fight.folded() == after
    fight.do("undo")
    assert fight.plain["combatant"] == before["combatant"]
    fight.do("redo")
    assert fight.plain == after


def test_all_have_their_own_form_again_when_the_fight_ends():
    fight = menagerie("shape by mira", "end")
    assert fight.sheet("mira").claws == 0
    assert state(fight, "mira").form is None


def test_a_player_keeps_the_own_character_in_another_form():
    fight = menagerie("shape by mira")
    row = next(row for row in view(fight.encounter, fight.log, MIRA, Shown()).rows if row.name == "Mira")
    assert row.own
    assert "as bear" in [word.text for word in row.words]


# Go


def test_a_banished_combatant_loses_its_place_and_comes_back_in_its_round():
    fight = menagerie("banish troll by mira")
    assert fight.log.events[-1].text == "Mira banishes. Troll is away until round 3."
    assert fight.encounter.progress.order == ("mira", "okado")
    for _ in range(4):
        fight.do("next")
    assert (fight.round, fight.encounter.progress.order) == (3, ("mira", "okado", "troll"))
    assert not state(fight, "troll").away


def test_one_that_leaves_in_its_own_turn_passes_the_turn_on_and_may_come_back():
    fight = menagerie("leave by mira")
    assert fight.turn == "okado"
    with pytest.raises(Refused, match="Mira is away"):
        fight.do("cleave troll by mira")
    assert fight.text("return mira") == "Mira is back."
    assert "mira" in fight.encounter.progress.order
    assert not state(fight, "mira").arrives


def test_one_that_a_condition_keeps_away_comes_back_with_its_end():
    fight = menagerie("hold_away troll by mira", "next")
    assert fight.encounter.combatants["troll"].arrival == "is away"
    assert fight.text("clear mira focus").endswith("Troll is back.")
    assert "troll" in fight.encounter.progress.order
    assert (state(fight, "troll").bound, state(fight, "troll").bringer) == (None, None)


def test_undo_and_amending_restore_a_banished_combatant():
    fight = menagerie("banish troll by mira", "next")
    fight.do("amend 5 banish okado by mira")
    assert fight.encounter.progress.order == ("mira", "troll")
    fight.do("undo")
    assert fight.encounter.progress.order == ("mira", "okado")
    fight.do("undo 2")
    assert fight.encounter.progress.order == ("mira", "okado", "troll")


def test_players_read_that_a_visible_combatant_is_away():
    fight = menagerie("banish troll by mira")
    said = [line.whole for line in view(fight.encounter, fight.log, PUBLIC, Shown()).log]
    assert any("Troll is away until round 3." in line for line in said)


LINES = [
    "cleave troll by mira",
    "split by troll",
    "call by mira",
    "shape by mira",
    "unshape by mira",
    "banish troll by mira",
    "hold_away troll by okado",
    "leave by okado",
    "return okado",
    "return troll",
    "clear mira focus",
    "next",
    "undo",
    "redo",
    "back",
    "end",
]


@settings(max_examples=25)
@given(lines=st.lists(st.sampled_from(LINES), max_size=12))
def test_any_history_of_the_cast_reopens_and_is_undone_exactly(lines: list[str]):
    fight = menagerie()
    for line in lines:
        with suppress(Refused):
            fight.do(line)
    assert fight.folded() == fight.plain
    while fight.log.standing_since(1):
        fight.do("undo")
    assert fight.plain == fight.opening


@pytest.mark.parametrize("line", ["split by troll", "shape by troll", "banish troll by mira", "call by mira"])
def test_any_change_of_the_cast_is_undone_exactly(line: str):
    fight = menagerie()
    before = fight.plain
    fight.do(line)
    fight.do("undo")
    assert fight.plain == before
