"""Values saved to the roster are written, undone by undo, and never written over later changes."""

from systems.frozen import evolve
from tests.command import commands, sample
from tui.campaign.campaign import load
from tui.campaign.roster import save_entry

OKADO = "okado-at-the-gate"


def life(folder):
    return load(folder / OKADO).roster["okado"].sheet.life


def test_keep_writes_the_roster_and_undo_and_redo_do_so_too(tmp_path):
    sample(tmp_path, OKADO)
    assert life(tmp_path) == 52
    *_, kept = commands(tmp_path, OKADO, "start", "damage okado 12", "end", "keep all")
    assert kept["ok"], kept
    assert life(tmp_path) == 40
    commands(tmp_path, OKADO, "undo")
    assert life(tmp_path) == 52
    commands(tmp_path, OKADO, "redo")
    assert life(tmp_path) == 40


def test_undo_leaves_a_sheet_that_was_changed_since(tmp_path):
    path = sample(tmp_path, OKADO)
    commands(tmp_path, OKADO, "start", "damage okado 12", "end", "keep all")
    campaign = load(path)
    okado = campaign.roster["okado"]
    save_entry(campaign, evolve(okado, sheet=evolve(okado.sheet, life=45)))
    (undone,) = commands(tmp_path, OKADO, "undo")
    assert undone["ok"]
    assert life(tmp_path) == 45
