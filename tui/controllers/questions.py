"""Which question or page a key opens."""

import re
from collections.abc import Callable
from itertools import islice

from systems.encounter.history import Event
from tui.controllers.table import Table
from tui.prompts.prompt import Prompt
from tui.services import Services

LOOKED_BACK = 400
_BY = re.compile(r"""\sby\s+("[^"]*"|\S+)""", re.IGNORECASE)
# What a command said of one time: who did it, and what fell.
_OF_ONE_TIME = re.compile(rf"{_BY.pattern}|\sdice=\S*", re.IGNORECASE)


def ask(table: Table, what: str) -> None:
    """Open the question of that name."""
    if table.session is None:
        table.say_no_fight()
        return
    services = table.services
    services.say("")
    found = _QUESTIONS[what](services)
    if found is not None:
        services.prompts.open(found)


def _action(services: Services) -> Prompt | None:
    assert services.source is not None
    game = services.source.game
    action = game.action(game.default_action)
    if action is None:
        services.say(f"{game.title} has no main action; x shows all", error=True)
        return None
    from tui.prompts.targets import prepare

    prepare(services, action)
    return None


def _actions(services: Services) -> Prompt:
    from tui.prompts.actions import ActionsPrompt

    return ActionsPrompt(services)


def _damage(services: Services) -> Prompt:
    from tui.prompts.amounts import HurtPrompt

    return HurtPrompt(services, heals=False)


def _heal(services: Services) -> Prompt:
    from tui.prompts.amounts import HurtPrompt

    return HurtPrompt(services, heals=True)


def _condition(services: Services) -> Prompt:
    from tui.prompts.conditions import ConditionPrompt

    return ConditionPrompt(services)


def _roll(services: Services) -> Prompt:
    from tui.prompts.rolls import RollPrompt

    return RollPrompt(services)


def _edit(services: Services) -> Prompt | None:
    from tui.prompts.edit_field import EditPrompt

    one = services.under_cursor
    if one is None:
        services.say("nobody is under the cursor", error=True)
        return None
    return EditPrompt(services, one)


def _add(services: Services) -> Prompt:
    from tui.prompts.membership import AddPrompt

    return AddPrompt(services)


def _remove(services: Services) -> Prompt:
    from tui.prompts.membership import RemovePrompt

    return RemovePrompt(services, services.under_cursor)


def _line(services: Services) -> Prompt:
    from tui.prompts.command import CommandPrompt

    return CommandPrompt(services)


def _find(services: Services) -> Prompt:
    from tui.prompts.find import FindPrompt

    return FindPrompt(services)


_QUESTIONS: dict[str, Callable[[Services], Prompt | None]] = {
    "action": _action,
    "actions": _actions,
    "damage": _damage,
    "heal": _heal,
    "condition": _condition,
    "roll": _roll,
    "edit": _edit,
    "add": _add,
    "remove": _remove,
    "line": _line,
    "find": _find,
}


def come_back(table: Table) -> None:
    """The one who waits comes back; where several wait, it is asked who."""
    from tui.prompts.membership import ReturnPrompt

    waiting = [one for one in table.session.encounter if one.state.waits] if table.session else []
    if len(waiting) > 1:
        table.services.prompts.open(ReturnPrompt(table.services))
    elif waiting:
        table.services.command(f"return {waiting[0].id}")
    else:
        table.services.say("nobody waits", error=True)


def repeat(table: Table) -> None:
    """The last action of whoever has the turn, else the last one of its own side."""
    session, actor = table.session, table.services.actor
    if session is None or actor is None:
        table.services.say("nobody has the turn: n begins the fight", error=True)
        return
    acts = [one for one in islice(session.log.newest(), LOOKED_BACK) if one.get("verb") == "act"]
    own = [event for event in acts if _did(event) == actor.id]
    people = session.encounter.combatants
    # What the other side has done last was aimed at this one or its friends.
    friends = [event for event in acts if (one := people.get(_did(event))) and one.side == actor.side]
    found = next(iter(own or friends), None)
    if found is None:
        table.services.say(f"{actor.name}'s side has done nothing yet that could be repeated", error=True)
        return
    line = _OF_ONE_TIME.sub("", str(found["command"]))
    table.services.command(f"{line} by {actor.id}")


def _did(event: Event) -> str:
    """Who did it: named in the command, or whoever had the turn."""
    named = _BY.search(str(event.get("command", "")))
    return named[1].strip('"').casefold() if named else str(event.get("turn", ""))


def odds_of_main_action(table: Table) -> None:
    """The odds in full of the main action against the one under the cursor."""
    from tui.prompts.odds_worker import show_odds
    from tui.prompts.options import Options

    session, actor = table.session, table.services.actor
    if session is None or actor is None:
        table.services.say("nobody has the turn: n begins the fight", error=True)
        return
    action = session.game.action(session.game.default_action)
    target = table.services.under_cursor
    if action is None or action.targets == "none":
        target = None
    elif target is None or target.id == actor.id:
        target = next((one for one in session.encounter.in_line() if one.side != actor.side), None)
    if action is not None:
        show_odds(table.services, action, actor, target.id if target else None, Options(action, actor.sheet))


def why(table: Table) -> None:
    """The terms behind the last number."""
    from tui.display.pages import newest_reckoning, why_rows

    session = table.session
    event = newest_reckoning(session) if session else None
    if event is None or session is None:
        table.services.say("there is no number yet to explain")
        return
    table.services.open_page("Why", lambda cells: why_rows(session, event, cells))


def help_page(table: Table) -> None:
    """All keys."""
    from tui.display.pages import help_rows
    from tui.settings.keymap import keys_file

    services, own_keys = table.services, str(keys_file())
    name = services.screen or "initiative"
    services.open_page("Keys", lambda cells: help_rows(services.key_names, own_keys, name, cells))
