"""What the games ask at the right moment, by keys: a grenade at several, a kept boon, an alert target."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tui.opened import OKADO, opened, playing_sample
from tests.tui.pilot import running
from tests.tui.table import Play

ASKED: Sequence[tuple[str, Sequence[str], str, str, str]] = [
    ("rooftop-watch", ("start",), "jl3-5", "at most", "Idris's explosion: "),
    (
        "the-bone-court",
        ("start", "condition black-knight boon"),
        "a4<Enter>",
        "Does Black Knight spend a boon of 1 on this roll?",
        "Black Knight ",
    ),
    (
        "the-toll-road",
        ("start", "condition bandit-chief alert"),
        ":attack bandit-chief by ilsa<Enter>",
        "is alert. What must its Perception beat before the blow?",
        "Bandit chief notices ",
    ),
]


@pytest.mark.parametrize(("campaign", "lines", "typed", "asked", "told"), ASKED)
async def test_it_is_asked_before_the_dice_and_enter_goes_on(
    campaign: str, lines: Sequence[str], typed: str, asked: str, told: str, tmp_path: Path
) -> None:
    async with playing_sample(tmp_path, campaign, *lines) as play:
        before = len(play.session.log.events)
        await play.press(typed)
        assert asked in play.text
        assert len(play.session.log.events) == before
        await play.press("<Enter>")
        assert play.last.text.startswith(told)


@pytest.mark.parametrize(
    ("lines", "asks"),
    [
        ((), False),
        (('set aryn weapons.pistol "2d6 ranged, firearm, clip 6"',), True),
    ],
)
async def test_a_reload_is_one_key_with_a_single_gun(
    lines: Sequence[str], asks: bool, tmp_path: Path
) -> None:
    async with playing_sample(
        tmp_path, "the-thin-place", "start aryn 30", *lines, 'set aryn weapons."submachine gun".loaded 3'
    ) as play:
        await play.press("l")
        assert (play.last.command == "action") is not asks
        if asks:
            await play.press("<Enter>")
        assert play.last.text == "Aryn reloads the submachine gun (3 → 30 rounds)."


async def test_escape_leaves_a_question_from_the_option_that_it_began_with(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-toll-road", "start ilsa 30") as play:
        await play.press("m9<Enter>")
        assert "moves 4 spaces at most" in play.text
        await play.press("<Esc>")
        assert play.app.services.prompts.current is None


async def test_options_of_a_check_can_be_typed_by_name_as_on_the_command_line(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-thin-place", "start aryn 30") as play:
        await play.press("tt=")
        assert '"t" could be threshold, training or threshold_modifier' in play.text
        await play.press("<Esc><Esc>")
        await play.press("tthr=12 at=dex<Enter>")
        assert play.last.options == {"threshold": 12, "attribute": "dex"}
        await play.press("tat=dex dif=med mod=-2<Enter>")
        done = play.last
    options = {"attribute": "dex", "difficulty": "medium", "modifier": -2}
    assert (done.action, done.options) == ("test", options)


async def test_an_ambiguous_beginning_of_an_option_is_decided_by_its_value(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, OKADO, "start") as play:
        await play.press("tab=stealth t=")
        assert '"t" could be threshold or trait' in play.text
        await play.press("25 t=mi<Enter>")
        done = play.last
    assert done.options == {"ability": "stealth", "threshold": 25, "trait": "mind"}


@pytest.mark.parametrize("typed", ["f2 ab=mel defence_ab=mel<Enter>", "fab=mel defence_ab=mel<Down><Enter>"])
async def test_a_tag_and_named_options_are_understood_before_the_ability(typed: str, tmp_path: Path) -> None:
    async with playing_sample(tmp_path, OKADO, "start") as play:
        await play.press(typed)
        done = play.last
    assert (done.action, done.targets) == ("contest", ("guard-2",))
    assert done.options == {"ability": "melee", "defence_ability": "melee"}


async def test_the_missing_options_of_a_check_by_several_follow_their_names(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, OKADO, "start") as play:
        await play.press("tath<ctrl+t>4-5<Enter>25<Enter>")
        assert [result.actor for result in play.last.results] == ["okado", "tamsin"]


async def test_the_first_value_needs_no_name_and_later_ones_have_one(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-bone-court", "start") as play:
        await play.press("m12 rel=h,l man=sh<Enter>")
        done = play.last
    assert done.options == {
        "relevant": ["high_concept", "lineage"],
        "maneuver": "Shield Bash",
        "difficulty": 12,
    }


async def test_an_offer_is_listed_in_words_and_found_by_its_combatants(
    tmp_path: Path,
) -> None:
    async with playing_sample(
        tmp_path, "the-bone-court", "start", "damage ragnor 10", "damage ragnor 10"
    ) as play:
        await play.press("xragnor")
        assert "offer  choice in death, choice miraculous" in play.text
        assert "Ragnor is dying" in play.text
        assert "death_choice" not in play.text


async def test_the_key_shown_after_an_action_chooses_it_in_the_list_of_all(tmp_path: Path) -> None:
    here = opened(tmp_path, None, "rooftop-watch")
    assert here.table.session is not None
    here.table.session.do("start")
    async with running(here, (110, 30)) as pilot:
        play = Play(here, pilot)
        await play.press("x")
        assert "other action (f)" in play.text
        await play.press("f<Enter>")
        assert "other action" in play.text.casefold()
        assert "overwatch" not in play.text.casefold()


async def test_each_member_of_a_group_attacks_once_before_any_attacks_twice(
    tmp_path: Path,
) -> None:
    async with playing_sample(
        tmp_path, "the-thin-place", "group wicked-thrasher-1,wicked-thrasher-2", "start wicked-thrasher-1 30"
    ) as play:
        found = []
        for keys in ("a4<Enter>", "a4<Enter>", "."):
            await play.press(keys)
            found.append(play.last.actor)
        assert found == ["wicked-thrasher-1", "wicked-thrasher-2", "wicked-thrasher-1"]


async def test_usual_options_are_named_in_the_row_and_a_defence_shows_its_value(
    tmp_path: Path,
) -> None:
    rested = ("set skeleton-1 max_stamina 1", "set skeleton-1 stamina 1")
    async with playing_sample(tmp_path, "the-bone-court", "start", *rested) as play:
        await play.press("a")
        assert " use stamina yes   weapon war axe · practice spontaneous" in play.text
        await play.press("<Esc>")
        play.session.do("next")
        play.session.do("next")
        play.session.do("next")
        await play.press("a5<Enter>")
        assert "Does Black Knight dodge with Reflex (+3) or endure with Fortitude (+6)?" in play.text


async def test_a_healing_spell_suggests_the_friend_with_the_worst_wounds(tmp_path: Path) -> None:
    async with playing_sample(
        tmp_path, "the-thin-place", "start villy 30", "set aryn hp 3", "set aryk hp 8"
    ) as play:
        await play.press("s<Enter>")
        assert play.last.targets == ("aryn",)


@pytest.mark.parametrize(
    ("campaign", "keys", "shown"),
    [
        ("the-bone-court", "a4<Tab>", "relevant  (none)  high concept"),
        ("the-thin-place", "m", "attribute (magic)"),
    ],
)
async def test_defaults_are_words_without_brackets_or_quotes(
    campaign: str, keys: str, shown: str, tmp_path: Path
) -> None:
    async with playing_sample(tmp_path, campaign, "start", size=(110, 34)) as play:
        await play.press(keys)
        assert shown in play.text


async def test_a_blank_after_a_typed_list_moves_to_the_next_option(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "rooftop-watch", "start", size=(110, 34)) as play:
        await play.press("mood dash=y<Enter>")
        assert (
            "Mara dashes 3 squares, still behind half cover, no action left. Cost 4, mobility 24"
            in play.last.text
        )


async def test_a_move_without_an_action_left_takes_the_squares_and_says_why_it_is_refused(
    tmp_path: Path,
) -> None:
    lines = ("start", "set mara actions_left 0")
    async with playing_sample(tmp_path, "rooftop-watch", *lines) as play:
        before = len(play.session.log.events)
        await play.press("m7")
        assert "Mara has no action left this turn and cannot move." in play.text
        assert "expected yes or no" not in play.text
        await play.press("<Enter>")
        assert "! Mara has no action left this turn and cannot move." in play.text
        assert len(play.session.log.events) == before


async def test_a_condition_is_called_in_the_question_as_in_the_log(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-toll-road", "start") as play:
        await play.press("c1 flat")
        assert "flat-footed" in play.text
        assert "flat_footed" not in play.text
        await play.press("<Enter>")
        assert play.last.text.endswith("is flat-footed.")


async def test_a_check_with_an_optional_target_can_be_made_by_several(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-toll-road", "start") as play:
        await play.press("tend<Tab>13 en=no<ctrl+t>players<Enter>")
        assert play.last.typed == "check ability=endurance dc=13 encounter=no by ilsa,bram"
        assert play.last.text.startswith("Check by 2: ")


async def test_after_a_fight_the_party_rests_regardless_of_the_turn(
    tmp_path: Path,
) -> None:
    lines = ("start", "set ragnor stamina 0", "set tamar death_choice last_words", *["next"] * 3, "end")
    async with playing_sample(tmp_path, "the-bone-court", *lines) as play:
        here = play.session.encounter
        assert not here.is_player(here.combatants[here.progress.turn or ""])
        await play.press("E")
        assert "death choice none → last words" in play.text
        await play.press("<Esc>x")
        assert "Black Knight: all actions" in play.text
        await play.press("<Esc>z")
        assert "Black Knight, Ragnor and Tamar · half an hour's rest" in play.text
        await play.press("<Enter>")
        assert play.last.typed == "rest_half_hour by black-knight,ragnor,tamar"
        assert play.session.encounter.combatants["ragnor"].sheet.stamina == 1


async def test_the_dead_do_not_rest_with_the_party_and_the_example_of_spoils_names_one_of_it(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, "the-bone-court", "start", "set ragnor status dead", "end") as play:
        await play.press("E")
        assert "such as Black Knight: 30 gold" in play.text
        await play.press("<Esc>z<Enter>")
        assert play.last.typed == "rest_half_hour by black-knight,tamar"


async def test_a_number_that_is_not_listed_counts_where_the_option_takes_it_and_stays_as_the_past_changes(
    tmp_path: Path,
) -> None:
    async with playing_sample(
        tmp_path, "the-toll-road", "note dusk", "start", "condition bandit-chief alert"
    ) as play:
        for typed, told in (("14", "against 14"), ("1", "against 1")):
            await play.press(f":attack bandit-chief by ilsa<Enter>{typed}<Enter>")
            assert f" {told}." in play.last.text
            await play.press("u")
        await play.press(":attack bandit-chief by ilsa<Enter>14<Enter>")
        await play.press(":amend 1 note dawn<Enter><Enter>")
        assert "dawn" in play.session.log.as_amended[0].text
        assert any("against 14." in event.text for event in play.session.log.as_amended)


async def test_a_choice_among_numbers_is_typed_as_the_number_that_is_meant(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-toll-road", "start", "condition bandit-chief alert") as play:
        await play.press(":attack bandit-chief by ilsa<Enter>")
        before = len(play.session.log.events)
        assert "type any number from 0 to 199" in play.text
        await play.press("200<Enter>")
        assert "200 is not any number from 0 to 199" in play.text
        assert len(play.session.log.events) == before
        await play.press("<backspace><backspace><backspace>15<Enter>")
        assert "against 15" in play.last.text


async def test_an_option_that_is_a_combatant_shows_its_name_in_the_prompt(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-thin-place", "start aryn 30", "damage villy 30") as play:
        await play.press("<Enter>")
        assert "Villy · return from death · mark of Aryn" in play.text
        assert "mark of Aryn  " in play.text
        await play.press("<Tab><Tab>")
        assert play.text.count("mark of Aryn") == 3


async def test_several_deaths_are_one_question_that_outlives_the_turn(tmp_path: Path) -> None:
    begun = ("start aryn 30 wicked-thrasher-1 20", "damage players 90")
    async with playing_sample(tmp_path, "the-thin-place", *begun) as play:
        assert "Aryk, Aryn and Villy die; an Aether Mark can bring each of them back" in play.text
        assert "(choose one)" in play.text
        await play.press("n")
        assert "Aryk, Aryn and Villy die;" in play.text
        before = len(play.session.log.events)
        await play.press("<Enter>")
        assert re.search(r"Villy +return from death, mark of Ary", play.text), play.text
        assert len(play.session.log.events) == before
        await play.press("aryn<Enter>")
        assert play.last.typed == "bring_back by aryn"
        assert "Aryk and Villy die;" in play.text
        await play.press("u<Enter><escape>")
        assert "Aryk, Aryn and Villy die;" in play.text


async def test_a_mark_is_not_spent_by_enter_alone_when_the_offer_is_from_an_earlier_turn(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, "the-thin-place", "start", "damage aryk 90", "next") as play:
        before = len(play.session.log.events)
        await play.press("<Enter>")
        assert len(play.session.log.events) == before
        await play.press("<Enter>")
        assert play.last.typed == "bring_back by aryk"


async def test_a_choice_is_asked_only_of_combatants_that_have_it_and_others_get_the_reason(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, "the-bone-court", "start") as play:
        await play.press("l")
        assert "Black Knight is active; only the dying have last breaths to spend." in play.text
        assert play.app.services.prompts.current is None
        await play.press("x")
        assert "only the dying" in play.text
        await play.press("<escape>")
        play.session.do("set ragnor status dying")
        await play.press("<down>l")
        assert "Ragnor · choice in death" in play.text


async def test_a_grenade_picked_for_an_attack_becomes_the_explosion_and_a_rifle_the_attack_again(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, "rooftop-watch", "start", size=(110, 34)) as play:
        await play.press("ja<Tab>gre")
        assert "Idris · explosion" in play.text
        assert "grenade" in play.text
        assert "at most" in play.text  # the target that the Defense check has to stay within
        await play.press("<backspace><backspace><backspace>rif")
        assert "Idris · attack" in play.text
        await play.press("<backspace><backspace><backspace>gre<Enter>")
        assert (play.last.action, play.last.options) == ("explosion", {"weapon": "grenade"})
        assert play.last.text.startswith("Idris's explosion")
        assert play.one("idris").sheet.actions_left == 0


async def test_targets_and_a_grenade_in_the_line_of_an_attack_are_those_of_the_explosion(
    tmp_path: Path,
) -> None:
    async with playing_sample(tmp_path, "rooftop-watch", "start", size=(110, 34)) as play:
        await play.press("ja3-5 weapon=grenade<Enter>")
        assert (play.last.action, len(play.last.targets)) == ("explosion", 3)


PISTOL = 'set villy weapons.pistol "2d6 ranged, firearm, clip 6"'


async def test_the_only_weapon_that_reloads_is_reloaded_and_of_two_only_these_are_asked_about(
    tmp_path: Path,
) -> None:
    """Villy's first weapon is a knife."""
    async with playing_sample(
        tmp_path, "the-thin-place", "start villy 30", PISTOL, "set villy weapons.pistol.loaded 2"
    ) as play:
        await play.press("l")
        assert (play.last.action, play.last.options) == ("reload", {"weapon": "pistol"})
        play.session.do('set villy weapons.rifle "2d8 ranged, firearm, clip 4"')
        play.session.do("set villy weapons.rifle.loaded 1")
        await play.press("l<Tab>")
        assert "pistol" in play.text
        assert "rifle" in play.text
        assert "knife" not in play.text.split("reload")[-1]
        await play.press("<Esc><Esc>l<Enter>")
        assert "Villy reloads the pistol" in play.last.text
        play.session.do("set villy weapons.rifle.jammed yes")
        play.session.do("unjam by villy")
        assert play.last.text == "Villy clears the rifle."


@pytest.mark.parametrize(
    ("campaign", "lines", "key", "says"),
    [
        ("the-thin-place", ("start villy 30",), "l", "Villy has no weapon that reloads"),
        ("the-thin-place", ("start villy 30", PISTOL), "f", "Villy has no jammed weapon"),
        ("the-thin-place", ("start aryn 30",), "s", "Aryn has no healing spell"),
        ("the-goblin-ford", ("start goblin-6 99",), "s", "Goblin 6 has no counter"),
    ],
)
async def test_a_key_for_something_that_the_combatant_lacks_says_so(
    campaign: str, lines: Sequence[str], key: str, says: str, tmp_path: Path
) -> None:
    async with playing_sample(tmp_path, campaign, *lines) as play:
        before = len(play.session.log.events)
        await play.press(key)
        assert says in play.text
        assert play.app.services.prompts.current is None
        assert len(play.session.log.events) == before


async def test_the_key_of_the_aether_mark_says_that_it_is_awarded(tmp_path: Path) -> None:
    async with playing_sample(tmp_path, "the-thin-place", "start villy 30") as play:
        await play.press("xaward")
        assert "award Aether Mark" in play.text
        await play.press("<Esc>g")
        assert play.last.action == "award_mark"
