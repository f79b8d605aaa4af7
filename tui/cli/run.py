"""`affray run CAMPAIGN`: carry out commands from standard input, and answer each with a line of JSON.

A plan has an answer for each of its events. A command is saved before its answer is printed. Lines that only
read the fight, such as forecast, change nothing.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any

from systems.commands.plan import PLAN
from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.text import clean
from tui.campaign.folders import where
from tui.campaign.listing import find_to_play
from tui.campaign.problems import NotSaved
from tui.cli.output import lines, put, too_long, unexpected
from tui.cli.run_looks import looked
from tui.session.opening import OpenEncounter, open_fight
from tui.session.planning import carry_out_next, plays_alone, running_plan
from tui.session.repeating import repeated_line
from tui.session.session import Session
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
            for found, done in answers(fight, line):
                put(found)
                all_done = all_done and done
    finally:
        fight.close()
    return 0 if all_done else 1


def answers(fight: OpenEncounter, line: bytes) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Carry out one line; yield each answer as `answer` returns it.

    A plan has an answer for each of its events, and so has one that runs by itself after the line.
    """
    session, known = fight.session, len(fight.session.log.events)
    is_plan = line.lower().split()[:1] == [b"plan"] and not too_long(line)
    if not is_plan:
        yield answer(fight, line)
        newest = session.log.events[known:]
        if not newest or not plays_alone(session, newest[-1]):
            return
    try:
        yield from _plan_answers(session, line.decode().strip() if is_plan else PLAN.name)
    except UnicodeDecodeError:
        yield _refused("the line is not UTF-8"), False
    except (ValueError, NotSaved) as error:
        yield _refused(str(error)), False
    except Exception as error:  # noqa: BLE001 - one command must not cost the answers to all the others
        yield _refused(unexpected(error)), False


def _plan_answers(session: Session, line: str) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Carry out a plan; yield an answer for each event. The last one says what a person is asked."""
    running = running_plan(session, line)
    while (found := carry_out_next(running)) is not None:
        instead = found.step.action.instead if found.step.action is not None else ""
        done = (
            _done(session, found.event)
            if found.event is not None
            else {"ok": True, "state": state(session.encounter)}
        )
        done |= {"instead": instead} if instead else {}
        done |= {"waits": found.waits.plain} if found.waits is not None else {}
        yield done, True
        if found.waits is not None:
            return


def answer(fight: OpenEncounter, line: bytes) -> tuple[Mapping[str, Any], bool]:
    """Carry out one line; return its answer, and whether it could be read and carried out.

    If `ok` is false in the answer, nothing has changed and nothing is in the log. An action that the rules
    refuse has such an answer, too, but its line counts as carried out.
    """
    if too_long(line):
        return _refused("the line is too long"), False
    try:
        typed = line.decode().strip()
        if (found := looked(fight, typed)) is not None:
            return {"ok": True, **found, "state": state(fight.session.encounter)}, True
        event = fight.session.do(repeated_line(fight.session) if typed == "." else typed)
    except UnicodeDecodeError:
        return _refused("the line is not UTF-8"), False
    except (ValueError, NotSaved) as error:
        by_rules = isinstance(error, Refused) and error.code == "against_the_rules"
        return _refused(str(error)), by_rules
    except Exception as error:  # noqa: BLE001 - one command must not cost the answers to all the others
        return _refused(unexpected(error)), False
    return _done(fight.session, event), True


def _done(session: Session, event: Event) -> dict[str, Any]:
    """Return the answer for a saved event."""
    text = clean(event.text, 100_000)
    return {"ok": True, "n": event.n, "text": text, "state": state(session.encounter)}


def _refused(why: str) -> Mapping[str, Any]:
    return {"ok": False, "error": clean(why, LONGEST_ERROR)}


def state(encounter: Encounter) -> dict[str, Any]:
    """Return the round, and the id of the combatant with the turn; None if there is none."""
    return {"round": encounter.progress.round, "turn": encounter.progress.turn}
