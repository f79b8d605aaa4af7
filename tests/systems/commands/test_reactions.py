"""Reactions: what others may do about an action or at the end of a turn, until it is used or too late."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems.commands.offers import alike, question_of
from systems.contract.action import Action
from systems.contract.display import StatusWord
from systems.contract.outcome import Ask, Explanation, Outcome
from systems.contract.reaction import TURN_END, Reaction
from systems.encounter.changes import taken_back
from systems.encounter.serialize import plain
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.schema.fields import NoOptions
from tests.systems.fight import Fight
from tests.systems.toy import TOY, toy


def legends(scene):
    """Two things of which one may be done at the end of somebody's turn."""
    return (
        Ask(f"{scene.actor_name} may strike.", "strike", options={"bonus": 1}),
        Ask(f"{scene.actor_name} may go at once.", "again"),
    )


def shot(scene):
    return (
        Ask(
            f"{scene.actor_name} may shoot at {scene.target_name}.",
            "strike",
            target="target",
            options={"far": True},
        ),
    )


def ready(sheet, house):
    return sheet.hp > 10


def fight(*reactions: Reaction, start: bool = True) -> Fight:
    """Ada, Bo, a dragon with 40 hp and an orc; only who has more than 10 hp is ready to react."""
    found = toy()
    found.game = evolve(TOY, reactions=reactions)
    found.encounter = evolve(found.encounter, game=found.game)
    for line in ("add ada", "add bo", "add orc as Dragon", "set dragon hp 40", "add orc"):
        found.do(line)
    if start:
        found.do("start")
    return found


LEGEND = Reaction("legend", "at others' turns", TURN_END, legends, ready=ready)
SHOT = Reaction("shot", "at whoever goes again", "again", shot, ready=ready)


def standing(found: Fight) -> list[str]:
    return [offer.says for offer in found.encounter.offers]


def test_at_a_turns_end_its_foes_that_are_ready_get_their_offers_by_name():
    found = fight(LEGEND)
    assert standing(found) == []
    assert "Dragon may strike. Dragon may go at once." in found.text("next")
    assert [offer.command for offer in found.encounter.offers] == [
        "strike bonus=1 by dragon",
        "again by dragon",
    ]
    assert found.turn == "bo"


def test_a_reaction_taken_is_the_doing_of_whoever_reacts_and_the_rest_of_it_goes():
    found = fight(LEGEND)
    found.do("next")
    event = found.do("strike bo bonus=1 by dragon dice=4")
    assert (event.actor, event.turn, event.results[0].actor) == ("dragon", "bo", "dragon")
    assert standing(found) == ["Strike again?"]
    assert found.encounter.combatants["dragon"].state.reacted == ("legend",)


def test_a_reaction_is_not_had_twice_in_a_turn_and_is_there_again_in_the_next():
    found = fight(LEGEND, SHOT)
    found.do("next")
    found.do("strike bo bonus=1 by dragon")
    found.do("again by bo")
    found.do("strike bo far=yes by dragon")
    found.do("again by bo")
    assert "Dragon may shoot at Bo." not in standing(found)
    found.do("next")
    assert "Dragon may strike." in standing(found)
    found.do("next")
    found.do("next")
    assert standing(found) == []  # a foe's turn has ended, but it is no foe of the dragon


def test_without_a_name_or_without_its_options_a_command_is_no_reaction():
    found = fight(SHOT)
    found.do("again by ada")
    [offer] = found.encounter.offers
    found.do("strike bo by dragon")
    found.do("strike dragon")
    assert offer in found.encounter.offers
    found.do("strike ada fa=true by dragon")
    assert offer not in found.encounter.offers


@pytest.mark.parametrize(
    ("whose", "who"), [("foes", {"dragon", "orc"}), ("allies", {"bo"}), ("others", {"bo", "dragon", "orc"})]
)
def test_whose_reaction_it_is_follows_the_sides(whose, who):
    found = fight(evolve(SHOT, whose=whose, ready=lambda sheet, house: True))
    found.do("again by ada")
    assert {offer.by for offer in found.encounter.offers} == who


def test_no_other_side_reacts_to_a_hidden_combatant():
    found = fight(evolve(SHOT, whose="others", ready=lambda sheet, house: True))
    found.do("hide orc")
    found.do("again by orc")
    assert [offer.by for offer in found.encounter.offers] == ["dragon"]


def test_an_open_offer_is_not_reported_twice():
    found = fight(SHOT)
    assert "may shoot" in found.text("again by ada")
    assert "may shoot" not in found.text("again by ada")
    assert standing(found) == ["Dragon may shoot at Ada."]


@pytest.mark.parametrize("line", ["set dragon hp 3", "remove ada", "set ada hp -1", "remove dragon", "next"])
def test_a_reaction_goes_when_it_is_no_longer_possible_and_comes_back_with_undo(line):
    found = fight(SHOT)
    found.do("again by ada")
    before = found.plain
    found.do(line)
    assert standing(found) == []
    found.do("undo")
    assert found.plain == before
    found.do("redo")
    assert (standing(found), found.folded()) == ([], found.plain)


def test_nobody_reacts_before_the_fight_or_after_it():
    found = fight(SHOT, start=False)
    found.do("again by ada")
    assert standing(found) == []
    for line in ("start", "end", "again by ada"):
        found.do(line)
    assert standing(found) == []


def test_an_automatic_reaction_happens_once_a_turn():
    found = fight(evolve(SHOT, by_itself=lambda house: True))
    event = found.do("again by ada dice=5")
    assert [result.actor for result in event.results] == ["ada", "dragon"]
    assert event.text.startswith("Ada goes again. Dragon strikes Ada: 5.")
    assert found.sheet("ada").hp == 5
    found.do("again by ada dice=")


def test_one_in_hiding_does_nothing_by_itself():
    found = fight(evolve(SHOT, by_itself=lambda house: True))
    found.do("hide dragon")
    assert len(found.do("again by ada").results) == 1
    assert standing(found) == ["Dragon may shoot at Ada."]


def test_a_reaction_of_itself_that_the_rules_refuse_is_nothing():
    weak = Reaction(
        "weak", "", "again", lambda scene: (Ask("?", "strike", target="target", options={"bonus": -9}),)
    )
    found = fight(evolve(weak, by_itself=lambda house: True))
    assert len(found.do("again by ada").results) == 1


def test_a_turn_that_passes_by_itself_keeps_what_was_on_offer_before_it():
    found = fight(LEGEND, start=False)
    statuses = (StatusWord("up"), StatusWord("down", acts=False))
    found.game = evolve(
        found.game, statuses=statuses, status=lambda sheet, house: "up" if sheet.hp > 0 else "down"
    )
    found.encounter = evolve(found.encounter, game=found.game)
    found.do("start")
    found.do("order orc before dragon")
    found.do("next")
    found.do("set orc hp 0")
    assert "Orc is down and cannot act." in found.text("next")
    assert (found.turn, standing(found)) == ("dragon", ["Dragon may strike.", "Dragon may go at once."])


def test_an_error_in_a_reaction_is_reported_and_the_turn_continues():
    def fails(scene):
        raise Wrong("", "the game has a mistake")

    found = fight(evolve(LEGEND, offers=fails))
    assert "Dragon: the game has a mistake." in found.text("next")
    assert found.turn == "bo"


def test_a_turn_out_of_sight_neither_takes_a_players_reaction_away_nor_brings_one():
    found = fight(evolve(LEGEND, whose="others", ready=lambda sheet, house: True))
    for line in ("hide orc", "order orc after ada", "next"):
        found.do(line)
    assert found.turn == "orc"
    after_ada = [offer for offer in found.encounter.offers if offer.by == "bo"]
    found.do("next")
    assert found.turn == "bo"
    assert [offer for offer in found.encounter.offers if offer.by == "bo"] == after_ada != []
    found.do("strike dragon bonus=1 by bo")
    found.do("next")
    assert found.encounter.combatants["bo"].state.reacted == ()


def test_an_amendment_makes_an_offer_again_only_if_its_combatants_have_changed():
    calls = []

    def counted(scene):
        calls.append(scene.actor_name)
        return legends(scene)

    found = fight(evolve(LEGEND, offers=counted))
    found.do("next")
    number = found.do("set orc hp 9").n

    def calls_of_an_amendment():
        calls.clear()
        found.done(f"amend {number} set orc hp 8")
        return len(calls)

    found.do("condition orc marked")
    few = calls_of_an_amendment()
    for name in ("prone", "blinded", "dazed"):
        found.do(f"condition orc {name}")
    assert calls_of_an_amendment() == few
    found.do("set dragon hp 39")
    assert calls_of_an_amendment() > few
    assert standing(found) == ["Dragon may strike.", "Dragon may go at once."]


def test_a_reaction_that_was_not_used_is_offered_again_after_a_step_back():
    found = fight(LEGEND)
    for line in ("next", "damage orc 1", "back", "note hm", "next"):
        found.do(line)
    assert standing(found) == ["Dragon may strike.", "Dragon may go at once."]
    for line in ("strike bo bonus=1 by dragon dice=1", "back", "note hm", "next"):
        found.do(line)
    assert found.encounter.combatants["dragon"].state.reacted == ("legend",)
    assert "Dragon may go at once." not in standing(found)


def test_a_reaction_to_the_end_of_a_turn_gets_no_options_and_no_facts_whenever_it_is_worked_out():
    seen = []

    def knows(scene):
        seen.append((scene.options, dict(scene.before)))
        return (Ask(f"{scene.actor_name} may strike.", "strike"),)

    found = fight(evolve(LEGEND, offers=knows))
    for line in ("next", "set dragon name Wyrm", "set bo hp 12"):
        found.do(line)
    assert standing(found) == ["Wyrm may strike."]
    assert seen == [(NoOptions(), {})] * len(seen)
    assert len(seen) > 1


def test_a_reaction_that_belongs_to_nobody_is_not_offered():
    def anybody(scene):
        return (Ask("Somebody may strike.", "strike", by=None),)

    found = fight(evolve(LEGEND, offers=anybody))
    found.do("add orc as X")
    found.do("next")
    assert standing(found) == []


def test_a_reaction_that_happens_by_itself_passes_over_an_action_without_its_target():
    def either(scene):
        return (Ask("Poke?", "poke"), Ask("Strike?", "strike"), Ask("Go?", "again"))

    poke = Action(
        "poke", "", lambda scene, table: Outcome({}, tell=lambda: Explanation("Poke!")), targets="one"
    )
    found = fight(evolve(LEGEND, offers=either, by_itself=lambda house: True))
    game = evolve(found.encounter.game, actions=(*TOY.actions, poke))
    found.encounter = evolve(found.encounter, game=game)
    assert "Dragon goes again." in found.text("next")


# Quiet offers, menus, and how long a reaction stays used


def test_a_quiet_reaction_says_nothing_until_one_of_its_choices_is_taken():
    found = fight(evolve(LEGEND, quiet=True))
    assert "Dragon" not in found.text("next").removesuffix("Next: Dragon.")
    assert standing(found) == ["Dragon may strike.", "Dragon may go at once."]
    assert "Dragon strikes Bo" in found.text("strike bo bonus=1 by dragon dice=1")
    assert found.folded() == found.plain


def test_the_choices_of_a_reaction_are_one_question_with_the_words_of_the_game():
    found = fight(evolve(LEGEND, menu=lambda sheet, house: f"{sheet.hp} scales"))
    found.do("next")
    first, *others = found.encounter.offers
    together = alike(found.encounter, first)
    assert together == (first, *others)
    assert question_of(found.encounter, together) == "Dragon: 40 scales"
    found = fight(LEGEND)
    found.do("next")
    assert question_of(found.encounter, found.encounter.offers) == "Dragon: 2 choices"
    assert question_of(found.encounter, found.encounter.offers[:1]) == "Dragon may strike."


def offered_after(found: Fight, *lines: str) -> bool:
    for line in lines:
        found.do(line)
    return any(offer.by == "dragon" for offer in found.encounter.offers)


@pytest.mark.parametrize(
    ("again", "used"),
    [
        ("turn", [False, False, False, False]),
        ("round", [True, True, True, False]),
        ("own_turn", [True, False, False, False]),
    ],
)
def test_a_used_reaction_comes_back_with_the_turn_the_round_or_the_own_turn(again, used):
    found = fight(evolve(SHOT, again=again))
    found.do("again by ada")
    found.do("strike ada far=yes by dragon dice=1")
    assert not offered_after(found, "again by ada")
    seen = []
    for turn in ("bo", "dragon", "orc", "ada"):
        found.do("next")
        assert found.turn == turn
        seen.append(bool(found.encounter.combatants["dragon"].state.reacted))
    assert seen == used
    assert found.round == 2
    assert offered_after(found, "again by ada")
    assert found.folded() == found.plain


def test_reactions_that_spend_the_same_are_used_together():
    def parry(scene):
        return (Ask("Dragon may parry.", "again"),)

    shot_once = evolve(SHOT, spends="reaction")
    parried = Reaction("parry", "", "again", parry, ready=ready, spends="reaction")
    found = fight(shot_once, parried)
    found.do("again by ada")
    assert standing(found) == ["Dragon may shoot at Ada.", "Dragon may parry."]
    found.do("strike ada far=yes by dragon dice=1")
    assert found.encounter.combatants["dragon"].state.reacted == ("reaction",)
    assert standing(found) == ["Strike again?"]
    assert not offered_after(found, "again by ada")


def test_of_two_reactions_with_one_line_each_is_taken_by_its_own_name():
    riposte = evolve(SHOT, name="riposte")
    found = fight(SHOT, riposte)
    found.do("again by ada")
    lines = [offer.command for offer in found.encounter.offers]
    assert lines == ["strike ada far=yes by dragon", "strike ada far=yes by dragon as riposte"]
    found.do(f"{lines[0]} dice=1")
    assert found.encounter.combatants["dragon"].state.reacted == ("shot",)
    found.do("undo")
    event = found.do(f"{lines[1]} dice=1")
    assert found.encounter.combatants["dragon"].state.reacted == ("riposte",)
    number = event.n
    found.do(f"amend {number} dice=2")
    assert found.encounter.combatants["dragon"].state.reacted == ("riposte",)
    assert found.folded() == found.plain


def test_a_line_that_names_no_offered_reaction_spends_none():
    found = fight(SHOT, evolve(SHOT, name="riposte", after="strike"))
    found.do("again by ada")
    before = found.encounter.offers
    found.do("strike ada far=yes by dragon as riposte dice=1")
    assert found.encounter.combatants["dragon"].state.reacted == ()
    assert found.encounter.offers[: len(before)] == before


LINES = st.sampled_from(
    [
        "again by ada",
        "again by orc",
        "next",
        "next",
        "strike ada far=yes by dragon dice=1",
        "strike bo bonus=1 by dragon dice=1",
        "again by dragon",
        "strike ada far=yes by dragon as riposte dice=1",
        "damage dragon 3",
        "undo",
        "redo",
        "back",
    ]
)


@example(["next", "next", "strike bo bonus=1 by dragon dice=1", "back"], "turn", "")
@given(
    st.lists(LINES, max_size=12),
    st.sampled_from(("turn", "round", "own_turn")),
    st.sampled_from(("", "reaction")),
)
def test_no_used_reaction_is_on_offer_and_every_line_is_undone_and_reopened(lines, again, spends):
    found = fight(
        evolve(SHOT, again=again, spends=spends),
        evolve(SHOT, name="riposte", again=again, spends=spends),
        evolve(LEGEND, quiet=True),
    )
    for line in lines:
        before = found.plain
        try:
            event = found.do(line)
        except Refused:
            assert found.plain == before
            continue
        assert plain(taken_back(found.encounter, [event])) == before
        game = found.encounter.game
        for offer in found.encounter.offers:
            if offer.reaction:
                owner = found.encounter.combatants[offer.by]
                assert game.spent_by(offer.reaction) not in owner.state.reacted
        taken = [offer.command for offer in found.encounter.offers if offer.reaction]
        assert len(taken) == len(set(taken))
    assert found.folded() == found.plain
