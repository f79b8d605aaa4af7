"""The moves of a combatant: those of its game's policy, or an attack with each of its weapons."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

from systems.contract.action import Action
from systems.contract.mistakes import report
from systems.contract.policy import Move, Policy
from systems.contract.ruleset import Ruleset
from systems.encounter import remembered
from systems.encounter.completion import option_words
from systems.encounter.events import Event
from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import may_act
from systems.frozen import evolve
from systems.schema.conversion import read
from systems.schema.fields import Field, fields_of
from systems.schema.types import Text

T = TypeVar("T")
# No turn has more actions than this, whatever a policy says.
MOST_ACTIONS = 12


def policy_of(game: Ruleset) -> Policy:
    """Return the game's policy, or one that attacks with each weapon once a turn."""
    return game.own_policy or Policy(lambda sheet, house: tuple(_attacks(game, sheet)))


def options_of(action: Action, move: Move) -> Any:
    """Return the options of an action as a move gives them. Raises InputError."""
    given = tuple((name, type(value), value) for name, value in move.options.items())
    try:
        return _read_options(action.options, given)
    except TypeError:
        # A table is no key.
        return read(action.options, dict(move.options))


@lru_cache(maxsize=1024)
def _read_options(options: type, given: tuple[tuple[str, type, object], ...]) -> Any:
    return read(options, {name: value for name, _, value in given})


def by_policy(
    encounter: Encounter, find: Callable[[Encounter], T], failed: Callable[[str], object] | None = None
) -> T:
    """Return what `find` returns for an encounter. If the game's policy fails, the default one decides.

    Its mistake is reported, and `failed` gets the sentence about it.
    """
    game = encounter.game
    try:
        return find(encounter)
    except Exception as error:
        if game.policy is None:
            raise
        sentence = f"The policy of {game.title} failed ({type(error).__name__}: {error})"
        report(error, sentence)
        if failed is not None:
            failed(sentence)
    return find(evolve(encounter, game=evolve(game, policy=None)))


def spared_by(encounter: Encounter, who: str) -> frozenset[str]:
    """Return the ids of the combatants that a combatant does not harm, such as its charmer."""
    combatant = encounter.combatants[who]
    if not combatant.conditions:
        return frozenset()
    names = policy_of(encounter.game).spares
    return frozenset(held.source for held in combatant.conditions if held.source and held.name in names)


def actions_in_turn(game: Ruleset, sheet: Any, house: Any) -> int:
    """Return how many actions a turn of this sheet has at most, from 1."""
    return max(1, min(policy_of(game).times(sheet, house), MOST_ACTIONS))


def actions_left(encounter: Encounter, combatant: Combatant, done: int) -> int:
    """Return how many more actions the turn of a combatant has at most. `done`: those carried out in it.

    If the game says itself when a turn is spent, the rules count them.
    """
    game = encounter.game
    times = actions_in_turn(game, combatant.sheet, encounter.house)
    return times if game.spent is not None else max(0, times - done)


def actions_done(newest: Iterable[Event], encounter: Encounter) -> Counter[str]:
    """Return how many of the actions of its own turn each combatant has carried out in it.

    Checks and saves count only if the policy uses them as actions. `newest`: the events in force, newest
    first.
    """
    game = encounter.game

    def counts(who: str, name: str) -> bool:
        action, combatant = game.action(name), encounter.combatants.get(who)
        if action is None or combatant is None or name in policy_of(game).free:
            return False
        if not may_act(encounter, who):
            # It has only reacted to the turn of another.
            return False
        if action.group != "check":
            return True
        return any(move.action == name for move in policy_of(game).moves(combatant.sheet, encounter.house))

    return remembered.actions_in_turn(newest, encounter, counts)


def _attacks(game: Ruleset, sheet: Any) -> Iterator[Move]:
    """Yield the game's attacks on foes: combat actions with odds and an amount, with each weapon."""
    for action in game.actions:
        is_attack = action.group == "combat" and action.success and action.amount and not action.itself
        if is_attack and action.targets in ("one", "many"):
            yield from _with_each(action, sheet)


def _with_each(action: Action, sheet: Any) -> Iterator[Move]:
    """Yield an attack with each thing that its first option of that kind may name, such as a weapon."""
    for field in _naming_options(action):
        words = set(field.naming.also) | set(field.naming.kept(sheet)) if field.naming else set()
        names = [name for name in option_words(sheet, field) if name not in words]
        if names:
            yield from (Move(action.name, {field.name: name}) for name in names)
            return
    yield Move(action.name)


def name_used(game: Ruleset, move: Move) -> str:
    """Return the name of what a move uses, such as a weapon or a spell; "" if it names nothing."""
    action = game.action(move.action)
    fields = _naming_options(action) if action is not None else ()
    return next((str(move.options[field.name]) for field in fields if move.options.get(field.name)), "")


def _naming_options(action: Action) -> Iterator[Field]:
    """Yield the options of an action that name something of the actor, the main one first."""
    for field in fields_of(action.options).values():
        if isinstance(field.type, Text) and (field.naming is None or field.naming.of == "actor"):
            yield field
