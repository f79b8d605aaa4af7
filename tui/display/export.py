"""The log of a fight as a document: Markdown, a web page of its own, or one JSON object a line."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Literal

from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.text import clean
from tui.display.details import DetailLine, details_of
from tui.display.log import LogEntry, entries_of, heading, names_of

Format = Literal["md", "html", "jsonl"]
FORMATS: tuple[Format, ...] = ("md", "html", "jsonl")

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_STARTS_A_LIST = re.compile(r"^(\s*)([-+=]|[0-9]+[.)])")
_CSS = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h2 { border-bottom: 1px solid; font-size: 1.1rem; margin-top: 2rem; }
ol { list-style: none; padding: 0; }
li { margin: .25rem 0; }
summary { cursor: pointer; }
table { border-spacing: 1rem 0; font-size: .9rem; margin: .25rem 0 .75rem 1rem; }
td:nth-child(2) { text-align: right; }
td:nth-child(3), small { opacity: .7; }
"""


def export(log: History, encounter: Encounter, campaign: str, format: Format) -> str:
    """Return the whole log as a document, undone events included and marked.

    `campaign`: the title of the campaign, "" for none.
    """
    match format:
        case "md":
            return _markdown(log, encounter, campaign)
        case "html":
            return _html(log, encounter, campaign)
        case "jsonl":
            return "".join(_json(entry) for entry in entries_of(log))


def _titles(log: History, encounter: Encounter, campaign: str) -> tuple[str, str]:
    """The title of the document and the line below it."""
    titles = (campaign, encounter.progress.title or "")
    title = " · ".join(clean(part, 200) for part in titles if part) or "A fight"
    count = len(log.events)
    return title, f"{encounter.game.title} · {count} event{'' if count == 1 else 's'}"


def _rounds(log: History) -> Iterator[tuple[str, list[LogEntry]]]:
    for number, group in groupby(entries_of(log), key=lambda entry: entry.round):
        yield heading(number), list(group)


# Markdown


def _markdown(log: History, encounter: Encounter, campaign: str) -> str:
    title, below = _titles(log, encounter, campaign)
    names = names_of(encounter)
    lines = [f"# {_plain(title)}", "", _plain(below)]
    for head, group in _rounds(log):
        lines += ["", f"## {head}", ""]
        for entry in group:
            lines += _markdown_entry(entry, names)
    return "\n".join(lines) + "\n"


def _markdown_entry(entry: LogEntry, names: Mapping[str, str]) -> Iterator[str]:
    text = _plain(entry.text) or "Nothing."
    text = f"~~{text}~~" if entry.undone else text
    yield f"- {text}{_plain(_marks(entry))}"
    for line in details_of(entry.event, names):
        yield f"    - {_plain(_in_words(line))}"


def _in_words(line: DetailLine) -> str:
    if line.head:
        return line.label
    if not line.value:
        return f"{line.label}: {line.note}"
    return f"{line.label} {line.value}" + (f" ({line.note})" if line.note else "")


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return _STARTS_A_LIST.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", text))


def _marks(entry: LogEntry) -> str:
    """` (undone, secret, by okado)`, or nothing."""
    marks = [*entry.marks, *([f"by {entry.seat}"] if entry.seat else [])]
    return f" ({', '.join(marks)})" if marks else ""


# HTML


def _html(log: History, encounter: Encounter, campaign: str) -> str:
    # Only this format pays for the import.
    from html import escape

    title, below = (escape(part) for part in _titles(log, encounter, campaign))
    names = names_of(encounter)
    body = [f"<h1>{title}</h1>", f"<p>{below}</p>"]
    for head, group in _rounds(log):
        body += [f"<h2>{escape(head)}</h2>", "<ol>"]
        body += [_html_entry(entry, names) for entry in group]
        body.append("</ol>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _html_entry(entry: LogEntry, names: Mapping[str, str]) -> str:
    from html import escape

    text = escape(entry.text) or "Nothing."
    text = f"<s>{text}</s>" if entry.undone else text
    text += f" <small>{escape(_marks(entry).strip())}</small>" if _marks(entry) else ""
    rows = "".join(_html_row(line) for line in details_of(entry.event, names))
    if not rows:
        return f"<li>{text}</li>"
    return f"<li><details><summary>{text}</summary><table>{rows}</table></details></li>"


def _html_row(line: DetailLine) -> str:
    from html import escape

    label, value, note = escape(line.label), escape(line.value), escape(line.note)
    if line.head:
        return f"<tr><th colspan=3>{label}</th></tr>"
    return f"<tr><td>{label}</td><td>{value}</td><td>{note}</td></tr>"


# JSON Lines


def _json(entry: LogEntry) -> str:
    """The event as it is kept, with `undone` where it does not count any more."""
    event = {**entry.event, "undone": True} if entry.undone else dict(entry.event)
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"), default=str)
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in text) + "\n"


def _escaped(letter: str) -> str:
    """A character that no output may hold, as JSON writes it in a text."""
    return json.dumps(letter)[1:-1]
