"""Summaries of encounters in the list of campaigns."""

from pathlib import Path

import pytest

from tests.tui.opened import OKADO, copied, opened
from tui.campaign.encounters import EncounterInfo, encounters_of, info_of
from tui.campaign.openings import new_encounter
from tui.campaign.summary import EncounterSummary, summary_of
from tui.controllers.choosing import opening_with
from tui.display.campaigns import summary_rows


def info(campaign: Path, encounter: str) -> EncounterInfo:
    return encounters_of(campaign)[0][encounter]


def test_a_summary_has_the_combatants_the_round_and_the_last_line(tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    here.table.session.do("start")
    here.table.session.do('note the "gate" gives way')
    here.table.fight.close()
    folder = tmp_path / "campaigns" / OKADO
    found = summary_of(folder, info(folder, "north-gate"))
    assert {"Okado", "Tamsin", "Guard 1", "Guard 2"} <= set(found.names)
    assert (found.round, found.last) == (1, 'the "gate" gives way')


def test_no_combatant_is_listed_twice_for_an_encounter_that_the_program_wrote(tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    campaign = here.table.campaign
    campaign, made = new_encounter(
        campaign, "Mill", opening_with(campaign, "Mill", "okado, wolf x2").document
    )
    here.table.fight.close()
    assert summary_of(campaign.path, campaign.encounters[made]).names == ("Okado", "Wolf 1", "Wolf 2")


def test_a_summary_of_an_encounter_that_began_empty_lists_the_added_combatants(tmp_path: Path) -> None:
    here = opened(tmp_path, "north-gate")
    folder = tmp_path / "campaigns" / OKADO
    here.table.session.do("add guard x2 as Sentry hidden")
    here.table.session.do("add wolf")
    here.table.fight.close()
    opening = folder / "encounters" / "north-gate" / "opening.toml"
    empty = opening.read_text().partition("[[combatant]]")[0]
    opening.write_text(empty)
    assert summary_of(folder, info(folder, "north-gate")).names == ("Sentry h2", "Sentry h3", "Wolf")


def test_the_rows_count_equal_creatures_and_end_in_a_sign_if_there_is_no_room() -> None:
    told = EncounterSummary(("Ana", "Guard 1", "Guard 2"), 2, "Ana hits Guard 1: " + "much is said, " * 30)
    told_of = EncounterInfo("gate", "The gate", "running", 4)
    rows = summary_rows(told_of, told, 60, 3)
    said = ["".join(text for text, _ in row) for row in rows]
    assert said[0] == " The gate, running, round 2: Ana and Guard ×2"
    named = summary_rows(told_of, EncounterSummary(("Kai 9/9", "R2-D2", "Unit 7", "Bat h1", "Bat h2")), 60, 3)
    assert named[0][1][0] == ": Kai 9/9, R2-D2, Unit 7 and Bat ×2"
    assert said[1].startswith(" Last: Ana hits Guard 1")
    assert said[-1].endswith(" …")
    assert len(said) == 3


@pytest.mark.parametrize(
    "log", [b"", b"\xff\xfe", b"[[event]]\nn = 1\n", b'\n[[event]]\nround = [\nend = "1"\n']
)
def test_a_log_that_cannot_be_read_leaves_the_rest(log: bytes, tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "encounters" / "bridge" / "log.toml").write_bytes(log)
    found = summary_of(folder, info_of(folder / "encounters" / "bridge", "bridge"))
    assert "Okado" in found.names
    assert found.last == ""
