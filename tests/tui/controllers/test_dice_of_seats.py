"""Real dice at seats: several in one line, and initiative that everybody rolls at the same time."""

from collections.abc import Sequence

import pytest

from tests.tui.opened import SAMPLES
from tests.tui.seat_desk import REAL, Table, table
from tui.wire.table_messages import SeatQuestion

FORD = {"name": "the-goblin-ford", "dice": REAL}
PARTY = ("mira", "tobin", "ysolde")


def initiative(here: Table) -> dict[str, list[int]]:
    """The dice of the newest event, by their owners."""
    found: dict[str, list[int]] = {}
    for roll in here.events[-1].rolls:
        found.setdefault(roll.of, []).append(roll.face)
    return found


def open_asks(here: Table) -> dict[str, SeatQuestion]:
    """The open questions to seats, by character."""
    return {ask.character: ask.message for ask in here.desk.asks.open.values()}


async def rolls(here: Table, name: str, value: object) -> None:
    """The answer of a seat to the open question about its character."""
    await here.hear(kind="reply", ask=open_asks(here)[name].ask, value=value, seat=name)


def missing(here: Table) -> Sequence[str]:
    """The players that every seat waits for, as it was told last."""
    return here.told("missing")[-1]["names"]


async def test_a_seat_types_all_dice_of_its_command_in_one_line(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        here.app.services.command("roll 4d6kh3 for okado")
        await here.pilot.idle()
        assert here.asked["face"]["count"] == 4
        await rolls(here, "okado", "4 6, 1 2")
        assert [roll.face for roll in here.events[-1].rolls] == [4, 6, 1, 2]
        assert [(roll.of, roll.why) for roll in here.events[-1].rolls] == [("okado", "4d6kh3")] * 4


async def test_dice_that_a_seat_types_without_need_are_named(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        here.app.services.command("roll 2d6kh1 for okado")
        await here.pilot.idle()
        await rolls(here, "okado", "4 6 1 5")
        assert here.told("waits")[-1]["text"] == "Typed but not needed: 1, 5."
        await here.seat("roll 1d6")
        await rolls(here, "okado", "3 2")
        assert here.answer.startswith("Typed but not needed: 2. Okado rolls 1d6")


async def test_a_wrong_die_in_the_middle_of_a_line_is_asked_for_again_with_the_rest(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        here.app.services.command("roll 3d6kh2 for okado")
        await here.pilot.idle()
        for wrong, why in (
            ("x 4", '"x" is not a face: type what the die shows, 1 to 6'),
            ("9 4", "a d6 cannot show 9"),
        ):
            await rolls(here, "okado", wrong)
            assert here.asked["typed"] == wrong
            assert here.asked["wrong"].startswith(why)
        await rolls(here, "okado", "4 9 2")
        assert here.asked["typed"] == "9 2"
        assert "cannot show 9" in here.asked["wrong"]
        await rolls(here, "okado", "6 2")
        assert [roll.face for roll in here.events[-1].rolls] == [4, 6, 2]


async def test_dice_of_a_seat_never_count_for_the_dice_of_another(tmp_path):
    line = "attack 1 defence=active defence_ability=dodge"
    async with table(tmp_path, "turn", "start", dice="real") as here:
        await here.seat(line)
        await rolls(here, "okado", "3 17")
        assert here.desk.questions[0].words.startswith("Guard 1's d20")
        await here.press("enter", "5", "enter")
        assert initiative(here) == {"okado": [3], "guard-1": [5]}
        assert here.answer.startswith("Typed but not needed: 17.")


async def test_initiative_is_asked_of_all_seats_at_once_and_answers_come_in_any_order(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        assert tuple(open_asks(here)) == PARTY
        assert missing(here) == ["Mira", "Tobin", "Ysolde"]
        await rolls(here, "ysolde", 4)
        assert missing(here) == ["Mira", "Tobin"]
        assert "waiting for Mira and Tobin" in here.text
        numbers = {name: message.ask for name, message in open_asks(here).items()}
        await rolls(here, "mira", 17)
        assert missing(here) == ["Tobin"]
        assert open_asks(here)["tobin"].ask == numbers["tobin"], "an open question is not asked again"
        await rolls(here, "tobin", 9)
        assert here.events[-1].command == "start"
        assert {who: initiative(here)[who] for who in PARTY} == {"mira": [17], "tobin": [9], "ysolde": [4]}
        assert here.told("missing")[-1]["names"] == []
        assert here.desk.asks.open == {}


async def test_a_seat_reads_its_own_bonus_to_initiative_and_may_call_its_total(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        adds = {name: message.adds for name, message in open_asks(here).items()}
        bonus = int(adds["tobin"])
        await rolls(here, "tobin", f"={40 + bonus}")
        assert f"can't make {40 + bonus}" in here.asked["wrong"]
        await rolls(here, "tobin", f"={13 + bonus}")
        assert "tobin" not in open_asks(here)
        while asks := open_asks(here):
            for face, name in enumerate(asks, 2):
                await rolls(here, name, face)
        assert initiative(here)["tobin"][0] == 13


async def test_the_game_master_answers_for_a_missing_player_at_any_time(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        assert "d20 for Mira's initiative" in here.text
        await here.press("tab")
        assert "d20 for Tobin's initiative" in here.text
        await here.press("2", "5", "enter")
        assert "A d20 cannot show 25" in here.text
        await here.press("1", "2", "enter")
        assert missing(here) == ["Mira", "Ysolde"]
        assert "d20 for Mira's initiative" in here.text
        await here.press("shift+tab")
        assert "d20 for Ysolde's initiative" in here.text
        await here.press("escape")
        assert "d20 for Mira's initiative" in here.text
        await here.press("7", "enter")
        await rolls(here, "ysolde", 3)
        assert {who: initiative(here)[who] for who in PARTY} == {"mira": [7], "tobin": [12], "ysolde": [3]}


async def test_digits_typed_for_a_player_who_rolls_at_that_moment_count_for_nobody_else(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        await here.press("1")
        await rolls(here, "mira", 17)
        assert "Mira has just rolled" in here.text
        await here.press("4", "enter")
        assert missing(here) == ["Tobin", "Ysolde"]
        await here.press("5", "enter")
        await rolls(here, "ysolde", 3)
        assert {who: initiative(here)[who] for who in PARTY} == {"mira": [17], "tobin": [5], "ysolde": [3]}


async def test_the_first_digits_after_a_player_has_rolled_count_for_nobody_else(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        await rolls(here, "mira", 17)
        await here.pilot.type_ahead("1", "4", "enter")
        assert missing(here) == ["Tobin", "Ysolde"]
        here.pilot.wait(1)
        await here.press("5", "enter")
        assert missing(here) == ["Ysolde"]


async def test_text_for_another_player_stays_when_somebody_else_rolls(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        await here.press("tab", "tab", "1")
        assert "d20 for Ysolde's initiative" in here.text
        await rolls(here, "mira", 17)
        assert "d20 for Ysolde's initiative" in here.text
        await rolls(here, "tobin", 2)
        assert "d20 for Ysolde's initiative" in here.text
        await here.press("4", "enter")
        assert {who: initiative(here)[who] for who in PARTY} == {"mira": [17], "tobin": [2], "ysolde": [14]}


async def test_leaving_the_start_withdraws_every_question(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        await rolls(here, "tobin", 9)
        await here.press("escape")
        assert here.desk.asks.open == {}
        assert missing(here) == []
        assert len(here.events) == 0


async def test_initiative_that_was_undone_can_be_used_again_with_one_key(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        for name, face in zip(PARTY, (3, 9, 17), strict=True):
            await rolls(here, name, face)
        before = initiative(here)
        here.app.services.command("undo")
        here.app.services.command("start")
        await here.pilot.idle()
        assert missing(here) == ["Mira", "Tobin", "Ysolde"]
        await rolls(here, "tobin", 20)
        assert "rolled before: 3 9 17" in here.text
        here.pilot.wait(1)
        await here.press("enter")
        assert {who: initiative(here)[who] for who in PARTY} == {
            **{who: before[who] for who in PARTY},
            "tobin": [20],
        }


async def test_a_server_that_connects_later_learns_who_has_not_rolled(tmp_path):
    async with table(tmp_path, "turn", **FORD) as here:
        here.app.services.command("start")
        await here.pilot.idle()
        await rolls(here, "tobin", 9)
        here.link.sent.clear()
        await here.hear(kind="hello")
        assert missing(here) == ["Mira", "Ysolde"]
        assert [message["character"] for message in here.told("ask")] == ["mira", "ysolde"]


async def test_initiative_of_hidden_foes_changes_nothing_that_seats_are_sent(tmp_path):
    sent = []
    for folder, lines in (("without", ()), ("with", ("add goblin x2 hidden",))):
        async with table(tmp_path / folder, "turn", *lines, name="the-goblin-ford", dice="real") as here:
            here.app.services.command("start")
            await here.pilot.idle()
            for name, face in zip(PARTY, (3, 9, 14), strict=True):
                await rolls(here, name, face)
            sent.append(here.link.sent)
    assert sent[0] == sent[1]


async def test_the_dice_of_foes_are_one_name_among_the_missing(tmp_path):
    async with table(tmp_path, "turn", name="the-goblin-ford", dice="real") as here:
        here.app.services.command("start")
        await here.pilot.idle()
        assert missing(here) == ["Mira", "Tobin", "Ysolde", "the game master"]
        for name in PARTY:
            await rolls(here, name, 4)
        assert missing(here) == ["the game master"]


@pytest.mark.parametrize("is_high", [True, False])
@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir()))
async def test_a_player_rolls_the_dice_of_a_blow_in_every_game(name: str, is_high: bool, tmp_path):
    """The meaning of each die is worked out in the fight that the seat sees, which knows less."""
    async with table(tmp_path, "free", name=name) as here:
        if here.session.encounter.progress.over:
            here.session.do("undo")
        elif here.session.encounter.is_prepared:
            here.session.do("start")
        here.session.dice = REAL
        encounter = here.session.encounter
        hero = next(each for each in encounter if encounter.is_player(each) and encounter.status(each).acts)
        foe = next(each for each in encounter if not encounter.is_player(each) and each.in_sight)
        before = len(here.events)
        await here.seat(f"attack {foe.tag} by {hero.id}", hero.id)
        for _ in range(12):
            if not here.desk.asks.open:
                break
            question = next(iter(here.desk.asks.open.values())).message
            value = question.face["sides"] - 1 if is_high and question.face is not None else 2
            await here.hear(kind="reply", ask=question.ask, value=value, seat=hero.id)
        assert len(here.events) > before, here.told("result")[-1:]
        assert here.events[-1].action == "attack"
