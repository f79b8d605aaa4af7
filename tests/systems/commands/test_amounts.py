"""Damage and healing for several: one throw or one each, half or nothing, a heading and a line for each."""

from fractions import Fraction

import pytest

from systems.commands.amounts import preview_amount, read_amount
from systems.commands.preview import Preview
from systems.commands.table import parse
from systems.encounter.events import lines_of
from systems.encounter.remembered import last_check
from systems.errors import Refused, Wrong
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import PUBLIC, Shown
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import toy


def fighting(game="atlantis"):
    return Fight(game, "add okado", "add guard x4", "start")


def test_several_have_a_heading_and_a_line_each_and_one_undo():
    fight = fighting()
    event = fight.do("damage 1-3 2d6 half=2 none=3 dice=5,4")
    assert event.text == (
        "Damage for 3: 2d6 (5, 4) = 9; Guard 2 takes half; Guard 3 takes nothing. "
        "Guard 1 takes 9 (life 45 → 36). "
        "Guard 2 takes 4 (life 45 → 41). "
        "Guard 3 takes nothing."
    )
    assert event.options == {"amount": "2d6", "half": "guard-2", "none": "guard-3"}
    fight.do("undo")
    assert [fight.sheet(f"guard-{at}").life for at in (1, 2, 3)] == [45, 45, 45]


def test_separate_dice_are_rolled_for_each_target_of_damage():
    event = fighting().do("damage 1-3 1d6 th=each none=2 dice=5,2")
    assert [change.after for change in event.changes] == [40, 43]
    assert event.text.startswith("Damage for 3: 1d6 rolled for each; Guard 2 takes nothing.")


def test_one_target_has_no_heading():
    assert fighting().text("damage 1 7") == "Guard 1 takes 7 (life 45 → 38)."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("damage 1-3 7 half=4", "half: Guard 4 is not a target"),
        ("damage 1-3 7 half=2 none=1-2", "Guard 2 is given for both half and none"),
        ("damage 1-3 7 throw=some", "throw: expected one .a roll for all. or each, got"),
        ("heal 1-3 7 half=bob", "nobody here is called"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(line, why):
    fight = fighting()
    before = fight.plain
    with pytest.raises((Refused, Wrong), match=why):
        fight.do(line)
    assert fight.plain == before


def test_those_in_sight_hear_a_heading_about_themselves_alone():
    heard = []
    for end in ("hide guard-4", "remove guard-4"):
        fight = fighting()
        fight.do(end)
        event = fight.do("damage foes 1d6 dice=4")
        told = seen_sentences(event, fight.encounter, fight.log, PUBLIC, Shown(foes="figures"))
        heard.append([sentence.text for sentence in told])
    assert heard[0] == heard[1]
    assert heard[0][0] == "Damage for 3: 1d6 (4) = 4."


@pytest.mark.parametrize("game", GAMES)
def test_the_preview_of_each_target_is_what_comes_of_every_throw(game):
    fight = fighting(game)
    doing = read_amount(fight.encounter, parse("damage 1-3 1d6 half=2", fight.game).intent)
    for who in ("guard-1", "guard-2"):
        found = preview_amount(fight.encounter, doing, who)
        drops = 0
        for face in range(1, 7):
            fight.do(f"damage {who} {face if who == 'guard-1' else doing.share(who, face)}")
            drops += not fight.encounter.status(fight.encounter.combatants[who]).acts
            fight.do("undo")
        if game not in ("atomic_d20", "waygate"):  # these throw more dice
            assert found.drops == Fraction(drops, 6)


def test_the_log_has_a_line_for_the_heading_and_one_for_each():
    fight = fighting()
    fight.do("condition guard-1 prone")
    assert [
        line.text.split(":")[0].split(" (")[0] for line in lines_of(fight.do("damage 1-3 60 half=2 none=3"))
    ] == [
        "Damage for 3",
        "Guard 1 takes 60",
        "Guard 2 takes 30",
        "Guard 3 takes nothing.",
    ]
    assert len(lines_of(fight.do("check okado,guard-2 ability=melee threshold=40"))) == 3
    assert len(lines_of(fight.do("damage 2 1"))) == len(lines_of(fight.do("next"))) == 1


def test_a_check_by_several_combatants_lists_those_that_passed():
    fight = fighting()
    event = fight.do("check okado,1-2 ability=melee threshold=50 dice=5,19,1,1")
    assert event.text.startswith("Check by 3: 2 pass, 1 fails. Okado")
    assert last_check(fight.log.newest(), fight.game) == (("okado", "guard-1"), ("guard-2",))
    fight.do("undo")
    assert last_check(fight.log.newest(), fight.game) is None


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("damage 2 3 armr=yes", 'damage has no option "armr"; did you mean armour?'),
        ("damage 2 3 haf=2", 'damage has no option "haf"; did you mean half?'),
        ("heal 2 3 zz=2", 'heal has no option "zz"; known: throw, half, none'),
    ],
)
def test_an_unknown_option_is_refused_by_the_name_of_the_command(line, says):
    with pytest.raises(Wrong, match=says.replace("?", r"\?")):
        fighting().do(line)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("damage 2,3 5 half=2 hal=3", "half is given twice; give it once"),
        ("damage 2,3 5 throw=each thro=one", "throw is given twice; give it once"),
        ("count okado size +2", "size: is .*; only a whole number can be counted"),
    ],
)
def test_an_amount_that_cannot_be_is_refused_in_one_sentence(line, says):
    with pytest.raises(Wrong, match=f"^{says}$"):
        fighting().do(line)


def test_the_preview_of_a_combatant_that_takes_nothing_is_that_it_stays():
    fight = fighting()
    doing = read_amount(fight.encounter, parse("damage 1-2 1d6+90 none=2", fight.game).intent)
    assert [preview_amount(fight.encounter, doing, who).drops for who in ("guard-1", "guard-2")] == [1, None]


def test_a_check_by_one_combatant_is_no_check_by_several():
    fight = fighting()
    fight.do("check okado,1 ability=melee threshold=5 dice=5,2")
    assert last_check(fight.log.newest(), fight.game) == (("okado", "guard-1"), ())
    fight.do("check okado ability=melee threshold=50 dice=5")
    assert last_check(fight.log.newest(), fight.game) is None


def test_amended_damage_keeps_the_combatants_that_took_half_when_tags_change():
    fight = Fight("simple", "add okado", "add guard x2", "start dice=10,18,3", "damage 1-3 4 half=3")
    assert fight.encounter.combatants["okado"].tag == "3"
    taken = {who: fight.sheet(who).hp for who in ("okado", "guard-1", "guard-2")}
    fight.do("amend 2 add guard x3")
    assert fight.encounter.combatants["guard-3"].tag == "3"
    assert {who: fight.sheet(who).hp for who in taken} == taken


def test_a_word_that_is_no_throw_is_refused():
    with pytest.raises(Wrong, match=r"^throw: expected one "):
        fighting().do("damage 2,3 5 throw=many")


def test_a_target_that_takes_nothing_has_no_amounts_in_the_preview():
    fight = fighting()
    doing = read_amount(fight.encounter, parse("damage 1-2 1d6 none=2", fight.game).intent)
    assert preview_amount(fight.encounter, doing, "guard-1").amounts
    assert preview_amount(fight.encounter, doing, "guard-2") == Preview()


def test_an_action_without_success_and_failure_is_no_check():
    fight = toy("add ada", "add bo", "start", "again by ada,bo")
    assert last_check(fight.log.newest(), fight.game) is None


def test_a_type_of_damage_follows_the_amount_without_the_name_of_its_option():
    event = Fight("srd5", "add okado", "add guard", "start").do("damage guard 2d6 fire dice=1,2")
    assert event.options == {"amount": "2d6", "type": "fire"}
