"""Questions below the order: every common job in few keys, and nothing happens that was not meant."""

import re
from pathlib import Path
from typing import Any

import pytest

from systems.contract.action import Action, Scene
from systems.contract.outcome import Explanation, Outcome
from systems.contract.table import Table
from systems.encounter.short_lines import split_targets
from systems.frozen import evolve
from systems.language.declaration import SLOTS
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import SIZES, at_the_gate, keys, playing, session, text_of
from tui.prompts.conditions import TypedCondition, taken_apart
from tui.session.session import Session


@pytest.mark.parametrize("size", SIZES)
async def test_an_attack_is_three_keys_and_each_target_shows_its_odds(size: tuple[int, int]) -> None:
    async with playing(size=size) as play:
        await play.press("a")
        for word in ("Guard 1", "Raider captain", "to beat", "drops", "expected", "%"):
            assert word in play.text
        await play.press("3")
        assert play.last.command == "start"
        await play.press("<Enter>")
        assert play.app.services.prompts.current is None
        assert play.last.command == "action"
        assert play.last.typed == "attack guard-1 by okado"
        assert "Guard 1" in play.text


async def test_the_odds_of_the_list_are_those_of_the_rules() -> None:
    async with playing() as play:
        from systems.commands.preview import preview
        from tui.display.odds import percent

        await play.press("a")
        action = play.session.game.action("attack")
        assert action is not None
        found = preview(play.session.encounter, action, "okado", "raider-captain", action.options())
        line = next(each for each in play.text.split("\n") if "Raider captain" in each and "%" in each)
        assert percent(found.works) in line
        assert percent(found.drops) in line


async def test_keys_typed_ahead_all_in_one_go_are_read_as_if_typed_slowly() -> None:
    async with playing() as play:
        from textual.events import Key

        for key, character in (
            ("a", "a"),
            ("3", "3"),
            ("enter", "\r"),
            ("d", "d"),
            ("4", "4"),
            ("7", "7"),
            ("enter", "\r"),
            ("n", "n"),
        ):
            play.app.post_message(Key(key, character))
        await play.pilot.idle()
        verbs = [event.command for event in play.session.log.events[-3:]]
        assert verbs == ["action", "damage", "next"]
        assert play.session.log.events[-2].typed == "damage 4 7"


async def test_six_targets_at_once_take_at_most_ten_keys() -> None:
    async with playing(session("add okado", "add guard x7", "start")) as play:
        await play.press("d2-7 5<Enter>")
        assert play.last.typed == "damage 2-7 5"
        await play.press("a2,4<Enter>")
        assert play.last.typed == "attack guard-1,guard-3 by okado"


async def test_tab_walks_the_options_and_the_odds_follow() -> None:
    async with playing(size=(140, 40)) as play:
        await play.press("a")
        before = play.text
        await play.press("<Tab>")
        assert "weapon" in play.text
        await play.press("<Right><Right><Tab>")
        assert "weapon katana" in play.text
        assert play.text != before
        await play.press("<Tab><Tab><Tab>")
        assert "size" in play.text
        await play.press("<Esc>")
        assert play.app.services.prompts.current is not None
        await play.press("3<Enter>")
        assert "weapon=katana" in play.last.typed


async def test_a_number_option_is_typed_and_its_error_is_shown_next_to_it() -> None:
    async with playing(size=(140, 40)) as play:
        await play.press("a<shift+tab>")
        await play.press("99999")
        assert "expected a whole number from -200 to 200" in play.text
        await play.press("<Enter>")
        assert play.session.log.events[-1].command == "start"


async def test_escape_changes_nothing() -> None:
    async with playing() as play:
        before = play.session.encounter
        for what in ("a3", "d37", "h1 4", "c3 p", "r2d6", "elif", "+gua", "-", "x", ":att", "/q"):
            await play.press(f"{what}<Esc>")
            if play.app.services.prompts.current is not None:
                await play.press("<Esc>")
            assert play.app.services.prompts.current is None, what
            assert play.session.encounter is before, what


async def test_the_line_at_the_remaining_points_has_the_whole_number() -> None:
    async with playing(at_the_gate("set guard-1 max_life 150", "heal guard-1 150")) as play:
        await play.press("a3<ctrl+o><pagedown>")
        assert "150 ┄" in play.text


async def test_the_odds_in_full_open_over_the_question_and_close_again() -> None:
    async with playing() as play:
        await play.press("a5<ctrl+o>")
        assert "┄ drops" in play.text
        assert "expected" in play.text
        await play.press("<Esc>")
        assert "┄ drops" not in play.text
        assert play.app.services.prompts.current is not None
        await play.press("<Enter>")
        assert play.last.typed == "attack raider-captain by okado"


@pytest.mark.parametrize(
    ("text", "few", "expected"),
    [
        ("37", True, ("3", "7")),
        ("3 7", True, ("3", "7")),
        ("312", True, ("3", "12")),
        ("32d6", True, ("3", "2d6")),
        ("32d6 + 3", True, ("3", "2d6 + 3")),
        ("1-6 7", True, ("1-6", "7")),
        ("1,3-5 7", True, ("1,3-5", "7")),
        ("1, 3 7", True, ("1,3", "7")),
        ("guard-1 7", True, ("guard-1", "7")),
        ("37", False, ("37", "")),
        ("37 5", False, ("37", "5")),
        ("12 7", False, ("12", "7")),
    ],
)
def test_targets_and_amount_are_separated(text: str, few: bool, expected: tuple[str, str]) -> None:
    assert split_targets(text, few) == expected


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("d37<Enter>", "damage 3 7"),
        ("d3 7<Enter>", "damage 3 7"),
        ("d1-5 2d6<Enter>", "damage 1-5 2d6"),
        ("h1 4<Enter>", "heal 1 4"),
        ("d3 7 armour=yes<Enter>", "damage 3 7 armour=yes"),
        ("c3 prone 2<Enter>", "condition 3 prone for 2 rounds"),
        ("c3p 2<Enter>", "condition 3 prone for 2 rounds"),
        ("c3 marked<Enter>", "condition 3 marked"),
        ("c3 pro<Enter>", "condition 3 prone"),
        ('c3 "pro"<Enter>', 'condition 3 "pro"'),
        ("c3 marked 2<Enter>", "condition 3 marked 2"),
        ("c3 marked 2 r<Enter>", "condition 3 marked for 2 rounds"),
        ("c3 prone secret<Enter>", "condition 3 prone secret"),
        ('d"guard 2" 7<Enter>', 'damage "guard 2" 7'),
        ("dtam 7<Enter>", "damage tam 7"),
        ("elif 30<Enter>", "set okado life 30"),
        ("eabil.mel 60<Enter>", "set okado abilities.melee 60"),
        ("+capt<Enter>", "add raider-captain"),
        ("c3 shaken =5 2<Enter>", "condition 3 shaken 5 for 2 rounds"),
        ("c3 prone until end of okado<Enter>", "condition 3 prone until end of okado"),
        ("c3 prone 2 by okado<Enter>", "condition 3 prone for 2 rounds by okado"),
        ("c3 held escape 14 by okado<Enter>", "condition 3 held escape 14 by okado"),
        ("c3 held until okado falls<Enter>", "condition 3 held until okado falls"),
        ("+gu x4<Enter>", "add guard x4"),
        ("+guard<Tab>x4<Enter>", "add guard x4"),
        ("+wolf 2 hidden<Enter>", "add wolf x2 hidden"),
        ("r2d6+3<Enter>", "roll 2d6+3"),
        ("eli<Tab>30<Enter>", "set okado life 30"),
        ("emelee 60<Enter>", "set okado abilities.melee 60"),
        ("-3<Enter>", "remove 3"),
        (":note hello<Enter>", "note hello"),
        (":att<Tab>3<Enter>", "attack 3"),
    ],
)
async def test_typed_keys_become_this_command(keys: str, command: str) -> None:
    async with playing() as play:
        await play.press(keys)
        assert play.last.typed == command


def test_the_common_jobs_take_no_more_keys_than_promised() -> None:
    assert len(keys("d37<Enter>")) == 4
    assert len(keys("a3<Enter>")) == 3
    assert len(keys("c3p 2<Enter>")) == 6
    assert len(keys("+gu x4<Enter>")) <= 10
    assert len(keys("r2d6+3<Enter>")) == 7


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 prone 2", TypedCondition("3", "prone", "2")),
        ("3p", TypedCondition("3", "p", "")),
        ("3-prone", TypedCondition("3", "prone", "", ends=True)),
        ("3 -prone", TypedCondition("3", "prone", "", ends=True)),
        ("1,3-5 prone", TypedCondition("1,3-5", "prone", "")),
        ('3 "on fire" 2', TypedCondition("3", "on fire", "2", quoted=True)),
    ],
)
def test_a_condition_is_taken_apart(text: str, expected: TypedCondition) -> None:
    assert taken_apart(at_the_gate().encounter, text) == expected


async def test_a_condition_is_ended_by_a_minus() -> None:
    async with playing(at_the_gate("condition 3 prone")) as play:
        await play.press("c3-p<Enter>")
        assert play.last.typed == "clear 3 prone"
        assert not play.one("guard-1").conditions


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ("d9 7<Enter>", "Nobody has the tag 9"),
        ("d3 x<Enter>", "amount"),
        ("d3<Enter>", "how much"),
        ("a9<Enter>", "Nobody has the tag 9"),
        ("anobody<Enter>", "Nobody here is called"),
        ("c3 prone x y<Enter>", "rounds"),
        ("+dragon<Enter>", 'The roster has no "dragon"'),
        ("+dragon<Enter>", "create it on the roster screen: Esc, R, then c"),
        ("r2d<Enter>", "2d"),
        ("elife 9999<Enter>", "expected a whole number"),
        ("ebogus 3<Enter>", 'There is no field "bogus"'),
        ("-9<Enter>", "Nobody has the tag 9"),
        ("W", "No combatant is delayed"),
        ("U", "nothing to redo"),
    ],
)
async def test_an_invalid_line_is_one_sentence_and_changes_nothing(keys: str, sentence: str) -> None:
    async with playing() as play:
        before = play.session.encounter
        await play.press(keys)
        assert sentence in play.text
        assert play.session.encounter is before


async def test_a_wrong_word_on_the_command_line_has_a_caret_under_it() -> None:
    async with playing() as play:
        await play.press(":damage 3 7 frobnicate=<Enter>")
        await play.press("<Esc>:order 3 sideways 2<Enter>")
        lines = play.text.split("\n")
        at = next(at for at, line in enumerate(lines) if "^^" in line)
        assert lines[at].index("^") == lines[at - 1].index("sideways")
        assert play.app.services.prompts.current is not None


async def test_the_command_line_remembers_earlier_lines() -> None:
    async with playing() as play:
        await play.press(":note one<Enter>:note two<Enter>:<Up><Up><Enter>")
        assert play.last.typed == "note one"


async def test_the_command_line_completes_verbs_people_options_and_values() -> None:
    async with playing() as play:
        await play.press(":att<Tab>guard-1 cov<Tab>h<Tab><Enter>")
        assert play.last.typed == "attack guard-1 coverage=half"


async def test_pasted_text_is_read_like_typed_text() -> None:
    async with playing() as play:
        from textual.events import Paste

        await play.press("d")
        play.app.post_message(Paste("3 7"))
        await play.press("<Enter>")
        assert play.last.typed == "damage 3 7"


async def test_all_actions_are_found_by_a_part_of_the_name_and_ask_for_their_options() -> None:
    async with playing() as play:
        await play.press("x")
        assert "combat" in play.text
        await play.press("chec<Enter>")
        assert "ability" in play.text
        await play.press("<Enter>")
        assert "Check needs ability" in play.text
        await play.press("stealth<Tab>25<Enter>")
        assert play.last.typed == "check ability=stealth threshold=25 by okado"


async def test_why_shows_the_terms_the_steps_and_the_rules() -> None:
    async with playing(at_the_gate("attack guard-1 dice=15"), (80, 24)) as play:
        await play.press("y")
        for word in ("Why", "melee", "total", "resistance", "ATL-"):
            assert word in play.text
        await play.press("n")
        assert play.last.command == "next"
        assert "total" not in play.text


async def test_help_names_every_key_of_the_screen() -> None:
    from tui.settings.keys import keys_of

    async with playing(size=(140, 60)) as play:
        await play.press("?")
        for one in keys_of("initiative"):
            assert one.label in play.text
        await play.press("undo the last")
        assert "Undo the last command." in play.text
        assert "Keys: undo the last" in play.text
        await play.press("<Esc><Esc>")
        assert "Keys" not in play.text


async def test_a_read_only_session_says_that_you_can_only_watch() -> None:
    here = at_the_gate()
    here.writer = None
    async with playing(here) as play:
        assert "read-only" in play.text
        await play.press("n")
        assert "you can only watch it here" in play.text
        assert play.session.encounter.progress.turn == "okado"


async def test_an_unsaved_command_is_not_carried_out_and_is_reported() -> None:
    from tui.campaign.problems import NotSaved

    here = at_the_gate()
    async with playing(here) as play:
        here.writer.broken = NotSaved("no space left on the disk")  # type: ignore[union-attr]
        await play.press("n")
        assert "Not saved" in play.text
        assert "no space left" in play.text
        assert play.session.encounter.progress.turn == "okado"
        here.writer.broken = None  # type: ignore[union-attr]
        await play.press("n")
        assert play.session.encounter.progress.turn == "tamsin"


def _look(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
    face = table.d(20, "look")
    whom = scene.target_name if scene.has_target else "the room"
    facts = {"seen": face > (10 if scene.has_target else 5)}
    return Outcome(facts, tell=lambda: Explanation(f"{scene.actor_name} looks at {whom}."))


def _with_look() -> Session:
    here = at_the_gate()
    look = Action("look", "looks around", _look, targets="optional", success="seen")
    game = evolve(here.game, actions=(*here.game.actions, look))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    return here


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        ("<Enter>", "look by okado"),
        ("3<Enter>", "look guard-1 by okado"),
        ("nobody<Enter>", "look by okado"),
        ("3<ctrl+u><Enter>", "look by okado"),
        ("<Down><Enter>", "look guard-1 by okado"),
    ],
)
async def test_an_action_with_an_optional_target_works_without_one(keys: str, command: str) -> None:
    async with playing(_with_look()) as play:
        await play.press("<Down><Down><Down>xlook<Enter>")
        nobody = next(line for line in play.text.split("\n") if " nobody" in line)
        assert "75%" in nobody
        assert "50%" in next(line for line in play.text.split("\n") if "Guard 2" in line and "%" in line)
        await play.press(keys)
        assert play.last.typed == command


async def test_two_targets_for_an_action_with_one_are_refused_before_any_prompt() -> None:
    async with playing(_with_look()) as play:
        before = play.session.encounter
        await play.press("xlook<Enter>3,4<Enter>")
        assert "Look takes one target, not 2" in play.text
        assert play.app.services.prompts.current is not None
        assert play.session.encounter is before


async def test_a_needed_option_is_asked_for_at_once_and_an_invalid_value_keeps_the_prompt(
    tmp_path: Path,
) -> None:
    here = opened(tmp_path, name="the-toll-road")
    async with running(here) as pilot:
        await pilot.press("n", "x", *"check", "enter")
        assert "ability" in text_of(here).split("\n")[-3]
        assert "…" not in next(line for line in text_of(here).split("\n") if " nobody" in line)
        await pilot.press(*"speed", "enter")
        assert here.services.prompts.current is not None
        assert here.sentence.startswith("dc: is needed")
        await pilot.press("tab", *"12", "enter")
        assert here.services.prompts.current is None
        assert here.table.session is not None
        assert here.table.session.log.events[-1].command == "action"


async def test_the_footer_names_tab_only_if_it_works() -> None:
    async with playing() as play:
        await play.press("a")
        assert "Tab or Space: options" in play.text
        await play.press("<Esc>:")
        assert "Tab completes" in play.text
        await play.press("<Esc>Da3<Enter>")
        assert "Tab" not in play.text.split("\n")[-1]


async def test_the_help_of_the_chosen_suggestion_is_shown_in_full(tmp_path: Path) -> None:
    here = opened(tmp_path, name="the-toll-road")
    async with running(here) as pilot:
        await pilot.press("n", "x", "down", "down", "down")
        text = " ".join(text_of(here).split())
        assert "Check an ability against a DC, or against an ability of the target: 1 action point" in text
        for _ in range(12):
            await pilot.press("down")
            assert here.services.prompts.current is not None
            chosen = here.services.prompts.current.suggestions[here.services.prompts.current.chosen]  # type: ignore[attr-defined]
            assert " ".join(chosen.help.split()) in " ".join(text_of(here).split())


async def test_the_fields_that_are_edited_most_often_come_first() -> None:
    async with playing() as play:
        await play.press("e")
        assert "such as life 7" in play.text
        await play.press("<Esc>c")
        assert "-prone removes it" in play.text


async def test_on_a_narrow_screen_the_names_have_the_room_and_nothing_is_cut_off_below() -> None:
    async with playing(size=(60, 20)) as play:
        await play.press("a")
        assert "side" not in play.text
        assert "expected" in play.text
        assert "…" not in play.text.split("\n")[-1]


async def test_a_condition_that_the_game_has_not_is_said_to_be_a_word_of_one_s_own() -> None:
    async with playing() as play:
        await play.press("c3 pronne 2")
        assert "did you mean prone?" in play.text
        await play.press("<Esc>c3 poisoned 2")
        assert "your own condition" in play.text
        await play.press("<Esc>c3 prone 2")
        assert "your own condition" not in play.text


async def test_a_number_after_a_condition_shows_its_meaning() -> None:
    async with playing() as play:
        await play.press("c3 prone 2")
        assert "prone for 2 rounds" in play.text
        await play.press("<Esc>c3 marked 2")
        assert "marked, value 2" in play.text
        await play.press("<Esc>c3 prone until end of 1 by 2")
        assert "prone until end of Okado" in play.text


async def test_a_condition_is_ended_for_one_source_alone() -> None:
    async with playing(
        at_the_gate("condition 3 held escape 14 by 1", "condition 3 held escape 12 by 2")
    ) as play:
        assert "held ×2" in play.text
        await play.press("c3 -held by 1")
        assert "no longer held, from Okado" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "clear 3 held by 1"
        await play.press("c3 -held 2")
        assert "is not understood here, only by 3" in play.text


async def test_a_condition_that_nearly_is_one_of_the_game_says_which() -> None:
    async with playing() as play:
        await play.press("c3 pronne")
        assert "did you mean prone?" in play.text


async def test_the_place_of_a_delayed_combatant_is_reported() -> None:
    async with playing(at_the_gate("delay", "delay")) as play:
        await play.press("W")
        assert "after Guard 1's turn" in play.text
        assert "Okado, after Guard 1" in play.text
        await play.press("<Enter>")
        assert play.last.text == "Okado is back in the order, after Guard 1."
        await play.press("W")
        assert play.last.text == "Tamsin is back in the order, after Guard 1."


async def test_notes_are_written_on_and_not_over() -> None:
    async with playing() as play:
        for words in ("a scar", "owes us"):
            await play.press(f"enotes {words}<Enter>")
        assert play.session.encounter.combatants[play.app.services.cursor].sheet.notes == "a scar; owes us"


async def test_escape_in_an_option_keeps_its_value() -> None:
    async with playing() as play:
        await play.press("na<Tab>")
        options = play.app.services.prompts.current.editor
        await play.press("<Right>")
        given = dict(options.chosen)
        await play.press("<Tab><Right>")
        assert options.chosen != given
        await play.press("<Esc>")
        assert not options.field
        assert options.chosen == given


async def test_a_target_beyond_the_range_has_it_in_its_row(tmp_path) -> None:
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press(*keys("nna3 di=500"))
        assert "beyond the " in next(
            line for line in text_of(here).splitlines() if "Guard 1  " in line and "%" in line
        )


@pytest.mark.parametrize("key", ["c", "d", "h", "r", "T", "H", "G", "+", "-", "e", "W", "a", "x"])
async def test_a_question_shows_examples_and_no_words_in_capitals_to_be_replaced(key: str) -> None:
    async with playing(session("add okado", "add guard x2", "start", "ready okado strike")) as play:
        await play.press(key)
        assert not {*re.findall(r"\b[A-Z]{2,}\b", play.text)} & {*SLOTS}


async def test_one_key_lets_all_of_a_kind_share_a_turn_and_parts_them_again() -> None:
    async with playing() as play:
        await play.press("jjB")
        assert "Guard 1 and Guard 2 share a turn" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "group guard-1,guard-2"
        assert "group guard" in play.text
        await play.press("nn")
        assert "Shared with Guard 2." in play.last.text
        await play.press("B2,99<Enter>")
        assert "Nobody has the tag 99" in play.text
        assert "2,99" in play.text
        await play.press("<Esc>B<Enter>")
        assert play.last.text == "Guard 1 and Guard 2 have turns of their own again."


async def test_a_group_of_actions_is_named_once() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("x")
        lines = [line.split() for line in play.text.split("\n")]
        listed = lines[next(at for at, words in enumerate(lines) if "actions" in words) + 1 :]
        assert [words[0] for words in listed if words[:2] == ["check", "check"]] == ["check"]
        assert any(words[:1] == ["contest"] for words in listed)
        await play.press("cont")
        assert "check  contest" in play.text
