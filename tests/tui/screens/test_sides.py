"""A side's turn by keys: any member acts, `n` goes to the next one that can, and one key ends the side."""

from pathlib import Path

from systems.encounter.schedule import still_to_act
from tests.tui.opened import playing_sample
from tests.tui.table import Play

ROOF = "rooftop-watch"
SOLDIERS = tuple(f"add mara as {name}" for name in ("Nia", "Oto", "Pia", "Rui"))
BATTLE = (*SOLDIERS, "add grey x9", "start")


def side(play: Play) -> str | None:
    return play.session.encounter.progress.side


def at(play: Play, who: str) -> str:
    """The keys that put the cursor on a combatant: its tag."""
    return str(play.one(who).tag)


def row(play: Play, name: str) -> str:
    return next(line for line in play.text.splitlines() if f" {name} " in line and "│" in line)


def able(play: Play) -> tuple[str, ...]:
    return still_to_act(play.session.encounter)


async def test_the_combatant_under_the_cursor_acts_with_every_key_of_the_game(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, *SOLDIERS, "start") as play:
        await play.press(f"{at(play, 'idris')}a{at(play, 'grey')}<Enter>")
        assert play.last.actor == "idris"
        await play.press(f"{at(play, 'mara')}m7<Enter>")
        assert (play.last.actor, play.last.action) == ("mara", "move")
        await play.press(f"{at(play, 'mara')}g<Enter>")
        assert (play.last.actor, play.last.action) == ("mara", "overwatch")
        assert play.session.encounter.progress.turn == "mara"


async def test_a_member_without_an_action_left_is_refused_by_name(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "start", "attack grey by mara") as play:
        before = len(play.session.log.events)
        await play.press(f"{at(play, 'mara')}a{at(play, 'grey')}<Enter>")
        assert "Mara has no action left this turn and cannot attack." in play.text
        assert len(play.session.log.events) == before


async def test_a_move_takes_three_keys(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "start") as play:
        await play.press("m7<Enter>")
        assert play.last.text.startswith("Mara moves 7 squares, still behind half cover, 1 action left.")


async def test_a_move_names_the_new_cover_in_the_same_line(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "start") as play:
        await play.press("m7 cover=full<Enter>")
        assert play.last.text.startswith("Mara moves 7 squares, now behind full cover, 1 action left.")


async def test_rows_mark_the_members_that_can_still_act(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, *SOLDIERS, "start") as play:
        assert "▹" in row(play, "Idris")
        assert "▹" not in row(play, "Grey")
        await play.press(f"{at(play, 'idris')}a{at(play, 'grey')}<Enter>{at(play, 'rui')}m7<Enter>")
        assert "▹" not in row(play, "Idris")
        assert "▹" in row(play, "Mara")


async def test_next_goes_on_within_the_side_and_then_to_the_other_side(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "start") as play:
        await play.press(f"{at(play, 'idris')}g<Enter>n")
        assert (play.session.encounter.progress.turn, side(play)) == ("mara", "players")
        await play.press("g<Enter>n")
        assert side(play) == "foes"


async def test_one_key_ends_the_side_and_asks_only_if_a_member_can_still_act(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "start") as play:
        await play.press("O")
        assert "Mara and Idris can still act. End the side's turn?" in play.text
        await play.press("<Esc>")
        assert side(play) == "players"
        await play.press("O<Enter>")
        assert side(play) == "foes"
        await play.press("u")
        assert (side(play), able(play)) == ("players", ("mara", "idris"))
        for line in ("overwatch by mara", "overwatch by idris"):
            play.session.do(line)
        await play.press("O")
        assert side(play) == "foes"


async def test_the_last_member_that_has_acted_is_asked_about_before_the_turn_passes(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "start", "overwatch by idris") as play:
        await play.press(f"{at(play, 'mara')}m3<Enter>n")
        assert "Mara can still act. End the side's turn?" in play.text
        await play.press("<Enter>")
        assert side(play) == "foes"


async def test_repeat_goes_from_member_to_member_of_a_kind(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, *BATTLE, "next side") as play:
        greys = [each.id for each in play.session.encounter if each.state.kind == "grey"]
        await play.press(f"a{at(play, 'mara')}<Enter>" + "." * 3)
        events = play.session.log.events[-4:]
        assert [event.actor for event in events] == greys[:4]
        assert {event.targets for event in events} == {("mara",)}


async def test_delay_is_that_of_the_member_under_the_cursor(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "start") as play:
        await play.press(f"{at(play, 'idris')}w")
        assert play.one("idris").state.waits
        assert play.session.encounter.progress.turn == "mara"
