"""Text fields that name something on a sheet, such as the ability that wields a weapon."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Literal

from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.text import listed, matches, nearest, shown, spelled


@frozen
class Naming:
    """The names that a text field accepts: a key of a table, or an item of a list, on the sheet.

    `field`: the table or list. `of`: whose sheet, for an option of an action. `also`: names known without
    being on the sheet. `free`: any other name is accepted too, except a near miss of a known name and a word
    with a =, which was meant as an option. `having`: only entries with that field, such as spells with
    damage. `kept(sheet)`: names reserved for the turns of others, such as a legendary blow; no prompt
    suggests them. `needs`: what the action can't work without, in a sentence such as `Ada has no counter`; if
    the sheet has only one, it is filled in. `rank(entry)`: names are listed by it, such as the level of a
    spell; those of equal rank as on the sheet.
    """

    field: str
    of: Literal["actor", "target"] = "actor"
    also: tuple[str, ...] = ()
    free: bool = True
    having: str = ""
    kept: Callable[[Any], Collection[str]] = lambda sheet: ()
    needs: str = ""
    rank: Callable[[Any], Any] | None = None

    def listed(self, holder: Any) -> tuple[str, ...]:
        """Return the names in a table or a list, by their rank."""
        return names_in(holder if self.rank is None else sorted(holder, key=self.rank), self.having)

    def check(self, word: str, inside: Iterable[Any], path: str, *, quoted: bool = False) -> str:
        """Return the name as spelled on the sheet, also from its beginning. Raises Wrong.

        `inside`: the tables or lists that may hold it. `quoted`: a free name is taken as typed.
        """
        holders = list(inside)
        there = (name for holder in holders for name in names_in(holder, self.having))
        known = [*dict.fromkeys((*there, *self.also))]
        if quoted and self.free:
            return next(iter(spelled(word, known)), word)
        found = matches(word, known)
        if not found and self.having and self.free:
            # The entry lacks that field; the game decides what that means.
            found = matches(word, [name for holder in holders for name in names_in(holder)])
        if len(found) > 1:
            raise Wrong(path, f"{shown(word)} could be {listed(found[:5], 'or')}", code="ambiguous")
        if found:
            return found[0]
        if self.free and "=" not in word and not nearest(word, known):
            return word
        raise unknown(path, f"there is no {shown(word)} here", word, known)


def names_in(holder: Any, having: str = "") -> tuple[str, ...]:
    """Return the names in a table, in a list of entries (also as plain data), or in a list of texts.

    `having`: only of entries with that field.
    """
    if isinstance(holder, Mapping):
        return tuple(map(str, holder))
    return tuple(_name(part) for part in holder or () if not having or _has(part, having))


def _has(part: Any, field: str) -> bool:
    value = part.get(field) if isinstance(part, Mapping) else getattr(part, field)
    return bool(value) and value != "none"


def _name(part: Any) -> str:
    if isinstance(part, Mapping):
        return str(part.get("name", ""))
    return str(getattr(part, "name", part))
