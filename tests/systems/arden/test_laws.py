"""Laws of The Ages of Arden over requests that nobody wrote."""

import random

from hypothesis import given
from hypothesis import strategies as st

from systems.dice.sources import RandomDice
from systems.requests import odds, resolve
from tests.laws import examples

from .play import ARDEN, by_brute_force, exact, request

NUMBERS = st.integers(-20, 40)
ADDED = st.integers(-9, 9)
NAMES = ("attack", "defense", "agility", "endurance", "precision", "perception", "speed")
WEAPON = st.fixed_dictionaries(
    {"name": st.sampled_from(["sword", "bow"])},
    optional={"ability": st.sampled_from(NAMES), "bands": st.lists(NUMBERS, min_size=3, max_size=3)},
)
SHEET = st.fixed_dictionaries(
    {},
    optional={
        "abilities": st.dictionaries(st.sampled_from(NAMES), NUMBERS),
        "max_hp": st.integers(1, 9),
        "hp": st.integers(0, 9),
        "max_ap": st.integers(1, 6),
        "capacity": st.integers(1, 6),
        "ap": st.integers(0, 6),
        "exhausted": st.booleans(),
        "armor": st.integers(0, 9),
        "awareness": st.sampled_from(["aware", "alert", "flat_footed", "unconscious"]),
        "restrained": st.booleans(),
        "weapons": st.lists(WEAPON, max_size=2),
        "moves": st.integers(0, 2),
        "minors": st.integers(0, 3),
        "acted": st.booleans(),
        "turn_over": st.booleans(),
    },
)
ROLL = {"modifier": ADDED, "proficiency": ADDED, "specialty": ADDED, "split_minor": st.booleans()}
TURN = {"encounter": st.booleans()}
STRIKE = ROLL | {
    "weapon": st.just("unarmed"),
    "style": st.sampled_from(["striking", "grappling", "piercing"]),
    "ability": st.sampled_from(NAMES),
    "defence": st.sampled_from(NAMES),
    "defence_modifier": ADDED,
    "dc": st.integers(-9, 30),
    "distance": st.integers(1, 4),
    "graduates_to": st.sampled_from(["alert", "aware"]),
}
OPTIONS = {
    "attack": st.fixed_dictionaries({}, optional=STRIKE | TURN | {"in_target_range": st.booleans()}),
    "counter": st.fixed_dictionaries({}, optional=STRIKE),
    "check": st.fixed_dictionaries(
        {"ability": st.sampled_from(NAMES), "defence": st.sampled_from(NAMES)},
        optional=ROLL
        | TURN
        | {"dc": st.integers(-9, 30), "effect_modifier": ADDED, "defence_modifier": ADDED},
    ),
    "perception": st.fixed_dictionaries({"dc": st.integers(-9, 30)}, optional={"modifier": ADDED}),
    "move": st.fixed_dictionaries({"spaces": st.integers(0, 9)}),
    "harm": st.fixed_dictionaries({"amount": st.integers(0, 9)}),
    "heal": st.fixed_dictionaries({"amount": st.integers(0, 9)}),
}
HOUSE = st.fixed_dictionaries(
    {},
    optional={
        "match_hits": st.booleans(),
        "split_scope": st.sampled_from(["both", "action"]),
        "ap_half_rounding": st.sampled_from(["down", "up"]),
        "flat_footed": st.sampled_from(["lower_of", "fixed"]),
    },
)
ACTIONS = [action.name for action in ARDEN.actions]


@st.composite
def requests(draw, actions=ACTIONS):
    action = draw(st.sampled_from(actions))
    options = draw(OPTIONS.get(action, st.just({})))
    return request(action, actor=draw(SHEET), target=draw(SHEET), house=draw(HOUSE), **options)


def thrown(asked, seed=0):
    return resolve(ARDEN, asked, RandomDice(random.Random(seed)))


@given(requests(), st.integers(0, 99))
def test_every_request_is_answered_with_every_fact_or_refused(asked, seed):
    answer = thrown(asked, seed)
    action = ARDEN.action(asked["action"])
    if "refused" in answer["facts"]:
        assert answer["facts"].keys() == {"refused"}
        assert answer["facts"]["refused"] in {one.reason for one in action.refusals}
        assert answer["text"].endswith(".")
    else:
        # Only a target that is alert notices an attacker.
        assert answer["facts"].keys() | {"noticed"} == action.facts.keys() | {"noticed"}


@given(requests(), st.integers(0, 99))
def test_the_terms_sum_to_the_score(asked, seed):
    answer = thrown(asked, seed)
    if "score" in answer["facts"]:
        assert sum(term["value"] for term in answer["terms"]) == answer["facts"]["score"]


@given(requests(), st.integers(0, 99))
def test_the_sheets_that_come_out_go_in_again_unchanged(asked, seed):
    answer = thrown(asked, seed)
    again = thrown(
        {
            "action": "check",
            "actor": answer["actor"],
            "target": answer.get("target", {}),
            "options": {"ability": "agility", "dc": 5, "encounter": False},
        }
    )
    assert again["actor"] == answer["actor"]
    if "target" in answer:
        assert again["target"] == answer["target"]


@given(requests(), st.integers(0, 99))
def test_a_refusal_rolls_nothing_and_changes_nothing(asked, seed):
    answer = thrown(asked, seed)
    if "refused" in answer["facts"]:
        assert answer["rolls"] == []
        same = thrown({"action": "status", "actor": asked.get("actor", {})})
        assert answer["actor"] == same["actor"]
        same = thrown({"action": "status", "actor": asked.get("target", {})})
        assert answer.get("target", same["actor"]) == same["actor"]


@examples(25)
@given(requests())
def test_the_odds_are_those_of_every_face(asked):
    assert exact(asked) == by_brute_force(asked)


@given(requests())
def test_the_odds_of_each_fact_sum_to_one(asked):
    for spread in odds(ARDEN, asked)["facts"].values():
        assert abs(sum(spread.values()) - 1) < 1e-12


def ledger_says(die, asked):
    """Result and damage of an attack, written a second time from the rules as they are told."""
    actor, target = asked.get("actor", {}), asked.get("target", {})
    options, house = asked.get("options", {}), asked.get("house", {})
    bare = {"ability": "attack", "bands": [0, 0, 0]}
    held = bare if options.get("weapon") else bare | next(iter(actor.get("weapons", [])), {})
    style = options.get("style", "striking")
    ability = {"striking": held["ability"], "grappling": "agility", "piercing": "precision"}[style]
    split = 2 if options.get("split_minor") else 0
    added = sum(options.get(name, 0) for name in ("modifier", "proficiency", "specialty"))
    score = die + actor.get("abilities", {}).get(options.get("ability", ability), 0) + added - split
    defence = options.get("defence", "endurance" if style == "grappling" else "defense")
    dc = 10 + target.get("abilities", {}).get(defence, 0)
    down = target.get("hp", 1) == 0 or target.get("awareness") == "unconscious"
    limit = 5 if down else 10 if target.get("awareness") == "flat_footed" else None
    if limit is not None:
        dc = limit if house.get("flat_footed") == "fixed" else min(dc, limit)
    dc = options.get("dc", dc + options.get("defence_modifier", 0))
    hit = score > dc or (score == dc and style != "piercing" and house.get("match_hits", False))
    match = score == dc and not hit and style != "piercing"
    counted = die - (0 if house.get("split_scope") == "action" else split)
    counted = max(10, counted) if hit and style == "piercing" else counted
    band = held["bands"][min(options.get("distance", 1), 3) - 1]
    effect = counted + band - target.get("armor", 0)
    if match:
        return score, dc, effect, "match", 0
    if not hit:
        return score, dc, effect, "critical_miss" if effect <= 5 else "miss", 0
    degrees = ((20, "perfect_hit", 4), (15, "critical_hit", 3), (10, "critical_hit", 2), (-999, "hit", 1))
    result, damage = next((word, harm) for least, word, harm in degrees if effect >= least)
    return score, dc, effect, result, 0 if style == "grappling" else damage


@given(requests(["attack"]), st.integers(1, 20))
def test_an_attack_follows_the_written_rules(asked, die):
    asked["actor"] = {**asked.get("actor", {}), "hp": 1, "ap": 1, "awareness": "aware", "turn_over": False}
    asked["actor"] |= {"max_hp": 1}
    got = resolve(ARDEN, {**asked, "dice": [die]}, RandomDice(random.Random(0)))["facts"]
    names = ("score", "dc", "effectiveness", "result", "damage")
    assert tuple(got[name] for name in names) == ledger_says(die, asked)
