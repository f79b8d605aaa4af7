"""Laws for every request: attacks follow the book, terms add up, and sheets can be used again."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from systems.errors import Wrong

from .asking import GAME, ask, chances

small = some.integers(-200, 200)
modifier = some.integers(-400, 400)
flag = some.booleans()
weapons = some.fixed_dictionaries(
    {"name": some.sampled_from(["rifle", "sword"]), "damage_base": some.integers(0, 99)},
    optional={
        "damage_range": some.integers(0, 6),
        "die": some.sampled_from(["d12", "d10"]),
        "melee": flag,
        "proficient": flag,
        "crit": small,
        "aim": small,
    },
)
sheets = some.fixed_dictionaries(
    {"weapons": some.lists(weapons, min_size=1, max_size=2)},
    optional={
        **dict.fromkeys(("aim", "will", "tech", "psi", "defense", "dodge", "crit"), some.integers(-200, 400)),
        **dict.fromkeys(("psionic", "collar", "marked", "dashing"), flag),
        **dict.fromkeys(("actions_per_turn", "actions_left"), some.integers(0, 9)),
        "name": some.text(min_size=1, max_size=5),
        "mobility": some.integers(0, 30),
        "armor": some.integers(0, 99),
        "max_health": some.integers(1, 999),
        "health": some.integers(-999, 999),
        "amp": some.integers(0, 200),
        "cover": some.sampled_from(["none", "half", "full"]),
    },
)
houses = some.fixed_dictionaries(
    {},
    optional={
        "exposed_is_flanked": flag,
        "hit_clamp": some.lists(some.integers(-999, 999), min_size=2, max_size=2).map(sorted),
    },
)
attack_options = some.fixed_dictionaries(
    {},
    optional={
        "cover": some.sampled_from(["none", "half", "full"]),
        **dict.fromkeys(("flanked", "reaction", "can_dodge"), flag),
        **dict.fromkeys(("modifier", "defence_modifier", "crit_bonus"), modifier),
    },
)
steps = some.lists(some.sampled_from("od"), max_size=20)
others = some.one_of(
    some.tuples(
        some.just("check"),
        some.fixed_dictionaries(
            {"attribute": some.sampled_from(["aim", "will", "tech", "psi", "defense", "dodge", "crit"])},
            optional={"base": modifier, "modifier": modifier, "equipment": flag, "proficient": flag},
        ),
    ),
    some.tuples(
        some.just("social"),
        some.fixed_dictionaries(
            {},
            optional={
                "distance": some.integers(0, 400),
                "extreme": flag,
                "strong_psionic": flag,
                "modifier": modifier,
            },
        ),
    ),
    some.tuples(
        some.just("psi"), some.fixed_dictionaries({}, optional={"difficulty": modifier, "contested": flag})
    ),
    some.tuples(
        some.just("move"),
        some.fixed_dictionaries(
            {"steps": steps},
            optional={"dash": flag, "move_actions": some.lists(some.integers(0, 99), max_size=2)},
        ),
    ),
    some.tuples(
        some.just("act"),
        some.fixed_dictionaries(
            {"kind": some.sampled_from(["core", "final", "full", "free", "move_action"])}
        ),
    ),
    some.tuples(
        some.just("harm"),
        some.fixed_dictionaries({"amount": some.integers(0, 999)}, optional={"armor": flag}),
    ),
    some.tuples(some.just("heal"), some.fixed_dictionaries({"amount": some.integers(0, 999)})),
    some.tuples(some.sampled_from(["status", "turn_start"]), some.just({})),
)


def divided(face, weapon):
    size = weapon.get("damage_range", 0)
    by = {2: 6 if weapon.get("die", "d12") == "d12" else 5, 3: 4, 4: 3, 5: 2, 6: 2}[size]
    return face // by + (face % by > 0)


def told_again(actor, target, options, house, dice):
    """Resolve an attack by a second implementation of the book; return facts and the sides of the dice."""
    weapon, ranged = actor["weapons"][0], not actor["weapons"][0].get("melee", False)
    cover = options.get("cover", target.get("cover", "none"))
    flanked = options.get("flanked", False)
    defense = target.get("defense", 0) + options.get("defence_modifier", 0)
    if ranged and not flanked:
        defense += {"none": 0, "half": 20, "full": 40}[cover]
    value = actor.get("aim", 0) + weapon.get("aim", 0) - defense + options.get("modifier", 0)
    value += 15 * target.get("marked", False) if ranged else 20
    if house.get("hit_clamp"):
        value = sorted([house["hit_clamp"][0], value, house["hit_clamp"][1]])[1]
    dodge = target.get("dodge", 0)
    dodge += 30 * (options.get("reaction", False) and target.get("dashing", False))
    dodge *= options.get("can_dodge", True)
    crit = actor.get("crit", 0) + weapon.get("crit", 0) + options.get("crit_bonus", 0)
    crit += 50 * (flanked or (house.get("exposed_is_flanked", False) and ranged and cover == "none"))
    seen = {"defense": defense, "target_value": value, "dodge_value": dodge, "crit_value": crit}
    miss = {"hit": False, "result": "miss", "rolled": 0, "raw": 0, "damage": 0}
    faces, sides = iter(dice), [100]
    if next(faces) > value:
        return seen | miss, sides
    sides += [100] * ((dodge > 0) + (crit > 0))
    dodged = dodge > 0 and next(faces) <= dodge
    critical = crit > 0 and next(faces) <= crit
    kind = {(0, 0): "hit", (1, 1): "hit", (1, 0): "graze", (0, 1): "critical"}[dodged, critical]
    if not weapon.get("proficient", True):
        kind = "miss" if kind == "graze" else "graze"
    if kind == "miss":
        return seen | miss, sides
    size = rolled = weapon.get("damage_range", 0)
    if size > 1:
        sides.append(10 if size == 5 or (size == 2 and weapon.get("die") == "d10") else 12)
        rolled = divided(min(next(faces), sides[-1]), weapon)
    raw = weapon["damage_base"] + rolled
    raw = {"hit": raw, "graze": raw // 2 + raw % 2, "critical": raw + size}[kind]
    damage = max(1, raw - target.get("armor", 0))
    return seen | {"hit": True, "result": kind, "rolled": rolled, "raw": raw, "damage": damage}, sides


@given(
    sheets,
    sheets,
    attack_options,
    houses,
    some.lists(some.integers(1, 100), min_size=3, max_size=3),
    some.data(),
)
def test_every_attack_follows_the_book(actor, target, options, house, dice, data):
    actor = {**actor, "health": 5, "actions_left": 1}
    dice = [*dice, 0]
    _, sides = told_again(actor, target, options, house, [*dice[:3], 1])
    damage_die = data.draw(some.integers(1, sides[-1] if sides[-1] < 100 else 1))
    hundreds = sides.count(100)
    faces = [*dice[:hundreds], damage_die]
    expected, sides = told_again(actor, target, options, house, faces)
    answer = ask("attack", actor, target, dice=faces[: len(sides)], house=house, **options)
    assert answer["facts"] == expected
    assert [roll["sides"] for roll in answer["rolls"]] == sides
    assert sum(term["value"] for term in answer["terms"]) == expected["target_value"]
    before = target.get("health", target.get("max_health", 8))
    assert answer["target"]["health"] == max(-999, before - expected["damage"])
    assert answer["actor"]["actions_left"] == (1 if options.get("reaction") else 0)


def rolled(action, actor, target, house, options):
    """Return the answer with the number of d100s that the action needs, or its error."""
    for dice in ([], [50], [50, 50], [50, 50, 50], [50, 5], [50, 50, 5], [50, 50, 50, 5]):
        try:
            return ask(action, actor, target, dice=dice, house=house, **options)
        except Wrong as wrong:
            if not wrong.field.startswith("dice"):
                raise
    raise AssertionError("no number of dice was right")


TOTALS = {"check": "target_value", "social": "target_value", "psi": "target_value", "move": "cost"}
TOTALS |= {"attack": "target_value", "harm": "damage", "heal": "healed"}


@given(sheets, sheets, houses, some.one_of(others, some.tuples(some.just("attack"), attack_options)))
def test_every_request_has_an_answer_that_adds_up_and_goes_in_again(actor, target, house, request):
    action, options = request
    answer = rolled(action, actor, target, house, options)
    if "refused" in answer["facts"]:
        reasons = [one.reason for one in GAME.action(action).refusals]
        assert answer["facts"]["refused"] in reasons
        assert answer["rolls"] == []
        same = ask("status", actor)["actor"]
        assert answer["actor"] == same
    elif action in TOTALS:
        assert sum(term["value"] for term in answer["terms"]) == answer["facts"][TOTALS[action]]
    assert answer["text"].endswith(".")
    assert set(answer["facts"]) <= {"refused", *GAME.action(action).facts}
    again = ask("status", answer["actor"], answer.get("target"))
    assert again["actor"] == answer["actor"]


@given(sheets, some.one_of(others, some.tuples(some.just("attack"), attack_options)))
def test_an_answer_that_is_not_refused_has_every_fact(actor, request):
    action, options = request
    answer = rolled(action, actor, None, None, options)
    if "refused" not in answer["facts"]:
        assert set(answer["facts"]) == set(GAME.action(action).facts)


@given(sheets, sheets, attack_options, houses)
def test_the_odds_of_every_attack_add_up(actor, target, options, house):
    for fact, ways in chances("attack", actor, target, house, **options).items():
        assert sum(ways.values()) == pytest.approx(1), fact
