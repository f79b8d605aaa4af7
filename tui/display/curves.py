"""Draw the first meter of each combatant through the fight as an SVG picture for a web page."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from systems.encounter.history import History
from systems.encounter.model import Combatant
from systems.encounter.timeline import Timeline

WIDE, HIGH, LEFT = 640, 220, 40
# Cells for the number of a round.
_LABEL = 36
# Steps of hue that stay distinct: neighbouring lines differ most.
_HUE_STEP = 137


def curves_svg(
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
    lines = [_line(at, curve, last, low, high) for at, (_, curve) in enumerate(drawn)]
    names = [
        f'<span style="color:{_colour(at)}">■ {escape(who.name)}</span>' for at, (who, _) in enumerate(drawn)
    ]
    bottom = f'<text x="0" y="{HIGH - 8}">{str(low).replace("-", "−")}</text>' if low < 0 else ""
    return (
        f"<figure><figcaption>{escape(label)} through the fight: {' '.join(names)}</figcaption>"
        f'<svg viewBox="0 0 {WIDE} {HIGH + 20}" role="img" aria-label="{escape(label)} through the fight">'
        f'<text x="0" y="14">{high}</text><text x="0" y="{_y(0, low, high) + 4:.0f}">0</text>{bottom}'
        f'<line x1="{LEFT}" y1="{_y(0, low, high):.1f}" x2="{WIDE}" y2="{_y(0, low, high):.1f}"/>'
        f"{''.join([*_rounds(steps, rounds), *lines])}</svg></figure>"
    )


def _rounds(steps: Sequence[int], rounds: Sequence[tuple[int, int]]) -> Iterator[str]:
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


def _line(at: int, curve: Mapping[int, int], last: int, low: int, high: int) -> str:
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
