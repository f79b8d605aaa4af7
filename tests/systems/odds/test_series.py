"""Several attacks in one use have the odds of every roll, though each group of states is walked once."""

from collections import Counter
from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from systems.commands.preview import preview
from systems.commands.scenes import scene_of
from systems.contract.action import Action
from systems.contract.outcome import GivenCondition, Outcome
from systems.contract.series import SeriesStrike
from systems.contract.strikes import several_strikes
from systems.contract.table import Suggested, Table
from systems.dice.sources import RandomDice
from systems.odds import Walker, facts_odds
from tests.laws import examples
from tests.systems.emberfall import emberfall
from tests.systems.odds.test_beside import AtLeast
from tests.systems.odds.test_walker import by_throwing
from tests.systems.toy import toy

RULES = st.fixed_dictionaries(
    {
        "hp": st.integers(1, 6),
        "needed": st.integers(1, 4),
        "prone_at": st.integers(1, 3),
        "saves": st.lists(st.integers(1, 3), max_size=2),
        "times": st.integers(1, 3),
    }
)


def struck(hp, needed, prone_at, saves, times):
    """Blows with a d3, each saved against; one that knocks down makes the later ones easier."""

    def strike(table, kind, group):
        if not table.chance(needed - len(group), 3, "blow", over=True).passed:
            return SeriesStrike()
        damage = table.d(2, "damage") + len(group)
        prone = not group and table.chance(prone_at, 2, "balance", over=True).passed
        gives = [
            given
            for at, save in enumerate(saves)
            for given in table.beside("1d2", AtLeast(save), f"save {at}").if_failed(
                GivenCondition("target", ("sharp", "bleeding")[at])
            )
        ]
        return SeriesStrike(damage, 1, frozenset(("prone",)) if prone else frozenset(), tuple(gives))

    def run(scene, table):
        found = several_strikes(
            table, ("blow",) * times, strike, lambda so_far: None if so_far.damage >= hp else so_far.marks
        )
        facts = {
            "hits": found.whole.hits,
            "damage": found.whole.damage,
            "prone": "prone" in found.whole.marks,
        }
        return Outcome({**facts, "hit": found.whole.hits > 0}, gives=found.gives)

    return Action("maul", "Blows.", run, targets="one", success="hit", amount="damage")


@examples(25)
@given(RULES)
def test_a_series_has_the_odds_of_every_roll(rules):
    run = struck(**{**rules, "saves": [], "times": min(2, rules["times"])}).run

    def facts(table):
        return tuple(run(None, table).facts.items())

    walked = facts_odds(lambda table: run(None, table))
    thrown = {name: Counter() for name in walked}
    for told, chance in by_throwing(facts).items():
        for name, value in told:
            thrown[name][value] += chance
    assert walked == thrown


@examples(15)
@given(RULES)
def test_conditions_of_a_series_have_the_chance_of_every_roll(rules):
    rules["times"] = min(2, rules["times"])
    maul = struck(**rules)
    fight = toy("add ada", "add orc", "start")
    found = dict(preview(fight.encounter, maul, "ada", "orc", maul.options()).effects)
    thrown = Counter()
    for names, chance in by_throwing(
        lambda table: frozenset(gives.condition for gives in maul.run(None, table).gives)
    ).items():
        for name in names:
            thrown[name] += chance
    assert {name: chance for name, chance in found.items() if name in ("sharp", "bleeding")} == thrown


def test_a_group_is_walked_once_however_many_states_it_has():
    walked = []

    def strike(table, kind, group):
        walked.append(group)
        return SeriesStrike(table.roll("2d6", "damage"), hits=1)

    def run(table):
        return several_strikes(table, ("claw",) * 3, strike, lambda so_far: ())

    results = [(weight, of, series.whole.damage) for weight, of, series in Walker().walk(run)]
    assert len(results) == 31
    assert len(walked) == 11
    assert sum(Fraction(weight, of) for weight, of, _ in results) == 1


VOLLEYED = st.fixed_dictionaries(
    {
        "ada": st.fixed_dictionaries(
            {
                "damage": st.just(("1d6 fire",)),
                "conditions_on_hit": st.sampled_from([("prone",), ("prone", "frightened"), ("poisoned",)]),
            }
        ),
        "mage": st.fixed_dictionaries({"shield": st.integers(0, 3), "max_hp": st.sampled_from([5, 30])}),
        "guard": st.fixed_dictionaries({"protects": st.integers(0, 3)}),
    }
)


@examples(4)
@given(VOLLEYED)
def test_attacks_with_interruptions_and_saves_agree_with_many_random_rolls(sheets):
    adds = [f"add {who}" for who in ("ada", "bo", "mage", "guard")]
    fight = emberfall(*adds, "start", **sheets)
    action = fight.game.action("volley")
    scene = scene_of(fight.encounter, action, "ada", "mage", action.options(times=2))
    odds = facts_odds(lambda table: action.run(scene, table), Suggested())
    conditions = dict(preview(fight.encounter, action, "ada", "mage", action.options(times=2)).effects)
    many, table = 3_000, Table(RandomDice(Random(1)), Suggested())
    hits, given_in = Counter(), Counter()
    for _ in range(many):
        outcome = action.run(scene, table)
        hits[outcome.facts["hits"]] += 1
        given_in.update({gives.condition for gives in outcome.gives})
        given_in.update({used.name for used in outcome.interruptions})
    for number in range(3):
        assert abs(hits[number] / many - odds["hits"].get(number, 0)) < 0.045
    for name, chance in conditions.items():
        if name != "down":
            assert abs(given_in[name] / many - chance) < 0.045


def test_a_volley_is_played_attack_by_attack_and_stops_when_its_target_falls():
    fight = emberfall("add ada", "add mage", "start", mage={"max_hp": 12})
    event = fight.do("volley mage dice=15,4,2,15,4")
    assert event.text == "Ada attacks Mage: 7, miss, 7 (hp 12 → 0)."
    fight.do("undo")
    assert fight.text("volley mage dice=20,4,5") == "Ada attacks Mage: 12 (hp 12 → 0)."
