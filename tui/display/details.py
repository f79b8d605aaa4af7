"""What is behind an event, line by line: dice, terms with their total, steps, changes and rules."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.encounter.events import Event, ids_in, results_of, subject_of, tables_in
from systems.encounter.model import FOREVER
from systems.frozen import frozen
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.values import as_words
from systems.text import clean, plain_number, spoken


@frozen
class DetailLine:
    """One line: what, how much, why. `head`: a heading above such lines."""

    label: str
    value: str = ""
    note: str = ""
    head: bool = False


def has_numbers(result: Mapping[str, Any]) -> bool:
    """Return whether a result of an event has terms or steps behind its sentence."""
    return bool(result.get("terms") or result.get("steps"))


def details_of(event: Event, names: Mapping[str, str], fields: Mapping[str, Field]) -> list[DetailLine]:
    """Return all that is behind an event.

    `names`: of the combatants, by id. `fields`: of the game's sheets.
    """
    lines = list(_dice(tables_in(event, "rolls"), names))
    explained = [result for result in results_of(event) if has_numbers(result)]
    # A die that is a term stands there, and not among the other dice.
    sums = [[(term, _take_die(term, lines)) for term in tables_in(result, "terms")] for result in explained]
    for result, terms in zip(explained, sums, strict=True):
        if len(explained) > 1:
            who = subject_of(result)
            lines.append(DetailLine(names.get(who, clean(who, 60)), head=True))
        lines += _sum(terms)
        lines += [_step(step) for step in tables_in(result, "steps")]
    lines += _changes(tables_in(event, "changes"), names, fields)
    rules = dict.fromkeys(rule for result in results_of(event) for rule in ids_in(result, "rules"))
    if rules:
        lines.append(DetailLine("rules", clean(" ".join(rules), 300)))
    return lines


def _step(step: Mapping[str, Any]) -> DetailLine:
    label, value, note = (clean(str(step.get(part, "")), 200) for part in ("label", "value", "note"))
    return DetailLine(label, value, note)


def _dice(rolls: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[DetailLine]:
    for roll in rolls:
        who = str(roll.get("of", ""))
        why = clean(str(roll.get("why", "")), 80)
        of = names.get(who, "" if who == "gm" else who)
        note = ", ".join(part for part in (why, of) if part)
        yield DetailLine(f"d{roll.get('sides')}", str(roll.get("face")), note)


def _number(term: Mapping[str, Any]) -> str:
    return plain_number(int(term.get("value", 0)))


def _take_die(term: Mapping[str, Any], dice: list[DetailLine]) -> str:
    """Take the die that is this term out of `dice`; what it was for, "" where the term is no die."""
    for die in dice:
        if (die.label, die.value) == (term.get("label"), _number(term)):
            dice.remove(die)
            return die.note
    return ""


def _sum(terms: Sequence[tuple[Mapping[str, Any], str]]) -> list[DetailLine]:
    """The terms, each with what its die was for, and their total where there are several."""
    lines = []
    for term, die_note in terms:
        label, note = (clean(str(term.get(part, "")), 200) for part in ("label", "note"))
        lines.append(DetailLine(label, _number(term), note or die_note))
    if len(lines) > 1:
        total = sum(int(term.get("value", 0)) for term, _ in terms)
        lines.append(DetailLine("total", plain_number(total)))
    return lines


def _changes(
    changes: Sequence[Mapping[str, Any]], names: Mapping[str, str], fields: Mapping[str, Field]
) -> Iterator[DetailLine]:
    """What changed on each sheet. Round and turn are left out: the sentence tells them."""
    changed: dict[str, list[str]] = {}
    for change in changes:
        who, field = str(change.get("who", "")), str(change.get("field", ""))
        if who and field.startswith(("sheet.", "conditions")):
            known = fields.get(field.removeprefix("sheet."))
            label = clean(known.label if known else spoken(field.removeprefix("sheet.")), 80)
            before, after = change.get("before"), change.get("after")
            inside = list(_inside(before, after, names, known)) if field.startswith("sheet.") else []
            whole = f"{label} {_word(before, names)} → {_word(after, names)}"
            changed.setdefault(who, []).extend(inside or [whole])
    for who, what in changed.items():
        yield DetailLine(names.get(who, clean(who, 60)), "", ", ".join(what))


def _inside(before: Any, after: Any, names: Mapping[str, str], field: Field | None) -> Iterator[str]:
    """What changed in entries that are all still there, such as the shots in a weapon."""
    labels: dict[str, str] = {}
    if field is not None and isinstance(field.type, Entries):
        labels = {name: inner.label for name, inner in fields_of(field.type.of).items()}
    if not (isinstance(before, list) and isinstance(after, list) and len(before) == len(after)):
        return
    for old, new in zip(before, after, strict=True):
        if not (isinstance(old, Mapping) and isinstance(new, Mapping) and old.get("name") == new.get("name")):
            return
        for part in dict.fromkeys((*old, *new)):
            if old.get(part) != new.get(part):
                # What had stood at its default is not written down.
                steps = (_word(entry[part], names) for entry in (old, new) if part in entry)
                yield f"{_named(new, names)} {clean(labels.get(part, spoken(part)), 80)} {' → '.join(steps)}"


def _word(value: Any, names: Mapping[str, str]) -> str:
    """A value before or after a change; conditions with how long they last."""
    match value:
        case [Mapping(), *_] if "name" in value[0]:
            return ", ".join(_named(entry, names) for entry in value)
        case Mapping() if "name" in value:
            return _named(value, names)
    return as_words(value, 60)


def _named(value: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """What has a name; of a condition also how strong it is and until when it lasts."""
    words = clean(str(value["name"]).replace("_", " "), 60)
    if isinstance(value.get("value"), int):
        words += f" {value['value']}"
    last, until = value.get("last_round"), value.get("until")
    if isinstance(last, int) and last < FOREVER:
        words += f" through round {last}"
    if until:
        who = str(value.get("of", ""))
        words += f" until the {until} of {names.get(who, clean(who, 60))}'s turn"
    return words
