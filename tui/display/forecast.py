"""Lines about the odds of a whole fight."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.encounter.tags import plain_name
from systems.forecast.supplies import supply_words
from systems.forecast.tally import LEFT_OUT, Forecast, TemperOdds, changed_chance
from systems.forecast.turning import Turning
from systems.text import listed, signed
from systems.visibility.log_view import line_of
from tui.display.odds import percent
from tui.display.recap import CURVE_TITLE, curve_lines, page_of
from tui.display.text import Row, printable

_NOTHING_TURNED = "Nothing has happened that could turn the fight."
NOT_COUNTED = listed([f"no {each}" for each in LEFT_OUT])


def forecast_lines(encounter: Encounter, forecast: Forecast) -> Iterator[str]:
    """Yield the forecast as plain lines."""
    fights = forecast.fights
    if forecast.harmless == forecast.fights:
        yield "This fight cannot end: nobody can hurt anybody."
        return
    yield "The players win"
    yield f"  {_chance(forecast.tempers['sensible'])} with sensible foes"
    for of, tried in (("foes", forecast.tempers), ("players", forecast.players)):
        others = [(temper, odds) for temper, odds in tried.items() if temper != "sensible" and odds.fights]
        if others:
            yield f"  {', '.join(f'{_chance(odds)} with {temper} {of}' for temper, odds in others)}"
    yield f"With sensible foes: {rounds_words(forecast)}, {forecast.mean_rounds:.1f} on average."
    players = [each for each in encounter.in_line() if encounter.is_player(each)]
    yield f"Out of action at some time: {percent(Fraction(forecast.any_player, fights))} any character"
    for each in players:
        fell = percent(Fraction(forecast.falls.get(each.id, 0), fights))
        yield printable(f"  {fell:>4} {each.name}{_used(encounter, forecast, each.id)}")
    if foes := foes_words(encounter, forecast):
        yield printable(f"Foes: {foes}")
    if forecast.harmless:
        yield f"{percent(Fraction(forecast.harmless, fights))} cannot end: nobody can hurt anybody any more."
    if forecast.too_long:
        yield f"{percent(Fraction(forecast.too_long, fights))} were not over after 60 rounds."
    yield f"{_fights_words(forecast)}, sensible unless said; suggested answers, {NOT_COUNTED}."


def _fights_words(forecast: Forecast) -> str:
    """Return `50 fights each`, or `400 fights, 93 or more with each other temper`."""
    fights, least = forecast.fights, min(odds.fights for odds in forecast.all_odds if odds.fights)
    many = f"{fights:,} fight{'' if fights == 1 else 's'}"
    return f"{many} each" if least == fights else f"{many}, {least:,} or more with each other temper"


def _chance(odds: TemperOdds) -> str:
    """Return ` 83% ± 5`."""
    return f"{percent(Fraction(odds.won, odds.fights)):>4} ± {round(100 * odds.margin)}"


def rounds_words(forecast: Forecast) -> str:
    """Return `4 to 6 rounds`: most fights end in one of these."""
    low, high = forecast.rounds_at(0.1), forecast.rounds_at(0.9)
    if low == high:
        return f"{low} round{'' if low == 1 else 's'}"
    return f"{low} to {high} rounds"


def forecast_summary(forecast: Forecast, before: Forecast | None = None) -> str:
    """Return one line: `The players win 62 to 81% ± 12, a character falls 34%, 4 to 6 rounds`.

    `before`: the forecast before the last change, with the same dice; the line adds the difference in points
    with sensible foes.
    """
    if forecast.harmless == forecast.fights:
        return "This fight cannot end: nobody can hurt anybody"
    band = forecast.band
    low, high = round(100 * band.low), round(100 * band.high)
    win = f"{low}%" if low == high else f"{low} to {high}%"
    falls = percent(Fraction(forecast.any_player, forecast.fights))
    differs = ""
    if before is not None:
        change = changed_chance(before, forecast)
        points, sure = round(100 * change.win), max(1, round(100 * change.margin))
        differs = f" ({signed(points)} ± {sure})"
    margin = round(100 * band.margin)
    return f"The players win {win} ± {margin}{differs}, a character falls {falls}, {rounds_words(forecast)}"


def margin_of(forecast: Forecast) -> float:
    """Return the largest margin of the chances with each temper."""
    return max(odds.margin for odds in forecast.all_odds)


def foes_words(encounter: Encounter, forecast: Forecast) -> str:
    """Return how often each foe is out of action: `3 × Goblin 95 to 100%, Goblin chief 40%, nobody else`.

    Foes of one kind are put together if they begin alike, or if they are out equally often.
    """
    alike: dict[tuple[str, str], list[list[Combatant]]] = {}
    for each in encounter.in_line():
        if not encounter.is_player(each):
            groups = alike.setdefault((each.side, plain_name(each)), [])
            same = next((group for group in groups if _begins_alike(group[0], each)), None)
            groups.append([each]) if same is None else same.append(each)
    found: dict[tuple[str, str, str], list[Combatant]] = {}
    for (side, name), groups in alike.items():
        for group in groups:
            found.setdefault((side, name, _falls_words(forecast, group)), []).extend(group)
    shown = [
        f"{f'{len(group)} × {name}' if len(group) > 1 else group[0].name} {words}"
        for (_, name, words), group in found.items()
        if words != "0%"
    ]
    if len(shown) < len(found):
        shown.append("nobody else" if shown else "nobody")
    return ", ".join(shown)


def _begins_alike(combatant: Combatant, other: Combatant) -> bool:
    own, others = combatant.state, other.state
    return (combatant.sheet, combatant.conditions) == (other.sheet, other.conditions) and (
        own.arrives,
        own.hidden,
    ) == (others.arrives, others.hidden)


def _falls_words(forecast: Forecast, group: Sequence[Combatant]) -> str:
    """Return `40%`, or `20 to 40%` for foes that are out of action less or more often."""
    shares = sorted(Fraction(forecast.falls.get(each.id, 0), max(1, forecast.fights)) for each in group)
    low, high = percent(shares[0]), percent(shares[-1])
    return low if low == high else f"{low.removesuffix('%')} to {high}"


def _used(encounter: Encounter, forecast: Forecast, who: str) -> str:
    """Return what a character has less of at the end, on average: ` (−7.2 hp, −1.5 arrows by the end)`."""
    used = [(path, many / max(1, forecast.fights)) for path, many in forecast.used.get(who, {}).items()]
    words = [
        f"{'−' if mean > 0 else '+'}{abs(mean):.1f} {supply_words(encounter.game, path)}"
        for path, mean in used
        if abs(mean) >= 0.05
    ]
    return f" ({', '.join(words)} by the end)" if words else ""


def forecast_page(encounter: Encounter, forecast: Forecast, cells: int) -> list[Row]:
    """Return the rows of a page with a forecast."""
    return page_of(forecast_lines(encounter, forecast), cells)


def turning_lines(encounter: Encounter, log: History, turning: Turning) -> Iterator[str]:
    """Yield the players' chance to win after each round, as a curve, and the event that moved it most."""
    if len(turning.curve) < 2:
        yield _NOTHING_TURNED
        return
    yield CURVE_TITLE
    last = "at the end" if encounter.progress.over else "now"
    yield from curve_lines([(each.round, each.win, each.margin) for each in turning.curve], last)
    yield turned_words(log, turning)
    yield f"The policy plays on from each moment; {NOT_COUNTED}."


def turned_words(log: History, turning: Turning) -> str:
    """Return which event moved the players' chance to win most, and by how much."""
    if len(turning.curve) < 2:
        return _NOTHING_TURNED
    points = f"{signed(round(turning.points))} ± {max(1, round(turning.margin))} points"
    if not turning.is_clear:
        largest = f": the largest step is {points}" if turning.event else ""
        return f"No single event clearly moved it{largest}."
    event = log.as_amended[turning.event - 1]
    words = line_of(event, None).text.removesuffix(".")
    return printable(f"It turned most in round {event.round}, {points}: {words} (event {event.n}).")
