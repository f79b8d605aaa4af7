"""Imports from the command line: what is shown, kept, compared, and never half kept."""

import json

import pytest

from tests.command import affray
from tests.systems.stat_blocks.other_trackers import BLOCK, FIGHT_CLUB, LIBRARY, TAGGED_2014
from tui.campaign.campaign import load
from tui.campaign.importing.proposals import keep, proposed, take_back
from tui.campaign.importing.recognising import recognised
from tui.campaign.progress import Stopped


@pytest.fixture
def ford(tmp_path):
    affray("new", "ford", "--system", "simple", "--campaigns", tmp_path)
    return tmp_path / "ford"


def imported(ford, text, *options):
    (ford.parent / "file").write_text(text)
    return affray("import", "ford", ford.parent / "file", *options, "--campaigns", ford.parent)


def roster(ford):
    loaded = load(ford)
    assert loaded.problems == ()
    return loaded.roster


def files(ford):
    return {path.name: path.read_bytes() for path in (ford / "roster").iterdir()}


def test_each_line_of_a_block_is_printed_and_the_creature_kept(ford):
    ran = imported(ford, BLOCK)
    assert ran.status == 0
    assert ran.out.splitlines()[0].startswith("Gnarl: ")
    assert any(line.startswith((" ~ Hit Points 7", "   Hit Points 7")) for line in ran.out.splitlines())
    assert ran.out.splitlines()[-1] == "added to the roster of ford: Gnarl"
    assert roster(ford)["gnarl"].sheet.max_hp == 7


def test_a_file_may_come_from_standard_input(ford):
    ran = affray("import", "ford", "-", "--campaigns", ford.parent, given=FIGHT_CLUB)
    assert "added to the roster of ford: Rust Hound" in ran.out
    bad = affray("import", "ford", "-", "--campaigns", ford.parent, given="{")
    assert bad.complaint.startswith("standard input: ends in the middle; all of it is needed")


def test_json_tells_for_each_entry_what_was_read_assumed_and_not_understood(ford):
    first, second = imported(ford, json.dumps(LIBRARY), "--json").answers
    assert (first["id"], first["name"], first["kept"]) == ("bog-hag", "Bog Hag", True)
    assert first.keys() >= {"read", "assumed", "not_understood"}
    assert all(piece["text"] and piece["becomes"] for piece in first["read"])
    assert (second["name"], roster(ford)["mirelle"].side) == ("Mirelle", "players")


def test_an_existing_creature_is_compared_field_by_field_and_not_changed(ford):
    imported(ford, BLOCK)
    before = files(ford)
    assert "is already in the roster, with the same fields" in imported(ford, BLOCK).out
    ran = imported(ford, BLOCK.replace("Points 7 (2d6)", "Points 9 (2d8)"))
    assert " = max hp: 7 here, 9 in the import" in ran.out.splitlines()
    assert (ran.status, files(ford)) == (1, before)
    told = imported(ford, BLOCK.replace("Points 7 (2d6)", "Points 9 (2d8)"), "--json").answers[0]
    assert (told["id"], told["kept"]) == ("gnarl", False)
    assert {"field": "max hp", "here": "7", "new": "9"} in told["differs"]


def test_what_differs_can_be_added_or_replaced_and_every_import_taken_back(ford):
    imported(ford, BLOCK)
    campaign, before = load(ford), files(ford)
    new = proposed(campaign, recognised(BLOCK.replace(" 7 (", " 9 (").encode(), "file"), "file").each
    both = keep(campaign, new, "both")
    assert (both.made[0].name, both.made[0].sheet.max_hp) == ("Gnarl (2)", 9)
    campaign, stay = take_back(both.campaign, both)
    assert (files(ford), stay) == (before, [])
    replaced = keep(campaign, new, "replace")
    assert roster(ford)["gnarl"].sheet.max_hp == 9
    campaign, stay = take_back(replaced.campaign, replaced)
    assert (files(ford), stay) == (before, [])


def test_what_was_changed_after_an_import_stays_when_it_is_taken_back(ford):
    campaign = load(ford)
    kept = keep(campaign, proposed(campaign, recognised(BLOCK.encode(), "file"), "file").each)
    file = ford / "roster" / "gnarl.toml"
    file.write_text(f"# mine\n{file.read_text()}")
    campaign, stay = take_back(load(ford), kept)
    assert (stay, list(campaign.roster)) == (["Gnarl"], ["gnarl"])


def test_an_import_that_is_stopped_leaves_nothing_and_a_large_one_is_summed_up(ford):
    many = [
        {**TAGGED_2014, "name": f"Gnasher of the {word}{at}"} for at in range(20) for word in ("mire", "fen")
    ]
    content = recognised(json.dumps({"monster": many}).encode(), "file")

    def stop(done, of):
        if done == 30:
            raise Stopped

    campaign = load(ford)
    with pytest.raises(Stopped):
        proposed(campaign, content, "file", stop)
    with pytest.raises(Stopped):
        keep(campaign, proposed(campaign, content, "file").each, tell=stop)
    assert files(ford) == {}
    ran = imported(ford, json.dumps({"monster": many}))
    assert "… and 20 more that were not read whole" in ran.out
    assert "40 creatures: 40 in part" in ran.out
    assert len(roster(ford)) == 40


def test_a_long_file_of_stat_blocks_is_read_in_pieces(ford):
    names = [
        f"{first}{last}"
        for first in ("Gnar", "Bor", "Mor", "Tak", "Vel", "Zan", "Hul")
        for last in "abdefgiklmoprstu"
    ]
    text = "\r\n\r\n".join(BLOCK.replace("Gnarl", name).replace("\n", "\r\n") for name in names)
    assert len(text) > 40_000
    found = proposed(load(ford), recognised(text.encode(), "file"), "file").each
    assert [each.name for each in found] == names
    assert {each.entry.sheet.max_hp for each in found} == {7}


def test_hostile_texts_reach_no_terminal(ford):
    imported(ford, BLOCK.replace("Gnarl", "Gn\x1b]0;x\x07arl").replace("Scimitar", "Sci\x9b31m\u202emitar"))
    hostile = {**TAGGED_2014, "name": "Gn\x1b[2Jash", "action": [{"name": "\x1b[31m", "entries": ["\x9b"]}]}
    imported(ford, json.dumps(hostile))
    assert b"\x1b" not in b"".join(files(ford).values())
