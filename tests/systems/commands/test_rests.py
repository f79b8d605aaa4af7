"""A rest at the end of a fight: each game's own, figure by figure, in one event that undo takes back."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import load
from systems.commands.keep import keepable, restorable
from systems.commands.rests import Denied, RestoredValue, rested
from systems.contract.action import Action
from systems.contract.condition import Condition
from systems.contract.outcome import Outcome
from systems.contract.ruleset import Rest
from systems.encounter.roster import Roster, roster_changes
from systems.errors import Refused
from systems.frozen import evolve
from systems.plugins.laws.example_requests import RequestMaker
from systems.schema.fields import choice, declare, fields_of
from systems.sheets import kept_fields, read_sheet
from tests.systems.fight import GAMES, Entry, Fight
from tests.systems.toy import TOY, Sheet


def over(game: str, *lines: str) -> Fight:
    return Fight(game, "add okado", "add guard", "start", *lines, "end")


def offered(fight: Fight) -> list[str]:
    """Return what rests offer, as it is typed and shown."""
    found = restorable(fight.encounter, fight.roster)
    return [f"{each.key}: {each.says}" if isinstance(each, RestoredValue) else each.says for each in found]


def changes(event: Any) -> list[tuple[Any, ...]]:
    return [(each.field, each.before, each.after) for each in event.roster]


def test_a_rest_restores_what_was_lost_in_the_fight_and_one_undo_takes_all_of_it_back():
    fight = over("atlantis", "damage okado 12")
    assert offered(fight) == ["okado.life: life 40 → 52"]
    event = fight.do("keep all rest=all")
    assert event.text == "Okado keeps: life 52 → 40. Okado after a rest: life 40 → 52."
    assert changes(event) == [], "the roster has 52 already"
    assert fight.encounter.combatants["okado"].sheet.life == 52
    assert keepable(fight.encounter, fight.roster) == ()
    assert restorable(fight.encounter, fight.roster) == ()
    fight.do("undo")
    assert fight.encounter.combatants["okado"].sheet.life == 40
    assert offered(fight) == ["okado.life: life 40 → 52"]


def test_the_roster_gets_what_the_rest_restores_and_undo_and_redo_write_it():
    fight = over("simple", "set okado hp 5")
    old = fight.roster["okado"]
    fight.roster["okado"] = type(old)(old.name, old.side, type(old.sheet)(max_hp=20, hp=3), old.party)
    fight.do("set okado max_hp 20")
    event = fight.do("keep none rest=okado.hp")
    assert changes(event) == [("hp", 3, 20)]
    back = roster_changes(fight.do("undo"), fight.log)
    assert [(each.field, each.before, each.after) for each in back] == [("hp", 20, 3)]
    again = roster_changes(fight.do("redo"), fight.log)
    assert [(each.field, each.before, each.after) for each in again] == [("hp", 3, 20)]


def test_any_game_restores_counters_one_by_one_and_none_that_never_refills():
    fight = Fight("simple", "add okado", "add guard")
    fight.do('set okado counters.mana "1/3"')
    fight.do('set okado counters."black arrows" "2/9"')
    fight.do('set okado counters.fate "0/1"')
    fight.do("set okado counters.fate.refills never")
    fight.do("start")
    fight.do("end")
    assert offered(fight) == [
        "okado.counters.mana: mana now 1 → 3",
        "okado.counters.black arrows: black arrows now 2 → 9",
    ]
    event = fight.do('keep none rest="okado.counters.black arrows"')
    assert event.text == "Okado after a rest: black arrows now 2 → 9."
    left = {each.name: each.now for each in fight.encounter.combatants["okado"].sheet.counters}
    assert (left["mana"], left["black arrows"], left["fate"]) == (1, 9, 0)


def test_atomic_d20_rests_by_its_own_rules_half_an_hour_or_a_day():
    fight = over(
        "atomic_d20",
        *("set okado stamina 0", "set okado hearts 2", "set okado minor_physical 1"),
        "set okado practiced_today yes",
    )
    assert offered(fight) == [
        "okado.stamina: stamina 0 → 1",
        "day.okado.stamina: stamina 0 → 1",
        "day.okado.hearts: hearts 2 → 3",
        "day.okado.minor_physical: minor wounds of the body 1 → 0",
        "day.okado.practiced_today: practised today yes → no",
        "day.okado.healed_today: healed today no → yes",
    ]
    short = fight.do("keep none rest=all").text
    assert short == "Okado after half an hour's rest: stamina 0 → 1."
    fight.do("undo")
    text = fight.do("keep none rest=day").text
    assert text.startswith("Okado after a day's rest: stamina 0 → 1, hearts 2 → 3, minor wounds")


def test_a_wound_of_the_mind_heals_in_a_day_if_the_body_has_none():
    fight = over("atomic_d20", "set okado brains 2", "set okado minor_mental 1")
    assert "day.okado.brains: brains 2 → 3" in offered(fight)


def test_the_dead_and_the_dying_get_no_rest_and_the_reason_is_given():
    fight = over("waygate", "set okado hp -1")
    assert offered(fight) == ["dying, and an hour without healing is death"]
    with pytest.raises(Refused, match="Okado cannot rest: dying, and an hour without healing is death"):
        fight.do("keep all rest=okado")
    with pytest.raises(Refused, match="the rest restores nothing for the party"):
        fight.do("keep all rest=all")
    assert offered(over("waygate", "set okado hp -40")) == ["dead"]
    assert offered(over("atlantis", "set okado life -5")) == [
        "unconscious, and only medicine, potions or spells help"
    ]


def test_bad_input_is_one_sentence_that_says_what_to_do():
    fight = over("atlantis", "damage okado 12")
    for line, says in (
        ("keep all rest=okado.armour", "the rest restores no armour for Okado"),
        ("keep all rest=okadoo", "did you mean Okado"),
        ("keep all rest", 'such as "keep all rest=all"'),
    ):
        with pytest.raises(Exception, match=says):
            fight.do(line)
    assert fight.encounter.combatants["okado"].sheet.life == 40


def test_an_amendment_before_a_rest_keeps_the_rest():
    fight = Fight("atlantis", "add okado", "add guard", "start", "damage guard 3", "damage okado 12", "end")
    fight.do("keep all rest=all")
    fight.do("amend 4 amount=5")
    assert fight.encounter.combatants["okado"].sheet.life == 52


def test_action_points_of_arden_are_not_a_lasting_figure():
    fight = over("arden", "set okado ap 0", "set okado hp 1")
    kept = [each.key for each in keepable(fight.encounter, fight.roster)]
    assert kept == ["okado.hp"]
    assert [line.split(":")[0] for line in offered(fight)] == ["okado.hp"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_offers_a_rest_that_restores_its_first_figure(game: str):
    ruleset = load(game)
    meter = ruleset.meters[0]
    fight = over(game, f"set okado {meter.now} 1")
    now = fight.encounter.combatants["okado"].sheet
    figures = {
        each.field for each in restorable(fight.encounter, fight.roster) if isinstance(each, RestoredValue)
    }
    # Hearts of Atomic D20 come back by the wound that took them, one a day.
    assert (meter.now in figures) is (game != "atomic_d20")
    for rest in ruleset.rests:
        after = rested(ruleset, ruleset.house(), rest, now)
        assert rested(ruleset, ruleset.house(), rest, after) == after or game == "atomic_d20"


@pytest.mark.parametrize("game", GAMES)
@given(chance=st.randoms(use_true_random=False), share=st.floats(0, 1))
def test_a_rest_never_takes_a_figure_away_and_rolls_no_die(game: str, chance: Random, share: float):
    ruleset = load(game)
    sheet = read_sheet(ruleset, RequestMaker(ruleset, chance).sheet(share), "")
    for rest in ruleset.rests:
        if rest.denied(sheet, ruleset.house()):
            continue
        after = rested(ruleset, ruleset.house(), rest, sheet)
        for meter in ruleset.meters:
            assert getattr(after, meter.now) >= getattr(sheet, meter.now)
        known = fields_of(type(sheet))
        assert all(known[name].is_kept for name in kept_fields(sheet, after))


def test_a_denied_character_is_listed_with_the_reason():
    fight = over("atomic_d20", "set okado status dead")
    found = restorable(fight.encounter, fight.roster)
    assert [(type(each), each.says) for each in found] == [(Denied, "dead"), (Denied, "dead")]


@declare
class Weary(Sheet):
    mood: str = choice(("fresh", "tired"), "fresh")


def test_a_choice_that_a_rest_restores_is_shown_by_the_label_of_its_condition():
    sleep = Action("sleep", "", lambda scene, table: Outcome({}, {"actor": {"mood": "fresh"}}), group="hook")
    rest = Rest("rest", "a rest", steps=(("sleep", {}),))
    tired = Condition("tired", "needs sleep", label="dead tired")
    conditions, actions = (*TOY.conditions, tired), (*TOY.actions, sleep)
    game = evolve(TOY, sheet=Weary, conditions=conditions, actions=actions, rests=(rest,))
    fight = Fight(game, style="manual")
    fight.roster = {"ada": Entry("Ada", "players", Weary(mood="tired"))}
    for line in ("add ada", "start", "end"):
        fight.do(line)
    assert offered(fight) == ["ada.mood: mood dead tired → fresh"]


def test_a_creature_of_the_game_on_the_players_side_gets_no_rest():
    fight = over("simple", "damage okado 5")
    assert restorable(fight.encounter, Roster(fight.roster, {})) != ()
    assert restorable(fight.encounter, Roster({}, {}, lambda: fight.roster)) == ()
