"""A fight at the table: attempts, saving before a command counts, and real dice."""

import pytest

from systems import load
from systems.codec.events import plain_event, read_event
from systems.contract.table import ChoiceRequest, WrongChoice
from systems.dice.scripted import WrongFace
from systems.dice.sources import DieRequest, NeedsFace
from systems.errors import Misread, Wrong
from systems.schema.conversion import read
from tests.tui.table import session_of
from tui.campaign.problems import NotSaved
from tui.session.attempt import MixedDice, ReadOnly
from tui.session.session import chance

OPENING = {
    "combatant": [
        {
            "id": "okado",
            "name": "Okado",
            "side": "players",
            "tag": 1,
            "sheet": {"abilities": {"melee": 53}, "weapons": [{"name": "katana", "damage": 18}]},
        },
        {
            "id": "guard",
            "name": "Guard",
            "tag": 2,
            "sheet": {"abilities": {"melee": 36, "dodge": 30}, "weapons": [{"name": "sword", "damage": 15}]},
        },
    ]
}

DUEL = "attack guard defence=active defence_ability=dodge"  # both of them roll


class Shelf:
    """A writer that keeps events in a list, or refuses them if `broken`."""

    def __init__(self):
        self.events, self.broken = [], False

    def append(self, *events):
        if self.broken:
            raise NotSaved("the disk is full")
        self.events += events


@pytest.fixture
def shelf():
    return Shelf()


@pytest.fixture
def session(shelf):
    return sitting(shelf, "atlantis")


def sitting(shelf, game, events=()):
    found = load(game)
    session = session_of(found, read(found.house, {}), None, {}, OPENING, events, shelf)
    session.streams = chance(1)
    session.now = lambda: "2026-01-01T12:00:00+00:00"
    return session


def fill(attempt, needs, face):
    attempt.give(needs, face)
    return attempt.run()


def test_a_command_counts_once_it_is_saved(session, shelf):
    done = session.begin("start").run()
    assert session.encounter.progress.round == 0
    assert not shelf.events
    event = session.keep(done)
    assert session.encounter.progress.round == 1
    assert shelf.events == [event]
    assert list(plain_event(event))[:3] == ["n", "time", "who"]
    assert (event.n, event.who) == (1, "gm")


def test_a_command_that_cannot_be_saved_does_not_count_and_can_be_repeated(session, shelf):
    shelf.broken = True
    before, log = session.encounter, session.log
    with pytest.raises(NotSaved):
        session.do("start")
    assert (session.encounter, session.log) == (before, log)
    shelf.broken = False
    assert session.do("start").n == 1


def test_a_line_that_cannot_be_read_names_the_place(session):
    with pytest.raises(Misread) as error:
        session.begin("attak guard")
    assert (error.value.start, error.value.end) == (0, 5)


def test_the_program_rolls_unless_dice_are_real(session):
    session.dice = "real"
    session.do("start")
    assert session.do("attack guard").rolls


def test_real_dice_are_requested_one_by_one_and_nothing_changes_meanwhile(session, shelf):
    session.do("start")
    session.dice = "real"
    attempt = session.begin(DUEL, asks=True)
    needs = attempt.run()
    asked = []
    while isinstance(needs, DieRequest):
        asked.append((needs.sides, needs.of))
        needs = fill(attempt, needs, 3)
        assert len(shelf.events) == 1
    event = session.keep(needs)
    assert [(one.sides, one.of) for one in event.rolls] == asked
    assert {one.face for one in event.rolls} == {3}
    assert {of for _, of in asked} == {"okado", "guard"}


def test_players_roll_their_own_dice_and_the_program_the_rest(session):
    session.do("start")
    session.dice = "players"
    attempt = session.begin(DUEL, asks=True)
    needs = attempt.run()
    while isinstance(needs, DieRequest):
        assert needs.of == "okado"
        needs = fill(attempt, needs, 3)
    rolls = needs.rolls
    assert {one.face for one in rolls if one.of == "okado"} == {3}
    assert any(one.of == "guard" for one in rolls)


def test_a_die_that_the_program_rolled_keeps_its_face_while_others_are_requested(session):
    session.do("start")
    session.dice = "players"
    attempt = session.begin(DUEL, asks=True)
    needs = attempt.run()
    while isinstance(needs, DieRequest):
        rolled = list(attempt.faces)
        needs = fill(attempt, needs, 3)
        assert attempt.faces[: len(rolled) + 1] == [*rolled, 3]
    again = attempt.run()
    assert again == needs


@pytest.mark.parametrize(("line", "is_dropped"), [("note x", False), ("condition guard surprised", True)])
def test_given_dice_count_after_an_event_unless_other_dice_are_now_needed(session, line, is_dropped):
    session.do("start")
    session.dice = "real"
    attempt = session.begin(DUEL, asks=True)
    attempt.run()
    fill(attempt, fill(attempt, attempt.run(), 3), 3)
    session.do(line)
    needs = attempt.run()
    assert attempt.has_begun_again is is_dropped
    assert attempt.faces == ([] if is_dropped else [3, 3])
    assert isinstance(needs, DieRequest) is is_dropped
    assert attempt.is_of_now


def test_an_impossible_face_is_refused_and_can_be_given_again(session):
    session.do("start")
    session.dice = "real"
    attempt = session.begin(DUEL, asks=True)
    needs = attempt.run()
    for face in (0, -1, needs.sides + 1):
        with pytest.raises(WrongFace):
            attempt.give(needs, face)
    assert attempt.faces == []
    attempt.give(needs, needs.sides)
    assert attempt.faces == [needs.sides]


def test_a_real_die_may_be_left_to_the_program(session):
    session.do("start")
    session.dice = "real"
    attempt = session.begin(DUEL, asks=True)
    needs = attempt.run()
    while isinstance(needs, DieRequest):
        face = attempt.roll(needs)
        assert 1 <= face <= needs.sides
        needs = attempt.run()
    assert [one.face for one in needs.rolls] == attempt.faces


def test_a_cancelled_attempt_changes_nothing(session, shelf):
    session.do("start")
    session.dice = "real"
    before = session.encounter
    attempt = session.begin(DUEL, asks=True)
    fill(attempt, attempt.run(), 5)
    assert session.encounter is before
    assert len(shelf.events) == 1


def test_a_choice_is_requested_if_a_player_can_answer(shelf):
    game = load("waygate")
    people = [{"id": "okado", "name": "Okado", "side": "players", "sheet": {"aether_marks": 1}}]
    session = session_of(game, read(game.house, {}), None, {}, {"combatant": people}, [], shelf)
    attempt = session.begin("test attribute=str threshold=30 by okado", asks=True)
    needs = attempt.run()
    assert isinstance(needs, ChoiceRequest)
    attempt.answer("nonsense")
    with pytest.raises(WrongChoice):
        attempt.run()
    attempt.answers[:] = [needs.choices[0]]
    assert session.keep(attempt.run()).answers[0].value == needs.choices[0]


def test_a_read_only_session_changes_nothing():
    session = sitting(None, "atlantis")
    assert session.read_only
    with pytest.raises(ReadOnly):
        session.do("start")
    assert session.encounter.progress.round == 0


def test_a_session_can_be_replayed_from_its_opening_and_events(session, shelf):
    for line in ("start", "attack guard", "note x", "next", "damage okado 5", "undo 2", "redo"):
        session.do(line)
    again = sitting(shelf, "atlantis", shelf.events)
    assert again.encounter == session.encounter
    assert list(again.log.events) == list(session.log.events) == shelf.events
    assert (again.log.standing, again.log.undone) == (session.log.standing, session.log.undone)


def test_events_that_do_not_fit_the_opening_are_wrong(shelf):
    event = {"n": 1, "kind": "command", "changes": [{"who": "okado", "field": "sheet.life", "after": "high"}]}
    with pytest.raises(Wrong):
        sitting(shelf, "atlantis", [read_event(event)])


def test_mixed_dice_return_given_faces_first_and_remember_their_own():
    faces = [3]
    dice = MixedDice(faces, chance(1), lambda of: of == "me")
    assert dice.face(6, "", "me") == 3
    rolled = dice.face(6, "", "you")
    assert faces == [3, rolled]
    with pytest.raises(NeedsFace):
        dice.face(6, "", "me")
    with pytest.raises(WrongFace):
        MixedDice([7], chance(1), lambda of: False).face(6)
