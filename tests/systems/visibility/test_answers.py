"""Laws of the answers to seats: none depends on hidden combatants or on a hidden turn."""

import pickle
from collections.abc import Callable
from itertools import cycle, product
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from systems.commands.dispatcher import perform
from systems.contract.table import Suggested
from systems.encounter.changes import apply
from systems.encounter.history import extended
from systems.errors import Misread, Refused, Wrong
from systems.frozen import fields
from systems.visibility import acting
from systems.visibility.acting import ForgedRequest, SeatCommand
from systems.visibility.moment import Moment, shown_moment
from systems.visibility.sentences import seen_sentences
from systems.visibility.view import View
from systems.visibility.viewer import Shown, Viewer
from tests.laws import THOROUGH, examples
from tests.systems.fight import GAMES
from tests.systems.visibility.seat_lines import seat_command
from tests.systems.visibility.test_laws import STYLES, World, hidden_line, seen_line, worlds

SEATS = (Viewer(frozenset({"okado"})), Viewer(frozenset({"tamsin"})))
TABLES = tuple(Shown(acting=acting) for acting in ("ask", "turn", "free"))
# The second seat asks only at the table that carries out most at once, except in a thorough run.
ASKED = tuple(
    (at, viewer, shown)
    for (at, viewer), shown in product(enumerate(SEATS), TABLES)
    if THOROUGH or at == 0 or shown.acting == "free"
)
LINES = (
    "next",
    "next by okado",
    "delay",
    "return okado",
    "ready okado strike whoever comes",
    "roll 2d6",
    "roll 1d6 secret",
    "damage okado 3",
    "heal okado 2",
    "condition okado marked",
    "condition okado held until end of okado",
    "condition okado dazed for 2 rounds",
    "clear okado marked",
    "set okado notes fine",
    "damage 3 4",
    "undo",
    "start",
    "note hello",
    "note hello for all",
    "note \x1b[2Jhello",
    "say hello",
    f"say {'x' * 301}",
    "heal tamsin 2",
    "heal tamsin 2 by tamsin",
    "heal players 2",
    "heal 3 2",
    "condition tamsin marked",
    "clear tamsin marked",
    "reveal h1",
    "attack h1",
    "attack Ghost",
    "attack 9",
    "nonsense",
)


# Messages that no line of a seat becomes.
MESSAGES: tuple[tuple[str, dict[str, object]], ...] = (
    ("note", {"text": "hello", "who": "tamsin"}),
    ("note", {"text": "hello", "who": "okado", "for_all": True}),
    ("note", {"text": "one\ntwo", "who": "okado"}),
    ("note", {"text": "x" * 301, "who": "okado"}),
    ("say", {"text": "hello", "who": ""}),
    ("say", {"text": "hello", "who": "tamsin"}),
    ("say", {"text": "\x1b[2J", "who": "okado"}),
    ("say", {"text": 7, "who": "okado"}),
    *(("heal", {"targets": who, "amount": "2"}) for who in ("tamsin", "ambush", "ambush_h1", "h1", "nobody")),
    ("heal", {"targets": "tamsin", "amount": "2", "by": "tamsin"}),
    ("heal", {"targets": "okado", "amount": "2", "options": {"half": "ambush_h1"}}),
    ("condition", {"targets": "okado", "name": "marked", "by": "ambush_h1"}),
    ("condition", {"targets": "tamsin", "name": "m\u202e"}),
    ("clear", {"targets": "guard-1", "name": "marked"}),
    ("action", {"action": "attack", "targets": "ambush_h1", "by": "okado"}),
    ("action", {"action": "attack", "targets": "guard-1", "by": "tamsin"}),
    ("undo", {}),
    ("nonsense", {}),
)


def lines_of(world: World) -> list[str]:
    """Return every kind of line that a seat can send, with each action of the game on the first guard."""
    actions = [action for action in world.fight.game.actions if action.group != "hook"]
    return [*LINES, *(f"{action.name}{'' if action.targets == 'none' else ' 3'}" for action in actions)]


def answer(world: World, viewer: Viewer, shown: Shown, line: str, moment: Moment | None = None) -> object:
    """Return the answer to a seat's line, and its view after a command that is carried out at once."""
    fight = world.fight
    moment = moment or shown_moment(fight.encounter, fight.log, viewer, shown)
    return _answer_to(
        world, viewer, shown, lambda: seat_command(fight.encounter, viewer, line, shown, moment)
    )


def answer_to_message(
    world: World, viewer: Viewer, shown: Shown, message: tuple[str, object], moment: Moment
) -> object:
    """Return the same for a message as a seat's server sends it."""

    def asked() -> SeatCommand:
        return acting.seat_command(
            world.fight.encounter, viewer, acting.sent_command(*message), shown, moment
        )

    return _answer_to(world, viewer, shown, asked)


def _answer_to(world: World, viewer: Viewer, shown: Shown, read: Callable[[], SeatCommand]) -> object:
    fight = world.fight
    try:
        asked = read()
        if asked.waits:
            return "waits", asked.words
        dice = pickle.loads(pickle.dumps(fight.dice))  # deepcopy takes three times as long
        event = perform(fight.encounter, fight.log, fight.roster, asked.command, dice, Suggested())
    except (Refused, Wrong, Misread) as error:
        return "refused", str(error)
    except ForgedRequest as error:
        return "forged", str(error)
    after, log = apply(fight.encounter, event), extended(fight.log, event)
    told = [sentence.text for sentence in seen_sentences(event, after, log, viewer, shown)]
    return "done", told, world.maker(viewer, shown).view(after, log, shown)


def answers(world: World) -> dict[tuple[int, str, str], object]:
    """Return the answers to every line and message, by seat, table and line."""
    found, lines = {}, lines_of(world)
    for at, viewer, shown in ASKED:
        moment = shown_moment(world.fight.encounter, world.fight.log, viewer, shown)
        for line in lines:
            found[at, shown.acting, line] = answer(world, viewer, shown, line, moment)
        for number, message in enumerate(MESSAGES):
            key = at, shown.acting, f"message {number}"
            found[key] = answer_to_message(world, viewer, shown, message, moment)
    return found


def differing(plain: World, more: World) -> list[object]:
    """Return the answers that differ, each with the differing parts."""
    first, second = answers(plain), answers(more)
    return [(key, *_parts(first[key], second[key])) for key in first if first[key] != second[key]]


def _parts(first: object, second: object) -> list[object]:
    """Return the fields of two views that differ; else both answers."""
    (one, *_, seen), (other, *_, seen_too) = first, second  # type: ignore[misc]
    if one != other or not isinstance(seen, View):
        return [first, second]
    names = [field.name for field in fields(View)]
    both = [(first[1], second[1])] * (first[1] != second[1])  # type: ignore[index]
    differing = [(name, getattr(seen, name), getattr(seen_too, name)) for name in names]
    return [*both, *(field for field in differing if field[1] != field[2])]


@pytest.mark.parametrize(("game", "style"), [*zip(GAMES, cycle(STYLES), strict=False)])
def test_no_answer_shows_that_the_game_master_passed_the_turn_to_a_hidden_combatant(game, style):
    plain, more = worlds(game, style, 1, Random(1))
    assert more.do("add guard as Ambush hidden")
    ambush = next(each.id for each in more.fight.encounter if each.name.startswith("Ambush"))
    ambushes = 0
    for _ in range(3):
        more.do(f"order {ambush} after {plain.fight.turn}")
        assert more.do("next")
        if not more.turn_is_seen():
            ambushes += 1
            assert plain.seen() == more.seen()
            assert not differing(plain, more)
            # Something in sight happens in the hidden turn.
            assert plain.do("damage guard-1 1")
            assert more.do("damage guard-1 1")
            assert plain.seen() == more.seen()
            assert not differing(plain, more)
            while not more.turn_is_seen():
                assert more.do("next")
        assert plain.do("next")
        assert plain.seen() == more.seen()
    assert ambushes


@pytest.mark.parametrize(
    ("game", "passed"),
    [*zip(GAMES, cycle([("remove", "okado"), ("remove", "guard-2"), ("delay", "okado")]), strict=False)],
)
def test_no_answer_shows_that_a_combatant_gave_its_turn_to_a_hidden_one(game, passed):
    line, turn = passed
    plain, more = World(game, "manual", 3), World(game, "manual", 3)
    for world in (plain, more):
        for earlier in ("add okado", "add tamsin", "add guard x2", "start"):
            assert world.do(earlier)
        while world.fight.turn != turn:
            assert world.do("next")
    assert more.do("add guard as Ambush hidden")
    assert more.do(f"order Ambush after {turn}")
    assert more.do(f"{line} {turn}")
    assert not more.turn_is_seen()
    assert plain.seen() == more.seen()
    for world in (plain, more):
        assert world.do("damage tamsin 1")  # an event in sight during the hidden turn
    assert plain.seen() == more.seen()
    assert not differing(plain, more)
    assert more.do("next")
    assert plain.do(f"{line} {turn}")
    assert [seen.turn for seen in plain.seen()] == [seen.turn for seen in more.seen()]
    assert [seen.rows for seen in plain.seen()] == [seen.rows for seen in more.seen()]


@pytest.mark.parametrize("game", GAMES)
@settings(examples(2), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(random=st.integers(0, 2**32).map(Random), style=st.sampled_from(STYLES), seed=st.integers(0, 10**6))
def test_no_answer_depends_on_hidden_combatants(game, style, seed, random):
    plain, more = worlds(game, style, seed, random)
    for _ in range(6):
        if random.random() < 0.4:
            more.out_of_sight(hidden_line(plain, more, random))
            continue
        line = seen_line(plain, random)
        if line in ("undo", "redo", "back") or line.startswith(("reveal", "hide", "remove")):
            continue
        if not (plain.accepts(line) and more.accepts(line) and plain.play(line) and more.play(line)):
            continue
        if not (plain.turn_is_seen() and more.turn_is_seen()):
            break
    if plain.turn_is_seen() and more.turn_is_seen() and plain.seen() == more.seen():
        assert not differing(plain, more)


@pytest.mark.parametrize("game", GAMES)
def test_after_an_undo_that_lands_on_a_hidden_turn_seats_see_a_round_that_fits_the_figures(game):
    plain, more = World(game, "manual", 3), World(game, "manual", 3)
    for world in (plain, more):
        for line in ("add okado", "add tamsin", "add guard x2", "start", "attack 1"):
            assert world.do(line)
        while world.fight.turn != "guard-2":
            assert world.do("next")
    assert more.do("add guard as Ambush hidden")
    assert more.do("order Ambush after guard-2")
    # Round 2 has begun after the hidden turn; the undo takes it back to that turn.
    for line in ("next", "undo", "damage guard-1 1"):
        assert plain.do(line)
    for line in ("next", "next", "undo", "damage guard-1 1"):
        assert more.do(line)
    assert not more.turn_is_seen()
    assert [seen.round for seen in more.seen()] == [1] * len(more.seen())
    assert plain.seen() == more.seen()
    assert not differing(plain, more)


@pytest.mark.parametrize("game", GAMES)
def test_a_return_in_a_hidden_turn_reads_the_same_as_without_that_turn(game):
    plain, more = World(game, "manual", 3), World(game, "manual", 3)
    for world in (plain, more):
        for line in ("add okado", "add tamsin", "add guard x2", "start", "delay okado"):
            assert world.do(line)
    assert more.do("add guard as Ambush hidden")
    assert more.do(f"order Ambush after {more.fight.turn}")
    assert more.do("next")
    assert not more.turn_is_seen()
    free = Shown(acting="free")
    for line in ("return okado", "next"):
        told = answer(plain, SEATS[0], free, line)
        assert told == answer(more, SEATS[0], free, line)
