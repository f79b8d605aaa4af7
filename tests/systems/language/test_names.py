"""Names of several words without quotes, as targets and as actors."""

import pytest

from systems import load
from systems.commands.amounts import DamageOrHeal
from systems.commands.conditions import ClearCondition, SetCondition
from systems.commands.count import Count
from systems.commands.next import Next
from systems.commands.order import OrderBeside
from systems.commands.readiness import Ready
from systems.commands.remove import Remove
from systems.commands.roll import RollDice
from systems.commands.set import SetField
from systems.commands.table import parse
from systems.errors import Misread
from systems.language.intents import Act, Amend
from systems.language.tokens import freed, joined

GAME = load("arden")
NAMES = ("Bandit 1", "Bandit 2", "Raider captain", "Okado")
CAPTAIN = "Raider captain"


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("attack Bandit 1", Act("attack", "Bandit 1")),
        ("attack Bandit 1, Bandit 2", Act("attack", "Bandit 1,Bandit 2")),
        ("attack bandit 1,okado by raider  captain", Act("attack", "bandit 1,okado", by="raider captain")),
        ("damage Bandit 1 4", DamageOrHeal("Bandit 1", "4")),
        (
            "damage Raider captain 2d6 + 1 half=Bandit 2",
            DamageOrHeal(CAPTAIN, "2d6 + 1", {"half": "Bandit 2"}),
        ),
        ("heal Bandit 1 3", DamageOrHeal("Bandit 1", "3", heals=True)),
        ("condition Bandit 1 prone 2", SetCondition("Bandit 1", "prone", 2)),
        (
            "condition okado prone until end of raider captain",
            SetCondition("okado", "prone", until="end", of="raider captain"),
        ),
        ("clear Bandit 1 prone", ClearCondition("Bandit 1", "prone")),
        ("set Raider captain life 5", SetField(CAPTAIN, "life", "5")),
        ("ready Raider captain shoots  at all", Ready(CAPTAIN, "shoots  at all")),
        ("count Bandit 1 life -1", Count("Bandit 1", "life", -1)),
        ("remove Bandit 1, Bandit 2", Remove("Bandit 1,Bandit 2")),
        ("next by Raider captain", Next(CAPTAIN)),
        ("order Bandit 1 before Raider captain", OrderBeside("Bandit 1", CAPTAIN, False)),
        ("roll d20 for Raider captain", RollDice("d20", CAPTAIN)),
        ("amend 3 by Raider captain", Amend(3, by=CAPTAIN)),
    ],
)
def test_a_whole_name_needs_no_quotes(line, intent):
    command = parse(line, GAME, NAMES)
    assert command.intent == intent
    assert command.line == line


def test_a_whole_name_inside_an_amendment_needs_no_quotes():
    inner = parse("amend 3 damage Bandit 1 4", GAME, NAMES).intent.command
    assert (inner.intent, inner.line) == (DamageOrHeal("Bandit 1", "4"), "damage Bandit 1 4")


@pytest.mark.parametrize(
    "line",
    [
        "heal Bandit 1",
        "damage Bandit 1 + 2",
        "condition Raider captain",
        "set Raider captain life",
        "note Bandit 1 runs",
        'attack "Bandit 1" by "Raider captain"',
        "set okado notes Bandit 1  runs",
    ],
)
def test_a_line_that_reads_without_joining_names_still_does(line):
    assert parse(line, GAME, NAMES) == parse(line, GAME)


def test_the_longest_whole_name_counts_and_errors_point_after_it():
    assert parse("attack bandit 1 old", GAME, (*NAMES, "Bandit 1 old")).intent.targets == "bandit 1 old"
    [zzz] = parse("attack Bandit 1 zzz", GAME, NAMES).intent.words
    assert (zzz.text, zzz.start, zzz.end) == ("zzz", 16, 19)
    with pytest.raises(Misread, match='"zzz" is one word too many') as caught:
        parse("remove Bandit 1 zzz", GAME, NAMES)
    assert (caught.value.start, caught.value.end) == (16, 19)
    with pytest.raises(Misread, match='"captain" is one word too many'):
        parse("remove Raid captain", GAME, NAMES)


def test_joined_lines_keep_their_length_and_can_be_split_again():
    line = "attack bandit  1, raider captain"
    assert len(joined(line, NAMES)) == len(line)
    assert freed(joined(line, NAMES)) == "attack bandit 1, raider captain"
