"""A tired game master: what is mistyped costs a sentence, and never the fight."""

from pathlib import Path

import pytest
from textual.events import Paste

from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import Play, at_the_gate, playing, text_of
from tui.widgets import input_line


def commands(play: Play) -> list[str]:
    """What was carried out since the fight began."""
    return [str(event.typed) for event in play.session.log.events[6:]]


async def test_an_invalid_target_names_the_screen_that_can_correct_it() -> None:
    async with playing() as play:
        await play.press("a1<Enter>")
        assert "Okado cannot target itself with attack" in play.text
        assert play.app.services.prompts.current is not None
        await play.press("<backspace>3<Enter>")
        assert commands(play) == ["attack guard-1 by okado"]


async def test_keys_typed_after_a_refused_line_do_not_reach_the_fight() -> None:
    async with playing() as play:
        await play.press("a1<Enter>nd37<Enter>")
        assert commands(play) == []
        assert play.session.encounter.progress.turn == "okado"
        await play.press("<Esc>n")
        assert commands(play) == ["next"]


async def test_a_line_that_the_rules_refuse_stays_typed_with_the_reason_below() -> None:
    async with playing() as play:
        await play.press("a3<Enter>a4<Enter>a4 c=h<Enter>")
        assert "Okado has no attack left this round, 2 made." in play.text
        assert "target 4 c=h" in play.text
        await play.press("<Esc>n")
        assert play.session.encounter.progress.turn == "tamsin"


@pytest.mark.parametrize(
    ("typed", "repaired"),
    [
        ("d9 7<Enter>", "<ctrl+u>37<Enter>"),
        ("c9 prone<Enter>", "<ctrl+u>3 prone<Enter>"),
        (":attack okado<Enter>", "<ctrl+u>attack guard-1<Enter>"),
        (":attack nobody<Enter>", "<ctrl+u>attack guard-1<Enter>"),
        ("+guard z9<Enter>", "<ctrl+u>guard x2<Enter>"),
        ("r2d<Enter>", "<ctrl+u>2d6<Enter>"),
    ],
)
async def test_a_line_that_cannot_be_stays_until_it_is_mended(typed: str, repaired: str) -> None:
    async with playing() as play:
        await play.press(typed)
        assert commands(play) == []
        assert play.app.services.prompts.current is not None
        await play.press(repaired)
        assert len(commands(play)) == 1
        assert play.app.services.prompts.current is None


async def test_a_shortened_title_next_to_a_count_of_hidden_rows_has_one_ellipsis(tmp_path: Path) -> None:
    here = opened(tmp_path, None, "the-goblin-ford")
    async with running(here) as pilot:
        await pilot.press("plus")
        title = next(line for line in text_of(here).split("\n") if "Add: " in line)
        assert (title.count("…"), title.rstrip()[-5:]) == (1, " more")
        await pilot.resize(120, 24)
        title = next(line for line in text_of(here).split("\n") if "Add: " in line)
        assert (title.count("…"), "· group" in title) == (1, True)


async def test_help_on_the_command_line_opens_the_page_of_keys() -> None:
    async with playing() as play:
        await play.press("?")
        keys = play.text
        await play.press("<Esc>:help<Enter>")
        assert play.text == keys
        assert play.app.services.prompts.current is None


async def test_an_error_in_a_prompt_disappears_with_the_prompt() -> None:
    async with playing() as play:
        for question in ("a1<Enter>", "d9 7<Enter>", "xcheck<Enter><Enter>", "c9<Enter>", "+nobody<Enter>"):
            await play.press(question)
            assert play.app.services.messages.is_error, question
            await play.press("<Esc><Esc>")
            assert play.app.services.prompts.current is None
            assert play.app.sentence == "", question


async def test_a_prompt_opens_without_the_previous_message() -> None:
    async with playing() as play:
        for question in ("a", "xcheck<Enter>", "<ctrl+p>attack<Enter>", "d"):
            await play.press("u")
            assert play.app.sentence == "The fight has not begun."
            await play.press(question)
            assert play.app.sentence == "", question
            await play.press("<Esc><Esc>U")


async def test_a_needed_option_is_explained_by_its_possible_values() -> None:
    async with playing() as play:
        await play.press("xcheck<Enter><Enter>")
        assert "Check needs ability, such as melee, dodge, stealth" in play.text
        await play.press("melee<Tab>x<Enter>")
        assert (
            "Threshold: expected a whole number from -100 to 300, mundane for 10, normal for 25, "
            'difficult for 50, exceptional for 75, got "x"' in " ".join(play.text.split())
        )


async def test_the_reason_against_an_option_is_shown_in_full_next_to_it() -> None:
    async with playing() as play:
        await play.press("xcheck<Enter><Tab><Tab>60")
        assert "Trait: expected one of body, mind, spirit" in play.text


async def test_the_reason_against_the_target_is_shown_in_full() -> None:
    async with playing(size=(60, 20)) as play:
        await play.press("xcoup<Enter>")
        assert "Guard 1 is conscious; only the unconscious" in play.text


async def test_a_key_of_another_screen_names_the_key_for_this_one() -> None:
    async with playing() as play:
        await play.press("<ctrl+z>")
        assert "u undoes the last command" in play.text
        await play.press("<ctrl+c>")
        assert "Ctrl+Q quits" in play.text
        assert commands(play) == []


async def test_pasted_lines_are_all_carried_out_one_after_another() -> None:
    async with playing() as play:
        await play.press(":")
        play.app.post_message(Paste("damage 3 1\n\ndamage 4 2\r\nroll d20\nnote three blows\nheal 3 1\n"))
        await play.pilot.idle()
        assert commands(play) == ["damage 3 1", "damage 4 2", "roll d20", "note three blows", "heal 3 1"]
        assert play.app.services.prompts.current is None
        await play.press("d")
        play.app.post_message(Paste("3 7\n4 5"))
        await play.pilot.idle()
        assert commands(play)[-1] == "damage 3 7"
        await play.press("<Enter>")
        assert commands(play)[-1] == "damage 4 5"


async def test_pasted_lines_stop_at_the_one_that_cannot_be_and_go_on_when_it_is_mended() -> None:
    async with playing() as play:
        await play.press(":")
        play.app.post_message(Paste("damage 3 1\ndamage 9 2\ndamage 4 2\n"))
        await play.pilot.idle()
        assert commands(play) == ["damage 3 1"]
        assert "damage 9 2" in play.text
        await play.press("<ctrl+u>damage 5 2<Enter>")
        assert commands(play) == ["damage 3 1", "damage 5 2", "damage 4 2"]


async def test_pasted_lines_wait_for_the_dice_of_the_one_before() -> None:
    here = at_the_gate()
    here.dice = "real"
    async with playing(here) as play:
        await play.press(":")
        play.app.post_message(Paste("attack 3\ndamage 4 2\n"))
        await play.pilot.idle()
        assert commands(play) == []
        await play.press("15<Enter>")
        assert commands(play) == ["attack 3", "damage 4 2"]


async def test_text_pasted_outside_a_prompt_does_nothing_and_says_so() -> None:
    async with playing() as play:
        play.app.post_message(Paste("n\nn\nn\n"))
        await play.pilot.idle()
        assert commands(play) == []
        assert ": opens the command line" in play.text


async def test_one_with_a_name_of_several_words_is_added_under_it() -> None:
    async with playing() as play:
        await play.press("+wolf as Old [b]Grey hidden<Enter>")
        assert [one.name for one in play.session.encounter][-1] == "Old [b]Grey"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("nu", "It is Okado's turn, round 1."),
        ("nuU", "It is Tamsin's turn, round 1."),
        ("uu", ""),
        ("u", "The fight has not begun."),
        (":end<Enter>uU", "The fight is over."),
        ("d37<Enter>u", ""),
    ],
)
async def test_an_undo_that_changes_the_turn_names_the_combatant(keys: str, said: str) -> None:
    async with playing() as play:
        await play.press(keys)
        assert play.app.sentence == said


async def test_a_visible_log_line_is_not_repeated_below_the_log() -> None:
    async with playing() as play:
        await play.press("d37<Enter>u")
        assert play.text.count("Undone: 7 damage to Guard 1.") == 1
        await play.press("r2d6<Enter>")
        assert play.app.sentence == ""
        assert play.text.count(play.last.text) == 1
        await play.press("Su")
        assert play.app.sentence == play.session.log.events[-1].text


@pytest.mark.parametrize(
    ("campaign", "valued"),
    [
        ("rooftop-watch", ""),
        ("the-thin-place", ""),
        ("the-bone-court", "boon"),
        ("the-toll-road", "cover"),
        ("the-goblin-ford", "bonus"),
    ],
)
async def test_the_examples_of_a_question_are_of_the_game_that_is_played(
    campaign: str, valued: str, tmp_path: Path
) -> None:
    here = opened(tmp_path, None, campaign)
    async with running(here) as pilot:
        people = {one.name for one in here.table.session.encounter}
        foes = {name for name, one in here.table.session.roster.items() if one.side == "foes"}
        conditions = {one.name for one in here.table.session.game.conditions}
        await pilot.press("plus")
        first, *more = text_of(here).split("Add: ")[1].split("x4")[0].split()
        assert first in foes or (first == "party" and foes & set(more))
        await pilot.press("escape", "c")
        given = text_of(here).split("Add: 3 ")[1].split()[0]
        assert given in conditions
        # A condition with a value, where the game has a short name of any.
        assert (given == valued) if valued else given != "dead"
        assert "add or remove" in text_of(here)
        await pilot.press("escape", "L")
        assert any(text_of(here).split("who: ")[1].startswith(name) for name in people)
        here.table.fight.close()


async def test_a_check_with_a_target_has_no_chance_to_drop_it() -> None:
    async with playing() as play:
        await play.press("a")
        assert "drops" in play.text
        await play.press("<Esc>xcontest<Enter>")
        assert "Guard 1" in play.text
        assert "drops" not in play.text.split("contest")[1]


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("+GUARD X2<Enter>", "add guard x2"),
        ("c3PRONE UNTIL END OF OKADO<Enter>", "condition 3 prone UNTIL END OF OKADO"),
        ("c3PRONE 2 ROUNDS<Enter>", "condition 3 prone for 2 rounds"),
        ("d3 2D6<Enter>", "damage 3 2D6"),
        (":ATTACK GUARD-1 BY OKADO dice=15<Enter>.", "attack guard-1 by okado"),
        (':attack guard-1 dice=15 by "Okado"<Enter>.', "attack guard-1 by okado"),
    ],
)
async def test_with_the_capitals_locked_the_same_is_understood(typed: str, command: str) -> None:
    async with playing() as play:
        await play.press(typed)
        assert commands(play)[-1] == command


async def test_a_change_of_the_dice_mode_is_reported() -> None:
    async with playing() as play:
        for said in ("All dice are real now", "The players' dice are real now", "The program rolls all dice"):
            await play.press("D")
            assert said in play.app.sentence


async def test_words_typed_for_an_action_without_a_target_are_options(tmp_path: Path) -> None:
    here = opened(tmp_path, name="rooftop-watch")
    async with running(here) as pilot:
        await pilot.press("n", *"xmov", "enter", *"o,o,d,d", "enter", "enter")
        assert here.table.session is not None
        assert str(here.table.session.log.events[-1].typed).startswith("move steps=o,o,d,d")
        assert "moves 4 squares" in text_of(here)


@pytest.mark.parametrize("harm", ["60", "46"])
async def test_a_repeat_against_a_fallen_target_asks_for_another_with_the_same_options(harm: str) -> None:
    async with playing() as play:
        await play.press("a3<Tab><right><right><Enter>")
        first = play.last
        await play.press(f"d3 {harm}<Enter>.")
        assert play.last.typed == f"damage 3 {harm}"
        assert play.app.services.prompts.current is not None
        await play.press("<Enter>")
        assert play.last.typed == str(first.typed).replace("guard-1", "guard-2")
        assert "weapon=" in play.last.typed


async def test_odds_of_several_targets_are_those_of_attacks_made_one_after_another() -> None:
    async with playing() as play:

        def row(name: str) -> str:
            """The row of a target among the odds, which are the lowest rows."""
            return next(line for line in reversed(play.text.splitlines()) if name in line)

        await play.press("a4")
        alone = row("Guard 2")
        await play.press("<backspace>3,4")
        assert row("Guard 2").split() != alone.split()
        await play.press(",5")
        assert "Reaches 2 of these 3; after that: Okado has no" in play.text
        assert not row("Raider captain").startswith("▌")
        assert row("Guard 2").startswith("▌")
        await play.press("<Enter>")
        assert play.text.count("after that") == 1
        assert commands(play) == []


@pytest.mark.parametrize(
    "typed", ["d9 7<Enter>", "c9 prone<Enter>", "+guard z9<Enter>", "-9<Enter>", "a9<Enter>", "xzz<Enter>"]
)
async def test_the_reason_against_a_line_is_shown_once(typed: str) -> None:
    async with playing(size=(140, 40)) as play:
        await play.press(typed)
        sentence = play.app.sentence
        assert sentence
        assert " ".join(play.text.split()).casefold().count(sentence.casefold()) == 1


@pytest.mark.parametrize("key", ["d", "darmour=yes ", "h", "c", "e", "+", "r", "T", "G", "H"])
async def test_enter_on_an_empty_line_asks_for_what_is_missing_and_escape_takes_the_question_back(
    key: str,
) -> None:
    async with playing() as play:
        await play.press(f"{key}<Enter>")
        assert "\n ! " in play.text
        assert play.app.services.prompts.current is not None
        await play.press("<Esc>")
        assert play.app.sentence == ""
        assert commands(play) == []


async def test_text_that_is_not_found_stays_typed_and_is_reported() -> None:
    async with playing() as play:
        await play.press("/zzqx<Enter>")
        assert 'Nothing here matches "zzqx".' in play.text
        await play.press("<Esc>/wolf<Enter>")
        assert play.app.services.prompts.current is None
        assert play.app.sentence == ""


async def test_a_field_is_typed_as_the_list_of_fields_calls_it() -> None:
    async with playing() as play:
        await play.press("emax li")
        assert "max life 52" in play.text
        await play.press("<Tab>55<Enter>")
        assert commands(play) == ["set okado max_life 55"]


@pytest.mark.parametrize("key", ["a", "d", ":", "T"])
async def test_a_pasted_page_is_refused_and_the_typed_text_stays(key: str) -> None:
    async with playing() as play:
        await play.press(f"{key}3")
        play.app.post_message(Paste("x" * 100_000))
        await play.press("4")
        assert play.app.services.prompts.current.line.text == "34"
        play.app.post_message(Paste("x" * 100_000))
        await play.pilot.idle()
        assert "has a line of 100,000 characters; the limit is 2,000" in " ".join(play.text.split())


def test_only_the_visible_part_of_a_long_line_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[int] = []

    def width(text: str) -> int:
        measured.append(len(text))
        return len(text)

    monkeypatch.setattr(input_line, "cell_len", width)
    line = input_line.InputLine("x" * 100_000)
    assert "".join(text for text, _ in line.row(20)) == f"…{'x' * 15} "
    assert sum(measured) < 200
