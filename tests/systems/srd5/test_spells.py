"""The table of spells, and a spell as an entry of its caster."""

import pytest

from systems.commands.preview import preview
from systems.errors import Refused, Wrong
from systems.language.sheet_labels import known_names
from systems.language.sheet_lines import read_sheet_line
from systems.requests import odds
from systems.sheets import read_sheet
from systems.srd5.spells import SPELLS, cast_by
from tests.systems.fight import Entry, Fight
from tui.campaign.campaign import loaded_game
from tui.campaign.tables import read_table

SRD = loaded_game("srd5")


def typed(line):
    found = read_sheet_line(SRD, line, known_names(SRD, []))
    assert not found.wrong
    return read_sheet(SRD, found.fields, "")


def test_all_116_spells_can_be_read_and_cast():
    entries, problems = read_table(SRD, SPELLS)
    assert (len(entries), problems) == (116, [])
    for spell in entries.values():
        for level in range(spell.level, 10):
            name, entry = cast_by(spell, 4, 3, level)
            read_sheet(SRD, {name: [{"name": spell.name, **entry}]}, "")


@pytest.mark.parametrize(
    ("level", "damage"), [(0, ["8d6 fire"]), (3, ["8d6 fire"]), (5, ["10d6 fire"]), (9, ["14d6 fire"])]
)
def test_a_higher_slot_adds_damage(level, damage):
    name, entry = cast_by(SPELLS.entries["fireball"], 4, 3, level)
    assert (name, entry["damage"], entry["dc"], entry["slot"]) == ("powers", damage, 15, max(3, level))


def test_the_modifier_of_the_caster_is_added_to_healing():
    assert cast_by(SPELLS.entries["cure_wounds"], 4, 2, 2)[1]["healing"] == "4d8+4"


def test_a_spell_with_an_attack_roll_is_an_attack():
    name, entry = cast_by(SPELLS.entries["scorching_ray"], 4, 3)
    assert (name, entry["to_hit"], entry["kind"], entry["range"]) == ("attacks", 7, "ranged", 120)


def test_a_spell_named_in_a_line_has_the_number_of_its_caster():
    ro = typed("Ro wizard 5, int 18, fireball, web, scorching ray, dagger +5 1d4+2 piercing")
    assert [(power.name, power.dc, power.slot) for power in ro.powers] == [
        ("Fireball", 15, 3),
        ("Web", 15, 2),
    ]
    assert {attack.name: attack.to_hit for attack in ro.attacks} == {"dagger": 5, "Scorching Ray": 7}
    assert typed("Elin cleric 5, wis 16, healing word slot 2").powers[0].healing == "4d4+3"


def caster(line):
    """Return a fight of a caster of one line against a foe."""
    fight = Fight(SRD)
    fight.roster = {
        "mira": Entry("Mira", "players", typed(line)),
        "bo": Entry("Bo", "foes", read_sheet(fight.game, {"ac": 5, "max_hp": 300}, "")),
    }
    fight.do("add mira")
    fight.do("add bo")
    fight.do("start dice=10,10")
    return fight


@pytest.mark.parametrize(
    ("spell", "command", "dice", "lost"),
    [
        ("fireball", "power bo power=fireball", "1,6,6,6,6,6,6,6,6", 48),
        ("fireball", "power bo power=fireball slot=5", "1,6,6,6,6,6,6,6,6,6,6", 60),
        ("flame strike", 'power bo power="flame strike" slot=6', "1,6,6,6,6,6,6,6,6,6,6,6,6", 72),
        ("guiding bolt", 'attack bo weapon="guiding bolt" slot=3', "15,6,6,6,6,6,6", 36),
    ],
)
def test_a_higher_slot_adds_the_dice_of_the_table(spell, command, dice, lost):
    fight = caster(f"Mira cleric 13, wis 10, {spell}")
    slot = int(command.rpartition("slot=")[2]) if "slot=" in command else 3
    fight.do(f"{command} by mira dice={dice}")
    assert fight.sheet("bo").hp == 300 - lost
    left = {slots.level: (slots.left, slots.total) for slots in fight.sheet("mira").spell_slots}
    assert left[slot][0] == left[slot][1] - 1
    fight.do("undo")
    assert fight.sheet("bo").hp == 300


def test_the_prompt_says_which_spell_a_new_concentration_ends():
    fight = caster("Mira cleric 5, wis 16, bless, hold person")
    fight.do("power mira bless by mira")
    action = fight.game.action("power")
    seen = preview(fight.encounter, action, "mira", "bo", action.options(power="hold person"))
    assert dict(seen.notes)["power=Hold Person"] == "level 2: 3 of 3 slots left, ends Bless"


def test_a_slot_may_be_named_by_its_ordinal():
    fight = caster("Mira cleric 13, wis 10, fireball")
    assert fight.do("power bo fireball 5th by mira").options["slot"] == 5
    with pytest.raises(Wrong, match="slot: expected a whole number from 1 to 9, 1st for 1 and so on"):
        fight.do("power bo fireball slot=11th by mira")


def test_a_higher_slot_heals_more_and_the_prompt_says_what_each_slot_makes_of_a_spell():
    fight = caster("Mira cleric 5, wis 16, cure wounds, hold person")
    fight.do("damage mira 20")
    before = fight.sheet("mira").hp
    fight.do('power mira power="cure wounds" slot=3 by mira dice=1,1,1,1,1,1')
    assert fight.sheet("mira").hp == before + 6 + 3
    options = fight.game.action("power").options
    here = fight.encounter
    seen = preview(here, fight.game.action("power"), "mira", "mira", options(power="cure wounds", slot=2))
    assert dict(seen.notes)["slot=2"] == "heals 4d8+3, 3 of 3 left"
    assert dict(seen.notes)["slot=3"] == "heals 6d8+3, 1 of 2 left"
    held = preview(here, fight.game.action("power"), "mira", "bo", options(power="hold person"))
    assert dict(held.notes)["slot=3"] == "2 targets, 1 of 2 left"


def test_the_odds_count_the_dice_of_a_higher_slot_in_a_fight_and_not_in_a_request():
    fight = caster("Mira wizard 13, int 10, cone of cold")
    action = fight.game.action("power")

    def average(slot):
        seen = preview(fight.encounter, action, "mira", "bo", action.options(slot=slot))
        return sum(amount * chance for amount, chance in seen.amounts.items())

    lower = average(5)
    assert average(7) > lower + 6  # two dice of 4.5 each, half of them on a success
    slots = [{"name": f"level {level}", "level": level, "total": 1} for level in (5, 6)]
    power = {"name": "Cone of Cold", "damage": ["8d8 cold"], "slot": 5}
    request = {
        "action": "power",
        "actor": {"powers": [power], "spell_slots": slots},
        "target": {"max_hp": 300},
    }
    assert odds(SRD, {**request, "options": {"slot": 6}})["facts"] == odds(SRD, request)["facts"]


def test_the_rays_of_one_casting_cost_one_slot_on_one_target_or_several():
    fight = caster("Mira wizard 5, int 10, scorching ray")
    rays = 'weapons="scorching ray,scorching ray,scorching ray"'
    fight.do(f"multiattack bo {rays} by mira")
    assert [slots.left for slots in fight.sheet("mira").spell_slots] == [4, 2, 2]
    fight.do("add bo")
    fight.do(f"multiattack bo,bo-3*2 {rays} by mira")
    assert [slots.left for slots in fight.sheet("mira").spell_slots] == [4, 1, 2]
    fight.do('attack bo weapon="scorching ray" by mira')
    assert [slots.left for slots in fight.sheet("mira").spell_slots] == [4, 0, 2]
    with pytest.raises(Refused, match="no spell slot of level 2 left"):
        fight.do(f"multiattack bo {rays} by mira")


def a_caster(*lines):
    fight = Fight(SRD, style="manual")
    fight.roster = {
        "ro": Entry(
            "Ro", "players", typed("Ro wizard 5, int 18, magic missile, fireball, web, scorching ray")
        ),
        "guard": Entry("Guard", "foes", read_sheet(SRD, {"max_hp": 20}, "")),
    }
    for line in ("add ro", "add guard x3", "start", *lines):
        fight.do(line)
    return fight


MISSILE = 'power="magic missile" by ro'


def test_all_darts_of_a_spell_strike_one_target_for_one_slot():
    fight = a_caster()
    assert "for 9 (hp 20 → 11). 3 darts, 9 rolled" in fight.text(f"power guard-1 {MISSILE} dice=1,2,3")
    assert [slots.left for slots in fight.sheet("ro").spell_slots] == [3, 3, 2]


def test_darts_are_split_over_targets_each_with_its_own_dice():
    text = a_caster().text(f"power guard-1*2,guard-2 {MISSILE} dice=1,2,4")
    assert text.startswith("Ro uses Magic Missile on 2 targets. Ro uses Magic Missile on Guard 1 for 5")
    assert "Ro uses Magic Missile on Guard 2 for 5 (hp 20 → 15). 1 dart, 5 rolled" in text


def test_a_higher_slot_adds_a_dart():
    fight = a_caster()
    assert "4 darts" in fight.text(f"power guard-1 slot=2 {MISSILE} dice=1,1,1,1")
    text = fight.text(f"power guard-1,guard-2 slot=3 {MISSILE} dice=1,1,1,1,1")
    assert ("3 darts" in text, "2 darts" in text) == (True, True)
    assert [slots.left for slots in fight.sheet("ro").spell_slots] == [4, 2, 1]


def test_more_targets_than_darts_are_refused_and_other_powers_take_any_number():
    fight = a_caster()
    with pytest.raises(Refused, match="3 aims"):
        fight.do(f"power guard-1*2,guard-2,guard-3 {MISSILE}")
    fight.do("power guard-1,guard-2,guard-3 power=web by ro dice=20,20,20")


def test_the_odds_of_darts_count_those_at_the_target():
    fight = a_caster()
    power = fight.game.action("power")
    options = power.options(power="Magic Missile")
    for aims, expected in ((["guard-1"], 10.5), (["guard-1", "guard-1", "guard-2"], 7)):
        odds = preview(fight.encounter, power, "ro", "guard-1", options, aims=aims)
        assert float(odds.expected) == expected


def test_an_amended_split_of_darts_is_the_same_split():
    fight = a_caster()
    number = fight.do(f"power guard-1*2,guard-2 {MISSILE} dice=1,2,4").n
    fight.do(f"amend {number} slot=2 dice=1,1,1,1")
    assert [fight.sheet(f"guard-{at}").hp for at in (1, 2)] == [16, 16]


RAYS = 'weapon="scorching ray" by ro'


def test_an_attack_with_a_spell_of_several_rays_makes_all_of_them_for_one_slot():
    fight = a_caster()
    assert "2 of 3 attacks" in fight.text(f"attack guard-1 {RAYS} dice=15,1,2,2,15,3,3")
    assert [slots.left for slots in fight.sheet("ro").spell_slots] == [4, 2, 2]
    text = fight.text("attack guard-1*2,guard-2 by ro dice=2,2,2")
    assert text.startswith("Ro makes 3 attacks on 2 targets.")


def test_a_higher_slot_adds_a_ray():
    fight = a_caster()
    assert "4 attacks on 2" in fight.text(f"attack guard-1,guard-2 slot=3 {RAYS} dice=2,2,2,2")
    assert [slots.left for slots in fight.sheet("ro").spell_slots] == [4, 3, 1]


def test_the_odds_of_a_spell_of_several_rays_count_all_of_them():
    fight = a_caster()
    attack = fight.game.action("attack")
    one, slot3 = (attack.options(weapon="Scorching Ray", slot=slot) for slot in (None, 3))
    found = [preview(fight.encounter, attack, "ro", "guard-1", options) for options in (one, slot3)]
    single = preview(
        fight.encounter,
        fight.game.action("multiattack"),
        "ro",
        "guard-1",
        fight.game.action("multiattack").options(weapons=("Scorching Ray",) * 4, spend=False),
    )
    assert found[1].amounts == single.amounts
    assert found[1].expected > found[0].expected


def test_rays_that_a_fallen_target_leaves_cost_no_further_slot():
    fight = a_caster("set guard-1 hp 1", "set guard-1 dies_at_zero yes")
    fight.do(f"attack guard-1 {RAYS} dice=15,1,2")
    [offer] = fight.encounter.offers
    fight.do(offer.command.replace("multiattack", "multiattack guard-2") + " dice=15,1,2,2")
    assert [slots.left for slots in fight.sheet("ro").spell_slots] == [4, 2, 2]
