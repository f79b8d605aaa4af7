"""Changes to files that users edit, too: only changed values are written, and never over theirs."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.errors import Wrong
from systems.frozen import evolve
from systems.schema.conversion import replace
from tests.tui.campaign.examples import CAMPAIGN, GUARD, campaign, names_in
from tui.campaign.campaign import Campaign, Settings, load
from tui.campaign.openings import new_encounter
from tui.campaign.problems import Changed, NotSaved
from tui.campaign.roster import delete, duplicate, new_entry, save_entry, save_settings, undelete
from tui.campaign.toml.edit import edited


@pytest.fixture
def docks(tmp_path: Path) -> Campaign:
    return load(campaign(tmp_path))


def changed(docks: Campaign, **fields: Any) -> Campaign:
    guard = docks.roster["guard"]
    return save_entry(docks, evolve(guard, sheet=replace(guard.sheet, **fields)))


def guard_text(docks: Campaign) -> str:
    return (docks.path / "roster" / "guard.toml").read_text(encoding="utf-8")


def test_an_unchanged_entry_is_not_written(docks: Campaign) -> None:
    before = (docks.path / "roster" / "guard.toml").stat()
    assert save_entry(docks, docks.roster["guard"]) == docks
    assert (docks.path / "roster" / "guard.toml").stat().st_mtime_ns == before.st_mtime_ns


def test_only_the_changed_value_changes_in_the_file(docks: Campaign) -> None:
    guard = docks.roster["guard"].sheet
    knife = replace(guard.weapons[1], damage=7)
    after = changed(docks, abilities={"dodge": 30, "melee": 50}, weapons=(guard.weapons[0], knife))
    assert guard_text(docks) == GUARD.replace("melee = 45", "melee = 50").replace("damage = 4", "damage = 7")
    assert load(docks.path) == after


def test_comments_stay_when_values_are_added_and_removed(docks: Campaign) -> None:
    guard = docks.roster["guard"].sheet
    after = changed(
        docks,
        name="Guard [b]🐉",
        notes="Sleeps\non duty",
        abilities={"dodge": 30, "shield wall": 20},
        weapons=(*guard.weapons, replace(guard.weapons[0], name="net", damage=0)),
    )
    text = guard_text(docks)
    for comment in (one.partition("#")[2] for one in GUARD.splitlines() if "#" in one):
        assert comment in text
    assert load(docks.path) == after
    assert after.roster["guard"].sheet.weapons[2].name == "net"


def test_a_removed_entry_takes_no_comment_of_another(docks: Campaign) -> None:
    guard = docks.roster["guard"].sheet
    after = changed(docks, weapons=guard.weapons[1:])
    assert "hidden in the boot" in guard_text(docks)
    assert load(docks.path) == after


def test_a_value_that_followed_another_stays_when_the_other_changes(docks: Campaign) -> None:
    assert docks.roster["guard"].sheet.life == 30
    after = changed(docks, max_life=50, life=30)
    assert "life = 30" in guard_text(docks)
    assert load(docks.path).roster["guard"].sheet.life == 30
    assert load(docks.path) == after


def test_the_side_is_part_of_the_file(docks: Campaign) -> None:
    save_entry(docks, evolve(docks.roster["guard"], side="players"))
    assert guard_text(docks) == GUARD.replace('side = "foes"', 'side = "players"')


def test_a_file_that_was_changed_outside_is_never_overwritten(docks: Campaign) -> None:
    path = docks.path / "roster" / "guard.toml"
    theirs = GUARD + "\n# from the editor\n"
    path.write_text(theirs, encoding="utf-8")
    for change in (lambda: changed(docks, max_life=3), lambda: delete(docks, "guard")):
        with pytest.raises(Changed, match=r"roster/guard.toml was changed outside"):
            change()
    path.unlink()
    with pytest.raises(Changed):
        changed(docks, max_life=3)
    path.write_text(theirs, encoding="utf-8")
    with pytest.raises(Changed):
        save_entry(docks, evolve(docks.roster["guard"], source=None))
    assert guard_text(docks) == theirs


def test_a_new_entry_contains_only_values_that_differ_from_the_default(docks: Campaign) -> None:
    kind = new_entry(docks, "Guard", "players")
    assert kind.id == "guard-2"
    sheet = replace(kind.sheet, max_life=12, life=12, abilities={"melee": 5}, notes="x")
    after = save_entry(docks, evolve(kind, sheet=sheet))
    assert (docks.path / "roster" / "guard-2.toml").read_text() == (
        'format = 1\nname = "Guard"\nside = "players"\nnotes = "x"\nmax_life = 12\n\n[abilities]\nmelee = 5\n'
    )
    assert load(docks.path) == after


def test_any_name_gives_a_valid_file_name(docks: Campaign) -> None:
    names = ["[b]Ölwürm[/b]", "🐉", "x" * 300, "\x1b[31m", "../../etc", ""]
    ids = [new_entry(docks, one).id for one in names]
    assert ids == ["b-olwurm-b", "kind", "x" * 40, "31m", "etc", "kind"]


def test_a_copy_keeps_the_comments_and_has_its_own_name(docks: Campaign) -> None:
    after, copied = duplicate(docks, "guard")
    assert copied == "guard-copy"
    text = (docks.path / "roster" / "guard-copy.toml").read_text()
    assert text == GUARD.replace('"Guard"', '"Guard (copy)"')
    assert load(docks.path) == after
    after, again = duplicate(after, "guard")
    assert again == "guard-copy-2"


def test_a_deleted_entry_is_restored_unchanged(docks: Campaign) -> None:
    gone = delete(docks, "guard")
    assert "guard" not in gone.roster
    assert load(docks.path).roster == {}
    back = undelete(gone, "guard")
    assert guard_text(docks) == GUARD
    assert back == docks
    with pytest.raises(NotSaved, match="no deleted guard"):
        undelete(back, "guard")


def test_a_deleted_entry_is_not_restored_over_a_new_file(docks: Campaign) -> None:
    gone = delete(docks, "guard")
    made = save_entry(gone, new_entry(gone, "Guard"))
    with pytest.raises(Changed):
        undelete(made, "guard")
    assert delete(made, "guard").roster == {}
    assert undelete(gone, "guard").roster["guard"].sheet.weapons == ()


def test_a_disk_that_refuses_leaves_the_file_unchanged(
    docks: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(NotSaved, match="no space left"):
            changed(docks, max_life=3)
    assert guard_text(docks) == GUARD
    assert names_in(docks.path / "roster") == ["guard.toml"]


def test_changed_settings_keep_the_user_s_comments_and_layout(docks: Campaign) -> None:
    after = save_settings(
        docks,
        title="The new docks",
        table=Settings(dice="real", order="sides"),
        house=replace(docks.house, tie_passes=True, passive_floor=False),
    )
    text = (docks.path / "campaign.toml").read_text(encoding="utf-8")
    assert text == (
        CAMPAIGN.replace('"The docks"', '"The new docks"')
        .replace('dice = "real"\n', 'dice = "real"\norder = "sides"\n')
        .replace("tie_passes = false    # we like it harder\n", "tie_passes = true    # we like it harder\n")
        .replace("harder\n", "harder\npassive_floor = false\n")
    )
    assert load(docks.path) == after
    assert save_settings(after, table=Settings()).table == Settings()
    with pytest.raises(Changed):
        save_settings(docks, title="Old")


def test_comments_inside_a_list_stay_when_it_becomes_empty_and_filled_again() -> None:
    full = "a = [ # of the list\n  1, # of the entry\n  # between\n] # after\n"
    empty = "a = [ # of the list\n  # between\n] # after\n"
    assert edited(full.encode(), {"a": []}, "x.toml").decode() == empty
    again = edited(empty.encode(), {"a": [1]}, "x.toml").decode()
    assert all(said in again for said in ("# of the list\n", "# between\n", "# after\n"))


def test_a_table_on_one_line_stays_on_one_line() -> None:
    before = 'a = { x = 1 } # kept\nb = [\n    { name = "net" }, # mine\n]\n'
    tables = {"a": {"x": 1, "y": 2}, "b": [{"name": "net", "damage": 3}, {"name": "axe", "damage": 4}]}
    assert edited(before.encode(), tables, "x.toml").decode() == (
        "a = { x = 1, y = 2 } # kept\n"
        'b = [\n    { name = "net", damage = 3 }, # mine\n    { name = "axe", damage = 4 },\n]\n'
    )


names = st.text(alphabet='ab." é', min_size=1, max_size=3)
leaves = st.integers(0, 9) | st.booleans() | st.text(alphabet="a\n\"'#é", max_size=4)
entries = st.lists(st.dictionaries(names, leaves, min_size=1, max_size=3), max_size=3)
fields = leaves | st.lists(leaves, max_size=3) | st.dictionaries(names, leaves, max_size=3) | entries
tables = st.dictionaries(names, fields, max_size=5)


@given(tables, tables)
def test_an_edited_file_has_the_wanted_content_or_is_not_written(
    old: dict[str, Any], new: dict[str, Any]
) -> None:
    import tomllib

    from tui.campaign.toml.document import document

    text = "# above\n" + document({"format": 1, **old}).decode()
    try:
        after = edited(text.encode(), {"format": 1, **new}, "x.toml").decode()
    except NotSaved:
        return
    assert tomllib.loads(after) == {"format": 1, **new}
    assert after.startswith("# above\n")


def test_two_players_characters_need_different_names_but_creatures_do_not(docks: Campaign) -> None:
    made = save_entry(docks, new_entry(docks, "Sera", "players"))
    with pytest.raises(Wrong, match="sera is already in the party; each character needs a different name"):
        new_entry(made, "sera", "players")
    assert new_entry(made, "Sera").id == "sera-2"


def test_saving_does_not_create_a_missing_campaign_folder_again(docks: Campaign) -> None:
    docks.path.rename(docks.path.parent / "away")
    for change in (
        lambda: save_entry(docks, new_entry(docks, "Zed")),
        lambda: new_encounter(docks, "Mill", {}),
    ):
        with pytest.raises(NotSaved, match="no longer exists"):
            change()
    with pytest.raises(NotSaved):
        delete(docks, "guard")
    assert not docks.path.exists()
