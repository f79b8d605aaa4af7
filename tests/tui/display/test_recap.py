"""The rows in which a fight is summed up."""

import attrs
import pytest

from systems.encounter.recap import recap_of
from tests.tui.table import at_the_gate
from tui.display.recap import recap_rows


@pytest.mark.parametrize(("events", "told"), [(1, "1 event in force"), (2, "2 events in force")])
def test_one_event_is_counted_in_the_singular(events: int, told: str) -> None:
    here = at_the_gate()
    recap = attrs.evolve(recap_of(here.encounter, here.log), events=events)
    [[(heading, _)], *_] = recap_rows(recap, here.encounter.game, 80)
    assert heading == f"1 round, {told}"
