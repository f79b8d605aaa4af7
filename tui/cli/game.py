"""The game that a verb names."""

from systems import NoSuchGame
from systems.contract.ruleset import Ruleset
from systems.errors import Wrong
from tui.campaign.campaign import loaded_game


def game_called(word: str) -> Ruleset:
    """Return the game for its name, or for a title, a beginning or another name of it.

    Raises Wrong if several games fit, NoSuchGame if none does or it can't be loaded.
    """
    try:
        return loaded_game(word)
    except NoSuchGame as none:
        # Every game is loaded for its other names, so only a word that is no exact name pays for that.
        from tui.controllers.choosing import game_begun

        try:
            name = game_begun(word)
        except Wrong as wrong:
            if wrong.code == "ambiguous":
                raise
            raise none from None
        return loaded_game(name)
