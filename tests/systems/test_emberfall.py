"""A game with interrupts, saves after a hit and typed damage keeps the laws of every game."""

from systems.plugins.check_ruleset import check_ruleset
from tests.systems.emberfall import EMBERFALL


def test_a_game_with_interrupts_keeps_the_laws():
    assert not [str(result) for result in check_ruleset(EMBERFALL, share=0.25) if result.mistake]
