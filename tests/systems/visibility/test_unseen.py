"""What a seat reads of the effects of a hidden combatant: what changed about those in sight, and no more."""

import pytest

from systems import load
from systems.codec.events import plain_event, read_event
from systems.schema.conversion import read
from systems.visibility.build import view
from systems.visibility.own_figures import own_figures
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.systems.fight import Entry, Fight
from tests.systems.pack import pack

ADA = Viewer(frozenset({"ada"}))
FIGURES = Shown(foes="figures", allies="figures")


def haunted(*lines: str, name: str = "Shade", hp: int = 10) -> Fight:
    """Ada and Bo against a wolf and a hidden combatant."""
    fight = pack("add ada", "add bo", "add wolf", f"add wolf as {name} hidden", "start")
    hidden = next(each.id for each in fight.encounter if not each.in_sight)
    for line in (f"set {hidden} hp {hp}", *lines):
        fight.do(line.replace("HIDDEN", hidden))
    return fight


def read_log(fight: Fight, viewer: Viewer = ADA, shown: Shown = FIGURES) -> list[str]:
    return [line.whole for line in view(fight.encounter, fight.log, viewer, shown).log]


def test_harm_by_something_unseen_is_told_about_the_one_in_sight_alone():
    fight = haunted("wail ada by HIDDEN")
    assert fight.log.events[-1].text == "Shade wails at Ada (hp 10 → 5)."
    assert read_log(fight)[-1] == "Something unseen: 5 damage to Ada, now deaf."


def test_a_fall_and_a_condition_are_told_together():
    fight = haunted("set ada hp 4", "wail ada by HIDDEN")
    assert read_log(fight)[-1] == "Something unseen: 5 damage to Ada, now dead and deaf."


def test_without_the_figures_a_player_reads_only_who_is_affected():
    fight = haunted("wail wolf by HIDDEN")
    assert read_log(fight, PUBLIC, Shown())[-1] == "Something unseen affects Wolf."


def test_what_happens_among_the_hidden_is_not_told():
    fight = haunted()
    before = read_log(fight)
    fight.do("wail h1 by h1")
    assert read_log(fight) == before


def test_a_player_reads_the_own_action_with_an_unseen_helper():
    fight = haunted("wail wolf helper=HIDDEN by ada")
    assert "with Shade" in fight.log.events[-1].text
    assert read_log(fight)[-1] == "Ada wails at Wolf with something unseen (hp 10 → 5)."


def test_a_reveal_later_changes_nothing_of_it():
    fight = haunted("wail ada by HIDDEN")
    told = read_log(fight)[-1]
    fight.do("reveal h1")
    assert told in read_log(fight)
    assert not any("wails" in line for line in read_log(fight))


LINES = (
    "wail ada by HIDDEN",
    "near ada HIDDEN",
    "bite ada by wolf dice=9",
    "wail wolf helper=HIDDEN by ada",
    "run by HIDDEN",
    "damage ada 2 by HIDDEN",
    "next",
    "undo",
)


@pytest.mark.parametrize("viewer", [ADA, PUBLIC])
@pytest.mark.parametrize("shown", [FIGURES, Shown()])
def test_two_worlds_that_differ_in_the_hidden_one_alone_look_the_same(viewer: Viewer, shown: Shown):
    worlds = [haunted(), haunted(name="Ogre", hp=70)]
    for line in LINES:
        views = []
        for fight in worlds:
            hidden = next(each.id for each in fight.encounter if not each.in_sight)
            fight.do(line.replace("HIDDEN", hidden))
            views.append(view(fight.encounter, fight.log, viewer, shown))
        assert views[0] == views[1], line


def test_an_effect_is_told_by_its_name_to_players_without_the_figures():
    game = load("simple")
    limb = {"name": "Loathsome Limb", "when": "damaged", "types": ["slashing"], "bring": "limb"}
    fight = Fight(game, style="manual")
    fight.roster |= {
        "troll": Entry("Troll", "foes", read(game.sheet, {"max_hp": 60, "effects": [limb]})),
        "limb": Entry("Limb", "foes", read(game.sheet, {"max_hp": 5})),
    }
    for line in ("add okado", "add troll", "start", "damage troll 20 type=slashing"):
        fight.do(line)
    told = read_log(fight, PUBLIC, Shown())
    assert told[-3:] == [
        "Troll is harmed: hurt.",
        "Troll's Loathsome Limb.",
        "Limb joins the fight next to Troll.",
    ]


def test_the_own_arithmetic_of_a_player_names_an_unseen_ally_something_unseen():
    fight = pack("add ada", "add bo as Scout hidden", "add wolf", "start")
    hidden = next(each.id for each in fight.encounter if not each.in_sight)
    fight.do(f"near {hidden} wolf")
    event = fight.do("bite wolf by ada dice=9")
    assert event.results[0].terms[1].label == "pack tactics, Scout"
    reopened = read_event(plain_event(event))
    for one in (event, reopened):
        [own] = [own_figures(one, one.results[0], fight.encounter, ADA, Shown())]
        assert own == "14 (d20 9, pack tactics, something unseen +5)."
