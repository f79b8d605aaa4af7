"""The keys of a game's own actions: the letters that the game declares, and what a person prefers to them.

A key of the program, also one that a person has given to it, is never an action's: that action is found in
the list of all actions. What a person gives to an action wins over every letter of the game.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tui.settings.keymap import OwnKeys, keys_in, shown_key, taken_keys

if TYPE_CHECKING:
    from systems.contract.ruleset import Action, Ruleset


class GameKeys:
    """Which action a key asks for, worked out once for a game."""

    def __init__(self, own: OwnKeys) -> None:
        self._own = own
        self._game: Ruleset | None = None
        self._found: dict[str, Action] = {}

    def of(self, game: "Ruleset | None") -> "Mapping[str, Action]":
        """Return the actions of a game by key; nothing where no game is played."""
        if game is not self._game:
            self._game, self._found = game, self._work_out(game) if game is not None else {}
        return self._found

    def names(self, game: "Ruleset | None") -> dict[str, str]:
        """Return the key of each action that has one, as a person reads it."""
        return {action.name: shown_key(key) for key, action in self.of(game).items()}

    def _work_out(self, game: "Ruleset") -> "dict[str, Action]":
        taken = taken_keys(self._own.keymap)
        found: dict[str, Action] = {}
        for action in game.actions:
            if action.group != "hook":
                preferred = keys_in(self._own.actions.get(action.name, ""))
                found |= {key: action for key in preferred if key not in found}
        for letter, action in game.letters.items():
            if letter not in taken and letter not in found and action.name not in self._own.actions:
                found[letter] = action
        order = [action.name for action in game.actions]
        return dict(sorted(found.items(), key=lambda item: order.index(item[1].name)))
