"""A fight travels to a helper process as data, and arrives unchanged."""

import json
from pathlib import Path

import pytest

from systems.codec.plain import from_plain, to_plain
from tests.tui.opened import SAMPLES, copied
from tui.session.forecasts import ForecastAnswer, forecaster_of, where_it_turned
from tui.session.live_fight import FightReader, FightSender, HelperMessage, LiveFight, live_fight
from tui.session.opening import OpenEncounter, open_fight
from tui.session.work import Work

WORK = Work("forecast")


def sent(sender: FightSender, fight: OpenEncounter, *, with_log: bool = False) -> list[HelperMessage]:
    """The messages of the present fight, as the pipe carries them."""
    messages = sender.messages(fight.campaign, fight.session, WORK, with_log=with_log)
    return [json.loads(json.dumps(message)) for message in messages]


def received(reader: FightReader, messages: list[HelperMessage]) -> LiveFight:
    *parts, work = messages
    for part in parts:
        reader.read(part)
    return reader.fight(work)


@pytest.mark.parametrize("name", sorted(each.name for each in SAMPLES.iterdir() if each.is_dir()))
def test_every_sample_arrives_unchanged_before_and_after_its_start(tmp_path: Path, name: str) -> None:
    fight = open_fight(copied(tmp_path, name), seed=1)
    session = fight.session
    try:
        sender, reader = FightSender(), FightReader()
        for lines in ((), ("start", "hide 2"), ("next", "condition 1 marked")):
            for line in lines:
                session.do(line)
            arrived, own = received(reader, sent(sender, fight)), live_fight(session)
            assert arrived.encounter == session.encounter
            assert (arrived.events, arrived.done) == (own.events, own.done)
            assert {**arrived.roster} == {**session.roster}
    finally:
        fight.close()


def test_a_helper_that_knows_the_fight_receives_only_what_has_changed(tmp_path: Path) -> None:
    fight = open_fight(copied(tmp_path), seed=1)
    try:
        fight.session.do("start")
        sender, reader = FightSender(), FightReader()
        received(reader, sent(sender, fight))
        fight.session.do("damage tamsin 3")
        messages = sent(sender, fight)
        assert [{*message.get("parts", ())} for message in messages] == [{"", "tamsin"}, set()]
        fight.session.do("remove guard-1")
        assert "guard-1" not in received(reader, sent(sender, fight)).encounter.combatants
    finally:
        fight.close()


def test_the_forecast_and_the_curve_of_what_arrived_are_those_of_the_screen(tmp_path: Path) -> None:
    fight = open_fight(copied(tmp_path), seed=1)
    session = fight.session
    try:
        for line in ("start", "attack tamsin", "next", "damage okado 2"):
            session.do(line)
        reader = FightReader()
        arrived = received(reader, sent(FightSender(), fight))
        own, other = forecaster_of(live_fight(session)), forecaster_of(arrived)
        assert list(own.play(2)) == list(other.play(2)) == [1, 2]
        assert own.forecast() == other.forecast()
        answer = ForecastAnswer(forecast=own.forecast(), is_last=True)
        assert from_plain(ForecastAnswer, json.loads(json.dumps(to_plain(answer)))) == answer
        for line in ("next", "next", "next", "end"):
            session.do(line)
        arrived = received(reader, sent(FightSender(), fight, with_log=True))
        log = reader.log()
        assert [event.n for event in log.newest()] == [event.n for event in session.log.newest()]
        assert where_it_turned(arrived, log, 2) == where_it_turned(live_fight(session), session.log, 2)
    finally:
        fight.close()
