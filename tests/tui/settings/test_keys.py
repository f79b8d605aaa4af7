"""The table of keys, and the keys that a person prefers."""

from pathlib import Path

import pytest

from tests.tui.table import playing
from tui.settings.keymap import checked_keys, keys_file, own_keys, shown_keys
from tui.settings.keys import KEYS

PROMISED = (
    "n N u U a full_stop x r d h c w W e plus minus v o y colon slash question_mark ctrl+p R I L S ctrl+q D"
)


def test_every_promised_key_is_in_the_table_with_a_name_and_a_sentence() -> None:
    keys = {one.key for one in KEYS}
    assert set(PROMISED.split()) <= keys
    for one in KEYS:
        assert one.help.endswith("."), one.id
        assert one.label, one.id
        assert one.screens, one.id


def test_no_two_keys_of_a_screen_are_the_same() -> None:
    for screen in ("initiative", "roster", "log", "status", "campaigns"):
        keys = [key for one in KEYS if screen in one.screens for key in one.key.split(",")]
        assert len(keys) == len(set(keys)), screen


def test_names_are_unique() -> None:
    assert len({one.id for one in KEYS}) == len(KEYS)


@pytest.mark.parametrize(
    ("given", "keymap", "problem"),
    [
        ({"next": "f5"}, {"next": "f5"}, ""),
        ({"format": 1, "next": "f5,space"}, {"next": "f5,space"}, ""),
        ({"nxt": "f5"}, {}, 'no key is called "nxt"; did you mean next?'),
        ({"next": 5}, {}, "next expected a key"),
        ({"next": ""}, {}, "next expected a key"),
        ({"next": "u"}, {}, "next stays n, because u is undo's"),
        ({"next": "u", "undo": "n"}, {"next": "u", "undo": "n"}, ""),
    ],
)
def test_a_users_keys_are_checked(given: dict[str, object], keymap: dict[str, str], problem: str) -> None:
    found = checked_keys(given)
    assert found.keymap == keymap
    assert problem in " ".join(found.problems)
    assert bool(found.problems) == bool(problem)


def test_a_file_that_is_no_toml_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    assert own_keys(file).problems == ()
    file.write_bytes(b"\xff\x00 = [")
    assert len(own_keys(file).problems) == 1


def test_keys_are_shown_as_they_are_typed() -> None:
    shown = shown_keys({"next": "f5"})
    assert shown["next"] == "f5"
    assert shown["add"] == "+"
    assert shown["help"] == "?"


async def test_an_own_key_works_and_stands_in_the_footer() -> None:
    file = keys_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        file.write_text('next = "f5"\nbogus = "x"\n')
        async with playing() as play:
            assert "f5 next" in play.text
            assert 'no key is called "bogus"' in play.text
            await play.press("n")
            assert play.session.encounter.progress.turn == "okado"
            await play.press("<f5>")
            assert play.session.encounter.progress.turn == "tamsin"
    finally:
        file.unlink()
