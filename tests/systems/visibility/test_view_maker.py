"""Views of one viewer after the other are those that are made afresh."""

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from systems.errors import Misread, Refused, Wrong
from systems.visibility import sentences
from systems.visibility.build import ViewMaker, view
from systems.visibility.viewer import GAME_MASTER, PUBLIC, Shown, Viewer
from tests.laws import examples
from tests.systems.fight import GAMES, Fight
from tests.systems.walks import line_for

VIEWERS = (Viewer(frozenset({"okado"})), Viewer(frozenset({"tamsin", "okado"})), PUBLIC, GAME_MASTER)
SETTINGS = (Shown(), Shown(foes="figures", allies="band"))
ALSO = ("undo", "redo", "hide guard-1", "reveal guard-1", "set guard-2 name Bruno", "amend 6 dice=3")


@pytest.mark.parametrize("game", GAMES)
@settings(examples(3), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(random=st.integers(0, 2**32).map(Random))
def test_a_view_after_others_is_the_one_made_afresh(game, random):
    fight = Fight(game, "add okado", "add tamsin", "add guard x3", "start")
    makers = [(ViewMaker(viewer), viewer) for viewer in VIEWERS]
    for _ in range(25):
        line = random.choice(ALSO) if random.random() < 0.3 else line_for(fight, random)
        try:
            fight.do(line)
        except (Refused, Wrong, Misread):
            continue
        shown = random.choice(SETTINGS)
        for maker, viewer in makers:
            made = maker.view(fight.encounter, fight.log, shown)
            assert made == view(fight.encounter, fight.log, viewer, shown), line


def test_an_event_is_read_once_until_a_name_or_side_changes(monkeypatch):
    read = []
    seen_sentences = sentences.seen_sentences
    monkeypatch.setattr(
        sentences, "seen_sentences", lambda event, *rest: read.append(event.n) or seen_sentences(event, *rest)
    )
    fight = Fight("atlantis", "add okado", "add guard x2", "start", "damage guard-1 3")
    maker = ViewMaker(VIEWERS[0])
    maker.view(fight.encounter, fight.log, Shown())
    newest = len(fight.log.events)
    assert sorted(read) == list(range(1, newest + 1))
    read.clear()
    fight.do("damage guard-2 3")
    assert maker.view(fight.encounter, fight.log, Shown()).log[-1].text == "Guard 2 is harmed: hurt."
    assert read == [newest + 1]
    fight.do("set guard-1 name Bruno")
    assert "Bruno is harmed: hurt." in [
        line.text for line in maker.view(fight.encounter, fight.log, Shown()).log
    ]
