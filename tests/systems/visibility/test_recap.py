"""Players read a recap once the game master shows it, and only what they could see."""

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from systems.errors import Misread, Refused
from systems.visibility.build import view
from systems.visibility.recap import UNSEEN, SeenRecap, seen_recap
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.systems.fight import GAMES, Fight
from tests.systems.visibility.test_laws import (
    SHOWN,
    VIEWERS,
    World,
    hidden_line,
    seen_line,
    worlds,
)

OKADO = Viewer(frozenset({"okado"}))
CURVE = "share recap chances=0:62,1:40,2:100 margin=9"


def fought(*lines: str) -> Fight:
    return Fight("simple", "add okado", "add tamsin", "add guard x2", "start", *lines)


def read(fight: Fight, viewer: Viewer = OKADO, shown: Shown | None = None) -> SeenRecap:
    found = seen_recap(fight.encounter, fight.log, viewer, shown or Shown())
    assert found is not None
    return found


def has_it(fight: Fight) -> bool:
    seen = view(fight.encounter, fight.log, OKADO, Shown())
    found = seen_recap(fight.encounter, fight.log, OKADO, Shown())
    assert seen.recap == (found is not None)
    return seen.recap


def test_players_get_the_recap_when_the_game_master_shows_it_after_the_fight() -> None:
    fight = fought("damage okado 3")
    with pytest.raises(Refused, match="end it first"):
        fight.do("share recap")
    fight.do("end")
    assert not has_it(fight)
    assert fight.do("share recap").text == "The recap is shown to the players."
    assert has_it(fight)
    fight.do("undo")
    assert not has_it(fight)
    fight.do("redo")
    assert has_it(fight)
    # A fight that goes on again has no recap, and a second end is a new one.
    fight.do("undo 2")
    fight.do("damage okado 1")
    fight.do("end")
    assert not has_it(fight)


def test_the_chances_come_with_it_only_if_the_line_has_them() -> None:
    fight = fought("damage guard-1 3", "end", "share recap")
    assert read(fight).shared.curve == {}
    fight.do(f"{CURVE} turned=5:-22")
    found = read(fight)
    assert found.shared.curve == {0: 62, 1: 40, 2: 100}
    assert found.shared.moved == (5, -22)
    # The viewer reads no number of a foe.
    assert found.turned == "Guard 1 is harmed: hurt."
    assert "3" in read(fight, shown=Shown(foes="figures")).turned
    # An event about a hidden combatant has no words.
    secret = fought("add guard as Ghost hidden", "damage ghost 4", "end", f"{CURVE} turned=6:-22")
    assert read(secret).turned == ""


@pytest.mark.parametrize(
    "line", ["share recap chances=high", "share recap turned=12", "share recap margin=x", "share log"]
)
def test_a_line_that_cannot_be_read_says_what_is_expected(line: str) -> None:
    with pytest.raises(Misread, match="expected"):
        fought("end").do(line)


def test_no_name_and_no_number_out_of_sight_is_in_it() -> None:
    fight = fought(
        "add guard as Ghost hidden",
        "attack okado by ghost dice=15,6",
        "attack guard-1 by okado dice=15,6",
        "damage tamsin 2",
        "roll 2d6 for okado secret",
        "end",
        "share recap",
    )
    found = read(fight).recap
    assert "Ghost" not in repr(found)
    assert found.events == 0
    assert found.turns == ()
    # Okado's own losses count, and Tamsin's, whose values are shown; those of foes do not.
    assert {*found.taken} == {"okado", "tamsin"}
    assert UNSEEN in {each.actor for each in found.actions}
    assert "guard-1" in {each.target for each in found.actions}
    assert {*read(fight, shown=Shown(foes="figures")).recap.taken} == {"okado", "guard-1", "tamsin"}
    # Only Okado's own dice are counted, and not those that were rolled in secret.
    assert {luck.of for luck in found.luck} == {"okado"}
    assert {luck.sides: luck.count for luck in found.luck} == {20: 2, 8: 1}
    assert read(fight, PUBLIC).recap.luck == ()
    assert "tamsin" not in read(fight, shown=Shown(allies="band")).recap.taken


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=3, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(random=st.integers(0, 2**32).map(Random), seed=st.integers(0, 10**6))
def test_worlds_that_differ_in_hidden_ones_alone_have_the_same_recap(
    game: str, random: Random, seed: int
) -> None:
    plain, more = worlds(game, None, seed, random)
    for _ in range(8):
        if random.random() < 0.4:
            more.out_of_sight(hidden_line(plain, more, random))
            continue
        line = seen_line(plain, random)
        if line in ("undo", "redo", "back") or line.startswith("reveal"):
            continue
        if plain.accepts(line) and more.accepts(line):
            plain.play(line)
            more.play(line)
    for line in ("end", CURVE):
        assert plain.do(line)
        assert more.do(line)
    assert recaps(plain) == recaps(more)


def recaps(world: World) -> list[SeenRecap | None]:
    fight = world.fight
    return [seen_recap(fight.encounter, fight.log, viewer, shown) for viewer in VIEWERS for shown in SHOWN]


def test_a_recap_names_those_who_did_and_took_no_harm() -> None:
    fight = fought("attack okado by guard-1 dice=1", "end", "share recap")
    assert read(fight).recap.names == {"guard-1": "Guard 1", "okado": "Okado"}
