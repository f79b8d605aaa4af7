"""Sum up a fight in rows: actions, the heaviest blows, extreme dice, luck, and time at the table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from itertools import pairwise

from rich.cells import cell_len

from systems.commands.action import action_title
from systems.contract.ruleset import Ruleset
from systems.encounter.recap import ActionTotal, Luck, Recap, TurnSpan
from systems.schema.fields import fields_of
from systems.text import listed, signed, sort_key, spoken
from systems.visibility.recap import SeenRecap
from tui.display.odds import percent
from tui.display.text import Piece, Row, cut_row, fitted, printable, shortened, width, wrapped

MOST_BLOWS, MOST_OTHER_BLOWS, MOST_EDGES, MOST_FACES = 5, 3, 8, 20
BLOCKS = "▁▂▃▄▅▆▇"
# A longer gap is a pause of the group, not part of a turn.
LONGEST_THOUGHT = 15 * 60
_NAME, _BAR, _BELOW, _ACTION_GAP = 22, 20, 6, 2
# A short fight has no highlights.
_LEAST_BLOWS, _LEAST_ROLLS = 3, 3
_GAME_MASTER = "the game master"
CURVE_TITLE = "The players' chance to win, with sensible foes"
_CURVE, _CURVE_CELLS = "━", 30


def recap_rows(recap: Recap, game: Ruleset, cells: int) -> list[Row]:
    """Return the recap as rows of at most `cells` cells, with a heading for each part that has content."""
    parts = (
        ("Highlights", _highlights(recap)),
        ("Who did what to whom", _action_totals(recap, game)),
        (f"{_points(game)} taken from others and lost", _balance(recap)),
        ("The heaviest blows", _blows(recap)),
        ("Highest and lowest dice", _edges(recap)),
        ("Luck", _luck(recap)),
        ("Time at the table", _time(recap)),
    )
    rounds = f"{recap.rounds} round{'' if recap.rounds == 1 else 's'}"
    events = f", {recap.events} event{'' if recap.events == 1 else 's'} in force" if recap.events else ""
    rows: list[Row] = [[(f"{rounds}{events}", "muted")]]
    for title, found in parts:
        inside = [part for row in found for part in _within(row, cells)]
        if inside:
            rows += [[], [(title, "strong")], *inside]
    if len(rows) == 1:
        rows.append([(_nothing(recap), "muted")])
    return rows


def _nothing(recap: Recap) -> str:
    if not recap.rounds:
        return "Nothing has happened yet."
    # Players get no number of events, and what they could not see is left out.
    return "No blow fell." if recap.events else "You saw no blow fall."


def _within(row: Row, cells: int) -> list[Row]:
    """Wrap a row from the first piece that does not fit, below the actions if there is room."""
    if width(row) <= cells:
        return [row]
    at = next(at for at in range(len(row)) if width(row[: at + 1]) > cells)
    text, tone = row[at]
    rest = [(text.lstrip(" ·:,"), tone), *row[at + 1 :]]
    column = width(row[:2]) + _ACTION_GAP
    blank = max(_BELOW, min(column, cells - width(rest)))
    return [row[:at], cut_row([(" " * blank, ""), *rest], cells)]


def recap_lines(recap: Recap, game: Ruleset, cells: int) -> list[str]:
    """Return the recap as plain lines."""
    return ["".join(text for text, _ in row).rstrip() for row in recap_rows(recap, game, cells)]


def _points(game: Ruleset) -> str:
    known = fields_of(game.sheet)
    words = listed([known[name].label for name in game.harm_fields]) or "points"
    return words[0].upper() + words[1:]


def _name(recap: Recap, who: str) -> str:
    return recap.names.get(who, _GAME_MASTER if who in ("", "gm") else who)


def _in_column(recap: Recap, name: str) -> str:
    """Return a name padded to the longest, within limits; the actions follow it."""
    longest = max(map(cell_len, (*recap.names.values(), _GAME_MASTER)), default=0)
    column = min(_NAME, longest)
    return fitted(shortened(name, column), column)


def _highlights(recap: Recap) -> Iterator[Row]:
    """Yield the highlights of a fight: most dealt, heaviest blow, most felled, highest and lowest dice."""
    own = [blow for blow in recap.blows if blow.by and not blow.to_itself]
    if len(own) < _LEAST_BLOWS:
        return
    dealt = recap.dealt
    most = max(dealt, key=lambda who: dealt[who])
    yield _highlight("most dealt", _name(recap, most), str(dealt[most]))
    blow = max(own, key=lambda blow: (blow.lost, -blow.n))
    whom = f"{_name(recap, blow.by)} on {_name(recap, blow.target)}"
    yield _highlight("heaviest blow", whom, str(blow.lost), f"round {blow.round}")
    felled = Counter(blow.by for blow in own if blow.felled)
    if felled:
        who, times = felled.most_common(1)[0]
        yield _highlight("most felled", _name(recap, who), str(times))
    rolled = sorted(
        (luck for luck in recap.luck if luck.count >= _LEAST_ROLLS),
        key=lambda luck: (luck.average - luck.expected) / luck.sides,
    )
    if len(rolled) > 1:
        for label, luck in (("highest dice", rolled[-1]), ("lowest dice", rolled[0])):
            average = f"{float(luck.average):.1f}"
            expected = f"{float(luck.expected):.1f} expected of {luck.count} × d{luck.sides}"
            yield _highlight(label, _name(recap, luck.of), average, expected)


def _highlight(label: str, who: str, value: str, more: str = "") -> Row:
    about = f"  {more}" if more else ""
    return [
        ("  ", ""),
        (fitted(label, 15), "muted"),
        (who, "strong"),
        (f"  {value}", "accent"),
        (about, "muted"),
    ]


def _action_totals(recap: Recap, game: Ruleset) -> Iterator[Row]:
    for total in recap.actions:
        who = _name(recap, total.actor) if total.actor else "somebody"
        whom = f" on {_name(recap, total.target)}" if total.target else ""
        title = total.name or (action_title(total.action, game) if total.action else "an action")
        did = f"{title}{whom}"
        row: list[Piece] = [("  ", ""), (_in_column(recap, who), ""), (" " * _ACTION_GAP + did, "")]
        row.append((f" × {total.times}", "muted") if total.times > 1 else ("", ""))
        yield [*row, *_came_of(total)]


def _came_of(total: ActionTotal) -> Iterator[Piece]:
    """Yield how often each result came up, and the damage or healing."""
    degrees = ", ".join(
        spoken(word) if often == total.times else f"{often} {spoken(word)}" for word, often in total.degrees
    )
    if degrees:
        yield f": {degrees}", "muted"
    if total.lost:
        yield f" · {total.lost} taken", ""
    if total.healed:
        yield f" · {total.healed} healed", "good"
    if total.felled:
        yield f" · felled{f' {total.felled} times' if total.felled > 1 else ''}", "danger"


def _balance(recap: Recap) -> Iterator[Row]:
    """Yield a bar for each combatant, the longest first: damage dealt to others, and losses."""
    dealt, taken = recap.dealt, recap.taken
    most = max([*dealt.values(), *taken.values()], default=0)
    people = sorted({*dealt, *taken}, key=lambda who: (-dealt.get(who, 0), -taken.get(who, 0), who))
    for who in people:
        took, lost, back = dealt.get(who, 0), taken.get(who, 0), recap.healed.get(who, 0)
        yield [
            ("  ", ""),
            (_in_column(recap, _name(recap, who)), ""),
            (f" {took:>5} ", ""),
            (fitted(_bar(took, most), _BAR), "accent"),
            (f" {lost:>5} lost", "muted"),
            (f", {back} healed" if back else "", "muted"),
        ]


def _bar(value: int, most: int) -> str:
    return "━" * max(1, round(_BAR * value / most)) if value > 0 else ""


def _blows(recap: Recap) -> Iterator[Row]:
    """Yield the heaviest blows of combatants, then the heaviest losses that no combatant caused."""
    heaviest = sorted(recap.blows, key=lambda blow: (-blow.lost, blow.n))
    own = [blow for blow in heaviest if blow.by]
    others = [blow for blow in heaviest if not blow.by]
    for blow in (*own[:MOST_BLOWS], *others[:MOST_OTHER_BLOWS]):
        target = _name(recap, blow.target)
        whose = f"{target}, self-inflicted" if blow.to_itself else f"{_name(recap, blow.by)} on {target}"
        row: list[Piece] = [
            (f"  round {blow.round}  ", "muted"),
            (whose if blow.by else target, ""),
            (f"  {blow.lost}", "strong"),
        ]
        yield [*row, ("  felled", "danger")] if blow.felled else row


def _edges(recap: Recap) -> Iterator[Row]:
    for edge in recap.edges[-MOST_EDGES:]:
        why = f" for {edge.why}" if edge.why else ""
        yield [
            (f"  round {edge.round}  ", "muted"),
            (_name(recap, edge.of), ""),
            (f"  d{edge.sides}: {edge.face}", "strong"),
            (why, "muted"),
        ]
    if (more := len(recap.edges) - MOST_EDGES) > 0:
        yield [(f"  … {more} earlier", "muted")]


def _luck(recap: Recap) -> Iterator[Row]:
    for luck in sorted(recap.luck, key=lambda luck: (sort_key(_name(recap, luck.of)), -luck.sides)):
        times = f"{luck.count} × d{luck.sides}"
        yield [
            ("  ", ""),
            (_in_column(recap, _name(recap, luck.of)), ""),
            (f" {times:<10}", ""),
            (f" average {float(luck.average):.1f}", "strong"),
            (f", {float(luck.expected):.1f} expected  ", "muted"),
            (_histogram(luck), "accent"),
        ]


def _histogram(luck: Luck) -> str:
    """Return a block for each face, or for each of twenty ranges of faces, as high as its frequency."""
    spans = min(luck.sides, MOST_FACES)
    heights: Counter[int] = Counter()
    for face, often in luck.faces.items():
        heights[min(spans - 1, (face - 1) * spans // luck.sides)] += often
    most = max(heights.values(), default=0)
    if luck.count < 2 or not most:
        return ""
    top = len(BLOCKS) - 1
    return "".join(
        BLOCKS[round(top * heights[span] / most)] if heights[span] else " " for span in range(spans)
    )


def _time(recap: Recap) -> Iterator[Row]:
    spent = seconds_spent(recap.turns)
    for who, seconds in sorted(spent.items(), key=lambda item: -sum(item[1])):
        mean = sum(seconds) / len(seconds)
        turns = f"{len(seconds)} turn{'' if len(seconds) == 1 else 's'}"
        yield [
            ("  ", ""),
            (_in_column(recap, _name(recap, who)), ""),
            (f" {turns:<9}", ""),
            (f" {_clock(mean)} each", "strong"),
            (f", longest {_clock(max(seconds))}", "muted"),
        ]


def seconds_spent(turns: Sequence[TurnSpan]) -> Mapping[str, list[float]]:
    """Return for each combatant how many seconds each of its turns took, without pauses."""
    found: dict[str, list[float]] = {}
    for turn in turns:
        moments = [moment for text in turn.times if (moment := _moment(text)) is not None]
        gaps = [(after - before).total_seconds() for before, after in pairwise(moments)]
        found.setdefault(turn.who, []).append(sum(gap for gap in gaps if 0 <= gap <= LONGEST_THOUGHT))
    return found


def _moment(text: str) -> datetime | None:
    """Return a time of the log, or None if the text is not a time."""
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        return None


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"


def curve_lines(curve: Sequence[tuple[int, float, float]], last: str = "at the end") -> Iterator[str]:
    """Yield a line with a bar for each round, chance and margin. `last`: the moment of the last one."""
    for at, (number, win, margin) in enumerate(curve):
        when = f"after round {number}" if number else "at the start"
        if at == len(curve) - 1:
            when = last
        bar = _CURVE * round(win * _CURVE_CELLS)
        shown = percent(Fraction(round(1000 * win), 1000))
        off = f" ± {round(100 * margin)}" if margin else ""
        yield f"  {when:<15} {shown + off:<9} {bar}".rstrip()


def shared_lines(found: SeenRecap) -> Iterator[str]:
    """Yield the chances that the game master has added to a recap for the players, if there are any."""
    shared = found.shared
    curve = [*shared.curve.items()]
    if len(curve) < 2:
        return
    yield CURVE_TITLE
    margin = int(shared.margin or 0) / 100
    # A fight that is over has no chance left, so its end has no margin.
    last, _ = curve[-1]
    yield from curve_lines([(number, win / 100, margin if number < last else 0.0) for number, win in curve])
    _, points = shared.moved
    if points and found.turned:
        yield printable(f"It turned most, {signed(points)} points: {found.turned}")


def page_of(lines: Iterable[str], cells: int) -> list[Row]:
    """Return lines as the rows of a page; wrapped lines keep their indent."""
    rows: list[Row] = []
    for line in lines:
        words = line.lstrip()
        indent = " " * (1 + len(line) - len(words))
        rows += [[(f"{indent}{part}", "")] for part in wrapped(words, max(10, cells - 1 - len(indent)))]
    return rows
