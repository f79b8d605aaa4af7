"""What a seat may ask for, decided before any rule sees it."""

import pickle
from itertools import cycle

import pytest

from systems.commands.dispatcher import perform
from systems.commands.next import Next
from systems.commands.roll import RollDice
from systems.contract.action import Action
from systems.contract.outcome import Ask, Explanation, Outcome
from systems.contract.table import Suggested
from systems.dice.sources import DieRequest, NeedsFace
from systems.encounter.changes import apply
from systems.encounter.history import extended
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve
from systems.language.intents import Act
from systems.schema.conversion import read
from systems.schema.fields import NoOptions
from systems.visibility.acting import LONGEST_LINE
from systems.visibility.moment import shown_moment
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import TOY, toy
from tests.systems.visibility.seat_lines import seat_command
from tests.systems.visibility.test_answers import lines_of
from tests.systems.visibility.test_laws import STYLES, World

MODES = ("ask", "turn", "free")
OKADO = Viewer(frozenset({"okado"}))
BOTH = Viewer(frozenset({"okado", "tamsin"}))


def fight(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", *lines)


def asked(play: Fight, line: str, acting="ask", viewer: Viewer = OKADO):
    return seat_command(play.encounter, viewer, line, Shown(acting=acting))


def test_names_and_tags_become_ids_and_the_actor_is_ones_own() -> None:
    play = fight("start")
    found = asked(play, "attack 1")
    assert found.command.intent == Act("attack", "guard-1", {}, "okado")
    assert found.command.line == "attack guard-1 by okado"
    assert found.command.name == "action"
    assert asked(play, "defend okado").command.intent == Act("defend", "", {}, "okado")
    assert asked(play, "next").command.intent == Next("okado")
    assert asked(play, "roll 1d6").command.intent == RollDice("1d6", "okado")
    given = asked(play, "condition 3 shaken for 2 rounds by 1").command.line
    assert given == "condition okado shaken for 2 rounds by guard-1"


@pytest.mark.parametrize(
    "line",
    [
        "attack 3 by guard-1",
        "attack 3 by 1",
        "attack 1 by tamsin",
        "next by tamsin",
        "delay tamsin",
        "damage 1 5",
        "damage all 5",
        "set guard-1 life 1",
        "heal 1 5",
        "heal all 5",
        "heal 4 5 by tamsin",
        "condition 1 prone",
        "clear 1 prone",
        "say \x1b[2Jhello",
        "note one\ttwo",
        "attack\u200b 1",
        "say \u202eolleh",
        "note hello for all",
        "say a" + "\u0301" * 5,
        "undo",
        "redo",
        "start",
        "end",
        "back",
        "hide 1",
        "reveal 1",
        "remove 1",
        "add guard",
        "roll 1d6 secret",
        "roll 1d6 for guard-1",
        "attack 1 dice=20",
        "",
        "x" * (LONGEST_LINE + 1),
    ],
)
@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
def test_what_is_not_ones_own_is_refused_whatever_the_table_allows(line: str, acting: str) -> None:
    with pytest.raises((Misread, Refused)):
        asked(fight("start"), line, acting)


@pytest.mark.parametrize("name", ["umbrahound", "h1", "umb", "guard-3"])
def test_a_hidden_combatant_leaves_no_trace_in_a_request(name: str) -> None:
    said = []
    for play in (fight("start"), fight("add guard as Umbrahound hidden", "start")):
        with pytest.raises(Refused) as refused:
            asked(play, f"attack {name}")
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_the_acting_setting_decides_which_requests_wait() -> None:
    play = fight("start")
    assert asked(play, "attack 1", "ask").waits
    assert not asked(play, "attack 1", "turn").waits
    assert not asked(play, "attack 1", "free").waits
    assert asked(play, "damage okado 3", "turn").waits
    assert not asked(play, "damage okado 3", "free").waits
    play = fight("start", "next")
    assert asked(play, "attack 1", "turn").waits
    assert not asked(play, "attack 1", "free").waits
    with pytest.raises(Refused, match="not Okado's turn"):
        asked(play, "next", "free")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("acting", MODES)
@pytest.mark.parametrize("line", ["heal tamsin 2", "condition tamsin marked", "clear tamsin marked"])
def test_help_for_another_players_character_is_a_request_to_the_game_master(game, acting, line):
    play = Fight(game, "add okado", "add tamsin", "add guard x2", "start")
    found = asked(play, line, acting)
    assert found.waits
    assert found.actor.id == "okado"
    assert "Tamsin" in found.words
    assert asked(play, line.replace("tamsin", "okado"), acting).waits is (acting != "free")


def test_a_friend_that_helps_is_the_players_named_or_only_character():
    play = fight("start")
    assert asked(play, "heal tamsin 2 by okado").command.line == "heal tamsin 2 by okado"
    assert asked(play, "heal okado,tamsin 2", "free").waits
    assert asked(play, "heal tamsin 2", viewer=BOTH, acting="free").actor.id == "tamsin"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("acting", MODES)
def test_an_action_of_the_game_on_a_friend_waits_only_as_one_on_a_foe_does(game, acting):
    play = Fight(game, "add okado", "add tamsin", "add guard x2", style="manual")
    play.do("start")
    while play.turn != "okado":
        play.do("next")
    for action in play.game.actions:
        if action.group != "hook" and action.targets != "none":
            on_friend, on_foe = (asked(play, f"{action.name} {who}", acting) for who in ("tamsin", "guard-1"))
            assert on_friend.waits is on_foe.waits is (acting == "ask")


@pytest.mark.parametrize("acting", MODES)
@pytest.mark.parametrize(
    "line", ["set okado name Guard", 'set okado name "The game master"', "set okado nam X"]
)
def test_a_new_name_of_a_character_is_never_taken_without_the_game_master(acting, line):
    assert asked(fight("start"), line, acting).waits
    assert asked(fight("start"), "set okado notes limps", acting).waits is (acting != "free")


def test_accents_of_written_languages_are_read():
    assert "ế" in asked(fight("start"), "say e\u0302\u0301 שָּׁ ế").words


@pytest.mark.parametrize("acting", MODES)
def test_an_action_with_another_players_character_as_its_helper_waits(acting):
    play = Fight("waygate", "add okado", "add tamsin", "add guard", style="manual")
    play.do("start")
    while play.turn != "okado":
        play.do("next")
    assert asked(play, "bring_back mark_of=tamsin", acting).waits
    assert asked(play, "bring_back mark_of=okado", acting).waits is (acting == "ask")


@pytest.mark.parametrize(("game", "style"), [*zip(GAMES * 2, cycle(STYLES), strict=False)])
def test_a_request_that_is_carried_out_at_once_changes_others_only_by_an_action_of_the_game(game, style):
    world = World(game, style, 1)
    for line in ("add okado", "add tamsin", "add guard x2", "start"):
        assert world.do(line)
    while world.fight.turn != "okado":
        world.do("next")
    play = world.fight
    for acting in MODES:
        for line in lines_of(world):
            try:
                found = asked(play, line, acting)
                if found.waits:
                    continue
                dice = pickle.loads(pickle.dumps(play.dice))
                done = perform(play.encounter, play.log, play.roster, found.command, dice, Suggested())
            except (Misread, Refused, Wrong):
                continue
            changed = {change.who for change in done.changes} - {"", "okado"}
            assert done.command == "action" or not changed, line
            assert done.actor in ("", "okado")


def test_a_line_without_by_means_another_once_the_turn_has_moved_on() -> None:
    then, now = fight("start"), fight("start", "next")
    assert (
        asked(then, "attack 1", viewer=BOTH).command.intent
        != asked(now, "attack 1", viewer=BOTH).command.intent
    )
    with pytest.raises(Refused, match="name the combatant that acts"):
        asked(fight("start", "next", "next"), "attack 1", viewer=BOTH)


class TiedDice:
    """Every initiative die shows the same; a roll-off needs somebody to read its face."""

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        if "tied" in why and of == "okado":
            raise NeedsFace(DieRequest(sides, why, of))
        return 5


@pytest.mark.parametrize(("rival", "is_concealed"), [("tamsin", False), ("tamsin hidden", True)])
def test_a_roll_off_against_a_hidden_one_is_concealed_from_the_players(rival, is_concealed):
    fight = Fight("waygate", "add okado", f"add {rival}")
    fight.dice = TiedDice()
    with pytest.raises(NeedsFace) as needs:
        fight.do("start")
    assert needs.value.request.is_concealed is is_concealed


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
def test_whatever_gives_a_turn_away_waits_in_every_mode(acting: str) -> None:
    for line in ("next", "delay"):
        found = asked(fight("start"), line, acting)
        assert (found.waits, found.ends_turn) == (True, True)
    play = fight("start")
    at_once = Shown(acting=acting, hand_over="at_once")
    assert seat_command(play.encounter, OKADO, "next", at_once).waits is (acting == "ask")


def test_in_the_sides_order_only_the_end_of_the_sides_turn_waits() -> None:
    play = Fight("xcom", "add okado", "add tamsin", "add guard x2", style="sides")
    play.do("start")
    for acting in ("turn", "free"):
        assert not asked(play, "next by okado", acting).waits
        assert not asked(play, "next by tamsin", acting, BOTH).waits
    assert asked(play, "next by okado", "ask").waits
    play.do("next by okado")
    tamsin = Viewer(frozenset({"tamsin"}))
    for acting in ("ask", "turn", "free"):
        assert asked(play, "next", acting, tamsin).waits
    # A hidden ally that can still act does not change the answer.
    play.do("add guard as Friend side=players hidden")
    assert asked(play, "next", "free", tamsin).waits


def test_a_seat_cannot_end_the_turn_of_its_whole_side():
    play = Fight("xcom", "add okado", "add tamsin", "add guard x2", "start")
    with pytest.raises(Refused, match="only the game master can end the turn of a whole side"):
        asked(play, "next side", "free")


def test_a_request_before_the_first_visible_turn_belongs_to_no_turn() -> None:
    play = Fight("atlantis", "add guard as Ghost hidden", "add okado", "order h1 before okado", "start")
    assert play.turn == "ghost_h1"
    moment = shown_moment(play.encounter, play.log, OKADO)
    assert (moment.encounter.progress.turn, moment.turn_of) == (None, "")


def test_a_condition_for_several_own_characters_is_requested_for_each_of_them() -> None:
    found = asked(fight("start"), "condition 3,4 shaken", viewer=BOTH)
    assert found.command.line == "condition okado,tamsin shaken"


def test_the_end_of_a_turn_waits_or_not_as_the_setting_says() -> None:
    for word, waits in (("ask", True), ("at_once", False)):
        shown = read(Shown, {"acting": "free", "hand_over": word})
        play = fight("start")
        assert seat_command(play.encounter, OKADO, "next", shown).waits is waits


def _strikes_and_asks(scene, table):
    ask = Ask("Once more?", "flurry", by="actor", target="target")
    return Outcome({}, tell=lambda: Explanation(f"{scene.actor_name} strikes."), asks=(ask,))


def test_an_offer_that_is_made_again_by_its_own_use_in_a_hidden_turn_is_open() -> None:
    flurry = Action("flurry", "", _strikes_and_asks, NoOptions, "many")
    play = Fight(evolve(TOY, actions=(*TOY.actions, flurry)), style="manual")
    play.roster = toy().roster
    joining = ("add ada", "add bo", "add orc", "add orc hidden", "start", "order h1 after ada")
    for line in (*joining, "flurry orc by ada", "next"):
        play.do(line)
    ada = Viewer(frozenset({"ada"}))
    moment = shown_moment(play.encounter, play.log, ada)
    assert (play.turn, moment.turn_of) == ("orc_h1", "ada")
    asked = seat_command(play.encounter, ada, "flurry orc", Shown(acting="free"), moment).command
    done = perform(play.encounter, play.log, play.roster, asked, play.dice, Suggested())
    after, log = apply(play.encounter, done), extended(play.log, done)
    assert [offer.says for offer in shown_moment(after, log, ada).encounter.offers] == ["Once more?"]
