"""The lines about the odds of a whole fight."""

from collections.abc import Mapping

from systems.encounter.model import Encounter
from systems.forecast.tally import TEMPERS, Forecast, TemperOdds
from systems.forecast.turning import Turning, WinChance
from systems.frozen import evolve
from tests.systems.fight import Fight
from tui.display.forecast import foes_words, forecast_lines, turned_words, turning_lines

FIGHTS = 100


def forecast(
    encounter: Encounter, falls: Mapping[str, int], used: Mapping[str, Mapping[str, int]] | None = None
) -> Forecast:
    odds = TemperOdds(60, FIGHTS)
    found = {each: falls.get(each, 0) for each in encounter.combatants}
    return Forecast(dict.fromkeys(TEMPERS, odds), FIGHTS, {4: FIGHTS}, found, 40, used or {})


def test_foes_that_begin_alike_are_one_part_with_the_range_of_their_chances() -> None:
    fight = Fight("simple", "add okado", "add guard x3")
    words = foes_words(
        fight.encounter, forecast(fight.encounter, {"guard-1": 60, "guard-2": 80, "guard-3": 71})
    )
    assert words == "3 × Guard 60 to 80%"


def test_a_foe_that_begins_otherwise_is_named_and_foes_that_never_fall_are_nobody_else() -> None:
    fight = Fight("simple", "add okado", "add guard x4", "damage 4 5")
    shares = {"guard-1": 100, "guard-2": 100, "guard-3": 100}
    assert foes_words(fight.encounter, forecast(fight.encounter, shares)) == "3 × Guard 100%, nobody else"
    shares["guard-4"] = 30
    assert foes_words(fight.encounter, forecast(fight.encounter, shares)) == "3 × Guard 100%, Guard 4 30%"
    # It begins otherwise, but it falls as often.
    shares["guard-4"] = 100
    assert foes_words(fight.encounter, forecast(fight.encounter, shares)) == "4 × Guard 100%"
    assert foes_words(fight.encounter, forecast(fight.encounter, {})) == "nobody"


def test_a_character_s_line_says_what_it_uses_up_on_average() -> None:
    fight = Fight("simple", "add okado", "add guard")
    used = {"okado": {"hp": 720, "counters.arrows.now": 150, "counters.hurry.now": 4}}
    lines = list(forecast_lines(fight.encounter, forecast(fight.encounter, {"okado": 40}, used)))
    assert "   40% Okado (−7.2 hp, −1.5 arrows by the end)" in lines


def test_the_page_says_if_other_tempers_have_played_fewer_fights() -> None:
    fight = Fight("simple", "add okado", "add guard")
    alike = forecast(fight.encounter, {})
    assert [*forecast_lines(fight.encounter, alike)][-1].startswith("100 fights each, sensible unless")
    fewer = evolve(alike, players={"careless": TemperOdds(4, 60), "ruthless": TemperOdds(4, 62)})
    last = [*forecast_lines(fight.encounter, fewer)][-1]
    assert last.startswith("100 fights, 60 or more with each other temper, sensible unless said;")


def test_the_event_that_turned_a_fight_is_named_only_if_its_step_is_clear() -> None:
    fight = Fight("simple", "add okado", "add guard", "start", "damage okado 5")
    turning = Turning((WinChance(0, 3, 0.5, 0.1), WinChance(1, 4, 0.3, 0.1)), 4, -20.0, 14.1)
    said = "It turned most in round 1, −20 ± 14 points: Okado takes 5 (hp 20 → 15) (event 4)."
    assert turned_words(fight.log, turning) == said
    small = evolve(turning, points=-8.0)
    said = "No single event clearly moved it: the largest step is −8 ± 14 points."
    assert turned_words(fight.log, small) == said
    none = evolve(turning, event=0, points=0.0)
    assert turned_words(fight.log, none) == "No single event clearly moved it."


def test_the_last_moment_of_a_curve_is_now_as_long_as_the_fight_goes_on() -> None:
    fight = Fight("simple", "add okado", "add guard", "start")
    turning = Turning((WinChance(0, 1, 0.5, 0.1), WinChance(1, 2, 0.4, 0.1)), 0, 0.0)
    assert [*turning_lines(fight.encounter, fight.log, turning)][2].split()[0] == "now"
    fight.do("end")
    assert [*turning_lines(fight.encounter, fight.log, turning)][2].split()[:3] == ["at", "the", "end"]
    nothing = Turning((), 0, 0.0)
    told = ["Nothing has happened that could turn the fight."]
    assert [*turning_lines(fight.encounter, fight.log, nothing)] == told
