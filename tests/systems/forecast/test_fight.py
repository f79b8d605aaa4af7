"""Whole fights: played by the commands, ended by the rules, and equal for equal seeds."""

import random
from math import sqrt
from statistics import mean, stdev
from typing import Any, cast

import pytest

from systems.commands.action import take_action
from systems.commands.actions import ActionCommand
from systems.commands.offers import action_line
from systems.commands.transaction import Transaction
from systems.contract.mistakes import listen
from systems.contract.policy import Move, Policy
from systems.contract.table import Suggested, Table
from systems.dice.sources import Streams
from systems.errors import Refused
from systems.forecast import known_worths as known_worths_module
from systems.forecast import worth as worth_module
from systems.forecast.branches import branches_of
from systems.forecast.choice import Temper, TurnChoice, choices_after_turn, choices_of, chosen
from systems.forecast.fight import FightDice, FightEnd, PlayedFight, play_fight, winner_of
from systems.forecast.habits import is_flight
from systems.forecast.known_worths import KnownWorths
from systems.forecast.moves import actions_in_turn, policy_of
from systems.forecast.tally import Forecast, Tally, TemperOdds, band_of, changed_chance, could_be_end
from systems.forecast.worth import acts, full_points, points, worth_of_move
from systems.frozen import evolve
from systems.schema.conversion import read
from systems.schema.values import as_typed
from tests.systems.fight import GAMES, PEOPLE, Fight

BLOWS = 200


def dice(seed: int) -> FightDice:
    return FightDice(Streams(seed, random.Random(seed), random.Random))


def played(fight: Fight, seed: int = 1, worths: KnownWorths | None = None) -> PlayedFight:
    return play_fight(fight.encounter, fight.roster, dice(seed), "sensible", worths or KnownWorths())


def become(fight: Fight, who: str, **changes: object) -> None:
    combatant = fight.encounter.combatants[who]
    fight.encounter = fight.encounter.with_combatants(combatant.with_sheet(changes))


def test_legendary_creatures_act_at_the_end_of_others_turns() -> None:
    fight = Fight("simple", "add okado", "add guard", "start", style="manual")
    counter = {"name": "legendary", "full": 3, "now": 3, "refills": "turn", "offered": True}
    nail = {"name": "nail", "damage": "1"}
    claw = {"name": "claw", "damage": "1", "counter": "legendary"}
    sheet = read(type(fight.sheet("guard")), {"counters": [counter], "weapons": [nail, claw]})
    become(fight, "okado", hp=2, defence=1, attack=-90)
    become(fight, "guard", counters=(), weapons=sheet.weapons, attack=90, armour=0)
    assert (played(fight).end, played(fight).rounds) == ("lost", 2)
    become(fight, "guard", counters=sheet.counters)
    assert (played(fight).end, played(fight).rounds) == ("lost", 1)


@pytest.mark.parametrize("game", GAMES)
def test_quiet_actions_do_as_much_as_their_exact_worth_says(game: str) -> None:
    fight = Fight(game, "add okado", "add guard", "start")
    here, who = fight.encounter, fight.turn
    choice = max(choices_of(here, who), key=lambda each: each.worth)
    [target], action = choice.targets, here.game.action(choice.move.action)
    assert action is not None
    options: Any = read(action.options, dict(choice.move.options))
    done: list[float] = []
    for seed in range(BLOWS):
        transaction = Transaction(here, Table(dice(seed), Suggested()), fight.roster, tells=False)
        take_action(transaction, ActionCommand(action, (who,), choice.targets, options))
        after = transaction.encounter
        lost = (points(here, target) - points(after, target)) / full_points(here, target)
        done.append(lost + (not acts(after, target)))
    assert abs(mean(done) - choice.worth) < 4 * stdev(done) / sqrt(BLOWS)


@pytest.mark.parametrize("game", GAMES)
def test_worths_that_are_remembered_are_the_exact_ones(game: str) -> None:
    fight = Fight(game, "add okado", "add guard x2", "start")
    worths = KnownWorths()
    for seed in (1, 2, 3):
        ended = played(fight, seed, worths).after
        for who in ended.combatants:
            for here in (fight.encounter, ended):
                exact = choices_of(here, who, worth_of_move)
                assert choices_of(here, who, worths) == exact
                assert choices_of(here, who, worths) == exact


def by_hand(fight: Fight, seed: int) -> None:
    """Play a fight to its end by typed commands, each of them told, with the choices of a forecast."""
    rolled = dice(seed)
    fight.dice = rolled
    fight.do("start")
    while not winner_of(fight.encounter):
        who = fight.turn
        game, house = fight.encounter.game, fight.encounter.house
        for _ in range(actions_in_turn(game, fight.sheet(who), house)):
            here = fight.encounter
            if winner_of(here) or fight.turn != who or not here.status(here.combatants[who]).acts:
                break
            choice = chosen(here, choices_of(here, who), "sensible", rolled.pick)
            if choice is None:
                break
            if is_flight(choice.move):
                fight.do(f"flee {who}")
                break
            options = {name: as_typed(value) for name, value in choice.move.options.items()}
            fight.do(action_line(choice.move.action, choice.targets, options, who))
        if not winner_of(fight.encounter):
            fight.do("next")
            for other in fight.encounter.progress.ids:
                take_offers(fight, other, who, rolled)


def take_offers(fight: Fight, who: str, ended: str, rolled: FightDice) -> None:
    """Take the best offer of a combatant at the end of another's turn, as a game master would."""
    here = fight.encounter
    offered = {offer.options.get("power") for offer in here.offers if offer.by == who and offer.reaction}
    found = [each for _, each in choices_after_turn(here, who, ended)] if offered and who != ended else []
    left = [each for each in found if each.move.options.get("power") in offered]
    if not winner_of(here) and (choice := chosen(here, left, "sensible", rolled.pick)):
        options = {name: as_typed(value) for name, value in choice.move.options.items()}
        fight.do(action_line(choice.move.action, choice.targets, options, who))


@pytest.mark.parametrize("game", GAMES)
def test_a_forecast_plays_exactly_what_typed_commands_with_the_same_dice_would(game: str) -> None:
    fight = Fight(game, "add okado", "add tamsin", "add guard x3")
    quiet = played(fight, 11).after
    by_hand(fight, 11)
    assert quiet.combatants == fight.encounter.combatants
    assert quiet.progress == fight.encounter.progress


@pytest.mark.parametrize("first", ["note all can act", "condition guard stunned until end of guard"])
@pytest.mark.parametrize("seed", range(3))
def test_a_forecast_uses_legendary_actions_when_and_at_the_cost_that_the_table_would(
    seed: int, first: str
) -> None:
    lash = {"name": "lash", "kind": "legendary", "save": "strength", "dc": 12, "damage": ["1d4 force"]}
    fight = Fight("srd5")
    given = {**PEOPLE["srd5"]["guard"], "max_hp": 40, "powers": [lash], "legendary_actions": 2}
    sheet = read(fight.game.sheet, given)
    fight.roster["guard"] = evolve(fight.roster["guard"], sheet=sheet)
    for line in ("add okado", "add tamsin", "add guard", first):
        fight.do(line)
    quiet = played(fight, seed).after
    by_hand(fight, seed)
    assert all(quiet.combatants[who].sheet == fight.sheet(who) for who in quiet.combatants)
    assert quiet.progress == fight.encounter.progress


def test_a_combatant_keeps_its_dice_when_a_newcomer_changes_its_name() -> None:
    one, other = (dice(4) for _ in range(2))
    assert other.face(20, of="guard-2")
    assert [one.face(20, of="guard") for _ in range(5)] == [other.face(20, of="guard") for _ in range(5)]


def test_the_same_seed_plays_the_same_fight_and_another_one_does_not() -> None:
    fight = Fight("simple", "add okado", "add guard x3", "start")
    worths = KnownWorths()
    assert played(fight, 3) == played(fight, 3, worths) == played(fight, 3, worths)
    assert len({played(fight, seed, worths).rounds for seed in range(8)}) > 1


def test_a_fight_in_which_nobody_can_hurt_anybody_is_found() -> None:
    fight = Fight("simple", "add okado", "add guard", "start")
    become(fight, "okado", defence=60, armour=60)
    become(fight, "guard", defence=60, armour=60)
    found = played(fight)
    assert (found.end, found.rounds < 6) == ("harmless", True)


@pytest.mark.parametrize("game", GAMES)
def test_a_fight_in_which_nobody_has_a_move_ends_in_every_game(game: str) -> None:
    fight = Fight(game, "add okado", "add guard", "start")
    idle = evolve(fight.encounter.game, policy=Policy(lambda sheet, house: ()))
    fight.encounter = evolve(fight.encounter, game=idle)
    found = played(fight)
    assert (found.end, found.rounds < 6) == ("harmless", True)


def test_a_prepared_fight_waits_for_those_who_arrive_late() -> None:
    fight = Fight("simple", "add okado", "add guard in round 4")
    late = fight.encounter.progress.ids[-1]
    become(fight, late, hp=1, defence=0)
    found = played(fight)
    assert (found.end, found.rounds >= 4, found.fallen) == ("won", True, {late})


def test_a_side_whose_last_member_is_only_stunned_fights_on() -> None:
    fight = Fight("simple", "add okado", "add guard", "start", "condition okado stunned for 1 rounds")
    become(fight, "guard", hp=1, defence=0, armour=0, attack=-90)
    assert (played(fight).end, played(fight).fallen) == ("won", {"okado", "guard"})
    become(fight, "okado", hp=0)
    assert winner_of(fight.encounter) == "lost"


def test_a_fight_that_is_stopped_has_lasted_60_rounds() -> None:
    fight = Fight("simple", "add okado", "add guard", "start")
    # Each hits with a natural 20 only, and takes a few points of many.
    for who in ("okado", "guard"):
        become(fight, who, hp=999, max_hp=999, defence=60, armour=0, attack=20)
    found = played(fight)
    assert (found.end, found.rounds) == ("too long", 60)


def test_a_fight_without_combatants_is_refused() -> None:
    with pytest.raises(Refused, match="no combatant can take a turn"):
        played(Fight("simple", "add guard in round 4"))


def test_each_side_has_a_temper_of_its_own() -> None:
    fight = Fight("simple", "add okado", "add tamsin", "add guard x3", "start")
    become(fight, "guard-3", hp=1)

    def first_blow(players: Temper, foes: Temper) -> set[str]:
        worths, found = KnownWorths(), set()
        for seed in range(3):
            after = play_fight(fight.encounter, fight.roster, dice(seed), foes, worths, players=players).after
            found.add(repr(after.combatants))
        return found

    both = first_blow("sensible", "sensible")
    assert first_blow("careless", "sensible") != both
    assert first_blow("sensible", "careless") != both


def test_a_forecast_counts_the_tempers_of_the_players_by_themselves() -> None:
    fight = Fight("simple", "add okado", "add guard", "start")
    tally = Tally(fight.encounter)
    for end in ("won", "lost", "lost", "lost"):
        tally.add(("sensible", "careless"), PlayedFight(cast(FightEnd, end), fight.encounter, frozenset()))
    tally.add(("sensible", "sensible"), PlayedFight("won", fight.encounter, frozenset()))
    found = tally.forecast()
    assert found.players["careless"].win == 0.25
    assert found.fights == 1
    assert sorted(odds.win for odds in found.all_odds if odds.fights) == [0.25, 1.0]


def test_the_margin_of_a_sure_result_is_not_zero() -> None:
    assert 0 < TemperOdds(400, 400).margin < 0.02
    assert 0.04 < TemperOdds(200, 400).margin < 0.05


def test_a_temper_that_is_surely_between_the_ends_does_not_widen_the_band() -> None:
    low, high, between = TemperOdds(40, 400), TemperOdds(360, 400), TemperOdds(4, 8)
    assert band_of([low, between, high]) == band_of([low, high])
    assert band_of([low, high]).margin == pytest.approx(high.margin)
    assert could_be_end(low, [low, between, high])
    assert not could_be_end(between, [low, between, high])
    maybe = TemperOdds(1, 8)
    assert could_be_end(maybe, [low, maybe, high])
    # The true lowest chance may be that of the temper which was hardly tried.
    assert band_of([low, maybe, high]).margin > band_of([low, high]).margin


def test_rounded_health_counts_only_for_the_choice() -> None:
    fight = Fight("simple", "add okado", "add guard", "start")
    rounded, exact = KnownWorths(10), KnownWorths()
    become(fight, "okado", hp=20)
    assert choices_of(fight.encounter, "guard", rounded) == choices_of(fight.encounter, "guard", exact)
    become(fight, "okado", hp=3)
    lower = choices_of(fight.encounter, "guard", exact)
    become(fight, "okado", hp=4)
    assert choices_of(fight.encounter, "guard", exact) != lower
    become(fight, "okado", hp=3)
    assert choices_of(fight.encounter, "guard", rounded) != lower
    assert played(fight, 5, rounded).after.combatants["okado"].sheet.hp <= 3


def test_small_health_is_never_rounded_because_one_point_may_decide() -> None:
    fight = Fight("simple", "add okado", "add guard", "start")
    rounded, exact = KnownWorths(10), KnownWorths()
    become(fight, "okado", max_hp=12, hp=12)
    for hp in range(1, 13):
        become(fight, "okado", hp=hp)
        assert choices_of(fight.encounter, "guard", rounded) == choices_of(fight.encounter, "guard", exact)


@pytest.mark.parametrize("game", ["simple", "srd5"])
@pytest.mark.parametrize("parts", [0, 10])
def test_one_calculation_serves_all_points_of_a_target(
    game: str, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight = Fight(game, "add okado", "add guard", "start")
    count = 0

    def counted(*given: Any) -> Any:
        nonlocal count
        count += 1
        return branches_of(*given)

    def found() -> list[list[TurnChoice]]:
        worths, choices = KnownWorths(parts), []
        for hp in (20, 12, 7, 3, 1):
            become(fight, "okado", max_hp=60, hp=hp)
            choices.append(choices_of(fight.encounter, "guard", worths))
        return choices

    monkeypatch.setattr(worth_module, "branches_of", counted)
    together, at_once = found(), count
    assert at_once == len(together[0])
    monkeypatch.setattr(known_worths_module, "drained_field", lambda *given: "")
    assert found() == together
    assert count - at_once > at_once


def test_the_number_of_spell_slots_left_changes_no_worth() -> None:
    slots = [{"name": "first", "level": 1, "total": 4, "left": 4}]
    bolt = {"name": "bolt", "kind": "action", "slot": 1, "save": "dexterity", "damage": ["2d6 fire"]}
    fight = Fight("srd5", "add okado", "add guard", "start")
    sheet = read(type(fight.sheet("okado")), {"spell_slots": slots, "powers": [bolt]})
    become(fight, "okado", powers=sheet.powers)
    alike = policy_of(fight.game).alike

    def named(left: int) -> set[str]:
        become(fight, "okado", spell_slots=tuple(evolve(each, left=left) for each in sheet.spell_slots))
        choices = choices_of(fight.encounter, "okado", KnownWorths(10))
        assert choices == choices_of(fight.encounter, "okado", KnownWorths())
        return {str(choice.move.options.get("power")) for choice in choices}

    assert named(4) == named(1) == named(0) | {"bolt"} != named(0)
    several = alike(evolve(sheet, spell_slots=sheet.spell_slots), fight.encounter.house)
    assert [each.left for each in cast(Any, several["spell_slots"])] == [1]


def test_legendary_actions_left_for_later_change_no_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = Fight("srd5", "add okado", "add guard", "start")
    sweep = {"name": "sweep", "kind": "legendary", "save": "strength", "dc": 14, "cost": 2}
    powers = [{**sweep, "damage": ["1d8 bludgeoning"]}]
    become(fight, "guard", powers=read(type(fight.sheet("guard")), {"powers": powers}).powers)
    move, worths, found = Move("power", {"power": "sweep"}), KnownWorths(), []
    count = 0

    def counted(*given: Any) -> Any:
        nonlocal count
        count += 1
        return branches_of(*given)

    monkeypatch.setattr(worth_module, "branches_of", counted)
    for left in (3, 2, 1):
        become(fight, "guard", legendary_actions=3, legendary_actions_left=left)
        found.append(worths(fight.encounter, "guard", move, "okado"))
        assert found[-1] == worth_of_move(fight.encounter, "guard", move, "okado")
        count -= 1
    assert found[0] == found[1] is not None is found[2]
    # The one for too few legendary actions is refused, whatever the points, and so it is tried twice.
    assert count == 3


def test_a_policy_that_fails_is_reported_and_does_not_end_a_forecast() -> None:
    heard: list[Exception] = []
    stop_listening = listen(lambda error, sentence: heard.append(error))

    def fail(*given: object) -> Any:
        raise ZeroDivisionError

    fight = Fight("simple", "add okado", "add guard", "start")
    game = evolve(fight.encounter.game, policy=Policy(fail, fail))
    fight.encounter = evolve(fight.encounter, game=game)
    assert played(fight).end in ("won", "lost")
    stop_listening()
    assert {type(error) for error in heard} == {ZeroDivisionError}


def forecast_of(*ends: str) -> Forecast:
    fight = Fight("simple", "add okado", "add guard", "start")
    tally = Tally(fight.encounter)
    for end in ends:
        tally.add(("sensible", "sensible"), PlayedFight(cast(FightEnd, end), fight.encounter, frozenset()))
    return tally.forecast()


def test_a_change_is_as_sure_as_the_fights_that_end_otherwise_are_few() -> None:
    before = forecast_of(*["won"] * 60, *["lost"] * 40)
    assert before.wins.bit_count() == before.tempers["sensible"].won == 60
    same = changed_chance(before, before)
    assert (same.win, 0 < same.margin < 0.03) == (0, True)
    worse = changed_chance(before, forecast_of(*["won"] * 50, *["lost"] * 50))
    assert worse.win == pytest.approx(-0.1)
    # The same shares, but of fights with other dice.
    unlike = changed_chance(before, forecast_of(*["lost"] * 50, *["won"] * 50))
    assert unlike.win == pytest.approx(-0.1)
    assert worse.margin < unlike.margin / 2
    # Fights that only one of them has played do not count.
    assert changed_chance(before, forecast_of(*["won"] * 50, *["lost"] * 30)).win == -0.125
    assert changed_chance(forecast_of(*["won"] * 20), before).win == 0
    both = before.tempers["sensible"].margin
    assert worse.margin < both < unlike.margin
