"""A view of a fight in a hidden turn, when the last event in sight came before an amendment."""

from typing import Any

import pytest

from systems.visibility.build import view
from systems.visibility.viewer import PUBLIC, Shown
from tests.systems.fight import Fight
from tests.systems.menagerie import MENAGERIE, menagerie

# After two amendments, and after one that drops an event in which combatants joined.
TWO_AMENDMENTS = (
    *("add mira", "add okado", "add troll", "add troll as Shade hidden", "start", "damage mira 9"),
    *("amend 3 never", "remove mira", "hide okado", "damage okado 9", "delay shade_h1", "shape by okado"),
    *("hold_away okado by shade_h1", "next", "amend 13 never"),
)
DROPPED_SUMMONS = (
    *("add mira", "add okado", "add troll x2 group", "add troll as Shade hidden", "start"),
    *(
        "remove troll-2",
        "delay mira",
        "shape by okado",
        "call by shade_h1",
        "shape by mira",
        "leave by okado",
    ),
    *("call by brown-bear_h3", "remove troll-1", "split by brown-bear_h2", "call by shade_h1"),
    *("banish brown-bear_h6 by shade_h1", "next", "reveal brown-bear_h4", "shape by shade_h1", "back"),
    *("leave by brown-bear_h2", "banish brown-bear_h4 by brown-bear_h5", "amend 15 never"),
)


@pytest.mark.parametrize(("style", "lines"), [("initiative", TWO_AMENDMENTS), ("manual", DROPPED_SUMMONS)])
def test_an_amendment_out_of_sight_leaves_the_view_whole(style: Any, lines: tuple[str, ...]):
    fight = Fight(MENAGERIE, style=style, seed=428)
    fight.roster = dict(menagerie().roster)
    for line in lines:
        fight.do(line)
        seen = view(fight.encounter, fight.log, PUBLIC, Shown())
        assert "Shade" not in [row.name for row in seen.rows]
