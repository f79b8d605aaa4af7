"""Adding a party by keys: its dead join only after a question, and nothing asks for their initiative."""

import pytest

from systems.schema.conversion import replace
from tests.tui.opened import playing_sample
from tests.tui.table import Entry, Play, playing, session

DEAD = -40


def with_dead_tamsin():
    here = session("add guard")
    old = here.roster["tamsin"]
    here.roster["tamsin"] = Entry(old.name, old.side, replace(old.sheet, life=DEAD))
    return here


def joined(play: Play) -> list[str]:
    return [combatant.name for combatant in play.session.encounter if combatant.side == "players"]


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ("<Enter>", ["Okado"]),
        ("no<Enter>", ["Okado"]),
        ("<Down><Down><Enter>", ["Okado", "Tamsin"]),
        ("y<Enter>", ["Okado", "Tamsin"]),
        ("<Esc>", []),
    ],
)
async def test_a_party_asks_before_its_dead_join(answer: str, names: list[str]) -> None:
    async with playing(with_dead_tamsin()) as play:
        before = len(play.session.log.events)
        await play.press("+party")
        assert "Okado and Tamsin (dead)" in play.text
        await play.press("<Enter>")
        assert "Tamsin is dead. Add the character anyway?" in play.text
        assert joined(play) == []
        await play.press(answer)
        assert joined(play) == names
        assert len(play.session.log.events) == before + bool(names)


async def test_an_answer_that_is_neither_yes_nor_no_is_asked_again() -> None:
    async with playing(with_dead_tamsin()) as play:
        await play.press("+party<Enter>maybe<Enter>")
        assert "Type yes or no" in play.text
        await play.press("<backspace>" * 5 + "no<Enter>")
        assert joined(play) == ["Okado"]


async def test_a_living_party_joins_at_once() -> None:
    async with playing(session("add guard")) as play:
        await play.press("+party<Enter>")
        assert joined(play) == ["Okado", "Tamsin"]


async def test_nothing_asks_for_the_initiative_of_a_dead_character(tmp_path) -> None:
    async with playing_sample(tmp_path, "the-goblin-ford") as play:
        play.session.do("set tobin dead yes")
        play.session.dice = "players"
        await play.press("n")
        assert "tobin" not in play.text.split("Called initiative")[1].casefold()
        await play.press("mira 41 ysolde 37<Enter>")
        assert play.session.encounter.progress.round == 1
        scores = {each.id: each.state.initiative for each in play.session.encounter}
        assert (scores["mira"], scores["ysolde"], scores["tobin"]) == (41, 37, None)
        assert play.session.encounter.progress.order[-1] == "tobin"
