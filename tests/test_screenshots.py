"""Test that every picture exists and comes out the same every time."""

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from screenshots import ten_keys
from screenshots.__main__ import _copies, _own_world, _svg, main
from screenshots.moving import Frame, moving_picture
from screenshots.scenes import SCENES

ROOT = Path(__file__).parents[1]


def taken() -> set[str]:
    """Return the names of all pictures that the command makes."""
    return {f"{scene.name}-{wide}x{high}" for scene in SCENES for wide, high in scene.sizes} | {ten_keys.NAME}


def test_every_picture_of_the_readme_has_a_scene():
    pages = "".join((ROOT / page).read_text() for page in ("README.md", "tui/README.md"))
    shown = re.findall(r"\((?:\.\./)?screenshots/([^)]+)\.(?:png|svg)\)", pages)
    assert shown
    assert set(shown) <= taken()


def test_every_screen_is_taken_in_both_sizes():
    names = {scene.name for scene in SCENES if len(scene.sizes) == 2}
    assert {"initiative", "roster", "log", "status", "chooser", "target", "why", "odds"} <= names


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--help"], 0, "The pictures: initiative, target,"),
        (["nosuch"], 2, "there is no picture 'nosuch', only"),
    ],
)
def test_an_unknown_picture_is_refused_with_the_known_ones(
    words: list[str], status: int, said: str, monkeypatch, capsys
):
    monkeypatch.setattr("sys.argv", ["screenshots", *words])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == status
    told = capsys.readouterr()
    assert said in " ".join((told.out + told.err).split())


async def test_the_same_picture_comes_out_every_time(tmp_path, monkeypatch):
    for name in (
        "HOME",
        "TZ",
        "COLORTERM",
        *(f"XDG_{kind}_HOME" for kind in ("CONFIG", "DATA", "STATE", "CACHE")),
    ):
        monkeypatch.setenv(name, "x")
    _own_world(tmp_path)
    chooser = next(scene for scene in SCENES if scene.name == "chooser")
    pictures = [await _svg(chooser, _copies(tmp_path), (80, 24)) for _ in range(2)]
    assert pictures[0] == pictures[1]
    assert str(tmp_path) not in pictures[0]


def test_wide_pictures_of_a_fight_show_the_recap_so_far() -> None:
    wide = [*(ROOT / "screenshots").glob("game-*.svg"), ROOT / "screenshots" / "initiative-140x40.svg"]
    assert [path.name for path in wide if "So&#160;far" not in path.read_text(encoding="utf-8")] == []


def test_the_command_makes_every_picture():
    there = {path.stem for path in (ROOT / "screenshots").iterdir() if path.suffix in (".svg", ".png")}
    assert there == taken()


# Latin letters, arrows and dashes, lines and blocks, and the symbols that most monospaced fonts have.
IN_COMMON_FONTS = re.compile(
    r"[\x00-\u017f\u2010-\u2026\u2190-\u2193\u2212\u2264\u2265\u2500-\u259f▪▸▹▾○●◆◇♡♥]*"
)


def test_the_pictures_show_no_symbol_that_common_fonts_lack() -> None:
    for path in (ROOT / "screenshots").glob("*.svg"):
        rare = sorted(set(IN_COMMON_FONTS.sub("", path.read_text(encoding="utf-8"))))
        assert not rare, f"{path.name} shows {' '.join(rare)}"


def screen(*lines: str) -> str:
    """Return a picture of some lines, as Textual exports it."""
    console = Console(record=True, width=20, file=StringIO(), force_terminal=True, highlight=False)
    for line in lines:
        console.print(line)
    return console.export_svg(title="")


def seen(svg: str, frame: int) -> list[str]:
    """Return the words that a browser shows during a frame, by the rules of the picture itself."""
    words = []
    for window, marks in re.findall(r"<g(?: class=\"w([^\"]+)\")?(?: visibility=\"hidden\")?>(.*?)</g>", svg):
        first, last = map(int, window.split("-")) if window else (0, frame)
        if first <= frame <= last:
            words += re.findall(r"<text[^>]*>([^<]*)</text>", marks)
    return [word.replace("\xa0", " ").strip() for word in words]


def still(svg: str) -> list[str]:
    """Return the words that a viewer shows that plays no animation."""
    shown = re.sub(r"<g[^>]* visibility=\"hidden\">.*?</g>", "", svg)
    return seen(re.sub(r" class=\"w[^\"]+\"", "", shown), 0)


def test_a_moving_picture_shows_each_frame_with_its_key_and_draws_unchanged_rows_once() -> None:
    frames = [
        Frame(screen("Okado", "<b> & co", "life 9"), "", "before"),
        Frame(screen("Okado", "Tamsin", "life 9"), "n", "next & on"),
        Frame(screen("Okado", "Tamsin", "life 4"), "a", "attack"),
    ]
    svg = moving_picture(frames)
    assert seen(svg, 0) == ["Okado", "&lt;b&gt; &amp; co", "life 9", "before"]
    assert seen(svg, 1) == ["Okado", "Tamsin", "life 9", "n", "next &amp; on"]
    assert seen(svg, 2) == ["Okado", "Tamsin", "life 4", "a", "attack"]
    assert svg.count(">Okado<") == svg.count(">Tamsin<") == 1
    assert still(svg) == seen(svg, 0)
    assert {"@keyframes w0-0{0.000%{visibility:visible}33.333%{visibility:hidden}}"} < set(
        re.findall(r"@keyframes.*?}}", svg)
    )


def test_the_moving_picture_follows_the_ten_keys_of_the_readme() -> None:
    told = ten_keys.keys_and_captions(ROOT / "README.md")
    assert not any("`" in words for _, words in told)
    assert [key for key, _ in told] == ["n", "a", "4", "Enter", "y", "Esc", "n", ".", "Enter", "u"]
    svg = (ROOT / "screenshots" / f"{ten_keys.NAME}.svg").read_text(encoding="utf-8")
    for number, (key, words) in enumerate(told, 1):
        assert seen(svg, number)[-2:] == [key, words]
    assert still(svg) == seen(svg, 0)
    assert len(svg.encode()) < 400_000
    assert "<script" not in svg
