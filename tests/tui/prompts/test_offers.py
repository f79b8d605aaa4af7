"""What is on offer, as it is shown and taken: names, odds, what else there is, and a choice first."""

import pytest

from systems.contract.outcome import Ask
from systems.contract.reaction import TURN_END, Reaction
from systems.frozen import evolve
from tests.tui.table import at_the_gate, playing


def _blow(*choose: str) -> Reaction:
    def offers(scene):
        says = f"{scene.actor_name} may strike at {scene.target_name}."
        return (Ask(says, "attack", target="target", options={"distance": 1}, choose=choose),)

    return Reaction("blow", "at a turn's end", TURN_END, offers)


def gate(reaction: Reaction):
    here = at_the_gate()
    game = evolve(here.game, reactions=(reaction,))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    return here


async def test_an_offer_shows_its_odds_and_the_other_offers_and_one_key_takes_it() -> None:
    here = gate(_blow())
    async with playing(here) as play:
        await play.press("n")
        assert len(here.encounter.offers) == 3
        told = " ".join(line.strip() for line in play.text.split("\n")[-4:])
        assert "(attack on Okado, distance 1 m) · hit 15% · needs more than 53" in told
        assert "x: 2 more" in told
        await play.press("<Enter>")
        assert play.last.actor == "guard-1"
        assert play.last.turn == "tamsin"
        await play.press("x")
        assert "hit " in next(line for line in play.text.split("\n") if "offer" in line)


async def test_a_stray_enter_takes_no_new_offer_and_a_second_one_does_at_any_speed() -> None:
    async with playing(gate(_blow())) as play:
        play.pilot.wait(1)
        await play.pilot.type_ahead("n", "enter")
        assert play.last.command == "next"
        assert "Enter again" in play.text
        await play.pilot.type_ahead("enter")
        assert play.last.actor == "guard-1"
        # The next offer is new, although it may be equal.
        number = play.last.n
        await play.pilot.type_ahead("enter")
        assert play.last.n == number


@pytest.mark.parametrize(("seconds", "takes"), [(0.0, False), (0.39, False), (0.41, True)])
async def test_an_offer_is_taken_by_an_enter_once_it_has_been_in_sight_for_a_moment(
    seconds: float, takes: bool
) -> None:
    async with playing(gate(_blow())) as play:
        await play.press("n")
        play.pilot.wait(seconds)
        await play.pilot.type_ahead("enter")
        assert (play.last.command == "action") is takes


async def test_an_offer_stays_in_sight_below_a_sentence_and_one_enter_takes_it() -> None:
    async with playing(gate(_blow())) as play:
        await play.press("n")
        play.app.services.say("you already run this fight")
        await play.pilot.idle()
        rows = play.text.split("\n")
        at = next(at for at, row in enumerate(rows) if "you already run this fight" in row)
        assert "Enter" in rows[at + 1]
        await play.press("<Enter>")
        assert play.last.actor == "guard-1"


async def test_an_offer_seen_before_a_question_is_not_new_after_it() -> None:
    async with playing(gate(_blow())) as play:
        await play.press("n:<Esc>")
        await play.pilot.type_ahead("enter")
        assert play.last.actor == "guard-1"


async def test_an_offer_with_a_choice_asks_for_it_with_the_odds_next_to_its_target() -> None:
    async with playing(gate(_blow("defence"))) as play:
        await play.press("n<Enter>")
        assert "defence" in play.text.split("\n")[-3]
        await play.press("<Right><Enter>")
        assert (play.last.actor, play.last.targets) == ("guard-1", ("okado",))
        assert play.last.options == {"defence": "none", "distance": 1}


def _legend() -> Reaction:
    def offers(scene):
        return (
            Ask(f"{scene.actor_name} may strike.", "attack", options={"distance": 1}),
            Ask(f"{scene.actor_name} may defend.", "defend"),
        )

    return Reaction(
        "legend", "", TURN_END, offers, quiet=True, menu=lambda sheet, house: "2 legendary actions"
    )


async def test_a_menu_is_one_line_and_one_row_of_the_list_and_enter_lists_its_choices() -> None:
    here = gate(_legend())
    here.do("remove 4-5")
    async with playing(here) as play:
        await play.press("n")
        assert "may strike" not in play.last.text
        assert "Guard 1: 2 legendary actions (lists them)" in play.text
        assert "more" not in play.text.split("\n")[-2]
        await play.press("x")
        offered = [line for line in play.text.split("\n") if "offer" in line]
        assert len(offered) == 1
        assert "attack" in offered[0]
        await play.press("<Enter>")
        assert "2 defend" in play.text
        await play.press("<Esc><Enter>")
        assert "Guard 1: 2 legendary actions" in play.text
        await play.press("def<Enter>")
        assert (play.last.action, play.last.actor) == ("defend", "guard-1")
        assert here.encounter.offers == ()


async def test_a_choice_of_a_menu_is_taken_by_its_number_and_a_wrong_word_is_reported() -> None:
    here = gate(_legend())
    here.do("remove 4-5")
    async with playing(here) as play:
        await play.press("n<Enter>zz")
        assert "No choice has that word." in play.text
        await play.press("<backspace><backspace>2<Enter>")
        assert (play.last.action, play.last.actor) == ("defend", "guard-1")
