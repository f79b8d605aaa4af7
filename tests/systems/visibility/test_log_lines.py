"""The lines of the log that a seat may read."""

import json
import re
from random import Random

import pytest

from systems.codec.plain import from_plain, to_plain
from systems.contract.action import Action
from systems.contract.marked_text import MarkedText
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.dice.sources import RandomDice
from systems.encounter.history import Events, history
from systems.frozen import evolve
from systems.schema.fields import NoOptions
from systems.visibility.build import lines_since, older_lines, view
from systems.visibility.log_entries import entries_of, last_of_runs
from systems.visibility.log_view import LogReader
from systems.visibility.view import View
from systems.visibility.viewer import GAME_MASTER, PUBLIC, Shown, Viewer
from tests.systems.fight import GAMES, Entry, Fight
from tests.systems.toy import TOY, Sheet, toy

OKADO, TAMSIN = Viewer(frozenset({"okado"})), Viewer(frozenset({"tamsin"}))


def lines(fight: Fight, viewer: Viewer = OKADO, **shown) -> list[str]:
    return [line.text for line in view(fight.encounter, fight.log, viewer, Shown(**shown)).log]


def begun(*more: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", *more)


def test_harm_to_a_foe_is_shown_without_numbers():
    fight = begun("damage guard-1 30", "heal guard-1 3", "set guard-1 life 44")
    assert lines(fight)[-2:] == ["Guard 1 is harmed: badly hurt.", "Guard 1 is healed."]
    assert "45 → 15" in " ".join(lines(fight, foes="figures"))
    assert "45 → 15" in " ".join(lines(fight, GAME_MASTER))


def test_an_attack_on_a_foe_shows_its_result_and_an_attack_on_the_viewer_shows_numbers():
    fight = begun("attack guard-1 dice=10", "next", "next")
    (line,) = [text for text in lines(fight) if "attack" in text or "Okado hits" in text]
    assert line.startswith("Okado's attack on Guard 1: ")
    fight.do("damage okado 5")
    assert "52 → 47" in lines(fight)[-1]


def test_the_turn_and_the_attack_of_a_plural_have_an_apostrophe_alone_at_the_table_and_at_seats():
    fight = begun('add guard as "Vault rats"', "attack guard-1 by vault-rats dice=10")
    assert lines(fight)[-1].startswith("Vault rats' attack on Guard 1: ")
    assert any(fight.text("next").startswith("Vault rats' turn.") for _ in range(5))


@pytest.mark.parametrize("foes", ["band", "figures"])
def test_lines_do_not_change_when_their_combatants_leave_the_fight(foes):
    fight = begun("attack guard-1 dice=10", "damage guard-1 30", "damage okado 3", "heal guard-1,guard-2 2")
    before = lines(fight, foes=foes)
    fight.do("remove guard-1")
    assert lines(fight, foes=foes) == [*before, "Guard 1 leaves the fight."]
    fight.do("remove okado")
    assert lines(fight, foes=foes)[: len(before)] == before


def test_a_step_back_to_a_hidden_turn_and_next_add_no_line():
    fight = begun("add guard as Ambush hidden", "order Ambush after okado", "next", "next")
    before = lines(fight)
    assert before[-1] == "Tamsin's turn."
    for line in ("back", "next", "back", "next"):
        fight.do(line)
        assert lines(fight) == before
    fight.do("undo 2")
    assert lines(fight) == before
    for line in ("back", "back", "next", "next"):
        fight.do(line)
    assert lines(fight) == [*before, "Back: it is Okado's turn again, round 1.", "Tamsin's turn."]


def marked(fight: Fight, viewer: Viewer = OKADO, **shown) -> list[tuple[str, str]]:
    """What stands out in the last line that a viewer reads."""
    line = view(fight.encounter, fight.log, viewer, Shown(**shown)).log[-1]
    return [(line.text[start:end], what) for start, end, what in line.marks]


def test_highlights_reach_a_seat_only_with_their_sentence():
    fight = begun("damage guard-1 50")
    assert marked(fight, GAME_MASTER) == [("45 → −5", "shrank"), ("unconscious", "danger")]
    assert marked(fight, foes="figures") == marked(fight, GAME_MASTER)
    assert marked(fight) == []
    fight.do("heal guard-1 10")
    assert marked(fight, GAME_MASTER) == [("−5 → 5", "grew"), ("conscious", "good")]
    fight.do("attack guard-2 dice=10")
    assert marked(fight) == [("Okado", "actor")]
    fight.do("hide tamsin")
    fight.do("damage tamsin 5")
    assert marked(fight, TAMSIN) == [("52 → 47", "shrank")]
    assert marked(fight, OKADO) == [("Okado", "actor")]


def test_the_highlights_of_an_amended_line_follow_its_text_and_the_undo():
    fight = begun("damage okado 60")
    assert marked(fight) == [("52 → −8", "shrank"), ("unconscious", "danger")]
    fight.do(f"amend {fight.log.events[-1].n} damage okado 5")
    assert marked(fight) == [("52 → 47", "shrank")]
    fight.do("undo")
    assert marked(fight) == [("52 → −8", "shrank"), ("unconscious", "danger")]


def test_a_line_keeps_its_highlights_when_sent_to_a_seat():
    fight = begun("damage okado 5")
    seen = view(fight.encounter, fight.log, OKADO)
    assert from_plain(View, json.loads(json.dumps(to_plain(seen)))) == seen
    assert seen.log[-1].marks


def test_an_event_without_marks_is_shown_as_plain_text():
    fight = begun("damage okado 5")
    event = fight.log.events[-1]
    unmarked = tuple(evolve(held, text=MarkedText(str(held.text))) for held in event.sentences)
    old = history([*fight.log.events[:-1], evolve(event, sentences=unmarked)])
    line = view(fight.encounter, old, OKADO).log[-1]
    assert (line.text, line.marks) == (view(fight.encounter, fight.log, OKADO).log[-1].text, ())


def test_hidden_combatants_have_no_lines_and_hide_and_reveal_change_no_earlier_line():
    fight = begun("add guard hidden", "damage h1 5")
    before = lines(fight)
    assert not any("Guard h1" in line or "Guard 3" in line for line in before)
    fight.do("reveal h1")
    assert lines(fight)[: len(before)] == before
    seen = lines(fight)
    fight.do("hide guard-1")
    assert lines(fight)[: len(seen)] == seen


def test_one_reads_of_ones_own_hidden_character_and_others_do_not():
    fight = begun("hide tamsin", "damage tamsin 5")
    assert "Tamsin takes 5" in lines(fight, TAMSIN)[-1]
    assert not any("Okado takes 5" in line for line in lines(fight, OKADO))


def test_notes_and_rolls_for_all_are_shown():
    fight = begun("note the duke lies", "note rain sets in for all", "roll 2d6 secret", "roll 2d6 for okado")
    told = lines(fight, PUBLIC)
    assert not any("duke" in line for line in told)
    assert any("rain sets in" in line for line in told)
    assert sum("2d6" in line for line in told) == 1


def test_what_was_undone_is_struck_and_undo_itself_is_no_line():
    fight = begun("damage okado 5")
    fight.do("undo")
    last = view(fight.encounter, fight.log, OKADO).log[-1]
    assert last.undone
    assert "Okado takes 5" in last.text
    fight.do("redo")
    assert not view(fight.encounter, fight.log, OKADO).log[-1].undone


def test_lines_belong_to_the_round_in_which_they_were_said():
    fight = Fight("atlantis", "add okado", "start")
    fight.do("next")
    found = view(fight.encounter, fight.log, OKADO).log
    assert [line.round for line in found if line.text == "Round 2."] == [2]
    assert found[-1].round == 2


def test_older_lines_are_asked_for_and_join_the_newest_ones():
    fight = begun(*[f"note {number} for all" for number in range(1, 260)])
    found = view(fight.encounter, fight.log, PUBLIC)
    assert found.older
    assert len(found.log) == 200
    older = older_lines(fight.encounter, fight.log, PUBLIC, Shown(), 200, 50)
    assert len(older) == 50
    assert older[-1].text == "59"
    assert found.log[0].text == "60"


def test_no_line_names_the_next_combatant():
    assert not any(line.startswith("Next:") for line in lines(begun()))


def test_what_was_amended_is_read_as_amended_in_its_place_and_the_amendment_is_no_line():
    fight = begun("damage okado 5", "note rain sets in for all")
    number, before = fight.log.events[-2].n, lines(fight)
    fight.do(f"amend {number} damage okado 7")
    after = lines(fight)
    assert len(after) == len(before)
    assert "52 → 47" in before[-2]
    assert "52 → 45" in after[-2]
    assert any(text.startswith("Amended") for text in lines(fight, GAME_MASTER))
    fight.do("undo")
    assert lines(fight) == before


def test_amending_what_a_hidden_one_does_tells_a_seat_nothing():
    fight = begun("add guard hidden", "note rain sets in for all", "damage h1 5", "damage h1 6")
    before = view(fight.encounter, fight.log, OKADO)
    fight.do(f"amend {fight.log.events[-2].n} damage h1 9")
    assert view(fight.encounter, fight.log, OKADO) == before


def test_what_did_not_happen_after_all_is_struck():
    fight = begun("damage guard-1 1", "next", "next", "next", "next")
    fight.do("amend 5 damage guard-1 99")
    struck = [line.text for line in view(fight.encounter, fight.log, OKADO).log if line.undone]
    assert struck
    assert all("turn" in text for text in struck)


def test_the_briefing_of_a_foes_turn_is_shown_only_with_its_numbers():
    fight = begun("damage guard-1 12", "damage okado 12", "next", "next")
    assert "Guard 1's turn." in lines(fight)
    assert "to everything" not in " ".join(lines(fight)[-2:])
    assert "Hurt: −5 to everything." in lines(fight, foes="figures")
    assert "Guard 1's turn. Hurt: −5 to everything." in lines(fight, GAME_MASTER)[-1]
    fight.do("next")
    fight.do("next")
    assert lines(fight)[-2:] == ["Okado's turn.", "Hurt: −5 to everything."]
    assert lines(fight, TAMSIN)[-2:] == ["Okado's turn.", "Hurt: −5 to everything."]
    assert lines(fight, TAMSIN, allies="band")[-1] == "Okado's turn."


# What brings Tamsin down with the next blow.
WEAK = {
    "arden": "hp 1",
    "atlantis": "life 1",
    "atomic_d20": "stamina 0",
    "simple": "hp 1",
    "srd5": "hp 1",
    "waygate": "hp 1",
    "xcom": "health 1",
}


def struck(game: str, wanted, *before: str, viewer: Viewer = TAMSIN, **shown) -> str:
    """Return what a seat reads of the first attack by a hidden guard that has the wanted result."""
    fight = Fight(game, "add okado", "add tamsin", "add guard", "start", *before)
    fight.do("add guard as Ghost hidden")
    hidden = next(each.id for each in fight.encounter if each.state.hidden)
    count = len(view(fight.encounter, fight.log, viewer, Shown(**shown)).log)
    for seed in range(200):
        fight.dice = RandomDice(Random(seed))
        if wanted(fight.done(f"attack tamsin by {hidden}").results[0]):
            fight.dice = RandomDice(Random(seed))
            fight.do(f"attack tamsin by {hidden}")
            told = view(fight.encounter, fight.log, viewer, Shown(**shown)).log[count:]
            assert "Ghost" not in repr(told)
            return " ".join(line.text for line in told)
    raise AssertionError("no such result")


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_reads_that_something_unseen_has_struck_and_nothing_of_a_miss(game):
    hit = struck(game, lambda result: result.facts.get("damage"), f"set tamsin {WEAK[game]}")
    assert re.fullmatch(r"Something unseen strikes Tamsin: \d+ damage(, [a-z ]+)?\.", hit)
    # In Atomic D20 no single blow changes the status of a fresh combatant.
    assert ("," in hit) is (game != "atomic_d20")
    assert struck(game, lambda result: not result.facts["hit"]) == ""


def test_a_seat_without_the_figures_reads_only_that_something_unseen_has_struck():
    hit = struck("atlantis", lambda result: result.facts.get("damage"), viewer=PUBLIC, allies="band")
    assert hit == "Something unseen strikes Tamsin."
    taken = struck("atlantis", lambda result: result.facts.get("taken"), viewer=OKADO)
    assert re.fullmatch(r"Something unseen strikes Tamsin: \d+ damage\.", taken)


def test_what_something_unseen_did_stays_so_after_it_is_revealed():
    fight = begun("add guard as Ghost hidden", "damage tamsin 40")
    event = fight.do("attack tamsin dice=20,20 by h1")
    assert event.results[0].status == "unconscious"
    before = lines(fight)[-1]
    assert before.startswith("Something unseen strikes Tamsin: ")
    fight.do("reveal h1")
    assert lines(fight)[-2] == before
    assert "Ghost" not in before


def test_the_game_masters_line_counts_hidden_targets_and_the_seats_line_does_not():
    fight = begun("add guard as Ghost hidden")
    event = fight.do("damage guard-1,guard-2,h1 4")
    assert event.text.startswith("Damage for 3: 4.")
    assert lines(fight, foes="figures")[-3] == "Damage for 2: 4."
    assert "Ghost" not in " ".join(lines(fight, foes="figures"))
    assert lines(fight)[-2:] == ["Guard 1 is harmed: hurt.", "Guard 2 is harmed: hurt."]
    fight = Fight("xcom", "add okado", "add guard x2", "start", "add guard as Ghost hidden")
    event = fight.do("explosion 2,3,h1 damage=4 resists=2 by okado")
    assert re.match(r"Okado's explosion: \d of 3 resist, 4 damage\.", event.text)
    seats = lines(fight, foes="figures")
    assert re.match(r"Okado's explosion: \d of 2 resist, 4 damage\.", seats[-3])
    assert "Ghost" not in " ".join(seats)


@pytest.mark.parametrize("viewer", [OKADO, GAME_MASTER])
def test_lines_since_an_event_are_as_many_as_the_viewer_reads(viewer):
    fight = begun()
    number, before = fight.log.events[-1].n, len(lines(fight, viewer, foes="figures"))
    fight.do("attack guard-1 dice=15")
    assert view(fight.encounter, fight.log, viewer, Shown(foes="figures")).log[-1].arithmetic
    since = lines_since(fight.encounter, fight.log, viewer, Shown(foes="figures"), number)
    assert since == len(lines(fight, viewer, foes="figures")) - before


def test_the_game_master_reads_an_event_as_the_log_screen_tail_and_export_show_it():
    fight = begun("damage guard-1,guard-2 50", "note rain", "undo", "undo", "next")
    entries = last_of_runs(entries_of(fight.log))
    assert LogReader().lines(fight.encounter, fight.log) == [
        evolve(line, marks=() if line.undone else line.marks)
        for line in (entry.as_line(fight.game) for entry in entries)
    ]


def test_the_newest_lines_of_ten_thousand_events_read_only_these():
    fight = begun(*["damage guard-1 1"] * 3)
    events = list(fight.log.events)
    events += [evolve(events[-1], n=number) for number in range(len(events) + 1, 10_001)]

    class Counted(list):
        read = 0

        def __getitem__(self, at):
            Counted.read += 1
            return super().__getitem__(at)

    log = history(events)
    log = evolve(log, events=Events(Counted(events)))
    for viewer in (GAME_MASTER, OKADO):
        Counted.read = 0
        reader = LogReader(viewer)
        assert len(reader.lines(fight.encounter, log, 12, Shown(foes="figures"))) == 12
        assert Counted.read <= 24


def test_what_players_see_of_hidden_turns_is_read_in_the_order_in_which_it_happened():
    fight = toy("add ada", "add bo", "add orc x2 hidden", "start", "condition ada sharp until end of bo")
    fight.do("condition bo reckless until end of orc_h1")
    for _ in range(4):
        fight.do("next")
    assert fight.turn == "ada"
    read = [line.text for line in LogReader(Viewer(frozenset({"ada"}))).lines(fight.encounter, fight.log)]
    assert read[-4:] == ["Ada is no longer sharp.", "Bo is no longer reckless.", "Round 2.", "Ada's turn."]


def test_an_entry_names_the_seat_that_asked_and_not_the_game_master():
    fight = Fight("atlantis", "add okado", "add guard")
    events = [evolve(event, who=who) for event, who in zip(fight.log.events, ("gm", "mira"), strict=True)]
    assert [entry.seat for entry in entries_of(history(events))] == ["", "mira"]


def test_a_seat_without_figures_reads_nothing_of_what_the_game_does_by_itself_to_a_foe():
    fight = toy("add ada", "add orc", "start", "condition orc bleeding", "next dice=2")
    assert "Orc bleeds 2." in fight.log.event(5).text
    ada = Viewer(frozenset({"ada"}))
    assert lines(fight, ada, foes="band")[-3:] == [
        "Orc is bleeding.",
        "Orc's turn.",
        "Conditions: bleeding.",
    ]


@pytest.mark.parametrize(("most", "before"), [(None, 0), (2, 4)])
def test_the_reader_of_a_log_counts_the_events_before_its_lines(most, before):
    fight = Fight("atlantis", "add okado", "add guard", "start", "damage guard 1", "next", "next")
    reader = LogReader(GAME_MASTER)
    assert len(reader.lines(fight.encounter, fight.log, most)) == 6 - before
    assert reader.before == before


def test_an_amendment_in_a_hidden_turn_strikes_at_once_what_did_not_happen():
    fight = toy("add ada", "add orc hidden", "add bo", "start", "order h1 after ada", "damage h1 1")
    for line in ("next", "note it rains for all", "amend 6 damage h1 2 drop=8"):
        fight.do(line)
    assert fight.turn == "orc_h1"
    found = view(fight.encounter, fight.log, Viewer(frozenset({"ada"}))).log
    assert [(line.text, line.undone) for line in found[-2:]] == [("Ada's turn.", False), ("it rains", True)]


def test_the_turn_of_another_combatant_after_a_step_back_keeps_lines_of_the_same_words():
    fight = toy()
    fight.roster["cy"] = Entry("Cy", "players", Sheet())
    lines_before = ("add ada", "add bo", "add cy", "add orc hidden", "start", "order h1 after ada")
    for line in (
        *lines_before,
        "condition bo,cy sharp",
        "next",
        "next",
        "back",
        "order cy before bo",
        "next",
    ):
        fight.do(line)
    assert fight.turn == "cy"
    assert lines(fight, Viewer(frozenset({"ada"})))[-2:] == ["Cy's turn.", "Conditions: sharp."]


def _lash(scene, table):
    if scene.actor.low:
        return refuse("low", f"{scene.target_name}, at {scene.target.hp} hp, is out of reach.")
    stumbles = table.d(6, "lash") == 1
    return Outcome({}, {"actor": {"low": stumbles}}, lambda: Explanation(f"{scene.actor_name} lashes out."))


def test_a_seat_without_the_numbers_of_a_foe_does_not_read_why_it_is_not_reached():
    lash = Action("lash", "", _lash, NoOptions, "many")
    fight = Fight(evolve(TOY, actions=(*TOY.actions, lash)), style="manual")
    fight.roster = toy().roster
    for line in ("add ada", "add orc x2", "start", "lash 1,2 by ada dice=1"):
        fight.do(line)
    why = "Orc 2 is not reached: Orc 2, at 10 hp, is out of reach."
    assert why in fight.log.events[-1].text
    assert why not in lines(fight, Viewer(frozenset({"ada"})))


def test_a_seat_reads_a_scheduled_event_when_it_happens_unless_it_is_hidden():
    fight = begun("schedule The bell rings in round 2", "schedule A trap opens in round 2 hidden")
    assert "The bell rings." not in lines(fight)
    for _ in range(4):
        fight.do("next")
    assert fight.round == 2
    assert "The bell rings." in lines(fight)
    assert "A trap opens." not in lines(fight)
