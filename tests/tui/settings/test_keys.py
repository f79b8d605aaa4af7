"""The table of keys, and the keys that a person prefers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.table import playing
from tui.settings.keymap import checked_keys, keys_file, own_keys, sent_key, shown_keys
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
        ({"next": "f5, ctrl+shift+left"}, {"next": "f5,ctrl+shift+left"}, ""),
        ({"next": "shift+ctrl+left"}, {"next": "ctrl+shift+left"}, ""),
        ({"next": "é"}, {"next": "é"}, ""),
        ({"next": "greater_than_sign"}, {"next": "greater_than_sign"}, ""),
        ({"add": "ctrl++"}, {"add": "ctrl+plus"}, ""),
        ({"next": "f99"}, {}, 'no terminal sends "f99"'),
        ({"next": "foo"}, {}, 'no terminal sends "foo"'),
        ({"next": "f5,cmd+n"}, {}, 'no terminal sends "cmd+n"'),
        ({"next": "shift+n"}, {}, 'no terminal sends "shift+n"'),
        ({"next": "ctrl+N"}, {}, 'no terminal sends "ctrl+N"'),
        ({"next": "control+n"}, {}, 'no terminal sends "control+n"'),
        ({"next": "latin_small_letter_q"}, {}, "no terminal sends"),
        ({"next": "ctrl+"}, {}, 'no terminal sends "ctrl+"'),
    ],
)
def test_a_users_keys_are_checked(given: dict[str, object], keymap: dict[str, str], problem: str) -> None:
    found, wrong = checked_keys(given)
    assert found == keymap
    assert problem in " ".join(wrong.values())
    assert bool(wrong) == bool(problem)


def test_each_problem_has_a_line_of_its_own_with_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('# mine\nnext = "f99"\n\nbogus = "x"\nundo = "f5"\nback = "u u"\n')
    found = own_keys(file)
    assert found.keymap == {"undo": "f5"}
    assert [problem.split(": ")[0] for problem in found.problems] == [
        "keys.toml:2",
        "keys.toml:4",
        "keys.toml:6",
    ]


def test_every_key_of_the_table_is_one_that_a_terminal_sends() -> None:
    keys = [name for key in KEYS for name in key.key.split(",")]
    assert [sent_key(name) for name in keys] == keys


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


@pytest.fixture
def own_file() -> Iterator[Path]:
    file = keys_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    yield file
    file.unlink(missing_ok=True)


async def test_an_own_key_works_and_stands_in_the_footer(own_file: Path) -> None:
    own_file.write_text('next = "f5"\nbogus = "x"\n')
    async with playing() as play:
        assert "f5 next" in play.text
        assert 'no key is called "bogus"' in play.text
        await play.press("n")
        assert play.session.encounter.progress.turn == "okado"
        await play.press("<f5>")
        assert play.session.encounter.progress.turn == "tamsin"


async def test_a_changed_file_of_own_keys_counts_without_a_restart(own_file: Path) -> None:
    async with playing() as play:
        own_file.write_text('next = "f5"\nbogus = "x"\nback = "f99"\n')
        await play.pilot.until(lambda: "f5 next" in play.text)
        assert 'keys.toml:2: no key is called "bogus"' in play.text
        assert 'keys.toml:3: no terminal sends "f99"' in play.text
        await play.press("<f5>")
        assert play.session.encounter.progress.turn == "tamsin"
        await play.press("n")
        assert play.session.encounter.progress.turn == "tamsin", "n is no key any more"
        own_file.unlink()
        await play.pilot.until(lambda: "n next" in play.text)
        await play.press("n")
        assert play.session.encounter.progress.turn == "guard-1"


async def test_own_keys_wait_until_the_question_that_is_open_is_over(own_file: Path) -> None:
    async with playing() as play:
        await play.press("d1")
        own_file.write_text('next = "f5"\n')
        play.app.background.read_changed()
        assert play.app.services.key_names["next"] == "n"
        await play.press("<Esc>")
        await play.pilot.until(lambda: play.app.services.key_names["next"] == "f5")


def test_a_file_that_is_no_toml_is_told_with_its_line_and_not_used(tmp_path):
    file = tmp_path / "keys.toml"
    file.write_text('undo = "Z"\nredo = \n')
    (problem,) = own_keys(file).problems
    assert problem.startswith("keys.toml:2: ")
    assert problem.endswith("the file is not used")
