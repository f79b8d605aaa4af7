"""The header: what is left out first where there is little room."""

import pytest

from systems.encounter.model import Offer
from tests.systems.toy import toy
from tui.display.frame import Header, Standing, footer_row, header_row, message_rows, offered
from tui.display.text import width
from tui.settings.keys import keys_of


def words(fight, cells):
    header = Header("A campaign", fight.encounter, "program")
    return "".join(text for text, _ in header_row(header, cells))


def test_the_header_names_delayed_combatants_if_there_is_room():
    fight = toy("add ada", "add bo", "add orc", "start", "delay")
    assert "Bo   next Orc   Ada waits" in words(fight, 110)
    fight.do("delay")
    assert "Orc   next Ada (waiting)   Bo waits" in words(fight, 110)
    assert "wait" not in words(fight, 50)
    assert "Orc" in words(fight, 50)


def test_a_delayed_combatant_that_is_next_is_named_once_in_the_header():
    fight = toy("add ada", "add orc", "start", "delay")
    assert words(fight, 110).count("Ada") == 1
    assert "Orc   next Ada (waiting)" in words(fight, 110)


def test_a_long_title_gives_way_to_the_next_combatant():
    fight = toy("add ada", "add bo", "start")
    header = Header("A campaign with a long title · The north gate at night", fight.encounter, "program")
    assert "next Bo" in "".join(text for text, _ in header_row(header, 80))


@pytest.mark.parametrize("is_read_only", [False, True])
def test_a_program_that_rolls_takes_no_room_from_the_title(is_read_only):
    fight = toy("add ada", "add bo", "start")
    title = "Okado at the gate · North gate, at night and in the rain"
    header = Header(title, fight.encounter, "program", is_read_only=is_read_only)
    row = "".join(text for text, _ in header_row(header, 100))
    assert row.startswith(f" {title}  ")
    assert row.rstrip().endswith("read-only" if is_read_only else "next Bo")


@pytest.mark.parametrize(
    ("screen", "first"),
    [
        ("log", "find unfold amend look_back"),
        ("status", "edit why other_next"),
        ("initiative", "action next"),
    ],
)
def test_a_footer_begins_with_the_keys_of_its_own_screen(screen, first):
    keys = [key for key in keys_of(screen) if screen in key.footer]
    shown = [key.id for key, _ in offered(keys, Standing(), screen)]
    assert " ".join(shown).startswith(first)
    assert shown[-1] == "help"


def message(sentence, offer, asked):
    return "".join(text for row in message_rows(sentence, False, offer, "⏎", 200, asked) for text, _ in row)


def test_a_request_of_a_seat_is_never_hidden_by_another_line():
    offer = Offer(says="Ada may strike back.", command="strike orc by ada")
    assert message("", None, "ada asks: next").endswith("ada asks: next")
    assert message("Bo has answered.", None, "ada asks: next").endswith("Bo has answered. ⏎ ada asks: next")
    assert message("", offer, "ada asks: next").endswith("· a seat is waiting")
    assert "waits" not in message("Bo has answered.", offer, "")
    assert message("Bo has answered.", offer, "").startswith(" Bo has answered. ⏎ Ada may strike back.")


@pytest.mark.parametrize("cells", [24, 40, 60, 61, 62, 63, 64, 200])
def test_a_footer_always_has_the_way_home_and_help_and_never_half_a_key(cells):
    keys = [
        ("n", "next"),
        (":", "command"),
        ("/", "find"),
        ("Enter", "unfold"),
        ("Esc", "order"),
        ("?", "help"),
    ]
    row = footer_row(keys, cells, 2)
    said = "".join(text for text, _ in row)
    assert width(row) <= cells
    assert said.endswith("Esc order  ? help")
    whole = [f"{key} {label}" for key, label in keys[:-2]]
    shown = [key for key in whole if key in said]
    assert shown == whole[: len(shown)]
    assert said == " " + "  ".join([*shown, "Esc order", "? help"])
