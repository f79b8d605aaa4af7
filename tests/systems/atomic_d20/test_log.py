"""Log lines of attacks, spells and wounds."""

import pytest

from .play import ARMED, AXE, outcome, play, request


def test_the_lines_of_the_log_name_their_numbers():
    ragnor = {"name": "Ragnor", "high_concept": 2, "weapons": [AXE]}
    skeleton = {"name": "Skeleton 1", "max_hearts": 1, "armor": 1}
    hit = play("attack", 15, 3, 2, 5, actor=ragnor, target=skeleton, relevant=["high_concept"])
    assert hit["text"] == (
        "Ragnor hits Skeleton 1 in the groin for a minor wound (hearts 1 → 0), dying. 17 against 4, 7 damage."
    )
    miss = play("attack", 2, 3, actor=ragnor, target=skeleton)
    assert miss["text"] == "Ragnor misses Skeleton 1. 2 against 4."
    fear = play("attack", 9, 3, 6, 6, actor=ragnor, target={"name": "Tomas"}, track="mental")
    assert fear["text"] == (
        "Ragnor hits Tomas for a major mental wound (brains 3 → 1), bane −1. 9 against 3, 12 damage."
    )
    burn = play("cast", 1, 4, 2, 2, actor=ragnor, difficulty=9, maneuver="Smite")
    assert burn["text"] == (
        "Ragnor fails to cast Smite, critical failure: random target. Ragnor takes spellburn "
        "in the left shoulder, a minor wound (hearts 3 → 2). 1 against 9, spellburn 4."
    )
    assert burn["asks"][0]["text"].startswith("The spell finds another target")


@pytest.mark.parametrize(
    ("action", "parts", "dice", "rules"),
    [
        ("attack", {}, (1, 20), "ATO-10 ATO-25 ATO-70"),
        ("attack", {"target": {"wound_banes": 1}}, (1, 20), "ATO-10 ATO-25 ATO-35 ATO-70"),
        ("attack", {"touch": True}, (1, 20), "ATO-10 ATO-25 ATO-73"),
        ("attack", {"damage_modifier": -9}, (20, 1, 1, 1), "ATO-10 ATO-25 ATO-70 R11"),
        ("attack", {"practice": "practiced", "house": {"armor_mode": "subtraction"}}, (20, 1, 5, 5),
         "ATO-16 ATO-25 ATO-69 ATO-34 ATO-35 ATO-43"),
        ("attack", {"track": "mental", "target": {"brains": 1}}, (20, 1, 1, 1),
         "ATO-10 ATO-25 ATO-73 ATO-30 ATO-32 ATO-39"),
        ("cast", {"difficulty": 5}, (9,), "ATO-18 ATO-10"),
        ("cast", {"difficulty": 5}, (1, 2, 1, 1),
         "ATO-18 ATO-10 ATO-22 ATO-19 ATO-30 ATO-31 ATO-42 ATO-43"),
        ("cast", {"difficulty": 5, "house": {"spellburn": "always"}, "use_stamina": True}, (9, 1, 1),
         "ATO-18 ATO-10 ATO-20 ATO-28 ATO-30 ATO-42 ATO-43"),
        ("wound", {"damage": 4, "actor": {"hearts": 1}}, (), "ATO-30 ATO-31 ATO-38"),
        ("wound", {"damage": 4, "actor": {"hearts": 1}, "nonlethal": True}, (), "ATO-30 ATO-31 ATO-40"),
        ("maneuver", {"difficulty": 5, "actor": {"wound_banes": 1}, "save": "reflex", "boons": [1],
                      "house": {"spontaneous_penalty": 1, "boon_stacking": "cap"}}, (9,),
         "ATO-05 ATO-10 ATO-55 ATO-67 ATO-77 ATO-82"),
        ("progression", {"level": "master", "relation": "hc", "house": {"progression": "4"}}, (), "ATO-64"),
    ],
)  # fmt: skip
def test_the_log_names_the_rules_that_counted(action, parts, dice, rules):
    armed = {"actor": ARMED} if action == "attack" else {}
    assert outcome(request(action, **armed, **parts), *dice).tell().rules == tuple(rules.split())
