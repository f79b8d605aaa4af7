"""Make the rows of the order as values, for the game master and for seats."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from systems.contract.condition import Condition
from systems.contract.display import Mark, Meter
from systems.encounter.durations import left, left_briefly, name_of
from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import is_spent, may_act, sharing_turn
from systems.frozen import evolve, frozen
from systems.text import clean
from systems.visibility.parts import Level, OrderRow, ShownWord, Weight
from systems.visibility.viewer import Shown, Viewer

LONGEST_NAME = 80
_TONES = {"fresh": "good", "hurt": "warning", "badly hurt": "danger", "down": "muted"}
# Everything, only the numbers of the meters, or a band of health.
Detail = Literal["full", "figures", "band"]
TurnMark = Literal["", "now", "with"]
# What the last event did to combatants, by id (last_change.py).
LastChanges = Mapping[str, tuple[ShownWord, ...]]
NO_CHANGES: LastChanges = {}


@frozen
class RowMaker:
    """Makes the rows of one encounter. Apart from its combatant, a row needs only `round` and `house`."""

    encounter: Encounter
    turns: Mapping[str, TurnMark]
    last: LastChanges = NO_CHANGES

    def row(self, combatant: Combatant, detail: Detail = "full", *, own: bool = False) -> OrderRow:
        """Return the row of one combatant."""
        encounter, state = self.encounter, combatant.state
        instead = _instead(encounter, combatant, detail)
        words = () if state.arrives else tuple(self._words(combatant, detail, instead))
        if last := self.last.get(combatant.id, ()):
            words, last = _told_once(words, last)
        has_initiative = encounter.style != "sides" and not state.arrives
        meters = encounter.game.meters
        # None for a meter that the viewer may not see.
        shown = meters if detail == "full" else open_meters(encounter)
        levels = (level_of(combatant, meter) if meter in shown else None for meter in meters)
        return OrderRow(
            tag=tag_text(combatant),
            name=clean(combatant.name, LONGEST_NAME),
            side=clean(combatant.side, LONGEST_NAME),
            ours=encounter.is_player(combatant),
            initiative=state.initiative if has_initiative else None,
            turn=self.turns.get(combatant.id, ""),
            acts=encounter.status(combatant).acts and not state.arrives,
            levels=() if instead else tuple(levels),
            instead=instead,
            last=last,
            words=words,
            own=own,
            fallen=is_fallen(encounter, combatant),
        )

    def _words(self, combatant: Combatant, detail: Detail, instead: ShownWord | None) -> Iterator[ShownWord]:
        """Yield the texts of a row: states, an important status, conditions with their time left, the game's
        marks.

        The least important come last, because the line may be cut there.
        """
        encounter = self.encounter
        state, status = combatant.state, encounter.status(combatant)
        if state.hidden:
            yield ShownWord("(hidden)", "condition")
        if state.waits:
            yield ShownWord("waits", "accent")
        if state.ready and status.acts:
            yield ShownWord(f"ready: {clean(state.ready, LONGEST_NAME)}", "condition", "condition")
        said = {_plain(instead.text)} if instead else set()
        # A condition with its end says more than a status or mark of the same name.
        ends = {
            _plain(held.label_in(encounter.game)) for held in combatant.conditions if left(encounter, held)
        }
        is_told = detail == "band" or _plain(status.name) in said | ends
        if not is_told and status.tone not in ("good", "plain"):
            said.add(_plain(status.name))
            if status.tone != "notice":
                yield ShownWord(clean(status.name.replace("_", " ")), f"{status.tone} strong")
        shows_marks = detail == "full" and status.in_order
        marks = [
            mark
            for mark in (encounter.game.glance(combatant.sheet, encounter.house) if shows_marks else ())
            # Marks about a turn are shown only during it.
            if (not mark.of_turn or combatant.id in self.turns)
            and (_weight(mark) != "condition" or _plain(mark.text) not in ends)
        ]
        yield from _marks([mark for mark in marks if mark.column], said)
        others = [mark for mark in marks if not mark.column]
        yield from _marks([mark for mark in others if _weight(mark) == "condition"], said)
        if combatant.conditions:
            yield from _conditions(encounter, combatant, said)
        if not is_told and status.tone == "notice":
            # The bar shows as much, so it gives way to conditions.
            yield ShownWord(clean(status.name.replace("_", " ")), f"{status.tone} strong", "turn")
        if state.form:
            yield ShownWord(f"as {clean(state.form.replace('-', ' '), LONGEST_NAME)}", "muted", "lasting")
        if near := near_tags(encounter, combatant):
            yield ShownWord(f"near {','.join(near)}", "muted", "lasting")
        yield from _marks([mark for mark in others if _weight(mark) == "turn"], said)
        yield from _marks([mark for mark in others if _weight(mark) == "lasting"], said)
        if state.group and detail == "full" and status.in_order and not state.arrives:
            name = state.group.removesuffix("_h").replace("-", " ")
            yield ShownWord(f"group {clean(name, LONGEST_NAME)}", "muted", "lasting")


def _told_once(
    words: tuple[ShownWord, ...], last: tuple[ShownWord, ...]
) -> tuple[tuple[ShownWord, ...], tuple[ShownWord, ...]]:
    """Return the words of a row and its last change. A new condition is only among the words, and strong."""
    new = {change.text for change in last}
    fresh = {word.text for word in words if any(_is_same(word.text, text) for text in new)}
    strong = tuple(
        evolve(word, tone=f"{word.tone} strong".strip()) if word.text in fresh else word for word in words
    )
    return strong, tuple(change for change in last if not any(_is_same(text, change.text) for text in fresh))


def _is_same(shown: str, new: str) -> bool:
    """Return whether the text of a row is that of a new condition, perhaps with its time left."""
    return shown == new or shown.startswith(f"{new} ")


class RowCache:
    """Makes the rows of successive encounters, and reuses unchanged rows."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Combatant, object, OrderRow]] = {}
        self.ids: Sequence[str] = ()

    def rows(self, encounter: Encounter, last: LastChanges = NO_CHANGES) -> Sequence[OrderRow]:
        """Return the rows of all combatants in full, in the order of the screen, and keep their ids."""
        maker = row_maker(encounter, last)
        made = self._made
        self._made = {}
        found: list[OrderRow] = []
        ids: list[str] = []
        fallen: list[str] = []
        for combatant in encounter.in_line():
            # A row also depends on the time left of its conditions, on the turn, on the last event and on the
            # tags of those near.
            who = combatant.id
            waits_for = [name_of(encounter, held.of) for held in combatant.conditions if held.of]
            turn, round = maker.turns.get(who), encounter.progress.round
            near = near_tags(encounter, combatant)
            key = (turn, round, encounter.house, waits_for, last.get(who), near)
            known = made.get(who)
            if known is None or known[0] is not combatant or known[1] != key:
                known = (combatant, key, maker.row(combatant))
            self._made[who] = known
            if known[2].fallen:
                fallen.append(who)
            else:
                ids.append(who)
                found.append(known[2])
        self.ids = ids + fallen
        return found + [self._made[who][2] for who in fallen]


def is_fallen(encounter: Encounter, combatant: Combatant) -> bool:
    """Return whether a combatant is out of the fight, so that its row makes room.

    A foe that is down still has turns by the rules, but needs no row of its own; one of the party does.
    """
    status, state = encounter.status(combatant), combatant.state
    if state.arrives or combatant.id == encounter.progress.turn:
        return False
    is_down = not status.acts and status.tone == "danger" and not encounter.is_player(combatant)
    return is_down or not status.in_order


def fallen_last(rows: Iterable[OrderRow]) -> list[OrderRow]:
    """Return the rows in the order of the screen."""
    return sorted(rows, key=lambda row: row.fallen)


def detail_for(encounter: Encounter, combatant: Combatant, viewer: Viewer, shown: Shown) -> Detail:
    """Return how much of a combatant the viewer sees."""
    if viewer.is_game_master or viewer.owns(combatant):
        return "full"
    detail = shown.allies if encounter.is_player(combatant) else shown.foes
    return detail if open_meters(encounter) else "band"


def row_maker(encounter: Encounter, last: LastChanges = NO_CHANGES, *, public: bool = False) -> RowMaker:
    """Return the maker of rows for this encounter. `public`: for viewers who do not see foes' sheets."""
    return RowMaker(encounter, turn_marks(encounter, public=public), last)


def tag_text(combatant: Combatant) -> str:
    """Return the tag as shown and typed."""
    return combatant.tag if combatant.tag != "0" else ""


def near_tags(encounter: Encounter, combatant: Combatant) -> list[str]:
    """Return the tags of the combatants near one; the name of one that has no tag yet."""
    if not combatant.state.near:
        return []
    return [tag_text(other) or clean(other.name, LONGEST_NAME) for other in encounter.neighbours(combatant)]


def turn_marks(encounter: Encounter, *, public: bool = False) -> dict[str, TurnMark]:
    """Return, by id, "now" for the combatant with the turn and "with" for others that can act in it.

    `public`: whether a foe has actions left is not shown, only whether its turn is over.
    """
    found: dict[str, TurnMark] = {}
    progress = encounter.progress
    turn = progress.turn
    if turn is None or progress.over or turn not in encounter.combatants:
        return found
    if encounter.style == "sides" and not progress.interrupted:
        for who in progress.order:
            combatant = encounter.combatants[who]
            acts = may_act(encounter, who) and encounter.status(combatant).acts
            is_shown = not public or encounter.is_player(combatant)
            if acts and not (is_shown and is_spent(encounter, who)):
                found[who] = "with"
    else:
        found = dict.fromkeys(sharing_turn(encounter, turn), "with")
    found[turn] = "now"
    return found


def band(combatant: Combatant, encounter: Encounter) -> ShownWord:
    """Return a combatant's band of health in its tone."""
    found = encounter.band(combatant)
    return ShownWord(found, _TONES[found])


def level_of(combatant: Combatant, meter: Meter) -> Level | None:
    """Return the value of a meter and its maximum, or None if the sheet has none."""
    found = meter.of(combatant.sheet)
    return Level(*found) if found else None


def open_meters(encounter: Encounter) -> tuple[Meter, ...]:
    """Return the meters whose values players may see of others."""
    fields = set(encounter.game.seat_fields)
    return tuple(meter for meter in encounter.game.meters if {meter.now, meter.full} <= fields)


def _instead(encounter: Encounter, combatant: Combatant, detail: Detail) -> ShownWord | None:
    """Return the text in place of the meters, or None."""
    state, status = combatant.state, encounter.status(combatant)
    if state.arrives:
        hidden = ", hidden" if state.hidden else ""
        return ShownWord(f"{combatant.arrival.removeprefix('is ')}{hidden}", "muted")
    if detail == "band":
        return band(combatant, encounter)
    if not status.in_order:
        return ShownWord(clean(status.name.replace("_", " ")), f"{status.tone} strong")
    return None


def _weight(mark: Mark) -> Weight:
    """Return how important a mark is. A warning counts as a condition."""
    if mark.tone == "muted":
        return "turn"
    return "lasting" if mark.tone == "plain" else "condition"


def _marks(marks: Sequence[Mark], said: set[str]) -> Iterator[ShownWord]:
    for mark in marks:
        if _plain(mark.text) not in said:
            said.add(_plain(mark.text))
            yield ShownWord(clean(mark.text), mark_tone(mark), _weight(mark), column=clean(mark.column, 40))


def _conditions(encounter: Encounter, combatant: Combatant, said: set[str]) -> Iterator[ShownWord]:
    in_order = encounter.status(combatant).in_order
    several = Counter(held.name for held in combatant.conditions if held.apart)
    told: set[str] = set()
    for held in combatant.conditions:
        if held.apart and several[held.name] > 1:
            if held.name not in told:
                told.add(held.name)
                yield _several_words(encounter, held.name, several[held.name])
            continue
        lasting = left(encounter, held)
        # The dead keep only free conditions: those of the game no longer matter.
        if not in_order and not lasting and encounter.game.condition(held.name):
            continue
        label = held.label_in(encounter.game)
        if _plain(label) in said and not lasting:
            continue
        said.add(_plain(label))
        known = encounter.game.condition(held.name)
        short = left_briefly(encounter, held, combatant.id)
        # The turn at which it ends is long, and the name alone says the most.
        alone = clean(label) if held.of is not None and short else ""
        yield ShownWord(clean(f"{label} {short}".strip()), condition_tone(known), "condition", alone)


def _several_words(encounter: Encounter, name: str, number: int) -> ShownWord:
    """Return the text for a condition from several sources: `grappled ×2`. The card has a line for each."""
    label = clean(encounter.game.condition_label(name))
    return ShownWord(f"{label} ×{number}", condition_tone(encounter.game.condition(name)), "condition", label)


def mark_tone(mark: Mark) -> str:
    """Return the tone of a mark: amber and red are for health, everything else is a condition."""
    if mark.tone in ("warning", "danger", "muted"):
        return mark.tone
    return "" if mark.tone == "plain" else "condition"


def condition_tone(known: Condition | None) -> str:
    """Return the tone of a condition: danger if the game says so, else that of all conditions."""
    return "danger" if known and known.tone == "danger" else "condition"


def _plain(text: str) -> str:
    return text.casefold().replace("_", " ").replace("-", " ")
