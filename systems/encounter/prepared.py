"""Find values of a prepared encounter that are out of date because the roster changed later.

A character that joins before the fight stores the values of its roster entry in its state (`prepared`), as
texts by field name. So a change of the roster is not mistaken for an edit of the encounter. If an opening
has no such values, a field that holds its default counts as unedited.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from systems.encounter.model import Combatant, Encounter, Offer
from systems.encounter.roster import JoiningEntry
from systems.frozen import frozen
from systems.schema.conversion import plain_of
from systems.schema.fields import Field, fields_of
from systems.schema.values import as_typed, as_words
from systems.sheets import with_fresh_turn
from systems.text import listed, spoken

REFRESH = "refresh"  # the command that copies the roster's values into the encounter
_MANY = 4  # changed parts of one field; from here on only the field's name is shown
_LONG = 30  # characters; a longer value is not shown, only the name of its field


@frozen
class ChangedField:
    """A field of a combatant's sheet that has another value in the roster."""

    who: str
    field: str
    before: Any
    after: Any
    label: str

    @property
    def words(self) -> str:
        """Return `life 30 (was 52)`, or the field's name alone if a value is long."""
        from systems.schema.entries import differing_parts

        name = self.label or spoken(self.field)
        parts = []
        for label, before, after in differing_parts(self.before, self.after):
            was, now = as_words(before), as_words(after)
            if max(len(was), len(now)) > _LONG:
                return name
            parts.append(f"{label or name} {now} (was {was})")
        return ", ".join(parts) if len(parts) < _MANY else name


def kept_as_text(sheet: Any) -> dict[str, str]:
    """Return the fields of a sheet that outlast a fight and differ from their default, as text by name."""
    return {
        name: _text(getattr(sheet, name))
        for name, field in fields_of(type(sheet)).items()
        if _is_compared(field) and getattr(sheet, name) != _default(sheet, field)
    }


def differences(encounter: Encounter, roster: Mapping[str, JoiningEntry]) -> tuple[ChangedField, ...]:
    """Return how the roster differs from the players' characters; nothing once the fight has begun."""
    if not encounter.is_prepared:
        return ()
    kinds = [combatant.state.kind for combatant in encounter]
    found: list[ChangedField] = []
    for combatant in encounter:
        entry = roster.get(combatant.state.kind or "")
        # Several combatants of one entry are creatures of a kind, not a character.
        if entry is not None and encounter.is_player(combatant) and kinds.count(combatant.state.kind) == 1:
            found += _of(encounter, combatant, entry)
    return tuple(found)


def offer(encounter: Encounter, roster: Mapping[str, JoiningEntry]) -> Offer | None:
    """Return the offer to update the players' characters, or None if nothing differs."""
    if found := differences(encounter, roster):
        changes = "; ".join(clauses(encounter, found))
        return Offer(says=f"The roster has changed since this was prepared: {changes}.", command=REFRESH)
    return None


def clauses(encounter: Encounter, found: Sequence[ChangedField]) -> list[str]:
    """Return one clause for each combatant: `Okado life 30 (was 52) and arrows 4 (was 12)`."""
    ids = dict.fromkeys(difference.who for difference in found)
    return [
        f"{encounter.combatants[who].name} "
        + listed([difference.words for difference in found if difference.who == who])
        for who in ids
    ]


def _of(encounter: Encounter, combatant: Combatant, entry: JoiningEntry) -> list[ChangedField]:
    mine, theirs = with_fresh_turn(combatant.sheet), with_fresh_turn(entry.sheet)
    filled_in = encounter.game.join(theirs, True)
    found = []
    for name, field in fields_of(type(mine)).items():
        if name in filled_in or not _is_compared(field):
            continue
        before, after = getattr(mine, name), getattr(theirs, name)
        if before != after and is_untouched(combatant.state.prepared, mine, field):
            found.append(ChangedField(combatant.id, name, before, after, field.label))
    return found


def _is_compared(field: Field) -> bool:
    """Return whether a field belongs to the character; name and notes may differ between fights."""
    return field.is_kept and field.name not in ("name", "notes")


def is_untouched(prepared: Mapping[str, str], sheet: Any, field: Field) -> bool:
    """Return whether a field still holds the roster's earlier value, or its default if that is unknown."""
    now = getattr(sheet, field.name)
    if field.name in prepared:
        return _text(now) == prepared[field.name]
    return bool(now == _default(sheet, field))


def _default(sheet: Any, field: Field) -> Any:
    if field.derive:
        return field.derive(sheet)
    return getattr(sheet, field.same_as) if field.same_as else field.default


def _text(value: Any) -> str:
    return as_typed(plain_of(value)) or "none"
