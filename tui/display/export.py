"""Export the log of a fight as Markdown, as a web page, or as one JSON object a line."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Literal

from systems.codec.events import plain_event
from systems.contract.ruleset import Ruleset
from systems.encounter.amendment import names_ever
from systems.encounter.events import Event, round_of
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.encounter.timeline import Timeline
from systems.text import clean
from systems.visibility.line_marks import is_quiet, line_marks
from systems.visibility.viewer import USUALLY_SHOWN, Shown
from tui.campaign.progress import Tell, counted, silent
from tui.display.curves import curves_svg
from tui.display.details import DetailLine, details_of
from tui.display.log import LogEntry, entries_of, heading, in_lines
from tui.display.web_page import page, section, words

Format = Literal["md", "html", "jsonl"]
Readers = Literal["table", "players"]
FORMATS: tuple[Format, ...] = ("md", "html", "jsonl")

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_STARTS_A_LIST = re.compile(r"^(\s*)([-+=]|[0-9]+[.)])")


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
    everybody could see when it happened, without the numbers behind it. `shown`: what this table shows to
    everybody. `tell`: called with the number of events written.
    """
    if readers == "players":
        return _for_players(log, encounter, campaign, format, shown, tell)
    entries = counted(entries_of(log), len(log.events), tell)
    match format:
        case "md":
            return _markdown(log, encounter, campaign, entries)
        case "html":
            return _html(log, encounter, campaign, entries)
        case "jsonl":
            # In the documents several undos in a row are one line; JSON has each event as stored.
            stored = log.as_amended
            return "".join(_json(entry, stored[entry.number - 1]) for entry in entries)


def _titles(log: History, encounter: Encounter, campaign: str) -> tuple[str, str]:
    """Return the title of the document and the line below it."""
    count = len(log.events)
    events = f"{count} event{'' if count == 1 else 's'}"
    return _title(encounter, campaign), f"{encounter.game.title} · {events}"


def _title(encounter: Encounter, campaign: str) -> str:
    titles = (campaign, encounter.progress.title or "")
    return " · ".join(clean(part, 200) for part in titles if part) or "A fight"


def _rounds(entries: Iterable[LogEntry]) -> Iterator[tuple[str, Iterator[LogEntry]]]:
    for number, group in groupby(in_lines(entries), key=lambda entry: entry.round):
        yield heading(number), group


# For players


def _for_players(
    log: History, encounter: Encounter, campaign: str, format: Format, shown: Shown, tell: Tell
) -> str:
    # Reading the log as a player sees it takes much of the code of seats.
    from tui.display.export_players import public_curves, public_json, public_lines, public_numbers

    lines = public_lines(log, encounter, shown, tell)
    if format == "jsonl":
        return "".join(map(public_json, lines))
    title = _title(encounter, campaign)
    rounds = [(heading(number), list(group)) for number, group in groupby(lines, key=lambda line: line.round)]
    if format == "md":
        found = [f"# {_plain(title)}", "", _plain(encounter.game.title)]
        for head, group in rounds:
            found += ["", f"## {head}", ""]
            for line in group:
                found += _markdown_line("- ", line.text, line.arithmetic, line.undone)
        return "\n".join(found) + "\n"
    steps = public_numbers(log, encounter, shown)
    body = [_curves(log, encounter, public_curves(encounter, shown), steps)]
    for head, group in rounds:
        items = (words(line.text, line.marks, line.undone, line.arithmetic) for line in group)
        body += section(head, (f"<li>{item}</li>" for item in items))
    return page(title, encounter.game.title, body)


# Markdown


def _markdown(log: History, encounter: Encounter, campaign: str, entries: Iterable[LogEntry]) -> str:
    title, below = _titles(log, encounter, campaign)
    names, game = names_ever(encounter, log), encounter.game
    lines = [f"# {_plain(title)}", "", _plain(below)]
    for head, group in _rounds(entries):
        lines += ["", f"## {head}", ""]
        for entry in group:
            lines += _markdown_entry(entry, names, game)
    return "\n".join(lines) + "\n"


def _markdown_entry(entry: LogEntry, names: Mapping[str, str], game: Ruleset) -> Iterator[str]:
    first, *below = entry.lines
    text = str(first.text) or "Nothing."
    yield from _markdown_line("- ", text, first.arithmetic, entry.undone, _marks(entry))
    for other in below:
        yield from _markdown_line("    - ", str(other.text), other.arithmetic, entry.undone)
    for line in details_of(entry.event, names, game):
        yield f"    - {_plain(_in_words(line))}"


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


def _marks(entry: LogEntry) -> str:
    """Return ` (undone, secret, by okado)`, or ""."""
    marks = [*entry.marks, *([f"by {entry.seat}"] if entry.seat else [])]
    return f" ({', '.join(marks)})" if marks else ""


# HTML


def _html(log: History, encounter: Encounter, campaign: str, entries: Iterable[LogEntry]) -> str:
    title, below = _titles(log, encounter, campaign)
    names, game = names_ever(encounter, log), encounter.game
    body = [_curves(log, encounter, encounter.in_line(), range(1, len(log.events) + 1))]
    for head, group in _rounds(entries):
        body += section(head, (_html_entry(entry, names, game) for entry in group))
    return page(title, below, body)


def _curves(log: History, encounter: Encounter, people: Sequence[Combatant], steps: Sequence[int]) -> str:
    """Return the plot of these combatants' first meter; "" in a game without meters."""
    meter = next(iter(encounter.game.meters), None)
    if meter is None:
        return ""
    seen = set(steps)
    rounds = [(int(event.n), round_of(event)) for event in log.newest() if event.n in seen][::-1]
    return curves_svg(log, people, Timeline(), meter.now, meter.label.capitalize(), steps, rounds)


def _html_entry(entry: LogEntry, names: Mapping[str, str], game: Ruleset) -> str:
    lines = [
        words(line.text, line_marks(line.text, game), entry.undone, line.arithmetic) for line in entry.lines
    ]
    text = "<br>".join(lines) or "Nothing."
    text += f" <small>{escape(_marks(entry).strip())}</small>" if _marks(entry) else ""
    kind = ' class="quiet"' if is_quiet(entry.event) or entry.is_step else ""
    rows = "".join(_html_row(line) for line in details_of(entry.event, names, game))
    if not rows:
        return f"<li{kind}>{text}</li>"
    return f"<li{kind}><details><summary>{text}</summary><table>{rows}</table></details></li>"


def _html_row(line: DetailLine) -> str:
    label, value, note = escape(line.label), escape(line.value), escape(line.note)
    if line.head:
        return f"<tr><th colspan=3>{label}</th></tr>"
    return f"<tr><td>{label}</td><td>{value}</td><td>{note}</td></tr>"


# JSON Lines


def _json(entry: LogEntry, stored: Event) -> str:
    """Return the stored event, with `undone` if it no longer counts."""
    event = plain_event(stored) | ({"undone": True} if entry.undone else {})
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"), default=str)
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in text) + "\n"


def _escaped(letter: str) -> str:
    """Return a character that must not be printed, escaped as in JSON."""
    return json.dumps(letter)[1:-1]
