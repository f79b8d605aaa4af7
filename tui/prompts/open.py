"""Which question or page a key opens."""

import re
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from systems.commands.preview import preview
from systems.contract.ruleset import Action
from systems.encounter.history import Event
from systems.encounter.model import Combatant, Offer
from systems.errors import Refused, Wrong
from systems.odds import TooManyDice
from systems.schema.fields import fields_of
from tui.prompts.prompt import Prompt

if TYPE_CHECKING:
    from tui.app import AffrayApp
    from tui.prompts.options import Options

LOOKED_BACK = 400
_BY = re.compile(r"""\sby\s+("[^"]*"|\S+)""", re.IGNORECASE)
# What a command said of one time: who did it, and what fell.
_OF_ONE_TIME = re.compile(rf"{_BY.pattern}|\sdice=\S*", re.IGNORECASE)


def ask(app: "AffrayApp", what: str) -> None:
    """Open the question of that name."""
    if app.session is None:
        app.say("no fight is open; choose a campaign first", error=True)
        return
    app.say("")
    found = _QUESTIONS[what](app)
    if found is not None:
        app.open_prompt(found)


def _action(app: "AffrayApp") -> Prompt | None:
    assert app.session is not None
    game = app.session.game
    action = game.action(game.default_action)
    if action is None:
        app.say(f"{game.title} has no main action; x shows all", error=True)
        return None
    prepare(app, action)
    return None


def prepare(app: "AffrayApp", action: Action) -> None:
    """Ask for targets and options, or do it when there is nothing to ask."""
    from tui.prompts.actions import asks_nothing
    from tui.prompts.targets import TargetPrompt

    actor = app.actor()
    if actor is None:
        app.say("nobody has the turn: n begins the fight, + adds somebody", error=True)
    elif asks_nothing(action):
        app.command(f"{action.name} by {actor.id}")
    else:
        app.open_prompt(TargetPrompt(app, action, actor))


def take(app: "AffrayApp", offer: Offer) -> None:
    """Do what is on offer; where something is left open, ask for it with what is suggested filled in."""
    from tui.prompts.targets import TargetPrompt

    session = app.session
    action = session.game.action(offer.action or "") if session else None
    by = session.encounter.combatants.get(offer.by or "") if session else None
    if action is not None and by is not None and _leaves_open(action, offer):
        app.open_prompt(TargetPrompt(app, action, by, offer.options))
    else:
        app.command(offer.command or "")


def _leaves_open(action: Action, offer: Offer) -> bool:
    """Whether it is a decision, or does not say whom it is aimed at."""
    if action.targets == "none":
        return any(one.needed for one in fields_of(action.options).values())
    return action.targets != "optional" and offer.target is None


def _actions(app: "AffrayApp") -> Prompt:
    from tui.prompts.actions import ActionsPrompt

    return ActionsPrompt(app)


def _damage(app: "AffrayApp") -> Prompt:
    from tui.prompts.amounts import HurtPrompt

    return HurtPrompt(app, heals=False)


def _heal(app: "AffrayApp") -> Prompt:
    from tui.prompts.amounts import HurtPrompt

    return HurtPrompt(app, heals=True)


def _condition(app: "AffrayApp") -> Prompt:
    from tui.prompts.conditions import ConditionPrompt

    return ConditionPrompt(app)


def _roll(app: "AffrayApp") -> Prompt:
    from tui.prompts.rolls import RollPrompt

    return RollPrompt(app)


def _edit(app: "AffrayApp") -> Prompt | None:
    from tui.prompts.edit_field import EditPrompt

    one = app.under_cursor
    if one is None:
        app.say("nobody is under the cursor", error=True)
        return None
    return EditPrompt(app, one)


def _add(app: "AffrayApp") -> Prompt:
    from tui.prompts.membership import AddPrompt

    return AddPrompt(app)


def _remove(app: "AffrayApp") -> Prompt:
    from tui.prompts.membership import RemovePrompt

    return RemovePrompt(app, app.under_cursor)


def _line(app: "AffrayApp") -> Prompt:
    from tui.prompts.command import CommandPrompt

    return CommandPrompt(app)


def _find(app: "AffrayApp") -> Prompt:
    from tui.prompts.find import FindPrompt

    return FindPrompt(app)


_QUESTIONS: dict[str, Callable[["AffrayApp"], Prompt | None]] = {
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


def come_back(app: "AffrayApp") -> None:
    """The one who waits comes back; where several wait, it is asked who."""
    from tui.prompts.membership import ReturnPrompt

    waiting = [one for one in app.session.encounter if one.state.waits] if app.session else []
    if len(waiting) > 1:
        app.open_prompt(ReturnPrompt(app))
    elif waiting:
        app.command(f"return {waiting[0].id}")
    else:
        app.say("nobody waits", error=True)


def repeat(app: "AffrayApp") -> None:
    """The last action of whoever has the turn, else the last one of its own side."""
    session, actor = app.session, app.actor()
    if session is None or actor is None:
        app.say("nobody has the turn: n begins the fight", error=True)
        return
    acts = [one for one in islice(session.log.newest(), LOOKED_BACK) if one.get("verb") == "act"]
    own = [event for event in acts if _did(event) == actor.id]
    people = session.encounter.combatants
    # What the other side has done last was aimed at this one or its friends.
    friends = [event for event in acts if (one := people.get(_did(event))) and one.side == actor.side]
    found = next(iter(own or friends), None)
    if found is None:
        app.say(f"{actor.name}'s side has done nothing yet that could be repeated", error=True)
        return
    line = _OF_ONE_TIME.sub("", str(found["command"]))
    app.command(f"{line} by {actor.id}")


def _did(event: Event) -> str:
    """Who did it: named in the command, or whoever had the turn."""
    named = _BY.search(str(event.get("command", "")))
    return named[1].strip('"').casefold() if named else str(event.get("turn", ""))


def odds_of_main_action(app: "AffrayApp") -> None:
    """The odds in full of the main action against the one under the cursor."""
    from tui.prompts.options import Options

    session, actor = app.session, app.actor()
    if session is None or actor is None:
        app.say("nobody has the turn: n begins the fight", error=True)
        return
    action = session.game.action(session.game.default_action)
    target = app.under_cursor
    if action is None or action.targets == "none":
        target = None
    elif target is None or target.id == actor.id:
        target = next((one for one in session.encounter.in_line() if one.side != actor.side), None)
    if action is not None:
        show_odds(app, action, actor, target.id if target else None, Options(action, actor.sheet))


def show_odds(
    app: "AffrayApp", action: Action, actor: Combatant, target: str | None, options: "Options"
) -> None:
    """The distribution on a page."""
    from tui.prompts.pages import odds_rows

    assert app.session is not None
    encounter = app.session.encounter
    try:
        odds = preview(encounter, action, actor.id, target, options.typed())
    except (TooManyDice, Wrong, Refused) as error:
        app.say(str(error), error=True)
        return
    one = encounter.combatants.get(target or "")
    title = f"{actor.name} → {one.name}" if one else actor.name
    amount = f", {action.amount}" if action.amount else ""
    title = f"{title} · {action.name.replace('_', ' ')}{amount}"
    app.open_page(title, lambda cells: odds_rows(encounter, action, one, odds, cells))


def why(app: "AffrayApp") -> None:
    """The terms behind the last number."""
    from tui.prompts.pages import newest_reckoning, why_rows

    session = app.session
    event = newest_reckoning(session) if session else None
    if event is None or session is None:
        app.say("there is no number yet to explain")
        return
    app.open_page("Why", lambda cells: why_rows(session, event, cells))


def help_page(app: "AffrayApp") -> None:
    """All keys."""
    from tui.prompts.pages import help_rows
    from tui.screens.base import FightScreen

    screen = app.screen
    name = screen.NAME if isinstance(screen, FightScreen) else "initiative"
    app.open_page("Keys", lambda cells: help_rows(app, name, cells))
