"""The state of a fight and its events: combatants, order, changes, undo, and who is meant by a word."""
