"""What holds after any command, in every game and order style."""

import json
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems.codec.events import plain_event, read_event
from systems.encounter.history import history
from systems.encounter.schedule import can_have_turn
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from tests.laws import examples
from tests.systems.fight import GAMES, Fight, through_toml
from tests.systems.walks import line_for

STYLES = (None, "initiative", "sides", "manual")
# A number repeats a walk; drawing each choice apart would be more than Hypothesis likes to hold.
RANDOM = st.integers(0, 2**32).map(Random)


def begun(game, style, random) -> Fight:
    fight = Fight(game, "add okado", "add tamsin", "add guard x3", style=style, seed=random.random())
    if random.random() < 0.9:
        fight.do("start")
    return fight


def step(fight: Fight, random) -> bool:
    """One random command; a refused one changes nothing and says why in one sentence."""
    line = line_for(fight, random)
    encounter, number, before = fight.encounter, len(fight.log.events), fight.plain
    try:
        event = fight.do(line)
    except (Refused, Wrong, Misread) as error:
        message = str(error)
        assert message.isprintable(), line
        assert 0 < len(message) < 900, line
        assert fight.encounter is encounter
        assert len(fight.log.events) == number
        assert fight.plain == before
        return False
    assert event.n == number + 1 == len(fight.log.events)
    for text in (event.text, event.typed):
        assert text.strip(), line
        assert text.isprintable(), line
    return True


@pytest.mark.parametrize("game", GAMES)
@examples(6)
@given(random=RANDOM, style=st.sampled_from(STYLES))
def test_the_encounter_is_the_opening_and_its_events_read_back_from_files(game, style, random):
    fight = begun(game, style, random)
    for _ in range(25):
        if step(fight, random):
            event = fight.log.events[-1]
            written = plain_event(event)
            assert through_toml({"event": [written]})["event"] == [written]
            assert json.loads(json.dumps(written)) == written
            assert read_event(written) == event
    kept = [
        read_event(through_toml({"event": [plain_event(event)]})["event"][0]) for event in fight.log.events
    ]
    assert fight.folded(kept) == fight.plain


@pytest.mark.parametrize("game", GAMES)
@examples(6)
@given(random=RANDOM, style=st.sampled_from(STYLES))
def test_undo_after_any_command_and_redo_after_that_are_exact(game, style, random):
    fight = begun(game, style, random)
    for _ in range(20):
        before = fight.plain
        if not step(fight, random) or fight.log.events[-1].kind in ("undo", "redo"):
            continue
        after, encounter, log = fight.plain, fight.encounter, fight.log
        fight.do("undo")
        assert fight.plain == before
        fight.do("redo")
        assert fight.plain == after
        fight.encounter, fight.log = encounter, log


@examples(12)
@example(random=Random(31), style=None, game="arden")
@given(random=RANDOM, style=st.sampled_from(STYLES), game=st.sampled_from(GAMES))
def test_a_batch_is_undone_and_redone_exactly_and_what_seats_did_in_between_stays(game, style, random):
    fight = begun(game, style, random)
    first, mine = len(fight.log.events) + 1, set()
    for _ in range(8):
        encounter, log = fight.encounter, fight.log
        if not step(fight, random):
            continue
        event = fight.log.events[-1]
        fight.encounter, fight.log = encounter, log
        if event.kind != "command" or event.command == "amend":
            continue
        if random.random() < 0.4 and event.n > first:
            fight.keep(evolve(event, who="mira"))
            mine.add(event.n)
        else:
            fight.keep(evolve(event, batch=first))
    last = fight.log.events[-1].n
    if last < first or last in mine:
        return
    after, encounter = fight.plain, fight.encounter
    try:
        undone = fight.do("undo")
    except Refused as error:
        message = str(error)
        assert "depends on" in message
        assert fight.encounter is encounter
        return
    assert {*fight.log.standing} == {*range(1, first), *mine}
    assert {*undone.refs} == {*range(first, last + 1)} - mine
    assert fight.folded() == fight.plain
    fight.do("redo")
    assert fight.plain == after == fight.folded()
    assert history(fight.log.events).standing == fight.log.standing == tuple(range(1, last + 1))
    # One by one, everything is still undone to the opening.
    fight.do(f"undo {last}")
    assert fight.plain == fight.opening


@pytest.mark.parametrize("game", GAMES)
@examples(5)
@given(random=RANDOM, style=st.sampled_from(STYLES))
def test_everything_can_be_undone_to_the_opening_and_redone_to_the_end(game, style, random):
    fight = begun(game, style, random)
    for _ in range(30):
        step(fight, random)
    while fight.log.undone:
        fight.do("redo")
    # What an amendment has left out is undone, too.
    end, standing = fight.plain, fight.log.stands.height if fight.log.stands else 0
    fight.do(f"undo {standing}")
    assert fight.plain == fight.opening
    with pytest.raises(Refused, match="nothing to undo"):
        fight.do("undo")
    for _ in range(standing):
        fight.do("redo")
    assert fight.plain == end == fight.folded()
    with pytest.raises(Refused, match="nothing to redo"):
        fight.do("redo")


@pytest.mark.parametrize("game", GAMES)
@examples(6)
@given(random=RANDOM, style=st.sampled_from(STYLES))
def test_a_step_back_right_after_next_restores_everything(game, style, random):
    fight = begun(game, style, random)
    for _ in range(20):
        before = fight.plain
        if step(fight, random) and fight.log.events[-1].command == "next":
            encounter, log = fight.encounter, fight.log
            fight.do("back")
            assert fight.plain == before
            fight.encounter, fight.log = encounter, log


@pytest.mark.parametrize("game", GAMES)
@examples(6)
@given(random=RANDOM, style=st.sampled_from(STYLES))
def test_a_present_combatant_has_the_turn_while_any_can_act(game, style, random):
    fight = begun(game, style, random)
    for _ in range(30):
        step(fight, random)
        progress = fight.encounter.progress
        assert {*progress.ids} == {*fight.encounter.combatants}
        if (
            progress.round
            and not progress.over
            and any(can_have_turn(fight.encounter, one) for one in progress.order)
        ):
            assert progress.turn in fight.encounter.combatants


@examples(6)
@given(random=RANDOM)
def test_a_log_that_is_read_continues_like_one_that_was_written(random):
    fight = begun("atlantis", None, random)
    for _ in range(25):
        step(fight, random)
    read = history(list(fight.log.events))
    assert (read.standing, read.undone) == (fight.log.standing, fight.log.undone)
