"""Export the log of a fight as Markdown, as a web page, or as one JSON object a line."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from systems.visibility.parts import LineMark, LogLine
from systems.visibility.rows import detail_for
from systems.visibility.viewer import PUBLIC, USUALLY_SHOWN, Shown
from tui.campaign.progress import Tell, counted, silent
from tui.display.details import DetailLine, details_of

Format = Literal["md", "html", "jsonl"]
Readers = Literal["table", "players"]
FORMATS: tuple[Format, ...] = ("md", "html", "jsonl")

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~&!])")
_STARTS_A_LIST = re.compile(r"^(\s*)([-+=]|[0-9]+[.)])")
# The size of a picture of curves, and the column of its numbers.
WIDE, HIGH, LEFT = 640, 220, 40
# Room for the number of a round.
_LABEL = 36
# Steps of hue that stay distinct: neighbouring lines differ most.
_HUE_STEP = 137
_TAGS = {"actor": "b"}


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
        read = LogReader(PUBLIC).numbered_lines(encounter, log, None, shown, None, told)
        # A screen holds the beginning of a hidden turn back until a visible one; a document has all in order.
        lines = sorted(read, key=lambda numbered: numbered[0])
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
        body += _section(head, map(_html_item, group))
    return _web_page(title, below, body)


def _html_item(item: _Item) -> str:
    line = item.line
    lines = [_words_as_html(line.text, line.marks, line.undone, line.arithmetic)]
    lines += [_words_as_html(below.text, below.marks, line.undone, below.arithmetic) for below in line.below]
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
    return _curves_as_svg(log, people, Timeline(), meter.now, meter.label.capitalize(), steps, rounds)


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


def _curves_as_svg(
    log: History,
    people: Sequence[Combatant],
    timeline: Timeline,
    meter: str,
    label: str,
    steps: Sequence[int],
    rounds: Sequence[tuple[int, int]] = (),
) -> str:
    """Return the picture; "" if no value changed.

    `meter`: the field; `label`: its name. `steps`: the numbers of the events with a place in the picture;
    changes between two of them appear at the second. `rounds`: number and round of the events, in order.
    """
    points = timeline.points(log)
    found = ((who, _curve(points[who.id, meter], steps)) for who in people if (who.id, meter) in points)
    drawn = [(who, curve) for who, curve in found if len(set(curve.values())) > 1]
    last = len(steps)
    if not drawn or not last:
        return ""
    high = max(1, *(max(curve.values()) for _, curve in drawn))
    low = min(0, *(min(curve.values()) for _, curve in drawn))
    lines = [_polyline(at, curve, last, low, high) for at, (_, curve) in enumerate(drawn)]
    names = [
        f'<span style="color:{_colour(at)}">■ {escape(who.name)}</span>' for at, (who, _) in enumerate(drawn)
    ]
    bottom = f'<text x="0" y="{HIGH - 8}">{str(low).replace("-", "−")}</text>' if low < 0 else ""
    return (
        f"<figure><figcaption>{escape(label)} through the fight: {' '.join(names)}</figcaption>"
        f'<svg viewBox="0 0 {WIDE} {HIGH + 20}" role="img" aria-label="{escape(label)} through the fight">'
        f'<text x="0" y="14">{high}</text><text x="0" y="{_y(0, low, high) + 4:.0f}">0</text>{bottom}'
        f'<line x1="{LEFT}" y1="{_y(0, low, high):.1f}" x2="{WIDE}" y2="{_y(0, low, high):.1f}"/>'
        f"{''.join([*_marks_of_rounds(steps, rounds), *lines])}</svg></figure>"
    )


def _marks_of_rounds(steps: Sequence[int], rounds: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield a thin line at the start of each round, with its number below if there is room."""
    begun: dict[int, int] = {}
    for number, turn in rounds:
        if turn:
            begun.setdefault(turn, bisect_left(steps, number))
    free = 0.0
    for turn, place in begun.items():
        x = _x(place, len(steps))
        yield f'<line class="round" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{HIGH}"/>'
        if x >= free:
            yield f'<text x="{x:.1f}" y="{HIGH + 14}">R{turn}</text>'
            free = x + _LABEL


def _curve(points: tuple[Sequence[int], Sequence[int]], steps: Sequence[int]) -> dict[int, int]:
    """Return the values by their place among the steps; of several in one place the last."""
    numbers, values = points
    places = (min(len(steps), bisect_left(steps, number) + 1) if number else 0 for number in numbers)
    return dict(zip(places, values, strict=True))


def _polyline(at: int, curve: Mapping[int, int], last: int, low: int, high: int) -> str:
    """Return one combatant's line: level until an event changes it, then the new value."""
    steps: list[str] = []
    before = next(iter(curve.values()))
    for number, value in curve.items():
        steps += [
            f"{_x(number, last):.1f},{_y(before, low, high):.1f}",
            f"{_x(number, last):.1f},{_y(value, low, high):.1f}",
        ]
        before = value
    steps.append(f"{WIDE},{_y(before, low, high):.1f}")
    return f'<polyline points="{" ".join(steps)}" style="stroke:{_colour(at)}"/>'


def _x(number: int, last: int) -> float:
    return LEFT + (WIDE - LEFT) * number / last


def _y(value: int, low: int, high: int) -> float:
    return 8 + (HIGH - 16) * (high - value) / (high - low)


def _colour(at: int) -> str:
    return f"hsl({at * _HUE_STEP % 360} 65% var(--line))"


# The colours are those of the program's own themes; `--line` is the lightness of curves.
_CSS = """
:root { color-scheme: light dark; --line: 42%; --ground: #fdfcf9; --text: #1c2430; --muted: #4c5665;
  --good: #14602c; --warning: #6e4a00; --danger: #a3162a; --condition: #54349a; }
@media (prefers-color-scheme: dark) {
  :root { --line: 66%; --ground: #10141b; --text: #d7dde6; --muted: #9aa6b6;
    --good: #7fd49a; --warning: #f0c060; --danger: #ff8a90; --condition: #c8b2f5; }
}
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem;
  background: var(--ground); color: var(--text); }
h1 { line-height: 1.2; }
h2 { border-bottom: 1px solid var(--muted); font-size: 1.1rem; margin-top: 2rem; break-after: avoid; }
ol { list-style: none; padding: 0 0 0 1.1rem; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
summary { cursor: pointer; margin-left: -1.1rem; padding-left: 1.1rem; text-indent: -1.1rem; }
table { border-spacing: 1rem 0; font-size: .9rem; margin: .25rem 0 .75rem; }
th { text-align: left; }
td:nth-child(2) { text-align: right; }
td:nth-child(3), small, s, .quiet { color: var(--muted); }
.arithmetic { display: block; color: var(--muted); font-size: .9rem; text-indent: 0; }
.grew, .good { color: var(--good); }
.shrank, .warning { color: var(--warning); }
.danger { color: var(--danger); }
.condition { color: var(--condition); }
figure { margin: 1rem 0; break-inside: avoid; }
svg { width: 100%; background: rgb(127 127 127 / 8%); }
svg text { font-size: 12px; fill: currentColor; }
svg line { stroke: currentColor; opacity: .4; }
svg .round { opacity: .15; }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
@media (max-width: 34rem) { svg text { font-size: 17px; } polyline { stroke-width: 3; } }
@media print { :root { --ground: #fff; } body { max-width: none; margin: 0; } li { break-inside: avoid; } }
"""


def _web_page(title: str, below: str, body: Sequence[str]) -> str:
    """Return a whole page. `body`: as HTML."""
    head = [f"<h1>{escape(title)}</h1>", f"<p>{escape(below)}</p>"]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n"
        + "\n".join([*head, *body])
        + "\n</body>\n</html>\n"
    )


def _section(head: str, items: Iterable[str]) -> Iterator[str]:
    """Yield a heading and a list below it. `items`: as HTML."""
    yield from (f"<h2>{escape(head)}</h2>", "<ol>", *items, "</ol>")


def _words_as_html(text: str, marks: Sequence[LineMark], undone: bool, arithmetic: str = "") -> str:
    """Return a line of the log as HTML, with the arithmetic dimmed below it.

    The actor is bold and the result has a colour. A line that was undone is struck through.
    """
    below = f'<span class="arithmetic">{escape(arithmetic)}</span>' if arithmetic else ""
    if undone:
        return f"<s>{escape(text)}{below}</s>"
    found, done = "", 0
    for start, end, what in marks:
        if start < done:
            continue
        tag = _TAGS.get(what, "span")
        kind = "" if tag == "b" else f' class="{what}"'
        found += f"{escape(text[done:start])}<{tag}{kind}>{escape(text[start:end])}</{tag}>"
        done = end
    return found + escape(text[done:]) + below
