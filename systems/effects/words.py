"""The vocabulary of effects: one line of a creature's file says when it happens, under which conditions, and
what it does.

The names of triggers and effects follow the list in `systems/README.md`. A line can do nothing that is not a
field here: it holds no expression and no path, and every number and list is bounded.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar, cast

from systems.contract.notation import notation
from systems.contract.typed_damage import DamageText, read_damage
from systems.effects.meaning import ITSELF, Vocabulary
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.fields import Entry, choice, declare, fields_of, flag, listing, table, text, whole
from systems.schema.types import Choice, SingleWord, Text, Whole
from systems.text import listed, shown, suggestion

MOST = 9_999
MOST_PARTS = 8  # items of one list
MOST_TEXT = 120  # characters of one text
WHEN = (
    *("always", "hit", "missed", "failed", "saved", "used", "start", "end"),
    *("damaged", "bloodied", "zero", "attacked", "saving", "asked"),
)
WHOSE = ("own", "target", "foes", "allies", "others", "any")
WHO = ("target", "self", "attacker", "foes", "allies", "others", "everyone")
GROUPS = ("foes", "allies", "others", "everyone")
END_EVENTS = ("source_falls", "source_dies", "falls", "damaged", "healed")
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
CHANGES = (
    *("attacks", "attacks_on_it", "to_hit", "damage", "ac", "saves", "checks", "concentration"),
    *("speed", "healing", "temp_hp", "opportunity_attacks"),
)
# The changes that may be a die.
ROLLS = ("attacks", "attacks_on_it", "to_hit", "saves", "checks", "concentration")
DIE = re.compile(r"-?[1-9]d[1-9][0-9]?")
# What a line can do. A line without any of these has no effect.
DOES = (
    *("damage", "condition", "heal", "temp_hp", "drain", "change", "ends", "recharge", "bring", "form"),
    *("away", "choose", "use", "move", "only", "stops", "lowers", "slays"),
    *("own_conditions", "releases", "remind"),
)


@frozen
class Adjustment(Text):
    """A change of a number or a roll: an amount, a die such as 1d4, advantage or disadvantage.

    "none" means that something is not possible.
    """

    expected = "advantage, disadvantage, none, a number from -99 to 99, or a die such as 1d4 or -1d6"
    examples = ("advantage", "disadvantage", 2, -3, "1d4")

    def check(self, value: object, path: str = "") -> Any:
        if value in ("advantage", "disadvantage", "none"):
            return value
        if type(value) is int and -99 <= value <= 99:
            return value
        if isinstance(value, str) and DIE.fullmatch(value):
            return value
        raise Wrong(path, f"expected {self.expected}, got {shown(value)}", code="wrong_type")

    def typed(self, word: str, path: str = "") -> Any:
        try:
            return Whole(-99, 99).typed(word)
        except Wrong:
            return self.check(word.casefold(), path)


def _words(help: str) -> Any:
    return listing(SingleWord(), (), help)


@declare
class EffectLine(Entry):
    """One effect of a creature: when it happens, under which conditions, and what it does."""

    LINE = ("when",)
    VOCABULARY: ClassVar[Vocabulary] = Vocabulary()

    name: str = text(help="its name in the log")
    when: str = choice(WHEN, help="the moment: a hit, the start of a turn, damage and others")
    of: tuple[str, ...] = listing(
        Text(), (), "the attacks or actions that it belongs to; without them, every one"
    )
    whose: str = choice(
        WHOSE, "own", "whose turn, damage or action sets it off; foes and allies as the owner sees them"
    )
    who: str | None = choice(
        WHO,
        None,
        "the combatants that it affects",
        when_absent="the target; the owner itself at its own moments",
    )
    near: bool = flag(False, "only combatants near its owner as the command near says")

    # Conditions: the line counts only if all of them hold.
    by: str | None = choice(("melee", "ranged"), None, "the kind of attack that sets it off")
    roll: str | None = choice(
        ("advantage", "disadvantage", "critical"), None, "how the attack roll was made, or went"
    )
    target_is: tuple[str, ...] = _words("the target has one of these conditions or is hurt, bloodied, down")
    target_is_not: tuple[str, ...] = _words("the target is none of these")
    self_is: tuple[str, ...] = _words("its owner is one of these")
    self_is_not: tuple[str, ...] = _words("its owner is none of these")
    target_type: tuple[str, ...] = _words("the target is of one of these types, such as undead")
    target_type_not: tuple[str, ...] = _words("the target is of none of these types")
    size: str | None = choice(SIZES, None, "the largest size of the target")
    hp_at_most: int | None = whole(0, MOST, None, "the most hit points that the target may have")
    ally_near: bool = flag(False, "an ally of its owner that can act is near the target")
    types: tuple[str, ...] = _words("damage of one of these types")
    least: int | None = whole(1, MOST, None, "this much damage at least")
    summed: bool = flag(False, "the damage of a whole turn is added up")
    attacker_is: tuple[str, ...] = _words("the combatant that does the damage is one of these")
    said: str | None = choice(("charge",), None, "the game master says so in the options of the action")
    only: bool = flag(False, "the attacks or actions that it belongs to can be used in no other case")
    once: str | None = choice(("turn", "round", "fight"), None, "at most once in each turn, round or fight")
    uses: int | None = whole(1, 99, None, "how often it can be used until it is restored")
    recharge: int | None = whole(
        1,
        100,
        None,
        "the lowest number of the die that restores it when a turn of its owner begins; 1: always",
    )
    recharge_die: int = whole(2, 100, 6, "the sides of that die")
    spends: str | None = text(
        None, "the counter of the sheet that pays for it, which several effects may share, such as legendary"
    )
    cost: int = whole(1, 99, 1, "how much of that counter each use takes")

    # Effects
    damage: tuple[str, ...] = listing(DamageText(), (), "damage, such as 2d6 fire")
    instead: bool = flag(False, "its damage replaces that of the attack")
    save: str | None = text(None, "the ability or skill of a saving throw against it")
    dc: int | None = whole(-99, 200, None, "the number that the saving throw must reach")
    dc_by_damage: bool = flag(False, "the number is half of the damage that set it off, if that is more")
    half: bool = flag(False, "a successful save halves the damage; without it, a success avoids all of it")
    spared: bool = flag(False, "a combatant that saves is not affected again in this fight")
    avoids_all: bool = flag(
        False, "a successful save also avoids healing, temporary hit points, newcomers and reminders"
    )
    condition: str | None = text(None, "a condition that it gives")
    own_conditions: bool = flag(
        False, "the conditions that its attack or power gives by itself are given as this line says"
    )
    brings: tuple[str, ...] = listing(Text(), (), "conditions that come with its condition and end with it")
    linked: bool = flag(
        False, "the first condition of its attack or power brings the others, which end with it"
    )
    value: int | None = whole(-999, 999, None, "the value of the condition")
    rounds: int | None = whole(1, MOST, None, "how many rounds the condition lasts")
    until: str | None = choice(
        ("source_start", "source_end", "target_start", "target_end"),
        None,
        "the condition lasts until the next start or end of a turn of its source or its target",
    )
    again: tuple[str, ...] = listing(
        Choice(("start", "end", "damaged")),
        (),
        "when the save is rolled again to end the condition: at the start or end of a turn, when damaged",
    )
    worse: str | None = text(None, "the condition that follows if that save fails")
    worse_rounds: int | None = whole(1, MOST, None, "how many rounds that condition lasts")
    worse_again: tuple[str, ...] = listing(
        Choice(("start", "end", "damaged")), (), "when the save is rolled again to end that condition"
    )
    worse_ends_when: tuple[str, ...] = listing(Choice(END_EVENTS), (), "the events that end that condition")
    escape: int | None = whole(-99, 200, None, "the number of an attempt to get free of the condition")
    ends_when: tuple[str, ...] = listing(
        Choice(END_EVENTS),
        (),
        "the events that end the condition",
    )
    tick: tuple[str, ...] = listing(
        DamageText(), (), "damage that the condition does each turn, such as 1d6 fire"
    )
    tick_at: str = choice(("start", "end"), "start", "when in the turn of its bearer it does that")
    concentration: bool = flag(False, "the condition lasts while its source is concentrating")
    heal: str | None = notation(None, "hit points that it restores, in dice or as a number")
    temp_hp: str | None = notation(None, "temporary hit points that it gives")
    lowers: str | None = choice(
        ("max_hp", "strength"),
        None,
        "what it lowers in the target, by the damage that it takes or by amount",
    )
    amount: str | None = notation(None, "by how much it lowers that")
    slays: bool = flag(False, "the target dies")
    drain: bool = flag(False, "its owner regains as many hit points as the attack or the effect takes")
    change: dict[str, Any] = table(
        Adjustment(), "changes of rolls and numbers, such as attacks:advantage", names=CHANGES
    )
    most: int | None = whole(1, 99, None, "how many combatants can have the condition from its owner")
    stops: bool = flag(False, "it stops the action before it counts, as a reaction")
    ends: str | None = text(None, "a condition that it ends")
    releases: str | None = text(None, "a condition that all lose who have it from the affected combatant")
    move: str | None = text(
        None, "a movement in words, such as is pushed 10 feet; the combatant is no longer near others"
    )
    bring: str | None = text(
        None, "a roster entry that joins the fight next to its owner; itself: more of its own kind"
    )
    halves: bool = flag(False, "the owner and its copies share the owner's hit points evenly")
    count: str | None = notation(None, "how many join", when_absent="1")
    form: str | None = text(
        None, "a roster entry whose form the affected combatant takes; itself: its own form again"
    )
    away: int | None = whole(1, 99, None, "the affected combatant leaves the fight for this many rounds")
    choose: tuple[str, ...] = listing(Text(), (), "the names of other effects, of which one is chosen")
    use: str | None = text(None, "the attack, power or other effect of the sheet that it carries out")
    offered: bool = flag(False, "it is offered instead of happening by itself")
    stopped_by: tuple[str, ...] = _words("damage of these types since its last time stops it")
    remind: str | None = text(None, "a reminder for the game master")

    # The tracker keeps these.
    spent: int = whole(0, 99, 0, "how often it has been used", lasts="rest")
    used: str | None = text(None, "round and turn of its last use", lasts="encounter")
    stopped: bool = flag(False, "it does not happen the next time", lasts="encounter")
    taken: str | None = text(None, "round, turn and damage that has been added up", lasts="encounter")

    def mistakes(self) -> Iterator[tuple[str, str]]:
        """Yield the fields that do not fit the others, each with a message."""
        for name, is_wrong, says in _RULES:
            if is_wrong(self):
                yield name, says
        for name in _OF_A_CONDITION:
            gives = self.condition is not None or self.own_conditions
            if getattr(self, name) not in (None, (), False) and not gives:
                yield name, "needs condition"
        for name in self.VOCABULARY.lacks:
            if name in self.given:
                yield name, "is not known in this game"
        saves = self.VOCABULARY.saves
        if self.save is not None and saves and self.save not in saves:
            yield "save", f"{shown(self.save)} is no saving throw{suggestion(self.save, saves)}"
        for name in self.change:
            if name not in self.VOCABULARY.changes:
                near = suggestion(name, self.VOCABULARY.changes)
                known = near or f"; known: {listed(self.VOCABULARY.changes)}"
                yield "change", f"{shown(name)} is not known in this game{known}"
            elif name not in ROLLS and is_die(self.change[name]):
                yield "change", f"{shown(name)} needs a number; a die is for {listed(ROLLS, 'or')}"
        for name in ("damage", "tick"):
            for given in getattr(self, name):
                if len(given_type := read_damage(given).type.split()) > 1:
                    each = " and ".join(f"1d6 {word}" for word in given_type[:2])
                    yield name, f"{shown(given)} names several types; write a text for each, such as {each}"
        for name, field in fields_of(type(self)).items():
            value = getattr(self, name) if name in self.given else None
            if isinstance(value, tuple | dict) and len(value) > MOST_PARTS:
                yield name, f"has {len(value)} parts, and {MOST_PARTS} are the most for {field.label}"
            for word in (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ():
                if len(word) > MOST_TEXT or not word.isprintable():
                    yield name, f"expected at most {MOST_TEXT} printable characters, got {shown(word)}"

    @property
    def affects_own(self) -> bool:
        """Return whether it affects its owner, or the combatant whose moment it is."""
        return self.affected in ("self", "everyone")

    @property
    def carried(self) -> tuple[str, ...]:
        """Return what its condition changes, as typed. A reaction itself changes the roll."""
        if self.condition is None or self.when in _REACTIONS:
            return ()
        return tuple(f"{name}:{value}" for name, value in self.change.items())

    @property
    def is_for_group(self) -> bool:
        """Return whether it affects a group, so that its targets need not be named."""
        return self.who in GROUPS

    @property
    def affected(self) -> str:
        """Return whom it affects; without `who` the target, or the owner at its own moments."""
        if self.who is not None:
            return self.who
        return "self" if self.when in _OWN_MOMENTS and self.whose == "own" else "target"


def is_die(change: object) -> bool:
    """Return whether a change is a die, such as 1d4 or -1d6."""
    return isinstance(change, str) and DIE.fullmatch(change) is not None


def lowered_by(change: object) -> int | str | None:
    """Return by how much a change lowers a roll: 3 for -3, 1d6 for -1d6; None if it does not."""
    if isinstance(change, int):
        return -change if change < 0 else None
    return str(change)[1:] if is_die(change) and str(change).startswith("-") else None


def raised_by(change: object) -> int | str | None:
    """Return by how much a change raises a roll; None if it does not."""
    if isinstance(change, int):
        return change if change > 0 else None
    return str(change) if is_die(change) and not str(change).startswith("-") else None


@cache
def line_class(vocabulary: Vocabulary) -> type[EffectLine]:
    """Return the class of lines for a game with this vocabulary."""
    body = {"__module__": __name__, "__doc__": EffectLine.__doc__, "VOCABULARY": vocabulary}
    return cast(type[EffectLine], declare(type("EffectLine", (EffectLine,), body)))


def worth_in_save(line: EffectLine) -> int | str | None:
    """Return how much a reaction changes a save: raised for its own side, lowered for foes."""
    change = line.change.get("saves")
    return lowered_by(change) if line.whose == "foes" else raised_by(change)


def _sums_until_end(line: EffectLine) -> bool:
    """Return whether a line adds up the damage of a turn and happens when that turn ends."""
    return line.summed and line.when == "end"


_REACTIONS = ("attacked", "saving")
_OF_A_CONDITION = (
    *("most", "value", "rounds", "until", "again", "worse", "escape", "ends_when", "concentration", "tick"),
    "brings",
)
_MORE = ("heal", "temp_hp", "bring", "remind", "drain")  # what avoids_all adds
_AVOIDED = ("damage", "condition", "ends", "releases", "form", "away", "slays")
_NOT_WITH_USE = (
    *("damage", "save", "condition", "heal", "temp_hp", "drain", "change", "ends", "bring", "form", "away"),
    *("choose", "only"),
)
_OF_AN_ATTACK = ("hit", "missed", "failed", "saved", "used")
_OWN_MOMENTS = ("start", "end", "damaged", "bloodied", "zero")
# Mistakes across fields: the field to name, whether a line has the mistake, and what to do about it.
_RULES: tuple[tuple[str, Callable[[EffectLine], bool], str], ...] = (
    (
        "when",
        lambda line: not any(getattr(line, name) for name in DOES),
        "the line has no effect; give it damage, condition, heal, change, use, ends or remind",
    ),
    ("dc", lambda line: line.dc is not None and line.save is None, "needs save, what the target rolls"),
    ("spared", lambda line: line.spared and line.save is None, "needs save, what the target rolls"),
    ("half", lambda line: line.half and line.save is None, "needs save, what the target rolls"),
    (
        "save",
        lambda line: line.save is not None and line.dc is None and not line.dc_by_damage,
        "needs dc, the number to reach",
    ),
    (
        "save",
        lambda line: (
            line.save is not None
            and not line.stops
            and not any(getattr(line, name) for name in (*_AVOIDED, *(_MORE if line.avoids_all else ())))
        ),
        "needs damage, a condition, ends, releases, form, away or stops, which it avoids; or avoids_all",
    ),
    ("avoids_all", lambda line: line.avoids_all and line.save is None, "needs save, what the target rolls"),
    ("halves", lambda line: line.halves and line.bring != ITSELF, "needs bring = itself"),
    (
        "drain",
        lambda line: line.drain and not line.damage and line.when not in ("hit", "failed"),
        "needs damage, or when = hit or failed",
    ),
    ("dc_by_damage", lambda line: line.dc_by_damage and line.when != "damaged", "needs when = damaged"),
    (
        "again",
        lambda line: (
            bool(line.again)
            and line.save is None
            and not (line.VOCABULARY.reads_saves and line.when == "failed")
        ),
        "needs save, the roll that ends it",
    ),
    ("worse", lambda line: line.worse is not None and not line.again, "needs again, the moment of the save"),
    *(
        (name, lambda line, name=name: bool(getattr(line, name)) and line.worse is None, "needs worse")
        for name in ("worse_rounds", "worse_again", "worse_ends_when")
    ),
    ("count", lambda line: line.count is not None and line.bring is None, "needs bring"),
    (
        "offered",
        lambda line: line.offered and (line.when not in ("end", "used") or line.whose in ("own", "target")),
        "needs when = end or used, and whose = foes, allies, others or any",
    ),
    (
        "whose",
        lambda line: line.when == "used" and line.whose != "own" and not line.offered and not line.stops,
        "needs offered, or stops, because an action of another combatant does not set it off by itself",
    ),
    (
        "choose",
        lambda line: bool(line.choose) and line.when not in (*_OWN_MOMENTS, "asked"),
        "needs when = asked, start, end, damaged, bloodied or zero",
    ),
    *(
        (
            name,
            lambda line, name=name: getattr(line, name) and line.when not in (*_OWN_MOMENTS, "asked", "used"),
            "needs when = asked, start, end, damaged, bloodied or zero",
        )
        for name in ("bring", "form", "away")
    ),
    (
        "when",
        lambda line: (
            line.when == "attacked"
            and not line.stops
            and not (
                (raised_by(line.change.get("ac")) or lowered_by(line.change.get("attacks")))
                and line.whose in ("own", "allies", "any")
            )
        ),
        "attacked needs change with ac, or with attacks such as -1d6, and whose = own, allies or any",
    ),
    (
        "when",
        lambda line: (
            line.when == "saving"
            and (line.whose not in ("own", "allies", "any", "foes") or worth_in_save(line) is None)
        ),
        "saving needs change with saves: above 0 with whose = own, allies or any, below 0 with whose = foes",
    ),
    (
        "stops",
        lambda line: line.stops and not (line.when == "used" and line.whose == "foes" and line.of),
        "needs when = used, whose = foes, and of, the attacks, powers or effects that it stops",
    ),
    ("only", lambda line: line.only and (line.when != "used" or not line.of), "needs when = used, and of"),
    ("by", lambda line: line.by is not None and line.when != "attacked", "needs when = attacked"),
    (
        "until",
        lambda line: line.rounds is not None and line.until is not None,
        "the condition lasts for some rounds or until a turn, not both",
    ),
    (
        "instead",
        lambda line: (
            line.instead
            and not (
                line.damage
                and (line.when == "hit" or (line.when == "failed" and line.VOCABULARY.reads_saves))
            )
        ),
        "needs damage and when = hit",
    ),
    (
        "roll",
        lambda line: line.roll is not None and line.when not in ("hit", "missed", "used"),
        "is known for attacks only: when is hit, missed or used",
    ),
    (
        "change",
        lambda line: (
            bool(line.change) and line.condition is None and line.when not in ("always", *_REACTIONS)
        ),
        "needs when = always, attacked or saving for a reaction, or a condition that changes it",
    ),
    ("when", lambda line: line.when == "always" and not line.change, "always needs change"),
    ("summed", lambda line: line.summed and line.least is None, "needs least, the damage of the turn"),
    (
        "least",
        lambda line: line.least is not None and line.when != "damaged" and not _sums_until_end(line),
        "needs when = damaged, or when = end and summed",
    ),
    (
        "attacker_is",
        lambda line: bool(line.attacker_is) and line.when != "damaged" and not _sums_until_end(line),
        "needs when = damaged, or when = end and summed",
    ),
    ("linked", lambda line: line.linked and not line.own_conditions, "needs own_conditions"),
    (
        "types",
        lambda line: (
            bool(line.types)
            and line.when != "damaged"
            and not (line.drain or line.lowers or _sums_until_end(line))
        ),
        "needs when = damaged, drain or lowers",
    ),
    (
        "lowers",
        lambda line: line.lowers is not None and line.when not in ("hit", "failed", "saved", "used"),
        "needs when = hit, failed, saved or used",
    ),
    ("amount", lambda line: line.amount is not None and line.lowers is None, "needs lowers"),
    (
        "stopped_by",
        lambda line: bool(line.stopped_by) and line.when not in ("start", "end"),
        "needs when = start or end",
    ),
    (
        "who",
        lambda line: line.who == "attacker" and line.when not in ("damaged", "bloodied", "zero"),
        "attacker is known when damaged, bloodied or at zero",
    ),
    (
        "who",
        lambda line: line.when in _OF_AN_ATTACK and line.is_for_group and not line.offered,
        "an attack affects its target, or self; use when = end for others",
    ),
    (
        "use",
        lambda line: line.use is not None and line.when != "asked" and not line.offered,
        "needs when = asked, or offered",
    ),
    *(
        (
            name,
            lambda line, name=name: line.use is not None and bool(getattr(line, name)),
            "belongs to the action that use names; leave it out, or leave out use",
        )
        for name in _NOT_WITH_USE
    ),
    (
        "spends",
        lambda line: line.spends is not None and line.when == "always",
        "a line that always counts costs nothing",
    ),
    ("tick_at", lambda line: line.tick_at != "start" and not line.tick, "needs tick, the damage"),
    ("cost", lambda line: line.cost != 1 and line.spends is None, "needs spends, the counter that pays"),
    (
        "damage",
        lambda line: line.when in ("hit", "missed") and bool(line.damage) and line.who == "self",
        "belongs to the target of the attack; leave out who",
    ),
    *(
        (
            name,
            lambda line, name=name: (
                bool(getattr(line, name))
                and line.when in ("failed", "saved")
                and not line.VOCABULARY.reads_saves
            ),
            "does not follow the save against an area attack; give condition or remind",
        )
        for name in ("damage", "heal", "temp_hp", "ends")
    ),
    (
        "whose",
        lambda line: line.whose != "own" and line.when not in (*_OWN_MOMENTS, "used", "attacked", "saving"),
        "is known for start, end, damaged, bloodied, zero, used, attacked and saving",
    ),
    (
        "recharge",
        lambda line: line.recharge is not None and line.recharge > line.recharge_die,
        "is more than the highest number of its die",
    ),
    (
        "damage",
        lambda line: line.when == "damaged" and bool(line.damage) and line.affects_own and not line.types,
        "would set itself off again; give it types, or another who",
    ),
)
