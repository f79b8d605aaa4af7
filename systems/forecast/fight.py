"""Play whole fights: the policy takes every turn, by the commands themselves and without words.

Each side has a temper. Questions get their suggested
answers. At the end of a turn the others use what the game offers them then, such as legendary actions, if it
does harm. Movement and all other offered reactions are left out.
"""

from collections.abc import Callable, Container, Mapping
from functools import lru_cache
from itertools import takewhile
from typing import Literal

from systems.commands.action import take_action
from systems.commands.actions import ActionCommand
from systems.commands.cast import change_cast, flee
from systems.commands.dispatcher import settle
from systems.commands.transaction import Transaction
from systems.commands.turns import next_turn, start
from systems.contract.table import Suggested, Table
from systems.dice.expression import DiceError, Expression, plain_sum
from systems.dice.notation import parse
from systems.dice.sources import DiceCounts, Roll, Streams
from systems.encounter.model import FOREVER, Encounter
from systems.encounter.roster import JoiningEntry
from systems.errors import Refused, Wrong
from systems.forecast.choice import Temper, TurnChoice, choices_after_turn, choices_of, chosen
from systems.forecast.habits import is_flight
from systems.forecast.known_worths import KnownWorths
from systems.forecast.moves import actions_left, by_policy, options_of
from systems.forecast.turn_ends import (
    acts_after_turns,
    is_anybody_ready_after_turns,
    is_paid_late,
    is_ready_after_turns,
    with_late_cost_back,
)
from systems.forecast.worth import stands
from systems.frozen import frozen

MOST_ROUNDS = 60
# In one round.
MOST_TURNS = 10_000
_SUGGESTED = Suggested()
# The record of every die, because no words name the dice of a forecast.
_ROLLED = Roll(1, 1)
# `harmless`: nobody can hurt anybody, so it never ends. `too long`: it was stopped after the last round.
FightEnd = Literal["won", "lost", "harmless", "too long"]
JoiningEntries = Mapping[str, JoiningEntry]


@frozen
class PlayedFight:
    """A fight played to its end. `fallen`: the combatants that were out of action at some time."""

    end: FightEnd
    after: Encounter
    fallen: frozenset[str]

    @property
    def rounds(self) -> int:
        """Return the number of its last round."""
        return min(self.after.progress.round, MOST_ROUNDS)


class FightDice:
    """Random dice for one fight: each combatant has a stream of its own.

    So the same seed gives a combatant the same dice in two fights that differ in another combatant.
    """

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._random: dict[str, Callable[[], float]] = {}

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        """Return a face from 1 to `sides`.

        A combatant's name may change when others join, so its stream is named by its id.
        """
        if of not in self._random:
            self._random[of] = self._streams.named(of).random
        return 1 + int(self._random[of]() * sides)

    def pick(self, count: int) -> int:
        """Return a number from 0 to `count` − 1, for a choice."""
        return int(self._streams.named("choice").random() * count)


class _QuickTable(Table):
    """A table whose dice all come from the same source, without totals given by hand or pauses for a die."""

    def face(self, sides: int, why: str, of: str = "actor") -> int:
        self.rolls.append(_ROLLED)
        return self._dice.face(sides, why, self._people.get(of, of))

    d = face

    def _sum(self, dice: DiceCounts, why: str, of: str) -> int:
        owner = self._people.get(of, of)
        self.rolls.append(_ROLLED)
        return sum([self._dice.face(sides, why, owner) for number, sides in dice for _ in range(number)])

    def roll(self, dice: str | Expression, why: str = "", of: str = "actor") -> int:
        plain = _plain_dice(dice) if isinstance(dice, str) else None
        return super().roll(dice, why, of) if plain is None else self._sum(plain[0], why, of) + plain[1]


@lru_cache(maxsize=1024)
def _plain_dice(dice: str) -> tuple[DiceCounts, int] | None:
    """Return dice that are simply added up and the number added to them; None for other dice."""
    try:
        formulas = parse(dice).formulas
    except DiceError:
        return None
    plus = plain_sum(formulas[0]) if len(formulas) == 1 else None
    if plus is None:
        return None
    return tuple((pool.count, pool.sides) for pool in formulas[0].pools), plus


def play_fight(
    encounter: Encounter,
    roster: JoiningEntries,
    dice: FightDice,
    temper: Temper,
    worths: KnownWorths,
    done: Mapping[str, int] | None = None,
    players: Temper = "sensible",
) -> PlayedFight:
    """Play a fight to its end, from now on or from its start.

    `temper`: that of the foes. `players`: that of the players' side. `worths`: the worths known from other
    fights of this game and house. `done`: the number of actions that each combatant has carried out in the
    present turn. Raises Refused if the fight cannot start.
    """
    return _Playing(encounter, roster, dice, (players, temper), worths, done or {}).played()


def winner_of(encounter: Encounter) -> Literal["won", "lost", ""]:
    """Return how a fight has ended for the players, or "".

    A side goes on while a member can act, is only held or stunned, or is still to arrive.
    """
    players = foes = False
    for combatant in encounter:
        arrives = combatant.state.arrives
        is_player = combatant.side == encounter.players
        if (players if is_player else foes) or arrives == FOREVER:
            continue
        if arrives or stands(encounter, combatant.id):
            players, foes = players or is_player, foes or not is_player
            if players and foes:
                return ""
    return ("" if foes else "won") if players else "lost"


class _Playing:
    """A fight while it is played."""

    def __init__(
        self,
        encounter: Encounter,
        roster: JoiningEntries,
        dice: FightDice,
        tempers: tuple[Temper, Temper],
        worths: KnownWorths,
        done: Mapping[str, int],
    ) -> None:
        self._here, self._roster, self._dice = encounter.without_offers(), roster, dice
        # Of the players' side and of its foes.
        self._tempers, self._worths, self._done = tempers, worths, done
        self._fallen = {each.id for each in encounter if not encounter.status(each).acts}
        # The last round in which something could do harm, or changed what can be done.
        self._eventful = encounter.progress.round
        # Nobody is left to take a turn, although both sides can act.
        self._is_stuck = False
        # In the present round.
        self._turns = 0
        self._reacts, self._pays_late = acts_after_turns(encounter.game), is_paid_late(encounter.game)
        self._winner: Literal["won", "lost", ""] = ""

    def played(self) -> PlayedFight:
        """Play to the end."""
        if self._here.is_prepared:
            self._carry_out(start)
        self._winner = winner_of(self._here)
        while not (end := self._end()):
            self._turn(self._here.progress.turn)
        return PlayedFight(end, self._here, frozenset(self._fallen))

    def _end(self) -> FightEnd | Literal[""]:
        if self._winner:
            return self._winner
        number = self._here.progress.round
        if number > MOST_ROUNDS or self._turns > MOST_TURNS:
            return "too long"
        # One whole round has passed without anything that could do harm.
        is_over = number > self._eventful + 2
        if is_over and any(0 < each.state.arrives < FOREVER for each in self._here):
            self._eventful, is_over = number, False
        return "harmless" if is_over or self._is_stuck else ""

    def _turn(self, who: str | None) -> None:
        """Play a turn: as many actions as it has, then the next turn."""
        self._turns += 1
        if who is not None:
            for _ in range(self._times(who)):
                if not self._act(who):
                    break
                if self._winner or self._here.progress.turn != who:
                    break
            self._done = {}
        if not self._winner:
            before = self._here
            try:
                self._carry_out(next_turn)
            except Refused:
                self._is_stuck = True
                return
            if self._here.progress.round != before.progress.round:
                self._turns = 0
            if who is not None and self._reacts:
                self._after_turn(who, before)

    def _after_turn(self, ended: str, before: Encounter) -> None:
        """Let the others use what the game offers them at the end of a turn, such as legendary actions.

        `before`: the fight before the next turn began.
        """
        if not (
            is_anybody_ready_after_turns(self._here)
            or (self._pays_late and is_anybody_ready_after_turns(before))
        ):
            return
        for who in self._here.progress.ids:
            spent: set[str] = set()
            while found := self._after(who, ended, before, spent):
                spends, choice = found
                spent.add(spends)
                if not self._take(choice):
                    break
                if who == self._here.progress.turn and who in before.combatants:
                    self._here = with_late_cost_back(self._here, who, spends)
                if self._winner:
                    return

    def _after(
        self, who: str, ended: str, before: Encounter, spent: Container[str]
    ) -> tuple[str, TurnChoice] | None:
        """Return what a combatant does at the end of another's turn, with what that spends; or None."""
        here = self._here
        if self._pays_late and who == here.progress.turn and who in before.combatants:
            # Its turn has begun, but it pays with what it had before.
            here = here.with_combatants(before.combatants[who])
        if who == ended or who not in here.combatants or not is_ready_after_turns(here, who):
            return None
        if ended not in here.combatants or not here.status(here.combatants[ended]).in_order:
            return None
        if not self._could_act(who, before):
            return None
        found = choices_after_turn(here, who, ended, spent, self._worths)
        choice = chosen(here, [choice for _, choice in found], self._temper_of(who), self._dice.pick)
        return next(((spends, each) for spends, each in found if each is choice), None)

    def _could_act(self, who: str, before: Encounter) -> bool:
        """Return whether a combatant that can act now could do so when a turn ended.

        If its own turn has passed since, because it was held until then, another one must have passed later.
        """
        order, present = self._here.progress.order, self._here.progress.turn
        if not _has_passed(who, before, self._here) or before.status(before.combatants[who]).acts:
            return True
        at = order.index(who) + 1
        later = takewhile(lambda other: other != present, (*order[at:], *order[:at]))
        return any(_has_passed(other, before, self._here) for other in later)

    def _times(self, who: str) -> int:
        """Return the actions of a turn that are left."""
        combatant, done = self._here.combatants[who], self._done.get(who, 0)
        return by_policy(self._here, lambda here: actions_left(here, combatant, done))

    def _act(self, who: str) -> bool:
        """Carry out the best action of a combatant; return whether there was one."""
        here = self._here
        if who not in here.combatants or not here.status(here.combatants[who]).acts:
            return False
        choice = self._chosen(who)
        if choice is None:
            return False
        return self._take(choice)

    def _take(self, choice: TurnChoice) -> bool:
        """Carry out a choice; return whether the rules allow it."""
        here = self._here
        if choice.worth > 0 or choice.move.first:
            self._eventful = here.progress.round
        if is_flight(choice.move):
            # In a forecast nothing happens between getting away and leaving.
            self._eventful = here.progress.round
            self._carry_out(lambda transaction: flee(transaction, [choice.who]))
            return False
        try:
            self._carry_out(lambda transaction: take_action(transaction, _command_of(here, choice)))
        except (Refused, Wrong):
            # What the choice could not know, such as a limit over several targets.
            return False
        return True

    def _chosen(self, who: str) -> TurnChoice | None:
        here = self._here
        choices = by_policy(here, lambda here: choices_of(here, who, self._worths))
        return chosen(here, choices, self._temper_of(who), self._dice.pick)

    def _temper_of(self, who: str) -> Temper:
        here = self._here
        return self._tempers[0 if here.is_player(here.combatants[who]) else 1]

    def _carry_out(self, doing: Callable[[Transaction], None]) -> None:
        """Carry out one command, and note who falls."""
        before = self._here
        transaction = Transaction(before, _QuickTable(self._dice, _SUGGESTED), self._roster, tells=False)
        transaction.change_cast = change_cast
        doing(transaction)
        settle(transaction)
        after = self._here = transaction.encounter
        decides = len(after.combatants) != len(before.combatants)
        known = before.combatants.get
        for who, combatant in after.combatants.items():
            older = known(who)
            if combatant is older:
                continue
            if not after.status(combatant).acts:
                self._fallen.add(who)
                decides = True
            elif older is None or combatant.side != older.side or combatant.state.arrives:
                decides = True
        if decides:
            # Otherwise both sides go on as before.
            self._winner = winner_of(after)


def _has_passed(who: str, before: Encounter, here: Encounter) -> bool:
    """Return whether the turn of a combatant is over that was not over before."""
    both = who in before.combatants and who in here.combatants
    return both and before.combatants[who].state.done < here.combatants[who].state.done


def _command_of(encounter: Encounter, choice: TurnChoice) -> ActionCommand:
    """Return the command that carries out a choice."""
    action = encounter.game.action(choice.move.action)
    assert action is not None
    return ActionCommand(action, (choice.who,), choice.targets, options_of(action, choice.move))
