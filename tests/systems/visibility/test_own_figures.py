"""A player reads the figures of their own blow, and nothing of the target's that the table withholds."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.codec.events import plain_event, read_event
from systems.commands.resolve import newly_seen
from systems.contract.outcome import Step, Term, owned
from systems.encounter.events import Event
from systems.errors import InputError, Wrong
from systems.frozen import evolve
from systems.schema.fields import fields_of
from systems.sheets import changed
from systems.visibility.build import view
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.systems.fight import GAMES, Fight
from tests.systems.visibility.test_laws import KeyedDice
from tests.systems.visibility.test_secrets import typed
from tests.systems.visibility.test_told_results import LINES, fight_of_all_actions

OKADO, TAMSIN = Viewer(frozenset({"okado"})), Viewer(frozenset({"tamsin"}))
# The line of a blow with its dice; what Okado's player reads; what is added with exact odds.
BLOWS = {
    "arden": (
        "attack guard-1 dice=15",
        "Okado's attack on Guard 1: critical hit, badly hurt.",
        "18 (attack 3, d20 +15).",
        "18 (attack 3, d20 +15) against 11, damage 3.",
    ),
    "atlantis": (
        "attack guard-1 dice=15",
        "Okado's attack on Guard 1: hit, badly hurt.",
        "68 (melee 53, d20 +15).",
        "68 (melee 53, d20 +15) against 36, damage 45.",
    ),
    "simple": (
        "attack guard-1 weapon=bow dice=15,4",
        "Okado's attack on Guard 1: hit, badly hurt.",
        "20 (attack 5, 1d20 +15), damage 6.",
        "20 (attack 5, 1d20 +15) against 10, damage 6.",
    ),
    "srd5": (
        "attack guard-1 dice=13,3",
        "Okado's sword on Guard 1: hit, badly hurt.",
        "18 (sword 5, d20 +13), damage rolled 6.",
        "18 (sword 5, d20 +13) against 13, damage rolled 6.",
    ),
    "waygate": (
        "attack guard-1 dice=15,1,3",
        "Okado's attack on Guard 1: hit, hurt.",
        "18 (Dex 3, d20 +15), damage 4.",
        "18 (Dex 3, d20 +15), armor rating 10, damage 4.",
    ),
    "xcom": (
        "attack guard-1 dice=15,90,90,3",
        "Okado's attack on Guard 1: hit, badly hurt.",
        "Aim 15, damage 3, own number aim 65.",
        "Aim 15 against 65, damage 3, own number aim 65.",
    ),
}


def fight(game: str, *lines: str) -> Fight:
    return Fight(game, "add okado", "add tamsin", "add guard x2", "start", *lines)


def read(play: Fight, event: Event, viewer: Viewer = OKADO, **shown: str) -> tuple[str, str]:
    """The sentence and the arithmetic of an event's first result, as a player reads them."""
    told = seen_sentences(event, play.encounter, play.log, viewer, Shown(**shown))
    about = [sentence for sentence in told if sentence.result == 0]
    words = " ".join(sentence.text for sentence in about if not sentence.arithmetic)
    return words, " ".join(sentence.text for sentence in about if sentence.arithmetic)


@pytest.mark.parametrize("game", BLOWS)
def test_the_player_who_rolled_reads_total_damage_and_the_states_that_everybody_sees(game):
    line, words, own, exact = BLOWS[game]
    play = fight(game)
    event = play.do(f"{line} by okado")
    assert read(play, event) == (words, own)
    assert read(play, event, odds="none") == (words, own)
    assert read(play, event, odds="exact") == (words, exact)
    for other in (TAMSIN, PUBLIC):
        assert read(play, event, other, odds="exact") == (words, "")


def test_the_line_of_a_blow_has_its_own_figures_as_dimmed_arithmetic():
    play = fight("atlantis")
    play.do("attack guard-1 dice=15 by okado")
    line = view(play.encounter, play.log, OKADO).log[-1]
    assert (line.text, line.arithmetic) == (
        "Okado's attack on Guard 1: hit, badly hurt.",
        "68 (melee 53, d20 +15).",
    )


def test_the_dice_of_a_defender_stay_with_the_game_master():
    play = fight("atomic_d20")
    event = play.do("attack guard-1 dice=12,3,4,4 by okado")
    _, own = read(play, event)
    assert own.startswith("d20 12")
    assert "defence" not in own


def test_damage_that_follows_from_armour_is_read_only_with_exact_odds():
    play = fight("atomic_d20")
    play.encounter = evolve(play.encounter, house=evolve(play.encounter.house, armor_mode="subtraction"))
    event = play.do("attack guard-1 dice=19,1,5,4 by okado")
    assert event.results[0].degree == "hit"
    assert "damage" not in read(play, event)[1]
    assert "damage" in read(play, event, odds="exact")[1]


def test_options_count_only_if_the_player_has_typed_them():
    play = fight("atlantis")
    event = play.do("attack guard-1 modifier=-7 dice=15 by okado")
    assert read(play, event)[1] == "68 (melee 53, d20 +15)."
    asked = evolve(event, who="okado")
    assert read(play, asked)[1] == "61 (melee 53, modifier −7, d20 +15)."


def test_a_condition_of_ones_own_counts_and_one_of_the_target_does_not():
    play = fight("simple", "condition okado bonus 2", "condition guard-1 exposed")
    event = play.do("attack guard-1 weapon=bow dice=3,12,4 by okado")
    assert read(play, event)[1].startswith("19 (attack 5, bonus +2, 1d20 +12), damage")
    play = fight("simple", "condition okado bonus 2", "condition guard-1 exposed secret")
    event = play.do("attack guard-1 weapon=bow dice=3,12,4 by okado")
    assert read(play, event)[1].startswith("19 (attack 5, bonus +2, 1d20 +12), damage")


def test_a_new_condition_is_read_unless_it_is_secret():
    before = fight("atlantis").encounter
    for more, seen in (("", ("prone",)), (" secret", ())):
        play = fight("atlantis", f"condition guard-1 prone{more}")
        assert newly_seen(before, play.encounter, "guard-1") == seen


def test_a_blow_logged_without_owners_is_read_as_before():
    play = fight("atlantis")
    event = play.do("attack guard-1 dice=15 by okado")
    plain = plain_event(event)
    assert read(play, read_event(plain)) == read(play, event)
    for result in plain["results"]:
        del result["shows"]
        for figure in (*result["terms"], *result["steps"]):
            figure.pop("of", None)
    assert read(play, read_event(plain)) == ("Okado's attack on Guard 1: hit.", "")


def test_an_owner_that_is_not_known_is_nobody():
    play = fight("atlantis")
    plain = plain_event(play.do("attack guard-1 dice=15 by okado"))
    for figure in plain["results"][0]["terms"]:
        figure["of"] = "everybody"
    assert read(play, read_event(plain))[1] == ""


def test_terms_keep_the_owner_that_they_have():
    assert owned("actor", Term("melee", 5), Term("cover", -2, of="target")) == (
        Term("melee", 5, of="actor"),
        Term("cover", -2, of="target"),
    )
    assert Step.sum("defence", owned("target", Term("d20", 4))).terms[0].of == "target"


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 2**32))
def test_a_players_own_figures_tell_nothing_of_the_targets_sheet(game, seed):
    random = Random(seed)
    plain, other = (fight_of_all_actions(game) for _ in range(2))
    line = random.choice([line for lines in LINES[game].values() for line in lines])
    foe = other.encounter.combatants["guard-1"]
    field = random.choice(list(fields_of(other.game.sheet).values()))
    try:
        value = field.type.typed(typed(random, field.type), field.name)
        sheet = changed(foe.sheet, {field.name: value})
    except Wrong:
        return
    other.encounter = other.encounter.with_combatants(evolve(foe, sheet=sheet))
    told = []
    for play in (plain, other):
        play.dice = KeyedDice(seed)
        try:
            event = play.do(f"{line} by okado")
        except InputError:
            return
        dice = [roll for roll in event.rolls if roll.of == "okado"]
        told.append((dice, *read(play, event)))
    # A target that gives an advantage changes which dice the player rolls.
    if told[0][:2] == told[1][:2]:
        assert told[0][2] == told[1][2], (line, field.name)
