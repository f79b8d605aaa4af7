"""The lines around every screen: title and turn, messages, and keys."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from systems.encounter.model import Encounter, Offer
from systems.encounter.schedule import upcoming, waiting
from systems.frozen import frozen
from systems.text import as_sentence, listed
from tui.display.order import turn_words
from tui.display.text import Piece, Row, cut, printable, width, wrapped
from tui.settings.keys import KEYS, Key, ScreenName

# Only unusual modes are shown; a program that rolls all dice needs no words.
DICE_WORDS = {"program": "", "real": "real dice", "players": "players roll real dice"}
# In a narrow header this room goes to the next combatant.
DICE_BRIEF = {**DICE_WORDS, "players": "players real"}
ROOMY = 100
LEAST_TITLE = 10  # cells of it that stay next to the turn
# Keys that do nothing without combatants, or before anybody has the turn.
_WITH_SOMEBODY = frozenset({"action", "next", "damage", "heal", "condition", "edit", "why", "other_next"})
_WITH_EVENTS = frozenset({"find", "unfold", "unfold_all", "amend", "look_back", "recap", "export"})
_WRITES = frozenset(
    {"action", "next", "undo", "damage", "heal", "condition", "edit", "roll", "amend", "line"}
)
_WITH_TURN = frozenset({"action"})
_ADD = next(key for key in KEYS if key.id == "add")
_SCREENS = [key for key in KEYS if key.id in ("status", "log", "roster")]
_TAKE_OVER = next(key for key in KEYS if key.id == "take_over")
_ROSTER = next(key for key in KEYS if key.id == "roster")
_END = next(key for key in KEYS if key.id == "end")


@frozen
class Header:
    """The contents of a header.

    `unsaved` says what is not on disk, `unsaved_brief` the same in few words. `dice`: the mode of dice,
    or "". `next_key`: the key that begins a fight.
    """

    title: str = ""
    encounter: Encounter | None = None
    dice: str = ""
    is_read_only: bool = False
    unsaved: str = ""
    unsaved_brief: str = ""
    is_refused: bool = False
    next_key: str = ""


def header_row(header: Header, cells: int) -> Row:
    """Return title, turn, unusual dice and unsaved work from left to right; the title gives way first."""
    right = _right(header, cells)
    room = cells - width(right) - 6
    fight = header.encounter.progress.title if header.encounter else ""
    title = printable(" · ".join(filter(None, (header.title, fight))) or "Affray")
    turns = _turns(header)
    least = min(cell_len(title), LEAST_TITLE)
    turn = next((words for words in turns if least + cell_len(words) <= room), turns[-1])
    middle = cut(turn, max(0, room - least))
    left = cut(title, max(0, room - cell_len(middle)))
    gap = room - cell_len(left) - cell_len(middle) + 4
    before = max(2, min(gap - 2, (cells - cell_len(middle)) // 2 - cell_len(left) - 1))
    return [
        (" ", ""),
        (left, "strong"),
        (" " * before, ""),
        (middle, "turn"),
        (" " * (gap - before), ""),
        *right,
        (" ", ""),
    ]


def _turns(header: Header) -> Sequence[str]:
    """Return round, turn, next and waiting combatants, then shorter versions without the last parts."""
    encounter = header.encounter
    if encounter is None:
        return [""]
    progress = encounter.progress
    if progress.over:
        return [f"over after round {progress.round}"]
    if not progress.round:
        return [f"not begun: {header.next_key} begins"]
    turn = turn_words(
        progress.round,
        printable(encounter.turn.name) if encounter.turn else "",
        printable(progress.side) if encounter.style == "sides" and progress.side else "",
    )
    follows, _ = upcoming(encounter, _comes_to) or (None, 0)
    delayed = waiting(encounter)
    after = [f"next {printable(follows.name)}"] if follows else []
    # A combatant that waits and is next at the end of the round is named once.
    next_waits = follows is not None and follows.id in delayed
    first = [f"{after[0]} (waiting)"] if next_waits else after
    names = [printable(encounter.combatants[who].name) for who in delayed if not follows or who != follows.id]
    wait = [f"{listed(names)} {'waits' if len(names) == 1 else 'wait'}"] if names else []
    return ["   ".join([turn, *more]) for more in ([*first, *wait], after, [])]


def _comes_to(encounter: Encounter, members: tuple[str, ...]) -> bool:
    # Only the turns of the fallen pay for this import; the first picture must not wait for it.
    from systems.commands.beginning import comes_to

    return comes_to(encounter, members)


def _right(header: Header, cells: int) -> list[Piece]:
    words_of = DICE_WORDS if cells >= ROOMY else DICE_BRIEF
    pieces: list[Piece] = []
    if says := words_of.get(header.dice, ""):
        pieces = [(says, "accent")]
    if header.is_read_only:
        pieces = [("read-only", "warning"), *([(" · ", "muted"), *pieces] if pieces else [])]
    if words := header.unsaved:
        # The turn must stay in sight; the reason is also given below.
        words = printable(words if cell_len(words) <= cells // 2 else header.unsaved_brief)
        has_room = cell_len(words) + 3 + width(pieces) <= cells // 2
        rest: list[Piece] = [(" · ", "muted"), *pieces] if has_room and pieces else []
        pieces = [(words, "danger" if header.is_refused else "muted"), *rest]
    return pieces


_WAITS = " · a seat is waiting"


def _sentences(errors: str) -> str:
    """Return errors as sentences, one a line."""
    return "\n".join(as_sentence(error) for error in errors.split("\n"))


def message_rows(
    sentence: str,
    is_error: bool,
    offer: Offer | None,
    offer_key: str,
    cells: int,
    asked: str = "",
    *,
    odds: str = "",
    more: str = "",
    ends: tuple[str, str] = ("", ""),
    encounter: Encounter | None = None,
) -> list[Row]:
    """Return the last message in full, an error with a mark, then the offer or request that a key takes.

    `ends`: the key that ends the fight, and why it may. `odds`: the odds of the offer. `more`: the number of
    other offers, and the key that lists them. `asked`: the request of a seat, shown if there is no offer.
    """
    rows: list[Row] = []
    if sentence:
        mark, text, tone = (" ! ", _sentences(sentence), "danger") if is_error else (" ", sentence, "")
        rows += _marked(mark, "danger strong", text, tone, cells)
    if offer is not None:
        # A message may be about one of several offers, so the line also says what the key does.
        says, does = offer.says, offer_does(offer, encounter)
        if encounter is not None and (offer.several or offer.reaction):
            from systems.commands.offers import alike, question_of

            offers = alike(encounter, offer)
            if len(offers) > 1:
                says, does = question_of(encounter, offers), "lists them" if offer.reaction else "choose one"
        text = f"{says} ({does})"
        text = " · ".join(part for part in (text, odds, more) if part) + (_WAITS if asked else "")
        rows += _marked(f" {offer_key} ", "accent strong", text, "accent", cells)
    elif asked:
        rows += _marked(f" {offer_key} ", "accent strong", asked, "accent", cells)
    elif ends[1]:
        rows += _marked(f" {ends[0]} ", "accent strong", ends[1], "accent", cells)
    return rows


def _marked(mark: str, mark_tone: str, text: str, tone: str, cells: int) -> Iterator[Row]:
    """Yield the rows of a text, the first after its mark."""
    most = max(10, cells - cell_len(mark) - 2)
    lines = (line for part in text.split("\n") for line in wrapped(printable(part), most, ""))
    blank = " " * cell_len(mark)
    for at, line in enumerate(lines):
        yield [(blank if at else mark, mark_tone), (line, tone)]


def offer_does(offer: Offer, encounter: Encounter | None) -> str:
    """Return what taking an offer does: the action's title, its target, its options."""
    action = encounter.game.action(offer.action or "") if encounter else None
    if encounter is None or action is None:
        return str(offer.command).rpartition(" by ")[0] or str(offer.command)
    # This imports the language, which the first picture does not need.
    from systems.commands.wording import action_words

    return action_words(encounter, action, offer.target or "", offer.options)


def footer_row(shown: Sequence[tuple[str, str]], cells: int, always: int = 1) -> Row:
    """Return as many of the keys and labels of a screen or prompt as fit; the last `always` stay."""
    # Each has a space in it and two after it.
    widths = [cell_len(key) + cell_len(label) + 3 for key, label in shown]
    room = cells - 1 - sum(widths[-always:]) + 2
    kept = 0
    for wide in widths[:-always]:
        room -= wide
        if room < 0:
            break
        kept += 1
    row: list[Piece] = [(" ", "")]
    for name, label in (*shown[:kept], *shown[-always:]):
        row += [(name, "strong"), (f" {label}", "muted"), ("  ", "")]
    return row[:-1]


def key_at(row: Row, x: int) -> str:
    """Return the key shown at the cell `x` of a footer, with its label, or ""."""
    found, start = "", 0
    for text, tone in row:
        if "strong" in tone:
            found = text.strip()
        elif not text.strip():
            found = ""
        start += cell_len(text)
        if x < start:
            return found
    return ""


@frozen
class Standing:
    """The facts about a fight that the footer depends on. `has_past`: there is something to undo."""

    is_empty: bool = False
    begun: bool = True
    has_past: bool = True
    is_over: bool = False
    has_events: bool = True
    is_read_only: bool = False

    @property
    def acts(self) -> bool:
        """Return whether any combatant can act."""
        return self.begun and not self.is_empty and not self.is_read_only


def offered(keys: Sequence[Key], standing: Standing, screen: ScreenName) -> list[tuple[Key, str]]:
    """Return the keys that can do something now, each with its label; the next steps come first.

    Then come the screen's own keys. Keys that also work on the home screen are known from there.
    """
    own_first = sorted(keys, key=lambda key: "initiative" in key.footer)
    found = [key for key in own_first if not (key.id == "undo" and not standing.has_past)]
    if standing.is_read_only:
        others = (key for key in _SCREENS if key.id != screen)
        return [(key, key.label) for key in (*others, _TAKE_OVER, *found) if key.id not in _WRITES]
    if not standing.has_events:
        found = [key for key in found if key.id not in _WITH_EVENTS]
    adds = [(_ADD, _ADD.label)] if screen in _ADD.screens else []
    if standing.is_empty:
        rest = [key for key in found if key.id not in _WITH_SOMEBODY]
        return [*adds, (_ROSTER, _ROSTER.label), *((key, key.label) for key in rest)]
    if standing.is_over:
        rest = [key for key in found if key.id not in _WITH_TURN and key.id != "next"]
        return [(_END, "save to roster"), *((key, key.label) for key in rest)]
    if standing.begun:
        return [(key, key.label) for key in found]
    begins = [(key, "begin") for key in found if key.id == "next"]
    rest = [key for key in found if key.id not in _WITH_TURN and key.id != "next"]
    return [*begins, *adds, *((key, key.label) for key in rest)]
