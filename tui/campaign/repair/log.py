"""Repairs for a broken log, and for two logs of one fight."""

import re
import tomllib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from systems.encounter.events import Event
from systems.text import clean
from tui.campaign.encounters import FOLDER, LOG, OPENING, free_id, names_in
from tui.campaign.formats import format_of_log
from tui.campaign.log.blocks import BEGIN, NO_MARK, Blocks, header_end, scan
from tui.campaign.log.divergence import compare, versions, why_broken
from tui.campaign.log.parse import decode
from tui.campaign.problems import FileProblem
from tui.campaign.repair.choice import RepairChoice, aside
from tui.campaign.repair.text import with_format

_BLOCK = re.compile(rb"^\[\[event\]\][ \t]*\r?\n", re.MULTILINE)
_END = re.compile(rb'^end = "[0-9a-f]*"?[ \t]*\r?\n?', re.MULTILINE)


def log_choices(campaign: Path, problem: FileProblem, data: bytes) -> Iterator[RepairChoice]:
    """Yield repairs for a log: keep the whole part, complete the nearly whole part, or keep one of two."""
    file = problem.file
    kept = aside(campaign, file)
    if two := versions(data):
        yield from _versions(campaign, file, *two)
        return
    try:
        begin = header_end(data, file)
    except FileProblem as wrong:
        yield from _head(file, kept, data, wrong)
        return
    blocks = scan(data, begin, 0)
    try:
        events = decode(data, blocks, file)
    except FileProblem:
        return
    if blocks.broken >= 0:
        yield from _broken(file, kept, data, blocks, events)
    elif problem.line and (whole := _events_before(data, blocks, problem.line)) is not None:
        yield _cut(file, kept, data, blocks.bounds[whole][0], whole)


def _events_before(data: bytes, blocks: Blocks, line: int) -> int | None:
    """Return how many events come before the event that begins in this line; None if none begins there."""
    begin = len(data) - len(data.split(b"\n", line - 1)[-1])
    starts = [start for start, _ in blocks.bounds]
    return starts.index(begin) if begin in starts else None


def _head(file: str, kept: str, data: bytes, wrong: FileProblem) -> Iterator[RepairChoice]:
    """Yield repairs for a log whose first lines are bad."""
    if wrong.field == "format" and wrong.code == "needed":
        number = format_of_log(data)
        yield RepairChoice(f"write format = {number} at its top", {file: with_format(data, number)})
        return
    first = _BLOCK.search(data)
    if wrong.code != "newer" and (first or wrong.field != "format"):
        at = first.start() if first else len(data)
        words = f"move the text before the first event to {kept}"
        yield RepairChoice(
            words, {file: b"format = %d\n\n" % format_of_log(data[at:]) + data[at:], kept: data[:at]}
        )


def _cut(file: str, kept: str, data: bytes, at: int, whole: int) -> RepairChoice:
    words = f"keep the {whole} events before it and set the rest aside as {kept} ({len(data) - at} bytes)"
    return RepairChoice(words, {file: data[:at], kept: data[at:]})


def _broken(file: str, kept: str, data: bytes, blocks: Blocks, events: list[Event]) -> Iterator[RepairChoice]:
    two = why_broken(data, blocks) is not None
    signed = None if two else _signed(data, blocks)
    if signed and blocks.torn and blocks.why == NO_MARK:
        yield RepairChoice(
            f"complete event {len(events) + 1}, whose text is complete: {signed[1]}", {file: signed[0]}
        )
    yield _cut(file, kept, data, blocks.broken, len(events))
    if signed and not (blocks.torn and blocks.why == NO_MARK):
        yield RepairChoice(f"accept the log as it reads now, {signed[1]}", {file: signed[0]})


def _signed(data: bytes, blocks: Blocks) -> tuple[bytes, str] | None:
    """Return the log with new end marks from the first broken block on, if the rest is events in order."""
    if not _BLOCK.match(data, blocks.broken):
        return None
    mark, n, found = blocks.mark, len(blocks.bounds), [data[: blocks.broken]]
    starts = [match.span() for match in _BLOCK.finditer(data, blocks.broken)]
    last = ""
    for number, (_, body) in enumerate(starts):
        stop = starts[number + 1][0] if number + 1 < len(starts) else len(data)
        end = _END.search(data, body, stop)
        text = data[body : end.start() if end else stop].replace(b"\r\n", b"\n")
        rest = data[end.end() : stop] if end else b""
        text = text if text.endswith(b"\n") else text + b"\n"
        event = _event(text)
        n += 1
        if event is None or event["n"] != n or "text" not in event or re.search(rb"^\S", rest.lstrip()):
            return None
        mark = zlib.crc32(text, mark)
        found.append(BEGIN + text + b'end = "%08x"\n' % mark + rest)
        last = f'event {n} being "{clean(str(event["text"]), 60)}"'
    return b"".join(found), last


def _event(text: bytes) -> dict[str, Any] | None:
    try:
        found = tomllib.loads(text.decode())
    except (ValueError, RecursionError):
        return None
    plain = all(re.fullmatch(r"[a-z_]+", name) for name in found)
    return found if plain and next(iter(found), "") == "n" and "end" not in found else None


def copy_choices(campaign: Path, problem: FileProblem, data: bytes) -> Iterator[RepairChoice]:
    """Yield repairs for another copy of a log: keep one of the two, or both as two fights."""
    file = problem.file
    log = f"{file.rpartition('/')[0]}/{LOG}"
    here = (campaign / log).read_bytes() if (campaign / log).exists() else b""
    found = compare(here, data)
    gone = aside(campaign, file)
    away = RepairChoice(f"keep {LOG} and set this one aside as {gone}", {file: None, gone: data})
    kept = aside(campaign, log)
    other: dict[str, bytes | None] = {file: None, log: data, **({kept: here} if here else {})}
    match found.relation:
        case "newer":
            yield RepairChoice(f"use it as {LOG}, and set the current one aside as {kept}", other)
            yield away
        case "parted":
            yield away
            yield RepairChoice(f"use it as {LOG}, and set the current one aside as {kept}", other)
            yield from _two_fights(campaign, log, {file: None}, data)
        case _:
            yield away


def _versions(campaign: Path, file: str, ours: bytes, theirs: bytes) -> Iterator[RepairChoice]:
    """Yield repairs for a merged log: keep one of its versions, or both as two fights."""
    kept = aside(campaign, file)
    first, second = (_version_words(log, file) for log in (ours, theirs))
    if first:
        words = f"keep the first version ({first}) and set the second aside as {kept}"
        yield RepairChoice(words, {file: ours, kept: theirs})
    if second:
        words = f"keep the second version ({second}) and set the first aside as {kept}"
        yield RepairChoice(words, {file: theirs, kept: ours})
    if first and second:
        yield from _two_fights(campaign, file, {file: ours}, theirs)


def _version_words(data: bytes, file: str) -> str:
    """Describe a version; "" if it is not whole."""
    try:
        blocks = scan(data, header_end(data, file), 0)
        events = decode(data, blocks, file)
    except FileProblem:
        return ""
    if blocks.broken >= 0 or not events:
        return ""
    return f'{len(events)} events, the last "{clean(events[-1].typed, 60)}"'


def _two_fights(
    campaign: Path, log: str, files: dict[str, bytes | None], other: bytes
) -> Iterator[RepairChoice]:
    """Yield the repair that keeps both logs, the second as its own encounter with the same opening."""
    _, encounter, _ = log.split("/")
    opening = campaign / FOLDER / encounter / OPENING
    if opening.is_file():
        new = f"{FOLDER}/{free_id(encounter, set(names_in(campaign / FOLDER)), 'encounter')}"
        words = f"keep both: the other one becomes the fight {new.rpartition('/')[2]}"
        yield RepairChoice(words, {**files, f"{new}/{OPENING}": opening.read_bytes(), f"{new}/{LOG}": other})
