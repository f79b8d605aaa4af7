"""A side's turn by keys: any member acts, `n` goes to the next one that can, and one key ends the side."""

from pathlib import Path

from systems.commands.offers import to_take
from systems.encounter.schedule import still_to_act
from tests.tui.opened import playing_sample
from tests.tui.table import Play, keys

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
    async with playing_sample(tmp_path, ROOF, *BATTLE, "set mara health 99", "next side") as play:
        greys = [each.id for each in play.session.encounter if each.state.kind == "grey"]
        await play.press(f"a{at(play, 'mara')}<Enter>" + "." * 3)
        events = play.session.log.events[-4:]
        assert [event.actor for event in events] == greys[:4]
        assert {event.targets for event in events} == {("mara",)}


async def test_several_attack_with_one_line_in_the_prompt_and_one_undo(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "add grey x3", "start", "next side", size=(110, 40)) as play:
        greys = [each for each in play.session.encounter if each.state.kind == "grey"]
        await play.press(f"a{at(play, 'mara')} by {greys[1].tag}-{greys[3].tag}")
        names = f"{greys[1].name}, {greys[2].name} and {greys[3].name}"
        assert f"{names} · attack" in play.text
        assert f"{names}: " in play.text, "the odds of each"
        await play.press("<Enter>")
        assert play.last.actors == tuple(each.id for each in greys[1:])
        await play.press("u")
        assert play.one(greys[1].id).sheet.actions_left == 2


async def test_a_volley_on_nobody_is_refused_and_the_line_stays(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, *BATTLE, "next side") as play:
        await play.press(f"a{at(play, 'mara')} by nobodyatall<Enter>")
        assert "names nobody" in play.text or "is called" in play.text, play.text
        assert "by nobodyatall" in play.text


async def test_real_dice_pause_a_volley_and_enter_goes_on(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, *BATTLE, "next side") as play:
        play.session.dice = "real"
        greys = [each for each in play.session.encounter if each.state.kind == "grey"]
        before = len(play.session.log.events)
        await play.press(f"a{at(play, 'mara')} by {greys[1].tag}-{greys[2].tag}<Enter>")
        assert len(play.session.log.events) == before
        await play.press("99<Enter>")
        assert len(play.session.log.events) == before
        await play.press("98<Enter>")
        assert [roll.face for roll in play.last.rolls] == [99, 98]
        assert [roll.of for roll in play.last.rolls] == [greys[1].id, greys[2].id]


async def test_a_round_of_six_soldiers_against_twelve_aliens_takes_at_most_sixty_keys(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, *BATTLE, size=(140, 40)) as play:
        pressed = 0

        async def press(text: str) -> None:
            nonlocal pressed
            pressed += len(keys(text))
            await play.press(text)

        soldiers = [each.id for each in play.session.encounter if each.side == "players"]
        aliens = [each.id for each in play.session.encounter if each.side == "foes"]
        assert (len(soldiers), len(aliens)) == (6, 12)
        # Two soldiers run and shoot, the others shoot.
        for at_soldier, who in enumerate(soldiers):
            assert play.session.encounter.progress.turn == who
            if at_soldier < 2:
                await press("m7<Enter>")
            await press("a<Enter>n")
        assert side(play) == "foes"
        # Six aliens fire one volley. Then `.` goes from alien to alien of a kind, and `n` to the other kinds.
        await press(
            f"a{at(play, soldiers[-1])} by {play.one(aliens[0]).tag}-{play.one(aliens[5]).tag}<Enter>"
        )
        for _ in range(60):
            before = len(play.session.log.events)
            if not able(play):
                break
            await press(".")
            if play.app.services.prompts.current is not None:
                await press("<Enter>")
            if len(play.session.log.events) == before:
                await press("na<Enter>")
        await press("n")
        assert play.session.encounter.progress.round == 2
        acted = {result.actor for event in play.session.log.events for result in event.results}
        fallen = {each.id for each in play.session.encounter if each.sheet.health <= 0}
        assert {*soldiers, *aliens} - fallen <= acted
        assert pressed <= 60, pressed


async def test_delay_is_that_of_the_member_under_the_cursor(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, ROOF, "start") as play:
        await play.press(f"{at(play, 'idris')}w")
        assert play.one("idris").state.waits
        assert play.session.encounter.progress.turn == "mara"


async def test_an_offer_pauses_a_volley_and_enter_goes_on(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-toll-road", "add bandit x3", "start") as play:
        bandits = [each.id for each in play.session.encounter if each.state.kind == "bandit"][:3]
        hero = next(each.id for each in play.session.encounter if each.side == "players")
        for _ in range(20):
            play.session.do(f"attack {hero} by {','.join(bandits)}")
            if any(offer.actors for offer in play.session.encounter.offers):
                break
            play.session.do("undo")
        counter, rest = to_take(play.session.encounter)
        await play.press("I")
        assert counter.action == "counter"
        for expected in ("counter", "attack"):
            before = len(play.session.log.events)
            for _ in range(5):
                if len(play.session.log.events) == before:
                    await play.press("<Enter>")
            assert play.last.action == expected
        assert {*(play.last.actors or (play.last.actor,))} == {*rest.actors}
        assert rest not in play.session.encounter.offers
