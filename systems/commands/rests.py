"""Rests after a fight: the values that each rest would restore to the players' characters."""

from collections.abc import Iterator, Mapping
from typing import Any

from systems.commands.scenes import outcome_of
from systems.contract.action import Scene
from systems.contract.ruleset import Rest, Ruleset
from systems.contract.table import Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.encounter.model import Combatant, Encounter
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.conversion import entry_named, replace
from systems.schema.entries import differing_parts
from systems.schema.fields import Entry, fields_of
from systems.schema.types import Choice
from systems.schema.values import as_words
from systems.sheets import changed, kept_fields
from systems.text import before_and_after


@frozen
class RestoredValue:
    """One value that a rest restores to a character: a field of the sheet, or one entry of a list.

    `entry`: the name of the entry, "" for a whole field. `values`: the new values, by field of the sheet or
    of the entry. `key`: the text that selects it in a command, such as `okado.life`.
    """

    who: str
    name: str
    rest: Rest
    field: str
    entry: str
    values: Mapping[str, Any]
    says: str
    key: str

    def put_on(self, sheet: Any) -> Any:
        """Return the sheet with this value restored."""
        if not self.entry:
            return changed(sheet, self.values)
        entries = getattr(sheet, self.field)
        found = entry_named(entries, self.entry)
        rested = tuple(replace(each, **self.values) if each is found else each for each in entries)
        return replace(sheet, **{self.field: rested})


@frozen
class Denied:
    """A rest that restores nothing to a character, and the reason."""

    who: str
    name: str
    rest: Rest
    says: str


def restored(encounter: Encounter, combatant: Combatant) -> list[RestoredValue | Denied]:
    """Return what each rest of the game restores to a character, the shortest rest first. Raises Wrong."""
    found: list[RestoredValue | Denied] = []
    for at, rest in enumerate(encounter.game.rests):
        if why := rest.denied(combatant.sheet, encounter.house):
            found.append(Denied(combatant.id, combatant.name, rest, why))
        else:
            prefix = f"{rest.name}." if at else ""
            found += _figures(encounter, combatant, rest, f"{prefix}{combatant.id}")
    return found


def rested(game: Ruleset, house: Any, rest: Rest, sheet: Any, name: str = "") -> Any:
    """Return the sheet after the rest. Raises Wrong if the game cannot say what it restores."""
    for step, options in rest.steps:
        action = game.action(step)
        assert action is not None
        scene: Scene[Any, Any, Any] = Scene(
            actor=sheet,
            target=game.blank_sheet,
            options=action.options(**options),
            house=house,
            actor_name=name or sheet.name or "actor",
            target_name="nobody",
        )
        try:
            outcome = outcome_of(action, scene, Table(ScriptedDice([]), Suggested()))
        except NeedsFace:
            raise Wrong("", f"{rest.title} rolls dice, but a rest after a fight cannot roll any") from None
        if outcome.refused is None:
            sheet = changed(sheet, outcome.changes.get("actor", {}))
    for number, value in rest.restores.items():
        listed, dot, field = number.partition(".")
        if dot:
            held = (replace(each, **{field: _full(each, field, value)}) for each in getattr(sheet, listed))
            sheet = replace(sheet, **{listed: tuple(held)})
        else:
            sheet = changed(sheet, {number: _full(sheet, number, value)})
    return sheet


def _full(value: Any, name: str, to: str | int) -> Any:
    """Return what a rest restores a number to: to another field at least, or to exactly that number."""
    return max(getattr(value, name), getattr(value, to)) if isinstance(to, str) else to


def _figures(encounter: Encounter, combatant: Combatant, rest: Rest, key: str) -> Iterator[RestoredValue]:
    """Yield the values that a rest changes and that outlast the fight."""
    game, before = encounter.game, combatant.sheet
    after = rested(game, encounter.house, rest, before, combatant.name)
    for name in kept_fields(before, after):
        field = fields_of(type(before))[name]
        old, new = getattr(before, name), getattr(after, name)
        words = game.choice_words if isinstance(field.type, Choice) else as_words
        if isinstance(old, tuple) and _same_entries(old, new):
            for was, now in zip(old, new, strict=True):
                if was != now:
                    values = {
                        part: getattr(now, part)
                        for part in fields_of(type(now))
                        if getattr(was, part) != getattr(now, part)
                    }
                    says = ", ".join(
                        f"{label} {before_and_after(as_words(a), as_words(b))}"
                        for label, a, b in differing_parts((was,), (now,))
                    )
                    typed = f"{key}.{name}.{_as_word(was.name)}"
                    yield RestoredValue(
                        combatant.id, combatant.name, rest, name, was.name, values, says, typed
                    )
            continue
        says = f"{field.label} {before_and_after(words(old), words(new))}"
        yield RestoredValue(combatant.id, combatant.name, rest, name, "", {name: new}, says, f"{key}.{name}")


def _as_word(name: str) -> str:
    """Return the name of an entry in the form typed in a list between commas and quotes."""
    return name.replace(",", " ").replace('"', "'")


def _same_entries(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    """Return whether both are lists of entries with the same names."""
    return all(isinstance(each, Entry) for each in (*old, *new)) and [each.name for each in old] == [
        each.name for each in new
    ]
