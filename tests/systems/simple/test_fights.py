"""Any game inside a fight: conditions that count, counters that fill again, heroes and others at 0."""

import pytest

from systems.commands.actions import typed_options
from systems.commands.offers import alike, question_of
from systems.commands.preview import preview
from systems.contract.outcome import Term
from systems.encounter.remembered import done_before, remembered_for, remembered_options
from systems.errors import Refused, Wrong
from systems.sheets import read_sheet
from systems.visibility.build import view
from systems.visibility.viewer import Viewer
from tests.systems.fight import Entry, Fight
from tests.systems.simple.play import play


def started(**house):
    return Fight("simple", "add okado", "add guard x2", "start dice=18,9,5", **house)


def test_conditions_are_named_in_the_terms_of_an_attack():
    fight = started()
    fight.do("condition okado bonus 2")
    fight.do("condition guard-1 exposed")
    event = fight.do("attack guard-1 dice=3,12,4")
    [result] = event.results
    assert Term("bonus", 2, of="actor") in result.terms
    assert Term("1d20", 12, "the better of two", "actor") in result.terms
    assert result.facts["result"] == "hit"


def test_cover_makes_harder_to_hit_and_one_of_each_edge_is_none():
    fight = started()
    fight.do("condition guard-1 cover 4")
    fight.do("condition okado advantage")
    fight.do("condition guard-1 obscured")
    event = fight.do("attack guard-1 dice=8")
    assert event.results[0].facts["defence"] == 14
    assert event.results[0].facts["result"] == "miss"


def test_burning_costs_its_value_as_the_turn_begins_and_a_plain_one_costs_one():
    fight = started()
    fight.do("condition guard-1 burning 3")
    fight.do("condition guard-2 burning")
    assert "Burning: Guard 1 takes 3 damage (hp 9 → 6)" in fight.text("next")
    assert "Burning: Guard 2 takes 1 damage (hp 9 → 8)" in fight.text("next")
    fight.do("condition guard-1 regenerating 2")
    fight.do("clear guard-1 burning")
    fight.do("next")
    assert "Regenerating: Guard 1 regains 2 (hp 6 → 8)." in fight.text("next")


def test_the_stunned_lose_their_turn_and_the_dead_have_none():
    fight = started()
    fight.do("condition guard-1 stunned")
    assert "Guard 2's turn" in fight.text("next")
    fight.do("condition guard-1 dead")
    fight.do("next")
    assert "Guard 2's turn" in fight.text("next")


def test_a_hero_is_down_and_another_is_dead_at_0():
    fight = started()
    assert "down" in fight.text("damage okado 99")
    assert "dead" in fight.text("damage guard-1 99")
    assert any("Okado is down" in offer.says for offer in fight.encounter.offers)


def test_an_attack_on_several_uses_its_counter_once_and_an_empty_one_is_refused():
    fight = started()
    fight.do("attack guard-1,guard-2 weapon=bow dice=15,3,15,3")
    assert fight.sheet("okado").counters[0].now == 11
    fight.do("set okado counters.arrows.now 0")
    with pytest.raises(Refused, match="Okado has no arrows left"):
        fight.do("attack guard-1 weapon=bow dice=15,3")


def test_a_counter_that_refills_each_turn_is_full_when_the_turn_begins():
    fight = started()
    fight.do("spend counter=luck by guard-1")
    assert "Guard 1 has luck 1 again" in fight.text("next")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("attack guard-1 weapon=spoon", "spoon"),
        ("spend counter=luck by okado", "luck"),
        ("check value=9000", "200"),
    ],
)
def test_a_typing_error_is_named(line, says):
    fight = started()
    with pytest.raises((Refused, Wrong), match=says):
        fight.do(line)


@pytest.mark.parametrize("order", ["sides", "manual"])
def test_the_turn_order_is_a_house_rule(order):
    assert Fight("simple", order=order).game.order(Fight("simple", order=order).house) == order


@pytest.mark.parametrize(
    ("house", "needed"),
    [
        ({"roll": "over"}, "10 or more"),
        ({"roll": "over", "ties_succeed": False}, "more than 10"),
        ({"roll": "under"}, "5 or less"),
        ({"roll": "bands"}, "7 or more"),
        ({"roll": "pool"}, "1 or more"),
    ],
)
def test_the_number_needed_is_predicted_under_the_house_rules(house, needed):
    fight = Fight("simple", "add okado", "add guard", "start", **house)
    attack = fight.game.action("attack")
    seen = preview(fight.encounter, attack, "okado", "guard", typed_options(attack, {"weapon": "sword"}))
    assert seen.needed == needed
    assert (seen.works == 1) == (house["roll"] == "bands")  # 2d6 + 5 is 7 at least


def test_initiative_is_rolled_with_the_dice_of_the_house_and_low_numbers_may_come_first():
    house = {"initiative_dice": "2d6", "initiative_first": "low"}
    fight = Fight("simple", "add okado", "add guard x2", "start dice=6,2,3,3,5,5", **house)
    assert [held.state.initiative for held in fight.encounter.in_line()] == [6, 10, 10]
    # Okado's 8 and 2 are as good as a guard's 10, whose bonus is lower.
    assert fight.encounter.progress.order == ("guard-1", "guard-2", "okado")


def test_an_offered_counter_allows_an_action_at_the_end_of_anothers_turn():
    fight = started()
    for line in (
        "set guard-2 counters.luck.offered no",
        "set guard-1 counters.luck.full 3",
        "set guard-1 weapons.spear.counter luck",
        "set guard-1 counters.luck.refills rest",
        "set guard-1 counters.luck.now 2",
    ):
        fight.do(line)
    assert "luck" not in fight.text("next")
    [offer] = fight.encounter.offers
    assert offer.says == "Guard 1 may use spear now (luck, 2 left)."
    fight.do(f"attack okado weapon={offer.options['weapon']} by {offer.by} dice=1")
    assert fight.encounter.offers == ()
    assert fight.sheet("guard-1").counters[0].now == 1


WYRM = {
    "max_hp": 90,
    "initiative": 9,
    "weapons": [
        {"name": "tail", "damage": "2d8", "counter": "legendary"},
        {"name": "bite", "damage": "2d10"},
        {"name": "wing", "damage": "2d6", "counter": "legendary", "resist": "athletics"},
    ],
    "counters": [{"name": "legendary", "full": 3, "refills": "turn", "offered": True}],
}


def with_a_wyrm():
    """A wyrm with legendary blows: Okado has the turn, then a guard, then the wyrm."""
    fight = started()
    fight.roster |= {"wyrm": Entry("Wyrm", "foes", read_sheet(fight.game, WYRM, ""))}
    fight.do("add wyrm")
    fight.do("order wyrm after guard-1")
    return fight


def offers_of_the_wyrm(fight):
    return [offer.says for offer in fight.encounter.offers if offer.by == "wyrm"]


def remembered_weapon(fight, target):
    action = fight.game.action("attack")
    found = remembered_options(fight.log.newest(), fight.encounter, action, "wyrm")
    return remembered_for(found, target).get("weapon")


def test_a_weapon_on_offer_is_never_the_default_on_its_owners_own_turn():
    fight = with_a_wyrm()
    assert "with bite" in fight.text("attack okado by wyrm dice=2")
    fight.do("attack okado weapon=bite by wyrm dice=2")
    fight.do("next")
    fight.do("attack okado weapon=tail by wyrm dice=2")
    assert offers_of_the_wyrm(fight) == []
    assert remembered_weapon(fight, "okado") == "bite"
    again = done_before(fight.log.newest(), fight.encounter, fight.encounter.combatants["wyrm"])
    assert again.options == {"weapon": "bite"}


def test_of_weapons_that_are_all_on_offer_none_is_the_default():
    only = {**WYRM, "weapons": [WYRM["weapons"][0], WYRM["weapons"][2]]}
    assert "unarmed" in play("attack", [2], actor=only)["text"]
    assert play("area", [4], actor=only)["rolls"][0]["sides"] == 4  # the die of an unarmed blow


def test_an_offer_says_how_many_uses_are_left_now():
    fight = with_a_wyrm()
    fight.do("next")
    fight.do("attack okado weapon=tail by wyrm dice=2")
    fight.do("condition guard-1 marked")
    assert "(legendary" not in fight.text("next")
    [offer, *_] = (offer for offer in fight.encounter.offers if offer.by == "wyrm")
    assert question_of(fight.encounter, alike(fight.encounter, offer)) == "Wyrm: legendary, 3 left"
    own = view(fight.encounter, fight.log, Viewer(frozenset({"wyrm"}))).offers
    assert [offer.menu for offer in own] == ["Wyrm: legendary, 3 left"] * 2
    assert fight.turn == "wyrm"  # its own turn has brought back what it had spent
    assert offers_of_the_wyrm(fight) == [
        "Wyrm may use tail now (legendary, 3 left).",
        "Wyrm may use wing now (legendary, 3 left).",
    ]
    fight.do("spend counter=legendary amount=2 by wyrm")
    assert offers_of_the_wyrm(fight) == [
        "Wyrm may use tail now (legendary, 1 left).",
        "Wyrm may use wing now (legendary, 1 left).",
    ]
    fight.do("set wyrm counters.legendary.now 0")
    assert offers_of_the_wyrm(fight) == []
