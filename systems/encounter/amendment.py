"""Describe what an amendment of an earlier event changed, from the data of its event."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from systems.contract.marked_text import possessive
from systems.contract.outcome import Answer
from systems.contract.table import interruption_of
from systems.dice.sources import Roll, TotalRoll
from systems.encounter.events import Event, Sentence, combatants_in, names_in
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.frozen import frozen
from systems.schema.values import as_typed
from systems.text import clean, spoken

_MOST_NAMED = 4
AnyRoll = Roll | TotalRoll
Item = tuple[str, Collection[str]]  # words, and the ids of the combatants that they are about


@frozen
class Revision:
    """One event before and after an amendment; `after` is None if the amendment dropped it.

    `spared`: dice that are no longer needed. `added`: dice that are newly needed. `unasked`: answers to
    questions that are no longer asked.
    """

    number: int
    before: Event
    after: Event | None
    spared: tuple[AnyRoll, ...] = ()
    added: tuple[AnyRoll, ...] = ()
    unasked: tuple[Answer, ...] = ()

    @property
    def reads_differently(self) -> bool:
        return self.after is None or self.before.text != self.after.text


def revisions(log: History, amendment: Event) -> list[Revision]:
    """Return what an amendment changed, oldest event first. `log`: the log before the amendment."""
    found = [_dropped(log, number) for number in amendment.dropped]
    found += [_replaced(log, event) for event in amendment.replaced]
    return sorted(found, key=lambda revision: revision.number)


def _dropped(log: History, number: int) -> Revision:
    before = _event(log, number)
    return Revision(number, before, None, before.rolls, unasked=before.answers)


def _replaced(log: History, after: Event) -> Revision:
    before = _event(log, after.n)
    old, new = before.rolls, after.rolls
    asked = {(answer.of, answer.question) for answer in after.answers}
    unasked = tuple(answer for answer in before.answers if (answer.of, answer.question) not in asked)
    return Revision(after.n, before, after, tuple(_beyond(old, new)), tuple(_beyond(new, old)), unasked)


def _event(log: History, number: int) -> Event:
    return log.amended.get(number) or log.event(number)


def _beyond(dice: Sequence[AnyRoll], others: Sequence[AnyRoll]) -> Iterator[AnyRoll]:
    """Yield the dice that have no match among the others. Dice match by owner, reason and number of sides."""
    counts: dict[tuple[object, ...], int] = {}
    for die in others:
        counts[_kind(die)] = counts.get(_kind(die), 0) + 1
    for die in dice:
        left = counts.get(_kind(die), 0)
        counts[_kind(die)] = left - 1
        if left <= 0:
            yield die


def _kind(die: AnyRoll) -> tuple[object, ...]:
    return die.of, die.why, die.dice if isinstance(die, TotalRoll) else die.sides


def names_of(encounter: Encounter) -> dict[str, str]:
    """Return the names of the combatants in a fight, by id."""
    return {combatant.id: clean(combatant.name, 60) for combatant in encounter}


def names_ever(encounter: Encounter, log: History) -> dict[str, str]:
    """Return the names of the combatants in a fight and of those that have left it, by id."""
    left: dict[str, str] = {}
    for event in log.events:
        left |= names_in(event)
    return left | names_of(encounter)


def amendment_sentences(
    log: History, amendment: Event, names: Mapping[str, str], title_of: Callable[[Event], str]
) -> list[Sentence]:
    """Return the sentences of an amendment for the game master. Players read the amended lines themselves.

    `title_of`: returns the title of an event.
    """
    found = revisions(log, amendment)
    number = next(iter(amendment.refs), 0)
    first = next((revision for revision in found if revision.number == number), None)
    was = _event(log, number)
    never = " did not happen" if first is not None and first.after is None else ""
    said = [_said(f"Amended: {title_of(was)} (event {number}){never}.", combatants_in(was))]
    if first is not None and first.after is not None:
        said.append(_said(first.after.text, combatants_in(first.after)))
    later = [revision for revision in found if revision.number != number and revision.reads_differently]
    if changed := sum(revision.after is not None for revision in later):
        said.append(_said(f"{changed} later line{'s read' if changed > 1 else ' reads'} differently."))
    gone = [revision.before for revision in later if revision.after is None]
    said += _list("Did not happen", [(title_of(event), combatants_in(event)) for event in gone])
    for head, items in thrown_and_asked(found, names):
        said += _list(head, items)
    since = takewhile(lambda event: event.n > number, log.newest())
    if kept := [event.n for event in since if event.command == "keep"]:
        said.append(_said(f"The values already saved to the roster stay unchanged (event {kept[0]})."))
    return said


def thrown_and_asked(found: Sequence[Revision], names: Mapping[str, str]) -> list[tuple[str, Sequence[Item]]]:
    """Return which dice and questions an amendment spares or adds, under the heading of each kind."""
    spared = [die for revision in found for die in revision.spared]
    added = [die for revision in found for die in revision.added]
    unasked = [answer for revision in found for answer in revision.unasked if answer.question]
    kinds = [
        ("No longer needed", [(_die_words(die, names), die.of) for die in spared]),
        ("Newly rolled", [(_die_words(die, names), die.of) for die in added]),
        ("No longer asked", [(_answer_words(answer, names), answer.of or "") for answer in unasked]),
    ]
    return [(head, [(words, {who} & {*names}) for words, who in items]) for head, items in kinds if items]


def _said(text: str, about: Iterable[str] = ()) -> Sentence:
    return Sentence(text, tuple(sorted(about)), seen="gm")


def _die_words(die: AnyRoll, names: Mapping[str, str]) -> str:
    """Return a die in words: `Tamsin's d6 for damage, 4`; a total: `Tamsin's 2d6 for damage, 9`."""
    why = clean(die.why, 40)
    whose = f"{possessive(names[die.of])} " if die.of in names else ""
    thrown = clean(die.dice, 40) if isinstance(die, TotalRoll) else f"d{die.sides}"
    value = die.total if isinstance(die, TotalRoll) else die.face
    return f"{whose}{thrown}{f' for {why}' if why else ''}, {value}"


def _answer_words(answer: Answer, names: Mapping[str, str]) -> str:
    """Return an answer in words: `Mage's Ember Shield, yes`."""
    whose = f"{possessive(names[answer.of])} " if answer.of and answer.of in names else ""
    about = interruption_of(answer.question) or spoken(answer.question)
    return f"{whose}{clean(about, 40)}, {clean(as_typed(answer.value), 40)}"


def _list(head: str, items: Sequence[Item]) -> list[Sentence]:
    """Return one sentence that lists the items and the number of those left out."""
    if not items:
        return []
    named = items if len(items) <= _MOST_NAMED else items[: _MOST_NAMED - 1]
    more = f"; … {len(items) - len(named)} more" if len(named) < len(items) else ""
    words = "; ".join(word for word, _ in named)
    return [_said(f"{head}: {words}{more}.", {who for _, ids in named for who in ids})]
