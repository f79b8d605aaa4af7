"""The command `keep`: when a fight is over, save what the players' characters keep to the roster.

Characters can keep the values that outlast an encounter and differ from the roster. A rest can come first
(see rests.py). The event lists the changed fields of roster entries. The program that saves the event also
writes them to the roster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from systems.commands.declaration import CommandKind, Recorded
from systems.commands.effects import sync_conditions
from systems.commands.rests import Denied, RestoredValue, restored
from systems.commands.transaction import Transaction
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event
from systems.encounter.lookup import single
from systems.encounter.model import Combatant, Encounter
from systems.encounter.roster import JoiningEntry, RosterChange, own_entries
from systems.errors import Refused
from systems.frozen import evolve, frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine
from systems.schema.conversion import plain_of, replace
from systems.schema.entries import differing_parts
from systems.schema.fields import fields_of
from systems.schema.types import Choice
from systems.schema.values import as_words
from systems.sheets import kept_fields
from systems.text import before_and_after, clean


@frozen
class Keep(Intent):
    """Save values of characters to the roster.

    `names`: `all`, characters, or their fields, separated by commas. `note`: added to the notes of the party,
    or of the character named before a colon. `rest`: the values that a rest restores first, named in the same
    way, or the name of a rest.
    """

    names: str
    note: str = ""
    rest: str = ""


LONGEST_NOTE = 400
_NOTES = "notes"


@frozen
class Keepable:
    """One field that a character may keep, its change in the roster, and the sentence that describes it."""

    who: str
    name: str
    change: RosterChange
    says: str

    @property
    def key(self) -> str:
        """Return the key that selects this field in a command: `okado.life`."""
        return f"{self.who}.{self.change.field}"


def saved_values(game: Ruleset, sheet: Any, combatant: Combatant, *, is_player: bool) -> dict[str, Any]:
    """Return the fields of a combatant that outlast the encounter and differ from its roster sheet.

    The fields that the tracker fills in for a fight, and the sheet's name, are left out. Raises Wrong when
    the game cannot say what it fills in.
    """
    filled = {"name", *game.join(combatant.sheet, is_player)}
    if (combatant.sheet.notes or "") in (sheet.notes or ""):
        filled.add(_NOTES)  # the roster has the same notes and more
    kept = kept_fields(sheet, combatant.sheet)
    return {name: value for name, value in kept.items() if name not in filled}


def keepable(encounter: Encounter, roster: Mapping[str, JoiningEntry]) -> tuple[Keepable, ...]:
    """Return everything that the players' characters may keep, in the order of the combatants.

    Raises Wrong.
    """
    own = own_entries(roster)
    found: list[Keepable] = []
    for combatant in encounter.in_line():
        entry = own.get(combatant.state.kind or combatant.id)
        if entry is not None and encounter.is_player(combatant) and _is_itself(combatant):
            found += _figures(encounter, entry, combatant)
    return tuple(found)


def _is_itself(combatant: Combatant) -> bool:
    """Return whether a combatant has its own form and was not brought by another one."""
    return not combatant.state.stowed and combatant.state.bringer is None


def _entry_id(combatant: Combatant) -> str:
    return combatant.state.kind or combatant.id


def _figures(encounter: Encounter, entry: JoiningEntry, combatant: Combatant) -> Iterator[Keepable]:
    kept = saved_values(encounter.game, entry.sheet, combatant, is_player=True)
    known = fields_of(type(entry.sheet))
    game = encounter.game
    for name, value in kept.items():
        before = getattr(entry.sheet, name)
        words = game.choice_words if isinstance(known[name].type, Choice) else as_words
        parts = [
            f"{label or known[name].label} {before_and_after(words(old), words(new))}"
            for label, old, new in _parts(before, value)
        ]
        change = RosterChange(_entry_id(combatant), name, plain_of(before), plain_of(value))
        yield Keepable(combatant.id, combatant.name, change, ", ".join(parts))


def _parts(before: Any, after: Any) -> Sequence[tuple[str, Any, Any]]:
    """Return the differences between two values, as (label, before, after).

    For tables: one for each changed name.
    """
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return differing_parts(before, after)
    names = (name for name in {**before, **after} if before.get(name) != after.get(name))
    return [(name.replace("_", " "), before.get(name), after.get(name)) for name in names]


def restorable(
    encounter: Encounter, roster: Mapping[str, JoiningEntry]
) -> tuple[RestoredValue | Denied, ...]:
    """Return what the game's rests restore to the party, the shortest rest first. Raises Wrong."""
    own = own_entries(roster)
    found = [
        each
        for combatant in encounter.in_line()
        if _entry_id(combatant) in own and encounter.is_player(combatant)
        for each in restored(encounter, combatant)
    ]
    rests = [rest.name for rest in encounter.game.rests]
    return tuple(sorted(found, key=lambda each: rests.index(each.rest.name)))


def keep(transaction: Transaction, roster: Mapping[str, JoiningEntry], intent: Keep) -> None:
    """Carry out `keep`. Raises Refused while the fight lasts, and for a value that cannot be kept."""
    here = transaction.encounter
    if not here.progress.over:
        raise Refused("the fight is not over; end it first")
    chosen = _chosen(here, keepable(here, roster), intent.names)
    figures = _rested(here, restorable(here, roster), intent.rest) if intent.rest else []
    whose, note = _for_whom(here, intent.note)
    notes = _noted(here, roster, whose, note)
    if not chosen and not notes and not figures:
        raise Refused("nothing to save: the roster has these values already")
    transaction.record(
        targets=dict.fromkeys([*(each.who for each in chosen), *(each.who for each in figures)]),
        fields=[each.key for each in chosen],
        rest=[each.key for each in figures] or None,
        note=intent.note,
    )
    transaction.roster = (*_written(here, roster, chosen, figures), *notes)
    for who in dict.fromkeys(each.who for each in chosen):
        said = ", ".join(each.says for each in chosen if each.who == who)
        transaction.say(f"{here.combatants[who].name} keeps: {said}.", [who], seen="gm")
    _rest(transaction, figures)
    if notes:
        whom = f" for {whose.name}" if whose else ""
        transaction.say(f"Noted{whom}: {note}.", seen="gm")


def _rest(transaction: Transaction, figures: Sequence[RestoredValue]) -> None:
    """Apply restored values to the combatants after the fight, and report them."""
    for who in dict.fromkeys(each.who for each in figures):
        theirs = [each for each in figures if each.who == who]
        combatant = transaction.combatant(who)
        sheet = _with_all(combatant.sheet, theirs)
        transaction.put(sync_conditions(transaction.encounter, evolve(combatant, sheet=sheet)))
        for title in dict.fromkeys(each.rest.title for each in theirs):
            said = ", ".join(each.says for each in theirs if each.rest.title == title)
            transaction.say(f"{combatant.name} after {title}: {said}.", [who], seen="gm")


def _with_all(sheet: Any, figures: Iterable[RestoredValue]) -> Any:
    for each in figures:
        sheet = each.put_on(sheet)
    return sheet


def _written(
    here: Encounter,
    roster: Mapping[str, JoiningEntry],
    chosen: Sequence[Keepable],
    figures: Sequence[RestoredValue],
) -> list[RosterChange]:
    """Return the roster changes: the kept values plus the values that a rest restores."""
    changes = {(each.change.entry, each.change.field): each.change for each in chosen}
    for who in dict.fromkeys(each.who for each in figures):
        combatant, theirs = here.combatants[who], [each for each in figures if each.who == who]
        entry = _entry_id(combatant)
        sheet = own_entries(roster)[entry].sheet
        fields = list(dict.fromkeys(each.field for each in theirs))
        kept = {name: getattr(combatant.sheet, name) for name in fields if (entry, name) in changes}
        after = _with_all(replace(sheet, **kept), theirs)
        for name in fields:
            before = plain_of(getattr(sheet, name))
            changes[entry, name] = RosterChange(entry, name, before, plain_of(getattr(after, name)))
    return [change for change in changes.values() if change.before != change.after]


def _rested(here: Encounter, known: Sequence[RestoredValue | Denied], names: str) -> list[RestoredValue]:
    """Return the values that `rest=` selects: `all`, a rest, a character or a value, separated by commas.

    A character alone means the shortest rest. Raises Refused for a value that no rest restores.
    """
    rests = [rest.name for rest in here.game.rests]
    if not rests:
        raise Refused(f"{here.game.title} has no rests; leave rest= out")
    found: list[RestoredValue] = []
    for word in filter(None, (part.strip() for part in names.split(","))):
        exact = [each for each in known if isinstance(each, RestoredValue) and each.key == word]
        if not exact:
            rest, _, figure = word.partition(".")
            if rest not in rests:
                rest, figure = rests[0], word
            exact = _of_rest(here, [each for each in known if each.rest.name == rest], figure or "all")
        found += exact
    return list({(each.who, each.field, each.entry): each for each in found}.values())


def _of_rest(here: Encounter, known: Sequence[RestoredValue | Denied], figure: str) -> list[RestoredValue]:
    """Return the selected values of one rest:

    `all`, those of a character, or a single one. Raises Refused.
    """
    restores = [each for each in known if isinstance(each, RestoredValue)]
    if figure.casefold() == "all":
        if not restores:
            raise Refused("the rest restores nothing for the party")
        return restores
    name, dot, field = figure.partition(".")
    combatant = single(here, name)
    for each in known:
        if isinstance(each, Denied) and each.who == combatant.id:
            raise Refused(f"{combatant.name} cannot rest: {each.says}")
    theirs = [each for each in restores if each.who == combatant.id]
    chosen = [each for each in theirs if not dot or field in (each.field, f"{each.field}.{each.entry}")]
    if not chosen:
        what = f"no {clean(field, 40)}" if dot else "nothing"
        raise Refused(f"the rest restores {what} for {combatant.name}")
    return chosen


def _chosen(here: Encounter, known: Sequence[Keepable], names: str) -> list[Keepable]:
    """Return what the names select: `all`, a character, or one of its fields, separated by commas."""
    found: list[Keepable] = []
    for word in filter(None, (part.strip() for part in names.split(","))):
        if word.casefold() == "none":
            continue
        if word.casefold() == "all":
            found += known
            continue
        exact = [each for each in known if each.key == word]
        if not exact:
            name, dot, field = word.partition(".")
            who = single(here, name).id
            theirs = [each for each in known if each.who == who]
            exact = [each for each in theirs if each.change.field == field or not dot]
            if not exact:
                what = f"no change of {clean(field, 40)}" if dot else "nothing"
                raise Refused(f"{here.combatants[who].name} has {what} to keep")
        found += exact
    return list({each.key: each for each in found}.values())


def _for_whom(here: Encounter, note: str) -> tuple[Combatant | None, str]:
    """Return the combatant that a note is for, or None for the whole party, and the note's text.

    `okado: 30 gold` is a note for Okado. Raises Refused for a mistyped name of a player's character.
    """
    text = clean(note, LONGEST_NOTE)
    name, colon, rest = text.partition(":")
    if not colon or not rest.strip():
        return None, text
    try:
        return single(here, name.strip()), rest.strip()
    except Refused as error:
        near = here.combatants.get(error.suggestion)
        if near is not None and here.is_player(near):
            raise Refused(f"{error} A note for the whole party needs no colon") from None
        return None, text


def _noted(
    here: Encounter, roster: Mapping[str, JoiningEntry], whose: Combatant | None, text: str
) -> list[RosterChange]:
    """Return the roster changes that add a note to one character's sheet, or to every sheet of the party."""
    if not text:
        return []
    party = [whose] if whose else [each for each in here.in_line() if here.is_player(each)]
    own = own_entries(roster)
    found = {}
    for combatant in party:
        if (entry := own.get(_entry_id(combatant))) is not None:
            before = entry.sheet.notes
            after = text if not before else before + ("\n" if "\n" in before else "; ") + text
            found[_entry_id(combatant)] = RosterChange(_entry_id(combatant), _NOTES, before, after)
    return list(found.values())


def _read(taken: TokenLine) -> Intent:
    names = taken.take_targets()
    note = taken.take_option("note")
    rest = taken.take_option("rest")
    if taken.words and taken.words[0].says("rest"):
        raise taken.words[0].wrong('rest needs a value after =, such as "keep all rest=all"')
    return Keep(names, note.text if note else "", rest.text if rest else "")


def _held(event: Event, blank: Keep) -> Intent:
    names, rest = (",".join(map(str, event.options.get(name) or ())) for name in ("fields", "rest"))
    return Keep(names, str(event.options.get("note", "")), rest)


def _with_ids(intent: Keep, recorded: Recorded) -> Intent:
    return _held(recorded.event, intent)


KEEP = CommandKind(
    "keep",
    ("keep TARGETS [rest=TARGETS] [note=TEXT]",),
    "after the fight: save characters to the roster, such as all, okado or okado.life; "
    "rest=all rests the party first",
    _read,
    carry_out=lambda transaction, intent: keep(transaction, transaction.entries, intent),
    blank=Keep(""),
    held=_held,
    with_ids=_with_ids,
    in_history=False,
    title=lambda described: "saving to the roster",
)
