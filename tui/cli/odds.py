"""`affray odds GAME`: answer the requests of `resolve` with the exact distribution of every fact."""

from argparse import Namespace

from systems.requests import odds
from tui.cli.game import game_called
from tui.cli.resolve import answer_lines


def run(arguments: Namespace) -> int:
    game = game_called(arguments.game)
    return answer_lines(lambda request: odds(game, request))
