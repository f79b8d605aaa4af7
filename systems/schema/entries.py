"""Find what an entry of a sheet names on that sheet, and the differences between two lists of entries."""

from collections.abc import Callable
from typing import Any

from systems.errors import Wrong
from systems.schema.conversion import replace
from systems.schema.fields import Entry, fields_of
from systems.schema.naming import names_in


def with_known_names(entry: Any, inside: Callable[[str], object], path: str = "") -> Any:
    """Return the entry with the names in its texts spelled as on the sheet. Raises Wrong.

    `inside`: the table or list of the sheet by the name of its field.
    """
    for name, field in fields_of(type(entry)).items():
        now = getattr(entry, name)
        if field.naming is None or now is None or name not in entry.given:
            continue
        try:
            known = field.naming.check(now, [inside(field.naming.field)], "")
        except Wrong as wrong:
            raise wrong.saying(f"{field.label}: {wrong.message}", path) from None
        entry = replace(entry, **{name: known})
    return entry


def differing_parts(before: Any, after: Any) -> tuple[tuple[str, Any, Any], ...]:
    """Return the differences between two values of a field, as (label, before, after).

    Entries with the same name are compared field by field: `("rifle loaded", 30, 29)`, because their names
    alone would read the same on both sides. Every other value is given whole, without a label.
    """
    whole = (("", before, after),)
    match before, after:
        case (list() | tuple(), list() | tuple()) if len(before) == len(after):
            pairs = list(zip(before, after, strict=True))
        case _:
            return whole
    if not all(_same_entry(old, new) for old, new in pairs):
        return whole
    return tuple(
        (f"{old.name} {field.label}", getattr(old, name), getattr(new, name))
        for old, new in pairs
        for name, field in fields_of(type(old)).items()
        if getattr(old, name) != getattr(new, name)
    )


def _same_entry(old: Any, new: Any) -> bool:
    """Return whether both are entries of a sheet, of one class and one name."""
    return isinstance(old, Entry) and type(old) is type(new) and names_in((old,)) == names_in((new,))
