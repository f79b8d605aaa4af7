"""A self-contained web page: its layout in light, dark and print, and the lines of a log on it."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from systems.visibility.parts import LineMark

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
_TAGS = {"actor": "b"}


def page(title: str, below: str, body: Sequence[str]) -> str:
    """Return a whole page. `body`: as HTML."""
    head = [f"<h1>{escape(title)}</h1>", f"<p>{escape(below)}</p>"]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n"
        + "\n".join([*head, *body])
        + "\n</body>\n</html>\n"
    )


def section(head: str, items: Iterable[str]) -> Iterator[str]:
    """Yield a heading and a list below it. `items`: as HTML."""
    yield from (f"<h2>{escape(head)}</h2>", "<ol>", *items, "</ol>")


def words(text: str, marks: Sequence[LineMark], undone: bool, arithmetic: str = "") -> str:
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
