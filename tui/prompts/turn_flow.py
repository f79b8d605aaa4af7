"""Prompts for initiative, readied actions and scheduled events."""

import re
from collections.abc import Sequence
from contextlib import suppress

from systems.commands.start import Start
from systems.commands.table import parse, read_command
from systems.encounter.lookup import single, targets
from systems.encounter.model import Combatant, Happening
from systems.errors import Misread, Refused
from systems.text import printable
from tui.display.refusals import misread_words
from tui.display.text import cut
from tui.prompts.line import LinePrompt, Reading, Suggestion, refused
from tui.services import Services


class InitiativePrompt(LinePrompt):
    """Asks for called initiative totals before a fight with real dice, in one line."""

    ENTER = "begin the fight"
    TAB = "complete"
    label = "initiative"

    def title(self) -> str:
        has_surprise = self.source.encounter.initiative.surprised is not None
        surprise = " · players surprised" if has_surprise else ""
        return f"Called initiative: {self._example}{surprise} · all others roll"

    @property
    def _example(self) -> str:
        """Return two names of this fight with a total each: `okado 14 tamsin 9`."""
        here = self.source.encounter
        names = [each.id for each in self._rolling if here.is_player(each)] or [
            each.id for each in self._rolling
        ]
        return " ".join(f"{cut(name, 14)} {total}" for name, total in zip(names, (14, 9), strict=False))

    @property
    def _rolling(self) -> Sequence[Combatant]:
        """Return the combatants that begin the fight with an initiative of their own."""
        here = self.source.encounter
        return [each for each in here if not each.state.arrives and here.status(each).in_order]

    @property
    def _named(self) -> frozenset[str]:
        """Return the ids of the combatants that have a total in the line."""
        found = set()
        for word, _ in self._totals():
            with suppress(Refused):
                found.add(single(self.source.encounter, word).id)
        return frozenset(found)

    def _totals(self) -> Sequence[tuple[str, int]]:
        """Return the totals in the line, without the last word if it is still being typed."""
        text = self.line.text
        for words in (text, text.rpartition(" ")[0]):
            with suppress(Misread):
                intent = read_command(self.source.encounter, f"start {words}").intent
                return intent.totals if isinstance(intent, Start) else ()
        return ()

    def suggest(self) -> Sequence[Suggestion]:
        """List the combatants without a total, players first. Dead combatants need none."""
        here, last = self.source.encounter, self.line.text.rpartition(" ")[2].casefold()
        left = [each for each in self._rolling if each.id not in self._named - {last}]
        left.sort(key=lambda each: not here.is_player(each))
        if last and not _is_number(last):
            left = [
                each for each in left if each.name.casefold().startswith(last) or each.id.startswith(last)
            ]
        return [Suggestion(each.id, printable(each.name), each.side) for each in left]

    def read(self) -> Reading:
        here, text = self.source.encounter, self.line.text.strip()
        line = f"start {text}"
        try:
            intent = read_command(here, line).intent
            assert isinstance(intent, Start)
            totals = [(single(here, word), total) for word, total in intent.totals]
            surprised = targets(here, ",".join(intent.surprised)) if intent.surprised else ()
        except Misread as error:
            if error.start >= len(line):
                return Reading(says=f"the total of {text.replace(',', ' ').split()[-1]}?")
            return Reading(wrong=f"{misread_words(line, error)}; {self._example}")
        except Refused as error:
            return Reading(wrong=str(error))
        prepared = " as prepared" if intent.as_prepared else ""
        names = [here.combatants[who].name for who in surprised]
        called = [
            *(f"{each.name} {total}" for each, total in totals),
            *(f"{name} surprised" for name in names),
        ]
        ids = "".join(f" {each.id} {total}" for each, total in totals)
        ids += "".join(f" {who} surprised" for who in surprised)
        return Reading(f"start{prepared}{ids}", f"{', '.join(called) or 'everybody rolls'}{prepared}")


def _is_number(word: str) -> bool:
    return word.lstrip("+-").isdecimal()


class ReadyPrompt(LinePrompt):
    """Prompt of `G`: a readied action and its trigger for the combatant under the cursor."""

    ENTER = "ready"
    TAB = ""
    label = "ready"

    def __init__(self, services: Services, combatant: Combatant) -> None:
        super().__init__(services)
        self.combatant = combatant

    @property
    def subject(self) -> str:
        """Return the id of the combatant that readies an action."""
        return self.combatant.id

    def title(self) -> str:
        return f"Ready {self.combatant.name}: trigger and action, such as when the door opens: shoot"

    def read(self) -> Reading:
        text = self.line.text.strip()
        if not text:
            return Reading(says="which trigger, and which action?")
        back = self.services.key_names["return"]
        return Reading(f"ready {self.combatant.id} {text}", f"{back} triggers it, until its next turn")


class SchedulePrompt(LinePrompt):
    """Prompt of `H`: schedules an event for a later round and lists scheduled events. A number drops one."""

    ENTER = "schedule"
    TAB = ""
    label = "event"

    def title(self) -> str:
        known = self._known
        drops = f" · 1{f'-{len(known)}' if len(known) > 1 else ''} drops it" if known else ""
        return f"Schedule: the ceiling falls in round 10 [hidden]{drops}"

    @property
    def _known(self) -> Sequence[Happening]:
        return self.source.encounter.progress.happenings

    def suggest(self) -> Sequence[Suggestion]:
        """List the scheduled events and the combatants still to arrive."""
        happenings = [
            Suggestion(
                str(at),
                f"{at} round {each.round}",
                printable(each.name) + (" (hidden)" if each.hidden else ""),
            )
            for at, each in enumerate(self._known, 1)
        ]
        arriving = sorted(
            (combatant for combatant in self.source.encounter if combatant.state.arrives),
            key=lambda combatant: combatant.state.arrives,
        )
        return [
            *happenings,
            *(
                Suggestion("", f"  round {each.state.arrives}", f"{printable(each.name)} arrives")
                for each in arriving
            ),
        ]

    def choose(self, by: int) -> None:
        """Do nothing: the list is only for reading."""

    def read(self) -> Reading:
        text, known = self.line.text.strip(), self._known
        if not text:
            return Reading(says="which event, and in which round?")
        if text.isdecimal() and len(text) < 6:
            if not 1 <= int(text) <= len(known):
                return Reading(wrong=f"there is no event {text}; to schedule one, add its round")
            return Reading(f"unschedule {text}", f"drops: {printable(known[int(text) - 1].name)}")
        if not re.search(r"\bin\s+round\s+[0-9]", text, re.IGNORECASE):
            return Reading(says="in which round? For example: in round 10")
        line = f"schedule {text}"
        try:
            parse(line, self.source.game)
        except Misread as error:
            return refused(self.line.text, error)
        return Reading(line, "only you see it until then")
