"""Test that creatures are found in pasted text."""

from systems.stat_blocks.text import creatures


def test_two_creatures_in_one_paste_are_both_found() -> None:
    text = "Gnarl, AC 15, HP 30 (4d8+12), bite +5 2d6+3, Spd 30\nSnik, AC 13, HP 9, knife +4 1d4+2, Spd 25"
    assert [(each.name, each.armour_class, each.speed["walk"]) for each in creatures(text)] == [
        ("Gnarl", 15, 30),
        ("Snik", 13, 25),
    ]


def test_text_without_a_stat_block_holds_no_creature() -> None:
    assert creatures("Dear players,\nwe meet on Friday at seven. Bring dice.") == ()
