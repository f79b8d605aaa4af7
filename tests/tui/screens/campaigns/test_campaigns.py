"""The chooser, driven by keys on copies of the sample campaigns."""

from types import SimpleNamespace

import pytest

from systems.encounter.model import new_encounter as fight_of
from systems.encounter.serialize import plain
from systems.errors import Wrong
from systems.frozen import evolve
from tests.tui.opened import OKADO, copied, opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.app import AffrayApp
from tui.campaign.campaign import load
from tui.campaign.openings import new_encounter
from tui.campaign.watch import reread
from tui.controllers.choosing import game_named
from tui.session.write_queue import Saved


def chooser(folder) -> AffrayApp:
    here = AffrayApp(chooser=True)
    here.table.folder = str(folder / "campaigns")
    return here


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 40)])
async def test_without_a_campaign_samples_are_offered_and_one_key_opens_one(size, tmp_path):
    here = chooser(tmp_path)
    async with running(here, size) as pilot:
        text = text_of(here)
        assert "Samples, ready to play" in text
        assert "Okado at the gate" in text
        while here.screen.list.current.name != OKADO:
            await pilot.press("down")
        await pilot.press("enter")
        assert here.current_mode == "initiative"
        assert here.table.session is not None
        assert (tmp_path / "campaigns" / OKADO / "campaign.toml").is_file()
        here.table.fight.close()


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_a_question_keeps_its_campaign_visible(size, tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here, size) as pilot:
        await pilot.press("C", "n", *"Mill", "enter")
        above = text_of(here).split("Which game")[0]
        assert "▸ Okado at the gate" in above
        assert "▸ North gate" in above


async def test_a_played_sample_opens_again_and_one_key_starts_a_new_copy(tmp_path):
    here = opened(tmp_path, "north-gate")
    here.table.session.do("start")
    async with running(here) as pilot:
        await pilot.press("C")
        assert here.screen.list.current.name == OKADO
        assert "s starts this sample again as a new copy" in text_of(here)
        for stays in ("Esc order", "? help", "quit"):
            assert stays in text_of(here).rstrip().split("\n")[-1]
        await pilot.press("s")
        again = tmp_path / "campaigns" / f"{OKADO}-2"
        assert here.screen.list.current.name == again.name
        assert f"{again.name} is a new copy" in text_of(here)
        assert load(again).encounters["north-gate"].state == "prepared"
        await pilot.press("s")
        assert "Choose a sample that you have opened" in text_of(here)
        await pilot.press("enter")
        assert here.table.campaign.name == again.name
        assert len(here.table.session.log.events) == 0
        here.table.fight.close()
    assert load(tmp_path / "campaigns" / OKADO).encounters["north-gate"].state == "running"


async def test_the_chooser_shows_the_folder_of_campaigns_and_its_reason(tmp_path):
    here = chooser(tmp_path)
    async with running(here, (140, 40)):
        assert "given with --campaigns" in text_of(here)


async def test_a_broken_campaign_shows_its_error_in_its_row_and_the_others_open(tmp_path):
    copied(tmp_path)
    for name, text in (("torn", 'format = 1\ntitle = "x'), ("alien", 'format = 1\nsystem = "nope"\n')):
        (tmp_path / "campaigns" / name).mkdir()
        (tmp_path / "campaigns" / name / "campaign.toml").write_text(text)
    here = chooser(tmp_path)
    async with running(here, (140, 40)) as pilot:
        text = text_of(here)
        assert "torn" in text
        assert "campaign.toml:2" in text
        assert "no game is called nope" in text
        while here.screen.list.current.name != "torn":
            await pilot.press("down")
        await pilot.press("enter")
        assert here.current_mode == "campaigns"
        assert here.services.messages.is_error


async def test_errors_start_at_their_beginning_and_equal_titles_show_their_folders(tmp_path):
    copied(tmp_path)
    for name, text in (
        ("torn", 'format = 1\ntitle = "x'),
        ("again", 'format = 1\ntitle = "Okado at the gate"\n'),
    ):
        (tmp_path / "campaigns" / name).mkdir()
        (tmp_path / "campaigns" / name / "campaign.toml").write_text(text)
    here = chooser(tmp_path)
    async with running(here) as pilot:
        assert "okado-at-the-gate · Okado" in text_of(here)
        while here.screen.list.current.name != "torn":
            await pilot.press("down")
        about = text_of(here).split("Encounters of")[1]
        assert "campaign.toml:2" in about


async def test_an_encounter_is_chosen_with_the_keyboard(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("C")
        text = text_of(here)
        assert "finished" in text
        assert "prepared" in text
        await pilot.press("right", "end", "enter")
        assert here.table.fight.encounter == "bridge"
        assert here.table.session.encounter.progress.over
        here.table.fight.close()


async def test_changes_from_outside_leave_both_cursors_in_place(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("C")
        await pilot.press("right", "end")
        chosen = here.screen.encounters.current.id
        assert chosen != "north-gate"
        here.services.show_all()
        assert here.screen.encounters.current.id == chosen
        here.table.fight.close()


async def test_the_first_picture_shows_no_ids_of_games(tmp_path):
    here = chooser(tmp_path)
    async with running(here):
        here.screen.list._games = evolve(here.screen.list._games, titles={})
        here.screen.list.show_rows()
        text = text_of(here)
    assert "sample" in text
    assert not any(f"  {name} " in text for name in ("arden", "atlantis", "srd5", "xcom"))


async def test_the_game_that_a_typed_word_means_is_marked(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("C", "n", *"Mill", "enter")
        for word in ("5e", "dnd", "d20 fantasy", "srd5"):
            await pilot.press(*("space" if letter == " " else letter for letter in word))
            marked = [line for line in text_of(here).split("\n") if line.startswith("▌")]
            assert len(marked) == 1
            assert "SRD 5.2 (d20 fantasy)" in marked[0]
            await pilot.press(*["backspace"] * len(word))
        await pilot.press("d")
        assert not any(line.startswith("▌") and "SRD" in line for line in text_of(here).split("\n"))


async def test_games_are_listed_and_chosen_by_title(tmp_path):
    here = chooser(tmp_path)
    async with running(here, (80, 40)) as pilot:
        await pilot.press("down", "down")
        at = here.screen.list.cursor
        await pilot.until(lambda: not here.screen.list.untitled)
        assert here.screen.list.cursor == at
        for title in ("The Ages of Arden", "Atlantis", "Atomic D20", "Enter the Waygate", "XCOM-inspired"):
            assert title in text_of(here)
        await pilot.press("n", *"ferry", "enter")
        assert "1 The Ages of Arden" in text_of(here)
        await pilot.press(*"ages of chess", "enter")
        assert "There is no game ages of chess" in text_of(here)
        await pilot.press("ctrl+u", *"the ages of arden", "enter")
        assert load(tmp_path / "campaigns" / "ferry").system == "arden"


async def test_a_new_campaign_can_get_an_encounter(tmp_path):
    here = chooser(tmp_path)
    async with running(here) as pilot:
        await pilot.press("n", *"a/b", "enter")
        assert "folder" in text_of(here)
        await pilot.press("ctrl+u", *"ferry", "enter")
        await pilot.press(*"zzz", "enter")
        assert "There is no game zzz" in text_of(here)
        await pilot.press("ctrl+u", *"atlantis", "enter")
        assert load(tmp_path / "campaigns" / "ferry").system == "atlantis"
        assert here.screen.list.current.name == "ferry"
        await pilot.press("e", *"The landing", "enter")
        await pilot.press(*"nobody", "enter")
        assert 'The roster has no "nobody"' in text_of(here)
        assert "nobody: the roster" not in text_of(here)
        await pilot.press("ctrl+u", "enter")
        assert "the-landing" in load(tmp_path / "campaigns" / "ferry").encounters


async def test_an_encounter_is_prepared_with_combatants_and_has_not_begun(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("C")
        await pilot.press("e", *"Ambush", "enter")
        assert "Okado, Tamsin, " in text_of(here)
        assert "Okado, Tamsin, Guard, Raider captain" in text_of(here)
        await pilot.press(*"guard x2, wolf in round 3", "enter", "enter")
        assert here.table.fight.encounter == "ambush"
        assert [one.name for one in here.table.session.encounter] == [
            "Okado",
            "Tamsin",
            "Guard 1",
            "Guard 2",
            "Wolf",
        ]
        assert len(here.table.session.log.events) == 0
        here.table.fight.close()


async def test_an_encounter_is_prepared_with_a_number_and_a_plural(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("C", "e", *"Ambush", "enter", *"4 guards, 2 wolves in round 3", "enter", "enter")
        names = [combatant.name for combatant in here.table.session.encounter]
        assert names[:2] == ["Okado", "Tamsin"]
        assert names[2:] == ["Guard 1", "Guard 2", "Guard 3", "Guard 4", "Wolf h1", "Wolf h2"]
        here.table.fight.close()


async def test_a_cancelled_encounter_of_a_sample_copies_nothing(tmp_path):
    here = chooser(tmp_path)
    async with running(here) as pilot:
        while here.screen.list.current.name != OKADO:
            await pilot.press("down")
        copy = tmp_path / "campaigns" / OKADO
        await pilot.press("e", *"Ambush", "enter", *"4 griffins", "enter")
        assert "4 griffins" in text_of(here)
        assert not copy.exists()
        await pilot.press("escape")
        assert not copy.exists()
        await pilot.press("e", *"Ambush", "enter", *"4 guards", "enter")
        assert load(copy).encounters["ambush"].state == "prepared"


async def test_preparing_a_fight_names_the_dead_characters_it_leaves_out(tmp_path):
    here = opened(tmp_path)
    sheet = tmp_path / "campaigns" / OKADO / "roster" / "tamsin.toml"
    sheet.write_text(sheet.read_text() + "\nlife = -200\n")
    async with running(here) as pilot:
        await pilot.press("C", "e", *"Ambush", "enter")
        assert " > Okado,\n" in text_of(here)
        assert "Not in the line: Tamsin is dead. Type the name to add a character anyway." in text_of(here)
        await pilot.press("ctrl+u", *"party, guard", "enter")
        assert here.sentence == "Ambush is prepared. Tamsin is dead and stays out. Enter opens it."
        await pilot.press("enter")
        names = [combatant.name for combatant in here.table.session.encounter]
        assert names == ["Okado", "Guard"]
        await pilot.press("C", "e", *"Wake", "enter", "ctrl+u", *"party, tamsin", "enter")
        assert here.sentence == "Wake is prepared. Enter opens it."
        here.table.fight.close()


async def test_a_new_campaign_is_the_open_one(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("C", "n", *"ferry", "enter", *"xcom", "enter")
        assert "is created and open" in here.sentence
        assert here.current_mode == "campaigns"
        assert here.table.campaign.name == here.table.fight.campaign.name == "ferry"
        await pilot.press("R")
        assert "Okado" not in text_of(here)
        here.table.fight.close()
    assert not (tmp_path / "campaigns" / OKADO / ".lock").exists()


async def test_an_encounter_prepared_here_is_not_reported_as_an_outside_change(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("C", "e", *"Ambush", "enter", "enter")
        file = "encounters/ambush/opening.toml"
        assert not reread(here.table.campaign, [file])
        path = here.table.campaign.path / file
        path.write_text(path.read_text() + "# mine\n")
        assert reread(here.table.campaign, [file]).changes == (
            f"{file} was changed outside Affray and has been read again",
        )
        here.table.fight.close()


async def test_escape_creates_nothing(tmp_path):
    here = chooser(tmp_path)
    async with running(here) as pilot:
        await pilot.press("n", *"ferry", "enter", "escape")
        assert not (tmp_path / "campaigns").exists()


async def test_another_fight_cannot_be_opened_while_events_are_unsaved(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("C")
        here.background.write_queue = SimpleNamespace(saved=Saved(1, "20:14", "disk full"))
        await pilot.press("right", "end", "enter")
        assert here.table.fight.encounter == "north-gate"
        assert "disk full" in here.sentence
        here.table.fight.close()


async def test_the_header_of_the_chooser_shows_no_round_of_another_fight(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("n")
        assert "Round 1" in text_of(here).splitlines()[0]
        await pilot.press("C")
        assert "Round" not in text_of(here).splitlines()[0]
        assert "Campaigns" in text_of(here).splitlines()[0]


async def test_f_switches_between_two_fights_that_keep_separate_undo(tmp_path):
    here = opened(tmp_path, "north-gate")
    here.table.session.do("start")
    campaign = here.table.campaign
    empty = plain(fight_of(campaign.ruleset, campaign.house, title="Well"))
    new_encounter(campaign, "Well", empty)
    async with running(here) as pilot:
        await pilot.press("F")
        assert "No other fight is in progress" in text_of(here)
        await pilot.press("C", "right", "down", "enter")
        assert here.table.fight.encounter == "well"
        await pilot.press(*"+guard", "enter", "n")
        await pilot.press("F")
        assert here.table.fight.encounter == "north-gate"
        assert "North gate, round 1" in text_of(here)
        await pilot.press("u")
        assert here.table.session.encounter.progress.round == 0
        await pilot.press("F")
        assert here.table.fight.encounter == "well"
        assert here.table.session.encounter.progress.round == 1
        await pilot.press("F")
        assert here.table.fight.encounter == "north-gate"
        here.table.fight.close()


def test_a_game_can_be_named_by_number_or_by_the_beginning_of_its_name_or_title():
    assert [game_named(word) for word in ("1", "atla", "enter the", "XCOM")] == [
        *("arden", "atlantis", "waygate", "xcom"),
    ]
    with pytest.raises(Wrong, match="at could be Atlantis "):
        game_named("at")
    with pytest.raises(Wrong, match="there is no game zz"):
        game_named("zz")


@pytest.mark.parametrize(
    ("typed", "game"), [("d20 f", "srd5"), ("fantasy", "srd5"), ("pathf", "simple"), ("x-c", "xcom")]
)
def test_a_game_is_found_by_the_beginning_of_a_word_of_its_title_or_of_another_name(typed, game):
    assert game_named(typed) == game


@pytest.mark.parametrize("is_open", [False, True])
async def test_typing_filters_the_campaigns_by_name_game_and_game_in_progress(tmp_path, is_open):
    copied(tmp_path, OKADO)
    running_fight = opened(tmp_path, name="the-goblin-ford")
    running_fight.table.session.do("start")
    here = running_fight
    if not is_open:
        running_fight.table.fight.close()
        here = chooser(tmp_path)
    async with running(here) as pilot:
        if is_open:
            await pilot.press("C")
        every = here.screen.list.count
        await pilot.press("slash", *"toll")
        assert [here.screen.list.current.name, here.screen.list.count] == ["the-toll-road", 2]
        await pilot.press(*["backspace"] * 4, *"in prog")
        assert here.screen.list.current.name == "the-goblin-ford"
        assert here.screen.list.count == 1
        assert here.screen.encounters.current.state == "running"
        await pilot.press("enter")
        assert here.screen.list.count == every
        assert here.screen.list.current.name == "the-goblin-ford"
        assert here.screen.encounters.current.state == "running"
        await pilot.press("slash", *"5e")
        assert [here.screen.list.current.name, here.screen.list.count] == ["the-sunken-vault", 2]
        await pilot.press("escape")
        await pilot.press("slash", *"bridge at")
        assert here.screen.encounters.current.title == "The bridge at dusk"
        await pilot.press(*"zz")
        assert "Nothing here matches" in text_of(here)
        assert here.screen.list.count == every
        await pilot.press("escape")
        assert here.screen.list.count == every
