"""Missiles in the prompt: a target typed twice, one more aim for each Ctrl+T, and the split in the rows."""

import re

from systems.frozen import evolve
from systems.visibility.acting import read_request
from systems.visibility.viewer import Viewer
from tests.systems.emberfall import EMBERFALL, emberfall
from tests.tui.table import Shelf, playing, session_of
from tui.session.session import Session

GAME = evolve(EMBERFALL, default_action="missile")


def at_the_range() -> Session:
    """Ada's turn, with three missiles and two foes."""
    fight = emberfall("add ada", "add mage", "add guard", "start", game=GAME)
    here = session_of(GAME, fight.house, "manual", fight.roster, fight.opening, [], Shelf())
    here.encounter, here.log = fight.encounter, fight.log
    return here


async def test_a_target_can_be_typed_twice_and_rows_show_the_split() -> None:
    async with playing(at_the_range()) as play:
        await play.press("amage,mage,guard")
        assert re.findall(r"(Mage|Guard) .*(×[0-9])", play.text) == [("Mage", "×2"), ("Guard", "×1")]
        await play.press("<Enter>")
        assert play.last.targets == ("mage", "mage", "guard")


async def test_without_further_keys_all_missiles_go_to_one_target() -> None:
    async with playing(at_the_range()) as play:
        await play.press("a")
        assert "×3" in play.text
        await play.press("<Enter>")
        assert len(set(play.last.targets)) == 1
        assert len(play.last.targets) == 3


async def test_while_only_the_cursor_chooses_each_row_shows_the_odds_of_all_missiles_at_it() -> None:
    async with playing(at_the_range()) as play:
        await play.press("a")
        first = re.findall(r"(Mage|Guard) .*?([0-9.]+) *$", play.text.replace("×3", ""), re.MULTILINE)
        await play.press("<Down>")
        then = re.findall(r"(Mage|Guard) .*?([0-9.]+) *$", play.text.replace("×3", ""), re.MULTILINE)
        assert len(dict(first)) == 2
        assert dict(first) == dict(then)


async def test_each_ctrl_t_adds_an_aim_until_none_is_left() -> None:
    async with playing(at_the_range()) as play:
        await play.press("a<ctrl+t><ctrl+t><Down><ctrl+t><Enter>")
        assert sorted(map(play.last.targets.count, set(play.last.targets))) == [1, 2]
        await play.press("a<ctrl+t><ctrl+t><ctrl+t><ctrl+t><Down><ctrl+t><Enter>")
        assert len(set(play.last.targets)) == 1


async def test_too_many_aims_are_refused_and_the_line_stays() -> None:
    async with playing(at_the_range()) as play:
        await play.press("amage,mage,mage,guard<Enter>")
        assert "issile has 3 aims, and 4 are named; name fewer" in " ".join(play.text.split())
        assert "mage,mage,mage,guard" in play.text


def test_a_seat_may_name_a_target_twice() -> None:
    here = at_the_range()
    command = read_request(here.encounter, Viewer(frozenset({"ada"})), "missile Mage,Mage,Guard")
    assert command.intent.targets == "mage,mage,guard"
