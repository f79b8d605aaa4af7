"""One command in the making: the encounter as it becomes, and what is told of it.

`Play.act` resolves one action of the game in the encounter: sheets and names from the combatants,
options changed by conditions, outcome applied, conditions given, offers and extra turns noted.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from systems.contract import Account, Action, Ask, Gives, Outcome, Role, Scene
from systems.encounter import Combatant, Encounter, Held, Offer
from systems.fields import fields_of, replace
from systems.kinds import ListOf, Whole
from systems.table import Table


class Refused(ValueError):
    """What was asked cannot be; one sentence says why. Nothing has changed."""


@attrs.frozen
class Told:
    """What one action of a command came to, for the log and for `why`."""

    who: str
    account: Account
    facts: Mapping[str, Any]


class Play:
    """The encounter as one command changes it, with the sentences to log."""

    def __init__(self, encounter: Encounter, table: Table) -> None:
        self.encounter = encounter
        self.table = table
        self.sentences: list[str] = []
        self.told: list[Told] = []

    def say(self, sentence: str) -> None:
        if sentence:
            self.sentences.append(sentence)

    def put(self, *ones: Combatant) -> None:
        self.encounter = self.encounter.with_one(*ones)

    def one(self, who: str) -> Combatant:
        return self.encounter.combatants[who]

    def act(self, action: Action, actor: str, target: str | None, options: Any) -> Outcome:
        """Resolve and apply one action. Raises Refused in the game's words, Wrong for what cannot be."""
        scene = scene_of(self.encounter, action, actor, target, options)
        self.table.people = {"actor": actor, "target": target or actor}
        outcome = action.run(scene, self.table)
        account = outcome.tell()
        if outcome.refused is not None:
            raise Refused(account.text)
        for role, changes in outcome.changes.items():
            who = actor if role == "actor" else target
            if who is not None:
                self.put(settled(self.encounter, self.one(who).having(changes)))
        self.say(account.text)
        self.told.append(Told(target or actor, account, outcome.facts))
        for gives in outcome.gives:
            self._give(gives, actor, target)
        self.offer(outcome.asks, actor, target)
        self._extra_turn(outcome.extra_turn, actor, target)
        return outcome

    def hook(self, name: str, who: str) -> None:
        """Call a hook of the game for one combatant, where the game has it. A quiet one is not told."""
        action = self.encounter.game.action(name)
        if action is None:
            return
        before = self.one(who).sheet
        rolls = len(self.table.rolls)
        said, told = len(self.sentences), len(self.told)
        self.act(action, who, None, action.options())
        if len(self.table.rolls) == rolls and self._same_status(before, who):
            del self.sentences[said:], self.told[told:]

    def _same_status(self, before: Any, who: str) -> bool:
        game, house = self.encounter.game, self.encounter.house
        return game.status(before, house) == game.status(self.one(who).sheet, house)

    def offer(self, asks: Iterable[Ask], actor: str, target: str | None) -> None:
        """Keep what now lies with somebody, until the next turn."""
        offers = tuple(_offer(ask, actor, target) for ask in asks)
        if offers:
            self.encounter = attrs.evolve(self.encounter, offers=(*self.encounter.offers, *offers))
            for one in offers:
                self.say(one.says)

    def _give(self, gives: Gives, actor: str, target: str | None) -> None:
        last = None if gives.rounds is None else self.encounter.course.round + gives.rounds - 1
        held = Held(name=gives.condition, value=gives.value, last_round=last)
        match gives.who:
            case "actor":
                who = [actor]
            case "target":
                who = [target] if target else []
            case "allies":
                side = self.one(actor).side
                who = [one.id for one in self.encounter if one.side == side and one.id != actor]
        for each in who:
            self.put(with_condition(self.encounter, self.one(each), held))

    def _extra_turn(self, role: Role | None, actor: str, target: str | None) -> None:
        """Somebody takes a turn at once; the one whose turn it was goes on afterwards."""
        who = {"actor": actor, "target": target}.get(role or "")
        course = self.encounter.course
        if who and course.turn and who != course.turn:
            self.encounter = self.encounter.with_course(
                turn=who, interrupted=course.interrupted or course.turn
            )
            self.say(f"{self.one(who).name} takes an extra turn now.")


def _offer(ask: Ask, actor: str, target: str | None) -> Offer:
    people: dict[Role | None, str | None] = {"actor": actor, "target": target, None: None}
    by, onto = people[ask.by], people[ask.target]
    command = None
    if ask.action:
        options = "".join(f" {name}={_typed(value)}" for name, value in ask.options.items())
        command = f"{ask.action}{f' {onto}' if onto else ''}{options} by {by}"
    return Offer(says=ask.text, command=command, by=by, target=onto, action=ask.action or None)


def _typed(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return f'"{text}"' if " " in text else text


def scene_of(
    encounter: Encounter, action: Action, actor: str, target: str | None, options: Any
) -> Scene[Any, Any, Any]:
    """What an action sees of the encounter; conditions have changed its options."""
    one = encounter.combatants[actor]
    other = encounter.combatants[target] if target else None
    options = _under_conditions(encounter, action, options, "actor", one)
    if other:
        options = _under_conditions(encounter, action, options, "target", other)
    return Scene(
        actor=one.sheet,
        target=other.sheet if other else encounter.game.sheet(),
        options=options,
        house=encounter.house,
        actor_name=one.name,
        target_name=other.name if other else "nobody",
        has_target=other is not None,
    )


def _under_conditions(encounter: Encounter, action: Action, options: Any, role: Role, one: Combatant) -> Any:
    """The options as the conditions of one side of the action change them."""
    for held in one.conditions:
        condition = encounter.game.condition(held.name)
        for effect in condition.effects if condition else ():
            if effect.action != action.name or effect.role != role:
                continue
            field = fields_of(action.options)[effect.option]
            amount = effect.amount if effect.amount is not None else (held.value or 1)
            now = getattr(options, effect.option)
            match field.kind:
                case ListOf():
                    options = replace(options, **{effect.option: (*now, amount)})
                case Whole(low, high):
                    options = replace(options, **{effect.option: max(low, min(high, (now or 0) + amount))})
                case _:
                    options = replace(options, **{effect.option: effect.value})
    return options


def with_condition(encounter: Encounter, one: Combatant, held: Held) -> Combatant:
    """The combatant with a condition, in place of an older one of that name."""
    condition = encounter.game.condition(held.name)
    rest = tuple(old for old in one.conditions if old.name != held.name)
    found = attrs.evolve(one, conditions=(*rest, held))
    if condition and condition.field:
        return settled(encounter, found.having({condition.field: condition.on}))
    return found


def settled(encounter: Encounter, one: Combatant) -> Combatant:
    """The combatant without conditions that its sheet no longer bears out (cover that was left)."""
    kept = tuple(held for held in one.conditions if _borne_out(encounter, one, held))
    return one if kept == one.conditions else attrs.evolve(one, conditions=kept)


def _borne_out(encounter: Encounter, one: Combatant, held: Held) -> bool:
    condition = encounter.game.condition(held.name)
    if condition is None or not condition.field:
        return True
    return bool(getattr(one.sheet, condition.field) == condition.on)


def without_condition(encounter: Encounter, one: Combatant, name: str) -> Combatant:
    """The combatant without the condition; the field that it stands for goes back."""
    condition = encounter.game.condition(name)
    found = attrs.evolve(one, conditions=tuple(old for old in one.conditions if old.name != name))
    return found.having({condition.field: condition.off}) if condition and condition.field else found


def has_condition(encounter: Encounter, one: Combatant, name: str) -> bool:
    """Whether it bears the condition, or its sheet holds what the condition stands for."""
    condition = encounter.game.condition(name)
    if condition and condition.field and getattr(one.sheet, condition.field) == condition.on:
        return True
    return any(held.name == name for held in one.conditions)
