"""The roster as a document that `affray import` reads back."""

import pytest

from systems.frozen import evolve
from tests.command import affray
from tests.systems.fight import GAMES
from tests.tui.opened import SAMPLES
from tui.campaign.campaign import load
from tui.campaign.exports import ROSTER_FORMATS
from tui.campaign.roster import save_entry

SAMPLE_OF = {load(path.parent).system: path.parent.name for path in sorted(SAMPLES.glob("*/campaign.toml"))}


@pytest.mark.parametrize("format", ROSTER_FORMATS)
@pytest.mark.parametrize("game", GAMES)
def test_an_exported_roster_is_imported_unchanged(tmp_path, game, format):
    document = affray("export", SAMPLE_OF[game], "--format", format, "--campaigns", tmp_path).out
    (tmp_path / f"roster.{format}").write_text(document)
    affray("new", "other", "--system", game, "--campaigns", tmp_path)
    done = affray("import", "other", tmp_path / f"roster.{format}", "--campaigns", tmp_path)
    assert "not taken" not in done.out
    before = load(SAMPLES / SAMPLE_OF[game]).roster.values()
    after = load(tmp_path / "other").roster.values()
    assert sorted(map(_content, after), key=str) == sorted(map(_content, before), key=str)


def _content(entry):
    return entry.name, entry.side, entry.party, entry.sheet


def test_a_party_is_exported_and_imported_too(tmp_path):
    campaign = load(SAMPLES / SAMPLE_OF["atlantis"])
    affray("new", "mine", "--system", "atlantis", "--campaigns", tmp_path)
    mine = load(tmp_path / "mine")
    save_entry(mine, evolve(campaign.roster["okado"], party="The Lanterns", source=None))
    for format in ROSTER_FORMATS:
        document = affray("export", "mine", "--format", format, "--campaigns", tmp_path).out
        (tmp_path / f"roster.{format}").write_text(document)
        affray("new", format, "--system", "atlantis", "--campaigns", tmp_path)
        affray("import", format, tmp_path / f"roster.{format}", "--campaigns", tmp_path)
        assert load(tmp_path / format).roster["okado"].party == "The Lanterns"


@pytest.mark.parametrize("format", ROSTER_FORMATS)
def test_unreadable_entries_are_named_when_the_rest_is_exported(tmp_path, format):
    affray("new", "mine", "--system", "atlantis", "--party", "Sera; Bram", "--campaigns", tmp_path)
    (tmp_path / "mine" / "roster" / "sera.toml").write_text("name = [")
    done = affray("export", "mine", "--format", format, "--campaigns", tmp_path)
    assert "Bram" in done.out
    assert "left out: roster/sera.toml:1" in done.err
