"""The odds in the list of targets are worked out once for targets that are alike, and only for those."""

from fractions import Fraction
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

from systems.commands.preview import Preview, preview
from tests.systems.pack import PACK, pack, place
from tui.prompts.table_targets import OddsWorker
from tui.services import Services


def test_the_list_of_targets_shows_each_target_its_own_odds() -> None:
    fight = pack("add ada", "add bo", "add wolf x2", "start")
    place(fight, "bo", "wolf-2")
    source: Any = SimpleNamespace(encounter=fight.encounter, preview=partial(preview, fight.encounter))
    program = SimpleNamespace(set_timer=lambda pause, then: then())
    options = PACK.actions[0].options()
    worker = OddsWorker(
        cast(Services, SimpleNamespace(source=source, program=program)),
        PACK.actions[0],
        "ada",
        lambda target: options,
        ready=lambda: None,
    )
    worker.want(["wolf-1", "wolf-2"])
    found = [cast(Preview, worker.of(target)) for target in ("wolf-1", "wolf-2")]
    assert [each.works for each in found] == [Fraction(9, 20), Fraction(14, 20)]
