"""Carry out a command with an asker: it gives the dice and answers, and lets the result be saved."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems.errors import Refused
from tests.tui.session.test_session import DUEL, Shelf, sitting
from tests.tui.session.test_session import session as session
from tests.tui.session.test_session import shelf as shelf
from tui.session.attempt import Left, Question, at_once, carry_out, run


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
    rolls = at_once(carry_out(duel(session), asker)).rolls
    assert asker.asked == [*((roll.sides, roll.of) for roll in rolls), "go ahead"]
    assert face is None or {roll.face for roll in rolls} == {face}


def test_an_asker_can_cancel_a_command_before_it_is_saved(session, shelf):
    attempt = duel(session)
    with pytest.raises(TimeoutError):
        at_once(carry_out(attempt, Cancelling(3)))
    assert len(shelf.events) == 1


class Waiting(Fixed):
    """Waits for each answer, as a prompt does."""

    def __init__(self):
        super().__init__(None)
        self.question, self.done = None, None

    async def die(self, attempt, needs):
        self.asked.append((needs.sides, needs.of))
        return await self.wait()

    async def go_ahead(self, attempt, done):
        self.asked.append("go ahead")
        await self.wait()

    async def wait(self):
        self.question = Question()
        try:
            return await self.question
        finally:
            self.asked.append("over")

    def begin(self, attempt):
        async def carried_out():
            try:
                self.done = await carry_out(attempt, self)
            except (Left, Refused):
                self.asked.append("left")

        run(carried_out())
        return self


def test_an_answer_runs_a_command_on_to_its_next_question(session):
    asker = Waiting().begin(duel(session))
    asker.question.answer(3)
    asker.question.answer(4)
    assert [given for given in asker.asked if given == "over"] == ["over", "over"]
    assert asker.done is None
    while asker.done is None:
        asker.question.answer(5)
    faces = [roll.face for roll in asker.done.rolls]
    assert faces[:3] == [3, 4, 5][: len(faces)]


def test_only_the_first_answer_to_a_question_counts(session):
    asker = Waiting().begin(duel(session))
    first = asker.question
    first.answer(3)
    asked = list(asker.asked)
    first.answer(4)
    first.leave()
    assert asker.asked == asked


def test_leaving_a_question_ends_the_command(session):
    asker = Waiting().begin(duel(session))
    asker.question.leave()
    asker.question.answer(3)
    assert asker.asked[1:] == ["over", "left"]
    assert asker.done is None


def test_a_command_runs_again_if_the_fight_changes_before_its_result_is_accepted(session):
    session.do("start")
    asker = Waiting().begin(session.begin("note here"))
    session.do("next")
    asker.question.answer(None)
    assert asker.done is None
    asker.question.answer(None)
    assert asker.asked.count("go ahead") == 2
    assert session.keep(asker.done).text


STEPS = st.lists(
    st.sampled_from(["answer", "answer", "stale answer", "leave", "stale leave", "next"]), max_size=12
)


@given(STEPS)
@example(["answer", "stale answer", "next", "answer", "answer", "answer", "answer"])
@example(["answer", "leave", "answer"])
def test_a_command_ends_at_most_once_whatever_answers_it_and_when(steps):
    session = sitting(Shelf(), "atlantis")
    asker = Waiting().begin(duel(session))
    questions = [asker.question]
    for step in steps:
        match step:
            case "answer":
                asker.question.answer(5)
            case "stale answer":
                questions[0].answer(6)
            case "leave":
                asker.question.leave()
            case "stale leave":
                questions[0].leave()
            case "next":
                session.do("next")
        if asker.question is not questions[-1]:
            questions.append(asker.question)
    is_over = asker.done is not None or "left" in asker.asked
    assert asker.asked.count("left") + (asker.done is not None) == is_over
    assert asker.asked.count("over") == len(questions) - (not is_over)
