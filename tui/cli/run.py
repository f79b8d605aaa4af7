"""`affray run CAMPAIGN`: carry out commands from standard input, and answer each with a line of JSON.

A command is saved before its answer is printed.
"""

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.text import clean
from tui.campaign.folders import where
from tui.campaign.listing import find_to_play
from tui.campaign.problems import NotSaved
from tui.cli.output import lines, put, too_long, unexpected
from tui.session.opening import OpenEncounter, open_fight
from tui.session.repeating import repeated_line
from tui.terminal.notice import LONGEST_ERROR, notice
from tui.terminal.progress import ProgressLine


def run(arguments: Namespace) -> int:
    path = find_to_play(where(arguments.campaigns), arguments.campaign)
    with ProgressLine("opening, event") as progress:
        fight = open_fight(path, arguments.encounter, seed=arguments.seed, tell=progress)
    try:
        notice(fight.notice)
        all_done = True
        for line in lines():
            found, done = answer(fight, line)
            put(found)
            all_done = all_done and done
    finally:
        fight.close()
    return 0 if all_done else 1


def answer(fight: OpenEncounter, line: bytes) -> tuple[Mapping[str, Any], bool]:
    """Carry out one line; return its answer, and whether it could be read and carried out.

    If `ok` is false in the answer, nothing has changed and nothing is in the log. An action that the rules
    refuse has such an answer, too, but its line counts as carried out.
    """
    if too_long(line):
        return _refused("the line is too long"), False
    try:
        typed = line.decode().strip()
        event = fight.session.do(repeated_line(fight.session) if typed == "." else typed)
    except UnicodeDecodeError:
        return _refused("the line is not UTF-8"), False
    except (ValueError, NotSaved) as error:
        by_rules = isinstance(error, Refused) and error.code == "against_the_rules"
        return _refused(str(error)), by_rules
    except Exception as error:  # noqa: BLE001 - one command must not cost the answers to all the others
        return _refused(unexpected(error)), False
    done = {
        "ok": True,
        "n": event.n,
        "text": clean(event.text, 100_000),
        "state": state(fight.session.encounter),
    }
    return done, True


def _refused(why: str) -> Mapping[str, Any]:
    return {"ok": False, "error": clean(why, LONGEST_ERROR)}


def state(encounter: Encounter) -> dict[str, Any]:
    """Return the round, and the id of the combatant with the turn; None if there is none."""
    return {"round": encounter.progress.round, "turn": encounter.progress.turn}
