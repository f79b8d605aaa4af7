"""The words of the command line for the seats, such as `seats admit mira at okado once`."""

from collections.abc import Mapping, Sequence

from systems.errors import Misread
from systems.frozen import evolve, frozen
from systems.text import listed, nearest, shown
from tui.lists.command_help import CommandHelp
from tui.services import SEATS

LASTS = ("once", "evening", "good")
ALL = "all"
ANYWAY = "anyway"
# Each word with what follows it, and what it does.
WORDS: Mapping[str, tuple[str, str]] = {
    "list": ("", "list guests, requests, seats and keys"),
    "make": ("[CHARACTER]", "make a seat for a character, or for each one without a seat"),
    "invite": (f"[{'|'.join(LASTS)}]", "make passwords, and show a message for each player"),
    "start": ("", "start the server"),
    "stop": ("", "stop the server"),
    "lock": ("", "keep new guests out"),
    "unlock": ("", "let new guests knock again"),
    "password": (f"SEAT [{'|'.join(LASTS)}]", "make a password for a seat"),
    "admit": ("GUEST [at SEAT] [once]", "let a guest in, for good or once"),
    "dismiss": ("GUEST", "turn a guest away"),
    "kick": ("SEAT", "remove a player; the key stays out"),
    "readmit": ("SEAT KEY", "let a kicked key open its seat again"),
    "remove": ("SEAT KEY", "remove a key from a seat"),
    "accept": ("[NUMBER|all]", "carry out a request, the oldest by default"),
    "refuse": ("[NUMBER]", "refuse a request, the oldest by default"),
}
_NEEDS_NAME = frozenset({"password", "admit", "dismiss", "kick", "readmit", "remove"})
_TAKES_LASTS = frozenset({"invite", "password"})
_TAKES_NOTHING = frozenset(word for word, (follows, _) in WORDS.items() if not follows)


@frozen
class SeatOrder:
    """A line about the seats.

    `word`: one of `WORDS`. `name`: of a character, seat, guest or request, or "". `at`: the seat for a guest.
    `key`: a fingerprint or its beginning. `lasts`: how long a password lasts. `is_once`: admit a guest once.
    `is_sure`: also if another player may have the seat.
    """

    word: str
    name: str = ""
    at: str = ""
    key: str = ""
    lasts: str = "once"
    is_once: bool = False
    is_sure: bool = False


def read_seat_line(line: str) -> SeatOrder:
    """Return what a line about the seats asks for. Raises Misread."""
    typed = line.split()[1:]
    if not typed:
        return SeatOrder("list")
    word = _word(typed[0], line)
    rest = typed[1:]
    if rest and word in _TAKES_NOTHING:
        raise _misread(line, rest[0], f"nothing follows seats {word}")
    if not rest and word in _NEEDS_NAME:
        raise _misread(line, typed[0], f"something is missing: seats {word} {WORDS[word][0]}")
    order = SeatOrder(word)
    if word in _TAKES_LASTS:
        return _with_lasts(order, rest, line)
    if word == "admit":
        return _with_seat(order, rest, line)
    if word in ("readmit", "remove"):
        if len(rest) != 2:
            raise _misread(line, rest[-1], f"give the seat and the key: seats {word} {WORDS[word][0]}")
        return evolve(order, name=rest[0], key=rest[1])
    return evolve(order, name=" ".join(rest))


def _word(typed: str, line: str) -> str:
    """Return the word that a typed one begins. Raises Misread."""
    found = [word for word in WORDS if word.startswith(typed.casefold())]
    if typed.casefold() in WORDS:
        return typed.casefold()
    if len(found) == 1:
        return found[0]
    near = listed(found, "or") if found else nearest(typed.casefold(), WORDS)
    meant = f"; did you mean {near}?" if near else f"; words: {', '.join(WORDS)}"
    raise _misread(line, typed, f"seats {shown(typed)} is not known{meant}")


def _with_lasts(order: SeatOrder, rest: Sequence[str], line: str) -> SeatOrder:
    words = list(rest)
    if order.word == "password":
        order = evolve(order, name=words.pop(0))
    if not words:
        return order
    lasts = next((lasts for lasts in LASTS if lasts.startswith(words[0].casefold())), "")
    if not lasts or len(words) > 1:
        raise _misread(line, words[-1], f"a password lasts {listed(LASTS, 'or')}")
    return evolve(order, lasts=lasts)


def _with_seat(order: SeatOrder, rest: Sequence[str], line: str) -> SeatOrder:
    words = list(rest)
    order = evolve(order, name=words.pop(0))
    while words:
        match words.pop(0).casefold():
            case "at" if words:
                order = evolve(order, at=words.pop(0))
            case "once":
                order = evolve(order, is_once=True)
            case word if word == ANYWAY:
                order = evolve(order, is_sure=True)
            case word:
                raise _misread(line, word, f"after the guest come: at SEAT, once, {ANYWAY}")
    return order


def _misread(line: str, word: str, why: str) -> Misread:
    at = max(0, line.casefold().rfind(word.casefold()))
    return Misread(why, at, at + len(word))


def seat_help(line: str, begun: str) -> CommandHelp:
    """Return the help for a line about the seats. `begun`: the line up to the cursor."""
    typed = begun.split(" ")
    words: tuple[tuple[str, str], ...] = ()
    if len(typed) == 2:
        words = tuple((word, does) for word, (_, does) in WORDS.items() if word.startswith(typed[1]))
    try:
        order = read_seat_line(line)
    except Misread:
        return CommandHelp("seats WORD", words)
    follows, does = WORDS[order.word]
    usage = " ".join(filter(None, (SEATS, order.word, follows)))
    return CommandHelp(f"{usage}: {does}", words)
