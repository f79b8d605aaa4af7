"""Measure one command on twenty targets with a die each, and its preview before Enter."""

from collections.abc import Iterator
from statistics import median

from systems.commands.amounts import DamageOrHeal
from systems.commands.dispatcher import perform
from systems.commands.table import parse
from systems.contract.table import Suggested
from systems.encounter.events import Event
from tests.bench.world import Row, World, timed
from tests.command import SAMPLES
from tui.session.attempt import MixedDice
from tui.session.opening import open_fight

TIMES = 9
SWEEPS = {
    "the-goblin-ford": ("goblin", "area foes weapon=bow by tobin"),
    "rooftop-watch": ("grey", "explosion foes damage=2d6 thrown=no by mara"),
    "okado-at-the-gate": ("guard", "damage foes 2d6 throw=each"),
}


def sweeping(world: World) -> Iterator[Row]:
    for sample, (kind, line) in SWEEPS.items():
        yield from _swept(sample, kind, line)


def _swept(sample: str, kind: str, line: str) -> Iterator[Row]:
    session = open_fight(SAMPLES / sample, None, write=False).session
    session.writer = NoLog()
    session.do(f"add {kind} x20")
    session.do("start")
    command = parse(line, session.game)

    def once() -> Event:
        dice = MixedDice([], session.streams, lambda of: False)
        return perform(session.encounter, session.log, session.roster, command, dice, Suggested())

    number = len(once().targets)
    took = median(timed(once) for _ in range(TIMES))
    yield Row(f"a sweep over {number}, {sample}", "100 ms", f"{took:.1f} ms")
    if isinstance(command.intent, DamageOrHeal):
        doing = session.read_amount(command.intent)

        def preview() -> None:
            for who in doing.targets:
                session.preview_amount(doing, who)

        took = median(timed(preview) for _ in range(TIMES))
        yield Row(f"its preview for {number}", "", f"{took:.1f} ms")


class NoLog:
    """A log that stores nothing."""

    def append(self, *events: object) -> None:
        pass
