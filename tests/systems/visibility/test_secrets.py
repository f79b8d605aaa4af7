"""A viewer's view stays the same, field by field, when everything withheld from that viewer is scrambled."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from random import Random
from typing import Any

import pytest

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
from systems.encounter.serialize import plain
from systems.errors import Wrong
from systems.frozen import evolve, fields
from systems.schema.conversion import replace
from systems.schema.fields import fields_of
from systems.sheets import changed
from systems.visibility.build import view
from systems.visibility.rows import detail_for, row_maker
from systems.visibility.view import View
from systems.visibility.viewer import Shown
from tests.systems.fight import GAMES, Fight
from tests.systems.visibility.test_laws import DECIDED, SHOWN, VIEWERS
from tests.systems.walks import typed

Scramble = Callable[[Encounter, Random], Encounter]
WORDS = ("zzz", "Xanadu", "another secret")


def fight_with_secrets(game: str) -> Fight:
    """Return a fight with a hidden foe, one that is to arrive, and a secret of every sort."""
    fight = Fight(game, "add okado", "add tamsin", "add guard x2", "start")
    for line in (
        "add guard as Ghost hidden",
        "add guard x2 as Scout hidden group",
        "add guard as Rider in round 3",
        "condition Ghost afraid",
        "condition guard-1 doomed secret",
        "condition okado held until end of Ghost",
        "condition tamsin marked by Ghost",
        "condition okado shaken",
        "ready guard-2 strike whoever comes",
        "schedule the floor opens in round 4",
        "set guard-1 notes a spy",
    ):
        fight.do(line)
    shaken = {"save": "will", "difficulty": 12, "again": ("end",), "worse": "doomed"}
    fight.encounter = conditions_of(lambda held: held.name == "shaken", **shaken)(fight.encounter, Random(1))
    ghost = unseen(fight.encounter)[0]
    offer = Offer(says="Ghost may leap.", by=ghost.id, target="okado", action=fight.game.default_action)
    of_guard = evolve(offer, says="Guard 1 may parry.", by="guard-1", reaction="parry", reacts_to="okado")
    fight.encounter = evolve(fight.encounter, offers=(*fight.encounter.offers, offer, of_guard))
    return fight


def unseen(encounter: Encounter) -> list[Combatant]:
    return [each for each in encounter if not each.in_sight]


def with_states(encounter: Encounter, who: Callable[[Combatant], bool], **changes: Any) -> Encounter:
    some = [each.with_state(**changes) for each in encounter if who(each)]
    return encounter.with_combatants(*some)


def is_unseen(combatant: Combatant) -> bool:
    return not combatant.in_sight


def is_foe(combatant: Combatant) -> bool:
    return combatant.side == "foes"


def anybody(combatant: Combatant) -> bool:
    return True


def state_of(field: str, value: Any, who: Callable[[Combatant], bool] = is_unseen) -> Scramble:
    """Return a scramble that gives a field of the tracker another value."""
    return lambda encounter, random: with_states(encounter, who, **{field: value})


def conditions_of(
    chosen: Callable[[ActiveCondition], bool], who: Callable[[Combatant], bool] = anybody, **changes: Any
) -> Scramble:
    """Return a scramble that changes conditions."""

    def scramble(encounter: Encounter, random: Random) -> Encounter:
        unseen_ids = {each.id for each in unseen(encounter)}
        given = {name: max(unseen_ids) if value == "UNSEEN" else value for name, value in changes.items()}
        some = [
            evolve(
                each,
                conditions=tuple(
                    replace(held, **given) if chosen(held) else held for held in each.conditions
                ),
            )
            for each in encounter
            if who(each)
        ]
        return encounter.with_combatants(*some)

    return scramble


def reversed_unseen(field: str) -> Scramble:
    """Return a scramble that puts those out of sight elsewhere in an order."""

    def scramble(encounter: Encounter, random: Random) -> Encounter:
        ids = getattr(encounter.progress, field)
        hidden = [who for who in ids if who in {each.id for each in unseen(encounter)}]
        return encounter.with_progress(**{field: (*hidden[::-1], *(who for who in ids if who not in hidden))})

    return scramble


def near_unseen(encounter: Encounter, random: Random) -> Encounter:
    """Put one of those out of sight near a character."""
    hidden, okado = unseen(encounter)[0], encounter.combatants["okado"]
    return encounter.with_combatants(
        okado.with_state(near=(*okado.state.near, hidden.id)),
        hidden.with_state(near=(*hidden.state.near, okado.id)),
    )


def happenings(**changes: Any) -> Scramble:
    def scramble(encounter: Encounter, random: Random) -> Encounter:
        some = tuple(replace(each, **changes) for each in encounter.progress.happenings)
        return encounter.with_progress(happenings=some)

    return scramble


def offers(**changes: Any) -> Scramble:
    def scramble(encounter: Encounter, random: Random) -> Encounter:
        return evolve(encounter, offers=tuple(replace(offer, **changes) for offer in encounter.offers))

    return scramble


def is_doomed(held: ActiveCondition) -> bool:
    return held.name == "doomed"


def is_of_unseen(held: ActiveCondition) -> bool:
    return held.name in ("held", "marked")


def without_unseen(encounter: Encounter, random: Random) -> Encounter:
    """Take one of those out of sight away."""
    gone = unseen(encounter)[-1].id
    progress = encounter.progress
    people = {who: each for who, each in encounter.combatants.items() if who != gone}
    return evolve(encounter, combatants=people).with_progress(
        ids=tuple(who for who in progress.ids if who != gone),
        order=tuple(who for who in progress.order if who != gone),
    )


GONE = Departed(name="wight_h9", called="Wight", given=frozenset(("name", "called")))

# How each field that is not shown, or shown in part, is scrambled where it is withheld.
SCRAMBLED: Mapping[type, Mapping[str, tuple[Scramble, ...]]] = {
    Encounter: {
        "progress": (),  # by its fields
        "combatants": (without_unseen,),
        "offers": (lambda encounter, random: evolve(encounter, offers=()),),
    },
    Progress: {
        "ids": (reversed_unseen("ids"),),
        "order": (reversed_unseen("order"),),
        "round": (),  # of an unseen turn: the laws of answers
        "turn": (),
        "side": (),
        "interrupted": (),
        "ordered": (
            lambda encounter, random: encounter.with_progress(ordered=not encounter.progress.ordered),
        ),
        "happenings": (lambda encounter, random: encounter.with_progress(happenings=()),),
        "numbered": (lambda encounter, random: encounter.with_progress(numbered=70),),
        "unseen": (lambda encounter, random: encounter.with_progress(unseen=70),),
        "departed": (lambda encounter, random: encounter.with_progress(departed=(GONE,)),),
    },
    Combatant: {
        "id": (),
        "state": (),
        "sheet": (
            lambda encounter, random: encounter.with_combatants(
                *(evolve(each, sheet=encounter.game.sheet()) for each in unseen(encounter))
            ),
        ),
        "conditions": (
            lambda encounter, random: encounter.with_combatants(
                *(evolve(each, conditions=()) for each in unseen(encounter))
            ),
        ),
    },
    CombatantState: {
        "kind": (state_of("kind", "wolf", is_foe),),
        "tag": (state_of("tag", 77),),
        "hidden": (),  # a reveal is no secret; that somebody is hidden at all is `combatants`
        "hidden_tag": (state_of("hidden_tag", 8),),
        "plain_name": (state_of("plain_name", "Wolf"),),
        "group": (state_of("group", None),),
        "arrives": (
            lambda encounter, random: with_states(encounter, lambda each: each.state.arrives > 0, arrives=7),
        ),
        "ready": (state_of("ready", "run away", is_foe),),
        "acted": (state_of("acted", 1, anybody),),
        "reacted": (state_of("reacted", ("parry",), anybody),),
        "prepared": (state_of("prepared", {"hp": "1"}, anybody),),
        "near": (near_unseen,),
        "away": (state_of("away", True),),
        "bringer": (state_of("bringer", "okado", anybody),),
        "bound": (state_of("bound", "focus", anybody),),
        "form": (state_of("form", "wolf"),),
        "stowed": (state_of("stowed", ('{"form": "", "sheet": {}}',), anybody),),
        "name": (state_of("name", "Wraith"),),
        "side": (state_of("side", "beasts"),),
        "initiative": (state_of("initiative", -3),),
        "waits": (state_of("waits", True),),
        "begun": (state_of("begun", 1),),
        "done": (state_of("done", 1),),
    },
    ActiveCondition: {
        "name": (conditions_of(is_doomed, name="blessed"),),
        "value": (conditions_of(is_doomed, value=3),),
        "last_round": (conditions_of(is_doomed, last_round=5),),
        "until": (conditions_of(lambda held: held.name == "held", until="start"),),
        "of": (conditions_of(lambda held: held.name == "held", of="UNSEEN"),),
        "skips": (conditions_of(lambda held: held.name == "held", skips=2),),
        "secret": (),
        "source": (conditions_of(lambda held: held.name == "marked", source="UNSEEN"),),
        "through": (conditions_of(lambda held: held.name == "marked", through="attack"),),
        "sustained": (conditions_of(lambda held: held.name == "marked", sustained="focus"),),
        "difficulty": (conditions_of(lambda held: held.save is not None, difficulty=31),),
        "worse": (conditions_of(lambda held: held.save is not None, worse="asleep"),),
        "worse_rounds": (conditions_of(lambda held: held.save is not None, worse_rounds=9),),
        "worse_again": (conditions_of(lambda held: held.save is not None, worse_again=("end",)),),
        "worse_ends_when": (conditions_of(lambda held: held.save is not None, worse_ends_when=("falls",)),),
    },
    Departed: dict.fromkeys(("given", "name", "called", "tag", "kind", "seen"), ()),  # `departed`
    Happening: {
        "given": (),
        "name": (happenings(name="rain"),),
        "round": (happenings(round=9),),
        "hidden": (happenings(hidden=True),),
    },
    Offer: {
        "says": (offers(says="Somebody may flee."),),
        "command": (offers(command="attack okado"),),
        "by": (offers(by="guard-2"),),
        "target": (offers(target="tamsin"),),
        "action": (offers(action=None),),
        "options": (offers(options={"modifier": "3"}),),
        "choose": (offers(choose=("weapon",)),),
        "reaction": (offers(reaction="riposte"),),
        "reacts_to": (offers(reacts_to="tamsin"),),
        "several": (offers(several="{names} may flee."),),
        "about": (offers(about="tamsin"),),
        "lasts": (offers(lasts=True),),
        "actors": (offers(actors=("tamsin",)),),
        "aims_itself": (offers(aims_itself=True),),
        "quiet": (offers(quiet=True),),
        "made_from": (offers(made_from=("another secret",)),),
    },
}


def contents(encounter: Encounter) -> tuple[object, ...]:
    """Return everything in an encounter: what is stored, and the values that its offers were made from."""
    return plain(encounter), [offer.made_from for offer in encounter.offers]


def views(encounter: Encounter, fight: Fight, settings: Sequence[Shown] = SHOWN) -> list[View]:
    return [view(encounter, fight.log, viewer, shown) for shown in settings for viewer in VIEWERS]


def settings_in_turn(game: str) -> Iterator[Shown]:
    """Yield the settings of a table in turn, beginning elsewhere in each game: all meet every field."""
    return islice(cycle(SHOWN), GAMES.index(game), None)


def differing(first: list[View], second: list[View]) -> Iterator[str]:
    """Yield the fields of the views that differ."""
    for one, other in zip(first, second, strict=True):
        for field in fields(View):
            if getattr(one, field.name) != getattr(other, field.name):
                yield field.name


def test_every_field_that_can_be_withheld_is_scrambled():
    for cls, decided in DECIDED.items():
        hidden = {name for name, what in decided.items() if what != "shown"}
        assert hidden <= set(SCRAMBLED[cls]) <= set(decided), cls


@pytest.mark.parametrize("game", GAMES)
def test_no_field_of_a_view_tells_of_what_is_withheld(game):
    fight, random, settings = fight_with_secrets(game), Random(1), settings_in_turn(game)
    before = {shown: views(fight.encounter, fight, [shown]) for shown in SHOWN}
    everything = fight.encounter
    for cls, scrambles in SCRAMBLED.items():
        for name, ways in scrambles.items():
            for scramble in ways:
                scrambled = scramble(fight.encounter, random)
                assert contents(scrambled) != contents(fight.encounter), (cls, name)
                shown = next(settings)
                assert not list(differing(before[shown], views(scrambled, fight, [shown]))), (cls, name)
                everything = scramble(everything, random)
    for shown in SHOWN:
        assert not list(differing(before[shown], views(everything, fight, [shown])))


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_of_a_foe_is_in_no_field_but_its_row(game):
    fight, random, settings = fight_with_secrets(game), Random(2), settings_in_turn(game)
    before = {shown: views(fight.encounter, fight, [shown]) for shown in SHOWN}
    foe, tried = fight.encounter.combatants["guard-1"], 0
    for field in fields_of(fight.game.sheet).values():
        for _ in range(2):
            try:
                sheet = changed(
                    foe.sheet, {field.name: field.type.typed(typed(random, field.type), field.name)}
                )
            except Wrong:
                continue
            scrambled = fight.encounter.with_combatants(evolve(foe, sheet=sheet))
            shown = next(settings)
            told = set(differing(before[shown], views(scrambled, fight, [shown])))
            # Who is dead has no turn to come.
            assert told <= {"rows", "next", "ahead"}, field.name
            if all(
                _row(fight.encounter, viewer, shown) == _row(scrambled, viewer, shown) for viewer in VIEWERS
            ):
                assert not told, field.name
                tried += sheet != foe.sheet
    assert tried > 5


def _row(encounter: Encounter, viewer: Any, shown: Any) -> object:
    foe = encounter.combatants["guard-1"]
    return row_maker(encounter).row(foe, detail_for(encounter, foe, viewer, shown))
