"""Press random keys in the running program, on a fight that is kept in memory."""

import asyncio
import os
import tempfile
from contextlib import chdir

from hypothesis import strategies as st

from systems.encounter.changes import replay
from systems.encounter.model import new_encounter
from systems.encounter.serialize import plain
from tests.tui.table import NAMED, at_the_gate, playing

SPECIAL = (
    "enter escape tab shift+tab up down left right home end pageup pagedown backspace delete space f1 ctrl+p "
    "ctrl+a ctrl+e ctrl+k ctrl+u ctrl+w ctrl+z ctrl+y ctrl+c"
).split()
TYPED = "nNaA.xrdhcwWe+-vouUyRILS:/?0123456789, ="
SIZES = [(60, 20), (80, 24), (140, 40), (30, 8)]

presses = st.tuples(
    st.sampled_from(SIZES),
    st.lists(
        st.sampled_from([*TYPED, *SPECIAL])
        | st.sampled_from(
            ["d3 7", "a3", "r2d6", ":next", "cprone", "+guard x2", "1-3", "undo 2", "é🐉", "[b]x"]
        ),
        min_size=1,
        max_size=14,
    ),
)


def presses_hold(given: tuple[tuple[int, int], list[str]]) -> None:
    """Check that the program survives, and that the fight still matches its log."""
    # The keys may export the log into the working folder.
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        asyncio.run(_pressed(*given))


async def _pressed(size: tuple[int, int], keys: list[str]) -> None:
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    here = at_the_gate()
    async with playing(here, size) as play:
        for word in keys:
            each = [word] if word in SPECIAL else [NAMED.get(one, one) for one in word]
            await play.pilot.press(*each)
        assert play.app.is_running
        assert play.text.replace("\n", "").isprintable()
        session = play.session
        start = plain(new_encounter(session.game, session.house, title="North gate")) | {"numbering": 1}
        again = replay(session.game, session.house, session.encounter.style, start, session.log.events)
        assert plain(again) == plain(session.encounter), keys
