"""What is on offer, as it is shown and taken: names, odds, what else there is, and a choice first."""

import attrs

from systems.contract.outcome import Ask
from systems.contract.reaction import TURN_END, Reaction
from tests.tui.table import at_the_gate, playing


def _blow(*choose: str) -> Reaction:
    def offers(scene):
        says = f"{scene.actor_name} may strike at {scene.target_name}."
        return (Ask(says, "attack", target="target", options={"distance": 1}, choose=choose),)

    return Reaction("blow", "at a turn's end", TURN_END, offers)


def gate(reaction: Reaction):
    here = at_the_gate()
    game = attrs.evolve(here.game, reactions=(reaction,))
    here.game, here.encounter = game, attrs.evolve(here.encounter, game=game)
    return here


async def test_an_offer_shows_its_odds_and_what_else_there_is_and_one_key_takes_it() -> None:
    here = gate(_blow())
    async with playing(here) as play:
        await play.press("n")
        assert len(here.encounter.offers) == 3
        told = " ".join(line.strip() for line in play.text.split("\n")[-4:])
        assert "(attack on Okado, distance 1 m) · hit 15 % · needs more than 53" in told
        assert "x: 2 more" in told
        await play.press("<Enter>")
        assert play.last["actor"] == "guard-1"
        assert play.last["turn"] == "tamsin"
        await play.press("x")
        assert "hit " in next(line for line in play.text.split("\n") if "offer" in line)


async def test_an_offer_with_a_choice_asks_for_it_with_the_odds_beside_its_target() -> None:
    async with playing(gate(_blow("defence"))) as play:
        await play.press("n<Enter>")
        assert "defence" in play.text.split("\n")[-3]
        await play.press("<Right><Enter>")
        assert (play.last["actor"], play.last["targets"]) == ("guard-1", ["okado"])
        assert play.last["options"] == {"defence": "none", "distance": 1}
