"""Explanations of real dice, and the faces of an undone command that is repeated."""

from typing import Any

import pytest

from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest
from systems.visibility.viewer import Shown, Viewer
from tests.systems.emberfall import emberfall
from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.table import Shelf, playing, session, session_of, text_of
from tui.controllers.seat_asks import die_for_seat
from tui.lists.dice_asked import face_asked
from tui.session import die_meaning
from tui.session.die_meaning import meaning_of, place_of


@pytest.fixture(autouse=True)
def _takes_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give explanations unlimited time, so that a busy machine gives the same ones."""
    monkeypatch.setattr(die_meaning, "MOST_TIME", 60)


@pytest.mark.parametrize(
    ("campaign", "line", "does", "adds"),
    [
        ("rooftop-watch", "attack grey by mara", "50 or less: passed", ""),
        (
            "the-thin-place",
            "attack wicked-thrasher-1 by aryn",
            "1 to 2 jam, 3 to 6 miss, 7 to 19 hit, 20 hit (critical)",
            "Dex 4",
        ),
        (
            "the-goblin-ford",
            "attack goblin-6 by ysolde",
            "1 fumble, 2 to 10 miss, 11 to 19 hit, 20 critical",
            "attack 2",
        ),
        # Side effects of a face are named, such as a jam, mayhem or a counterattack, and its amount.
        (
            "the-thin-place",
            "attack wicked-thrasher-1 spell=firebolt by villy",
            "1 miss (Magical Mayhem), 2 to 7 miss, 8 to 19 hit, 20 hit (critical)",
            "Magic 3",
        ),
        (
            "the-thin-place",
            "mystic mystic=12 by villy",
            "1 to 3 failed (Magical Mayhem), 4 to 8 failed, 9 or more passed",
            "Magic 3",
        ),
        (
            "the-toll-road",
            "attack bandit-1 by ilsa",
            "1 to 2 critical miss (counterattack), 3 to 7 miss, 8 match, 9 to 11 critical hit (2 damage), "
            "12 to 16 critical hit (3 damage), 17 or more perfect hit (4 damage)",
            "attack 3",
        ),
        ("the-goblin-ford", "check by tobin", "1 fumble, 2 to 9 failed, 10 to 19 passed, 20 critical", ""),
        (
            "the-sunken-vault",
            "attack mira by cave-drake",
            "1 to 12 miss, 13 to 19 hit, 20 critical",
            "rend 5",
        ),
        (
            "the-sunken-vault",
            "multiattack tavi by cave-drake",
            "1 to 9 miss; 10 to 14 hit, unless Shield; 15 to 19 hit; 20 critical",
            "rend 5",
        ),
    ],
)
def test_a_die_shows_the_effect_of_its_faces_and_its_bonus(tmp_path, campaign, line, does, adds):
    here = opened(tmp_path, name=campaign).table.session
    here.do("start")
    here.dice = "real"
    attempt = here.begin(line, asks=True)
    needs = attempt.run()
    assert isinstance(needs, DieRequest)
    found = meaning_of(attempt, needs)
    assert (found.does, found.adds) == (does, adds)
    assert here.log.events[-1].command == "start"
    assert attempt.faces == []


def test_a_d20_with_advantage_says_so_and_a_die_added_later_is_no_bonus(tmp_path):
    here = opened(tmp_path, name="the-sunken-vault").table.session
    here.do("start")
    here.do("condition mira blessed")
    _, needs = begun(here, "attack cave-drake by mira advantage=1")
    assert needs.purpose == "longsword, advantage"
    attempt, needs = begun(here, "attack cave-drake by mira")
    found = meaning_of(attempt, needs)
    assert found.does == "1 to 4 miss, 5 to 7 depends on the next die, 8 to 19 hit, 20 critical"
    assert found.adds == "longsword 7"


def test_a_number_to_stay_within_lists_its_parts(tmp_path):
    here = opened(tmp_path, name="rooftop-watch").table.session
    here.do("start")
    here.dice = "real"
    attempt = here.begin("attack grey by mara", asks=True)
    needs = attempt.run()
    assert isinstance(needs, DieRequest)
    found = meaning_of(attempt, needs)
    assert found.does_in_full == "50 or less: passed (aim 65, rifle 5, cover −20)"
    # A later die, such as for dodging, has its own number.
    attempt.give(needs, 1)
    needs = attempt.run()
    assert isinstance(needs, DieRequest)
    assert meaning_of(attempt, needs).made_of == ""


def test_terms_with_the_same_name_are_added_up(tmp_path):
    here = opened(tmp_path, name="the-bone-court").table.session
    for line in ("start", "set ragnor wound_banes 2"):
        here.do(line)
    here.dice = "real"
    attempt = here.begin("maneuver difficulty=12 relevant=high_concept by ragnor", asks=True)
    needs = attempt.run()
    assert isinstance(needs, DieRequest)
    assert meaning_of(attempt, needs).adds == "high concept 2 and wound −2 = 0"


@pytest.mark.parametrize(
    ("campaign", "lines", "faces", "does", "adds"),
    [
        # A defender's bonus is shown with the defender's die in every game in which both roll.
        (
            "okado-at-the-gate",
            ("attack guard-1 defence=active by okado",),
            [3],
            "for Okado, 19 or less: hit",
            "melee 36",
        ),
        (
            "okado-at-the-gate",
            ("contest guard-1 ability=melee by okado",),
            [10],
            "for Okado, 1 to 19 won, 20 depends on the next die",
            "melee 36",
        ),
        (
            "the-thin-place",
            ("opposed aryn attribute=dex by villy",),
            [10],
            "for Villy, 7 or more: lost",
            "Dex 4",
        ),
        (
            "the-bone-court",
            ("attack tamar by ragnor",),
            [15],
            "for Ragnor, 11 or less: hit",
            "reflex 3 and armour 1 = +4",
        ),
        (
            "the-toll-road",
            (
                "set bandit-1 awareness alert",
                "set bandit-1 abilities.perception 2",
                "attack bandit-1 perception_dc=12 by ilsa",
            ),
            [],
            "11 or more: passed",
            "perception 2",
        ),
        # A damage die says what is added to it, or its result if there is more than addition.
        ("the-thin-place", ("attack aryn by wicked-thrasher-1",), [19], "", "+2"),
        (
            "rooftop-watch",
            ("attack mara by serpent",),
            [10],
            "1 to 4 damage 4, 5 to 8 damage 5, 9 or more damage 6",
            "",
        ),
        (
            "rooftop-watch",
            ("explosion serpent,brute by idris",),
            [40],
            "1 to 4 damage 4, 5 to 8 damage 5, 9 or more damage 6",
            "",
        ),
        # A gun that jams hits no further target.
        (
            "the-thin-place",
            ("attack wicked-thrasher-1,wicked-thrasher-2 by aryn",),
            [],
            "1 to 2 jam, 3 to 6 miss, 7 to 19 hit, 20 hit (critical)",
            "Dex 4",
        ),
        # Learning starts at the face shown; for a hopeless attempt no face is enough.
        (
            "okado-at-the-gate",
            ("set okado may_learn dancing", "learn ability=dancing by okado"),
            [],
            "1 to 10 score 1, 11 to 25 score 2, 26 to 50 score 3, 51 to 75 score 4, 76 or more score 5",
            "",
        ),
        ("rooftop-watch", ("psi grey by mara",), [], "every face: not passed", ""),
    ],
)
def test_a_die_shows_its_bonus_for_every_owner(tmp_path, campaign, lines, faces, does, adds):
    here = opened(tmp_path, name=campaign).table.session
    here.do("start")
    for line in lines[:-1]:
        here.do(line)
    attempt, needs = begun(here, lines[-1], faces)
    found = meaning_of(attempt, needs)
    assert (found.does, found.adds) == (does, adds)


@pytest.mark.parametrize(
    ("campaign", "lines", "purpose"),
    [
        (
            "the-thin-place",
            ("attack wicked-thrasher-1 by aryn",),
            "submachine gun damage, critical: the dice count twice",
        ),
        ("the-goblin-ford", ("attack goblin-6 by ysolde",), "damage, critical: twice the dice"),
    ],
)
def test_a_damage_die_says_that_a_critical_counts_the_dice_twice(tmp_path, campaign, lines, purpose):
    here = opened(tmp_path, name=campaign).table.session
    here.do("start")
    attempt, needs = begun(here, lines[-1], [20])
    assert face_asked(here.encounter, needs, "", place_of(attempt, needs)).why == purpose
    assert needs.why == purpose.split(",")[0]  # an amendment finds the die by its reason
    attempt, needs = begun(here, lines[-1], [19])
    assert face_asked(here.encounter, needs, "", place_of(attempt, needs)).why == needs.why


def begun(here, line, faces=()):
    """Return the attempt of a line, and the die that it needs after these faces."""
    here.dice = "real"
    attempt = here.begin(line, asks=True)
    needs = attempt.run()
    for face in faces:
        attempt.give(needs, face)
        needs = attempt.run()
    assert isinstance(needs, DieRequest)
    return attempt, needs


def test_an_initiative_die_names_its_owner_and_bonus_and_a_tie_names_the_first(tmp_path):
    here = opened(tmp_path, name="the-thin-place").table.session
    attempt, needs = begun(here, "start")
    assert meaning_of(attempt, needs).adds == "+2"
    attempt, needs = begun(here, "start", [10] * 6)
    assert meaning_of(attempt, needs).does == "the highest goes first"
    here.dice = "program"
    here.do("start")
    attempt, needs = begun(here, "add aryk as Borin")
    asked = face_asked(here.encounter, needs, "", place_of(attempt, needs))
    assert (asked.owner, meaning_of(attempt, needs).adds) == ("Borin", "+2")


def test_a_new_die_of_an_amended_fight_says_what_it_decides(tmp_path):
    here = opened(tmp_path, name="okado-at-the-gate").table.session
    for line in ("start", "attack guard-1 by okado dice=15", "attack guard-1 by tamsin dice=12"):
        here.do(line)
    attempt, needs = begun(here, "amend 2 defence=active")
    found = meaning_of(attempt, needs)
    assert (found.does, found.adds) == ("for Okado, 1 to 19 hit, 20 depends on the next die", "melee 36")
    attempt, needs = begun(here, "amend 2 weapon=punch")
    found = meaning_of(attempt, needs)
    assert (found.does, found.adds) == ("14 or more: hit", "body, untrained in brawl 12")


def test_a_new_die_of_an_amended_fight_says_its_place_in_the_pool(tmp_path):
    here = opened(tmp_path, name="okado-at-the-gate").table.session
    for line in ("start", "damage guard-1 1d6 dice=3", "attack guard-1 by okado dice=15"):
        here.do(line)
    attempt, needs = begun(here, "amend 2 amount=3d8", [5])
    assert place_of(attempt, needs) == (2, 3)


@pytest.mark.parametrize(
    ("campaign", "line", "faces", "does"),
    [
        # A damage die decides nothing; the second of several also names the resistance.
        ("the-thin-place", "attack wicked-thrasher-1 by aryn", [15], ""),
        ("rooftop-watch", "explosion serpent,brute by idris", [], "50 or less: passed"),
        ("rooftop-watch", "explosion serpent,brute by idris", [40, 7], "65 or less: passed"),
        ("the-goblin-ford", "attack goblin-6 by ysolde", [15], ""),
        # In an opposed roll the first die names the other one, and the second says what is left open.
        ("okado-at-the-gate", "attack guard-1 defence=active by okado", [], "depends on Guard 1's d20 too"),
        ("okado-at-the-gate", "attack guard-1 defence=active by okado", [3], "for Okado, 19 or less: hit"),
        ("the-thin-place", "opposed villy by aryn", [], "depends on Villy's d20 too"),
        (
            "the-thin-place",
            "opposed villy by aryn",
            [3],
            "for Aryn, 1 to 2 won, 3 depends on the next die, 4 or more lost",
        ),
    ],
)
def test_a_later_die_says_which_outcomes_are_still_open(tmp_path, campaign, line, faces, does):
    here = opened(tmp_path, name=campaign).table.session
    here.do("start")
    here.dice = "real"
    attempt = here.begin(line, asks=True)
    needs = attempt.run()
    for face in faces:
        attempt.give(needs, face)
        needs = attempt.run()
    assert isinstance(needs, DieRequest)
    assert meaning_of(attempt, needs).does == does


@pytest.mark.parametrize(
    ("campaign", "lines", "why", "does", "adds"),
    [
        (
            "okado-at-the-gate",
            ("start", "damage tamsin 50", "next", "next", "next"),
            "body, unconscious",
            "17 or more: passed",
            "body 8",
        ),
        (
            "the-thin-place",
            ("start", "condition aryn stunned"),
            "Vit, stunned",
            "12 or more: passed",
            "Vit 2",
        ),
        (
            "the-thin-place",
            ("start", "set villy hp -1", "next", "next"),
            "dying",
            "4: dead",
            "",
        ),
        (
            "the-bone-court",
            ("start", "set ragnor status dying", "set ragnor death_choice miraculous"),
            "miraculous recovery",
            "1 to 9 dead, 10 to 18 dying, 19 or more conscious",
            "",
        ),
    ],
)
async def test_a_die_at_the_start_of_a_turn_says_what_it_decides(tmp_path, campaign, lines, why, does, adds):
    here = opened(tmp_path, name=campaign)
    session = here.table.session
    for line in lines:
        session.do(line)
    session.dice = "real"
    async with running(here) as pilot:
        await pilot.press("n")
        text = " ".join(text_of(here).split())
        assert f"{why} · {does}" in text or f"{why} {does}" in text
        assert f"added: {adds}" in text or not adds
        await pilot.press("escape")
        assert len(session.log.events) == len(lines)


def test_the_faces_do_what_the_explanation_says(tmp_path):
    here = opened(tmp_path, name="the-thin-place").table.session
    here.do("start")
    here.dice = "real"
    degrees = []
    for face in range(1, 21):
        attempt = here.begin("attack wicked-thrasher-1 by aryn", asks=True)
        while isinstance(needs := attempt.run(), DieRequest | ChoiceRequest):
            if isinstance(needs, ChoiceRequest):
                attempt.answer(needs.suggest)
            else:
                attempt.give(needs, face if not attempt.faces else 1)
        degrees.append(needs.results[0].degree)
    assert degrees == ["jam"] * 2 + ["miss"] * 4 + ["hit"] * 14


async def test_the_prompt_for_a_die_says_what_enter_does():
    async with playing(session("add okado", "add guard x2", "start")) as play:
        await play.press("Dd2 2d6<Enter>")
        assert "Enter roll" in play.text
        await play.press("4")
        assert "Enter accept" in play.text
        await play.press(" 6<Enter>ud2 2d6<Enter>")
        assert "Enter use them again" in play.text


async def test_the_faces_of_an_undone_command_are_offered_again_and_enter_accepts_them():
    async with playing(session("add okado", "add guard x2", "start")) as play:
        await play.press("Dd2 2d6<Enter>")
        await play.press("4 6<Enter>")
        assert [roll.face for roll in play.last.rolls] == [4, 6]
        await play.press("u")
        await play.press("d2,3 2d6<Enter>")
        assert "rolled before: 4 6" in play.text
        await play.press("<Enter>")
        assert [roll.face for roll in play.last.rolls] == [4, 6]
        assert len(play.last.targets) == 2
        await play.press("d2 2d6<Enter>")
        assert "rolled before" not in play.text
        await play.press("<Esc>")
        await play.press("u")
        await play.press("d2 2d6<Enter>")
        await play.press("1<Enter>")
        await play.press("r")
        assert play.last.rolls[0].face == 1


def test_a_die_of_a_pool_says_which_faces_count(tmp_path):
    campaign = copied(tmp_path, "the-goblin-ford") / "campaign.toml"
    campaign.write_text(campaign.read_text().replace("[house]\n", '[house]\nroll = "pool"\n', 1))
    here = opened(tmp_path, name="the-goblin-ford").table.session
    here.do("start")
    attempt, needs = begun(here, "check skill=stealth by tobin", [5])
    assert meaning_of(attempt, needs).does == "5 or more counts"


@pytest.mark.parametrize(
    ("name", "lines", "done", "faces"),
    [
        ("rooftop-watch", ("start",), "explosion serpent,brute by idris", "40 7 80"),
        ("the-thin-place", ("start", "condition aryn stunned"), "next", "5"),
        ("the-thin-place", (), "start", "15 10 10 5 6 9"),
    ],
)
async def test_a_sweep_a_save_and_initiative_offer_their_earlier_faces_again(
    tmp_path, name, lines, done, faces
):
    here = opened(tmp_path, name=name)
    for line in lines:
        here.table.session.do(line)
    here.table.session.dice = "real"
    async with running(here) as pilot:
        for again in (False, True):
            await pilot.press(":", *done, "enter")
            assert (f"rolled before: {faces}" in text_of(here)) is again
            await pilot.press(*(() if again else faces), "enter")
            if "Spend the Aether Mark?" in text_of(here):
                await pilot.press("1")
            rolls = here.table.session.log.events[-1].rolls
            assert " ".join(str(roll.face) for roll in rolls) == faces
            if not again:
                await pilot.press("u")


async def test_the_totals_of_an_undone_start_are_in_the_line_again(tmp_path):
    here = opened(tmp_path, name="the-thin-place")
    here.table.session.dice = "real"
    async with running(here) as pilot:
        await pilot.press(
            "n", *"aryk 14 aryn 9 villy 5 wicked-thrasher-1 1 wicked-thrasher-2 2 aetherling 3", "enter"
        )
        assert here.table.session.log.events[-1].command == "start"
        await pilot.press("u", "n")
        assert "wicked-thrasher-1 1 wicked-thrasher-2 2 aetherling 3" in text_of(here)


def shielded() -> Any:
    """A session of Emberfall with real dice, in which Ada attacks a mage that can raise a shield."""
    fight = emberfall("add ada", "add mage", "start", mage={"shield": 5})
    here = session_of(fight.game, fight.house, "manual", fight.roster, fight.opening, [], Shelf())
    here.encounter, here.log = fight.encounter, fight.log
    here.dice = "real"
    return here


def test_a_die_says_which_hits_a_reaction_may_still_stop():
    attempt = shielded().begin("attack mage", asks=True)
    needs = attempt.run()
    assert isinstance(needs, DieRequest)
    assert meaning_of(attempt, needs).does == (
        "1 to 7 miss; 8 to 12 hit, unless Ember Shield; 13 to 19 hit; 20 critical"
    )


def test_a_player_with_exact_odds_reads_nothing_of_the_reactions_of_others():
    attempt = shielded().begin("attack mage", asks=True)
    needs = attempt.run()
    does, _ = die_for_seat(attempt, needs, Viewer(frozenset({"ada"})), Shown(odds="exact"))
    assert does == "1 to 7 miss, 8 to 19 hit, 20 critical"
