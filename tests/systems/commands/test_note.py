"""Notes in the log: of the game master, and of players about their own characters."""

import pytest

from systems.errors import Misread, Refused
from systems.visibility.build import view
from systems.visibility.viewer import GAME_MASTER, PUBLIC, Viewer
from tests.systems.commands.test_say import BOTH, OKADO, asked, carried_out, fight, public_lines

TAMSIN = Viewer(frozenset({"tamsin"}))


def newest(play, viewer):
    return view(play.encounter, play.log, viewer).log[-1].text


def test_a_players_note_is_read_by_the_game_master_and_that_player_alone():
    play = fight("next")
    before = public_lines(play), newest(play, TAMSIN)
    assert carried_out(play, "note The captain limps.") == "Okado's note: The captain limps."
    assert newest(play, OKADO) == newest(play, GAME_MASTER) == "Okado's note: The captain limps."
    assert (public_lines(play), newest(play, TAMSIN)) == before
    assert (play.log.events[-1].command, play.log.events[-1].actor) == ("note", "okado")


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
def test_a_note_never_waits(acting):
    assert not asked(fight("next"), "note Look out", acting).waits


def test_a_note_of_a_hidden_character_still_reaches_its_player():
    play = fight("hide okado")
    carried_out(play, "note I am behind the door.")
    assert newest(play, OKADO) == "Okado's note: I am behind the door."
    assert newest(play, PUBLIC) != newest(play, OKADO)


def test_a_players_note_is_for_nobody_else_and_has_a_greatest_length():
    with pytest.raises(Refused, match="your notes are for the game master; say TEXT is for all"):
        asked(fight(), "note We retreat for all")
    with pytest.raises(Refused, match="at most 300 characters, and this has 301"):
        asked(fight(), f"note {'x' * 301}")
    with pytest.raises(Misread, match="the text of the note is missing"):
        asked(fight(), "note")


def test_a_players_note_can_be_undone_and_keeps_its_writer_in_an_amended_history():
    play = fight()
    carried_out(play, "note Left door.", BOTH)
    n, writer = len(play.log.events), play.log.events[-1].actor
    play.do(f"amend 1 add {writer} as Nobody")
    assert play.log.as_amended[n - 1].text.endswith("'s note: Left door.")
    assert play.text("undo 2").startswith("Undone: ")


def test_a_note_of_the_game_master_reads_as_before():
    play = fight("note The gate is a trap.")
    assert newest(play, GAME_MASTER) == "The gate is a trap."
    assert play.log.events[-1].actor == ""
