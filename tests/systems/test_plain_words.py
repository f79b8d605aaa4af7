"""Every sentence of the rules, in fights played at random and on lines that are wrong, is in plain words."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import load
from systems.commands.table import COMMANDS
from systems.errors import InputError
from systems.schema.fields import Entries, fields_of
from systems.visibility.build import view
from systems.visibility.viewer import Shown, Viewer
from tests.laws import examples
from tests.plain_words import slips
from tests.systems.fight import GAMES, Fight
from tests.systems.walks import line_for

RANDOM = st.integers(0, 2**32).map(Random)
STYLES = st.sampled_from((None, "initiative", "sides", "manual"))
TABLES = (Shown(), Shown(foes="figures", allies="band"))
NAMES = ("okado", "tamsin", "guard", "guard-1", "guard-2")
WRONG_WORDS = (
    *"zz guard gu 999 -1 0 xx=yy = * 1- 3-1 h9 for until by x0 x999 sword % é 2d6 999d999 d + by".split(),
    *'"" foes all 1,2,zz guard-1 guard-2 tamsin okado dice=99 modifier=999999 modifier=zz weapon=zz'.split(),
    "by zz",
    "in round 0",
    "for 0 rounds",
    "until end of zz",
    "before zz",
)
WRONG_VALUES = ("zz", "", "-5", "99999", "yes", "1,2,3", "a:b", "2d6", "[1]")


def is_written(line: str) -> bool:
    """Whether a line holds words that stand in sentences as they were written: a text, a new name."""
    verb, *words = line.split()
    names_something = verb in ("set", "count", "condition", "clear") and len(words) > 1
    free = names_something and ("=" in words[1] or words[1] in ("name", "notes", *NAMES))
    return verb in ("note", "say", "ready", "schedule") or free


def wrong_line(fight: Fight, random: Random) -> str:
    """A command or an action, with words behind it that hardly ever fit."""
    actions = {action.name: fields_of(action.options) for action in fight.game.actions}
    verb = random.choice([*COMMANDS, *actions])
    options = [f"{name}={random.choice(WRONG_VALUES)}" for name in actions.get(verb, ())]
    words = [*WRONG_WORDS, *options, *options, *fields_of(fight.game.sheet)]
    return " ".join([verb, *(random.choice(words) for _ in range(random.randrange(4)))])


def said_of(fight: Fight, line: str) -> list[str]:
    """What a line brings to the eyes of the game master."""
    try:
        event = fight.do(line)
    except InputError as error:
        return [str(error)]
    return [event.text, *(offer.says for offer in fight.encounter.offers)]


def seen_by_a_seat(fight: Fight) -> list[str]:
    """What okado's seat reads: the log, and what lies before it."""
    seen = [view(fight.encounter, fight.log, Viewer(frozenset({"okado"})), shown) for shown in TABLES]
    lines = [told.text for each in seen for told in each.log]
    return [*lines, *(offered.says for each in seen for offered in each.offers)]


@pytest.mark.parametrize("game", GAMES)
@examples(6)
@given(random=RANDOM, style=STYLES)
def test_every_sentence_is_in_plain_words(game, style, random):
    fight = Fight(game, "add okado", "add tamsin", "add guard x2", "add guard as Shade hidden", style=style)
    fight.do("start")
    found = []
    for _ in range(60):
        line = random.choice([line_for, wrong_line])(fight, random)
        if is_written(line):
            continue
        here = dict(fight.encounter.combatants)
        sentences = said_of(fight, line)
        here |= fight.encounter.combatants
        ids = [who for who, combatant in here.items() if combatant.name != who]
        found += [(line, sentence, *slips(sentence, ids)) for sentence in sentences]
    found += [("", sentence, *slips(sentence, ids)) for sentence in seen_by_a_seat(fight)]
    assert not [each for each in found if each[2:]]


@pytest.mark.parametrize("game", GAMES)
def test_every_wrong_option_and_field_is_reported_in_plain_words(game):
    fight = Fight(game, "add okado", "add guard", "start")
    ids = [combatant.id for combatant in fight.encounter]
    values = ("zz", "1,zz", "-5")
    lines = [
        f"{action.name} {who}{name}={value}"
        for action in fight.game.actions
        for name in fields_of(action.options)
        for who in ("", "guard ")
        for value in values
    ]
    lines += [f"set okado {name} {value}" for name in fields_of(fight.game.sheet) for value in values]
    said = [(line, sentence) for line in lines for sentence in said_of(fight, line)]
    assert not [(*each, *found) for each in said if (found := list(slips(each[1], ids)))]


@pytest.mark.parametrize("game", GAMES)
def test_help_texts_of_fields_and_options_are_in_plain_words(game):
    ruleset = load(game)
    declared = [ruleset.sheet, ruleset.house, *(action.options for action in ruleset.actions)]
    inside = [field.type.of for cls in declared for field in fields_of(cls).values() if is_entries(field)]
    fields = [field for cls in (*declared, *inside) for field in fields_of(cls).values()]
    said = [text for field in fields for text in (field.label, field.help, field.when_absent)]
    said += [text for action in ruleset.actions for text in (action.title, action.help)]
    assert not [(text, *found) for text in said if (found := list(slips(text)))]


def is_entries(field):
    return isinstance(field.type, Entries)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("damage zz 3", 'nobody here is called "zz"; combatants: Okado, Tamsin, Guard 1, Guard 2'),
        ("set okado max_life zz", 'max life: expected a whole number from 1 to 999, got "zz"'),
        ("add zz", 'the roster has no "zz"; entries: Okado, Tamsin, Guard; create it'),
    ],
)
def test_an_error_names_people_and_fields_as_they_are_read(line, said):
    with pytest.raises(InputError, match=said):
        Fight("atlantis", "add okado", "add tamsin", "add guard x2").do(line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("add okado", "Okado is in the fight already; give a second one another name, such as: okado as"),
        ("set guard-1 name Okado", "Okado is in the fight already; choose another name"),
        ("attack guard-1", "nobody has the turn; start the fight, or name the actor, such as: by Okado"),
        ("attack guard-1 by", 'the name after "by" is missing'),
        ("attack guard-1 by okado by okado", '"by" is used twice'),
        ("undo by okado", 'this command takes no "by"'),
        (
            "condition okado prone until zz of okado",
            "of a turn, damaged, healed, or WHO falls, such as: until end of okado",
        ),
    ],
)
def test_suggestions_are_in_plain_words_without_backticks(line, said):
    with pytest.raises(InputError) as error:
        Fight("atlantis", "add okado", "add guard x2").do(line)
    assert said in str(error.value)
    assert not list(slips(str(error.value)))


def test_a_fight_without_initiative_starts_without_numbers():
    with pytest.raises(InputError, match="this fight does not use initiative; start it without numbers"):
        Fight("atlantis", "add okado", style="manual").do("start okado 4")


def test_the_earlier_turn_of_a_removed_combatant_is_reported_by_name():
    fight = Fight("atlantis", "add okado", "add guard x2", "start", "next", "remove 3")
    with pytest.raises(InputError, match="the previous turn was Okado's, but Okado has left the fight"):
        fight.do("back")


def test_an_amendment_names_combatants_that_have_left_since():
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", "damage 1 5", "remove 1")
    assert fight.text("amend 5 never").startswith("Amended: 5 damage to Guard 1 (event 5) did not happen.")


def test_of_many_names_the_most_alike_come_first_and_the_rest_are_counted():
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard x20")
    with pytest.raises(InputError) as error:
        fight.do("damage oki 3")
    assert str(error.value).startswith('nobody here is called "oki"; combatants: Okado, ')
    assert str(error.value).endswith(", 15 more")
