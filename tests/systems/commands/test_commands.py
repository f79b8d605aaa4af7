"""What single commands do: who is meant, amounts, figures, newcomers, offers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import load
from systems.commands.dispatcher import perform, performing
from systems.commands.table import read_command
from systems.contract.ruleset import PLAYERS
from systems.contract.table import Suggested
from systems.encounter.events import is_secret
from systems.encounter.roster import Roster
from systems.encounter.serialize import read_combatant
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from tests.systems.fight import GAMES, Entry, Fight, roster_of
from tests.systems.toy import toy

NASTY = (
    "[bold]Bo[/bold]",
    "👩\u200d🚀 Ada",
    "\x1b[31mRed\x07",
    "n" * 300,
    "龍",
    "a,b",
    "1",
    "2-3",
    "all",
    "foes",
    "by",
)


def fight_of(*lines, game="atlantis"):
    return Fight(game, "add okado", "add tamsin", "add guard x3", "start", *lines)


# Who is meant


@pytest.mark.parametrize(
    ("targets", "found"),
    [
        ("guard-2", "Guard 2 is"),
        ("GUARD-2", "Guard 2 is"),
        ('"Guard 2"', "Guard 2 is"),
        ("tam", "Tamsin is"),
        ("2", "Guard 2 is"),
        ("4,1-2", "Okado, Guard 1 and Guard 2 are"),
        ("2-99", "Guard 2, Guard 3, Okado and Tamsin are"),
        ("foes", "Guard 1, Guard 2 and Guard 3 are"),
        ("Players", "Okado and Tamsin are"),
        ("all", "Okado, Tamsin, Guard 1, Guard 2 and Guard 3 are"),
        ("4,4,okado", "Okado is"),
    ],
)
def test_targets_are_ids_names_beginnings_tags_ranges_sides_and_all(targets, found):
    assert fight_of().text(f"condition {targets} marked") == f"{found} marked."


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        ("guard", "could be Guard 1, Guard 2 or Guard 3"),
        ("gard-1", 'nobody here is called "gard-1"; did you mean Guard 1[?]'),
        ("okdo", 'nobody here is called "okdo"; did you mean Okado[?]'),
        ("gurd", 'nobody here is called "gurd"; did you mean Guard[?]'),
        ("9", "nobody has the tag 9; tags go from 1 to 5"),
        ("5-2", "the range 5-2 runs backwards"),
        ('"  "', "names nobody"),
        ("beasts", "nobody here is called"),
    ],
)
def test_unknown_or_ambiguous_targets_are_refused_in_one_sentence(targets, said):
    with pytest.raises(Refused, match=said):
        fight_of().do(f"condition {targets} marked")


def test_a_tag_comes_before_a_name_and_an_exact_name_before_a_side_and_everybody():
    fight = Fight("atlantis", "add okado", *(f"add guard as {name}" for name in ("1", "all", "foes", "2-3")))
    assert list(fight.encounter.combatants) == ["okado", "the-1-1", "the-all", "the-foes", "2-3-4"]
    assert fight.text("hide 1") == "1 (1) is hidden now."
    assert fight.text("hide foes") == "foes is hidden now."
    assert fight.text("hide ALL") == "all is hidden now."


def named(*names):
    """A fight of guards with these names, who are ids as well, in lower case."""
    return Fight("atlantis", *(f'add guard as "{name}"' for name in names))


@pytest.mark.parametrize(
    ("names", "word", "found"),
    [
        (("Brave Mira", "Okado"), "mira", "Brave Mira"),
        (("Brave Mira", "Okado"), "mir", "Brave Mira"),
        (("Brave Mira", "Mirabel"), "mira", "Mirabel"),
        (("Brave Mira", "Mira"), "mira", "Mira"),
        (("Old Bram", "Bram the Younger"), "bram", "Bram the Younger"),
        (("Gray Wolf", "Okado"), "grey", "Gray Wolf"),
        (("Élan", "Okado"), "éla", "Élan"),
    ],
)
def test_an_exact_name_beats_a_beginning_and_a_beginning_beats_a_later_word(names, word, found):
    assert named(*names).text(f"hide {word}") == f"{found} is hidden now."


@pytest.mark.parametrize("word", ["ira", "rave", "ave"])
def test_the_inside_of_a_word_names_nobody(word):
    with pytest.raises(Refused, match="nobody here is called"):
        named("Brave Mira", "Okado").do(f"hide {word}")


def test_two_on_one_level_are_refused_with_both_names():
    with pytest.raises(Refused, match='"mira" could be Brave Mira or Old Mira'):
        named("Brave Mira", "Old Mira").do("hide mira")
    fight = named("Ox", "Cow")
    fight.do("set cow name Ox")
    with pytest.raises(Refused, match=r'"Ox" could be Ox \(1\) or Ox \(2\)'):
        fight.do("hide Ox")


def test_an_exact_name_in_the_roster_beats_the_beginning_of_an_id():
    fight = Fight("atlantis")
    guard = fight.roster["guard"]
    fight.roster = {"dorn-2": evolve(guard, name="Elsa"), "copy": evolve(guard, name="Dorn")}
    assert fight.text("add dorn") == "Dorn joins the foes."
    assert fight.text("add els") == "Elsa joins the foes."
    with pytest.raises(Refused, match="the roster has no"):
        fight.do("add orn")


def test_the_dead_and_the_absent_are_refused_as_targets_in_one_sentence():
    fight = fight_of("set guard-1 life -40", "add guard in round 3")
    for target, said in (("guard-1", "Guard 1 is dead"), ("guard_h1", "Guard h1 arrives in round 3")):
        with pytest.raises(Refused, match=said):
            fight.do(f"attack {target}")
    with pytest.raises(Refused, match="arrives in round 3"):
        fight.do("damage h1 3")
    with pytest.raises(Refused, match="cannot target itself"):
        fight.do("attack okado")


def test_of_several_the_fallen_and_the_actor_are_left_out():
    fight = toy("add ada", "add orc x3", "start", "damage orc-2 20")
    assert fight.text("strike all dice=1,2").count("strikes") == 2
    fight.do("damage foes 1")
    assert fight.sheet("orc-2").hp == -10


def test_an_action_is_done_to_all_of_its_targets_or_to_none():
    fight = toy("add ada", "add orc x2", "start")
    with pytest.raises(Refused, match="too few dice"):
        fight.do("strike foes dice=1")
    assert fight.sheet("orc-1").hp == 10


# Damage and heal


def test_damage_is_one_amount_for_all_and_dice_fall_once():
    fight = toy("add ada", "add orc x2", "start")
    event = fight.do("damage foes 2d6 dice=3,4")
    assert len(event.rolls) == 2
    assert [fight.sheet(one).hp for one in ("orc-1", "orc-2")] == [3, 3]
    fight.do("heal 1 5")
    assert fight.sheet("orc-1").hp == 8


@pytest.mark.parametrize(
    ("amount", "taken"), [("10", 10), ("10 armour=yes", 6), ("10 armor=no", 10), ("1d4-9", 0)]
)
def test_damage_ignores_armour_unless_the_command_includes_it(amount, taken):
    fight = fight_of(f"damage guard-1 {amount}")
    assert fight.sheet("guard-1").life == 45 - taken


@pytest.mark.parametrize("game", GAMES)
def test_damage_and_heal_of_the_same_amount_cancel_out(game):
    fight = Fight(game, "add okado", "start", "set okado stamina 0" if game == "atomic_d20" else "note x")
    before = fight.sheet("okado")
    fight.do("damage okado 1")
    assert fight.sheet("okado") != before
    fight.do("heal okado 1")
    names = {"atomic_d20": "hearts", "atlantis": "life", "xcom": "health"}
    figure = names.get(game, "hp")
    assert getattr(fight.sheet("okado"), figure) == getattr(before, figure)


@pytest.mark.parametrize("amount", ["9" * 20, "-5", "1000d1000000", "2d"])
def test_an_amount_that_cannot_be_changes_nothing(amount):
    fight = fight_of()
    with pytest.raises((Refused, Wrong, Misread)):
        fight.do(f"damage guard-1 {amount}")
    assert fight.sheet("guard-1").life == 45


# Figures


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("set okado life 12", "Okado's life: 52 → 12."),
        ("set okado lif 12", "Okado's life: 52 → 12."),
        ("set okado abil.mel 60", "Okado's melee: 53 → 60."),
        ("set okado melee 60", "Okado's melee: 53 → 60."),
        ("set okado weap.sw.dam 20", "Okado's sword damage: 15 → 20."),
        ("set okado LIFE -5", "Okado's life: 52 → −5."),
        ("set okado abilities.melee 60", "Okado's melee: 53 → 60."),
        ("set okado abilities.Melee 60", "Okado's melee: 53 → 60."),
        ("set okado abilities.two.handed 7", "Okado's two.handed: none → 7."),
        ('set okado abilities."fire breath" 7', "Okado's fire breath: none → 7."),
        ("set okado abilities melee:3,dodge:4", "Okado's abilities: melee 53, dodge 30 → melee 3, dodge 4."),
        ("set okado weapons.sword.damage 20", "Okado's sword damage: 15 → 20."),
        ("set okado weapons.1.name axe", "Okado's weapons 1 name: sword → axe."),
        ("set okado weapons.sword.max_range none", "Okado's sword range: none → none."),
        ("set okado size big", "Okado's size: medium → big."),
        ("set okado dies_at_zero yes", "Okado's dies at zero: no → yes."),
        ("set okado max_armor_pool 30", "Okado's max armour pool: 20 → 30."),
        ("set okado notes owes = the abbot", "Okado's notes: none → owes = the abbot."),
        ("set okado name Okado the Old", "Okado's name: none → Okado the Old."),
    ],
)
def test_any_figure_is_set_by_its_dotted_path(line, text):
    fight = fight_of()
    assert fight.text(line) == text
    assert fight.folded() == fight.plain


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("leif 3", "did you mean life?"),
        ("max 3", "could be"),
        ("status dead", "calculated from other values"),
        ("life lots", "expected a whole number from -999 to 999"),
        ("life.deep 3", "a single value without parts"),
        ("traits.bodie 3", "unknown name; did you mean body?"),
        ("weapons 3", "is a list of entries"),
        ("weapons.sword melee", 'weapons.sword: damage: expected a whole number from 0 to 999, got "melee"'),
        ('weapons.sword "15 mellee"', 'ability: there is no "mellee" here; did you mean melee'),
        ("weapons.dagger 3 melee twice", 'kind: expected one of melee, ranged, got "twice"'),
        ("weapons.dagger none", "there is no such entry to remove"),
        ("weapons.axe.damage 3", "not found; did you mean|not found; known: sword"),
        ("weapons.9.damage 3", "not found"),
        ("weapons.sword.weight 3", "there is no field .weapons.sword.weight.; known: name, damage"),
        ("abilities. 3", "unknown name"),
        ("size gigantic", "expected one of"),
        ("side foes", "side: belongs to the roster, not to a fight; change it there"),
        ("party heroes", "party: belongs to the roster"),
        (". 3", "the name of a field is missing"),
    ],
)
def test_an_invalid_path_or_value_is_refused_with_its_path(path, said):
    fight = fight_of()
    before = fight.plain
    with pytest.raises(Wrong, match=said):
        fight.do(f"set okado {path}")
    assert fight.plain == before


@pytest.mark.parametrize("path", ["max life", "Max Life", "max_life"])
def test_a_field_is_set_by_its_path_or_by_what_people_call_it(path):
    fight = fight_of()
    assert fight.do(f"set okado {path} 58").text == "Okado's max life: 52 → 58."


def test_an_entry_is_set_added_and_taken_off_as_one_line():
    fight = fight_of()
    said = fight.do('set okado weapons.sword "18 melee, range 3 m"').text
    assert said == "Okado's sword: 15 → 18 melee, range 3 m."
    fight.do("set okado weapons.dagger 3")
    fight.do("set okado sword 20 melee")
    assert [(weapon.name, weapon.damage) for weapon in fight.sheet("okado").weapons] == [
        ("sword", 20),
        ("dagger", 3),
    ]
    assert fight.do("set okado weapons.sword none").text == "Okado's sword: 20 melee → none."
    assert [weapon.name for weapon in fight.sheet("okado").weapons] == ["dagger"]
    fight.do("undo")
    assert len(fight.sheet("okado").weapons) == 2


def test_a_stored_status_is_a_figure_like_any_other():
    fight = Fight("atomic_d20", "add okado", "set okado status dying")
    assert fight.encounter.status(fight.encounter.combatants["okado"]).name == "dying"


# Newcomers


def test_several_of_a_kind_are_numbered_past_what_is_there():
    fight = Fight("atlantis", "add guard x2", "add guard x2", "remove guard-2", "add guard")
    assert list(fight.encounter.combatants) == ["guard-1", "guard-3", "guard-4", "guard-5"]
    assert [one.name for one in fight.encounter][-1] == "Guard 5"
    single = Fight("atlantis", "add guard", "add guard")
    assert list(single.encounter.combatants) == ["guard", "guard-2"]


def test_fifty_come_in_one_command():
    fight = Fight("atlantis", "add guard x50")
    assert len(fight.encounter.combatants) == 50
    assert fight.log.events[-1].text == "Guard 1 to Guard 50 join the foes."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("add gard", "did you mean Guard[?]"),
        ("add guard x0", "choose 1 to 500"),
        ("add guard x501", "choose 1 to 500"),
        ("add guard in round 1", "it is round 1; choose a later round"),
    ],
)
def test_newcomers_that_cannot_be_are_refused(line, said):
    with pytest.raises(Refused, match=said):
        fight_of().do(line)


def test_a_kind_is_found_by_its_name_and_by_its_beginning():
    fight = Fight("atlantis")
    fight.roster = {**roster_of(fight.game), "raider-captain": fight.roster["guard"]}
    for line in ('add "Raider captain"', "add raid", "add RAIDER_CAPTAIN"):
        fight.do(line)
    fight.roster = {}
    with pytest.raises(Refused, match="the roster is empty"):
        fight.do("add ada")


def test_the_side_decides_whether_a_combatant_is_a_players_character():
    fight = Fight(
        "atlantis", "add okado", "add guard", "add guard as Friend side=PLAYERS", "add okado as Foe side=foes"
    )
    assert [one.sheet.is_pc for one in fight.encounter] == [True, False, True, False]
    assert fight.encounter.combatants["friend"].side == PLAYERS


def test_a_file_that_leaves_out_what_follows_from_the_side_has_it_filled_in():
    game = load("atlantis")
    assert not read_combatant(game, {"id": "orc", "name": "Orc", "side": "foes"}).sheet.is_pc
    assert read_combatant(game, {"id": "orc", "name": "Orc", "sheet": {"is_pc": True}}).sheet.is_pc


@pytest.mark.parametrize("name", NASTY)
def test_any_name_is_cleaned_and_stays_distinct(name):
    fight = Fight("atlantis", "add okado")
    fight.do(f'add guard as "{name}"')
    fight.do(f'add guard as "{name}"')
    fight.do(f'condition 2 "{name}"')
    fight.do(f"note {name}")
    assert len(fight.encounter.combatants) == 3
    for one in fight.encounter:
        assert one.name.isprintable()
        assert len(one.name) <= 90
        assert one.id.isprintable()
    assert fight.folded() == fight.plain
    assert fight.text("hide 2").endswith("hidden now.")


def test_a_name_in_the_roster_that_cannot_be_printed_is_cleaned():
    fight = Fight("atlantis")
    fight.roster = {"imp": Entry("\x1b[31mImp", "foes", roster_of(fight.game)["guard"].sheet)}
    assert fight.text("add imp") == "[31mImp joins the foes."


# Targets that have not arrived


@pytest.mark.parametrize(
    "line",
    ["condition all marked", "condition foes marked for 2 rounds", "hide foes", "hide all", "damage all 1"],
)
def test_a_side_and_all_never_reach_combatants_that_have_not_arrived(line):
    fight = Fight("atlantis", "add okado", "add guard", "add guard x2 as Wolf in round 3", "start")
    before = fight.encounter.combatants
    event = fight.do(line)
    now = fight.encounter.combatants
    assert now["guard"] != before["guard"]
    assert [now[who] for who in ("wolf_h1", "wolf_h2")] == [before[who] for who in ("wolf_h1", "wolf_h2")]
    assert not {"wolf_h1", "wolf_h2"} & {*event.targets}


@pytest.mark.parametrize("line", ["condition foes marked", "hide foes", "reveal foes", "clear foes marked"])
def test_a_side_of_which_nobody_has_arrived_is_refused(line):
    fight = Fight("atlantis", "add okado", "add guard x2 in round 3", "start")
    with pytest.raises(Refused, match='"foes" matches no combatant that has arrived'):
        fight.do(line)


# Offers


def test_a_counterattack_on_offer_needs_no_more_than_its_name_and_is_taken_up_once():
    fight = Fight("arden", "add okado", "add guard x2", "start dice=20,5,5")
    assert "may strike back" in fight.text("attack guard-2 by okado dice=1")
    (offer,) = fight.encounter.offers
    assert offer.command == "counter okado by guard-2"
    assert fight.text("counter dice=15").startswith("Guard 2")
    assert not fight.encounter.offers
    with pytest.raises(Refused, match="needs a target"):
        fight.do("counter by guard-2")


def test_what_was_offered_comes_with_its_options_unless_others_are_typed():
    fight = toy("add ada", "add orc x2", "start", "strike orc-2 dice=1")
    assert fight.encounter.offers[0].command == "strike ada bonus=3 by orc-2"
    assert fight.done("strike dice=1").text.startswith("Orc 2 strikes Ada: 4.")
    assert fight.done("strike bonus=1 dice=1").text.startswith("Orc 2 strikes Ada: 2.")
    assert fight.done("strike orc-1 dice=1").text.startswith("Ada strikes Orc 1: 1.")


def test_the_last_breath_is_offered_with_the_one_that_may_save_a_life():
    fight = Fight(
        "atomic_d20", "add okado", "add guard", "start", "set guard hearts 1", "set guard stamina 0"
    )
    fight.do("damage guard 12")
    assert "conscious again" in fight.text("death_choice dice=20")


def test_offers_end_with_the_turn_and_with_those_concerned():
    fight = toy("add ada", "add orc x2", "start", "strike orc-2 dice=1")
    fight.do("remove orc-2")
    assert not fight.encounter.offers
    fight.do("strike orc-1 dice=1")
    fight.do("next")
    assert not fight.encounter.offers


# The rest


def test_hooks_cannot_be_called_by_hand():
    with pytest.raises(Refused, match="runs automatically"):
        fight_of("round_start")


def test_an_action_without_target_is_carried_out_by_the_named_combatants():
    fight = Fight("waygate", "add okado", "add tamsin", "start", "award_mark tamsin")
    assert "Tamsin" in fight.log.events[-1].text


@pytest.mark.parametrize(
    "line", ["attack guard-1 weapon=bow", "attack guard-1 frobs=3", "check threshold=25"]
)
def test_invalid_options_are_refused_by_name(line):
    with pytest.raises(Wrong):
        fight_of(line)


@pytest.mark.parametrize(
    ("dice", "said"), [("", "too few dice: 0 given"), ("13,5,5,5,5,5", "too many"), ("21", "d20 cannot")]
)
def test_dice_that_do_not_fit_are_refused(dice, said):
    with pytest.raises(Refused, match=said):
        fight_of(f"attack guard-1 dice={dice}")


def test_a_secret_roll_is_marked_and_stores_its_owner():
    fight = fight_of()
    event = fight.do("roll 2d6+3 for okado secret dice=2,5")
    assert event.text == "Okado rolls 2d6 (2, 5) + 3 = 10."
    assert is_secret(event)
    assert [sentence.seen for sentence in event.sentences] == ["gm"]
    assert event.rolls[0].of == "okado"


def test_the_end_is_an_end_and_can_be_undone():
    fight = fight_of("end")
    for line in ("end", "delay", "next", "start"):
        with pytest.raises(Refused, match=r"over|during a fight"):
            fight.do(line)
    fight.do("undo")
    fight.do("next")


@given(st.text(max_size=300))
def test_a_note_holds_whatever_can_be_printed(text):
    fight = Fight("atlantis")
    try:
        event = fight.do(f"note {text}")
    except Misread:
        assert not any(one.isprintable() and not one.isspace() for one in text)
    else:
        assert event.text.isprintable()


# Options


@pytest.mark.parametrize(
    "line", ["attack guard-1 weapon=sw", "attack guard-1 wea=SWORD", "attack guard-1 w=sword"]
)
def test_an_option_and_what_it_names_are_found_by_their_beginning(line):
    fight = fight_of()
    assert fight.done(line).options["weapon"] == "sword"


def test_a_choice_is_found_by_its_beginning_and_two_are_refused():
    fight = fight_of()
    assert fight.done("attack guard-1 cover=ha").options["coverage"] == "half"
    with pytest.raises(Wrong, match="could be"):
        fight.do("attack guard-1 d=x")


def test_text_added_to_notes_keeps_their_lines():
    fight = Fight("atlantis", "add okado")
    kept = 'owes the abbot\n  two crowns; "fears" water'
    okado = fight.encounter.combatants["okado"]
    sheet = evolve(okado.sheet, notes=kept)
    fight.encounter = fight.encounter.with_combatants(evolve(okado, sheet=sheet))
    fight.do("set okado notes +lost the sword")
    assert fight.encounter.combatants["okado"].sheet.notes == f"{kept}\nlost the sword"
    fight.do("set okado notes calm")
    fight.do("set okado notes + and tired")
    assert fight.encounter.combatants["okado"].sheet.notes == "calm; and tired"


def test_a_value_with_a_plus_is_appended_to_a_text():
    fight = Fight("atlantis", "add guard")
    for line, notes in (("+limps", "limps"), ("+angry", "limps; angry"), ("calm", "calm")):
        fight.do(f"set guard notes {line}")
        assert fight.sheet("guard").notes == notes


def test_quotes_around_the_whole_text_of_a_scheduled_event_are_no_part_of_it():
    fight = toy("add ada", 'schedule "The bell rings" in round 2', 'schedule the "old" bell in round 3')
    assert [each.name for each in fight.encounter.progress.happenings] == ["The bell rings", 'the "old" bell']


def test_a_command_that_adds_nobody_loads_no_creature_of_the_game():
    def shipped():
        raise AssertionError("the creatures of the game were loaded")

    fight = Fight("atlantis", "add okado", "add guard", "start")
    fight.roster = Roster(fight.roster, {}, shipped)
    assert fight.text("damage 2 3")
    assert fight.text("next")


def test_a_command_that_amends_nothing_is_carried_out_in_one_step():
    fight = toy("add ada", "start")
    command = read_command(fight.encounter, "note hello")
    parts = (fight.encounter, fight.log, fight.roster, command, fight.dice, Suggested())
    assert list(performing(*parts)) == [perform(*parts)]
