"""Test that creatures are found in pasted text."""

from pathlib import Path

import pytest

from systems.contract.stat_block import Paragraph
from systems.stat_blocks.prose import feature
from systems.stat_blocks.text import creatures


def test_two_creatures_in_one_paste_are_both_found() -> None:
    text = "Gnarl, AC 15, HP 30 (4d8+12), bite +5 2d6+3, Spd 30\nSnik, AC 13, HP 9, knife +4 1d4+2, Spd 25"
    assert [(each.name, each.armour_class, each.speed["walk"]) for each in creatures(text)] == [
        ("Gnarl", 15, 30),
        ("Snik", 13, 25),
    ]


def test_text_without_a_stat_block_holds_no_creature() -> None:
    assert creatures("Dear players,\nwe meet on Friday at seven. Bring dice.") == ()


CRONE = (Path(__file__).with_name("samples") / "bog-hag-2014.txt").read_text("utf-8")


def test_half_of_a_stat_block_names_the_missing_parts() -> None:
    head, actions, tail = CRONE.partition("Actions\n")
    [first], [second] = creatures(head), creatures(actions + tail)
    assert (first.name, first.hit_points, first.lines) == ("Bog Crone", 66, ())
    assert [paragraph.name for paragraph in first.paragraphs] == ["Amphibious", "Magic Resistance"]
    assert second.name == ""
    assert len(second.paragraphs) == 5
    missing = [line.assumed for line in second.lines]
    assert missing[0] == "the text names no creature"
    assert "no hit points in the text; the sheet's own value stays" in missing


def test_a_text_that_ends_in_a_sentence_is_marked() -> None:
    [found] = creatures(CRONE[: CRONE.index("piercing damage")])
    assert found.lines[-1].assumed == "the text may end in the middle of Bite"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{@atkr m,r} {@hit 6}, reach 5 ft. {@h}5 ({@damage 1d4 + 3}) Slashing damage.",
            "either 6 1d4+3 slashing",
        ),
        ("to hit +5, 2d6+3 piercing", "melee 5 2d6+3 piercing"),
        (
            "Ranged Spell Attack: +7 to hit, range 60 ft., one target. Hit: 9 (2d8) radiant damage.",
            "ranged 7 2d8 radiant",
        ),
    ],
)
def test_one_grammar_reads_attacks_in_prose_tags_and_shorthand(text: str, expected: str) -> None:
    attack = feature(Paragraph("action", "Strike", text)).attack
    assert attack is not None
    [damage] = attack.damage
    assert f"{attack.kind} {attack.to_hit} {damage.amount} {damage.type}" == expected


def test_half_a_speed_is_no_half_damage() -> None:
    text = "The target must succeed on a DC 13 Strength save or take 7 (2d6) damage. It moves half its speed."
    save = feature(Paragraph("action", "Wing", text)).save
    assert save is not None
    assert not save.half


def test_a_check_is_no_saving_throw() -> None:
    text = "As an action, the target can make a DC 12 Strength check to get free."
    found = feature(Paragraph("action", "Web", text))
    assert (found.save, found.left) == (None, text)
