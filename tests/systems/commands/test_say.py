"""Speech in the log: of the game master, and of characters whose players say something."""

import pytest

from systems.commands.dispatcher import perform
from systems.contract.table import Suggested
from systems.encounter.changes import apply
from systems.encounter.history import extended
from systems.errors import Misread, Refused
from systems.visibility.acting import SeatCommand
from systems.visibility.build import view
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.systems.fight import Fight
from tests.systems.visibility.seat_lines import seat_command

OKADO = Viewer(frozenset({"okado"}))
BOTH = Viewer(frozenset({"okado", "tamsin"}))


def fight(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", *lines)


def asked(play: Fight, line: str, acting: str = "turn", viewer: Viewer = OKADO) -> SeatCommand:
    return seat_command(play.encounter, viewer, line, Shown(acting=acting))


def carried_out(play: Fight, line: str, viewer: Viewer = OKADO) -> str:
    command = asked(play, line, viewer=viewer).command
    event = perform(play.encounter, play.log, play.roster, command, play.dice, Suggested())
    play.encounter, play.log = apply(play.encounter, event), extended(play.log, event)
    return event.text


def public_lines(play: Fight) -> list[str]:
    return [line.text for line in view(play.encounter, play.log, PUBLIC).log]


def test_everybody_reads_what_the_game_master_says():
    play = fight("say The gate opens.")
    assert public_lines(play)[-1] == "The game master says: The gate opens."


def test_a_player_speaks_as_the_own_character_in_any_turn():
    play = fight("next")
    assert play.turn != "okado"
    assert not asked(play, "say Follow me!").waits
    assert carried_out(play, "say Follow me!") == "Okado says: Follow me!"
    assert public_lines(play)[-1] == "Okado says: Follow me!"
    assert play.log.events[-1].actor == "okado"


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
def test_speech_changes_nothing_and_never_waits(acting):
    found = asked(fight("next"), "say hello", acting)
    assert (found.waits, found.words) == (False, "say: hello")


def test_speech_of_a_seat_has_a_greatest_length_and_holds_no_escapes():
    assert len(carried_out(fight(), f"say {'x' * 300}")) > 300
    with pytest.raises(Refused, match="a text has at most 300 characters, and this has 301"):
        asked(fight(), f"say {'x' * 301}")
    with pytest.raises(Refused, match=r"the line has the unprintable character '\\x1b': leave it out"):
        asked(fight(), "say \x1b[31mred")


def test_a_player_with_several_characters_speaks_as_the_one_with_the_turn():
    play = fight()
    while play.turn not in ("okado", "tamsin"):
        play.do("next")
    for _ in range(2):
        assert carried_out(play, "say hello", BOTH).startswith(play.turn.title())
        while play.do("next") and play.turn not in ("okado", "tamsin"):
            pass


def test_speech_of_a_hidden_character_reaches_only_its_player_and_the_game_master():
    play = fight("hide okado")
    before = public_lines(play)
    assert carried_out(play, "say I am behind you.") == "Okado says: I am behind you."
    assert public_lines(play) == before
    assert view(play.encounter, play.log, OKADO).log[-1].text == "Okado says: I am behind you."


def test_speech_can_be_undone_and_keeps_its_speaker_in_an_amended_history():
    play = fight()
    carried_out(play, "say Follow me!")
    n = len(play.log.events)
    play.do(f"amend {n} say Wait here!")
    amended = play.log.as_amended[n - 1]
    assert (amended.actor, amended.text) == ("", "The game master says: Wait here!")
    play.do("undo")
    play.do("amend 1 add okado as Okada")
    assert play.log.as_amended[n - 1].text == "Okada says: Follow me!"
    assert play.text("undo 2").startswith("Undone: ")


def test_speech_needs_text_and_a_character_in_the_fight():
    with pytest.raises(Misread, match="the text to say is missing"):
        fight().do("say")
    with pytest.raises(Refused, match="none of your characters is in this fight"):
        asked(fight(), "say hello", viewer=Viewer(frozenset({"nobody"})))
