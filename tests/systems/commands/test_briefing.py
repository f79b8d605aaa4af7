"""What is said as a turn begins: what ends, what is due, who is ready, who waits, who is next."""

import pytest

from systems.codec.events import plain_event, read_event
from systems.commands.beginning import comes_to
from systems.commands.table import parse
from systems.encounter.model import Offer
from systems.encounter.schedule import upcoming
from systems.errors import Misread, Refused
from systems.frozen import evolve
from systems.visibility.build import view
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.systems.fight import Fight
from tests.systems.toy import toy
from tests.systems.visibility.seat_lines import seat_command

FREE = Shown(acting="free")
TURN = Shown(acting="turn")

THREE = ("add ada", "add bo", "add orc", "start")


def told(fight, viewer=PUBLIC):
    """What a viewer reads of the last events."""
    return " ".join(line.text for line in view(fight.encounter, fight.log, viewer).log)


def test_the_next_combatant_is_named_across_the_end_of_the_round():
    fight = toy(*THREE, "next")
    assert fight.text("next") == "Orc's turn. Next: Ada, round 2."


def test_a_briefing_lists_delaying_combatants_and_conditions_that_end_with_the_turn():
    fight = toy(*THREE, "condition orc shaken until end of bo")
    assert fight.text("delay") == "Ada waits. Bo's turn. Orc is shaken until this turn ends. Next: Orc."
    assert "Ada waits. Next: Ada." in fight.text("next")


def test_arrivals_and_happenings_are_due_for_the_game_master_alone_until_they_come():
    fight = toy(*THREE, "add orc x2 as Wolf in round 2", "schedule the ceiling falls in round 2")
    fight.do("next")
    brief = fight.text("next")
    assert "Due in round 2: Wolf h1 and Wolf h2 arrive; the ceiling falls. Next: Ada, round 2." in brief
    assert "ceiling" not in told(fight)
    assert "Wolf" not in told(fight)
    assert "Round 2. The ceiling falls. Wolf 4 and Wolf 5 arrive." in fight.text("next")
    assert "The ceiling falls." in told(fight)
    assert fight.encounter.progress.happenings == ()
    assert fight.folded() == fight.plain


def test_a_hidden_scheduled_event_is_shown_only_to_the_game_master():
    fight = toy("add ada", "add orc", "start", "schedule the spy leaves in round 2 hidden", "next")
    assert "The spy leaves." in fight.text("next")
    assert "spy" not in told(fight)


def test_the_log_says_that_a_hidden_scheduled_event_stays_with_the_game_master():
    fight = toy("add ada", "start")
    hidden = fight.text("schedule the spy leaves in round 2 hidden")
    assert hidden == "Round 2: the spy leaves. It stays hidden until then, for you alone."
    assert fight.text("schedule rain in round 2") == "Round 2: rain. It stays hidden until then."


def test_happenings_are_dropped_by_their_number_and_come_back_with_undo():
    fight = toy(*THREE, "schedule fire in round 4", "schedule rain in round 2")
    assert fight.text("unschedule 2") == "No longer scheduled for round 4: fire."
    assert [each.name for each in fight.encounter.progress.happenings] == ["rain"]
    fight.do("undo")
    assert [each.name for each in fight.encounter.progress.happenings] == ["rain", "fire"]
    with pytest.raises(Refused, match="there is no scheduled event 3; choose 1 to 2"):
        fight.do("unschedule 3")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("schedule fire", "the round is missing"),
        ("schedule in round 3", "the text of the scheduled event is missing"),
        ("ready ada", "the readied action is missing"),
    ],
)
def test_a_scheduled_event_needs_text_and_round_and_a_readied_action_its_text(line, says):
    with pytest.raises(Misread, match=says):
        toy(*THREE).do(line)


def test_an_event_cannot_be_scheduled_for_a_round_that_has_begun():
    with pytest.raises(Refused, match="for a later round"):
        toy(*THREE).do("schedule fire in round 1")


def test_each_briefing_lists_a_readied_action_until_its_turn_begins():
    fight = toy(*THREE)
    assert fight.text("ready ada when the door opens: strike") == (
        "Ada is ready: when the door opens: strike."
    )
    assert "Ada is ready: when the door opens: strike." in fight.text("next")
    fight.do("next")
    assert "Ada is no longer ready: when the door opens: strike. Ada's turn." in fight.text("next")
    assert fight.encounter.combatants["ada"].state.ready is None


def test_return_uses_what_one_is_ready_for():
    fight = toy(*THREE, "ready ada strike whoever comes", "next")
    assert fight.text("return ada") == "Ada uses its readied action: strike whoever comes."
    assert fight.encounter.combatants["ada"].state.ready is None
    with pytest.raises(Refused, match="has neither delayed its turn nor"):
        fight.do("return ada")


def test_a_delaying_combatant_returns_to_the_order_when_its_readied_action_is_used():
    fight = toy(*THREE, "ready ada strike whoever comes", "delay")
    said = fight.text("return ada")
    assert said == "Ada uses its readied action: strike whoever comes. " + (
        "Ada is back in the order, after Bo."
    )


def test_a_seat_gets_its_own_character_ready_and_nobody_elses():
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard", "start")
    own = Viewer(characters=frozenset({"okado"}))
    asked = seat_command(
        fight.encounter, own, "ready Okado when the door opens: strike", Shown(acting="turn")
    )
    assert asked.command.line == "ready okado when the door opens: strike"
    assert not asked.waits
    with pytest.raises(Refused, match="Tamsin is not your character"):
        seat_command(fight.encounter, own, "ready Tamsin run", TURN)
    with pytest.raises(Refused, match="only the game master"):
        seat_command(fight.encounter, own, "schedule rain in round 4", FREE)


def test_what_one_is_ready_for_is_known_to_its_own_seat_alone():
    fight = Fight("atlantis", "add okado", "add guard", "start", "ready okado when the door opens: strike")
    own = Viewer(characters=frozenset({"okado"}))
    assert "door" in told(fight, own)
    assert "door" not in told(fight, PUBLIC)
    rows = view(fight.encounter, fight.log, PUBLIC).rows
    assert not any("ready" in word.text for row in rows for word in row.words)
    mine = view(fight.encounter, fight.log, own).rows
    assert any(word.text == "ready: when the door opens: strike" for row in mine for word in row.words)


def test_offers_at_the_start_of_a_turn_come_after_the_sentence_about_the_turn():
    fight = Fight(
        "waygate", "add okado", "add guard", "start as prepared", "set okado weapons.rifle.jammed yes"
    )
    said = next(
        said for _ in range(3) if (said := fight.text("next")).startswith("Okado's turn") or "jam" in said
    )
    assert said.index("Okado's turn.") < said.index("jam") < said.index("Next: Guard")
    assert any(offer.by == "okado" for offer in fight.encounter.offers)


def test_dying_combatants_with_a_choice_keep_their_turn_and_are_named_as_next():
    fight = Fight("atomic_d20", "add okado", "add tamsin", "add guard", "start")
    fight.do("set tamsin status dying")
    assert upcoming(fight.encounter, comes_to)[0].name == "Tamsin"
    assert "Next: Guard, round 2." not in fight.text("next")
    assert fight.turn == "tamsin"
    fight.do("next")
    fight.do("set tamsin status unconscious")
    assert fight.text("next").endswith("Next: Guard.")
    fight.do("next")
    assert fight.turn == "guard"


def test_what_is_on_offer_in_this_turn_alone_keeps_no_later_turn():
    fight = Fight("atomic_d20", "add okado", "add tamsin", "add guard", "start")
    fight.do("set tamsin status dying")
    fight.do("set tamsin death_choice miraculous")
    fight.encounter = evolve(fight.encounter, offers=(Offer(says="Something.", by="tamsin"),))
    assert upcoming(fight.encounter, comes_to)[0].name == "Guard", "a die decides whether Tamsin wakes"


@pytest.mark.parametrize(
    ("then", "now"),
    [
        ("happening Rain drops in round 4 hidden", "schedule Rain drops in round 4 hidden"),
        ("happening drop 2", "unschedule 2"),
    ],
)
def test_a_log_may_name_scheduled_events_as_an_earlier_version_did(then, now):
    event = read_event({"n": 4, "kind": "command", "command": "happening", "typed": then})
    assert (event.command, event.typed) == (now.split()[0], now)
    assert read_event(plain_event(event)).typed == now
    assert parse(event.typed, toy().game).name == event.command


def test_what_is_scheduled_for_the_first_round_is_told_when_the_fight_begins():
    fight = toy("add ada", "schedule The bell rings in round 1")
    assert fight.text("start").startswith("The fight begins, round 1. The bell rings. Ada")
    assert fight.encounter.progress.happenings == ()
