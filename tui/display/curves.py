"""The first meter of each combatant through the fight, as an SVG picture for a web page."""

from collections.abc import Sequence
from html import escape

from systems.encounter.history import History
from systems.encounter.model import Combatant
from systems.encounter.timeline import Timeline

WIDE, HIGH, LEFT = 640, 220, 40
# Steps of hue that stay apart: lines next to one another differ most.
_HUE_STEP = 137


def curves_svg(log: History, people: Sequence[Combatant], timeline: Timeline, meter: str, label: str) -> str:
    """Return the picture; "" where no figure changed. `meter`: the field; `label`: what it is called."""
    points = timeline.points(log)
    found = ((who, *points.get((who.id, meter), ((), ()))) for who in people)
    drawn = [(who, numbers, values) for who, numbers, values in found if len(set(values)) > 1]
    last = len(log.events)
    if not drawn or not last:
        return ""
    high = max(1, *(max(values) for _, _, values in drawn))
    low = min(0, *(min(values) for _, _, values in drawn))
    lines = [_line(at, numbers, values, last, low, high) for at, (_, numbers, values) in enumerate(drawn)]
    names = [
        f'<span style="color:{_colour(at)}">■ {escape(who.name)}</span>'
        for at, (who, _, _) in enumerate(drawn)
    ]
    return (
        f"<figure><figcaption>{escape(label)} through the fight: {' '.join(names)}</figcaption>"
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(label)} through the fight">'
        f'<text x="0" y="14">{high}</text><text x="0" y="{_y(0, low, high):.0f}">0</text>'
        f'<line x1="{LEFT}" y1="{_y(0, low, high):.1f}" x2="{WIDE}" y2="{_y(0, low, high):.1f}"/>'
        f"{''.join(lines)}</svg></figure>"
    )


def _line(at: int, numbers: Sequence[int], values: Sequence[int], last: int, low: int, high: int) -> str:
    """One combatant's line: level until the event that changed it, then the new value."""
    steps: list[str] = []
    before = values[0]
    for number, value in zip(numbers, values, strict=True):
        steps += [
            f"{_x(number, last):.1f},{_y(before, low, high):.1f}",
            f"{_x(number, last):.1f},{_y(value, low, high):.1f}",
        ]
        before = value
    steps.append(f"{WIDE},{_y(before, low, high):.1f}")
    return f'<polyline points="{" ".join(steps)}" stroke="{_colour(at)}"/>'


def _x(number: int, last: int) -> float:
    return LEFT + (WIDE - LEFT) * number / last


def _y(value: int, low: int, high: int) -> float:
    return 8 + (HIGH - 16) * (high - value) / (high - low)


def _colour(at: int) -> str:
    return f"hsl({at * _HUE_STEP % 360} 65% 45%)"
