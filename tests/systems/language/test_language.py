"""The command language: every form, and errors that point at the word."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems import load
from systems.commands.amounts import DamageOrHeal
from systems.commands.conditions import ClearCondition, SetCondition
from systems.commands.count import Count
from systems.commands.delay import Delay, Return
from systems.commands.end import End
from systems.commands.hide import Hide
from systems.commands.next import Next
from systems.commands.note import Note
from systems.commands.order import OrderBeside, OrderValue
from systems.commands.remove import Remove
from systems.commands.roll import RollDice
from systems.commands.set import SetField
from systems.commands.start import Start
from systems.commands.step_back import Back
from systems.commands.table import COMMANDS, parse
from systems.commands.undo import Redo, Undo
from systems.errors import Misread, Refused, Wrong
from systems.language import parser
from systems.language.declaration import form_of
from systems.language.intents import Act, Add
from systems.language.tokens import LONGEST, TokenLine, quote, words_of
from tests.laws import examples
from tests.systems.fight import GAMES, Fight

GAME = load("atlantis")


def meant(line):
    return parse(line, GAME).intent


@pytest.mark.parametrize(
    ("line", "intent"),
    [
        ("attack", Act("attack")),
        ("attack guard-1", Act("attack", "guard-1")),
        ("Attack 1, 3-5 weapon=katana", Act("attack", "1,3-5", {"weapon": "katana"})),
        (
            'attack guard-1 weapon="short bow" cover=half by okado',
            Act(
                "attack",
                "guard-1",
                {"weapon": "short bow", "cover": "half"},
                "okado",
                frozenset({"weapon"}),
            ),
        ),
        ('attack by "Okado the Elder" guard-1', Act("attack", "guard-1", {}, "Okado the Elder")),
        ("coup-de-grace 2", Act("coup_de_grace", "2")),
        ("next", Next()),
        ("NEXT by okado", Next("okado")),
        ("back", Back()),
        ("start", Start()),
        ("end", End()),
        ("delay", Delay()),
        ("delay okado", Delay("okado")),
        ("delay by okado", Delay("okado")),
        ("return okado", Return("okado")),
        ("order okado before guard-1", OrderBeside("okado", "guard-1", False)),
        ("order okado after guard-1", OrderBeside("okado", "guard-1", True)),
        ("order okado -3", OrderValue("okado", -3)),
        ("order okado \N{MINUS SIGN}3", OrderValue("okado", -3)),
        ("damage 1,3-5 7", DamageOrHeal("1,3-5", "7")),
        ("damage guard-1 2d6 + 3 armour=yes", DamageOrHeal("guard-1", "2d6 + 3", {"armour": "yes"})),
        ("heal all 5 by tamsin", DamageOrHeal("all", "5", {}, True, "tamsin")),
        ("set okado life24", SetField("okado", "life", "24")),
        ("set okado abilities.melee 55", SetField("okado", "abilities.melee", "55")),
        ("set okado notes killed by wolves = 3", SetField("okado", "notes", "killed by wolves = 3")),
        (
            'set okado weapons."short bow".damage 5',
            SetField("okado", "weapons.short bow.damage", "5", quoted=True),
        ),
        ('set "Okado II" name "Okado III"', SetField("Okado II", "name", "Okado III")),
        ("condition guard-1 prone", SetCondition("guard-1", "prone")),
        ("condition guard-1 bane 2 for 3 rounds", SetCondition("guard-1", "bane", 2, 3)),
        ("condition 1,2 prone for 1 round", SetCondition("1,2", "prone", None, 1)),
        (
            "condition guard-1 slow -2 until end of okado",
            SetCondition("guard-1", "slow", -2, None, "end", "okado"),
        ),
        (
            "condition guard-1 prone until START of 2",
            SetCondition("guard-1", "prone", None, None, "start", "2"),
        ),
        ('condition guard-1 "for ever"', SetCondition("guard-1", "for ever", quoted=True)),
        ("clear all prone", ClearCondition("all", "prone")),
        ("add guard", Add("guard")),
        ("add guard x4", Add("guard", 4)),
        ("add guard 4", Add("guard", numbered_kind="guard 4")),
        ("add raider captain x2 hidden", Add("raider captain", 2, hidden=True)),
        (
            "add raider captain as Old Bram side=foes hidden in round 3",
            Add("raider captain", None, "Old Bram", "foes", True, 3),
        ),
        ("add guard sid=foes", Add("guard", side="foes")),
        ("add girl in the mist", Add("girl in the mist")),
        (
            'add guard x2 as "Gate guard" side=foes hidden in round 3',
            Add("guard", 2, "Gate guard", "foes", True, 3),
        ),
        ("remove guard-1", Remove("guard-1")),
        ("hide 1-3", Hide("1-3", True)),
        ("reveal all", Hide("all", False)),
        ("roll 2d6+3", RollDice("2d6+3")),
        ("roll 4d6kh3 + 2 for okado secret", RollDice("4d6kh3 + 2", "okado", True)),
        ("roll 2d6 by okado", RollDice("2d6", "okado")),
        ('note He said "no" = x by me', Note('He said "no" = x by me')),
        ('note "a free for all"', Note('"a free for all"')),
        ("note The gate opens for all", Note("The gate opens", for_all=True)),
        ("count okado life -2", Count("okado", "life", -2)),
        ("count okado life +3", Count("okado", "life", 3)),
        (
            "condition guard-1 prone for 2 rounds secret",
            SetCondition("guard-1", "prone", None, 2, secret=True),
        ),
        ("undo", Undo()),
        ("undo 3", Undo(3)),
        ("redo 2", Redo(2)),
    ],
)
def test_every_form_of_the_language_is_understood(line, intent):
    assert meant(line) == intent


def test_dice_given_by_hand_may_follow_anywhere_after_the_command():
    for line in (
        "attack guard-1 dice=13,17 by okado",
        "attack dice=13,17, guard-1",
        "ATTACK guard-1 DICE=13,17",
    ):
        assert parse(line, GAME).dice == (13, 17)
    assert parse("attack guard-1", GAME).dice is None
    assert parse("attack guard-1 dice=", GAME).dice == ()


@pytest.mark.parametrize(
    ("line", "word", "said"),
    [
        ("frobnicate 3", "frobnicate", "there is no command"),
        ("atack guard-1", "atack", "did you mean attack?"),
        ("hit 3", "hit", "did you mean attack or damage?"),
        ("kill 3", "kill", "did you mean damage, status or remove?"),
        ("HURT 3 5", "HURT", "did you mean damage?"),
        ("save", "save", 'no command "save"; each command is saved at once'),
        ("quit", "quit", "leave the program itself; everything is saved"),
        ("q", "q", "leave the program itself; everything is saved"),
        (".", ".", "type the action again"),
        ("n", "n", "did you mean next?"),
        ("undo dce=3", "dce=3", "did you mean dice?"),
        ("add guard sde=foes", "sde=foes", "did you mean side?"),
        ("happening x in round 3", "happening", "did you mean schedule?"),
        ("remove 1 3", "3", "separate several targets with commas"),
        ("attack guard-1 dice=six", "dice=six", "dice takes faces"),
        ("attack guard-1 weapon=a weapon=b", "weapon=b", "given twice"),
        ("attack guard-1 by", "by", "the name after"),
        ('note-book "x', '"', "never closed"),
        ("next guard-1", "guard-1", "one word too many"),
        ("next now=yes", "now=yes", "takes no option now"),
        ("start by okado", "okado", "takes no"),
        ("order okado beside 3", "beside", "expected before, after or a number"),
        ("damage guard-1 lots", "l", "at character 1"),
        ("roll 2d6 + banana", "b", "banana"),
        ("condition guard-1 prone for ever", "ever", "expected a whole number"),
        ("condition guard-1 prone for 0 rounds", "for", "1 to 9999"),
        ("condition guard-1 prone until noon of okado", "noon", "start or end"),
        ("condition guard-1 for 2 rounds", "for", "name of the condition is missing"),
        ("condition guard-1 on fire", "fire", "in quotes"),
        ("add guard x4 times", "times", "not understood"),
        ("count okado life 3", "3", r"type \+3 or -3; to set the field: set okado life 3"),
        ("count okado life much", "much", "a number with its sign"),
        ("undo 0", "0", "at least 1"),
        ("undo some", "some", "expected a whole number"),
    ],
)
def test_an_error_points_at_the_word_and_says_what_is_expected(line, word, said):
    with pytest.raises(Misread, match=said) as misread:
        meant(line)
    assert line[misread.value.start : misread.value.end] == word


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        ("", "a command"),
        ("damage", "the name is missing: "),
        ("damage guard-1", "the amount"),
        ("condition guard-1", "the name of the condition"),
        ("condition guard-1 prone until end of", "whose turn"),
        ("order okado", "the place"),
        ("order okado before", "the other combatant"),
        ("set", "the name is missing"),
        ("set okado", "the field"),
        ("set okado life", "the value"),
        ("add", "the name of a roster entry"),
        ("add guard as", "the name"),
        ("add guard in round", "the round"),
        ("roll secret", "what to roll"),
        ("note  ", "the text of the note"),
        ("return", "the name is missing: "),
        ("clear guard-1", "the condition"),
    ],
)
def test_a_missing_part_is_named_at_the_end_of_the_line(line, missing):
    with pytest.raises(Misread, match=missing) as misread:
        meant(line)
    assert misread.value.start == misread.value.end == len(line)


def test_a_line_that_is_too_long_is_not_read():
    with pytest.raises(Misread, match="at most 2000"):
        meant("note " + "x" * LONGEST)
    assert meant("note " + "x" * (LONGEST - 5)) == Note("x" * (LONGEST - 5))


def test_an_unprintable_character_counts_as_a_space():
    assert meant("attack\x07guard-1\x1b[31m".replace("[31m", "")) == Act("attack", "guard-1")
    assert parse("note a\x00b\u202ec", GAME).line == "note a b c"


def test_the_words_of_a_line_know_their_positions():
    line = 'attack  "Guard 1" weapon="short bow"'
    assert [(word.text, line[word.start : word.end]) for word in words_of(line)] == [
        ("attack", "attack"),
        ("Guard 1", '"Guard 1"'),
        ("weapon=short bow", 'weapon="short bow"'),
    ]


def test_roll_alone_is_the_games_action_if_it_has_one():
    assert meant("roll") == Act("roll")
    with pytest.raises(Misread, match="what to roll"):
        parse("roll", load("xcom"))


@pytest.mark.parametrize("game", GAMES)
def test_every_action_of_a_game_is_a_command_in_either_spelling(game):
    ruleset = load(game)
    for action in ruleset.actions:
        if action.name not in COMMANDS:
            assert parse(f"{action.name} 1", ruleset).intent == Act(action.name, "1")
            assert parse(f"{action.name.replace('_', '-').upper()} 1", ruleset).intent == Act(
                action.name, "1"
            )


# Any text

WORDS = st.sampled_from(
    (
        *COMMANDS,
        *"attack okado guard-1 1-3 99999-1 all foes by for until end of x9 x99999 as side=".split(),
        *"hidden in round".split(),
        *"dice=1,2 dice= = 5 -1 2d6 1d999999 0d0 weapons.1.damage life a.b.c name status , 1,,2".split(),
        *"[bold]x[/] ｇｕａｒｄ İ ß weapon=x threshold=1e9 secret".split(),
        *("9" * 30, '"', "\x1b[2J", "\ud800", "👩\u200d🚀"),
    )
)
LINES = st.lists(WORDS | st.text(max_size=12), max_size=9).map(" ".join) | st.text(max_size=60)


@pytest.mark.parametrize("game", GAMES)
@examples(40)
@given(line=LINES)
@example(line="set okado life " + "9" * 1900)
@example(line="attack " + "x" * 1990)
@example(line="damage guard-1 " + "(" * 1900)
@example(line="roll " + "1+" * 900 + "1")
@example(line="add guard as " + "n" * 1900)
@example(line="attack guard-1 " + " ".join(f"o{at}=1" for at in range(200)))
def test_any_line_is_carried_out_or_refused_in_one_clean_sentence(game, line):
    fight = Fight(game, "add okado", "add guard x2", "start")
    try:
        event = fight.do(line)
    except (Misread, Refused, Wrong) as error:
        message = str(error)
        assert message.isprintable()
        assert 0 < len(message) <= 900
    else:
        assert event.text.isprintable()
        assert fight.folded() == fight.plain


# Declared once


def test_every_command_is_read_by_its_forms_and_carries_its_name():
    for declared in COMMANDS.values():
        assert declared.help
        for form in declared.forms:
            assert form.split()[0] == declared.name
    assert parse("heal all 3", GAME).name == "heal"
    assert parse("damage all 3", GAME).name == "damage"
    assert parse("attack 1", GAME).name == "action"
    assert parse("set okado life 3", GAME).name == "set"
    assert parse("note x", GAME).name == "note"


@pytest.mark.parametrize(
    ("text", "typed", "expected"),
    [
        ("condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret]", "", "TARGETS"),
        ("condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret]", "1, 3", "NAME"),
        (
            "condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret]",
            "1 prone",
            "VALUE for until secret",
        ),
        (
            "condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret]",
            "1 prone 2",
            "for until secret",
        ),
        (
            "condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret]",
            "1 prone until",
            "start|end",
        ),
        (
            "condition TARGETS NAME [VALUE] [for N rounds | until start|end of WHO] [secret]",
            "1 prone until end of",
            "WHO",
        ),
        ("order WHO before|after WHO", "okado", "before|after"),
        ("order WHO before|after WHO", "okado before", "WHO"),
        ("order WHO VALUE", "okado before", ""),
        ("add KIND [xN] [side=SIDE] [hidden]", "guard hidden", "xN SIDE"),
        ("delay [WHO]", "", "WHO"),
        ("start", "", ""),
    ],
)
def test_a_form_knows_the_words_that_may_follow(text, typed, expected):
    found = form_of(text).expected(typed.split())
    assert " ".join(place.slot or "|".join(place.words) for place in found) == expected


def test_a_word_similar_to_nothing_gets_no_suggestion():
    with pytest.raises(Misread) as raised:
        parse("frobnicate 3", GAME)
    assert str(raised.value).endswith('there is no command "frobnicate"')
    assert raised.value.suggestion == ""


@pytest.mark.parametrize(
    ("line", "meant"), [("hurt 3 5", "damage"), ("hit 3", ""), ("save", ""), ("atack 3", "attack")]
)
def test_a_suggestion_is_one_command_or_none(line, meant):
    with pytest.raises(Misread) as raised:
        parse(line, GAME)
    assert raised.value.suggestion == meant


def test_other_words_for_commands_mean_existing_commands():
    known = {*COMMANDS, *(action.name for action in GAME.actions)}
    for word, meant in parser._MEANT.items():
        assert set(meant) <= known | {"attack", "status"}, word
        assert word not in COMMANDS
    assert not set(parser._NO_COMMANDS) & {*COMMANDS, *parser._MEANT}


@given(text=st.text(st.characters(exclude_characters='"\0')), always=st.booleans())
@example(text="", always=False)
@example(text="tea time", always=False)
@example(text="side=enemy", always=False)
@example(text="by", always=False)
def test_a_quoted_text_is_read_back_as_one_word(text, always):
    word, *more = words_of(quote(text, always=always))
    assert (word.text, more) == (text, [])
    line = TokenLine(f"note {quote(text, always=always)}")
    assert [word.text for word in line.words[1:]] == [text]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("dagger", "dagger"),
        ("=17", "=17"),
        ("long sword", '"long sword"'),
        ('"a new name"', '"a new name"'),
        ('a "new" name', '"a new name"'),
    ],
)
def test_a_word_is_quoted_only_if_it_needs_quotes(text, written):
    assert quote(text) == written
