"""Overwatch in play: declared on one's own turn, used when a foe moves."""

import pytest

from systems.commands.actions import typed_options
from systems.commands.preview import preview
from systems.errors import Refused
from systems.visibility.build import view
from systems.visibility.viewer import Viewer
from tests.systems.fight import Fight

WATCH = ("add okado", "add tamsin", "add guard x2", "start", "overwatch by okado", "overwatch by tamsin")


def watched(**house) -> Fight:
    """The guards' turn, with Okado and Tamsin on overwatch."""
    ready = [f"set {guard} mobility 9" for guard in ("guard-1", "guard-2")]
    return Fight("xcom", *WATCH, *ready, "next", **house)


def standing(fight: Fight) -> list[tuple[str, str]]:
    return [(offer.by, offer.target) for offer in fight.encounter.offers]


def test_overwatch_is_a_final_action_and_needs_a_weapon_that_shoots():
    fight = Fight("xcom", *WATCH[:4])
    assert fight.text("overwatch by okado") == (
        "Okado goes on overwatch: may shoot at a foe that moves, no action left."
    )
    assert (fight.sheet("okado").actions_left, fight.conditions("okado")) == (0, ["on overwatch"])
    with pytest.raises(Refused, match="no action left"):
        fight.do("overwatch by okado")
    fight.do("set tamsin weapons.rifle.melee yes")
    with pytest.raises(Refused, match="no weapon that shoots"):
        fight.do("overwatch by tamsin")


def test_a_moving_foe_is_shot_at_once_by_each_combatant_on_overwatch():
    fight = watched()
    assert "Okado may shoot at Guard 1 from overwatch, which ends with the shot." in fight.text(
        "move steps=o by guard-1"
    )
    assert standing(fight) == [("okado", "guard-1"), ("tamsin", "guard-1")]
    before = fight.plain
    event = fight.do(f"{fight.encounter.offers[0].command} dice=1,100,100,6")
    assert event.actor == "okado"
    assert event.text.startswith("Okado hits Guard 1 in reaction")
    assert "The overwatch is over" in event.text
    assert (standing(fight), fight.conditions("okado")) == ([("tamsin", "guard-1")], [])
    fight.do("move steps=o by guard-2")
    assert standing(fight) == [("tamsin", "guard-1"), ("tamsin", "guard-2")]
    fight.do("undo 2")
    assert fight.plain == before


def test_the_odds_of_the_shot_count_a_dash():
    chances = []
    for dash in ("no", "yes"):
        fight = watched()
        fight.do(f"move steps=o dash={dash} by guard-1")
        offer, attack = fight.encounter.offers[0], fight.game.action("attack")
        options = typed_options(attack, offer.options)
        chances.append(preview(fight.encounter, attack, offer.by, offer.target, options).expected)
    assert chances[1] < chances[0]


def test_overwatch_spares_friends_and_ends_when_the_turn_begins():
    fight = Fight("xcom", *WATCH[:5], "move steps=o by tamsin")
    assert standing(fight) == []
    for line in ("next by okado", "next by tamsin", "next by guard-1"):
        fight.do(line)
    assert "Okado is no longer on overwatch." in fight.text("next by guard-2")
    assert not fight.sheet("okado").overwatch


def test_shots_are_taken_at_once_by_house_rule():
    fight = watched(reaction_shots="at_once")
    event = fight.do("move steps=o by guard-1 dice=100,100")
    assert [result.actor for result in event.results] == ["guard-1", "okado", "tamsin"]
    assert (standing(fight), fight.conditions("okado")) == ([], [])
    fight.do("undo")
    assert fight.conditions("okado") == ["on overwatch"]


def test_a_shot_is_offered_only_to_the_seat_that_may_take_it():
    fight = watched()
    fight.do("move steps=o by guard-1")
    seats = {
        who: view(fight.encounter, fight.log, Viewer(frozenset({who})))
        for who in ("okado", "tamsin", "guard")
    }
    assert [offer.line for offer in seats["okado"].offers] == ["attack 1 reaction=yes"]
    assert [offer.by for offer in seats["tamsin"].offers] == ["Tamsin"]
    assert seats["guard"].offers == ()
    lines = [line.text for line in seats["tamsin"].log]
    assert not any("Okado may shoot" in line for line in lines)


def test_the_odds_of_a_shot_from_overwatch_do_not_list_the_end_of_the_overwatch():
    fight = watched()
    attack = fight.game.action("attack")
    shot = preview(fight.encounter, attack, "okado", "guard-1", typed_options(attack, {"reaction": "yes"}))
    assert not [words for words, _ in shot.effects if "overwatch" in words]
