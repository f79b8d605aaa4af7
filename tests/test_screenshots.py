"""The pictures: which there are, and that the same ones come out every time."""

import re
from pathlib import Path

from screenshots.__main__ import _copies, _own_world, _svg
from screenshots.scenes import SCENES

ROOT = Path(__file__).parents[1]


def test_every_picture_of_the_readme_is_one_that_is_taken():
    taken = {f"{scene.name}-{wide}x{high}" for scene in SCENES for wide, high in scene.sizes}
    shown = re.findall(r"\(screenshots/([^)]+)\.(?:png|svg)\)", (ROOT / "README.md").read_text())
    assert shown
    assert set(shown) <= taken


def test_every_screen_is_taken_in_both_sizes():
    names = {scene.name for scene in SCENES if len(scene.sizes) == 2}
    assert {"initiative", "roster", "log", "status", "chooser", "target", "why", "odds"} <= names


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


def test_every_picture_is_one_that_the_command_makes():
    made = {f"{scene.name}-{width}x{height}" for scene in SCENES for width, height in scene.sizes}
    there = {path.stem for path in (ROOT / "screenshots").iterdir() if path.suffix in (".svg", ".png")}
    assert there <= made
