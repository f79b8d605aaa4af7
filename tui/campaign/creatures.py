"""Find creatures that a game ships in a small index, and read each one only when it is chosen.

The files are in the folder that the game names, in its own package, which may be inside a zip file. Each has
the form of a roster entry, and may have a `level` (number or text) and `tags` (list of texts). The index
`index.json` in the same folder holds name, level, tags and side of all creatures. `affray systems GAME
--index` writes it.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from systems.contract.ruleset import FOES, PLAYERS, Ruleset
from systems.encounter.roster import Shipped
from systems.errors import Refused, Wrong
from systems.frozen import field, frozen
from systems.schema.fields import fields_of
from systems.sheets import present_fields, read_sheet
from systems.text import clean, shown, sort_key
from tui.campaign.encounters import ID, NOT_AN_ID, pointed
from tui.campaign.entries import RosterEntry
from tui.campaign.problems import FileProblem, NotSaved, disk_words
from tui.campaign.toml.files import parse_toml, write_atomic

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

INDEX = "index.json"
_MOST_TAGS = 20
_Row = tuple[str, str, list[str], str]  # a row of the index: name, level, tags, side


@frozen(kw_only=True)
# mypy does not know that the class of frozen classes takes options.
class Creature(Shipped, kw_only=True):  # type: ignore[call-arg]
    """A creature that a game ships. Its sheet is read at the first use."""

    ruleset: Ruleset = field(eq=False)

    @property
    def sheet(self) -> Any:
        """Return the sheet. Raises Refused if its file is bad."""
        try:
            return self.entry().sheet
        except FileProblem as problem:
            raise Refused(str(problem)) from None

    def entry(self) -> RosterEntry:
        """Return the creature as an unsaved roster entry. Raises FileProblem."""
        game = self.ruleset
        key = (game.sheet.__module__, game.creatures, self.id)
        if key not in _entries:
            data = _bytes(game, f"{game.creatures}/{self.id}.toml")
            _entries[key] = read_creature(game, self.id, data)[0]
        return _entries[key]


_indexes: dict[tuple[str, str], Mapping[str, Creature]] = {}  # keys: module and folder of a game
_entries: dict[tuple[str, str, str], RosterEntry] = {}


def shipped(ruleset: Ruleset) -> Mapping[str, Creature]:
    """Return the creatures that a game ships by id, in the order of their names."""
    game = (ruleset.sheet.__module__, ruleset.creatures)
    if game not in _indexes:
        indexed = _indexed(ruleset)
        if indexed is None:  # the author of the game has not written the index yet
            indexed, _ = made_index(ruleset)
        found = [
            Creature(id, clean(name, 80), level, tuple(tags), side, ruleset=ruleset)
            for id, (name, level, tags, side) in indexed.items()
        ]
        found.sort(key=lambda creature: sort_key(creature.name))
        _indexes[game] = {creature.id: creature for creature in found}
    return _indexes[game]


def creatures_folder(ruleset: Ruleset) -> "Traversable | None":
    """Return the folder of a game's creatures, which may be inside a zip file; None if it names none."""
    folder = package_folder(ruleset) if ruleset.creatures else None
    return None if folder is None else folder / ruleset.creatures


def package_folder(ruleset: Ruleset) -> "Traversable | None":
    """Return the folder of a game's package, or of its module if the game is one file."""
    module = sys.modules.get(ruleset.sheet.__module__)
    if module is None:
        return None
    if module.__package__:
        from importlib.resources import files

        return files(module.__package__)
    return Path(module.__file__ or "").parent


def _bytes(ruleset: Ruleset, file: str) -> bytes:
    """Return the bytes of a creature's file. Raises FileProblem."""
    folder = creatures_folder(ruleset)
    assert folder is not None
    try:
        return (folder / file.rpartition("/")[2]).read_bytes()
    except OSError as error:
        raise FileProblem(file, 0, "", f"cannot be read: {disk_words(error)}") from None


def _indexed(ruleset: Ruleset) -> dict[str, _Row] | None:
    """Return the rows of the index by id; None if there is no readable index."""
    if creatures_folder(ruleset) is None:
        return {}
    try:
        found = json.loads(_bytes(ruleset, INDEX))
        return {
            str(id): (str(name), str(level), [*map(str, tags)], str(side))
            for id, (name, level, tags, side) in found.items()
        }
    except (FileProblem, ValueError, TypeError, AttributeError):
        return None


def read_creature(ruleset: Ruleset, id: str, data: bytes) -> tuple[RosterEntry, str, tuple[str, ...]]:
    """Return a creature, its level and its tags from the bytes of its file. Raises FileProblem."""
    file = f"{ruleset.creatures}/{id}.toml"
    if not ID.fullmatch(id):
        raise FileProblem(file, 0, "", NOT_AN_ID, code="not_an_id")
    tables = parse_toml(data, file)
    del tables["format"]
    with pointed(file, data):
        tags = tables.pop("tags", [])
        if not isinstance(tags, list) or not all(isinstance(tag, str) and tag for tag in tags[:_MOST_TAGS]):
            raise Wrong("tags", f"expected a list of texts, got {shown(tags)}")
        is_field = "level" in fields_of(ruleset.sheet)
        level = tables.get("level", "") if is_field else tables.pop("level", "")
        if isinstance(level, bool) or not isinstance(level, int | str):
            raise Wrong("level", f"expected a number or a text, got {shown(level)}")
        side = tables.pop("side", FOES)
        if not isinstance(side, str) or not side:
            raise Wrong("side", f"expected a text such as {PLAYERS} or {FOES}, got {shown(side)}")
        sheet = read_sheet(ruleset, present_fields(ruleset, tables), "")
    found = RosterEntry(id, side, sheet)
    return found, clean(str(level), 20), tuple(clean(tag, 40) for tag in tags[:_MOST_TAGS])


def made_index(ruleset: Ruleset) -> tuple[dict[str, _Row], list[FileProblem]]:
    """Read all of a game's creatures; return their index, and the problems of bad files."""
    found: dict[str, _Row] = {}
    problems: list[FileProblem] = []
    folder = creatures_folder(ruleset)
    files = sorted(file.name for file in folder.iterdir()) if folder and folder.is_dir() else []
    for name in files:
        if not name.endswith(".toml"):
            continue
        id = name.removesuffix(".toml")
        try:
            entry, level, tags = read_creature(ruleset, id, _bytes(ruleset, f"{ruleset.creatures}/{name}"))
            found[id] = (entry.name, level, list(tags), entry.side)
        except FileProblem as problem:
            problems.append(problem)
    return found, problems


def index_bytes(index: Mapping[str, object]) -> bytes:
    """Return an index as its file holds it, with one entry per line."""
    lines = [f"{json.dumps(id)}: {json.dumps(about, ensure_ascii=False)}" for id, about in index.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def write_index(ruleset: Ruleset) -> tuple[int, list[FileProblem]]:
    """Write the index of a game's creatures; return its length and the problems of bad files.

    Raises NotSaved if the game names no folder, or if it is inside a zip file.
    """
    folder = creatures_folder(ruleset)
    if not isinstance(folder, Path) or not folder.is_dir():
        raise NotSaved(f"{clean(ruleset.title)} has no writable folder of creatures")
    index, problems = made_index(ruleset)
    write_atomic(folder / INDEX, index_bytes(index))
    return len(index), problems
