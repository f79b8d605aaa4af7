"""Carry out a command with an asker: it gives the dice and answers, and lets the result be saved."""

import pytest

from tests.tui.session.test_session import DUEL
from tests.tui.session.test_session import session as session
from tests.tui.session.test_session import shelf as shelf
from tui.session.carrying_out import at_once, carry_out


class Fixed:
    """Gives each die the same face, and notes what it is asked."""

    def __init__(self, face):
        self.face, self.asked = face, []

    async def run(self, attempt):
        return attempt.run()

    async def die(self, attempt, needs):
        self.asked.append((needs.sides, needs.of))
        return self.face

    async def choice(self, attempt, needs):
        return needs.suggest

    async def leave_out(self, attempt, refused):
        raise refused

    async def go_ahead(self, attempt, done):
        self.asked.append("go ahead")


class Cancelling(Fixed):
    """Cancels each command before it is saved."""

    async def go_ahead(self, attempt, done):
        raise TimeoutError


def duel(session):
    session.do("start")
    session.dice = "real"
    return session.begin(DUEL, asks=True)


@pytest.mark.parametrize("face", [3, None])
def test_an_asker_gives_each_die_or_lets_the_program_roll_it(session, face):
    asker = Fixed(face)
    rolls = at_once(carry_out(duel(session), asker)).event.rolls
    assert asker.asked == [*((roll.sides, roll.of) for roll in rolls), "go ahead"]
    assert face is None or {roll.face for roll in rolls} == {face}


def test_an_asker_can_cancel_a_command_before_it_is_saved(session, shelf):
    attempt = duel(session)
    with pytest.raises(TimeoutError):
        at_once(carry_out(attempt, Cancelling(3)))
    assert len(shelf.events) == 1
