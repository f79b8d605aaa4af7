"""Write the lasting fields of a combatant back to its roster entry, once the game master agrees."""

from collections.abc import Callable
from typing import Any

from systems.encounter.model import Combatant
from systems.errors import Wrong
from systems.schema.entries import differing_parts
from systems.schema.fields import fields_of
from systems.schema.values import as_words
from systems.text import clean
from tui.campaign.campaign import RosterEntry
from tui.controllers.roster_editing import kept_by
from tui.controllers.table import Table
from tui.display.form import named_field
from tui.prompts.question import Question


class WriteBack:
    """The questions of one write-back. `write` writes fields of the entry, and returns why it could not."""

    def __init__(
        self, table: Table, entry: RosterEntry, write: Callable[[RosterEntry, dict[str, Any]], str | None]
    ) -> None:
        self.table, self.services, self.entry = table, table.services, entry
        self._write = write

    def begin(self) -> None:
        session = self.table.session
        fighters = (
            [combatant for combatant in session.encounter if combatant.state.kind == self.entry.id]
            if session
            else []
        )
        if not fighters:
            self.services.say(f"{self.entry.name} is not in this fight", error=True)
        elif len(fighters) == 1:
            self._ask(fighters[0])
        else:
            self.services.prompts.open(
                Question(
                    self.services,
                    f"Whose figures does {self.entry.name} keep?",
                    lambda word: self._picked(fighters, word),
                    does="choose it",
                    choices=[(combatant.tag, f"{combatant.tag} {combatant.name}") for combatant in fighters],
                )
            )

    def _picked(self, fighters: list[Combatant], word: str) -> str | None:
        for combatant in fighters:
            if word in (combatant.tag, combatant.id):
                self._ask(combatant)
                return None
        return f"none of them is {clean(word, 40) or 'nobody'}"

    def _ask(self, combatant: Combatant) -> None:
        campaign = self.table.campaign
        assert campaign is not None
        try:
            kept = kept_by(campaign, self.entry, combatant)
        except Wrong as wrong:
            self.services.say(f"what {combatant.name} keeps cannot be told: {wrong}", error=True)
            return
        if not kept:
            self.services.say(f"{combatant.name} is as the roster has it already.")
            return
        old = self.entry.sheet
        moved = [
            f"{label or fields_of(type(old))[name].label} {as_words(before)} → {as_words(after)}"
            for name, value in kept.items()
            for label, before, after in differing_parts(getattr(old, name), value)
        ]
        hints = [
            clean(", ".join(moved), 400),
            "yes, no, or only the fields to write, such as " + next(iter(kept)),
        ]
        self.services.prompts.open(
            Question(
                self.services,
                f"Write to the roster what {combatant.name} keeps?",
                lambda word: self._answered(kept, word),
                does="write it",
                hints=hints,
            )
        )

    def _answered(self, kept: dict[str, Any], word: str) -> str | None:
        if word.casefold() in ("n", "no"):
            self.services.say("The roster stays as it is.")
            return None
        if word.casefold() in ("y", "yes"):
            return self._write(self.entry, kept)
        if not word:
            return "yes, no, or fields"
        try:
            chosen = [named_field(name, kept) for name in word.replace(",", " ").split()]
        except Wrong as wrong:
            return str(wrong)
        return self._write(self.entry, {name: kept[name] for name in chosen})
