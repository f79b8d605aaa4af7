"""Forecasts: what combatants would do, and what follows, by the game's own rules."""
