"""Amended history: what changes, what stays, and what is refused."""

import re

import pytest

from systems.commands.dispatcher import perform
from systems.commands.replay import AmendmentConflict
from systems.commands.table import parse
from systems.contract.table import ScriptedChoices, Suggested
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.encounter.changes import apply
from systems.encounter.events import Loss, round_of
from systems.encounter.history import encounter_after, extended, history
from systems.encounter.recap import recap_of
from systems.encounter.timeline import Timeline
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from systems.schema.conversion import replace
from tests.systems.fight import Fight
from tests.systems.toy import counts, toy


def brawl(*lines):
    """Okado hits Guard 1 in event 4; then the turns go on, and Guard 2 is hurt in event 6."""
    lines = lines or ("attack guard-1 by okado dice=12", "next", "damage guard-2 3", "next", "next", "next")
    return Fight("atlantis", "add okado", "add guard x3", "start", *lines)


def texts(fight):
    return {event.n: event.text for event in fight.log.newest()}


def test_an_option_of_the_past_is_changed_and_only_what_is_others_then_is_carried():
    fight = brawl()
    event = fight.do("amend 4 modifier=-30")
    assert (event.command, event.refs) == ("amend", (4,))
    assert [replaced.n for replaced in event.replaced] == [4, 5]
    assert texts(fight)[4].startswith("Okado misses Guard 1") or "35 against 36" in texts(fight)[4]
    assert fight.sheet("guard-1").life == 45
    assert "Hurt" not in texts(fight)[5]


def test_a_die_is_changed_and_the_others_stay():
    fight = brawl()
    assert fight.do("amend 4 dice=1").replaced[0].rolls[0].face == 1


def test_a_whole_command_replaces_another():
    fight = brawl()
    event = fight.do("amend 6 damage guard-3 5")
    assert texts(fight)[6].startswith("Guard 3 takes 5 (life")
    assert event.replaced[0].typed == "damage guard-3 5"
    assert (fight.sheet("guard-2").life, fight.sheet("guard-3").life) == (45, 40)


def test_an_amount_is_given_like_an_option():
    fight = brawl()
    fight.do("amend 6 amount=9")
    assert fight.sheet("guard-2").life == 36


def test_an_amended_line_keeps_its_targets_when_tags_change():
    fight = Fight("simple", "add okado", "add guard x2", "start dice=10,18,3", "damage 3 2")
    assert fight.encounter.combatants["okado"].tag == "3"
    before = fight.sheet("okado").hp
    fight.do("amend 2 add guard x3")
    assert fight.encounter.combatants["guard-3"].tag == "3"
    assert (fight.sheet("guard-3").hp, fight.sheet("okado").hp) == (9, before)


def test_a_turn_that_was_passed_over_is_not_ended():
    fight = brawl()
    event = fight.do("amend 6 damage guard-2 99")
    assert event.dropped == (8,)
    assert "Did not happen: the end of Guard 2's turn." in event.text
    assert fight.turn == "okado"


def test_a_turn_that_was_never_played_passes_with_what_was_done_before_it():
    fight = brawl("damage guard-2 99", "next", "next", "next", "damage guard-1 1")
    assert fight.turn == "guard-1" or fight.turn
    turn, number = fight.turn, fight.round
    fight.do("amend 4 damage guard-2 1")
    assert (fight.turn, fight.round) == (turn, number)
    assert any("Guard 2's turn" in text for text in texts(fight).values())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("amend 99 dice=1", "the log holds no event 99"),
        ("amend 4 dice=1,2,3", "too many dice: 3 given, 2 used"),
        ("amend 4 dice=99", "a d20 cannot show 99"),
        ("amend 4 undo", "undo cannot be put into history"),
        ("amend 5 modifier=5", "this command has no options"),
        ("amend 6 amoumt=9", "has no option"),
        ("amend 6 damage guard-2 3", "nothing would change"),
        ("amend 4 colour=red", "has no option"),
    ],
)
def test_what_cannot_be_amended_is_refused_in_a_sentence(line, why):
    fight = brawl()
    before = fight.plain
    with pytest.raises((Refused, Wrong), match=re.escape(why)):
        fight.do(line)
    assert (fight.plain, len(fight.log.events)) == (before, 9)


def test_an_amendment_that_the_rules_reject_changes_nothing_and_shows_the_failed_line():
    fight = brawl("attack guard-1 by okado dice=12", "attack guard-1 by okado dice=12")
    with pytest.raises(Refused, match=r"event 5 stops it, Okado's attack on Guard 1: Guard 1 is dead"):
        fight.do("amend 4 damage guard-1 99")
    fight = brawl("attack guard-1 by okado dice=12", "attack okado by guard-1 dice=12")
    with pytest.raises(
        Refused, match="Guard 1 is dead and cannot attack; if it did not happen either, add drop=5"
    ):
        fight.do("amend 4 damage guard-1 99")


def test_an_event_that_never_happened_is_left_out_and_what_came_after_is_played_again():
    fight = brawl()
    event = fight.do("amend 4 never")
    assert (event.dropped, event.replaced[0].n) == ((4,), 5)
    assert event.text.startswith("Amended: Okado's attack on Guard 1 (event 4) did not happen.")
    assert "No longer needed: Okado's d20 for sword, 12." in event.text
    assert (fight.sheet("guard-1").life, fight.sheet("guard-2").life) == (45, 42)
    with pytest.raises(Refused, match="event 4 did not happen, as amended"):
        fight.do("amend 4 dice=3")
    fight.do("undo")
    assert fight.sheet("guard-1").life == 4


def test_what_needs_an_event_stops_it_from_being_taken_out():
    fight = brawl()
    with pytest.raises(
        Refused, match=r"event 4 stops it, .*: .*; if they did not happen either, add drop=4,6"
    ):
        fight.do("amend 2 never")


def test_a_later_line_that_stops_an_amendment_is_dropped_in_the_same_step():
    fight = brawl("attack guard-1 by okado dice=12", "attack okado by guard-1 dice=12", "damage guard-2 3")
    with pytest.raises(AmendmentConflict) as refused:
        fight.do("amend 4 damage guard-1 99")
    assert [(event.number, event.title) for event in refused.value.events] == [
        (5, "Guard 1's attack on Okado")
    ]
    event = fight.do("amend 4 damage guard-1 99 drop=5")
    assert (event.dropped, event.typed) == ((5,), "amend 4 damage guard-1 99 drop=5")
    assert "Did not happen: Guard 1's attack on Okado." in event.text
    assert (fight.sheet("okado").life, fight.sheet("guard-2").life) == (52, 42)
    fight.do("undo")
    assert fight.sheet("guard-1").life == 4


def countered(*lines):
    """In event 5 Guard 1 misses Okado critically; in event 6 Okado strikes back in Guard 1's turn."""
    lines = ("next", "attack okado dice=1", "counter guard-1 by okado dice=20", *lines)
    return Fight("arden", "add okado", "add guard x2", "start", *lines, style="manual")


def test_a_counterattack_without_its_critical_miss_has_lost_its_cause():
    fight = countered("damage guard-2 1")
    before = fight.plain
    with pytest.raises(AmendmentConflict) as refused:
        fight.do("amend 5 dice=10")
    assert str(refused.value) == (
        "event 6 has lost its cause, Okado's counterattack on Guard 1; "
        "if it did not happen either, add drop=6; if it did, add keep=6"
    )
    assert fight.plain == before
    fight.do("amend 5 dice=10 drop=6")
    assert (fight.sheet("guard-1").hp, fight.sheet("guard-2").hp) == (4, 3)
    fight.do("undo")
    assert fight.plain == before
    fight.do("amend 5 dice=10 keep=6")
    assert (fight.sheet("guard-1").hp, fight.sheet("guard-2").hp) == (0, 3)


def test_a_reaction_to_a_move_that_did_not_happen_has_lost_its_cause():
    start = ("add okado", "add guard", "start", "next", "overwatch", "next")
    fight = Fight("xcom", *start, "move by okado", style="manual")
    offer = next(offer for offer in fight.encounter.offers if offer.reaction)
    fight.do(str(offer.command))
    with pytest.raises(AmendmentConflict, match="event 8 has lost its cause"):
        fight.do("amend 7 never")
    assert fight.do("amend 7 never drop=8").dropped == (7, 8)


def test_the_main_action_in_its_actors_own_turn_needs_no_offer():
    fight = toy("add ada", "add bo", "start", "strike bo dice=1", "next", "strike ada by bo dice=2")
    fight.do("amend 4 note it was only a feint")
    assert fight.sheet("ada").hp == 8
    # Ada's second blow answers the one by Bo, but she may strike in her turn without being offered it.
    fight = toy(
        "add ada", "add bo", "start", "strike bo dice=1", "strike ada by bo dice=2", "strike bo dice=3"
    )
    fight.do("amend 4 note it was only a feint drop=5")
    assert (fight.sheet("ada").hp, fight.sheet("bo").hp) == (10, 4)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("drop=3", "drop: event 3 does not come after event 5"),
        ("keep=5", "keep: event 5 does not come after event 5"),
        ("drop=77", "the log holds no event 77"),
        ("drop=6 keep=6", "event 6 cannot be dropped and kept"),
        ("drop=6,", "drop: expected event numbers, such as drop=14,15"),
        ("drop=x by okado", "drop: expected event numbers, such as drop=14,15"),
    ],
)
def test_events_to_drop_are_later_ones_that_stand(given, why):
    with pytest.raises((Misread, Refused, Wrong), match=re.escape(why)):
        countered().do(f"amend 5 dice=2 {given}")


def test_the_events_to_drop_are_named_anywhere_among_the_options():
    fight = countered("damage guard-2 1")
    fight.do("amend 5 drop=6 dice=10 by guard-1 drop=7")
    assert fight.log.event(8).dropped == (6, 7)


def test_a_note_about_a_drop_is_a_note():
    fight = countered()
    fight.do('amend 6 note "drop=7" is what I typed')
    assert texts(fight)[6] == '"drop=7" is what I typed'


def test_a_replayed_action_keeps_its_actor_when_another_combatant_has_the_turn():
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard", "start", "next", "attack guard dice=2")
    assert fight.log.event(6).actor == "tamsin"
    fight.do("amend 5 note the turn was not over")
    assert texts(fight)[6].startswith("Tamsin ")


def test_a_newly_needed_die_is_requested_if_dice_are_real():
    fight = Fight("simple", "add okado", "add guard", "start", "attack guard by okado weapon=bow dice=1")
    command = parse("amend 4 dice=15", fight.game)
    with pytest.raises(NeedsFace) as needs:
        perform(fight.encounter, fight.log, fight.roster, command, ScriptedDice(()), Suggested())
    die = needs.value.request
    assert (die.sides, die.why, die.of) == (
        8,
        "damage",
        "okado",
    )


def test_the_recap_and_earlier_states_follow_the_amended_history():
    fight = brawl()
    fight.do("amend 4 damage guard-3 20 by okado")
    assert recap_of(fight.encounter, fight.log).dealt == {"okado": 20}
    then = encounter_after(fight.encounter, fight.log, 4)
    assert [then.combatants[who].sheet.life for who in ("guard-1", "guard-3")] == [45, 25]
    assert Timeline().sampled(fight.log, "guard-1", "life", 45, 9) == [45] * 9


def test_losses_in_turns_that_pass_after_an_action_are_not_credited_to_the_actor():
    burning = ("condition guard-1 burning 3", "next", "next", "next", "note x")
    fight = Fight("simple", "add okado", "add guard x2", "start", *burning, style="manual")
    fight.do("amend 5 attack guard-1 weapon=bow by okado dice=15,4")
    event = next(event for event in fight.log.newest() if event.n == 5)
    assert (event.passing, fight.sheet("guard-1").hp) == ((Loss("guard-1", 3),), 1)
    recap = recap_of(fight.encounter, fight.log)
    assert (recap.dealt, recap.taken) == ({"okado": 5}, {"guard-1": 8})
    assert [(total.action, total.lost) for total in recap.actions] == [("attack", 5)]


def test_a_combatant_that_falls_as_its_turn_passes_is_not_felled_by_the_action():
    burning = ("set guard-1 hp 7", "condition guard-1 burning 3", "next", "next", "next", "note x")
    fight = Fight("simple", "add okado", "add guard x2", "start", *burning, style="manual")
    fight.do("amend 6 attack guard-1 weapon=bow by okado dice=15,4")
    recap = recap_of(fight.encounter, fight.log)
    assert [(blow.by, blow.lost, blow.felled) for blow in recap.blows[1:]] == [
        ("okado", 5, False),
        ("", 2, True),
    ]
    assert [total.felled for total in recap.actions] == [0]


def test_effects_of_the_game_in_turns_that_pass_after_an_action_are_no_deed():
    fight = Fight("arden", "add okado", "add guard x2", "start", "next", "next", "note x", style="manual")
    fight.do("amend 4 attack guard-1 by okado dice=15")
    assert "ends the turn" in texts(fight)[4]
    assert [total.action for total in recap_of(fight.encounter, fight.log).actions] == ["attack"]


def test_an_answer_that_followed_the_suggestion_follows_that_of_the_amended_past():
    lines = ("set okado status unconscious", "damage okado 1")
    fight = Fight("atomic_d20", "add okado", "add tamsin", "start", *lines)
    number = len(fight.log.events)
    assert [answer.value for answer in fight.log.event(number).answers] == [False]
    assert fight.sheet("okado").stamina == 2
    fight.do(f"amend {number - 1} never")
    assert (fight.sheet("okado").stamina, fight.sheet("okado").hearts) == (1, 3)


def test_a_target_that_no_longer_falls_is_attacked_if_the_line_names_it():
    lines = ("damage guard-1 99", "damage foes 3", "attack foes by okado dice=2")
    fight = Fight("atlantis", "add okado", "add guard x2", "start", *lines)
    assert fight.log.event(5).targets == ("guard-2",)
    fight.do("amend 4 damage guard-1 1")
    aimed = [event.targets for event in fight.log.newest() if event.n in (5, 6)]
    assert aimed == [("guard-1", "guard-2"), ("guard-1", "guard-2")]


@pytest.mark.parametrize(("share", "taken"), [("half", 4), ("none", 0)])
def test_a_target_that_no_longer_falls_takes_the_role_that_the_line_gave(share, taken):
    lines = ("damage guard-1 99", f"damage foes 8 {share}=guard-1")
    fight = Fight("atlantis", "add okado", "add guard x2", "start", *lines)
    whole = fight.sheet("guard-2").life + 8
    fight.do("amend 4 never")
    assert [fight.sheet(who).life for who in ("guard-1", "guard-2")] == [whole - taken, whole - 8]


def test_an_action_counts_in_its_own_round_if_the_next_begins_in_the_same_event():
    fight = Fight("atlantis", "add okado", "add guard", "start", "next", "next", "next", style="manual")
    fight.do("amend 5 attack okado by guard dice=1,5")
    event = next(event for event in fight.log.newest() if event.n == 5)
    assert ("Round 2" in event.text, round_of(event)) == (True, 1)


def test_a_replayed_arrival_uses_the_roster_of_that_time():
    fight = brawl("note a", "add guard")
    life = fight.sheet("guard-5").max_life
    entry = fight.roster["guard"]
    stronger = replace(entry.sheet, max_life=99)
    fight.roster = {**fight.roster, "guard": evolve(entry, sheet=stronger)}
    fight.do("note c")
    fight.do("amend 4 damage okado 3")
    assert fight.sheet("guard-5").max_life == life


def test_undone_events_and_amendments_cannot_be_amended_and_events_can_be_twice():
    fight = brawl()
    fight.do("amend 4 modifier=-30")
    fight.do("amend 6 amount=5")
    fight.do("amend 4 modifier=0")
    assert (fight.sheet("guard-1").life, fight.sheet("guard-2").life) == (4, 40)
    with pytest.raises(Refused, match="an amendment itself; amend event 6 again"):
        fight.do("amend 11 dice=1")
    fight.do("undo 4")
    with pytest.raises(Refused, match="event 9 was undone"):
        fight.do("amend 9 dice=1")
    assert fight.do("undo").text.startswith("Undone:")


def test_an_amendment_stays_when_the_command_after_it_is_undone():
    fight = brawl()
    fight.do("amend 4 never")
    (amendment,), read = fight.log.amends, texts(fight)
    fight.do("damage guard-2 1")
    fight.do("undo")
    assert fight.log.amends == (amendment,)
    assert texts(fight) == read
    assert history(list(fight.log.events)).amends == (amendment,)
    fight.do("undo")
    assert fight.log.amends == ()
    fight.do("redo 2")
    assert fight.log.amends == (amendment,)
    fight.do("undo 2")
    assert fight.log.amends == ()
    assert fight.sheet("guard-1").life == 4


def test_dice_needed_no_longer_and_dice_newly_needed_are_named():
    fight = Fight(
        "simple", "add okado", "add guard", "start", "attack guard by okado weapon=bow dice=15,4", seed=2
    )
    event = fight.do("amend 4 dice=1")
    assert "No longer needed: Okado's d8 for damage, 4." in event.text
    event = fight.do("amend 4 dice=15")
    assert "Newly rolled: Okado's d8 for damage" in event.text


def test_later_commands_follow_a_combatant_that_now_joins_under_another_id():
    fight = Fight("atlantis", "add okado", "note a", "add guard as Bob", "start", "damage bob 5")
    fight.do("amend 2 add guard as Bob")
    assert (fight.sheet("bob").life, fight.sheet("bob-2").life) == (45, 40)


def test_a_start_is_replayed_with_the_roster_of_that_time():
    fight = Fight("simple", "add okado", "add guard", "start dice=10,5", "note a")
    entry = fight.roster["okado"]
    fight.roster = {**fight.roster, "okado": evolve(entry, sheet=replace(entry.sheet, hp=3))}
    fight.do("amend 3 dice=2")
    assert fight.sheet("okado").hp == 20
    assert "4 Okado" in texts(fight)[3]


def test_what_was_changed_before_the_fight_is_not_what_the_roster_said():
    fight = Fight("atlantis", "add okado", "add guard", "damage okado 30", "start", "next")
    fight.do("amend 3 never")
    assert fight.sheet("okado").life == 52
    assert "Updated from the roster" not in texts(fight)[4]


def test_what_went_to_the_roster_stays_there_and_that_is_said():
    fight = Fight("atlantis", "add okado", "start", "damage okado 5", "end", "keep all")
    event = fight.do("amend 3 amount=7")
    assert event.text.endswith("The values already saved to the roster stay unchanged (event 5).")
    with pytest.raises(Refused, match="wrote to the roster"):
        fight.do("amend 5 keep none")


def test_a_condition_and_a_figure_are_amended_by_what_they_say():
    fight = brawl("condition guard-1 bane 2 until end of okado", "set guard-1 life 30", "next")
    fight.do("amend 4 rounds=3 by okado")
    held = fight.encounter.combatants["guard-1"].conditions[0]
    assert (held.value, held.last_round, held.source) == (2, 3, "okado")
    fight.do("amend 4 value=3")
    assert fight.encounter.combatants["guard-1"].conditions[0].value == 3
    fight.do("amend 5 value=31")
    assert fight.sheet("guard-1").life == 31
    with pytest.raises(Refused, match=r"rounds: expected a whole number, got .many"):
        fight.do("amend 4 rounds=many")
    with pytest.raises(Refused, match="it has value and field"):
        fight.do("amend 5 cover=half")


def test_an_answer_stays_with_the_combatant_that_was_asked():
    fight = Fight("atomic_d20", "add okado", "add tamsin", "start", "set okado stamina 0")
    number = len(fight.log.events)
    command = parse("damage okado,tamsin 1", fight.game)
    done = perform(
        fight.encounter, fight.log, fight.roster, command, ScriptedDice(()), ScriptedChoices([False])
    )
    assert [answer.of for answer in done.answers] == ["tamsin"]
    fight.encounter, fight.log = apply(fight.encounter, done), extended(fight.log, done)
    fight.do(f"amend {number} never")
    again = next(event for event in fight.log.newest() if event.n == number + 1)
    assert {answer.of: answer.value for answer in again.answers} == {"okado": True, "tamsin": False}


def test_what_several_did_together_without_a_target_is_played_again_by_the_same():
    fight = Fight("arden", "add okado", "add guard x2", "start")
    fight.do("note before")
    event = fight.do("check ability=speed dc=30 by okado,guard-1 dice=3,4")
    assert [each.actor for each in event.results] == ["okado", "guard-1"]
    amended = fight.do(f"amend {event.n} dc=2")
    assert [each.facts["passed"] for each in amended.replaced[0].results] == [True, True]
    with pytest.raises(Refused, match="names several"):
        fight.do("check guard-1 ability=speed defence=speed by okado,guard-2")


def test_an_earlier_free_condition_is_no_near_miss_when_history_is_amended():
    fight = Fight("arden", "add okado", "note first")
    given = fight.done('condition okado "alrt"')
    # As an older version wrote it, which took such a name without quotes.
    older = evolve(given, typed="condition okado alrt")
    fight.encounter, fight.log = apply(fight.encounter, older), extended(fight.log, older)
    fight.do("amend 2 note second")
    assert fight.conditions("okado") == ["alrt"]


def test_an_extra_turn_that_history_did_not_have_passes_before_the_next_command():
    lines = ("add ada", "add bo", "add orc", "start", "strike orc by ada dice=3")
    fight = toy(*lines, "strike bo by ada dice=2", "next")
    fight.do("amend 5 again by bo")
    assert (fight.turn, fight.encounter.progress.interrupted) == ("bo", None)
    assert fight.sheet("bo").hp == 8
    assert counts(fight, "turn_end") == {"ada": 1, "bo": 1, "orc": 0}


@pytest.mark.parametrize(
    ("dice", "named"),
    [
        ("1,2,3,4", "1; d6 for 1d6, 2; d6 for 1d6, 3; d6 for 1d6, 4."),
        ("1,2,3,4,5", "1; d6 for 1d6, 2; d6 for 1d6, 3; … 2 more."),
    ],
)
def test_up_to_four_dice_that_an_amendment_spares_are_named(dice, named):
    fight = Fight("atlantis", "add okado", "add guard x5", "start")
    event = fight.do(f"damage 1-{dice[-1]} 1d6 throw=each dice={dice}")
    assert fight.do(f"amend {event.n} note gone").text.endswith(f"No longer needed: d6 for 1d6, {named}")
