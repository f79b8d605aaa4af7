"""A fight one line at a time: typed lines and their answers, without a screen."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from systems.contract.policy import Policy
from systems.contract.ruleset import Ruleset
from tests.command import PREPARED, affray, commands, environment, present, program, sample, start
from tests.systems.stat_blocks.other_trackers import BLOCK
from tui.session.forecasts import Forecaster

GATE = "okado-at-the-gate"
CLOSING = 1  # lines of the greeting after the order


def said(folder: Path, *lines: str, campaign: str = GATE, seed: int = 3) -> list[str]:
    """Return the answers to these lines, without the greeting."""
    ran = affray(
        "--linear", campaign, "--campaigns", folder, "--seed", str(seed), given="\n".join((*lines, ""))
    )
    assert (ran.status, ran.err) == (0, "")
    spoken = ran.out.splitlines()
    return spoken[next(at for at, line in enumerate(spoken) if line.startswith("Type a command")) + CLOSING :]


def test_a_round_played_with_the_screens_keys_is_saved_as_by_run(
    tmp_path: Path,
) -> None:
    for name in ("spoken", "run"):
        sample(tmp_path / name, GATE)
    spoken = said(tmp_path / "spoken", "n", "a 1", ".", "n", "u")
    answers = commands(
        tmp_path / "run",
        GATE,
        "start",
        "attack 1",
        "attack 1 by okado",
        "next",
        "undo",
        words=("--seed", "3"),
    )
    assert [line for line in spoken if not line.startswith("It is")] == [answer["text"] for answer in answers]
    assert spoken[-1] == "It is Okado's turn, round 1."
    assert present(tmp_path / "spoken", GATE) == present(tmp_path / "run", GATE)


def test_who_is_near_whom_is_said_and_kept_in_lines(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "n", "near okado 1,2", "order", "apart okado 1")
    assert "Okado is near Guard 1 and Guard 2." in spoken
    assert "Okado is no longer near Guard 1." in spoken
    assert any("Okado" in line and "near 1,2" in line for line in spoken)


def test_a_plan_is_said_carried_out_and_undone_in_lines(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "n", "plan", "n", "n", "plan", "undo", seed=1)
    assert "Refused: it is Okado's turn; end it with next, then plan." in spoken
    planned = spoken.index("Guard 1: attack Tamsin, sword: 98%, drops <1%.")
    assert spoken[planned + 3].startswith("Guard 1 hits Tamsin")
    assert any(line.startswith("Chosen again, because Tamsin has fallen") for line in spoken)
    assert spoken[-1] == "It is Guard 1's turn, round 1."


def test_a_policy_that_fails_is_said_once_and_the_default_chooses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(sheet: object, house: object) -> tuple[()]:
        raise ValueError("no moves")

    monkeypatch.setattr(Ruleset, "own_policy", property(lambda game: game.policy and Policy(fails)))
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "n", "n", "n", "plan", seed=1)
    failed = "The policy of Atlantis failed (ValueError: no moves), so the default policy has chosen."
    assert spoken.count(failed) == 1
    assert any(line.startswith("Guard 1 hits Tamsin") for line in spoken)


def test_the_changes_of_an_amendment_are_shown_before_it_counts(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    amends = "amend 2 damage 1 12"
    spoken = said(tmp_path, "start", "damage 1 9", "next", amends, "leave", amends, "x", "")
    told = [
        "Changes:",
        "Guard 1: life 36 → 33.",
        "Event 2 was: Guard 1 takes 9 (life 45 → 36).",
        "Event 2 becomes: Guard 1 takes 12 (life 45 → 33), hurt −5.",
        'Press Enter to amend the log, or type "leave" to cancel:',
    ]
    assert [line for line in spoken if line in told] == told * 2 + told[-1:]
    assert 'Press Enter, or type "leave".' in spoken
    assert sum("Amended" in line or "amended" in line for line in spoken) == 1
    assert present(tmp_path, GATE)["combatants"][2]["sheet"]["life"] == 33


def test_later_events_that_do_not_fit_an_amendment_can_be_removed_or_kept_in_lines(tmp_path: Path) -> None:
    road = "the-toll-road"
    sample(tmp_path, road)
    begun = ("start", "attack ilsa by bandit-1 dice=1", "counter by ilsa dice=20")
    spoken = said(tmp_path, *begun, "amend 2 dice=10", "leave", campaign=road)
    assert "Event 3: Ilsa's counterattack on Bandit 1 has lost its cause." in spoken
    assert spoken[-1] == "Not carried out: amend 2 dice=10."
    spoken = said(tmp_path, "amend 2 dice=10", "later", "keep", "", campaign=road)
    assert 'Press Enter, or type "keep" or "leave".' in spoken
    assert present(tmp_path, road)["combatants"][2]["sheet"]["hp"] == 0
    said(tmp_path, "undo", "amend 2 dice=10", "", "", campaign=road)
    bandit = present(tmp_path, road)["combatants"][2]
    assert (bandit["id"], bandit["sheet"]["hp"]) == ("bandit-1", bandit["sheet"]["max_hp"])


def test_run_names_the_option_that_leaves_a_later_event_out(tmp_path: Path) -> None:
    road = "the-toll-road"
    sample(tmp_path, road)
    lines = ("start", "attack ilsa by bandit-1 dice=1", "counter by ilsa dice=20")
    *_, refused, accepted = commands(tmp_path, road, *lines, "amend 2 never", "amend 2 never drop=3")
    assert refused["error"] == (
        "event 3 has lost its cause, Ilsa's counterattack on Bandit 1; "
        "if it did not happen either, add drop=3; if it did, add keep=3"
    )
    assert accepted["ok"]


def test_several_deaths_are_one_question_in_lines(tmp_path: Path) -> None:
    cellar = "the-thin-place"
    sample(tmp_path, cellar)
    spoken = said(tmp_path, "start aryn 30", "damage players 90", "n", "", "2", campaign=cellar)
    question = "Aryk, Aryn and Villy die; an Aether Mark can bring each of them back at a price."
    offered = [line for line in spoken if line.startswith("Offer:")]
    assert offered[0] == f"Offer: {question} Press Enter to list them."
    assert offered[1].startswith("Offer: Aryk and Villy die;")
    at = spoken.index(question)
    assert spoken[at + 2].startswith("2: return from death, Aryn dies with an Aether Mark")
    assert spoken[at + 4] == "Type a number, or press Enter to cancel."
    assert spoken[at + 5].startswith("The Aether Mark brings Aryn back at 1 hp")


def test_the_end_is_offered_when_a_side_is_down_and_savable_values_are_listed(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "start", "damage okado 12", "damage foes 99", "end", "keep all", "undo")
    said_once = "The foes are down; Wolf is still to arrive. Type end to end the fight."
    assert "Okado can save life 52 → 40 to the roster: type keep okado.life." in spoken
    assert "Okado keeps: life 52 → 40." in spoken
    assert spoken.count(said_once) == 1, spoken


def test_a_rest_is_offered_at_the_end_and_accepted_by_the_line_shown(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "start", "damage okado 12", "damage tamsin 60", "end", "keep all rest=okado.life")
    assert "After a rest, Okado: life 40 → 52: type keep all rest=okado.life." in spoken
    denied = "Tamsin gets nothing from a rest: unconscious, and only medicine, potions or spells help."
    assert denied in spoken
    assert "Type keep all rest=all to let the whole party rest first." in spoken
    assert any("Okado after a rest: life 40 → 52." in line for line in spoken)


def test_the_greeting_shows_the_state_of_the_fight_and_its_combatants(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    lines = affray("--linear", GATE, "--campaigns", tmp_path).out.splitlines()
    assert lines[0] == "Okado at the gate, North gate, Atlantis, not begun"
    assert lines[1] == "4 Okado, players, life 52/52, conscious, armour 20"
    assert lines[6] == "h1 Wolf, foes, arrives in round 3"


def test_several_real_dice_can_be_typed_at_once_and_a_wrong_face_is_requested_again(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "start", "dice real", "a 1", "33", "x", "20 13")
    assert spoken[1] == "All dice are real: type each when prompted."
    assert spoken[3] == "No: a d20 cannot show 33; type 1 to 20."
    assert spoken[5] == 'No: "x" is not a face: type what the die shows, 1 to 20.'
    assert "86 against 36, critical" in spoken[-1]


def test_a_total_is_typed_with_an_equals_sign_and_an_impossible_one_is_requested_again(
    tmp_path: Path,
) -> None:
    sample(tmp_path, "the-thin-place")
    spoken = said(
        tmp_path,
        "start dice=5,20,6,7,8,9",
        "dice real",
        "attack 2",
        "=25",
        "=17",
        "=13",
        "=9",
        campaign="the-thin-place",
    )
    assert "No: d20 +4 can't make 25, only 5 to 24." in spoken
    assert any(
        "Type what it shows, or = and the total, or press Enter to roll it:" in line for line in spoken
    )
    assert "No: 2d6 can't make 13, only 2 to 12." in spoken
    assert "9 damage" in spoken[-1]


def test_the_dice_of_an_undone_command_are_offered_again_and_accepted_by_one_enter(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    twice = ("attack 1 defence=active", "15 10", "undo", "attack 1 defence=active", "")
    spoken = said(tmp_path, "start", "dice real", *twice)
    assert (
        "Rolled before: 15 10. Press Enter to use that, type r to roll again, or type the face:" in spoken[-2]
    )
    assert "68 against 46" in spoken[-1]
    again = said(tmp_path, "undo", "dice real", "attack 1 defence=active", "3", "4")
    assert "For Okado, 19 or less: hit. Added: melee 36. Rolled before: 10." in again[-2]
    assert "56 against 40" in again[-1]


def test_a_cancelled_prompt_changes_nothing(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "start", "dice real", "a 1", "leave", "log")
    assert spoken[-2:] == ["Not carried out: attack on Guard 1 by Okado.", f"Round 1: {spoken[0]}"]


def test_capital_d_goes_through_the_dice_modes(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "start", "D", "dice", "D", "D")
    assert spoken[-4:] == [
        "All dice are real: type each when prompted.",
        "All dice are real: type each when prompted.",
        "The players' dice are real; the program rolls the others.",
        "The program rolls all dice.",
    ]


def test_the_log_shows_a_line_for_each_of_several_targets(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "start", "damage 1,2 50", "log 1")
    assert spoken[-3:] == [
        "Round 1: Damage for 2: 50.",
        "Guard 1 takes 50 (life 45 → −5), unconscious.",
        "Guard 2 takes 50 (life 45 → −5), unconscious.",
    ]


def test_odds_and_explanations_are_lines(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "start", "odds", "odds 1 coverage=half", "a 1 dice=20,13", "why")
    assert (
        spoken[1] == "Okado, attack against Guard 1: hit 99%, needs more than 36, expected 35, drops 2%"
        ", hurt −10 95%, hurt −5 2%, unconscious 2%"
    )
    assert spoken[4].startswith("Okado, attack against Guard 1: hit ")
    assert spoken[4] != spoken[1]
    assert "total 86" in spoken
    assert "damage 45, 15 × 3" in spoken


def test_a_forecast_is_said_and_writes_no_event(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "K 2", "forecast many", "n", "n", "n", "n", "n", "n", "end", "forecast 2")
    assert any(line.endswith("with sensible foes") for line in spoken)
    assert "2 fights each, sensible unless said" in " ".join(spoken)
    assert any("expected a number of fights" in line for line in spoken)
    # After the fight it says where the fight turned.
    assert any(line.startswith("at the end ") for line in spoken)
    assert "The policy plays on from each moment" in spoken[-1]


def test_a_forecast_that_is_stopped_says_what_the_fights_so_far_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample(tmp_path, GATE)
    play, left = Forecaster._play_each, 3

    def stopped(forecaster: Forecaster) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        play(forecaster)

    monkeypatch.setattr(Forecaster, "_play_each", stopped)
    spoken = said(tmp_path, "forecast 20", "forecast 20", "n", "n", "recap chances 9", "danger tamsin")
    assert any(line.startswith("3 fights each") for line in spoken)
    assert spoken.count("Stopped before the first result.") == 2
    # The program goes on.
    assert "if all go for Tamsin" in spoken[-2]


def test_danger_is_said_and_writes_no_event(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    assert said(tmp_path, "danger")[-1] == "The fight has not begun: there is no danger yet."
    spoken = said(tmp_path, "n", "n", "danger", "danger tamsin", "danger 1", "end", "danger")
    assert spoken[2:4] == [
        "16% if all go for Okado: Guard 2 <1% (sword), Raider captain 16% (long sword)",
        ">99% if all go for Tamsin: Guard 1 <1% (sword), Guard 2 92% (sword), Raider captain 8% (long sword)",
    ]
    assert spoken[5] == spoken[3]
    assert spoken[7] == "Guard 1 is no player's character that can act."
    assert spoken[-1] == "The fight is over: there is no danger any more."
    assert [answer["n"] for answer in commands(tmp_path, GATE, "undo")] == [4]


def test_a_letter_of_the_game_begins_a_line_as_a_key_does(tmp_path: Path) -> None:
    line = "ability=dodge threshold=20 by okado dice=10"
    by_key = said(tmp_path / "key", "start", f"t {line}", "log")
    by_name = said(tmp_path / "name", "start", f"check {line}", "log")
    assert by_key == by_name
    assert any("dodge" in spoken for spoken in by_key)


def test_a_whole_sheet_and_help_are_lines(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "status tamsin", "help undo")
    assert spoken[:2] == ["5 Tamsin", "life 48 of 48"]
    assert spoken[-1] == "undo [N]: undo the last command, or several"


def test_a_repeat_leaves_out_one_off_options_and_names_no_fallen_target(tmp_path: Path) -> None:
    campaign = "the-toll-road"
    sample(tmp_path, campaign)
    attack = "attack bandit-chief split=yes modifier=2 dice=10"
    spoken = said(tmp_path, "start", attack, ".", "set bandit-chief hp 0", ".", campaign=campaign)
    log = (tmp_path / campaign / "encounters/the-chain/log.toml").read_text(encoding="utf-8")
    assert 'typed = "attack bandit-chief modifier=2 by ilsa"' in log
    assert spoken[-1].endswith('name another: "attack TARGET modifier=2 by ilsa".')


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("attack 99", "Refused: nobody has the tag 99; tags go from 1 to 5."),
        ("undoo", 'Not understood: there is no command "undoo"; did you mean undo?'),
        ("why 99", "There is no event 99."),
        ("log all", "Log takes a number of lines, such as log 30, or nothing."),
        ("status nobody", 'Nobody here is called "nobody"'),
        ("help undoo", 'There is no word "undoo"; did you mean undo?'),
        ("dice mine", "Dice takes one of program, real, players."),
        ("", "There are no offers."),
        (".", "Nobody has the turn."),
        ("roll 2d6 \x1b[31m", "Not understood"),
    ],
)
def test_a_refused_line_is_one_sentence_and_changes_nothing(tmp_path: Path, line: str, answer: str) -> None:
    sample(tmp_path, GATE)
    before = present(tmp_path, GATE)
    [spoken] = said(tmp_path, line)
    assert spoken.startswith(answer[:20])
    assert present(tmp_path, GATE) == before


@pytest.mark.parametrize("campaign", PREPARED)
def test_every_game_can_be_played_to_the_second_round_by_accepting_offers(
    tmp_path: Path, campaign: str
) -> None:
    sample(tmp_path, campaign)
    spoken = said(tmp_path, "n", *["a", "", "", "n"] * 12, "order", campaign=campaign)
    assert not any("unexpected" in line for line in spoken)
    assert present(tmp_path, campaign)["round"] >= 2


def test_the_linear_program_starts_without_textual(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    folder = tmp_path / "shadow" / "textual"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ImportError('no screens here')", encoding="utf-8")
    ran = start(
        "--linear", GATE, "--campaigns", tmp_path, given=b"n\nquit\n", PYTHONPATH=str(tmp_path / "shadow")
    )
    assert (ran.status, ran.err) == (0, "")
    assert "Okado's turn" in ran.out


def test_at_a_terminal_tab_completes_and_nothing_is_painted(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    here, there = pty.openpty()
    words = program("--linear", GATE, "--campaigns", tmp_path)
    with subprocess.Popen(words, stdin=there, stdout=there, stderr=there, env=environment()) as process:
        os.close(there)
        os.write(here, b"n\nattack rai\t\nquit\n")
        heard = b""
        while True:
            try:
                heard += os.read(here, 4096)
            except OSError:  # the other end is closed
                break
    os.close(here)
    assert process.returncode == 0
    assert b"attack raider-captain" in heard
    assert b"\x1b[?1049h" not in heard
    assert b"\x1b[2J" not in heard


def test_without_a_campaign_it_says_what_to_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    ran = affray("--linear", "--campaigns", tmp_path)
    assert ran.status == 1
    assert "name a campaign" in ran.complaint


def test_a_needed_option_is_prompted_for(tmp_path: Path) -> None:
    road = "the-toll-road"
    spoken = said(tmp_path, "n", "move", "3", "move", "", "u", campaign=road)
    asked = "move needs spaces: a whole number from 0 to 999. Type it, or press Enter to cancel:"
    assert spoken.count(asked) == 2
    at = spoken.index(asked)
    assert "moves 3 spaces" in spoken[at + 1]
    assert spoken[at + 3].startswith("Not carried out: move")
    assert spoken[at + 4].startswith("Undone: ")


def test_keys_of_the_screens_can_begin_a_line(tmp_path: Path) -> None:
    spoken = said(tmp_path, "n", "e 1 life 40", "T the gate gives way", "S 1", "I", "L 2", "D real", "E", "")
    assert "Guard 1's life: 45 → 40." in spoken
    assert "life 40 of 45" in spoken
    assert "4 Okado, players, life 52/52, conscious, armour 20, has the turn" in spoken
    assert "Round 1: the gate gives way" in spoken
    assert "All dice are real: type each when prompted." in spoken
    assert "The fight is over after 1 round." in spoken


def test_the_key_that_ends_the_fight_is_confirmed_while_no_side_is_down(tmp_path: Path) -> None:
    spoken = said(tmp_path, "n", "E", "keep all", "leave", "S 3")
    assert 'No side is down. Press Enter to end the fight, or type "leave" to continue:' in spoken
    assert [line for line in spoken if line.startswith(("Press Enter, or", "The fight continues"))] == [
        'Press Enter, or type "leave".',
        "The fight continues.",
    ]
    assert not any("is over" in line for line in spoken)


def test_the_letter_of_a_rest_alone_is_confirmed(tmp_path: Path) -> None:
    sample(tmp_path, "the-goblin-ford")
    start = ("start", "z")
    left = said(tmp_path, *start, "leave", campaign="the-goblin-ford")
    assert 'Press Enter to carry it out, or type "leave" to cancel:' in left[-2]
    assert left[-1] == "Nothing was changed."
    rested = said(tmp_path, "z", "", campaign="the-goblin-ford")
    assert rested[-1].endswith(" rests.")


def test_input_that_ends_at_a_prompt_ends_the_program_quietly(tmp_path: Path) -> None:
    spoken = said(tmp_path, "dice real", "roll 2d6", "4")
    assert spoken[-1].endswith("or press Enter to roll it:")


@pytest.mark.parametrize("line", ["actions", "help", "status 3", "why", "order", "offers", "odds"])
def test_lines_end_in_one_full_stop_and_have_no_columns(tmp_path: Path, line: str) -> None:
    for told in said(tmp_path, "n", "a 3 dice=20,13", line):
        assert ".." not in told
        assert "  " not in told.strip()


def test_the_status_says_the_life_since_the_start_in_numbers(tmp_path: Path) -> None:
    spoken = said(tmp_path, "n", "d guard-1 12", "d guard-1 3", "status guard-1", "status guard-2")
    assert [line for line in spoken if "since the start" in line] == ["life since the start: 45, 33, 30"]


def test_the_order_names_its_columns_and_the_status_only_the_meters_of_the_combatant(tmp_path: Path) -> None:
    sample(tmp_path, "the-sunken-vault")
    lines = ("start", "damage tavi 32", "damage tavi 1", "order", "status lurker", "status cave-drake")
    spoken = said(tmp_path, *lines, campaign="the-sunken-vault")
    assert any("AC 15, saves +0 −1" in line for line in spoken)
    assert [line for line in spoken if " of " in line and "legendary" in line] == ["legendary 2 of 2"]


def test_the_recap_has_no_bars_or_curves(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "n", "a 1", "n", "a okado by 5", "end", "recap")
    assert "Who did what to whom" in spoken
    assert not set("".join(spoken)) & set("━▇█▂")
    assert any(line.startswith("Guard 1, 0, ") for line in spoken)  # and not "Guard 1 0"
    blows = spoken.index("The heaviest blows")
    assert spoken[blows + 1].startswith("round 1, ")
    luck = spoken[spoken.index("Luck") + 1]
    assert luck.endswith(" expected")


def test_an_amendment_without_effect_says_so_in_one_sentence(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "start", "damage 1 9", "heal all 60", "amend 2 damage 1 8", "")
    assert "The fight is unchanged." in spoken


def test_a_choice_among_numbers_is_typed_as_the_number_itself(tmp_path: Path) -> None:
    sample(tmp_path, "the-toll-road")
    line = "attack bandit-chief by ilsa"
    spoken = said(
        tmp_path, "start", "condition bandit-chief alert", line, "200", "5", campaign="the-toll-road"
    )
    assert 'Type any number from 0 to 199, or "leave" to cancel the command.' in spoken
    assert any("Perception 5 against 5." in line for line in spoken)
    spoken = said(tmp_path, line, "14", campaign="the-toll-road")
    assert any(" against 14." in line for line in spoken)


def test_a_name_as_wide_as_its_column_is_separated_from_the_next_one(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(
        tmp_path, "start", "add guard as Wicked thrashers", "attack okado by wicked-thrashers", "recap"
    )
    assert any(line.startswith("Wicked thrashers, attack on Okado") for line in spoken)


def test_ready_and_group_begin_with_their_keys(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    spoken = said(tmp_path, "n", "G tamsin when the gate falls: shoot", "B 1-2")
    assert "Tamsin is ready: when the gate falls: shoot." in spoken
    assert "Guard 1 and Guard 2 share a turn." in spoken


def test_help_lists_the_keys_first_and_every_command_only_on_request(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    short, commands_told = said(tmp_path, "help"), said(tmp_path, "help commands")
    assert any("n next, capital O next side, capital N back" in line for line in short)
    assert any(line.startswith("quit: ") for line in short)
    assert len(short) < 20
    assert not any(line.startswith("damage TARGETS") for line in short)
    assert any(line.startswith("damage TARGETS") for line in commands_told)


def test_nobody_has_the_turn_in_a_fight_that_is_over(tmp_path: Path) -> None:
    sample(tmp_path, GATE)
    first, *order = said(tmp_path, "n", "end", "order")[-7:]
    assert first == "North gate, Atlantis, over after round 1"
    assert not any("has the turn" in line for line in order)


def test_enter_alone_runs_the_correction_of_a_near_miss(tmp_path: Path) -> None:
    sample(tmp_path, "the-toll-road")
    spoken = said(tmp_path, "start", "c 1 alrt", "", "c 1 alrt", "note done", campaign="the-toll-road")
    assert "Enter runs: condition 1 alert" in spoken
    assert "Bandit 1 is alert." in spoken
    assert sum("is alert" in line for line in spoken) == 1


def test_a_tag_lists_the_creatures_that_have_it(tmp_path: Path) -> None:
    sample(tmp_path, "the-goblin-ford")
    spoken = said(tmp_path, "+ undead", "3 undead", "+ undead x2", campaign="the-goblin-ford")
    listed = 'no entry is called "undead", but these match: Ghost, Ghoul, Skeleton and Zombie.'
    assert [line for line in spoken if "these match" in line] == [f"Refused: {listed}"] * 2


def test_a_chain_of_events_is_amended_after_the_fight_is_opened_again(tmp_path: Path) -> None:
    road = "the-toll-road"
    sample(tmp_path, road)
    begun = ("start", "attack ilsa by bandit-1 dice=1", "counter by ilsa dice=20", "next")
    commands(tmp_path, road, *begun)
    spoken = said(tmp_path, "amend 2 dice=10", "", "", campaign=road)
    assert "Event 3: Ilsa's counterattack on Bandit 1 has lost its cause." in spoken
    assert spoken[-1].startswith("Amended: Bandit 1's attack on Ilsa (event 2).")


def test_a_side_is_ended_by_its_key_after_a_question(tmp_path: Path) -> None:
    sample(tmp_path, "rooftop-watch")
    spoken = said(tmp_path, "n", "O", "leave", "O", "", "I", campaign="rooftop-watch")
    asked = "Mara and Idris can still act. Press Enter to end the side's turn"
    assert sum(asked in line for line in spoken) == 2
    assert "The turn continues." in spoken
    assert any(line.startswith("The foes have the turn.") for line in spoken)
    assert any("Grey, foes" in line and "can still act" in line for line in spoken)


def test_the_next_of_a_kind_repeats_an_action_in_a_turn_of_its_side(tmp_path: Path) -> None:
    sample(tmp_path, "rooftop-watch")
    lines = ("add grey x2", "n", "next side", "", "overwatch by grey", ".")
    spoken = said(tmp_path, *lines, campaign="rooftop-watch")
    told = [line for line in spoken if "goes on overwatch" in line]
    assert [line.split(" goes")[0] for line in told] == ["Grey", "Grey 4"]


def test_a_stat_block_is_pasted_up_to_a_dot_and_taken_back_in_lines(tmp_path: Path) -> None:
    typed = [
        "import",
        *BLOCK.splitlines(),
        ".",
        "",
        "add gnarl",
        "import undo",
        "import undo",
        "import nothing",
    ]
    lines = said(tmp_path, *typed, campaign="the-goblin-ford")
    assert any("Hit Points 7 (2d6) → max hp 7" in line for line in lines)
    assert lines[-5:-1] == [
        "Kept Gnarl. Type import undo to take it back.",
        "Gnarl joins the foes.",
        "Undone: removed Gnarl.",
        "No import is left to undo.",
    ]
    assert lines[-1] == "Nothing: is missing."
