"""Parse whole blocks of a log.

The output of `blocks.encode` differs from JSON only in its keys, line ends and dates. So it is converted to
JSON, which Python reads several times faster than TOML. Blocks that cannot be converted are read as TOML.
"""

import re
import tomllib
from json import loads
from typing import Any

from systems.codec.events import read_event
from systems.encounter.events import Event
from systems.text import shown
from tui.campaign.formats import EVENT, LOG_FORMAT, renewed
from tui.campaign.log.blocks import BEGIN, Blocks
from tui.campaign.problems import FileProblem
from tui.campaign.progress import Tell, silent
from tui.campaign.toml.positions import line_at

_AT_ONCE = 256
_TEXT = r'"(?:[^"\\]++|\\.)*+"'
_TEXT_OR_KEY = re.compile(rf"{_TEXT}(?! = )|(?:([A-Za-z0-9_-]++)|({_TEXT})) = ")


def decode(
    data: bytes, blocks: Blocks, file: str, tell: Tell = silent, number: int = LOG_FORMAT
) -> list[Event]:
    """Return the events of whole blocks. Raises FileProblem if a block holds anything invalid.

    `tell` is called with the number of events read. `number`: the format of the log.
    """
    events: list[Event] = []
    for first in range(0, len(blocks.bounds), _AT_ONCE):
        tell(first, len(blocks.bounds))
        some = [data[begin:end] for begin, end in blocks.bounds[first : first + _AT_ONCE]]
        found = _checked(_from_json(some))
        if found is None:
            alone = [_checked(_from_toml(block)) for block in some]
            if None in alone:
                begin = blocks.bounds[first + alone.index(None)][0]
                raise FileProblem(file, line_at(data, begin), *_why_not(some[alone.index(None)]))
            found = [event for events_of_block in alone for event in events_of_block or ()]
        events += [read_event(renewed(event, EVENT, number, LOG_FORMAT)) for event in found]
    return events


def _why_not(block: bytes) -> tuple[str, str]:
    """Return the field for which a block is no event, and a sentence."""
    for event in _from_toml(block) or ():
        if isinstance(event, dict) and "end" in event:
            return "n", f"expected a whole number from 1, got {shown(event.get('n'))}"
    return "event", "this is not an event, though its end mark is right"


def _from_json(blocks: list[bytes]) -> list[Any] | None:
    """Return the blocks' tables by way of JSON; None if that is impossible."""
    bodies = b"},{".join([block[len(BEGIN) :].rstrip() for block in blocks])
    try:
        text = f"[{{{bodies.decode()}}}]"
        if "\\ud" in text or "\\uD" in text:  # half a character, which JSON would let through
            return None
        text = _TEXT_OR_KEY.sub(_as_json, text)
        # Texts hold no line ends, so every line end here is between entries or keys.
        text = text.replace("[\n", "[").replace(",\n]", "]").replace(",\n", ",").replace("\n", ",")
        found = loads(text)
    except (ValueError, RecursionError):
        return None
    return found if len(found) == len(blocks) else None


def _as_json(found: re.Match[str]) -> str:
    bare, quoted = found.groups()
    if bare:
        return f'"{bare}":'
    return f"{quoted}:" if quoted else found.group()


def _from_toml(block: bytes) -> list[Any] | None:
    """Return the block's table, in a list; None if it is not one."""
    try:
        found = tomllib.loads(block.decode())
    except (ValueError, RecursionError):
        return None
    events = found.pop("event", None)
    return events if not found and isinstance(events, list) and len(events) == 1 else None


def _checked(events: list[Any] | None) -> list[dict[str, Any]] | None:
    """Return the events without their end marks; None unless each has a number."""
    for event in events or ():
        if not isinstance(event, dict) or type(event.get("n")) is not int or event["n"] < 1:
            return None
        if event.pop("end", None) is None:
            return None
    return events
