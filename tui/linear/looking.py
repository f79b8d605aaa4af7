"""The words that only show something, as lines: order, status, why, odds, log, help and more."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby

from systems.commands.actions import read_action
from systems.commands.offers import to_take
from systems.commands.table import COMMANDS, read_command
from systems.encounter.amendment import names_ever
from systems.encounter.history import History
from systems.encounter.lookup import single
from systems.encounter.model import Combatant, Encounter
from systems.encounter.recap import recap_of
from systems.errors import Refused
from systems.language.intents import Act
from systems.schema.fields import fields_of
from systems.text import clean, nearest
from systems.visibility.log_view import LogReader
from tui.display.danger import danger_lines
from tui.display.forecast import forecast_lines, turning_lines
from tui.display.odds import odds_sentence
from tui.display.order_lines import fight_line, order_lines
from tui.display.pages import newest_with_numbers, was_undone, why_rows
from tui.display.recap import recap_rows
from tui.display.sheet import sheet_rows
from tui.display.text import Row
from tui.linear.keys import KEYS
from tui.session.dangers import dangers_for
from tui.session.forecasts import calculated_turning, forecaster_of, recap_fights, typed_fights
from tui.session.live_fight import live_fight
from tui.session.session import Session
from tui.terminal.progress import ProgressLine
from tui.terminal.symbols import PLAIN

WIDE = 400  # lines are wrapped by the terminal
_USUAL_LINES = 10
_STOPPED = "stopped before the first result"
_MOST_VALUES = 40  # of a meter since the start
# The characters of bars and curves, which mean nothing when read aloud.
_DRAWN = " ━▁▂▃▄▅▆▇█╷╻┃"


def order(session: Session, rest: str) -> Iterator[str]:
    """Yield the combatants in order, with stats and conditions."""
    yield fight_line(session.encounter)
    yield from heard_order(session.encounter, session.log)


def heard_order(encounter: Encounter, log: History) -> Iterator[str]:
    """Yield one line per combatant, with commas instead of columns."""
    for line in order_lines(encounter, log):
        turn = ", has the turn" if line.startswith("▸") else ""
        yield ", ".join(part.strip() for part in re.split(" {2,}", line.strip("▸ "))) + turn


def status(session: Session, rest: str) -> Iterator[str]:
    """Yield the lines of a whole sheet. Raises Refused for an unknown name."""
    encounter = session.encounter
    combatant = single(encounter, rest) if rest else encounter.turn
    if combatant is None:
        raise Refused("nobody has the turn: name a combatant, such as status 2")
    yield f"{combatant.tag} {combatant.name}"
    meters = {meter.now for meter in session.game.meters}
    for meter in session.game.meters:
        level = meter.of(combatant.sheet)
        if level is None:
            continue  # such as the legendary actions of most
        now, full = level
        yield f"{meter.label} {now} of {full}"
        if meter is session.game.meters[0]:
            values = session.curves.sampled(session.log, combatant.id, meter.now, now, _MOST_VALUES)
            changed = [f"{value}" for value, _ in groupby(values)]
            if len(changed) > 1:
                yield f"{meter.label} since the start: {', '.join(changed)}"
    for row in sheet_rows(encounter, combatant, (), WIDE, PLAIN):
        if row.field not in meters:
            yield _line(row.row)


def why(session: Session, rest: str) -> Iterator[str]:
    """Yield the terms of the newest number, or of event N. Raises Refused if there is none."""
    if rest and not (rest.isdecimal() and len(rest) < 9):
        raise Refused("why takes the number of an event, such as why 12")
    known = session.log.as_amended
    event = newest_with_numbers(session.log)
    if rest:
        event = known[int(rest) - 1] if 1 <= int(rest) <= len(known) else None
    if event is None:
        raise Refused("there is no number yet to explain" if not rest else f"there is no event {rest}")
    names = names_ever(session.encounter, session.log)
    rows = why_rows(event, names, session.game, was_undone(session.log, event), WIDE)
    # Blank lines and the line above a total are only for the screens.
    return (said for row in rows if (said := _line(row)).strip(" ─"))


def odds(session: Session, rest: str) -> Iterator[str]:
    """Yield the odds of an action against the typed targets, else against every combatant of the other sides.

    Raises Misread, Refused and Wrong if it is not an action, and TooManyDice.
    """
    line = rest if _names_action(session, rest) else f"{session.game.default_action} {rest}"
    command = read_command(session.encounter, line)
    if not isinstance(command.intent, Act):
        raise Refused("odds needs an action, such as odds attack 3, or a target of the main action")
    encounter = session.encounter
    action = session.game.action(command.intent.action)
    assert action is not None
    everybody = action.targets != "none" and not command.intent.targets
    aimed = _others(session) if everybody else [None]
    for other in aimed:
        words = f"{line} {other.tag}" if other else line
        intent = read_command(encounter, words).intent
        assert isinstance(intent, Act)
        read = read_action(encounter, intent)
        for each in read.each or (read,):
            for target in each.targets or (None,):
                found = session.preview(action, each.actors[0], target, each.options)
                whom = f" against {encounter.combatants[target].name}" if target else ""
                actor = encounter.combatants[each.actors[0]].name
                sentence = odds_sentence(action, found)
                yield f"{actor}, {action.title}{whom}: {sentence}"


def _names_action(session: Session, rest: str) -> bool:
    first = next(iter(rest.split()), "")
    return any(action.name == first.casefold() for action in session.game.actions)


def _others(session: Session) -> Sequence[Combatant]:
    """Return the combatants of the other sides that can act; all of them if none can."""
    encounter, actor = session.encounter, session.encounter.turn
    if actor is None:
        raise Refused("nobody has the turn: next begins the fight")
    foes = [other for other in encounter.in_line() if other.side != actor.side and not other.state.arrives]
    return [foe for foe in foes if encounter.status(foe).acts] or foes


def danger(session: Session, rest: str) -> Iterator[str]:
    """Yield how likely each player's character falls before its next turn, by default all of them.

    Raises Refused for an unknown name.
    """
    encounter, found = session.encounter, dangers_for(live_fight(session), rest)
    return (line.replace("≈", "about ") for line in danger_lines(encounter, found))


def log(session: Session, rest: str) -> Iterator[str]:
    """Yield the last lines of the log, by default ten."""
    if rest and not (rest.isdecimal() and len(rest) < 6):
        raise Refused("log takes a number of lines, such as log 30")
    lines = LogReader().lines(session.encounter, session.log, int(rest or _USUAL_LINES))
    if not lines:
        yield "Nothing has happened yet."
    for line in lines:
        yield f"Round {line.round}: {line.text}{' (undone)' if line.undone else ''}"
        yield from ([f"  {line.arithmetic}"] if line.arithmetic else [])
        for below in line.below:
            yield f"  {below.text}"
            yield from ([f"    {below.arithmetic}"] if below.arithmetic else [])


def offers(session: Session, rest: str) -> Iterator[str]:
    """Yield the offers of the rules to the game master. Enter accepts the first."""
    found = to_take(session.encounter)
    if not found:
        yield "There are no offers."
    for number, offer in enumerate(found, 1):
        yield f"{number}: {offer.says} To accept it: {offer.command}."


def actions(session: Session, rest: str) -> Iterator[str]:
    """Yield the actions of this game, each with its options."""
    for action in session.game.actions:
        if action.group != "hook":
            options = ", ".join(fields_of(action.options))
            takes = f" Options: {options}." if options else ""
            yield f"{action.name}: {action.help.removesuffix('.')}.{takes}"


def help(session: Session, rest: str) -> Iterator[str]:
    """Yield the help: keys and words, every command, or one word. Raises Refused for an unknown word."""
    sought = rest.casefold()
    if not sought:
        yield from (f"{name}: {does}" for name, does in _TYPED)
    named = (action.name for action in session.game.actions if action.group != "hook")
    known = {"commands", *LOOKS, *COMMANDS, *named}
    if sought and sought not in known:
        meant = nearest(sought, sorted(known))
        maybe = f"; did you mean {meant}?" if meant else "; help lists them"
        raise Refused(f'there is no word "{clean(rest, 40)}"{maybe}')
    for name, (usage, does, _) in LOOKS.items():
        if sought in ("", name):
            yield f"{usage}: {does}"
    for declared in COMMANDS.values():
        if sought in ("commands", declared.name):
            yield f"{' | '.join(declared.forms)}: {declared.help}"
    for action in session.game.actions:
        if sought == action.name and action.group != "hook":
            yield from (line for line in actions(session, "") if line.startswith(f"{action.name}:"))


def forecast(session: Session, rest: str) -> Iterator[str]:
    """Yield how likely the players win; after the fight, where it turned.

    `rest`: the number of fights against foes of each temper, or from each moment. Ctrl+C stops it, and the
    fights so far count. Raises Refused if there is nothing to play.
    """
    fights = typed_fights(rest)
    if session.encounter.progress.over:
        return _chances(session, fights)
    forecaster = forecaster_of(live_fight(session))
    with ProgressLine("playing the fight, time") as tell, suppress(KeyboardInterrupt):
        for done in forecaster.play(fights):
            tell(done, fights)
    played = forecaster.forecast()
    if not played.fights:
        raise Refused(_STOPPED)
    return _heard(forecast_lines(session.encounter, played))


def _chances(session: Session, fights: int) -> Iterator[str]:
    """Yield the players' chance to win after each round, and the event that moved it most."""
    try:
        with ProgressLine("playing the fight, moment") as tell:
            turning = calculated_turning(session, fights, tell)
    except KeyboardInterrupt as stopped:
        raise Refused(_STOPPED) from stopped
    return _heard(turning_lines(session.encounter, session.log, turning))


def _heard(lines: Iterable[str]) -> Iterator[str]:
    return (line.strip(_DRAWN).replace("±", "plus or minus") for line in lines)


def recap(session: Session, rest: str) -> Iterator[str]:
    """Yield a summary of the fight so far: damage, heaviest blows, luck and time.

    `rest`: `chances` adds the players' chance to win after each round. Raises Refused for other words.
    """
    fights = recap_fights(rest)
    rows = recap_rows(recap_of(session.encounter, session.log), session.game, WIDE)
    said = (said for row in rows if (said := _line(row)))
    return chain(said, _chances(session, fights)) if fights else said


LookUp = Callable[[Session, str], Iterable[str]]
# Each word that only shows something: its form, its help, and its function.
LOOKS: dict[str, tuple[str, str, LookUp]] = {
    "order": ("order", "the combatants in order, with stats and conditions", order),
    "status": ("status [WHO]", "a whole sheet, by default of the combatant with the turn", status),
    "why": ("why [N]", "the terms of the newest number, or of event N", why),
    "odds": ("odds [ACTION] [TARGETS] [option=value]", "exact odds before the roll", odds),
    "danger": ("danger [WHO]", "how likely a character falls before its next turn, if all go for it", danger),
    "forecast": ("forecast [FIGHTS]", "how likely the players win, by playing the fight on", forecast),
    "log": ("log [N]", "the last lines of the log", log),
    "offers": ("offers", "the current offers; Enter alone accepts the first", offers),
    "actions": ("actions", "the actions of this game", actions),
    "recap": ("recap [chances]", "damage, blows, luck and time; with chances, where the fight turned", recap),
    "help": ("help [WORD]", "this list; help commands lists every command, help WORD explains one", help),
}


def _said(key: str) -> str:
    """Return a key as it is read aloud, since capitals can't be heard."""
    return f"capital {key}" if key.isupper() else key


# What else can be typed; listed first.
_TYPED = (
    ("a line", "a command such as attack 3, or a key of the screens and its words, such as a 3"),
    ("keys", ", ".join(f"{_said(key)} {word}" for key, word in KEYS.items())),
    ("a", "the main action of the combatant with the turn, such as a 3; actions lists all"),
    (".", "repeat the last action of the combatant with the turn"),
    ("Enter alone", "accept the first offer"),
    ("dice program|real|players", "choose who rolls; capital D alone goes to the next of the three"),
    ("import [FILE]", "add a pasted stat block or a file to the roster; import undo takes it back"),
    ("quit", "quit; everything is saved"),
)


def _line(row: Row) -> str:
    """Return a row as one line to be read aloud, with commas between its columns."""
    said, is_parted, blank = "", False, 0
    for text, _ in row:
        word = text.strip(_DRAWN)
        blank += len(text) - len(text.lstrip(_DRAWN)) if word else len(text)
        if not word:
            continue
        if said and blank >= 2:
            # A number belongs to the word before it, unless that ends in a number itself.
            said += ", " if is_parted or word[0].isalpha() or said[-1].isdecimal() else " "
            is_parted = True
        elif said and blank:
            said += " "
        said += word
        blank = len(text) - len(text.rstrip(_DRAWN))
    return clean(said, WIDE)
