"""Laws of amended history: an amendment equals having played it right, and is one event."""

import re
from copy import copy
from functools import lru_cache
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems.codec.events import plain_event, read_event
from systems.commands.dispatcher import perform
from systems.commands.table import parse
from systems.contract.table import Suggested
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace, StreamedDice, Streams
from systems.encounter.changes import apply
from systems.encounter.history import extended, history
from systems.encounter.lookup import targets
from systems.encounter.recap import recap_of
from systems.schema.values import as_typed
from tests.laws import shared_examples
from tests.systems.amended import amended, tried
from tests.systems.fight import GAMES, Fight, through_toml
from tests.systems.walks import line_with_volleys

_SEVERAL = re.compile(r"(\S+) (foes|all|\d+-\d+|\d+,\d+)(?=\s|$)")


class SeededDice(StreamedDice):
    """The dice of a program with a seed: a stream for each owner."""

    def __init__(self, seed):
        self.streams = Streams(seed, Random(seed), Random)

    def face(self, sides, why="", of=""):
        return self.streams.named(self.stream).randint(1, sides)


class RealDice:
    """Dice thrown at the table: the command is carried out again with each face that it asks for."""

    def __init__(self, random):
        self.random, self.faces = random, []

    def face(self, sides, why="", of=""):
        return self.scripted.face(sides, why, of)

    def carry_out(self, do):
        self.faces = []
        while True:
            self.scripted = ScriptedDice(self.faces)
            try:
                return do()
            except NeedsFace as needs:
                self.faces.append(self.random.randint(1, needs.request.sides))


class Walk(Fight):
    """A fight after random commands; `lines` holds what was typed, with ids in place of sides and tags."""

    def __init__(self, game, seed, lines=14):
        self.random = Random(seed)
        style = self.random.choice((None, None, "initiative", "sides", "manual"))
        super().__init__(game, seed=seed, style=style)
        self.dice = self.random.choice((self.dice, SeededDice(seed), RealDice(self.random)))
        self.lines = {}
        for line in ("add okado", "add tamsin", "add guard x3", "start"):
            self.do(line)
        for _ in range(lines):
            tried(self, line_with_volleys(self, self.random))

    def do(self, line):
        do, then = super().do, self.encounter
        event = self.dice.carry_out(lambda: do(line)) if isinstance(self.dice, RealDice) else do(line)
        if event.targets and _SEVERAL.match(line):
            line = _SEVERAL.sub(lambda found: f"{found[1]} {','.join(targets(then, found[2]))}", line)
        if event.action == line:
            # What was on offer then has to be named where it is none.
            options = (f"{name}={as_typed(value)}" for name, value in event.options.items())
            line = " ".join((line, ",".join(event.targets), *options))
        self.lines[event.n] = line
        return event


@lru_cache(maxsize=256)
def amended_walk(game, seed):
    """A random fight before and after an amendment, and the amendment, None if none was accepted.

    Both laws share it, so neither may change it.
    """
    fight = Walk(game, seed)
    before, event = copy(fight), amended(fight)
    return before, event, fight


def played_right(fight):
    """The fight that comes of playing its standing events in order, as lines with the dice that fell."""
    right = Fight(fight.game, style=fight.style)
    right.roster = fight.roster
    for event in list(fight.log.newest())[::-1]:
        if event.command == "keep":
            continue  # what went to the roster stays there, whatever became of the end of the fight
        dice = ScriptedDice([die.face for die in event.rolls])
        was, known = right.encounter.progress, len(right.encounter.progress.ids)
        play(right, line_of(fight, event, right), dice, event)
        while dice.left or not fits(right, event, was):
            # Turns that passed by themselves are one with what was done before them.
            if any(each.kind == "back" for each in fight.log.newest()):
                return None
            play(right, "next", dice, event)
        assert len(right.encounter.progress.ids) - known == added(event)
    return right


def line_of(fight, event, right):
    """What was typed, with ids in place of sides and tags; done by whoever did it, whoever has the turn."""
    line, actor = event.typed, event.actor
    if fight.log.event(event.n).typed == line:
        line = fight.lines[event.n]
    if line.startswith("unschedule"):
        coming = [each.name for each in right.encounter.progress.happenings]
        return f"unschedule {coming.index(event.options['text']) + 1}"
    theirs = event.command != "action" or " by " in line or actor in ("", right.turn)
    return line if theirs else f"{line} by {actor}"


def play(fight, line, dice, event):
    command = parse(re.sub(r"(?<!\S)dice=\S*", "", line), fight.game)
    done = perform(fight.encounter, fight.log, fight.roster, command, dice, Suggested())
    fight.encounter, fight.log = apply(fight.encounter, done), extended(fight.log, done)


def fits(fight, event, was):
    """Whether turn and round are those after the event. `was`: the progress before it."""
    after = {change.field: change.after for change in event.changes if not change.who}
    progress = fight.encounter.progress
    wanted = after.get("turn", was.turn), after.get("round", was.round)
    return (progress.turn, progress.round) == wanted


def newcomers(fight):
    """Who joined, by the number of the event."""
    return {
        event.n: [change.who for change in event.changes if not change.field and change.after is not None]
        for event in fight.log.newest()
    }


def added(event):
    whole = [change for change in event.changes if change.who and not change.field]
    return sum(change.after is not None for change in whole) - sum(
        change.before is not None for change in whole
    )


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10**6))
@example(seed=674)  # in arden a combatant joins and its turn passes in the same event
@example(seed=144406)  # in srd5 the option bonus_dice ends with the name of another option
@shared_examples(14)
def test_amending_equals_having_played_it_right(game, seed):
    before, event, fight = amended_walk(game, seed)
    joined = newcomers(before)
    if event is None or any(joined.get(number, ids) != ids for number, ids in newcomers(fight).items()):
        return  # other lines name combatants whose ids changed
    if (right := played_right(fight)) is None:
        return
    assert right.plain == fight.plain
    ours, theirs = recap_of(fight.encounter, fight.log), recap_of(right.encounter, right.log)
    assert (ours.dealt, ours.taken, ours.healed) == (theirs.dealt, theirs.taken, theirs.healed)
    assert {*ours.actions} == {*theirs.actions}


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10**6))
@shared_examples(14)
def test_an_amendment_is_one_event_that_is_saved_undone_and_redone(game, seed):
    unamended, event, fight = amended_walk(game, seed)
    before, read = unamended.plain, [event.text for event in unamended.log.newest()]
    if event is None:
        return
    fight = copy(fight)
    fight.lines = {**fight.lines}
    after, reads_now = fight.plain, [event.text for event in fight.log.newest()]
    events = [read_event(through_toml(plain_event(each))) for each in fight.log.events]
    assert fight.folded(events) == after
    assert [each.text for each in history(events).newest()] == reads_now
    assert [each.text for each in history(events, history(events[:-2]).known).newest()] == reads_now
    fight.do("undo")
    assert (fight.plain, [event.text for event in fight.log.newest()]) == (before, read)
    fight.do("redo")
    assert (fight.plain, [event.text for event in fight.log.newest()]) == (after, reads_now)
