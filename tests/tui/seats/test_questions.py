"""Answers to a seat's program: limited in size and to the combatants that its viewer may see."""

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from systems.codec.plain import from_plain, plain_value, to_plain
from systems.frozen import evolve
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import Fight
from tests.tui.seats.test_no_trace import NAMES, World
from tui.lists.action_list import ActionList
from tui.lists.command_help import CommandHelp
from tui.lists.plan import PlanShown
from tui.lists.target_list import Asked, TargetList
from tui.seats.questions import SeatAnswers, SeenFight
from tui.seats.seat_messages import (
    FROM_SEAT,
    ActionsAsked,
    AskedBySeat,
    HelpAsked,
    OddsAsked,
    OffersAsked,
    OlderAsked,
    PlanAsked,
    RecapAsked,
    TargetsAsked,
)
from tui.wire.messages import Malformed, read

OKADO = Viewer(frozenset({"okado"}))
LINES = ("", "3", "4 mod", "gho", "all", "2,3")


def fight(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", *lines)


def moment(play: Fight, viewer: Viewer = OKADO, **shown: Any) -> SeenFight:
    return SeenFight(play.encounter, play.log, viewer, Shown(**shown))


def told(kind: type[Any], now: SeenFight, question: AskedBySeat) -> Any:
    """The answer as it comes over the wire."""
    return from_plain(kind, json.loads(json.dumps(plain_value(SeatAnswers().answer(now, question)))))


def targets(play: Fight, action: str = "attack", shown: str = "own", **asked: Any) -> TargetList:
    question = TargetsAsked(action=action, asked=Asked(height=20, **asked))
    return told(TargetList, moment(play, odds=shown), question)


def asked_by(viewer: Viewer, world: World, odds: Any) -> Iterator[Any]:
    """Yield the answers to questions of every kind."""
    session, game = world.session, world.session.game
    answers, now = SeatAnswers(), SeenFight(session.encounter, session.log, viewer, Shown(odds=odds))
    other = next(each.name for each in game.actions if each.group == "check")
    for action in (game.default_action, other):
        for line in LINES[:4]:
            question = TargetsAsked(action=action, asked=Asked(line=line, height=20))
            yield answers.answer(now, question)
            yield answers.answer(now, evolve(question, planned=True))
    yield answers.answer(now, ActionsAsked())
    yield answers.answer(now, ActionsAsked(planned=True))
    for line in (f"{game.default_action} 3", f"{game.default_action} gho", other, "next", "heal tamsin 2"):
        yield answers.answer(now, PlanAsked(line=line))
    yield answers.answer(now, OffersAsked(lines=()))
    for line in (f"{game.default_action} ", f"{game.default_action} 3 ", "clear 1 ", "g", "condition 1 pro"):
        yield answers.answer(now, HelpAsked(line=line, at=len(line)))


def sums(folder: Path, name: str, hidden: int, odds: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    # A busy machine may have time for fewer odds in one world than in another.
    monkeypatch.setattr("tui.seats.questions.monotonic", lambda: 0.0)
    world = World(folder, name, hidden, 11)
    viewer = Viewer(frozenset(world.players))
    found = []
    for _ in world.play():
        told = list(asked_by(viewer, world, odds))
        assert None not in told
        found.append(sha256(json.dumps(plain_value(told)).encode()).hexdigest())
        if len(found) == 4:
            break
    return found


@pytest.mark.parametrize(
    ("name", "odds", "hidden"), [*zip(NAMES, cycle(["own", "exact"]), cycle([1, 4, 4]), strict=False)]
)
def test_answers_are_the_same_to_the_byte_with_and_without_hidden(tmp_path, name, odds, hidden, monkeypatch):
    without, more = (sums(tmp_path, name, number, odds, monkeypatch) for number in (0, hidden))
    assert without == more


@pytest.mark.parametrize("foes", ["band", "figures"])
def test_hidden_values_of_a_foes_sheet_change_no_answer(foes):
    plain = fight("damage guard-1 20")
    other = fight("damage guard-1 21") if foes == "band" else fight("damage guard-1 20")
    for line in (
        "set guard-1 abilities.dodge 99",
        "set guard-1 armour_pool 1",
        "set guard-2 abilities.melee 7",
        "set guard-1 notes it fears fire",
    ):
        other.do(line)
    for play in (plain, other):
        play.log = plain.log  # the log tells of damage what the table shows
    for line in LINES:
        for action in ("attack", "coup_de_grace", "check", "contest", "heal"):
            question = TargetsAsked(action=action, asked=Asked(line=line, height=20))
            plan = PlanAsked(line=f"{action} {line}")
            for each in (question, evolve(question, planned=True), plan):
                found = [SeatAnswers().answer(moment(play, foes=foes), each) for play in (plain, other)]
                assert found[0] == found[1], each


def test_an_answer_uses_the_names_that_the_seat_sees():
    play = fight("add guard as Ghost hidden")
    found = targets(play)
    assert [row.key for row in found.list.rows] == ["guard-1", "guard-2", "", "tamsin"]
    assert "host" not in json.dumps(to_plain(found))
    taken = targets(play, step="enter", line="1,2")
    assert (taken.result.command, taken.list.rows) == ("attack guard-1,guard-2", ())
    assert targets(play, step="enter", line="9").result.why.startswith("nobody has the tag 9")


def test_legal_targets_come_first_and_refused_ones_have_a_reason_in_sight():
    play = fight("damage guard-2 60")
    found = targets(play, "coup_de_grace")
    assert found.typed.marked == "guard-2"
    refused = {row.person.name: row.odds.refused for row in found.list.rows if row.odds is not None}
    assert not refused["Guard 2"]
    assert "conscious" in refused["Guard 1"]


def test_odds_come_by_the_setting_of_the_table():
    play = fight()
    assert targets(play, shown="own").notes.odds.startswith("melee 53")
    assert targets(play, shown="own").list.headings == ()
    assert targets(play, shown="none").notes.odds == ""
    exact = targets(play, shown="exact")
    assert [head for head, _ in exact.list.headings] == ["to beat", "hit", "drops", "expected"]
    # On a busy machine there may be no time for the first one yet.
    assert exact.unknown or (exact.list.rows[0].odds and exact.list.rows[0].odds.cells[0] == "36")


def test_actions_and_offers_have_their_reasons_and_odds():
    play = Fight("xcom", "add okado", "add guard x2", "start", "overwatch", "next", "set guard-1 mobility 9")
    play.do("move steps=o by guard-1")
    found = told(ActionList, moment(play, odds="exact"), ActionsAsked())
    assert found.actor == "Okado"
    assert found.offers[0].command.startswith("attack 1 reaction=yes")
    assert "%" in found.offers[0].odds
    own = told(ActionList, moment(play, odds="own"), ActionsAsked())
    assert "%" not in own.offers[0].odds


def test_an_unreadable_line_is_refused_with_the_word_concerned():
    found = told(CommandHelp, moment(fight()), HelpAsked(line="frobnicate 3", at=12))
    assert found.wrong
    assert (found.start, found.end) == (0, 10)


def _asked(**asked: Any) -> TargetsAsked:
    return TargetsAsked(action="attack", asked=Asked(**asked))


@pytest.mark.parametrize(
    "question",
    [
        OlderAsked(skip=-1),
        HelpAsked(line="x" * 501, at=0),
        _asked(line="x" * 501),
        _asked(height=101),
        _asked(doers="all"),
        _asked(chosen=(("a", "b"),) * 41),
        TargetsAsked(action="round_start", asked=Asked()),
        OddsAsked(action="attack", asked=Asked(), cells=501),
        OddsAsked(action="attack", asked=Asked(line="x" * 501), cells=80),
        RecapAsked(cells=0),
        PlanAsked(line="x" * 501),
    ],
)
def test_a_question_that_cannot_be_has_no_answer(question):
    assert SeatAnswers().answer(moment(fight()), question) is None


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"kind": "secrets"}, "a message of an unknown kind"),
        ({"kind": "older", "id": 1, "skip": True}, "older: skip should be a whole number"),
        ({"kind": "older", "id": "1", "skip": 3}, "older: id should be a whole number"),
        ({"kind": "command", "line": "x", "at": "1"}, "command: at should be a whole number"),
        ({"kind": "targets", "action": "attack"}, "targets: asked is missing"),
        ({"kind": "targets", "action": ["attack"], "asked": {}}, "targets: action should be text"),
        ({"kind": "targets", "action": "attack", "asked": {"line": 3}}, "targets: asked.line should be text"),
        ({"kind": "odds", "action": "a", "asked": {}, "cells": 1.5}, "odds: cells should be a whole number"),
        ({"kind": "actions", "planned": 1}, "actions: planned should be true or false"),
        ({"kind": "again", "by": "tamsin"}, "again: the data has an unknown field"),
        ({"kind": "plan", "line": 3}, "plan: line should be text"),
        ({"kind": "request", "line": "next"}, "request: token is missing"),
        ({"kind": "reply", "ask": 1, "value": None}, "reply: value should be a whole number or text"),
        ({"kind": "reply", "ask": 1, "value": 3, "seat": "tamsin"}, "reply: the data has an unknown field"),
        ({"kind": "withdraw", "id": 3}, "withdraw: id should be text"),
        ({"kind": "spot", "line": ["list"]}, "spot: line should be text"),
        ({"kind": "spot", "bell": 2}, "spot: bell has an unknown word"),
        ({"kind": "spot", "more": "text"}, "spot: the data has an unknown field"),
    ],
)  # fmt: skip
def test_a_message_that_no_seat_would_send_is_refused_in_one_sentence(message, why):
    with pytest.raises(Malformed) as found:
        read(message, FROM_SEAT)
    assert str(found.value) == why


@pytest.mark.parametrize(
    "line", ["", "frobnicate", "attack 9", "attack 3 by tamsin", "undo", "\x1b[2J", "next"]
)
def test_a_plan_that_cannot_be_carried_out_has_a_sentence(line):
    found = told(PlanShown, moment(fight("next")), PlanAsked(line=line))
    assert found.wrong
    assert found.wrong.isprintable()
    assert not found.odds


def test_an_option_that_does_not_exist_is_a_sentence_and_no_error():
    found = targets(fight(), chosen=(("frobnicate", "x"),), step="enter")
    assert found.result.command == ""
    assert "frobnicate" in found.result.why


def test_help_with_a_line_does_not_reveal_the_turn_of_a_hidden_combatant() -> None:
    both = Viewer(frozenset({"okado", "tamsin"}))
    play = fight("add guard as Ghost hidden", "order ghost_h1 after okado")
    while play.encounter.progress.turn != "okado":
        play.do("next")

    def helped() -> list[CommandHelp]:
        now = moment(play, both)
        lines = ("attack ", "attack 3", "delay ", "")
        asked = [HelpAsked(line=line, at=len(line)) for line in lines]
        return [told(CommandHelp, now, question) for question in asked]

    before = helped()
    play.do("next")
    assert play.encounter.progress.turn == "ghost_h1"
    assert helped() == before
