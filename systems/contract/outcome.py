"""The outcome of an action: facts, changes, explanation, conditions, and decisions left to the players."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from systems.contract.marked_text import MarkedText, marked, unmarked, without_unseen
from systems.frozen import evolve, field, frozen
from systems.text import one_line, plain_number

if TYPE_CHECKING:
    from systems.contract.cast import Became, Brought, SentAway
    from systems.contract.interruption import UsedInterruption
    from systems.contract.share import Share

Role = Literal["actor", "target"]
# Whose figure it is: a die or a value of the actor or the target, an option that was typed, or a number that
# follows from comparing both. "" if it is unknown.
Whose = Literal["", "actor", "target", "options", "both"]
OWNERS: tuple[Whose, ...] = ("actor", "target", "options", "both")
NO_TEXT = MarkedText("")
SaveMoment = Literal["start", "end", "damaged"]
EndEvent = Literal["source_falls", "source_dies", "falls", "damaged", "healed"]
SOURCE_EVENTS = frozenset(("source_falls", "source_dies"))
Fact = Any  # a flag, a number, a text, a tuple of them, or None for a fact that is left out


def _label(text: str) -> str:
    """Return a label; one that names an unseen combatant keeps its marks."""
    return text if text.isascii() else marked(text)


@frozen
class Term:
    """One summand of a total. A term that does not count has the value 0 and the reason in `note`.

    `of`: whose figure it is. At a seat a player reads the terms of their own character, and no others.
    `public`: the label for players, if it names a combatant that they cannot see.
    """

    label: str = field(converter=_label)
    value: int
    note: str = field(default="", converter=unmarked)
    of: Whose = ""
    public: str = ""

    @property
    def public_label(self) -> str:
        """Return the label for players."""
        if self.public or not isinstance(self.label, MarkedText):
            return self.public or self.label
        return str(without_unseen(self.label)[1])


def optional_term(label: str, value: int, note: str = "") -> tuple[Term, ...]:
    """Return the term in a tuple, or an empty tuple if it is 0."""
    return (Term(label, value, note),) if value else ()


def owned(of: Whose, *terms: Term) -> tuple[Term, ...]:
    """Return the terms with this owner. Terms that have an owner keep it."""
    return tuple(term if term.of else evolve(term, of=of) for term in terms)


@frozen
class Step:
    """One line of the calculation after the total: label, value, reason.

    `terms`: for a value that is a sum with a die in it, its terms; see `Step.sum`. `of`: whose figure the
    value is; players read it without the note.
    """

    label: str
    value: str = field(converter=unmarked)
    note: str = field(default="", converter=unmarked)
    terms: tuple[Term, ...] = ()
    of: Whose = ""

    @classmethod
    def sum(cls, label: str, terms: tuple[Term, ...], note: str = "", of: Whose = "") -> "Step":
        """Return the step whose value is the sum of its terms, such as a defender's roll."""
        return cls(label, plain_number(sum(term.value for term in terms)), note, terms, of)


@frozen
class Explanation:
    """An outcome in words: what happened, the arithmetic, the terms of the total, the steps, the rule ids.

    `text`: what happened, with names filled in: `Ada hits Bo for 5 (hp 12 → 7).` Write it with `as_actor`,
    `as_health` and `as_status`; it keeps the places of these words as marks. `arithmetic`: the numbers that
    decided it, as a sentence of their own: `17 against 12, 8 damage, armour 3.` The log shows it dimmed
    below the text. Viewers who may not see the numbers never get it.
    """

    text: str = field(converter=marked)
    terms: tuple[Term, ...] = ()
    steps: tuple[Step, ...] = ()
    rules: tuple[str, ...] = ()
    arithmetic: str = field(default=NO_TEXT, converter=marked)

    @property
    def line(self) -> str:
        """Return the text and the arithmetic on one line."""
        return f"{self.text} {self.arithmetic}" if self.text and self.arithmetic else str(self.text)


# The name that games written for this edition may use.
Account = Explanation


@frozen
class Ask:
    """A decision that an outcome leaves to a person: a sentence, and the action that would follow, if any.

    `by` and `target` are roles of the action that was just resolved. `choose`: options to ask about, with the
    odds, before the action. If one of them names a combatant, the first one of the same side is filled in for
    whom the action is not refused; without one, nothing is asked. `several`: the words if several combatants
    are asked the same in one command, with `{names}` for those in the role `about`. `lasts`: it stays on
    offer after this turn, as long as the rules allow its action. `due`: the rules demand the action and leave
    nothing to decide, such as a death save. In a fight it follows at once in the same event. `aims_itself`:
    the action finds its targets when it is carried out, such as all foes, so nobody is asked for them.
    `quiet`: it is listed, and the log says nothing until it is taken. If it leaves the target open, an enemy
    must be left.
    """

    text: str = field(converter=unmarked)
    action: str = ""
    by: Role = "actor"
    target: Role | None = None
    options: Mapping[str, object] = {}
    choose: tuple[str, ...] = ()
    several: str = ""
    about: Role = "actor"
    lasts: bool = False
    due: bool = False
    aims_itself: bool = False
    quiet: bool = False


@frozen
class Answer:
    """The answer to a question in the middle of an action.

    `of`: the combatant that was asked, or None if that is unknown. `suggested`: whether it is the suggested
    answer. `question`: the id of the question, or "" if it has none.
    """

    value: Any
    of: str | None = None
    suggested: bool = False
    question: str = ""


@frozen
class GivenCondition:
    """A condition that an outcome gives to the actor, the target, or the actor's allies or foes.

    `who` may be an option that names a combatant, too. It lasts `rounds` rounds, this one included, or
    `until` the next start or end of a turn of `of`, or until cleared; never longer than the actor has the
    condition `sustained_by` (concentration). `share`: set by `Table.beside` in odds, never by a game.

    `save`: what the game's `Ruleset.ending_save` rolls to end it, such as `wisdom`, against `difficulty`. It
    is rolled `again` at the start or end of each turn of its bearer, or when that one is damaged; by default
    at the end. If it fails, the bearer gets the condition `worse` instead, for `worse_rounds`; the save is
    rolled `worse_again`, and `worse_ends_when` lists events that end it. `escape`: the number of an attempt
    to get free. `ends_when`: events that end it: its source can no longer act (`source_falls`) or is dead
    (`source_dies`), its bearer can no longer act (`falls`), is `damaged`, or is `healed`. `brought_by`: it
    ends together with the condition of this name that its bearer has from the same source. A condition with a
    save, an escape number, `brought_by` or an event of its source is one for each source, and each ends
    alone. `begin_words`, `end_words`: see Condition.
    `change`: what it changes, in the words of effects as typed, such as `ac:-2`. `tick`: the damage that it
    does at the start or end of each turn of its bearer (`tick_at`), such as `1d6 fire`.
    """

    who: str
    condition: str
    value: int | None = None
    rounds: int | None = None
    until: Literal["start", "end"] | None = None
    of: Role = "actor"
    sustained_by: str = ""
    save: str = ""
    difficulty: int | None = None
    again: tuple[SaveMoment, ...] = ()
    worse: str = ""
    worse_rounds: int | None = None
    worse_again: tuple[SaveMoment, ...] = ()
    worse_ends_when: tuple[EndEvent, ...] = ()
    escape: int | None = None
    ends_when: tuple[EndEvent, ...] = ()
    brought_by: str = ""
    begin_words: str = ""
    end_words: str = ""
    change: tuple[str, ...] = ()
    tick: tuple[str, ...] = ()
    tick_at: Literal["start", "end"] = "start"
    share: "Share | None" = None


@frozen
class EndedCondition:
    """A condition that an outcome ends, if a combatant has it; the log reports it.

    `who`: the actor, the target, the actor's allies or foes, all combatants, or the combatant named by an
    option. `condition` "": all of them. `value`: the amount taken off its value; at 0 it ends. `given_by`:
    only conditions from that role, such as everything from a spell of the actor.
    """

    who: str
    condition: str = ""
    value: int | None = None
    given_by: Role | None = None


@frozen
class Hurt:
    """Damage that an outcome does: the victim, the total, and the amount of each type.

    Effects follow from it, such as a regeneration that fire stops. In odds the amounts of `types` are not
    numbers.
    """

    role: Role
    amount: int
    types: tuple[tuple[str, Any], ...] = ()


def _no_explanation() -> Explanation:
    return Explanation("")


@frozen(eq=False)
class Outcome:
    """The result of an action. Nothing has been changed yet.

    `facts`: the results by name, in the game's own words; a fact that is None is left out. `changes`: actor,
    target, or an option that names a combatant -> field of the sheet -> its new value. `degree`: how the
    action went for its actor; players read it without the numbers. `tell` makes the explanation on demand:
    odds walk thousands of branches and need no words. `interruptions`: the log reports them, and their owners
    pay for them. `extra_turn`: the role that takes a turn at once, before the order continues. `hurt`: the
    damage that it does, which may set off effects. `moves`: the roles that move, and so are no longer near
    any other combatant. `brings`, `becomes`, `sends`: combatants that come, change form and go; the log says
    so by itself.
    """

    facts: Mapping[str, Fact]
    changes: Mapping[str, Mapping[str, object]] = {}
    tell: Callable[[], Explanation] = _no_explanation
    asks: tuple[Ask, ...] = ()
    degree: str = ""
    gives: tuple[GivenCondition, ...] = ()
    ends: tuple[EndedCondition, ...] = ()
    interruptions: "tuple[UsedInterruption, ...]" = ()
    extra_turn: Role | None = None
    hurt: tuple[Hurt, ...] = ()
    moves: tuple[str, ...] = ()
    brings: "tuple[Brought, ...]" = ()
    becomes: "tuple[Became, ...]" = ()
    sends: "tuple[SentAway, ...]" = ()

    @property
    def refused(self) -> str | None:
        """Return the reason of a refusal, or None."""
        reason = self.facts.get("refused")
        return None if reason is None else str(reason)

    @property
    def does_nothing(self) -> bool:
        """Return whether nothing follows from it but its words."""
        follows = (self.asks, self.gives, self.ends, self.interruptions, self.extra_turn, self.hurt)
        casts = (self.moves, self.brings, self.becomes, self.sends)
        return not any((self.refused, *self.changes.values(), *follows, *casts))


def refuse(reason: str, sentence: str, **facts: Fact) -> Outcome:
    """Return the outcome of a refused action: nothing changes. `sentence` says why in the game's words."""
    return Outcome({"refused": reason, **facts}, tell=lambda: Explanation(sentence))


def plain_term(term: Term) -> dict[str, Any]:
    """Return a term as plain data, with its note if it has one."""
    plain: dict[str, Any] = {"label": one_line(term.label), "value": term.value}
    return {**plain, "note": one_line(term.note)} if term.note else plain
