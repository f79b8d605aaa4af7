"""The command `start`: begin the fight, with the initiative that players rolled."""

import re
from collections.abc import Sequence

from systems.commands.declaration import CommandKind, Recorded
from systems.commands.membership import bring_up_to_date
from systems.commands.reorder import set_surprised, set_totals
from systems.commands.transaction import Transaction
from systems.commands.turns import start
from systems.encounter.events import Event
from systems.frozen import evolve, frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine, Word
from systems.text import shown

# The beginning of a total.
_NUMBER = re.compile(r"[+\-\u2212]?[0-9].*")


@frozen
class Start(Intent):
    """Begin the fight. `as_prepared`: leave the players' characters as prepared.

    `totals`: the initiative totals that players rolled, as (who, total). `surprised`: the words or ids of the
    surprised combatants.
    """

    as_prepared: bool = False
    totals: tuple[tuple[str, int], ...] = ()
    surprised: tuple[str, ...] = ()


def _read(taken: TokenLine) -> Intent:
    as_prepared = False
    if word := taken.take_word("as"):
        if not taken.take_word("prepared"):
            raise word.wrong("type: start as prepared", names_word=True)
        as_prepared = True
    taken.words = _without_signs(taken.words)
    totals, surprised = _named(taken)
    for who in tuple(taken.options):  # mira=14
        word = taken.options.pop(who)
        taken.words = [evolve(word, text=word.text.strip(","))]
        totals.append((who, taken.take_number(f"the initiative of {shown(who)}")))
    return Start(as_prepared, tuple(totals), tuple(surprised))


def _named(taken: TokenLine) -> tuple[list[tuple[str, int]], list[str]]:
    """Take names with totals, and names of the surprised: `mira 14, elin, tavi surprised`. Raises Misread."""
    totals: list[tuple[str, int]] = []
    surprised: list[str] = []
    names: list[Word] = []
    while taken.words or names:
        if names and taken.take_word("surprised"):
            surprised += [name.text for name in names]
            names = []
        elif len(names) == 1 and (not taken.words or taken.words[0].is_plain(_NUMBER)):
            who = names.pop().text
            totals.append((who, taken.take_number(f"the initiative of {shown(who)}")))
        elif taken.words and not (names and taken.words[0].is_plain(_NUMBER)):
            names.append(taken.take("the name"))
        else:
            who, word = names[0].text, names[1]
            says = f"the initiative of {shown(who)}: expected a whole number, got {shown(word.text)}"
            raise word.wrong(says, names_word=True)
    return totals, surprised


def _without_signs(words: Sequence[Word]) -> list[Word]:
    """Return the words without the commas and equals signs before, between and after them."""
    found: list[Word] = []
    for word in words:
        parts = () if word.quoted else re.finditer(r"[^,=]+", word.text)
        found += (Word(part[0], word.start + part.start(), word.start + part.end()) for part in parts)
        found += [word] * word.quoted
    return found


def _carry_out(transaction: Transaction, intent: Start) -> None:
    if not intent.as_prepared and not transaction.encounter.progress.round:
        bring_up_to_date(transaction, transaction.entries)
    set_totals(transaction, intent.totals)
    start(transaction, set_surprised(transaction, intent.surprised))


def _held(event: Event, blank: Start) -> Intent:
    totals = event.options.get("totals")
    known = tuple(totals) if isinstance(totals, list | tuple) else ()
    among = event.options.get("surprised")
    surprised = tuple(map(str, among)) if isinstance(among, list | tuple) else ()
    called = tuple(zip(event.targets, known, strict=False))
    return evolve(blank, totals=called, surprised=surprised)


def _with_ids(intent: Start, recorded: Recorded) -> Intent:
    ids = recorded.event.targets or tuple(recorded.id(who) for who, _ in intent.totals)
    called = tuple(zip(ids, (total for _, total in intent.totals), strict=False))
    among = recorded.event.options.get("surprised")
    surprised = tuple(map(str, among)) if isinstance(among, list | tuple) else intent.surprised
    return evolve(intent, totals=called, surprised=surprised)


START = CommandKind(
    "start",
    ("start [as prepared] [WHO VALUE] [TARGETS surprised]",),
    "begin the fight, with any initiative totals given: start okado 14 tamsin 9; players' characters are "
    "updated from the roster, except for values that you prepared",
    _read,
    carry_out=_carry_out,
    blank=Start(),
    held=_held,
    with_ids=_with_ids,
    title=lambda described: "the start of the fight",
)
