"""The prompts and pages that keys open."""

from collections.abc import Callable, Mapping
from functools import partial

from systems.commands.actions import typed_options
from systems.commands.offers import action_line
from systems.contract.action import Action
from systems.encounter.amendment import names_ever
from systems.encounter.events import Event
from systems.encounter.model import Combatant, Encounter
from systems.encounter.remembered import acted_in_turn, done_before, last_aimed_at, remembered_for
from systems.encounter.schedule import taking_turns_with
from systems.errors import Wrong
from systems.schema.fields import fields_of
from tui.controllers.table import Table
from tui.display.card import titled
from tui.display.help import HelpKeys, help_rows
from tui.display.pages import newest_with_numbers, was_undone, why_rows
from tui.display.refusals import why_not_to_pass
from tui.lists.action_answers import refusal_of
from tui.prompts.actions import ActionsPrompt
from tui.prompts.amounts import AmountPrompt
from tui.prompts.command import CommandPrompt
from tui.prompts.conditions import ConditionPrompt
from tui.prompts.edit_field import EditPrompt
from tui.prompts.line import FindPrompt, NotePrompt, RollPrompt
from tui.prompts.membership import (
    AddPrompt,
    GroupPrompt,
    NearPrompt,
    RemovePrompt,
    ReturnPrompt,
    put_cursor_on_ready,
)
from tui.prompts.prepare import prepare, say_nobody_has_turn
from tui.prompts.prompt import Prompt
from tui.prompts.question import TextPrompt
from tui.prompts.table_lists import TableActions, TableCommands
from tui.prompts.table_targets import show_odds
from tui.prompts.turn_flow import InitiativePrompt, ReadyPrompt, SchedulePrompt
from tui.services import Services
from tui.session.session import Session
from tui.session.undone_dice import totals_before
from tui.settings.key_names import shown_key
from tui.settings.keymap import keys_file


def ask(table: Table, what: str) -> None:
    """Open the prompt with that name, or do what needs none at times, such as repeating an action."""
    services = table.services
    if what in _WORK:
        _WORK[what](table)
        return
    # Campaigns can be searched before one of them is open.
    if table.session is None and not (what == "find" and services.screen == "campaigns"):
        table.say_no_fight()
        return
    services.say("")
    found = _QUESTIONS[what](services)
    if found is not None:
        services.prompts.open(found)


def _action(services: Services, actor: Combatant | None = None) -> Prompt | None:
    assert services.source is not None
    if services.source.encounter.progress.over:
        say_nobody_has_turn(services)
        return None
    game = services.source.game
    action = game.action(game.default_action)
    if action is None:
        services.say(
            f"{game.title} has no main action; {services.key_names['actions']} shows all", error=True
        )
        return None
    prepare(services, action, actor=actor or _next_of_group(services, action))
    return None


def _next_of_group(services: Services, action: Action) -> Combatant | None:
    """Return the actor for an action: the first of the group with the turn that the rules allow.

    The search starts at the current actor. A game that counts no actions allows everyone, so the first member
    is chosen that has done nothing in this turn.
    """
    source, actor = services.source, services.actor
    if source is None or actor is None:
        return actor
    people = source.encounter.combatants
    group = [people[who] for who in taking_turns_with(source.encounter, actor.id)]
    at = next(at for at, other in enumerate(group) if other.id == actor.id)
    if len(group) < 2:
        return actor
    ready = [other for other in (*group[at:], *group[:at]) if not refusal_of(source, other, action)]
    counts_actions = any(field.is_of_the_turn for field in fields_of(source.game.sheet).values())
    if not counts_actions and isinstance(source, Session):
        acted = acted_in_turn(source.log.newest(), source.encounter)
        ready = [other for other in ready if other.id not in acted] or ready
    return next(iter(ready), actor)


def _actions(services: Services) -> Prompt:
    return ActionsPrompt(services, TableActions(services, services.actor))


def _action_of_cursor(services: Services) -> Prompt | None:
    actor = _under_cursor(services)
    return _action(services, actor) if actor else None


def _actions_of_cursor(services: Services) -> Prompt | None:
    actor = _under_cursor(services)
    return ActionsPrompt(services, TableActions(services, actor)) if actor else None


def _under_cursor(services: Services) -> Combatant | None:
    """Return the combatant under the cursor, or report that there is none."""
    if services.under_cursor is None:
        services.say("no combatant is under the cursor", error=True)
    return services.under_cursor


def _ready(services: Services) -> Prompt | None:
    combatant = _under_cursor(services)
    return ReadyPrompt(services, combatant) if combatant else None


def _edit(services: Services) -> Prompt | None:
    combatant = _under_cursor(services)
    return EditPrompt(services, combatant) if combatant else None


def _remove(services: Services) -> Prompt:
    return RemovePrompt(services, services.under_cursor)


def _group(services: Services) -> Prompt:
    return GroupPrompt(services, services.under_cursor)


def _near(services: Services) -> Prompt | None:
    combatant = _under_cursor(services)
    return NearPrompt(services, combatant) if combatant else None


def _line(services: Services) -> Prompt:
    return CommandPrompt(services, TableCommands(services))


def _pass_turn(services: Services, *, whole_side: bool) -> Prompt | None:
    """Pass the turn on. Return a question instead if a member of the side would lose its actions."""
    line, source = "next side" if whole_side else "next", services.source
    why = why_not_to_pass(source.encounter, whole_side=whole_side) if source else ""
    if not why:
        services.command(line)
        return None

    def answered(word: str) -> str | None:
        if word.casefold() in ("", "y", "yes"):
            services.command(line)
            return None
        return None if word.casefold() in ("n", "no") else "type yes or no"

    return TextPrompt(services, f"{why} End the side's turn?", answered, does="end the turn")


def _next_turn(services: Services) -> Prompt | None:
    return _pass_turn(services, whole_side=False)


def _end_side(services: Services) -> Prompt | None:
    return _pass_turn(services, whole_side=True)


def _initiative(services: Services) -> Prompt:
    combatant = services.under_cursor
    who = f"{combatant.tag} " if combatant is not None else ""
    return CommandPrompt(services, TableCommands(services), f"initiative {who}")


def _find(services: Services) -> Prompt:
    return FindPrompt(services)


_QUESTIONS: dict[str, Callable[[Services], Prompt | None]] = {
    "action": _action,
    "actions": _actions,
    "action of cursor": _action_of_cursor,
    "actions of cursor": _actions_of_cursor,
    "note": NotePrompt,
    "ready": _ready,
    "schedule": SchedulePrompt,
    "damage": partial(AmountPrompt, heals=False),
    "heal": partial(AmountPrompt, heals=True),
    "condition": ConditionPrompt,
    "roll": RollPrompt,
    "edit": _edit,
    "add": AddPrompt,
    "remove": _remove,
    "group": _group,
    "near": _near,
    "line": _line,
    "initiative": _initiative,
    "find": _find,
    "next turn": _next_turn,
    "end side": _end_side,
}


def begin_with_real_dice(table: Table) -> None:
    """Begin the fight. In initiative order, first ask for the totals that the players rolled."""
    session, services = table.session, table.services
    if session is None or session.read_only or session.encounter.style != "initiative":
        services.command("start")
    else:
        services.say("")
        services.prompts.open(InitiativePrompt(services, totals_before(session.log)))


def come_back(table: Table) -> None:
    """Bring back a delayed combatant or trigger a readied action. Ask which if there are several."""
    waiting = (
        [combatant for combatant in table.session.encounter if combatant.may_return] if table.session else []
    )
    if len(waiting) > 1:
        table.services.prompts.open(ReturnPrompt(table.services))
    elif waiting:
        put_cursor_on_ready(table.services, waiting[0])
        table.services.command(f"return {waiting[0].id}")
    else:
        table.services.say("no combatant is delayed or has a readied action", error=True)


def repeat(table: Table) -> None:
    """Repeat the last action of the combatant with the turn, with the same target and options.

    If no target is possible any longer, ask for targets with the same options. If the combatant has done
    nothing yet, open the prompt of `a`, and mark the table's last target if it can act. Members of a group
    repeat the last action of any of them.
    """
    session, services, actor = table.session, table.services, table.services.actor
    if session is None or actor is None:
        say_nobody_has_turn(services)
        return
    group = taking_turns_with(session.encounter, actor.id)
    again = done_before(session.log.newest(), session.encounter, actor, group)
    if again is not None:
        action = again.action
        actor = _next_of_group(services, action) or actor if action is not None else actor
        if again.is_open and action is not None:
            prepare(services, action, _next_foe(session.encounter, actor), again.options, actor=actor)
        else:
            services.command(action_line(again.name, again.targets, again.options, actor.id))
        return
    action = session.game.action(session.game.default_action)
    if action is None:
        services.say(f"{actor.name} has no action to repeat yet", error=True)
        return
    actor = _next_of_group(services, action) or actor
    last = session.encounter.combatants.get(last_aimed_at(session.log.newest()))
    # A fallen target is not marked for the next blow.
    is_usual = last and (last.side == actor.side) == (action.friends is True)
    fits = last and is_usual and session.encounter.status(last).acts
    prepare(services, action, last.id if last and fits else "", actor=actor)


def _next_foe(encounter: Encounter, actor: Combatant) -> str:
    """Return the first combatant of another side that can still act, or ""."""
    foes = (other for other in encounter.in_line() if other.side != actor.side and not other.state.arrives)
    return next((foe.id for foe in foes if encounter.status(foe).acts), "")


def odds_of_main_action(table: Table) -> None:
    """Open the odds page of the main action against the combatant under the cursor."""
    session, actor = table.session, table.services.actor
    if session is None or actor is None:
        say_nobody_has_turn(table.services)
        return
    action = session.game.action(session.game.default_action)
    target = table.services.under_cursor
    if action is None or action.targets == "none":
        target = None
    elif target is None or target.id == actor.id:
        target = _foe_of(session, actor)
    if action is not None:
        who = target.id if target else None
        given = remembered_for(session.remembered(action, actor.id), who or "")
        try:
            options = typed_options(action, given)
        except Wrong as error:
            table.services.say(str(error), error=True)
            return
        show_odds(table.services, action, actor, who, options)


def _foe_of(session: Session, actor: Combatant) -> Combatant | None:
    """Return the actor's last target, else the first enemy that can act, else the first enemy."""
    encounter = session.encounter
    last = encounter.combatants.get(session.last_target(actor.id))
    others = [combatant for combatant in encounter.in_line() if combatant.side != actor.side]
    standing = [combatant for combatant in others if encounter.status(combatant).acts]
    if last in standing:
        return last
    return next(iter(standing or others), None)


def why(table: Table, event: Event | None = None) -> None:
    """Open the explanation of an event, by default the newest event with numbers."""
    session = table.session
    if event is None and session is not None:
        event = newest_with_numbers(session.log)
    if event is None or session is None:
        table.services.say("there is no number yet to explain")
        return
    names, undone = names_ever(session.encounter, session.log), was_undone(session.log, event)
    game = session.game
    table.services.open_page("Why", lambda cells: why_rows(event, names, game, undone, cells), aside=True)


def help_page(table: Table) -> None:
    """Open the page of all keys."""
    services = table.services
    actions = [
        (shown_key(key), f"{titled(action.title)}. {action.help}")
        for key, action in services.action_keys.items()
    ]
    keys = HelpKeys(services.key_names, str(keys_file()), services.screen or "initiative", actions)
    services.open_finder("Keys", lambda cells, sought: help_rows(keys, cells, sought))


_WORK: Mapping[str, Callable[[Table], None]] = {
    "begin": begin_with_real_dice,
    "repeat": repeat,
    "return": come_back,
    "odds": odds_of_main_action,
}
