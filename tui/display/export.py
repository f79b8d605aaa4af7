"""The log of a fight as a document: Markdown, a web page of its own, or one JSON object a line."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Literal

from systems.text import clean
from tui.campaign.campaign import Campaign
from tui.display.log import LogEntry, LogLine, entries, heading, names_of, reckoning
from tui.session.session import Session

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


def export(session: Session, campaign: Campaign | None, format: Format) -> str:
    """The whole log, undone events included and marked. `campaign` gives the title where there is one."""
    match format:
        case "md":
            return _markdown(session, campaign)
        case "html":
            return _html(session, campaign)
        case "jsonl":
            return "".join(_json(one) for one in entries(session.log))


def _titles(session: Session, campaign: Campaign | None) -> tuple[str, str]:
    """The title of the document and the line below it."""
    titles = (campaign.title if campaign else "", session.encounter.progress.title or "")
    title = " · ".join(clean(one, 200) for one in titles if one) or "A fight"
    count = len(session.log.events)
    return title, f"{session.game.title} · {count} event{'' if count == 1 else 's'}"


def _rounds(session: Session) -> Iterator[tuple[str, list[LogEntry]]]:
    for number, group in groupby(entries(session.log), key=lambda one: one.round):
        yield heading(number), list(group)


# Markdown


def _markdown(session: Session, campaign: Campaign | None) -> str:
    title, below = _titles(session, campaign)
    names = names_of(session.encounter)
    lines = [f"# {_plain(title)}", "", _plain(below)]
    for head, group in _rounds(session):
        lines += ["", f"## {head}", ""]
        for one in group:
            lines += _markdown_entry(one, names)
    return "\n".join(lines) + "\n"


def _markdown_entry(one: LogEntry, names: Mapping[str, str]) -> Iterator[str]:
    text = _plain(one.text) or "Nothing."
    text = f"~~{text}~~" if one.undone else text
    yield f"- {text}{_plain(_marks(one))}"
    for line in reckoning(one.event, names):
        yield f"    - {_plain(_in_words(line))}"


def _in_words(line: LogLine) -> str:
    if line.head:
        return line.label
    if not line.value:
        return f"{line.label}: {line.note}"
    return f"{line.label} {line.value}" + (f" ({line.note})" if line.note else "")


def _plain(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return _STARTS_A_LIST.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\1", text))


def _marks(one: LogEntry) -> str:
    """` (undone, secret, by okado)`, or nothing."""
    marks = [*one.marks, *([f"by {one.asked}"] if one.asked else [])]
    return f" ({', '.join(marks)})" if marks else ""


# HTML


def _html(session: Session, campaign: Campaign | None) -> str:
    # Only this format pays for the import.
    from html import escape

    title, below = (escape(one) for one in _titles(session, campaign))
    names = names_of(session.encounter)
    body = [f"<h1>{title}</h1>", f"<p>{below}</p>"]
    for head, group in _rounds(session):
        body += [f"<h2>{escape(head)}</h2>", "<ol>"]
        body += [_html_entry(one, names) for one in group]
        body.append("</ol>")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _html_entry(one: LogEntry, names: Mapping[str, str]) -> str:
    from html import escape

    text = escape(one.text) or "Nothing."
    text = f"<s>{text}</s>" if one.undone else text
    text += f" <small>{escape(_marks(one).strip())}</small>" if _marks(one) else ""
    rows = "".join(_html_row(line) for line in reckoning(one.event, names))
    if not rows:
        return f"<li>{text}</li>"
    return f"<li><details><summary>{text}</summary><table>{rows}</table></details></li>"


def _html_row(line: LogLine) -> str:
    from html import escape

    label, value, note = escape(line.label), escape(line.value), escape(line.note)
    if line.head:
        return f"<tr><th colspan=3>{label}</th></tr>"
    return f"<tr><td>{label}</td><td>{value}</td><td>{note}</td></tr>"


# JSON Lines


def _json(one: LogEntry) -> str:
    """The event as it is kept, with `undone` where it stands no more."""
    event = {**one.event, "undone": True} if one.undone else dict(one.event)
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"), default=str)
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in text) + "\n"


def _escaped(letter: str) -> str:
    """A character that no output may hold, as JSON writes it in a text."""
    return json.dumps(letter)[1:-1]
