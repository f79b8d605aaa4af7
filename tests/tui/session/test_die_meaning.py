"""What a real die is for, and the faces of a command that was undone and is done again."""

import pytest

from systems.contract.table import NeedsChoice
from systems.dice.sources import NeedsFace
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import playing, session, text_of
from tui.session.die_meaning import meaning_of


@pytest.mark.parametrize(
    ("campaign", "line", "does", "adds"),
    [
        ("rooftop-watch", "attack grey by mara", "50 or less passes", ""),
        (
            "the-thin-place",
            "attack wicked-thrasher-1 by aryn",
            "1 to 2 jam, 3 to 6 miss, 7 or more hit",
            "Dex 4",
        ),
        (
            "the-goblin-ford",
            "attack goblin-6 by ysolde",
            "1 fumble, 2 to 10 miss, 11 to 19 hit, 20 critical",
            "attack 2",
        ),
        ("the-goblin-ford", "check by tobin", "1 fumble, 2 to 9 failed, 10 to 19 passed, 20 critical", ""),
    ],
)
def test_a_die_says_which_faces_do_what_and_what_is_added(tmp_path, campaign, line, does, adds):
    here = opened(tmp_path, name=campaign).table.session
    here.do("start")
    here.dice = "real"
    attempt = here.begin(line, asks=True)
    needs = attempt.run()
    assert isinstance(needs, NeedsFace)
    found = meaning_of(attempt, needs)
    assert (found.does, found.adds) == (does, adds)
    assert here.log.events[-1]["command"] == "start"
    assert attempt.faces == []


@pytest.mark.parametrize(
    ("campaign", "line", "faces", "does"),
    [
        # A die of damage decides nothing; the second of several says what resists, too.
        ("the-thin-place", "attack wicked-thrasher-1 by aryn", [15], ""),
        ("rooftop-watch", "explosion serpent,brute by idris", [], "50 or less passes"),
        ("rooftop-watch", "explosion serpent,brute by idris", [40, 7], "65 or less passes"),
        ("the-goblin-ford", "attack goblin-6 by ysolde", [15], ""),
        # Of an opposed roll whoever throws first hears who else does, and the other what is left.
        ("okado-at-the-gate", "attack guard-1 defence=active by okado", [], "Guard 1's d20 decides with it"),
        ("okado-at-the-gate", "attack guard-1 defence=active by okado", [3], "for Okado 19 or less: hit"),
        ("the-thin-place", "opposed villy by aryn", [], "Villy's d20 decides with it"),
        (
            "the-thin-place",
            "opposed villy by aryn",
            [3],
            "for Aryn 1 to 2 won, 3 hangs on the next die, 4 or more lost",
        ),
    ],
)
def test_a_later_die_says_what_is_still_open(tmp_path, campaign, line, faces, does):
    here = opened(tmp_path, name=campaign).table.session
    here.do("start")
    here.dice = "real"
    attempt = here.begin(line, asks=True)
    needs = attempt.run()
    for face in faces:
        attempt.give(needs, face)
        needs = attempt.run()
    assert isinstance(needs, NeedsFace)
    assert meaning_of(attempt, needs).does == does


@pytest.mark.parametrize(
    ("campaign", "lines", "why", "does", "adds"),
    [
        (
            "okado-at-the-gate",
            ("start", "damage tamsin 50", "next", "next", "next"),
            "body, unconscious",
            "17 or more: passed",
            "body 8",
        ),
        (
            "the-thin-place",
            ("start", "condition aryn stunned"),
            "Vit, stunned",
            "12 or more: passed",
            "Vit 2",
        ),
        (
            "the-thin-place",
            ("start", "set villy hp -1", "next", "next"),
            "dying",
            "4: dead",
            "",
        ),
        (
            "the-bone-court",
            ("start", "set ragnor status dying", "set ragnor death_choice miraculous"),
            "miraculous recovery",
            "1 to 9 dead, 10 to 18 dying, 19 or more conscious",
            "",
        ),
    ],
)
async def test_a_die_that_a_turn_brings_says_what_it_decides(tmp_path, campaign, lines, why, does, adds):
    here = opened(tmp_path, name=campaign)
    session = here.table.session
    for line in lines:
        session.do(line)
    session.dice = "real"
    async with running(here) as pilot:
        await pilot.press("n")
        text = " ".join(text_of(here).split())
        assert f"{why} · {does}" in text or f"{why} {does}" in text
        assert f"added: {adds}" in text or not adds
        await pilot.press("escape")
        assert len(session.log.events) == len(lines)


def test_what_the_faces_are_said_to_do_is_what_they_do(tmp_path):
    here = opened(tmp_path, name="the-thin-place").table.session
    here.do("start")
    here.dice = "real"
    degrees = []
    for face in range(1, 21):
        attempt = here.begin("attack wicked-thrasher-1 by aryn", asks=True)
        while isinstance(needs := attempt.run(), NeedsFace | NeedsChoice):
            if isinstance(needs, NeedsChoice):
                attempt.answer(needs.suggest)
            else:
                attempt.give(needs, face if not attempt.faces else 1)
        degrees.append(needs.event["results"][0]["degree"])
    assert degrees == ["jam"] * 2 + ["miss"] * 4 + ["hit"] * 14


async def test_the_faces_of_an_undone_command_are_offered_again_and_enter_takes_them():
    async with playing(session("add okado", "add guard x2", "start")) as play:
        await play.press("Dd2 2d6<Enter>")
        await play.press("4 6<Enter>")
        assert [roll["face"] for roll in play.last["rolls"]] == [4, 6]
        await play.press("u")
        await play.press("d2,3 2d6<Enter>")
        assert "fell before: 4 6" in play.text
        await play.press("<Enter>")
        assert [roll["face"] for roll in play.last["rolls"]] == [4, 6]
        assert len(play.last["targets"]) == 2
        await play.press("d2 2d6<Enter>")
        assert "fell before" not in play.text
        await play.press("<Esc>")
        await play.press("u")
        await play.press("d2 2d6<Enter>")
        await play.press("1<Enter>")
        await play.press("r")
        assert play.last["rolls"][0]["face"] == 1
