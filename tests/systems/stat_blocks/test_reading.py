"""Test that a stat block becomes a sheet that its game accepts."""

from systems import load
from systems.contract.stat_block import Paragraph, StatBlock
from systems.sheets import read_sheet
from systems.stat_blocks.reading import sheet_of
from systems.stat_blocks.text import creatures

GNARL = StatBlock(
    name="Gnarl",
    armour_class=15,
    hit_points=30,
    abilities={"strength": 16},
    initiative=2,
    paragraphs=(Paragraph("action", "Howl", "It howls."),),
    sources={"hit_points": "HP 30", "armour_class": "AC 15"},
)


def test_a_game_without_a_reader_takes_the_name_and_the_figures_that_fit_by_label() -> None:
    game = load("waygate")
    found = sheet_of(game, GNARL)
    assert found.fields == {"name": "Gnarl", "max_hp": 30, "str": 16, "notes": "Howl: It howls."}
    assert read_sheet(game, found.fields, "").hp == 30
    assert [(line.text, line.becomes) for line in found.lines if line.assumed] == [
        ("str 16", "Str 16"),
        ("HP 30", "max hp 30"),
    ]
    assert [line.text for line in found.lines if line.problem] == ["AC 15", "Howl"]


def test_a_figure_that_the_game_refuses_is_left_out_with_a_problem() -> None:
    game = load("waygate")
    found = sheet_of(game, StatBlock(name="Gnarl", hit_points=10**6))
    assert found.fields == {"name": "Gnarl"}
    assert [line.problem for line in found.lines if line.problem] != []


def test_a_legendary_action_that_makes_an_attack_carries_it_out() -> None:
    text = (
        "Gnarl\nAC 15\nHP 30\nActions\nClaws. +5 to hit. Hit: 7 (1d8 + 3) slashing damage.\n"
        "Legendary Actions\nClaw Attack. The beast makes one claw attack.\n"
    )
    (block,) = creatures(text)
    sheet = sheet_of(load("srd5"), block)
    (effect,) = sheet.fields["effects"]
    assert (effect["use"], effect["spends"]) == ("Claws", "legendary")
    read_sheet(load("srd5"), sheet.fields, "")
