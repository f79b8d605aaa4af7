"""`affray odds GAME`: answer the requests of `resolve` with the exact distribution of every fact."""

from argparse import Namespace

from systems import load
from systems.requests import odds
from tui.cli.resolve import answer_lines


def run(arguments: Namespace) -> int:
    game = load(arguments.game)
    return answer_lines(lambda request: odds(game, request))
