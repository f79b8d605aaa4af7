"""Dangers and likely actions for the screens, from a helper process while the fight is idle."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from systems.visibility.parts import OrderRow
from tui.controllers.helper_process import HelperProcess
from tui.display.danger import danger_page, danger_rows, why_no_danger, with_dangers
from tui.display.plan import likely_rows
from tui.display.text import Row
from tui.session.work import DangerAnswer, Work
from tui.terminal.symbols import symbols

if TYPE_CHECKING:
    from systems.encounter.model import Encounter
    from systems.forecast.found import Danger, LikelyAction
    from tui.campaign.campaign import Campaign
    from tui.services import Services
    from tui.session.session import Session

# Seconds without a change before the danger is calculated.
IDLE = 0.5
_NONE: "Mapping[str, Danger]" = {}


class Open(Protocol):
    """The open campaign and fight, as the table has them."""

    @property
    def campaign(self) -> "Campaign | None": ...

    @property
    def session(self) -> "Session | None": ...


class Dangers:
    """The danger of each player's character in the open fight, by id.

    `shown` returns what is known for the present encounter, and has the rest calculated. `changed` is called
    once there is more to show. A change of the fight ends a calculation.
    """

    def __init__(self, table: Open, changed: Callable[[], None]) -> None:
        self._table, self._changed = table, changed
        self._encounter: Encounter | None = None
        self._found = _NONE
        self._likely: Sequence[LikelyAction] = ()
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self.helper = HelperProcess(DangerAnswer, self._show)

    def shown(self, encounter: "Encounter") -> "Mapping[str, Danger]":
        """Return the known dangers of the open fight: none until they are calculated."""
        if encounter is not self._encounter:
            self._encounter, self._found, self._likely = encounter, _NONE, ()
            self.helper.cancel()
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
        elif not self.helper.can_work:
            services.say("the danger can't be calculated here; affray danger prints it", error=True)
        elif self.is_calculating:
            services.say("The danger is being calculated; ask again in a moment.")
        else:
            services.say(why_no_danger(encounter, found))

    @property
    def is_calculating(self) -> bool:
        """Return whether the dangers of the present encounter are not known yet."""
        return self.helper.is_working or self._timer is not None

    def stop(self) -> None:
        """End the process, and forget the known dangers."""
        self._encounter, self._found, self._likely = None, _NONE, ()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.helper.stop()

    def _wait(self) -> None:
        """Calculate when nothing has changed for a while."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(IDLE, self._ask)

    def _ask(self) -> None:
        """Ask for the dangers of the present encounter."""
        self._timer = None
        campaign, session, encounter = self._table.campaign, self._table.session, self._encounter
        if campaign is None or session is None or encounter is not session.encounter:
            return
        is_played = not (encounter.is_prepared or encounter.progress.over)
        if is_played and self.helper.can_work:
            self.helper.ask(campaign, session, Work("dangers"))

    def _show(self, answer: DangerAnswer | None) -> None:
        """Show an answer, or try again a few times after a failure."""
        if answer is None:
            self._wait()
            return
        session = self._table.session
        if session is None or self._encounter is not session.encounter or answer.error:
            return
        self._found, self._likely = {danger.who: danger for danger in answer.dangers}, answer.likely
        self._changed()
