"""Exact odds of any action, by running its own code over every branch of its dice."""

from systems.odds.walker import Walker as Walker
from systems.odds.walker import facts_odds as facts_odds
from systems.odds.walker import spread_of as spread_of
from systems.odds.walker import spread_sums as spread_sums
from systems.odds.walker import ways_of as ways_of
from systems.odds.weights import Sums as Sums
from systems.odds.weights import TooManyDice as TooManyDice
from systems.odds.weights import spread as spread
from systems.odds.without_sums import spread_without_sums as spread_without_sums
