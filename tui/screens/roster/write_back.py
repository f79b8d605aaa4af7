"""Save the lasting stats of a combatant to its roster entry, after the game master has agreed."""

from collections.abc import Callable
from typing import Any

from systems.encounter.model import Combatant
from systems.errors import Wrong
from systems.schema.entries import differing_parts
from systems.schema.fields import fields_of
from systems.schema.values import as_words
from systems.text import clean
from tui.campaign.campaign import RosterEntry
from tui.controllers.table import Table
from tui.display.form import named_field
from tui.prompts.question import TextPrompt
from tui.screens.roster.editing import kept_by


class WriteBack:
    """The questions before saving. `write` saves fields of the entry, and returns why it failed."""

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
                TextPrompt(
                    self.services,
                    f"Several combatants are {self.entry.name}. Whose stats are saved?",
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
        return f"{clean(word, 40) or 'this'} is not in the list: type one of its numbers"

    def _ask(self, combatant: Combatant) -> None:
        campaign = self.table.campaign
        assert campaign is not None
        try:
            kept = kept_by(campaign, self.entry, combatant)
        except Wrong as wrong:
            self.services.say(f"can't compare {combatant.name} with the roster: {wrong}", error=True)
            return
        if not kept:
            self.services.say(f"{combatant.name} already matches the roster.")
            return
        old = self.entry.sheet
        moved = [
            f"{label or fields_of(type(old))[name].label} {as_words(before)} → {as_words(after)}"
            for name, value in kept.items()
            for label, before, after in differing_parts(getattr(old, name), value)
        ]
        hints = [
            clean(", ".join(moved), 400),
            "yes, no, or only the fields to save, such as " + next(iter(kept)),
        ]
        self.services.prompts.open(
            TextPrompt(
                self.services,
                f"Save the stats of {combatant.name} to the roster?",
                lambda word: self._answered(kept, word),
                does="save",
                hints=hints,
            )
        )

    def _answered(self, kept: dict[str, Any], word: str) -> str | None:
        if word.casefold() in ("n", "no"):
            self.services.say("The roster is unchanged.")
            return None
        if word.casefold() in ("y", "yes"):
            return self._write(self.entry, kept)
        if not word:
            return "type yes, no, or field names"
        try:
            chosen = [named_field(name, kept) for name in word.replace(",", " ").split()]
        except Wrong as wrong:
            return str(wrong)
        return self._write(self.entry, {name: kept[name] for name in chosen})
