"""Fights of SRD 5.2: conditions on the sheet and in the order are one thing."""

from fractions import Fraction

import pytest

from systems.commands.offers import question_of, to_take
from systems.commands.preview import preview
from systems.commands.wording import action_words, names_of
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.visibility.build import view
from systems.visibility.viewer import Viewer
from tests.systems.fight import Fight
from tests.systems.srd5.facing import facing


def conditions(fight, who):
    combatant = fight.encounter.combatants[who]
    return combatant.sheet.conditions, tuple(held.name for held in combatant.conditions)


def test_a_condition_given_by_hand_is_on_the_sheet_with_all_that_it_brings():
    fight = Fight("srd5", "add okado", "add guard", "condition okado unconscious")
    assert conditions(fight, "okado") == (("unconscious", "prone"), ("unconscious",))
    fight.do("clear okado unconscious")
    assert conditions(fight, "okado") == (("prone",), ())


def test_a_condition_that_an_action_ends_leaves_the_order():
    fight = Fight("srd5", "add okado", "add guard", "condition okado prone", "start", "stand by okado")
    assert conditions(fight, "okado") == ((), ())


def test_a_shove_gives_a_condition_that_the_order_shows():
    fight = Fight("srd5", "add okado", "add guard", "start", "shove guard by okado dice=1")
    assert conditions(fight, "guard") == (("prone",), ("prone",))


def test_exhaustion_given_again_adds_up_on_the_sheet():
    fight = Fight("srd5", "add okado", "condition okado exhaustion", "condition okado exhaustion")
    assert fight.encounter.combatants["okado"].sheet.exhaustion == 2


def test_healing_wakes_one_that_fell():
    fight = Fight("srd5", "add okado", "add guard", "start", "damage okado 30")
    assert fight.encounter.status(fight.encounter.combatants["okado"]).name == "dying"
    fight.do("heal okado 3")
    assert fight.encounter.combatants["okado"].sheet.conditions == ("prone",)


def test_damage_brings_the_save_that_keeps_up_concentration_in_the_same_event():
    fight = Fight("srd5", "add okado", "add guard", "start", "set okado concentrating web")
    text = fight.text("damage okado 8 dice=2")
    assert "loses concentration on web" in text
    assert "against 10" in text
    assert fight.sheet("okado").concentrating == "none"
    assert not fight.encounter.offers
    fight.do("undo")
    assert fight.sheet("okado").concentrating == "web"
    fight.do("damage okado 8 dice=20")
    assert fight.sheet("okado").concentrating == "web"


def test_a_fall_ends_concentration_without_a_save():
    fight = Fight("srd5", "add okado", "add guard", "start", "set okado concentrating web")
    assert not fight.do("damage okado 30").rolls
    assert fight.sheet("okado").concentrating == "none"


def test_a_breath_is_recharged_at_the_start_of_the_turn_with_its_die():
    fight = Fight("srd5", "add okado", "add guard", "set okado powers.blast.recharge 5", "start dice=20,1")
    fight.do("power guard power=blast by okado dice=1,3,4")
    fight.do("next")
    text = fight.text("next dice=4")
    assert "Okado does not recharge blast. 4 against 5." in text
    fight.do("next")
    event = fight.do("next dice=5")
    assert "Okado recharges blast. 5 against 5." in event.text
    assert [roll.why for roll in event.rolls] == ["recharge of blast"]
    assert not fight.encounter.offers


def test_the_dying_roll_a_death_save_at_the_start_of_their_turn_and_act_after_a_20():
    fight = Fight("srd5", "add okado", "add guard", "start dice=20,1", "damage okado 30", "next")
    text = fight.text("next dice=12")
    assert "Okado passes a death save (1 passed, 0 failed)." in text
    assert "Guard's turn" in text
    text = fight.text("next dice=20")
    assert "Okado rolls a 20 for the death save and wakes with 1 hit point." in text
    assert fight.encounter.turn.id == "okado"


def test_the_third_death_save_says_what_becomes_of_the_dying():
    lines = ("add okado", "add guard", "start dice=20,1", "damage okado 30", "next")
    fight = Fight("srd5", *lines, "next dice=2")
    assert "Okado fails two death saves at once and dies." in fight.text("next dice=1")
    fight = Fight("srd5", *lines, "next dice=12", "next dice=12")
    assert "Okado passes the third death save and is stable." in fight.text("next dice=12")


def test_first_aid_names_the_one_it_is_for():
    fight = Fight("srd5", "add okado", "add guard", "start dice=1,20", "damage okado 30")
    text = fight.text("stabilize okado by guard dice=9")
    assert text.startswith("Guard gives Okado first aid but fails the Medicine check.")


def test_an_opportunity_attack_is_called_one():
    fight = Fight("srd5", "add okado", "add guard", "start dice=20,1")
    text = fight.text("attack okado opportunity=yes by guard dice=2")
    assert " as an opportunity attack." in text


def test_an_attack_against_a_resistance_says_what_was_rolled():
    fight = two_targets()
    fight.do("set guard-1 resistances slashing,piercing,bludgeoning")
    assert " 4 rolled, 2 damage." in fight.text("attack guard-1 weapon=bite by okado dice=15,4")
    assert " for 2 of 4 rolled." in fight.text(
        "multiattack guard-1,guard-2*2 weapons=bite,bite,bite by okado dice=15,4,2,2"
    )


def test_a_legendary_creature_is_offered_its_actions_after_the_turn_of_another():
    lines = (
        "add okado",
        "add guard x2",
        "set guard-1 legendary_actions 3",
        'set guard-1 powers.roar "legendary, cost 2"',
        "start dice=20,1,10",
        "set guard-1 legendary_actions_left 3",
    )
    fight = Fight("srd5", *lines)
    fight.do("next")
    fight.do("near okado guard-1")
    fight.do("apart guard-1")
    assert [each.action for each in to_take(fight.encounter)] == ["attack", "power"]
    offer = to_take(fight.encounter)[-1]
    action = fight.game.action("power")
    assert action_words(fight.encounter, action, offer.target or "", offer.options) == "power roar"
    fight.do("power okado power=roar by guard-1")
    assert fight.encounter.combatants["guard-1"].sheet.legendary_actions_left == 1


def test_a_legendary_action_left_from_before_its_owners_turn_costs_nothing_of_the_new_ones():
    lines = (
        "add okado",
        "add guard x2",
        "set guard-1 legendary_actions 3",
        'set guard-1 powers.roar "legendary"',
    )
    fight = Fight("srd5", *lines, "start dice=20,10,1", "set guard-1 legendary_actions_left 1", "next")
    offers = to_take(fight.encounter)
    assert fight.turn == "guard-1"
    assert question_of(fight.encounter, offers) == "Guard 1: roar, before its turn?"
    assert [offer.says for offer in offers] == ["Guard 1: roar, before its turn?"]
    fight.do("power okado power=roar by guard-1")
    assert (fight.sheet("guard-1").legendary_actions_left, to_take(fight.encounter)) == (3, ())
    fight.do("undo")
    fight.do("attack okado by guard-1 dice=1")
    assert to_take(fight.encounter) == ()
    fight.do("power okado power=roar by guard-1")
    assert fight.sheet("guard-1").legendary_actions_left == 2
    assert fight.folded() == fight.plain


def test_an_escape_from_a_grapple_is_offered_quietly_in_the_turn_of_the_held():
    fight = Fight("srd5", "add okado", "add guard", "start dice=1,20")
    fight.do("grapple okado by guard dice=1")
    event = fight.do("next")
    assert "free" not in event.text
    assert [(offer.command, offer.says) for offer in to_take(fight.encounter)] == [
        ("escape by okado", "Okado may try to get free of grappled (10).")
    ]
    assert "10 against 10" in fight.text("escape by okado dice=7")
    assert (fight.encounter.offers, fight.sheet("okado").conditions) == ((), ())
    fight.do("undo")
    fight.do("clear okado grappled")
    assert fight.encounter.offers == ()


def test_the_odds_of_healing_say_what_it_heals_and_that_the_target_is_no_longer_bloodied():
    fight = Fight("srd5", "add okado", "start", "damage okado 20")
    power = fight.game.action("power")
    found = preview(fight.encounter, power, "okado", "okado", power.options(power="second wind"))
    assert found.notes["power=second wind"] == "heals 1d10+3, 1 of 1 left"
    assert found.effects == (("no longer bloodied", Fraction(7, 10)),)
    assert (found.heals, found.expected) == (True, Fraction(17, 2))
    text = fight.text('power okado power="second wind" dice=4')
    assert text == "Okado uses second wind and regains 7 hit points (hp 8 → 15)."


def test_the_odds_name_a_condition_before_the_status_that_it_brings():
    fight = Fight("srd5", "add okado", "add guard", "start", "set okado powers.blast.conditions paralyzed")
    power = fight.game.action("power")
    found = preview(fight.encounter, power, "okado", "guard", power.options(power="blast"))
    words = [word for word, _ in found.effects]
    assert words.index("paralyzed") < words.index("incapacitated")


def test_a_breath_is_rolled_once_for_all_and_paid_once():
    fight = Fight("srd5", "add okado", "add guard x2", "start")
    fight.do("set okado powers.blast.recharge 5")
    text = fight.text("power guard-1,guard-2 power=blast by okado dice=1,3,4,20")
    assert text.startswith("Okado uses blast on 2 targets, 7 rolled.")
    assert fight.encounter.combatants["okado"].sheet.powers[0].spent


def test_a_condition_with_a_save_ends_by_the_games_own_save_and_immunity_keeps_one_off():
    fight = Fight("srd5", "add okado", "add guard", "start dice=20,1")
    fight.do("condition okado frightened save wisdom 14 by guard")
    event = fight.do("next dice=20")
    assert [roll.why for roll in event.rolls] == ["wisdom save, frightened"]
    assert "Okado is no longer frightened." in event.text
    assert conditions(fight, "okado") == ((), ())
    fight.do("set guard condition_immunities poisoned")
    with pytest.raises(Refused, match="Guard is immune to the condition poisoned"):
        fight.do("condition guard poisoned")


def test_two_grapples_hold_until_both_have_ended():
    fight = Fight("srd5", "add okado", "add guard x2", "start")
    fight.do("condition okado grappled escape 14 until guard-1 falls")
    fight.do("condition okado grappled escape 12 by guard-2")
    fight.do("damage guard-1 99")
    assert conditions(fight, "okado") == (("grappled",), ("grappled",))
    fight.do("clear okado grappled by guard-2")
    assert conditions(fight, "okado") == ((), ())


def test_pack_tactics_read_who_is_near_the_target():
    fight = Fight("srd5", "add okado", "add guard x2")
    sheet = replace(fight.sheet("guard-1"), pack_tactics=True)
    guard = evolve(fight.encounter.combatants["guard-1"], sheet=sheet)
    fight.encounter = fight.encounter.with_combatants(guard)
    action = fight.game.action("attack")

    def chance():
        return preview(fight.encounter, action, "guard-1", "okado", action.options()).works

    alone = chance()
    fight.do("near okado guard-2")
    assert chance() == 1 - (1 - alone) ** 2
    fight.do("apart okado guard-2")
    assert chance() == alone


def test_a_save_that_the_game_does_not_have_is_refused_with_its_abilities():
    fight = Fight("srd5", "add okado", "add guard", "start")
    with pytest.raises(Wrong, match=r"save: expected one of strength, .*charisma"):
        fight.do("condition okado frightened save luck 14")
    with pytest.raises(Wrong, match="dc: expected a whole number from 0 to 99"):
        fight.do("condition okado frightened save wisdom 140")
    fight.do("condition okado frightened save wis 14")
    assert fight.encounter.combatants["okado"].conditions[0].save == "wisdom"


def test_the_order_that_a_seat_sees_needs_no_difficulty():
    fight = Fight("srd5", "add okado", "add guard", "start dice=20,1")
    fight.do("condition guard frightened save wisdom 14 at start")
    shown = view(fight.encounter, fight.log, Viewer(frozenset({"okado"})))
    assert [ahead.name for ahead in shown.ahead] == ["Okado"]


def test_a_player_reads_the_name_of_a_power_and_no_figures_of_its_target():
    fight = Fight("srd5", "add okado", "add guard", "start dice=20,1")
    fight.do("power guard power=blast by okado dice=3,1,1")
    shown = view(fight.encounter, fight.log, Viewer(frozenset({"okado"})))
    assert shown.log[-1].text.startswith("Okado's blast on Guard: hit, hurt.")


def test_a_player_reads_the_name_of_an_attack_and_not_that_of_something_unseen():
    fight = Fight("srd5", "add okado", "add guard", "start dice=20,1")
    fight.do("attack guard weapon=sword by okado dice=15,1")
    shown = view(fight.encounter, fight.log, Viewer(frozenset({"okado"})))
    assert shown.log[-1].text.startswith("Okado's sword on Guard: hit")
    fight.do("hide guard")
    fight.do("attack okado weapon=spear by guard dice=19,5")
    shown = view(fight.encounter, fight.log, Viewer(frozenset({"okado"})))
    assert "spear" not in " ".join(line.text for line in shown.log)


def test_the_stunned_still_roll_saves_and_do_not_attack():
    fight = Fight("srd5", "add okado", "add guard", "start", "condition okado stunned")
    assert "Wisdom save" in fight.text("save ability=wisdom dc=12 by okado dice=14")
    assert "recharge" in fight.text("recharge by okado")
    assert "cannot" in refusal(fight, "attack guard by okado")


def refusal(fight, line):
    with pytest.raises(Refused) as refused:
        fight.do(line)
    return str(refused.value)


def two_targets():
    fight = Fight("srd5", "add okado", "add guard x3")
    fight.do("set okado attacks.bite +9 1d6")
    fight.do('set okado multiattack.sword "x2"')
    fight.do('set okado multiattack.bite "x1"')
    fight.do("start")
    return fight


def test_a_multiattack_is_split_over_targets_in_the_order_of_its_attacks():
    text = two_targets().text("multiattack guard-1*2,guard-2 by okado dice=2,3,15,4")
    assert text.startswith("Okado makes 3 attacks on 2 targets. Okado misses Guard 1 with every attack.")
    assert "Okado hits Guard 2 with the bite for 4" in text


def test_a_multiattack_on_one_target_makes_all_its_attacks():
    assert "with 2 of 3 attacks" in two_targets().text("multiattack guard-1 by okado dice=2,18,1,15,1")


def test_a_multiattack_says_each_roll_and_asks_for_concentration_at_each_hit():
    fight = two_targets()
    fight.do("set guard-1 max_hp 60")
    fight.do("set guard-1 hp 60")
    fight.do("set guard-1 concentrating web")
    text = fight.text("multiattack guard-1 by okado dice=2,18,4,20,3,2,15,1")
    assert "with 2 of 3 attacks, one of them critical, for" in text
    numbers, keeps, loses = text.partition("sword ")[2].partition("; ")[0], "keeps", "loses"
    assert numbers.startswith("4 against") or "against" in numbers
    assert text.index(keeps) < text.index(loses)


def test_more_targets_than_attacks_are_refused():
    fight = two_targets()
    assert "3 aims" in refusal(fight, "multiattack guard-1*2,guard-2*2 by okado")


def test_a_combatant_that_leaves_is_offered_an_opportunity_attack_without_a_line_in_the_log():
    fight = Fight("srd5", "add okado", "add guard x2", "start dice=20,1,1", "near okado guard-1,guard-2")
    event = fight.do("apart okado")
    assert event.text == "Okado is no longer near Guard 1 and Guard 2."
    assert [offer.command for offer in fight.encounter.offers] == [
        f"attack okado weapon=spear opportunity=yes by guard-{number}" for number in (1, 2)
    ]
    fight.do(fight.encounter.offers[0].command + " dice=2")
    assert fight.sheet("guard-1").reaction_used
    assert [offer.by for offer in fight.encounter.offers] == ["guard-2"]
    fight.do("next")
    assert not fight.encounter.offers


def test_one_that_has_disengaged_leaves_without_an_opportunity_attack():
    fight = Fight("srd5", "add okado", "add guard", "start dice=20,1", "near okado guard")
    fight.do("disengage by okado")
    fight.do("apart okado")
    assert not fight.encounter.offers


def test_a_target_of_two_attacks_is_named_once():
    assert names_of(two_targets().encounter, "guard-1,guard-1,guard-2") == "Guard 1 ×2 and Guard 2"


def test_what_a_power_gives_ends_with_the_concentration_on_it():
    fight = Fight("srd5", "add okado", "add guard", "start dice=20,1")
    fight.do('set okado powers.hold "save wisdom, dc 15, conditions paralyzed, concentration"')

    def held():
        return conditions(fight, "guard")[1]

    fight.do("power guard power=hold by okado dice=2")
    assert held() == ("paralyzed",)
    assert "Guard is no longer paralyzed" in fight.text("damage okado 8 dice=1")
    fight.do("undo")
    assert held() == ("paralyzed",)
    assert "Guard is no longer paralyzed" in fight.text("damage okado 28")
    fight.do("undo")
    fight.do("power guard power=hold by okado dice=20")
    assert held() == ()


def test_undo_names_the_power_that_it_takes_back():
    fight = Fight("srd5", "add okado", "add guard", "start")
    fight.do("power guard power=blast by okado dice=1,3,4")
    assert fight.text("undo") == "Undone: Okado's blast on Guard."


def test_the_odds_of_a_power_on_the_dying_name_the_death_save_that_fails():
    fight = Fight("srd5", "add okado", "add okado as Mira", "start", "damage mira 28")
    action = fight.game.action("power")
    seen = preview(fight.encounter, action, "okado", "mira", action.options(power="blast"))
    assert dict(seen.effects) == {"saves +0 −1": 1}


def test_the_briefing_of_a_turn_names_every_condition_and_what_is_concentrated_on():
    fight = Fight("srd5", "add okado", "add guard", "condition okado poisoned", "set okado concentrating web")
    assert "Concentrates on web. Conditions: poisoned." in fight.text("start okado 20 guard 1")


def test_damage_names_its_type_after_the_amount():
    fight = Fight("srd5", "add okado", "add guard", "set guard resistances fire", "start")
    before = fight.sheet("guard").hp
    event = fight.do("damage guard 2d6 fire dice=3,5")
    assert event.options == {"amount": "2d6", "type": "fire"}
    assert fight.sheet("guard").hp == before - 4
    fight.do(f"amend {event.n} amount=4")
    assert fight.sheet("guard").hp == before - 2
    with pytest.raises(Refused, match=r"did you mean fire[?]"):
        fight.do("damage guard 6 fier")


def test_damage_to_the_dying_says_how_many_death_saves_have_failed():
    fight = Fight("srd5", "add okado", "add guard", "start", "damage okado 30")
    assert fight.text("damage okado 3") == "Okado takes 3 damage, a failed death save (0 passed, 1 failed)."
    text = fight.text("damage okado 3 slashing critical")
    assert text == "Okado takes 3 damage, two failed death saves (0 passed, 3 failed), dead."


def test_a_breath_affects_all_its_targets_before_anybody_loses_concentration():
    fight = Fight("srd5", "add okado", "add okado as Mira", "add guard", "start guard 9 okado 8 mira 7")
    fight.do('set okado powers.bless "concentration"')
    fight.do('set okado effects.bless "when used, of bless, condition blessed"')
    fight.do("power okado,mira power=bless by okado")
    fight.do('set guard powers.breath "save dexterity, dc 13, damage 2d6 fire"')
    event = fight.do("power okado,mira power=breath by guard dice=1,1,6,6,1,4,2,1")
    assert [roll.why for roll in event.rolls if roll.sides == 4] == [
        "1d4 for the dexterity save",
        "1d4 for the dexterity save",
        "1d4 for the constitution save",
    ]
    assert event.text.index("Mira fails the Dexterity save") < event.text.index("Okado loses concentration")
    assert fight.encounter.combatants["mira"].conditions == ()


def test_what_counts_for_the_next_attack_ends_with_it():
    fight = Fight("srd5", "add okado", "add guard", "set guard hp 9", "start", "condition guard open")
    event = fight.do("multiattack guard weapons=sword,sword by okado dice=2,3,4")
    assert [roll.sides for roll in event.rolls] == [
        20,
        20,
        20,
    ]  # two for the first attack, one for the second
    assert conditions(fight, "guard")[1] == ()
    fight.do("undo")
    assert conditions(fight, "guard")[1] == ("open",)
    fight.do("condition okado shaken")
    assert len(fight.do("attack guard by okado dice=2").rolls) == 1  # they cancel
    assert (conditions(fight, "okado")[1], conditions(fight, "guard")[1]) == ((), ())


def test_an_unarmed_strike_is_called_so():
    text = facing("wolf").text("attack wolf weapon=unarmed by mira dice=19")
    assert "hits wolf with an unarmed strike" in text


def test_a_number_after_a_skill_is_what_the_check_has_to_reach():
    fight = Fight("srd5", "add okado", "add guard", "start")
    assert "15 against 15" in fight.text("check stealth 15 by okado dice=9")
    for line, says in (
        ("short rest", r"did you mean short_rest[?]"),
        ("check stelth 15", r"did you mean stealth[?]"),
        ("check stealth dc 15", "write dc=VALUE"),
    ):
        with pytest.raises(Misread, match=says):
            fight.do(f"{line} by okado")
