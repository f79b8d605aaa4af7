"""Whole fights: the policy plays all combatants to the end of the fight, by the commands themselves."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from systems.commands.action import act
from systems.commands.actions import ActionCommand
from systems.commands.cast import change_cast
from systems.commands.dispatcher import settle
from systems.commands.membership import JoiningEntry
from systems.commands.transaction import Transaction
from systems.commands.turns import next_turn, start
from systems.contract.table import Suggested, Table
from systems.dice.sources import Dice, StreamedDice, Streams
from systems.encounter.model import FOREVER, Combatant, Encounter
from systems.errors import Refused, Wrong
from systems.forecast.choice import Temper, TurnChoice, choices_of, chosen
from systems.forecast.moves import actions_in_turn
from systems.forecast.worth import worth_of_move
from systems.frozen import frozen
from systems.schema.conversion import read

MOST_ROUNDS = 60
Roster = Mapping[str, JoiningEntry]


class FightDice(StreamedDice):
    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        return 1 + int(self._streams.named(self.stream).random() * sides)

    def pick(self, n: int) -> int:
        return int(self._streams.named("choice").random() * n)


@frozen
class PlayedFight:
    won: bool
    rounds: int
    fallen: tuple[str, ...]
    end: Encounter
    ends: str = ""


def play(encounter: Encounter, roster: Roster, dice: FightDice, temper: Temper = "sensible", worths=worth_of_move) -> PlayedFight:
    return _Fight(encounter, roster, dice, temper, worths).played()


class _Fight:
    def __init__(self, encounter, roster, dice, temper, worths):
        self._worths = worths
        self._here = encounter.without_offers()
        self._roster, self._dice, self._temper = roster, dice, temper
        self._suggested = Suggested()

    def played(self):
        fallen: dict[str, None] = {}
        if self._here.is_prepared:
            self._do(start)
        while True:
            here = self._here
            if over := outcome(here): break
            if here.progress.round > MOST_ROUNDS:
                over = "endless"
                break
            self._turn(here.progress.turn)
        return PlayedFight(over == "won", self._here.progress.round, (), self._here, over)

    def _turn(self, who):
        if who is not None:
            own = self._here.combatants[who]
            for _ in range(actions_in_turn(self._here.game, own.sheet, self._here.house)):
                if not self._here.status(self._here.combatants[who]).acts: break
                choice = self._chosen(who)
                if choice is None: break
                try:
                    self._do(lambda transaction: act(transaction, command_of(self._here, choice)))
                except (Refused, Wrong) as e:
                    break
                if outcome(self._here): return
        self._do(lambda transaction: next_turn(transaction, who))

    def _chosen(self, who):
        here = self._here
        temper = "sensible" if here.is_player(here.combatants[who]) else self._temper
        return chosen(here, choices_of(here, who, self._worths), temper, self._dice.pick)

    def _do(self, doing):
        transaction = Transaction(self._here, Table(self._dice, self._suggested), self._roster, tells=False)
        transaction.change_cast = change_cast
        doing(transaction)
        settle(transaction)
        self._here = transaction.encounter


def command_of(encounter, choice):
    action = encounter.game.action(choice.move.action)
    options = read(action.options, dict(choice.move.options))
    return ActionCommand(action, (choice.who,), choice.targets, options)


def outcome(encounter: Encounter) -> str:
    players = foes = False
    for each in encounter:
        if each.side == encounter.players and players: continue
        if each.side != encounter.players and foes: continue
        coming = 0 < each.state.arrives < FOREVER
        if coming or (not each.state.arrives and encounter.status(each).acts):
            if each.side == encounter.players: players = True
            else: foes = True
    if not players: return "lost"
    return "" if foes else "won"
