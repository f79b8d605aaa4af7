"""Read single values out of another program's data, which may hold anything anywhere."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.contract.stat_block import ABILITIES, BlockSection, Paragraph, StatBlock
from systems.errors import Wrong
from systems.stat_blocks.figures import LABELS, FoundFigures
from systems.text import clean, shown, signed

Data = Mapping[str, Any]
SIZES = {"T": "tiny", "S": "small", "M": "medium", "L": "large", "H": "huge", "G": "gargantuan"}
_READ = {label.kind: label.read for label in LABELS}
_LONGEST_NAME = 120
_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,6}\s*")


def text(value: object) -> str:
    """Return a text or a number as text on one line; "" for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def whole(value: object) -> int | None:
    """Return a whole number, also from a text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e6 else None
    if isinstance(value, int):
        return value if abs(value) < 1_000_000 else None
    return int(value) if isinstance(value, str) and _WHOLE.fullmatch(value) else None


def table(value: object) -> Data:
    """Return a table; an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> Sequence[Any]:
    """Return a list; a single value as a list of one, and nothing as an empty list."""
    if isinstance(value, list | tuple):
        return value
    return [] if value is None or value == "" else [value]


def texts(value: object) -> list[str]:
    """Return the texts in a list."""
    return [found for each in listed(value) if (found := text(each))]


class BlockBuilder:
    """Collects the figures and paragraphs of one creature, each figure with the piece that states it."""

    def __init__(self, name: object) -> None:
        """Begin with the name. Raises Wrong if it is missing."""
        self.name = clean(text(name), _LONGEST_NAME)
        if not self.name:
            raise Wrong("name", f"expected the name of a creature, got {shown(name)}")
        self.found = FoundFigures()
        self.paragraphs: list[Paragraph] = []
        self.introductions: dict[BlockSection, str] = {}

    def put(self, field: str, value: Any, source: str) -> None:
        """Keep a figure unless it is None or empty."""
        if value is not None and value not in ("", (), {}):
            self.found.keep(field, value, clean(source, 200))

    def read(self, field: str, label: str, value: object) -> None:
        """Read a figure from a text such as `15 (leather armour)`; report a text that is not understood."""
        words = text(value)
        if words:
            rest = _READ[field](self.found, label, words).strip(" ,;.")
            if rest:
                self.miss(f"{label} {words}", f"“{clean(rest, 60)}” is left out")

    def number(self, field: str, label: str, value: object) -> None:
        """Keep a whole number; report anything else."""
        if value is None or value == "":
            return
        if (number := whole(value)) is None:
            self.miss(f"{label} {clean(text(value) or shown(value), 60)}", f"{label} is not a whole number")
        else:
            self.put(field, number, f"{label} {number}")

    def scores(self, given: Mapping[str, object]) -> None:
        """Keep the abilities by name."""
        for ability in ABILITIES:
            value = given.get(ability)
            if (score := whole(value)) is not None:
                self.put("abilities", {ability: score}, f"{ability} {score}")
            elif value is not None and value != "":
                self.miss(f"{ability} {shown(value)}", f"{ability} is not a whole number")

    def modifiers(self, field: str, label: str, given: Mapping[str, object]) -> None:
        """Keep bonuses of saving throws or skills by name."""
        for name, value in given.items():
            if (bonus := whole(value)) is not None:
                self.put(field, {name: bonus}, f"{label} {name} {signed(bonus)}")
            elif value is not None:
                self.miss(f"{label} {clean(name, 40)} {shown(value)}", "no bonus that can be read")

    def say(self, section: BlockSection, name: object, prose: object) -> None:
        """Add a paragraph if it has a name or prose."""
        words = prose if isinstance(prose, str) else text(prose)
        title = clean(text(name), _LONGEST_NAME)
        is_heading = not title or title.casefold().startswith("legendary action")
        if section == "legendary" and is_heading and "legendary action" in f"{title} {words}".casefold():
            self.introduce("legendary", words or title)
        elif title or words.strip():
            self.paragraphs.append(Paragraph(section, title, words))

    def introduce(self, section: BlockSection, words: str) -> None:
        """Set the sentences below the heading of a section."""
        if words.strip():
            self.introductions[section] = words

    def miss(self, piece: str, problem: str) -> None:
        """Report a piece of the data that is not taken over."""
        self.found.miss(clean(piece, 200), problem)

    def block(self) -> StatBlock:
        """Return the creature."""
        is_legendary = any(paragraph.section == "legendary" for paragraph in self.paragraphs)
        if is_legendary and "legendary" not in self.introductions:
            self.introduce("legendary", f"{self.name} can take 3 legendary actions.")
            self.found.assume("legendary actions", "3 legendary actions, the usual number")
        known = {name: value for name, value in self.found.values.items() if name in _FIELDS}
        return StatBlock(
            self.name,
            **known,
            paragraphs=tuple(self.paragraphs),
            introductions=self.introductions,
            sources=self.found.sources,
            lines=tuple(self.found.lines),
        )


_FIELDS = frozenset(StatBlock.__annotations__)


def tables(value: object) -> Iterator[Data]:
    """Yield the tables in a list."""
    return (each for each in listed(value) if isinstance(each, Mapping))
