"""The state of a fight and its events: combatants, order, changes, undo, and the lookup of names."""
