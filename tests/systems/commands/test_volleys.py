"""A volley: several act with one command, each at its own cost, until the target falls."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.commands.offers import to_take
from systems.encounter.events import lines_of
from systems.encounter.recap import recap_of
from systems.encounter.remembered import done_before, last_target
from systems.errors import Misread, Refused, Wrong
from systems.visibility.acting import SeatCommand
from systems.visibility.viewer import Shown, Viewer
from tests.laws import examples
from tests.systems.fight import GAMES, Fight
from tests.systems.visibility.seat_lines import seat_command

HIT, MISS = 1, 99


def ambush(*lines: str) -> Fight:
    """Four guards in their turn against two soldiers."""
    return Fight("xcom", "add okado", "add tamsin", "add guard x4", "start", "next side", *lines)


def volley(fight: Fight, target: str = "okado", dice: str = "") -> str:
    whole = ",".join(each.id for each in fight.encounter if each.side == "foes")
    return f"attack {target}{dice and f' dice={dice}'} by {whole}"


def left(fight: Fight) -> list[int]:
    return [each.sheet.actions_left for each in fight.encounter if each.side == "foes"]


def test_each_actor_of_a_volley_pays_its_own_cost_in_one_event():
    fight = ambush()
    event = fight.do(volley(fight))
    assert event.actors == ("guard-1", "guard-2", "guard-3", "guard-4")
    assert (event.actor, event.targets) == ("", ("okado",))
    assert [result.actor for result in event.results] == [*event.actors]
    assert left(fight) == [0, 0, 0, 0]
    fight.do("undo")
    assert left(fight) == [2, 2, 2, 2]
    fight.do("redo")
    assert left(fight) == [0, 0, 0, 0]
    assert fight.plain == fight.folded()


def test_a_volley_has_a_heading_and_a_line_for_each_actor():
    fight = ambush()
    event = fight.do(volley(fight))
    heading, *lines = [line.text for line in lines_of(event)]
    hits = sum(bool(result.facts["hit"]) for result in event.results)
    assert heading == f"Attack on Okado by 4, {hits or 'none'} hit."
    assert [line.split(" ")[1] for line in lines] == ["1", "2", "3", "4"]


def test_after_the_target_falls_the_others_keep_their_actions_and_the_line_says_so():
    fight = ambush("set okado health 1")
    event = fight.do(volley(fight, dice=f"{MISS},{HIT},{HIT}"))
    assert left(fight) == [0, 0, 2, 2]
    assert event.text.endswith("Guard 3 and Guard 4 keep their actions: Okado is down.")
    assert [result.felled for result in event.results] == [False, True]


def test_actors_without_an_action_are_left_out_in_one_sentence():
    fight = ambush("overwatch by guard-2", "overwatch by guard-4")
    event = fight.do(volley(fight))
    assert event.text.endswith("Guard 2 and Guard 4 have no action left.")
    assert [result.actor for result in event.results] == ["guard-1", "guard-3"]
    assert event.actors == ("guard-1", "guard-3")
    with pytest.raises(Refused, match="Guard 1 has no action left this turn and cannot attack"):
        fight.do(volley(fight))


def test_the_fallen_are_left_out_of_a_volley():
    fight = ambush("set guard-2 health 0")
    assert fight.do(volley(fight)).actors == ("guard-1", "guard-3", "guard-4")


def test_the_actors_of_a_volley_may_be_listed_with_spaces():
    fight = ambush()
    tags = [str(fight.encounter.combatants[who].tag) for who in ("guard-1", "guard-3")]
    assert fight.do(f"attack okado by {tags[0]}, {tags[1]}").actors == ("guard-1", "guard-3")


def test_one_actor_that_is_left_of_a_range_acts_alone():
    fight = ambush("set guard-2 health 0", "set guard-3 health 0", "set guard-4 health 0")
    event = fight.do(volley(fight))
    assert (event.actor, event.actors) == ("guard-1", ())


def test_a_volley_counts_in_the_recap_for_each_of_its_actors():
    fight = ambush()
    event = fight.do(volley(fight))
    found = recap_of(fight.encounter, fight.log)
    dealt = {total.actor: total for total in found.actions}
    for result in event.results:
        assert result.lost == result.facts["damage"] or not result.facts["hit"]
    assert sum(blow.lost for blow in found.blows) == sum(result.lost for result in event.results)
    assert set(dealt) == {*event.actors}


def test_a_volley_is_remembered_for_each_of_its_actors():
    fight = ambush()
    fight.do(volley(fight))
    newest = list(fight.log.newest())
    assert last_target(newest, "guard-3") == "okado"
    found = done_before(newest, fight.encounter, fight.encounter.combatants["guard-3"])
    assert found is not None
    assert (found.name, found.targets) == ("attack", ("okado",))


def paused(seed: int) -> Fight:
    """A volley of three bandits in Arden; the first blow may be answered with a counterattack."""
    fight = Fight("arden", "add okado", "add guard x3", "start", style="sides", seed=seed)
    fight.do("next side")
    fight.do(volley(fight))
    return fight


def test_an_offer_pauses_a_volley_and_the_rest_goes_on_after_it():
    fight = next(fight for fight in map(paused, range(30)) if len(to_take(fight.encounter)) > 1)
    event = fight.log.events[-1]
    counter, rest = to_take(fight.encounter)
    assert (counter.action, counter.by) == ("counter", "okado")
    acted = len(event.results)
    assert rest.actors == event.actors[acted:]
    assert event.text.endswith(" on: attack on Okado.")
    fight.do(str(counter.command))
    assert to_take(fight.encounter) == (rest,)
    goes_on = fight.do(str(rest.command))
    assert {result.actor for result in goes_on.results} <= {*rest.actors}
    assert rest not in fight.encounter.offers
    fight.do("undo 3")
    assert fight.plain == fight.folded()


def test_an_amended_volley_is_carried_out_again_by_all_its_actors():
    fight = ambush()
    event = fight.do(volley(fight, dice=",".join([str(MISS)] * 4)))
    fight.do("next side")
    [again] = fight.do(f"amend {event.n} cover=full").replaced
    assert again.actors == event.actors
    assert [result.facts["target_value"] for result in again.results] == [
        result.facts["target_value"] - 20 for result in event.results
    ]
    assert fight.plain == fight.folded()


def test_a_combatant_that_has_not_fallen_in_an_amended_history_takes_part_in_its_volley():
    fight = ambush("damage guard-2 40")
    struck = fight.log.events[-1].n
    event = fight.do(volley(fight, dice=f"{MISS},{MISS},{MISS}"))
    assert event.actors == ("guard-1", "guard-3", "guard-4")
    fight.do(f"amend {struck} never")
    again = next(held for held in fight.log.newest() if held.n == event.n)
    assert again.actors == ("guard-1", "guard-2", "guard-3", "guard-4")
    assert fight.plain == fight.folded()


def test_a_seat_may_use_only_its_own_characters_in_a_volley():
    fight = Fight("xcom", "add okado", "add tamsin", "add guard x2", "start")
    own, both = Viewer(frozenset({"okado"})), Viewer(frozenset({"okado", "tamsin"}))
    shown = Shown(acting="turn")

    def asked(viewer: Viewer) -> SeatCommand:
        return seat_command(fight.encounter, viewer, "attack guard-1 by okado,tamsin", shown)

    with pytest.raises(Refused, match="Tamsin is not your character"):
        asked(own)
    found = asked(both)
    assert not found.waits
    assert found.command.intent.by == "okado,tamsin"
    fight.do("next by tamsin")
    assert asked(both).waits


@pytest.mark.parametrize("game", GAMES)
@examples(8)
@given(seed=st.integers(0, 2**32), style=st.sampled_from(["sides", "manual"]))
def test_a_volley_is_undone_redone_and_folded_like_any_command(game, seed, style):
    random = Random(seed)
    fight = Fight(game, "add okado", "add tamsin", "add guard x4", "start", style=style, seed=random.random())
    for _ in range(4):
        before = fight.plain
        actors = random.sample([each.id for each in fight.encounter], random.randint(2, 5))
        target = random.choice([each.id for each in fight.encounter])
        try:
            event = fight.do(f"{fight.game.default_action} {target} by {','.join(actors)}")
        except (Refused, Wrong, Misread):
            continue
        after = fight.plain
        assert {result.actor for result in event.results if result.action == event.action} <= {
            *actors,
            target,
        }
        fight.do("undo")
        assert fight.plain == before
        fight.do("redo")
        assert fight.plain == after == fight.folded()
