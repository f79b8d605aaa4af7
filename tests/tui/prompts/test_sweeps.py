"""One action of several, and one amount for several: by keys."""

from pathlib import Path

from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import at_the_gate, playing, session, text_of


async def test_a_check_by_several_can_be_followed_by_half_damage_for_those_that_passed() -> None:
    async with playing(session("add okado", "add guard x4", "start")) as play:
        await play.press("tmelee<tab>50")
        await play.press("<ctrl+t>1-3")
        assert "Okado, Guard 1 and Guard 2" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "check ability=melee threshold=50 by okado,guard-1,guard-2"
        passed = [each.actor for each in play.last.results if each.facts["passed"]]
        await play.press("d<tab>2d6")
        assert "Damage for 3, one roll" in play.text
        await play.press("<Enter>")
        assert play.last.command == "damage"
        assert play.last.options.get("half", "").split(",") == (passed or [""])
        await play.press("u")
        assert not play.session.encounter.combatants["guard-1"].sheet.life < 45


async def test_options_of_a_check_by_several_are_typed_after_their_names() -> None:
    async with playing(session("add okado", "add guard x4", "start")) as play:
        await play.press("t<ctrl+t>1-3 ab=melee th=50<Enter>")
        assert play.last.typed == "check ability=melee threshold=50 by okado,guard-1,guard-2"


async def test_with_ten_combatants_a_tag_and_an_amount_without_a_blank_get_a_hint() -> None:
    async with playing(at_the_gate("add guard x5")) as play:
        await play.press("d140<Enter>")
        assert "Nobody has the tag 140" in play.text
        assert "or with a space: 1 40" in " ".join(play.text.split())


async def test_the_targets_of_half_and_of_no_damage_follow_the_amount() -> None:
    async with playing(at_the_gate(), (120, 30)) as play:
        await play.press("d3-5 7 half=4 none=5")
        assert "Guard 1: takes 7; Guard 2: takes half of 7; Raider captain: takes nothing" in play.text


async def test_the_marked_row_takes_half_or_nothing_and_escape_leaves_all() -> None:
    async with playing(session("add okado", "add guard x4", "start")) as play:
        await play.press("d2-4 2d6<down><ctrl+r><down><ctrl+r><ctrl+r>")
        assert "damage 2-4 2d6 half=3 none=4" in play.text
        assert "Guard 1: takes 2d6; Guard 2: takes half of 2d6" in play.text
        row = next(line for line in play.text.split("\n") if "Guard 3" in line and "nothing" in line)
        assert row
        await play.press(" half=1")
        assert "Half is given twice" in play.text
        await play.press("<Enter>")
        assert "Half is given twice" in play.text
        assert "none=4 half=1" in play.text
        await play.press("<Esc>")
        assert play.last.command == "start"


async def test_a_rest_outside_a_fight_is_for_the_whole_party(tmp_path: Path) -> None:
    app = opened(tmp_path, name="the-goblin-ford")
    async with running(app) as pilot:
        await pilot.press("z")
        assert "Mira, Tobin and Ysolde" in text_of(app)
        await pilot.press("enter")
        assert app.table.session is not None
        assert app.table.session.log.events[-1].text.startswith("Rest by 3. Mira rests")


async def test_a_target_that_resists_is_marked_on_its_row(tmp_path: Path) -> None:
    app = opened(tmp_path, name="the-goblin-ford")
    async with running(app) as pilot:
        await pilot.press("n", *"xarea", "enter", *"players", "down", "ctrl+r", "up", "ctrl+r", "ctrl+r")
        await pilot.press("enter")
        assert app.table.session is not None
        last = app.table.session.log.events[-1]
        assert len(last.targets) == 3
        assert set(last.options) >= {"resists", "fails"}
        assert [result.facts["failed"] for result in last.results].count(False) == 1
        await pilot.press(".")
        again = app.table.session.log.events[-1]
        assert (again.targets, again.options, again.n) == (last.targets, {}, last.n + 1)


async def test_a_condition_is_counted_by_a_key_on_the_order_and_on_its_row_of_the_status(
    tmp_path: Path,
) -> None:
    app = opened(tmp_path, name="the-goblin-ford")
    async with running(app) as pilot:
        await pilot.press("n", "]")
        assert "has no condition with a value" in text_of(app)
        assert app.table.session is not None
        assert app.table.session.encounter.turn is not None
        tag = app.table.session.encounter.turn.tag
        await pilot.press("c", *f"{tag} burning 2", "enter", "]")
        assert "is now burning 3" in text_of(app)
        await pilot.press(":", *f"condition {tag} burning 2")
        assert "burning, value 2" in text_of(app)
        await pilot.press(*(["backspace"] * 9), *"prone 2")
        assert "prone for 2 rounds" in text_of(app)
        await pilot.press("escape", "S", "[", "[", "[")
        assert app.table.session.log.events[-1].command == "count"
        assert "is no longer burning" in app.table.session.log.events[-1].text
