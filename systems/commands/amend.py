"""The command `amend`: change one earlier event; everything after it is played again, see `replay.py`."""

import re

from systems.commands.declaration import CommandKind, Described, Recorded
from systems.encounter.events import Event
from systems.frozen import evolve
from systems.language.declaration import ReadInner
from systems.language.intents import Amend, Intent
from systems.language.tokens import TokenLine

# At the end of an amendment: later events to drop as well, or to keep although their cause is gone.
_LATER_EVENTS = re.compile(r"\s(drop|keep)=([0-9]{1,6}(?:,[0-9]{1,6})*)\s*$", re.IGNORECASE)


def _read_amend(line: str, read: ReadInner) -> Intent:
    """Read the number, then `never`, options, dice and `by`, or a whole command."""
    later: dict[str, tuple[int, ...]] = {"drop": (), "keep": ()}
    # They are removed from the end first, because the new command cannot contain them.
    while found := _LATER_EVENTS.search(line):
        name = found[1].casefold()
        later[name] = (*map(int, found[2].split(",")), *later[name])
        line = line[: found.start()]
    amend = _read_amended(line, read)
    return evolve(amend, drop=(*amend.drop, *later["drop"]), keep=(*amend.keep, *later["keep"]))


ANSWER = "answer"  # of the amended event, typed like an option


def _read_amended(line: str, read: ReadInner) -> Amend:
    """Read an amendment from which `drop=` and `keep=` at its end were removed."""
    match = re.match(r"\s*\S+\s*\S*\s*", line)
    start = match.end() if match else 0
    # A whole command may be any text, so only its number is read here.
    taken = TokenLine(line[:start])
    taken.take("the command")
    number = taken.take_number("the number of the event")
    if start == len(line):
        raise taken.missing("the correction (options, dice, by WHO, never or a whole command)")
    if line[start:].strip().casefold() == "never":
        return Amend(number, never=True)
    if not re.match(r"[a-z][a-z0-9_-]*=|by(\s|$)", line[start:], re.IGNORECASE):
        return Amend(number, command=read(line, start))
    taken = TokenLine(line)
    del taken.words[:2]
    dice, drop, keep = taken.take_dice(), *map(taken.take_event_numbers, ("drop", "keep"))
    options = taken.take_options()
    given = options.get(ANSWER, "")
    amend = Amend(
        number,
        dice=dice,
        drop=drop,
        keep=keep,
        options={name: word for name, word in options.items() if name != ANSWER},
        by=taken.take_by(),
        answers=tuple(word.strip() for word in given.split(",") if word.strip()),
    )
    taken.end()
    return amend


def _held(event: Event, blank: Amend) -> Intent:
    return evolve(blank, number=next(iter(event.refs), 0))


def _with_ids(intent: Amend, recorded: Recorded) -> Intent:
    """Return the amendment without the new command and its dice: the replaced event has them."""
    return evolve(intent, command=None, dice=None, answers=(), by=recorded.id(intent.by))


def _title(described: Described) -> str:
    return "the amendment of event " + ", ".join(str(number) for number in described.event.refs)


AMEND = CommandKind(
    "amend",
    (
        "amend N [option=value] [dice=FACES] [answer=yes|no|…] [by WHO] [drop=N] [keep=N]",
        "amend N never [drop=N] [keep=N]",
        "amend N COMMAND",
    ),
    "correct event N, or say that it never happened; later events are played again. "
    "answer=no answers its question in another way (answer=yes,no: two questions). "
    "drop=14,15 leaves later events out, keep=16 keeps a reaction that has lost its cause",
    read_line=_read_amend,
    blank=Amend(0),
    held=_held,
    with_ids=_with_ids,
    in_history=False,
    title=_title,
)
