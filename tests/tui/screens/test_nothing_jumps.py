"""What changes beside the keys moves no cursor, scrolls nothing, and loses nothing that was typed."""

import re
from pathlib import Path

import pytest

from systems.frozen import evolve
from tests.tui.opened import opened
from tests.tui.pilot import Pilot, running
from tests.tui.table import at_the_gate, keys, playing, text_of
from tui.app import AffrayApp
from tui.session.opening import open_fight

BRIDGE = "bridge"
# Where somebody is, and how they came there.
SPOTS = {
    "a combatant under the cursor": "jj",
    "a target and an option": "Ia3<Tab><Tab>1",
    "an amount half typed": "d3 1",
    "a command half typed and a suggestion": ":damage g<Tab>",
    "one of all actions": "x<Down><Down>",
    "a page that is scrolled": "?<Down><Down><Down>",
    "an event that is unfolded": "L<Up><Up><Up><Enter><Up>",
    "a filter": "L/okado<Enter><Up><Up>",
    "a filter half typed": "L/oka",
    "a file half typed": "Lxabc",
    "a sheet's figure": "Sjj<Down><Down><Down>",
    "the reason of a figure": "S<Down><Down>y",
    "somebody in the roster": "R<Down><Down><Down>",
    "a field of a sheet in the roster": "R<Down><Right><Down><Down><Down><Down>",
    "a field half typed": "R<Down><Right><Down><Down><Enter>abc",
    "a name half typed": "Rcabc",
    "an encounter": "C<Right><Down>",
    "a campaign half named": "Cnabc",
}


async def shown_again(app: AffrayApp, pilot: Pilot) -> None:
    app.services.show_all()


async def saved(app: AffrayApp, pilot: Pilot) -> None:
    app.background._show_saved()


async def changed_outside(app: AffrayApp, pilot: Pilot) -> None:
    file = app.table.fight.campaign.path / "roster" / "guard.toml"
    file.write_text(file.read_text(encoding="utf-8") + "# a word\n", encoding="utf-8")
    app.background.read_changed()


async def another_screen_and_back(app: AffrayApp, pilot: Pilot) -> None:
    mode = app.current_mode
    await app.switch_mode("status" if mode != "status" else "log")
    await app.switch_mode(mode)


async def shown(app: AffrayApp, pilot: Pilot) -> str:
    """What is on the screen, but for what is said, which goes by, and the time of the last change."""
    await pilot.idle()
    app.say("")
    await pilot.idle()
    return re.sub("today [0-9:]+", "today", text_of(app))


@pytest.mark.parametrize("spot", SPOTS)
async def test_shown_and_typed_text_stays_and_survives_other_sizes(spot: str, tmp_path: Path) -> None:
    here = opened(tmp_path, BRIDGE)
    async with running(here) as pilot:
        await pilot.press(*keys(SPOTS[spot]))
        before, prompt, cursor = await shown(here, pilot), here.services.prompts.current, here.services.cursor
        for refresh in (shown_again, saved, changed_outside, another_screen_and_back):
            await refresh(here, pilot)
            assert await shown(here, pilot) == before, refresh.__name__
            assert here.services.prompts.current is prompt, refresh.__name__
            assert here.services.cursor == cursor, refresh.__name__
        focused, rows = here.focused, prompt.rows(80, 8) if prompt else ()
        at = getattr(focused, "cursor", None)
        for size in ((140, 40), (60, 20), (40, 10), (80, 24)):
            await pilot.resize(*size)
        assert (here.services.prompts.current, here.services.cursor, here.focused) == (
            prompt,
            cursor,
            focused,
        )
        assert getattr(focused, "cursor", None) == at
        assert (prompt.rows(80, 8) if prompt else ()) == rows
        here.table.fight.close()


async def test_a_field_that_is_being_typed_survives_another_programs_event(tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press(*keys("R<Right><Down><Down><Down><Enter>"), *"abc")
        here.services.show_change()
        await pilot.press("d", "enter")
        assert here.table.campaign.roster["okado"].sheet.notes.endswith("abcd")
        here.table.fight.close()


async def test_the_cursor_of_a_read_only_program_stays_unless_it_follows_the_turn(tmp_path: Path) -> None:
    theirs = opened(tmp_path, "north-gate").table.fight
    theirs.session.do("start")
    fight = open_fight(theirs.campaign.path, "north-gate", or_watch=True)
    looks = AffrayApp(campaign=fight.campaign, session=fight.session)
    looks.table.fight = fight
    assert looks.table.session.read_only

    def goes_on() -> None:
        looks.table.session.follow([theirs.session.do("next")])
        looks.services.show_change()

    async with running(looks) as pilot:
        assert looks.services.cursor == "okado"
        goes_on()
        assert looks.services.cursor == "tamsin"
        await pilot.press("down", "down")
        goes_on()
        assert looks.services.cursor == "guard-2"
    fight.close()
    theirs.close()


async def test_the_log_keeps_its_position_when_the_fight_is_read_again() -> None:
    async with playing(at_the_gate("next", "next", "next", "next")) as play:
        await play.press("L<Up><Up><Up>")
        screen = play.app.screen
        at = screen.lines.current.number
        again = at_the_gate("next", "next", "next", "next")
        play.app.table.session = again
        play.app.services.show_all()
        assert screen.lines.current.number == at
        play.app.table.session = at_the_gate("note another fight")
        play.app.services.show_all()
        assert screen.lines.current.number == len(play.app.table.session.log.events)


async def test_a_message_is_not_hidden_by_rows_that_move_below_the_cursor() -> None:
    async with playing() as play:
        await play.press("Sc1 marked<Enter>c1 sworn<Enter>")
        await play.press("<Down>" * 6)
        await play.press("u")
        assert play.app.sentence == "Undone: sworn on Okado."


async def test_a_page_is_laid_out_again_for_another_width() -> None:
    async with playing(at_the_gate("attack guard-1 dice=15"), (140, 40)) as play:
        await play.press("y")
        whole = " ".join(play.text.split())
        assert "Guard 1 for 41 (life 45 → 4), hurt −10." in whole
        await play.pilot.resize(60, 20)
        narrow = play.text
        assert "Okado hits Guard 1" in narrow
        assert not any("…" in line for line in narrow.split("\n") if line.startswith("│"))


async def test_an_offer_cannot_be_accepted_while_another_message_covers_it() -> None:
    here = at_the_gate()
    async with playing(here) as play:
        from systems.encounter.model import Offer

        offer = Offer(says="Tamsin may strike.", command="damage 3 1")
        play.session.encounter = evolve(here.encounter, offers=(offer,))
        play.app.say("Rolled 2d6 (1, 5) = 6.")
        before = len(play.session.log.events)
        await play.press("<Enter>")
        assert len(play.session.log.events) == before
        assert "Tamsin may strike." in play.text
        await play.press("<Enter>")
        assert play.last.typed == "damage 3 1"


async def test_z_unfolds_the_shown_events_whatever_else_is_unfolded() -> None:
    async with playing(at_the_gate("damage 3 7", "roll d20", "damage 4 7")) as play:
        await play.press("L<Enter>/roll<Enter>z")
        assert "typed: roll d20" in play.text
        await play.press("z")
        assert "typed: roll d20" not in play.text
        await play.press("<Esc>")
        assert "typed: damage 4 7" in play.text
