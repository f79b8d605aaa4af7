"""A command being carried out: the changing encounter, its sentences, its results and its conditions.

resolve.py resolves an action of the game in a transaction.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, Protocol

from systems.commands.effects import (
    as_declared,
    barred,
    has_condition,
    needs_acting,
    with_condition,
    without_condition,
    words_of_begin,
    words_of_end,
)
from systems.commands.moments import DueEffect
from systems.contract.condition import VALUE
from systems.contract.marked_text import marked, without_unseen
from systems.contract.outcome import Outcome
from systems.contract.table import Table
from systems.encounter.changes import Change
from systems.encounter.events import Result, Seen, Sentence, out_of_sight
from systems.encounter.model import ActiveCondition, Combatant, Encounter, Offer
from systems.encounter.roster import JoiningEntry, RosterChange
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.text import several

# The ids of the roles of an action: its actor, target and others.
People = Mapping[str, str | None]


class ChangeCast(Protocol):
    """Let combatants come, change form and go, as an outcome says. `people`: the ids of its roles."""

    def __call__(self, transaction: "Transaction", outcome: Outcome, people: People) -> None: ...


class StartedBefore(Protocol):
    """Turns and rounds that were stepped back over after they had begun; see step_forward.py."""

    def begin_turn(self, play: "Transaction", who: str) -> bool:
        """Restore a turn; return whether it had begun."""

    def began_together(self, play: "Transaction", who: str, members: tuple[str, ...]) -> tuple[str, ...]:
        """Return the members whose turns begin with this combatant's."""

    def begin_round(self, play: "Transaction", number: int) -> bool:
        """Restore a round; return whether it had begun."""

    def came_next(self) -> str | None:
        """Return the combatant to which the current turn was passed on before, or None."""

    def keep_reactions(self, play: "Transaction") -> None:
        """Keep reactions used that were used in a turn before the step back over it."""


@frozen(eq=False)
class DiceSight:
    """What players may know of the dice of one roll: `people` are its combatants, as role -> id."""

    encounter: Encounter
    people: Mapping[str, str]
    is_secret: bool

    def stream_of(self, of: str) -> str:
        """Return the name of the dice stream for a die: a hidden combatant's own, else its owner's.

        So hidden combatants change no die that players see. Streams of visible combatants are named by their
        names, which do not depend on hidden combatants either.
        """
        if unseen := self._unseen(of):
            return f"hidden {unseen[0]}"
        if self.is_secret:
            return "secret"
        known = self.encounter.combatants
        return f"seen {known[of].name}" if of in known else of

    def conceals(self, of: str) -> bool:
        """Return whether players may not know of a die or a choice."""
        return self.is_secret or bool(self._unseen(of))

    def _unseen(self, of: str) -> list[str]:
        everybody = (*self.people.values(), of)
        return [who for who in everybody if self.encounter.is_out_of_sight(who)]


class Transaction:
    """One command in progress: the changing encounter and the content of its event.

    `tells`: whether sentences, results and offers are made. Forecasts play fights without them.
    `action`, `actor`, `targets` and `options` describe the command, as ids and plain data. `roster`: the
    changes of roster entries. `entries`: the roster entries that can join.
    """

    def __init__(
        self,
        encounter: Encounter,
        table: Table,
        entries: Mapping[str, JoiningEntry] | None = None,
        *,
        tells: bool = True,
    ) -> None:
        self.tells = tells
        self.before = encounter
        self.encounter = encounter
        self.table = table
        # A roster is never tested for being empty: that would list all the creatures of the game.
        self.entries = {} if entries is None else entries
        self.action = ""
        self.actor = ""
        self.actors: tuple[str, ...] = ()
        self.targets: tuple[str, ...] = ()
        self.options: Mapping[str, Any] = {}
        self.sentences: list[Sentence] = []
        self.results: list[Result] = []
        self.extra: str | None = None
        # The encounter right after an action, before turns passed in the same event.
        self.after_action: Encounter | None = None
        self.roster: tuple[RosterChange, ...] = ()
        # The changes in the turn that a seat still sees, if they differ there; see given_back.py.
        self.seen_changes: Sequence[Change] = ()
        self.stepped_back: StartedBefore | None = None
        # Ids of the combatants that acted in the turn that `next` ends. None for other commands.
        self.acted: Callable[[], Container[str]] | None = None
        # Lets combatants come, change form and go (cast.py). None where only an action's own changes count.
        self.change_cast: ChangeCast | None = None
        self.given: set[tuple[str, str]] = set()
        # Offers made while a turn begins. They are reported after the sentence that says whose turn it is.
        self.held_offers: list[tuple[Offer, list[str]]] | None = None
        # Offers that can be one question with others of this command, and the sentence about each.
        self.asked: list[tuple[Offer, Sentence]] = []
        self._ended: list[tuple[str, ActiveCondition]] = []
        # The combatants that the newest outcome damaged.
        self.damaged: tuple[str, ...] = ()
        # What waits until all targets of an action are affected; None while nothing waits.
        self.waiting: list[Callable[[], None]] | None = None
        # A save does not set off other saves.
        self.is_saving = False
        # Whether actions that the rules demand after an outcome are carried out.
        self.carries_out_due = True
        # Why combatants did not get a condition, with the ids that the sentence names.
        self._barred: list[tuple[list[str], str]] = []
        # The effects that run now, each set off by the one before.
        self.setting_off: list[DueEffect] = []
        # A secret roll uses its own dice, so the dice that players see stay the same.
        self.is_secret = False
        self.roll_for({})

    def roll_for(self, people: Mapping[str, str]) -> None:
        """Set the combatants of the next dice: role -> id."""
        sight = DiceSight(self.encounter, people, self.is_secret) if self.tells else None
        self.table.turn_to(people, sight)

    def share_roll(self, several: Iterable[str]) -> None:
        """Mark the next dice as one roll for several combatants; players see it if they see any of them."""
        everybody = tuple(several)
        seen = [who for who in everybody if not self.encounter.is_out_of_sight(who)]
        among = seen or everybody
        if len(everybody) == 1:
            self.roll_for({"target": everybody[0]})
        else:
            self.roll_for({str(at): who for at, who in enumerate(among)})

    def record(
        self,
        *,
        actor: str = "",
        actors: Sequence[str] = (),
        targets: Iterable[str] = (),
        action: str = "",
        **options: object,
    ) -> None:
        """Record actor, targets, action and options of the command; None, "" and False are left out.

        `actors`: those of a joint action.
        """
        self.actor, self.targets, self.action = actor, tuple(targets), action
        if len(actors) == 1:
            self.actor = actors[0]
        else:
            self.actors = tuple(actors)
        given = {name: value for name, value in options.items() if value not in (None, "", False)}
        # 0 equals False, but a value of 0 was given.
        self.options = given | {name: value for name, value in options.items() if type(value) is int}

    def say(
        self,
        sentence: str,
        about: Iterable[str] = (),
        *,
        seen: Seen | None = None,
        owners: Iterable[str] = (),
        upcoming: bool = False,
        result: int | None = None,
        exact: bool = False,
        arithmetic: bool = False,
        at: int | None = None,
        public: tuple[str, tuple[str, ...]] | None = None,
    ) -> None:
        """Add a sentence. `about`: ids of all combatants it names; see Sentence for the rest.

        `at`: the index of the sentence, if it is not the last.
        """
        if sentence and self.tells:
            number = self.encounter.progress.round
            text, seen_text, unseen = without_unseen(marked(sentence))
            named = tuple(about)
            if public is None and unseen:
                public = (seen_text, named)
            # The numbers are those of the last combatant, so unseen ones are named before it.
            everybody = (*named[:-1], *(who for who in unseen if who not in named), *named[-1:])
            said = Sentence(
                text,
                everybody,
                seen,
                tuple(owners),
                upcoming,
                number,
                result,
                exact,
                public=(marked(public[0]), public[1]) if public else None,
                arithmetic=arithmetic,
            )
            self.sentences.insert(len(self.sentences) if at is None else at, said)

    def say_heading(
        self, ids: Sequence[str], words: Callable[[Sequence[str]], str], at: int, actors: Iterable[str] = ()
    ) -> None:
        """Add a sentence that counts combatants, in front of their own sentences. `at`: its index.

        The game master's version counts all of them. The players' version counts the visible ones, if there
        are several. `actors`: ids of other combatants that it names.
        """
        if not self.tells or not (heading := words(ids)):
            return
        actors, public = tuple(actors), None
        group = self.in_sight(ids)[0] if ids else []
        if 1 < len(group) < len(ids) and (seen := words(group)):
            public = (marked(seen), (*actors, *group))
        said = Sentence(
            heading, (*actors, *ids), round=self.encounter.progress.round, exact=True, public=public
        )
        self.sentences.insert(at, said)

    def in_sight(self, ids: Iterable[str]) -> list[list[str]]:
        """Group ids so that one sentence may name a group: visible combatants together, the others apart.

        Hidden foes share a group, since no player controls one of them. No groups are needed if nothing is
        told.
        """
        if not self.tells:
            return []
        groups: dict[str, list[str]] = {}
        unseen = out_of_sight(self.before, self.encounter)
        for who in ids:
            known = [here.combatants[who] for here in (self.before, self.encounter) if who in here.combatants]
            hidden = who in unseen
            own = hidden and any(combatant.side == self.encounter.players for combatant in known)
            groups.setdefault(f"own {who}" if own else "hidden" if hidden else "", []).append(who)
        return [groups[name] for name in sorted(groups)]

    def put(self, *combatants: Combatant) -> None:
        """Replace combatants in the encounter, and end conditions sustained by a condition that they lost."""
        before = self.encounter.combatants
        if all(before.get(combatant.id) is combatant for combatant in combatants):
            return
        self.encounter = self.encounter.with_combatants(*combatants)
        for combatant in combatants:
            older = before.get(combatant.id)
            if older is None or older is combatant:
                continue
            if older.sheet is not combatant.sheet or older.conditions is not combatant.conditions:
                self._stop_acting(older, combatant.id)
            if older.sheet is not combatant.sheet and (keeps_up := self.encounter.game.keeps_up) is not None:
                self._end_kept_up(combatant.id, {*keeps_up(older.sheet)} - {*keeps_up(combatant.sheet)})
            if older.conditions is not combatant.conditions:
                kept, names = set(), set()
                for held in combatant.conditions:
                    kept.add(held.key)
                    names.add(held.name)
                for held in older.conditions:
                    if held.key not in kept:
                        self._end_brought(combatant.id, held)
                    if held.name not in names:
                        self._end_sustained(combatant.id, held.name)

    def _end_kept_up(self, source: str, lost: set[str]) -> None:
        """End the conditions of these names that a combatant no longer keeps up on others."""
        for combatant in self.encounter.with_conditions() if lost else ():
            for held in combatant.conditions:
                if held.source == source and held.name in lost:
                    self.end_condition(combatant.id, held)

    def _stop_acting(self, older: Combatant, who: str) -> None:
        """End the conditions that require a combatant able to act: its own, and those that it gave."""
        here = self.encounter
        now = here.status(here.combatants[who])
        if now.acts:
            return
        before = here.status(older)
        for held in here.combatants[who].conditions:
            if needs_acting(here.game.condition(held.name), held):
                self.end_condition(who, held)
        if before.acts:
            self._end_of_source(who, "source_falls")
        if before.in_order and not now.in_order:
            self._end_of_source(who, "source_dies")

    def _has_from(self, who: str, name: str, source: str | None) -> bool:
        return any(held.name == name and held.source == source for held in self.combatant(who).conditions)

    def _end_of_source(self, source: str, event: str) -> None:
        """End the conditions that last only until their source falls or dies."""
        for combatant in self.encounter.with_conditions():
            for held in combatant.conditions:
                if held.source == source and event in held.ends_when:
                    self.end_condition(combatant.id, held)

    def _end_brought(self, who: str, ended: ActiveCondition) -> None:
        """End the conditions that a combatant had only together with one that has ended."""
        for held in self.combatant(who).conditions:
            if held.brought_by == ended.name and held.source == ended.source:
                self.end_condition(who, held)

    def _end_sustained(self, source: str, name: str) -> None:
        """End conditions sustained by one that `source` lost, unless this command has given them."""
        for combatant in self.encounter.with_conditions():
            for held in combatant.conditions:
                given_now = (combatant.id, held.name) in self.given
                if (held.source, held.sustained) == (source, name) and not given_now:
                    self.end_condition(combatant.id, held)

    def end_condition(self, who: str, held: ActiveCondition, value: int | None = None) -> None:
        """End a condition or lower its value; `tell_ended` reports it later."""
        self._ended.append((who, held))
        if value is not None and (held.value or 0) > value:
            left = replace(held, value=(held.value or 0) - value)
            rest = tuple(left if old.key == held.key else old for old in self.combatant(who).conditions)
            changed = evolve(self.combatant(who), conditions=rest)
            condition = self.encounter.game.condition(held.name)
            if condition and condition.field and condition.on is VALUE:
                changed = changed.with_sheet({condition.field: left.value})
            self.put(changed)
        else:
            self.put(without_condition(self.encounter, self.combatant(who), held.name, held))
            own = self.encounter.game.condition(held.name)
            if own is not None and own.then:
                self._follow(who, ActiveCondition(name=own.then))

    def _follow(self, who: str, held: ActiveCondition) -> None:
        """Give a living combatant the condition that follows one that has ended."""
        combatant = self.combatant(who)
        if self.encounter.status(combatant).in_order and not has_condition(
            self.encounter, combatant, held.name
        ):
            self.give(who, held)

    def end_unsustained(self) -> None:
        """End conditions whose source is no longer in the fight; `tell_ended` reports them."""
        for combatant in self.encounter.with_conditions():
            for held in combatant.conditions:
                needs_source = held.sustained or held.ends_with_source
                if needs_source and held.source not in self.encounter.combatants:
                    self.end_condition(combatant.id, held)

    def tell_ended(self) -> None:
        """Report the conditions that ended, lost value, or could not be given since the last report."""
        if not self._barred and not self._ended:
            return
        if not self.tells:
            self._barred, self._ended = [], []
            return
        for about, why in self._barred:
            self.say(why, about)
        self._barred = []
        for who, held in self._ended:
            if who not in self.encounter.combatants:
                continue
            self.tell_end(who, held)
        self._ended = []

    def tell_end(self, who: str, held: ActiveCondition) -> None:
        """Report that a condition has ended or lost value. Its source is named if another one goes on."""
        combatant = self.combatant(who)
        seen: Seen | None = "gm" if held.secret else None
        now = next((active for active in combatant.conditions if active.key == held.key), None)
        if now is not None and now.value == held.value:
            return  # given again in the same event, which has been said
        words, about = words_of_end(self.encounter.game, held, now), [who]
        source = self.encounter.combatants.get(held.source or "")
        goes_on = now is None and any(active.name == held.name for active in combatant.conditions)
        if goes_on and source is not None and (source.in_sight or not combatant.in_sight):
            words, about = f"{words}, from {source.name}", [who, source.id]
        own = self.encounter.game.condition(held.name)
        if now is None and own is not None and own.then:
            then = ActiveCondition(name=own.then)
            if has_condition(self.encounter, combatant, then.name):
                words = f"{words} and {words_of_begin(self.encounter.game, then)}"
        self.say(f"{combatant.name} {words}.", about, seen=seen)

    def combatant(self, who: str) -> Combatant:
        return self.encounter.combatants[who]

    def tell_near(self, who: str, others: Sequence[str], words: str) -> None:
        """Say that a combatant is near others, or no longer is; hidden ones are named apart."""
        for group in self.in_sight(others):
            names = several([self.combatant(other).name for other in group])
            self.say(f"{self.combatant(who).name} {words} {names}.", [who, *group])

    def give(self, who: str, held: ActiveCondition) -> None:
        """Give a condition to a combatant, or report why it cannot get it."""
        held = as_declared(self.encounter.game, held)
        if held.brought_by is not None and not self._has_from(who, held.brought_by, held.source):
            return
        if why := barred(self.encounter, self.combatant(who), held):
            named = [held.source] if held.source and held.ends_with_source else []
            self._barred.append(([who, *named], why))
            return
        if (who, held.name) not in self.given:
            # A new spell to concentrate on ends the one before.
            self._end_sustained(who, held.name)
        self.given.add((who, held.name))
        self.put(with_condition(self.encounter, self.combatant(who), held))
