"""A command being carried out: the changing encounter, its sentences and its results.

`Transaction.act` resolves one action of the game: it builds the scene, applies the outcome, gives conditions,
makes offers and records extra turns.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs

from systems.commands.effects import (
    barred,
    given_condition,
    needs_acting,
    save_options,
    sync_conditions,
    with_condition,
    without_condition,
    words_of_begin,
    words_of_end,
)
from systems.commands.effects import has_condition as has_condition
from systems.commands.moments import DueEffect, affected_by, due_after
from systems.commands.offers import is_same_offer, named_apart, offer_of, question_of
from systems.commands.scenes import NOTHING, ONLY_TARGET, TargetPlace, others_of, outcome_of, scene_of
from systems.commands.unseen import unseen_effect
from systems.contract.action import Action
from systems.contract.condition import VALUE
from systems.contract.fight import Read
from systems.contract.marked_text import as_unseen, marked, without_unseen
from systems.contract.outcome import (
    Ask,
    EndedCondition,
    GivenCondition,
    Outcome,
    SaveMoment,
)
from systems.contract.ruleset import SaveAction
from systems.contract.table import Table
from systems.encounter.changes import Change
from systems.encounter.durations import for_rounds, until_turn
from systems.encounter.events import Result, Seen, Sentence, out_of_sight
from systems.encounter.losses import harmed_and_healed
from systems.encounter.model import ActiveCondition, Combatant, Encounter, Offer
from systems.encounter.neighbours import without_near
from systems.encounter.newly_seen import newly_seen
from systems.encounter.roster import RosterChange
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.text import listed, several, signed

if TYPE_CHECKING:
    from systems.contract.interruption import UsedInterruption

# More effects that set off one another mean that they never end.
MOST_EFFECTS_IN_A_ROW = 8


class JoiningEntry(Protocol):
    """A roster entry: a character or a kind of creature."""

    @property
    def name(self) -> str: ...
    @property
    def side(self) -> str: ...
    @property
    def party(self) -> str: ...
    @property
    def sheet(self) -> Any: ...


class ChangeCast(Protocol):
    """Let combatants come, change form and go, as an outcome says. `people`: the ids of its roles."""

    def __call__(
        self, transaction: "Transaction", outcome: Outcome, people: Mapping[str, str | None]
    ) -> None: ...


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


class DiceSight:
    """What players may know of the dice of one roll: `people` are its combatants, as role -> id."""

    def __init__(self, encounter: Encounter, people: Mapping[str, str], is_secret: bool) -> None:
        self._encounter, self._people, self._is_secret = encounter, people, is_secret

    def stream_of(self, of: str) -> str:
        """Return the name of the dice stream for a die: a hidden combatant's own, else its owner's.

        So hidden combatants change no die that players see. Streams of visible combatants are named by their
        names, which do not depend on hidden combatants either.
        """
        if unseen := self._unseen(of):
            return f"hidden {unseen[0]}"
        if self._is_secret:
            return "secret"
        known = self._encounter.combatants
        return f"seen {known[of].name}" if of in known else of

    def conceals(self, of: str) -> bool:
        """Return whether players may not know of a die or a choice."""
        return self._is_secret or bool(self._unseen(of))

    def _unseen(self, of: str) -> list[str]:
        everybody = dict.fromkeys((*self._people.values(), of))
        return [who for who in everybody if _is_out_of_sight(self._encounter, who)]


def _is_out_of_sight(encounter: Encounter, who: str) -> bool:
    known = encounter.combatants
    return who in known and not known[who].in_sight


class Transaction:
    """One command in progress: the changing encounter and the content of its event.

    `action`, `actor`, `targets` and `options` describe the command, as ids and plain data. `roster`: the
    changes of roster entries. `entries`: the roster entries that can join.
    """

    def __init__(
        self, encounter: Encounter, table: Table, entries: Mapping[str, JoiningEntry] | None = None
    ) -> None:
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
        self._given: set[tuple[str, str]] = set()
        # Offers made while a turn begins. They are reported after the sentence that says whose turn it is.
        self._offered: list[tuple[Offer, list[str]]] | None = None
        # Offers that can be one question with others of this command, and the sentence about each.
        self._asked: list[tuple[Offer, Sentence]] = []
        self._ended: list[tuple[str, ActiveCondition]] = []
        # The combatants that the newest outcome damaged.
        self.damaged: tuple[str, ...] = ()
        # A save does not set off other saves.
        self._is_saving = False
        # Whether actions that the rules demand after an outcome are carried out.
        self.carries_out_due = True
        # Why combatants did not get a condition, with the ids that the sentence names.
        self._barred: list[tuple[list[str], str]] = []
        # The effects that run now, each set off by the one before.
        self._setting_off: list[DueEffect] = []
        # A secret roll uses its own dice, so the dice that players see stay the same.
        self.is_secret = False
        self.roll_for({})

    def roll_for(self, people: Mapping[str, str]) -> None:
        """Set the combatants of the next dice: role -> id."""
        self.table.turn_to(people, DiceSight(self.encounter, people, self.is_secret))

    def _is_out_of_sight(self, who: str) -> bool:
        return _is_out_of_sight(self.encounter, who)

    def share_roll(self, several: Iterable[str]) -> None:
        """Mark the next dice as one roll for several combatants; players see it if they see any of them."""
        everybody = tuple(several)
        seen = [who for who in everybody if not self._is_out_of_sight(who)]
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
        if sentence:
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
        if not (heading := words(ids)):
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

        Hidden foes share a group, since no player controls one of them.
        """
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
            if older.conditions is not combatant.conditions:
                kept = {held.name for held in combatant.conditions}
                for held in older.conditions:
                    if held.name not in kept:
                        self._end_sustained(combatant.id, held.name)

    def _stop_acting(self, older: Combatant, who: str) -> None:
        """End the conditions that require a combatant able to act: its own, and those that it gave."""
        here = self.encounter
        if here.status(here.combatants[who]).acts:
            return
        for held in here.combatants[who].conditions:
            if needs_acting(here.game.condition(held.name), held):
                self.end_condition(who, held)
        if here.status(older).acts:
            self._end_of_source(who)

    def _end_of_source(self, source: str) -> None:
        """End the conditions that last only while their source can act."""
        for combatant in list(self.encounter):
            for held in combatant.conditions:
                if held.source == source and "source_falls" in held.ends_when:
                    self.end_condition(combatant.id, held)

    def _end_sustained(self, source: str, name: str) -> None:
        """End conditions sustained by one that `source` lost, unless this command has given them."""
        for combatant in list(self.encounter):
            for held in combatant.conditions:
                given_now = (combatant.id, held.name) in self._given
                if (held.source, held.sustained) == (source, name) and not given_now:
                    self.end_condition(combatant.id, held)

    def end_condition(self, who: str, held: ActiveCondition, value: int | None = None) -> None:
        """End a condition or lower its value; `tell_ended` reports it later."""
        self._ended.append((who, held))
        if value is not None and (held.value or 0) > value:
            left = replace(held, value=(held.value or 0) - value)
            rest = tuple(left if old.key == held.key else old for old in self.combatant(who).conditions)
            changed = attrs.evolve(self.combatant(who), conditions=rest)
            condition = self.encounter.game.condition(held.name)
            if condition and condition.field and condition.on is VALUE:
                changed = changed.with_sheet({condition.field: left.value})
            self.put(changed)
        else:
            self.put(without_condition(self.encounter, self.combatant(who), held.name, held))

    def end_unsustained(self) -> None:
        """End conditions whose source is no longer in the fight; `tell_ended` reports them."""
        for combatant in list(self.encounter):
            for held in combatant.conditions:
                needs_source = held.sustained or "source_falls" in held.ends_when
                if needs_source and held.source not in self.encounter.combatants:
                    self.end_condition(combatant.id, held)

    def tell_ended(self) -> None:
        """Report the conditions that ended, lost value, or could not be given since the last report."""
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
        words, about = words_of_end(self.encounter.game, held, now), [who]
        source = self.encounter.combatants.get(held.source or "")
        goes_on = now is None and any(active.name == held.name for active in combatant.conditions)
        if goes_on and source is not None and (source.in_sight or not combatant.in_sight):
            words, about = f"{words}, from {source.name}", [who, source.id]
        self.say(f"{combatant.name} {words}.", about, seen=seen)

    def combatant(self, who: str) -> Combatant:
        return self.encounter.combatants[who]

    def act(
        self,
        action: Action,
        actor: str,
        target: str | None,
        options: Any,
        before: Mapping[str, Any] = NOTHING,
        aim: TargetPlace = ONLY_TARGET,
    ) -> Outcome:
        """Resolve and apply one action. `aim`: its place among several targets.

        Raises Refused in the game's words, and Wrong if a value is invalid.
        """
        outcome = self._resolved(action, actor, target, options, before, aim)
        if outcome.refused is not None:
            raise Refused(outcome.tell().text, code="against_the_rules")
        others = others_of(self.encounter, action, options)
        before_it = self.encounter
        self.apply(outcome, action, actor, target, others)
        status = self._status_after(before_it, actor, target)
        shows = newly_seen(before_it, self.encounter, target or actor)
        self._tell(outcome, action, actor, target, others, status, before_it, shows)
        self._move(outcome, {"actor": actor, "target": target, **others})
        self._change_cast(outcome, {"actor": actor, "target": target, **others})
        for who in self.damaged:
            self.roll_ending_saves(who, "damaged")
        self._run_following(before_it, outcome, {"actor": actor, "target": target, **others})
        self._carry_out_due(outcome.asks, {"actor": actor, "target": target})
        return outcome

    def _change_cast(self, outcome: Outcome, people: Mapping[str, str | None]) -> None:
        """Let combatants come, change form and go, as an outcome says."""
        if self.change_cast is not None and (outcome.brings or outcome.becomes or outcome.sends):
            self.change_cast(self, outcome, people)

    def _move(self, outcome: Outcome, people: Mapping[str, str | None]) -> None:
        """Part the combatants that move from those near them, and offer to keep them near."""
        for role in outcome.moves:
            mover = self.encounter.combatants.get(people.get(role) or "")
            near = [other.id for other in self.encounter.neighbours(mover)] if mover else []
            if not mover or not near:
                continue
            self.encounter = without_near(self.encounter, mover.id, near)
            self.tell_near(mover.id, near, "is no longer near")
            names = listed(self.combatant(who).name for who in near)
            offer = Offer(
                says=f"{mover.name} has moved. Still near {names}?",
                command=f"near {mover.id} {','.join(near)}",
            )
            self.encounter = evolve(self.encounter, offers=(*self.encounter.offers, offer))
            self.say(offer.says, [mover.id, *near], seen="gm")

    def tell_near(self, who: str, others: Sequence[str], words: str) -> None:
        """Say that a combatant is near others, or no longer is; hidden ones are named apart."""
        for group in self.in_sight(others):
            names = several([self.combatant(other).name for other in group])
            self.say(f"{self.combatant(who).name} {words} {names}.", [who, *group])

    def _run_following(self, before: Encounter, outcome: Outcome, people: Mapping[str, str | None]) -> None:
        """Run the effects that the damage of an outcome sets off."""
        if outcome.hurt and self.encounter.game.effects is not None:
            self.run_effects(due_after(before, self.encounter, outcome, people))

    def run_effects(self, due: Iterable[DueEffect]) -> None:
        """Run effects that are due, as far as their conditions hold.

        Raises Refused if effects set each other off without end.
        """
        for effect in tuple(due):
            self._setting_off.append(effect)
            if len(self._setting_off) > MOST_EFFECTS_IN_A_ROW:
                raise Refused(_endless(self.encounter, self._setting_off))
            self._run_effect(effect)
            self._setting_off.pop()

    def _run_effect(self, due: DueEffect) -> None:
        rules = self.encounter.game.effects
        action = self.encounter.game.action(rules.action) if rules else None
        if rules is None or action is None or due.owner not in self.encounter.combatants:
            return
        amount = min(9_999, sum(amount for _, amount in due.damage))
        options = action.options(effect=due.line.name, does=due.does, amount=amount)
        before: Mapping[str, Any] = NOTHING
        for target in affected_by(self.encounter, due):
            if target is not None and target not in self.encounter.combatants:
                continue
            try:
                scene = scene_of(self.encounter, action, due.owner, target, options)
                if rules.applies(due.line, due.does, scene, due.damage):
                    before = self.act(action, due.owner, target, options, before).facts
            except Wrong as mistake:
                self.say(f"{self.combatant(due.owner).name}, {due.line.name}: {mistake}.", [due.owner])

    def _status_after(self, before: Encounter, actor: str, target: str | None) -> str:
        """Return the new status that a hidden actor gave to a visible target; "" if there is none."""
        if target is None or not self._is_out_of_sight(actor) or self._is_out_of_sight(target):
            return ""
        then, now = (here.status(here.combatants[target]).name for here in (before, self.encounter))
        return now if now != then else ""

    def hook(self, name: str, who: str) -> Outcome | None:
        """Run one of the game's hooks on a combatant, if the game has it; return its outcome if it happened.

        The text of its explanation is reported. An empty text or a refusal reports nothing. If the game
        raises Wrong, the error is reported as a sentence, so that it does not block the turn.
        """
        action = self.encounter.game.action(name)
        if action is None:
            return None
        try:
            outcome = self._resolved(action, who, None, action.options())
        except Wrong as mistake:
            self.say(f"{self.combatant(who).name}: {mistake}.", [who])
            return None
        if outcome.refused is not None:
            return None
        before_it = self.encounter
        self.apply(outcome, action, who, None)
        self._tell(outcome, action, who, None, before=before_it)
        self._move(outcome, {"actor": who})
        self._change_cast(outcome, {"actor": who})
        for hurt in self.damaged:
            self.roll_ending_saves(hurt, "damaged")
        self._run_following(before_it, outcome, {"actor": who})
        self._carry_out_due(outcome.asks, {"actor": who})
        return outcome

    def _carry_out_due(self, asks: Iterable[Ask], people: Mapping[str, str | None]) -> None:
        """Carry out the actions that the rules demand after an outcome, such as a death save."""
        for ask in asks if self.carries_out_due else ():
            action, by = self.encounter.game.action(ask.action), people.get(ask.by) or ""
            if not ask.due or action is None or by not in self.encounter.combatants:
                continue
            try:
                self.act(action, by, people.get(ask.target or ""), action.options(**ask.options))
            except Refused:
                continue  # what follows the outcome has made it needless
            except Wrong as mistake:
                # An error in the game's data must not block the turn.
                self.say(f"{self.combatant(by).name}: {mistake}.", [by], seen="gm")

    def roll_ending_saves(self, who: str, moment: SaveMoment) -> None:
        """Roll the saves against a combatant's conditions that are due at this moment; success ends them."""
        save = self.encounter.game.ending_save
        if save is None or self._is_saving or who not in self.encounter.combatants:
            return
        self._is_saving = True
        try:
            for held in self.combatant(who).conditions:
                if held.save and moment in held.again and self._has(who, held):
                    self._roll_ending_save(save, who, held)
        finally:
            self._is_saving = False

    def _has(self, who: str, held: ActiveCondition) -> bool:
        return any(active.key == held.key for active in self.combatant(who).conditions)

    def _roll_ending_save(self, save: SaveAction, who: str, held: ActiveCondition) -> None:
        """Roll one save. If it fails, the condition stays, or becomes worse."""
        game, said = self.encounter.game, len(self.sentences)
        action = game.action(save.action)
        # In the fight as players see it, the difficulty is not known.
        if action is None or held.difficulty is None:
            return
        try:
            options = save_options(action, save, held.save, held.difficulty)
            with self.table.because_of(game.condition_label(held.name)):
                outcome = self.act(action, who, None, options)
        except Refused:
            return
        except Wrong as mistake:
            # An error in the game's data must not block the turn.
            self.say(f"{self.combatant(who).name}: {mistake}.", [who], seen="gm")
            return
        passed = action.succeeds(outcome.facts.get(action.success))
        if not passed and not held.worse and self._has(who, held):
            self.say(f"{self.combatant(who).name} is still {held.label_in(game)}.", [who])
        if held.secret:
            self.sentences[said:] = [evolve(each, seen="gm") for each in self.sentences[said:]]
        elif held.source and self._is_out_of_sight(held.source):
            # The difficulty is that of a combatant which players do not see.
            self.sentences[said:] = [
                evolve(each, seen="gm") if each.arithmetic else each for each in self.sentences[said:]
            ]
        if passed or held.worse:
            self.end_condition(who, held)
            self.tell_ended()
        if held.worse and not passed:
            self._worsen(who, held, held.worse)

    def _worsen(self, who: str, held: ActiveCondition, name: str) -> None:
        """Give the condition that another one becomes."""
        worse = ActiveCondition(name=name, source=held.source, through=held.through, secret=held.secret)
        self.give(who, worse)
        if self._has(who, worse):
            words = words_of_begin(self.encounter.game, worse)
            self.say(f"{self.combatant(who).name} {words}.", [who], seen="gm" if held.secret else None)
        self.tell_ended()

    def _resolved(
        self,
        action: Action,
        actor: str,
        target: str | None,
        options: Any,
        before: Mapping[str, Any] = NOTHING,
        aim: TargetPlace = ONLY_TARGET,
    ) -> Outcome:
        scene = scene_of(self.encounter, action, actor, target, options, before, aim)
        others = others_of(self.encounter, action, options)
        self.roll_for({"actor": actor, "target": target or actor, **others})
        return outcome_of(action, scene, self.table)

    def apply(
        self,
        outcome: Outcome,
        action: Action,
        actor: str,
        target: str | None,
        others: Mapping[str, str] = NOTHING,
    ) -> None:
        """Apply an outcome to the encounter without reporting it. `others`: see `others_of`."""
        people = {"actor": actor, "target": target, **others}
        before = self.encounter
        for role, changes in outcome.changes.items():
            who = people.get(role)
            if who is not None and changes:
                self.put(sync_conditions(self.encounter, self.combatant(who).with_sheet(changes)))
        self._end_at_harm(before, outcome, people)
        for ends in outcome.ends:
            self._end(ends, people)
        for gives in outcome.gives:
            self._give(gives, action, people)
        for used in outcome.interruptions:
            self._pay(used, action, people)
        if outcome.extra_turn:
            self.extra = actor if outcome.extra_turn == "actor" else target

    def _pay(self, used: "UsedInterruption", action: Action, people: Mapping[str, str | None]) -> None:
        """Apply what an interruption changes and gives, and note that its owner has used it in this turn."""
        who = people.get(used.of) or used.of
        owner = self.combatant(who)
        spent = self.encounter.game.spent_by(used.interrupt)
        reacted = tuple(dict.fromkeys((*owner.state.reacted, spent)))
        changed = owner.with_state(reacted=reacted).with_sheet(used.changes)
        self.put(sync_conditions(self.encounter, changed))
        for gives in used.gives:
            self._give(gives, action, {**people, "actor": who})

    def _tell_interruptions(self, outcome: Outcome, people: Mapping[str, str | None]) -> None:
        """Say which interruptions were used, before the outcome in which they count.

        Players read of a third party out of sight that something unseen interferes.
        """
        for used in outcome.interruptions:
            owner = self.combatant(people.get(used.of) or used.of)
            worth = f" ({signed(used.worth)})" if used.worth is not None else ""
            if used.unseen:
                unseen = as_unseen(owner.id, f"{owner.name}, by {used.name}{worth},")
                self.say(f"{unseen} interferes.", [people["target"] or people["actor"] or owner.id])
            else:
                self.say(f"{owner.name} uses {used.name}{worth}.", [owner.id])

    def _end_at_harm(self, before: Encounter, outcome: Outcome, people: Mapping[str, str | None]) -> None:
        """End the conditions of combatants that the outcome has damaged or healed, if they end then."""
        self.damaged = ()
        if not outcome.changes and not outcome.hurt:
            return
        self.damaged, healed = harmed_and_healed(before, self.encounter, outcome, people)
        for event, who in (*(("damaged", who) for who in self.damaged), *(("healed", who) for who in healed)):
            for held in self.combatant(who).conditions:
                if event in held.ends_when:
                    self.end_condition(who, held)

    def _tell(
        self,
        outcome: Outcome,
        action: Action,
        actor: str,
        target: str | None,
        others: Mapping[str, str] = NOTHING,
        status: str = "",
        before: Encounter | None = None,
        shows: tuple[str, ...] = (),
    ) -> None:
        explanation = outcome.tell()
        # An unseen combatant that an option names is about the sentence only if the sentence names it.
        helpers = [who for who in others.values() if not self._is_out_of_sight(who)]
        about = [actor, *([target] if target else []), *helpers]
        self._tell_interruptions(outcome, {"actor": actor, "target": target, **others})
        number = len(self.results)
        public = None
        if before is not None and any(map(self._is_out_of_sight, about)):
            public = unseen_effect(before, self.encounter, action, actor, target)
        self.say(explanation.text, about, result=number, exact=True, public=public)
        if explanation.text:
            self.say(explanation.arithmetic, about, result=number, exact=True, arithmetic=True)
        if explanation.text or action.group != "hook":
            degree = outcome.degree or _degree(action, outcome)
            self.results.append(
                Result(action.name, actor, target, degree, outcome.facts, explanation, status, shows=shows)
            )
        self.tell_ended()
        self.offer(outcome.asks, actor, target)

    def offer(
        self,
        asks: Iterable[Ask],
        actor: str,
        target: str | None,
        reaction: str = "",
        reads: tuple[Read, ...] = (),
    ) -> None:
        """Add and report the offers that an outcome or a reaction makes, until the next turn.

        An offer that a reaction has already made is not reported again. `reads`: what the reaction read
        about the other combatants.
        """
        open_asks = (ask for ask in asks if not ask.due)
        made = (offer_of(self.encounter, ask, actor, target, reaction, reads) for ask in open_asks)
        offers = tuple(offer for offer in made if offer is not None)
        if reaction:
            actors = {offer.by for offer in offers}
            known = [other for other in self.encounter.offers if other.by in actors]
            offers = tuple(
                named_apart(offer, known)
                for offer in offers
                if not any(is_same_offer(offer, other) for other in known)
            )
        if offers:
            self.encounter = evolve(self.encounter, offers=(*self.encounter.offers, *offers))
            named = [who for who in (actor, target) if who]
            for offer in offers:
                if self._offered is None:
                    self._tell_offer(offer, named)
                else:
                    self._offered.append((offer, named))

    def _tell_offer(self, offer: Offer, named: Sequence[str]) -> None:
        """Report an offer, in one sentence with those of this command that are the same question."""
        earlier = [(other, said) for other, said in self._asked if self._is_one_question(other, offer)]
        offers = [*(other for other, _ in earlier), offer]
        about = dict.fromkeys([*(who for _, said in earlier for who in said.about), *named])
        if earlier:
            self._asked = [asked for asked in self._asked if asked not in earlier]
            told = [said for _, said in earlier]
            self.sentences = [said for said in self.sentences if not any(said is old for old in told)]
        reaction = self.encounter.game.reaction(offer.reaction or "")
        if reaction is not None and reaction.quiet:
            return
        # Only its owner sees an offer. The game master sees those without an owner.
        owners = dict.fromkeys(str(other.by) for other in offers if other.by)
        self.say(question_of(self.encounter, offers), about, seen=None if owners else "gm", owners=owners)
        if offer.several:
            self._asked += [(other, self.sentences[-1]) for other in offers]

    def _is_one_question(self, offer: Offer, other: Offer) -> bool:
        """Return whether one sentence may report two offers; a player's decision is for that player alone."""
        if not offer.several or (offer.several, offer.action) != (other.several, other.action):
            return False
        about = [self.combatant(who) for who in (offer.about, other.about) if who]
        is_open = offer.action is None or not any(map(self.encounter.is_player, about))
        return is_open and len({combatant.in_sight for combatant in about}) == 1

    def hold_offers(self) -> None:
        """Collect offers without reporting them until `tell_offers`."""
        self._offered = []

    def tell_offers(self) -> None:
        """Report the offers collected since `hold_offers`."""
        held, self._offered = self._offered or [], None
        for offer, named in held:
            self._tell_offer(offer, named)

    def _end(self, ends: EndedCondition, people: Mapping[str, str | None]) -> None:
        giver = people.get(ends.given_by or "")
        for who in self._receivers(ends.who, people):
            for held in self.combatant(who).conditions:
                named = ends.condition in ("", held.name)
                if named and (ends.given_by is None or held.source == giver):
                    self.end_condition(who, held, ends.value)

    def _give(self, gives: GivenCondition, action: Action, people: Mapping[str, str | None]) -> None:
        actor = str(people["actor"])
        held = given_condition(gives, action, actor)
        if gives.until is not None:
            held = until_turn(self.encounter, held, gives.until, people[gives.of] or actor)
        elif gives.rounds is not None:
            held = for_rounds(self.encounter, held, gives.rounds)
        for who in self._receivers(gives.who, people):
            self.give(who, held)

    def give(self, who: str, held: ActiveCondition) -> None:
        """Give a condition to a combatant, or report why it cannot get it."""
        if why := barred(self.encounter, self.combatant(who), held):
            named = [held.source] if held.source and "source_falls" in held.ends_when else []
            self._barred.append(([who, *named], why))
            return
        if (who, held.name) not in self._given:
            # A new spell to concentrate on ends the one before.
            self._end_sustained(who, held.name)
        self._given.add((who, held.name))
        self.put(with_condition(self.encounter, self.combatant(who), held))

    def _receivers(self, who: str, people: Mapping[str, str | None]) -> list[str]:
        """Return the ids that a role means: one of the action's combatants, or several still in the order."""
        here = self.encounter
        if who == "everybody":
            return list(here.progress.ids)
        if who not in ("allies", "foes"):
            named = people.get(who)
            return [named] if named else []
        actor = self.combatant(str(people["actor"]))
        others = [ally for ally in here if ally.id != actor.id]
        meant = [ally for ally in others if (ally.side == actor.side) == (who == "allies")]
        return [ally.id for ally in meant if not ally.state.arrives and here.status(ally).in_order]


def _endless(encounter: Encounter, effects: Sequence[DueEffect]) -> str:
    """Return the sentence about effects that set each other off."""
    names = dict.fromkeys(
        f"{effect.line.name} of {encounter.combatants[effect.owner].name}" for effect in effects[-2:]
    )
    if len(names) == 1:
        return f"{listed(names)} sets itself off without end; change it first"
    return f"{listed(names)} set each other off without end; change one of them first"


def _degree(action: Action, outcome: Outcome) -> str:
    """Return `success` or `failure` from the action's `success` fact, for an outcome without a degree."""
    succeeded = outcome.facts.get(action.success) if action.success else None
    return "" if succeeded is None else "success" if succeeded else "failure"
