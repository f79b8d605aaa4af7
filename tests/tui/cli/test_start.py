"""The start of the screens loads only what the first picture shows."""

import sys
from collections.abc import Mapping

import pytest

from tests.command import ROOT, environment, sample

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")

# Modules by what needs them. Each once cost the first picture about a millisecond.
LATER = {
    "an option of the command": {"argparse", "gettext", "tui.cli.parser"},
    "the first command": {
        "systems.commands",
        "systems.dice.scripted",
        "systems.language",
        "tui.campaign.toml.text",
        "tui.prompts",
        "tui.session.attempt",
    },
    "a list of games": {"pkgutil", "importlib.metadata"},
    "a file with an error": {
        "tui.campaign.toml.positions",
        "tui.campaign.repair",
        "tui.campaign.log.divergence",
    },
    "events that a disk refused": {"tui.campaign.log.recovery"},
    "a terminal with few colours": {"tui.terminal.colours"},
    "a seat": {"asyncssh", "systems.visibility.view", "systems.visibility.build", "tui.seats", "tui.wire"},
    "another screen": {
        "tui.screens.log.screen",
        "tui.screens.status",
        "tui.screens.roster.screen",
        "tui.display.log_filter",
    },
    "a file that a person wrote": {"tomlkit", "tomli_w"},
    "odds": {"systems.odds"},
    "a creature that the game ships": {"tui.campaign.creatures"},
}


# A module costs a third of a millisecond, a class of values half of one. More need a reason.
MOST_MODULES, MOST_CLASSES = 121, 238


@pytest.fixture(scope="module")
def at_first(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[str]]:
    from tests.bench.start import loaded_at_first

    folder = tmp_path_factory.mktemp("start")
    campaign = sample(folder, "okado-at-the-gate")
    home = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")}
    around = environment(**home, TERM="xterm-256color", COLORTERM="truecolor", PYTHONPATH=str(ROOT))
    return loaded_at_first(folder / "loaded.json", "Okado", campaign, around)


@pytest.fixture
def loaded(at_first: Mapping[str, list[str]]) -> set[str]:
    return set(at_first["modules"])


@pytest.mark.parametrize("wanted_by", LATER)
def test_the_first_picture_does_not_load_modules_for(wanted_by: str, loaded: set[str]) -> None:
    assert "tui.screens.initiative" in loaded
    assert not LATER[wanted_by] & loaded


def test_the_first_picture_loads_few_modules_and_classes_of_our_own(
    at_first: Mapping[str, list[str]],
) -> None:
    own = [name for name in at_first["modules"] if name.split(".")[0] in ("systems", "tui")]
    assert len(own) <= MOST_MODULES
    assert len(at_first["classes"]) <= MOST_CLASSES
    assert len(set(at_first["classes"])) == len(at_first["classes"]), "a class was made twice"


def test_every_module_named_here_exists() -> None:
    own = [name for names in LATER.values() for name in names if name.startswith(("tui", "systems"))]
    for name in own:
        path = ROOT.joinpath(*name.split("."))
        assert path.is_dir() or path.with_suffix(".py").is_file(), name
