"""Laws of what viewers see: every field is decided, and hidden combatants leave no trace."""

import pickle
import re
from itertools import product
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from systems.contract.outcome import Explanation, Step, Term
from systems.dice.sources import StreamedDice, Streams
from systems.encounter.events import Event, Result
from systems.encounter.history import History
from systems.encounter.lookup import targets
from systems.encounter.model import (
    ActiveCondition,
    Combatant,
    CombatantState,
    Departed,
    Encounter,
    Happening,
    Offer,
    Progress,
)
from systems.errors import Misread, Refused, Wrong
from systems.frozen import fields
from systems.visibility.build import ViewMaker
from systems.visibility.known import known_fight
from systems.visibility.line_help import exact_odds, next_words, own_numbers
from systems.visibility.view import View
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.laws import examples
from tests.systems.fight import GAMES, Fight
from tests.systems.walks import line_with_volleys

STYLES = (None, "initiative", "sides", "manual")
VIEWERS = (Viewer(frozenset({"okado"})), Viewer(frozenset({"tamsin", "okado"})), PUBLIC)
SHOWN = (Shown(), Shown(foes="figures", allies="band"), Shown(odds="exact"))
SEATS_AND_TABLES = tuple(product(VIEWERS, SHOWN))
MOST_NEXT = 25

# Every field of the encounter, and what a viewer gets of it. A new field fails until it is listed here.
DECIDED = {
    Encounter: {
        "game": "shown",
        "house": "shown",
        "style": "shown",
        "players": "shown",
        "progress": "in part",
        "combatants": "those in sight and one's own",
        "offers": "one's own",
    },
    Progress: {
        "title": "shown",
        "ids": "those in sight",
        "order": "those in sight",
        "round": "that of the turn that was seen last",
        "turn": "the turn that was seen last",
        "side": "if a member is in sight",
        "interrupted": "if in sight",
        "ordered": "withheld",
        "happenings": "withheld",
        "over": "shown",
        "numbering": "shown",
        "numbered": "withheld",
        "unseen": "withheld",
        "departed": "withheld",
    },
    Combatant: {"id": "inside only", "state": "in part", "sheet": "one's own", "conditions": "in part"},
    CombatantState: {
        "name": "shown",
        "kind": "one's own",
        "side": "shown",
        "tag": "of those in sight",
        "hidden": "withheld",
        "hidden_tag": "withheld",
        "plain_name": "withheld",
        "initiative": "shown",
        "group": "of those in sight",
        "arrives": "withheld",
        "waits": "shown",
        "ready": "one's own",
        "begun": "shown",
        "done": "shown",
        "acted": "withheld",
        "reacted": "withheld",
        "near": "pairs of which both are in sight",
        "away": "withheld",
        "bringer": "withheld",
        "bound": "withheld",
        "form": "shown",
        "stowed": "withheld",
        "prepared": "withheld",
    },
    ActiveCondition: {
        "name": "shown",
        "value": "shown",
        "last_round": "shown",
        "until": "unless it waits for a hidden combatant",
        "of": "unless out of sight",
        "skips": "unless it waits for a hidden combatant",
        "secret": "of one's own alone",
        "source": "unless out of sight",
        "through": "unless its source is out of sight",
        "sustained": "unless its source is out of sight",
        "apart": "shown",
        "save": "shown",
        "difficulty": "withheld",
        "again": "shown",
        "worse": "withheld",
        "escape": "shown",
        "ends_when": "shown",
        "brought_by": "shown",
        "worse_rounds": "withheld",
        "worse_again": "withheld",
        "worse_ends_when": "withheld",
        "begin_words": "shown",
        "end_words": "shown",
        "change": "shown",
        "tick": "shown",
        "tick_at": "shown",
    },
    Departed: dict.fromkeys(("given", "name", "called", "tag", "kind", "seen"), "withheld"),
    Happening: dict.fromkeys(("given", "name", "round", "hidden"), "withheld"),
    Offer: {
        **dict.fromkeys(
            ("says", "command", "by", "target", "action", "options", "choose", "reaction", "aims_itself"),
            "one's own",
        ),
        **dict.fromkeys(("reacts_to", "several", "about", "lasts", "actors", "made_from"), "withheld"),
        "quiet": "withheld",
    },
}


# What a player reads of a result whose other figures are withheld.
FIGURES = {
    Result: {
        "action": "shown",
        "actor": "shown",
        "target": "shown",
        "degree": "shown",
        "facts": "the number compared with, with exact odds, and what was used",
        "explanation": "in part",
        "status": "with the figures",
        "lost": "withheld",
        "felled": "withheld",
        "shows": "shown",
    },
    Explanation: {
        "text": "withheld",
        "terms": "one's own",
        "steps": "one's own",
        "rules": "withheld",
        "arithmetic": "withheld",
    },
    Term: {
        "label": "one's own",
        "value": "one's own",
        "note": "withheld",
        "of": "withheld",
        "public": "one's own",
    },
    Step: {
        "label": "one's own",
        "value": "one's own",
        "note": "withheld",
        "terms": "one's own",
        "of": "withheld",
    },
}


@pytest.mark.parametrize("cls", FIGURES)
def test_every_field_of_a_result_is_shown_or_withheld_by_decision(cls):
    assert {field.name for field in fields(cls)} == set(FIGURES[cls])


@pytest.mark.parametrize("cls", DECIDED)
def test_every_field_is_shown_or_withheld_by_decision(cls):
    assert {field.name for field in fields(cls)} == set(DECIDED[cls])


class KeyedDice(StreamedDice):
    """Dice of a seed, each from its own stream, as a seeded table has them."""

    def __init__(self, seed: int) -> None:
        self._streams = Streams(seed, Random(seed), Random)

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        return self._streams.named(self.stream).randint(1, sides)


class World:
    """A fight, and the number of its events for each command in sight."""

    def __init__(self, game: str, style, seed: int) -> None:
        self.fight = Fight(game, style=style)
        self.fight.dice = KeyedDice(seed)
        self.done: list[int] = []
        self.gone: list[int] = []
        self._makers: dict[tuple[Viewer, Shown], ViewMaker] = {}
        self._foreseen: tuple[History, str, Event, StreamedDice] | None = None
        self._seen: tuple[History, list[View]] | None = None

    def maker(self, viewer: Viewer, shown: Shown) -> ViewMaker:
        """Return the one maker of the views of a viewer at a table, as a server keeps it."""
        return self._makers.setdefault((viewer, shown), ViewMaker(viewer))

    def seen(self) -> list[View]:
        """Return all views."""
        encounter, log = self.fight.encounter, self.fight.log
        if self._seen is None or self._seen[0] is not log:
            views = [
                self.maker(viewer, shown).view(encounter, log, shown) for viewer, shown in SEATS_AND_TABLES
            ]
            self._seen = log, views
        return self._seen[1]

    def helped(self) -> list:
        """Return the help that the viewers get for lines that they type."""
        encounter, action = self.fight.encounter, self.fight.game.default_action
        lines = (action, f"{action} 3", f"{action} 3 by okado")
        words = (f"{action} ", "set 3 ", "clear 1 ", "g")
        return [
            (
                [next_words(encounter, viewer, line) for line in words],
                [own_numbers(encounter, viewer, line) for line in lines],
                [list(exact_odds(encounter, viewer, line)) for line in lines],
                [known_fight(encounter, self.fight.log, viewer, shown).named for shown in SHOWN],
            )
            for viewer in VIEWERS[:2]
        ]

    def turn_is_seen(self) -> bool:
        turn = self.fight.encounter.turn
        return turn is None or turn.in_sight

    def do(self, line: str) -> bool:
        """Carry out a line, and return whether it was accepted."""
        foreseen, self._foreseen = self._foreseen, None
        if foreseen is not None and foreseen[:2] == (self.fight.log, line):
            *_, event, self.fight.dice = foreseen
            self.fight.keep(event)
            return True
        try:
            self.fight.do(line)
        except (Refused, Wrong, Misread):
            return False
        return True

    def accepts(self, line: str) -> bool:
        """Return whether a line would be accepted now, without carrying it out or using a die."""
        dice = pickle.loads(pickle.dumps(self.fight.dice))  # deepcopy takes three times as long
        try:
            event = self.fight.done(line)
        except (Refused, Wrong, Misread):
            return False
        else:
            self._foreseen = self.fight.log, line, event, self.fight.dice
        finally:
            self.fight.dice = dice
        return True

    def play(self, line: str) -> bool:
        """Carry out a command in sight, and the hidden turns that follow it."""
        if line in ("undo", "redo"):
            return self._step(line)
        before = len(self.fight.log.events)
        if not self.do(line):
            return False
        for _ in range(MOST_NEXT):
            if self.turn_is_seen() or not self.do("back" if line == "back" else "next"):
                break
        self.done.append(len(self.fight.log.events) - before)
        self.gone = []
        return True

    def _step(self, line: str) -> bool:
        source, into = (self.done, self.gone) if line == "undo" else (self.gone, self.done)
        if not source or not self.do(f"{line} {source[-1]}"):
            return False
        into.append(source.pop())
        return True

    def out_of_sight(self, line: str) -> bool:
        """Carry out a command about hidden combatants. It is undone with the last command in sight."""
        if not self.do(line):
            return False
        if self.done:
            self.done[-1] += 1
        self.gone = []
        return True


HIDDEN_LINES = (
    "add guard hidden",
    "add guard as Ghost hidden",
    "add guard as Rider in round 90",
    "add guard x2 as Scout group in round 91",
    "hide HIDDEN",
    "damage HIDDEN 3",
    "near HIDDEN okado",
    "near HIDDEN all",
    "apart HIDDEN",
    "heal HIDDEN 2",
    "condition HIDDEN marked for 2 rounds",
    "roll 2d6 for HIDDEN",
    "roll 3d6 secret",
    "note they wait in the dark",
    "remove HIDDEN",
    "set HIDDEN notes a trap",
    "condition HIDDEN held until end of okado",
    "condition HIDDEN grappled escape 14 by okado",
    "condition HIDDEN grappled until okado falls",
    "clear HIDDEN grappled by okado",
    "ready HIDDEN leap when somebody comes",
    "add guard x2 as Scout hidden group",
    "schedule the floor opens in round 92",
)

# Before the start, to order one combatant is to order all.
HIDDEN_LINES_IN_A_FIGHT = (*HIDDEN_LINES, "delay HIDDEN", "return HIDDEN", "order HIDDEN before okado")


def hidden_line(plain: World, more: World, random: Random) -> str:
    """Return a line about the hidden combatants of the second world."""
    unseen = [each.id for each in more.fight.encounter if each.id not in plain.fight.encounter.combatants]
    lines = HIDDEN_LINES_IN_A_FIGHT if more.fight.round else HIDDEN_LINES
    return random.choice(lines).replace("HIDDEN", random.choice(unseen or ["h1"]))


def same_in(line: str, plain: World, more: World) -> str:
    """Return the line for the second world, in which `reveal` names the same combatants."""
    who = line.removeprefix("reveal ")
    hidden = [each.id for each in plain.fight.encounter if each.state.hidden]
    if who == line or who in plain.fight.encounter.combatants or not hidden:
        return line
    named = targets(plain.fight.encounter, who)
    return f"reveal {','.join(each for each in named if each in hidden)}"


def seen_line(world: World, random: Random) -> str:
    """Return a line whose meaning does not depend on hidden combatants."""
    while True:
        line = random.choice(["next", "next", "undo", "redo", line_with_volleys(world.fight, random)])
        if line.startswith(("undo", "redo")):
            return line.split()[0]
        numbered = line.startswith("order") and not re.search("before|after", line)
        # Events out of sight have numbers too, so the same number means another event in the second world.
        if numbered or line.startswith("amend"):
            continue
        return line


def worlds(game, style, seed: int, random: Random) -> tuple[World, World]:
    """Return two worlds that differ only in hidden combatants, which the second has."""
    plain, more = World(game, style, seed), World(game, style, seed)
    for line in ("add okado", "add tamsin", "add guard x2", "start"):
        for _ in range(random.choice([0, 1, 2])):
            more.out_of_sight(hidden_line(plain, more, random))
        assert plain.play(line)
        assert more.play(line)
    plain.done, more.done = [], []
    return plain, more


@pytest.mark.parametrize("game", GAMES)
@settings(examples(4), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(random=st.integers(0, 2**32).map(Random), style=st.sampled_from(STYLES), seed=st.integers(0, 10**6))
def test_worlds_that_differ_in_hidden_ones_alone_look_the_same(game, style, seed, random):
    plain, more = worlds(game, style, seed, random)
    told = [f"{plain.fight.style} {seed}"]
    assert plain.seen() == more.seen()
    for _ in range(14):
        if random.random() < 0.4:
            before = more.seen()
            line = hidden_line(plain, more, random)
            if more.out_of_sight(line):
                plain.gone = []
                told.append(f"hidden: {line}")
                assert more.seen() == before, told
            continue
        line = seen_line(plain, random)
        if line == "redo" and len(plain.gone) != len(more.gone):
            continue
        again = same_in(line, plain, more)
        steps = line in ("undo", "redo")
        if not steps and not plain.accepts(line):
            continue
        if not steps and not more.accepts(again):
            # Refused at the table alone: it would reach more than it can, or go back to one who has left.
            assert line == "back" or len(targets(more.fight.encounter, line.split()[1])) > 1, told
            continue
        if not plain.play(line):
            continue
        told.append(line)
        assert more.play(again), told
        if not (plain.turn_is_seen() and more.turn_is_seen()):
            break  # nobody is in sight whose turn could come
        assert plain.seen() == more.seen(), told
    if plain.turn_is_seen() and more.turn_is_seen():
        assert plain.helped() == more.helped(), told


@pytest.mark.parametrize("game", GAMES)
def test_worlds_that_differ_in_sight_look_different(game):
    plain, more = worlds(game, None, 3, Random(3))
    assert plain.seen() == more.seen()
    for line in ("add guard", "condition okado marked", "note it rains for all"):
        assert more.do(line)
        assert plain.seen() != more.seen()
        assert plain.do(line)
        assert plain.seen() == more.seen()
    more.do("add wolf hidden") or more.do("add guard hidden")
    hidden = [combatant.id for combatant in more.fight.encounter if combatant.state.hidden]
    assert more.do(f"reveal {hidden[-1]}")
    assert plain.seen() != more.seen()


@pytest.mark.parametrize("game", GAMES)
def test_hidden_ones_do_not_change_a_roll_that_counts_for_several(game):
    plain, more = worlds(game, None, 11, Random(5))
    more.out_of_sight("add guard as Ghost hidden")
    for line in ("damage all 2d6", "heal foes 1d6", "damage foes 3d6"):
        assert plain.play(line) == more.play(line)
        assert plain.seen() == more.seen(), line
