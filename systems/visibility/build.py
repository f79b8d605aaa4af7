"""Make the view of one viewer: the visible part of the encounter and its log, and the turns until its own."""

from collections.abc import Iterator

from systems.commands.beginning import comes_to
from systems.commands.offers import action_line, alike, first_choice, is_named_apart, leaves_open, question_of
from systems.commands.wording import action_words
from systems.contract.action import Action
from systems.contract.ruleset import Ruleset
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter, Offer
from systems.encounter.schedule import (
    can_have_turn,
    group_of,
    may_act,
    next_in_round,
    sharing_turn,
    upcoming,
)
from systems.schema.fields import combatant_options, fields_of
from systems.text import clean
from systems.visibility.card import CardCache
from systems.visibility.last_change import seen_last_changes
from systems.visibility.log_view import LogReader
from systems.visibility.moment import shown_moment
from systems.visibility.parts import LogLine, OrderRow, meter_columns
from systems.visibility.recap import has_recap
from systems.visibility.rows import (
    LONGEST_NAME,
    NO_CHANGES,
    LastChanges,
    detail_for,
    fallen_last,
    row_maker,
    tag_text,
)
from systems.visibility.sentences import result_of, seen_sentences
from systems.visibility.view import Ahead, Offered, SeatAction, View
from systems.visibility.viewer import Shown, Viewer

NEWEST_LINES = 200


class ViewMaker:
    """Makes successive views of one fight for one viewer, and reuses unchanged parts."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._lines, self._cards = LogReader(viewer), CardCache()
        self._actions: tuple[Ruleset | None, tuple[SeatAction, ...]] = (None, ())

    def view(self, encounter: Encounter, log: History, shown: Shown) -> View:
        """Return the current view."""
        viewer = self._viewer
        moment = shown_moment(encounter, log, viewer, shown)
        seen, progress = moment.encounter, moment.encounter.progress
        own = [each for each in seen.in_line() if viewer.owns(each)]
        numbered = self._lines.numbered_lines(encounter, log, NEWEST_LINES + 1, shown, moment)
        lines = [line for _, line in numbered]
        newest = numbered[-1][0] if lines and not lines[-1].undone else 0
        last = _last(seen, log, viewer, shown, newest) if newest else NO_CHANGES
        runs = bool(progress.round) and not progress.over
        coming, _ = (upcoming(seen, comes_to) if runs else None) or (None, 0)
        return View(
            title=clean(progress.title or "", 200),
            game=seen.game.name,
            round=progress.round,
            over=progress.over,
            turn=_name(seen.turn) if runs else "",
            side=clean(progress.side or "", LONGEST_NAME) if runs and seen.style == "sides" else "",
            next=_name(coming),
            meters=meter_columns(seen.game.meters),
            rows=tuple(fallen_last(_rows(seen, viewer, shown, last))),
            own=tuple(self._cards.card(seen, each) for each in own),
            ahead=tuple(
                Ahead(_name(each), turns)
                for each in own
                if (turns := turns_before(seen, each.id)) is not None
            ),
            offers=tuple(offered(seen, offer) for offer in seen.offers),
            actions=self._actions_of(seen.game) if own else (),
            log=tuple(lines[-NEWEST_LINES:]),
            older=len(lines) > NEWEST_LINES,
            odds=shown.odds,
            acting=shown.acting,
            recap=has_recap(seen, log),
        )

    def _actions_of(self, game: Ruleset) -> tuple[SeatAction, ...]:
        if self._actions[0] is not game:
            self._actions = game, _actions(game)
        return self._actions[1]


def view(encounter: Encounter, log: History, viewer: Viewer, shown: Shown | None = None) -> View:
    """Return the current view. `shown`: the table's settings for seats."""
    return ViewMaker(viewer).view(encounter, log, shown or Shown())


def older_lines(
    encounter: Encounter, log: History, viewer: Viewer, shown: Shown, skip: int, most: int
) -> list[LogLine]:
    """Return up to `most` lines of the log before the newest `skip` lines, oldest first."""
    moment = shown_moment(encounter, log, viewer, shown)
    lines = LogReader(viewer).lines(encounter, log, skip + most, shown, moment)
    return lines[: max(0, len(lines) - skip)]


def lines_since(encounter: Encounter, log: History, viewer: Viewer, shown: Shown, number: int) -> int:
    """Return the number of lines that the viewer may read after an event, at most NEWEST_LINES."""
    moment = shown_moment(encounter, log, viewer, shown)
    lines = LogReader(viewer).numbered_lines(encounter, log, NEWEST_LINES, shown, moment)
    return sum(of > number for of, _ in lines)


def _last(seen: Encounter, log: History, viewer: Viewer, shown: Shown, number: int) -> LastChanges:
    """Return what the viewer sees of the effects of an event."""
    event = log.as_amended[number - 1]
    read = seen_sentences(event, seen, log, viewer, shown)
    results = [result for sentence in read if (result := result_of(event, sentence))]
    return seen_last_changes(seen, event, results, viewer, shown)


def _rows(seen: Encounter, viewer: Viewer, shown: Shown, last: LastChanges) -> Iterator[OrderRow]:
    maker = row_maker(seen, last, public=True)
    for each in seen.in_line():
        own = viewer.owns(each)
        yield maker.row(each, detail_for(seen, each, viewer, shown), own=own)


def _actions(game: Ruleset) -> tuple[SeatAction, ...]:
    """Return the actions of the game that a player may try, the main one first."""
    open_to_all = [action for action in game.actions if action.group != "hook"]
    ordered = sorted(open_to_all, key=lambda action: action.name != game.default_action)
    return tuple(
        SeatAction(
            action.name,
            clean(action.help, 120),
            action.targets,
            tuple(
                (field.name, clean(field.type.expected, 60)) for field in fields_of(action.options).values()
            ),
            action.itself,
            clean(action.title, 40),
            action.letter if game.letters.get(action.letter) is action else "",
            action.group in ("combat", "turn", "health"),
        )
        for action in ordered
    )


def offered(seen: Encounter, offer: Offer) -> Offered:
    """Return an offer with the line that accepts it, in tags and names that the viewer knows."""
    by = seen.combatants[offer.by or ""]
    if not offer.action:
        return Offered(_name(by), clean(offer.says, 300))
    action = seen.game.action(offer.action)
    target = tag_text(seen.combatants[str(offer.target)]) if offer.target in seen.combatants else ""
    options = _by_tags(seen, action, offer) if action else offer.options
    is_open = action is not None and leaves_open(action, offer)
    reaction = f" as {offer.reaction}" if is_named_apart(offer) else ""
    does = action_words(seen, action, offer.target or "", offer.options) if action else ""
    return Offered(
        by=_name(by),
        says=clean(offer.says, 300),
        line=action_line(offer.action, [target] if target else [], options, "") + reaction,
        does=clean(does, 300),
        is_open=is_open,
        action=offer.action,
        target=target if is_open else "",
        first=first_choice(action, offer) if action and is_open else "",
        options=tuple(options.items()) if is_open else (),
        menu=_menu(seen, offer),
    )


def _menu(seen: Encounter, offer: Offer) -> str:
    """Return the words for the choices of a reaction, such as `Okado: hurry, 9 left`; "" for one offer."""
    together = alike(seen, offer) if offer.reaction else ()
    return clean(question_of(seen, together), 300) if len(together) > 1 else ""


def _by_tags(seen: Encounter, action: Action, offer: Offer) -> dict[str, str]:
    """Return the options of an offer, with tags in place of the ids they name."""
    references = combatant_options(action.options)
    return {
        name: tag_text(seen.combatants[value]) if name in references and value in seen.combatants else value
        for name, value in offer.options.items()
    }


def _name(combatant: Combatant | None) -> str:
    return clean(combatant.name, LONGEST_NAME) if combatant else ""


def turns_before(encounter: Encounter, who: str) -> int | None:
    """Return the number of turns before that of a combatant: 0 during it, None if it never comes.

    Counts the rest of this round, then the next one. A group counts as one, and so does a side in the sides
    order. A turn does not count if it passes because no member can act.
    """
    progress = encounter.progress
    if not progress.round or progress.over or not can_have_turn(encounter, who):
        return None
    if who in _present(encounter):
        return 0
    now = set(_present(encounter)) | set(sharing_turn(encounter, progress.turn) if progress.turn else ())
    count = 1 if progress.turn else 0
    for round_begins in (False, True):
        if round_begins:
            number = progress.round + 1
            encounter = encounter.with_progress(round=number, turn=None, side=None, interrupted=None)
            now = set()
        while (next_due := next_in_round(encounter, now)) is not None:
            together = _together(encounter, next_due)
            if who in together:
                return count
            now |= together
            count += _comes(encounter, together)
    return None


def _present(encounter: Encounter) -> set[str]:
    """Return the ids of the combatants that may act in the current turn."""
    progress = encounter.progress
    if progress.turn is None:
        return set()
    return {each.id for each in encounter if may_act(encounter, each.id)}


def _comes(encounter: Encounter, together: set[str]) -> bool:
    """Return whether any of these gets a turn that does not pass immediately."""
    members = tuple(
        who for who in encounter.progress.order if who in together and can_have_turn(encounter, who)
    )
    acts = any(encounter.status(encounter.combatants[who]).acts for who in members)
    return acts or comes_to(encounter, members)


def _together(encounter: Encounter, who: str) -> set[str]:
    """Return the ids of the combatants whose turn comes at the same time."""
    if encounter.style == "sides":
        side = encounter.combatants[who].side
        return {each.id for each in encounter if each.side == side}
    return {who, *group_of(encounter, who)}
