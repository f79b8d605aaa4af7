"""Find the sentences and lines of the log that a player may read, because the player could see the events."""

from collections.abc import Container, Iterable, Iterator, Mapping

from systems.commands.step_back import passes_turn_on
from systems.contract.marked_text import as_actor, as_status, marked, possessive
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, Result, Sentence, combatants_in, public_of
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.encounter.serialize import read_combatant
from systems.frozen import evolve, frozen
from systems.text import clean, listed
from systems.visibility.own_figures import own_figures
from systems.visibility.parts import LONGEST_LINE, LogLine, highlights
from systems.visibility.rows import LONGEST_NAME, detail_for
from systems.visibility.viewer import Shown, Viewer

# Their sentences are about other events. Undone lines are struck through instead.
UNTOLD = frozenset({"undo", "redo"})


def seen_sentences(
    event: Event, encounter: Encounter, log: History, viewer: Viewer, shown: Shown
) -> Iterator[Sentence]:
    """Yield the sentences of an event that the viewer may read, in the words for this viewer.

    If the viewer may not see a combatant's numbers, the sentence is shorter: the action, its result and the
    states that everybody sees. Its arithmetic has only the figures of the viewer's own character. The next
    turn is left out, because the view has it and it may be that of a hidden combatant. `log`: used to find
    combatants that have left.
    """
    if event.kind in UNTOLD:
        return
    encounter = with_departed(encounter, log, event)
    for sentence in event.sentences:
        if sentence.upcoming:
            continue
        is_open = may_read(sentence, encounter, viewer)
        public = None if is_open else public_of(sentence)
        read = public or sentence
        sees_figures, own = _sees_figures(read, encounter, viewer, shown), ""
        if sentence.arithmetic and not ((is_open or public) and sees_figures):
            continue
        words = read.text
        if not is_open and public is None:
            words = marked(_from_unseen(event, read, encounter, sees_figures))
        elif not sees_figures and public is not None and not _names_its_result(event, read):
            words = marked(f"Something unseen affects {listed(_names(read, encounter))}.")
        elif not sees_figures:
            words = marked(_without_figures(event, read, encounter))
            result = result_of(event, read)
            if is_open and result is not None and words:
                own = own_figures(event, result, encounter, viewer, shown)
        if words:
            yield evolve(read, text=marked(words).changed(_cleaned))
        if own:
            yield evolve(read, text=marked(_cleaned(own)), arithmetic=True)


def _names_its_result(event: Event, sentence: Sentence) -> bool:
    """Return whether a sentence names the actor and the target of its result."""
    result = result_of(event, sentence)
    return result is None or {result.actor, result.target or result.actor} <= {*sentence.about}


def _names(sentence: Sentence, encounter: Encounter) -> list[str]:
    return [_name(encounter.combatants[who]) for who in sentence.about if who in encounter.combatants]


def _cleaned(text: str) -> str:
    return clean(text, LONGEST_LINE)


def has_seen_sentence(event: Event, encounter: Encounter, log: History, viewer: Viewer, shown: Shown) -> bool:
    """Return whether the viewer may read anything of an event."""
    return any(True for _ in seen_sentences(event, encounter, log, viewer, shown))


def gives_turn_in_sight(event: Event, encounter: Encounter, viewer: Viewer) -> bool | None:
    """Return whether the viewer saw whose turn an event began, or None if it began no turn."""
    if not (passes_turn_on(event) or event.command == "start"):
        return None
    changes = (change for change in event.changes if not change.who)
    turn = next((change.after for change in changes if change.field == "turn"), "")
    about = [each for each in event.sentences if turn in each.about]
    present = [each for each in about if not each.upcoming]
    return any(may_read(each, encounter, viewer) for each in present) if turn and present else None


def may_read(sentence: Sentence, encounter: Encounter, viewer: Viewer) -> bool:
    """Return whether the viewer could see it when it happened. Owners see their own hidden characters."""
    if viewer.is_game_master:
        return True
    if not isinstance(sentence.seen, tuple):
        return sentence.seen == "all"
    people = encounter.combatants
    return bool(sentence.seen) and all(
        viewer.owns(people[who]) if who in people else who in viewer.characters for who in sentence.seen
    )


def _sees_figures(sentence: Sentence, encounter: Encounter, viewer: Viewer, shown: Shown) -> bool:
    """Return whether the viewer may see the numbers in a sentence, which are those of its last combatant."""
    about = sentence.about
    if viewer.is_game_master or not sentence.exact or not about:
        return True
    subject = encounter.combatants.get(about[-1])
    return subject is not None and detail_for(encounter, subject, viewer, shown) != "band"


def _without_figures(event: Event, sentence: Sentence, encounter: Encounter) -> str:
    """Return the action, its target and its result as text, or "" if the event does not store them."""
    result, game = result_of(event, sentence), encounter.game
    if result is None:
        return ""
    action = result.action
    actor = encounter.combatants.get(result.actor)
    target = encounter.combatants.get(result.target or "")
    subject = target or actor
    if actor is None or subject is None:
        return ""
    shows = [as_status(clean(words, 40)) for words in result.shows]
    if action in (game.damage.action, game.heal.action):
        done = "harmed" if action == game.damage.action else "healed"
        return f"{_name(subject)} is {done}{f': {listed(shows)}' if shows else ''}."
    declared = game.action(action)
    if declared is None or declared.group == "hook" or declared.private:
        return ""
    degree = result.degree.replace("_", " ")
    onto = f" on {_name(target)}" if target else ""
    ended = ", ".join(filter(None, [degree, *shows]))
    used = clean(str(result.facts.get(declared.names_use) or declared.title), 40)
    return f"{possessive(as_actor(_name(actor)))} {used}{onto}{f': {ended}' if ended else ''}."


def _from_unseen(event: Event, sentence: Sentence, encounter: Encounter, sees_figures: bool) -> str:
    """Return what a hidden combatant did to a visible one, or "" if nothing can be noticed.

    The stored sentence decides which combatants were hidden.
    """
    result, unseen = result_of(event, sentence), sentence.seen
    if result is None or not isinstance(unseen, tuple):
        return ""
    target = encounter.combatants.get(result.target or "")
    action = encounter.game.action(result.action)
    if target is None or target.id in unseen or result.actor not in unseen:
        return ""
    if action is None or action.group != "combat":
        return ""
    facts, status = result.facts, result.status
    amount = facts.get(action.amount or _amount_of_damage(encounter), 0)
    is_hit = bool(action.success) and action.succeeds(facts.get(action.success))
    if not (is_hit or amount or status):
        return ""
    harm = [f"{amount} damage"] * bool(amount) + [as_status(status)] * bool(status)
    figures = f": {', '.join(harm)}" if sees_figures and harm else ""
    return f"Something unseen strikes {_name(target)}{figures}."


def _amount_of_damage(encounter: Encounter) -> str:
    """Return the name of the stored value with the amount of the game's plain damage."""
    harm = encounter.game.action(encounter.game.damage.action)
    return harm.amount if harm is not None else ""


def result_of(event: Event, sentence: Sentence) -> Result | None:
    """Return the result that a sentence describes, or None."""
    results, at = event.results, sentence.result
    return results[at] if at is not None and 0 <= at < len(results) else None


def _name(combatant: Combatant) -> str:
    return clean(combatant.name, LONGEST_NAME)


# Lines


class SeenLines:
    """The lines of the log that a viewer who is not the game master may read. Caches those of each event.

    A sentence depends on the names, sides and players in the fight. When these change, every event is read
    again.
    """

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._cast: object = None
        self._known: dict[int, _Read] = {}

    def newest(
        self,
        encounter: Encounter,
        log: History,
        most: int | None,
        shown: Shown,
        numbers: Iterable[int],
        held: Container[int] = (),
    ) -> list[tuple[Event, LogLine]]:
        """Return the newest lines with their events, at most `most`, oldest first.

        An event that begins a hidden turn is read when the next visible turn begins. If the game master steps
        back to a hidden turn, the viewer still sees the turn after it, so that turn is not reported again.
        `numbers`: those of the events, the newest first. `held`: the numbers of events left out; see Moment.
        """
        cast = (shown, encounter.game, encounter.players, tuple(_cast(encounter)))
        known = self._known if cast == self._cast else {}
        self._cast, self._known = cast, {}
        found: list[tuple[Event, LogLine]] = []
        # The place, counted from the newest line, of events that were held back until a visible turn.
        released = 0
        newer: _VisibleTurn | None = None
        events = log.as_amended
        for number in numbers:
            if most is not None and len(found) >= most:
                break
            event = events[number - 1]
            if number in held:
                continue
            read = known.get(number)
            if read is None or read.event is not event:
                read = self._read(event, encounter, log, shown)
            self._known[number] = read
            if newer is not None and event.kind == "back" and read.turn_in_sight is not True:
                newer = evolve(newer, is_after_step_back=True)
            if read.turn_in_sight:
                if newer is not None and newer.repeats(read, log):
                    earlier = {line.text for line in read.lines}
                    lines = found[newer.first : newer.end]
                    found[newer.first : newer.end] = [each for each in lines if each[1].text not in earlier]
                newer = _VisibleTurn(number, read.turn, len(found), len(found) + len(read.lines))
            place = released if read.turn_in_sight is False else len(found)
            found[place:place] = [(event, line) for line in reversed(read.lines)]
            if read.turn_in_sight is not None:
                released = place + len(read.lines)
        return found[:most][::-1]

    def _read(self, event: Event, encounter: Encounter, log: History, shown: Shown) -> "_Read":
        sentences = seen_sentences(event, encounter, log, self._viewer, shown)
        lines = tuple(_lines_of(event, sentences, encounter.game))
        return _Read(event, lines, gives_turn_in_sight(event, encounter, self._viewer))


@frozen
class _Read:
    """The lines of an event. `turn_in_sight`: whether the turn that it began is visible, or None."""

    event: Event
    lines: tuple[LogLine, ...]
    turn_in_sight: bool | None

    @property
    def turn(self) -> tuple[object, int]:
        """Return the id of the combatant whose turn the event began, and the round."""
        turn = next((each.after for each in self.event.changes if not each.who and each.field == "turn"), "")
        return turn, max((line.round for line in self.lines), default=self.event.round)


@frozen
class _VisibleTurn:
    """The newest event read so far that began a visible turn. Its lines are those from `first` to `end`.

    `is_after_step_back`: a step back to a hidden turn came before it.
    """

    number: int
    turn: tuple[object, int]
    first: int
    end: int
    is_after_step_back: bool = False

    def repeats(self, earlier: _Read, log: History) -> bool:
        """Return whether the event only returned to the turn that an earlier event had begun."""
        if not self.is_after_step_back or earlier.event.kind == "back" or self.turn != earlier.turn:
            return False
        return earlier.event.n in log.standing_since(earlier.event.n, self.number)


def _tells_action(event: Event, sentence: Sentence, game: Ruleset) -> bool:
    """Return whether a sentence tells the result of an action that a combatant has chosen."""
    result = result_of(event, sentence)
    action = game.action(result.action) if result is not None else None
    return action is not None and action.group != "hook"


def _cast(encounter: Encounter) -> Iterator[tuple[object, ...]]:
    for each in encounter:
        yield each.id, each.state.name, each.state.side, each.state.kind


def _lines_of(event: Event, sentences: Iterable[Sentence], game: Ruleset) -> Iterator[LogLine]:
    """Yield a line for each sentence of an event, with the arithmetic that follows it."""
    line, result = None, None
    for sentence in sentences:
        text = sentence.text
        if line is not None and sentence.arithmetic:
            if sentence.result == result:
                line = evolve(line, arithmetic=str(text))
            continue
        if line is not None:
            yield line
        number, result = event.round if sentence.round is None else sentence.round, sentence.result
        tells = _tells_action(event, sentence, game)
        line = (
            LogLine(number, str(text), marks=highlights(marked(text), game), result=tells) if text else None
        )
    if line is not None:
        yield line


def with_departed(encounter: Encounter, log: History, event: Event) -> Encounter:
    """Return the encounter with the combatants of an event that have left it, for reading its sentences."""
    missing = {who for who in combatants_in(event) if who and who not in encounter.combatants}
    return encounter.with_combatants(*_departed(encounter, log, missing)) if missing else encounter


def _departed(encounter: Encounter, log: History, missing: set[str]) -> list[Combatant]:
    """Return combatants unchanged since they left the fight. The newest events are searched first."""
    found: dict[str, Combatant] = {}
    for event in reversed(log.events):
        for change in event.changes:
            who = change.who
            if who in missing - found.keys() and not change.field and isinstance(change.before, Mapping):
                found[who] = read_combatant(encounter.game, change.before, who, encounter.players)
        if missing <= found.keys():
            break
    return list(found.values())
