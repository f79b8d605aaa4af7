"""The prompt that lists the offers, then all actions of the game by group."""

from collections.abc import Sequence

from textual.events import Key

from tui.lists.action_list import ActionListSource, ActionRow, OfferRow
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services


class ActionsPrompt(LinePrompt):
    """Prompt of `x`: lists the actions. Type part of a name or a key to filter them.

    Enter asks for targets and options. Actions that the rules refuse come last, dimmed, with the reason.
    """

    ENTER = "choose"
    label = "action"

    def __init__(self, services: Services, listed: ActionListSource) -> None:
        super().__init__(services)
        self.listed = listed
        listed.changed = self._more_is_known

    def takes(self, event: Key) -> bool:
        """Return whether the key can be taken now: typing always, other keys once the list is known."""
        return event.is_printable or event.key == "escape" or self.listed.is_known()

    def title(self) -> str:
        return f"{self.listed.show().actor or 'Nobody has the turn'}: all actions · type to filter"

    def wanted_rows(self, width: int) -> int:
        """Return the rows for all actions and offers, even while only some of them are listed."""
        shown = self.listed.show()
        return 2 + len(shown.actions) + len(shown.offers)

    def suggest(self) -> Sequence[Suggestion]:
        shown = self.listed.show()
        typed = self.line.text.strip().casefold()
        offers = [
            Suggestion(f"={offer.at}", f"offer  {offer.does or offer.command}", _about(offer), "accent")
            for offer in shown.offers
            if offer.command and typed in f"{offer.command} {offer.does} {offer.says}".casefold()
        ]
        first = [row for row in shown.actions if _begins(row, typed) or self._is_key_of(row)]
        others = [
            row
            for row in shown.actions
            if typed and typed in f"{row.name} {row.title} {row.group} {row.help}".casefold()
        ]
        found = {row.name for row in (*first, *others)}
        shown_rows = [row for row in shown.actions if row.name in found]
        groups = ["", *(row.group for row in shown_rows)]
        # The name of a group is shown only in its first row.
        listed = zip(shown_rows, groups, strict=False)
        return [*offers, *(_suggestion(row, row.group != group) for row, group in listed)]

    def read(self) -> Reading:
        if not self.suggestions:
            return Reading(wrong="no action has that name")
        count = len(self.suggestions)
        return Reading(says=f"{count} match{'' if count == 1 else 'es'}")

    def tab(self) -> None:
        self.choose(1)

    def enter(self) -> None:
        found = self.suggestions
        if not found:
            self.services.say(self.read().wrong, error=True)
            self.refresh()
            return
        chosen = found[min(self._picked(found), len(found) - 1)]
        self.close()
        if chosen.text.startswith("="):
            self.listed.take(int(chosen.text[1:]), self)
        else:
            self.listed.choose(chosen.text, self)

    def _picked(self, found: Sequence[Suggestion]) -> int:
        """Return the index of the chosen suggestion, else of the one that matches the line, else 0."""
        if self.chosen is not None:
            return self.chosen
        typed = self.line.text.strip().casefold()
        rows = self.listed.show().actions
        begun = {row.name for row in rows if self._is_key_of(row)}
        begun = begun or {row.name for row in rows if typed and _begins(row, typed)}
        starts = [at for at, suggestion in enumerate(found) if suggestion.text in begun]
        return min(starts, key=lambda at: len(found[at].text)) if starts else 0

    def _is_key_of(self, row: ActionRow) -> bool:
        """Return whether the line is exactly the key of the action."""
        return bool(row.key) and self.line.text == row.key


def _about(offer: OfferRow) -> str:
    """Return the sentence of an offer and its odds. The sentence names the actor and the target."""
    return f"{offer.says} · {offer.odds}" if offer.odds else offer.says


def _suggestion(row: ActionRow, begins_group: bool) -> Suggestion:
    name = f"{row.group if begins_group else '':<7}{row.title}{f' ({row.key})' if row.key else ''}"
    return Suggestion(row.name, name, row.refused or row.help, "muted" if row.refused else "")


def _begins(row: ActionRow, typed: str) -> bool:
    return row.name.startswith(typed) or row.title.casefold().startswith(typed)
