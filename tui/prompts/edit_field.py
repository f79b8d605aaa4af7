"""Change one field of a sheet: its path completes, and its range is shown."""

from collections.abc import Mapping, Sequence

from systems.encounter.completion import Completion, matching
from systems.encounter.model import Combatant
from systems.errors import Wrong
from systems.language.paths import path_meant, path_words, paths_of, type_meant, typed_path
from systems.schema.entry_lines import EntryLine
from systems.schema.types import Choice, Flag
from tui.prompts.amounts import first_word
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services


class EditPrompt(LinePrompt):
    """`e`: a field of the combatant under the cursor, and its new value."""

    ENTER = "change it"
    label = "set"

    def __init__(self, services: Services, combatant: Combatant) -> None:
        super().__init__(services)
        self.combatant = combatant
        found = {path.typed: path for path in paths_of(combatant.sheet)}
        # What the table shows of everybody is what is changed by hand most often.
        first = self._shown_first(found)
        self.paths = {**{text: found[text] for text in first}, **found}

    def _shown_first(self, found: Mapping[str, object]) -> list[str]:
        meters = self.source.game.meters
        return [path for meter in meters for path in (meter.now, meter.full) if path in found]

    def title(self) -> str:
        return f"{self.combatant.name}: a field and its new value, such as {next(iter(self.paths), 'hp')} 7"

    def suggest(self) -> Sequence[Suggestion]:
        typed, value = first_word(self.line.text)
        sheet = type(self.combatant.sheet)
        if not value and not self.line.text.endswith(" "):
            found = matching(
                typed, [Completion(text, name=path.path[-1]) for text, path in self.paths.items()]
            )
            places = [self.paths[completion.text] for completion in found]
            # What is said of a whole table stands beside the first of it.
            before = ["", *(place.help for place in places)]
            return [
                Suggestion(
                    place.typed,
                    f"{path_words(sheet, place.path)} {place.words}",
                    place.help if place.help != said else "",
                )
                for place, said in zip(places, before, strict=False)
            ]
        try:
            known = self.paths.get(typed_path(path_meant(self.combatant.sheet, typed.replace('"', ""))))
        except Wrong:
            return ()
        match known.type if known else None:
            case EntryLine() if known and not value:
                return [Suggestion(known.line, help=known.type.expected)]
            case Choice(words):
                return [Suggestion(completion.text) for completion in matching(value, map(Completion, words))]
            case Flag():
                return [
                    Suggestion(completion.text)
                    for completion in matching(value, map(Completion, ("yes", "no")))
                ]
        return ()

    def complete(self, suggestion: Suggestion) -> None:
        typed, value = first_word(self.line.text)
        begins = not value and not self.line.text.endswith(" ")
        self.line.set(f"{suggestion.text} " if begins else f"{typed} {suggestion.text}")

    def read(self) -> Reading:
        typed, value = first_word(self.line.text)
        if not typed:
            return Reading(says="field, value")
        try:
            meant = path_meant(self.combatant.sheet, typed.replace('"', ""))
            path, called = typed_path(meant), path_words(type(self.combatant.sheet), meant)
            known = self.paths.get(path)
            now = known.words if known else "none"
            kind = type_meant(type(self.combatant.sheet), meant)
            if not value:
                return Reading(says=f"{called} is {now}: {kind.expected}")
            if value.casefold() != "none":
                kind.typed(value, path)
                if path == "notes" and known and known.value:
                    # Notes are written on, one after the other; `notes none` begins anew.
                    return Reading(f"set {self.combatant.id} notes +{value}", f"notes, added: {value}")
        except Wrong as error:
            return Reading(wrong=str(error))
        return Reading(f"set {self.combatant.id} {path} {value}", f"{called}: {now} → {value}")
