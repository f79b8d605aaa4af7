"""Answers to the questions of a seat's program, calculated from what the seat may see."""

from collections.abc import Callable
from time import monotonic
from typing import Any

from systems.commands.actions import read_action, typed_options
from systems.commands.offers import action_line
from systems.commands.table import kind_of
from systems.contract.action import Action
from systems.contract.table import WrongChoice
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter, Offer
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve, frozen
from systems.language.intents import Act
from systems.odds import TooManyDice
from systems.text import clean
from systems.visibility.acting import actor_of, read_request
from systems.visibility.build import offered, older_lines
from systems.visibility.line_help import next_words, own_numbers_of, typed_action
from systems.visibility.recap import seen_recap
from systems.visibility.rows import band, detail_for
from systems.visibility.viewer import Shown, Viewer
from tui.campaign.seats import Seat
from tui.display.odds import headings_of, odds_sentence
from tui.display.odds_page import odds_rows, odds_title
from tui.display.recap import page_of, recap_rows, shared_lines
from tui.display.refusals import misread_words
from tui.display.seat_odds import line_odds, own_rows, own_words
from tui.display.text import Row
from tui.lists.action_answers import action_rows
from tui.lists.action_list import ActionList, Again, OfferRow, OfferWords
from tui.lists.command_answers import title_of, wrong_with
from tui.lists.command_help import CommandHelp
from tui.lists.given_options import settled_options
from tui.lists.plan import PLAN, PLAN_HELP, PlanShown, planned_line
from tui.lists.prepared_action import PreparedAction
from tui.lists.target_answers import TargetAnswers, meant_instead, with_choices_of
from tui.lists.target_list import Asked, OddsPage, TargetList
from tui.seats.following import FollowedCampaign, viewer_of
from tui.seats.seat_messages import (
    ActionsAsked,
    AgainAsked,
    AskedBySeat,
    HelpAsked,
    OddsAsked,
    OffersAsked,
    OlderAsked,
    PlanAsked,
    RecapAsked,
    TargetsAsked,
)
from tui.seats.seat_source import ExactOdds, NoOdds, SeatSource

_MOST_LINES = 200
_LONGEST_LINE = 500
_MOST_ROWS, _MOST_CHOSEN = 100, 40
_MOST_CELLS = 500
_MOST_SKIPPED = 1_000_000
_ODDS_FOR = 0.03  # seconds to spend on odds while other seats wait
NO_ODDS = "This table shows no odds."
_LONGEST_SENTENCE = 300


@frozen
class SeenFight:
    """A fight at one moment, its viewer, and the table's settings."""

    encounter: Encounter
    log: History
    viewer: Viewer
    shown: Shown


class SeatAnswers:
    """Answers the questions of one seat's program, and caches results for the same moment."""

    def __init__(self) -> None:
        self._of: SeenFight | None = None
        self._source: SeatSource | None = None
        self._own: tuple[object, str] | None = None
        # By action, actor, and whether it is for the actor's next turn.
        self._prepared: dict[tuple[str, str, bool], tuple[TargetAnswers, NoOdds | ExactOdds]] = {}
        # The sources for plans, by actor.
        self._planned: dict[str, SeatSource] = {}

    def answer(self, moment: SeenFight, question: AskedBySeat) -> object:
        """Return the answer to one question as a value, or None."""
        if not _is_within_limits(question):
            return None
        until = monotonic() + _ODDS_FOR

        def in_time() -> bool:
            return monotonic() < until

        match question:
            case OlderAsked(skip=skip):
                return older_lines(
                    moment.encounter, moment.log, moment.viewer, moment.shown, skip, _MOST_LINES
                )
            case HelpAsked(line=line, at=at):
                return self._help(moment, line, max(0, at), in_time)
            case OddsAsked():
                return self._full_odds(moment, question)
            case TargetsAsked():
                return self._targets(moment, question, in_time)
            case PlanAsked(line=line):
                return self._plan(moment, line, in_time)
            case ActionsAsked(planned=is_planned):
                return self._actions(moment, is_planned, in_time)
            case AgainAsked():
                return self._again(self._known(moment))
            case RecapAsked(cells=cells):
                return _recap(moment, cells)
            case OffersAsked():
                return OfferWords(tuple(row.odds for row in self._offers(moment)))
        return None

    def _known(self, moment: SeenFight) -> SeatSource:
        """Return the fight as the viewer knows it."""
        of = self._of
        if self._source is None or of is None or not _is_same(of, moment):
            self._of, self._prepared, self._planned = moment, {}, {}
            self._source = SeatSource(moment.encounter, moment.log, moment.viewer, moment.shown)
        return self._source

    def _help(self, moment: SeenFight, line: str, at: int, in_time: Callable[[], bool]) -> CommandHelp:
        """Return help for a line of the command language, limited to what the viewer may know."""
        if not (planned := planned_line(line)):
            return self._line_help(moment, line, at, in_time)
        begun = len(line) - len(planned)
        help = self._line_help(moment, planned, max(0, at - begun), in_time)
        odds = self._plan(moment, planned, in_time).odds if help.says else ""
        marked = evolve(help, start=help.start + begun, end=help.end + begun)
        return evolve(marked, title=f"{PLAN} · {help.title}", says=odds or help.says)

    def _line_help(self, moment: SeenFight, line: str, at: int, in_time: Callable[[], bool]) -> CommandHelp:
        """Return help for a line that is not planned."""
        source, viewer = self._known(moment), moment.viewer
        # Completion uses the moment on screen, so that a hidden combatant's turn adds no words.
        seen, known = source.fight.seen, source.encounter
        found = next_words(seen, viewer, line[:at])
        words = tuple((clean(each.text, 200), clean(each.help, 200)) for each in found)
        if line and PLAN.startswith(line.casefold()):
            words = (*words, (PLAN, PLAN_HELP))
        wrong, start, end = wrong_with(known, line)
        said = line_odds(seen, viewer, moment.shown, line, in_time)
        return CommandHelp(title_of(known, line), words, said, clean(wrong, 300), start, end)

    def _action_asked(self, moment: SeenFight, question: TargetsAsked) -> tuple[Action, Combatant] | None:
        """Return the action that a question is about and its actor, or None if there are none."""
        source = self._known(moment)
        action, actor = source.game.action(question.action), source.actor(question.by)
        if action is None or action.group == "hook" or actor is None:
            return None
        return action, actor

    def _source_for(self, moment: SeenFight, question: TargetsAsked, actor: Combatant) -> SeatSource:
        """Return the source for an action of this actor, now or in its next turn."""
        return self._in_next_turn(moment, actor.id) if question.planned else self._known(moment)

    def _full_odds(self, moment: SeenFight, question: OddsAsked) -> OddsPage | None:
        found = self._action_asked(moment, question)
        if found is None:
            return None
        (action, actor), asked = found, question.asked
        source = self._source_for(moment, question, actor)
        actor = source.encounter.combatants[actor.id]
        prepared = self._answers(source, action, actor)[0].prepared
        if (other := meant_instead(prepared, asked)) is not None:
            action, asked = other
            prepared = self._answers(source, action, actor)[0].prepared
        prepared.take(asked)
        return full_odds(source, prepared, moment.viewer, moment.shown, question.cells)

    def _targets(
        self, moment: SeenFight, question: TargetsAsked, in_time: Callable[[], bool]
    ) -> TargetList | None:
        """Return the answer to a question about an action, or None if there is no such action."""
        parsed = self._action_asked(moment, question)
        if parsed is None:
            return None
        (action, actor), asked = parsed, question.asked
        source = self._source_for(moment, question, actor)
        actor = source.encounter.combatants[actor.id]
        answers, odds = self._answers(source, action, actor)
        own = answers.prepared
        if (other := meant_instead(own, asked)) is not None:
            action, asked = other
            answers, odds = self._answers(source, action, actor)
        if isinstance(odds, ExactOdds):
            odds.in_time = in_time
        found = answers.answer(asked)
        if other is not None:
            found = with_choices_of(own, found)
        if moment.shown.odds == "own":
            options = answers.prepared.options_for(answers.prepared.subject)
            own_odds = self._own_odds(source, action, actor.id, options)
            found = evolve(found, notes=evolve(found.notes, odds=own_odds))
        if not asked.chosen and settled_options(source, action, actor) is not None:
            found = evolve(found, is_settled=True)
        if not question.by and not source.has_several_own():
            command = found.result.command.removesuffix(f" by {actor.id}")
            found = evolve(found, result=evolve(found.result, command=command))
        return found

    def _in_next_turn(self, moment: SeenFight, actor: str) -> SeatSource:
        """Return the source for a plan of a character."""
        source = self._known(moment)
        if actor not in self._planned:
            self._planned[actor] = source.in_next_turn(actor)
        return self._planned[actor]

    def _plan(self, moment: SeenFight, line: str, in_time: Callable[[], bool]) -> PlanShown:
        """Return what a planned line means in the next turn of its actor."""
        fight, viewer = self._known(moment).fight, moment.viewer
        typed = typed_action(fight.seen, viewer, line)
        found = PlanShown()
        if typed is not None:
            act, by = typed
            found = PlanShown(
                _short(by.name), action=act.action, targets=act.targets, options=tuple(act.options.items())
            )
        try:
            command = read_request(fight.seen, viewer, line)
        except Misread as error:
            return evolve(found, wrong=_short(misread_words(line, error)))
        except (Refused, Wrong) as error:
            return evolve(found, wrong=_short(str(error)))
        actor = actor_of(fight.seen, viewer, command)
        words = _short(kind_of(command).words(fight.seen, command.intent))
        found = evolve(found, by=_short(actor.name), words=words)
        intent = command.intent
        if not isinstance(intent, Act):
            return found
        aimed = [fight.seen.combatants[who] for who in intent.targets.split(",") if who]
        down = tuple(_short(each.name) for each in aimed if band(each, fight.seen).text == "down")
        found = evolve(found, down=down)
        source = self._in_next_turn(moment, fight.name_of(actor.id))
        if wrong := self._why_impossible(source, intent):
            return evolve(found, wrong=_short(wrong))
        odds = line_odds(source.fight.seen, viewer, moment.shown, line, in_time)
        return evolve(found, odds=odds)

    def _why_impossible(self, source: SeatSource, intent: Act) -> str:
        """Return why the rules will refuse a planned action, or "".

        `source`: the one for the next turn of its actor.
        """
        fight = source.fight
        try:
            doing = read_action(fight.known, intent)
        except (Refused, Wrong) as error:
            return str(error)
        actor, targets = fight.name_of(doing.actors[0]), doing.targets or ("",)
        refusals = (
            source.refusal(doing.action, actor, fight.name_of(target), doing.options) for target in targets
        )
        return next(filter(None, refusals), "")

    def _answers(
        self, source: SeatSource, action: Action, actor: Combatant
    ) -> tuple[TargetAnswers, NoOdds | ExactOdds]:
        key = (action.name, actor.id, source is not self._source)
        known = self._prepared.get(key)
        if known is None:
            prepared = PreparedAction(source, action, actor)
            odds: NoOdds | ExactOdds = NoOdds()
            if source.is_exact:
                odds = ExactOdds(source, action, actor.id, prepared.options_for)
            headings = headings_of(action) if source.is_exact else ()
            answers = TargetAnswers(prepared, odds, headings=headings, person=source.person)
            known = self._prepared[key] = answers, odds
        return known

    def _own_odds(self, source: SeatSource, action: Action, actor: str, options: Any) -> str:
        """Return the actor's own numbers for an action with these options, as text.

        The last result is cached.
        """
        if options is None:
            return ""
        key = (source, action.name, actor, options)
        if self._own is None or self._own[0] != key:
            figures = own_numbers_of(source.fight.seen, action, source.seen_combatant(actor), options)
            # If a target is refused, its row already gives the reason.
            is_shown = figures is not None and not (figures.refused and action.targets != "none")
            self._own = (key, own_words(figures) if figures and is_shown else "")
        return self._own[1]

    def _actions(self, moment: SeenFight, is_planned: bool, in_time: Callable[[], bool]) -> ActionList | None:
        source = self._known(moment)
        actor = source.actor("")
        if actor is None:
            return None
        if is_planned:
            source = self._in_next_turn(moment, actor.id)
            actor = source.encounter.combatants[actor.id]
        keys = {action.name: letter for letter, action in source.game.letters.items()}
        return ActionList(actor.name, action_rows(source, actor, keys, in_time), self._offers(moment))

    def _again(self, source: SeatSource) -> Again:
        """Return the last action of the viewer's combatant with the turn, as a line that repeats it."""
        actor = source.actor("")
        found = source.done_before(actor.id) if actor is not None else None
        if actor is None or found is None:
            return Again()
        by = actor.id if source.has_several_own() else ""
        line = "" if found.is_open else action_line(found.name, found.targets, found.options, by)
        return Again(line, found.name, tuple(found.options.items()))

    def _offers(self, moment: SeenFight) -> tuple[OfferRow, ...]:
        """Return the offers to the viewer's characters, with the odds that the table shows."""
        source = self._known(moment)
        seen = source.fight.seen
        return tuple(
            OfferRow(shown.line, shown.says, _offer_odds(source, moment.shown, offer), shown.does, at)
            for at, offer in enumerate(seen.offers)
            for shown in [offered(seen, offer)]
        )


def _short(text: str) -> str:
    return clean(text, _LONGEST_SENTENCE)


def answer(
    followed: FollowedCampaign, answers: SeatAnswers, seat: Seat | None, question: AskedBySeat
) -> object:
    """Return the answer to one question of a seat as a value, or None."""
    fight = followed.fight_of(seat)
    if fight is None:
        return None
    session = fight.session
    moment = SeenFight(session.encounter, session.log, viewer_of(seat), followed.campaign.seats)
    return answers.answer(moment, question)


def _is_within_limits(question: AskedBySeat) -> bool:
    """Return whether the texts of a question are short enough, and its numbers small enough."""
    match question:
        case OlderAsked(skip=skip):
            return 0 <= skip <= _MOST_SKIPPED
        case HelpAsked(line=line) | PlanAsked(line=line):
            return len(line) <= _LONGEST_LINE
        case OddsAsked(cells=cells) | RecapAsked(cells=cells) if not 1 <= cells <= _MOST_CELLS:
            return False
        case TargetsAsked(asked=asked):
            return _is_asked_within_limits(asked)
    return True


def _is_asked_within_limits(asked: Asked) -> bool:
    texts = [
        asked.line,
        asked.named,
        asked.marked or "",
        asked.field,
        *(word for pair in asked.chosen for word in pair),
    ]
    if len(asked.chosen) > _MOST_CHOSEN or any(len(text) > _LONGEST_LINE for text in texts):
        return False
    return 1 <= asked.height <= _MOST_ROWS and abs(asked.by) <= _MOST_ROWS and not asked.doers


def _recap(moment: SeenFight, cells: int) -> OddsPage | None:
    """Return the page with the recap that the game master shows, for a width; None if there is none."""
    found = seen_recap(moment.encounter, moment.log, moment.viewer, moment.shown)
    if found is None:
        return None
    curve = page_of(shared_lines(found), cells)
    rows = recap_rows(found.recap, moment.encounter.game, cells)
    return _page("Recap", [*curve, *([[]] if curve else []), *rows])


def _is_same(moment: SeenFight, other: SeenFight) -> bool:
    return (
        moment.encounter is other.encounter
        and moment.log is other.log
        and moment.viewer == other.viewer
        and moment.shown == other.shown
    )


def _offer_odds(source: SeatSource, shown: Shown, offer: Offer) -> str:
    """Return the odds of an offer as text.

    Return "" if the table shows none, or if the offer leaves its target open.
    """
    action = source.game.action(offer.action or "")
    by = source.fight.seen.combatants.get(offer.by or "")
    if action is None or by is None or (action.targets in ("one", "many") and not offer.target):
        return ""
    try:
        options = typed_options(action, offer.options)
    except Wrong:
        return ""
    if shown.odds == "own":
        figures = own_numbers_of(source.fight.seen, action, by, options)
        return own_words(figures) if figures else ""
    if shown.odds != "exact":
        return ""
    name, target = source.fight.name_of(by.id), source.fight.name_of(offer.target or "")
    odds = ExactOdds(source, action, name, lambda target: options)
    odds.want([target])
    found = odds.of(target)
    return "" if found is None or isinstance(found, str) else clean(odds_sentence(action, found), 200)


def full_odds(
    source: SeatSource, prepared: PreparedAction, viewer: Viewer, shown: Shown, cells: int
) -> OddsPage:
    """Return the odds page of a prepared action for a width of `cells`, or why there is none."""
    if shown.odds == "none":
        return OddsPage(why=NO_ODDS)
    options = prepared.options_for(prepared.subject)
    if options is None:
        return OddsPage(why=clean(prepared.wrong or "an option is missing", _LONGEST_SENTENCE))
    seen, action = source.fight.seen, prepared.action
    actor = source.seen_combatant(prepared.actor.id)
    if shown.odds == "own":
        figures = own_numbers_of(seen, action, actor, options)
        if figures is None or not (figures.refused or figures.terms or figures.most):
            return OddsPage(why="This action shows no numbers before the roll.")
        return _page(odds_title(actor, action, None), own_rows(figures, has_target=bool(prepared.subject)))
    target = source.seen_combatant(prepared.subject) if prepared.subject else None
    try:
        odds = source.preview(action, prepared.actor.id, prepared.subject or None, options)
    except (TooManyDice, WrongChoice, Refused, Wrong) as error:
        return OddsPage(why=clean(str(error), _LONGEST_SENTENCE))
    # Mark the target's remaining health among the amounts only if the table shows numbers.
    has_figures = target is not None and detail_for(seen, target, viewer, shown) != "band"
    rows = odds_rows(seen, action, target if has_figures else None, odds, cells)
    return _page(odds_title(actor, action, target), rows)


def _page(title: str, rows: list[Row]) -> OddsPage:
    return OddsPage(
        clean(title, _LONGEST_SENTENCE), tuple(tuple((text, tone) for text, tone in row) for row in rows)
    )
