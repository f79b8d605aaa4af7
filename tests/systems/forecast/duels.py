"""Duels whose exact chances follow from the rules of each game alone, without the code that plays fights.

A duelist is a tuple of the numbers that change in the duel. A game's function returns every way a turn can
end, as the two duelists afterwards with the chance. Chances are multiplied along all ways until nearly every
duel is over.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from systems.frozen import frozen

Duelist = tuple[int, ...]
Pair = tuple[Duelist, Duelist]
# Returns how the turn of the first duelist can end: both duelists afterwards, with the chance.
Turn = Callable[[Duelist, Duelist], Mapping[Pair, float]]
Totals = Mapping[int, float]
# Duels that are not over after so many rounds are too rare to count.
ROUNDS = 60


@frozen
class Duel:
    """Two sheets, the numbers that change, and a turn of the player's character and of its foe.

    `sheets`: the fields that differ from those of the tests' usual fight. `out`: whether a duelist is out of
    action.
    """

    sheets: tuple[Mapping[str, Any], Mapping[str, Any]]
    begin: Pair
    turns: tuple[Turn, Turn]
    out: Callable[[Duelist], bool] = lambda duelist: duelist[0] <= 0


@frozen
class Exact:
    """The exact chance to win of the player's character, and the chance of each last round."""

    win: float
    rounds: Totals


def solved(duel: Duel, *, player_begins: bool) -> Exact:
    """Return the exact result of a duel."""
    turns = [cache(turn) for turn in duel.turns]
    going: dict[Pair, float] = {duel.begin: 1.0}
    win, rounds = 0.0, Counter[int]()
    for number in range(2 * ROUNDS):
        players_turn = (number % 2 == 0) == player_begins
        then: Counter[Pair] = Counter()
        for (player, foe), chance in going.items():
            ends = turns[0](player, foe) if players_turn else turns[1](foe, player)
            for (own, other), part in ends.items():
                here = (own, other) if players_turn else (other, own)
                if duel.out(other):
                    rounds[number // 2 + 1] += chance * part
                    win += chance * part * players_turn
                else:
                    then[here] += chance * part
        going = then
    assert sum(going.values()) < 1e-6
    return Exact(win, rounds)


def dice(count: int, sides: int, plus: int = 0) -> Totals:
    """Return the totals of dice with their chances."""
    found = Counter(sum(faces) + plus for faces in product(range(1, sides + 1), repeat=count))
    return {total: many / sides**count for total, many in found.items()}


def blows(hits: Mapping[str, float], damages: Mapping[str, Totals]) -> Totals:
    """Return the damage of an attack, of which each kind of hit has a chance and a damage; else none."""
    found: Counter[int] = Counter({0: 1 - sum(hits.values())})
    for kind, chance in hits.items():
        for damage, part in damages[kind].items():
            found[max(0, damage)] += chance * part
    return found


def takes_points(damage: Totals) -> Turn:
    """Return the turn of a duelist whose blow costs points and nothing else."""
    return lambda own, other: {(own, (other[0] - lost,)): chance for lost, chance in damage.items() if chance}


def of_d20(bonus: int, number: int, damage: Totals, critical: Totals) -> Turn:
    """Return a turn with one attack: 20 hits with twice the dice, 1 misses (SRD-12, SRD-13, SRD-17)."""
    hits = sum(face + bonus >= number for face in range(2, 20)) / 20
    return takes_points(blows({"hit": hits, "critical": 1 / 20}, {"hit": damage, "critical": critical}))


def of_waygate(bonus: int, armor: int, rolled: Totals, plus: int) -> Turn:
    """Return a turn with one blow, which must exceed the armor; 20 doubles the dice (WAY-21, WAY-56)."""
    hits = sum(face + bonus > armor for face in range(2, 20)) / 20
    damages = {
        kind: {times * total + plus: chance for total, chance in rolled.items()}
        for kind, times in (("hit", 1), ("critical", 2))
    }
    return takes_points(blows({"hit": hits, "critical": 1 / 20}, damages))


def of_xcom(aim: int, defense: int, dodge: int, crit: int, base: int, most: int, armor: int) -> Turn:
    """Return a turn with one shot, after which it is over (XCM-37, XCM-60 to XCM-65)."""
    hit, dodged, doubled = aim - defense, dodge / 100, crit / 100
    hits = {
        "graze": hit / 100 * dodged * (1 - doubled),
        "critical": hit / 100 * (1 - dodged) * doubled,
        "hit": hit / 100 * (dodged * doubled + (1 - dodged) * (1 - doubled)),
    }
    rolls = range(1, most + 1)
    raw = {
        "graze": [(base + roll + 1) // 2 for roll in rolls],
        "critical": [base + roll + most for roll in rolls],
        "hit": [base + roll for roll in rolls],
    }
    damages = {
        kind: {value: many / most for value, many in Counter(max(1, each - armor) for each in values).items()}
        for kind, values in raw.items()
    }
    return takes_points(blows(hits, damages))


def of_atlantis(melee: int, damage: int, other_melee: int, fulls: tuple[int, int], per_attack: int) -> Turn:
    """Return a turn with one attack on a duelist of (life, armour pool).

    `fulls`: the life of both when unhurt. ATL-03 to ATL-05, ATL-23, ATL-34, ATL-37, ATL-41.
    """

    def turn(own: Duelist, other: Duelist) -> Mapping[Pair, float]:
        resistance = max(25, other_melee - _wounds(fulls[1] - other[0]))
        found: Counter[Pair] = Counter()
        for luck, chance in _luck():
            success = melee + luck - _wounds(fulls[0] - own[0]) - resistance
            times = sum(success >= least for least in (1, 11, 26, 51, 76))
            absorbed = min(damage * times, per_attack, other[1])
            found[own, (other[0] - damage * times + absorbed, other[1] - absorbed)] += chance
        return found

    return turn


def _wounds(lost: int) -> int:
    """Return the penalty for lost life (ATL-41)."""
    return 5 * sum(lost >= least for least in (11, 26, 51, 76))


def _luck() -> Iterator[tuple[int, float]]:
    for face in range(2, 20):
        yield face, 1 / 20
    for face in range(1, 21):
        yield -face, 1 / 400
        yield 20 + face, 1 / 400


def of_atomic(save: int, damage: Totals) -> Turn:
    """Return a turn with one attack on a duelist of (hearts, stamina, banes), which defends with a save.

    A minor wound takes stamina, then a heart. A major one takes two hearts and is a bane on all rolls. The
    attacker wins ties (ATO-28, ATO-30, ATO-34, ATO-35).
    """

    def turn(own: Duelist, other: Duelist) -> Mapping[Pair, float]:
        faces = product(range(1, 21), repeat=2)
        hit = sum(face - own[2] >= defence + save - other[2] for face, defence in faces) / 400
        hearts, stamina, banes = other
        minor = (hearts, stamina - 1, banes) if stamina else (hearts - 1, stamina, banes)
        light = sum(chance for amount, chance in damage.items() if amount <= 9)
        found = {(own, other): 1 - hit}
        for wounded, chance in ((minor, light), ((max(0, hearts - 2), stamina, banes + 1), 1 - light)):
            found[own, wounded] = found.get((own, wounded), 0) + hit * chance
        return found

    return turn


def of_arden(attack: int, defence: int, band: int, armor: int, most: int) -> Turn:
    """Return a turn of a duelist of (health, action points, their limit); `most`: the limit when fresh.

    It strikes until a miss or until nothing is left, which halves the limit, and gets one point back (APD-01,
    APD-08 to APD-15, APD-37, APD-40).
    """
    faces: Counter[int] = Counter()
    for face in range(1, 21):
        score, effect = face + attack, face + band - armor
        damage = 1 + sum(effect >= least for least in (10, 15, 20))
        faces[damage if score > 10 + defence else 0 if score == 10 + defence else -1] += 1

    def strikes(own: Duelist, other: Duelist) -> Iterator[tuple[Pair, float]]:
        health, points, limit = own
        for result, many in faces.items():
            left = points - 1
            spent = (health, left, max(1, most // 2) if left == 0 and limit == most else limit)
            hurt = (max(0, other[0] - max(0, result)), *other[1:])
            if result < 0 or left == 0 or hurt[0] == 0:
                rested = (health, min(spent[2], left + 1), spent[2])
                yield (rested, hurt), many / 20
            else:
                yield from ((pair, many / 20 * part) for pair, part in strikes(spent, hurt))

    def turn(own: Duelist, other: Duelist) -> Mapping[Pair, float]:
        found: Counter[Pair] = Counter()
        for pair, chance in strikes(own, other):
            found[pair] += chance
        return found

    return turn


def _weapon(name: str, damage: object) -> Mapping[str, Any]:
    return {"name": name, "damage": damage}


def _attack(name: str, to_hit: int, damage: str) -> Mapping[str, Any]:
    return {"name": name, "to_hit": to_hit, "damage": [damage]}


def _fencer(melee: int, damage: int) -> Mapping[str, Any]:
    return {
        "abilities": {"melee": melee},
        "attacks_per_round": 1,
        "weapons": [_weapon("sword", damage)],
    }


DUELS: Mapping[str, Duel] = {
    "simple": Duel(
        (
            {"max_hp": 9, "defence": 14, "attack": 5, "weapons": [_weapon("sword", "1d6")]},
            {"max_hp": 9, "defence": 11, "armour": 1, "attack": 4, "weapons": [_weapon("axe", "1d8")]},
        ),
        ((9,), (9,)),
        (of_d20(5, 11, dice(1, 6, -1), dice(2, 6, -1)), of_d20(4, 14, dice(1, 8), dice(2, 8))),
    ),
    "srd5": Duel(
        (
            {"max_hp": 14, "ac": 16, "powers": [], "attacks": [_attack("sword", 5, "1d8+3 slashing")]},
            {"max_hp": 16, "ac": 13, "attacks": [_attack("spear", 4, "2d6+1 piercing")]},
        ),
        ((14,), (16,)),
        (of_d20(5, 13, dice(1, 8, 3), dice(2, 8, 3)), of_d20(4, 16, dice(2, 6, 1), dice(4, 6, 1))),
    ),
    "waygate": Duel(
        (
            {"max_hp": 12, "armor": 12, "aether_marks": 0, "weapons": [_weapon("blade", "1d8")]},
            {"max_hp": 14, "armor": 10, "weapons": [_weapon("club", "2d6")]},
        ),
        ((12,), (14,)),
        (of_waygate(2, 10, dice(1, 8), 2), of_waygate(1, 12, dice(2, 6), 1)),
    ),
    "xcom": Duel(
        (
            {"aim": 65, "crit": 10, "dodge": 0, "armor": 1, "cover": "half", "max_health": 6},
            {"aim": 75, "crit": 5, "dodge": 20, "armor": 0, "max_health": 7},
        ),
        ((6,), (7,)),
        (of_xcom(65, 0, 20, 20, 2, 3, 0), of_xcom(75, 20, 0, 5, 1, 3, 1)),
    ),
    "atlantis": Duel(
        (
            {"max_life": 40, "max_armour_pool": 20, "armour_per_attack": 6, **_fencer(38, 12)},
            {"max_life": 45, "max_armour_pool": 10, "armour_per_attack": 4, **_fencer(40, 11)},
        ),
        ((40, 20), (45, 10)),
        (of_atlantis(38, 12, 40, (40, 45), 4), of_atlantis(40, 11, 38, (45, 40), 6)),
    ),
    "atomic_d20": Duel(
        (
            {"reflex": 3, "fortitude": 2, "max_hearts": 2, "stamina": 1, "weapons": [_weapon("axe", "2d6")]},
            {"reflex": 1, "fortitude": 0, "max_hearts": 3, "weapons": [_weapon("club", "2d8")]},
        ),
        ((2, 1, 0), (3, 1, 0)),
        (of_atomic(1, dice(2, 6)), of_atomic(3, dice(2, 8))),
    ),
    "arden": Duel(
        (
            {"max_hp": 5, "max_ap": 3, "armor": 1, "weapons": [{"name": "sword", "bands": [3, 1, 0]}]},
            {"max_hp": 6, "max_ap": 3, "armor": 0, "weapons": [{"name": "club", "bands": [4, 0, 0]}]},
        ),
        ((5, 3, 3), (6, 3, 3)),
        (of_arden(3, 1, 3, 0, 3), of_arden(2, 2, 4, 1, 3)),
    ),
}
