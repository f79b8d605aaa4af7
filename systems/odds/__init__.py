"""Exact odds of any action, by running its own code over every branch of its dice."""

from systems.odds.facts import facts_odds as facts_odds
from systems.odds.facts import spread_of as spread_of
from systems.odds.limits import TooManyDice as TooManyDice
from systems.odds.sums import Sums as Sums
from systems.odds.sums import shares as shares
from systems.odds.walker import Walker as Walker
from systems.odds.weights import spread as spread
from systems.odds.without_sums import spread_without_sums as spread_without_sums
