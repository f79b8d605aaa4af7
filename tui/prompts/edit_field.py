"""Change one field of a sheet: its path completes, and its range is shown."""

from collections.abc import Mapping, Sequence

from systems.encounter.completion import Completion, matching
from systems.encounter.model import Combatant
from systems.encounter.short_lines import first_word
from systems.errors import Wrong
from systems.language.paths import (
    PathOfSheet,
    field_and_value,
    path_meant,
    path_words,
    paths_by_words,
    paths_of,
    type_meant,
    typed_path,
)
from systems.language.set_lines import parts_set
from systems.schema.entry_lines import EntryLine
from systems.schema.fields import fields_of
from systems.schema.types import Choice, Flag
from tui.prompts.line import LinePrompt, Reading, Suggestion, refused
from tui.services import Services


class EditPrompt(LinePrompt):
    """Prompt of `e`: a field of the combatant under the cursor, and its new value."""

    ENTER = "change"
    label = "set"

    def __init__(self, services: Services, combatant: Combatant) -> None:
        super().__init__(services)
        self.combatant = combatant
        found = {path.typed: path for path in paths_of(combatant.sheet)}
        # The fields that the table shows are changed most often.
        first = self._shown_first(found)
        self.paths = {**{text: found[text] for text in first}, **found}
        self.names = self._names()

    def _shown_first(self, found: Mapping[str, object]) -> list[str]:
        meters = self.source.game.meters
        return [path for meter in meters for path in (meter.now, meter.full) if path in found]

    def title(self) -> str:
        return f"{self.combatant.name}: a field and its new value, such as {next(iter(self.paths), 'hp')} 7"

    @property
    def _split(self) -> tuple[str, str]:
        """Return the field, by its path or its name, and its value, as typed."""
        typed, value = first_word(self.line.text)
        return field_and_value(self.combatant.sheet, typed.replace('"', ""), value)

    @property
    def _begun(self) -> Sequence[PathOfSheet]:
        """Return the fields that the line may still name; none once a value is typed."""
        text = self.line.text
        if " " not in text.strip() and not text.endswith(" "):
            known = [Completion(path, name=place.path[-1]) for path, place in self.paths.items()]
            return [self.paths[completion.text] for completion in matching(text.strip(), known)]
        begun = " ".join(text.casefold().split()) + " " * text.endswith(" ")
        names = ((self.names[path].casefold(), place) for path, place in self.paths.items())
        return [place for name, place in names if name.startswith(begun) and name != begun]

    def _names(self) -> Mapping[str, str]:
        """Return the name of each path: its label if that is unambiguous, else the path."""
        sheet = self.combatant.sheet
        fields, called = fields_of(type(sheet)), paths_by_words(sheet)
        alone = {path: name for name, path in called.items() if path == name or name not in fields}
        return {typed: alone.get(place.text, typed) for typed, place in self.paths.items()}

    def suggest(self) -> Sequence[Suggestion]:
        typed, value = self._split
        sheet = type(self.combatant.sheet)
        if places := self._begun:
            # Help that is the same for a whole table is shown only once.
            before = ["", *(place.help for place in places)]
            return [
                Suggestion(
                    self.names[place.typed],
                    f"{path_words(sheet, place.path)} {place.words}",
                    place.help if place.help != said else "",
                )
                for place, said in zip(places, before, strict=False)
            ]
        try:
            known = self.paths.get(typed_path(path_meant(self.combatant.sheet, typed)))
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
        begun = self.line.text.removesuffix(self._split[1]).strip()
        self.line.set(f"{suggestion.text} " if self._begun else f"{begun} {suggestion.text}")

    def read(self) -> Reading:
        typed, value = self._split
        if not typed:
            return Reading(says="which field, and what value?")
        is_quoted = '"' in first_word(self.line.text)[0]
        try:
            sheet = self.combatant.sheet
            if parts := parts_set(self.source.game, sheet, typed, value, quoted=is_quoted):
                says = ", ".join(part.says for part in parts)
                return Reading(f"set {self.combatant.id} {self.line.text.strip()}", says)
            meant = path_meant(sheet, typed, quoted=is_quoted)
            path, called = typed_path(meant, quoted=is_quoted), path_words(type(sheet), meant)
            known = self.paths.get(path)
            now = known.words if known else "none"
            kind = type_meant(type(self.combatant.sheet), meant)
            if not value:
                return Reading(says=f"{called} is {now}: {kind.expected}")
            if value.casefold() != "none":
                kind.typed(value, path)
                if path == "notes" and known and known.value:
                    # New notes are added to the old ones. `notes none` clears them.
                    return Reading(f"set {self.combatant.id} notes +{value}", f"notes, added: {value}")
        except Wrong as error:
            return refused(self.line.text, error)
        return Reading(f"set {self.combatant.id} {path} {value}", f"{called}: {now} → {value}")
