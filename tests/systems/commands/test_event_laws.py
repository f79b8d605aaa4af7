"""What holds of every event: it names those who were there, and its sentences say whom they are about."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.commands.dispatcher import carry_out
from systems.commands.table import parse, title_of
from systems.contract.marked_text import joined
from systems.contract.table import ScriptedChoices
from systems.dice.scripted import ScriptedDice
from systems.encounter.changes import apply
from systems.encounter.events import combatants_in
from systems.encounter.history import history
from systems.frozen import evolve
from systems.text import before_and_after
from tests.laws import shared_examples
from tests.systems.fight import GAMES
from tests.systems.walks import walk

WALKS = st.integers(0, 2**32)
STYLES = (None, "initiative", "sides", "manual")


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_an_event_names_only_combatants_of_its_fight(game, style, number):
    there: set[str] = set()
    for stride in walk(game, style, number):
        fight, before, event = stride.fight, stride.before, stride.event
        # An amendment may name a combatant that has left since.
        there |= {*before.combatants, *fight.encounter.combatants}
        assert combatants_in(event) <= there
        assert {who for held in event.sentences for who in held.about} <= there
        for result in event.results:
            assert result.subject in there


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_the_sentences_of_an_event_are_its_whole_text(game, style, number):
    for stride in walk(game, style, number):
        assert " ".join(held.text for held in stride.event.sentences) == stride.event.text


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_the_highlights_of_a_sentence_match_its_marks(game, style, number):
    for stride in walk(game, style, number):
        fight, before, event = stride.fight, stride.before, stride.event
        names = {who.name for here in (before, fight.encounter) for who in here}
        statuses = {status.name for status in fight.game.statuses}
        for version in (event, *event.replaced):
            moved = {
                before_and_after(change.before, change.after)
                for change in version.changes
                if type(change.before) is type(change.after) is int
            }
            for held in version.sentences:
                text = held.text
                for mark in text.marks:
                    words = text[mark.start : mark.end]
                    match mark.what:
                        case "actor":
                            assert words in names, text
                        case "status":
                            assert mark.status in statuses, text
                        case _:
                            old, new = (int(word.replace("−", "-")) for word in words.split(" → "))
                            assert (new > old) == (mark.what == "grew"), text
                            # A command of several results may move one figure twice, and tells each time.
                            assert words in moved or len(version.results) > 1, text


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_health_before_and_after_is_always_highlighted(game, style, number):
    for stride in walk(game, style, number):
        fight, event = stride.fight, stride.event
        health = fight.game.meters[0]
        told = joined(sentence.text for sentence in event.sentences)
        marked = {told[mark.start : mark.end] for mark in told.marks}
        if event.command in ("undo", "redo", "back", "amend"):
            continue  # what they change was told before
        for change in event.changes:
            if change.field == f"sheet.{health.now}":
                words = before_and_after(change.before, change.after)
                assert words in marked or f"{health.label.lower()} {words}" not in told, told


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_the_characters_that_mark_words_are_in_no_event_and_in_no_encounter(game, style, number):
    for stride in walk(game, style, number):
        fight, event = stride.fight, stride.event
        assert not re.search("[\ufdd0-\ufdef]|ufdd", repr(event) + repr(fight.encounter.offers))


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_no_sentence_about_a_hidden_combatant_is_for_everybody(game, style, number):
    for stride in walk(game, style, number):
        fight, before, event = stride.fight, stride.before, stride.event
        if event.command == "reveal":
            continue  # what it says is what makes them seen
        hidden = {who.id for here in (before, fight.encounter) for who in here if who.state.hidden}
        for held in event.sentences:
            about = set(held.about) & hidden
            assert not (about and held.seen == "all"), held.text


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_a_sentence_is_about_every_combatant_that_it_names(game, style, number):
    for stride in walk(game, style, number):
        fight, before, event = stride.fight, stride.before, stride.event
        if event.command in ("note", "set", "undo", "redo", "back"):
            continue  # what a person writes may name anybody
        names = {who.id: who.name for here in (before, fight.encounter) for who in here}
        for held in event.sentences:
            text = held.text
            if len(held.about) > 2:
                continue  # a range of names stands for all of them
            named = {who for who, name in names.items() if f"{name} " in text or f"{name}'s" in text}
            mine = {names.get(who, who) for who in held.about}
            assert {names[who] for who in named if not any(names[who] in name for name in mine)} <= mine, text


@pytest.mark.parametrize("game", GAMES)
@shared_examples(6)
@given(number=WALKS, style=st.sampled_from(STYLES))
def test_applying_the_event_gives_what_the_command_made(game, style, number):
    for stride in walk(game, style, number):
        fight, before, event = stride.fight, stride.before, stride.event
        if event.kind != "command" or event.command == "amend":
            continue
        # Given with the command, they go before those that fell when this turn was passed on before.
        faces = tuple(die.face for die in event.rolls)
        command = evolve(parse(event.typed, fight.game), dice=faces)
        choices = ScriptedChoices([answer.value for answer in event.answers])
        log = history(fight.log.events[:-1])
        made = carry_out(before, fight.roster, command, ScriptedDice(()), choices, log)
        assert made.encounter == apply(before, event) == fight.encounter


@pytest.mark.parametrize("game", GAMES)
@shared_examples(4)
@given(number=WALKS)
def test_every_event_has_words_for_itself(game, number):
    for stride in walk(game, None, number):
        fight, before, event = stride.fight, stride.before, stride.event
        names = {who.id: who.name for here in (before, fight.encounter) for who in here}
        title = title_of(event, names)
        assert 0 < len(title) < 400
        assert title.isprintable()
