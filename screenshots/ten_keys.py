"""The fight in ten keys of README.md, as frames of the moving picture."""

import re
from pathlib import Path

NAME = "fight-in-ten-keys"
SAMPLE, ENCOUNTER = "the-bone-court", "throne-room"
SEED = 336
SIZE = (80, 24)
BEFORE = "A prepared fight: the throne room of the bone court."
_TEXTUAL_NAMES = {"Enter": "enter", "Esc": "escape", ".": "full_stop"}


def keys_and_captions(readme: Path) -> list[tuple[str, str]]:
    """Return each key of README's table with its caption, in order. Two keys in a row share the caption."""
    section = readme.read_text(encoding="utf-8").partition("## A fight in ten keys")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?`) \| (.*?) \|$", section, re.MULTILINE)
    return [(key, words.replace("`", "")) for keys, words in rows for key in re.findall(r"`([^`]+)`", keys)]


def textual_key(key: str) -> str:
    """Return Textual's name for a key of the table."""
    return _TEXTUAL_NAMES.get(key, key)
