"""The odds beside each target, worked out a few at a time so that no key waits for them."""

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from systems.contract import Action
from systems.encounter import Encounter
from systems.kinds import Wrong
from systems.odds import TooManyDice
from systems.play import Refused
from systems.preview import Preview, preview
from systems.table import WrongChoice
from systems.words import clean

if TYPE_CHECKING:
    from tui.app import AffrayApp

AT_ONCE, SLICE = 0.006, 0.008


class Foretold:
    """Previews by target. What is in sight is worked out first; `shown` is called when more are ready."""

    def __init__(self, app: "AffrayApp", encounter: Encounter, action: Action, actor: str) -> None:
        self._app, self._encounter, self._action, self._actor = app, encounter, action, actor
        self._found: dict[str, Preview | str] = {}
        self._options: Any = None
        self._wanted: list[str] = []
        self._running = False
        self.stopped = False

    def under(self, options: Any) -> None:
        """Odds with other options from now on; None while the options cannot be."""
        if options != self._options:
            self._options, self._found, self._wanted = options, {}, []

    def of(self, target: str) -> Preview | str | None:
        """The odds against a target, the sentence why there are none, or None while they are not ready."""
        return self._found.get(target)

    def want(self, targets: Iterable[str], shown: Callable[[], None]) -> None:
        """Work these out: at once as long as that is quick, then in slices between keys."""
        self._wanted = [one for one in targets if one not in self._found]
        self._work(AT_ONCE)
        if self._wanted and not self._running:
            self._running = True
            self._app.set_timer(0.001, lambda: self._slice(shown))

    def now(self, target: str | None) -> Preview | str:
        """The odds against one target, now."""
        key = target or ""
        if key not in self._found:
            self._found[key] = self._work_out(target)
        return self._found[key]

    def _work(self, budget: float) -> None:
        until = perf_counter() + budget
        while self._wanted and perf_counter() < until:
            one = self._wanted.pop(0)
            self._found[one] = self._work_out(one)

    def _slice(self, shown: Callable[[], None]) -> None:
        self._running = False
        if self.stopped or not self._wanted:
            return
        self._work(SLICE)
        shown()
        if self._wanted and not self._running:
            self._running = True
            self._app.set_timer(0.001, lambda: self._slice(shown))

    def _work_out(self, target: str | None) -> Preview | str:
        try:
            return preview(self._encounter, self._action, self._actor, target, self._options)
        except (TooManyDice, Wrong, WrongChoice, Refused) as error:
            return clean(str(error))
