"""Counterspells: asked before a spell counts, withstood by a save, and never asked in vain."""

from fractions import Fraction

from systems.commands.preview import preview
from tests.systems.srd5.facing import CASTER, facing


def test_a_counterspell_stops_a_spell_before_it_counts_and_its_slot_stays():
    fight = facing("mage", "archmage", **CASTER)
    before = fight.plain
    text = fight.text("power mage,archmage power=Fireball by mira dice=5")
    assert text == (
        "Mira uses Fireball on 2 targets. mage uses Counterspell. Mira's Fireball is stopped. "
        "constitution save 7 against 14."
    )
    assert fight.sheet("mira").spell_slots[0].left == 2
    assert fight.sheet("mage").reaction_used
    assert (fight.sheet("mage").hp, fight.sheet("mage").powers[1].used) == (81, 1)
    fight.do("undo")
    assert fight.plain == before


def test_a_spell_withstands_a_counterspell_with_a_constitution_save_and_the_next_one_is_asked():
    fight = facing("mage", "archmage", **CASTER)
    text = fight.text('attack mage weapon="Fire Bolt" by mira dice=12,14')
    assert text == (
        "mage uses Counterspell. Mira withstands it. archmage uses Counterspell. "
        "Mira's Fire Bolt is stopped. constitution save 14 against 14, constitution save 16 against 17."
    )


def test_a_counterspell_stops_no_bellow_and_is_not_asked_without_a_use_or_a_reaction():
    fight = facing("mage", **CASTER)
    assert "Counterspell" not in fight.text("power mage power=Bellow by mira dice=20,1")
    fight.do('set mage powers."Protective Magic".used 3')
    assert "Counterspell" not in fight.text("power mage power=Fireball by mira dice=20,1,1,1,1,1,1,1,1")
    fight.do('set mage powers."Protective Magic".used 0')
    fight.do("set mage reaction_used yes")
    assert "Counterspell" not in fight.text("power mage power=Fireball by mira dice=20,1,1,1,1,1,1,1,1")


def test_a_counterspell_stops_the_spells_of_a_multiattack_and_not_its_other_attacks():
    fight = facing("mage", **CASTER)
    before = fight.plain
    text = fight.text('multiattack mage weapons="Fire Bolt,Fire Bolt" by mira dice=5')
    assert text == ("mage uses Counterspell. Mira's Fire Bolt is stopped. constitution save 7 against 14.")
    fight.do("undo")
    assert fight.plain == before
    text = fight.text('multiattack mage weapons="unarmed,Fire Bolt" by mira dice=5,20')
    assert text.startswith("mage uses Counterspell. Mira critically hits mage")
    assert "Fire Bolt is stopped" in text
    assert "Counterspell" not in fight.text("multiattack mage weapons=unarmed,unarmed by mira dice=2,2")


def test_the_odds_of_a_multiattack_count_the_counterspell_that_it_may_meet():
    bolt = {"name": "Fire Bolt", "to_hit": 7, "kind": "ranged", "range": 120, "magical": True}
    fight = facing("mage", constitution=14, attacks=[{**bolt, "damage": ["1d10 fire"]}])
    action = fight.game.action("multiattack")
    bolts = action.options(weapons=("Fire Bolt", "Fire Bolt"))
    seen = preview(fight.encounter, action, "mira", "mage", bolts)
    alone = preview(fight.encounter, action, "mira", "mage", bolts, interrupts=False)
    # The constitution save of Mira, +2 against 14, fails on 1 to 11.
    assert seen.amounts[0] == Fraction(11, 20) + Fraction(9, 20) * alone.amounts[0]


def test_a_counterspell_that_is_withstood_uses_up_the_reaction_for_a_shield():
    fight = facing("mage", **CASTER)
    text = fight.text('attack mage weapon="Fire Bolt" by mira dice=20,9')
    assert "mage uses Counterspell. Mira withstands it. Mira hits mage" in text
    assert "Shield" not in text
