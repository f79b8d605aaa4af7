"""Prompts for actions without a target: their options, and the combatants that act."""

from collections.abc import Mapping, Sequence

import attrs
from rich.cells import cell_len
from textual.events import Key

from systems.contract.ruleset import Action
from systems.encounter.model import Combatant
from systems.text import matches
from tui.display.text import Row, printable
from tui.prompts.table_targets import TableTargets
from tui.prompts.targets import TargetPrompt
from tui.services import Services
from tui.widgets.input_line import InputLine

SEVERAL: Sequence[tuple[str, str]] = (("Ctrl+T", "several"),)


def is_for_the_party(services: Services, action: Action) -> bool:
    """Return whether the whole party does an action together, such as a rest outside a fight."""
    progress = services.source.encounter.progress if services.source else None
    return action.group == "camp" and progress is not None and (not progress.round or progress.over)


def _party(services: Services) -> str:
    """Return the players' side, or the tags of its members that are not dead."""
    if services.source is None:
        return ""
    encounter = services.source.encounter
    party = [combatant for combatant in encounter if encounter.is_player(combatant)]
    living = [combatant for combatant in party if encounter.status(combatant).in_order]
    if len(living) in (0, len(party)):
        return encounter.players
    return ",".join(combatant.tag for combatant in living)


class OptionalTargetPrompt(TargetPrompt):
    """An action with an optional target, such as a check.

    Ctrl+T lets several combatants do it, untargeted.
    """

    MORE_KEYS = SEVERAL

    def __init__(
        self,
        services: Services,
        action: Action,
        actor: Combatant,
        given: Mapping[str, str] | None = None,
        target: str = "",
    ) -> None:
        super().__init__(services, TableTargets(services, action, actor, given, target), given)
        self._action, self._actor = action, actor

    def key(self, event: Key) -> None:
        if event.key != "ctrl+t":
            super().key(event)
            return
        alone = attrs.evolve(self._action, targets="none")
        prompt = OwnActionPrompt(self.services, alone, self._actor, self.editor.chosen)
        self.services.prompts.open(prompt)
        prompt.name_doers()


class OwnActionPrompt(TargetPrompt):
    """An action without target, such as a check or a rest.

    Ctrl+T names the combatants that do it (`1,3-5`, `all`, a side), each in a row of its own.
    """

    MORE_KEYS = SEVERAL

    def __init__(
        self,
        services: Services,
        action: Action,
        actor: Combatant,
        given: Mapping[str, str] | None = None,
        *,
        option: str = "",
    ) -> None:
        self.doers_line = InputLine("")
        # Whether keys go to the line with the names of the actors.
        self.names_doers = False
        super().__init__(services, TableTargets(services, action, actor, given), given, option=option)
        self._for_party = is_for_the_party(services, action)
        if self._for_party:
            # Resting is for the party, whatever combatant had the turn last.
            self.doers_line.set(_party(services) or actor.side)
            self.names_doers = not self.editor.field
            self._take_doers()

    @property
    def escape_does(self) -> str:
        one_alone = self.names_doers and not self._for_party
        return f"{self.shown.action.actor} alone" if one_alone else super().escape_does

    def key(self, event: Key) -> None:
        if event.key == "ctrl+t":
            self.name_doers(not self.names_doers)
        elif self.names_doers and event.key == "escape" and not self._for_party:
            self.names_doers = False
            self.doers_line.set("")
        elif self.names_doers and event.key == "tab":
            self.names_doers = False
            super().key(event)
            return
        elif self.names_doers and self._types_doers(event):
            self.services.say("")
        else:
            super().key(event)
            if self.editor.field:
                self.names_doers = False  # an option is missing, and is asked about
            return
        self._take_doers()
        self.refresh()

    def _types_doers(self, event: Key) -> bool:
        """Take a key for the line of actors, or for an option typed after them.

        Return whether it was taken.
        """
        if event.character == "=" and self._go_to_option():
            return True
        return event.key != "enter" and self.doers_line.key(event)

    def _go_to_option(self) -> bool:
        """Go to the option whose name is typed after the actors, as in `1-3 at=`.

        Return whether there is one.
        """
        who, blank, word = self.doers_line.text.rpartition(" ")
        found = matches(word, [option.name for option in self._options]) if blank and word else ()
        if len(found) != 1:
            return False
        self.doers_line.set(who.strip())
        self.name_doers(False)
        self.editor.go_to(self.shown.options.option(found[0]))
        self._is_named = True
        return True

    def name_doers(self, names: bool = True) -> None:
        """Send keys to the line of actors, or stop doing so."""
        self.names_doers = names
        if names:
            self.editor.go_to(None)

    def paste(self, text: str) -> None:
        if self.names_doers:
            self.doers_line.insert(" ".join(text.split()))
            self._take_doers()
            self.refresh()
        else:
            super().paste(text)

    def _take_doers(self) -> None:
        self.doers = self.doers_line.text
        self._ask()

    # Rows

    def _alone(self, width: int) -> list[Row]:
        """Return the rows for the options, and one for each actor."""
        shown = self.shown.list
        if not shown.rows:
            return super()._alone(width)
        columns = self._columns(width)
        is_told = any(row.odds is None or row.odds.cells or row.odds.refused for row in shown.rows)
        headings: list[Row] = [
            [(" " * (columns.width - cell_len(columns.headings()) - 1), ""), (columns.headings(), "muted")]
        ]
        is_given = any(option.value for option in self._options)
        options: list[Row] = (
            [[("   ", ""), *self.editor.pieces(self._options, width - 4)]] if is_given else []
        )
        options += headings if is_told else []
        room = max(1, self._height - len(options))
        rows = [self._row(columns, row, width) for row in shown.rows[:room]]
        if more := shown.more + len(shown.rows) - len(rows):
            rows[-1] = [(f"   … {more + 1} more", "muted")]
        return [*options, *rows]

    @property
    def _who(self) -> str:
        """Return the names of the actors, if they are named."""
        notes = self.shown.notes
        is_named = self.doers_line.text.strip() and not notes.no_doers
        return printable(notes.names) if is_named and notes.names else super()._who

    def _last(self, cells: int) -> Row:
        if not (self.names_doers or self.doers_line.text.strip()):
            return super()._last(cells)
        notes = self.shown.notes
        who, tone = (notes.no_doers, "warning") if notes.no_doers else (notes.names, "muted")
        if not self.names_doers and self.editor.field and tone == "muted":
            return super()._last(cells)
        line = (
            self.doers_line.row(max(8, cells // 3))
            if self.names_doers
            else [(self.doers_line.text, "strong")]
        )
        return [(" who ", "accent strong"), *line, ("  ", ""), (printable(who), tone)]
