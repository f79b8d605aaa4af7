"""The order of turns, as it is seen and as it is played by keys."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from systems.contract.display import Meter
from systems.encounter.history import History
from systems.frozen import evolve
from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.table import SIZES, Play, at_the_gate, keys, playing, session, text_of
from tui.widgets.order_list import OrderList


def rows(text: str) -> list[str]:
    """The lines of the order: those that begin with a tag."""
    found = []
    for line in text.split("\n"):
        plain = line.lstrip(" │▌▏▸▹>")
        # The arithmetic in the log begins with a number, too.
        if plain[:1].isdecimal() and " against " not in plain:
            found.append(line)
    return found


@pytest.mark.parametrize("size", SIZES)
async def test_each_row_of_the_order_shows_tag_values_and_conditions(size: tuple[int, int]) -> None:
    async with playing(at_the_gate("damage guard-1 30"), size) as play:
        text = play.text
        assert "▸  1 ● Okado" in text
        assert "52/52" in text
        assert "15/45" in text
        assert "hurt −10" in text
        assert "arrives in round 3" in text
        assert "Round 1  ▸ Okado" in text.split("\n")[0]
        assert "Raider captain takes" not in text
        assert "Guard 1 takes" in text


async def test_the_bars_of_all_rows_begin_in_the_same_column() -> None:
    async with playing(at_the_gate("damage guard-1 60", "damage okado 50")) as play:
        starts = {min(line.find(step) % 1000 for step in "━╸─") for line in rows(play.text)[:4]}
        assert len(starts) == 1


async def test_a_combatant_without_a_second_meter_shows_none() -> None:
    pool = Meter("luck", "armour_pool", "max_armour_pool")
    here = at_the_gate()
    game = evolve(here.game, meters=(here.game.meters[0], pool))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        having = [line.split("luck ")[1].split()[0] for line in rows(play.text) if "luck" in line]
        assert having == ["20/20", "10/10", "10/10", "30/30"]
        assert "0/0" not in play.text
        await play.press("<Down>S")
        assert "Luck" not in play.text


async def test_the_turn_and_the_cursor_are_marked_by_different_characters() -> None:
    async with playing() as play:
        await play.press("<Down>")
        order = play.app.screen.query_one(OrderList)
        assert "▸  1 ● Okado" in play.text
        assert order.under_cursor == "tamsin"
        assert [line.startswith("▌") for line in rows(play.text)[:2]] == [False, True]
        grounds = [
            {segment.style.bgcolor for segment in order.render_line(at) if segment.style} for at in (0, 1)
        ]
        assert [len(each) for each in grounds] == [1, 1]
        assert grounds[0] != grounds[1]


async def test_the_colours_of_a_row_stay_under_the_cursor() -> None:
    async with playing(at_the_gate("damage guard-1 30")) as play:
        order = play.app.screen.query_one(OrderList)
        row = next(at for at, key in enumerate(order.keys) if key == "guard-1")
        before = {segment.style.color for segment in order.render_line(row) if segment.style}
        await play.press("<Down>" * (row - order.cursor))
        after = {segment.style.color for segment in order.render_line(row) if segment.style}
        assert len(after) >= len(before) > 2


async def test_the_cursor_of_the_order_is_dimmed_while_a_question_is_open() -> None:
    async with playing() as play:
        order = play.app.screen.query_one(OrderList)
        lit = {segment.style.bgcolor for segment in order.render_line(0) if segment.style}
        await play.press("d")
        dimmed = {segment.style.bgcolor for segment in order.render_line(0) if segment.style}
        assert lit != dimmed
        assert rows(play.text)[0].startswith("▏")
        await play.press("<Esc>")
        assert lit == {segment.style.bgcolor for segment in order.render_line(0) if segment.style}


@pytest.mark.parametrize("size", SIZES)
async def test_while_a_prompt_is_open_only_its_own_row_has_a_solid_edge(size: tuple[int, int]) -> None:
    solid, outline = "▌▏"
    async with playing(size=size) as play:
        order = play.app.screen.query_one(OrderList)
        await play.press("a")
        edges = [next(iter(order.render_line(y))).text[:1] for y in range(order.content_size.height)]
        assert edges.count(outline) == 1
        assert solid not in edges
        below = play.text.split("\n")[order.region.bottom :]
        assert any(solid in line[:3] for line in below)
        await play.press("<Esc>")
        edges = [next(iter(order.render_line(y))).text[:1] for y in range(order.content_size.height)]
        assert edges.count(solid) == 1
        assert outline not in edges


async def test_only_the_wide_screen_shows_the_card_next_to_the_order() -> None:
    async with playing(size=(140, 40)) as play:
        assert "Conscious" in play.text
    async with playing(size=(80, 24)) as play:
        assert "Conscious" not in play.text


@pytest.mark.parametrize("size", [(59, 24), (80, 19), (20, 5)])
async def test_a_terminal_that_is_too_small_shows_one_sentence_and_ignores_keys(
    size: tuple[int, int],
) -> None:
    async with playing(size=size) as play:
        assert "60 columns" in " ".join(play.text.split())
        before = len(play.session.log.events)
        await play.press("n")
        assert len(play.session.log.events) == before
        await play.pilot.resize(80, 24)
        assert "▸  1 ● Okado" in play.text


async def test_after_a_resize_the_order_is_whole_again() -> None:
    async with playing(size=(140, 40)) as play:
        for size in ((60, 20), (140, 40), (80, 24)):
            await play.pilot.resize(*size)
            assert "▸  1 ● Okado" in play.text
            assert "Raider captain" in play.text


@pytest.mark.parametrize(
    "name",
    ["Goblin [boss]", "[/]", "[red]x", "\x1b[31mred", "a\tb\nc", "Dragon 🐉 of 東京", "x" * 300, "́́", "$name"],
)
async def test_markup_in_a_name_is_shown_as_plain_text(name: str) -> None:
    here = at_the_gate()
    one = here.encounter.combatants["guard-1"]
    here.encounter = here.encounter.with_combatants(one.with_state(name=name))
    async with playing(here) as play:
        for size in ((80, 24), (140, 40)):
            await play.pilot.resize(*size)
            await play.press("<Down><Down>a<Down><Esc>")
            lines = play.text.split("\n")
            assert not any(ord(each) < 32 for line in lines for each in line)
            assert all(cell_len(line) <= size[0] for line in lines)
            if name.isascii() and name.isprintable() and len(name) < 20:
                assert name in play.text
            elif len(name) > 99:
                assert "xxxx…" in play.text


async def test_the_cursor_reaches_the_last_of_a_thousand_combatants() -> None:
    here = session("add okado", "add guard x500", "add guard x499", "start")
    async with playing(here) as play:
        await play.press("<end>")
        assert "1000 ▪ Guard 999" in play.text
        await play.press("<home>")
        assert "▸    1 ● Okado" in play.text
        await play.press("<pagedown>")
        assert play.app.screen.query_one(OrderList).cursor > 5


async def test_an_empty_fight_shows_how_to_add_combatants() -> None:
    async with playing(session()) as play:
        assert "No combatants yet" in play.text
        await play.press("n")
        assert "No combatant can take a turn" in play.text


async def test_a_fight_that_has_not_begun_names_the_key_that_begins_it() -> None:
    here = at_the_gate(begun=False)
    here.log = History()
    async with playing(here) as play:
        assert "Nothing has happened yet: n begins the fight" in play.text
        await play.press("n")
        assert "Nothing has happened yet" not in play.text


async def test_n_begins_the_fight_and_the_next_turn_and_capital_n_steps_back() -> None:
    async with playing(at_the_gate(begun=False)) as play:
        assert "not begun" in play.text
        await play.press("n")
        assert play.session.encounter.progress.round == 1
        await play.press("n")
        assert play.session.encounter.progress.turn == "tamsin"
        await play.press("N")
        assert play.session.encounter.progress.turn == "okado"


async def test_undo_and_redo_take_one_key_each_and_name_the_command() -> None:
    async with playing() as play:
        await play.press("d37<Enter>")
        assert play.one("guard-1").sheet.life == 38
        await play.press("u")
        assert play.one("guard-1").sheet.life == 45
        assert "Undone: 7 damage to Guard 1" in play.text
        await play.press("U")
        assert play.one("guard-1").sheet.life == 38
        assert "Redone: 7 damage to Guard 1" in play.text


async def test_a_readied_action_is_shown_in_its_row_and_capital_w_triggers_it() -> None:
    async with playing() as play:
        await play.press("Gwhen the door opens: shoot<Enter>")
        assert play.one("okado").state.ready == "when the door opens: shoot"
        assert "ready: when" in play.text
        await play.press("W")
        assert play.one("okado").state.ready is None
        assert "uses its readied action" in play.text


async def test_capital_w_moves_the_cursor_to_the_combatant_with_the_readied_action() -> None:
    async with playing() as play:
        await play.press("Gwhen the door opens: shoot<Enter>n")
        assert play.app.services.cursor == "tamsin"
        await play.press("W")
        assert (play.session.encounter.progress.turn, play.app.services.cursor) == ("tamsin", "okado")


async def test_typing_a_tag_moves_the_cursor_to_its_combatant() -> None:
    async with playing(at_the_gate("add guard x9")) as play:
        tags = {combatant.tag: combatant.id for combatant in play.session.encounter}
        for keys, tag in (("3", "3"), ("2", "2"), ("12", "12"), ("1<Down>2", "2"), ("0", "2")):
            await play.press(keys)
            assert play.app.services.cursor == tags[tag], keys


async def test_events_are_scheduled_listed_and_dropped_in_one_question() -> None:
    async with playing() as play:
        await play.press("Hthe ceiling falls in round 9<Enter>H")
        assert "1 round 9  the ceiling falls" in play.text
        await play.press("1<Enter>")
        assert play.session.encounter.progress.happenings == ()
        assert "No longer scheduled for round 9: the ceiling falls." in play.text


async def test_a_key_moves_the_combatant_under_the_cursor_in_the_order() -> None:
    async with playing() as play:
        before = play.session.encounter.progress.order
        await play.press(">")
        assert play.session.encounter.progress.order == (before[1], before[0], *before[2:])
        await play.press("<")
        assert play.session.encounter.progress.order == before
        await play.press("<")
        assert "is first already" in play.text


async def test_delay_and_return_take_one_key_each() -> None:
    async with playing() as play:
        await play.press("w")
        assert play.one("okado").state.waits
        assert "waits" in play.text
        await play.press("W")
        assert not play.one("okado").state.waits


async def test_v_hides_and_reveals_the_combatant_under_the_cursor() -> None:
    async with playing() as play:
        await play.press("<Down><Down>v")
        assert play.one("guard-1").state.hidden
        assert "(hidden)" in play.text
        await play.press("v")
        assert not play.one("guard-1").state.hidden


async def test_repeating_an_action_takes_one_key() -> None:
    async with playing() as play:
        await play.press("a3<Enter>")
        await play.press(".")
        assert play.last.typed.startswith("attack guard-1")
        assert play.last.n == play.session.log.events[-2].n + 1


async def test_find_moves_the_cursor_while_you_type() -> None:
    async with playing() as play:
        await play.press("/capt")
        order = play.app.screen.query_one(OrderList)
        assert order.under_cursor == "raider-captain"
        await play.press("<Enter>")
        assert play.app.services.prompts.current is None


async def test_a_click_moves_the_cursor() -> None:
    async with playing() as play:
        await play.pilot.click("#order", offset=(5, 2))
        assert play.app.services.cursor == "guard-1"


async def test_if_a_side_has_the_turn_the_combatant_under_the_cursor_acts() -> None:
    here = at_the_gate(begun=False)
    here.encounter = evolve(here.encounter, style="sides")
    here.do("start")
    async with playing(here) as play:
        assert "▹  2 ● Tamsin" in play.text
        await play.press("<Down>a3")
        assert "Tamsin · attack" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "attack guard-1 by tamsin"
        assert "▸  2 ● Tamsin" in play.text
        await play.press("<Esc><Down>a1")
        assert "Guard 1 · attack" not in play.text


def _bar_cells(text: str, name: str) -> int:
    line = next(line for line in text.split("\n") if f" {name} " in line)
    return sum(line.count(step) for step in "━╸─")


@pytest.mark.parametrize("size", SIZES)
async def test_a_bar_keeps_its_length_whatever_words_appear(size: tuple[int, int]) -> None:
    async with playing(size=size) as play:
        before = _bar_cells(play.text, "Guard 1")
        assert before >= 6
        for words in ("entangled and confused", "far away from everything", "marked by the abbot"):
            play.app.services.command(f'condition guard-1 "{words}"')
        await play.pilot.idle()
        assert _bar_cells(play.text, "Guard 1") == before
        line = next(line for line in play.text.split("\n") if " Guard 1 " in line)
        assert "…" in line


async def test_repeat_without_an_earlier_action_asks_with_the_last_target_marked() -> None:
    async with playing() as play:
        await play.press("a3<Enter>n")
        before = len(play.session.log.events)
        await play.press(".")
        assert len(play.session.log.events) == before
        await play.press("<Enter>")
        assert (play.last.actor, play.last.targets) == ("tamsin", ("guard-1",))


async def test_an_attack_marks_a_hidden_foe_after_those_in_sight() -> None:
    async with playing() as play:
        await play.press(":hide guard-1<Enter>a<Enter>")
        assert play.last.targets == ("guard-2",)
        # A hidden foe that was attacked last is marked first again.
        await play.press(":attack guard-1 by okado<Enter>a<Enter>")
        assert play.last.targets == ("guard-1",)


async def test_repeat_does_not_mark_the_last_target_once_it_has_fallen() -> None:
    async with playing() as play:
        await play.press("a3<Enter>:set guard-1 life -40<Enter>n.<Enter>")
        assert (play.last.actor, play.last.targets) == ("tamsin", ("guard-2",))


async def test_repeat_carries_out_the_combatants_last_action_on_the_same_target() -> None:
    async with playing() as play:
        await play.press(":attack 5 weapon=katana by 1<Enter>:attack guard-2 by tamsin<Enter>.")
        assert play.last.actor == "okado"
        assert play.last.targets == ("raider-captain",)
        assert play.last.options == {"weapon": "katana"}


async def test_repeat_never_aims_an_enemys_action_at_the_actors_own_side() -> None:
    async with playing() as play:
        await play.press("a3<Enter>nnn")
        assert play.app.services.actor is not None
        before = len(play.session.log.events)
        await play.press(".")
        assert len(play.session.log.events) == before
        assert play.app.services.prompts.current is not None
        await play.press("<Esc>N.")
        assert play.last.command in ("back", "action")


async def test_the_meaning_of_a_condition_is_complete_next_to_a_narrow_card() -> None:
    async with playing(at_the_gate("condition guard-1 prone for 2 rounds"), size=(140, 40)) as play:
        await play.press("<Down><Down>")
        known = play.session.game.condition("prone")
        assert known is not None
        card = " ".join(line.rpartition("││")[2].strip(" │") for line in play.text.split("\n"))
        assert known.help in " ".join(card.split())


async def test_the_combatant_whose_turn_it_is_stays_visible_wherever_the_cursor_goes() -> None:
    async with playing(at_the_gate("add guard x14")) as play:
        for keys in ("n" * 16, "<Up>" * 14, "n" * 5, "<Down>" * 12):
            await play.press(keys)
            turn = play.session.encounter.turn
            assert turn is not None
            assert any("▸" in line and turn.name in line for line in play.text.split("\n")[1:])
            cursor = play.session.encounter.combatants[play.app.services.cursor]
            assert any(line.startswith("▌") and cursor.name in line for line in play.text.split("\n"))


async def test_in_a_finished_fight_the_main_action_asks_nothing_and_says_why() -> None:
    async with playing(at_the_gate("end")) as play:
        await play.press("a")
        assert play.app.services.prompts.current is None
        assert "The fight is over: u undoes the end" in play.text


async def test_a_changed_party_is_offered_with_its_differences_and_accepted_with_enter(
    tmp_path: Path,
) -> None:
    folder = copied(tmp_path)
    opened(tmp_path, "north-gate").table.fight.close()
    sheet = folder / "roster" / "okado.toml"
    sheet.write_text(sheet.read_text().replace("max_life = 52", "max_life = 52\nlife = 30"))
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        assert "Okado life 30 (was 52)" in text_of(here)
        await pilot.press("enter")
        assert "30/52" in text_of(here)
        await pilot.press("u")
        assert "52/52" in text_of(here)


@pytest.mark.parametrize("size", [(110, 30), (140, 40), (170, 45)])
async def test_why_opens_in_the_right_pane_and_keeps_the_order_visible(size: tuple[int, int]) -> None:
    async with playing(at_the_gate("attack guard-1 dice=15"), size) as play:
        order = rows(play.text)
        await play.press("y")
        assert "─ Why ─" in play.text
        assert "ATL-23" in play.text
        left = len(order[0].partition("││")[0])
        assert [row[:left] for row in rows(play.text)[: len(order)]] == [row[:left] for row in order]
        await play.press("<Esc>")
        assert "─ Why ─" not in play.text


async def test_the_fallen_sink_below_the_others_and_the_cursor_and_the_mouse_still_reach_them() -> None:
    async with playing(at_the_gate("damage guard-1 90", "note he fell")) as play:
        order = play.app.screen.query_one(OrderList)
        line = next(line for line in play.text.split("\n") if "── fallen ──" in line)
        assert "3 Guard 1" in line
        assert order.keys[-1] == "guard-1"
        await play.press("<end>")
        assert order.under_cursor == "guard-1"
        line = next(line for line in play.text.split("\n") if "── fallen ──" in line)
        assert line.startswith("▌")
        await play.press("<home>")
        at = next(at for at, line in enumerate(play.text.split("\n")) if "── fallen ──" in line)
        await play.pilot.click(offset=(16, at))
        assert play.app.services.cursor == "guard-1"
        await play.press("uu")
        assert "── fallen ──" not in play.text
        assert "3 ▪ Guard 1" in play.text


async def test_a_row_shows_what_the_last_event_did_until_the_next_one() -> None:
    async with playing(at_the_gate("damage guard-1 20")) as play:
        line = next(line for line in rows(play.text) if "Guard 1" in line)
        assert "−20" in line
        await play.press("n")
        line = next(line for line in rows(play.text) if "Guard 1" in line)
        assert "−20" not in line


def lines_with(play: Play, name: str) -> list[str]:
    """Return the lines of the order that show a combatant whose name begins with this."""
    return [line for line in rows(play.text) if f" {name}" in line]


async def test_a_group_is_one_row_until_the_cursor_or_the_turn_reaches_it() -> None:
    async with playing(at_the_gate("group guard-1,guard-2", "damage guard-2 20")) as play:
        [folded] = lines_with(play, "Guard")
        assert "Guard 1 +1" in folded
        assert "25/45" in folded
        await play.press("<Down><Down>")
        assert "Guard 1 +1" not in play.text
        assert len(lines_with(play, "Guard")) == 2
        assert play.app.services.cursor == "guard-1"
        await play.press("<Down><Down>")
        assert play.app.services.cursor == "raider-captain"
        assert "Guard 1 +1" in play.text
        await play.press("<Up>")
        assert play.app.services.cursor == "guard-2"
        await play.press("<Up><Up><Up>nn")
        assert play.session.encounter.progress.turn == "guard-1"
        assert len(lines_with(play, "Guard")) == 2


async def test_digits_make_one_number_only_if_typed_at_once_and_nothing_comes_between() -> None:
    async with playing(at_the_gate("add guard x10")) as play:
        tags = {each.id: each.tag for each in play.session.encounter.in_line()}
        await play.press("1")
        await play.press("2")
        assert tags[play.app.services.cursor] == "12"
        await play.press("1")
        play.pilot.wait(2)
        await play.press("2")
        assert tags[play.app.services.cursor] == "2"
        await play.press("1")
        await play.pilot.type_ahead(*keys("d3 5<Enter>1"))
        assert tags[play.app.services.cursor] == "1"


async def test_a_number_and_a_click_unfold_a_group() -> None:
    async with playing(at_the_gate("group guard-1,guard-2")) as play:
        await play.press("4")
        assert play.app.services.cursor == "guard-2"
        assert "+1" not in play.text
        await play.press("1")
        assert "Guard 1 +1" in play.text
        row = next(at for at, line in enumerate(play.text.splitlines()) if "Guard 1 +1" in line)
        await play.pilot.click("#order", offset=(10, row - play.app.screen.order.region.y))
        assert play.app.services.cursor == "guard-1"
        assert "+1" not in play.text


async def test_a_single_survivor_of_a_group_has_a_row_of_its_own() -> None:
    async with playing(at_the_gate("group guard-1,guard-2", "damage guard-2 99")) as play:
        assert "+1" not in play.text
        assert len(lines_with(play, "Guard 1")) == 1
