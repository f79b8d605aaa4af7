"""Dangers and likely actions for the screens, from a process of their own while the fight is idle."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from systems.visibility.parts import OrderRow
from tui.display.danger import danger_page, danger_rows, why_no_danger, with_dangers
from tui.display.plan import likely_rows
from tui.display.text import Row
from tui.session.plain_dangers import read_dangers, read_likely
from tui.terminal.symbols import symbols

if TYPE_CHECKING:
    from systems.encounter.model import Encounter
    from systems.forecast.found import Danger, LikelyAction
    from tui.services import Services
    from tui.session.opening import OpenEncounter
    from tui.session.session import Session

# Seconds without a change before the danger is calculated.
IDLE = 0.5
# Elsewhere the loop cannot wait for a pipe.
_CAN_CALCULATE = sys.platform != "win32"
# After this many failures in a row, no process is started again.
_MOST_FAILURES = 3
# Seconds that the end of the program waits for the end of the process.
_PATIENCE = 1.0
_START = "import sys; sys.path[:] = eval(sys.argv.pop(1)); from tui.session.dangers import main; main()"
_NONE: "Mapping[str, Danger]" = {}


class Open(Protocol):
    """The open campaign and fight, as the table has them."""

    @property
    def campaign(self) -> object: ...

    @property
    def session(self) -> "Session | None": ...

    @property
    def fight(self) -> "OpenEncounter | None": ...


class Dangers:
    """The danger of each player's character in the open fight, by id.

    `shown` returns what is known for the present encounter, and has the rest calculated. `changed` is called
    once there is more to show. `is_saved` returns whether all
    events are on the disk. A change of the fight ends a calculation.
    """

    def __init__(self, table: Open, is_saved: Callable[[], bool], changed: Callable[[], None]) -> None:
        self._table, self._is_saved, self._changed = table, is_saved, changed
        self._encounter: Encounter | None = None
        self._found = _NONE
        self._likely: Sequence[LikelyAction] = ()
        self._process: subprocess.Popen[bytes] | None = None
        # The campaign and the encounter's id that the process reads.
        self._reads: tuple[object, str] | None = None
        self._ended: list[subprocess.Popen[bytes]] = []
        self._timer: asyncio.TimerHandle | None = None
        # The encounter that is being calculated.
        self._asked: Encounter | None = None
        self._received = b""
        self._failures = 0
        self._loop = asyncio.get_running_loop()

    def shown(self, encounter: "Encounter") -> "Mapping[str, Danger]":
        """Return the known dangers of the open fight: none until they are calculated."""
        if encounter is not self._encounter:
            self._encounter, self._found, self._likely = encounter, _NONE, ()
            if self._asked is not None:
                self._kill()
            if self._process is not None:
                # The process works, but its answers belonged to other states of the fight.
                self._failures = 0
            self._wait()
        return self._found

    def in_order(self, rows: Sequence[OrderRow], ids: Sequence[str]) -> Sequence[OrderRow]:
        """Return the rows of the order with the dangers that are high enough."""
        return with_dangers(rows, ids, self._found, symbols()) if self._found else rows

    def on_card(self, encounter: "Encounter", who: str, cells: int) -> Sequence[Row]:
        """Return the rows about the danger of one combatant; none if it is not known."""
        danger = self.shown(encounter).get(who)
        return danger_rows(encounter, danger, cells) if danger is not None else ()

    def next_rows(self, encounter: "Encounter", cells: int) -> Sequence[Row]:
        """Return the rows about what the next combatants would most likely do; none if it is not known."""
        self.shown(encounter)
        return likely_rows(encounter, self._likely, cells)

    def tell(self, services: "Services") -> None:
        """Show what is known on a page, or say why nothing is."""
        session = self._table.session
        if session is None:
            services.say("no fight is open; choose a campaign first", error=True)
            return
        encounter = session.encounter
        found = [*self.shown(encounter).values()]
        if found:
            services.say("")
            services.open_page("Danger", lambda cells: danger_page(encounter, found, cells))
        elif not _CAN_CALCULATE or self._failures >= _MOST_FAILURES:
            services.say("the danger can't be calculated here; affray danger prints it", error=True)
        elif self.is_calculating:
            services.say("The danger is being calculated; ask again in a moment.")
        else:
            services.say(why_no_danger(encounter, found))

    @property
    def is_calculating(self) -> bool:
        """Return whether the dangers of the present encounter are not known yet."""
        return self._asked is not None or self._timer is not None

    def stop(self) -> None:
        """End the process, and forget the known dangers."""
        self._encounter, self._found, self._likely, self._failures = None, _NONE, (), 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._kill()
        for process in self._ended:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_PATIENCE)
        self._ended = []

    def _wait(self) -> None:
        """Calculate when nothing has changed for a while."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(IDLE, self._ask)

    def _ask(self) -> None:
        """Ask the process for the dangers of the present encounter."""
        self._timer = None
        table, encounter = self._table, self._encounter
        if table.session is None or table.fight is None or encounter is not table.session.encounter:
            return
        is_played = not (encounter.is_prepared or encounter.progress.over)
        if not is_played or not _CAN_CALCULATE or self._failures >= _MOST_FAILURES:
            return
        if not self._is_saved():
            # The process reads the fight from the disk.
            self._wait()
            return
        try:
            process = self._running()
            assert process.stdin is not None
            process.stdin.write(b"\n")
            process.stdin.flush()
        except OSError:
            self._fail()
            return
        self._asked = encounter

    def _running(self) -> "subprocess.Popen[bytes]":
        """Return the process that reads the open fight; start it if there is none."""
        fight = self._table.fight
        assert fight is not None
        reads = self._table.campaign, fight.encounter
        if self._process is not None and self._reads is not None:
            if self._reads[0] is reads[0] and self._reads[1] == reads[1]:
                return self._process
            self._kill()
        self._process = process = subprocess.Popen(
            [sys.executable, "-c", _START, repr(sys.path), str(fight.campaign.path), fight.encounter],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._reads = reads
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._loop.add_reader(process.stdout.fileno(), self._read)
        return process

    def _read(self) -> None:
        """Read a part of an answer."""
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            part = os.read(self._process.stdout.fileno(), 65_536)
        except BlockingIOError:
            return
        if not part:
            self._fail()
            return
        self._received += part
        if not self._received.endswith(b"\n"):
            return
        answer, self._received = json.loads(self._received), b""
        asked, self._asked = self._asked, None
        session = self._table.session
        if asked is None or session is None or asked is not session.encounter:
            return
        if answer["events"] != len(session.log.events):
            # The disk and the screen have different events.
            self._failures += 1
            self._wait()
            return
        self._failures, self._found = 0, read_dangers(answer["combatants"])
        self._likely = read_likely(answer["likely"])
        self._changed()

    def _fail(self) -> None:
        """Give up this calculation, and try again a few times."""
        self._failures += 1
        self._kill()
        self._wait()

    def _kill(self) -> None:
        """End the process at once. It has nothing to save."""
        process, self._process, self._asked, self._received = self._process, None, None, b""
        self._ended = [each for each in self._ended if each.poll() is None]
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        self._loop.remove_reader(process.stdout.fileno())
        process.kill()
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        self._ended.append(process)
