"""`affray run CAMPAIGN`: a command a line from standard input, a JSON line back once it is saved."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from systems.encounter import Encounter
from systems.kinds import Wrong
from systems.words import clean
from tui.campaign.places import find, where
from tui.campaign.problems import NotSaved
from tui.open_fight import OpenFight, open_fight
from tui.output import LONGEST_LINE, lines, put
from tui.verbs import notice


def run(arguments: Namespace) -> int:
    path = find(where(arguments.campaigns), arguments.campaign)
    fight = open_fight(path, arguments.encounter, seed=arguments.seed)
    try:
        notice(fight.notice)
        for line in lines():
            put(answer(fight, line))
    finally:
        fight.close()
    return 0


def answer(fight: OpenFight, line: bytes) -> Mapping[str, Any]:
    """Carry out one line; `ok` false means that nothing has changed and nothing is in the log."""
    try:
        if len(line) > LONGEST_LINE:
            raise Wrong("", "the line is too long")
        event = fight.session.do(line.decode("utf-8").strip())
    except UnicodeDecodeError:
        return {"ok": False, "error": "the line is not UTF-8"}
    except (ValueError, NotSaved) as error:
        return {"ok": False, "error": clean(str(error), 900)}
    return {
        "ok": True,
        "n": event["n"],
        "text": clean(event["text"], 100_000),
        "state": state(fight.session.encounter),
    }


def state(encounter: Encounter) -> dict[str, Any]:
    """The round, and the id of whoever has the turn (null while nobody has)."""
    return {"round": encounter.course.round, "turn": encounter.course.turn}
