"""Export the log of a fight as Markdown, as a web page, or as one JSON object a line."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from html import escape
from itertools import groupby
from typing import Literal

from systems.codec.events import plain_event
from systems.contract.ruleset import Ruleset
from systems.encounter.amendment import names_ever
from systems.encounter.events import round_of
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.encounter.timeline import Timeline
from systems.frozen import frozen
from systems.text import clean
from systems.visibility.log_entries import LogEntry, entries_of, heading, last_of_runs
from systems.visibility.log_view import LogReader
from systems.visibility.parts import LogLine
from systems.visibility.rows import detail_for
from systems.visibility.viewer import PUBLIC, USUALLY_SHOWN, Shown
from tui.campaign.progress import Tell, counted, silent
from tui.display.curves import curves_svg
from tui.display.details import DetailLine, details_of
from tui.display.web_page import page, section, words

Format = Literal["md", "html", "jsonl"]
Readers = Literal["table", "players"]
FORMATS: tuple[Format, ...] = ("md", "html", "jsonl")

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_STARTS_A_LIST = re.compile(r"^(\s*)([-+=]|[0-9]+[.)])")


@frozen
class _Item:
    """A line of the log in a document. `marks`: the words after it. `details`: how its numbers arose."""

    line: LogLine
    marks: str = ""
    details: Sequence[DetailLine] = ()
    is_dimmed: bool = False


def default_readers(format: Format) -> Readers:
    """Return the default readers of a format: a web page is for the players."""
    return "players" if format == "html" else "table"


def export(
    log: History,
    encounter: Encounter,
    campaign: str,
    format: Format,
    readers: Readers = "table",
    shown: Shown = USUALLY_SHOWN,
    tell: Tell = silent,
) -> str:
    """Return the log as a document, with undone events included and marked.

    `campaign`: the title of the campaign, or "". `readers`: the table gets everything; players get what
    everybody could see when it happened, without the reasons of numbers. `shown`: what this table shows to
    everybody. `tell`: called with the number of events written.
    """
    count, people = len(log.events), list(encounter.in_line())
    below, steps = encounter.game.title, list(range(1, count + 1))
    items: Iterator[_Item]
    if readers == "players":
        told = partial(counted, of=count, tell=tell)
        lines = LogReader(PUBLIC).numbered_lines(encounter, log, None, shown, None, told)
        if format == "jsonl":
            return "".join(_line_as_json(line) for _, line in lines)
        items = (_Item(line) for _, line in lines)
        # The plot shows the events that all players could see, and the values that all may see.
        steps = sorted({number for number, _ in lines})
        people = [each for each in people if _has_public_values(encounter, each, shown)]
    else:
        entries = counted(entries_of(log), count, tell)
        if format == "jsonl":
            # In the documents several undos in a row are one line; JSON has each event as stored.
            return "".join(_event_as_json(log, entry) for entry in entries)
        items = _items(log, encounter, entries)
        below = f"{below} · {count} event{'' if count == 1 else 's'}"
    titles = (campaign, encounter.progress.title or "")
    title = " · ".join(clean(part, 200) for part in titles if part) or "A fight"
    if format == "md":
        return _markdown(title, below, items)
    return _html(title, below, _curves(log, people, encounter.game, steps), items)


def _has_public_values(encounter: Encounter, combatant: Combatant, shown: Shown) -> bool:
    return combatant.in_sight and detail_for(encounter, combatant, PUBLIC, shown) != "band"


def _items(log: History, encounter: Encounter, entries: Iterable[LogEntry]) -> Iterator[_Item]:
    """Yield what the table reads."""
    names, game = names_ever(encounter, log), encounter.game
    for entry in last_of_runs(entries):
        marks = [*entry.marks, *([f"by {entry.seat}"] if entry.seat else [])]
        words = f" ({', '.join(marks)})" if marks else ""
        details = details_of(entry.event, names, game)
        yield _Item(entry.as_line(game), words, details, entry.is_dimmed)


def _rounds(items: Iterable[_Item]) -> Iterator[tuple[str, Iterator[_Item]]]:
    for number, group in groupby(items, key=lambda item: item.line.round):
        yield heading(number), group


# Markdown


def _markdown(title: str, below: str, items: Iterable[_Item]) -> str:
    lines = [f"# {_plain(title)}", "", _plain(below)]
    for head, group in _rounds(items):
        lines += ["", f"## {head}", ""]
        for item in group:
            lines += _markdown_item(item)
    return "\n".join(lines) + "\n"


def _markdown_item(item: _Item) -> Iterator[str]:
    line = item.line
    yield from _markdown_line("- ", line.text, line.arithmetic, line.undone, item.marks)
    for other in line.below:
        yield from _markdown_line("    - ", other.text, other.arithmetic, line.undone)
    for detail in item.details:
        yield f"    - {_plain(_in_words(detail))}"


def _markdown_line(lead: str, text: str, arithmetic: str, undone: bool, marks: str = "") -> Iterator[str]:
    """Yield a line of the log as an item of a list, its arithmetic in italics on a line of its own."""
    strike = "~~" if undone else ""
    text = f"{lead}{strike}{_plain(text)}{strike}{_plain(marks)}"
    if not arithmetic:
        yield text
        return
    # A backslash at the end of a line breaks it in Markdown.
    yield f"{text}\\"
    yield f"{' ' * len(lead)}{strike}*{_plain(arithmetic)}*{strike}"


def _in_words(line: DetailLine) -> str:
    if line.head:
        return line.label
    if not line.value:
        return f"{line.label}: {line.note}"
    return f"{line.label} {line.value}" + (f" ({line.note})" if line.note else "")


def _plain(text: str) -> str:
    """Escape a text so that Markdown leaves it unchanged."""
    return _STARTS_A_LIST.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", text))


# HTML


def _html(title: str, below: str, curves: str, items: Iterable[_Item]) -> str:
    body = [curves]
    for head, group in _rounds(items):
        body += section(head, map(_html_item, group))
    return page(title, below, body)


def _html_item(item: _Item) -> str:
    line = item.line
    lines = [words(line.text, line.marks, line.undone, line.arithmetic)]
    lines += [words(below.text, below.marks, line.undone, below.arithmetic) for below in line.below]
    text = "<br>".join(lines) + (f" <small>{escape(item.marks.strip())}</small>" if item.marks else "")
    kind = ' class="quiet"' if item.is_dimmed else ""
    rows = "".join(map(_html_row, item.details))
    if not rows:
        return f"<li{kind}>{text}</li>"
    return f"<li{kind}><details><summary>{text}</summary><table>{rows}</table></details></li>"


def _html_row(line: DetailLine) -> str:
    label, value, note = escape(line.label), escape(line.value), escape(line.note)
    if line.head:
        return f"<tr><th colspan=3>{label}</th></tr>"
    return f"<tr><td>{label}</td><td>{value}</td><td>{note}</td></tr>"


def _curves(log: History, people: Sequence[Combatant], game: Ruleset, steps: Sequence[int]) -> str:
    """Return the plot of these combatants' first meter; "" in a game without meters."""
    meter = next(iter(game.meters), None)
    if meter is None:
        return ""
    seen = set(steps)
    rounds = [(int(event.n), round_of(event)) for event in log.newest() if event.n in seen][::-1]
    return curves_svg(log, people, Timeline(), meter.now, meter.label.capitalize(), steps, rounds)


# JSON Lines


def _line_as_json(line: LogLine) -> str:
    """Return a line that players read, in ASCII."""
    undone = {"undone": True} if line.undone else {}
    return json.dumps({"round": line.round, "text": line.whole, **undone}) + "\n"


def _event_as_json(log: History, entry: LogEntry) -> str:
    """Return the event as stored, with `undone` if it no longer counts."""
    event = plain_event(log.as_amended[entry.number - 1]) | ({"undone": True} if entry.undone else {})
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"), default=str)
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in text) + "\n"


def _escaped(letter: str) -> str:
    """Return a character that must not be printed, escaped as in JSON."""
    return json.dumps(letter)[1:-1]
