"""Characters typed as one line: a class gives hit dice, saves, proficiency and spell slots."""

from fractions import Fraction

import pytest

from systems import load
from systems.commands.dispatcher import perform
from systems.commands.preview import preview
from systems.commands.table import read_command
from systems.contract.table import ScriptedChoices
from systems.encounter.changes import apply
from systems.errors import Refused
from systems.language.sheet_labels import known_names
from systems.language.sheet_lines import read_sheet_line
from systems.sheets import read_sheet
from systems.srd5.classes import CLASSES
from systems.srd5.policy import POLICY
from tests.systems.fight import Entry, Fight
from tui.campaign.campaign import loaded_game

SRD = load("srd5")


def typed(line):
    found = read_sheet_line(SRD, line, known_names(SRD, []))
    assert not found.wrong
    return read_sheet(SRD, found.fields, "")


def test_a_fighter_is_one_line():
    mira = typed("Mira fighter 5, ac 18, hp 44, con 14, longsword +7 1d8+4, second wind 1/short rest")
    assert (mira.level, mira.ac, mira.max_hp, mira.proficiency) == (5, 18, 44, 3)
    assert mira.saves == {"strength": 3, "constitution": 5}
    assert (mira.hit_dice[0].die, mira.hit_dice[0].total) == ("d10", 5)
    assert mira.attacks[0].damage == ("1d8+4 slashing",)
    [wind] = mira.powers
    assert (wind.name, wind.uses_per_day, wind.back_after) == ("second wind", 1, "short_rest")
    assert not mira.dies_at_zero


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        ("wizard 1", [2]),
        ("cleric 5", [4, 3, 2]),
        ("sorcerer 20", [4, 3, 3, 3, 3, 2, 2, 1, 1]),
        ("paladin 5", [4, 2]),
        ("fighter 20", []),
        ("warlock 3", [2]),
        ("warlock 17", [4]),
        ("wizard 3, cleric 2", [4, 3, 2]),
    ],
)
def test_a_class_gives_its_spell_slots(line, slots):
    assert [each.total for each in typed(f"Elin {line}").spell_slots] == slots


def test_the_slots_of_a_warlock_come_back_after_a_short_rest():
    [pact] = typed("Zed warlock 5").spell_slots
    assert (pact.level, pact.back_after) == (3, "short_rest")


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("Mira Fighter 5", "level", 5),
        ("Mira Fighter 3/Rogue 2", "level", 5),
        ("Zed monk 5, armour class 17", "ac", 17),
        ("Zed monk 5, Armor Class 17", "ac", 17),
        ("Zed monk 5, hit points 40", "max_hp", 40),
        ("Zed monk 5, speed 45 ft., fly speed 60", "speed", {"walk": 45, "fly": 60}),
        ("Zed monk 5, resistant to fire and cold", "resistances", ("fire", "cold")),
        ("Zed monk 5, immune to poisoned", "condition_immunities", ("poisoned",)),
        ("Zed monk 5, wis save +4, strength save 3", "saves", {"strength": 3, "dexterity": 3, "wisdom": 4}),
        ("Ro rogue 5, cunning action", "traits", ("rogue 5", "cunning action")),
    ],
)
def test_a_line_reads_what_a_character_sheet_says(line, field, value):
    assert getattr(typed(line), field) == value


def test_a_skill_is_its_name_and_its_bonus():
    sheet = typed("Zed monk 5, sleight of hand +7, perception 5, passive perception 15")
    assert [(skill.name, skill.bonus) for skill in sheet.skills] == [
        ("sleight_of_hand", 7),
        ("perception", 5),
    ]


@pytest.mark.parametrize("line", ["Giant Bird 2", "Ser Shield", "Guard Wolf 3"])
def test_a_name_with_a_number_is_no_class(line):
    assert typed(line).level == 0


def test_spells_are_typed_with_their_save_or_their_healing():
    sheet = typed("Ro wizard 5, fireball dc 15 dex 8d6 fire half slot 3, mending heals 2d4+4 slot 1")
    ball, mending = sheet.powers
    assert (ball.save, ball.dc, ball.damage, ball.half, ball.slot) == (
        "dexterity",
        15,
        ("8d6 fire",),
        True,
        3,
    )
    assert (mending.healing, mending.slot) == ("2d4+4", 1)


def test_hit_points_without_a_number_are_the_average_of_the_class():
    assert typed("Ro wizard 1").max_hp == 6
    assert typed("Mira fighter 5, con 14").max_hp == 44


@pytest.mark.parametrize(
    ("line", "wrong", "meant"),
    [
        ("Tess fightr 5, ac 18", '"fightr" is not known here; did you mean fighter?', "fighter 5"),
        ("Bob wizard 3, fire bal", '"fire bal" is not known here; did you mean Fireball?', "Fireball"),
        ("Zed monk 5, stelth +7", '"stelth" is not known here; did you mean stealth?', "stealth +7"),
        (
            "Zed monk 5, immune to nekrotic",
            '"nekrotic" is not known here; did you mean necrotic?',
            "immune to necrotic",
        ),
        ("Ela rogue 25", "a rogue has a level from 1 to 20, got 25", ""),
        ("Pia artificer 3", '"artificer 3" fits nothing here', ""),
    ],
)
def test_a_misspelt_class_or_spell_is_named_with_the_one_that_is_meant(line, wrong, meant):
    found = read_sheet_line(loaded_game("srd5"), line, {})
    [part] = [part for part in found.parts if part.kind in ("near", "error")]
    assert part.says.startswith(wrong)
    assert part.suggestion == meant


def test_usual_weapons_bring_their_type_their_reach_and_their_range():
    wren = typed("Wren ranger 5, longbow +7 1d8+4, dagger +7 1d4+4, pike +6 1d10+3, 2 attacks")
    bow, dagger, pike = wren.attacks
    assert (bow.kind, bow.range, bow.long_range, bow.damage) == ("ranged", 150, 600, ("1d8+4 piercing",))
    assert (dagger.kind, dagger.range, pike.reach) == ("either", 20, 10)
    assert [(each.name, each.times) for each in wren.multiattack] == [("longbow", 2)]
    [far] = typed("Wren ranger 5, old bow +7 1d8 cold range 90/180").attacks
    assert (far.kind, far.range, far.long_range, far.damage) == ("ranged", 90, 180, ("1d8 cold",))


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_a_line_of_every_class_and_level_is_a_sheet(name):
    for level in range(1, 21):
        sheet = typed(f"Ash {name} {level}, con 14")
        assert (sheet.level, sum(dice.total for dice in sheet.hit_dice)) == (level, level)
        assert len(sheet.saves) == 2


def test_features_are_counted_or_read():
    sheet = typed("Nim rogue 8, sneak attack 4d6, action surge 1/short, stun dc 15 con stunned")
    assert sheet.traits == ("rogue 8", "sneak attack 4d6")
    surge, stun = sheet.powers
    assert (surge.uses_per_day, surge.back_after, stun.conditions) == (1, "short_rest", ("stunned",))


def test_a_wizard_raises_the_shield_of_its_line_for_a_slot():
    fight = Fight(loaded_game("srd5"))
    found = read_sheet_line(fight.game, "Ro wizard 5, ac 12, shield", {})
    orc = {"attacks": [{"name": "axe", "to_hit": 5, "damage": ["1d12+3 slashing"]}]}
    fight.roster = {
        "ro": Entry("Ro", "players", read_sheet(fight.game, found.fields, "")),
        "orc": Entry("Orc", "foes", read_sheet(fight.game, orc, "")),
    }
    for line in ("add ro", "add orc", "start dice=10,10"):
        fight.do(line)
    raised = ScriptedChoices([True])
    command = read_command(fight.encounter, "attack ro by orc dice=10")
    done = perform(fight.encounter, fight.log, fight.roster, command, fight.dice, raised)
    assert str(done.text) == "Ro uses Shield (+5). Orc misses Ro with the axe. 15 against 17."
    after = apply(fight.encounter, done).combatants["ro"]
    assert after.sheet.spell_slots[0].left == 3
    assert [held.name for held in after.conditions] == ["shielded"]


def party():
    """Return a fight of a cleric with bless, a fighter, and an orc, in this order."""
    fight = Fight(loaded_game("srd5"))
    lines = (
        "Elin cleric 5, wis 18, con 14, hp 38, bless, hold person, guiding bolt, longstrider",
        "Mira fighter 5, hp 44, longsword +7 1d8+4",
    )
    for line in lines:
        found = read_sheet_line(fight.game, line, {})
        sheet = read_sheet(fight.game, found.fields, "")
        fight.roster[found.name.lower()] = Entry(found.name, "players", sheet)
    orc = {"ac": 16, "max_hp": 60, "attacks": [{"name": "axe", "to_hit": 5, "damage": ["1d12+3 slashing"]}]}
    fight.roster["orc"] = Entry("Orc", "foes", read_sheet(fight.game, orc, ""))
    for line in ("add elin", "add mira", "add orc", "start dice=20,15,1"):
        fight.do(line)
    return fight


def blessed(fight):
    return [each.id for each in fight.encounter if any(held.name == "blessed" for held in each.conditions)]


def test_bless_adds_a_die_to_attacks_and_saves_in_play_and_in_the_odds():
    fight = party()
    fight.do("power elin,mira power=bless by elin")
    assert blessed(fight) == ["elin", "mira"]
    attack = fight.game.action("attack")
    found = preview(fight.encounter, attack, "mira", "orc", attack.options())
    rolls = [(face, die) for face in range(1, 21) for die in range(1, 5)]
    hits = sum(face == 20 or (face > 1 and face + 7 + die >= 16) for face, die in rolls)
    assert found.works == Fraction(hits, 80)
    assert "16 against 16" in fight.text("attack orc by mira dice=6,3,1")
    save = fight.do("save ability=wisdom dc=15 by mira dice=12,3")
    assert (save.results[0].facts["total"], save.results[0].facts["saved"]) == (15, True)
    kept = fight.do("damage elin 22 dice=6,1")
    # A constitution save of 6 + 2 + 1 does not reach 11, half of the damage.
    assert "loses concentration" in kept.text
    assert "9 against 11." in kept.text


def test_bless_adds_its_die_to_death_saves_and_to_saves_against_a_grapple():
    fight = party()
    fight.do("power elin,mira power=bless by elin")
    grapple = fight.do("grapple mira by orc dice=9,2")
    assert "14 against 10" in grapple.text
    fight.do("damage mira 44")
    assert "10 against 10" in fight.text("death_save by mira dice=7,3")


@pytest.mark.parametrize(
    "lost",
    [
        "damage elin 22 dice=1,1",
        "damage elin 60",
        "condition elin stunned",
        "set elin concentrating none",
        "power orc power=hold by elin dice=19",
    ],
)
def test_what_a_spell_gave_ends_with_the_concentration_on_it_however_that_is_lost(lost):
    fight = party()
    fight.do("power elin,mira power=bless by elin")
    event = fight.do(lost)
    assert blessed(fight) == []
    assert "Mira is no longer blessed." in event.text
    fight.do("undo")
    assert blessed(fight) == ["elin", "mira"]


def test_a_spell_of_a_line_lasts_and_ends_by_its_own_save():
    fight = party()
    fight.do('power orc power="hold person" by elin dice=3')
    [held] = fight.encounter.combatants["orc"].conditions
    assert (held.name, held.save, held.difficulty, held.again) == ("paralyzed", "wisdom", 15, ("end",))
    fight.do('attack orc weapon="guiding bolt" by elin dice=15,15,1,1,1,1')
    assert [held.name for held in fight.encounter.combatants["orc"].conditions] == ["paralyzed", "open"]


def test_a_feature_for_oneself_finds_its_user_and_no_other_target():
    fight = party()
    wind = {"name": "second wind", "healing": "1d10+5", "area": "self", "kind": "bonus_action"}
    sheet = read_sheet(fight.game, {"max_hp": 44, "hp": 20, "powers": [wind]}, "")
    fight.roster["bo"] = Entry("Bo", "players", sheet)
    fight.do("add bo")
    with pytest.raises(Refused, match="Bo can use second wind only on itself"):
        fight.do("power mira by bo")
    fight.do("power by bo dice=4")
    assert fight.sheet("bo").hp == 29
    assert not [move for move in POLICY.moves(fight.sheet("bo"), None) if move.action == "power"]
    power = fight.game.action("power")
    assert preview(fight.encounter, power, "bo", "mira", power.options()).refused
    assert not preview(fight.encounter, power, "bo", "bo", power.options()).refused


def test_a_line_knows_which_features_are_for_oneself():
    found = read_sheet_line(SRD, "Mira fighter 5, second wind 1/short rest, lay on hands 5/long rest", {})
    assert [power.get("area") for power in found.fields["powers"]] == ["self", None]


def test_bless_cast_again_is_told_once_for_each_target():
    fight = party()
    fight.do("power elin,mira power=bless by elin")
    text = fight.text("power mira power=bless by elin")
    assert text.count("Mira is now blessed.") == 1
    assert "Elin is no longer blessed." in text
    assert blessed(fight) == ["mira"]
