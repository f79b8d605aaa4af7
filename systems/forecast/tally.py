"""The results of many played fights: chances to win and to fall, rounds, and points lost."""

from collections import Counter
from collections.abc import Collection, Mapping
from math import sqrt

from systems.encounter.model import Encounter
from systems.forecast.choice import Temper
from systems.forecast.fight import PlayedFight
from systems.forecast.supplies import used_between
from systems.frozen import frozen

TEMPERS: tuple[Temper, ...] = ("careless", "sensible", "ruthless")
# The other tempers of the players' side that a forecast tries, against sensible foes.
PLAYERS_TEMPERS: tuple[Temper, ...] = ("careless", "ruthless")
# The temper of the foes and that of the players' side.
Tempers = tuple[Temper, Temper]
BOTH_SENSIBLE: Tempers = ("sensible", "sensible")
# The values are within the margin in 95 of 100 forecasts.
_DEVIATIONS = 1.96
# What no forecast counts, in the words of its outputs.
LEFT_OUT = ("movement", "offered reactions")


@frozen
class TemperOdds:
    """How often the players won if one side had this temper and the other was sensible."""

    won: int
    fights: int

    @property
    def win(self) -> float:
        """Return the share of fights that the players won."""
        return self.won / self.fights if self.fights else 0.0

    @property
    def margin(self) -> float:
        """Return how far the true chance may be from `win`, also if they won all fights or none."""
        if not self.fights:
            return 1.0
        square = _DEVIATIONS**2
        low_to_high = sqrt(self.win * (1 - self.win) / self.fights + square / (4 * self.fights**2))
        half = _DEVIATIONS * low_to_high / (1 + square / self.fights)
        middle = (self.win + square / (2 * self.fights)) / (1 + square / self.fights)
        return max(abs(middle + half - self.win), abs(self.win - (middle - half)))


@frozen
class Band:
    """The lowest and the highest chance with any temper. `margin`: how far the true ends may be from them."""

    low: float
    high: float
    margin: float


def band_of(all_odds: Collection[TemperOdds]) -> Band:
    """Return the band over the chances with several tempers.

    A temper that is surely between the ends does not count for the margin.
    """
    low, high = min(odds.win for odds in all_odds), max(odds.win for odds in all_odds)
    (low_from, low_to), (high_from, high_to) = _ends_of(all_odds)
    return Band(low, high, max(low - low_from, low_to - low, high - high_from, high_to - high))


def could_be_end(odds: TemperOdds, all_odds: Collection[TemperOdds]) -> bool:
    """Return whether the chance with one of several tempers could be the lowest or the highest."""
    (_, low_to), (high_from, _) = _ends_of(all_odds)
    return odds.win - odds.margin <= low_to or odds.win + odds.margin >= high_from


def _ends_of(all_odds: Collection[TemperOdds]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return between which values the true lowest and the true highest chance are."""
    least = [max(0.0, odds.win - odds.margin) for odds in all_odds]
    most = [min(1.0, odds.win + odds.margin) for odds in all_odds]
    return (min(least), min(most)), (max(least), max(most))


@frozen
class Forecast:
    """A forecast of one fight. All but `tempers` and `players` is for sensible tempers on both sides.

    `tempers`: by the temper of the foes. `players`: by that of the players' side. `rounds`: the last rounds
    of the fights. `falls`: by combatant, in how many fights it was out of action at some time;
    `any_player`: in how many any player's character was. `used`: by player's character and number of the
    sheet, such as `hp` or `counters.arrows.now`, how much less is left at the end, in all fights together.
    `harmless`, `too_long`: how many fights could not end because nobody could hurt anybody, and how many were
    stopped. `wins`: a bit for each fight, from the first one up, set if the players won it.
    """

    tempers: Mapping[Temper, TemperOdds]
    fights: int
    rounds: Mapping[int, int]
    falls: Mapping[str, int]
    any_player: int
    used: Mapping[str, Mapping[str, int]]
    harmless: int = 0
    too_long: int = 0
    wins: int = 0
    players: Mapping[Temper, TemperOdds] = {}

    @property
    def all_odds(self) -> tuple[TemperOdds, ...]:
        """Return the players' chances with each temper that was tried, of the foes and of their own side."""
        return (*self.tempers.values(), *(odds for odds in self.players.values() if odds.fights))

    @property
    def band(self) -> Band:
        """Return the band over all tempers that were tried."""
        return band_of(self.all_odds)

    @property
    def mean_rounds(self) -> float:
        """Return the mean number of rounds."""
        return sum(number * many for number, many in self.rounds.items()) / max(1, self.fights)

    def rounds_at(self, share: float) -> int:
        """Return the number of rounds that this share of the fights does not exceed."""
        so_far = 0
        for number, many in sorted(self.rounds.items()):
            so_far += many
            if so_far >= share * self.fights:
                return number
        return 0


@frozen
class ChangedChance:
    """How much more often the players win one fight than another. Both are shares of all fights."""

    win: float
    margin: float


def changed_chance(before: Forecast, after: Forecast) -> ChangedChance:
    """Return what a change of a fight does to the players' chance, with sensible foes.

    Fights of one number have the same dice if both forecasts have the same seed, so only those count for the
    margin that end otherwise than before. Fights that only one of them has played are left out.
    """
    common = min(before.fights, after.fights)
    differs = (before.wins ^ after.wins) & ((1 << common) - 1)
    gained, lost = (after.wins & differs).bit_count(), (before.wins & differs).bit_count()
    # Half a fight more for each of the four pairs of ends, so that the margin is never 0.
    fights = common + 2
    spread = gained + lost + 1 - (gained - lost) ** 2 / fights
    return ChangedChance((gained - lost) / max(1, common), _DEVIATIONS * sqrt(spread) / fights)


class Tally:
    """Counts fights of one encounter as they are played."""

    def __init__(self, encounter: Encounter) -> None:
        self._first = encounter
        self._players = [each for each in encounter if encounter.is_player(each)]
        # By the tempers of the foes and of the players' side.
        self._won: Counter[Tempers] = Counter()
        self._fights: Counter[Tempers] = Counter()
        self._rounds: Counter[int] = Counter()
        self._ends: Counter[str] = Counter()
        self._falls: Counter[str] = Counter()
        self._any_player = 0
        self._wins = 0
        self._used: dict[str, Counter[str]] = {each.id: Counter() for each in self._players}

    def odds(self, tempers: Tempers) -> TemperOdds:
        """Return how often the players have won with these tempers."""
        return TemperOdds(self._won[tempers], self._fights[tempers])

    def add(self, tempers: Tempers, fight: PlayedFight) -> None:
        """Count one fight with these tempers."""
        self._fights[tempers] += 1
        self._won[tempers] += fight.end == "won"
        if tempers != BOTH_SENSIBLE:
            return
        if fight.end == "won":
            self._wins |= 1 << (self._fights[tempers] - 1)
        self._rounds[fight.rounds] += 1
        self._ends[fight.end] += 1
        self._falls.update(fight.fallen)
        self._any_player += any(each.id in fight.fallen for each in self._players)
        for own in self._players:
            left = fight.after.combatants.get(own.id)
            if left is not None:
                for path, used in used_between(self._first.game, own.sheet, left.sheet):
                    self._used[own.id][path] += used

    def _used_up(self, used: Mapping[str, int]) -> Mapping[str, int]:
        """Return what is used up, without supplies of which as much is left as before."""
        meters = {meter.now for meter in self._first.game.meters}
        return {path: many for path, many in used.items() if many or path in meters}

    def forecast(self) -> Forecast:
        """Return what all fights so far say."""
        falls = {each.id: self._falls[each.id] for each in self._first.in_line()}
        return Forecast(
            {temper: self.odds((temper, "sensible")) for temper in TEMPERS},
            self._fights[BOTH_SENSIBLE],
            dict(self._rounds),
            falls,
            self._any_player,
            {who: self._used_up(used) for who, used in self._used.items()},
            self._ends["harmless"],
            self._ends["too long"],
            self._wins,
            {temper: self.odds(("sensible", temper)) for temper in PLAYERS_TEMPERS},
        )
