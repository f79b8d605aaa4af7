"""The details of an event, line by line: dice, terms with their total, steps, changes and rules."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, cast

from systems.contract.marked_text import possessive
from systems.contract.outcome import Step, Term
from systems.contract.ruleset import Ruleset
from systems.dice.sources import Roll, TotalRoll
from systems.encounter.events import Change, Event, Result
from systems.encounter.model import FOREVER
from systems.frozen import frozen
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import Choice
from systems.schema.values import as_words
from systems.text import clean, plain_number, signed, spoken

# Pools of at least this many dice are listed by size, not in rolling order.
LARGE_POOL = 4
# The kinds of lines: a heading, dice, a term that counts or does not, a total, a later step, a change on a
# sheet, the rules.
DetailKind = Literal["head", "dice", "term", "unused", "total", "step", "change", "rules"]


@frozen
class DetailLine:
    """One line: label, value, reason."""

    label: str
    value: str = ""
    note: str = ""
    kind: DetailKind = "step"

    @property
    def head(self) -> bool:
        """Return whether this is a heading above other lines."""
        return self.kind == "head"


def has_numbers(result: Result) -> bool:
    """Return whether a result of an event has terms or steps."""
    return bool(result.terms or result.steps)


def details_of(event: Event, names: Mapping[str, str], game: Ruleset) -> list[DetailLine]:
    """Return all details of an event.

    `names`: of the combatants, by id. `game`: names fields and conditions.
    """
    dice = list(_dice(event.rolls, names))
    explained = [result for result in event.results if has_numbers(result)]
    sums = [result.terms for result in explained]
    is_shared = len(sums) > 1 and all(terms == sums[0] for terms in sums)
    if is_shared:
        # A roll against several appears once, above its effects on each.
        sums[1:] = [()] * (len(sums) - 1)
    steps = [result.steps for result in explained]
    thrown = [step.terms for each in steps for step in each]
    # Dice that are a term appear there, not among the others: single ones first, then whole pools.
    every = [term for terms in (*sums, *thrown) for term in terms]
    notes = {id(term): _take_die(term, dice) for term in every}
    pools = list(_pools(dice))
    notes |= {id(term): _take_die(term, pools) for term in every if not notes[id(term)]}
    lines = pools
    for result, terms, after in zip(explained, sums, steps, strict=True):
        summed = _sum(terms, notes)
        lines += summed if is_shared else []
        if len(explained) > 1:
            who = result.subject
            lines.append(DetailLine(names.get(who, clean(who, 60)), kind="head"))
        lines += [] if is_shared else summed
        for step in after:
            lines += _step(step, notes)
    lines += change_lines(event.changes, names, game)
    rules = dict.fromkeys(rule for result in event.results for rule in result.rules)
    if rules:
        lines.append(DetailLine("rules", "", clean(" ".join(rules), 300), "rules"))
    return lines


def _step(step: Step, notes: Mapping[int, str]) -> list[DetailLine]:
    """Return the lines of a step; a step that is a sum with all its terms."""
    label, value, note = (clean(part, 200) for part in (step.label, step.value, step.note))
    return _sum(step.terms, notes, label, note) if len(step.terms) > 1 else [DetailLine(label, value, note)]


def _dice(rolls: Sequence[Roll | TotalRoll], names: Mapping[str, str]) -> Iterator[DetailLine]:
    for roll in rolls:
        of = names.get(roll.of, "" if roll.of == "gm" else roll.of)
        note = ", ".join(part for part in (clean(roll.why, 80), of) if part)
        if isinstance(roll, TotalRoll):
            yield DetailLine(clean(roll.dice, 40), str(roll.total), note, "dice")
        else:
            yield DetailLine(f"d{roll.sides}", str(roll.face), note, "dice")


def _pools(dice: Sequence[DetailLine]) -> Iterator[DetailLine]:
    """Yield the dice, with equal ones for the same reason as one pool: `6d6 23 (1 2 4 5 5 6)`."""
    for _, group in groupby(dice, lambda die: (die.label, die.note)):
        first, *more = group
        faces = [die.value for die in (first, *more)]
        is_die = first.label.startswith("d")  # not several dice with their total
        if is_die and more and all(face.lstrip("-").isdecimal() for face in faces):
            thrown = f"({' '.join(faces if len(faces) < LARGE_POOL else sorted(faces, key=int))})"
            note = f"{thrown} {first.note}".strip()
            yield DetailLine(f"{len(faces)}{first.label}", plain_number(sum(map(int, faces))), note, "dice")
        else:
            yield from (first, *more)


def _take_die(term: Term, dice: list[DetailLine]) -> str:
    """Remove the die or pool of this term from `dice`; return its purpose, or "" if the term is not a die."""
    number = plain_number(term.value)
    for die in dice:
        if die.value == number and die.label.lstrip("0123456789") == term.label.lstrip("0123456789"):
            dice.remove(die)
            return die.note
    return ""


def _sum(
    terms: Sequence[Term], dice_notes: Mapping[int, str], total: str = "total", why: str = ""
) -> list[DetailLine]:
    """Yield the terms, each with the purpose of its dice, and their total if there are several.

    Each after the first has its sign. A term of 0 with a reason did not count. `dice_notes`: by the `id` of a
    term.
    """
    lines: list[DetailLine] = []
    for term in terms:
        label, note = clean(term.label, 200), clean(term.note, 200)
        value, kind = term.value, "unused" if not term.value and note else "term"
        follows = value > 0 and any(line.kind == "term" for line in lines)
        number = signed(value) if follows else plain_number(value)
        lines.append(DetailLine(label, number, note or dice_notes[id(term)], cast(DetailKind, kind)))
    if len(lines) > 1:
        lines.append(DetailLine(total, plain_number(sum(term.value for term in terms)), why, "total"))
    return lines


def change_lines(changes: Sequence[Change], names: Mapping[str, str], game: Ruleset) -> Iterator[DetailLine]:
    """Return a line for each sheet that changes change. `names`: of the combatants, by id."""
    return _Changes(names, game).lines(changes)


class _Changes:
    """Changes on the sheets, in words. `names`: of the combatants, by id."""

    def __init__(self, names: Mapping[str, str], game: Ruleset) -> None:
        self.names, self.game = names, game
        self.fields = fields_of(game.sheet)

    def lines(self, changes: Sequence[Change]) -> Iterator[DetailLine]:
        """Yield a line for each sheet. The sentence already has round and turn."""
        changed: dict[str, list[str]] = {}
        for change in changes:
            who, name = change.who, change.field
            if who and name.startswith("sheet."):
                changed.setdefault(who, []).extend(self._field(name.removeprefix("sheet."), change))
            elif who and name.startswith("conditions"):
                before, after = self._held(change.before), self._held(change.after)
                changed.setdefault(who, []).append(f"{clean(spoken(name), 80)} {before} → {after}")
        for who, what in changed.items():
            if what:
                yield DetailLine(self._called(who), "", ", ".join(what), "change")

    def _called(self, who: str) -> str:
        return self.names.get(who, clean(who, 60))

    def _field(self, name: str, change: Change) -> Sequence[str]:
        """Return the words of a changed field; for a list with the same entries, the changes inside them."""
        field, before, after = self.fields.get(name), change.before, change.after
        if field is not None and field.internal:
            return []
        label = clean(field.label if field else spoken(name), 80)
        inside = list(self._inside(before, after, field))
        return inside or [f"{label} {self._word(before, field)} → {self._word(after, field)}"]

    def _inside(self, before: Any, after: Any, field: Field | None) -> Iterator[str]:
        inner: Mapping[str, Field] = {}
        if field is not None and isinstance(field.type, Entries):
            inner = fields_of(field.type.of)
        if not (isinstance(before, list) and isinstance(after, list) and len(before) == len(after)):
            return
        for old, new in zip(before, after, strict=True):
            named = isinstance(old, Mapping) and isinstance(new, Mapping)
            if not named or old.get("name") != new.get("name"):
                return
            for part in dict.fromkeys((*old, *new)):
                if old.get(part) != new.get(part):
                    known = inner.get(part)
                    # A value at its default is not stored.
                    steps = (self._word(entry[part], known) for entry in (old, new) if part in entry)
                    label = clean(known.label if known else spoken(part), 80)
                    yield f"{clean(str(new.get('name')), 60)} {label} {' → '.join(steps)}"

    def _word(self, value: Any, field: Field | None) -> str:
        """Return a value before or after a change."""
        if field is not None and isinstance(field.type, Choice) and value is not None:
            return clean(self.game.choice_words(value), 60)
        return as_words(value, 60)

    def _held(self, conditions: Any) -> str:
        """Return conditions before or after a change, with their values and ends."""
        held = conditions if isinstance(conditions, list) else []
        return ", ".join(self._condition(each) for each in held if isinstance(each, Mapping)) or "none"

    def _condition(self, held: Mapping[str, Any]) -> str:
        words = clean(self.game.condition_label(str(held.get("name", ""))), 60)
        if isinstance(held.get("value"), int):
            words += f" {held['value']}"
        last, until = held.get("last_round"), held.get("until")
        if isinstance(last, int) and last < FOREVER:
            words += f" through round {last}"
        if until:
            whose = possessive(self._called(str(held.get("of", ""))))
            words += f" until the {until} of {whose} turn"
        if held.get("apart"):
            words += f" from {self._called(str(held.get('source', '')))}"
        if save := held.get("save"):
            words += f", {clean(str(save), 60)} save {held.get('difficulty', '')}".rstrip()
        if isinstance(held.get("escape"), int):
            words += f", escape {held['escape']}"
        return words
