"""The page of seats: knocks, keys of seats, and requests, handled by the game master's keys."""

import pytest

from tests.tui.seat_desk import MARK, OTHER_MARK, WHERE, knock, let_in, seats_state, table


async def test_the_page_of_seats_does_not_mention_waiting_turns(tmp_path):
    async with table(tmp_path, "turn", "start") as here:
        await here.press("P")
        assert "turns end without you" not in here.text


async def test_the_mark_on_the_page_of_seats_stays_on_its_seat_while_guests_knock(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        state = seats_state(okado={}, tamsin={"keys": [OTHER_MARK]})
        await here.hear(**state)
        await here.press("P", "down")
        await here.hear(**{**state, "knocks": [knock(1), knock(2)]})
        assert "let in for good" not in here.text.split("\n")[-1]
        await here.press("k")
        assert here.told("kick")[-1]["seat"] == "tamsin"
        await here.press("up", "up", "enter")
        assert "tamsin has another key" in here.text
        await here.press("y", "enter")
        assert here.told("let_in")[-1] == let_in(2, "tamsin", second_key=True)
        await here.hear(**{**state, "knocks": [knock(1)]})
        await here.press("k")
        assert "Okado has no key and no occupant to kick" in here.text
        await here.press("down", "k")
        assert here.told("kick")[-1]["seat"] == "tamsin"


LOOK_ALIKE = "mir\u0430"


async def test_a_guest_with_another_name_is_admitted_only_at_the_seat_chosen_for_it(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**{**seats_state(mlra={}), "knocks": [knock(1, LOOK_ALIKE)]})
        await here.press("P")
        assert "mir\\u0430 knocks → no seat of that name" in here.text
        assert LOOK_ALIKE not in here.text
        assert "Enter choose a seat" in here.text.split("\n")[-1]
        await here.press("enter")
        assert "No seat is named mir\\u0430. Which seat does this guest take" in here.text
        await here.press("enter")
        assert "Type one of the names listed" in here.text
        assert here.told("let_in") == []
        await here.press(*"mirla", "enter")
        assert "There is no seat" in here.text
        assert here.told("let_in") == []
        await here.press("escape")
        assert "knocks" in here.text
        await here.press("enter", "down", "enter")
        assert here.told("let_in") == [let_in(1, "mlra")]
        assert "knocks" in here.text


async def test_the_page_of_seats_names_the_mistakes_in_seats_toml(tmp_path):
    fault = "seats.toml:1: format: is needed: format = 1"
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**{**seats_state(), "knocks": [knock(1)], "problems": [fault]})
        await here.press("P")
        assert fault in here.text
        await here.press("enter")
        assert f"No seat can be taken: {fault}" in here.text
        await here.hear(**{**seats_state(), "knocks": [knock(1)], "problems": []})
        assert fault not in here.text.split("No seat can be taken")[0]
        await here.press("enter")
        assert "No seat can be taken: add one to seats.toml" in here.text


async def test_a_second_key_is_added_to_a_seat_only_after_a_yes(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        seats = seats_state(tamsin={"keys": [OTHER_MARK], "screens": ["::1"]})
        await here.hear(**{**seats, "knocks": [knock(1)]})
        await here.press("P")
        assert "tamsin knocks → seat tamsin · occupied · has another key" in here.text
        await here.press("enter")
        assert "tamsin is occupied and has another key." in here.text
        await here.press("enter", *"no", "enter")
        assert here.told("let_in") == []
        await here.press("enter", "y", "enter")
        assert here.told("let_in") == [let_in(1, "tamsin", second_key=True)]
        await here.press("o")
        assert "has another key. Let tamsin in at tamsin once?" in " ".join(here.text.split())
        await here.press("enter", *"no", "enter")
        assert len(here.told("let_in")) == 1
        await here.press("o", "y", "enter")
        assert here.told("let_in")[-1] == let_in(1, "tamsin", for_good=False)


async def test_a_guest_without_a_key_or_with_another_seats_key_is_admitted_once(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        knocks = [knock(1, fingerprint=""), knock(2, key_of="okado", kicked_from="okado")]
        await here.hear(**{**seats_state(okado={}, tamsin={}), "knocks": knocks})
        await here.press("P")
        assert "let in once" in here.text.split("\n")[-1]
        await here.press("enter")
        assert here.told("let_in")[-1] == let_in(1, "tamsin", for_good=False)
        assert "kicked from okado · its key belongs to okado" in here.text
        await here.press("down", "enter")
        assert f"The key {MARK} belongs to okado. Let tamsin in at tamsin once?" in " ".join(
            here.text.split()
        )
        assert len(here.told("let_in")) == 1
        await here.press("y", "enter")
        assert here.told("let_in")[-1] == let_in(2, "tamsin", for_good=False)


@pytest.mark.parametrize("key", ["enter", "o", "backspace"])
async def test_a_key_pressed_as_the_marked_knock_leaves_does_not_count_for_the_next_one(tmp_path, key):
    async with table(tmp_path, "ask", "start") as here:
        seats = seats_state(okado={}, tamsin={})
        await here.hear(**{**seats, "knocks": [knock(1), knock(2, "okado")]})
        await here.press("P")
        here.pilot.wait(1.0)
        await here.hear(**{**seats, "knocks": [knock(2, "okado")]})
        await here.pilot.type_ahead(key)
        assert here.told("let_in") == here.told("turn_away") == []
        assert (
            f"The mark has just moved to this row: {key.capitalize() if key != 'o' else key} again."
            in here.text
        )
        await here.pilot.type_ahead(key)
        assert [
            each.get("id", each.get("knock"))
            for each in here.link.sent
            if each["kind"] in ("let_in", "turn_away")
        ] == [2]


async def test_a_mark_moved_by_a_key_counts_at_once(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        knocks = [knock(1), knock(2, "okado")]
        await here.hear(**{**seats_state(okado={}, tamsin={}), "knocks": knocks})
        await here.press("P")
        await here.pilot.type_ahead("down", "enter")
        assert here.told("let_in") == [let_in(2, "okado")]


async def test_the_answer_no_leaves_the_message_line_with_the_next_key(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**seats_state(tamsin={"keys": [MARK]}))
        await here.press("P", "down", "backspace", "n", "enter")
        assert "Nothing was changed." in here.text
        await here.press("up", "k")
        assert here.told("kick")
        assert "Nothing was changed." not in here.text


@pytest.mark.parametrize("width", [60, 80, 140])
async def test_fingerprints_are_shown_in_full_at_every_width(tmp_path, width):
    async with table(tmp_path, "ask", "start") as here:
        await here.pilot.resize(width, 24)
        kicked = f"SHA256:{'k' * 43}"
        seats = seats_state(tamsin={"keys": [OTHER_MARK], "kicked": [kicked]}, okado={})
        await here.hear(**{**seats, "knocks": [knock(1, "mir\u0430-\u0301" + "\u200f" * 9)]})
        await here.press("P")
        for mark in (MARK, OTHER_MARK, kicked, WHERE["fingerprint"]):
            assert mark in here.text
        await here.press("enter")
        assert MARK in here.text
        await here.press("escape", "down", "down", "backspace")
        assert OTHER_MARK in here.text


async def test_the_page_of_seats_removes_a_key_and_lets_a_kicked_one_in_again(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**seats_state(tamsin={"keys": [MARK], "kicked": [OTHER_MARK]}))
        await here.press("P", "down", "k", "w")
        assert here.told("kick") == here.told("password") == []
        await here.press("backspace", "enter")
        assert here.told("remove_key") == []
        await here.press("y", "enter")
        assert here.told("remove_key") == [{"kind": "remove_key", "seat": "tamsin", "key": MARK}]
        await here.press("down")
        assert "let in again" in here.text.split("\n")[-1]
        await here.press("enter")
        assert here.told("let_back") == [{"kind": "let_back", "seat": "tamsin", "key": OTHER_MARK}]


async def test_q_on_the_page_of_seats_says_how_to_quit(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(**seats_state(tamsin={}))
        await here.press("P", "q")
        assert "Ctrl+Q quits" in here.text


async def test_the_server_reports_a_key_that_was_not_saved(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(kind="trouble", text="the key of okado was not saved: the disk is full")
        assert "The key of okado was not saved" in here.text


async def test_the_marked_request_is_accepted_or_refused_on_the_page_of_seats(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        for line, name in (("roll 1d6", "okado"), ("roll 1d8", "tamsin"), ("roll 1d4", "okado")):
            await here.seat(line, name)
        await here.press("P", "down", "enter")
        assert here.events[-1].who == "tamsin"
        assert [request.says for request in here.desk.waiting] == ["roll 1d6", "roll 1d4"]
        await here.press("backspace")
        assert here.answer == "The game master says no: roll 1d4."
        assert "Okado asks: roll 1d6" in here.text
        await here.press("escape")
        assert [request.says for request in here.desk.waiting] == ["roll 1d6"]


async def test_accepting_all_requests_continues_after_one_that_the_rules_refuse(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("coup_de_grace 1", "okado")
        await here.seat("roll 1d8", "tamsin")
        await here.press("P", "t")
        assert here.events[-1].who == "tamsin"
        assert here.desk.waiting == []
        assert "Guard 1 is conscious" in here.text
