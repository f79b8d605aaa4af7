"""Real dice and decisions in the middle of an action."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from systems.contract.action import Action, Scene
from systems.contract.outcome import Ask, Explanation, Outcome
from systems.contract.table import Table
from systems.frozen import evolve
from systems.schema.fields import choice, declare
from tests.tui.opened import copied, opened, playing_sample
from tests.tui.pilot import running
from tests.tui.table import Play, at_the_gate, playing
from tui.session.session import Session


async def test_d_switches_the_dice_mode_and_the_header_shows_unusual_ones() -> None:
    async with playing() as play:
        for mode, words in (("real", "real dice"), ("players", "players real")):
            await play.press("D")
            assert play.session.dice == mode
            assert words in play.text.split("\n")[0]
        await play.press("D")
        assert play.session.dice == "program"
        header = play.text.split("\n")[0]
        assert "program" not in header
        assert "real" not in header
        assert "The program rolls all dice." in play.text


async def test_a_real_die_is_asked_for_by_name_reason_and_owner() -> None:
    async with playing() as play:
        await play.press("Da3<Enter>")
        assert "d20 for Okado's sword" in play.text
        assert "attack on Guard 1 by Okado" in play.text
        assert "guard-1" not in play.text
        await play.press("15<Enter>")
        assert play.last.rolls[0].face == 15
        assert play.app.services.prompts.current is None


async def test_dice_are_counted_up_to_the_choice_that_follows_them(tmp_path: Path) -> None:
    here = opened(tmp_path, None, "the-bone-court")
    assert here.table.session is not None
    here.table.session.do("start")
    async with running(here, (110, 30)) as pilot:
        play = Play(here, pilot)
        await play.press("Da1<Enter>20<Enter>1<Enter>")
        assert "damage at Skeleton 1, die 1 of 2" in play.text


async def test_the_prompt_for_a_second_die_after_a_twenty_is_a_whole_sentence() -> None:
    async with playing() as play:
        await play.press("Da3<Enter>20<Enter>")
        assert "d20 for Okado's sword at Guard 1, after a 20" in play.text


async def test_the_prompt_names_the_deciding_combatant_once_and_the_value_of_each_choice() -> None:
    async with playing(at_the_gate("set tamsin abilities.dodge 40", "next", "next")) as play:
        await play.press("a2<Enter>")
        assert "Which ability does Tamsin defend with, melee 30 or dodge 40?" in play.text
        assert "(Tamsin)" not in play.text


async def test_enter_alone_lets_the_program_roll_and_escape_cancels() -> None:
    async with playing() as play:
        before = play.session.encounter
        await play.press("Da3<Enter><Esc>")
        assert play.session.encounter is before
        assert "Not carried out: attack on Guard 1 by Okado." in play.text
        assert play.app.services.prompts.current is None
        await play.press("a3<Enter><Enter>")
        while play.app.services.prompts.current is not None:
            await play.press("<Enter>")
        assert play.last.command == "action"


@pytest.mark.parametrize("face", ["0", "21", "99999999999999"])
async def test_a_face_that_the_die_has_not_is_refused_and_asked_again(face: str) -> None:
    async with playing() as play:
        await play.press(f"Da3<Enter>{face}<Enter>")
        assert "cannot show" in play.text
        assert f" d20 {face}\n" in play.text.replace(" \n", "\n")
        assert play.app.services.prompts.current is not None
        await play.press("12<Enter>")
        assert play.last.rolls[0].face == 12


async def test_if_players_roll_real_dice_the_program_rolls_for_the_others() -> None:
    async with playing() as play:
        await play.press("DDa3<Enter>")
        assert "for Okado's sword" in play.text
        await play.press("<Esc>nna1<Enter>")
        assert play.last.command == "action"
        assert play.last.turn == "guard-1"


def _asking(choices: Sequence[Any], suggest: Any) -> Action:
    def run(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
        given = table.choose("Spend the mark?", choices, suggest=suggest, of="actor")
        return Outcome({}, tell=lambda: Explanation(f"{scene.actor_name} answered {given}."))

    return Action("ponder", "asks in the middle", run)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [("<Enter>", "no"), ("1", "yes"), ("2", "no"), ("3", "later"), ("<Down><Enter>", "later")],
)
async def test_a_decision_in_the_middle_takes_its_number_or_enter_for_the_suggestion(
    keys: str, answer: str
) -> None:
    here = at_the_gate()
    game = evolve(here.game, actions=(*here.game.actions, _asking(("yes", "no", "later"), "no")))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        await play.press("xponder<Enter>")
        assert "Spend the mark? (Okado)" in play.text
        await play.press("<Esc>")
        assert "Not carried out: ponder by Okado." in play.text
        await play.press("xponder<Enter>")
        await play.press(keys)
        assert f"Okado answered {answer}." in play.text
        assert play.last.answers[0].value == answer


@pytest.mark.parametrize(("keys", "answer"), [("n", False), ("y", True), ("N", False)])
async def test_a_letter_goes_to_a_choice_and_only_enter_takes_it(keys: str, answer: bool) -> None:
    here = at_the_gate()
    game = evolve(here.game, actions=(*here.game.actions, _asking((True, False), not answer)))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        await play.press("xponder<Enter>")
        events = len(play.session.log.events)
        await play.press(keys)
        assert "Spend the mark? (Okado)" in play.text
        assert len(play.session.log.events) == events
        await play.press("<Enter>")
        assert play.last.answers[0].value == answer


async def test_an_offer_takes_one_key() -> None:
    def run(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
        ask = Ask("Okado may roll again.", action="roll", by="actor")
        return Outcome({}, tell=lambda: Explanation("A gap opens."), asks=(ask,))

    here = at_the_gate()
    game = evolve(here.game, actions=(*here.game.actions, Action("feint", "leaves an offer", run)))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        await play.press("xfeint<Enter>")
        assert "Okado may roll again." in play.text.split("\n")[-2]
        await play.press("x")
        assert "offer" in play.text
        await play.press("<Esc><Enter>")
        assert play.last.typed == "roll by okado"


@declare
class _Breath:
    last: str = choice(("words", "fight", "wonder"), help="how it ends")


async def test_a_click_marks_an_answer_of_a_decision_and_a_second_one_gives_it() -> None:
    here = at_the_gate()
    game = evolve(here.game, actions=(*here.game.actions, _asking(("yes", "no", "later"), "no")))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        await play.press("xponder<Enter>")
        row = next(at for at, line in enumerate(play.text.split("\n")) if line.strip("▌ ") == "3  later")
        offset = (6, row - play.app.screen.dock.region.y)
        await play.pilot.click("#dock", offset=offset)
        assert play.text.split("\n")[row].startswith("▌")
        await play.pilot.click("#dock", offset=offset)
        assert play.last.answers[0].value == "later"


async def test_an_offer_that_is_a_decision_is_asked_with_its_suggestion_filled_in() -> None:
    def fall(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
        ask = Ask("Which last breath?", action="breathe", by="actor", options={"last": "wonder"})
        return Outcome({}, tell=lambda: Explanation("Okado falls."), asks=(ask,))

    def breathe(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
        return Outcome({}, tell=lambda: Explanation(f"Okado chose {scene.options.last}."))

    here = at_the_gate()
    more = (Action("fall", "asks", fall), Action("breathe", "answers", breathe, _Breath))
    game = evolve(here.game, actions=(*here.game.actions, *more))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        for keys, chosen in (("<Enter>", "wonder"), ("<Right><Enter>", "words"), ("f<Enter>", "fight")):
            await play.press("xfall<Enter>")
            await play.press("<Enter>")
            assert "Okado · breathe · last wonder" in play.text
            await play.press(keys)
            assert play.last.text == f"Okado chose {chosen}."
            await play.press("uu")


async def test_an_offer_without_a_target_asks_for_targets() -> None:
    def lit(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
        return Outcome({}, tell=lambda: Explanation("Lit."), asks=(Ask("Who is near?", "burst", "actor"),))

    def burst(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
        return Outcome({}, tell=lambda: Explanation(f"{scene.target_name} is caught."))

    here = at_the_gate()
    more = (Action("fuse", "asks", lit), Action("burst", "is aimed", burst, targets="many"))
    game = evolve(here.game, actions=(*here.game.actions, *more))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        await play.press("xfuse<Enter><Enter>")
        await play.press("3,4<Enter>")
        assert play.last.text.count("is caught.") == 2
        assert here.encounter.offers == ()


async def test_the_actor_and_its_friends_come_first_among_the_targets_of_helpful_actions() -> None:
    def bless(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
        return Outcome({}, tell=lambda: Explanation(f"{scene.target_name} is blessed."))

    here = at_the_gate()
    more = (Action("bless", "reaches all", bless, targets="many", itself=True, friends=True),)
    game = evolve(here.game, actions=(*here.game.actions, *more))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        await play.press("xbless<Enter>")
        await play.press("1,2<Enter>")
        assert play.last.text == "Okado: bless on 2. Okado is blessed. Tamsin is blessed."
        await play.press("xbless<Enter>")
        assert "target    Okado" in play.text


def _pool(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
    faces = [table.d(6, "fists") for _ in range(4)]
    while faces[-1] in (6, 8):
        faces.append(table.d(8, "again"))
    return Outcome({}, tell=lambda: Explanation(f"Fists {faces}."))


def _with_fists() -> Session:
    here = at_the_gate()
    game = evolve(here.game, actions=(*here.game.actions, Action("box", "rolls a pool", _pool)))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    return here


async def test_a_letter_typed_for_a_face_is_answered_with_the_valid_faces() -> None:
    async with playing(_with_fists()) as play:
        await play.press("Dxbox<Enter>z")
        assert "Type what the die shows, 1 to 6." in play.text
        assert play.app.services.prompts.current is not None


async def test_a_face_that_is_accepted_takes_the_complaint_about_the_one_before_with_it() -> None:
    async with playing(_with_fists()) as play:
        await play.press("Dxbox<Enter>12<Enter>")
        assert "A d6 cannot show 12; type 1 to 6" in play.text
        await play.press("4<Enter>")
        assert play.app.services.prompts.current is not None
        assert "cannot show" not in play.text


async def test_of_several_dice_alike_it_is_said_which_one_is_asked_for() -> None:
    async with playing(_with_fists()) as play:
        await play.press("Dxbox<Enter>")
        for number in range(1, 5):
            assert f"d6 for Okado's fists, die {number} of 4" in play.text
            await play.press("6<Enter>")
        assert "d8 for Okado's again" in play.text
        assert "die 1" not in play.text
        await play.press("8<Enter>")
        assert "d8 for Okado's again, die 2" in play.text
        assert "die 2 of" not in play.text


@pytest.mark.parametrize("typed", ["4,2,1,3", "4 2 1 3", "4, 2, 1, 3", "4 <Enter>2,1 3"])
async def test_several_faces_at_once_are_taken_by_the_dice_in_order(typed: str) -> None:
    async with playing(_with_fists()) as play:
        await play.press(f"Dxbox<Enter>{typed}<Enter>")
        assert play.app.services.prompts.current is None
        assert [roll.face for roll in play.last.rolls] == [4, 2, 1, 3]


async def test_of_several_faces_the_one_that_cannot_be_is_asked_for_again() -> None:
    async with playing(_with_fists()) as play:
        await play.press("Dxbox<Enter>4 9 1<Enter>")
        assert "A d6 cannot show 9" in play.text
        assert "die 2 of 4" in play.text
        assert " d6 9 1" in play.text
        await play.press("2 1 3<Enter>")
        assert [roll.face for roll in play.last.rolls] == [4, 2, 1, 3]


async def test_faces_that_no_die_took_are_named() -> None:
    async with playing(_with_fists()) as play:
        await play.press("Dxbox<Enter>4 2 1 3 5 5<Enter>")
        assert play.last.command == "action"
        assert "typed but not needed: 5, 5" in play.text


async def test_how_dice_are_rolled_is_kept_for_the_campaign_and_comments_stay(tmp_path: Path) -> None:
    file = copied(tmp_path) / "campaign.toml"
    before = f"# our table\n{file.read_text()}"
    file.write_text(before)
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("D", "D")
        assert here.table.session is not None
        assert here.table.session.dice == "players"
        assert not here.services.messages.is_error
    assert file.read_text().startswith("# our table\n")
    assert tomllib.loads(file.read_text())["table"]["dice"] == "players"
    assert file.read_text() == before.replace('dice = "program"', 'dice = "players"')
    assert here.table.fight is not None
    here.table.fight.close()
    again = opened(tmp_path)
    assert again.table.session is not None
    assert again.table.session.dice == "players"


async def test_a_dice_mode_that_cannot_be_saved_lasts_until_the_program_ends(tmp_path: Path) -> None:
    file = copied(tmp_path) / "campaign.toml"
    here = opened(tmp_path)
    theirs = f"# another hand\n{file.read_text()}"
    async with running(here) as pilot:
        here.background.stop()
        file.write_text(theirs)
        await pilot.press("D")
        assert here.table.session is not None
        assert here.table.session.dice == "real"
        assert here.services.messages.is_error
        assert "lasts until you leave" in here.sentence
    assert file.read_text() == theirs


async def test_the_long_purpose_of_a_die_is_shown_in_full(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-thin-place", "start aryn 30") as play:
        await play.press("Da3<Enter>20<Enter>")
        assert "critical: the dice count twice" in " ".join(play.text.split())


async def test_a_word_typed_for_a_real_die_is_refused_and_no_die_is_rolled() -> None:
    async with playing() as play:
        await play.press("Da3<Enter>")
        before = len(play.session.log.events)
        for typed in ("miss", "nat 20", "-5", "20 x"):
            await play.press(f"{typed}<Enter>")
            word = next(word for word in typed.split() if not word.isdecimal())
            assert f'"{word}" is not a face: type what the die shows, 1 to 20' in play.text
            assert f" d20 {typed}\n" in play.text.replace(" \n", "\n")
            assert len(play.session.log.events) == before
        await play.press("15<Enter>")
        assert play.last.rolls[0].face == 15
