"""The enemy's plan: what each creature up to the next player's turn would do.

The same policy chooses as in a forecast. Each creature plans in the present fight, with what its own turn
restores and spends; what the others will have done by then is not known. At the end of each turn, the
others use what the game offers them then, such as legendary actions. While a plan is carried out, an action
that has become impossible is replaced: its target may have fallen.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any

from systems.commands.offers import action_line
from systems.commands.preview import Preview, preview
from systems.contract.reaction import TURN_END
from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import can_have_turn, can_still_act, group_of, sharing_turn
from systems.errors import InputError
from systems.forecast.branches import branches_of, changed_fields, used_by_effect
from systems.forecast.choice import (
    Temper,
    TurnChoice,
    choices_after_turn,
    choices_of,
    chosen,
    moves_of,
    valued,
)
from systems.forecast.danger import refreshed
from systems.forecast.found import LikelyAction
from systems.forecast.habits import is_flight
from systems.forecast.known_worths import KnownWorths
from systems.forecast.moves import actions_left, by_policy, policy_of
from systems.forecast.turn_ends import acts_after_turns, is_ready_after_turns
from systems.forecast.turns import next_to_act
from systems.forecast.worth import MOST_BRANCHES, acts, stands
from systems.frozen import evolve, frozen
from systems.odds import TooManyDice
from systems.schema.conversion import read
from systems.schema.values import as_typed

# Returns a random number from 0 to one less than its argument.
Pick = Callable[[int], int]
# Returns the choices of a combatant in an encounter.
FindChoices = Callable[[Encounter, str, KnownWorths], list[TurnChoice]]
_UNKNOWN = Preview()
# At most this many results of an action are considered for the next one.
_MOST_RESULTS = 3


@frozen
class PlannedAction:
    """One action of a plan, with its odds.

    `line`: its command line. `instead`: why it replaces another action, or "". `after`: the id of the
    combatant at the end of whose turn it is used, such as a legendary action; "" in the creature's own turn.
    """

    choice: TurnChoice
    line: str
    likely: LikelyAction
    instead: str = ""
    after: str = ""

    @property
    def who(self) -> str:
        """Return the id of the creature that acts."""
        return self.choice.who


@frozen
class EnemyPlan:
    """The actions of all creatures up to the next player's turn.

    `due`: the ids of these creatures in the order of their turns. `failures`: a sentence for each game or
    creature whose policy failed, so that the default policy has chosen. `reacts`: it begins with actions at
    the end of the turn that is just over.
    """

    due: tuple[str, ...] = ()
    actions: tuple[PlannedAction, ...] = ()
    failures: tuple[str, ...] = ()
    reacts: bool = False


def plan_of(
    encounter: Encounter,
    temper: Temper,
    pick: Pick,
    done: Mapping[str, int],
    only: Collection[str] | None = None,
) -> EnemyPlan:
    """Return the plan of a fight.

    `done`: how many actions a creature has carried out in its present turn. `only`: the creatures to plan
    for; None for all. `pick`: see `choice.chosen`.
    """
    planner = Planner(encounter, temper, pick, only=only)
    first = planner.part("")
    due = turns_of_plan(encounter, only, reacts=bool(first))
    actions = [*first, *(action for who in due for action in planner.part(who, done.get(who, 0)))]
    return EnemyPlan(due, tuple(actions), tuple(planner.failures), bool(first))


def turns_of_plan(encounter: Encounter, only: Collection[str] | None, *, reacts: bool) -> tuple[str, ...]:
    """Return the creatures whose turns a plan plays, in the order of their turns.

    `reacts`: it begins with what creatures do because a turn has just ended. In a player's turn this is all.
    """
    is_players_turn = encounter.turn is not None and encounter.is_player(encounter.turn)
    return () if reacts and is_players_turn else creatures_due(encounter, only)


def reactions_open(encounter: Encounter, only: Collection[str] | None = None) -> dict[str, str]:
    """Return the creatures that may act now because a turn has ended, each with the id of that turn's owner.

    They have offers such as legendary actions. `only`: leave out all others.
    """
    reactions = {each.name for each in encounter.game.reactions if each.after == TURN_END}
    return {
        offer.by: offer.reacts_to
        for offer in encounter.offers
        if offer.reaction in reactions
        and offer.by
        and offer.reacts_to
        and (only is None or offer.by in only)
        and _is_able_creature(encounter, offer.by)
    }


def likely_next(encounter: Encounter, pick: Pick, count: int = 2) -> tuple[LikelyAction, ...]:
    """Return what the next combatants would most likely do after the present turn, if they are sensible."""
    planner = Planner(encounter, "sensible", pick)
    return tuple(action.likely for who in next_to_act(encounter, count) for action in planner.turn(who)[:1])


def creatures_due(encounter: Encounter, only: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the creatures that act up to the next player's turn, in the order of their turns.

    `only`: leave out all others.

    In a player's turn, the creatures after it count. In the sides style, a whole side is returned.
    """
    progress = encounter.progress
    if not progress.round or progress.over:
        return ()
    found = _all_due(encounter)
    return found if only is None else tuple(who for who in found if who in only)


def _all_due(encounter: Encounter) -> tuple[str, ...]:
    progress = encounter.progress
    here = [who for who in progress.order if who in encounter.combatants and can_have_turn(encounter, who)]
    if encounter.style == "sides" and not progress.interrupted:
        if progress.side != encounter.players:
            return tuple(who for who in here if can_still_act(encounter, who))
        return tuple(who for who in here if _is_able_creature(encounter, who))
    return tuple(dict.fromkeys(_in_turn(encounter, here)))


def _in_turn(encounter: Encounter, here: Sequence[str]) -> Iterator[str]:
    turn = encounter.progress.turn
    present = sharing_turn(encounter, turn) if turn is not None else ()
    yield from (who for who in present if _is_able_creature(encounter, who))
    at = here.index(turn) + 1 if turn in here else 0
    for who in (*here[at:], *here[:at]):
        if who in present:
            continue
        if encounter.is_player(encounter.combatants[who]):
            if acts(encounter, who):
                return
            continue
        yield from (other for other in group_of(encounter, who) if _is_able_creature(encounter, other))


def _is_able_creature(encounter: Encounter, who: str) -> bool:
    return not encounter.is_player(encounter.combatants[who]) and acts(encounter, who)


class Planner:
    """Chooses for several creatures in one state of a fight. Equal cases are calculated once.

    `failures`: a sentence for each policy that has failed so far. `worths`: the worths known already.
    `only`: the creatures that may act at the end of others' turns; None for all.
    """

    def __init__(
        self,
        encounter: Encounter,
        temper: Temper,
        pick: Pick,
        worths: KnownWorths | None = None,
        only: Collection[str] | None = None,
    ) -> None:
        self._encounter, self._temper, self._pick = encounter, temper, pick
        self._worths, self._only = worths or KnownWorths(), only
        self._reacts = acts_after_turns(encounter.game)
        # The creatures that act at the end of others' turns, with what they have left.
        self._left: dict[str, Combatant] = {}
        self._odds: list[tuple[Combatant, TurnChoice, Preview]] = []
        self.failures: list[str] = []

    def part(self, who: str, done: int = 0) -> list[PlannedAction]:
        """Return what a creature does in its turn, then what others do at its end.

        Without a creature, what the creatures do because a turn has just ended.
        """
        if who:
            return [*self.turn(who, done), *self._after_turn(who)]
        waiting = reactions_open(self._encounter, self._only).items()
        return [action for reacting, ended in waiting for action in self.after_turn(reacting, ended)]

    def _after_turn(self, ended: str) -> list[PlannedAction]:
        """Return what the other creatures do at the end of a turn."""
        if not self._reacts:
            return []
        others = [each.id for each in self._encounter.in_line() if each.id != ended]
        return [
            action
            for who in others
            if _is_able_creature(self._encounter, who) and (self._only is None or who in self._only)
            for action in self.after_turn(who, ended)
        ]

    def after_turn(self, who: str, ended: str) -> list[PlannedAction]:
        """Return what a creature does at the end of another's turn, such as a legendary action."""
        here = self._encounter.with_combatants(*self._left.values())
        found: list[PlannedAction] = []
        spent: set[str] = set()
        while is_ready_after_turns(here, who):
            choices = self._choices_after_turn(here, who, ended, spent)
            choice = chosen(here, [choice for _, choice in choices], self._temper, self._pick)
            if choice is None:
                break
            spent |= {spends for spends, each in choices if each is choice}
            found.append(evolve(self.action(here, choice), after=ended))
            here = self._results(here, choice)[0]
            self._left[who] = here.combatants[who]
        return found

    def _choices_after_turn(
        self, here: Encounter, who: str, ended: str, spent: Collection[str] = ()
    ) -> list[tuple[str, TurnChoice]]:
        return by_policy(
            here, lambda here: choices_after_turn(here, who, ended, spent, self._worths), self._fail
        )

    def turn(self, who: str, done: int = 0) -> list[PlannedAction]:
        """Return what a creature does in its turn, of which it has carried out `done` actions.

        An action that only some results of the one before it allow, such as a hit, is planned too.
        """
        here = self._at_turn(who)
        found: list[PlannedAction] = []
        for _ in range(self._times(here, who, done)):
            choice = None
            for after in self._results(here, found[-1].choice) if found else [here]:
                choice = chosen(after, self.choices(after, who), self._temper, self._pick)
                if choice is not None:
                    here = after
                    break
            if choice is None:
                break
            found.append(self.action(here, choice))
            if is_flight(choice.move):
                break
        if self._reacts and is_ready_after_turns(here, who):
            here = self._results(here, found[-1].choice)[0] if found else here
            self._left[who] = here.combatants[who]
        return found

    def _results(self, here: Encounter, choice: TurnChoice) -> list[Encounter]:
        """Return the encounter after each result, the likeliest first.

        Only the actor and a friend that it helps are changed.
        """
        found = _known_results(here, choice, self._worths)
        return _results(here, choice) if found is None else found

    def _at_turn(self, who: str) -> Encounter:
        """Return the fight at the beginning of a creature's turn."""
        here = self._encounter
        if who in self._left:
            here = here.with_combatants(self._left[who])
        return here.with_combatants(refreshed(here, who))

    def others(self, planned: PlannedAction) -> list[PlannedAction]:
        """Return all actions that the creature could do in place of this one, the best first.

        In place of flight it could fight on.
        """
        who, ended = planned.who, planned.after
        here = self._encounter.with_combatants(refreshed(self._encounter, who))
        if ended:
            found = [choice for _, choice in self._choices_after_turn(here, who, ended)]
        else:
            found = self.choices(here, who)
        if is_flight(planned.choice.move):
            found += self.choices(here, who, moves_of)
        choices = sorted(found, key=lambda choice: -choice.worth_per_turn)
        return [evolve(self.action(here, choice), after=ended) for choice in choices]

    def choices(self, here: Encounter, who: str, find: FindChoices = choices_of) -> list[TurnChoice]:
        """Return the choices of a combatant. If its policy fails, the default policy chooses."""
        found = by_policy(here, lambda here: find(here, who, self._worths), self._fail)
        own = here.combatants[who]
        if not here.is_player(own):
            return found
        # A player aims at nobody that players can't see.
        unseen = {each.id for each in here if each.state.hidden and each.side != own.side}
        return [choice for choice in found if unseen.isdisjoint(choice.targets)]

    def _times(self, here: Encounter, who: str, done: int) -> int:
        combatant = here.combatants[who]
        return by_policy(here, lambda here: actions_left(here, combatant, done), self._fail)

    def _fail(self, sentence: str) -> None:
        if sentence not in self.failures:
            self.failures.append(sentence)

    def action(self, here: Encounter, choice: TurnChoice, instead: str = "") -> PlannedAction:
        """Return a choice as an action of the plan, with its odds."""
        move = choice.move
        options = {name: as_typed(value) for name, value in move.options.items() if value is not None}
        is_command = is_flight(move)
        line = (
            f"{move.action} {choice.who}"
            if is_command
            else action_line(move.action, choice.targets, options, choice.who)
        )
        works = self._preview(here, choice).works
        if works is None and choice.targets and move.aim != "fallen ally":
            # Several attacks have no success of their own, only the chance that one of them does harm.
            worth = self._worths(here, choice.who, move, choice.targets[0])
            works = worth.harms if worth is not None else None
        drops = choice.falls if choice.targets else None
        words = tuple(options.values())
        likely = LikelyAction(choice.who, move.action, choice.targets, words, works, drops)
        return PlannedAction(choice, line, likely, instead)

    def _preview(self, here: Encounter, choice: TurnChoice) -> Preview:
        own = self._alike(here, here.combatants[choice.who])
        for other, known, odds in self._odds:
            if (known.move, known.targets) == (choice.move, choice.targets) and _is_equal(here, own, other):
                return odds
        odds = _previewed(here, choice)
        self._odds.append((own, choice, odds))
        return odds

    def _alike(self, here: Encounter, combatant: Combatant) -> Combatant:
        """Return a combatant with the values that its game's policy says are alike for every move."""
        sheet = by_policy(
            here, lambda here: policy_of(here.game).alike(combatant.sheet, here.house), self._fail
        )
        return combatant.with_sheet(sheet)


def live_action(
    encounter: Encounter,
    planned: PlannedAction,
    temper: Temper,
    pick: Pick,
    worths: KnownWorths | None = None,
) -> PlannedAction | None:
    """Return a planned action as it can be carried out now; None if the creature has nothing to do.

    An action with a fallen target, or that the rules refuse now, is replaced by the best one.
    """
    worths = worths or KnownWorths()
    why = _why_not(encounter, planned.choice, worths)
    if not why:
        return planned
    planner = Planner(encounter, temper, pick, worths)
    if planned.after:
        found = planner.after_turn(planned.who, planned.after)[:1]
        return evolve(found[0], instead=why) if found else None
    choice = chosen(encounter, planner.choices(encounter, planned.who), temper, pick)
    return planner.action(encounter, choice, why) if choice is not None else None


def _why_not(encounter: Encounter, choice: TurnChoice, worths: KnownWorths) -> str:
    """Return why a choice must be replaced, or ""."""
    for who in choice.targets:
        target = encounter.combatants.get(who)
        if target is None:
            return "a target has left"
        if choice.move.aim != "fallen ally" and not stands(encounter, who):
            return f"{target.name} has fallen"
        if choice.move.aim == "fallen ally" and stands(encounter, who):
            return f"{target.name} is up again"
    if (
        not acts(encounter, choice.who)
        or valued(encounter, choice.who, choice.move, choice.targets, worths) is None
    ):
        return "it is not possible any more"
    return ""


def _previewed(here: Encounter, choice: TurnChoice) -> Preview:
    action = here.game.action(choice.move.action)
    if action is None:
        return _UNKNOWN
    target = choice.targets[0] if choice.targets else None
    try:
        options: Any = read(action.options, dict(choice.move.options))
        action, options = used_by_effect(here, action, choice.who, options) or (action, options)
        if not action.success:
            return _UNKNOWN
        return preview(here, action, choice.who, target, options, aims=choice.targets)
    except (TooManyDice, InputError):
        return _UNKNOWN


def _known_results(here: Encounter, choice: TurnChoice, worths: KnownWorths) -> list[Encounter] | None:
    """Return the encounter after each result if the worth of the move tells it; else None.

    A field that the policy calls alike was counted with another number. The move takes the same from it.
    """
    own, target = here.combatants[choice.who], choice.targets[0] if choice.targets else None
    if here.game.action(choice.move.action) is None or choice.move.aim == "fallen ally":
        return None
    worth = worths(here, own.id, choice.move, target)
    if worth is None or worth.left is None:
        return None
    counted = policy_of(here.game).alike(own.sheet, here.house)
    found: list[Encounter] = []
    for _, changes in sorted(worth.left, key=lambda each: -each[0])[:_MOST_RESULTS]:
        changed = dict(changes)
        for name in changes.keys() & counted.keys():
            now, before, after = getattr(own.sheet, name), counted[name], changes[name]
            if not (isinstance(now, int) and isinstance(before, int) and isinstance(after, int)):
                return None
            changed[name] = now + after - before
        found.append(here.with_combatants(own.with_sheet(changed)))
    return found


def _results(here: Encounter, choice: TurnChoice) -> list[Encounter]:
    """Return the encounter after each result as the planner needs it, by carrying out the action."""
    action = here.game.action(choice.move.action)
    if action is None:
        return [here]
    target = choice.targets[0] if choice.targets else None
    options: Any = read(action.options, dict(choice.move.options))
    changed = [choice.who, *(choice.targets if choice.move.aim == "fallen ally" else ())]
    # What a foe loses makes no difference here.
    summed = here.game.harm_fields[0] if target not in changed and len(here.game.harm_fields) == 1 else ""
    found = branches_of(here, action, choice.who, target, options, MOST_BRANCHES, summed)
    weights: dict[Hashable, tuple[int, Encounter]] = {}
    for weight, after in (*found.found, *((sum(each.ways.values()), each.first) for each in found.summed)):
        there = [after.combatants[who] for who in changed if who in after.combatants]
        key = tuple((changed_fields(each, here.combatants[each.id]), each.conditions) for each in there)
        known = weights.get(key)
        weights[key] = (known[0] + weight, known[1]) if known else (weight, here.with_combatants(*there))
    return [result for _, result in sorted(weights.values(), key=lambda each: -each[0])][:_MOST_RESULTS]


def _is_equal(here: Encounter, own: Combatant, other: Combatant) -> bool:
    """Return whether the odds of the same action are the same for both."""
    return own is other or (
        own.side == other.side
        and own.conditions == other.conditions
        and own.sheet == other.sheet
        and not here.neighbours(own)
        and not here.neighbours(other)
    )
