"""What a seat's question fills in: options as they were last, where the viewer saw it."""

from systems.visibility.remembered import SeenEvents
from systems.visibility.sight import seen_encounter
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import Fight

OKADO = Viewer(frozenset({"okado"}))


def fight(*lines: str) -> Fight:
    names = ("add okado", "add tamsin", "add guard x2", "add guard as Ghost hidden")
    return Fight("atlantis", *names, "start", *lines)


def filled(play: Fight, target: str, actor: str = "okado") -> dict[str, str]:
    events = SeenEvents(play.encounter, play.log, OKADO, Shown())
    action = play.game.action("attack")
    assert action is not None
    found = events.remembered(seen_encounter(play.encounter, OKADO), action, actor)
    return dict(found.get(target, {}))


def test_what_is_filled_in_is_what_the_viewer_saw_of_its_own_character_and_that_target():
    play = fight("attack guard-1 distance=40 coverage=half by okado", "attack guard-1 distance=9 by tamsin")
    assert filled(play, "guard-1") == {"distance": "40", "coverage": "half"}
    assert filled(play, "guard-2") == {}
    assert filled(play, "nobody") == {}


def test_what_happened_out_of_sight_is_not_filled_in_afterwards():
    play = fight("set ghost attacks_per_round 2", "attack okado distance=30 by ghost", "reveal ghost")
    ghost = next(each.id for each in play.encounter if each.name == "Ghost")
    assert filled(play, ghost) == {}
    play.do("attack okado distance=20 by ghost")
    assert filled(play, ghost) == {"distance": "20"}


def test_the_last_target_is_the_last_one_that_was_seen():
    play = fight("attack guard-2 by okado", "attack ghost by okado")
    events = SeenEvents(play.encounter, play.log, OKADO, Shown())
    assert events.last_target(seen_encounter(play.encounter, OKADO), "okado") == "guard-2"
