"""What a viewer sees of a fight, and what not."""

import json

import pytest

from systems.codec.plain import BadPlainData, from_plain, to_plain
from systems.encounter.history import history
from systems.encounter.model import Offer
from systems.errors import Refused
from systems.frozen import evolve
from systems.visibility.build import offered, turns_before, view
from systems.visibility.sight import seen_encounter
from systems.visibility.view import View
from systems.visibility.viewer import GAME_MASTER, PUBLIC, Shown, Viewer
from tests.systems.fight import GAMES, Fight
from tests.systems.visibility.seat_lines import seat_command

FREE = Shown(acting="free")

OKADO = Viewer(frozenset({"okado"}))


def seen(fight: Fight, viewer: Viewer = OKADO, **shown) -> View:
    return view(fight.encounter, fight.log, viewer, Shown(**shown))


def row(found: View, name: str):
    return next(each for each in found.rows if each.name == name)


@pytest.mark.parametrize("game", GAMES)
def test_a_view_is_the_same_after_the_wire(game):
    fight = Fight(game, "add okado", "add guard x3", "start", "next", "condition okado marked for 2 rounds")
    for viewer in (OKADO, PUBLIC, GAME_MASTER):
        found = seen(fight, viewer)
        assert from_plain(View, json.loads(json.dumps(to_plain(found)))) == found


def test_what_is_no_view_is_refused():
    for wrong in ([], {"round": "2"}, {"round": True}, {"rows": [{"tag": "1"}]}, {"acting": "all"}, {"x": 1}):
        with pytest.raises(BadPlainData):
            from_plain(View, wrong)


def test_a_hidden_one_is_not_in_the_public_encounter():
    fight = Fight("atlantis", "add okado", "add guard hidden", "add guard in round 3", "start")
    assert list(seen_encounter(fight.encounter, PUBLIC).combatants) == ["okado"]
    assert [each.name for each in seen(fight).rows] == ["Okado"]


def test_a_combatant_that_has_not_arrived_leaves_no_trace():
    plain, more = Fight("atlantis", "add okado"), Fight("atlantis", "add okado")
    for line in ("", "add guard", "", "start", "", "add guard x2", "add guard", "next", "damage foes 2"):
        if not line:
            more.do("add guard in round 90")
            more.do("add guard x2 as Rider in round 90")
            more.do(f"remove {more.encounter.progress.ids[-1]}")
        else:
            plain.do(line)
            more.do(line)
        assert seen(plain) == seen(more)
        assert seen(plain, PUBLIC) == seen(more, PUBLIC)
    for word in ("6", "7", "9", "guard-9", "guard-6", "h1", "rider", "guard-1-again-1"):
        said = []
        for fight in (plain, more):
            with pytest.raises(Refused) as caught:
                seat_command(fight.encounter, OKADO, f"attack {word}", FREE)
            said.append(str(caught.value))
        assert said[0] == said[1]


def test_the_last_visible_combatant_delays_into_the_next_round_despite_hidden_ones_after_it():
    plain, more = (Fight("atlantis", "add okado", "add guard", style="manual") for _ in range(2))
    more.do("add guard as Ghost hidden")
    for fight in (plain, more):
        for line in ("start", "next", "delay"):
            fight.do(line)
    assert more.encounter.turn.name == "Ghost"
    more.do("next")
    assert seen(plain) == seen(more)
    assert seen(more).round == 2
    assert "Guard waits into round 2." in [line.text for line in seen(more).log]


def test_the_end_of_a_condition_does_not_reveal_hidden_combatants():
    fight = Fight("atlantis", "add okado", "add guard as Ghost hidden", "start")
    said = []
    for word in ("ghost", "host"):
        with pytest.raises(Refused) as caught:
            seat_command(
                fight.encounter, OKADO, f"condition okado held until end of {word}", Shown(acting="free")
            )
        said.append(str(caught.value).replace(word, "WHO"))
    assert said[0] == said[1]


def test_one_sees_ones_own_character_hidden_or_not_without_a_tag():
    fight = Fight("atlantis", "add okado", "add tamsin", "start", "hide okado")
    assert row(seen(fight), "Okado").tag == ""
    assert [each.name for each in seen(fight, PUBLIC).rows] == ["Tamsin"]


def test_foes_have_bands_and_allies_figures_until_the_table_says_otherwise():
    fight = Fight(
        "atlantis", "add okado", "add tamsin", "add guard", "start", "damage guard 30", "damage tamsin 3"
    )
    found = seen(fight)
    assert row(found, "Guard").instead.text == "badly hurt"
    assert row(found, "Guard").levels == ()
    assert row(found, "Tamsin").levels[0].now == 49
    other = seen(fight, foes="figures", allies="band")
    assert row(other, "Guard").levels[0].now == 15
    assert row(other, "Tamsin").instead.text == "hurt"


def test_one_has_ones_own_character_in_full_and_nobody_elses():
    fight = Fight("atlantis", "add okado", "add tamsin", "start")
    (own,) = seen(fight).own
    assert own.name == "Okado"
    assert dict(own.entries)["sword"] == "15"
    assert seen(fight, PUBLIC).own == ()


def test_the_end_of_a_condition_that_names_a_hidden_combatant_is_not_shown():
    fight = Fight("atlantis", "add okado", "add guard", "start", "hide guard")
    fight.do("condition okado held until end of guard")
    assert row(seen(fight), "Okado").words[1].text == "held"
    assert row(seen(fight, GAME_MASTER), "Okado").words[1].text == "held until end of Guard"
    fight.do("condition okado dazed until end of okado")
    dazed = row(seen(fight), "Okado").words[2]
    assert (dazed.text, dazed.short) == ("dazed until own turn ends", "dazed")
    fight.do("condition okado prone for 2 rounds")
    assert {word.short for word in row(seen(fight), "Okado").words} == {"", "dazed"}


def test_a_condition_with_an_end_replaces_the_mark_of_the_same_word():
    fight = Fight("atlantis", "add okado", "add guard", "start", "defend by okado")
    words = [word.text for word in row(seen(fight, GAME_MASTER), "Okado").words]
    assert words == ["armour 20", "defending until own turn"]


def test_the_turn_of_a_hidden_combatant_is_not_shown():
    fight = Fight("atlantis", "add okado", "add guard", "add tamsin", "start", "hide guard", style="manual")
    fight.do("order tamsin before guard")
    fight.do("order okado before tamsin")
    fight.do("next")
    before = seen(fight)
    assert before.turn == "Tamsin"
    assert before.next == "Okado", "in the next round, for all that is seen"
    fight.do("next")
    assert fight.turn == "guard"
    assert seen(fight) == before
    fight.do("damage guard 3")
    assert seen(fight) == before
    fight.do("damage okado 3")
    assert row(seen(fight), "Okado").levels[0].now == 49
    assert seen(fight).turn == "Tamsin"
    fight.do("next")
    assert (seen(fight).turn, seen(fight).round) == ("Okado", 2)


def test_a_fight_has_not_begun_for_seats_if_its_first_turn_is_hidden():
    fight = Fight("atlantis", "add guard hidden", "add okado", style="manual")
    fight.do("order guard before okado")
    before = seen(fight)
    fight.do("start")
    assert seen(fight) == before
    fight.do("next")
    assert (seen(fight).round, seen(fight).turn) == (1, "Okado")


def test_the_view_counts_the_turns_before_the_viewers_own():
    fight = Fight("atlantis", "add okado", "add guard x2", "start", style="manual")
    assert [(each.name, each.turns) for each in seen(fight).ahead] == [("Okado", 0)]
    fight.do("next")
    assert seen(fight).ahead[0].turns == 2
    fight.do("next")
    assert seen(fight).ahead[0].turns == 1


def test_turns_of_combatants_that_cannot_act_are_not_counted():
    fight = Fight("atomic_d20", "add okado", "add guard x2", "start", "next")
    assert seen(fight).ahead[0].turns == 2
    fight.do("set guard-2 status unconscious")
    assert seen(fight).ahead[0].turns == 1
    assert "Okado's turn" in fight.text("next")


def test_an_offer_is_shown_to_its_owner_alone():
    fight = Fight("arden", "add okado", "add guard", "start")
    fight.encounter = evolve(
        fight.encounter,
        offers=(
            evolve(
                _offer(), by="okado", target="guard", action="counter", says="Okado may counterattack Guard."
            ),
            evolve(_offer(), by="guard", target="okado", says="Guard may counterattack Okado."),
        ),
    )
    (offered,) = seen(fight).offers
    assert (offered.by, offered.line) == ("Okado", f"counter {row(seen(fight), 'Guard').tag}")
    assert seen(fight, PUBLIC).offers == ()


def test_an_attacker_does_not_read_what_happens_to_a_hidden_target():
    fight = Fight("xcom", "add okado", "add guard as Ghost hidden", "start", "set ghost_h1 health 1")
    fight.do("attack ghost_h1 by okado dice=1,99,99,12")
    assert "Ghost is down" in fight.encounter.offers[0].says
    assert seen(fight).offers == ()
    fight.do("reveal ghost_h1")
    assert [offer.by for offer in seen(fight).offers] == ["Okado"]


def _offer():
    from systems.encounter.model import Offer

    return Offer(says="")


def test_only_its_own_seat_knows_of_a_readied_action():
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard", "start")
    for who in ("okado", "tamsin", "guard"):
        fight.do(f"ready {who} attack the first that moves")
    found = seen_encounter(fight.encounter, OKADO).combatants
    readied = {who: bool(combatant.state.ready) for who, combatant in found.items()}
    assert readied == {"okado": True, "tamsin": False, "guard": False}


def test_a_view_that_says_nothing_names_nobody():
    empty = View()
    assert (empty.title, empty.game, empty.turn, empty.side, empty.next) == ("", "", "", "", "")


def test_an_offer_of_an_action_that_the_game_has_lost_is_shown_without_its_details():
    fight = Fight("atlantis", "add okado", "start")
    found = offered(fight.encounter, Offer(says="Dance?", by="okado", action="dance", command="dance"))
    assert (found.says, found.line, found.does, found.is_open) == ("Dance?", "dance", "", False)


def test_a_prepared_fight_has_not_begun_for_seats_if_its_first_event_begins_a_hidden_turn():
    fight = Fight("atlantis", "add guard as Ghost hidden", "add okado", "order h1 before okado")
    fight.log = history([])
    for line in ("start", "note it rains for all"):
        fight.do(line)
    assert fight.turn == "ghost_h1"
    found = seen(fight)
    assert (found.round, found.turn, [line.text for line in found.log][-1]) == (0, "", "it rains")


def test_a_seat_sees_the_same_whether_commands_are_a_batch_or_not():
    def played(batch: bool) -> list[View]:
        fight = Fight("simple", "add okado", "add guard x2", "add guard as Ghost hidden", "start")
        begun, found = len(fight.log.events) + 1, []
        for line in ("damage okado 2", "damage ghost 1", "next", "next", "damage okado 1", "next"):
            fight.keep(evolve(fight.done(line), batch=begun if batch else 0))
            found.append(seen(fight))
        fight.do("undo" if batch else "undo 6")
        found.append(seen(fight))
        fight.do("redo" if batch else "redo 6")
        return [*found, seen(fight)]

    assert played(batch=True) == played(batch=False)


def test_a_side_that_acts_together_comes_after_one_turn():
    play = Fight("xcom", "add okado", "add tamsin", "add guard x2", "start", style="sides")
    turns = {each.id: turns_before(play.encounter, each.id) for each in play.encounter}
    assert turns == {"okado": 0, "tamsin": 0, "guard-1": 1, "guard-2": 1}
