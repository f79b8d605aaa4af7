"""Every event holds its resolved command, so that it can be carried out again without its line."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.codec.events import plain_event, read_event
from systems.commands import table
from systems.commands.amounts import DamageOrHeal
from systems.commands.dispatcher import perform
from systems.commands.replayed import RecordedAnswers, command_of, dice_of
from systems.commands.schedule import Unschedule
from systems.commands.table import COMMANDS, read_command
from systems.contract.table import Suggested
from systems.dice.scripted import ScriptedDice, WrongDie
from systems.dice.sources import RandomDice
from systems.encounter.events import Event, ReactionTaken
from systems.encounter.history import history
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from systems.language.intents import Act
from tests.laws import shared_examples
from tests.systems.fight import GAMES, Fight, through_toml
from tests.systems.walks import walk

WALKS = st.integers(0, 2**32)
STYLES = (None, "initiative", "sides", "manual")
NO_DICE = ScriptedDice(())


def stored(event: Event) -> Event:
    """Return an event as it is read from its file."""
    return read_event(through_toml(plain_event(event)))


def before_intents(event: Event) -> Event:
    """Return an event as logs stored it before they had intents."""
    return read_event({name: value for name, value in plain_event(event).items() if name != "intent"})


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_the_stored_intent_without_the_line_gives_the_same_event(game, style, number):
    for stride in walk(game, style, number):
        event, before = stride.event, stride.before
        if event.kind != "command" or event.command == "amend":
            continue
        command = command_of(evolve(stored(event), typed=""), before)
        answers = RecordedAnswers(event.answers, Suggested())
        command = evolve(command, line=event.typed)
        dice = dice_of(event, (), NO_DICE)
        again = perform(before, stride.log, stride.fight.roster, command, dice, answers)
        assert again == event


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_a_log_without_intents_gets_them_from_its_lines(game, style, number):
    for stride in walk(game, style, number):
        event, before = stride.event, stride.before
        if event.command != "amend":
            assert command_of(before_intents(event), before) == command_of(stored(event), before)


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_an_intent_names_combatants_by_their_ids_only(game, style, number):
    for stride in walk(game, style, number):
        event, before = stride.event, stride.before
        if event.command == "amend":
            continue  # it names combatants of an earlier moment
        intent = command_of(stored(event), before).intent
        for name in ("targets", "who", "by", "of", "beside"):
            if words := getattr(intent, name, ""):
                assert isinstance(words, int) or {*words.split(",")} <= {*before.combatants}, (
                    event.typed,
                    intent,
                )


def test_no_line_of_a_fight_is_parsed_again_when_an_event_is_amended(monkeypatch):
    fight = Fight(
        "atlantis", "add okado", "add guard x2", "start", "damage 2 3", "next", "next", "damage 3 1"
    )
    parsed = []
    read = table.parser.parse
    monkeypatch.setattr(table.parser, "parse", lambda line, *rest: parsed.append(line) or read(line, *rest))
    fight.do("amend 4 amount=2")
    assert parsed == ["amend 4 amount=2"]


def test_an_event_stores_only_the_part_of_its_intent_that_no_other_field_holds():
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start")
    assert dict(fight.do("damage guard-1,guard-2 3 half=guard-1").intent) == {}
    assert dict(fight.do("condition 3 prone 2 by okado").intent) == {"quoted": False, "by": "okado"}
    assert dict(fight.do("schedule rain in round 4").intent) == {}
    assert dict(fight.do("unschedule 1").intent) == {"number": 1}
    assert dict(fight.do("undo 2").intent) == {"number": 2}


def test_the_intent_keeps_targets_that_had_fallen():
    fight = Fight("atlantis", "add okado", "add guard x3", "start", "damage guard-1 900")
    event = fight.do("damage foes 1 half=foes")
    assert event.targets == ("guard-2", "guard-3")
    intent = command_of(stored(event), fight.encounter).intent
    everybody = "guard-1,guard-2,guard-3"
    assert intent == DamageOrHeal(everybody, "1", {"half": everybody})


def test_an_intent_of_the_wrong_type_counts_as_absent():
    fight = Fight("atlantis", "add okado", "schedule rain in round 4")
    before, event = fight.encounter, fight.do("unschedule 1")
    for wrong in ({"number": "one"}, {"numbers": 1}):
        edited = read_event({**plain_event(event), "intent": wrong})
        assert command_of(edited, before).intent == Unschedule(1)


def test_an_event_has_room_for_several_actors_a_batch_and_reactions():
    event = Event(
        n=3, actors=("okado", "tamsin"), batch=2, reactions=(ReactionTaken("mira", "shield", {"by": 2}),)
    )
    read = stored(event)
    assert (read.actors, read.batch, read.reactions) == (event.actors, event.batch, event.reactions)
    assert not {"actors", "batch", "reactions", "intent"} & {*plain_event(Event(n=3))}


def test_a_joint_action_stores_its_actors():
    fight = Fight("atlantis", "add okado", "add guard x2", "start")
    before, event = fight.encounter, fight.do("check ability=dodge threshold=25 by guard-1,guard-2")
    assert event.actors == ("guard-1", "guard-2")
    intent = command_of(stored(event), before).intent
    assert isinstance(intent, Act)
    assert intent.by == "guard-1,guard-2"


def test_every_command_declares_an_intent_of_its_own():
    for name, kind in COMMANDS.items():
        assert type(kind.held(Event(), kind.blank)).__name__ != "Intent", name


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_an_amendment_of_a_log_without_intents_is_the_same(game, style, number):
    strides = walk(game, style, number)
    if not strides:
        return
    fight, random = strides[-1].fight, Random(number)
    older = history([before_intents(event) for event in fight.log.events])
    for line in ("never", "dice=4", "modifier=1", "by tamsin"):
        command = read_command(fight.encounter, f"amend {random.randint(2, len(older.events))} {line}")
        found = [_amended(fight, log, command) for log in (fight.log, older)]
        assert found[0] == found[1]


def _amended(fight, log, command):
    """Return the events of an amendment without their intents, or why it is refused."""
    dice = RandomDice(Random(1))
    try:
        event = perform(fight.encounter, log, fight.roster, command, dice, Suggested())
    except (Refused, Wrong, Misread, WrongDie) as error:
        return str(error)
    replaced = tuple(evolve(each, intent=None) for each in event.replaced)
    return evolve(event, intent=None, replaced=replaced)
