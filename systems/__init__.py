"""The rules of the games: pure, typed, without file, clock, network, screen or global randomness.

A game is a package in this folder that declares `RULESET`, or an entry point of the group
`affray.systems`. `names()` lists the games and `load(name)` imports one.
"""

from systems.plugins.loading import NoSuchGame as NoSuchGame
from systems.plugins.loading import built_in as built_in
from systems.plugins.loading import load as load
from systems.plugins.loading import names as names
