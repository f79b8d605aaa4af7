"""Make an animated SVG from several pictures of one screen. A row that stays the same is drawn once."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from systems.frozen import frozen

SECONDS = 2.2  # how long each frame is shown
_NAME = "{http://www.w3.org/2000/svg}"
_STYLE = re.compile(r"\.[\w-]+-(r\d+) \{ ([^}]*?);? *\}")
_ROW_HEIGHT = 24.4
_CAPTION_HEIGHT = 56
_EDGE = 9  # around the screen


@frozen
class Frame:
    """One picture. `svg`: Textual's export. `key`: the key that was pressed. `caption`: its effect."""

    svg: str
    key: str
    caption: str


@frozen
class _Run:
    """Shapes that are shown from frame `first` to frame `last`, counted from 0."""

    first: int
    last: int
    marks: str


def moving_picture(frames: Sequence[Frame]) -> str:
    """Return one SVG that shows the frames in a loop.

    It shows only the first frame if the viewer plays no animation or the reader prefers no motion.
    """
    styles: dict[str, str] = {}
    pictures = [_rows(frame.svg, styles) for frame in frames]
    rows = sorted({row for picture in pictures for row in picture})
    runs = [run for row in rows for run in _runs([picture.get(row, "") for picture in pictures])]
    width = float(ElementTree.fromstring(frames[0].svg).attrib["viewBox"].split()[2])
    height = _EDGE + (rows[-1] + 1) * _ROW_HEIGHT
    captions = list(_runs([_caption(frame, height) for frame in frames]))
    rules = [f".{name}{{{style}}}" for style, name in styles.items()]
    rules += _timing({(run.first, run.last) for run in (*runs, *captions)}, len(frames))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height + _CAPTION_HEIGHT:g}">',
            f"<style>text{{font:20px 'Fira Code',monospace;white-space:pre}}{''.join(rules)}</style>",
            f'<rect width="{width:g}" height="{height + _CAPTION_HEIGHT:g}" rx="8" fill="#1b1b1b"/>',
            f'<g transform="translate({_EDGE},{_EDGE})">',
            *(_shown(run, len(frames)) for run in runs),
            "</g>",
            *(_shown(run, len(frames)) for run in captions),
            "</svg>\n",
        ]
    )


def _rows(svg: str, styles: dict[str, str]) -> dict[int, str]:
    """Return the shapes of each row of the screen, backgrounds first. `styles`: style -> class; grows."""
    of_class = {name: style.replace(" ", "") for name, style in _STYLE.findall(svg)}
    screen = ElementTree.fromstring(svg).findall(f"{_NAME}g")[-1]
    rows: dict[int, list[str]] = {}
    for ground in screen.findall(f"{_NAME}rect"):
        x, y, width = (ground.attrib[name] for name in ("x", "y", "width"))
        row = rows.setdefault(round((float(y) - 1.5) / _ROW_HEIGHT), [])
        fill = ground.attrib["fill"]
        row.append(f'<rect fill="{fill}" x="{x}" y="{y}" width="{width}" height="24.65"/>')
    for text in screen.iterfind(f"{_NAME}g/{_NAME}text"):
        words = (text.text or "").rstrip("\n")
        if not words.strip("\xa0"):
            continue
        style = of_class[text.attrib["class"].rpartition("-")[2]]
        name = styles.setdefault(style, f"c{len(styles)}")
        x, y, length = (text.attrib[part] for part in ("x", "y", "textLength"))
        row = rows.setdefault(round((float(y) - 20) / _ROW_HEIGHT), [])
        row.append(f'<text class="{name}" x="{x}" y="{y}" textLength="{length}">{escape(words)}</text>')
    return {row: "".join(marks) for row, marks in rows.items()}


def _caption(frame: Frame, top: float) -> str:
    """Return the key as a cap, followed by its caption."""
    wide = 24 + 12.2 * len(frame.key)
    cap = (
        f'<rect x="14" y="{top + 10:g}" width="{wide:g}" height="34" rx="6" fill="#33373d" stroke="#6b7280"/>'
        f'<text x="26" y="{top + 34:g}" fill="#ffffff" font-weight="bold">{escape(frame.key)}</text>'
    )
    at = 30 + wide if frame.key else 18
    words = f'<text x="{at:g}" y="{top + 34:g}" fill="#d0d4da">{escape(frame.caption)}</text>'
    return (cap if frame.key else "") + words


def _runs(marks: Sequence[str]) -> Iterator[_Run]:
    """Yield the shapes of one row as runs of frames in which they are the same."""
    for shown, group in groupby(enumerate(marks), key=lambda numbered: numbered[1]):
        numbers = [number for number, _ in group]
        if shown:
            yield _Run(numbers[0], numbers[-1], shown)


def _shown(run: _Run, frames: int) -> str:
    if run.last - run.first == frames - 1:
        return f"<g>{run.marks}</g>"
    # A viewer that plays no animation keeps this visibility, and so shows the first frame alone.
    hidden = ' visibility="hidden"' if run.first else ""
    return f'<g class="w{run.first}-{run.last}"{hidden}>{run.marks}</g>'


def _timing(windows: set[tuple[int, int]], frames: int) -> Iterator[str]:
    """Yield the CSS rules for shapes that are not shown in every frame."""
    for first, last in sorted(windows):
        if last - first == frames - 1:
            continue
        name = f"w{first}-{last}"
        steps = {0: "hidden", first: "visible"}
        if last + 1 < frames:
            steps[last + 1] = "hidden"
        shown = "".join(f"{100 * frame / frames:.3f}%{{visibility:{seen}}}" for frame, seen in steps.items())
        yield f"@keyframes {name}{{{shown}}}"
        yield f".{name}{{animation:{name} {SECONDS * frames:g}s step-end infinite}}"
    yield "@media(prefers-reduced-motion:reduce){g{animation:none!important}}"
