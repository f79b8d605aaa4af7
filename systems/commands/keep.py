"""The command `keep`: when a fight is over, what the players' characters keep goes to the roster.

What there is to keep: the figures that outlast an encounter and differ from the roster. The event says which
fields of which roster entries change; whoever saves it writes them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.commands.transaction import Transaction
from systems.contract.ruleset import Ruleset
from systems.encounter.lookup import single
from systems.encounter.model import Combatant, Encounter
from systems.encounter.roster import RosterChange
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Keep
from systems.schema.conversion import plain_of
from systems.schema.entries import differing_parts
from systems.schema.fields import fields_of
from systems.schema.types import Choice
from systems.schema.values import as_words
from systems.sheets import kept_fields
from systems.text import before_and_after, clean

LONGEST_NOTE = 400
_NOTES = "notes"


@frozen
class Keepable:
    """One thing that a character may keep, and in words what it comes to."""

    who: str
    name: str
    change: RosterChange
    says: str

    @property
    def key(self) -> str:
        """Return how it is typed: `okado.life`."""
        return f"{self.who}.{self.change.field}"


def figures_kept(game: Ruleset, sheet: Any, combatant: Combatant, *, is_player: bool) -> dict[str, Any]:
    """Return the fields in which a combatant differs from its roster's sheet and that outlast the encounter.

    What the tracker fills in for a fight, and what a sheet is called, is not among them. Raises Wrong
    when the game cannot say what it fills in.
    """
    filled = {"name", *game.join(combatant.sheet, is_player)}
    if (combatant.sheet.notes or "") in (sheet.notes or ""):
        filled.add(_NOTES)  # the roster has more of them
    kept = kept_fields(sheet, combatant.sheet)
    return {name: value for name, value in kept.items() if name not in filled}


def keepable(encounter: Encounter, roster: Mapping[str, Any]) -> tuple[Keepable, ...]:
    """Return everything that the players' characters may keep, by character. Raises Wrong."""
    own = getattr(roster, "own", roster)
    found: list[Keepable] = []
    for combatant in encounter.in_line():
        entry = own.get(combatant.state.kind or combatant.id)
        if entry is not None and encounter.is_player(combatant):
            found += _figures(encounter, entry, combatant)
    return tuple(found)


def _entry_id(combatant: Combatant) -> str:
    return combatant.state.kind or combatant.id


def _figures(encounter: Encounter, entry: Any, combatant: Combatant) -> Iterator[Keepable]:
    kept = figures_kept(encounter.game, entry.sheet, combatant, is_player=True)
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
    """Return what differs between two values, as (label, before, after); of tables the names that differ."""
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return differing_parts(before, after)
    names = (name for name in {**before, **after} if before.get(name) != after.get(name))
    return [(name.replace("_", " "), before.get(name), after.get(name)) for name in names]


def keep(transaction: Transaction, roster: Mapping[str, Any], intent: Keep) -> None:
    """Keep what is named. Raises Refused while the fight goes on, and for what there is not to keep."""
    here = transaction.encounter
    if not here.progress.over:
        raise Refused("the fight is not over; end it first")
    chosen = _chosen(here, keepable(here, roster), intent.names)
    whose, note = _for_whom(here, intent.note)
    notes = _noted(here, roster, whose, note)
    if not chosen and not notes:
        raise Refused("the roster has it all already")
    transaction.record(
        targets=list(dict.fromkeys(each.who for each in chosen)),
        fields=[each.key for each in chosen],
        note=intent.note,
    )
    transaction.roster = (*(each.change for each in chosen), *notes)
    for who in dict.fromkeys(each.who for each in chosen):
        said = ", ".join(each.says for each in chosen if each.who == who)
        transaction.say(f"{here.combatants[who].name} keeps: {said}.", [who], seen="gm")
    if notes:
        whom = f" for {whose.name}" if whose else ""
        transaction.say(f"Noted{whom}: {note}.", seen="gm")


def _chosen(here: Encounter, known: Sequence[Keepable], names: str) -> list[Keepable]:
    """Return what is named: `all`, a character, or a field of one, with commas between them."""
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
                what = f" of {clean(field, 40)}" if dot else ""
                raise Refused(f"there is nothing{what} that {here.combatants[who].name} could keep")
        found += exact
    return list({each.key: each for each in found}.values())


def _for_whom(here: Encounter, note: str) -> tuple[Combatant | None, str]:
    """Return whom a note is for, None for the whole party, and what it says: `okado: 30 gold` is Okado's.

    Raises Refused for a mistyped name of a player's character.
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
    here: Encounter, roster: Mapping[str, Any], whose: Combatant | None, text: str
) -> list[RosterChange]:
    """Return the changes that write a note to somebody's sheet, or to those of the whole party."""
    if not text:
        return []
    party = [whose] if whose else [each for each in here.in_line() if here.is_player(each)]
    own = getattr(roster, "own", roster)
    found = {}
    for combatant in party:
        if (entry := own.get(_entry_id(combatant))) is not None:
            before = entry.sheet.notes
            after = text if not before else before + ("\n" if "\n" in before else "; ") + text
            found[_entry_id(combatant)] = RosterChange(_entry_id(combatant), _NOTES, before, after)
    return list(found.values())
