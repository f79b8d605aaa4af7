"""An attack in few keys: options behind the target, what is remembered of a pair, whom the cursor takes."""

import re
from typing import Any

import pytest

from systems.contract.action import Action, Scene
from systems.contract.outcome import Outcome, refuse
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.fields import declare, whole
from tests.tui.lists.archer import BOW, with_archer
from tests.tui.table import at_the_gate, keys, playing
from tui.session.session import Session


async def test_a_bow_at_40_metres_behind_half_cover_takes_13_keys_and_then_3() -> None:
    first, again = keys(f"a{BOW}<Enter>"), keys("a4<Enter>")
    assert len(first) <= 14
    assert len(again) == 3
    async with playing(with_archer()) as play:
        for pressed in (first, again):
            await play.pilot.press(*pressed)
            assert play.last.typed == "attack guard-2 distance=40 coverage=half by tamsin"


async def test_by_tab_the_same_shot_with_a_weapon_to_choose_takes_no_more_keys() -> None:
    typed = keys("a4<Tab>s<Tab>40<Tab>h<Enter>")
    assert len(typed) <= 14
    async with playing(with_archer()) as play:
        await play.pilot.press(*typed)
        assert play.last.typed == 'attack guard-2 weapon="short bow" distance=40 coverage=half by tamsin'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4 c=x", "Coverage: expected one of none, part, half, sensible"),
        ("4 di=far", "Distance: expected a whole number from 0 to 9999"),
        ("3 4", "separate several targets with commas"),
        ("4 zz=1", 'Attack has no option "zz"'),
        ("4 d=", '"d" could be'),
        ("4 cov", "Coverage needs a value: none, part, half or sensible"),
        ("4 defence_ab", "Defence ability needs a value: "),
        ("4 c=h cover=part", "Coverage is given twice"),
        ("9", "Nobody has the tag 9"),
        ('4 w="sho', "never closed"),
    ],
)
async def test_an_invalid_line_stays_typed_with_one_sentence(text: str, sentence: str) -> None:
    async with playing(with_archer()) as play:
        before = play.session.encounter
        await play.press(f"a{text}<Enter>")
        assert sentence in " ".join(play.text.split())
        assert text in play.text
        assert play.session.encounter is before


async def test_the_odds_of_each_row_are_those_of_its_own_distance_and_cover() -> None:
    here = with_archer("attack guard-2 distance=80 coverage=sensible by tamsin", "undo")
    here.do("redo")
    async with playing(here) as play:
        await play.press("a")
        rows = {
            name: next(line for line in play.text.split("\n") if f"{name}  " in line and "%" in line)
            for name in ("Guard 1", "Guard 2")
        }
        assert rows["Guard 1"].split("%")[0] != rows["Guard 2"].split("%")[0].replace("Guard 2", "Guard 1")


async def test_a_remembered_option_goes_back_to_its_default_by_tab() -> None:
    here = with_archer("attack guard-2 coverage=half by tamsin")
    async with playing(here) as play:
        await play.press("a4<Tab><Tab><Tab>")
        await play.press("<Left><Left><Left><Enter>")
        assert play.last.typed == "attack guard-2 by tamsin"


def _spares_guard_1(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
    if scene.target_name == "Guard 1" or scene.options.force > 5:
        return refuse("spared", f"{scene.target_name} is spared.")
    return Outcome({"seen": table.d(20, "stare") > 3})


@declare
class Force:
    force: int = whole(0, 9, 0)


def with_stare() -> Session:
    here = with_archer()
    stare = Action("stare", "stares", _spares_guard_1, Force, targets="many", success="seen")
    here.game = evolve(here.game, actions=(*here.game.actions, stare))
    here.encounter = evolve(here.encounter, game=here.game)
    return here


@pytest.mark.parametrize(("keys", "has_odds"), [("a", True), ("xcoup<Enter>", False)])
async def test_the_key_of_the_odds_is_shown_for_actions_with_odds(keys: str, has_odds: bool) -> None:
    async with playing() as play:
        await play.press(keys)
        assert ("Ctrl+O" in play.text) is has_odds


async def test_the_cursor_skips_targets_that_the_rules_refuse() -> None:
    async with playing(with_stare()) as play:
        await play.press("xstare<Enter>")
        question = play.app.services.prompts.current
        row = next(line for line in play.text.split("\n") if "Guard 1" in line and "spared" in line)
        assert not row.startswith("▌")
        assert question.subject == "guard-2"
        await play.press("<Up>")
        assert question.subject == "guard-2"
        await play.press("3")
        assert "Guard 1 is spared." in play.text.split("target 3")[1]
        await play.press("<Enter>")
        assert "target 3" in play.text
        await play.press("<Down>")
        assert question.subject == "guard-2"


async def test_if_the_rules_refuse_every_target_the_reason_is_shown_and_no_row_is_marked() -> None:
    async with playing(with_stare()) as play:
        await play.press("xstare<Enter> f=9")
        assert "Guard 2 is spared." in play.text
        assert not any(line.startswith("▌   ") for line in play.text.split("─────")[-1].split("\n"))


async def test_a_reason_that_refuses_every_target_is_in_the_title_once() -> None:
    async with playing(at_the_gate("attack guard-1 by tamsin"), (80, 24)) as play:
        await play.press("n" * (play.session.encounter.progress.turn != "tamsin") + "a")
        [title] = [line for line in play.text.splitlines() if "has no attack left" in line]
        assert title.strip().startswith("Tamsin · attack")
        await play.press("9<Enter>")
        assert "Nobody has the tag 9" in play.text


async def test_a_prompt_follows_the_commands_of_a_seat() -> None:
    async with playing(with_archer()) as play:
        await play.press("a4 c=h")
        before = play.text
        play.session.do("damage guard-2 20")
        play.app.services.show_change()
        await play.pilot.idle()
        assert play.text != before
        assert "25/45" in next(line for line in play.text.split("\n") if "Guard 2" in line and "%" in line)
        assert "target 4 c=h" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "attack guard-2 coverage=half by tamsin"


async def test_marks_are_set_by_ctrl_t_and_blanks_and_letters_can_be_typed() -> None:
    async with playing(with_archer()) as play:
        await play.press("a<ctrl+t><Down><ctrl+t> c=h<Enter>")
        assert play.last.typed == "attack guard-1,guard-2 coverage=half by tamsin"


async def test_the_question_grows_with_its_rows_and_gives_them_back() -> None:
    async with playing(with_archer()) as play:
        before = play.text
        await play.press("a")
        assert "── friends ──" in play.text
        assert "1 Okado" in play.text.split("── friends ──")[1]
        for name in ("Okado", "Tamsin", "Guard 1", "Guard 2", "Raider captain", "Wolf"):
            assert name in play.text.split("Tamsin · attack")[0]
        await play.press("<Esc>")
        assert play.text == before


async def test_on_a_wide_screen_the_card_is_that_of_the_target() -> None:
    async with playing(with_archer(), size=(140, 40)) as play:
        await play.press("a5")
        assert "─ Raider captain ─" in play.text
        await play.press("<Esc>")
        assert "─ Raider captain ─" not in play.text


async def test_the_combatant_under_the_cursor_acts_regardless_of_the_turn() -> None:
    async with playing(with_archer()) as play:
        await play.press("<Down>A")
        assert "Guard 1 · attack" in play.text
        await play.press("1<Enter>")
        assert play.last.typed == "attack okado by guard-1"
        assert play.session.encounter.progress.turn == "tamsin"
        await play.press("<Up><Up>Xcheck<Enter>")
        assert "Okado · check" in play.text
        await play.press("stealth<Tab>25<Enter>")
        assert play.last.typed == "check ability=stealth threshold=25 by okado"


async def test_actions_that_the_rules_refuse_come_last_with_the_reason() -> None:
    async with playing(with_archer(), size=(140, 40)) as play:
        await play.press("x")
        names = [suggestion.text for suggestion in play.app.services.prompts.current.suggestions]
        assert names[0] == "attack"
        assert names[-2:] == ["coup_de_grace", "learn"]
        await play.press("coup")
        assert "is conscious; only the unconscious" in play.text


def _never(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
    return refuse("tired", f"{scene.actor_name} is too tired.")


async def test_a_refused_action_keeps_the_list_and_its_typed_text() -> None:
    here = with_archer()
    game = evolve(here.game, actions=(*here.game.actions, Action("nap", "sleeps", _never)))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        await play.press("xnap<Enter>")
        assert "Tamsin is too tired." in play.app.sentence
        assert "action nap" in play.text


async def test_a_refused_command_opens_its_question_again_with_rows_and_line() -> None:
    async with playing(with_archer()) as play:
        await play.press("a4 dice=99<Enter>")
        assert "cannot show 99" in play.app.sentence
        assert "Guard 2" in play.text
        assert "target 4 dice=99" in play.text


async def test_all_actions_are_listed_if_there_is_room() -> None:
    async with playing(with_archer(), size=(80, 40)) as play:
        await play.press("x")
        for suggestion in play.app.services.prompts.current.suggestions:
            assert suggestion.shown in play.text


async def test_a_note_is_one_key_its_text_and_enter() -> None:
    async with playing() as play:
        await play.press("Tthe captain limps")
        assert "only you see it" in play.text
        await play.press(" for all")
        assert "the players see it" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "note the captain limps for all"


async def test_targets_that_there_is_no_room_for_are_counted_in_the_title() -> None:
    async with playing(at_the_gate("add guard x9"), (80, 24)) as play:
        await play.press("a")
        shown = [line for line in play.text.splitlines() if re.match(r"[▌ ] +[0-9]+ .*%", line)]
        missing = len(play.session.encounter.combatants) - 2 - len(shown)  # the actor, and who is to arrive
        assert missing > 0
        assert f"… {missing} more" in play.text


async def test_the_number_of_targets_below_follows_the_headings_and_not_the_attack() -> None:
    async with playing(at_the_gate("add guard x9"), (100, 24)) as play:
        await play.press("a")
        headings = next(line for line in play.text.splitlines() if "side effects" in line)
        assert re.search(r"Okado · attack +to beat .* side effects +… [0-9]+ more$", headings)


async def test_of_a_group_a_and_the_full_stop_go_on_to_the_next_that_can_still_act() -> None:
    group = at_the_gate("group guard-1,guard-2,raider-captain", "damage guard-1 50", "next", "next")
    assert group.encounter.progress.turn == "guard-2", "guard 1 cannot act"
    async with playing(group) as play:
        await play.press("a1<Enter>")
        assert play.last.actor == "guard-2"
        await play.press(".")
        assert play.last.actor == "raider-captain"
        assert play.last.targets == ("okado",)
        await play.press("u")
        before = play.session.encounter
        play.app.table.services.cursor = "raider-captain"
        await play.press("a")
        assert "Raider" in play.text.split("to beat")[0].splitlines()[-1]
        assert play.session.encounter is before


async def test_tab_changes_an_option_of_the_line_and_escape_keeps_it() -> None:
    async with playing(with_archer()) as play:

        async def tab_to_coverage() -> None:
            for _ in range(5):
                if play.app.services.prompts.current.editor.field != "coverage":
                    await play.press("<Tab>")

        await play.press("a4 c=half")
        await tab_to_coverage()
        await play.press("<Esc>")
        assert play.app.services.prompts.current.shown.options.option("coverage").value == "half"
        await tab_to_coverage()
        await play.press("<Left><Enter>")
        assert "coverage=part" in play.last.typed
