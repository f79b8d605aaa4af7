"""One command in the making: the encounter as it becomes, and what is told of it.

`Transaction.act` resolves one action of the game in the encounter: sheets and names from the combatants,
options changed by conditions, outcome applied, conditions given, offers and extra turns noted.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from systems.commands.durations import for_rounds, until_turn
from systems.commands.effects import has_condition as has_condition
from systems.commands.effects import settled, under_conditions, with_condition
from systems.contract.outcome import Account, Ask, GivenCondition, Outcome, Role
from systems.contract.ruleset import Action, Scene
from systems.contract.table import Table
from systems.encounter.model import ActiveCondition, Combatant, Encounter, Offer
from systems.errors import Refused, Wrong
from systems.frozen import frozen
from systems.schema.values import as_typed

NOTHING: Mapping[str, Any] = {}


@frozen
class ActionReport:
    """What one action of a command came to, for the log and for `why`."""

    who: str
    account: Account
    facts: Mapping[str, Any]


class Transaction:
    """The encounter as one command changes it, with the sentences to log."""

    def __init__(self, encounter: Encounter, table: Table) -> None:
        self.encounter = encounter
        self.table = table
        self.sentences: list[str] = []
        self.told: list[ActionReport] = []
        self.extra: str | None = None

    def say(self, sentence: str) -> None:
        if sentence:
            self.sentences.append(sentence)

    def put(self, *ones: Combatant) -> None:
        self.encounter = self.encounter.with_combatants(*ones)

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
            raise Refused(outcome.tell().text)
        self._apply(outcome, actor, target)
        self._tell(outcome, actor, target)
        return outcome

    def hook(self, name: str, who: str) -> None:
        """What the game does of itself to one combatant, where the game has that action.

        One that rolled nothing and left the status as it was is not told; one that is refused is
        nothing at all. One that cannot be is a sentence: a turn must not hang on it.
        """
        action = self.encounter.game.action(name)
        if action is None:
            return
        before = self.encounter.status(self.one(who))
        rolls = len(self.table.rolls)
        try:
            outcome = self._resolved(action, who, None, action.options())
        except Wrong as mistake:
            self.say(f"{self.one(who).name}: {mistake}.")
            return
        if outcome.refused is not None:
            return
        self._apply(outcome, who, None)
        quiet = len(self.table.rolls) == rolls and self.encounter.status(self.one(who)) == before
        self._tell(outcome, who, None, quiet=quiet)

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

    def _tell(self, outcome: Outcome, actor: str, target: str | None, *, quiet: bool = False) -> None:
        if not quiet:
            account = outcome.tell()
            self.say(account.text)
            self.told.append(ActionReport(target or actor, account, outcome.facts))
        self.offer(outcome.asks, actor, target)

    def offer(self, asks: Iterable[Ask], actor: str, target: str | None) -> None:
        """Keep what now lies with somebody, until the next turn."""
        offers = tuple(_offer(ask, actor, target) for ask in asks)
        if offers:
            self.encounter = attrs.evolve(self.encounter, offers=(*self.encounter.offers, *offers))
            for one in offers:
                self.say(one.says)

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


def _offer(ask: Ask, actor: str, target: str | None) -> Offer:
    people: dict[Role | None, str | None] = {"actor": actor, "target": target, None: None}
    by, onto = people[ask.by], people[ask.target]
    if not ask.action:
        return Offer(says=ask.text, by=by, target=onto)
    options = {name: as_typed(value) for name, value in ask.options.items() if value is not None}
    words = [
        ask.action,
        *([onto] if onto else []),
        *(f"{name}={_quoted(one)}" for name, one in options.items()),
    ]
    command = " ".join([*words, *(["by", by] if by else [])])
    return Offer(says=ask.text, command=command, by=by, target=onto, action=ask.action, options=options)


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
