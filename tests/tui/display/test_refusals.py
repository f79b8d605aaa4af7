"""What is said of a command that is refused."""

import pytest

from systems import load
from systems.commands.table import parse
from systems.errors import Misread
from tests.systems.fight import Fight
from tui.display.refusals import misread_words, why_not_to_end


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("undo by okado", '"okado": this command takes no "by"'),
        ("condition 3 for 2 rounds", '"for": the name of the condition is missing before this'),
        ("attack 3 a=1 a=2", '"a=2": a is given twice'),
        # The sentence names the word itself.
        ("undo 3 4", '"4" is one word too many'),
        ("roll 2d", '"2d": expected the number of sides after d, at character 3'),
        ('add "guard', "this quote is never closed"),
        ("start as", "type: start as prepared"),
        # Nothing stands where something is missing.
        ("damage 3", "the amount is missing: damage TARGETS AMOUNT [option=value] [by WHO]"),
        ("keep", "the name is missing: keep TARGETS [rest=TARGETS] [note=TEXT]"),
        ("delay okado now", '"now" is one word too many'),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_with_the_word_that_is_meant(line: str, said: str) -> None:
    with pytest.raises(Misread) as misread:
        parse(line, load("atlantis"))
    assert misread_words(line, misread.value) == said


def test_a_creature_that_has_fled_keeps_no_fight_open() -> None:
    fight = Fight("simple", "add okado", "add guard x2", "start", "flee guard-1", "damage guard-2 99")
    assert why_not_to_end(fight.encounter) == ""
    fight.do("add guard in round 3")
    assert why_not_to_end(fight.encounter) == "Guard h1 is still to arrive."
