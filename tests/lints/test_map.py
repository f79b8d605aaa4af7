"""The map for contributors has every folder of the program, and commands that exist."""

import re
from pathlib import Path

from tests.bench.__main__ import MEASUREMENTS
from tests.bench.trace import WALKS

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / ".github" / "CONTRIBUTING.md").read_text("utf-8")
SECURITY = (ROOT / ".github" / "SECURITY.md").read_text("utf-8")


def folders() -> set[str]:
    """Every package of the product, except the folders inside a game."""
    found = set()
    for path in ROOT.glob("*/*/**/__init__.py"):
        parts = path.relative_to(ROOT).parent.parts
        if parts[0] == "tui" or (parts[0] == "systems" and len(parts) == 2):
            found.add("/".join(parts))
    return found


def test_the_map_has_every_folder_once_and_no_other() -> None:
    rows = re.findall(r"^\| `([a-z0-9_/]+)` \| (.+) \|$", GUIDE, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(folders())


def test_every_path_in_the_guides_exists() -> None:
    named = re.findall(r"`((?:systems|tui|tests|\.ci)/[\w./]+)", GUIDE) + re.findall(
        r" (tests/[\w./]+|\.ci/\w+)", GUIDE
    )
    linked = re.findall(r"\]\(\.\./([\w./]+)\)", GUIDE + SECURITY)
    assert len(named) > len(folders())
    assert [path for path in (*named, *linked) if not (ROOT / path).exists()] == []


def test_every_measurement_and_walk_in_the_guide_exists() -> None:
    [measured] = re.findall(r"-m tests\.bench ([a-z]+(?: [a-z]+)*)  ", GUIDE)
    assert set(measured.split()) <= set(MEASUREMENTS)
    [walk] = re.findall(r"-m tests\.bench\.trace ([a-z]+)", GUIDE)
    [others] = re.findall(r"The names (.+?) trace other", GUIDE.replace("\n", " "))
    assert {walk, *re.findall(r"`(\w+)`", others)} == set(WALKS)
