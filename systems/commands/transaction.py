"""One command being carried out: the encounter as it becomes, its sentences and its results.

`Transaction.act` resolves one action of the game in the encounter: sheets and names from the combatants,
options changed by conditions, outcome applied, conditions given, offers and extra turns noted.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from systems.commands.durations import for_rounds, until_turn
from systems.commands.effects import has_condition as has_condition
from systems.commands.effects import settled, under_conditions, with_condition
from systems.contract.outcome import Ask, GivenCondition, Outcome, Role
from systems.contract.ruleset import Action, Scene
from systems.contract.table import Table
from systems.encounter.events import Result, Seen, Sentence
from systems.encounter.model import ActiveCondition, Combatant, Encounter, Offer
from systems.errors import Refused, Wrong
from systems.schema.values import as_typed

NOTHING: Mapping[str, Any] = {}


class Transaction:
    """The encounter as one command changes it, with what its event will hold.

    `action`, `actor`, `targets` and `options` say what the command was, as ids and plain data.
    """

    def __init__(self, encounter: Encounter, table: Table) -> None:
        self.before = encounter
        self.encounter = encounter
        self.table = table
        self.action = ""
        self.actor = ""
        self.targets: tuple[str, ...] = ()
        self.options: Mapping[str, Any] = {}
        self.sentences: list[Sentence] = []
        self.results: list[Result] = []
        self.extra: str | None = None
        # A secret roll: its dice are not those that everybody sees fall.
        self.is_secret = False
        table.stream_of = self._stream_of

    def _stream_of(self, people: Mapping[str, str], of: str) -> str:
        """The name of the stream that a die comes from: that of a hidden one whom it concerns, else its own.

        So hidden combatants change no die that is seen. Those in sight are known by their names, which the
        hidden ones do not change either.
        """
        known = self.encounter.combatants
        for who in dict.fromkeys((*people.values(), of)):
            if who in known and (known[who].state.hidden or known[who].state.arrives):
                return f"hidden {who}"
        if self.is_secret:
            return "secret"
        return f"seen {known[of].name}" if of in known else of

    def concerns(
        self, *, actor: str = "", targets: Iterable[str] = (), action: str = "", **options: object
    ) -> None:
        """Note who does what to whom, and how; an option that is None, empty or False was not given."""
        self.actor, self.targets, self.action = actor, tuple(targets), action
        given = {name: value for name, value in options.items() if value not in (None, "", False)}
        # 0 equals False, and a value of 0 was given.
        self.options = given | {name: value for name, value in options.items() if type(value) is int}

    def say(
        self,
        sentence: str,
        about: Iterable[str] = (),
        *,
        seen: Seen | None = None,
        owner: str | None = None,
        upcoming: bool = False,
        result: int | None = None,
        exact: bool = False,
    ) -> None:
        """Tell something. `about`: the ids of all whom the sentence names; see Sentence for the rest."""
        if sentence:
            number = self.encounter.progress.round
            self.sentences.append(
                Sentence(sentence, tuple(about), seen, owner, upcoming, number, result, exact)
            )

    def in_sight(self, ids: Iterable[str]) -> list[list[str]]:
        """The ids in groups that one sentence may name together: those in sight, then each hidden one.

        Hidden ones of the foes share a group, since no player has one of them.
        """
        groups: dict[str, list[str]] = {}
        for who in ids:
            states = [
                here.combatants[who].state for here in (self.before, self.encounter) if who in here.combatants
            ]
            hidden = any(state.hidden for state in states)
            own = hidden and any(state.side == self.encounter.players for state in states)
            groups.setdefault(f"own {who}" if own else "hidden" if hidden else "", []).append(who)
        return [groups[name] for name in sorted(groups)]

    def put(self, *combatants: Combatant) -> None:
        self.encounter = self.encounter.with_combatants(*combatants)

    def one(self, who: str) -> Combatant:
        return self.encounter.combatants[who]

    def act(
        self,
        action: Action,
        actor: str,
        target: str | None,
        options: Any,
        before: Mapping[str, Any] = NOTHING,
    ) -> Outcome:
        """Resolve and apply one action. Raises Refused in the game's words, Wrong for what cannot be."""
        outcome = self._resolved(action, actor, target, options, before)
        if outcome.refused is not None:
            raise Refused(outcome.tell().text, code="against_the_rules")
        self._apply(outcome, actor, target)
        self._tell(outcome, action, actor, target)
        return outcome

    def hook(self, name: str, who: str) -> None:
        """Run what the game does by itself to one combatant, where the game has that action.

        What its account says is told; an empty account is silence. One that is refused is nothing at all.
        One that raises Wrong is a sentence: a turn must not hang on it.
        """
        action = self.encounter.game.action(name)
        if action is None:
            return
        try:
            outcome = self._resolved(action, who, None, action.options())
        except Wrong as mistake:
            self.say(f"{self.one(who).name}: {mistake}.", [who])
            return
        if outcome.refused is not None:
            return
        self._apply(outcome, who, None)
        self._tell(outcome, action, who, None)

    def _resolved(
        self,
        action: Action,
        actor: str,
        target: str | None,
        options: Any,
        before: Mapping[str, Any] = NOTHING,
    ) -> Outcome:
        scene = scene_of(self.encounter, action, actor, target, options, before)
        self.table.people = {"actor": actor, "target": target or actor}
        return action.run(scene, self.table)

    def _apply(self, outcome: Outcome, actor: str, target: str | None) -> None:
        for role, changes in outcome.changes.items():
            who = actor if role == "actor" else target
            if who is not None and changes:
                self.put(settled(self.encounter, self.one(who).with_sheet(changes)))
        for gives in outcome.gives:
            self._give(gives, actor, target)
        if outcome.extra_turn:
            self.extra = actor if outcome.extra_turn == "actor" else target

    def _tell(self, outcome: Outcome, action: Action, actor: str, target: str | None) -> None:
        account = outcome.tell()
        about = [actor, *([target] if target else [])]
        self.say(account.text, about, result=len(self.results), exact=True)
        if account.text or action.group != "hook":
            degree = outcome.degree or _degree(action, outcome)
            self.results.append(Result(action.name, actor, target, degree, outcome.facts, account))
        self.offer(outcome.asks, actor, target)

    def offer(self, asks: Iterable[Ask], actor: str, target: str | None) -> None:
        """Keep what now lies with somebody, until the next turn."""
        offers = tuple(_offer(ask, actor, target) for ask in asks)
        if offers:
            self.encounter = attrs.evolve(self.encounter, offers=(*self.encounter.offers, *offers))
            for offer in offers:
                # An offer is its owner's alone; what is no one's in particular is the game master's.
                seen: Seen | None = None if offer.by else "gm"
                named = [who for who in (actor, target) if who]
                self.say(offer.says, named, seen=seen, owner=offer.by)

    def _give(self, gives: GivenCondition, actor: str, target: str | None) -> None:
        held = ActiveCondition(name=gives.condition, value=gives.value)
        if gives.until is not None:
            of = target if gives.of == "target" and target else actor
            held = until_turn(self.encounter, held, gives.until, of)
        elif gives.rounds is not None:
            held = for_rounds(self.encounter, held, gives.rounds)
        for who in self._receivers(gives, actor, target):
            self.put(with_condition(self.encounter, self.one(who), held))

    def _receivers(self, gives: GivenCondition, actor: str, target: str | None) -> list[str]:
        match gives.who:
            case "actor":
                return [actor]
            case "target":
                return [target] if target else []
        side = self.one(actor).side
        allies = [one for one in self.encounter if one.side == side and one.id != actor]
        here = self.encounter
        return [one.id for one in allies if not one.state.arrives and here.status(one).in_order]


def _degree(action: Action, outcome: Outcome) -> str:
    """`success` or `failure` by the fact that the action declares, where the game gives no degree."""
    succeeded = outcome.facts.get(action.success) if action.success else None
    return "" if succeeded is None else "success" if succeeded else "failure"


def _offer(ask: Ask, actor: str, target: str | None) -> Offer:
    people: dict[Role | None, str | None] = {"actor": actor, "target": target, None: None}
    by, onto = people[ask.by], people[ask.target]
    if not ask.action:
        return Offer(says=ask.text, by=by, target=onto)
    options = {name: as_typed(value) for name, value in ask.options.items() if value is not None}
    command = action_line(ask.action, [onto] if onto else [], options, by or "")
    return Offer(says=ask.text, command=command, by=by, target=onto, action=ask.action, options=options)


def action_line(action: str, targets: Iterable[str], options: Mapping[str, str], by: str) -> str:
    """The line that says an action, its targets (ids), its options as they are typed, and who does it."""
    named = ",".join(targets)
    words = [action, named, *(f"{name}={_quoted(word)}" for name, word in options.items())]
    return " ".join(word for word in [*words, f"by {by}" if by else ""] if word)


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def scene_of(
    encounter: Encounter,
    action: Action,
    actor: str,
    target: str | None,
    options: Any,
    before: Mapping[str, Any] = NOTHING,
) -> Scene[Any, Any, Any]:
    """What an action sees of the encounter; conditions have changed its options."""
    one = encounter.combatants[actor]
    other = encounter.combatants[target] if target else None
    options, effects = under_conditions(encounter, action, options, one, other)
    return Scene(
        actor=one.sheet,
        target=other.sheet if other else encounter.game.sheet(),
        options=options,
        house=encounter.house,
        actor_name=one.name,
        target_name=other.name if other else "nobody",
        has_target=other is not None,
        before=before,
        effects=effects,
    )
