"""The table of keys, and the user's own keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from systems import built_in, load
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import playing, text_of
from tui.settings.key_names import pressed_key
from tui.settings.keymap import (
    GameKeys,
    OwnKeys,
    checked_action_keys,
    checked_keys,
    keys_file,
    own_keys,
    sent_key,
    shown_keys,
)
from tui.settings.keys import KEYS

PROMISED = (
    "n N u U a full_stop x r d h c w W e plus minus v o y colon slash question_mark ctrl+p R I L S ctrl+q D"
)


def test_every_documented_key_is_in_the_table_with_a_label_and_help() -> None:
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
        ({"next": "u"}, {}, "next keeps n, because undo uses u"),
        ({"next": "u", "undo": "n"}, {"next": "u", "undo": "n"}, ""),
        ({"next": "f5, ctrl+shift+left"}, {"next": "f5,ctrl+shift+left"}, ""),
        ({"next": "shift+ctrl+left"}, {"next": "ctrl+shift+left"}, ""),
        ({"next": "é"}, {"next": "é"}, ""),
        ({"next": "percent_sign"}, {"next": "percent_sign"}, ""),
        ({"add": "ctrl++"}, {"add": "ctrl+plus"}, ""),
        ({"happening": "f5"}, {"schedule": "f5"}, ""),
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


def test_a_terminal_can_send_every_key_of_the_table() -> None:
    keys = [name for key in KEYS for name in key.key.split(",")]
    assert [sent_key(name) for name in keys] == keys


def test_a_file_that_is_not_toml_is_reported_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    assert own_keys(file).problems == ()
    file.write_bytes(b"\xff\x00 = [")
    assert len(own_keys(file).problems) == 1


def test_keys_are_shown_as_they_are_typed() -> None:
    shown = shown_keys({"next": "f5"})
    assert shown["next"] == "F5"
    assert shown["add"] == "+"
    assert shown["help"] == "?"


@pytest.fixture
def own_file() -> Iterator[Path]:
    file = keys_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    yield file
    file.unlink(missing_ok=True)


async def test_the_user_s_own_key_works_and_is_shown_in_the_footer(own_file: Path) -> None:
    own_file.write_text('next = "f5"\nbogus = "x"\n')
    async with playing() as play:
        assert "F5 next" in play.text
        assert 'no key is called "bogus"' in play.text
        await play.press("n")
        assert play.session.encounter.progress.turn == "okado"
        await play.press("<f5>")
        assert play.session.encounter.progress.turn == "tamsin"


async def test_a_changed_keys_file_is_used_without_a_restart(own_file: Path) -> None:
    async with playing() as play:
        own_file.write_text('next = "f5"\nbogus = "x"\nback = "f99"\n')
        await play.pilot.until(lambda: "F5 next" in play.text)
        assert 'keys.toml:2: no key is called "bogus"' in play.text
        assert 'keys.toml:3: no terminal sends "f99"' in play.text
        await play.press("<f5>")
        assert play.session.encounter.progress.turn == "tamsin"
        await play.press("n")
        assert play.session.encounter.progress.turn == "tamsin", "n is no longer a key"
        own_file.unlink()
        await play.pilot.until(lambda: "n next" in play.text)
        await play.press("n")
        assert play.session.encounter.progress.turn == "guard-1"


async def test_changed_keys_wait_until_the_open_question_is_closed(own_file: Path) -> None:
    async with playing() as play:
        await play.press("d1")
        own_file.write_text('next = "f5"\n')
        play.app.background.read_changed()
        assert play.app.services.key_names["next"] == "n"
        await play.press("<Esc>")
        await play.pilot.until(lambda: play.app.services.key_names["next"] == "F5")


def test_a_file_that_is_not_toml_is_reported_with_its_line_and_not_used(tmp_path):
    file = tmp_path / "keys.toml"
    file.write_text('undo = "Z"\nredo = \n')
    (problem,) = own_keys(file).problems
    assert problem.startswith("keys.toml:2: ")
    assert problem.endswith("the file is not used")


# The keys of a game's own actions


def action_keys(game: str, **own: object) -> dict[str, str]:
    """Return the actions of a game by key, with the user's own keys."""
    actions = own.pop("actions", {})
    keymap, wrong = checked_keys(own)
    mine, also = checked_action_keys(actions, keymap)
    assert not wrong
    assert not also
    return {key: action.name for key, action in GameKeys(OwnKeys(keymap, (), mine)).of(load(game)).items()}


def test_no_game_s_letter_is_a_key_of_the_program() -> None:
    for game in built_in():
        keys = action_keys(game)
        assert set(keys) == set(load(game).letters), game
        assert set(keys) <= set("fgilmpstz")
        assert len(keys) >= 3, game


def test_the_user_s_key_for_an_action_takes_precedence_over_its_letter() -> None:
    assert action_keys("xcom")["m"] == "move"
    assert "m" not in action_keys("xcom", delay="m")
    assert action_keys("xcom", actions={"move": "f5"}) == {**action_keys("xcom", delay="m"), "f5": "move"}
    found = action_keys("xcom", actions={"attack": "m"})
    assert found["m"] == "attack"
    assert "move" not in found.values()
    assert action_keys("xcom", actions={"reload": "f7"}) == action_keys("xcom"), "another game's rests"


@pytest.mark.parametrize(
    ("actions", "problem"),
    [
        ({"move": "n"}, "move can't use n, which next uses"),
        ({"move": "j"}, "move can't use j, which the cursor uses"),
        ({"move": "f5", "act": "f5"}, "act can't use F5, which move uses"),
        ({"move": "f99"}, 'no terminal sends "f99"'),
        ({"move": 3}, "move expected a key"),
        ("m", "actions expected a table"),
    ],
)
def test_an_impossible_key_of_an_action_is_reported(actions: object, problem: str, tmp_path: Path) -> None:
    assert problem in " ".join(checked_action_keys(actions, {})[1].values())
    file = tmp_path / "keys.toml"
    file.write_text('redo = "Z"\n\n[actions]\nmove = "n"\npsi = "f6"\n')
    found = own_keys(file)
    assert (found.keymap, found.actions) == ({"redo": "Z"}, {"psi": "f6"})
    assert found.problems == ("keys.toml:4: move can't use n, which next uses",)


async def test_a_letter_of_the_game_runs_its_action_and_is_shown_in_footer_help_and_list(
    tmp_path: Path, own_file: Path
) -> None:
    own_file.write_text('[actions]\npsi = "f6"\n')
    app = opened(tmp_path, name="rooftop-watch")
    async with running(app, (170, 40)) as pilot:
        await pilot.press("n")
        assert "m move" in text_of(app)
        assert "F6 psionic skill" in text_of(app)
        await pilot.press("m")
        assert "Mara · move" in text_of(app)
        await pilot.press("escape", "f6")
        assert "Mara · psionic skill" in text_of(app)
        await pilot.press("escape", "x")
        assert "move (m)" in text_of(app)
        await pilot.press("escape", "question_mark", "pagedown")
        assert "Move. Move (core action) or dash" in " ".join(text_of(app).split())
        await pilot.press("escape", "L", "m")
        assert app.services.prompts.current is None, "a letter is a key where the fight is"


def test_a_click_in_the_footer_presses_the_key_that_is_shown() -> None:
    for key in KEYS:
        shown = shown_keys({})[key.id]
        name, character = pressed_key(shown)
        assert name == key.key.split(",")[0], shown
        assert character is None or character == shown.split(", ")[0]
