"""Each word of the vocabulary in a fight, and the mistakes that a line can have."""

from collections import Counter
from fractions import Fraction

import pytest

from systems.commands.preview import preview
from systems.commands.scenes import outcome_of, scene_of
from systems.contract.table import Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.errors import Refused, Wrong
from systems.language.sheet_labels import known_names
from systems.language.sheet_lines import read_sheet_line
from systems.language.tokens import quote
from systems.schema.conversion import read
from systems.schema.entry_lines import entry_values
from tests.systems.effects.creatures import GAME, MIRA, effect_fight

SHIELD = {"name": "Ember Shield", "when": "attacked", "change": {"ac": 5}}


def creature(*effects, **fields):
    return {
        "max_hp": 40,
        "defence": 12,
        "attack": 6,
        "effects": list(effects),
        "weapons": [{"name": "claw", "damage": "1d6", "type": "slashing"}],
        **fields,
    }


def against(*effects, **fields):
    return effect_fight("add mira", "add boss", "start dice=20,1", boss=creature(*effects, **fields))


def test_a_shield_is_raised_only_if_it_turns_the_hit():
    fight = against(SHIELD)
    assert "Boss uses Ember Shield (+5)." in fight.text("attack boss by mira dice=8")
    assert fight.sheet("boss").hp == 40
    fight.do("undo")
    assert "Ember Shield" not in fight.text("attack boss by mira dice=15,3")
    fight.do("undo")
    fight.do("attack boss by mira dice=8")
    assert "Ember Shield" not in fight.text("attack boss by mira dice=8,3")  # one reaction a round


def test_a_bodyguard_near_the_target_raises_its_defence():
    guard = {"name": "Guard", "when": "attacked", "whose": "allies", "near": True, "change": {"ac": 4}}
    fight = effect_fight("add mira", "add boss", "add guard", "start", boss=creature(), guard=creature(guard))
    assert "uses Guard" not in fight.text("attack boss by mira dice=8,3")
    fight.do("near guard boss")
    assert "Guard uses Guard (+4)." in fight.text("attack boss by mira dice=8")


def test_a_limb_comes_when_enough_slashing_damage_is_done():
    limb = {"name": "Loathsome Limb", "when": "damaged", "types": ["slashing"], "least": 8, "bring": "limb"}
    fight = effect_fight(
        "add mira", "add boss", "start dice=20,1", boss=creature(limb), limb=creature(max_hp=5)
    )
    fight.do("attack boss by mira dice=15,4")
    assert "limb" not in fight.encounter.combatants
    before = fight.plain
    said = fight.text("attack boss by mira dice=15,8")
    assert "uses Loathsome Limb" in said
    assert "limb" in fight.encounter.combatants
    fight.do("undo")
    assert fight.plain == before


def test_a_creature_takes_another_form_when_it_is_bloodied_and_its_own_again():
    fury = {"name": "Fury", "when": "bloodied", "form": "beast"}
    calm = {"name": "Calm", "when": "asked", "form": "itself", "who": "self"}
    fight = effect_fight(
        "add mira",
        "add boss",
        "start dice=20,1",
        boss=creature(fury),
        beast=creature(calm, max_hp=60, attack=9),
    )
    fight.do("damage boss 25")
    assert fight.sheet("boss").attack == 9
    fight.do("effect boss effect=calm by boss")
    assert fight.sheet("boss").attack == 6


def test_uses_that_always_recharge_come_back_with_the_owner_s_turn():
    lash = {"name": "Lash", "when": "asked", "uses": 2, "recharge": 1, "damage": ["1d4"]}
    fight = against(lash)
    for _ in range(2):
        fight.do("effect mira effect=lash by boss dice=2")
    with pytest.raises(Refused, match="cannot use Lash again"):
        fight.do("effect mira effect=lash by boss")
    assert fight.text("next") == "Boss's turn. Next: Mira, round 2."
    fight.do("effect mira effect=lash by boss dice=2")


def test_a_condition_weakens_by_a_line_of_the_creature_that_gave_it():
    slow = {"name": "Slow", "when": "hit", "condition": "slowed"}
    weak = {
        "name": "Weak",
        "when": "always",
        "who": "foes",
        "target_is": ["slowed"],
        "change": {"attacks": "disadvantage"},
    }
    fight = against(slow, weak)
    assert len(fight.do("attack boss by mira dice=2").rolls) == 1
    fight.do("attack mira by boss dice=15,1")
    assert len(fight.do("attack boss by mira dice=2,15").rolls) == 2


def test_one_of_several_effects_is_chosen():
    chaos = {"name": "Chaos", "when": "asked", "choose": ["Fire", "Ice"]}
    parts = [{"name": name, "when": "asked", "damage": [f"1d4 {name.lower()}"]} for name in ("Fire", "Ice")]
    fight = against(chaos, *parts)
    assert "takes 3 fire damage" in fight.text("effect mira effect=chaos by boss dice=3")


def test_effects_are_offered_after_the_action_and_the_turn_of_another():
    lash = {
        "name": "Lash",
        "when": "end",
        "whose": "foes",
        "offered": True,
        "uses": 1,
        "damage": ["1d4 slashing"],
    }
    rage = {
        "name": "Rage",
        "when": "used",
        "of": ["attack"],
        "whose": "foes",
        "offered": True,
        "temp_hp": "5",
        "who": "self",
    }
    fight = effect_fight("add mira", "add bo", "add boss", "start dice=20,19,1", boss=creature(lash, rage))
    fight.do("attack boss by mira dice=2")
    assert [offer.says for offer in fight.encounter.offers] == ["Boss may use Rage now."]
    fight.do("effect boss effect=rage by boss")
    assert fight.sheet("boss").temporary_hp == 5
    fight.do("next")
    assert [offer.says for offer in fight.encounter.offers] == ["Boss may use Lash now."]
    fight.do("effect mira effect=lash by boss dice=2")
    assert fight.sheet("mira").hp == 38


def test_a_fall_hurts_those_near_and_is_told_before_the_turn_goes_on():
    burst = {"name": "Death Burst", "when": "zero", "who": "others", "near": True, "damage": ["2d4 fire"]}
    fight = against(burst, max_hp=5)
    fight.do("near boss mira")
    said = fight.text("attack boss by mira dice=15,5,2,3")
    assert "Death Burst: Mira takes 5 fire damage (hp 40 → 35)." in said


def test_conditions_follow_the_save_against_an_area():
    stun = {"name": "Stun", "when": "failed", "of": ["breath"], "condition": "dazed", "rounds": 1}
    weapons = [{"name": "breath", "damage": "1d4", "resist": "body", "difficulty": 12}]
    fight = against(stun, weapons=weapons)
    assert "Mira does not resist and takes 3 (hp 40 → 37), dazed." in fight.text("area mira by boss dice=4,3")


def test_a_miss_can_graze():
    graze = {"name": "Graze", "when": "missed", "damage": ["2 slashing"]}
    fight = against(graze)
    assert "for 2" in fight.text("attack mira by boss dice=2")
    assert fight.sheet("mira").hp == 38


def test_once_a_turn_counts_turns():
    sneak = {"name": "Sneak", "when": "hit", "once": "turn", "damage": ["1d6"]}
    fight = against(sneak)
    assert len(fight.do("attack mira by boss dice=15,1,6").rolls) == 3
    assert len(fight.do("attack mira by boss dice=15,1").rolls) == 2
    fight.do("next")
    assert len(fight.do("attack mira by boss dice=15,1,6").rolls) == 3


def test_a_type_a_size_and_a_state_decide_about_a_line():
    holy = {"name": "Holy", "when": "hit", "target_type": ["undead"], "damage": ["1d6 radiant"]}
    pounce = {
        "name": "Pounce",
        "when": "hit",
        "size": "medium",
        "target_is_not": ["prone"],
        "condition": "prone",
    }
    fight = effect_fight(
        "add mira",
        "add boss",
        "start dice=20,1",
        boss=creature(holy, pounce),
        mira={**MIRA, "creature_types": ["undead"]},
    )
    assert "prone" in fight.text("attack mira by boss dice=15,1,6")
    assert "prone" not in fight.text("attack mira by boss dice=15,1,6")


def test_an_aura_counts_for_allies_that_are_near_its_owner():
    courage = {
        "name": "Courage",
        "when": "always",
        "who": "allies",
        "near": True,
        "change": {"saves": 5, "attacks": 2},
    }
    dread = {"name": "Dread", "when": "hit", "save": "mind", "dc": 14, "condition": "frightened"}
    fight = effect_fight(
        "add mira",
        "add bo",
        "add boss",
        "start dice=20,19,1",
        boss=creature(dread),
        bo={**MIRA, "effects": [courage]},
    )
    assert "mind save 10 against 14" in fight.text("attack mira by boss dice=15,1,10")
    fight.do("near mira bo")
    assert "mind save 15 against 14" in fight.text("attack mira by boss dice=15,1,10")
    terms = fight.do("attack boss by mira dice=2").results[0].explanation.terms
    assert [(term.label, term.value) for term in terms][:2] == [("attack", 6), ("Courage", 2)]


def test_advantage_on_saves_rolls_two_dice():
    stout = {"name": "Stout", "when": "always", "change": {"saves": "advantage"}}
    dread = {"name": "Dread", "when": "hit", "save": "mind", "dc": 14, "condition": "frightened"}
    fight = effect_fight(
        "add mira", "add boss", "start dice=20,1", boss=creature(dread), mira={**MIRA, "effects": [stout]}
    )
    assert "mind save 16 against 14" in fight.text("attack mira by boss dice=15,1,3,16")


def test_a_bite_that_drains_heals_its_owner_by_the_damage():
    drain = {"name": "Blood", "when": "hit", "of": ["claw"], "drain": True}
    fight = against(drain)
    fight.do("damage boss 20")
    assert "Boss regains 4" in fight.text("attack mira by boss dice=15,4")
    assert fight.sheet("boss").hp == 24


MISTAKES = [
    ({"when": "start", "remind": "a\nb"}, "effects[0].remind: expected at most 120 printable characters"),
    ({"when": "start", "remind": "a" * 200}, "effects[0].remind: expected at most 120 printable characters"),
    ({"when": "strat", "damage": ["1"]}, "effects[0].when: expected one of always, hit"),
    ({"when": "hit", "damage": ["fire"]}, "effects[0].damage[0]: expected dice and a type"),
    ({"when": "hit"}, "effects[0].when: the line has no effect"),
    ({"when": "hit", "save": "body", "condition": "x"}, "effects[0].save: needs dc"),
    ({"when": "hit", "damage": ["1"], "dc": 3}, "effects[0].dc: needs save"),
    ({"when": "always", "change": {"atacks": 1}}, 'effects[0].change: "atacks"'),
    ({"when": "always", "change": {"speed": 1}}, "not known in this game"),
    ({"when": "damaged", "damage": ["1d4"], "who": "self"}, "effects[0].damage: would set itself off again"),
    ({"when": "start", "heal": "5", "hael": "5"}, "effects[0].hael: unknown field"),
    ({"when": "hit", "damage": ["1"], "of": ["a"] * 9}, "effects[0].of: has 9 parts"),
    ({"when": "asked", "remind": "x" * 201}, "effects[0].remind: expected at most 120"),
    ({"when": "hit", "who": "foes", "damage": ["1"]}, "effects[0].who: an attack affects its target"),
    (
        {"when": "end", "whose": "foes", "offered": True, "use": "claw", "heal": "1"},
        "effects[0].heal: belongs to the action that use names",
    ),
    ({"when": "hit", "who": "self", "damage": ["1"]}, "effects[0].damage: belongs to the target"),
    ({"when": "failed", "damage": ["1"]}, "effects[0].damage: does not follow the save"),
    ({"when": "asked", "save": "body", "dc": 12, "heal": "1"}, "effects[0].save: needs damage, a condition"),
]


@pytest.mark.parametrize(("line", "says"), MISTAKES)
def test_a_mistake_in_a_line_names_its_field(line, says):
    with pytest.raises(Wrong) as wrong:
        read(GAME.sheet, {"effects": [{"name": "A", **line}]})
    assert says in str(wrong.value)


def test_a_creature_has_at_most_99_effects():
    lines = [{"name": f"E{number}", "when": "start", "heal": 1} for number in range(100)]
    assert len(read(GAME.sheet, {"effects": lines[:99]}).effects) == 99
    with pytest.raises(Wrong, match="has 100 effects, and 99 are the most"):
        read(GAME.sheet, {"effects": lines})


def test_points_may_be_written_as_numbers():
    [line] = read(GAME.sheet, {"effects": [{"name": "A", "when": "start", "heal": 10, "temp_hp": 5}]}).effects
    assert (line.heal, line.temp_hp) == ("10", "5")


def test_a_successful_save_avoids_banishment_and_a_new_form():
    banish = {"name": "Banish", "when": "asked", "save": "mind", "dc": 14, "away": 2}
    toad = {"name": "Toad", "when": "asked", "save": "mind", "dc": 14, "form": "limb"}
    fight = effect_fight(
        "add mira", "add boss", "start dice=20,1", boss=creature(banish, toad), limb=creature(max_hp=5)
    )
    before = fight.plain
    for effect in ("banish", "toad"):
        fight.do(f"effect mira effect={effect} by boss dice=19")
        assert fight.sheet("mira").max_hp == 40
        assert not fight.encounter.combatants["mira"].state.away
        fight.do("undo")
        fight.do(f"effect mira effect={effect} by boss dice=2")
        assert fight.sheet("mira").max_hp == 5 or fight.encounter.combatants["mira"].state.away
        fight.do("undo")
    assert fight.plain == before


def test_a_reminder_is_a_sentence_of_its_own():
    tide = {"name": "Tide", "when": "bloodied", "temp_hp": 15, "remind": "the water rises"}
    fog = {"name": "Fog", "when": "asked", "remind": "nobody sees far"}
    fight = against(tide, fog)
    said = fight.text("damage boss 20")
    assert "Tide: Boss gains 15 temporary hit points (temporary hp 0 → 15). The water rises." in said
    assert "Boss uses Fog. Nobody sees far." in fight.text("effect boss effect=fog by boss")


def test_an_effect_on_several_targets_is_named_before_them():
    breath = {"name": "Frost", "when": "asked", "damage": ["1d6 cold"]}
    fight = effect_fight("add mira", "add bo", "add boss", "start", boss=creature(breath))
    assert fight.text("effect mira,bo effect=frost by boss").startswith("Boss: Frost on 2. ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("hit, of clow, damage 1d6", 'there is no "clow" on this sheet; did you mean claw'),
        ("asked, choose fork", '"fork" has a choice of its own'),
        ("asked, choose spoon", 'there is no "spoon" on this sheet'),
    ],
)
def test_a_typed_effect_names_only_what_the_sheet_has(words, says):
    fight = against()
    with pytest.raises(Wrong, match=says):
        fight.do(f'set boss effects.fork "{words}"')
    assert not fight.sheet("boss").effects


def test_a_changed_part_must_fit_the_rest_of_its_effect():
    fight = against({"name": "Cold Water", "when": "start", "save": "body", "dc": 14, "damage": ["1d6"]})
    with pytest.raises(Wrong, match=r"^effects\.Cold Water\.save: needs dc"):
        fight.do('set boss "effects.cold water.dc" none')


def test_two_effects_of_one_name_are_refused():
    line = {"name": "A", "when": "start", "heal": "1"}
    with pytest.raises(Wrong, match="name of an earlier effect"):
        read(GAME.sheet, {"effects": [line, line]})


@pytest.mark.parametrize(
    "line",
    [
        "set boss effects.regeneration start, heal 5, stopped by fire acid",
        "set boss effects.venom hit, of claw, save body, dc 12, half, damage 2d6 poison",
        "set boss effects.dread hit, save mind, dc 14, condition frightened, until target_end",
        "set boss effects.shield attacked, change ac:5",
        "set boss effects.cloud end, who foes, near, save body, dc 14, condition cursed",
    ],
)
def test_an_effect_is_typed_as_a_line_and_shown_as_one(line):
    fight = against()
    name, _, words = line.split(" ", 2)[2].partition(" ")
    fight.do(f'set boss {name} "{words}"')
    [effect] = fight.sheet("boss").effects
    shown = entry_values(effect)
    assert '"' not in shown
    fight.do(f"set boss {name} {quote(shown)}")
    assert fight.sheet("boss").effects == (effect,)


def test_a_boss_is_one_typed_line():
    line = (
        "Ash Tyrant hp 120, claw 2d8+4, type slashing, "
        "effect Dread hit, of claw, save wisdom, dc 14, condition afraid"
    )
    templates = GAME.templates(GAME.house())
    found = read_sheet_line(GAME, line, known_names(GAME, [templates.player, templates.creature]))
    assert found.wrong == ""
    assert found.fields["weapons"][0]["type"] == "slashing"
    [dread] = found.fields["effects"]
    assert dread == {
        "name": "Dread",
        "when": "hit",
        "of": ["claw"],
        "save": "wisdom",
        "dc": 14,
        "condition": "afraid",
    }


def test_a_mistake_in_a_typed_line_names_the_word():
    fight = against()
    with pytest.raises(Exception, match="needs save"):
        fight.do('set boss effects.spite "hit, damage 1d4, half"')


def test_the_preview_counts_the_shield_by_its_suggested_answer():
    fight = against(SHIELD)
    attack = GAME.action("attack")
    found = preview(fight.encounter, attack, "mira", "boss", attack.options())
    assert found.works == Fraction(10, 20)  # 6 or more without the shield, 11 or more with it


def test_the_preview_of_a_fight_equals_every_throw_of_its_dice():
    """A shield, a bodyguard and an aura of courage count in the odds as they do at the table."""
    dread = {"name": "Dread", "when": "hit", "save": "mind", "dc": 14, "condition": "frightened"}
    guard = {"name": "Guard", "when": "attacked", "whose": "allies", "near": True, "change": {"ac": 3}}
    courage = {"name": "Courage", "when": "always", "who": "allies", "near": True, "change": {"saves": 3}}
    weapons = [{"name": "fang", "damage": "1d2", "type": "slashing"}]
    fight = effect_fight(
        *("add mira", "add bo", "add boss", "start dice=20,19,1", "near mira bo"),
        boss=creature(dread, weapons=weapons),
        mira={**MIRA, "effects": [SHIELD], "resistances": ["slashing"]},
        bo={**MIRA, "effects": [guard, courage]},
    )
    attack = GAME.action("attack")
    found = preview(fight.encounter, attack, "boss", "mira", attack.options())
    scene = scene_of(fight.encounter, attack, "boss", "mira", attack.options())
    chances = Counter()
    waiting = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        table = Table(ScriptedDice(faces), Suggested())
        table.turn_to({"actor": "boss", "target": "mira"})
        try:
            outcome = outcome_of(attack, scene, table)
        except NeedsFace as dry:
            sides = dry.request.sides
            waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
            continue
        chances["hit"] += chance * outcome.facts["hit"]
        chances["damage"] += chance * outcome.facts["damage"]
        given = [given.condition for given in outcome.gives]
        for name in (*given, *(used.name for used in outcome.interruptions)):
            chances[name] += chance
    assert (found.works, found.expected) == (chances["hit"], chances["damage"])
    effects = dict(found.effects)
    assert {name: effects[name] for name in ("frightened", "Ember Shield", "Guard")} == {
        name: chances[name] for name in ("frightened", "Ember Shield", "Guard")
    }


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"when": "hit", "condition": "prone", "again": "end"}, '; in brackets: ["end"]'),
        ({"when": "always", "change": "ac 4"}, "; in braces: { ac = 4 }"),
    ],
)
def test_a_value_without_its_brackets_is_refused_with_them(line, says):
    with pytest.raises(Wrong) as wrong:
        read(GAME.sheet, {"effects": [{"name": "A", **line}]})
    assert says in str(wrong.value)


def test_typed_changes_need_a_colon_and_may_be_several():
    fight = effect_fight("add troll")
    with pytest.raises(Wrong, match="write ac:4"):
        fight.do('set troll effects.guard "always, change ac 4"')
    fight.do('set troll effects.guard "always, change ac:4 attacks:advantage"')
    assert fight.sheet("troll").effects[-1].change == {"ac": 4, "attacks": "advantage"}
