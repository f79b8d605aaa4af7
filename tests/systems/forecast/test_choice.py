"""What the policy chooses, as a game master would."""

import pytest

from systems.errors import Refused
from systems.forecast.choice import Temper, TurnChoice, choices_of, chosen
from systems.schema.conversion import replace
from tests.systems.fight import GAMES, Fight


def first(many: int) -> int:
    return 0


def choice(fight: Fight, who: str, temper: Temper = "sensible") -> TurnChoice:
    found = chosen(fight.encounter, choices_of(fight.encounter, who), temper, first)
    assert found is not None
    return found


def become(fight: Fight, who: str, **changes: object) -> None:
    combatant = fight.encounter.combatants[who]
    fight.encounter = fight.encounter.with_combatants(combatant.with_sheet(changes))


@pytest.fixture
def raid() -> Fight:
    """Okado and Tamsin against two guards."""
    return Fight("simple", "add okado", "add tamsin", "add guard x2", "start")


def test_the_sensible_strike_where_they_do_most_harm(raid: Fight) -> None:
    become(raid, "tamsin", defence=12)
    assert choice(raid, "guard-1").targets == ("tamsin",)
    become(raid, "okado", defence=1)
    assert choice(raid, "guard-1").targets == ("okado",)


def test_the_ruthless_finish_the_weakest(raid: Fight) -> None:
    become(raid, "okado", defence=5)
    become(raid, "tamsin", hp=1, defence=30)
    assert choice(raid, "guard-1").targets == ("okado",)
    assert choice(raid, "guard-1", "ruthless").targets == ("tamsin",)


def test_the_careless_strike_any_target(raid: Fight) -> None:
    choices = choices_of(raid.encounter, "guard-1")
    aims = {chosen(raid.encounter, choices, "careless", lambda many, at=at: at).targets for at in range(2)}
    assert aims == {("okado",), ("tamsin",)}


def test_the_fallen_and_those_who_have_not_arrived_are_no_targets(raid: Fight) -> None:
    become(raid, "okado", hp=0)
    raid.do("add tamsin as Mira in round 5")
    assert {each.targets for each in choices_of(raid.encounter, "guard-1")} == {("tamsin",)}


def test_an_area_reaches_the_foes_that_are_near_its_target(raid: Fight) -> None:
    spear = raid.sheet("guard-1").weapons[0]
    become(raid, "guard-1", weapons=(replace(spear, name="breath", damage="2d6", resist="climb"),))
    assert {each.targets for each in choices_of(raid.encounter, "guard-1")} == {("okado",), ("tamsin",)}
    raid.do("near okado tamsin")
    assert choice(raid, "guard-1").targets in {("okado", "tamsin"), ("tamsin", "okado")}


def test_an_empty_gun_is_loaded_before_anything_else() -> None:
    fight = Fight("waygate", "add okado", "add guard", "start")
    rifle = replace(fight.sheet("okado").weapons[0], loaded=0)
    become(fight, "okado", weapons=(rifle,))
    assert choice(fight, "okado").move.action == "reload"
    become(fight, "okado", weapons=(replace(rifle, loaded=4),))
    assert choice(fight, "okado").move.action == "attack"


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_accept_what_is_chosen(game: str) -> None:
    fight = Fight(game, "add okado", "add guard x2", "start")
    for who in ("okado", "guard-1"):
        if fight.encounter.style == "sides" and who == "guard-1":
            fight.do("next")
        while fight.turn != who and fight.encounter.style != "sides":
            fight.do("next")
        for found in choices_of(fight.encounter, who):
            words = " ".join(f'{name}="{value}"' for name, value in found.move.options.items())
            try:
                fight.done(f"{found.move.action} {','.join(found.targets)} {words} by {who}")
            except Refused as refused:  # pragma: no cover - the failure names it
                raise AssertionError(f"{found} is refused: {refused}") from None
