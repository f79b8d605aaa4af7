"""Effects that carry out another action of their owner, and counters that several effects share."""

import pytest

from systems.commands.actions import typed_options
from systems.commands.preview import preview
from systems.errors import Refused, Wrong
from systems.schema.conversion import read
from systems.visibility.build import offered
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Viewer
from tests.systems.effects.creatures import GAME, MIRA, effect_fight

LEGENDARY = {"when": "end", "whose": "others", "offered": True, "spends": "legendary"}
DRAGON = {
    "max_hp": 100,
    "defence": 16,
    "attack": 8,
    "weapons": [{"name": "claw", "damage": "1d6"}, {"name": "tail", "damage": "2d6"}],
    "counters": [{"name": "legendary", "full": 3, "refills": "turn"}],
    "effects": [
        {"name": "Tail Strike", "use": "tail", **LEGENDARY},
        {
            "name": "Wing Attack",
            "who": "foes",
            "save": "dexterity",
            "dc": 15,
            "damage": ["2d6"],
            "condition": "prone",
            "cost": 2,
            **LEGENDARY,
        },
        {"name": "Roar", "who": "self", "temp_hp": "5", **LEGENDARY},
        {"name": "Thrash", "when": "asked", "use": "Wing Attack", "uses": 1},
    ],
}


def dragon_fight(**changes):
    return effect_fight(
        "add mira", "add bo", "add dragon", "start dice=20,19,1", dragon={**DRAGON, **changes}
    )


def commands(fight):
    return [offer.command for offer in fight.encounter.offers]


def legendary(fight):
    return fight.sheet("dragon").counters[0].now


def test_an_offered_line_carries_out_an_attack_of_its_owner_and_pays_from_the_shared_counter():
    fight = dragon_fight()
    assert fight.text("next") == "Bo's turn. Next: Dragon."
    assert commands(fight) == [
        'effect effect="Tail Strike" by dragon',
        'effect effect="Wing Attack" by dragon',
        "effect dragon effect=Roar by dragon",
    ]
    said = fight.text('effect mira effect="tail strike" by dragon dice=15,3,4')
    assert "Dragon uses Tail Strike. Legendary, 2 left. Dragon hits Mira with tail for 7" in said
    assert (legendary(fight), commands(fight)) == (2, [])
    fight.do("undo")
    assert (legendary(fight), len(commands(fight))) == (3, 3)


def test_an_area_against_all_foes_is_offered_and_finds_its_targets_itself():
    fight = dragon_fight()
    fight.do("next")
    said = fight.text('effect effect="Wing Attack" by dragon dice=3,4,5,17')
    assert "Wing Attack: Mira fails and takes 9 damage" in said
    assert "Wing Attack: Bo succeeds" in said
    assert (legendary(fight), fight.conditions("mira"), fight.conditions("bo")) == (1, ["prone"], [])


def test_a_menu_lists_only_what_can_be_paid_and_the_counter_refills_in_its_owners_turn():
    fight = dragon_fight(counters=[{"name": "legendary", "full": 3, "now": 1, "refills": "turn"}])
    fight.do("next")
    assert not any("Wing" in line for line in commands(fight))
    assert "(legendary, 1 left)" in fight.encounter.offers[0].says
    with pytest.raises(Refused, match="Dragon has 1 legendary left and needs 2 for Wing Attack"):
        fight.do('effect effect="wing attack" by dragon')
    assert "Dragon has legendary 3 again." in fight.text("next")


def test_the_odds_of_a_line_are_those_of_the_action_that_it_carries_out():
    fight = dragon_fight()
    here, effect, attack = fight.encounter, GAME.action("effect"), GAME.action("attack")
    used = preview(here, effect, "dragon", "mira", typed_options(effect, {"effect": "Tail Strike"}))
    assert used == preview(here, attack, "dragon", "mira", typed_options(attack, {"weapon": "tail"}))
    assert used.works is not None
    itself = preview(here, effect, "dragon", "dragon", typed_options(effect, {"effect": "Tail Strike"}))
    assert itself.refused == "Dragon cannot target itself with attack."


def test_a_line_that_carries_out_another_effect_counts_its_own_uses_and_pays_for_both():
    fight = dragon_fight()
    assert "Dragon uses Thrash." in fight.text("effect effect=thrash by dragon dice=3,4,5,17")
    assert fight.sheet("dragon").effects[3].spent == 1
    assert legendary(fight) == 1
    with pytest.raises(Refused, match="cannot use Thrash again yet"):
        fight.do("effect effect=thrash by dragon")


def test_an_amendment_of_an_earlier_turn_replays_what_a_line_has_carried_out():
    fight = dragon_fight()
    fight.do("next")
    fight.do('effect mira effect="tail strike" by dragon dice=15,3,4')
    fight.do('amend 6 effect bo effect="tail strike" by dragon')
    assert (fight.sheet("mira").hp, fight.sheet("bo").hp, legendary(fight)) == (40, 33, 2)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            {"when": "asked", "use": "tial"},
            'effects[0].use: there is no "tial" on this sheet; did you mean tail?',
        ),
        (
            {"when": "asked", "use": "tail", "spends": "legendery"},
            'effects[0].spends: there is no counter "legendery" on this sheet; did you mean legendary?',
        ),
        ({"when": "hit", "use": "tail"}, "effects[0].use: needs when = asked, or offered"),
        ({"when": "asked", "use": "tail", "damage": ["1d6"]}, "effects[0].damage: belongs to the action"),
        ({"when": "asked", "remind": "A", "cost": 2}, "effects[0].cost: needs spends, the counter that pays"),
    ],
)
def test_a_mistake_in_a_line_that_uses_or_pays_names_its_field_and_what_it_should_be(line, says):
    with pytest.raises(Wrong) as wrong:
        _read_with_names({**DRAGON, "effects": [{"name": "A", **line}]})
    assert says in str(wrong.value)


def _read_with_names(sheet):
    raise next(iter(GAME.effects.loose_names(read(GAME.sheet, sheet))))


def test_a_counter_that_effects_spend_is_not_offered_a_second_time():
    counters = [{"name": "legendary", "full": 3, "refills": "turn", "offered": True}]
    fight = dragon_fight(counters=counters)
    fight.do("next")
    assert {offer.action for offer in fight.encounter.offers} == {"effect"}


def test_a_player_s_own_offers_reach_its_seat_and_a_hidden_dragon_s_do_not():
    rally = {**LEGENDARY, "name": "Rally", "whose": "allies", "use": "sword"}
    mira = {**MIRA, "counters": DRAGON["counters"], "effects": [rally]}
    fight = effect_fight("add mira", "add bo", "add dragon hidden", dragon=DRAGON, mira=mira)
    fight.do("start dice=1,19,20")
    fight.do("next")
    seen = seen_encounter(fight.encounter, Viewer(frozenset({"mira"})))
    [own] = [offered(seen, offer) for offer in seen.offers]
    assert (own.line, own.is_open) == ("effect effect=Rally", True)
    event = fight.do('effect bo effect="tail strike" by dragon dice=15,3,4')
    told = [each for each in event.sentences if not each.seen and not (each.public is None and each.about)]
    assert not any("Tail Strike" in str(each.public) for each in told)
