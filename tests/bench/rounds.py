"""Compare danger with random rounds, played by the commands that a game master types.

`python -m tests.bench.rounds CAMPAIGN EVENT,EVENT ROUNDS` reads a played fight, and prints for each of the
players' characters after these events the danger, the share of random rounds in which it falls, and how many
standard errors lie between them. In a round each foe does what the game's policy allows in its turn, and what
it is offered at the end of others' turns, always on this character. It chooses by the worth of its moves.
"""

import random
import sys
from collections.abc import Hashable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

from systems.commands.action import take_action
from systems.commands.actions import ActionCommand
from systems.commands.dispatcher import settle
from systems.commands.reactions import asks_at_turn_end
from systems.commands.transaction import Transaction
from systems.contract.policy import Move
from systems.contract.table import Suggested, Table
from systems.dice.sources import RandomDice
from systems.encounter.history import encounter_after
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused, Wrong
from systems.forecast.branches import changed_fields
from systems.forecast.danger import danger_of, refreshed
from systems.forecast.habits import flees
from systems.forecast.worth import acts, worth_of_move
from systems.schema.conversion import read
from tui.session.opening import open_fight

MOST_ERRORS = 4.0


class Rounds:
    """Random rounds of one fight in which all foes go for one character."""

    def __init__(self, encounter: Encounter, who: str, seed: int) -> None:
        self._first, self._who = encounter.without_offers(), who
        self._dice = RandomDice(random.Random(seed))
        self._chosen: dict[Hashable, Move | None] = {}
        self._turns = turns_until(self._first, who)

    def fallen(self) -> bool:
        """Play a round; return whether the character falls."""
        here = self._first
        for turn in self._turns:
            if turn != self._who and not self._is_friend(here, turn) and not flees(self._first, turn):
                here = here.with_combatants(refreshed(here, turn))
                here = self._turn(here, turn)
            for other in self._first.combatants:
                if acts(here, self._who) and other != turn and not self._is_friend(here, other):
                    here = self._after(here, other, turn)
            if not acts(here, self._who):
                return True
        return False

    def _is_friend(self, here: Encounter, who: str) -> bool:
        return here.combatants[who].side == here.combatants[self._who].side

    def _turn(self, here: Encounter, foe: str) -> Encounter:
        policy = here.game.own_policy
        assert policy is not None
        sheet = here.combatants[foe].sheet
        for _ in range(max(1, policy.times(sheet, here.house))):
            if not acts(here, self._who) or not acts(here, foe):
                break
            moves = policy.moves(here.combatants[foe].sheet, here.house)
            move = self._best(here, foe, "", moves)
            after = None if move is None else self._carried_out(here, foe, move)
            if after is None:
                break
            here = after
        return here

    def _after(self, here: Encounter, foe: str, ended: str) -> Encounter:
        """Return the fight after what a foe does at the end of a turn, once."""
        if not acts(here, foe) or not here.status(here.combatants[ended]).in_order:
            return here
        asks = [ask for _, ask in asks_at_turn_end(here, foe, ended)]
        moves = [Move(ask.action, ask.options) for ask in asks if here.game.action(ask.action) is not None]
        move = self._best(here, foe, "ended", moves) if moves else None
        after = None if move is None else self._carried_out(here, foe, move)
        return after or here

    def _best(self, here: Encounter, foe: str, moment: str, moves: Sequence[Move]) -> Move | None:
        key = (foe, moment, *(self._state(here, who) for who in (foe, self._who)))
        if key not in self._chosen:
            self._chosen[key] = self._found(here, foe, moment, moves)
        return self._chosen[key]

    def _state(self, here: Encounter, who: str) -> Hashable:
        combatant = here.combatants[who]
        held = tuple((each.name, each.value) for each in combatant.conditions)
        return changed_fields(combatant, self._first.combatants[who]), held

    def _found(self, here: Encounter, foe: str, moment: str, moves: Sequence[Move]) -> Move | None:
        best, most = None, None
        for move in moves:
            if move.aim == "fallen ally":
                continue
            worth = worth_of_move(here, foe, move, self._who if move.aim != "itself" else None)
            if worth is None:
                continue
            if move.first:
                return move
            value = worth.falls, worth.share
            if (most is None or value > most) and (not moment or value[0] + value[1] > 0):
                best, most = move, value
        return best

    def _carried_out(self, here: Encounter, foe: str, move: Move) -> Encounter | None:
        """Return the fight after an ordinary command; None if it is refused."""
        action = here.game.action(move.action)
        assert action is not None
        options: Any = read(action.options, dict(move.options))
        is_aimed = move.aim != "itself" and action.targets != "none"
        transaction = Transaction(here, Table(self._dice, Suggested()), tells=False)
        try:
            aims = (self._who,) if is_aimed else ()
            take_action(transaction, ActionCommand(action, (foe,), aims, options))
            settle(transaction)
        except (Refused, Wrong):
            return None
        return transaction.encounter


def turns_until(encounter: Encounter, who: str) -> list[str]:
    """Return the combatants whose turns end before the next turn of `who`, in the order of the tracker."""
    progress = encounter.progress
    order = [each for each in progress.order if each in encounter.combatants]
    people = [encounter.combatants[each] for each in order]
    if encounter.style == "sides":
        own = encounter.combatants[who].side
        left = [each for each in people if each.side != progress.side or each.state.done < progress.round]
        friends = [each for each in left if each.side == own == progress.side]
        return [each.id for each in (*friends, *(each for each in left if each.side != own))]
    at = order.index(progress.present) if progress.present in order else 0
    turning = [*order[at:], *order[:at]]
    found = [turning[0], *(turning[1 : turning.index(who, 1)] if who in turning[1:] else turning[1:])]
    late = [each.id for each in encounter if _is_late(encounter, each) and each.id not in found]
    return [*found, *late]


def _is_late(encounter: Encounter, combatant: Combatant) -> bool:
    return 0 < combatant.state.arrives <= encounter.progress.round + 1 or combatant.state.waits


def compared(path: Path, events: Sequence[int], rounds: int) -> Iterator[tuple[str, float, float, float]]:
    """Yield for each character its name, its danger, the share of rounds, and the standard errors between."""
    logs = (path / "encounters").glob("*/log.toml")
    name = max(logs, key=lambda log: log.stat().st_size).parent.name
    session = open_fight(path, name, write=False).session
    for number in events:
        encounter = encounter_after(session.encounter, session.log, number)
        for who in [each.id for each in encounter.in_line() if encounter.is_player(each)]:
            danger = danger_of(encounter, who, RandomDice(random.Random(0)))
            if danger is None or not danger.is_exact or danger.chance in (0, 1):
                continue
            playing = Rounds(encounter, who, number)
            share = sum(playing.fallen() for _ in range(rounds)) / rounds
            exact = float(danger.chance)
            error = sqrt(max(exact * (1 - exact), 1 / rounds) / rounds)
            yield f"{number} {who}", exact, share, abs(exact - share) / error


def main(path: str, events: str, rounds: str) -> int:
    worst = 0.0
    for name, exact, share, errors in compared(Path(path), [*map(int, events.split(","))], int(rounds)):
        worst = max(worst, errors)
        print(f"{name:24} {exact:8.4f} {share:8.4f} {errors:6.1f}", flush=True)
    return int(worst > MOST_ERRORS)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
