"""Counterspells: asked before a spell counts, withstood by a save, and never asked in vain."""

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
