"""An action without a target: its options, and who does it, one or several at once."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.commands.preview import Preview
from systems.contract.ruleset import Action
from systems.encounter.lookup import targets
from systems.encounter.model import Combatant
from systems.errors import Refused
from systems.text import several
from tui.display.odds import OddsColumns
from tui.display.text import Row, printable
from tui.prompts.odds_worker import OddsWorker
from tui.prompts.targets import TargetPrompt
from tui.services import Services
from tui.widgets.input_line import InputLine


def is_for_the_party(services: Services, action: Action) -> bool:
    """Return whether an action is one for all at once: a rest or the like while no fight goes on."""
    progress = services.source.encounter.progress if services.source else None
    return action.group == "camp" and progress is not None and (not progress.round or progress.over)


class OwnActionPrompt(TargetPrompt):
    """A check, a rest: Ctrl+T names those who do it (`1,3-5`, `all`, a side), each with a row of its own."""

    MORE_KEYS: Sequence[tuple[str, str]] = (("Ctrl+T", "several"), ("Ctrl+O", "odds"))

    def __init__(
        self, services: Services, action: Action, actor: Combatant, given: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(services, action, actor, given)
        self.doers = InputLine("")
        # Whether keys go to the line that names those who do it.
        self.names_doers = False
        self.each = OddsWorker(
            services, action, actor.id, lambda who: self.prepared.options_for(""), self._preview
        )
        self._for_party = is_for_the_party(services, action)
        if self._for_party:
            self.doers.set(actor.side)
            self.names_doers = self.options.field is None

    @property
    def named(self) -> tuple[str, ...]:
        """The ids of those who do it; the actor alone where nobody is named. Raises Refused."""
        text = self.doers.text.strip().rstrip(",")
        return targets(self.source.encounter, text) if text else (self.actor.id,)

    def key(self, event: Key) -> None:
        if event.key == "ctrl+t":
            self.names_doers = not self.names_doers
            if self.names_doers:
                self.options.field = None
        elif self.names_doers and event.key == "escape" and not self._for_party:
            self.names_doers = False
            self.doers.set("")
        elif self.names_doers and event.key == "tab":
            self.names_doers = False
            super().key(event)
            return
        elif self.names_doers and event.key != "enter" and self.doers.key(event):
            self.services.say("")
        else:
            super().key(event)
            return
        self.refresh()

    def paste(self, text: str) -> None:
        if self.names_doers:
            self.doers.insert(" ".join(text.split()))
            self.refresh()
        else:
            super().paste(text)

    def close(self) -> None:
        self.each.stopped = True
        super().close()

    def opened(self) -> None:
        super().opened()
        self.each.stopped = False

    def command(self) -> str:
        """Return the whole command. Raises Refused or Wrong."""
        line, named = super().command(), self.named
        if named == (self.actor.id,):
            return line
        name, _, rest = line.removesuffix(f"by {self.actor.id}").strip().partition(" ")
        return " ".join(word for word in (name, ",".join(named), rest) if word)

    # Rows

    @property
    def _several(self) -> tuple[str, ...]:
        try:
            return self.named if len(self.named) > 1 else ()
        except Refused:
            return ()

    def wanted_rows(self, width: int) -> int:
        return super().wanted_rows(width) + len(self._several)

    def _preview(self, who: str | None, options: object, earlier: Sequence[str]) -> Preview:
        return self.source.preview(self.action, who or self.actor.id, None, options)

    def _alone(self, width: int) -> list[Row]:
        """Its options, and a row for each who does it."""
        if not (named := self._several):
            return super()._alone(width)
        columns = OddsColumns(self.action, width)
        told = bool(self.action.success or self.action.amount)
        heads: list[Row] = [
            [(" " * (columns.width - cell_len(columns.heads()) - 1), ""), (columns.heads(), "muted")]
        ]
        options: list[Row] = [[("   ", ""), *self.options.pieces(width - 4)]] if self.options.given else []
        options += heads if told else []
        room = max(1, self._height - len(options))
        shown = self._has_odds and told
        if shown:
            self.each.want(named[:room], self._odds_ready)
        encounter = self.source.encounter
        rows = [
            columns.row(encounter.combatants[who], self.each.of(who) if shown else "", False, encounter)
            for who in named[:room]
        ]
        if len(named) > room:
            rows[-1] = [(f"   … {len(named) - room + 1} more", "muted")]
        return [*options, *rows]

    def _last(self, cells: int) -> Row:
        if not (self.names_doers or self.doers.text.strip()):
            return super()._last(cells)
        try:
            who, tone = (
                several([printable(self.source.encounter.combatants[who].name) for who in self.named]),
                "muted",
            )
        except Refused as error:
            who, tone = str(error), "warning"
        if not self.names_doers and self.options.field is not None and tone == "muted":
            return super()._last(cells)
        line = self.doers.row(max(8, cells // 3)) if self.names_doers else [(self.doers.text, "strong")]
        return [(" who ", "accent strong"), *line, ("  ", ""), (who, tone)]
