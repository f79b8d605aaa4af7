"""Errors of a file name the line and the expected content; a file is replaced at once or not at all."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.campaign.examples import CAMPAIGN, GUARD, OPENING, is_one_line, names_in
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.toml.files import parse_toml, read_toml, write_atomic
from tui.campaign.toml.positions import line_of


def refused(text: str | bytes) -> str:
    data = text if isinstance(text, bytes) else text.encode()
    with pytest.raises(FileProblem) as caught:
        parse_toml(data, "roster/guard.toml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("format = 1\nname = \n", "2: expected a value: a text in quotation marks"),
        ('format = 1\nname = "Guard\n', "2: a text can't contain this character"),
        ('format = 1\nname = "Guard', "2: a text is not closed with a quotation mark"),
        ("format = 1\nwho is it\n", '2: expected "=" after the name'),
        ("format = 1\n\nname = 'a'\nname = 'b'\n", "4: this name is given twice"),
        ("format = 1\n[a]\n[a]\n", "3: this table is used twice"),
        ("format = 1\na = [1\nb = 2\n", '3: expected "," or "]" in a list'),
        ("format = 1\na = {b = 1\n", '2: expected "," or "}" in a table'),
        ('format = 1\na = "C:\\Users"\n', "2: this is not the number of a character"),
        ('format = 1\na = "\\q"\n', "2: a backslash in a text must be doubled"),
        (b"format = 1\nname = 'G\xfcnther'\n", "2: is not UTF-8 text; save it as UTF-8"),
        ("name = 'Guard'\n", "1: format: is needed: format = 1"),
        (
            "\nformat = 2\n",
            "2: format: is of format 2; this program reads format 1: a newer Affray is needed",
        ),
        ("format = 'x'\n", "1: format: expected 1"),
        ("format = true\n", "1: format: expected 1"),
        ("format = 1\nlife = " + "9" * 5000 + "\n", ": is not TOML: a number with too many digits"),
        ("format = 1\nlife = 0x" + "f" * 5000, "2: life: expected a whole number of at most 18 digits"),
        ("format = 1\n\nlife = inf\n", "3: life: expected a number, got inf"),
        ("format = 1\na = " + "[" * 60 + "]" * 60, ": is nested more than 40 deep"),
        ("format = 1\na = " + "[" * 100_000, ": is nested more than 40 deep"),
        ("format = 1\n" + "a." * 200_000 + "b = 1", "2: is nested more than 40 deep"),
    ],
)
def test_an_error_names_the_line_and_the_expected_content(text: str | bytes, error: str) -> None:
    said = refused(text)
    assert said.startswith("roster/guard.toml")
    assert error in said
    assert len(said) < 1000
    assert said.isprintable()


def test_a_byte_order_mark_and_windows_line_ends_are_read() -> None:
    assert parse_toml(b"\xef\xbb\xbfformat = 1\r\nname = 'a'\r\n", "x") == {"format": 1, "name": "a"}


def test_a_path_that_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for name, error in (("pipe.toml", "is not a file"), ("", "is not a file"), ("none.toml", "is missing")):
        with pytest.raises(FileProblem, match=error):
            read_toml(tmp_path / name, "x.toml")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "large.toml").open("wb") as opened:
        opened.truncate(3 * 1024 * 1024)
    with pytest.raises(FileProblem, match="is larger than 2 MB"):
        read_toml(tmp_path / "large.toml")


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_tables_or_a_file_problem(data: bytes) -> None:
    for whole in (data, b"format = 1\n" + data, GUARD.encode()[:250] + data):
        problem = None
        try:
            parse_toml(whole, "any.toml")
        except FileProblem as error:
            problem = error
        assert problem is None or is_one_line(problem)


# Lines


@pytest.mark.parametrize(
    ("text", "field", "line"),
    [
        (GUARD, "name", 3),
        (GUARD, "abilities.melee", 7),
        (GUARD, "abilities.dance", 7),
        (GUARD, "weapons[0].damage", 13),
        (GUARD, "weapons[1]", 15),
        (GUARD, "weapons[1].damage", 17),
        (GUARD, "weapons[1].range", 15),
        (GUARD, "nowhere", 1),
        (CAMPAIGN, "house.tie_passes", 7),
        (CAMPAIGN, "house.other", 6),
        (OPENING, "combatant[1].sheet.max_life", 16),
        (OPENING, "combatant[0].sheet.abilities.melee", 8),
        ("a = [\n 1,\n # no\n [2,\n 3],\n]\n", "a[1][1]", 5),
        ("t = '''\nx = 1\n'''\nx = 2\n", "x", 4),
        ('"a b" = 1\n"c.d" = { e = 1,\n f = 2 }\n', "c.d", 2),
        ("[a.b]\nc.d = 1\n[[a.e]]\n[[a.e]]\nf = 1\n", "a.e[1].f", 5),
        ("[[a]]\n[[a.b]]\n[[a.b]]\nc = 1\n[[a]]\n[[a.b]]\nc = 1\n", "a[1].b[0].c", 7),
    ],
)
def test_a_field_is_found_on_its_line(text: str, field: str, line: int) -> None:
    assert line_of(text, field) == line


@given(st.text(max_size=60), st.text(max_size=20))
def test_looking_for_a_line_never_fails(text: str, field: str) -> None:
    assert 1 <= line_of(text, field) <= text.count("\n") + 1


# Writing


def test_a_replaced_file_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "link.toml"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_atomic(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("call", ["open", "write", "fdatasync", "replace"])
def test_a_file_that_cannot_be_replaced_stays_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "guard.toml"
    path.write_bytes(b"old")

    def fails(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        if call == "replace":
            patch.setattr(Path, call, fails)
        else:
            patch.setattr(os, call, fails, raising=False)
        with pytest.raises(NotSaved, match=r"guard.toml was not saved: no space left on the disk"):
            write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert names_in(tmp_path) == ["guard.toml"]


def test_a_file_in_a_folder_that_is_a_file_is_not_saved(tmp_path: Path) -> None:
    (tmp_path / "roster").write_bytes(b"")
    with pytest.raises(NotSaved, match="there is a file where a folder should be"):
        write_atomic(tmp_path / "roster" / "guard.toml", b"new")
